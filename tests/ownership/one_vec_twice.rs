//! A `Vec` of the function's own that is several arguments of one call, or of several calls.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable(order = 2)]
fn products(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a * b).collect()
}

#[differentiable(order = 2)]
fn norm(x: &[f64], by: f64) -> f64 {
    let d: Vec<f64> = x.iter().map(|v| v * by - 1.0).collect();
    dot(&d, &d).sqrt()
}

#[differentiable(order = 2)]
fn powers(x: &[f64]) -> f64 {
    let squares = products(x, x);
    let fourth = products(&squares, &squares);
    dot(&fourth, &squares) + dot(&squares, &squares)
}

#[test]
fn of_one_call() {
    let x = [0.5, -1.2, 0.9];
    check!(norm(&x, by) by [x, by = 1.3]);
    check!(powers(&x) by x);
}

/// What it was before is as long as it was then.
#[differentiable(order = 2)]
fn growing(x: &[f64]) -> f64 {
    let mut d: Vec<f64> = x.iter().map(|v| v - 1.0).collect();
    let mut longer = d.clone();
    longer.push(x[0] * x[1]);
    d[0] *= x[0];
    let mut sum = dot(&d, &d) + dot(&longer, &longer);
    for i in 0..3 {
        sum *= dot(&longer, &longer[..2]);
        longer.push(sum);
        if i == 1 {
            sum += dot(&longer, &longer);
            longer.truncate(2);
        }
    }
    sum
}

#[differentiable(order = 2)]
fn before_and_after(x: &[f64], n: usize) -> f64 {
    let mut d = Vec::new();
    let mut sum = 0.0;
    for i in 0..n {
        d.push(x[i] * x[0]);
        let before = d.clone();
        if x[i] > 0.0 {
            d.push(x[i].sin());
        }
        sum += dot(&before, &before) * dot(&d, &d) + d[0];
    }
    sum
}

#[test]
fn of_calls_before_and_after_it_grows() {
    let x = [0.5, 1.2, -0.7];
    check!(growing(&x) by x);
    check!(before_and_after(&x, 3) by x);
    check!(before_and_after(&x, 1) by x);
}

#[differentiable(order = 2)]
fn inner(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        for j in 0..a[i].len() {
            sum += a[i][j] * b[i][j];
        }
    }
    sum
}

#[differentiable(order = 2)]
fn collected(x: &[f64]) -> f64 {
    let m: Vec<Vec<f64>> = (0..x.len()).map(|i| (0..=i).map(|j| x[i] * x[j]).collect()).collect();
    inner(&m, &m).sqrt() + inner(&m[..1], &m)
}

#[differentiable(order = 2)]
fn pushed(x: &[f64]) -> f64 {
    let mut m: Vec<Vec<f64>> = Vec::new();
    for i in 0..x.len() {
        let mut row = Vec::new();
        for j in 0..=i {
            row.push(x[i] * x[j]);
        }
        m.push(row);
    }
    let before = inner(&m, &m);
    m.push(vec![before, x[0]]);
    inner(&m, &m)
}

#[test]
fn of_rows_of_several_lengths() {
    let x = [0.5, 1.2, -0.7];
    check!(collected(&x) by x);
    check!(pushed(&x) by x);
}
