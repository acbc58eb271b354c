// Lyapunov function of a damped pendulum-like system, its decrease, and the equation residual.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2, Matrix4, Vector2, Vector4};

#[differentiable]
fn v(p: &Matrix2<f64>, x: &Vector2<f64>) -> f64 {
    (x.transpose() * p * x).into_scalar() + 2.0 * (1.0 - x[0].cos())
}

#[differentiable]
fn decrease(p: &Matrix2<f64>, x: &Vector2<f64>, damping: f64) -> f64 {
    let f = Vector2::new(x.y, -x.x.sin() - damping * x.y);
    let grad = (p + p.transpose()) * x + Vector2::new(2.0 * x.x.sin(), 0.0);
    grad.dot(&f)
}

#[differentiable]
fn solve_lyapunov(a: &Matrix2<f64>, q: &Matrix2<f64>) -> Matrix2<f64> {
    // (I (x) A' + A' (x) I) vec P = -vec Q
    let at = a.transpose();
    let i = Matrix2::<f64>::identity();
    let k: Matrix4<f64> = i.kronecker(&at) + at.kronecker(&i);
    let rhs = Vector4::new(-q[(0, 0)], -q[(1, 0)], -q[(0, 1)], -q[(1, 1)]);
    let s = k.lu().solve(&rhs).unwrap();
    Matrix2::new(s[0], s[2], s[1], s[3])
}

#[test]
fn gradients() {
    let p = Matrix2::new(1.5, 0.2, 0.2, 1.0);
    let x = Vector2::new(0.6, -0.4);
    let a = Matrix2::new(0.0, 1.0, -2.0, -0.8);
    let q = Matrix2::new(1.0, 0.1, 0.1, 2.0);
    check_grads!(v, &p, &x);
    check_grads!(decrease, &p, &x, 0.5);
    check_grads!(solve_lyapunov, &a, &q);
    let s = solve_lyapunov(&a, &q);
    assert!((a.transpose() * s + s * a + q).norm() < 1e-12);
}
