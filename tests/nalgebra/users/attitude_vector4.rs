// Attitude kept as a plain Vector4 (w, x, y, z), renormalised.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, Matrix4, Quaternion, UnitQuaternion, Vector3, Vector4};

#[differentiable]
fn rotation_of(q: &Vector4<f64>) -> Matrix3<f64> {
    let n = q.normalize();
    let (w, x, y, z) = (n[0], n[1], n[2], n[3]);
    Matrix3::new(
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )
}

#[differentiable]
fn kinematics(q: Vector4<f64>, w: &Vector3<f64>, dt: f64) -> Vector4<f64> {
    let om = Matrix4::new(0.0, -w.x, -w.y, -w.z, w.x, 0.0, w.z, -w.y, w.y, -w.z, 0.0, w.x, w.z, w.y, -w.x, 0.0);
    let mut next = q + om * q * (0.5 * dt);
    next /= next.norm();
    next
}

#[differentiable]
fn with_library(q: &Vector4<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    let uq = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
    uq.transform_vector(v)
}

#[test]
fn gradients() {
    let q = Vector4::new(0.9, 0.1, -0.2, 0.35);
    let v = Vector3::new(0.3, -0.7, 1.2);
    check_grads!(rotation_of, &q);
    check_grads!(kinematics, q, &Vector3::new(0.2, -0.1, 0.4), 0.05);
    check_grads!(with_library, &q, &v);
    assert!((rotation_of(&q) * v - with_library(&q, &v)).norm() < 1e-12);
}
