use autodiff::prelude::*;

#[differentiable]
fn precision(x: f64, y: f32) -> f64 {
    x * y
}

#[differentiable]
fn literal(x: f64) -> f64 {
    2 * x
}

#[differentiable]
fn array_arithmetic(x: &[f64; 3], y: &[f64; 3]) -> f64 {
    let z = x + y;
    z[0]
}

#[differentiable]
fn array_method(x: &[f64; 3]) -> f64 {
    x.tanh()[0]
}

#[differentiable]
fn scalar_method(x: f64) -> f64 {
    x.sum()
}

#[differentiable]
fn float_index(x: &[f64; 3], y: f64) -> f64 {
    x[y]
}

#[differentiable]
fn count(x: f64) -> f64 {
    x.sin(1.0) + x.powi()
}

fn main() {}
