//! The likelihood of a local linear trend by the Kalman filter, with missing observations.

use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Mat2 {
    m: [[f64; 2]; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Vec2 {
    x: f64,
    y: f64,
}

#[differentiable]
impl Mat2 {
    fn transpose(self) -> Mat2 {
        Mat2 { m: [[self.m[0][0], self.m[1][0]], [self.m[0][1], self.m[1][1]]] }
    }

    fn diag(a: f64, b: f64) -> Self {
        Self { m: [[a, 0.0], [0.0, b]] }
    }
}

#[differentiable]
impl Add for Mat2 {
    type Output = Mat2;
    fn add(self, rhs: Mat2) -> Mat2 {
        let mut m = self.m;
        for i in 0..2 {
            for j in 0..2 {
                m[i][j] += rhs.m[i][j];
            }
        }
        Mat2 { m }
    }
}

#[differentiable]
impl Mul for Mat2 {
    type Output = Mat2;
    fn mul(self, rhs: Mat2) -> Mat2 {
        Mat2 { m: std::array::from_fn(|i| std::array::from_fn(|j| (0..2).map(|k| self.m[i][k] * rhs.m[k][j]).sum())) }
    }
}

#[differentiable]
impl Mul<Vec2> for Mat2 {
    type Output = Vec2;
    fn mul(self, v: Vec2) -> Vec2 {
        Vec2 { x: self.m[0][0] * v.x + self.m[0][1] * v.y, y: self.m[1][0] * v.x + self.m[1][1] * v.y }
    }
}

#[differentiable]
impl Add for Vec2 {
    type Output = Vec2;
    fn add(self, o: Vec2) -> Vec2 {
        Vec2 { x: self.x + o.x, y: self.y + o.y }
    }
}

#[differentiable]
impl Mul<f64> for Vec2 {
    type Output = Vec2;
    fn mul(self, s: f64) -> Vec2 {
        Vec2 { x: self.x * s, y: self.y * s }
    }
}

#[differentiable]
impl Sub for Mat2 {
    type Output = Mat2;
    fn sub(self, rhs: Mat2) -> Mat2 {
        let mut m = self.m;
        for i in 0..2 {
            for j in 0..2 {
                m[i][j] -= rhs.m[i][j];
            }
        }
        Mat2 { m }
    }
}

#[derive(Clone, Copy, Differentiable)]
struct Model {
    log_level_var: f64,
    log_slope_var: f64,
    log_obs_var: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct State {
    mean: Vec2,
    cov: Mat2,
}

#[differentiable]
fn predict(s: State, q: Mat2) -> State {
    let f = Mat2 { m: [[1.0, 1.0], [0.0, 1.0]] };
    State { mean: f * s.mean, cov: f * s.cov * f.transpose() + q }
}

/// The updated state, and the log density of the observation.
#[differentiable]
fn update(s: State, #[no_diff] z: f64, r: f64) -> (State, f64) {
    let innovation = z - s.mean.x;
    let variance = s.cov.m[0][0] + r;
    let gain = Vec2 { x: s.cov.m[0][0] / variance, y: s.cov.m[1][0] / variance };
    let kh = Mat2 { m: [[gain.x, 0.0], [gain.y, 0.0]] };
    let cov = (Mat2::diag(1.0, 1.0) - kh) * s.cov;
    let log_density = -0.5 * (innovation * innovation / variance + variance.ln() + (2.0 * std::f64::consts::PI).ln());
    (State { mean: s.mean + gain * innovation, cov }, log_density)
}

#[differentiable]
fn log_likelihood(model: &Model, #[no_diff] observations: &[Option<f64>]) -> f64 {
    let q = Mat2::diag(model.log_level_var.exp(), model.log_slope_var.exp());
    let r = model.log_obs_var.exp();
    let mut state = State { mean: Vec2 { x: 0.0, y: 0.0 }, cov: Mat2::diag(10.0, 1.0) };
    let mut total = 0.0;
    for observation in observations {
        state = predict(state, q);
        if let Some(z) = observation {
            let (next, log_density) = update(state, *z, r);
            state = next;
            total += log_density;
        }
    }
    total
}

#[test]
fn gradient() {
    let observations: Vec<Option<f64>> =
        (0..15).map(|t| (t % 4 != 2).then(|| 0.3 * t as f64 + (t as f64 * 1.3).sin())).collect();
    let model = |p: &[f64]| Model { log_level_var: p[0], log_slope_var: p[1], log_obs_var: p[2] };
    let at = [-1.0, -2.0, -0.5];
    let g = log_likelihood::grad(&model(&at), &observations);
    check(|p| log_likelihood(&model(p), &observations), &at, &[g.log_level_var, g.log_slope_var, g.log_obs_var]);
}
