//! Jacobians of functions whose result is a `Vec`, and of what calls them.

use crate::jacobian::{assert_close, differences};
use autodiff::prelude::*;

/// A `Vec` in a loop of run-time length, with a callee that gives a `Vec`.
#[differentiable]
fn powers(x: &[f64; 2], n: usize) -> Vec<f64> {
    let mut y = spread(x, n);
    for k in 1..n {
        y[k] *= y[k - 1] + x[1];
    }
    y
}

#[differentiable]
fn spread(x: &[f64; 2], n: usize) -> Vec<f64> {
    let mut y = vec![x[0]; n];
    for k in 0..n {
        y[k] += x[1].sin() / (k + 1) as f64;
    }
    y
}

/// It lends a `Vec` that it is given.
#[differentiable]
fn shifted(mut x: Vec<f64>, k: f64) -> Vec<f64> {
    shift(&mut x, k);
    x
}

#[differentiable]
fn shift(x: &mut [f64], k: f64) {
    for i in 0..x.len() {
        x[i] = x[i] * x[i] + k;
    }
}

#[differentiable]
fn shift_twice(x: &[f64; 3]) -> Vec<f64> {
    let once = shifted(x.to_vec(), x[0]);
    shifted(once, x[1])
}

/// The same of what is lent.
#[differentiable]
fn of_lent(x: &[f64], k: f64) -> Vec<f64> {
    let mut y = x.to_vec();
    shift(&mut y, k);
    y
}

#[differentiable]
fn lend_twice(x: &[f64; 3]) -> Vec<f64> {
    let once = of_lent(x, x[2]);
    of_lent(&once, x[1] * x[0])
}

/// Columns or rows, whatever there is less of, also where only the result tells how many rows there are.
#[test]
fn of_vectors() {
    for n in [1, 2, 7] {
        let x = [0.3, 0.7];
        let (y, j) = powers::value_and_jacobian(&x, n);
        assert_eq!(y, powers(&x, n));
        assert_close(j.as_flattened(), &differences(|x| powers(&[x[0], x[1]], n), &x));
        let directions = [[1.0, 0.0], [0.5, -2.0], [0.1, 0.2]];
        let (_, tangents) = powers::jvp_many(&x, n, &directions);
        for (tangent, direction) in tangents.iter().zip(&directions) {
            assert_close(tangent, &powers::jvp(&x, n, direction).1);
        }
    }
    let x = [0.3, 0.7, -0.2];
    for (f, j) in
        [(shift_twice as fn(&[f64; 3]) -> Vec<f64>, shift_twice::jacobian(&x)), (lend_twice, lend_twice::jacobian(&x))]
    {
        assert_close(j.as_flattened(), &differences(|x| f(&[x[0], x[1], x[2]]), &x));
    }
}
