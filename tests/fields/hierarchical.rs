//! The log densities of hierarchical models, for Hamiltonian Monte Carlo: eight schools, and a leapfrog step.

use crate::differences::check;
use autodiff::prelude::*;
use std::collections::BTreeMap;

mod distributions {
    use autodiff::prelude::*;

    const HALF_LN_2PI: f64 = 0.9189385332046728;

    #[differentiable]
    pub fn normal_lpdf(x: f64, mu: f64, sigma: f64) -> f64 {
        let z = (x - mu) / sigma;
        -0.5 * z * z - sigma.ln() - HALF_LN_2PI
    }

    #[differentiable]
    pub fn half_cauchy_lpdf(x: f64, scale: f64) -> f64 {
        if x < 0.0 {
            return f64::NEG_INFINITY;
        }
        std::f64::consts::FRAC_2_PI.ln() - scale.ln() - (x / scale).powi(2).ln_1p()
    }
}

use distributions::{half_cauchy_lpdf, normal_lpdf};

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Params {
    mu: f64,
    log_tau: f64,
    eta: Vec<f64>,
}

struct School {
    effect: f64,
    stderr: f64,
}

struct Schools {
    by_name: BTreeMap<String, School>,
}

#[differentiable]
fn log_density(params: &Params, #[no_diff] schools: &[School]) -> f64 {
    let tau = params.log_tau.exp();
    let theta = params.eta.iter().map(|e| params.mu + tau * e);

    let prior = normal_lpdf(params.mu, 0.0, 5.0)
        + half_cauchy_lpdf(tau, 5.0)
        + params.log_tau // the Jacobian of tau = exp(log_tau)
        + params.eta.iter().map(|&e| normal_lpdf(e, 0.0, 1.0)).sum::<f64>();
    let likelihood: f64 =
        theta.zip(schools.iter()).map(|(theta, School { effect, stderr })| normal_lpdf(*effect, theta, *stderr)).sum();
    prior + likelihood
}

fn leapfrog(q: &Params, p: &[f64], step: f64, schools: &[School]) -> (Params, Vec<f64>) {
    let flat = |g: &ParamsTangent| [&[g.mu, g.log_tau], &g.eta[..]].concat();
    let half: Vec<f64> = p.iter().zip(flat(&log_density::grad(q, schools))).map(|(p, g)| p + 0.5 * step * g).collect();
    let q = Params {
        mu: q.mu + step * half[0],
        log_tau: q.log_tau + step * half[1],
        eta: q.eta.iter().zip(&half[2..]).map(|(e, p)| e + step * p).collect(),
    };
    let p = half.iter().zip(flat(&log_density::grad(&q, schools))).map(|(p, g)| p + 0.5 * step * g).collect();
    (q, p)
}

#[test]
fn gradient() {
    let data = Schools {
        by_name: [("A", 28.0, 15.0), ("B", 8.0, 10.0), ("C", -3.0, 16.0), ("D", 7.0, 11.0)]
            .into_iter()
            .map(|(name, effect, stderr)| (name.to_string(), School { effect, stderr }))
            .collect(),
    };
    let schools: Vec<School> = data.by_name.into_values().collect();
    let params = |p: &[f64]| Params { mu: p[0], log_tau: p[1], eta: p[2..].to_vec() };
    let at = [4.0, 1.2, 0.3, -0.2, 0.5, 0.1];
    let g = log_density::grad(&params(&at), &schools);
    check(|p| log_density(&params(p), &schools), &at, &[&[g.mu, g.log_tau], &g.eta[..]].concat());

    let energy = |q: &Params, p: &[f64]| 0.5 * p.iter().map(|p| p * p).sum::<f64>() - log_density(q, &schools);
    let (q0, p0) = (params(&at), vec![0.5; 6]);
    let (q1, p1) = leapfrog(&q0, &p0, 1e-3, &schools);
    assert!((energy(&q1, &p1) - energy(&q0, &p0)).abs() < 1e-6);
}
