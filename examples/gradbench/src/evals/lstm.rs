//! A recurrent network of LSTM layers with diagonal weights, which predicts the next character of a text.

use crate::protocol::{Error, Evaluation, Job};
use autodiff::prelude::*;
use serde::Deserialize;

/// The mean negative log-likelihood of a `sequence` of characters of `b` bits each. `main` has 8 rows of `b` for
/// each layer: the weights of its forget, input and output gates and of its change, then their biases. `extra` has the
/// weights of the input, and weights and biases of the output. `state` has two rows for each layer: what it gives
/// (hidden), and what it keeps (cell).
#[differentiable(wrt(main, extra))]
pub fn loss(main: &[f64], extra: &[f64], state: &[f64], sequence: &[f64], b: usize) -> f64 {
    let layers = state.len() / (2 * b);
    let characters = sequence.len() / b;
    let mut state = state.to_vec();
    let mut x = vec![0.0; b];
    let mut total = 0.0;
    for t in 0..characters - 1 {
        for i in 0..b {
            x[i] = sequence[t * b + i] * extra[i];
        }
        for layer in 0..layers {
            let p = &main[8 * b * layer..8 * b * (layer + 1)];
            for i in 0..b {
                let hidden = state[2 * b * layer + i];
                let cell = state[2 * b * layer + b + i];
                let forget = sigmoid(x[i] * p[i] + p[4 * b + i]);
                let input = sigmoid(hidden * p[b + i] + p[5 * b + i]);
                let output = sigmoid(x[i] * p[2 * b + i] + p[6 * b + i]);
                let change = (hidden * p[3 * b + i] + p[7 * b + i]).tanh();
                let cell = cell * forget + input * change;
                let hidden = output * cell.tanh();
                state[2 * b * layer + i] = hidden;
                state[2 * b * layer + b + i] = cell;
                x[i] = hidden;
            }
        }
        let mut sum = 2.0;
        for i in 0..b {
            x[i] = x[i] * extra[b + i] + extra[2 * b + i];
            sum += x[i].exp();
        }
        let log_sum = sum.ln();
        for i in 0..b {
            total += sequence[(t + 1) * b + i] * (x[i] - log_sum);
        }
    }
    -total / ((characters - 1) * b) as f64
}

/// 1 / (1 + e⁻ˣ)
#[differentiable]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[derive(Deserialize)]
struct Input {
    main_params: Vec<Vec<f64>>,
    extra_params: Vec<Vec<f64>>,
    state: Vec<Vec<f64>>,
    sequence: Vec<Vec<f64>>,
}

/// The input, with every matrix as one vector, row after row.
struct Problem {
    main: Vec<f64>,
    extra: Vec<f64>,
    state: Vec<f64>,
    sequence: Vec<f64>,
    bits: usize,
}

impl From<Input> for Problem {
    fn from(input: Input) -> Problem {
        Problem {
            main: input.main_params.concat(),
            extra: input.extra_params.concat(),
            state: input.state.concat(),
            sequence: input.sequence.concat(),
            bits: input.extra_params[0].len(),
        }
    }
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    let job = Job::<Input>::read(input)?.prepare(Problem::from);
    match function {
        "objective" => job.run(|p| loss(&p.main, &p.extra, &p.state, &p.sequence, p.bits)),
        "jacobian" => job.run(|p| {
            let (main, extra) = loss::grad(&p.main, &p.extra, &p.state, &p.sequence, p.bits);
            [main, extra].concat()
        }),
        unknown => Error::unknown(unknown),
    }
}
