//! Calls in branches: what they keep for the reverse sweep, in loops, in branches of branches, and for `forward` and `pullback`.
#![allow(clippy::all, clippy::pedantic)]

use autodiff::prelude::*;

/// Its residuals are lists.
#[differentiable(order = 2)]
fn layer(w: &[f64], x: &mut [f64]) {
    for i in 0..x.len() {
        x[i] = (w[i] * x[i]).tanh() + w[x.len() + i];
    }
}

#[differentiable(order = 2)]
fn mixed(w: &[f64], from: &[f64], x: &mut [f64]) {
    for i in 0..x.len() {
        x[i] = (w[i] * from[i]).exp() * x[i] + from[i].sin();
    }
}

/// Its residual is a number.
#[differentiable(order = 2)]
fn gate(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[differentiable(order = 2)]
fn forward_through(w: &[f64], x: &[f64], layers: usize, #[no_diff] limit: f64) -> f64 {
    let n = x.len();
    let mut x = x.to_vec();
    let mut other = vec![0.5; n];
    let mut total = 0.0;
    for k in 0..layers {
        let own = &w[2 * n * k..2 * n * (k + 1)];
        if k == 0 {
            layer(own, &mut x);
        } else if k % 2 == 0 {
            mixed(own, &other, &mut x);
        } else if x[0] > limit {
            layer(own, &mut other);
            mixed(own, &x, &mut other);
        }
        total += if x[0] > limit { gate(x[n - 1]) } else { gate(x[0]) * other[n - 1] };
    }
    total
}

/// A part of an array is given, and another one is read.
#[differentiable(order = 2)]
fn in_parts(w: &[f64], state: &[f64], n: usize) -> f64 {
    let mut state = state.to_vec();
    let layers = state.len() / n;
    for k in 0..layers {
        let own = &w[2 * n * k..2 * n * (k + 1)];
        let (before, from) = state.split_at_mut(n * k);
        if k == 0 {
            layer(own, &mut from[..n]);
        } else {
            mixed(own, &before[n * (k - 1)..n * k], &mut from[..n]);
        }
    }
    let mut sum = 0.0;
    for i in 0..state.len() {
        sum += state[i] * state[i];
    }
    sum
}

/// In a loop that runs until something holds, and in a recursion.
#[differentiable(order = 2)]
fn until(w: &[f64], x: &[f64], depth: usize) -> f64 {
    let mut y = x.to_vec();
    let mut k = 0;
    while y[0] < 3.0 && k < 4 {
        if k != 2 {
            layer(w, &mut y);
        }
        k += 1;
    }
    if depth > 0 { until(w, &y, depth - 1) + gate(y[0]) } else { y[0] * gate(y[1]) }
}

/// Which cell runs, and on what, depends on the step and on the data.
#[differentiable(order = 2)]
fn cell(w: &[f64], h: &mut [f64], x: f64) {
    for i in 0..h.len() {
        h[i] = (w[2 * i] * h[i] + w[2 * i + 1] * x).tanh();
    }
}

#[differentiable(order = 2)]
fn gated(w: &[f64], xs: &[f64], units: usize) -> f64 {
    let mut h = vec![0.1; units];
    let mut slow = vec![0.2; units];
    let mut loss = 0.0;
    for (t, x) in xs.iter().enumerate() {
        match t % 3 {
            0 => cell(&w[..2 * units], &mut h, *x),
            1 => {
                cell(&w[2 * units..], &mut slow, h[0]);
            }
            _ => {
                if *x > 0.0 {
                    cell(&w[..2 * units], &mut slow, *x);
                    cell(&w[2 * units..], &mut h, slow[1]);
                }
            }
        }
        let mut y = 0.0;
        for i in 0..units {
            y += h[i] * slow[units - 1 - i];
        }
        loss += (y - x) * (y - x);
    }
    loss
}

fn numbers(len: usize, from: usize) -> Vec<f64> {
    (from..from + len).map(|k| (0.9 * k as f64).sin() + 0.1).collect()
}

#[test]
fn in_loops() {
    for (layers, limit) in [(0, 0.0), (1, 0.0), (2, -2.0), (5, -2.0), (5, 0.3), (5, 9.0)] {
        autodiff::check_grads!(forward_through, &numbers(30, 2), &numbers(3, 7), layers, limit);
    }
}

#[test]
fn of_parts() {
    for layers in [1, 2, 4] {
        autodiff::check_grads!(in_parts, &numbers(6 * layers, 3), &numbers(3 * layers, 1), 3);
    }
}

#[test]
fn in_recursions() {
    autodiff::check_grads!(until, &numbers(6, 4), &numbers(3, 6), 2);
}

#[test]
fn by_steps() {
    autodiff::check_grads!(gated, &numbers(12, 5), &numbers(9, 2), 3);
}

#[test]
fn kept_for_users() {
    let (w, x) = (numbers(24, 2), numbers(3, 7));
    let (value, residuals) = forward_through::forward(&w, &x, 4, -2.0);
    assert_eq!(value, forward_through(&w, &x, 4, -2.0));
    let (kept, computed) = (forward_through::pullback(&residuals, 1.0), forward_through::grad(&w, &x, 4, -2.0));
    for (a, b) in kept.0.iter().chain(&kept.1).zip(computed.0.iter().chain(&computed.1)) {
        assert!((a - b).abs() <= 1e-14 * (1.0 + b.abs()), "{a} {b}");
    }
}
