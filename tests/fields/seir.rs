//! Fitting an epidemic: an SEIR model with interventions, by the method of Runge and Kutta.

use crate::differences::check;
use autodiff::prelude::*;

type State = [f64; 4];

#[derive(Clone, Debug, Differentiable)]
struct Params {
    log_beta: f64,
    log_sigma: f64,
    log_gamma: f64,
    log_e0: f64,
    lockdown_effect: f64,
}

struct Scenario {
    population: f64,
    lockdown: Option<(f64, f64)>,
    steps_per_day: usize,
}

struct Observation {
    day: usize,
    cases: u32,
}

/// a + s * b
#[differentiable]
fn axpy(a: &State, s: f64, b: &State) -> State {
    let mut out = *a;
    for (o, b) in out.iter_mut().zip(b) {
        *o += s * b;
    }
    out
}

#[differentiable]
fn rhs(params: &Params, #[no_diff] scenario: &Scenario, #[no_diff] t: f64, y: &State) -> State {
    let (beta, sigma, gamma) = (params.log_beta.exp(), params.log_sigma.exp(), params.log_gamma.exp());
    let contact = match scenario.lockdown {
        Some((from, to)) if t >= from && t < to => beta * (1.0 - params.lockdown_effect),
        _ => beta,
    };
    let [s, e, i, _r] = *y;
    let infection = contact * s * i / scenario.population;
    [-infection, infection - sigma * e, sigma * e - gamma * i, gamma * i]
}

#[differentiable]
fn rk4(f: impl Fn(f64, &State) -> State, #[no_diff] t: f64, y: &State, #[no_diff] h: f64) -> State {
    let k1 = f(t, y);
    let k2 = f(t + 0.5 * h, &axpy(y, 0.5 * h, &k1));
    let k3 = f(t + 0.5 * h, &axpy(y, 0.5 * h, &k2));
    let k4 = f(t + h, &axpy(y, h, &k3));
    let mut out = *y;
    for i in 0..4 {
        out[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    out
}

#[differentiable]
fn simulate(params: &Params, #[no_diff] scenario: &Scenario, #[no_diff] days: usize) -> Vec<f64> {
    let n = scenario.population;
    let e0 = params.log_e0.exp();
    let mut state = [n - e0, e0, 0.0, 0.0];
    let h = 1.0 / scenario.steps_per_day as f64;

    let mut daily = Vec::new();
    for day in 0..days {
        let before = state[0];
        for step in 0..scenario.steps_per_day {
            let t = day as f64 + step as f64 * h;
            state = rk4(|t, y| rhs(params, scenario, t, y), t, &state, h);
        }
        daily.push(before - state[0]);
    }
    daily
}

/// The Poisson deviance, up to a constant.
#[differentiable]
fn loss(params: &Params, #[no_diff] scenario: &Scenario, #[no_diff] data: &[Observation]) -> f64 {
    let last = data.iter().map(|o| o.day).max().unwrap_or(0);
    let daily = simulate(params, scenario, last + 1);
    data.iter().map(|o| daily[o.day] - o.cases as f64 * daily[o.day].ln()).sum()
}

#[test]
fn gradient() {
    let data: Vec<Observation> =
        [(2, 3), (5, 7), (9, 20), (12, 31)].map(|(day, cases)| Observation { day, cases }).into();
    let params =
        |p: &[f64]| Params { log_beta: p[0], log_sigma: p[1], log_gamma: p[2], log_e0: p[3], lockdown_effect: p[4] };
    let at = [-0.4, -1.0, -1.6, 1.5, 0.5];
    for lockdown in [None, Some((6.0, 11.0))] {
        let scenario = Scenario { population: 10_000.0, lockdown, steps_per_day: 2 };
        let g = loss::grad(&params(&at), &scenario, &data);
        let gradient = [g.log_beta, g.log_sigma, g.log_gamma, g.log_e0, g.lockdown_effect];
        check(|p| loss(&params(p), &scenario, &data), &at, &gradient);
    }
}
