//! Variables that get another slice, another length, or their first value later.

use crate::harness::check;
use autodiff::prelude::*;

const TOP: usize = 3;

#[differentiable(order = 2)]
fn advanced(a: &[f64; 4], b: &[f64; 2], swap: bool) -> f64 {
    let (mut p, mut q) = (&a[1..], &a[..]);
    q = &q[1..];
    let mut s = p[0] * q[1];
    p = &p[1..];
    s += p[1] * q[0];
    if swap {
        q = b;
    }
    s * q[0] + q[q.len() - 1].sin()
}

#[differentiable(order = 2)]
fn tails(a: &[f64], k: usize) -> f64 {
    let mut rest = &a[k..];
    let mut s = 0.0;
    while let Some((first, tail)) = rest.split_first() {
        s = s * 0.5 + first * first * rest[rest.len() - 1];
        rest = tail;
    }
    s
}

#[differentiable(order = 2)]
fn constant_sizes_in_turn(a: &[f64; 3], b: &[f64; 2]) -> f64 {
    let mut p = &a[..];
    let mut s = 1.0;
    for i in 0..3 {
        s = s * 0.5 + p[0] * p[p.len() - 1];
        if i == 0 {
            p = b;
        } else {
            p = &p[1..];
        }
    }
    s
}

#[differentiable(order = 2)]
fn rows(a: &[[f64; 2]; 3]) -> f64 {
    let mut p = &a[..];
    let mut s = 0.0;
    for _ in 0..3 {
        s = s * 0.5 + p[0][0] * p[p.len() - 1][1];
        p = &p[1..];
    }
    s
}

#[differentiable(order = 2)]
fn grown_copy(a: &[f64; 3]) -> f64 {
    let mut v = a.to_vec();
    v.push(a[0] * a[1]);
    v.iter().map(|x| x * x).sum()
}

#[differentiable(order = 2)]
fn first_values(x: &[f64; 2], k: i32) -> f64 {
    let (a, b);
    let (mut c, (d, e));
    match k {
        0 => {
            a = x[0];
            b = x[1];
            c = 1.0;
        }
        1 => {
            a = x[0] * x[1];
            (b, c) = (x[0], x[1]);
        }
        _ => {
            a = x[1];
            b = x[0];
            c = a;
        }
    }
    (d, e) = (a * b, b);
    c += d;
    c * e
}

#[derive(Differentiable, Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable(order = 2)]
fn between(a: Point, b: Point, t: f64) -> Point {
    Point { x: (1.0 - t) * a.x + t * b.x, y: (1.0 - t) * a.y + t * b.y }
}

/// De Casteljau's algorithm: each round makes one point fewer.
#[differentiable(order = 2)]
fn on_the_curve(a: &[f64], t: f64) -> f64 {
    let control: Vec<Point> = a.windows(2).map(|w| Point { x: w[0], y: w[1] * w[1] }).collect();
    let first = control.clone();
    let mut points = control.to_vec();
    points = first;
    while points.len() > 1 {
        points = points.windows(2).map(|w| between(w[0], w[1], t)).collect();
    }
    points[0].x * points[0].y
}

#[differentiable(order = 2)]
fn limits(x: &[f64; 4]) -> f64 {
    let mut best = usize::MAX;
    for i in 0..x.len() {
        if best == usize::MAX || x[i] > x[best] {
            best = i;
        }
    }
    let mut k = TOP;
    let mut s = 0.0;
    while k > 0 {
        k -= 1;
        s += x[k] * x[best] * k as f64;
    }
    let mut lowest = i64::MAX;
    for i in 0..3_i64 {
        lowest = lowest.min(i - 1);
    }
    s * lowest as f64
}

/// A tree of sums: each level is half as long.
#[differentiable(order = 2)]
fn levels(x: &[f64; 8]) -> f64 {
    let mut level = x.to_vec();
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| pair[0] * pair[1] + pair[0]).collect();
    }
    level[0]
}

#[differentiable(order = 2)]
fn filtered(x: &[f64], n: usize) -> f64 {
    let mut kept = vec![0.5; 4];
    for _ in 0..n {
        kept = x.iter().zip(&kept).filter(|(x, _)| **x > 1.5).map(|(x, l)| x * l).collect();
    }
    if n > 2 {
        kept = vec![];
    }
    kept.iter().sum()
}

#[test]
fn lengths() {
    check!(levels(&x) by x = [1.0, 2.0, 3.0, 4.0, 0.5, 0.25, -1.0, 2.0]);
    check!(filtered(&x, 2) by x = vec![1.0, 2.0, 3.0, 4.0]);
    assert_eq!(filtered::grad(&[1.0, 2.0, 3.0, 4.0], 2), [0.0, 1.5, 3.0, 1.5]);
    assert_eq!(filtered::value_and_grad(&[1.0, 2.0, 3.0, 4.0], 3), (0.0, vec![0.0; 4]));
}

#[test]
fn gradients() {
    let (a, b) = ([0.5, -0.3, 0.8, 1.2], [0.7, 0.4]);
    check!(advanced(&a, &b, true) by a, b);
    check!(advanced(&a, &b, false) by a, b);
    check!(tails(&x, 1) by x = vec![0.5, -0.3, 0.8, 1.2]);
    check!(constant_sizes_in_turn(&x, &b) by x = [2.0, 3.0, 1.0], b);
    assert_eq!(constant_sizes_in_turn::grad(&[2.0, 3.0, 1.0], &[5.0, 7.0]), ([0.25, 0.0, 0.5], [3.5, 16.5]));
    check!(rows(&x) by x = [[2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]);
    check!(grown_copy(&x) by x = [2.0, 3.0, 1.0]);
    assert_eq!(grown_copy::grad(&[2.0, 3.0, 1.0]), [40.0, 30.0, 2.0]);
    for k in 0..3 {
        check!(first_values(&x, k) by x = [2.0, 3.0]);
    }
    let start = vec![0.5, 1.0, -0.7, 2.0];
    check!(on_the_curve(&a, t) by [a = start, t = 0.4]);
    check!(limits(&a) by a);
}
