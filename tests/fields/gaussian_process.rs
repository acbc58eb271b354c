//! The marginal likelihood of a Gaussian process, with a Cholesky decomposition written by hand.

use crate::differences::check;
use autodiff::prelude::*;

type Matrix = Vec<Vec<f64>>;

#[derive(Debug, Clone, PartialEq)]
struct NotPositiveDefinite {
    pivot: usize,
}

#[derive(Clone, Differentiable)]
struct Hyper {
    log_amplitude: f64,
    log_lengths: Vec<f64>,
    log_noise: f64,
}

#[derive(Clone, Copy)]
enum Kernel {
    SquaredExponential,
    Matern32,
}

#[differentiable]
fn kernel(#[no_diff] kind: Kernel, hyper: &Hyper, #[no_diff] x: &[f64], #[no_diff] y: &[f64]) -> f64 {
    let r2: f64 = x
        .iter()
        .zip(y)
        .zip(&hyper.log_lengths)
        .map(|((a, b), l)| {
            let d = (a - b) / l.exp();
            d * d
        })
        .sum();
    let amplitude = (2.0 * hyper.log_amplitude).exp();
    match kind {
        Kernel::SquaredExponential => amplitude * (-0.5 * r2).exp(),
        Kernel::Matern32 => {
            let s = (3.0 * r2 + 1e-12).sqrt();
            amplitude * (1.0 + s) * (-s).exp()
        }
    }
}

/// The lower factor L of A = L Lᵀ.
#[differentiable]
fn cholesky(a: &Matrix) -> Result<Matrix, NotPositiveDefinite> {
    let n = a.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let s: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            if i == j {
                let pivot = a[i][i] - s;
                if pivot <= 0.0 {
                    return Err(NotPositiveDefinite { pivot: i });
                }
                l[i][i] = pivot.sqrt();
            } else {
                l[i][j] = (a[i][j] - s) / l[j][j];
            }
        }
    }
    Ok(l)
}

#[differentiable]
fn forward_substitution(l: &Matrix, b: &[f64]) -> Vec<f64> {
    let mut y = Vec::with_capacity(b.len());
    for (i, bi) in b.iter().enumerate() {
        let s: f64 = l[i][..i].iter().zip(&y).map(|(lij, yj)| lij * yj).sum();
        y.push((bi - s) / l[i][i]);
    }
    y
}

#[differentiable]
fn log_marginal(
    hyper: &Hyper,
    #[no_diff] kind: Kernel,
    #[no_diff] xs: &[Vec<f64>],
    #[no_diff] ys: &[f64],
) -> Result<f64, NotPositiveDefinite> {
    let n = xs.len();
    let mut k = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            k[i][j] = kernel(kind, hyper, &xs[i], &xs[j]);
        }
        k[i][i] += (2.0 * hyper.log_noise).exp() + 1e-9;
    }
    let l = cholesky(&k)?;
    let z = forward_substitution(&l, ys);
    let fit: f64 = z.iter().map(|z| z * z).sum();
    let log_det: f64 = (0..n).map(|i| l[i][i].ln()).sum::<f64>() * 2.0;
    Ok(-0.5 * (fit + log_det + n as f64 * (2.0 * std::f64::consts::PI).ln()))
}

#[differentiable]
fn objective(hyper: &Hyper, #[no_diff] kind: Kernel, #[no_diff] xs: &[Vec<f64>], #[no_diff] ys: &[f64]) -> f64 {
    match log_marginal(hyper, kind, xs, ys) {
        Ok(value) => -value,
        Err(_) => f64::INFINITY,
    }
}

#[test]
fn gradient() {
    let xs: Vec<Vec<f64>> = (0..7).map(|i| vec![i as f64 * 0.5, (i as f64).sin()]).collect();
    let ys: Vec<f64> = xs.iter().map(|x| x[0].cos() + x[1]).collect();
    let hyper = |p: &[f64]| Hyper { log_amplitude: p[0], log_lengths: p[1..3].to_vec(), log_noise: p[3] };
    let at = [0.1, -0.2, 0.3, -1.0];
    for kind in [Kernel::SquaredExponential, Kernel::Matern32] {
        let g = objective::grad(&hyper(&at), kind, &xs, &ys);
        let gradient = [g.log_amplitude, g.log_lengths[0], g.log_lengths[1], g.log_noise];
        check(|p| objective(&hyper(p), kind, &xs, &ys), &at, &gradient);
    }
    assert_eq!(cholesky(&vec![vec![1.0, 2.0], vec![2.0, 1.0]]), Err(NotPositiveDefinite { pivot: 1 }));
}
