//! k-means clustering by Newton's method.

use crate::protocol::{Error, Evaluation, Job};
use autodiff::prelude::*;
use serde::Deserialize;

/// The sum over all points of the squared distance to the nearest centroid, all of them in `d` dimensions.
#[differentiable(wrt(centroids), order = 2)]
pub fn cost(points: &[f64], centroids: &[f64], d: usize) -> f64 {
    let mut cost = 0.0;
    for i in 0..points.len() / d {
        let point = &points[i * d..(i + 1) * d];
        let mut nearest = 0;
        let mut smallest = f64::INFINITY;
        for j in 0..centroids.len() / d {
            let distance = squared_distance(point, &centroids[j * d..(j + 1) * d]);
            if distance < smallest {
                smallest = distance;
                nearest = j;
            }
        }
        cost += squared_distance(point, &centroids[nearest * d..(nearest + 1) * d]);
    }
    cost
}

/// ‖a - b‖²
#[differentiable(wrt(b), order = 2)]
pub fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    sum
}

/// The gradient of the cost.
#[differentiable(wrt(centroids))]
pub fn gradient(points: &[f64], centroids: &[f64], d: usize) -> Vec<f64> {
    cost::grad(points, centroids, d)
}

/// Newton's direction: the gradient divided by the diagonal of the Hessian, which has no other elements, so that its
/// diagonal is the derivative of the gradient in the direction of a vector of ones.
pub fn direction(points: &[f64], centroids: &[f64], d: usize) -> Vec<f64> {
    let (gradient, diagonal) = gradient::jvp(points, centroids, d, &vec![1.0; centroids.len()]);
    gradient.iter().zip(&diagonal).map(|(gradient, diagonal)| gradient / diagonal).collect()
}

#[derive(Deserialize)]
struct Input {
    points: Vec<Vec<f64>>,
    centroids: Vec<Vec<f64>>,
}

/// The input, with every matrix as one vector, row after row.
struct Problem {
    points: Vec<f64>,
    centroids: Vec<f64>,
    d: usize,
}

impl From<Input> for Problem {
    fn from(input: Input) -> Problem {
        Problem { points: input.points.concat(), centroids: input.centroids.concat(), d: input.points[0].len() }
    }
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    let job = Job::<Input>::read(input)?.prepare(Problem::from);
    match function {
        "cost" => job.run(|p| cost(&p.points, &p.centroids, p.d)),
        "dir" => job.run(|p| {
            let direction = direction(&p.points, &p.centroids, p.d);
            direction.chunks_exact(p.d).map(<[f64]>::to_vec).collect::<Vec<_>>()
        }),
        unknown => Error::unknown(unknown),
    }
}
