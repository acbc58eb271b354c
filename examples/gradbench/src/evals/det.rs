//! A determinant by recursive expansion into minors: the cost is the factorial of the size.

use crate::protocol::{Error, Evaluation, Job};
use autodiff::prelude::*;
use serde::Deserialize;

/// The determinant of the `n × n` matrix `a`, row by row.
#[differentiable]
pub fn determinant(a: &[f64], n: usize) -> f64 {
    minor(a, n, 0, (1 << n) - 1)
}

/// The determinant of the rows from `row` on and of the columns whose bits are set in `columns`.
#[differentiable]
pub fn minor(a: &[f64], n: usize, row: usize, columns: u64) -> f64 {
    // Of no rows, it is 1.
    let mut sum = if row == n { 1.0 } else { 0.0 };
    let mut sign = 1.0;
    let mut rest = columns;
    for _ in row..n {
        let column = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        sum += sign * a[row * n + column] * minor(a, n, row + 1, columns & !(1 << column));
        sign = -sign;
    }
    sum
}

#[derive(Deserialize)]
struct Input {
    #[serde(rename = "A")]
    a: Vec<f64>,
    ell: usize,
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    let job = Job::<Input>::read(input)?;
    match function {
        "primal" => job.run(|Input { a, ell }| determinant(a, *ell)),
        "gradient" => job.run(|Input { a, ell }| determinant::grad(a, *ell)),
        unknown => Error::unknown(unknown),
    }
}
