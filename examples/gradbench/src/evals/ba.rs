//! Bundle adjustment: cameras and points in space, fitted to where the points are seen.

use crate::protocol::{Error, Evaluation, Job};
use autodiff::prelude::*;
use serde::{Deserialize, Serialize};

/// By how much a point, seen by `camera`, misses the place where it was observed. A camera is: axis and angle of its
/// rotation, its centre (3 each), the focal length, the principal point (2), two parameters of radial distortion.
#[differentiable]
pub fn reprojection_error(
    camera: &[f64; 11],
    point: &[f64; 3],
    weight: f64,
    #[no_diff] observed: &[f64; 2],
) -> [f64; 2] {
    let shifted = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
    let seen = rotate(&[camera[0], camera[1], camera[2]], &shifted);
    let x = seen[0] / seen[2];
    let y = seen[1] / seen[2];
    let r2 = x * x + y * y;
    let distortion = 1.0 + camera[9] * r2 + camera[10] * r2 * r2;
    let u = x * distortion * camera[6] + camera[7];
    let v = y * distortion * camera[6] + camera[8];
    [weight * (u - observed[0]), weight * (v - observed[1])]
}

/// Rotates `x` about the axis `rotation` by the angle that is its length: Rodrigues' formula.
#[differentiable(inline)]
pub fn rotate(rotation: &[f64; 3], x: &[f64; 3]) -> [f64; 3] {
    let squared = dot(rotation, rotation);
    if squared == 0.0 {
        let turned = cross(rotation, x);
        [x[0] + turned[0], x[1] + turned[1], x[2] + turned[2]]
    } else {
        let angle = squared.sqrt();
        let (sin, cos) = (angle.sin(), angle.cos());
        let axis = [rotation[0] / angle, rotation[1] / angle, rotation[2] / angle];
        let turned = cross(&axis, x);
        let along = dot(&axis, x) * (1.0 - cos);
        [
            x[0] * cos + turned[0] * sin + axis[0] * along,
            x[1] * cos + turned[1] * sin + axis[1] * along,
            x[2] * cos + turned[2] * sin + axis[2] * along,
        ]
    }
}

/// a · b
#[differentiable]
pub fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b
#[differentiable]
pub fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// How far a weight is from 1.
#[differentiable]
pub fn weight_error(weight: f64) -> f64 {
    1.0 - weight * weight
}

/// All cameras, points and observations. Observation `i` is of point `i % m` by camera `i % n`.
pub struct Problem {
    /// The cameras.
    pub cameras: Vec<[f64; 11]>,
    /// The points in space.
    pub points: Vec<[f64; 3]>,
    /// How much each observation counts.
    pub weights: Vec<f64>,
    /// Where the points were seen.
    pub observed: Vec<[f64; 2]>,
}

/// The errors of all observations, and those of all weights.
pub struct Errors {
    /// By how much each observation misses.
    pub reprojection: Vec<[f64; 2]>,
    /// How far each weight is from 1.
    pub weight: Vec<f64>,
}

/// A matrix by its rows: the elements of row `i` are those from `rows[i]` to `rows[i + 1]`.
#[derive(Default)]
pub struct Sparse {
    /// Where the rows begin, and where the last one ends.
    pub rows: Vec<usize>,
    /// The column of each element.
    pub columns: Vec<usize>,
    /// The elements.
    pub values: Vec<f64>,
}

impl Problem {
    fn camera_and_point(&self, observation: usize) -> (usize, usize) {
        (observation % self.cameras.len(), observation % self.points.len())
    }

    /// The errors of all observations and weights.
    pub fn errors(&self) -> Errors {
        let reprojection = (0..self.weights.len()).map(|i| {
            let (camera, point) = self.camera_and_point(i);
            reprojection_error(&self.cameras[camera], &self.points[point], self.weights[i], &self.observed[i])
        });
        let weight = self.weights.iter().map(|weight| weight_error(*weight));
        Errors { reprojection: reprojection.collect(), weight: weight.collect() }
    }

    /// The derivatives of all errors by all cameras, points and weights, in this order. Each error depends on one of
    /// each kind, so a row has 15 elements, or 1.
    pub fn jacobian(&self) -> Sparse {
        let mut jacobian = Sparse::default();
        self.jacobian_into(&mut jacobian);
        jacobian
    }

    /// The same, written over what `jacobian` was before.
    pub fn jacobian_into(&self, jacobian: &mut Sparse) {
        let n = self.weights.len();
        let points_at = 11 * self.cameras.len();
        let weights_at = points_at + 3 * self.points.len();
        jacobian.clear();
        jacobian.rows.reserve(3 * n + 1);
        jacobian.columns.reserve(31 * n);
        jacobian.values.reserve(31 * n);
        jacobian.rows.push(0);
        for i in 0..n {
            let (camera, point) = self.camera_and_point(i);
            let (_, pullback) =
                reprojection_error::vjp(&self.cameras[camera], &self.points[point], self.weights[i], &self.observed[i]);
            for error in [[1.0, 0.0], [0.0, 1.0]] {
                let (by_camera, by_point, by_weight) = pullback(&error);
                jacobian.extend(11 * camera, &by_camera);
                jacobian.extend(points_at + 3 * point, &by_point);
                jacobian.extend(weights_at + i, &[by_weight]);
                jacobian.end_row();
            }
        }
        for (i, weight) in self.weights.iter().enumerate() {
            jacobian.extend(weights_at + i, &[weight_error::grad(*weight)]);
            jacobian.end_row();
        }
    }
}

impl Sparse {
    fn clear(&mut self) {
        self.rows.clear();
        self.columns.clear();
        self.values.clear();
    }

    /// Adds elements to the last row, in columns from `column` on.
    fn extend(&mut self, column: usize, values: &[f64]) {
        self.columns.extend(column..column + values.len());
        self.values.extend_from_slice(values);
    }

    fn end_row(&mut self) {
        self.rows.push(self.values.len());
    }
}

/// One camera, point, weight and observation, to be repeated `n`, `m`, `p` and `p` times.
#[derive(Deserialize)]
struct Input {
    n: usize,
    m: usize,
    p: usize,
    cam: [f64; 11],
    x: [f64; 3],
    w: f64,
    feat: [f64; 2],
}

impl From<Input> for Problem {
    fn from(input: Input) -> Problem {
        Problem {
            cameras: vec![input.cam; input.n],
            points: vec![input.x; input.m],
            weights: vec![input.w; input.p],
            observed: vec![input.feat; input.p],
        }
    }
}

impl Serialize for Errors {
    /// All errors are the same, so one is enough.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Repeated<T> {
            #[serde(flatten)]
            what: T,
            repeated: usize,
        }
        #[derive(Serialize)]
        struct Elements {
            elements: [f64; 2],
        }
        #[derive(Serialize)]
        struct Element {
            element: f64,
        }
        #[derive(Serialize)]
        struct Output {
            reproj_error: Repeated<Elements>,
            w_err: Repeated<Element>,
        }
        let output = Output {
            reproj_error: Repeated {
                what: Elements { elements: self.reprojection[0] },
                repeated: self.reprojection.len(),
            },
            w_err: Repeated { what: Element { element: self.weight[0] }, repeated: self.weight.len() },
        };
        output.serialize(serializer)
    }
}

impl Serialize for Sparse {
    /// The first 30 elements of each part, and the last.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fn shortened<T: Copy>(all: &[T]) -> Vec<T> {
            all.iter().take(30).chain(all.last()).copied().collect()
        }
        #[derive(Serialize)]
        struct Output {
            rows: Vec<usize>,
            cols: Vec<usize>,
            vals: Vec<f64>,
        }
        let output =
            Output { rows: shortened(&self.rows), cols: shortened(&self.columns), vals: shortened(&self.values) };
        output.serialize(serializer)
    }
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    let job = Job::<Input>::read(input)?.prepare(Problem::from);
    match function {
        "objective" => job.run(Problem::errors),
        "jacobian" => job.run_into(Sparse::default(), Problem::jacobian_into),
        unknown => Error::unknown(unknown),
    }
}
