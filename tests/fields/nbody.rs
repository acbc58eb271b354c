//! Astronomy: a planetary system by leapfrog, its end by its start and its masses (Aarseth; Hairer, Lubich, Wanner).

use crate::differences::check;
use autodiff::prelude::*;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

#[derive(Differentiable, Debug, Clone, Copy, Default, PartialEq)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

#[differentiable]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

#[differentiable]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f64) -> Vec3 {
        Vec3 { x: self.x * k, y: self.y * k, z: self.z * k }
    }
}

#[differentiable]
impl Div<f64> for Vec3 {
    type Output = Vec3;
    fn div(self, k: f64) -> Vec3 {
        self * (1.0 / k)
    }
}

#[differentiable]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Vec3) {
        self.x += o.x;
        self.y += o.y;
        self.z += o.z;
    }
}

impl Sum for Vec3 {
    fn sum<I: Iterator<Item = Vec3>>(iter: I) -> Vec3 {
        iter.fold(Vec3::default(), |a, b| a + b)
    }
}

#[differentiable]
impl Vec3 {
    fn norm2(&self) -> f64 {
        self.x * self.x + self.y * self.y + self.z * self.z
    }
}

#[derive(Differentiable, Debug, Clone)]
struct Body {
    mass: f64,
    position: Vec3,
    velocity: Vec3,
}

const G: f64 = 1.0;
const SOFTENING: f64 = 1e-3;

#[differentiable]
fn accelerations(bodies: &[Body]) -> Vec<Vec3> {
    bodies
        .iter()
        .enumerate()
        .map(|(i, a)| {
            bodies
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .map(|(_, b)| {
                    let d = b.position - a.position;
                    d * (G * b.mass / (d.norm2() + SOFTENING).powf(1.5))
                })
                .sum()
        })
        .collect()
}

#[differentiable]
fn energy(bodies: &[Body]) -> f64 {
    let mut e = 0.0;
    for (i, a) in bodies.iter().enumerate() {
        e += 0.5 * a.mass * a.velocity.norm2();
        for b in &bodies[i + 1..] {
            e -= G * a.mass * b.mass / ((a.position - b.position).norm2() + SOFTENING).sqrt();
        }
    }
    e
}

#[differentiable]
fn leapfrog(bodies: &mut Vec<Body>, #[no_diff] dt: f64, #[no_diff] steps: usize) {
    let mut acc = accelerations(bodies);
    for _ in 0..steps {
        for (body, a) in bodies.iter_mut().zip(&acc) {
            body.velocity += *a * (0.5 * dt);
            body.position += body.velocity * dt;
        }
        acc = accelerations(bodies);
        for (body, a) in bodies.iter_mut().zip(acc.iter()) {
            body.velocity += *a * (0.5 * dt);
        }
    }
}

#[derive(Debug, Clone)]
struct Observation {
    body: usize,
    position: Vec3,
}

#[differentiable]
fn ephemeris_error(initial: &[Body], #[no_diff] schedule: &[Vec<Observation>]) -> f64 {
    let mut bodies = initial.to_vec();
    let before = energy(&bodies);
    let mut error = 0.0;
    for observations in schedule {
        leapfrog(&mut bodies, 0.02, 10);
        for o in observations {
            error += (bodies[o.body].position - o.position).norm2();
        }
    }
    let drift = energy(&bodies) - before;
    // The centre of mass should rest.
    let total: f64 = bodies.iter().map(|b| b.mass).sum();
    let mut momentum = Vec3::default();
    for b in &bodies {
        momentum += b.velocity * b.mass;
    }
    error + 10.0 * drift * drift + (momentum / total).norm2()
}

fn bodies(p: &[f64]) -> Vec<Body> {
    p.chunks(7)
        .map(|c| Body {
            mass: c[0],
            position: Vec3 { x: c[1], y: c[2], z: c[3] },
            velocity: Vec3 { x: c[4], y: c[5], z: c[6] },
        })
        .collect()
}

#[test]
fn the_gradient_agrees_with_differences() {
    let at = [
        1.0, 0.0, 0.0, 0.0, 0.0, -0.02, 0.0, 0.02, 1.0, 0.1, 0.0, 0.05, 1.0, 0.1, 0.01, -1.6, 0.2, 0.3, 0.1, -0.8, 0.0,
    ];
    let schedule: Vec<Vec<Observation>> = (0..4)
        .map(|k| {
            (1..3)
                .filter(|b| (b + k) % 3 != 0)
                .map(|body| Observation { body, position: Vec3 { x: 0.5 * k as f64, y: 0.9, z: 0.0 } })
                .collect()
        })
        .collect();
    let (value, g) = ephemeris_error::value_and_grad(&bodies(&at), &schedule);
    assert_eq!(value, ephemeris_error(&bodies(&at), &schedule));
    let flat: Vec<f64> = g
        .iter()
        .flat_map(|b| {
            let (p, v) = (&b.position, &b.velocity);
            [b.mass, p.x, p.y, p.z, v.x, v.y, v.z]
        })
        .collect();
    check(|p| ephemeris_error(&bodies(p), &schedule), &at, &flat);
}
