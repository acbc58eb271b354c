//! The likelihood of GARCH(p, q) models of returns, with normal or Student's t innovations.

use crate::differences::check;
use autodiff::prelude::*;

const LN_2PI: f64 = 1.8378770664093453;

#[derive(Debug, Clone, Differentiable)]
struct Garch {
    mu: f64,
    omega: f64,
    alpha: Vec<f64>,
    beta: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
enum Innovation {
    Normal,
    StudentT { dof: u32 },
}

/// ln Γ by Lanczos; the degrees of freedom are not fitted.
fn ln_gamma(x: f64) -> f64 {
    let c = [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.001208650973866179];
    let t = x + 5.5 - (x + 0.5) * (x + 5.5).ln();
    let s = c.iter().enumerate().fold(1.000000000190015, |s, (i, c)| s + c / (x + 1.0 + i as f64));
    -t + (2.5066282746310005 * s / x).ln()
}

#[differentiable]
fn conditional_variances(model: &Garch, returns: &[f64]) -> Vec<f64> {
    let n = returns.len();
    let backcast = returns.iter().map(|r| (r - model.mu).powi(2)).sum::<f64>() / n as f64;
    let mut sigma2: Vec<f64> = Vec::with_capacity(n);
    for t in 0..n {
        let mut s = model.omega;
        for (i, a) in model.alpha.iter().enumerate() {
            s += a * if t > i { (returns[t - 1 - i] - model.mu).powi(2) } else { backcast };
        }
        for (j, b) in model.beta.iter().enumerate() {
            s += b * if t > j { sigma2[t - 1 - j] } else { backcast };
        }
        sigma2.push(s);
    }
    sigma2
}

#[differentiable]
fn log_likelihood(model: &Garch, #[no_diff] returns: &[f64], #[no_diff] innovation: Innovation) -> f64 {
    let sigma2 = conditional_variances(model, returns);
    returns
        .iter()
        .zip(&sigma2)
        .map(|(r, s2)| {
            let e2 = (r - model.mu).powi(2);
            match innovation {
                Innovation::Normal => -0.5 * (LN_2PI + s2.ln() + e2 / s2),
                Innovation::StudentT { dof } => {
                    let nu = dof as f64;
                    ln_gamma((nu + 1.0) / 2.0)
                        - ln_gamma(nu / 2.0)
                        - 0.5 * (std::f64::consts::PI * (nu - 2.0) * s2).ln()
                        - 0.5 * (nu + 1.0) * (1.0 + e2 / ((nu - 2.0) * s2)).ln()
                }
            }
        })
        .sum()
}

#[test]
fn gradient() {
    let returns: Vec<f64> = (0..40).map(|t| (t as f64 * 1.7).sin() * 0.8 + (t as f64 * 0.3).cos() * 0.4).collect();
    let model = |p: &[f64]| Garch { mu: p[0], omega: p[1], alpha: p[2..4].to_vec(), beta: vec![p[4]] };
    let at = [0.05, 0.1, 0.1, 0.05, 0.7];
    for innovation in [Innovation::Normal, Innovation::StudentT { dof: 6 }] {
        let g = log_likelihood::grad(&model(&at), &returns, innovation);
        let gradient = [&[g.mu, g.omega], &g.alpha[..], &g.beta[..]].concat();
        check(|p| log_likelihood(&model(p), &returns, innovation), &at, &gradient);
    }
}
