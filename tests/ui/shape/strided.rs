use autodiff::prelude::*;

#[differentiable]
fn no_step(x: &Tensor2<f64, 5, 3>) -> f64 {
    x.strided(0, 0).sum()
}

#[differentiable]
fn no_such_axis(x: &Tensor2<f64, 5, 3>) -> f64 {
    x.strided(2, 2).sum()
}

#[differentiable]
fn rounded_up(x: &Tensor1<f64, 5>, y: &Tensor1<f64, 2>) -> f64 {
    (x.strided(0, 2) * y).sum()
}

fn main() {}
