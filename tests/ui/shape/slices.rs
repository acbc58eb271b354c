//! Ranges within the sizes of their axes.

use autodiff::prelude::*;

#[differentiable]
fn beyond(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 3, 2> {
    x.slice([2..5, 0..2])
}

#[differentiable]
fn backwards(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 2, 2> {
    x.slice([3..1, 0..2])
}

#[differentiable]
fn too_few(x: &Tensor2<f64, 4, 3>) -> Tensor1<f64, 2> {
    x.slice([1..3])
}

#[differentiable]
fn open(x: &Tensor1<f64, 4>) -> Tensor1<f64, 2> {
    x.slice([2..])
}

#[differentiable]
fn narrow_beyond(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 2> {
    x.narrow(1, 2, 2)
}

#[differentiable]
fn set_another_size(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 4, 3> {
    x.set_slice([1..3, 0..2], y)
}

#[differentiable]
fn add_another_rank(x: &Tensor2<f64, 4, 3>, y: &Tensor1<f64, 2>) -> Tensor2<f64, 4, 3> {
    x.add_slice([1..3, 0..2], y)
}

#[differentiable]
fn set_beyond(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 2, 2>) -> Tensor2<f64, 4, 3> {
    x.set_slice([3..5, 0..2], y)
}

#[differentiable]
fn beyond_by_a_generic_size<const N: usize>(x: &Tensor1<f64, N>) -> Tensor1<f64, 2> {
    x.slice([N + 1..N + 3])
}

fn main() {}
