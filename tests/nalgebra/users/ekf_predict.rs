// EKF prediction for a unicycle: pose (x, y, heading), wheel speed and turn rate.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2, Matrix3, Matrix3x2, Vector2, Vector3};

#[derive(Differentiable, Clone)]
struct Belief {
    mean: Vector3<f64>,
    cov: Matrix3<f64>,
}

#[differentiable]
fn motion(x: &Vector3<f64>, u: &Vector2<f64>, dt: f64) -> Vector3<f64> {
    let (s, c) = x.z.sin_cos();
    Vector3::new(x.x + u.x * dt * c, x.y + u.x * dt * s, x.z + u.y * dt)
}

#[differentiable]
fn predict(b: &Belief, u: &Vector2<f64>, q: Matrix2<f64>, dt: f64) -> Belief {
    let th = b.mean[2];
    let f = Matrix3::new(1.0, 0.0, -u.x * dt * th.sin(), 0.0, 1.0, u.x * dt * th.cos(), 0.0, 0.0, 1.0);
    let g = Matrix3x2::new(dt * th.cos(), 0.0, dt * th.sin(), 0.0, 0.0, dt);
    Belief { mean: motion(&b.mean, u, dt), cov: f * b.cov * f.transpose() + g * q * g.transpose() }
}

#[differentiable]
fn spread_after(b: &Belief, u: &Vector2<f64>, q: Matrix2<f64>, dt: f64, #[no_diff] steps: usize) -> f64 {
    let mut cur = b.clone();
    for _ in 0..steps {
        cur = predict(&cur, u, q, dt);
    }
    cur.cov.trace()
}

#[test]
fn gradients() {
    let b = Belief {
        mean: Vector3::new(0.3, -0.4, 0.7),
        cov: Matrix3::new(0.2, 0.01, 0.0, 0.01, 0.3, 0.02, 0.0, 0.02, 0.05),
    };
    let u = Vector2::new(1.2, 0.3);
    let q = Matrix2::from_diagonal(&Vector2::new(0.04, 0.01));
    check_grads!(motion, &b.mean, &u, 0.1);
    check_grads!(predict, &b, &u, q, 0.1);
    check_grads!(spread_after, &b, &u, q, 0.1, 5);
    let still = predict(&b, &u, q, 0.0);
    assert!((still.cov - b.cov).norm() < 1e-12);
}
