use autodiff::prelude::*;

#[differentiable]
fn number(a: &Tensor1<f64, 3>) -> f64 {
    a * 2.0
}

#[differentiable]
fn size(a: &Tensor2<f64, 4, 3>, b: &Tensor2<f64, 3, 2>) -> Tensor2<f64, 4, 3> {
    a.matmul(b)
}

#[differentiable]
fn statement(a: f64) -> f64 {
    a * 2.0;
}

fn main() {}
