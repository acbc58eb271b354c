//! Optimises a pose graph on SE(3): a sensor flies up a spiral and sees, relative to where it is, where it was before.
//!
//! ```text
//! cargo run --release --example pose_graph
//! ```
//!
//! Poses are parameters as they are, `Isometry3`. Derivatives by them are by changes in se(3), and so is a step of Gauss and
//! Newton: no coordinates are chosen, and no rotation has to be normalised.

#[path = "common/picture.rs"]
mod picture;

use autodiff::Differentiable;
use autodiff::prelude::*;
use nalgebra::{DMatrix, DVector, Isometry3, Translation3, UnitQuaternion, Vector3, Vector6};
use picture::Picture;
use plotters::style::{BLACK, BLUE, GREEN, RED};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::f64::consts::TAU;

const ROUND: usize = 20;
const POSES: usize = 4 * ROUND;

/// Pose `to` was seen from pose `from`.
struct Edge {
    from: usize,
    to: usize,
    seen: Isometry3<f64>,
}

/// The difference between the pose of `b` as seen from `a` and as it was measured, in units of its standard deviation.
#[differentiable]
fn residual(a: &Isometry3<f64>, b: &Isometry3<f64>, #[no_diff] seen: &Isometry3<f64>) -> Vector6<f64> {
    let error = seen.inv_mul(&a.inv_mul(b));
    let (t, r) = (error.translation.vector / 0.05, error.rotation.scaled_axis() / 0.02);
    Vector6::new(t.x, t.y, t.z, r.x, r.y, r.z)
}

fn cost(poses: &[Isometry3<f64>], edges: &[Edge]) -> f64 {
    edges.iter().map(|edge| residual(&poses[edge.from], &poses[edge.to], &edge.seen).norm_squared()).sum()
}

/// One step of Gauss and Newton. The first pose stays where it is.
fn step(poses: &mut [Isometry3<f64>], edges: &[Edge]) -> Option<f64> {
    let size = 6 * (poses.len() - 1);
    let (mut square, mut gradient) = (DMatrix::zeros(size, size), DVector::zeros(size));
    for Edge { from, to, seen } in edges {
        let (r, (by_a, by_b)) = residual::value_and_jacobian(&poses[*from], &poses[*to], seen);
        let blocks = [(*from, by_a), (*to, by_b)];
        for (row, left) in blocks.iter().filter(|(row, _)| *row > 0) {
            let mut part = gradient.fixed_rows_mut::<6>(6 * (row - 1));
            part += left.tr_mul(&r);
            for (column, right) in blocks.iter().filter(|(column, _)| *column > 0) {
                let mut part = square.fixed_view_mut::<6, 6>(6 * (row - 1), 6 * (column - 1));
                part += left.tr_mul(right);
            }
        }
    }
    let change = square.cholesky()?.solve(&gradient);
    for (k, pose) in poses[1..].iter_mut().enumerate() {
        pose.add_scaled(-1.0, &change.fixed_rows::<6>(6 * k).into_owned());
    }
    Some(change.norm())
}

/// A change of a pose, by a number of the standard normal distribution for each direction.
fn noise(rng: &mut ChaCha8Rng) -> Isometry3<f64> {
    // The sum of twelve uniform numbers is nearly normal.
    let mut normal = || (0..12).map(|_| rng.random_range(-0.5..0.5)).sum::<f64>();
    let t = Vector3::from_fn(|_, _| 0.05 * normal());
    Isometry3::new(t, Vector3::from_fn(|_, _| 0.02 * normal()))
}

/// The mean distance of places.
fn distance(poses: &[Isometry3<f64>], truth: &[Isometry3<f64>]) -> f64 {
    let apart = poses.iter().zip(truth).map(|(a, b)| (a.translation.vector - b.translation.vector).norm());
    apart.sum::<f64>() / poses.len() as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let truth: Vec<Isometry3<f64>> = (0..POSES)
        .map(|k| {
            let angle = TAU * k as f64 / ROUND as f64;
            let rotation = UnitQuaternion::from_euler_angles(0.1 * angle.sin(), 0.1, angle);
            Isometry3::from_parts(Translation3::new(5.0 * angle.cos(), 5.0 * angle.sin(), 0.15 * angle), rotation)
        })
        .collect();
    let mut edges = Vec::new();
    for k in 1..POSES {
        // The pose before, and one a round ago.
        for back in [1, ROUND] {
            if let Some(from) = k.checked_sub(back) {
                edges.push(Edge { from, to: k, seen: truth[from].inv_mul(&truth[k]) * noise(&mut rng) });
            }
        }
    }
    let mut poses = vec![truth[0]];
    for edge in edges.iter().filter(|edge| edge.to == edge.from + 1) {
        poses.push(poses[edge.from] * edge.seen);
    }
    let start = poses.clone();

    println!("start    cost {:12.3}, off by {:.4} m", cost(&poses, &edges), distance(&poses, &truth));
    let mut length = f64::INFINITY;
    for k in 1..=10 {
        length = step(&mut poses, &edges).ok_or("the poses are not determined")?;
        println!("step {k:2}  cost {:12.3}, length {length:.1e}", cost(&poses, &edges));
        if length < 1e-9 {
            break;
        }
    }
    println!("the end  off by {:.4} m", distance(&poses, &truth));

    let mut picture = Picture::map("A spiral from above", ["x in m", "y in m"]);
    let places = |poses: &[Isometry3<f64>]| -> Vec<[f64; 2]> {
        poses.iter().map(|pose| [pose.translation.x, pose.translation.y]).collect()
    };
    for edge in edges.iter().filter(|edge| edge.to != edge.from + 1) {
        picture.line("", GREEN, places(&[poses[edge.from], poses[edge.to]]));
    }
    picture.line("truth", BLACK, places(&truth));
    picture.line("by steps alone", BLUE, places(&start));
    picture.line("optimised", RED, places(&poses));
    picture.save("pose_graph")?;

    assert!(length < 1e-9);
    assert!(distance(&poses, &truth) < 0.5 * distance(&start, &truth));
    // Six numbers for each edge beyond those that place the poses.
    let freedom = 6.0 * (edges.len() - POSES + 1) as f64;
    assert!((0.7..1.3).contains(&(cost(&poses, &edges) / freedom)));
    Ok(())
}
