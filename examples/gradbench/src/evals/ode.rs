//! An initial value problem, solved by the classical Runge-Kutta method of order 4.

use crate::protocol::{Error, Evaluation, Job};
use autodiff::prelude::*;
use serde::Deserialize;

/// The end of the interval of time, which begins at 0.
const END: f64 = 2.0;

/// y(2), where y₀' = x₀, yᵢ' = xᵢ yᵢ₋₁ and y(0) = 0.
#[differentiable]
pub fn solve(x: &[f64], steps: usize) -> Vec<f64> {
    let n = x.len();
    let h = END / steps as f64;
    let mut y = vec![0.0; n];
    for _ in 0..steps {
        let mut k1 = vec![0.0; n];
        let mut k2 = vec![0.0; n];
        let mut k3 = vec![0.0; n];
        let mut k4 = vec![0.0; n];
        k1[0] = x[0];
        k2[0] = x[0];
        k3[0] = x[0];
        k4[0] = x[0];
        for i in 1..n {
            k1[i] = x[i] * y[i - 1];
        }
        for i in 1..n {
            k2[i] = x[i] * (y[i - 1] + h / 2.0 * k1[i - 1]);
        }
        for i in 1..n {
            k3[i] = x[i] * (y[i - 1] + h / 2.0 * k2[i - 1]);
        }
        for i in 1..n {
            k4[i] = x[i] * (y[i - 1] + h * k3[i - 1]);
        }
        for i in 0..n {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    y
}

#[derive(Deserialize)]
struct Input {
    x: Vec<f64>,
    s: usize,
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    let job = Job::<Input>::read(input)?;
    match function {
        "primal" => job.run(|Input { x, s }| solve(x, *s)),
        "gradient" => job.run(|Input { x, s }| {
            let (y, pullback) = solve::vjp(x, *s);
            let mut last = vec![0.0; y.len()];
            last[y.len() - 1] = 1.0;
            pullback(&last)
        }),
        unknown => Error::unknown(unknown),
    }
}
