//! The benchmarks: a Fourier transform, a mixture of Gaussians, a projection of a camera, an equation of reaction and diffusion.

use autodiff::prelude::*;
use std::f64::consts::PI;

#[differentiable]
fn fft(data: &mut [f64]) {
    let n = data.len() / 2;
    if n < 2 {
        return;
    }
    let mut even = vec![0.0; n];
    let mut odd = vec![0.0; n];
    for i in 0..n / 2 {
        even[2 * i] = data[4 * i];
        even[2 * i + 1] = data[4 * i + 1];
        odd[2 * i] = data[4 * i + 2];
        odd[2 * i + 1] = data[4 * i + 3];
    }
    fft(&mut even);
    fft(&mut odd);
    for k in 0..n / 2 {
        let angle = -2.0 * PI * k as f64 / n as f64;
        let (s, c) = angle.sin_cos();
        let re = c * odd[2 * k] - s * odd[2 * k + 1];
        let im = s * odd[2 * k] + c * odd[2 * k + 1];
        data[2 * k] = even[2 * k] + re;
        data[2 * k + 1] = even[2 * k + 1] + im;
        data[2 * k + n] = even[2 * k] - re;
        data[2 * k + 1 + n] = even[2 * k + 1] - im;
    }
}

#[differentiable]
fn spectrum(signal: &[f64]) -> f64 {
    let mut data = signal.to_vec();
    fft(&mut data);
    let mut s = 0.0;
    for (i, pair) in data.chunks(2).enumerate() {
        s += (pair[0] * pair[0] + pair[1] * pair[1]) * i as f64;
    }
    s
}

#[differentiable]
fn log_sum_exp(x: &[f64]) -> f64 {
    let m = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let s: f64 = x.iter().map(|v| (v - m).exp()).sum();
    m + s.ln()
}

#[differentiable]
fn mixture(alphas: &[f64], means: &[f64], x: &[f64]) -> f64 {
    let k = alphas.len();
    let d = means.len() / k;
    let mut total = 0.0;
    for point in x.chunks(d) {
        let mut main_term = vec![0.0; k];
        for c in 0..k {
            let mean = &means[c * d..(c + 1) * d];
            let mut sq = 0.0;
            for (a, b) in point.iter().zip(mean) {
                sq += (a - b) * (a - b);
            }
            main_term[c] = alphas[c] - 0.5 * sq;
        }
        total += log_sum_exp(&main_term);
    }
    total - (x.len() / d) as f64 * log_sum_exp(alphas)
}

#[differentiable]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[differentiable]
fn rodrigues(rot: &[f64; 3], pt: &[f64; 3]) -> [f64; 3] {
    let theta2 = rot.iter().map(|r| r * r).sum::<f64>();
    if theta2 != 0.0 {
        let theta = theta2.sqrt();
        let (sin, cos) = (theta.sin(), theta.cos());
        let w = [rot[0] / theta, rot[1] / theta, rot[2] / theta];
        let w_cross = cross(&w, pt);
        let tmp = (w[0] * pt[0] + w[1] * pt[1] + w[2] * pt[2]) * (1.0 - cos);
        std::array::from_fn(|i| pt[i] * cos + w_cross[i] * sin + w[i] * tmp)
    } else {
        let c = cross(rot, pt);
        [pt[0] + c[0], pt[1] + c[1], pt[2] + c[2]]
    }
}

#[differentiable]
fn reprojection(camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]) -> [f64; 2] {
    let rot = [camera[0], camera[1], camera[2]];
    let mut xo = [0.0; 3];
    for i in 0..3 {
        xo[i] = point[i] - camera[3 + i];
    }
    let xcam = rodrigues(&rot, &xo);
    let mut proj = [xcam[0] / xcam[2], xcam[1] / xcam[2]];
    let rsq = proj[0] * proj[0] + proj[1] * proj[1];
    let l = 1.0 + camera[9] * rsq + camera[10] * rsq * rsq;
    for (i, p) in proj.iter_mut().enumerate() {
        *p = *p * l * camera[6] + camera[7 + i];
    }
    [weight * (proj[0] - feature[0]), weight * (proj[1] - feature[1])]
}

#[differentiable]
fn reprojection_error(camera: &[f64; 11], point: &[f64; 3], weight: f64) -> f64 {
    let err = reprojection(camera, point, weight, &[0.3, -0.2]);
    let w_err = 1.0 - weight * weight;
    err[0] * err[0] + err[1] * err[1] + w_err * w_err
}

#[differentiable]
fn brusselator(p: &[f64; 3], u: &[f64], steps: usize) -> f64 {
    const N: usize = 4;
    let [a, b, alpha] = *p;
    let mut u = u.to_vec();
    let mut du = vec![0.0; u.len()];
    for _ in 0..steps {
        for i in 0..N {
            let (left, right) = ((i + N - 1) % N, (i + 1) % N);
            let (x, y) = (u[i], u[N + i]);
            du[i] = a + x * x * y - (b + 1.0) * x + alpha * (u[left] + u[right] - 2.0 * x);
            du[N + i] = b * x - x * x * y + alpha * (u[N + left] + u[N + right] - 2.0 * y);
        }
        u.iter_mut().zip(du.iter()).for_each(|(u, d)| *u += 0.01 * d);
    }
    u.iter().map(|x| x.powi(2)).sum::<f64>().sqrt()
}

#[test]
fn gradients() {
    gradient!(spectrum(&s) by s = vec![1.0, 0.0, 0.5, 0.2, -0.3, 0.1, 0.7, -0.4]);
    gradient!(mixture(&a, &m, &x) by a = vec![0.2, -0.1], m = vec![0.0, 1.0, -1.0, 0.5], x = vec![0.3, 0.4, -0.6, 1.0]);
    let camera = [0.1, -0.2, 0.3, 0.5, 0.4, -2.0, 1.2, 0.1, -0.1, 0.01, 0.002];
    gradient!(reprojection_error(&c, &p, w) by c = camera, p = [0.7, 0.2, 1.5], w = 0.9);
    gradient!(brusselator(&p, &u, 10) by p = [1.0, 3.4, 0.2], u = vec![1.0, 1.1, 0.9, 1.2, 3.0, 2.9, 3.1, 3.3]);
}
