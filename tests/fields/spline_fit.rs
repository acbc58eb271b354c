//! Geometry: fitting a B-spline (de Boor) and a Bézier curve (de Casteljau) to points, by their control points (Piegl, Tiller).
use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul, Sub};

#[derive(Differentiable, Clone, Copy, Debug, Default, PartialEq)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
}

#[differentiable]
impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point { x: self.x - other.x, y: self.y - other.y }
    }
}

#[differentiable]
impl Mul<Point> for f64 {
    type Output = Point;
    fn mul(self, p: Point) -> Point {
        Point { x: self * p.x, y: self * p.y }
    }
}

#[differentiable]
impl Point {
    fn lerp(self, other: Point, t: f64) -> Point {
        (1.0 - t) * self + t * other
    }

    fn norm_squared(self) -> f64 {
        self.x.powi(2) + self.y.powi(2)
    }
}

/// A point of a Bézier curve.
#[differentiable]
fn de_casteljau(control: &[Point], t: f64) -> Point {
    let mut points = control.to_vec();
    while points.len() > 1 {
        points = points.windows(2).map(|w| w[0].lerp(w[1], t)).collect();
    }
    points[0]
}

#[derive(Differentiable, Clone, Debug)]
struct BSpline {
    control: Vec<Point>,
    #[no_diff]
    knots: Vec<f64>,
    degree: usize,
}

impl BSpline {
    /// Knots that are clamped at both ends and uniform between.
    fn clamped(control: Vec<Point>, degree: usize) -> Self {
        let spans = control.len() - degree;
        let mut knots = vec![0.0; degree + 1];
        knots.extend((1..spans).map(|k| k as f64 / spans as f64));
        knots.extend(vec![1.0; degree + 1]);
        BSpline { control, knots, degree }
    }
}

/// The knot span that contains `u`.
fn find_span(knots: &[f64], degree: usize, u: f64) -> usize {
    let last = knots.len() - degree - 2;
    if u >= knots[last + 1] {
        return last;
    }
    (degree..=last).rev().find(|&k| knots[k] <= u).unwrap_or(degree)
}

#[differentiable]
impl BSpline {
    fn evaluate(&self, #[no_diff] u: f64) -> Point {
        let p = self.degree;
        let k = find_span(&self.knots, p, u);
        let mut d: Vec<Point> = (0..=p).map(|j| self.control[j + k - p]).collect();
        for r in 1..=p {
            for j in (r..=p).rev() {
                let low = self.knots[j + k - p];
                let high = self.knots[j + 1 + k - r];
                let alpha = (u - low) / (high - low);
                d[j] = d[j - 1].lerp(d[j], alpha);
            }
        }
        d[p]
    }

    /// Second differences of the control polygon.
    fn roughness(&self) -> f64 {
        self.control.windows(3).map(|w| (w[0] + w[2] - 2.0 * w[1]).norm_squared()).sum()
    }
}

#[differentiable]
fn spline_loss(spline: &BSpline, #[no_diff] data: &[(f64, Point)], #[no_diff] lambda: f64) -> f64 {
    let residual: f64 = data.iter().map(|&(u, target)| (spline.evaluate(u) - target).norm_squared()).sum();
    residual + lambda * spline.roughness()
}

/// A Bézier curve, and where on it the points are.
#[differentiable]
fn bezier_loss(control: &[Point], parameters: &[f64], #[no_diff] data: &[Point]) -> f64 {
    parameters.iter().zip(data).map(|(&t, &target)| (de_casteljau(control, t) - target).norm_squared()).sum()
}

fn points(p: &[f64]) -> Vec<Point> {
    p.chunks(2).map(|c| Point { x: c[0], y: c[1] }).collect()
}

fn flat(points: &[PointTangent]) -> Vec<f64> {
    points.iter().flat_map(|p| [p.x, p.y]).collect()
}

#[test]
fn the_gradient_agrees_with_differences() {
    let data: Vec<(f64, Point)> =
        (0..=10).map(|k| k as f64 / 10.0).map(|u| (u, Point { x: 4.0 * u, y: (5.0 * u).sin() })).collect();
    let at: Vec<f64> = (0..14).map(|k| if k % 2 == 0 { 0.3 * k as f64 } else { (0.9 * k as f64).cos() }).collect();
    let g = spline_loss::grad(&BSpline::clamped(points(&at), 3), &data, 0.1);
    check(|p| spline_loss(&BSpline::clamped(points(p), 3), &data, 0.1), &at, &flat(&g.control));

    let targets: Vec<Point> = data.iter().map(|d| d.1).collect();
    let ts: Vec<f64> = data.iter().map(|d| 0.9 * d.0 + 0.03).collect();
    let (by_control, by_t) = bezier_loss::grad(&points(&at[..10]), &ts, &targets);
    check(|p| bezier_loss(&points(p), &ts, &targets), &at[..10], &flat(&by_control));
    check(|t| bezier_loss(&points(&at[..10]), t, &targets), &ts, &by_t);
}
