//! How much can be padded.

use autodiff::prelude::*;

#[differentiable]
fn too_few(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 4, 3> {
    x.pad([(1, 1)], 0.0)
}

#[differentiable]
fn no_pairs(x: &Tensor1<f64, 3>) -> Tensor1<f64, 5> {
    x.pad([1], 0.0)
}

#[differentiable]
fn with_a_tensor(x: &Tensor1<f64, 3>) -> Tensor1<f64, 5> {
    x.pad([(1, 1)], x)
}

#[differentiable]
fn reflect_all(x: &Tensor1<f64, 3>) -> Tensor1<f64, 6> {
    x.pad_reflect([(3, 0)])
}

#[differentiable]
fn wrap_twice(x: &Tensor1<f64, 3>) -> Tensor1<f64, 7> {
    x.pad_wrap([(0, 4)])
}

#[differentiable]
fn edge_of_nothing(x: &Tensor1<f64, 0>) -> Tensor1<f64, 1> {
    x.pad_edge([(0, 1)])
}

fn main() {}
