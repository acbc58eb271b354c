//! A field that is a `Vec` becomes another one, of another length.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Debug)]
struct State {
    a: Vec<f64>,
    rate: f64,
    rows: Vec<Vec<f64>>,
}

#[differentiable(order = 2)]
fn once(x: &[f64]) -> f64 {
    let mut s = State { a: x.to_vec(), rate: x[0], rows: vec![x.to_vec()] };
    s.a = x.iter().map(|v| v * v).collect();
    s.a[0] * s.rate + s.rows[0][1] * s.a[1]
}

#[differentiable(order = 2)]
fn total(s: &State) -> f64 {
    s.a.iter().map(|v| v * v).sum::<f64>() * s.rate + s.rows.iter().map(|row| row[0] * row.len() as f64).sum::<f64>()
}

/// In a loop, in a branch, and of another length than before.
#[differentiable(order = 2)]
fn often(x: &[f64], k: f64, n: usize) -> f64 {
    let mut s = State { a: x.to_vec(), rate: k, rows: vec![x.to_vec(), vec![k]] };
    let mut sum = 0.0;
    for i in 0..n {
        s.a = s.a.iter().map(|v| v * k + 0.1).collect();
        if i > 0 {
            s.a = s.a.iter().skip(1).map(|v| v * v).collect();
            s.rate += s.a[0];
        } else if k > 1.0 {
            s.a = x[1..].to_vec();
        }
        s.a[0] *= s.rate;
        sum += total(&s);
    }
    s.a = Vec::new();
    s.a = vec![sum, k];
    sum + s.a.iter().sum::<f64>() * s.rate
}

#[test]
fn in_a_field() {
    let x = [0.5, -1.2, 0.9, 0.7];
    check!(once(&x) by x);
    for k in [0.8, 1.3] {
        check!(often(&x, k, 1) by [x, k]);
        check!(often(&x, k, 3) by [x, k]);
    }
}
