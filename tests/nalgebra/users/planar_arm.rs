// Inverse kinematics cost of a planar chain, with points and 3x3 homogeneous transforms.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, Point2, Vector2, Vector3};

#[differentiable]
fn link(theta: f64, length: f64) -> Matrix3<f64> {
    let (s, c) = theta.sin_cos();
    Matrix3::new(c, -s, length * c, s, c, length * s, 0.0, 0.0, 1.0)
}

#[differentiable]
fn tip(angles: &[f64], lengths: &[f64]) -> Point2<f64> {
    let mut t = Matrix3::<f64>::identity();
    for (th, l) in angles.iter().zip(lengths.iter()) {
        t *= link(*th, *l);
    }
    Point2::from_homogeneous(t * Vector3::new(0.0, 0.0, 1.0)).unwrap()
}

#[differentiable]
fn ik_cost(angles: &[f64], lengths: &[f64], target: &Point2<f64>, posture: f64) -> f64 {
    let err: Vector2<f64> = tip(angles, lengths) - target;
    let bend: f64 = angles.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum();
    err.norm_squared() + posture * bend
}

#[test]
fn gradients() {
    let angles = [0.3, -0.6, 0.9];
    let lengths = [1.0, 0.8, 0.5];
    let target = Point2::new(1.1, 0.7);
    check_grads!(link, 0.4, 1.3);
    check_grads!(tip, &angles, &lengths);
    check_grads!(ik_cost, &angles, &lengths, &target, 0.01);
    let straight = tip(&[0.0, 0.0, 0.0], &lengths);
    assert!((straight - Point2::new(2.3, 0.0)).norm() < 1e-12);
}
