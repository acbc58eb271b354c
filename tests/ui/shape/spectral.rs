//! Exponentials, eigenvalues and singular values: shapes that do not fit.

use autodiff::prelude::*;

#[differentiable]
fn expm(a: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 3, 4> {
    a.expm()
}

#[differentiable]
fn values(a: &Tensor2<f64, 3, 4>) -> Tensor1<f64, 3> {
    a.eigvalsh()
}

#[differentiable]
fn vectors(a: &Tensor3<f64, 2, 3, 3>) -> Tensor3<f64, 2, 3, 3> {
    let (_, v) = a.eigh();
    v
}

#[differentiable]
fn both(a: &Tensor2<f64, 4, 3>) -> Tensor1<f64, 3> {
    let (w, v) = a.eigh();
    v.matmul(w)
}

#[differentiable]
fn arguments(a: &Tensor2<f64, 3, 3>) -> Tensor1<f64, 3> {
    let (w, _) = a.eigh(true);
    w
}

#[differentiable]
fn number(a: f64) -> f64 {
    let (w, _) = a.eigh();
    w
}

#[differentiable]
fn array(a: &[[f64; 3]; 3]) -> f64 {
    let (w, _) = a.eigh();
    w[0]
}

#[differentiable]
fn singular(a: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
    a.singular_values()
}

#[differentiable]
fn length(a: &Tensor2<f64, 3, 2>) -> Tensor1<f64, 3> {
    a.singular_values()
}

fn main() {}
