//! Ranges that have a name, and what lies within them.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn heads(x: &[f64], #[no_diff] width: usize) -> f64 {
    let mut total = 0.0;
    for head in 0..x.len() / width {
        let range = head * width..(head + 1) * width;
        let dot: f64 = x[range.clone()].iter().zip(&x[range.clone()]).map(|(a, b)| a * b).sum();
        for c in range.clone() {
            total += dot.sin() * x[c] * (c - range.start + 1) as f64;
        }
        total *= 1.0 + x[range.end - 1];
    }
    total
}

/// The ends are those of the place where the range is made.
#[differentiable(order = 2)]
fn made_before(x: f64, y: f64) -> f64 {
    let (mut low, mut n) = (x, 3);
    let inside = low..y;
    let few = 1..=n;
    low += 10.0;
    n += 1;
    let mut sum = low * n as f64;
    for k in few {
        let t = x * k as f64;
        sum += if inside.contains(&t) { t * t } else { inside.end * inside.start };
    }
    if (0.0..=1.0).contains(&(x * y)) || !(..2.0).contains(&y) { sum * y } else { sum }
}

/// The elements of two nested lists, side by side.
#[differentiable(order = 2)]
fn flattened(x: &[f64; 4], y: &[f64; 4]) -> f64 {
    let mut a: Vec<Vec<f64>> = Vec::new();
    for k in 0..2 {
        a.push(vec![x[k], x[k + 2]]);
    }
    let b = [[y[0], y[1]], [y[2], y[3]]];
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).powi(3)).sum()
}

#[test]
fn ranges_may_have_a_name() {
    let x = vec![0.4, -0.7, 1.1, 0.3, 0.9, -0.2];
    check!(heads(&x, 2) by x);
    check!(made_before(x, y) by x = 0.6, y = 1.7);
    check!(made_before(x, y) by x = 0.3, y = 0.5);
    check!(made_before(x, y) by x = 1.1, y = 2.5);
    check!(flattened(&x, &y) by x = [0.1, 0.4, -0.3, 0.8], y = [1.1, 0.2, 0.3, -0.4]);
}
