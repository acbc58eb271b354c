//! Programs from numerical analysis and statistics, as one would write them without a thought of derivatives.

use crate::common::{close, numeric};
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn softmax_loss(logits: &[f64], label: usize) -> f64 {
    let max = logits.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|x| (x - max).exp()).sum();
    sum.ln() + max - logits[label]
}

#[differentiable(order = 2)]
fn poly(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |acc, c| acc * x + c)
}

#[differentiable(order = 2)]
fn cholesky_logdet(a: &[[f64; 3]; 3]) -> f64 {
    let mut l = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..=i {
            let mut sum = a[i][j];
            for k in 0..j {
                sum -= l[i][k] * l[j][k];
            }
            if i == j {
                l[i][j] = sum.sqrt();
            } else {
                l[i][j] = sum / l[j][j];
            }
        }
    }
    let mut logdet = 0.0;
    for i in 0..3 {
        logdet += 2.0 * l[i][i].ln();
    }
    logdet
}

#[differentiable(order = 2)]
fn gaussian_elimination(a: &[Vec<f64>], b: &[f64]) -> f64 {
    let n = b.len();
    let mut m: Vec<Vec<f64>> = a.to_vec();
    let mut x = b.to_vec();
    for k in 0..n {
        for i in k + 1..n {
            let factor = m[i][k] / m[k][k];
            for j in k..n {
                m[i][j] -= factor * m[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            x[k] -= m[k][j] * x[j];
        }
        x[k] /= m[k][k];
    }
    x.iter().sum()
}

#[differentiable(order = 2)]
fn bisect(target: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, target + 1.0);
    for _ in 0..60 {
        let mid = 0.5 * (lo + hi);
        if mid * mid > target {
            hi = mid;
        } else {
            lo = mid;
        }
    }
    let x = 0.5 * (lo + hi);
    x - (x * x - target) / (2.0 * x)
}

#[differentiable(order = 2)]
fn kernel_regression(x: &[f64], y: &[f64], at: f64, width: f64) -> f64 {
    let weight = |d: f64| (-d * d / (2.0 * width * width)).exp();
    let (mut num, mut den) = (0.0, 0.0);
    for (xi, yi) in x.iter().zip(y) {
        let w = weight(at - xi);
        num += w * yi;
        den += w;
    }
    if den == 0.0 { 0.0 } else { num / den }
}

#[differentiable(order = 2)]
fn piecewise(x: f64, mode: u8) -> f64 {
    match mode {
        0 => x,
        1 | 2 => x * x,
        n if n > 100 => x.sin(),
        _ => {
            if x < 0.0 {
                return -x;
            }
            x.sqrt()
        }
    }
}

#[differentiable(order = 2)]
fn moving_average(x: &[f64]) -> f64 {
    x.windows(3).map(|w| (w[0] + w[1] + w[2]) / 3.0).map(|m| m * m).sum()
}

#[differentiable(order = 2)]
fn rnn<const H: usize>(w: &[[f64; H]; H], u: &[f64; H], xs: &[f64]) -> f64 {
    let mut h = [0.0; H];
    for &x in xs {
        let mut next = [0.0; H];
        for i in 0..H {
            let mut s = u[i] * x;
            for j in 0..H {
                s += w[i][j] * h[j];
            }
            next[i] = s.tanh();
        }
        h = next;
    }
    h.iter().sum()
}

#[differentiable(order = 2)]
fn fibonacci_like(x: f64, n: u32) -> f64 {
    let (mut a, mut b) = (x, x.cos());
    for _ in 0..n {
        (a, b) = (b, a * b + 0.1 * a);
    }
    a
}

#[test]
fn gradients_against_differences() {
    let x = [0.5, -1.5, 2.0, 0.25];
    close(&softmax_loss::grad(&x, 1), &numeric(|x| softmax_loss(x, 1), &x));
    close(&softmax_loss::hvp(&x, 1, &[1.0, 0.0, 0.0, 0.0]), &numeric(|x| softmax_loss::grad(x, 1)[0], &x));
    close(&poly::grad(&x, 0.7).0, &numeric(|c| poly(c, 0.7), &x));
    let a = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]];
    let flat: Vec<f64> = a.concat();
    let un = |v: &[f64]| [[v[0], v[1], v[2]], [v[3], v[4], v[5]], [v[6], v[7], v[8]]];
    close(&cholesky_logdet::grad(&a).concat(), &numeric(|v| cholesky_logdet(&un(v)), &flat));
    let av: Vec<Vec<f64>> = a.iter().map(|r| r.to_vec()).collect();
    let b = [1.0, -2.0, 0.5];
    let (ga, gb) = gaussian_elimination::grad(&av, &b);
    close(&gb, &numeric(|b| gaussian_elimination(&av, b), &b));
    close(&ga.concat(), &numeric(|v| gaussian_elimination(&un(v).map(|r| r.to_vec()), &b), &flat));
    close(&[bisect::grad(2.0)], &numeric(|t| bisect(t[0]), &[2.0]));
    let (gx, gy, gat, gw) = kernel_regression::grad(&x, &b, 0.3, 0.8);
    close(&gx, &numeric(|x| kernel_regression(x, &b, 0.3, 0.8), &x));
    close(&gy, &numeric(|y| kernel_regression(&x, y, 0.3, 0.8), &b));
    close(&[gat, gw], &numeric(|v| kernel_regression(&x, &b, v[0], v[1]), &[0.3, 0.8]));
    for mode in [0, 1, 2, 101, 7] {
        close(&[piecewise::grad(0.6, mode)], &numeric(|x| piecewise(x[0], mode), &[0.6]));
    }
    assert_eq!(piecewise::grad(-0.6, 9), -1.0);
    close(&moving_average::grad(&x), &numeric(moving_average, &x));
    let w = [[0.1, -0.5], [0.7, 0.3]];
    let (gw, gu, gx) = rnn::grad(&w, &[0.2, 0.9], &x);
    close(&gx, &numeric(|x| rnn(&w, &[0.2, 0.9], x), &x));
    close(&gu, &numeric(|u| rnn(&w, &[u[0], u[1]], &x), &[0.2, 0.9]));
    close(&gw.concat(), &numeric(|v| rnn(&[[v[0], v[1]], [v[2], v[3]]], &[0.2, 0.9], &x), &w.concat()));
    close(&[fibonacci_like::grad(0.4, 7)], &numeric(|x| fibonacci_like(x[0], 7), &[0.4]));
    close(&[fibonacci_like::hvp(0.4, 7, 1.0)], &numeric(|x| fibonacci_like::grad(x[0], 7), &[0.4]));
}

/// Jacobi's iteration, with two vectors that change places.
#[differentiable(order = 2)]
fn jacobi(b: &[f64], w: f64) -> f64 {
    let n = b.len();
    let mut x = vec![0.0; n];
    let mut next = vec![0.0; n];
    let mut last = 0.0;
    for _ in 0..5 {
        for i in 0..n {
            let before = if i > 0 { x[i - 1] } else { 0.0 };
            next[i] = (b[i] + w * before) / 2.0;
        }
        std::mem::swap(&mut x, &mut next);
        let old = std::mem::replace(&mut last, x[n - 1]);
        last += 0.1 * old;
    }
    x.iter().map(|x| x * x).sum::<f64>() + last
}

#[test]
fn places_are_exchanged() {
    let b = [1.0, -2.0, 0.5];
    let (gb, gw) = jacobi::grad(&b, 0.7);
    close(&gb, &numeric(|b| jacobi(b, 0.7), &b));
    close(&[gw], &numeric(|w| jacobi(&b, w[0]), &[0.7]));
}
