// Point-to-point and point-to-plane registration residuals; Rodrigues' formula by hand.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, Point3, Vector3, Vector6};

#[differentiable]
fn rodrigues(w: &Vector3<f64>) -> Matrix3<f64> {
    let theta2 = w.norm_squared();
    let k = w.cross_matrix();
    if theta2 < 1e-10 {
        return Matrix3::identity() + k;
    }
    let theta = theta2.sqrt();
    Matrix3::identity() + k * (theta.sin() / theta) + k * k * ((1.0 - theta.cos()) / theta2)
}

#[differentiable]
fn point_to_point(xi: &Vector6<f64>, src: &[Point3<f64>], dst: &[Point3<f64>]) -> f64 {
    let r = rodrigues(&Vector3::new(xi[0], xi[1], xi[2]));
    let t = Vector3::new(xi[3], xi[4], xi[5]);
    src.iter().zip(dst.iter()).map(|(p, q)| (r * p + t - q).norm_squared()).sum::<f64>() / src.len() as f64
}

#[differentiable]
fn point_to_plane(
    xi: &Vector6<f64>,
    src: &[Point3<f64>],
    dst: &[Point3<f64>],
    normals: &[Vector3<f64>],
    huber: f64,
) -> f64 {
    let r = rodrigues(&xi.fixed_rows::<3>(0).into_owned());
    let t = xi.fixed_rows::<3>(3);
    let mut total = 0.0;
    for i in 0..src.len() {
        let moved = r * src[i].coords + t;
        let d = normals[i].dot(&(moved - dst[i].coords));
        // pseudo-Huber
        total += huber * huber * ((1.0 + (d / huber).powi(2)).sqrt() - 1.0);
    }
    total
}

#[test]
fn gradients() {
    let src = vec![
        Point3::new(0.0, 0.1, 0.2),
        Point3::new(1.0, 0.0, -0.3),
        Point3::new(0.4, 0.9, 0.5),
        Point3::new(-0.7, 0.3, 0.8),
    ];
    let dst: Vec<_> = src.iter().map(|p| p + Vector3::new(0.1, 0.05, -0.2)).collect();
    let normals = vec![Vector3::x(), Vector3::y(), Vector3::z(), Vector3::new(0.6, 0.8, 0.0)];
    let xi = Vector6::new(0.2, -0.1, 0.3, 0.05, 0.1, -0.15);
    check_grads!(rodrigues, &Vector3::new(0.2, -0.1, 0.3));
    check_grads!(point_to_point, &xi, &src, &dst);
    check_grads!(point_to_plane, &xi, &src, &dst, &normals, 0.5);
    let truth = Vector6::new(0.0, 0.0, 0.0, 0.1, 0.05, -0.2);
    assert!((point_to_point(&truth, &src, &dst) - 0.0).abs() < 1e-12);
}
