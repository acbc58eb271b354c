use autodiff::prelude::*;

#[differentiable]
fn in_place(x: &mut [f64; 3]) -> f64 {
    x[0]
}

#[differentiable]
fn slices(x: &[f64]) -> f64 {
    x[0]
}

#[differentiable]
fn vectors(x: Vec<f64>) -> f64 {
    x[0]
}

#[differentiable]
async fn later(x: f64) -> f64 {
    x
}

#[differentiable]
unsafe fn dangerous(x: f64) -> f64 {
    x
}

#[differentiable]
extern "C" fn foreign(x: f64) -> f64 {
    x
}

#[differentiable]
fn opaque(x: impl Into<f64>) -> f64 {
    x.into()
}

fn main() {}
