//! A mixture of Gaussians with diagonal covariances, and k-means as its limit.

use crate::differences::check;
use autodiff::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Component {
    logit: f64,
    mean: Vec<f64>,
    log_sd: Vec<f64>,
}

#[derive(Clone, Debug, Differentiable)]
struct Mixture {
    components: Vec<Component>,
}

struct Prior {
    strength: f64,
    scale: Option<f64>,
}

#[differentiable]
impl Component {
    fn log_pdf(&self, #[no_diff] x: &[f64]) -> f64 {
        let ln_2pi = (2.0 * std::f64::consts::PI).ln();
        x.iter()
            .zip(self.mean.iter().zip(&self.log_sd))
            .map(|(x, (m, s))| {
                let z = (x - m) * (-s).exp();
                -0.5 * (z * z + ln_2pi) - s
            })
            .sum()
    }
}

#[differentiable]
impl Mixture {
    fn log_weights(&self) -> Vec<f64> {
        let max = self.components.iter().map(|c| c.logit).fold(f64::MIN, f64::max);
        let total = max + self.components.iter().map(|c| (c.logit - max).exp()).sum::<f64>().ln();
        self.components.iter().map(|c| c.logit - total).collect()
    }

    fn log_likelihood(&self, #[no_diff] data: &[Vec<f64>], #[no_diff] prior: &Prior) -> f64 {
        let weights = self.log_weights();
        let mut ll = 0.0;
        for x in data {
            let terms: Vec<f64> = self.components.iter().zip(&weights).map(|(c, w)| w + c.log_pdf(x)).collect();
            let max = terms.iter().copied().max_by(|a, b| a.total_cmp(b)).unwrap();
            ll += max + terms.iter().map(|t| (t - max).exp()).sum::<f64>().ln();
        }
        if let Some(scale) = prior.scale {
            for c in &self.components {
                ll -= prior.strength * c.log_sd.iter().map(|s| (s / scale).powi(2)).sum::<f64>();
            }
        }
        ll
    }
}

/// The mean squared distance to the nearest centre.
#[differentiable]
fn inertia(centres: &[Vec<f64>], #[no_diff] data: &[Vec<f64>]) -> f64 {
    data.iter()
        .map(|x| {
            centres
                .iter()
                .map(|c| x.iter().zip(c).map(|(x, c)| (x - c).powi(2)).sum::<f64>())
                .min_by(|a, b| a.partial_cmp(b).unwrap())
                .unwrap()
        })
        .sum::<f64>()
        / data.len() as f64
}

#[test]
fn gradient() {
    let data: Vec<Vec<f64>> = (0..9).map(|i| vec![(i as f64 * 1.7).sin() * 2.0, (i as f64 * 0.6).cos()]).collect();
    let mixture = |p: &[f64]| Mixture {
        components: p
            .chunks(5)
            .map(|c| Component { logit: c[0], mean: c[1..3].to_vec(), log_sd: c[3..].to_vec() })
            .collect(),
    };
    let at: Vec<f64> = (0..15).map(|i| (i as f64 * 0.9).cos()).collect();
    for scale in [None, Some(2.0)] {
        let prior = Prior { strength: 0.5, scale };
        let g = mixture(&at).log_likelihood_grad(&data, &prior);
        let gradient: Vec<f64> =
            g.components.iter().flat_map(|c| [&[c.logit], &c.mean[..], &c.log_sd[..]].concat()).collect();
        check(|p| mixture(p).log_likelihood(&data, &prior), &at, &gradient);
    }
    let centres = |p: &[f64]| p.chunks(2).map(|c| c.to_vec()).collect::<Vec<_>>();
    let g = inertia::grad(&centres(&at[..6]), &data);
    check(|p| inertia(&centres(p), &data), &at[..6], &g.concat());
}
