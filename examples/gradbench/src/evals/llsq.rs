//! Least squares: a polynomial with coefficients `x` against the sign function, at `n` points of [-1, 1].

use crate::protocol::{Error, Evaluation, Job};
use autodiff::prelude::*;
use serde::Deserialize;

/// ½ Σᵢ (sign tᵢ - Σⱼ xⱼ tᵢʲ)², where the tᵢ divide [-1, 1] evenly.
#[differentiable]
pub fn least_squares(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let t = -1.0 + i as f64 * 2.0 / (n - 1) as f64;
        let mut residual: f64 = sign(t);
        let mut power = 1.0;
        for j in 0..x.len() {
            residual -= x[j] * power;
            power *= t;
        }
        sum += residual * residual;
    }
    sum / 2.0
}

/// -1, 0 or 1.
fn sign(t: f64) -> f64 {
    if t > 0.0 {
        1.0
    } else if t < 0.0 {
        -1.0
    } else {
        0.0
    }
}

#[derive(Deserialize)]
struct Input {
    x: Vec<f64>,
    n: usize,
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    let job = Job::<Input>::read(input)?;
    match function {
        "primal" => job.run(|Input { x, n }| least_squares(x, *n)),
        "gradient" => job.run(|Input { x, n }| least_squares::grad(x, *n)),
        unknown => Error::unknown(unknown),
    }
}
