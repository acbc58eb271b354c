//! Control: tuning a PID controller with a filtered derivative and anti-windup on a plant with dead time (Åström, Hägglund).
//!
//! Changed afterwards: the last error and whether there is one, in place of an `Option` in what is borrowed by `&mut`; a `Vec` and a place in it,
//! in place of a `VecDeque`.
use crate::differences::check;
use autodiff::prelude::*;

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
    previous: f64,
    started: bool,
}

#[differentiable]
impl Pid {
    const FILTER: f64 = 0.2;

    fn update(&mut self, setpoint: f64, measured: f64) -> f64 {
        let error = setpoint - measured;
        let slope = if self.started { (error - self.previous) / self.dt } else { 0.0 };
        self.previous = error;
        self.started = true;
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
    let mut pid = Pid { gains, dt, limit: 3.0, integral: 0.0, filtered: 0.0, previous: 0.0, started: false };
    let mut pipe = vec![0.0; plant.delay];
    let mut y = 0.0;
    let mut last_u = 0.0;
    let mut cost = 0.0;
    for (k, &setpoint) in setpoints.iter().enumerate() {
        let u = pid.update(setpoint, y);
        let delayed = pipe[k % plant.delay];
        pipe[k % plant.delay] = u;
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
