use autodiff::prelude::*;

#[differentiable]
fn immutable(x: f64) -> f64 {
    let y = 1.0;
    y += x;
    y
}

#[differentiable]
fn parameter(x: &[f64; 2]) -> f64 {
    x[0] = 2.0;
    x[0]
}

#[differentiable]
fn unknown(x: f64) -> f64 {
    z = x;
    x
}

fn main() {}
