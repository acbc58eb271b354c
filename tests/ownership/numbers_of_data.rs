//! Numbers out of data without a derivative, as arguments that the callee differentiates by.

use crate::harness::check;
use autodiff::prelude::*;

struct Contract {
    strike: f64,
    quotes: Vec<(f64, f64)>,
    levels: [f64; 3],
    cap: Option<f64>,
}

#[differentiable(order = 2)]
fn payoff(spot: f64, strike: f64) -> f64 {
    (spot * spot - strike).max(0.0) * strike
}

#[differentiable(order = 2)]
fn lent(spot: f64, strike: &f64, levels: &[f64; 3], pair: (f64, f64)) -> f64 {
    spot * strike * levels[1] + spot * spot * pair.1
}

#[differentiable(order = 2)]
fn capped(spot: f64, cap: Option<f64>) -> f64 {
    spot * spot * cap.unwrap_or(1.0)
}

#[differentiable(order = 2)]
fn value(x: f64, #[no_diff] contract: &Contract) -> f64 {
    let mut sum = payoff(x, contract.strike) + capped(x, contract.cap);
    for (a, b) in &contract.quotes {
        sum += lent(x, a, &contract.levels, (*a, *b));
    }
    for i in 0..contract.quotes.len() {
        sum += payoff(x * sum, contract.quotes[i].1) + lent(x, &contract.quotes[i].0, &contract.levels, (0.3, 0.7));
    }
    sum
}

struct Topology {
    angles: Vec<[usize; 3]>,
    weights: Vec<[f64; 2]>,
}

#[differentiable(order = 2)]
fn behind_borrows(p: &[f64], #[no_diff] topology: &Topology) -> f64 {
    let mut sum = 0.0;
    for &[i, j, k] in &topology.angles {
        sum += payoff(p[i] - p[j], p[k]) * p[j];
    }
    let weights = &topology.weights;
    for i in 0..weights.len() {
        sum += p[1] * p[0] * (*weights)[i][0] * (&topology.weights)[i][1] + p[2] * weights[i][1];
    }
    sum
}

#[test]
fn are_arguments() {
    let quotes = vec![(0.3, 0.2), (0.6, 0.4)];
    let contract = Contract { strike: 0.2, quotes, levels: [0.5, 1.5, 2.5], cap: Some(0.8) };
    check!(value(x, &contract) by x = 0.7);
    let topology = Topology { angles: vec![[0, 1, 2], [3, 2, 1]], weights: vec![[0.3, 0.8], [0.5, 0.9]] };
    check!(behind_borrows(&p, &topology) by p = vec![0.7, 0.2, 0.4, 1.3]);
}
