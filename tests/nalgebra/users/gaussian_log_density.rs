// Multivariate normal log density with Cholesky; a small mixture on top.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2, Vector2};
use std::f64::consts::PI;

#[derive(Differentiable, Clone)]
struct Normal {
    mean: Vector2<f64>,
    cov: Matrix2<f64>,
}

#[differentiable]
impl Normal {
    fn log_density(&self, x: &Vector2<f64>) -> f64 {
        let chol = self.cov.cholesky().expect("covariance must be positive definite");
        let d = x - self.mean;
        let log_det = 2.0 * chol.l().diagonal().iter().map(|v| v.ln()).sum::<f64>();
        let maha = d.dot(&chol.solve(&d));
        -0.5 * (maha + log_det + 2.0 * (2.0 * PI).ln())
    }
}

#[differentiable]
fn log_likelihood(n: &Normal, data: &[Vector2<f64>]) -> f64 {
    data.iter().map(|x| n.log_density(x)).sum()
}

#[differentiable]
fn mixture(parts: &Vec<Normal>, logits: &[f64], data: &[Vector2<f64>]) -> f64 {
    let z = logits.iter().map(|l| l.exp()).sum::<f64>().ln();
    let mut total = 0.0;
    for x in data {
        let terms: Vec<f64> = parts.iter().zip(logits).map(|(p, l)| l - z + p.log_density(x)).collect();
        let top = terms.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
        total += top + terms.iter().map(|t| (t - top).exp()).sum::<f64>().ln();
    }
    total
}

#[test]
fn gradients() {
    let a = Normal { mean: Vector2::new(0.1, -0.2), cov: Matrix2::new(1.2, 0.3, 0.3, 0.7) };
    let b = Normal { mean: Vector2::new(1.5, 0.8), cov: Matrix2::new(0.6, -0.1, -0.1, 0.9) };
    let data = vec![Vector2::new(0.0, 0.3), Vector2::new(1.1, 0.7), Vector2::new(-0.6, -0.4)];
    check_grads!(log_likelihood, &a, &data);
    let parts = vec![a, b];
    check_grads!(mixture, &parts, &[0.2, -0.5], &data);
    let std = Normal { mean: Vector2::zeros(), cov: Matrix2::identity() };
    assert!((std.log_density(&Vector2::zeros()) + (2.0 * PI).ln()).abs() < 1e-12);
}
