// Error propagation: polar to Cartesian, and sigma points through the same map.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, Vector3};

#[differentiable]
fn to_cartesian(m: &Vector3<f64>) -> Vector3<f64> {
    let (r, az, el) = (m.x, m.y, m.z);
    Vector3::new(r * el.cos() * az.cos(), r * el.cos() * az.sin(), r * el.sin())
}

#[differentiable]
fn first_order(m: &Vector3<f64>, sigma: &Vector3<f64>) -> Matrix3<f64> {
    let (r, az, el) = (m.x, m.y, m.z);
    let j = Matrix3::from_columns(&[
        Vector3::new(el.cos() * az.cos(), el.cos() * az.sin(), el.sin()),
        Vector3::new(-r * el.cos() * az.sin(), r * el.cos() * az.cos(), 0.0),
        Vector3::new(-r * el.sin() * az.cos(), -r * el.sin() * az.sin(), r * el.cos()),
    ]);
    let var = sigma.component_mul(sigma);
    j * Matrix3::from_diagonal(&var) * j.transpose()
}

#[differentiable]
fn unscented(m: &Vector3<f64>, cov: &Matrix3<f64>, kappa: f64) -> Matrix3<f64> {
    let l = (cov * (3.0 + kappa)).cholesky().unwrap().unpack();
    let w = 0.5 / (3.0 + kappa);
    let w0 = kappa / (3.0 + kappa);
    let mut pts: Vec<Vector3<f64>> = Vec::with_capacity(6);
    for col in l.column_iter() {
        pts.push(to_cartesian(&(m + col)));
        pts.push(to_cartesian(&(m - col)));
    }
    let centre = to_cartesian(m);
    let mean = centre * w0 + pts.iter().sum::<Vector3<f64>>() * w;
    let d0 = centre - mean;
    let mut out = d0 * d0.transpose() * w0;
    for p in &pts {
        let d = p - mean;
        out += d * d.transpose() * w;
    }
    out
}

#[test]
fn gradients() {
    let m = Vector3::new(4.0, 0.5, 0.3);
    let sig = Vector3::new(0.1, 0.05, 0.08);
    let cov = Matrix3::new(0.01, 0.001, 0.0, 0.001, 0.02, 0.002, 0.0, 0.002, 0.015);
    check_grads!(first_order, &m, &sig);
    check_grads!(unscented, &m, &cov, 0.5);
    let on_axis = to_cartesian(&Vector3::new(2.0, 0.0, 0.0));
    assert!((on_axis - Vector3::new(2.0, 0.0, 0.0)).norm() < 1e-12);
}
