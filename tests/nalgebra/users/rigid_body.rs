// Torque-driven rigid body: Euler's equations with an inertia tensor, attitude as a quaternion.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

#[derive(Differentiable, Clone)]
struct Body {
    inertia: Matrix3<f64>,
    omega: Vector3<f64>,
    attitude: Vector3<f64>, // rotation vector
}

#[differentiable]
fn omega_dot(inertia: &Matrix3<f64>, omega: &Vector3<f64>, torque: &Vector3<f64>) -> Vector3<f64> {
    let l = inertia * omega;
    inertia.try_inverse().unwrap() * (torque - omega.cross(&l))
}

#[differentiable]
fn rk4(inertia: &Matrix3<f64>, w: &Vector3<f64>, torque: &Vector3<f64>, h: f64) -> Vector3<f64> {
    let k1 = omega_dot(inertia, w, torque);
    let k2 = omega_dot(inertia, &(w + k1 * (h / 2.0)), torque);
    let k3 = omega_dot(inertia, &(w + k2 * (h / 2.0)), torque);
    let k4 = omega_dot(inertia, &(w + h * k3), torque);
    w + (k1 + 2.0 * k2 + 2.0 * k3 + k4) * (h / 6.0)
}

#[differentiable]
fn pointing_error(body: &Body, torques: &[Vector3<f64>], h: f64) -> f64 {
    let mut q = UnitQuaternion::from_scaled_axis(body.attitude);
    let mut w = body.omega;
    for t in torques {
        w = rk4(&body.inertia, &w, t, h);
        q = q * UnitQuaternion::from_scaled_axis(w * h);
    }
    let axis = q * Vector3::z();
    1.0 - axis.dot(&Vector3::new(0.0, 0.6, 0.8)) + 0.1 * w.norm_squared()
}

#[test]
fn gradients() {
    let body = Body {
        inertia: Matrix3::new(2.0, 0.1, 0.0, 0.1, 1.5, -0.05, 0.0, -0.05, 1.0),
        omega: Vector3::new(0.3, -0.2, 0.5),
        attitude: Vector3::new(0.1, 0.4, -0.2),
    };
    let torques = vec![Vector3::new(0.1, 0.0, 0.2), Vector3::new(-0.1, 0.3, 0.0), Vector3::new(0.0, 0.1, -0.2)];
    check_grads!(omega_dot, &body.inertia, &body.omega, &torques[0]);
    check_grads!(pointing_error, &body, &torques, 0.1);
    // no torque and a spherical body: no acceleration
    let still = omega_dot(&Matrix3::identity(), &body.omega, &Vector3::zeros());
    assert!(still.norm() < 1e-12);
}
