//! Where vectors and matrices of run-time sizes have no solution, and no direction. Every method has its line in `rows`.

use autodiff::prelude::*;
use nalgebra::{DMatrix, DVector, dmatrix, dvector};

#[differentiable]
fn factors(a: &DMatrix<f64>, b: &DMatrix<f64>) -> f64 {
    let Some(factor) = (a * a.transpose()).cholesky() else { return 0.0 };
    factor.solve(b).norm()
        + factor.l().sum()
        + factor.inverse().trace()
        + factor.determinant()
        + factor.ln_determinant()
}

/// What has no solution gives `None`, as nalgebra does.
#[differentiable]
fn solution_or(a: &DMatrix<f64>, b: &DVector<f64>) -> f64 {
    let inverse = if a.clone().try_inverse().is_some() { 1.0 } else { 2.0 };
    match a.clone().lu().solve(b) {
        Some(x) => x.norm(),
        None => b.sum() * inverse,
    }
}

#[test]
fn singular() {
    let singular = dmatrix![1.0, 2.0; 2.0, 4.0];
    let (value, (a_bar, b_bar)) = solution_or::value_and_grad(&singular, &dvector![1.0, 2.0]);
    assert_eq!((value, a_bar, b_bar), (6.0, DMatrix::zeros(2, 2), dvector![2.0, 2.0]));
    assert_eq!(factors::grad(&DMatrix::zeros(2, 2), &DMatrix::identity(2, 2)).0, DMatrix::zeros(2, 2));
}

#[differentiable]
fn norm(x: &DVector<f64>) -> f64 {
    x.norm()
}

#[test]
fn norm_at_zero() {
    assert_eq!(norm::grad(&DVector::zeros(2)), DVector::zeros(2));
}
