// Mahalanobis distances, three ways, any dimension where possible.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

#[differentiable]
fn mahalanobis<const N: usize>(x: &SVector<f64, N>, mean: &SVector<f64, N>, cov: &SMatrix<f64, N, N>) -> f64 {
    let d = x - mean;
    let inv = cov.try_inverse().unwrap();
    d.dot(&(inv * d)).sqrt()
}

#[differentiable]
fn by_cholesky(x: &Vector3<f64>, mean: &Vector3<f64>, cov: &Matrix3<f64>) -> f64 {
    let l = cov.cholesky().unwrap().l();
    let y = l.solve_lower_triangular(&(x - mean)).unwrap();
    y.norm()
}

#[differentiable]
fn soft_assignment(x: Vector3<f64>, means: &[Vector3<f64>], cov: &Matrix3<f64>, temperature: f64) -> f64 {
    // negative log of the summed kernels
    let s: f64 = means
        .iter()
        .map(|m| {
            let d = mahalanobis(&x, m, cov);
            (-0.5 * d * d / temperature).exp()
        })
        .sum();
    -s.ln()
}

#[test]
fn gradients() {
    let cov = Matrix3::new(1.5, 0.2, 0.1, 0.2, 0.8, -0.1, 0.1, -0.1, 1.2);
    let x = Vector3::new(0.5, -0.3, 1.0);
    let m = Vector3::new(0.0, 0.2, 0.1);
    check_grads!(mahalanobis, &x, &m, &cov);
    check_grads!(by_cholesky, &x, &m, &cov);
    check_grads!(soft_assignment, x, &[m, Vector3::new(1.0, 0.0, 0.5)], &cov, 1.3);
    assert!((mahalanobis(&x, &m, &cov) - by_cholesky(&x, &m, &cov)).abs() < 1e-12);
}
