//! `&mut` parameters: what a function changes is a result, and its cotangent is in-out.

use crate::common::{close, numeric};
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn slope(x: &[f64], y: &[f64], dy: &mut [f64]) {
    dy[0] = x[0];
    for i in 1..x.len() {
        dy[i] = x[i] * y[i - 1];
    }
}

#[differentiable(order = 2)]
fn solve(x: &[f64], steps: usize) -> Vec<f64> {
    let n = x.len();
    let h = 2.0 / steps as f64;
    let mut y = vec![0.0; n];
    let mut at = vec![0.0; n];
    let mut k = vec![0.0; n];
    for _ in 0..steps {
        slope(x, &y, &mut k);
        for i in 0..n {
            at[i] = y[i] + h / 2.0 * k[i] * k[i];
        }
        slope(x, &at, &mut k);
        for i in 0..n {
            y[i] += h * k[i];
        }
    }
    y
}

#[differentiable(order = 2)]
fn last(x: &[f64], steps: usize) -> f64 {
    let y = solve(x, steps);
    y[y.len() - 1]
}

#[differentiable(order = 2)]
fn step(position: &mut f64, velocity: &mut f64, h: f64) {
    let force = -position.sin();
    *velocity += h * force;
    *position += h * *velocity;
}

#[differentiable(order = 2)]
fn pendulum(start: f64, h: f64) -> f64 {
    let mut position = start;
    let mut velocity = 0.0;
    for _ in 0..5 {
        step(&mut position, &mut velocity, h);
    }
    position * position + velocity
}

#[differentiable(order = 2)]
fn normalise(x: &mut [f64; 3]) -> f64 {
    let norm = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]).sqrt();
    for i in 0..3 {
        x[i] /= norm;
    }
    norm
}

#[differentiable(order = 2)]
fn twice_normalised(x: &[f64; 3], w: f64) -> f64 {
    let mut y = *x;
    let a = normalise(&mut y);
    y[0] += w;
    let b = normalise(&mut y);
    a * b * y[1] + y[2]
}

#[differentiable(order = 2)]
fn exchange(a: &mut f64, b: &mut f64) {
    let t = *a;
    *a = *b * 2.0;
    *b = t;
}

#[differentiable(order = 2)]
fn exchanged(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    exchange(&mut a, &mut b);
    a * a * a + b
}

#[differentiable(order = 2)]
fn accumulate(t: &mut [f64], by: f64) {
    for i in 0..t.len() {
        t[i] *= by;
    }
}

#[differentiable(order = 2)]
fn by_rows(x: &[f64], w: f64) -> f64 {
    let mut y = x.to_vec();
    let half = y.len() / 2;
    accumulate(&mut y[..half], w);
    accumulate(&mut y[half..], w * w);
    let mut sum = 0.0;
    for i in 0..y.len() {
        sum += y[i] * y[i];
    }
    sum
}

#[test]
fn slices() {
    let x = [0.5, 0.7, 0.9, -0.4];
    close(&last::grad(&x, 3), &numeric(|x| last(x, 3), &x));
    close(&[last::jvp(&x, 3, &[1.0, 0.0, 2.0, 0.0]).1], &{
        let g = last::grad(&x, 3);
        [g[0] + 2.0 * g[2]]
    });
    close(&last::hvp(&x, 3, &[0.0, 1.0, 0.0, 0.0]), &numeric(|x| last::grad(x, 3)[1], &x));
    let (gx, gw) = by_rows::grad(&x, 1.3);
    close(&gx, &numeric(|x| by_rows(x, 1.3), &x));
    close(&[gw], &numeric(|w| by_rows(&x, w[0]), &[1.3]));
    let (hx, hw) = by_rows::hvp(&x, 1.3, &[0.0; 4], 1.0);
    close(&hx, &numeric(|x| by_rows::grad(x, 1.3).1, &x));
    close(&[hw], &numeric(|w| by_rows::grad(&x, w[0]).1, &[1.3]));
}

#[test]
fn numbers_and_arrays() {
    let (gs, gh) = pendulum::grad(0.4, 0.1);
    close(&[gs, gh], &numeric(|v| pendulum(v[0], v[1]), &[0.4, 0.1]));
    close(&[pendulum::jvp(0.4, 0.1, 1.0, -2.0).1], &[gs - 2.0 * gh]);
    let (hs, hh) = pendulum::hvp(0.4, 0.1, 1.0, 0.0);
    close(&[hs, hh], &numeric(|v| pendulum::grad(v[0], v[1]).0, &[0.4, 0.1]));
    let x = [0.3, -0.5, 0.8];
    let (gx, gw) = twice_normalised::grad(&x, 0.2);
    let at = |v: &[f64]| twice_normalised(&[v[0], v[1], v[2]], v[3]);
    close(&[gx[0], gx[1], gx[2], gw], &numeric(at, &[0.3, -0.5, 0.8, 0.2]));
    assert_eq!(exchanged::grad(2.0, 3.0), (1.0, 3.0 * 36.0 * 2.0));
}

#[test]
fn cotangents_are_in_out() {
    // t ← by·t: the cotangent of the old t is by times that of the new one.
    let mut t = [1.0, 2.0, 3.0];
    let ((), pullback) = accumulate::vjp(&mut t, 2.0);
    assert_eq!(t, [2.0, 4.0, 6.0]);
    let (t_bar, by_bar) = pullback((), (vec![1.0, 10.0, 100.0], 0.0));
    assert_eq!((t_bar, by_bar), (vec![2.0, 20.0, 200.0], 321.0));
    let (mut t, mut t_dot) = ([1.0, 2.0], [1.0, 0.0]);
    accumulate::jvp(&mut t, 3.0, &mut t_dot, 1.0);
    assert_eq!((t, t_dot), ([3.0, 6.0], [4.0, 2.0]));
    let mut x = [3.0, 4.0, 0.0];
    let (norm, gradient) = normalise::value_and_grad(&mut x);
    assert_eq!(norm, 5.0);
    close(&gradient, &[0.6, 0.8, 0.0]);
    close(&x, &[0.6, 0.8, 0.0]);
}
