//! Control: the objective of model-predictive control of a car (kinematic bicycle) by single shooting, with soft constraints
//! (Rawlings, Mayne, Diehl; Rajamani).
use crate::differences::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct State {
    x: f64,
    y: f64,
    heading: f64,
    speed: f64,
}

#[derive(Differentiable, Clone, Copy, Debug, Default)]
struct Input {
    acceleration: f64,
    steering: f64,
}

#[derive(Debug, Clone, Copy)]
struct Obstacle {
    x: f64,
    y: f64,
    radius: f64,
}

#[derive(Debug, Clone)]
struct Config {
    dt: f64,
    wheelbase: f64,
    v_ref: f64,
    v_max: f64,
    lateral_max: f64,
    w_track: f64,
    w_speed: f64,
    w_input: f64,
    w_rate: f64,
    w_soft: f64,
    obstacles: Vec<Obstacle>,
}

impl Config {
    fn new() -> Self {
        Config {
            dt: 0.1,
            wheelbase: 2.7,
            v_ref: 8.0,
            v_max: 8.5,
            lateral_max: 2.0,
            w_track: 1.0,
            w_speed: 0.5,
            w_input: 0.1,
            w_rate: 2.0,
            w_soft: 50.0,
            obstacles: vec![Obstacle { x: 6.0, y: 0.5, radius: 1.5 }, Obstacle { x: 12.0, y: -1.0, radius: 1.0 }],
        }
    }
}

/// How much `g <= 0` is violated, squared.
#[differentiable]
fn violation(g: f64) -> f64 {
    g.max(0.0).powi(2)
}

#[differentiable]
fn step(s: &State, u: &Input, #[no_diff] cfg: &Config) -> State {
    let beta = (0.5 * u.steering.tan()).atan();
    State {
        x: s.x + cfg.dt * s.speed * (s.heading + beta).cos(),
        y: s.y + cfg.dt * s.speed * (s.heading + beta).sin(),
        heading: s.heading + cfg.dt * s.speed * 2.0 * beta.sin() / cfg.wheelbase,
        speed: s.speed + cfg.dt * u.acceleration,
    }
}

#[differentiable]
fn predict(start: &State, inputs: &[Input], #[no_diff] cfg: &Config) -> Vec<State> {
    let mut trajectory = Vec::with_capacity(inputs.len() + 1);
    trajectory.push(*start);
    for u in inputs {
        let next = step(trajectory.last().unwrap(), u, cfg);
        trajectory.push(next);
    }
    trajectory
}

#[differentiable]
fn objective(inputs: &[Input], start: &State, #[no_diff] cfg: &Config) -> f64 {
    let trajectory = predict(start, inputs, cfg);

    let tracking: f64 = trajectory
        .iter()
        .skip(1)
        .map(|s| cfg.w_track * s.y.powi(2) + cfg.w_speed * (s.speed - cfg.v_ref).powi(2))
        .sum();
    let effort: f64 =
        inputs.iter().map(|u| cfg.w_input * (u.acceleration * u.acceleration + u.steering * u.steering)).sum();
    let rate: f64 = inputs
        .windows(2)
        .map(|w| (w[1].acceleration - w[0].acceleration).powi(2) + (w[1].steering - w[0].steering).powi(2))
        .sum();

    let mut soft = 0.0;
    for (s, u) in trajectory[1..].iter().zip(inputs) {
        soft += violation(s.speed - cfg.v_max) + violation(-s.speed);
        soft += violation((s.speed.powi(2) * u.steering.tan() / cfg.wheelbase).abs() - cfg.lateral_max);
        for o in &cfg.obstacles {
            let d = (s.x - o.x).hypot(s.y - o.y);
            soft += violation(o.radius + 0.5 - d);
        }
    }
    tracking + effort + cfg.w_rate * rate + cfg.w_soft * soft
}

fn inputs(p: &[f64]) -> Vec<Input> {
    p.chunks(2).map(|c| Input { acceleration: c[0], steering: c[1] }).collect()
}

#[test]
fn the_gradient_agrees_with_differences() {
    let cfg = Config::new();
    let start = State { x: 0.0, y: 0.3, heading: 0.05, speed: 7.0 };
    let at: Vec<f64> = (0..30).map(|k| if k % 2 == 0 { 1.0 } else { 0.1 * (k as f64 * 0.3).sin() }).collect();
    let (value, (by_inputs, _)) = objective::value_and_grad(&inputs(&at), &start, &cfg);
    assert_eq!(value, objective(&inputs(&at), &start, &cfg));
    let g: Vec<f64> = by_inputs.iter().flat_map(|u| [u.acceleration, u.steering]).collect();
    check(|p| objective(&inputs(p), &start, &cfg), &at, &g);
}
