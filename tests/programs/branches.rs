//! Programs through every generated function.
#![allow(clippy::nonminimal_bool)]

use autodiff::prelude::*;
#[differentiable(order = 2)]
fn huber(x: f64, d: f64) -> f64 {
    if x > d {
        d * (x - 0.5 * d)
    } else if -x > d {
        d * (-x - 0.5 * d)
    } else {
        0.5 * x * x
    }
}
#[differentiable(order = 2)]
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
#[differentiable(order = 2)]
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

#[differentiable(order = 2)]
fn between(x: &[f64; 4]) -> f64 {
    let least = x.iter().min_by(|a, b| a.total_cmp(b)).unwrap();
    let most = x.iter().copied().max_by(f64::total_cmp).unwrap();
    3.0 * least + 5.0 * most
}
#[differentiable(order = 2)]
fn ordered(x: f64, y: f64) -> f64 {
    let one = match x.total_cmp(&y) {
        std::cmp::Ordering::Less => x,
        std::cmp::Ordering::Equal => 10.0 * x,
        std::cmp::Ordering::Greater => 100.0 * x,
    };
    let other = if y.total_cmp(&x).is_ge() { y } else { 10.0 * y };
    one + other
}

/// `total_cmp` tells the zeros apart, and has a place for NaN.
#[test]
fn total_order() {
    assert_eq!(between::grad(&[2.0, 0.0, -0.0, 1.0]), [5.0, 0.0, 3.0, 0.0]);
    assert_eq!(between::grad(&[-0.0, -1.0, 0.0, -0.0]), [0.0, 3.0, 5.0, 0.0]);
    assert_eq!(between::grad(&[1.0, f64::NAN, 2.0, -f64::INFINITY]), [0.0, 5.0, 0.0, 3.0]);
    assert_eq!(ordered::grad(1.0, 2.0), (1.0, 1.0));
    assert_eq!(ordered::grad(2.0, 2.0), (10.0, 1.0));
    assert_eq!(ordered::grad(-0.0, 0.0), (1.0, 1.0));
    assert_eq!(ordered::grad(0.0, -0.0), (100.0, 10.0));
    assert_eq!(ordered::grad(f64::NAN, f64::INFINITY), (100.0, 10.0));
    assert_eq!(ordered::jvp(0.0, -0.0, 1.0, 1.0).1, 110.0);
}
