//! Integers that are made of rounded numbers: places in tables. Between the jumps they are constant.

use crate::harness::check;
use autodiff::prelude::*;

/// Between the entries of a table.
#[differentiable(order = 2)]
fn interpolated(table: &[f64], x: f64) -> f64 {
    let at = x.floor().clamp(0.0, (table.len() - 2) as f64);
    let i = at as usize;
    let t = x - i as f64;
    table[i] * (1.0 - t) + table[i + 1] * t * t
}

#[differentiable(order = 2)]
fn sample(table: &[f64], x: f64) -> Option<f64> {
    let nearest = x.round() as i64;
    if nearest < 0 || nearest as usize >= table.len() {
        return None;
    }
    Some(table[nearest as usize] * x)
}

#[differentiable(order = 2)]
fn walk(table: &[f64], x: f64, n: usize) -> f64 {
    let mut at = x;
    for _ in 0..n {
        at += 0.3 * interpolated(table, at);
        if let Some(value) = sample(table, at.trunc() + 0.1 * x) {
            at += 0.1 * value;
        }
        let steps = (2.0 * x).ceil() as usize;
        for k in 0..steps {
            at -= 0.01 * x * k as f64;
        }
    }
    at + x.fract()
}

/// The number of whole steps comes out of a branch, of a loop, and of a closure.
#[differentiable(order = 2)]
fn whole_steps(x: f64, n: usize) -> f64 {
    let steps = if x > 1.0 { x.floor() } else { (3.0 * x).ceil() };
    let mut rest = x;
    let mut last = 0.0;
    for _ in 0..n {
        last = rest.round();
        rest -= 0.25 * x;
    }
    let whole = |x: f64| x.trunc().max(1.0);
    let mut sum = 0.0;
    for k in 0..steps as usize + last as usize {
        sum += (x * k as f64).sin() / (1 + k / whole(2.0 * x) as usize) as f64;
    }
    sum + steps * x
}

#[test]
fn a_rounded_number_is_an_index() {
    let table = [0.3, 0.9, 0.4, 1.2, 0.7];
    check!(walk(&table, x, 3) by [table, x = 1.3]);
    check!(walk(&table, x, 2) by [table, x = 0.2]);
    check!(whole_steps(x, 3) by x = 0.9);
    check!(whole_steps(x, 2) by x = 2.7);
}
