//! Functions that take a `Vec` and return a longer one.

use crate::harness::check;
use autodiff::prelude::*;

/// A `Vec` that is another one after some iterations only, and then longer.
#[differentiable(order = 2)]
fn with_one(mut out: Vec<f64>, x: f64) -> Vec<f64> {
    out.push(x);
    out
}

#[differentiable(order = 2)]
fn sometimes(x: f64, n: usize) -> f64 {
    let mut v = vec![];
    for i in 0..n {
        if i % 3 == 0 {
            v = with_one(v, x);
        }
        v.push(x);
    }
    v.iter().map(|a| a * a).sum()
}

/// What is given to a function is read again, and what that returns.
#[differentiable(order = 2)]
fn handed_on(v: Vec<f64>, x: f64) -> (Vec<f64>, f64) {
    let w = with_one(v, x);
    let first = w[0];
    (w, first * x)
}

#[differentiable(order = 2)]
fn of_handed_on(x: f64) -> f64 {
    let (v, y) = handed_on(vec![x], x * x);
    v[0] * v[1] * y
}

#[test]
fn lists_are_sometimes_another() {
    for n in 0..6 {
        check!(sometimes(x, n) by x = 0.3);
    }
    check!(of_handed_on(x) by x = 0.3);
}
