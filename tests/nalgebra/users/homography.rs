// Symmetric transfer error of a homography.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, Point2, SVector};

#[differentiable]
fn from_params(h: &SVector<f64, 8>) -> Matrix3<f64> {
    Matrix3::new(h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], 1.0)
}

#[differentiable]
fn transfer(h: &Matrix3<f64>, p: &Point2<f64>) -> Point2<f64> {
    let q = h * p.to_homogeneous();
    Point2::new(q.x / q.z, q.y / q.z)
}

#[differentiable]
fn symmetric_error(params: &SVector<f64, 8>, left: &[Point2<f64>], right: &[Point2<f64>]) -> f64 {
    let h = from_params(params);
    let Some(h_inv) = h.try_inverse() else {
        return f64::INFINITY;
    };
    let mut e = 0.0;
    for (l, r) in left.iter().zip(right) {
        e += nalgebra::distance_squared(&transfer(&h, l), r);
        e += nalgebra::distance_squared(&transfer(&h_inv, r), l);
    }
    e
}

#[test]
fn gradients() {
    let h = SVector::<f64, 8>::from([1.1, 0.05, 0.2, -0.03, 0.95, -0.1, 0.02, 0.01]);
    let left = [Point2::new(0.0, 0.0), Point2::new(1.0, 0.1), Point2::new(0.9, 1.2), Point2::new(-0.1, 1.0)];
    let right = [Point2::new(0.25, -0.1), Point2::new(1.2, 0.0), Point2::new(1.2, 0.9), Point2::new(0.2, 0.8)];
    check_grads!(transfer, &from_params(&h), &left[2]);
    check_grads!(symmetric_error, &h, &left, &right);
    let id = SVector::<f64, 8>::from([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    assert!(symmetric_error(&id, &left, &left).abs() < 1e-12);
}
