//! Generalised linear models: logistic, Poisson and linear regression on a data set, with a ridge penalty.

use crate::differences::check;
use autodiff::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Gaussian,
    Bernoulli,
    Poisson,
}

#[derive(Debug, Clone)]
struct Dataset {
    feature_names: Vec<String>,
    features: Vec<Vec<f64>>,
    targets: Vec<f64>,
    weights: Option<Vec<f64>>,
}

#[derive(Debug, Clone, Differentiable)]
struct Linear {
    coefficients: Vec<f64>,
    intercept: f64,
}

struct Fit {
    family: Family,
    l2: f64,
    max_eta: f64,
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b.iter()).map(|(x, y)| x * y).sum()
}

#[differentiable]
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[differentiable]
fn predict(model: &Linear, #[no_diff] features: &[f64]) -> f64 {
    dot(&model.coefficients, features) + model.intercept
}

/// The mean negative log likelihood of the family.
#[differentiable]
fn loss(model: &Linear, #[no_diff] data: &Dataset, #[no_diff] fit: &Fit) -> f64 {
    let mut total = 0.0;
    let mut weight_sum = 0.0;
    for (i, (x, &y)) in data.features.iter().zip(&data.targets).enumerate() {
        let weight = match &data.weights {
            Some(w) => w[i],
            None => 1.0,
        };
        let eta = predict(model, x);
        let nll = match fit.family {
            Family::Gaussian => 0.5 * (y - eta).powi(2),
            Family::Bernoulli => softplus(eta) - y * eta,
            Family::Poisson => eta.min(fit.max_eta).exp() - y * eta,
        };
        total += weight * nll;
        weight_sum += weight;
    }
    let penalty: f64 = model.coefficients.iter().map(|c| c * c).sum();
    total / weight_sum + 0.5 * fit.l2 * penalty
}

#[test]
fn gradient() {
    let mut data = Dataset {
        feature_names: vec!["age".into(), "income".into()],
        features: (0..10).map(|i| vec![(i as f64).sin(), (i as f64 * 0.4).cos()]).collect(),
        targets: (0..10).map(|i| f64::from(i % 3 == 0)).collect(),
        weights: None,
    };
    let model = |p: &[f64]| Linear { coefficients: p[..2].to_vec(), intercept: p[2] };
    let at = [0.3, -0.7, 0.2];
    for family in [Family::Gaussian, Family::Bernoulli, Family::Poisson] {
        let fit = Fit { family, l2: 0.1, max_eta: 30.0 };
        let g = loss::grad(&model(&at), &data, &fit);
        check(|p| loss(&model(p), &data, &fit), &at, &[g.coefficients[0], g.coefficients[1], g.intercept]);
        data.weights = Some((0..10).map(|i| 1.0 + i as f64).collect());
    }
    // Training goes downhill.
    let fit = Fit { family: Family::Bernoulli, l2: 0.0, max_eta: 30.0 };
    let mut m = model(&at);
    let before = loss(&m, &data, &fit);
    for _ in 0..50 {
        let g = loss::grad(&m, &data, &fit);
        m.coefficients.iter_mut().zip(&g.coefficients).for_each(|(c, g)| *c -= 0.5 * g);
        m.intercept -= 0.5 * g.intercept;
    }
    assert!(loss(&m, &data, &fit) < before && data.feature_names.len() == 2);
}
