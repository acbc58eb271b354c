use autodiff::prelude::*;

#[differentiable]
fn no_axes(w: &Tensor2<f64, 4, 3>) -> f64 {
    w.sum().matmul(w).sum()
}

#[differentiable]
fn batches(w: &Tensor3<f64, 2, 4, 3>, x: &Tensor3<f64, 5, 3, 1>) -> f64 {
    w.matmul(x).sum()
}

#[differentiable]
fn two_axes(a: &Tensor2<f64, 4, 3>, b: &Tensor2<f64, 4, 3>) -> f64 {
    a.dot(b)
}

fn main() {}
