//! A gradient of which the reverse sweep writes a diagonal only: the rest is set to zero.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn diagonal(x: &[[f64; 3]; 3]) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        sum += x[k][k];
    }
    sum.sin()
}

#[differentiable(order = 2)]
fn trace(x: &Tensor2<f64, 3, 3>) -> f64 {
    x.trace().exp()
}

#[test]
fn sums_of_diagonals() {
    check!(diagonal(&x) by x = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]]);
    check!(trace(&x) by x = Tensor2::from([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]]));
}
