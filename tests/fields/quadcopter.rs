//! Aerial robotics: a quadcopter with a unit quaternion, and the cost of its rotor speeds along waypoints.

use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, AddAssign, Mul, Sub};

#[derive(Debug, Clone, Copy, PartialEq, Differentiable)]
struct Vec3(f64, f64, f64);

#[differentiable]
impl Vec3 {
    fn dot(self, o: Self) -> f64 {
        self.0 * o.0 + self.1 * o.1 + self.2 * o.2
    }

    fn cross(self, o: Self) -> Self {
        Vec3(self.1 * o.2 - self.2 * o.1, self.2 * o.0 - self.0 * o.2, self.0 * o.1 - self.1 * o.0)
    }

    fn norm_squared(self) -> f64 {
        self.dot(self)
    }
}

#[differentiable]
impl Add for Vec3 {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Vec3(self.0 + o.0, self.1 + o.1, self.2 + o.2)
    }
}

#[differentiable]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Self) {
        self.0 += o.0;
        self.1 += o.1;
        self.2 += o.2;
    }
}

#[differentiable]
impl Sub for Vec3 {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Vec3(self.0 - o.0, self.1 - o.1, self.2 - o.2)
    }
}

#[differentiable]
impl Mul<f64> for Vec3 {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        Vec3(self.0 * k, self.1 * k, self.2 * k)
    }
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct Quaternion {
    w: f64,
    v: Vec3,
}

#[differentiable]
impl Mul for Quaternion {
    type Output = Quaternion;
    fn mul(self, rhs: Quaternion) -> Quaternion {
        Quaternion { w: self.w * rhs.w - self.v.dot(rhs.v), v: rhs.v * self.w + self.v * rhs.w + self.v.cross(rhs.v) }
    }
}

#[differentiable]
impl Quaternion {
    fn conjugate(self) -> Quaternion {
        Quaternion { w: self.w, v: self.v * -1.0 }
    }

    fn normalized(self) -> Quaternion {
        let n = (self.w * self.w + self.v.norm_squared()).sqrt();
        Quaternion { w: self.w / n, v: self.v * (1.0 / n) }
    }

    fn rotate(self, p: Vec3) -> Vec3 {
        let q = self * Quaternion { w: 0.0, v: p } * self.conjugate();
        q.v
    }
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct State {
    position: Vec3,
    velocity: Vec3,
    attitude: Quaternion,
    rates: Vec3,
}

#[derive(Debug, Clone, Differentiable)]
struct Airframe {
    mass: f64,
    arm: f64,
    thrust_coefficient: f64,
    torque_coefficient: f64,
    inertia: Vec3,
    drag: f64,
}

#[derive(Debug, Clone)]
struct Waypoint {
    at_step: usize,
    position: Vec3,
}

const GRAVITY: Vec3 = Vec3(0.0, 0.0, -9.81);

#[differentiable]
impl Airframe {
    /// Thrust along the body's z, and the moments: rotors in an X.
    fn wrench(&self, speeds: &[f64; 4]) -> (f64, Vec3) {
        let [f0, f1, f2, f3] = speeds.map(|w| self.thrust_coefficient * w * w);
        let l = self.arm * std::f64::consts::FRAC_1_SQRT_2;
        let ratio = self.torque_coefficient / self.thrust_coefficient;
        (f0 + f1 + f2 + f3, Vec3(l * (f0 + f1 - f2 - f3), l * (-f0 + f1 + f2 - f3), ratio * (f0 - f1 + f2 - f3)))
    }

    fn step(&self, state: &mut State, speeds: &[f64; 4], #[no_diff] dt: f64) {
        let (thrust, moment) = self.wrench(speeds);
        let lift = state.attitude.rotate(Vec3(0.0, 0.0, thrust / self.mass));
        let acceleration = lift + GRAVITY - state.velocity * self.drag;
        state.velocity += acceleration * dt;
        state.position += state.velocity * dt;

        let i = self.inertia;
        let w = state.rates;
        let momentum = Vec3(i.0 * w.0, i.1 * w.1, i.2 * w.2);
        let net = moment - w.cross(momentum);
        state.rates += Vec3(net.0 / i.0, net.1 / i.1, net.2 / i.2) * dt;

        let half = Quaternion { w: 1.0, v: state.rates * (0.5 * dt) };
        state.attitude = (state.attitude * half).normalized();
    }
}

#[differentiable]
fn mission_cost(airframe: &Airframe, rotors: &[[f64; 4]], #[no_diff] waypoints: &[Waypoint]) -> f64 {
    let mut state = State {
        position: Vec3(0.0, 0.0, 1.0),
        velocity: Vec3(0.0, 0.0, 0.0),
        attitude: Quaternion { w: 1.0, v: Vec3(0.0, 0.0, 0.0) },
        rates: Vec3(0.0, 0.0, 0.0),
    };
    let mut cost = 0.0;
    for (k, speeds) in rotors.iter().enumerate() {
        airframe.step(&mut state, speeds, 0.01);
        cost += 1e-7 * speeds.iter().map(|w| w.powi(2)).sum::<f64>();
        cost += 0.01 * state.rates.norm_squared();
        if let Some(w) = waypoints.iter().find(|w| w.at_step == k) {
            cost += (state.position - w.position).norm_squared();
        }
    }
    cost
}

fn airframe(p: &[f64]) -> Airframe {
    Airframe {
        mass: p[0],
        arm: p[1],
        thrust_coefficient: p[2],
        torque_coefficient: p[3],
        inertia: Vec3(p[4], p[5], p[6]),
        drag: p[7],
    }
}

#[test]
fn gradient() {
    let waypoints = vec![
        Waypoint { at_step: 7, position: Vec3(0.1, 0.0, 1.2) },
        Waypoint { at_step: 14, position: Vec3(0.2, -0.1, 1.1) },
    ];
    let rotors: Vec<[f64; 4]> = (0..15).map(|k| [5.0 + 0.01 * k as f64, 5.1, 4.9, 5.05]).collect();
    let at = [0.8, 0.17, 0.08, 0.01, 0.2, 0.25, 0.4, 0.1];
    let (a, r) = mission_cost::grad(&airframe(&at), &rotors, &waypoints);
    let i = &a.inertia;
    check(
        |p| mission_cost(&airframe(p), &rotors, &waypoints),
        &at,
        &[a.mass, a.arm, a.thrust_coefficient, a.torque_coefficient, i.0, i.1, i.2, a.drag],
    );
    let a = airframe(&at);
    check(
        |p| mission_cost(&a, &p.chunks(4).map(|c| [c[0], c[1], c[2], c[3]]).collect::<Vec<_>>(), &waypoints),
        &rotors.concat(),
        &r.concat(),
    );
}
