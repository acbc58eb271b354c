//! Vectors and matrices whose sizes run time tells: what is not there yet.

use autodiff::prelude::*;
use nalgebra::{DMatrix, DVector};

#[differentiable]
fn changed(x: &mut DVector<f64>, a: f64) {
    x[0] *= a;
}

#[differentiable]
fn listed(xs: &[DVector<f64>], w: &DVector<f64>) -> f64 {
    xs[0].dot(w)
}

#[derive(Differentiable)]
enum Weights {
    Full(DMatrix<f64>),
    Scale(f64),
}

#[derive(Differentiable)]
struct Network {
    layers: Vec<DMatrix<f64>>,
}

#[differentiable]
fn unknown_methods(a: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
    a.singular_values().sum() + x.normm()
}

#[differentiable]
fn no_product(a: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
    (x + a)[0]
}

#[differentiable]
fn not_made(v: &DVector<f64>) -> f64 {
    DMatrix::from_columns(&[v.clone(), v.clone()])[0]
}

fn main() {}
