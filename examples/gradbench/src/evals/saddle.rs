//! A saddle point by gradient descent within gradient descent.

use crate::descent::{FIRST_RATE, TOLERANCE, minimum};
use crate::protocol::{Error, Evaluation, Job};
use autodiff::prelude::*;
use serde::Deserialize;

/// x₁² + x₂² - y₁² - y₂²
#[differentiable(order = 2)]
pub fn surface(x: &[f64; 2], y: &[f64; 2]) -> f64 {
    x[0] * x[0] + x[1] * x[1] - y[0] * y[0] - y[1] * y[1]
}

/// The largest value of `surface` over `y`, found by ascent from `start`: [`minimum`] of its negative, as a function to
/// be differentiated. `forward`: the gradient of `surface` is computed in forward mode, not in reverse mode.
#[differentiable(wrt(x))]
pub fn highest(x: &[f64; 2], start: &[f64; 2], forward: bool) -> f64 {
    let mut y = *start;
    let mut value = surface(x, &y);
    let mut rate = FIRST_RATE;
    let mut successes = 0;
    let mut steep = true;
    while steep {
        let slope = if forward {
            let (_, by_first) = surface::jvp(x, &y, &[0.0, 0.0], &[1.0, 0.0]);
            let (_, by_second) = surface::jvp(x, &y, &[0.0, 0.0], &[0.0, 1.0]);
            [by_first, by_second]
        } else {
            let (_, by_y) = surface::grad(x, &y);
            by_y
        };
        let next = [y[0] + rate * slope[0], y[1] + rate * slope[1]];
        let there = surface(x, &next);
        let length = norm(&slope);
        steep = length > TOLERANCE && rate * length > TOLERANCE;
        if steep && there > value {
            y = next;
            value = there;
            successes += 1;
        } else {
            rate /= 2.0;
            successes = 0;
        }
        if successes == 10 {
            rate *= 2.0;
            successes = 0;
        }
    }
    value
}

/// ‖x‖
#[differentiable]
pub fn norm(x: &[f64; 2]) -> f64 {
    (x[0] * x[0] + x[1] * x[1]).sqrt()
}

#[derive(Deserialize)]
struct Input {
    start: [f64; 2],
}

/// The gradient of `surface` by `y`.
fn gradient(x: &[f64; 2], y: &[f64; 2], forward: bool) -> [f64; 2] {
    if forward {
        [[1.0, 0.0], [0.0, 1.0]].map(|y_dot| surface::jvp(x, y, &[0.0, 0.0], &y_dot).1)
    } else {
        surface::grad(x, y).1
    }
}

/// The saddle point: first where the highest value is lowest, then where that value is. `outer` and `inner` say whether
/// the gradients are computed in forward mode.
fn saddle(start: &[f64; 2], outer: bool, inner: bool) -> Vec<f64> {
    let slope = |x: &[f64; 2]| {
        if outer {
            [[1.0, 0.0], [0.0, 1.0]].map(|x_dot| highest::jvp(x, start, inner, &x_dot).1)
        } else {
            highest::grad(x, start, inner)
        }
    };
    let x = minimum(|x| highest(x, start, inner), slope, *start);
    let y = minimum(|y| -surface(&x, y), |y| gradient(&x, y, inner).map(|slope| -slope), *start);
    [x, y].concat()
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    let job = Job::<Input>::read(input)?;
    match function {
        "ff" => job.run(|Input { start }| saddle(start, true, true)),
        "fr" => job.run(|Input { start }| saddle(start, true, false)),
        "rf" => job.run(|Input { start }| saddle(start, false, true)),
        "rr" => job.run(|Input { start }| saddle(start, false, false)),
        unknown => Error::unknown(unknown),
    }
}
