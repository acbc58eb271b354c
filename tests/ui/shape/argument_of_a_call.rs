use autodiff::prelude::*;

#[differentiable]
fn norm(x: &Tensor1<f64, 3>) -> f64 {
    (x * x).sum()
}

#[differentiable]
fn f(x: &Tensor1<f64, 4>) -> f64 {
    norm(x)
}

fn main() {}
