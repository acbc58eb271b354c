// Gyroscope integration with bias, scale and a gravity check.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Rotation3, UnitQuaternion, Vector3};

#[derive(Differentiable, Clone)]
struct Calibration {
    bias: Vector3<f64>,
    scale: Vector3<f64>,
}

#[differentiable]
impl Calibration {
    fn correct(&self, raw: &Vector3<f64>) -> Vector3<f64> {
        (raw - self.bias).component_mul(&self.scale)
    }
}

#[differentiable]
fn integrate(cal: &Calibration, gyro: &[Vector3<f64>], start: &Vector3<f64>, dt: f64) -> Vector3<f64> {
    let mut q = UnitQuaternion::new(*start);
    for g in gyro {
        q *= UnitQuaternion::new(cal.correct(g) * dt);
    }
    q.scaled_axis()
}

#[differentiable]
fn gravity_mismatch(cal: &Calibration, gyro: &[Vector3<f64>], accel: &[Vector3<f64>], dt: f64) -> f64 {
    let mut r = Rotation3::identity();
    let mut cost = 0.0;
    for (g, a) in gyro.iter().zip(accel.iter()) {
        r = r * Rotation3::new(cal.correct(g) * dt);
        let predicted = r.transpose() * Vector3::new(0.0, 0.0, 9.81);
        cost += (predicted - a).norm_squared();
    }
    cost / accel.len() as f64
}

#[test]
fn gradients() {
    let cal = Calibration { bias: Vector3::new(0.01, -0.02, 0.005), scale: Vector3::new(1.01, 0.98, 1.0) };
    let gyro = vec![Vector3::new(0.5, 0.1, -0.2), Vector3::new(0.4, 0.3, 0.1), Vector3::new(-0.1, 0.2, 0.6)];
    let accel = vec![Vector3::new(0.1, 0.2, 9.7), Vector3::new(-0.2, 0.5, 9.6), Vector3::new(-0.3, 0.4, 9.8)];
    let start = Vector3::new(0.2, 0.1, -0.3);
    check_grads!(integrate, &cal, &gyro, &start, 0.1);
    check_grads!(gravity_mismatch, &cal, &gyro, &accel, 0.1);
    let rested = integrate(&cal, &[cal.bias, cal.bias], &start, 0.1);
    assert!((rested - start).norm() < 1e-12);
}
