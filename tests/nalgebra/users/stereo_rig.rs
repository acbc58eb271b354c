//! A rig of two cameras in single precision: trained on the manifold, its derivatives in several directions, and a chain of poses.

use autodiff::check_grads;
use autodiff::optim::Adam;
use autodiff::prelude::*;
use nalgebra::{Isometry3, Point3, Vector3, Vector6};

#[derive(Differentiable, Clone, Debug)]
struct Rig {
    left: Isometry3<f32>,
    right: Isometry3<f32>,
    focal: f32,
}

#[differentiable]
fn residuals(rig: &Rig, #[no_diff] points: &[Point3<f32>], #[no_diff] seen: &[[f32; 4]]) -> Vec<f32> {
    let mut r = Vec::new();
    for (p, s) in points.iter().zip(seen) {
        let (a, b) = (rig.left * p, rig.right * p);
        r.push(rig.focal * a.x / a.z - s[0]);
        r.push(rig.focal * a.y / a.z - s[1]);
        r.push(rig.focal * b.x / b.z - s[2]);
        r.push(rig.focal * b.y / b.z - s[3]);
    }
    r
}

#[differentiable]
fn cost(rig: &Rig, #[no_diff] points: &[Point3<f32>], #[no_diff] seen: &[[f32; 4]]) -> f32 {
    residuals(rig, points, seen).iter().map(|r| r * r).sum::<f32>()
}

#[differentiable]
fn chain(poses: &[Isometry3<f64>], k: &[f64; 2]) -> Vec<Vector3<f64>> {
    let mut at = Vec::new();
    let mut t = Isometry3::identity();
    for p in poses {
        t *= p;
        at.push(t.translation.vector * k[0] + (t.rotation * Vector3::x()) * k[1]);
    }
    at
}

fn truth() -> Rig {
    Rig {
        left: Isometry3::new(Vector3::new(0.1, 0.0, 0.0), Vector3::new(0.02, 0.01, -0.03)),
        right: Isometry3::new(Vector3::new(-0.1, 0.02, 0.1), Vector3::new(-0.05, 0.02, 0.03)),
        focal: 2.0,
    }
}

fn scene() -> (Vec<Point3<f32>>, Vec<[f32; 4]>) {
    let angles = (0..12_u8).map(f32::from);
    let points: Vec<_> = angles.map(|i| Point3::new((i * 0.7).sin(), (i * 1.3).cos(), 4.0 + (i * 0.5).sin())).collect();
    let seen = residuals(&truth(), &points, &[[0.0; 4]; 12]);
    (points, seen.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]).collect())
}

/// An optimiser goes from isometry to isometry.
#[test]
fn training() {
    let (points, seen) = scene();
    let mut rig = Rig { left: Isometry3::identity(), right: Isometry3::identity(), focal: 2.0 };
    check_grads!(cost, &rig, &points, &seen);
    let mut adam = Adam::new(&rig, 0.01);
    for _ in 0..800 {
        let gradient = cost::grad(&rig, &points, &seen);
        adam.step(&mut rig, &gradient);
    }
    assert!(cost(&rig, &points, &seen) < 1e-6);
    assert!(rig.right.rotation.angle_to(&truth().right.rotation) < 1e-3);
    assert!((rig.right.rotation.norm() - 1.0).abs() < 1e-6);
}

#[test]
fn several_directions() {
    let (points, seen) = scene();
    let rig = Rig { focal: 2.1, ..truth() };
    let (y, jacobian) = residuals::value_and_jacobian(&rig, &points, &seen);
    assert_eq!((y.len(), jacobian.len(), jacobian[0].len()), (48, 48, 13));
    let mut directions = [rig.zero_tangent(), rig.zero_tangent()];
    directions[0].left[4] = 1.0;
    directions[1].focal = 1.0;
    let (_, tangents) = residuals::jvp_many(&rig, &points, &seen, &directions);
    for (i, row) in jacobian.iter().enumerate() {
        assert!((tangents[0][i] - row[4]).abs() < 1e-5 && (tangents[1][i] - row[12]).abs() < 1e-5, "{i}");
    }
    let (products, gradient) = residuals::gauss_newton(&rig, &points, &seen);
    let expected: f32 = jacobian.iter().map(|row| row[4] * row[12]).sum();
    assert!((products[4][12] - expected).abs() < 1e-3 * (1.0 + expected.abs()), "{} {expected}", products[4][12]);
    let expected: f32 = jacobian.iter().zip(&y).map(|(row, r)| row[12] * r).sum();
    assert!((gradient.focal - expected).abs() < 1e-4 * (1.0 + expected.abs()));
}

#[test]
fn lists_of_poses() {
    let poses = [
        Isometry3::new(Vector3::new(1.0, 0.2, 0.0), Vector3::new(0.1, 0.2, 0.3)),
        Isometry3::new(Vector3::new(0.0, 0.2, 1.0), Vector3::new(-0.1, 0.2, 0.3)),
    ];
    check_grads!(chain, &poses[..], &[0.7, 0.4]);
    let (by_poses, _) = chain::jacobian(&poses, &[0.7, 0.4]);
    let mut directions = vec![Vector6::zeros(); 2];
    directions[1][5] = 1.0;
    let (_, tangents) = chain::jvp(&poses, &[0.7, 0.4], &directions, &[0.0, 0.0]);
    for (k, number) in tangents.iter().flatten().enumerate() {
        assert!((number - by_poses[k][11]).abs() < 1e-12);
    }
}
