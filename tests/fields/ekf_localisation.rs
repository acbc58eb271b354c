//! Robotics: one track of an extended Kalman filter for a differential-drive robot that sees landmarks (Thrun, Burgard, Fox,
//! table 7.2). The calibration of the wheels and the noise are found by the likelihood of the innovations.
use crate::differences::check;
use autodiff::prelude::*;
use std::f64::consts::PI;

type Mat<const R: usize, const C: usize> = [[f64; C]; R];

#[differentiable]
fn mat_mul<const M: usize, const K: usize, const N: usize>(a: &Mat<M, K>, b: &Mat<K, N>) -> Mat<M, N> {
    let mut c = [[0.0; N]; M];
    for i in 0..M {
        for j in 0..N {
            for k in 0..K {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

#[differentiable]
fn transpose<const R: usize, const C: usize>(a: &Mat<R, C>) -> Mat<C, R> {
    let mut t = [[0.0; R]; C];
    for i in 0..R {
        for j in 0..C {
            t[j][i] = a[i][j];
        }
    }
    t
}

#[differentiable]
fn inverse2(a: &Mat<2, 2>) -> (Mat<2, 2>, f64) {
    let [[p, q], [r, s]] = *a;
    let det = p * s - q * r;
    ([[s / det, -q / det], [-r / det, p / det]], det)
}

#[derive(Differentiable, Clone, Debug)]
struct Parameters {
    left_radius: f64,
    right_radius: f64,
    baseline: f64,
    wheel_noise: f64,
    range_noise: f64,
    bearing_noise: f64,
}

#[derive(Clone, Copy)]
struct Reading {
    landmark: [f64; 2],
    range: f64,
    bearing: f64,
}

struct Step {
    dt: f64,
    left: f64,
    right: f64,
    reading: Option<Reading>,
}

#[derive(Differentiable, Clone)]
struct Filter {
    mean: [f64; 3],
    cov: Mat<3, 3>,
    nll: f64,
}

/// An angle into (-π, π].
#[differentiable]
fn wrap(angle: f64) -> f64 {
    let mut a = angle;
    while a > PI {
        a -= 2.0 * PI;
    }
    while a <= -PI {
        a += 2.0 * PI;
    }
    a
}

#[differentiable]
impl Filter {
    fn predict(&mut self, p: &Parameters, left: f64, right: f64, dt: f64) {
        let (vl, vr) = (left * p.left_radius, right * p.right_radius);
        let v = 0.5 * (vl + vr);
        let w = (vr - vl) / p.baseline;
        let theta = self.mean[2] + 0.5 * w * dt;
        let (s, c) = theta.sin_cos();

        self.mean[0] += v * c * dt;
        self.mean[1] += v * s * dt;
        self.mean[2] = wrap(self.mean[2] + w * dt);

        let f = [[1.0, 0.0, -v * s * dt], [0.0, 1.0, v * c * dt], [0.0, 0.0, 1.0]];
        let b = [[0.5 * c * dt, 0.5 * c * dt], [0.5 * s * dt, 0.5 * s * dt], [-dt / p.baseline, dt / p.baseline]];
        let q = p.wheel_noise.powi(2);
        let propagated = mat_mul(&mat_mul(&f, &self.cov), &transpose(&f));
        let noise = mat_mul(&b, &transpose(&b));
        for i in 0..3 {
            for j in 0..3 {
                self.cov[i][j] = propagated[i][j] + q * noise[i][j];
            }
        }
    }

    fn update(&mut self, p: &Parameters, landmark: [f64; 2], range: f64, bearing: f64) {
        let [x, y, theta] = self.mean;
        let dx = landmark[0] - x;
        let dy = landmark[1] - y;
        let q = dx * dx + dy * dy;
        let r = q.sqrt();
        let innovation = [range - r, wrap(bearing - (dy.atan2(dx) - theta))];
        let h = [[-dx / r, -dy / r, 0.0], [dy / q, -dx / q, -1.0]];
        let ht = transpose(&h);
        let pht = mat_mul(&self.cov, &ht);
        let mut s = mat_mul(&h, &pht);
        s[0][0] += p.range_noise.powi(2);
        s[1][1] += p.bearing_noise.powi(2);
        let (s_inv, det) = inverse2(&s);
        let gain = mat_mul(&pht, &s_inv);

        for (m, row) in self.mean.iter_mut().zip(gain.iter()) {
            *m += row[0] * innovation[0] + row[1] * innovation[1];
        }
        let correction = mat_mul(&gain, &transpose(&pht));
        for i in 0..3 {
            for j in 0..3 {
                self.cov[i][j] -= correction[i][j];
            }
        }
        let mut mahalanobis = 0.0;
        for i in 0..2 {
            for j in 0..2 {
                mahalanobis += innovation[i] * s_inv[i][j] * innovation[j];
            }
        }
        self.nll += 0.5 * (mahalanobis + det.ln() + 2.0 * (2.0 * PI).ln());
    }
}

#[differentiable]
fn negative_log_likelihood(p: &Parameters, #[no_diff] steps: &[Step]) -> f64 {
    let mut filter = Filter { mean: [0.0; 3], cov: [[1e-2, 0.0, 0.0], [0.0, 1e-2, 0.0], [0.0, 0.0, 1e-3]], nll: 0.0 };
    for step in steps {
        filter.predict(p, step.left, step.right, step.dt);
        if let Some(reading) = &step.reading {
            filter.update(p, reading.landmark, reading.range, reading.bearing);
        }
    }
    filter.nll
}

fn parameters(p: &[f64]) -> Parameters {
    Parameters {
        left_radius: p[0],
        right_radius: p[1],
        baseline: p[2],
        wheel_noise: p[3],
        range_noise: p[4],
        bearing_noise: p[5],
    }
}

#[test]
fn the_gradient_agrees_with_differences() {
    let steps: Vec<Step> = (0..12)
        .map(|k| Step {
            dt: 0.1,
            left: 9.0 + (k as f64).sin(),
            right: 11.0,
            reading: (k % 3 == 2).then(|| Reading {
                landmark: [3.0, 1.0],
                range: 3.0 - 0.1 * k as f64,
                bearing: 0.3 - 0.02 * k as f64,
            }),
        })
        .collect();
    let at = [0.1, 0.11, 0.5, 0.2, 0.3, 0.1];
    let g = negative_log_likelihood::grad(&parameters(&at), &steps);
    let g = [g.left_radius, g.right_radius, g.baseline, g.wheel_noise, g.range_noise, g.bearing_noise];
    check(|p| negative_log_likelihood(&parameters(p), &steps), &at, &g);
}
