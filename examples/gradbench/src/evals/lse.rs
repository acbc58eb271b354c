//! The logarithm of a sum of exponentials.

use crate::protocol::{Error, Evaluation, Job};
use autodiff::prelude::*;
use serde::Deserialize;

/// log Σᵢ exp xᵢ. The largest element is taken out of the sum, so that nothing overflows.
#[differentiable]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for i in 0..x.len() {
        largest = largest.max(x[i]);
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] - largest).exp();
    }
    largest + sum.ln()
}

#[derive(Deserialize)]
struct Input {
    x: Vec<f64>,
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    let job = Job::<Input>::read(input)?;
    match function {
        "primal" => job.run(|Input { x }| log_sum_exp(x)),
        "gradient" => {
            let gradient = vec![0.0; job.input.x.len()];
            job.run_into(gradient, |Input { x }, gradient| log_sum_exp::grad_into(x, gradient))
        }
        unknown => Error::unknown(unknown),
    }
}
