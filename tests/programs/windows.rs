//! Loops that see arrays element after element, at an offset or by a counter, with sums beside: they run in several lanes,
//! which must not be seen. The sizes are those around a whole number of lanes.

use crate::harness::check;
use autodiff::prelude::*;

/// ‖L x‖², where `l` has what is below the diagonal, column after column.
#[differentiable(order = 2)]
fn triangle(x: &[f64], l: &[f64]) -> f64 {
    let n = x.len();
    let mut y = x.to_vec();
    let mut at = 0;
    for i in 0..n {
        for j in i + 1..n {
            y[j] += l[at] * x[i];
            at += 1;
        }
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += y[i] * y[i];
    }
    sum
}

/// Offsets that differ, and the index as a number.
#[differentiable(order = 2)]
fn offsets(x: &[f64], #[no_diff] n: usize, a: f64) -> f64 {
    let mut y = vec![0.0; n];
    for row in 0..3 {
        let mut sum = 0.0;
        for j in 0..n {
            let t = x[row * n + j] * a - x[j] * j as f64;
            sum += t * t * x[n + j];
            y[j] += t * a;
        }
        for j in 1..n {
            y[j] += sum * x[row * n + j - 1] * a;
        }
    }
    let mut last = 0.0;
    for j in 0..n {
        last += y[j] * x[2 * n - 1 - j];
    }
    last
}

/// A loop that may be empty, where no window of its size would be.
#[differentiable(order = 2)]
fn nothing(x: &[f64], #[no_diff] from: usize, a: f64) -> f64 {
    let mut y = vec![a; x.len()];
    for j in from..x.len() {
        y[j - from] += x[j] * a;
    }
    let mut sum = 0.0;
    for j in 0..x.len() {
        sum += y[j] * y[j] * x[j];
    }
    sum
}

#[test]
fn lanes_are_not_seen() {
    let numbers = |n: usize| (0..n).map(|k| (k as f64 * 0.7).sin() * 0.5 + 0.1).collect::<Vec<f64>>();
    for n in [0, 1, 2, 7, 8, 9, 17, 19] {
        check!(triangle(&x, &l) by [x = numbers(n), l = numbers(n * n.saturating_sub(1) / 2)]);
    }
    for n in [1, 3, 8, 12, 16] {
        check!(offsets(&x, n, a) by [x = numbers(3 * n), a = 0.3]);
    }
    for (n, from) in [(0, 5), (4, 9), (9, 9), (9, 1), (20, 3)] {
        check!(nothing(&x, from, a) by [x = numbers(n), a = 0.3]);
    }
}

#[test]
#[should_panic(expected = "out of")]
fn what_is_too_short_is_said() {
    let _ = triangle::grad(&[1.0; 12], &[0.5; 60]);
}
