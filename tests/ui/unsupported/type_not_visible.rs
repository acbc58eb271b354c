use autodiff::prelude::*;

fn table(n: usize) -> f64 {
    n as f64
}

#[differentiable]
fn call(x: f64, n: usize) -> f64 {
    let scale = table(n);
    x * scale
}

#[differentiable]
fn zeros(x: f64) -> f64 {
    let t = Tensor2::zeros();
    t.sum() * x
}

#[differentiable]
fn two_types(x: f64, y: f32) -> f64 {
    let mut s = 0.0;
    s += x;
    s
}

fn main() {}
