//! Control: the cost of a rollout of a cart-pole under linear feedback, by the gains (Tedrake, "Underactuated Robotics").
use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul};

#[derive(Clone, Copy, Debug, Differentiable)]
struct State {
    x: f64,
    theta: f64,
    v: f64,
    omega: f64,
}

#[differentiable]
impl Add for State {
    type Output = State;
    fn add(self, o: State) -> State {
        State { x: self.x + o.x, theta: self.theta + o.theta, v: self.v + o.v, omega: self.omega + o.omega }
    }
}

#[differentiable]
impl Mul<f64> for State {
    type Output = State;
    fn mul(self, k: f64) -> State {
        State { x: k * self.x, theta: k * self.theta, v: k * self.v, omega: k * self.omega }
    }
}

#[derive(Clone, Debug)]
struct CartPole {
    cart_mass: f64,
    pole_mass: f64,
    length: f64,
    gravity: f64,
    max_force: f64,
}

impl Default for CartPole {
    fn default() -> Self {
        Self { cart_mass: 1.0, pole_mass: 0.1, length: 0.5, gravity: 9.81, max_force: 20.0 }
    }
}

struct Weights {
    q: [f64; 4],
    r: f64,
    terminal: f64,
}

#[differentiable]
fn dynamics(#[no_diff] p: &CartPole, s: State, force: f64) -> State {
    let (sin, cos) = s.theta.sin_cos();
    let total = p.cart_mass + p.pole_mass * sin * sin;
    let v_dot = (force + p.pole_mass * sin * (p.length * s.omega * s.omega - p.gravity * cos)) / total;
    let omega_dot = (-force * cos - p.pole_mass * p.length * s.omega.powi(2) * cos * sin
        + (p.cart_mass + p.pole_mass) * p.gravity * sin)
        / (p.length * total);
    State { x: s.v, theta: s.omega, v: v_dot, omega: omega_dot }
}

/// One step of the classical Runge-Kutta method with the force held.
#[differentiable]
fn rk4(#[no_diff] p: &CartPole, s: State, force: f64, #[no_diff] h: f64) -> State {
    let f = |s: State| dynamics(p, s, force);
    let k1 = f(s);
    let k2 = f(s + k1 * (0.5 * h));
    let k3 = f(s + k2 * (0.5 * h));
    let k4 = f(s + k3 * h);
    s + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0)
}

#[differentiable]
fn stage_cost(#[no_diff] w: &Weights, s: &State, u: f64) -> f64 {
    let State { x, theta, v, omega } = *s;
    w.q[0] * x * x + w.q[1] * (1.0 - theta.cos()) + w.q[2] * v * v + w.q[3] * omega * omega + w.r * u * u
}

#[differentiable]
fn rollout_cost(
    gains: &[f64; 4],
    start: State,
    #[no_diff] plant: &CartPole,
    #[no_diff] weights: &Weights,
    #[no_diff] steps: usize,
) -> f64 {
    const DT: f64 = 0.02;
    let saturate = |u: f64| plant.max_force * (u / plant.max_force).tanh();
    let mut state = start;
    let mut cost = 0.0;
    for _ in 0..steps {
        let u = saturate(-(gains[0] * state.x + gains[1] * state.theta + gains[2] * state.v + gains[3] * state.omega));
        cost += stage_cost(weights, &state, u) * DT;
        state = rk4(plant, state, u, DT);
        if state.theta.abs() > std::f64::consts::FRAC_PI_2 {
            // It fell.
            return cost + 1000.0 * state.theta.abs();
        }
    }
    cost + weights.terminal * stage_cost(weights, &state, 0.0)
}

#[test]
fn the_gradient_agrees_with_differences() {
    let plant = CartPole::default();
    let weights = Weights { q: [1.0, 10.0, 0.1, 0.1], r: 0.01, terminal: 5.0 };
    let cost = |p: &[f64]| {
        let start = State { x: p[4], theta: p[5], v: p[6], omega: p[7] };
        rollout_cost(&[p[0], p[1], p[2], p[3]], start, &plant, &weights, 60)
    };
    // Gains that balance it, and gains that do not.
    for gains in [[-1.0, -40.0, -2.0, -8.0], [0.0, 1.0, 0.0, 0.0]] {
        let start = State { x: 0.1, theta: 0.2, v: 0.0, omega: -0.1 };
        let (by_gains, by_start) = rollout_cost::grad(&gains, start, &plant, &weights, 60);
        let at = [&gains[..], &[0.1, 0.2, 0.0, -0.1]].concat();
        let g = [&by_gains[..], &[by_start.x, by_start.theta, by_start.v, by_start.omega]].concat();
        check(cost, &at, &g);
    }
}
