//! SLAM: the error of a pose graph in the plane (Grisetti et al., "A tutorial on graph-based SLAM").

use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul};

#[derive(Differentiable, Clone, Copy, Debug, Default)]
struct Se2 {
    x: f64,
    y: f64,
    theta: f64,
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Twist {
    vx: f64,
    vy: f64,
    omega: f64,
}

#[differentiable]
impl Se2 {
    fn inverse(&self) -> Se2 {
        let (s, c) = self.theta.sin_cos();
        Se2 { x: -(c * self.x + s * self.y), y: s * self.x - c * self.y, theta: -self.theta }
    }

    fn log(&self) -> Twist {
        let theta = self.theta.sin().atan2(self.theta.cos());
        let half = 0.5 * theta;
        let a = if theta.abs() < 1e-6 { 1.0 - theta * theta / 12.0 } else { half / half.tan() };
        Twist { vx: a * self.x + half * self.y, vy: -half * self.x + a * self.y, omega: theta }
    }
}

/// Composition.
#[differentiable]
impl Mul for Se2 {
    type Output = Self;

    fn mul(self, rhs: Self) -> Self::Output {
        let (s, c) = self.theta.sin_cos();
        Self { x: self.x + c * rhs.x - s * rhs.y, y: self.y + s * rhs.x + c * rhs.y, theta: self.theta + rhs.theta }
    }
}

/// A pose and a step in its tangent space.
#[differentiable]
impl Add<Twist> for Se2 {
    type Output = Se2;

    fn add(self, xi: Twist) -> Se2 {
        self * Se2 { x: xi.vx, y: xi.vy, theta: xi.omega }
    }
}

#[differentiable]
impl Twist {
    fn weighted_norm_squared(&self, information: &[[f64; 3]; 3]) -> f64 {
        let e = [self.vx, self.vy, self.omega];
        e.iter()
            .zip(information.iter())
            .map(|(ei, row)| ei * row.iter().zip(e.iter()).map(|(w, ej)| w * ej).sum::<f64>())
            .sum()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    None,
    Huber,
    Cauchy,
}

#[derive(Clone, Debug)]
struct Edge {
    from: usize,
    to: usize,
    measured: Se2,
    information: [[f64; 3]; 3],
    kernel: Kernel,
}

#[differentiable]
fn robust(kernel: Kernel, squared: f64, delta: f64) -> f64 {
    match kernel {
        Kernel::None => squared,
        Kernel::Huber if squared <= delta * delta => squared,
        Kernel::Huber => 2.0 * delta * squared.sqrt() - delta * delta,
        Kernel::Cauchy => delta * delta * (1.0 + squared / (delta * delta)).ln(),
    }
}

#[differentiable]
fn chi_squared(poses: &[Se2], #[no_diff] edges: &[Edge], #[no_diff] delta: f64) -> f64 {
    let mut total = 0.0;
    for edge in edges {
        let relative = poses[edge.from].inverse() * poses[edge.to];
        let error = (edge.measured.inverse() * relative).log();
        total += robust(edge.kernel, error.weighted_norm_squared(&edge.information), delta);
    }
    // The first pose holds the gauge.
    let anchor = &poses[0];
    total + 1e3 * (anchor.x.powi(2) + anchor.y.powi(2) + anchor.theta.powi(2))
}

/// The error as a function of steps from the poses where they are.
#[differentiable(wrt(steps))]
fn retracted(poses: &[Se2], steps: &[Twist], #[no_diff] edges: &[Edge]) -> f64 {
    let moved: Vec<Se2> = poses.iter().zip(steps).map(|(pose, step)| *pose + *step).collect();
    chi_squared(&moved, edges, 1.0)
}

fn poses_of(p: &[f64]) -> Vec<Se2> {
    p.chunks(3).map(|c| Se2 { x: c[0], y: c[1], theta: c[2] }).collect()
}

#[test]
fn the_gradient_agrees_with_differences() {
    let diagonal = |a: f64, b: f64| [[a, 0.1, 0.0], [0.1, a, 0.0], [0.0, 0.0, b]];
    let edge = |from, to, x, y, theta, kernel| Edge {
        from,
        to,
        measured: Se2 { x, y, theta },
        information: diagonal(2.0, 5.0),
        kernel,
    };
    let edges = vec![
        edge(0, 1, 1.0, 0.0, 0.5, Kernel::None),
        edge(1, 2, 1.0, 0.1, 0.6, Kernel::None),
        edge(2, 3, 0.9, 0.0, 0.5, Kernel::Huber),
        edge(3, 0, 3.0, 2.0, -1.0, Kernel::Huber),
        edge(0, 2, 1.5, 1.0, 1.3, Kernel::Cauchy),
    ];
    let at = [0.1, 0.0, 0.02, 1.1, 0.1, 0.4, 1.8, 0.7, 1.2, 1.9, 1.6, 1.5];
    let poses = poses_of(&at);
    let g: Vec<f64> = chi_squared::grad(&poses, &edges, 1.0).iter().flat_map(|g| [g.x, g.y, g.theta]).collect();
    check(|p| chi_squared(&poses_of(p), &edges, 1.0), &at, &g);

    let twists = |p: &[f64]| -> Vec<Twist> { p.chunks(3).map(|c| Twist { vx: c[0], vy: c[1], omega: c[2] }).collect() };
    let zero = vec![0.0; 12];
    let g: Vec<f64> =
        retracted::grad(&poses, &twists(&zero), &edges).iter().flat_map(|g| [g.vx, g.vy, g.omega]).collect();
    check(|p| retracted(&poses, &twists(p), &edges), &zero, &g);
}
