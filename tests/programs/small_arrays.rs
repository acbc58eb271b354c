//! Arrays of a few numbers, whose elements are variables where nothing needs the whole, beside what needs it.
#![allow(clippy::all)]

use crate::harness::{check, twins};
use autodiff::prelude::*;

/// Each array is made of the next one; one of them is read at an index that only run time tells.
#[differentiable(order = 2)]
fn made_of_each_other(x: f64, y: f64, n: usize, j: usize) -> f64 {
    let (mut a, mut b, mut c) = ([[x; 2]; 2], [[y; 2]; 2], [[x * y; 2]; 2]);
    for _ in 0..n {
        let e = a[j][1 - j];
        let (mut p, mut q, mut r) = (b, c, c);
        p[0][0] = e * y;
        q[0][1] = e + x;
        r[1][0] = e.sin();
        (a, b, c) = (p, q, r);
    }
    a[0][0] * b[0][1] + c[1][0] * a[1][1]
}

/// A branch returns the elements, a loop carries them.
#[differentiable(order = 2)]
fn state(x: f64, y: f64, n: usize) -> f64 {
    let mut s = [x, y, 0.0];
    for k in 0..n {
        let mut d = [s[1], -s[0].sin(), 1.0];
        if s[0] > 0.3 {
            d = [d[0] * y, d[1] - x, s[2]];
        }
        for i in 0..3 {
            s[i] += 0.1 * d[i] * (k + 1) as f64;
        }
    }
    let mut sum = 0.0;
    for i in 0..3 {
        sum += s[i] * s[2 - i];
    }
    sum
}

#[differentiable(order = 2)]
fn state_of_numbers(x: f64, y: f64, n: usize) -> f64 {
    let (mut s, mut t, mut u) = (x, y, 0.0);
    for k in 0..n {
        let (mut d, mut e, mut f) = (t, -s.sin(), 1.0);
        if s > 0.3 {
            (d, e, f) = (d * y, e - x, u);
        }
        let by = 0.1 * (k + 1) as f64;
        s += by * d;
        t += by * e;
        u += by * f;
    }
    s * u + t * t + u * s
}

/// Handed to another function as a whole, and read afterwards.
#[differentiable(order = 2)]
fn norm(v: &[f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

#[differentiable(order = 2)]
fn normalised(x: f64, y: f64, j: usize) -> f64 {
    let mut v = [x, y, x * y];
    let length = norm(&v);
    for i in 0..3 {
        v[i] /= length;
    }
    let mut w = [0.0; 3];
    w[1] = v[0] + v[2];
    w[j] += v[1] * v[1];
    w[0] * v[0] + w[1] * v[1] + w[2] + norm(&w)
}

#[test]
fn whole_and_in_parts() {
    for j in 0..2 {
        for n in [0, 1, 4] {
            check!(made_of_each_other(x, y, n, j) by x = 0.4, y = 0.7);
        }
        check!(normalised(x, y, j) by x = 0.4, y = 0.7);
    }
    for n in [0, 1, 5] {
        let a = check!(state(x, y, n) by x = 0.4, y = 0.7);
        twins(&a, &check!(state_of_numbers(x, y, n) by x = 0.4, y = 0.7));
    }
}
