//! Functions of a few numbers and short arrays, which callers take into their own bodies, beside calls.
#![allow(clippy::all)]

use crate::harness::{check, twins};
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug)]
struct Pair {
    a: f64,
    b: [f64; 2],
}

/// Branches, a root, and a closure over an array.
#[differentiable(order = 2)]
fn turned(r: &[f64; 3], p: &[f64; 3]) -> [f64; 3] {
    let square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if square > 0.1 {
        let angle = square.sqrt();
        let s = angle.sin() / angle;
        std::array::from_fn(|k| p[k] * angle.cos() + s * r[k])
    } else {
        *p
    }
}

/// A struct, a loop, and what has no derivative.
#[differentiable(order = 2)]
fn mixed(p: &Pair, #[no_diff] scale: f64, #[no_diff] by: &[f64; 2], x: f64) -> Pair {
    let mut sum = p.a * scale;
    for k in 0..2 {
        sum += p.b[k] * p.b[k].sin() * x * by[k];
    }
    Pair { a: sum, b: [p.b[1] / p.a, p.b[0] * sum] }
}

#[differentiable(order = 2)]
fn with_functions(rows: &[[f64; 3]], x: f64, y: f64, #[no_diff] table: &[[f64; 2]; 2]) -> f64 {
    let (mut sum, mut q) = (0.0, Pair { a: x, b: [y, x * y] });
    for i in 0..rows.len() {
        let v = turned(&rows[i], &[q.a, q.b[0], q.b[1]]);
        q = mixed(&Pair { a: 1.5 + v[0] * 0.1, b: [v[1], v[2]] }, 0.5 + i as f64, &[table[i % 2][0], 0.5], x);
        sum += q.a * q.b[1] + v[2];
    }
    sum
}

/// The same, written out.
#[differentiable(order = 2)]
fn written_out(rows: &[[f64; 3]], x: f64, y: f64, #[no_diff] table: &[[f64; 2]; 2]) -> f64 {
    let (mut sum, mut a, mut b) = (0.0, x, [y, x * y]);
    for i in 0..rows.len() {
        let (r, p) = (rows[i], [a, b[0], b[1]]);
        let square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        let v = if square > 0.1 {
            let angle = square.sqrt();
            let s = angle.sin() / angle;
            [p[0] * angle.cos() + s * r[0], p[1] * angle.cos() + s * r[1], p[2] * angle.cos() + s * r[2]]
        } else {
            p
        };
        let c = 1.5 + v[0] * 0.1;
        let mut t = c * (0.5 + i as f64);
        t += v[1] * v[1].sin() * x * table[i % 2][0];
        t += v[2] * v[2].sin() * x * 0.5;
        (a, b) = (t, [v[2] / c, v[1] * t]);
        sum += a * b[1] + v[2];
    }
    sum
}

/// Marked, and so taken over with what it calls, wherever its callers stand.
#[differentiable(order = 2)]
fn path(x: f64, y: f64, n: usize) -> f64 {
    let mut p = [x, y];
    for _ in 0..n {
        p = moved(&p, y);
    }
    p[0] * p[1]
}

#[differentiable(order = 2, inline)]
fn moved(p: &[f64; 2], by: f64) -> [f64; 2] {
    let d = length(p);
    [p[0] + by / d, p[1] * d]
}

#[differentiable(order = 2, inline)]
fn length(p: &[f64; 2]) -> f64 {
    (square(p[0]) + square(p[1])).sqrt()
}

#[differentiable(order = 2)]
fn square(x: f64) -> f64 {
    x * x
}

/// More than a caller takes over: the rest are calls.
#[differentiable(order = 2)]
fn many(x: f64, y: f64) -> f64 {
    let mut p = [x, y, x * y];
    let q = [y, 0.4, x];
    p = turned(&q, &p);
    p = turned(&p, &q);
    p = turned(&q, &p);
    p = turned(&p, &q);
    p = turned(&q, &p);
    p = turned(&p, &q);
    p = turned(&q, &p);
    p = turned(&p, &q);
    p = turned(&q, &p);
    p = turned(&p, &q);
    p = turned(&q, &p);
    p = turned(&p, &q);
    p = turned(&q, &p);
    p = turned(&p, &q);
    p = turned(&q, &p);
    p = turned(&p, &q);
    p = turned(&q, &p);
    p = turned(&p, &q);
    p = turned(&q, &p);
    p = turned(&p, &q);
    p = turned(&q, &p);
    p = turned(&p, &q);
    p = turned(&q, &p);
    p = turned(&p, &q);
    p[0] + p[1] * p[2]
}

/// Functions that call each other are called.
#[differentiable(order = 2, inline)]
fn down(x: f64, y: f64) -> f64 {
    if x > 1.0 { up(x * 0.5, y) } else { x * y }
}

#[differentiable(order = 2, inline)]
fn up(x: f64, y: f64) -> f64 {
    if y > 2.0 { x.sin() } else { down(x, y * 1.5) * x }
}

#[test]
fn taken_over_or_called() {
    let (rows, table) = (vec![[0.1, 0.2, -0.3], [0.6, -0.1, 0.4], [1.0, -0.5, 0.25]], [[0.3, 0.9], [0.7, 0.1]]);
    let (x, y) = (0.4, 0.7);
    let a = check!(with_functions(&rows, x, y, &table) by [rows, x, y]);
    twins(&a, &check!(written_out(&rows, x, y, &table) by [rows, x, y]));
    for n in [0, 1, 4] {
        check!(path(x, y, n) by x = 0.4, y = 0.7);
    }
    check!(many(x, y) by x = 0.4, y = 0.7);
    for x0 in [0.6, 1.8, 3.1] {
        check!(down(x, y) by x = x0, y = 0.7);
    }
}
