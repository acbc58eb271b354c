// Invariants of a stress tensor, von Mises stress, rotation of axes.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, Rotation3, Vector3, Vector6};

#[derive(Differentiable, Clone)]
struct Invariants {
    i1: f64,
    j2: f64,
    j3: f64,
    von_mises: f64,
}

#[differentiable]
fn from_voigt(s: &Vector6<f64>) -> Matrix3<f64> {
    Matrix3::new(s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2])
}

#[differentiable]
fn invariants(sigma: &Matrix3<f64>) -> Invariants {
    let i1 = sigma.trace();
    let dev = sigma - Matrix3::identity() * (i1 / 3.0);
    let j2 = 0.5 * dev.component_mul(&dev).sum();
    Invariants { i1, j2, j3: dev.determinant(), von_mises: (3.0 * j2).sqrt() }
}

#[differentiable]
fn traction(s: &Vector6<f64>, euler: &Vector3<f64>) -> f64 {
    let r = Rotation3::from_euler_angles(euler.x, euler.y, euler.z);
    let turned = r.matrix() * from_voigt(s) * r.matrix().transpose();
    let t = turned.column(0);
    t.norm() - t[0].abs()
}

#[test]
fn gradients() {
    let s = Vector6::new(120.0, 40.0, -15.0, 10.0, -5.0, 30.0) / 100.0;
    check_grads!(from_voigt, &s);
    check_grads!(invariants, &from_voigt(&s));
    check_grads!(traction, &s, &Vector3::new(0.2, -0.3, 0.5));
    let uniaxial = Vector6::new(2.5, 0.0, 0.0, 0.0, 0.0, 0.0);
    assert!((invariants(&from_voigt(&uniaxial)).von_mises - 2.5).abs() < 1e-12);
}
