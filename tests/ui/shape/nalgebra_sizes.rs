//! nalgebra's matrices whose sizes are types: what is no number is not a size.

use autodiff::prelude::*;
use nalgebra::{Dyn, Matrix3xX, OMatrix, OVector, RowDVector, U2, U3};

#[differentiable]
fn rows_of_run_time(a: &OMatrix<f64, Dyn, U3>) -> f64 {
    a[(0, 0)]
}

#[differentiable]
fn made_of_run_time(x: f64) -> f64 {
    let a = OVector::<f64, Dyn>::from_element(3, x);
    a.sum()
}

#[differentiable]
fn other_sizes(a: &OMatrix<f64, U2, U3>, x: &OVector<f64, U2>) -> f64 {
    (a * x).norm()
}

#[differentiable]
fn dynamic_row(x: RowDVector<f64>) -> f64 {
    x[0]
}

#[differentiable]
fn many_columns(a: &Matrix3xX<f64>) -> f64 {
    a[(0, 0)]
}

fn main() {}
