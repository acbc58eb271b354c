//! Pacejka's magic formula and a bicycle model.
use autodiff::prelude::*;

#[derive(Clone, Copy, Debug, Default, Differentiable)]
pub struct Tyre {
    b: f64,
    c: f64,
    d: f64,
    e: f64,
}

impl Tyre {
    const fn new(b: f64, c: f64, d: f64, e: f64) -> Self {
        Tyre { b, c, d, e }
    }
}

#[differentiable]
impl Tyre {
    fn lateral(&self, slip: f64, load: f64) -> f64 {
        let bs = self.b * slip;
        load * self.d * (self.c * (bs - self.e * (bs - bs.atan())).atan()).sin()
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct State {
    vy: f64,
    yaw_rate: f64,
    psi: f64,
    x: f64,
    y: f64,
}

#[differentiable]
fn derivative(s: &State, steer: f64, front: &Tyre, rear: &Tyre, #[no_diff] vx: f64) -> State {
    const A: f64 = 1.2;
    const B: f64 = 1.6;
    const MASS: f64 = 1500.0;
    const IZ: f64 = 2500.0;
    const G: f64 = 9.81;
    let load_f = MASS * G * B / (A + B);
    let load_r = MASS * G * A / (A + B);
    let alpha_f = steer - ((s.vy + A * s.yaw_rate) / vx).atan();
    let alpha_r = -((s.vy - B * s.yaw_rate) / vx).atan();
    let (fyf, fyr) = (front.lateral(alpha_f, load_f), rear.lateral(alpha_r, load_r));
    State {
        vy: (fyf * steer.cos() + fyr) / MASS - vx * s.yaw_rate,
        yaw_rate: (A * fyf * steer.cos() - B * fyr) / IZ,
        psi: s.yaw_rate,
        x: vx * s.psi.cos() - s.vy * s.psi.sin(),
        y: vx * s.psi.sin() + s.vy * s.psi.cos(),
    }
}

#[differentiable]
fn lane_change(front: Tyre, rear: Tyre, amplitude: f64) -> f64 {
    let mut s = State { vy: 0.0, yaw_rate: 0.0, psi: 0.0, x: 0.0, y: 0.0 };
    let dt = 0.02;
    let mut cost = 0.0;
    for k in 0..60 {
        let t = k as f64 * dt;
        let steer = amplitude * (2.0 * std::f64::consts::PI * t / 1.2).sin();
        let d = derivative(&s, steer, &front, &rear, 20.0);
        s = State {
            vy: s.vy + dt * d.vy,
            yaw_rate: s.yaw_rate + dt * d.yaw_rate,
            psi: s.psi + dt * d.psi,
            x: s.x + dt * d.x,
            y: s.y + dt * d.y,
        };
        cost += dt * s.yaw_rate * s.yaw_rate;
    }
    (s.y - 3.0).powi(2) + cost
}

#[test]
fn the_derivatives_agree_with_differences() {
    let tyre = Tyre::new(10.0, 1.9, 1.0, 0.97);
    autodiff::check_grads!(lane_change, tyre, tyre, 0.03);
}
