//! Tensors put together.

use autodiff::prelude::*;

#[differentiable]
fn sizes(x: &Tensor2<f64, 2, 3>, y: &Tensor2<f64, 2, 2>) -> Tensor2<f64, 4, 3> {
    concat([x, y], 0)
}

#[differentiable]
fn ranks(x: &Tensor2<f64, 2, 3>, y: &Tensor1<f64, 3>) -> Tensor2<f64, 3, 3> {
    concat([x, y], 0)
}

#[differentiable]
fn declared(x: &Tensor1<f64, 2>, y: &Tensor1<f64, 3>) -> Tensor1<f64, 4> {
    concat([x, y], 0)
}

#[differentiable]
fn axis(x: &Tensor1<f64, 2>, y: &Tensor1<f64, 3>) -> Tensor1<f64, 5> {
    concat([x, y], 1)
}

#[differentiable]
fn stack_sizes(x: &Tensor1<f64, 2>, y: &Tensor1<f64, 3>) -> Tensor2<f64, 2, 3> {
    stack([x, y], 0)
}

#[differentiable]
fn stack_ranks(x: &Tensor1<f64, 2>, y: &Tensor2<f64, 2, 1>) -> Tensor2<f64, 2, 2> {
    stack([x, y], 0)
}

#[differentiable]
fn stack_axis(x: &Tensor1<f64, 2>, y: &Tensor1<f64, 2>) -> Tensor2<f64, 2, 2> {
    stack([x, y], 2)
}

fn main() {}
