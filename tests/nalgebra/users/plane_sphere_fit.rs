// Plane fit (smallest eigenvalue by inverse iteration) and algebraic sphere fit.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, Matrix4, Point3, Vector3, Vector4};

#[derive(Differentiable, Clone)]
struct Sphere {
    center: Point3<f64>,
    radius: f64,
}

#[differentiable]
fn plane_normal(points: &[Point3<f64>], start: Vector3<f64>) -> Vector3<f64> {
    let n = points.len() as f64;
    let mean = points.iter().fold(Vector3::zeros(), |acc, p| acc + p.coords) / n;
    let mut cov = Matrix3::zeros();
    for p in points {
        let d = p.coords - mean;
        cov += d * d.transpose() / n;
    }
    cov += Matrix3::<f64>::identity() * 1e-3;
    let mut v = start.normalize();
    for _ in 0..6 {
        v = cov.lu().solve(&v).unwrap().normalize();
    }
    v
}

#[differentiable]
fn sphere_fit(points: &[Point3<f64>]) -> Sphere {
    let mut ata = Matrix4::zeros();
    let mut atb = Vector4::zeros();
    for p in points {
        let row = Vector4::new(2.0 * p.x, 2.0 * p.y, 2.0 * p.z, 1.0);
        ata += row * row.transpose();
        atb += row * p.coords.norm_squared();
    }
    let s = ata.lu().solve(&atb).expect("degenerate points");
    let center = Point3::from(s.xyz());
    Sphere { center, radius: (s.w + s.xyz().norm_squared()).sqrt() }
}

#[test]
fn gradients() {
    let flat = [
        Point3::new(0.0, 0.0, 0.05),
        Point3::new(1.0, 0.1, -0.02),
        Point3::new(0.2, 1.1, 0.1),
        Point3::new(1.3, 0.9, 0.0),
        Point3::new(-0.6, 0.4, -0.04),
    ];
    check_grads!(plane_normal, &flat, Vector3::new(0.1, 0.2, 1.0));
    let c = Point3::new(1.0, 2.0, 3.0);
    let ball = [
        c + Vector3::x() * 2.0,
        c - Vector3::x() * 2.0,
        c + Vector3::y() * 2.0,
        c + Vector3::z() * 2.0,
        c - Vector3::z() * 2.0,
    ];
    check_grads!(sphere_fit, &ball);
    assert!((sphere_fit(&ball).radius - 2.0).abs() < 1e-9);
}
