//! A literal is of the type that an argument has.
use autodiff::prelude::*;

#[differentiable]
fn slope(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
    x.leaky_relu(1)
}

#[differentiable]
fn slope_of_a_number(x: f32) -> f32 {
    x.leaky_relu(-1)
}

#[differentiable]
fn ends(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
    x.clamp(0, 1 + 1)
}

#[differentiable]
fn threshold(x: &Tensor2<f64, 3, 3>, y: &Tensor2<f64, 3, 3>) -> f64 {
    x.huber(y, 1)
}

#[differentiable]
fn padding(x: &Tensor1<f64, 3>) -> Tensor1<f64, 5> {
    x.pad([(1, 1)], 0)
}

#[differentiable]
fn selected(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
    select(x.gt(0.0), x, 1)
}

#[differentiable]
fn compared(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
    select(x.gt(0), x, 1.0)
}

#[differentiable]
fn filled(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
    x.masked_fill(x.lt(0.0), 0)
}

#[differentiable]
fn power(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
    x.powi(2.0)
}

#[differentiable]
fn root(x: f64) -> f64 {
    x.powi(0.5)
}

#[differentiable]
fn factor(x: f64) -> f64 {
    2 * x
}

#[differentiable]
fn nothing(x: f64) -> f64 {
    let none = [];
    x + sum(&none)
}

#[differentiable]
fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}

fn main() {}
