//! Slice patterns of mutable borrows: each name is one of an element, `rest` of what is in between.
use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable(order = 2)]
fn ends(x: &[f64; 4]) -> f64 {
    let mut v = *x;
    let [a, .., b] = &mut v;
    *a *= 2.0;
    *b += *a * *b;
    v[0] * v[3] + v[1]
}

#[differentiable(order = 2)]
fn tail(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    if let [first, rest @ ..] = &mut v[..] {
        *first *= 2.0;
        for r in rest.iter_mut() {
            *r += *first * *r;
        }
        if let [.., last] = rest {
            *last *= *first;
        }
    }
    v.iter().map(|a| a * a).sum()
}

#[differentiable(order = 2)]
fn loops(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    for _ in 0..n {
        match v.as_mut_slice() {
            [a, b, mid @ .., z] => {
                *a += *b * *z;
                *b *= 0.5;
                for (k, m) in mid.iter_mut().enumerate() {
                    *m += *a * k as f64;
                }
            }
            [a] => *a *= *a,
            [a, b] => {
                core::mem::swap(a, b);
                *a *= 2.0;
            }
            [] => {}
        }
    }
    v.iter().enumerate().map(|(i, a)| a * a * (i + 1) as f64).sum()
}

#[differentiable(order = 2)]
fn structs(x: &[f64]) -> f64 {
    let mut v = [Pair { a: x[0], b: 1.0 }, Pair { a: 2.0, b: x[1] }];
    let [p, Pair { a, b }] = &mut v;
    p.a *= *b;
    *a += p.a;
    *b *= *a;
    v[0].a * v[1].a + v[1].b * v[0].b
}

#[differentiable(order = 2)]
fn vecs(x: &[f64]) -> f64 {
    let mut v = vec![Pair { a: x[0], b: 1.0 }, Pair { a: 2.0, b: x[1] }, Pair { a: x[2], b: x[0] }];
    if let [p, .., q] = &mut v[..] {
        p.a *= q.b;
        q.a += p.a * x[1];
    }
    v.iter().map(|p| p.a * p.b).sum()
}

#[differentiable]
fn lent(v: &mut [f64]) -> f64 {
    match v {
        [a, rest @ ..] => {
            *a *= 2.0;
            rest[0] *= *a;
            rest[0]
        }
        [] => 0.0,
    }
}

#[differentiable(order = 2)]
fn rows(x: &[f64]) -> f64 {
    let mut m = [[x[0], x[1]], [x[2], x[0] * x[1]]];
    let [r, [c, d]] = &mut m;
    r[0] *= *c;
    r[1] += *d;
    *d *= r[0];
    m[0][0] * m[1][1] + m[0][1]
}

#[test]
fn patterns_of_mutable_borrows() {
    let a = [0.5, 0.9, 1.3, 0.7];
    check!(ends(&a) by a);
    for x in [vec![0.5, 0.9, 1.3], vec![0.5, 0.9, 1.3, 0.7, 0.3]] {
        check!(tail(&x) by [x]);
        check!(structs(&x) by [x]);
        check!(vecs(&x) by [x]);
        check!(rows(&x) by [x]);
    }
    for x in [vec![], vec![0.4], vec![0.5, 0.9], vec![0.5, 0.9, 1.3], vec![0.5, 0.9, 1.3, 0.7, 0.3]] {
        for n in 0..3 {
            check!(loops(&x, n) by [x]);
        }
    }
    let mut x = [1.0, 2.0, 3.0];
    let (y, pull) = lent::vjp(&mut x);
    assert_eq!((y, x), (4.0, [2.0, 4.0, 3.0]));
    assert_eq!(pull(1.0, vec![0.0; 3]), [4.0, 2.0, 0.0]);
}
