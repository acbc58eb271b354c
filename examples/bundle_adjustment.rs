//! Reconstructs a scene from pictures: poses of cameras and places of points, from where each camera sees each point.
//!
//! ```text
//! cargo run --release --example bundle_adjustment
//! ```
//!
//! The method of Levenberg and Marquardt. Each residual has one camera and one point, so that the equation for the points
//! falls apart into blocks of 3 by 3. The Schur complement leaves one for the cameras.

#[path = "common/picture.rs"]
mod picture;

use autodiff::Differentiable;
use autodiff::prelude::*;
use nalgebra::{Isometry3, Matrix3, Matrix6, Matrix6x3, Point2, Point3, SMatrix, SVector, Vector2, Vector3, Vector6};
use picture::Picture;
use plotters::style::{BLACK, BLUE, RED};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::f64::consts::TAU;

const CAMERAS: usize = 8;
/// So many of them are known: they say where the scene is, and how large.
const KNOWN: usize = 2;
/// How many numbers the others have.
const UNKNOWNS: usize = 6 * (CAMERAS - KNOWN);
const POINTS: usize = 120;

/// Where a camera sees a point, minus where it has seen it. A camera looks along its z axis; its pose takes points of the
/// scene to its own coordinates.
#[differentiable]
fn reprojection(camera: &Isometry3<f64>, point: &Point3<f64>, #[no_diff] seen: &Point2<f64>) -> Vector2<f64> {
    let p = camera * point;
    Vector2::new(p.x / p.z, p.y / p.z) - seen.coords
}

#[derive(Clone)]
struct Scene {
    cameras: Vec<Isometry3<f64>>,
    points: Vec<Point3<f64>>,
}

/// Camera and point by number, and the place in the picture.
type Observation = (usize, usize, Point2<f64>);

fn cost(scene: &Scene, seen: &[Observation]) -> f64 {
    seen.iter().map(|(c, p, at)| reprojection(&scene.cameras[*c], &scene.points[*p], at).norm_squared()).sum()
}

/// The scene after a step, of which `damping` is how much it is drawn to the gradient.
fn step(scene: &Scene, seen: &[Observation], damping: f64) -> Option<Scene> {
    let (mut by_cameras, mut camera_gradients) = ([Matrix6::zeros(); CAMERAS], [Vector6::zeros(); CAMERAS]);
    let (mut by_points, mut point_gradients) = (vec![Matrix3::zeros(); POINTS], vec![Vector3::zeros(); POINTS]);
    let mut mixed = vec![[Matrix6x3::zeros(); CAMERAS]; POINTS];
    for (c, p, at) in seen {
        let (r, (a, b)) = reprojection::value_and_jacobian(&scene.cameras[*c], &scene.points[*p], at);
        by_cameras[*c] += a.tr_mul(&a);
        by_points[*p] += b.tr_mul(&b);
        mixed[*p][*c] += a.tr_mul(&b);
        camera_gradients[*c] += a.tr_mul(&r);
        point_gradients[*p] += b.tr_mul(&r);
    }

    let mut schur = SMatrix::<f64, UNKNOWNS, UNKNOWNS>::zeros();
    let mut right = SVector::<f64, UNKNOWNS>::zeros();
    for c in KNOWN..CAMERAS {
        let (at, damped) =
            (6 * (c - KNOWN), by_cameras[c] + Matrix6::from_diagonal(&by_cameras[c].diagonal()) * damping);
        schur.fixed_view_mut::<6, 6>(at, at).copy_from(&damped);
        right.fixed_rows_mut::<6>(at).copy_from(&camera_gradients[c]);
    }
    let mut inverses = Vec::new();
    for p in 0..POINTS {
        let inverse = (by_points[p] + Matrix3::from_diagonal(&by_points[p].diagonal()) * damping).try_inverse()?;
        for c in KNOWN..CAMERAS {
            let left = mixed[p][c] * inverse;
            let mut part = right.fixed_rows_mut::<6>(6 * (c - KNOWN));
            part -= left * point_gradients[p];
            for d in KNOWN..CAMERAS {
                let mut part = schur.fixed_view_mut::<6, 6>(6 * (c - KNOWN), 6 * (d - KNOWN));
                part -= left * mixed[p][d].transpose();
            }
        }
        inverses.push(inverse);
    }
    let change = schur.cholesky()?.solve(&right);

    let mut next = scene.clone();
    for c in KNOWN..CAMERAS {
        let change = change.fixed_rows::<6>(6 * (c - KNOWN)).into_owned();
        next.cameras[c].add_scaled(-1.0, &change);
        for p in 0..POINTS {
            point_gradients[p] -= mixed[p][c].tr_mul(&change);
        }
    }
    for p in 0..POINTS {
        next.points[p] -= inverses[p] * point_gradients[p];
    }
    Some(next)
}

/// A random vector.
fn around(size: f64, rng: &mut ChaCha8Rng) -> Vector3<f64> {
    Vector3::from_fn(|_, _| rng.random_range(-size..size))
}

/// The mean distance of points.
fn distance(a: &Scene, b: &Scene) -> f64 {
    a.points.iter().zip(&b.points).map(|(a, b)| (a - b).norm()).sum::<f64>() / POINTS as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let rng = &mut ChaCha8Rng::seed_from_u64(5);
    // A coil, and cameras around it.
    let points = (0..POINTS).map(|k| {
        let (a, b) = (TAU * k as f64 / POINTS as f64, 1.2 * k as f64);
        Point3::new((2.0 + 0.6 * b.cos()) * a.cos(), (2.0 + 0.6 * b.cos()) * a.sin(), 0.6 * b.sin())
    });
    let cameras = (0..CAMERAS).map(|k| {
        let angle = TAU * k as f64 / CAMERAS as f64;
        let eye = Point3::new(6.0 * angle.cos(), 6.0 * angle.sin(), 3.0);
        Isometry3::look_at_lh(&eye, &Point3::origin(), &Vector3::z())
    });
    let truth = Scene { cameras: cameras.collect(), points: points.collect() };
    let mut seen = Vec::new();
    for p in 0..POINTS {
        for c in 0..CAMERAS {
            let error = around(2e-3, rng).xy();
            let at = reprojection(&truth.cameras[c], &truth.points[p], &Point2::from(-error));
            seen.push((c, p, Point2::from(at)));
        }
    }
    let mut scene = truth.clone();
    for camera in &mut scene.cameras[KNOWN..] {
        *camera = Isometry3::new(around(0.2, rng), around(0.05, rng)) * *camera;
    }
    for point in &mut scene.points {
        *point += around(0.4, rng);
    }
    let start = scene.clone();

    let (mut value, mut damping) = (cost(&scene, &seen), 1e-3);
    println!("start    cost {value:.6}, points off by {:.4}", distance(&scene, &truth));
    for k in 1..=20 {
        let next = step(&scene, &seen, damping).ok_or("a singular equation")?;
        let better = cost(&next, &seen);
        println!("step {k:2}  cost {better:.6}");
        let is_done = better > value * (1.0 - 1e-9);
        if better < value {
            (scene, value, damping) = (next, better, damping * 0.1);
        } else {
            damping *= 10.0;
        }
        if is_done {
            break;
        }
    }
    println!("the end  points off by {:.4}", distance(&scene, &truth));

    let mut picture = Picture::map("A scene from above", ["x", "y"]);
    let places = |scene: &Scene| scene.points.iter().map(|point| [point.x, point.y]).collect::<Vec<_>>();
    let eyes = |scene: &Scene| {
        let eyes = scene.cameras.iter().map(|camera| camera.inverse().translation.vector);
        eyes.map(|eye| [eye.x, eye.y]).collect::<Vec<_>>()
    };
    for (name, color, scene) in [("before", BLUE, &start), ("after", RED, &scene)] {
        picture.dots(name, color, places(scene));
        picture.dots("", color, eyes(scene));
    }
    picture.line("truth", BLACK, places(&truth));
    picture.save("bundle_adjustment")?;

    // The noise is uniform, and takes up what the unknowns do not.
    let variance = value / (2 * seen.len() - UNKNOWNS - 3 * POINTS) as f64;
    assert!((0.8..1.2).contains(&(variance / (2e-3_f64.powi(2) / 3.0))));
    assert!(distance(&scene, &truth) < 0.05 * distance(&start, &truth));
    Ok(())
}
