//! A charged particle, steered to the origin by the place of one of two charges: an optimum over trajectories, each
//! of which follows a gradient.

use crate::descent::minimum;
use crate::protocol::{Error, Evaluation, Job};
use autodiff::prelude::*;
use serde::Deserialize;

const TIME_STEP: f64 = 0.1;

/// The potential at `x` of charges at (10, 10 - w) and (10, 0).
#[differentiable(order = 2)]
pub fn potential(x: &[f64; 2], w: f64) -> f64 {
    1.0 / distance(x, &[10.0, 10.0 - w]) + 1.0 / distance(x, &[10.0, 0.0])
}

/// ‖a - b‖
#[differentiable(order = 2)]
pub fn distance(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    (x * x + y * y).sqrt()
}

/// The square of where the particle meets the horizontal axis, by Euler's method. `forward`: the
/// gradient of the potential is computed in forward mode, not in reverse mode.
#[differentiable]
pub fn miss(w: f64, forward: bool) -> f64 {
    let mut x = [0.0, 8.0];
    let mut v = [0.75, 0.0];
    let mut next = [x[0] + TIME_STEP * v[0], x[1] + TIME_STEP * v[1]];
    while next[1] > 0.0 {
        let slope = if forward {
            let (_, by_first) = potential::jvp(&x, w, &[1.0, 0.0], 0.0);
            let (_, by_second) = potential::jvp(&x, w, &[0.0, 1.0], 0.0);
            [by_first, by_second]
        } else {
            let (by_x, _) = potential::grad(&x, w);
            by_x
        };
        v = [v[0] - TIME_STEP * slope[0], v[1] - TIME_STEP * slope[1]];
        x = next;
        next = [x[0] + TIME_STEP * v[0], x[1] + TIME_STEP * v[1]];
    }
    let at_axis = next[0] - next[1] / v[1] * v[0];
    at_axis * at_axis
}

#[derive(Deserialize)]
struct Input {
    w: f64,
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    let job = Job::<Input>::read(input)?;
    match function {
        "ff" => job.run(|p| minimum(|[w]| miss(*w, true), |[w]| [miss::jvp(*w, true, 1.0).1], [p.w])[0]),
        "fr" => job.run(|p| minimum(|[w]| miss(*w, false), |[w]| [miss::jvp(*w, false, 1.0).1], [p.w])[0]),
        "rf" => job.run(|p| minimum(|[w]| miss(*w, true), |[w]| [miss::grad(*w, true)], [p.w])[0]),
        "rr" => job.run(|p| minimum(|[w]| miss(*w, false), |[w]| [miss::grad(*w, false)], [p.w])[0]),
        unknown => Error::unknown(unknown),
    }
}
