// Bezier curve by de Casteljau on points, arc length and bending.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Point3, Vector3};

#[differentiable]
fn casteljau(ctrl: &[Point3<f64>], t: f64) -> Point3<f64> {
    let mut pts = ctrl.to_vec();
    let n = pts.len();
    for level in 1..n {
        for i in 0..n - level {
            pts[i] = pts[i].lerp(&pts[i + 1], t);
        }
    }
    pts[0]
}

#[differentiable]
fn cubic(p: &[Vector3<f64>; 4], t: f64) -> Vector3<f64> {
    let u = 1.0 - t;
    p[0] * u.powi(3) + p[1] * (3.0 * u * u * t) + p[2] * (3.0 * u * t * t) + p[3] * t.powi(3)
}

#[differentiable]
fn arc_length(ctrl: &[Point3<f64>], #[no_diff] samples: usize) -> f64 {
    let mut prev = ctrl[0];
    let mut len = 0.0;
    for k in 1..=samples {
        let next = casteljau(ctrl, k as f64 / samples as f64);
        len += nalgebra::distance(&prev, &next);
        prev = next;
    }
    len
}

#[test]
fn gradients() {
    let ctrl = [
        Point3::new(0.0, 0.0, 0.0),
        Point3::new(1.0, 2.0, 0.5),
        Point3::new(2.0, -1.0, 1.0),
        Point3::new(3.0, 0.5, 0.2),
    ];
    let vecs = [ctrl[0].coords, ctrl[1].coords, ctrl[2].coords, ctrl[3].coords];
    check_grads!(casteljau, &ctrl, 0.3);
    check_grads!(cubic, &vecs, 0.3);
    check_grads!(arc_length, &ctrl, 6);
    assert!((casteljau(&ctrl, 0.3).coords - cubic(&vecs, 0.3)).norm() < 1e-12);
}
