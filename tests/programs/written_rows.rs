//! A `Vec` of rows that are written out, of one length or of several.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn squares(a: &[Vec<f64>]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        for j in 0..a[i].len() {
            sum += a[i][j] * a[i][j] * (i + 1) as f64;
        }
    }
    sum
}

#[differentiable(order = 2)]
fn determinant(x: f64) -> f64 {
    let a = vec![vec![x, 1.0], vec![2.0, x]];
    a[0][0] * a[1][1] - a[0][1] * a[1][0]
}

#[differentiable(order = 2)]
fn of_several_lengths(x: f64) -> f64 {
    let first = vec![x; 3];
    let mut a = vec![first.clone(), vec![2.0, x * x], first];
    a[0][1] *= x;
    let k = a[2].len();
    a.push(vec![x]);
    squares(&a) * k as f64 + a[1][1] + squares(&vec![vec![x, 1.0], vec![2.0, x, x]])
}

#[differentiable(order = 2)]
fn changed(x: f64, i: usize, n: usize) -> f64 {
    let mut a = vec![vec![x, 1.0], vec![2.0, x * x]];
    a[i][1] += x;
    a[1] = vec![x, a[i][0]];
    a.swap(0, 1);
    for j in 0..n {
        if a[0][0] > 1.0 {
            a[j % 2][1] *= x;
        } else {
            a[1 - i][0] = x * a[i][j % 2];
        }
    }
    let b: Vec<Vec<f64>> = a.iter().map(|row| row.iter().map(|v| v * x).collect()).collect();
    squares(&b)
}

#[differentiable(order = 2)]
fn three_deep(x: f64) -> f64 {
    let a = vec![vec![vec![x], vec![x, 2.0 * x]], vec![vec![x * x]]];
    a[0][1][1] * a[1][0][0]
}

#[test]
fn rows_that_are_written_out() {
    for x in [0.7, 1.3] {
        check!(determinant(x) by x);
        check!(of_several_lengths(x) by x);
        check!(three_deep(x) by x);
        for i in 0..2 {
            check!(changed(x, i, 5) by x);
        }
    }
}
