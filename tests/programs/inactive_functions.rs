//! Functions that say that they have no derivative: `#[inactive]`.

use crate::harness::check;
use autodiff::prelude::*;

mod elsewhere {
    pub fn quantized(x: f64) -> f64 {
        (x * 4.0).round() / 4.0
    }
}

#[inactive]
use elsewhere::quantized;

#[inactive]
fn steps(x: f64, n: usize) -> usize {
    x as usize + n
}

#[inactive]
fn is_far(point: &[f64; 2]) -> bool {
    point[0].hypot(point[1]) > 1.2
}

/// A weight that is constant near where it is taken.
#[differentiable(order = 2)]
fn weighted(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..steps(x, 2) {
        sum += x * quantized(y) * k as f64 + y * y;
        if is_far(&[x, sum]) {
            sum *= y;
        }
    }
    let weight: f64 = quantized(x);
    sum * weight + x
}

#[test]
fn end_the_derivative() {
    // What they give does not change nearby.
    check!(weighted(x, y) by x = 1.3, y = 0.8);
    check!(weighted(x, y) by x = 0.3, y = 0.4);
}
