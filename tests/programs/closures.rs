//! Closures that are called where they are defined.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn called(x: &[f64; 3]) -> f64 {
    let scale = x[0];
    let f = |a: f64, b| a * b * scale;
    let clamp = |v: f64| -> f64 {
        if v > 4.0 {
            return 4.0;
        }
        v
    };
    let scale = 2.0;
    let twice = |v| f(v, scale);
    f(x[1], x[2]) + clamp(twice(x[1])) + (|v: f64| v * v)(x[2]) + x.iter().map(|v| twice(*v)).sum::<f64>()
}

#[differentiable(order = 2)]
fn counters(x: &[f64; 3], n: usize) -> f64 {
    let mut s = 0.0;
    let mut calls = 0;
    let mut add = |v: f64| {
        calls += 1;
        s += v * calls as f64;
    };
    add(x[0]);
    for i in 0..n {
        if i % 2 == 0 {
            add(x[i % 3] * x[0]);
        }
    }
    add(x[2]);
    let mut k = x[1];
    let next = move || {
        k *= 2.0;
        k
    };
    let mut next = next;
    let a = next() * next();
    k += 1.0;
    a * k + s * calls as f64
}

#[differentiable(order = 2)]
fn root(x: &[f64; 2]) -> f64 {
    let f = |y: f64| y * y * y - x[0] * y - x[1];
    let slope = |y: f64| 3.0 * y * y - x[0];
    let mut y = 2.0;
    for _ in 0..30 {
        let step = f(y) / slope(y);
        y -= step;
        if step.abs() < 1e-14 {
            break;
        }
    }
    y
}

#[test]
fn closures_of_the_function() {
    check!(called(&x) by x = [1.0, -2.0, 0.5]);
    check!(called(&x) by x = [1.0, 2.5, 0.5]);
    for n in [0, 1, 5] {
        check!(counters(&x, n) by x = [1.0, -2.0, 0.5]);
    }
    check!(root(&x) by x = [1.0, 2.0]);
}

/// Functions inside see no variables around them; where they stand in the block does not matter.
#[differentiable(order = 2)]
fn functions_inside(x: f64, n: usize) -> f64 {
    const K: f64 = 2.0;
    fn cube(v: f64) -> f64 {
        square(v) * v
    }
    fn square(v: f64) -> f64 {
        v * v * K
    }
    #[inline]
    fn root(v: f64) -> f64 {
        if v < 0.0 {
            return 0.0;
        }
        v.sqrt()
    }
    fn scale(a: &mut [f64; 2], s: f64) {
        a[0] *= s;
        a[1] += s;
    }
    fn other(k: usize) -> usize {
        (k + 1) % 2
    }
    let mut a = [x, 2.0 * x];
    for _ in 0..n {
        scale(&mut a, x);
    }
    let y = {
        fn square(v: f64) -> f64 {
            0.5 * v
        }
        square(x)
    };
    cube(x) + square(y) + root(-x) + root(x) + a[other(n)] * [1.0, x].iter().copied().map(square).sum::<f64>()
}

#[test]
fn functions_of_the_body() {
    for n in [0, 1, 4] {
        check!(functions_inside(x, n) by x = 1.3);
    }
}

/// Each copy of a closure that owns a variable goes on by itself, also inside of another.
#[differentiable(order = 2)]
fn copies(x: f64) -> f64 {
    let mut k = x;
    let next = move |t: f64| {
        k *= t;
        k
    };
    let (mut a, mut b) = (next, next);
    let mut inside = a;
    let mut both = move |t: f64| inside(t) + t;
    let first = a(2.0) * a(3.0);
    first + b(5.0) * both(1.5) * both(0.5) * k + a(1.5)
}

#[test]
fn closures_are_copied() {
    check!(copies(x) by x = 1.3);
    let next = |k: f64| (2.0 * k * 6.0 * k) + 5.0 * k * (1.5 * k + 1.5) * (0.75 * k + 0.5) * k + 9.0 * k;
    assert!((copies(1.3) - next(1.3)).abs() < 1e-12);
}
