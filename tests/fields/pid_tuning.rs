//! Control: tuning a PID controller with a filtered derivative and anti-windup on a plant with dead time (Åström, Hägglund).

use crate::differences::check;
use autodiff::prelude::*;
use std::collections::VecDeque;

#[derive(Debug, Clone, Copy, Differentiable)]
struct Gains {
    kp: f64,
    ki: f64,
    kd: f64,
}

#[derive(Debug, Clone, Differentiable)]
struct Pid {
    gains: Gains,
    #[no_diff]
    dt: f64,
    #[no_diff]
    limit: f64,
    integral: f64,
    filtered: f64,
    previous: Option<f64>,
}

#[differentiable]
impl Pid {
    const FILTER: f64 = 0.2;

    fn update(&mut self, setpoint: f64, measured: f64) -> f64 {
        let error = setpoint - measured;
        let slope = match self.previous {
            Some(previous) => (error - previous) / self.dt,
            None => 0.0,
        };
        self.previous = Some(error);
        self.filtered += Self::FILTER * (slope - self.filtered);
        let u = self.gains.kp * error + self.integral + self.gains.kd * self.filtered;
        let saturated = u.clamp(-self.limit, self.limit);
        // Back-calculation.
        self.integral += self.dt * (self.gains.ki * error + 0.5 * (saturated - u));
        saturated
    }
}

#[derive(Debug, Clone)]
struct Plant {
    time_constant: f64,
    gain: f64,
    delay: usize,
}

/// Integral of time-weighted absolute error, and what the actuator moves.
#[differentiable]
fn itae(gains: Gains, #[no_diff] plant: &Plant, #[no_diff] setpoints: &[f64]) -> f64 {
    let dt = 0.05;
    let mut pid = Pid { gains, dt, limit: 3.0, integral: 0.0, filtered: 0.0, previous: None };
    let mut pipe: VecDeque<f64> = VecDeque::new();
    for _ in 0..plant.delay {
        pipe.push_back(0.0);
    }
    let mut y = 0.0;
    let mut last_u = 0.0;
    let mut cost = 0.0;
    for (k, &setpoint) in setpoints.iter().enumerate() {
        let u = pid.update(setpoint, y);
        pipe.push_back(u);
        let delayed = pipe.pop_front().unwrap_or(0.0);
        y += dt * (plant.gain * delayed - y) / plant.time_constant;
        let t = k as f64 * dt;
        cost += dt * (t * (setpoint - y).abs() + 0.01 * (u - last_u).powi(2));
        last_u = u;
    }
    cost
}

#[test]
fn the_gradient_agrees_with_differences() {
    let plant = Plant { time_constant: 1.0, gain: 1.5, delay: 4 };
    let setpoints: Vec<f64> = (0..80).map(|k| if k < 5 { 0.0 } else { 1.0 + 0.003 * k as f64 }).collect();
    let cost = |p: &[f64]| itae(Gains { kp: p[0], ki: p[1], kd: p[2] }, &plant, &setpoints);
    for at in [[0.8, 0.5, 0.1], [3.1, 1.0, 0.1]] {
        let (value, g) = itae::value_and_grad(Gains { kp: at[0], ki: at[1], kd: at[2] }, &plant, &setpoints);
        assert_eq!(value, cost(&at));
        check(cost, &at, &[g.kp, g.ki, g.kd]);
    }
}
