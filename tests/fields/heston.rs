//! A call on Heston's stochastic volatility by Monte Carlo: pathwise derivatives with common random numbers.

use crate::differences::check;
use autodiff::prelude::*;

trait NormalSource {
    fn normal(&mut self) -> f64;
}

/// A linear congruential generator and the polar method of Marsaglia.
struct Lcg {
    state: u64,
    spare: Option<f64>,
}

impl Lcg {
    fn new(seed: u64) -> Self {
        Lcg { state: seed, spare: None }
    }

    fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl NormalSource for Lcg {
    fn normal(&mut self) -> f64 {
        if let Some(z) = self.spare.take() {
            return z;
        }
        loop {
            let (u, v) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                let scale = (-2.0 * s.ln() / s).sqrt();
                self.spare = Some(v * scale);
                return u * scale;
            }
        }
    }
}

#[derive(Clone, Copy, Differentiable)]
struct Heston {
    spot: f64,
    v0: f64,
    kappa: f64,
    theta: f64,
    xi: f64,
    rho: f64,
}

struct Simulation {
    paths: usize,
    steps: usize,
    maturity: f64,
    strike: f64,
    rate: f64,
}

#[differentiable]
fn path<R: NormalSource>(model: &Heston, #[no_diff] sim: &Simulation, #[no_diff] rng: &mut R) -> f64 {
    let dt = sim.maturity / sim.steps as f64;
    let sqrt_dt = dt.sqrt();
    let mut log_s = model.spot.ln();
    let mut v = model.v0;
    for _ in 0..sim.steps {
        let z1 = rng.normal();
        let z2 = model.rho * z1 + (1.0 - model.rho * model.rho).sqrt() * rng.normal();
        let v_plus = v.max(0.0);
        let vol = (v_plus + 1e-8).sqrt();
        log_s += (sim.rate - 0.5 * v_plus) * dt + vol * sqrt_dt * z1;
        v += model.kappa * (model.theta - v_plus) * dt + model.xi * vol * sqrt_dt * z2;
    }
    log_s.exp()
}

#[differentiable]
fn call_price(model: &Heston, #[no_diff] sim: &Simulation, #[no_diff] rng: &mut impl NormalSource) -> f64 {
    let discount = (-sim.rate * sim.maturity).exp();
    let mut sum = 0.0;
    for _ in 0..sim.paths {
        let payoff = (path(model, sim, rng) - sim.strike).max(0.0);
        sum += payoff;
    }
    discount * sum / sim.paths as f64
}

#[test]
fn the_gradient_agrees_with_differences() {
    let sim = Simulation { paths: 20, steps: 12, maturity: 1.0, strike: 80.0, rate: 0.02 };
    let model = |p: &[f64]| Heston { spot: p[0], v0: p[1], kappa: p[2], theta: p[3], xi: p[4], rho: p[5] };
    let at = [100.0, 0.04, 1.5, 0.04, 0.1, -0.6];
    let g = call_price::grad(&model(&at), &sim, &mut Lcg::new(7));
    let gradient = [g.spot, g.v0, g.kappa, g.theta, g.xi, g.rho];
    check(|p| call_price(&model(p), &sim, &mut Lcg::new(7)), &at, &gradient);
}
