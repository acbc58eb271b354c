//! Iterators that have a name, and those of which elements are taken one by one.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn taken(a: &[f64]) -> f64 {
    let mut it = a.iter();
    let first = it.next().unwrap();
    let second = *it.next().unwrap();
    let mut s = first * second;
    for v in it.by_ref().take(2) {
        s += v * v;
    }
    while let Some(v) = it.next() {
        if *v > 5.5 {
            s *= v;
            break;
        }
        s += v.sin();
        if let Some(w) = it.next() {
            s -= w * 3.0;
        }
    }
    s + it.len() as f64 * first + it.clone().sum::<f64>() + it.map(|v| v * v).sum::<f64>()
}

#[test]
fn elements_are_taken_one_by_one() {
    let a = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    for n in 4..=8 {
        check!(taken(&a) by a = a[..n].to_vec());
    }
    // x₀x₁ + x₂² + x₃² + sin x₄
    assert_eq!(taken::grad(&a[..5])[..4], [2.0, 1.0, 6.0, 8.0]);
}

#[differentiable(order = 2)]
fn peeked(a: &[f64], b: &[f64]) -> f64 {
    let scale = b[0];
    let mut it = a.iter().zip(b).map(|(x, y)| x * y * scale).peekable();
    let mut s = 0.0;
    let mut n = 0;
    while let Some(v) = it.peek() {
        if *v > 4.5 {
            break;
        }
        // The closure of the iterator means the other one.
        let scale = 2.0;
        s += v * scale;
        n += 1;
        it.next();
        if n % 2 == 0 {
            s += it.next().unwrap_or(0.5);
        }
    }
    let t = it.nth(0).map_or(1.0, |v| v * 2.0);
    s * t
}

#[test]
fn elements_are_looked_at_before_they_are_taken() {
    let (a, b) = (vec![1.0, 2.0, 3.0, 4.0], vec![0.5, 0.7, 0.9, 1.1]);
    check!(peeked(&a, &b) by [a, b]);
    let b = vec![1.5, 0.7, 1.9, 1.1];
    check!(peeked(&a, &b) by [a, b]);
}

#[differentiable(order = 2)]
fn named(a: &[f64], w: f64) -> f64 {
    let tau = w.exp();
    let theta = a.iter().map(|e| tau * e);
    let p = a.iter().map(|tau| tau * tau).sum::<f64>();
    let q: f64 = theta.zip(a).map(|(theta, v)| theta * v).sum();
    p * q
}

#[test]
fn names_in_closures_are_their_own() {
    let (a, w) = (vec![1.0, 2.0, 3.0], 0.5);
    check!(named(&a, w) by [a, w]);
    // (Σa²)²·eʷ
    let squares = 14.0_f64;
    let derivative = named::grad(&a, w).1;
    assert!((derivative - squares * squares * 0.5_f64.exp()).abs() < 1e-10);
}

#[differentiable(order = 2)]
fn in_closures(a: &[f64], #[no_diff] k: usize) -> f64 {
    let mut it = a.iter();
    let mut s = 0.0;
    for i in 0..k {
        let part: f64 = it.by_ref().take(2).map(|v| v * v).sum();
        s += part * (i + 1) as f64;
    }
    let mut draw = || it.next().copied().unwrap_or(0.25);
    s += draw() * draw();
    s
}

#[test]
fn a_closure_takes_elements() {
    for n in [3, 6, 8] {
        check!(in_closures(&a, 2) by a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0][..n].to_vec());
    }
    assert_eq!(in_closures::grad(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], 2), [2.0, 4.0, 12.0, 16.0, 6.0, 5.0, 0.0]);
}

/// The closure of one iterator takes elements of another: every element of the first has to be made.
#[differentiable(order = 2)]
fn one_from_the_other(a: &[f64], b: &[f64]) -> f64 {
    let mut weights = b.iter();
    let last = a.iter().map(|v| v * weights.next().unwrap()).skip(1).last().unwrap();
    let mut s = last * weights.next().copied().unwrap_or(3.0);
    let mut left = a.iter().rev().enumerate();
    let found = left.find(|(_, v)| **v < 2.5).map_or(0.0, |(i, v)| v * v * i as f64);
    s += found;
    for (i, v) in left {
        s += v * (i as f64).exp();
    }
    s
}

#[test]
fn elements_are_taken_in_order() {
    let (a, b) = (vec![1.0, 2.0, 3.0], vec![0.5, 0.7, 0.9, 1.1]);
    check!(one_from_the_other(&a, &b) by [a, b]);
    let b = vec![0.5, 0.7, 0.9];
    check!(one_from_the_other(&a, &b) by [a, b]);
}

#[differentiable(order = 2)]
fn of_values(x: f64) -> f64 {
    let mut items = [x, x * x, x * x * x];
    let mut it = items.into_iter();
    items[0] = 100.0;
    items[1] *= 2.0;
    let a = it.next().unwrap();
    let b = it.next().unwrap();
    a * b + items[1] + it.sum::<f64>()
}

#[test]
fn an_iterator_of_values_has_them() {
    check!(of_values(x) by x = 0.7);
    // x³ + 2x² + x³
    let x = 0.7;
    assert!((of_values::grad(x) - (6.0 * x * x + 4.0 * x)).abs() < 1e-12);
}

#[differentiable(order = 2)]
fn made_once(a: &[f64]) -> f64 {
    let mut calls = 0_usize;
    let mut count = || {
        calls += 1;
        calls
    };
    let it = a.iter().skip(count());
    let before = calls as f64;
    let s: f64 = it.clone().sum();
    s * before + it.map(|v| v * v).sum::<f64>() * calls as f64
}

#[test]
fn an_iterator_is_made_where_it_is_named() {
    check!(made_once(&a) by a = vec![1.0, 2.0, 3.0]);
    assert_eq!(made_once::grad(&[1.0, 2.0, 3.0]), [0.0, 1.0 + 4.0, 1.0 + 6.0]);
}

#[differentiable(order = 2)]
fn two_lists(a: &[f64], w: f64) -> f64 {
    let (squares, sines): (Vec<f64>, Vec<f64>) = a.iter().map(|v| (v * v, (w * v).sin())).unzip();
    let (few, rest): (Vec<f64>, Vec<f64>) = a.iter().filter(|v| **v < 2.5).partition(|v| **v < w);
    let (numbers, same): (Vec<usize>, Vec<f64>) = a.iter().copied().enumerate().unzip();
    let mut s = squares.iter().zip(&sines).map(|(a, b)| a * b).sum::<f64>();
    for v in &few {
        s *= v;
    }
    for (k, v) in numbers.iter().zip(same) {
        s += v * v * *k as f64;
    }
    s + rest.iter().map(|v| v.exp()).sum::<f64>() * few.len() as f64
}

#[test]
fn an_iterator_becomes_two_lists() {
    let (a, w) = (vec![1.0, 2.0, 3.0, 0.5], 1.3);
    check!(two_lists(&a, w) by [a, w]);
    let w = 0.1;
    check!(two_lists(&a, w) by [a, w]);
}

#[differentiable(order = 2)]
fn left_over(a: &[f64], #[no_diff] n: usize) -> f64 {
    let chunks = a.chunks_exact(n);
    let rest = chunks.remainder();
    let s = chunks.map(|c| c.iter().product::<f64>()).sum::<f64>() + rest.iter().map(|v| v.sin()).sum::<f64>();
    let mut again = a.chunks_exact(2);
    let first = again.next().map_or(0.5, |c| c[0] * c[1]);
    s * first + again.remainder().first().copied().unwrap_or(1.0)
}

#[test]
fn a_remainder_is_what_chunks_leave() {
    for n in [1, 2, 3, 5] {
        check!(left_over(&a, n) by a = vec![1.0, 2.0, 3.0, 0.5, 1.5]);
        check!(left_over(&a, n) by a = vec![1.0, 2.0]);
    }
}

#[differentiable(order = 2)]
fn others(a: &[f64], #[no_diff] keys: &[i32]) -> f64 {
    let running: Vec<f64> = a
        .iter()
        .scan(1.0, |state, v| {
            *state *= v;
            Some(*state)
        })
        .collect();
    let flat = a.iter().flat_map(|v| [*v, v * v]).map(|v| v.cos()).sum::<f64>();
    let (at, _) = a.iter().enumerate().max_by(|(_, x), (_, y)| x.total_cmp(y)).unwrap();
    let lowest = keys.iter().zip(a).min_by_key(|(k, _)| **k).map(|(_, v)| v * v).unwrap_or(0.0);
    let highest = a.iter().zip(keys).max_by_key(|(_, k)| k.abs()).unwrap().0;
    flat + running[at] * lowest + highest * running.iter().copied().reduce(|x, y| x + 2.0 * y).unwrap()
}

#[test]
fn other_ends() {
    check!(others(&a, &[3, -1, -7, 7]) by a = vec![1.0, 2.0, 3.0, 0.5]);
    check!(others(&a, &[0, 0]) by a = vec![1.0, 2.0]);
}

/// A part of an array that one branch gives begins where that branch says.
#[differentiable(order = 2)]
fn chosen_part(a: &[f64], x: f64, n: usize) -> f64 {
    let part = if n > 1 { &a[n - 1..] } else { panic!("there are two") };
    let mut chunks = a.chunks(2);
    let first = chunks.next().unwrap();
    part[0] * x * first[1] * first.len() as f64
}

#[test]
fn parts_of_one_branch() {
    check!(chosen_part(&a, x, 2) by [a = vec![0.5, 1.2, -0.7], x = 1.3]);
}

#[differentiable(order = 2)]
fn side_by_side(a: [f64; 3], b: [f64; 2]) -> f64 {
    let (mut i, mut j) = (a.iter(), b.iter());
    let mut t = 0.0;
    while let (Some(p), Some(q)) = (i.next(), j.next()) {
        t += p * q.sin();
    }
    t * i.len() as f64
}

#[test]
fn two_iterators_of_one_statement() {
    check!(side_by_side(a, b) by a = [0.5, 1.5, 2.0], b = [0.25, 0.75]);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Plane {
    a: f64,
    b: f64,
}

#[differentiable(order = 2)]
impl Plane {
    fn at(&self, t: f64, x: f64) -> f64 {
        (self.a * t + self.b * x).sin()
    }
}

/// Names of closures that are given shared elements, and of other variables.
#[differentiable(order = 2)]
fn names_of_closures_again(plane: &Plane, #[no_diff] points: &[(f64, f64)], #[no_diff] times: &[f64]) -> f64 {
    let inner = points.iter().map(|&(t, x)| plane.at(t, x).powi(2)).sum::<f64>();
    let outer = points.iter().fold(Vec::new(), |mut all, (t, x)| {
        all.push(plane.at(*x, *t));
        all
    });
    let states = times.iter().scan(plane.a, |x, t| {
        *x += plane.at(*t, *x);
        Some(*x)
    });
    let sum: f64 = states.sum();
    let mut walls = 0.0;
    let all = vec![0.5, 1.5];
    for &t in times {
        for x in [-1.0, 1.0] {
            walls += plane.at(t, x);
        }
        for x in all.clone() {
            walls *= 1.0 + plane.at(x, t);
        }
    }
    inner * walls + outer.iter().sum::<f64>() + sum
}

#[test]
fn closures_share_names_with_loops() {
    let plane = Plane { a: 0.4, b: -0.7 };
    check!(names_of_closures_again(&plane, &[(0.3, 0.8), (-0.5, 1.2)], &[0.2, 0.6]) by plane);
}
