//! Statistics: generalised linear models with links as traits, and a ridge penalty.
use crate::differences::check;
use autodiff::prelude::*;

trait Link {
    fn mean(&self, eta: f64) -> f64;
}

trait Family {
    fn log_density(&self, y: f64, mu: f64, dispersion: f64) -> f64;

    fn deviance(&self, y: f64, mu: f64, dispersion: f64) -> f64 {
        -2.0 * self.log_density(y, mu, dispersion)
    }
}

#[derive(Differentiable)]
struct Log;
#[derive(Differentiable)]
struct Logit {
    scale: f64,
}
#[derive(Differentiable)]
struct Gamma;
#[derive(Differentiable)]
struct Bernoulli;

#[differentiable]
impl Link for Log {
    fn mean(&self, eta: f64) -> f64 {
        eta.exp()
    }
}

#[differentiable]
impl Link for Logit {
    fn mean(&self, eta: f64) -> f64 {
        1.0 / (1.0 + (-self.scale * eta).exp())
    }
}

#[differentiable]
fn ln_gamma(x: f64) -> f64 {
    // Stirling after shifting.
    let (mut shift, mut x) = (0.0, x);
    while x < 8.0 {
        shift -= x.ln();
        x += 1.0;
    }
    const COEFFICIENTS: [f64; 4] = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0];
    let mut term = 1.0 / x;
    let mut series = 0.0;
    for c in COEFFICIENTS {
        series += c * term;
        term /= x * x;
    }
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[differentiable]
impl Family for Gamma {
    fn log_density(&self, y: f64, mu: f64, dispersion: f64) -> f64 {
        let shape = dispersion.recip();
        let rate = shape / mu;
        shape * rate.ln() - ln_gamma(shape) + (shape - 1.0) * y.ln() - rate * y
    }
}

#[differentiable]
impl Family for Bernoulli {
    fn log_density(&self, y: f64, mu: f64, _dispersion: f64) -> f64 {
        let mu = mu.clamp(1e-12, 1.0 - 1e-12);
        y * mu.ln() + (1.0 - y) * (1.0 - mu).ln()
    }
}

struct Table {
    rows: Vec<Vec<f64>>,
    response: Vec<f64>,
}

#[differentiable]
fn fit<L: Link, F: Family>(
    link: &L,
    family: &F,
    beta: &[f64],
    dispersion: f64,
    #[no_diff] data: &Table,
    #[no_diff] ridge: f64,
) -> f64 {
    let mut total = 0.0;
    for (row, &y) in data.rows.iter().zip(&data.response) {
        let eta = beta[0] + row.iter().zip(&beta[1..]).map(|(x, b)| x * b).sum::<f64>();
        total += family.deviance(y, link.mean(eta), dispersion);
    }
    let penalty: f64 = beta.iter().skip(1).map(|b| b.powi(2)).sum();
    total / data.response.len() as f64 + ridge * penalty
}

#[differentiable]
fn gamma_regression(beta: &[f64], dispersion: f64, #[no_diff] data: &Table) -> f64 {
    fit(&Log, &Gamma, beta, dispersion, data, 0.1)
}

#[differentiable]
fn logistic(beta: &[f64], scale: f64, #[no_diff] data: &Table) -> f64 {
    let link = Logit { scale };
    fit(&link, &Bernoulli, beta, 1.0, data, 0.01)
}

#[test]
fn gradient_against_differences() {
    let rows: Vec<Vec<f64>> = (0..8).map(|i| vec![0.3 * i as f64 - 1.0, (i % 3) as f64 * 0.4]).collect();
    let gamma = Table { rows: rows.clone(), response: (0..8).map(|i| 0.5 + 0.2 * i as f64).collect() };
    let binary = Table { rows, response: (0..8).map(|i| (i % 2) as f64).collect() };
    let at = [0.2, 0.5, -0.3, 0.7];
    let (mut g, d) = gamma_regression::grad(&at[..3], at[3], &gamma);
    g.push(d);
    check(|p| gamma_regression(&p[..3], p[3], &gamma), &at, &g);
    let (mut g, d) = logistic::grad(&at[..3], at[3], &binary);
    g.push(d);
    check(|p| logistic(&p[..3], p[3], &binary), &at, &g);
}
