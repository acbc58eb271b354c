// Midpoint triangulation from two posed cameras, and its residual.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Isometry3, Matrix3, Point3, Vector2, Vector3};

#[derive(Differentiable, Clone)]
struct View {
    position: Vector3<f64>,
    axis_angle: Vector3<f64>,
    pixel: Vector2<f64>,
}

#[differentiable]
fn ray(v: &View) -> (Vector3<f64>, Vector3<f64>) {
    let pose = Isometry3::new(v.position, v.axis_angle);
    let dir = pose.rotation * v.pixel.push(1.0).normalize();
    (pose.translation.vector, dir)
}

#[differentiable]
fn triangulate(views: &[View]) -> Vector3<f64> {
    let mut a = Matrix3::zeros();
    let mut b = Vector3::zeros();
    for v in views {
        let (o, d) = ray(v);
        let proj = Matrix3::identity() - d * d.transpose();
        a += proj;
        b += proj * o;
    }
    a.cholesky().unwrap().solve(&b)
}

#[differentiable]
fn residual(views: &[View]) -> f64 {
    let x = Point3::from(triangulate(views));
    views
        .iter()
        .map(|v| {
            let c = Isometry3::new(v.position, v.axis_angle).inverse_transform_point(&x);
            (c.coords.xy() / c.z - v.pixel).norm_squared()
        })
        .sum()
}

#[test]
fn gradients() {
    let views = vec![
        View {
            position: Vector3::new(0.0, 0.1, 0.0),
            axis_angle: Vector3::new(0.02, 0.1, 0.0),
            pixel: Vector2::new(0.1, 0.05),
        },
        View {
            position: Vector3::new(1.0, 0.0, 0.1),
            axis_angle: Vector3::new(0.0, -0.15, 0.03),
            pixel: Vector2::new(-0.12, 0.04),
        },
        View {
            position: Vector3::new(0.5, 0.8, -0.1),
            axis_angle: Vector3::new(0.1, 0.01, 0.02),
            pixel: Vector2::new(0.02, -0.1),
        },
    ];
    check_grads!(triangulate, &views);
    check_grads!(residual, &views);
    let straight = vec![
        View { position: Vector3::zeros(), axis_angle: Vector3::zeros(), pixel: Vector2::zeros() },
        View { position: Vector3::new(1.0, 0.0, 0.0), axis_angle: Vector3::zeros(), pixel: Vector2::new(-0.5, 0.0) },
    ];
    assert!((triangulate(&straight) - Vector3::new(0.0, 0.0, 2.0)).norm() < 1e-12);
}
