//! What makes matrices, in one function, and what has no inverse. Every method has its line in the test `rows`.

use crate::harness::check;
use autodiff::prelude::*;
use nalgebra::{Matrix2, SMatrix, SVector, Vector2, vector};

#[differentiable(order = 2)]
fn constructed(x: f64, y: f64) -> f64 {
    let a = Matrix2::new(x, y, x * y, 1.0);
    let b = Matrix2::from_columns(&[Vector2::new(x, 2.0), Vector2::new(y, x)]);
    let c = Matrix2::from_rows(&[nalgebra::RowVector2::new(x, 2.0), nalgebra::RowVector2::new(y, x)]);
    let d = SMatrix::<f64, 2, 2>::from_fn(|i, j| x * (i as f64) + y * (j as f64));
    let e = Matrix2::from_row_slice(&[x, y, y, x]) + Matrix2::from_column_slice(&[y, x, 1.0, x]);
    let f = Matrix2::from_diagonal_element(x) + Matrix2::repeat(y) + Matrix2::from_element(x * y);
    let g = Matrix2::from([[x, 1.0], [2.0, y]]) + Matrix2::identity() * x + nalgebra::matrix![x, 1.0; y, 2.0];
    let v = vector![x, y] + Vector2::from([y, x]) + Vector2::x() * y + Vector2::zeros() + SVector::<f64, 2>::repeat(x);
    (a * b * c * d + e * f * g).map(|number| number.sin()).sum() + v.norm()
}

#[test]
fn constructors() {
    check!(constructed(x, y) by x = 0.7, y = -0.4);
}

#[differentiable]
fn inverse_or_zero(a: &Matrix2<f64>) -> f64 {
    a.try_inverse().map_or(0.0, |inverse| inverse.sum())
}

#[differentiable]
fn solution_or_zero(a: &Matrix2<f64>, b: &Vector2<f64>) -> f64 {
    match a.lu().solve(b) {
        Some(x) => x.norm(),
        None => 0.0,
    }
}

#[differentiable]
fn factor_or_zero(a: &Matrix2<f64>) -> f64 {
    if let Some(factor) = a.cholesky() { factor.l().sum() } else { 0.0 }
}

/// Where nalgebra gives `None`, so do the derivatives' values.
#[test]
fn singular_matrices_have_no_inverse() {
    let singular = Matrix2::new(1.0, 2.0, 2.0, 4.0);
    let b = Vector2::new(1.0, 1.0);
    assert_eq!(inverse_or_zero(&singular), 0.0);
    assert_eq!(inverse_or_zero::value_and_grad(&singular), (0.0, Matrix2::zeros()));
    assert_eq!(solution_or_zero(&singular, &b), 0.0);
    let (value, (by_a, by_b)) = solution_or_zero::value_and_grad(&singular, &b);
    assert_eq!((value, by_a, by_b), (0.0, Matrix2::zeros(), Vector2::zeros()));
    let indefinite = Matrix2::new(1.0, 2.0, 2.0, 1.0);
    assert_eq!(factor_or_zero(&indefinite), 0.0);
    assert_eq!(factor_or_zero::value_and_grad(&indefinite), (0.0, Matrix2::zeros()));
    assert_ne!(inverse_or_zero::value_and_grad(&Matrix2::new(1.0, 2.0, 2.0, 5.0)).1, Matrix2::zeros());
}
