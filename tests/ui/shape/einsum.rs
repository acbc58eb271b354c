//! Subscripts.

use autodiff::prelude::*;

#[differentiable]
fn no_arrow(x: &Tensor2<f64, 2, 3>, y: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 2, 4> {
    einsum!("ij,jk", x, y)
}

#[differentiable]
fn unknown_letter(x: &Tensor2<f64, 2, 3>, y: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 2, 4> {
    einsum!("ij,jk->il", x, y)
}

#[differentiable]
fn twice_in_the_result(x: &Tensor1<f64, 2>) -> Tensor2<f64, 2, 2> {
    einsum!("i->ii", x)
}

#[differentiable]
fn operands(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 2, 4> {
    einsum!("ij,jk->ik", x)
}

#[differentiable]
fn rank(x: &Tensor2<f64, 2, 3>, y: &Tensor1<f64, 3>) -> Tensor1<f64, 2> {
    einsum!("ij,jk->i", x, y)
}

#[differentiable]
fn sizes(x: &Tensor2<f64, 2, 3>, y: &Tensor2<f64, 4, 5>) -> Tensor2<f64, 2, 5> {
    einsum!("ij,jk->ik", x, y)
}

#[differentiable]
fn no_letter(x: &Tensor2<f64, 2, 3>) -> f64 {
    einsum!("...->", x)
}

#[differentiable]
fn no_string(x: &Tensor2<f64, 2, 3>) -> f64 {
    einsum!(x)
}

#[differentiable]
fn number(x: &Tensor2<f64, 2, 3>) -> f64 {
    einsum!("ij,k->", x, 2.0)
}

#[differentiable]
fn generic<const N: usize>(x: &Tensor2<f64, 2, N>, y: &Tensor2<f64, 3, 5>) -> Tensor2<f64, 2, 5> {
    einsum!("ij,jk->ik", x, y)
}

fn main() {}
