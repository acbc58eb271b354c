//! Finds the joint angles with which the hand of a robot arm is where it should be, by the method of Levenberg and Marquardt.
//!
//! ```text
//! cargo run --release --example inverse_kinematics
//! ```
//!
//! The forward kinematics is the function that a user has anyway. Its Jacobian is generated.

#[path = "common/picture.rs"]
mod picture;

use autodiff::prelude::*;
use nalgebra::{Isometry3, Matrix6, Translation3, UnitQuaternion, Vector3, Vector6};
use picture::Picture;
use plotters::style::{BLUE, RED, RGBColor};
use std::error::Error;
use std::f64::consts::FRAC_PI_2;

/// A joint turns about its z axis. A link leads to the next joint: `d` along the axis, `a` across, and the next axis is twisted by `alpha`.
#[derive(Differentiable)]
struct Link {
    d: f64,
    a: f64,
    alpha: f64,
}

/// The parameters of Denavit and Hartenberg, in metres and radians.
const ARM: [Link; 6] = [
    Link { d: 0.089, a: 0.0, alpha: FRAC_PI_2 },
    Link { d: 0.0, a: -0.425, alpha: 0.0 },
    Link { d: 0.0, a: -0.392, alpha: 0.0 },
    Link { d: 0.109, a: 0.0, alpha: FRAC_PI_2 },
    Link { d: 0.095, a: 0.0, alpha: -FRAC_PI_2 },
    Link { d: 0.082, a: 0.0, alpha: 0.0 },
];

/// From a joint to the next.
#[differentiable]
fn step(link: &Link, angle: f64) -> Isometry3<f64> {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
    let twist = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), link.alpha);
    turn * Isometry3::from_parts(Translation3::new(link.a, 0.0, link.d), twist)
}

/// The pose of the hand.
#[differentiable]
fn forward(q: &Vector6<f64>) -> Isometry3<f64> {
    let mut pose = Isometry3::identity();
    for (link, angle) in ARM.iter().zip(q.iter()) {
        pose *= step(link, *angle);
    }
    pose
}

/// What is missing to the goal: a translation, and an axis times an angle.
#[differentiable]
fn error(q: &Vector6<f64>, #[no_diff] goal: &Isometry3<f64>) -> Vector6<f64> {
    let pose = goal.inv_mul(&forward(q));
    let (t, r) = (pose.translation.vector, pose.rotation.scaled_axis());
    Vector6::new(t.x, t.y, t.z, r.x, r.y, r.z)
}

/// Newton's step where the model holds, a short one along the gradient where it does not.
fn solve(start: &Vector6<f64>, goal: &Isometry3<f64>) -> Vec<Vector6<f64>> {
    let (mut path, mut damping) = (vec![*start], 1e-2);
    for _ in 0..100 {
        let q = path[path.len() - 1];
        let (r, jacobian) = error::value_and_jacobian(&q, goal);
        println!("{:3}   error {:9.2e}   damping {damping:7.1e}", path.len() - 1, r.norm());
        if r.norm() < 1e-12 {
            break;
        }
        let (square, gradient) = (jacobian.tr_mul(&jacobian), jacobian.tr_mul(&r));
        let damped = square + Matrix6::from_diagonal(&square.diagonal().add_scalar(1e-9)) * damping;
        let Some(factor) = damped.cholesky() else { break };
        let next = q - factor.solve(&gradient);
        if error(&next, goal).norm() < r.norm() {
            path.push(next);
            damping *= 0.1;
        } else {
            damping *= 10.0;
        }
    }
    path
}

/// The joints seen from the side.
fn joints(q: &Vector6<f64>) -> Vec<[f64; 2]> {
    let mut pose = Isometry3::identity();
    let mut points = vec![[0.0, 0.0]];
    for (link, angle) in ARM.iter().zip(q.iter()) {
        pose *= step(link, *angle);
        points.push([pose.translation.x, pose.translation.z]);
    }
    points
}

fn main() -> Result<(), Box<dyn Error>> {
    let goal = Isometry3::new(Vector3::new(-0.45, -0.25, 0.45), Vector3::new(0.4, 1.2, -0.6));
    let start = Vector6::new(0.0, -0.4, 0.6, 0.2, 0.5, 0.0);
    let path = solve(&start, &goal);
    let found = path[path.len() - 1];
    println!("joints {:.4?}", found.as_slice());

    let mut picture = Picture::map("The arm on its way", ["x in m", "z in m"]);
    for (k, q) in path.iter().enumerate() {
        let shade = (200 - 200 * k / path.len()) as u8;
        picture.line("", RGBColor(shade, shade, shade), joints(q));
    }
    picture.line("start", BLUE, joints(&start));
    picture.line("found", RED, joints(&found));
    picture.dots("goal", RED, [[goal.translation.x, goal.translation.z]]);
    picture.save("inverse_kinematics")?;

    let hand = forward(&found);
    assert!((hand.translation.vector - goal.translation.vector).norm() < 1e-9);
    assert!(hand.rotation.angle_to(&goal.rotation) < 1e-9);
    Ok(())
}
