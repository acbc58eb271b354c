//! Bayesian statistics: Hamiltonian Monte Carlo on a hierarchical model; the end of a trajectory by its start.
use crate::differences::check;
use autodiff::prelude::*;

mod model {
    use autodiff::prelude::*;

    pub const SCHOOLS: usize = 4;
    pub const DIM: usize = SCHOOLS + 2;

    #[derive(Debug, Clone)]
    pub struct Schools {
        pub effects: [f64; SCHOOLS],
        pub errors: [f64; SCHOOLS],
    }

    #[differentiable]
    fn normal_lpdf(x: f64, mean: f64, sd: f64) -> f64 {
        let z = (x - mean) / sd;
        -0.5 * z * z - sd.ln()
    }

    /// Non-centred: `q = [mu, ln tau, eta…]`.
    #[differentiable]
    pub fn log_posterior(q: &[f64; DIM], #[no_diff] data: &Schools) -> f64 {
        let [mu, log_tau, eta @ ..] = q;
        let tau = log_tau.exp();
        let mut lp = normal_lpdf(*mu, 0.0, 5.0) + normal_lpdf(tau, 0.0, 5.0) + log_tau;
        for ((eta, y), sigma) in eta.iter().zip(&data.effects).zip(&data.errors) {
            lp += normal_lpdf(*eta, 0.0, 1.0);
            lp += normal_lpdf(*y, mu + tau * eta, *sigma);
        }
        lp
    }
}

use model::{DIM, Schools, log_posterior};

#[derive(Debug, Clone, Copy, Differentiable)]
struct Phase {
    q: [f64; DIM],
    p: [f64; DIM],
}

#[differentiable]
impl Phase {
    fn kick(&mut self, h: f64, #[no_diff] data: &Schools) {
        let g = log_posterior::grad(&self.q, data);
        for (p, g) in self.p.iter_mut().zip(g) {
            *p += h * g;
        }
    }

    fn drift(&mut self, h: f64, mass: &[f64; DIM]) {
        for ((q, p), m) in self.q.iter_mut().zip(&self.p).zip(mass) {
            *q += h * p / m;
        }
    }

    fn energy(&self, mass: &[f64; DIM], #[no_diff] data: &Schools) -> f64 {
        let kinetic: f64 = self.p.iter().zip(mass).map(|(p, m)| 0.5 * p * p / m).sum();
        kinetic - log_posterior(&self.q, data)
    }
}

#[differentiable]
fn leapfrog(mut z: Phase, h: f64, mass: &[f64; DIM], #[no_diff] steps: usize, #[no_diff] data: &Schools) -> Phase {
    z.kick(0.5 * h, data);
    for step in 0..steps {
        z.drift(h, mass);
        let last = step + 1 == steps;
        z.kick(if last { 0.5 * h } else { h }, data);
    }
    z
}

/// Expected squared jump times acceptance.
#[differentiable]
fn jump(q: &[f64; DIM], p: &[f64; DIM], h: f64, mass: &[f64; DIM], #[no_diff] data: &Schools) -> f64 {
    let start = Phase { q: *q, p: *p };
    let end = leapfrog(start, h, mass, 5, data);
    let accept = (start.energy(mass, data) - end.energy(mass, data)).exp().min(1.0);
    let distance = start.q.iter().zip(end.q.iter()).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    accept * distance
}

#[test]
fn gradient_against_differences() {
    let data = Schools { effects: [2.8, 0.8, -0.3, 0.7], errors: [1.5, 1.0, 1.6, 1.1] };
    let at: Vec<f64> =
        (0..3 * DIM + 1).map(|i| if i < 2 * DIM { 0.5 * (i as f64).sin() } else { 0.15 + 0.05 * i as f64 }).collect();
    let part = |p: &[f64], k: usize| -> [f64; DIM] { p[k * DIM..(k + 1) * DIM].try_into().unwrap() };
    let h = |p: &[f64]| 0.1 * p[3 * DIM];
    let (gq, gp, gh, gm) = jump::grad(&part(&at, 0), &part(&at, 1), h(&at), &part(&at, 2), &data);
    let mut g = gq.to_vec();
    g.extend(gp);
    g.extend(gm);
    g.push(0.1 * gh);
    check(|x| jump(&part(x, 0), &part(x, 1), h(x), &part(x, 2), &data), &at, &g);
}
