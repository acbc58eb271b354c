//! Gaussian mixtures. ADBench subtracts the logarithm of the prior, where GradBench adds it.

use crate::data::{Expected, Numbers, Random, assert_close, read, with_files};
use autodiff::prelude::*;
use gradbench::evals::gmm::{log_likelihood, log_posterior, log_prior};
use std::path::Path;

#[differentiable(wrt(alpha, mu, q, l))]
fn objective(alpha: &[f64], mu: &[f64], q: &[f64], l: &[f64], x: &[f64], gamma: f64, m: usize) -> f64 {
    log_likelihood(alpha, mu, q, l, x) - log_prior(alpha.len(), q, l, gamma, m)
}

struct Instance {
    d: usize,
    alpha: Vec<f64>,
    mu: Vec<f64>,
    q: Vec<f64>,
    l: Vec<f64>,
    x: Vec<f64>,
    gamma: f64,
    m: usize,
}

#[test]
fn reference_values() {
    with_files(|directory| {
        for (file, name) in
            [("test.txt", "gmm_test.txt"), ("gmm_d2_K5.txt", "gmm_d2_K5.txt"), ("gmm_d10_K5.txt", "gmm_d10_K5.txt")]
        {
            let i = Instance::read(directory, file);
            let value = objective(&i.alpha, &i.mu, &i.q, &i.l, &i.x, i.gamma, i.m);
            let (alpha, mu, q, l) = objective::grad(&i.alpha, &i.mu, &i.q, &i.l, &i.x, i.gamma, i.m);
            // By component: the diagonal, then what is below.
            let factors = q.chunks(i.d).zip(l.chunks(i.below()));
            let factors: Vec<f64> = factors.flat_map(|(q, l)| [q, l].concat()).collect();
            Expected::read(directory, name).compare(&[value], &[alpha, mu, factors].concat());
        }
    });
}

impl Instance {
    fn read(directory: &Path, name: &str) -> Instance {
        let text = read(&directory.join("inputs/gmm").join(name));
        let mut numbers = Numbers::of(&text);
        let [d, k, n]: [usize; 3] = std::array::from_fn(|_| numbers.next());
        let (alpha, mu) = (numbers.take(k), numbers.take(k * d));
        let (mut q, mut l) = (Vec::new(), Vec::new());
        for _ in 0..k {
            q.extend(numbers.take(d));
            l.extend(numbers.take(d * (d - 1) / 2));
        }
        let (x, gamma, m) = (numbers.take(n * d), numbers.next(), numbers.next());
        Instance { d, alpha, mu, q, l, x, gamma, m }
    }

    fn below(&self) -> usize {
        self.d * (self.d - 1) / 2
    }
}

#[test]
fn made_up() {
    let mut random = Random::new();
    for (d, k, n) in [(1, 1, 1), (2, 3, 10), (5, 4, 30)] {
        let below = d * (d - 1) / 2;
        let [alpha, mu, q] = [k, k * d, k * d].map(|count| random.take(count));
        let (l, x) = (random.take(k * below), random.take(n * d));
        let value = |p: &[f64]| {
            let (alpha, p) = p.split_at(k);
            let (mu, p) = p.split_at(k * d);
            let (q, l) = p.split_at(k * d);
            log_posterior(alpha, mu, q, l, &x, 0.7, 3)
        };
        let at = [&alpha[..], &mu, &q, &l].concat();
        let moved = |i: usize, step: f64| {
            let mut at = at.clone();
            at[i] += step;
            value(&at)
        };
        let differences: Vec<f64> = (0..at.len()).map(|i| (moved(i, 1e-5) - moved(i, -1e-5)) / 2e-5).collect();
        let (by_alpha, by_mu, by_q, by_l) = log_posterior::grad(&alpha, &mu, &q, &l, &x, 0.7, 3);
        assert_close(&[by_alpha, by_mu, by_q, by_l].concat(), &differences, 1e-8);
    }
}
