//! Occupancy of sites by a species that is not always detected, with covariates and random effects.
use autodiff::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub struct Site {
    pub name: String,
    pub elevation: f64,
    pub forest: f64,
    pub visits: Vec<Visit>,
}

#[derive(Clone, Debug)]
pub struct Visit {
    pub detected: bool,
    pub hours: f64,
    pub observer: &'static str,
}

#[derive(Clone, Debug, Differentiable)]
pub struct Model {
    pub occupancy: [f64; 3],
    pub detection: [f64; 2],
    pub observers: Vec<f64>,
    pub log_sigma: f64,
}

#[differentiable]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[differentiable]
impl Model {
    pub fn log_posterior(&self, #[no_diff] sites: &[Site], #[no_diff] index: &HashMap<&'static str, usize>) -> f64 {
        let sigma = self.log_sigma.exp();
        let mut log_p = 0.0;
        for effect in &self.observers {
            log_p -= 0.5 * (effect / sigma).powi(2) + self.log_sigma;
        }
        for site in sites {
            let [a, b, c] = self.occupancy;
            let psi = sigmoid(a + b * site.elevation + c * site.forest);
            let mut seen = false;
            let mut given_present = 1.0;
            for visit in &site.visits {
                let observer = index[visit.observer];
                let p = sigmoid(self.detection[0] + self.detection[1] * visit.hours.ln() + self.observers[observer]);
                given_present *= if visit.detected { p } else { 1.0 - p };
                seen |= visit.detected;
            }
            let likelihood = if seen { psi * given_present } else { psi * given_present + (1.0 - psi) };
            log_p += likelihood.ln();
        }
        log_p
    }
}

#[test]
fn gradient() {
    let visit = |detected, hours, observer| Visit { detected, hours, observer };
    let sites = vec![
        Site {
            name: "moor".into(),
            elevation: 0.3,
            forest: -0.2,
            visits: vec![visit(true, 2.0, "ann"), visit(false, 1.0, "bob")],
        },
        Site { name: "wood".into(), elevation: -0.8, forest: 1.1, visits: vec![visit(false, 0.5, "bob")] },
    ];
    let index = HashMap::from([("ann", 0), ("bob", 1)]);
    let model =
        Model { occupancy: [0.2, -0.3, 0.6], detection: [0.1, 0.4], observers: vec![0.2, -0.3], log_sigma: -0.4 };
    autodiff::check_grads!(Model::log_posterior, &model, &sites, &index);
}
