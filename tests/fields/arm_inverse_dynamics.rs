//! Robotics: inverse dynamics of a planar arm by the recursive Newton-Euler algorithm (Featherstone; Craig, chapter 6).
use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul, Sub};

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Vec2 {
    x: f64,
    y: f64,
}

impl Vec2 {
    const ZERO: Vec2 = Vec2 { x: 0.0, y: 0.0 };
}

#[differentiable]
impl Vec2 {
    fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The z component of the cross product.
    fn cross(self, other: Vec2) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// ω × r for a rotation about z.
    fn perp(self) -> Self {
        Self::new(-self.y, self.x)
    }

    fn rotated(self, angle: f64) -> Self {
        let (s, c) = angle.sin_cos();
        Self::new(c * self.x - s * self.y, s * self.x + c * self.y)
    }
}

#[differentiable]
impl Add for Vec2 {
    type Output = Vec2;
    fn add(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x + rhs.x, self.y + rhs.y)
    }
}

#[differentiable]
impl Sub for Vec2 {
    type Output = Vec2;
    fn sub(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x - rhs.x, self.y - rhs.y)
    }
}

#[differentiable]
impl Mul<f64> for Vec2 {
    type Output = Vec2;
    fn mul(self, k: f64) -> Vec2 {
        Vec2::new(self.x * k, self.y * k)
    }
}

#[derive(Differentiable, Clone, Debug)]
struct Link {
    length: f64,
    /// Distance from the joint to the centre of mass.
    com: f64,
    mass: f64,
    inertia: f64,
    viscous_friction: f64,
}

#[derive(Differentiable, Clone, Copy)]
struct LinkState {
    omega: f64,
    alpha: f64,
    /// Acceleration of the centre of mass, in the link's frame.
    acc_com: Vec2,
}

const GRAVITY: f64 = 9.81;

/// The joint torques that make the arm move with the accelerations `qdd`.
#[differentiable]
fn inverse_dynamics(links: &[Link], q: &[f64], qd: &[f64], qdd: &[f64], payload: f64) -> Vec<f64> {
    let n = links.len();
    assert_eq!(q.len(), n);

    // Outward: velocities and accelerations.
    let mut states = Vec::with_capacity(n);
    let mut omega = 0.0;
    let mut alpha = 0.0;
    let mut acc = Vec2::new(0.0, GRAVITY);
    for (i, link) in links.iter().enumerate() {
        acc = acc.rotated(-q[i]);
        omega += qd[i];
        alpha += qdd[i];
        let along = Vec2::new(1.0, 0.0);
        let at = |r: f64| acc + along.perp() * (alpha * r) - along * (omega * omega * r);
        states.push(LinkState { omega, alpha, acc_com: at(link.com) });
        acc = at(link.length);
    }

    // Inward: forces and moments.
    let mut tau = vec![0.0; n];
    let mut force = acc * payload;
    let mut moment = 0.0;
    for i in (0..n).rev() {
        let link = &links[i];
        let state = &states[i];
        if i + 1 < n {
            force = force.rotated(q[i + 1]);
        }
        let inertial = state.acc_com * link.mass;
        moment += Vec2::new(link.com, 0.0).cross(inertial)
            + Vec2::new(link.length, 0.0).cross(force)
            + link.inertia * state.alpha;
        force = force + inertial;
        tau[i] = moment + link.viscous_friction * qd[i];
    }
    tau
}

#[derive(Clone)]
struct Measurement {
    q: [f64; 2],
    qd: [f64; 2],
    qdd: [f64; 2],
    torque: [f64; 2],
}

/// Identification of the links: the squared error of the torques.
#[differentiable]
fn identification_loss(links: &[Link], #[no_diff] data: &[Measurement], payload: f64) -> f64 {
    let mut loss = 0.0;
    for m in data {
        let tau = inverse_dynamics(links, &m.q, &m.qd, &m.qdd, payload);
        loss += tau.iter().zip(&m.torque).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    }
    loss / data.len() as f64
}

/// The effort along a pose, by the joint angles.
#[differentiable]
fn effort(links: &[Link], q: &[f64], qd: &[f64], qdd: &[f64]) -> f64 {
    inverse_dynamics(links, q, qd, qdd, 0.5).iter().map(|t| t * t).sum()
}

fn links_of(p: &[f64]) -> Vec<Link> {
    p.chunks_exact(5)
        .map(|c| Link { length: c[0], com: c[1], mass: c[2], inertia: c[3], viscous_friction: c[4] })
        .collect()
}

#[test]
fn the_gradient_agrees_with_differences() {
    let p = [0.5, 0.24, 2.0, 0.05, 0.1, 0.4, 0.19, 1.2, 0.03, 0.08];
    let links = links_of(&p);
    let data: Vec<Measurement> = (0..6)
        .map(|k| {
            let t = k as f64 * 0.3;
            Measurement {
                q: [t.sin(), 0.4 * t.cos()],
                qd: [t.cos(), -0.4 * t.sin()],
                qdd: [-t.sin(), -0.4 * t.cos()],
                torque: [10.0 + t, 3.0 - t],
            }
        })
        .collect();

    let (value, (by_links, by_payload)) = identification_loss::value_and_grad(&links, &data, 0.3);
    assert_eq!(value, identification_loss(&links, &data, 0.3));
    let mut g: Vec<f64> =
        by_links.iter().flat_map(|l| [l.length, l.com, l.mass, l.inertia, l.viscous_friction]).collect();
    g.push(by_payload);
    let mut at = p.to_vec();
    at.push(0.3);
    check(|p| identification_loss(&links_of(&p[..10]), &data, p[10]), &at, &g);

    let at = [0.3, -0.6, 0.5, 0.2, 1.0, -2.0];
    let (_, q, qd, qdd) = effort::grad(&links, &at[..2], &at[2..4], &at[4..]);
    check(|x| effort(&links, &x[..2], &x[2..4], &x[4..]), &at, &[q, qd, qdd].concat());
}
