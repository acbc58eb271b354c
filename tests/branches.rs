//! Programs through every generated function.
#![allow(clippy::nonminimal_bool)]

use autodiff::prelude::*;
#[differentiable]
fn huber(x: f64, d: f64) -> f64 {
    if x > d {
        d * (x - 0.5 * d)
    } else if -x > d {
        d * (-x - 0.5 * d)
    } else {
        0.5 * x * x
    }
}
#[differentiable]
fn clip(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    let mut y = [1.0; 4];
    for i in 0..4 {
        if x[i] > 0.0 && i > 0 {
            s += x[i] * x[i - 1];
            y[i] = x[i].sin();
        } else {
            y[i] *= x[i];
        }
    }
    for i in 0..4 {
        s += y[i] * y[i];
    }
    s
}
#[differentiable]
fn assign(x: f64, k: usize) -> f64 {
    let mut a = x;
    if k > 2 {
        a = a * a;
    }
    let b = if !(k > 3) || x > 100.0 { a } else { 2.0 };
    a * b
}
#[test]
fn branches() {
    for (x, g) in [(3.0, 1.0), (-3.0, -1.0), (0.5, 0.5)] {
        assert_eq!(huber::grad(x, 1.0).0, g);
        assert_eq!(huber::jvp(x, 1.0, 1.0, 0.0).1, g);
        assert_eq!(huber::hvp(x, 1.0, 1.0, 0.0).0, if x == 0.5 { 1.0 } else { 0.0 });
    }
    let x = [0.5, 0.7, -0.3, 1.1];
    let g = clip::grad(&x);
    for i in 0..4 {
        let (mut a, mut b) = (x, x);
        a[i] += 1e-6;
        b[i] -= 1e-6;
        let d = (clip(&a) - clip(&b)) / 2e-6;
        assert!((d - g[i]).abs() < 1e-7, "{i} {d} {}", g[i]);
    }
    assert_eq!(assign::grad(3.0, 1), 6.0);
    assert_eq!(assign::grad(3.0, 3), 108.0);
    assert_eq!(assign::grad(3.0, 4), 12.0);
}
