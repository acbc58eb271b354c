//! Rotations where an angle is zero. Every method has its line in `rows`.

use autodiff::prelude::*;
use nalgebra::{Rotation3, UnitQuaternion, Vector3};

const V: Vector3<f64> = Vector3::new(-0.2, 0.6, 0.9);

/// Near 0, where an axis has no direction, the derivative is that of the exponential.
#[test]
fn small_rotations() {
    let zero = Vector3::zeros();
    let (_, pullback) = turned::vjp(&zero, &V);
    let columns = [Vector3::x(), Vector3::y(), Vector3::z()].map(|seed| pullback(&seed).0);
    for (i, seed) in [Vector3::x(), Vector3::y(), Vector3::z()].into_iter().enumerate() {
        // d(w × v) by w, seeded.
        assert!((columns[i] - V.cross(&seed)).norm() < 1e-15, "{i}");
    }
    let (value, gradient) = length::value_and_grad(&zero);
    assert_eq!((value, gradient), (0.0, zero));
}

#[differentiable]
fn turned(w: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    (Rotation3::new(*w) * v + UnitQuaternion::new(*w) * v) * 0.5
}

#[differentiable]
fn length(w: &Vector3<f64>) -> f64 {
    Rotation3::new(*w).scaled_axis().norm_squared() + UnitQuaternion::new(*w).scaled_axis().norm_squared()
}
