// Pose graph: relative-pose residuals from isometries built of six parameters, plus landmarks.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3, Vector6};

#[derive(Differentiable, Clone)]
struct Pose {
    t: Vector3<f64>,
    r: Vector3<f64>,
}

#[differentiable]
fn between(a: &Pose, b: &Pose, m: &Pose) -> Vector6<f64> {
    let ta = Isometry3::new(a.t, a.r);
    let tb = Isometry3::new(b.t, b.r);
    let tm = Isometry3::from_parts(Translation3::from(m.t), UnitQuaternion::from_scaled_axis(m.r));
    let e = tm.inverse() * ta.inv_mul(&tb);
    let w = e.rotation.scaled_axis();
    let p = e.translation.vector;
    Vector6::new(p.x, p.y, p.z, w.x, w.y, w.z)
}

#[differentiable]
fn graph_cost(poses: &[Pose], #[no_diff] links: &[(usize, usize)], measured: &[Pose], weights: &Vector6<f64>) -> f64 {
    let mut cost = 0.0;
    for (&(from, to), m) in links.iter().zip(measured) {
        let e = between(&poses[from], &poses[to], m);
        cost += e.component_mul(weights).dot(&e);
    }
    cost
}

#[differentiable]
fn landmark_cost(pose: &Pose, seen: &[Point3<f64>], map: &[Point3<f64>]) -> f64 {
    let iso = Isometry3::new(pose.t, pose.r);
    seen.iter().zip(map).map(|(s, m)| nalgebra::distance(&iso.transform_point(s), m)).sum()
}

#[test]
fn gradients() {
    let poses = vec![
        Pose { t: Vector3::new(0.0, 0.1, 0.0), r: Vector3::new(0.1, 0.0, 0.2) },
        Pose { t: Vector3::new(1.0, 0.0, 0.2), r: Vector3::new(0.0, 0.2, 0.3) },
        Pose { t: Vector3::new(1.5, 0.9, 0.1), r: Vector3::new(-0.1, 0.1, 0.9) },
    ];
    let m = Pose { t: Vector3::new(0.9, -0.1, 0.1), r: Vector3::new(0.05, 0.1, 0.2) };
    let links = [(0, 1), (1, 2)];
    let measured = vec![m.clone(), Pose { t: Vector3::new(0.7, 0.6, 0.0), r: Vector3::new(0.0, 0.0, 0.5) }];
    let w = Vector6::new(1.0, 1.0, 1.0, 4.0, 4.0, 4.0);
    check_grads!(between, &poses[0], &poses[1], &m);
    check_grads!(graph_cost, &poses, &links, &measured, &w);
    let seen = [Point3::new(1.0, 0.2, 0.5), Point3::new(-0.4, 0.8, 1.0)];
    let map = [Point3::new(1.2, 0.0, 0.6), Point3::new(-0.1, 1.0, 1.1)];
    check_grads!(landmark_cost, &poses[0], &seen, &map);
    let at_origin = Pose { t: Vector3::zeros(), r: Vector3::zeros() };
    assert!(between(&at_origin, &m, &m).norm() < 1e-12);
}
