// The error of an arm's pose, through functions that give isometries: its Jacobian against tangents one by one.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3, Vector6};

#[derive(Differentiable)]
struct Link {
    d: f64,
    a: f64,
    alpha: f64,
}

const ARM: [Link; 6] = [
    Link { d: 0.089, a: 0.0, alpha: 1.5 },
    Link { d: 0.0, a: -0.425, alpha: 0.0 },
    Link { d: 0.0, a: -0.392, alpha: 0.0 },
    Link { d: 0.109, a: 0.0, alpha: 1.5 },
    Link { d: 0.095, a: 0.0, alpha: -1.5 },
    Link { d: 0.082, a: 0.0, alpha: 0.0 },
];

#[differentiable]
fn step(link: &Link, angle: f64) -> Isometry3<f64> {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
    let twist = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), link.alpha);
    turn * Isometry3::from_parts(Translation3::new(link.a, 0.0, link.d), twist)
}

/// A function of one number alone.
#[differentiable]
fn turned(angle: f64) -> Isometry3<f64> {
    Isometry3::rotation(Vector3::new(0.0, 0.0, 1.0) * angle)
}

#[differentiable]
fn forward(q: &Vector6<f64>) -> Isometry3<f64> {
    let mut pose = Isometry3::identity();
    for (link, angle) in ARM.iter().zip(q.iter()) {
        pose *= step(link, *angle);
    }
    pose * turned(q[0] * q[5])
}

#[differentiable]
fn error(q: &Vector6<f64>, #[no_diff] goal: &Isometry3<f64>) -> Vector6<f64> {
    let pose = goal.inv_mul(&forward(q));
    let (t, r) = (pose.translation.vector, pose.rotation.scaled_axis());
    Vector6::new(t.x, t.y, t.z, r.x, r.y, r.z)
}

#[test]
fn gradients() {
    let q = Vector6::new(0.1, -0.8, 0.9, 0.2, 0.5, -0.3);
    let goal = forward(&Vector6::new(0.2, -0.7, 1.0, 0.1, 0.4, -0.2));
    check_grads!(error, &q, &goal);
    let (value, jacobian) = error::value_and_jacobian(&q, &goal);
    assert!((value - error(&q, &goal)).norm() < 1e-15);
    for column in 0..6 {
        let mut along = Vector6::zeros();
        along[column] = 1.0;
        let (_, dot) = error::jvp(&q, &goal, &along);
        for row in 0..6 {
            assert!((jacobian[(row, column)] - dot[row]).abs() < 1e-14, "{row} {column}");
        }
    }
}
