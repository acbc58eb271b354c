//! Solvers that are differentiated by their equations: `#[implicit(residual = r)]`.

use crate::trace::{log, with_calls};
use autodiff::check_grads;
use autodiff::prelude::*;

#[differentiable]
fn kepler(anomaly: f64, mean: f64, eccentricity: f64) -> f64 {
    anomaly - eccentricity * anomaly.sin() - mean
}

#[implicit(residual = kepler)]
fn anomaly(mean: f64, eccentricity: f64) -> f64 {
    log(0);
    let mut anomaly = mean;
    while kepler(anomaly, mean, eccentricity).abs() > 1e-14 {
        anomaly -= kepler(anomaly, mean, eccentricity) / (1.0 - eccentricity * anomaly.cos());
    }
    anomaly
}

#[differentiable]
fn orbit(mean: f64, eccentricity: f64) -> f64 {
    let mut sum = 0.0;
    for k in 1..3 {
        let at = anomaly(mean / k as f64, eccentricity);
        sum += (1.0 - eccentricity * at.cos()) * at;
    }
    if sum > 1.0 { sum * anomaly(sum, 0.3) } else { sum }
}

#[differentiable]
fn flow(x: &[f64; 2], p: &[f64], #[no_diff] k: &[f64], n: usize) -> [f64; 2] {
    [x[0] * x[0] + p[0] * x[1] - k[0], p[1] * x[0] + x[1].powi(n as i32) - k[1] * p[0]]
}

#[implicit(residual = flow)]
fn steady(p: &[f64], #[no_diff] k: &[f64], n: usize) -> [f64; 2] {
    let mut x = [1.0, 1.0];
    for _ in 0..60 {
        let r = flow(&x, p, k, n);
        let j = [[2.0 * x[0], p[0]], [p[1], n as f64 * x[1].powi(n as i32 - 1)]];
        let det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
        x[0] -= (r[0] * j[1][1] - r[1] * j[0][1]) / det;
        x[1] -= (j[0][0] * r[1] - j[1][0] * r[0]) / det;
    }
    x
}

#[differentiable]
fn in_a_loop(p: &[f64; 3], #[no_diff] k: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for _ in 0..2 {
        let x = steady(&[p[0], p[1] + sum], k, n);
        sum = x[0] * x[1] * p[2] * 0.1;
    }
    sum
}

#[derive(Differentiable, Clone)]
struct Model {
    weights: Tensor2<f64, 3, 3>,
    bias: Tensor1<f64, 3>,
}

#[differentiable]
fn activated(x: Tensor1<f64, 3>, model: &Model) -> Tensor1<f64, 3> {
    (model.weights.matmul(x) + model.bias).tanh()
}

#[differentiable]
fn fixed(x: Tensor1<f64, 3>, model: &Model) -> Tensor1<f64, 3> {
    x - activated(x, model)
}

/// A layer that is repeated until nothing changes.
#[implicit(residual = fixed)]
fn equilibrium(model: &Model) -> Tensor1<f64, 3> {
    let mut x = Tensor1::zeros();
    for _ in 0..200 {
        x = activated(x, model);
    }
    x
}

#[differentiable]
fn squares<T: Real, const N: usize>(x: &[T; N], a: &[T; N]) -> [T; N] {
    let mut out = *a;
    for i in 0..N {
        out[i] = x[i] * x[i] - a[i] * a[(i + 1) % N];
    }
    out
}

#[implicit(residual = squares)]
fn means<T: Real, const N: usize>(a: &[T; N]) -> [T; N] {
    let mut out = *a;
    for i in 0..N {
        out[i] = Real::sqrt(a[i] * a[(i + 1) % N]);
    }
    out
}

#[test]
fn have_the_derivatives_of_their_equations() {
    check_grads!(anomaly, 1.2, 0.4);
    check_grads!(orbit, 1.2, 0.4);
    check_grads!(orbit, 0.2, 0.4);
    let k = [3.0, 2.0];
    check_grads!(steady, &[0.7, 0.4], &k, 3);
    check_grads!(in_a_loop, &[0.7, 0.4, 0.9], &k, 3);
    let weights = Tensor2::from([[0.1, 0.2, -0.3], [0.3, -0.1, 0.2], [0.0, 0.2, 0.1]]);
    let model = Model { weights, bias: Tensor1::from([0.1, 0.5, -0.2]) };
    check_grads!(equilibrium, &model);
    check_grads!(means, &[0.5, 2.0, 3.0]);
    let jacobian = means::jacobian(&[1.0_f32, 2.0]);
    let slope = 0.5_f32.sqrt();
    let expected = [[slope, slope / 2.0], [slope, slope / 2.0]];
    assert!(jacobian.iter().flatten().zip(expected.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-6), "{jacobian:?}");
}

fn solved<T>(run: impl FnOnce() -> T) -> usize {
    with_calls(run).1.len()
}

#[test]
fn are_solved_once() {
    assert_eq!(solved(|| anomaly(1.2, 0.4)), 1);
    assert_eq!(solved(|| anomaly::value_and_grad(1.2, 0.4)), 1);
    assert_eq!(solved(|| anomaly::jvp(1.2, 0.4, 1.0, 0.0)), 1);
    let (value, pullback) = anomaly::vjp(1.2, 0.4);
    assert_eq!(solved(|| pullback(1.0)), 0);
    assert_eq!(value.to_bits(), anomaly(1.2, 0.4).to_bits());
    // A loop that only adds up keeps nothing, and solves again; what the branch solves is kept.
    assert_eq!((solved(|| orbit(1.2, 0.4)), solved(|| orbit::grad(1.2, 0.4))), (3, 5));
}
