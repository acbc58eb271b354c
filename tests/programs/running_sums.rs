//! Sums whose value so far is read in every iteration: these are not added up in lanes, in whichever direction a loop runs.

use autodiff::check_grads;
use autodiff::prelude::*;

#[differentiable]
fn prefix(x: &[f64], w: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut total = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
        total += sum * w[i];
    }
    total
}

#[differentiable]
fn suffix(x: &[f64], w: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut total = 0.0;
    for i in (0..x.len()).rev() {
        sum += x[i] * x[i];
        total += sum * w[i];
    }
    total
}

#[differentiable]
fn prefix_into(x: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i];
        y[i] += sum;
    }
}

#[differentiable]
fn suffix_into(x: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for i in (0..x.len()).rev() {
        sum += x[i];
        y[i] += sum;
    }
}

#[differentiable]
fn both(x: &[f64], w: &[f64]) -> f64 {
    let mut y = w.to_vec();
    suffix_into(x, &mut y);
    prefix_into(w, &mut y);
    let mut s = 0.0;
    for i in 0..y.len() {
        s += y[i] * y[i];
    }
    s
}

#[test]
fn of_lengths_around_those_of_lanes() {
    for n in [1, 7, 8, 9, 16, 17, 40] {
        let x: Vec<f64> = (0..n).map(|i| (f64::from(i) * 0.7).sin()).collect();
        let w: Vec<f64> = (0..n).map(|i| (f64::from(i) * 0.3).cos()).collect();
        check_grads!(prefix, &x[..], &w[..]);
        check_grads!(suffix, &x[..], &w[..]);
        check_grads!(both, &x[..], &w[..]);
    }
}
