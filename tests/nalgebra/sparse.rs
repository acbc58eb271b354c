//! Sparse Jacobians of residuals that rotate and transform: products of small matrices have patterns, and rows by iterations.

use autodiff::prelude::*;
use autodiff::{Differentiable, Path};
use nalgebra::{
    Isometry3, Matrix2, Matrix3, Matrix6, Point3, Rotation2, Rotation3, UnitComplex, UnitQuaternion, Vector2, Vector3,
    Vector6,
};

fn number(k: usize) -> f64 {
    (k as f64 * 1.37).sin()
}

fn vector(k: usize) -> Vector3<f64> {
    Vector3::new(number(k), number(k + 11), number(k + 29))
}

fn pose(k: usize) -> Isometry3<f64> {
    Isometry3::new(vector(k), vector(k + 9))
}

fn flat(value: &impl Differentiable<Scalar = f64>) -> Vec<f64> {
    let mut numbers = Vec::new();
    value.visit_leaves(&Path::ROOT, &mut |_, _, leaf: &[f64]| numbers.extend_from_slice(leaf));
    numbers
}

/// The values against pullbacks of single numbers. The function has rows by iterations, or it would not compile.
macro_rules! check {
    ($f:ident($($arg:expr),*), at most $most:expr) => {{
        let _ = $f::__iterations;
        let pattern = $f::sparsity($($arg),*);
        let mut values = vec![f64::NAN; pattern.len()];
        let y = $f::value_and_jacobian_sparse($($arg,)* &pattern, &mut values);
        let (same, pullback) = $f::vjp($($arg),*);
        assert_eq!(flat(&y), flat(&same));
        assert_eq!(pattern.rows(), flat(&y).len());
        for row in 0..pattern.rows() {
            let mut seed = y.zero_tangent();
            let mut numbers = 0..;
            seed.map_leaves(&mut |leaf: &mut [f64]| {
                for (number, k) in leaf.iter_mut().zip(&mut numbers) {
                    *number = if k == row { 1.0 } else { 0.0 };
                }
            });
            let mut dense = flat(&pullback(&seed));
            assert_eq!(dense.len(), pattern.columns());
            assert!(pattern.row(row).len() <= $most, "row {row} has {} columns", pattern.row(row).len());
            for (column, at) in pattern.row(row).iter().zip(pattern.row_offsets()[row]..) {
                let expected = std::mem::take(&mut dense[*column]);
                assert!((values[at] - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "{row}, {column}: {} {expected}", values[at]);
            }
            assert!(dense.iter().all(|outside| *outside == 0.0), "row {row}: {dense:?}");
        }
    }};
}

#[differentiable]
fn registration(
    turns: &[Vector3<f64>],
    points: &[Vector3<f64>],
    #[no_diff] of: &[usize],
    #[no_diff] seen: &[Vector3<f64>],
) -> Vec<Vector3<f64>> {
    let mut residuals = Vec::new();
    for k in 0..of.len() {
        let rotation = Rotation3::from_scaled_axis(turns[of[k]]);
        residuals.push(rotation * points[k] - seen[k]);
    }
    residuals
}

#[test]
fn points_that_are_rotated() {
    let points: Vec<_> = (0..6).map(vector).collect();
    let turns: Vec<_> = (7..10).map(vector).collect();
    check!(registration(&turns, &points, &[0, 1, 2, 0, 2, 1], &points), at most 6);
}

#[differentiable]
fn linear_maps(maps: &[Matrix3<f64>], points: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    (0..points.len()).map(|k| maps[k] * points[k] + maps[k].transpose() * points[k].component_mul(&points[k])).collect()
}

#[test]
fn matrices_that_are_parameters() {
    let points: Vec<_> = (0..5).map(vector).collect();
    let maps: Vec<_> = (0..5).map(|k| Matrix3::from_fn(|i, j| number(k + 3 * i + j))).collect();
    // A row and a column of the matrix, which share an element, and the point.
    check!(linear_maps(&maps, &points), at most 8);
}

#[derive(Clone, Copy, Differentiable)]
struct Camera {
    turn: Vector3<f64>,
    shift: Vector3<f64>,
    focal: f64,
    distortion: [f64; 2],
}

#[differentiable]
fn project(camera: &Camera, point: &Vector3<f64>) -> Vector2<f64> {
    let p = UnitQuaternion::from_scaled_axis(camera.turn) * point + camera.shift;
    let u = -p.xy() / p.z;
    let n = u.norm_squared();
    u * (camera.focal * (1.0 + n * (camera.distortion[0] + n * camera.distortion[1])))
}

#[derive(Clone, Copy)]
struct Observation {
    camera: usize,
    point: usize,
    seen: Vector2<f64>,
}

#[differentiable]
fn bundle(cameras: &[Camera], points: &[Vector3<f64>], #[no_diff] all: &[Observation]) -> Vec<Vector2<f64>> {
    all.iter().map(|one| project(&cameras[one.camera], &points[one.point]) - one.seen).collect()
}

#[test]
fn bundle_adjustment() {
    let ahead = Vector3::new(0.0, 0.0, 3.0);
    let camera = |k| Camera { turn: vector(k), shift: vector(k + 4) + ahead, focal: 1.1, distortion: [0.1, 0.01] };
    let observation = |k| Observation { camera: k % 3, point: k % 5, seen: Vector2::new(number(k), number(k + 1)) };
    let (cameras, points): (Vec<_>, Vec<_>) = ((0..3).map(camera).collect(), (0..5).map(vector).collect());
    let observations: Vec<_> = (0..10).map(observation).collect();
    check!(bundle(&cameras, &points, &observations), at most 12);
}

#[differentiable]
fn weighted(
    places: &[Vector2<f64>],
    #[no_diff] weights: &[Matrix2<f64>],
    #[no_diff] pairs: &[(usize, usize)],
) -> Vec<Vector2<f64>> {
    let mut residuals = Vec::with_capacity(pairs.len());
    for (k, &(i, j)) in pairs.iter().enumerate() {
        residuals.push(weights[k] * (places[i] - places[j]));
    }
    residuals
}

#[test]
fn residuals_with_weights() {
    let places: Vec<_> = (0..4).map(|k| vector(k).xy()).collect();
    let weights = [Matrix2::new(1.0, 0.2, 0.3, 2.0), Matrix2::new(1.0, 0.0, 0.0, 2.0)];
    check!(weighted(&places, &weights, &[(0, 1), (2, 3)]), at most 4);
}

#[differentiable]
fn pose_graph(
    poses: &[Isometry3<f64>],
    #[no_diff] edges: &[(usize, usize)],
    #[no_diff] seen: &[Isometry3<f64>],
    #[no_diff] weights: &[Matrix6<f64>],
) -> Vec<Vector6<f64>> {
    let mut residuals = Vec::new();
    for (k, (&(i, j), z)) in edges.iter().zip(seen).enumerate() {
        let error = z.inverse() * (poses[i].inverse() * poses[j]);
        let turn = error.rotation.scaled_axis();
        let shift = error.translation.vector;
        residuals.push(weights[k] * Vector6::new(shift.x, shift.y, shift.z, turn.x, turn.y, turn.z));
    }
    residuals
}

#[test]
fn edges_between_poses() {
    let poses: Vec<_> = (0..4).map(pose).collect();
    let edges = [(0, 1), (1, 2), (2, 3), (3, 0)];
    let weights: Vec<_> = (0..4).map(|k| Matrix6::from_fn(|i, j| number(k + 6 * i + j))).collect();
    check!(pose_graph(&poses, &edges, &poses, &weights), at most 12);
}

#[differentiable]
fn scan_matching(poses: &[Isometry3<f64>], #[no_diff] pairs: &[(usize, Point3<f64>, Point3<f64>)]) -> Vec<f64> {
    let mut distances = Vec::new();
    for (k, here, there) in pairs {
        let error = poses[*k] * here - there;
        distances.push(error.norm());
    }
    distances
}

#[test]
fn points_of_scans() {
    let poses: Vec<_> = (0..4).map(pose).collect();
    let point = |k| Point3::from(vector(k));
    check!(scan_matching(&poses, &[(0, point(3), point(4)), (3, point(5), point(6))]), at most 6);
}

#[differentiable]
fn averages(turns: &[UnitQuaternion<f64>], #[no_diff] pairs: &[(usize, usize)]) -> Vec<Vector3<f64>> {
    pairs.iter().map(|&(i, j)| (turns[i].inverse() * turns[j]).scaled_axis()).collect()
}

#[test]
fn rotations_that_are_parameters() {
    let turns: Vec<_> = (0..3).map(|k| UnitQuaternion::from_scaled_axis(vector(k))).collect();
    check!(averages(&turns, &[(0, 1), (1, 2), (2, 0)]), at most 6);
}

#[differentiable]
fn in_the_plane(angles: &[f64], points: &[Vector2<f64>]) -> Vec<Vector2<f64>> {
    let mut out = vec![Vector2::zeros(); points.len()];
    for k in 0..points.len() {
        out[k] = Rotation2::new(angles[k]) * points[k] + UnitComplex::new(angles[k]) * Vector2::new(1.0, 0.5);
    }
    out
}

#[test]
fn rotations_in_the_plane() {
    let points: Vec<_> = (0..4).map(|k| vector(k).xy()).collect();
    check!(in_the_plane(&[0.1, 0.4, 0.9, 1.2], &points), at most 3);
}
