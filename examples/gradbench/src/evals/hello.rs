//! The square of a number, and its derivative.

use crate::protocol::{Error, Evaluation, run_once};
use autodiff::prelude::*;

/// x²
#[differentiable]
pub fn square(x: f64) -> f64 {
    x * x
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    match function {
        "square" => run_once(input, |x: &f64| square(*x)),
        "double" => run_once(input, |x: &f64| square::grad(*x)),
        unknown => Error::unknown(unknown),
    }
}
