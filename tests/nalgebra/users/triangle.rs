// Areas, normals, barycentric coordinates and attribute interpolation.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2, Point2, Point3, Vector3};

#[differentiable]
fn area(a: &Point3<f64>, b: &Point3<f64>, c: &Point3<f64>) -> f64 {
    0.5 * (b - a).cross(&(c - a)).norm()
}

#[differentiable]
fn barycentric(p: &Point2<f64>, tri: &[Point2<f64>; 3]) -> Vector3<f64> {
    let e1 = tri[1] - tri[0];
    let e2 = tri[2] - tri[0];
    let m = Matrix2::from_columns(&[e1, e2]);
    let uv = m.try_inverse().unwrap() * (p - tri[0]);
    Vector3::new(1.0 - uv.x - uv.y, uv.x, uv.y)
}

#[differentiable]
fn interpolate(p: &Point2<f64>, tri: &[Point2<f64>; 3], colours: &[Vector3<f64>; 3]) -> Vector3<f64> {
    let w = barycentric(p, tri);
    let mut out = Vector3::zeros();
    for (k, c) in colours.iter().enumerate() {
        out += *c * w[k];
    }
    out
}

#[test]
fn gradients() {
    let (a, b, c) = (Point3::new(0.0, 0.1, 0.0), Point3::new(1.0, 0.0, 0.3), Point3::new(0.2, 1.1, -0.2));
    let tri = [Point2::new(0.0, 0.0), Point2::new(2.0, 0.2), Point2::new(0.3, 1.5)];
    let p = Point2::new(0.6, 0.5);
    let cols = [Vector3::new(1.0, 0.0, 0.2), Vector3::new(0.1, 0.9, 0.0), Vector3::new(0.0, 0.3, 0.8)];
    check_grads!(area, &a, &b, &c);
    check_grads!(barycentric, &p, &tri);
    check_grads!(interpolate, &p, &tri, &cols);
    assert!((barycentric(&p, &tri).sum() - 1.0).abs() < 1e-12);
}
