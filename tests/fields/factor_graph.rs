//! SLAM: a factor graph in the plane with robust kernels.
use crate::differences::check;
use autodiff::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Differentiable)]
struct Pose {
    x: f64,
    y: f64,
    theta: f64,
}

#[differentiable]
impl Pose {
    /// `self⁻¹ ∘ other`
    fn between(&self, other: &Pose) -> Pose {
        let (s, c) = self.theta.sin_cos();
        let dx = other.x - self.x;
        let dy = other.y - self.y;
        Pose { x: c * dx + s * dy, y: -s * dx + c * dy, theta: wrap(other.theta - self.theta) }
    }

    fn sees(&self, landmark: [f64; 2]) -> (f64, f64) {
        let [lx, ly] = landmark;
        let (dx, dy) = (lx - self.x, ly - self.y);
        let range = (dx * dx + dy * dy).sqrt();
        let bearing = wrap(dy.atan2(dx) - self.theta);
        (range, bearing)
    }
}

#[differentiable]
fn wrap(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    let mut a = angle;
    while a > PI {
        a -= TAU;
    }
    while a <= -PI {
        a += TAU;
    }
    a
}

#[derive(Debug, Clone)]
enum Factor {
    Prior { pose: usize, at: Pose, sigma: f64 },
    Odometry { from: usize, to: usize, delta: Pose, sigma: [f64; 3] },
    RangeBearing { pose: usize, landmark: usize, range: f64, bearing: f64 },
    Gps(usize, f64, f64),
}

#[derive(Debug, Clone, Copy)]
enum Kernel {
    Squared,
    Huber(f64),
    Cauchy { c: f64 },
}

#[differentiable]
fn robust(r2: f64, #[no_diff] kernel: Kernel) -> f64 {
    match kernel {
        Kernel::Squared => 0.5 * r2,
        Kernel::Huber(k) if r2 > k * k => k * (r2.sqrt() - 0.5 * k),
        Kernel::Huber(_) => 0.5 * r2,
        Kernel::Cauchy { c } => 0.5 * c * c * (1.0 + r2 / (c * c)).ln(),
    }
}

#[differentiable]
fn error(poses: &[Pose], landmarks: &[[f64; 2]], #[no_diff] graph: &[Factor], #[no_diff] kernel: Kernel) -> f64 {
    let mut total = 0.0;
    for factor in graph {
        let r2 = match factor {
            Factor::Prior { pose, at, sigma } => {
                let d = at.between(&poses[*pose]);
                (d.x * d.x + d.y * d.y + d.theta * d.theta) / (sigma * sigma)
            }
            Factor::Odometry { from, to, delta, sigma } => {
                let d = poses[*from].between(&poses[*to]);
                let r = [d.x - delta.x, d.y - delta.y, wrap(d.theta - delta.theta)];
                r.iter().zip(sigma).map(|(r, s)| (r / s).powi(2)).sum()
            }
            Factor::RangeBearing { pose, landmark, range, bearing } => {
                let (r, b) = poses[*pose].sees(landmarks[*landmark]);
                ((r - range) / 0.1).powi(2) + (wrap(b - bearing) / 0.05).powi(2)
            }
            &Factor::Gps(pose, x, y) => {
                let Some(p) = poses.get(pose) else {
                    continue;
                };
                (p.x - x).powi(2) + (p.y - y).powi(2)
            }
        };
        total += robust(r2, kernel);
    }
    total
}

fn unpack(p: &[f64]) -> (Vec<Pose>, Vec<[f64; 2]>) {
    let poses = p[..9].chunks(3).map(|c| Pose { x: c[0], y: c[1], theta: c[2] }).collect();
    let landmarks = p[9..].chunks(2).map(|c| [c[0], c[1]]).collect();
    (poses, landmarks)
}

#[test]
fn gradient_against_differences() {
    let graph = vec![
        Factor::Prior { pose: 0, at: Pose { x: 0.0, y: 0.0, theta: 0.0 }, sigma: 0.5 },
        Factor::Odometry { from: 0, to: 1, delta: Pose { x: 1.0, y: 0.0, theta: 1.5 }, sigma: [0.2, 0.2, 0.1] },
        Factor::Odometry { from: 1, to: 2, delta: Pose { x: 1.0, y: 0.0, theta: 1.8 }, sigma: [0.2, 0.2, 0.1] },
        Factor::RangeBearing { pose: 1, landmark: 0, range: 1.4, bearing: -0.7 },
        Factor::RangeBearing { pose: 2, landmark: 1, range: 2.0, bearing: 0.4 },
        Factor::Gps(2, 1.2, 1.1),
        Factor::Gps(7, 1.2, 1.1),
    ];
    let at = [0.05, -0.02, 0.1, 1.1, 0.2, 1.3, 0.9, 1.3, 3.0, 2.0, 1.0, -0.8, 0.9];
    for kernel in [Kernel::Squared, Kernel::Huber(1.3), Kernel::Cauchy { c: 2.0 }] {
        let (poses, landmarks) = unpack(&at);
        let (gp, gl) = error::grad(&poses, &landmarks, &graph, kernel);
        let mut g = Vec::new();
        for p in &gp {
            g.extend([p.x, p.y, p.theta]);
        }
        g.extend(gl.iter().flatten());
        check(
            |p| {
                let (poses, landmarks) = unpack(p);
                error(&poses, &landmarks, &graph, kernel)
            },
            &at,
            &g,
        );
    }
}
