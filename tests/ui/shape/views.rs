//! Rules of views: axes, ranges, sizes.

use autodiff::prelude::*;

#[differentiable]
fn permute_twice(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 2, 4> {
    x.permute([0, 0, 2])
}

#[differentiable]
fn permute_too_few(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 3> {
    x.permute([0, 1])
}

#[differentiable]
fn permute_beyond(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 3, 2> {
    x.permute([2, 0])
}

#[differentiable]
fn permute_no_list(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 3, 2> {
    x.permute(1)
}

#[differentiable]
fn transpose_beyond(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 3, 2> {
    x.transpose(0, -3)
}

#[differentiable]
fn squeeze_what_is_long(x: &Tensor3<f64, 2, 1, 3>) -> Tensor2<f64, 1, 3> {
    x.squeeze(0)
}

#[differentiable]
fn unsqueeze_beyond(x: &Tensor1<f64, 2>) -> Tensor2<f64, 2, 1> {
    x.unsqueeze(2)
}

#[differentiable]
fn broadcast_of_two(x: &Tensor1<f64, 2>) -> Tensor2<f64, 4, 3> {
    x.broadcast_to([4, 3])
}

#[differentiable]
fn broadcast_to_less(x: &Tensor2<f64, 2, 3>) -> Tensor1<f64, 3> {
    x.broadcast_to([3])
}

#[differentiable]
fn sum_to_more(x: &Tensor1<f64, 3>) -> Tensor1<f64, 2> {
    x.sum_to([2])
}

#[differentiable]
fn repeat_too_few(x: &Tensor2<f64, 2, 3>) -> Tensor1<f64, 6> {
    x.repeat([2])
}

#[differentiable]
fn reshape_to_less(x: &Tensor2<f64, 2, 3>) -> Tensor1<f64, 5> {
    x.reshape([5])
}

#[differentiable]
fn flip_beyond(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
    x.flip(1)
}

#[differentiable]
fn triangle_of_a_vector(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
    x.tril()
}

fn main() {}
