//! Survival analysis: a Weibull proportional-hazards model with censoring, and Cox's partial likelihood.

use crate::differences::check;
use autodiff::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Status {
    Event,
    RightCensored,
    IntervalCensored { lower: f64 },
}

#[derive(Debug, Clone)]
struct Subject {
    id: u32,
    time: f64,
    status: Status,
    covariates: Vec<f64>,
}

#[derive(Debug, Clone, Differentiable)]
struct Weibull {
    log_shape: f64,
    log_scale: f64,
    beta: Vec<f64>,
}

#[differentiable]
impl Weibull {
    fn linear_predictor(&self, #[no_diff] subject: &Subject) -> f64 {
        self.beta.iter().zip(&subject.covariates).map(|(b, x)| b * x).sum()
    }

    fn cumulative_hazard(&self, #[no_diff] t: f64, eta: f64) -> f64 {
        let shape = self.log_shape.exp();
        (t / self.log_scale.exp()).powf(shape) * eta.exp()
    }

    fn log_hazard(&self, #[no_diff] t: f64, eta: f64) -> f64 {
        let shape = self.log_shape.exp();
        self.log_shape - self.log_scale + (shape - 1.0) * (t.ln() - self.log_scale) + eta
    }

    fn log_likelihood(&self, #[no_diff] subjects: &[Subject]) -> f64 {
        let mut ll = 0.0;
        for s in subjects {
            let eta = self.linear_predictor(s);
            let h = self.cumulative_hazard(s.time, eta);
            ll += match s.status {
                Status::Event => self.log_hazard(s.time, eta) - h,
                Status::RightCensored => -h,
                Status::IntervalCensored { lower } => {
                    let h0 = self.cumulative_hazard(lower, eta);
                    ((-h0).exp() - (-h).exp()).ln()
                }
            };
        }
        ll
    }
}

/// Cox's partial likelihood, for subjects in the order of their times.
#[differentiable]
fn cox_partial(beta: &[f64], #[no_diff] subjects: &[Subject]) -> f64 {
    let risk: Vec<f64> =
        subjects.iter().map(|s| s.covariates.iter().zip(beta).map(|(x, b)| x * b).sum::<f64>()).collect();
    let mut at_risk = 0.0;
    let mut ll = 0.0;
    for (s, eta) in subjects.iter().zip(&risk).rev() {
        at_risk += eta.exp();
        if s.status == Status::Event {
            ll += eta - at_risk.ln();
        }
    }
    ll
}

#[test]
fn gradient() {
    let subjects: Vec<Subject> = (0..12)
        .map(|i| Subject {
            id: i,
            time: 0.5 + i as f64 * 0.4,
            status: match i % 3 {
                0 => Status::Event,
                1 => Status::RightCensored,
                _ => Status::IntervalCensored { lower: 0.2 + i as f64 * 0.3 },
            },
            covariates: vec![(i as f64).sin(), f64::from(i % 2)],
        })
        .collect();
    let model = |p: &[f64]| Weibull { log_shape: p[0], log_scale: p[1], beta: p[2..].to_vec() };
    let at = [0.2, 0.8, 0.5, -0.3];
    let g = model(&at).log_likelihood_grad(&subjects);
    check(|p| model(p).log_likelihood(&subjects), &at, &[g.log_shape, g.log_scale, g.beta[0], g.beta[1]]);
    let g = cox_partial::grad(&at[2..], &subjects);
    check(|b| cox_partial(b, &subjects), &at[2..], &g);
    assert_eq!(subjects[3].id, 3);
}
