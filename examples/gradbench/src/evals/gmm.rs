//! The posterior of a Gaussian mixture with a Wishart prior on its precision matrices.

use super::lse::log_sum_exp;
use crate::protocol::{Error, Evaluation, Job};
use autodiff::prelude::*;
use serde::{Deserialize, Serialize};
use std::f64::consts::{LN_2, PI};

/// The logarithm of the posterior. There are `k` components in `d` dimensions: `alpha` has the logarithms of their
/// weights, up to a constant; `mu` (`k × d`) their means; `q` (`k × d`) the logarithms of the diagonals of the
/// factors `Q` of their precision matrices `QᵀQ`; `l` (`k × d(d-1)/2`) what is below the diagonals, column by
/// column. `x` (`n × d`) has the observations; `gamma` and `m` describe the prior.
#[differentiable(wrt(alpha, mu, q, l))]
pub fn log_posterior(alpha: &[f64], mu: &[f64], q: &[f64], l: &[f64], x: &[f64], gamma: f64, m: usize) -> f64 {
    log_likelihood(alpha, mu, q, l, x) + log_prior(alpha.len(), q, l, gamma, m)
}

/// The logarithm of the probability of the observations.
#[differentiable(wrt(alpha, mu, q, l))]
pub fn log_likelihood(alpha: &[f64], mu: &[f64], q: &[f64], l: &[f64], x: &[f64]) -> f64 {
    let k = alpha.len();
    let d = mu.len() / k;
    let n = x.len() / d;
    let below = d * (d - 1) / 2;
    let mut diagonal = vec![0.0; k * d];
    for i in 0..k * d {
        diagonal[i] = q[i].exp();
    }
    let mut offset = vec![0.0; k];
    for c in 0..k {
        offset[c] = alpha[c] + sum(&q[c * d..(c + 1) * d]);
    }
    let mut total = 0.0;
    for i in 0..n {
        let mut beta = vec![0.0; k];
        let point = &x[i * d..(i + 1) * d];
        for c in 0..k {
            let mu = &mu[c * d..(c + 1) * d];
            let diagonal = &diagonal[c * d..(c + 1) * d];
            let l = &l[c * below..(c + 1) * below];
            beta[c] = offset[c] - 0.5 * mahalanobis(point, mu, diagonal, l);
        }
        total += log_sum_exp(&beta);
    }
    total - n as f64 * (log_sum_exp(alpha) + 0.5 * d as f64 * (2.0 * PI).ln())
}

/// ‖Q (x - μ)‖²
#[differentiable(wrt(mu, diagonal, l))]
pub fn mahalanobis(x: &[f64], mu: &[f64], diagonal: &[f64], l: &[f64]) -> f64 {
    let d = x.len();
    let mut y = vec![0.0; d];
    let mut at = 0;
    for i in 0..d {
        let centred = x[i] - mu[i];
        y[i] += diagonal[i] * centred;
        for j in i + 1..d {
            y[j] += l[at] * centred;
            at += 1;
        }
    }
    squared_norm(&y)
}

/// The logarithm of the Wishart density of the precision matrices.
#[differentiable(wrt(q, l))]
pub fn log_prior(k: usize, q: &[f64], l: &[f64], gamma: f64, m: usize) -> f64 {
    let d = q.len() / k;
    let n = d + m + 1;
    let mut trace = squared_norm(l);
    for i in 0..q.len() {
        trace += (2.0 * q[i]).exp();
    }
    let log_gamma: f64 = log_multivariate_gamma(n, d);
    let scale = (n * d) as f64 * (gamma.ln() - 0.5 * LN_2) - log_gamma;
    m as f64 * sum(q) - 0.5 * gamma * gamma * trace + k as f64 * scale
}

/// The sum of the elements.
#[differentiable]
pub fn sum(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

/// The sum of the squares of the elements.
#[differentiable]
pub fn squared_norm(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum
}

/// log Γ_d(n/2), where `Γ_d` is the multivariate gamma function.
fn log_multivariate_gamma(n: usize, d: usize) -> f64 {
    let factor = 0.25 * (d * (d - 1)) as f64 * PI.ln();
    (0..d).fold(factor, |sum, j| sum + log_gamma_of_half(n - j))
}

/// log Γ(n/2), by Γ(x + 1) = x Γ(x).
fn log_gamma_of_half(n: usize) -> f64 {
    let start = if n.is_multiple_of(2) { 0.0 } else { 0.5 * PI.ln() };
    (1..n.div_ceil(2)).fold(start, |sum, i| sum + (n as f64 / 2.0 - i as f64).ln())
}

#[derive(Deserialize)]
struct Input {
    k: usize,
    alpha: Vec<f64>,
    mu: Vec<Vec<f64>>,
    q: Vec<Vec<f64>>,
    l: Vec<Vec<f64>>,
    x: Vec<Vec<f64>>,
    gamma: f64,
    m: usize,
}

/// The input, with every matrix as one vector, row after row.
struct Problem {
    k: usize,
    alpha: Vec<f64>,
    mu: Vec<f64>,
    q: Vec<f64>,
    l: Vec<f64>,
    x: Vec<f64>,
    gamma: f64,
    m: usize,
}

impl From<Input> for Problem {
    fn from(input: Input) -> Problem {
        let Input { k, alpha, mu, q, l, x, gamma, m } = input;
        Problem { k, alpha, mu: mu.concat(), q: q.concat(), l: l.concat(), x: x.concat(), gamma, m }
    }
}

#[derive(Serialize)]
struct Gradient {
    alpha: Vec<f64>,
    mu: Vec<Vec<f64>>,
    q: Vec<Vec<f64>>,
    l: Vec<Vec<f64>>,
}

/// A vector as a matrix of so many rows.
fn rows(x: &[f64], rows: usize) -> Vec<Vec<f64>> {
    let columns = x.len() / rows;
    (0..rows).map(|row| x[row * columns..(row + 1) * columns].to_vec()).collect()
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    let job = Job::<Input>::read(input)?.prepare(Problem::from);
    match function {
        "objective" => job.run(|p| log_posterior(&p.alpha, &p.mu, &p.q, &p.l, &p.x, p.gamma, p.m)),
        "jacobian" => job.run(|p| {
            let (alpha, mu, q, l) = log_posterior::grad(&p.alpha, &p.mu, &p.q, &p.l, &p.x, p.gamma, p.m);
            Gradient { alpha, mu: rows(&mu, p.k), q: rows(&q, p.k), l: rows(&l, p.k) }
        }),
        unknown => Error::unknown(unknown),
    }
}
