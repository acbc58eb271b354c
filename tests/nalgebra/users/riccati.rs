// Discrete Riccati recursion and the steady Kalman gain for a double integrator.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2, RowVector2, Vector2};

#[differentiable]
fn riccati_step(p: &Matrix2<f64>, a: &Matrix2<f64>, b: &Vector2<f64>, q: &Matrix2<f64>, r: f64) -> Matrix2<f64> {
    let pb = p * b;
    let s = r + b.dot(&pb);
    let k: RowVector2<f64> = pb.transpose() * a / s;
    q + a.transpose() * p * a - a.transpose() * pb * k
}

#[differentiable]
fn gain(p: &Matrix2<f64>, a: &Matrix2<f64>, b: &Vector2<f64>, r: f64) -> RowVector2<f64> {
    let s = (b.transpose() * p * b)[(0, 0)] + r;
    b.transpose() * p * a / s
}

#[differentiable]
fn converged_gain(q_pos: f64, q_vel: f64, r: f64, dt: f64, #[no_diff] iters: u32) -> RowVector2<f64> {
    let a = Matrix2::new(1.0, dt, 0.0, 1.0);
    let b = Vector2::new(0.5 * dt * dt, dt);
    let q = Matrix2::from_diagonal(&Vector2::new(q_pos, q_vel));
    let mut p = q;
    let mut n = 0;
    while n < iters {
        p = riccati_step(&p, &a, &b, &q, r);
        p = (p + p.transpose()) * 0.5;
        n += 1;
    }
    gain(&p, &a, &b, r)
}

#[test]
fn gradients() {
    let a = Matrix2::new(1.0, 0.1, -0.2, 0.95);
    let b = Vector2::new(0.0, 0.1);
    let q = Matrix2::new(1.0, 0.1, 0.1, 0.5);
    let p = Matrix2::new(2.0, 0.3, 0.3, 1.0);
    check_grads!(riccati_step, &p, &a, &b, &q, 0.2);
    check_grads!(gain, &p, &a, &b, 0.2);
    check_grads!(converged_gain, 1.0, 0.1, 0.5, 0.2, 12);
    let next = riccati_step(&p, &a, &b, &q, 0.2);
    assert!((next - next.transpose()).norm() < 1e-12);
}
