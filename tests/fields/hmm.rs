//! A hidden Markov model: the forward algorithm, scaled and in logarithms.

use crate::differences::check;
use autodiff::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Differentiable)]
struct Hmm {
    initial: Vec<f64>,
    transition: Vec<Vec<f64>>,
    emission: Vec<Vec<f64>>,
}

struct Corpus {
    symbols: HashMap<char, usize>,
    sequences: Vec<String>,
}

impl Corpus {
    fn encode(&self) -> Vec<Vec<usize>> {
        self.sequences.iter().map(|s| s.chars().map(|c| self.symbols[&c]).collect()).collect()
    }
}

#[differentiable]
fn log_sum_exp(xs: &[f64]) -> f64 {
    let max = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    max + xs.iter().map(|x| (x - max).exp()).sum::<f64>().ln()
}

#[differentiable]
fn log_softmax(logits: &[f64]) -> Vec<f64> {
    let z = log_sum_exp(logits);
    logits.iter().map(|l| l - z).collect()
}

/// The forward algorithm on unnormalised log probabilities.
#[differentiable]
fn log_forward(hmm: &Hmm, #[no_diff] observations: &[usize]) -> f64 {
    let pi = log_softmax(&hmm.initial);
    let a: Vec<Vec<f64>> = hmm.transition.iter().map(|row| log_softmax(row)).collect();
    let b: Vec<Vec<f64>> = hmm.emission.iter().map(|row| log_softmax(row)).collect();
    let states = pi.len();

    let mut alpha: Vec<f64> = (0..states).map(|s| pi[s] + b[s][observations[0]]).collect();
    for &o in &observations[1..] {
        let mut next = Vec::with_capacity(states);
        for j in 0..states {
            let incoming: Vec<f64> = (0..states).map(|i| alpha[i] + a[i][j]).collect();
            next.push(log_sum_exp(&incoming) + b[j][o]);
        }
        alpha = next;
    }
    log_sum_exp(&alpha)
}

#[differentiable]
fn negative_log_likelihood(hmm: &Hmm, #[no_diff] sequences: &[Vec<usize>]) -> f64 {
    -sequences.iter().filter(|s| !s.is_empty()).map(|s| log_forward(hmm, s)).sum::<f64>()
}

#[test]
fn gradient() {
    let corpus = Corpus {
        symbols: HashMap::from([('a', 0), ('b', 1), ('c', 2)]),
        sequences: vec!["abcabba".to_string(), String::new(), "ccab".to_string()],
    };
    let sequences = corpus.encode();
    let hmm = |p: &[f64]| Hmm {
        initial: p[..2].to_vec(),
        transition: p[2..6].chunks(2).map(|c| c.to_vec()).collect(),
        emission: p[6..12].chunks(3).map(|c| c.to_vec()).collect(),
    };
    let at: Vec<f64> = (0..12).map(|i| (i as f64 * 0.9).sin()).collect();
    let g = negative_log_likelihood::grad(&hmm(&at), &sequences);
    let gradient = [g.initial, g.transition.concat(), g.emission.concat()].concat();
    check(|p| negative_log_likelihood(&hmm(p), &sequences), &at, &gradient);
}
