//! Signatures that generated code cannot follow.
use autodiff::prelude::*;

#[differentiable]
fn borrows<'a>(x: &'a [f64; 2]) -> &'a f64 {
    &x[0]
}

#[differentiable]
fn borrows_inside(x: &[f64; 2]) -> (f64, Option<&f64>) {
    (x[1], Some(&x[0]))
}

#[target_feature(enable = "avx2")]
#[differentiable]
fn special(x: f64) -> f64 {
    x * x
}

fn main() {}
