//! Linear equations, inverses and determinants.

use autodiff::prelude::*;

#[differentiable]
fn inverse(a: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 3, 4> {
    a.inverse()
}

#[differentiable]
fn det(a: &Tensor2<f64, 3, 4>) -> f64 {
    a.det()
}

#[differentiable]
fn cholesky(a: &Tensor3<f64, 2, 3, 3>) -> Tensor3<f64, 2, 3, 3> {
    a.cholesky()
}

#[differentiable]
fn oblong(a: &Tensor2<f64, 3, 4>, b: &Tensor1<f64, 3>) -> Tensor1<f64, 4> {
    a.solve(b)
}

#[differentiable]
fn rows(a: &Tensor2<f64, 3, 3>, b: &Tensor1<f64, 4>) -> Tensor1<f64, 3> {
    a.solve(b)
}

#[differentiable]
fn columns(a: &Tensor2<f64, 3, 3>, b: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 3, 2> {
    a.solve_triangular(b)
}

#[differentiable]
fn number(a: &Tensor2<f64, 3, 3>, b: f64) -> Tensor1<f64, 3> {
    a.solve(b)
}

fn main() {}
