// One Jacobian-transpose step for a three-joint spatial arm; joints about z, y, y.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, Rotation3, Vector3};

#[differentiable]
fn joints(q: &Vector3<f64>, lengths: &Vector3<f64>) -> [Vector3<f64>; 4] {
    let r1 = Rotation3::from_axis_angle(&Vector3::z_axis(), q.x);
    let r2 = r1 * Rotation3::from_axis_angle(&Vector3::y_axis(), q.y);
    let r3 = r2 * Rotation3::from_axis_angle(&Vector3::y_axis(), q.z);
    let p0 = Vector3::zeros();
    let p1 = p0 + r1 * (Vector3::z() * lengths.x);
    let p2 = p1 + r2 * (Vector3::x() * lengths.y);
    let p3 = p2 + r3 * (Vector3::x() * lengths.z);
    [p0, p1, p2, p3]
}

#[differentiable]
fn geometric_jacobian(q: &Vector3<f64>, lengths: &Vector3<f64>) -> Matrix3<f64> {
    let p = joints(q, lengths);
    let side = Vector3::new(-q.x.sin(), q.x.cos(), 0.0);
    let mut j = Matrix3::zeros();
    j.set_column(0, &Vector3::z().cross(&(p[3] - p[0])));
    j.set_column(1, &side.cross(&(p[3] - p[1])));
    j.set_column(2, &side.cross(&(p[3] - p[2])));
    j
}

#[differentiable]
fn jt_step(q: Vector3<f64>, lengths: &Vector3<f64>, target: &Vector3<f64>) -> Vector3<f64> {
    let e = target - joints(&q, lengths)[3];
    let j = geometric_jacobian(&q, lengths);
    let g = j.transpose() * e;
    let jg = j * g;
    let alpha = e.dot(&jg) / jg.norm_squared();
    q + g * alpha
}

#[test]
fn gradients() {
    let q = Vector3::new(0.4, -0.5, 0.8);
    let l = Vector3::new(0.3, 0.6, 0.4);
    let target = Vector3::new(0.5, 0.4, 0.6);
    check_grads!(geometric_jacobian, &q, &l);
    check_grads!(jt_step, q, &l, &target);
    let home = joints(&Vector3::zeros(), &l)[3];
    assert!((home - Vector3::new(1.0, 0.0, 0.3)).norm() < 1e-12);
}
