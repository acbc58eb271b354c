// EKF measurement update from a range and bearing to a known landmark.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2, Matrix2x3, Matrix3, Vector2, Vector3};

#[derive(Differentiable, Clone)]
struct Gaussian {
    x: Vector3<f64>,
    p: Matrix3<f64>,
}

#[differentiable]
fn range_bearing(x: &Vector3<f64>, landmark: &Vector2<f64>) -> Vector2<f64> {
    let d = landmark - x.xy();
    Vector2::new(d.norm(), d.y.atan2(d.x) - x.z)
}

#[differentiable]
fn update(prior: &Gaussian, landmark: &Vector2<f64>, z: &Vector2<f64>, r: &Matrix2<f64>) -> Gaussian {
    let d = landmark - prior.x.xy();
    let q = d.norm_squared();
    let rho = q.sqrt();
    let h = Matrix2x3::new(-d.x / rho, -d.y / rho, 0.0, d.y / q, -d.x / q, -1.0);
    let innovation = z - range_bearing(&prior.x, landmark);
    let s = h * prior.p * h.transpose() + r;
    let s_inv = s.try_inverse().expect("innovation covariance is singular");
    let k = prior.p * h.transpose() * s_inv;
    let i_kh = Matrix3::identity() - k * h;
    Gaussian {
        x: prior.x + k * innovation,
        // Joseph form
        p: i_kh * prior.p * i_kh.transpose() + k * r * k.transpose(),
    }
}

#[differentiable]
fn nis(prior: &Gaussian, landmark: &Vector2<f64>, z: &Vector2<f64>, r: &Matrix2<f64>) -> f64 {
    let post = update(prior, landmark, z, r);
    let res = z - range_bearing(&post.x, landmark);
    (res.transpose() * r.try_inverse().unwrap() * res)[0] + post.p.determinant()
}

#[test]
fn gradients() {
    let prior =
        Gaussian { x: Vector3::new(0.1, 0.2, 0.3), p: Matrix3::new(0.5, 0.1, 0.0, 0.1, 0.4, 0.05, 0.0, 0.05, 0.2) };
    let lm = Vector2::new(3.0, 2.0);
    let z = Vector2::new(3.3, 0.35);
    let r = Matrix2::new(0.1, 0.0, 0.0, 0.02);
    check_grads!(range_bearing, &prior.x, &lm);
    check_grads!(update, &prior, &lm, &z, &r);
    check_grads!(nis, &prior, &lm, &z, &r);
    // a perfect measurement does not move the mean
    let exact = range_bearing(&prior.x, &lm);
    assert!((update(&prior, &lm, &exact, &r).x - prior.x).norm() < 1e-12);
}
