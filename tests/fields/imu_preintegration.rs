//! Visual-inertial odometry: preintegration of an IMU between two keyframes, and its residual (Forster et al. 2017).

use crate::differences::check;
use autodiff::prelude::*;

type Vector = [f64; 3];
type Matrix = [[f64; 3]; 3];

#[differentiable]
mod so3 {
    use super::{Matrix, Vector};

    pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    pub fn dot(a: &Vector, b: &Vector) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    pub fn hat(w: &Vector) -> Matrix {
        [[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]]
    }

    pub fn apply(m: &Matrix, v: &Vector) -> Vector {
        [dot(&m[0], v), dot(&m[1], v), dot(&m[2], v)]
    }

    pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
        let mut out = [[0.0; 3]; 3];
        for (row, a_row) in out.iter_mut().zip(a) {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = (0..3).map(|k| a_row[k] * b[k][j]).sum();
            }
        }
        out
    }

    pub fn transposed(a: &Matrix) -> Matrix {
        std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
    }

    pub fn exp(w: &Vector) -> Matrix {
        let theta2 = dot(w, w);
        let (a, b) = if theta2 < 1e-12 {
            (1.0 - theta2 / 6.0, 0.5 - theta2 / 24.0)
        } else {
            let theta = theta2.sqrt();
            (theta.sin() / theta, (1.0 - theta.cos()) / theta2)
        };
        let k = hat(w);
        let k2 = product(&k, &k);
        let mut r = IDENTITY;
        for i in 0..3 {
            for j in 0..3 {
                r[i][j] += a * k[i][j] + b * k2[i][j];
            }
        }
        r
    }

    pub fn log(r: &Matrix) -> Vector {
        let trace = r[0][0] + r[1][1] + r[2][2];
        let cos = (0.5 * (trace - 1.0)).clamp(-1.0, 1.0);
        let axis = [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]];
        let k = if cos > 1.0 - 1e-10 { 0.5 } else { 0.5 * cos.acos() / (1.0 - cos * cos).sqrt() };
        axis.map(|a| k * a)
    }
}

#[derive(Differentiable, Clone, Default)]
struct Bias {
    gyro: Vector,
    accel: Vector,
}

#[derive(Clone)]
struct ImuSample {
    gyro: Vector,
    accel: Vector,
    dt: f64,
}

#[derive(Differentiable, Clone)]
struct Preintegrated {
    rotation: Matrix,
    velocity: Vector,
    position: Vector,
    #[no_diff]
    duration: f64,
}

impl Preintegrated {
    fn new() -> Self {
        Self { rotation: so3::IDENTITY, velocity: [0.0; 3], position: [0.0; 3], duration: 0.0 }
    }
}

#[differentiable]
impl Preintegrated {
    fn integrate(&mut self, bias: &Bias, #[no_diff] sample: &ImuSample) {
        let dt = sample.dt;
        let mut omega = [0.0; 3];
        let mut accel = [0.0; 3];
        for i in 0..3 {
            omega[i] = (sample.gyro[i] - bias.gyro[i]) * dt;
            accel[i] = sample.accel[i] - bias.accel[i];
        }
        let world = so3::apply(&self.rotation, &accel);
        for i in 0..3 {
            self.position[i] += self.velocity[i] * dt + 0.5 * world[i] * dt * dt;
            self.velocity[i] += world[i] * dt;
        }
        self.rotation = so3::product(&self.rotation, &so3::exp(&omega));
        self.duration += dt;
    }
}

#[derive(Differentiable, Clone)]
struct Keyframe {
    /// Axis times angle.
    orientation: Vector,
    position: Vector,
    velocity: Vector,
}

const GRAVITY: Vector = [0.0, 0.0, -9.81];

#[differentiable]
fn residual(from: &Keyframe, to: &Keyframe, bias: &Bias, #[no_diff] samples: &[ImuSample]) -> [f64; 9] {
    let mut delta = Preintegrated { rotation: so3::IDENTITY, velocity: [0.0; 3], position: [0.0; 3], duration: 0.0 };
    for sample in samples {
        delta.integrate(bias, sample);
    }
    let t = delta.duration;

    let world_from = so3::exp(&from.orientation);
    let from_world = so3::transposed(&world_from);
    let world_to = so3::exp(&to.orientation);
    let relative = so3::product(&from_world, &world_to);
    let rotation_error = so3::log(&so3::product(&so3::transposed(&delta.rotation), &relative));

    let mut dv = [0.0; 3];
    let mut dp = [0.0; 3];
    for i in 0..3 {
        dv[i] = to.velocity[i] - from.velocity[i] - GRAVITY[i] * t;
        dp[i] = to.position[i] - from.position[i] - from.velocity[i] * t - 0.5 * GRAVITY[i] * t * t;
    }
    let dv = so3::apply(&from_world, &dv);
    let dp = so3::apply(&from_world, &dp);

    let mut r = [0.0; 9];
    r[..3].copy_from_slice(&rotation_error);
    for i in 0..3 {
        r[3 + i] = dv[i] - delta.velocity[i];
        r[6 + i] = dp[i] - delta.position[i];
    }
    r
}

#[differentiable]
fn cost(from: &Keyframe, to: &Keyframe, bias: &Bias, #[no_diff] samples: &[ImuSample]) -> f64 {
    const WEIGHTS: [f64; 3] = [100.0, 10.0, 20.0];
    let r = residual(from, to, bias, samples);
    r.chunks(3).zip(WEIGHTS).map(|(block, w)| w * block.iter().map(|e| e * e).sum::<f64>()).sum()
}

fn three(p: &[f64]) -> Vector {
    p[..3].try_into().unwrap()
}

fn unpack(p: &[f64]) -> (Keyframe, Keyframe, Bias) {
    let frame = |p: &[f64]| Keyframe { orientation: three(p), position: three(&p[3..]), velocity: three(&p[6..]) };
    (frame(p), frame(&p[9..]), Bias { gyro: three(&p[18..]), accel: three(&p[21..]) })
}

#[test]
fn the_gradient_agrees_with_differences() {
    let samples: Vec<ImuSample> = (0..10)
        .map(|k| {
            let t = 0.05 * k as f64;
            ImuSample { gyro: [0.3, t.sin(), -0.2], accel: [0.5 * t.cos(), 0.1, 9.9], dt: 0.05 }
        })
        .collect();
    let at = [
        0.1, 0.2, -0.1, 0.0, 0.0, 1.0, 0.5, 0.0, 0.1, 0.25, 0.3, -0.15, 0.3, 0.05, 1.1, 0.8, 0.1, 0.2, 0.01, -0.02,
        0.03, 0.1, 0.0, -0.1,
    ];
    let (from, to, bias) = unpack(&at);
    let (value, (f, t, b)) = cost::value_and_grad(&from, &to, &bias, &samples);
    assert_eq!(value, cost(&from, &to, &bias, &samples));
    let g: Vec<f64> =
        [f.orientation, f.position, f.velocity, t.orientation, t.position, t.velocity, b.gyro, b.accel].concat();
    check(
        |p| {
            let (from, to, bias) = unpack(p);
            cost(&from, &to, &bias, &samples)
        },
        &at,
        &g,
    );
}
