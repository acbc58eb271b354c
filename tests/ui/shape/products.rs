//! Products of stacks of matrices, and of vectors.

use autodiff::prelude::*;

#[differentiable]
fn batches(x: &Tensor3<f64, 2, 3, 4>, y: &Tensor3<f64, 3, 4, 5>) -> Tensor3<f64, 2, 3, 5> {
    x.matmul(y)
}

#[differentiable]
fn inner(x: &Tensor3<f64, 2, 3, 4>, y: &Tensor3<f64, 2, 3, 5>) -> Tensor3<f64, 2, 3, 5> {
    x.matmul(y)
}

#[differentiable]
fn vectors(x: &Tensor1<f64, 3>, y: &Tensor1<f64, 4>) -> f64 {
    x.matmul(y)
}

#[differentiable]
fn outer(x: &Tensor1<f64, 3>, y: &Tensor2<f64, 4, 1>) -> Tensor2<f64, 3, 4> {
    x.outer(y)
}

#[differentiable]
fn trace(x: &Tensor2<f64, 3, 4>) -> f64 {
    x.trace()
}

fn main() {}
