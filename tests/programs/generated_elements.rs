//! Iterators whose elements are made: `successors`, `from_fn`, `repeat_with`.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn powers(x: f64, n: usize) -> f64 {
    let weights: Vec<f64> = std::iter::successors(Some(1.0), |w| Some(w * x)).take(n).collect();
    weights.iter().enumerate().map(|(k, w)| w * (k as f64 + 1.0)).sum()
}

#[differentiable(order = 2)]
fn until_small(x: f64) -> f64 {
    std::iter::successors(Some(x), |&w| if w > 0.05 { Some(w * x * 0.5) } else { None }).map(f64::sin).sum()
}

/// Newton's steps for a square root, until they stop.
#[differentiable(order = 2)]
fn root(x: f64) -> f64 {
    let steps = std::iter::successors(Some(x), |r| {
        let next = 0.5 * (r + x / r);
        ((next - r).abs() > 1e-3).then_some(next)
    });
    let mut last = 0.0;
    for (k, step) in steps.enumerate() {
        if k % 2 == 1 {
            continue;
        }
        last += step;
    }
    last
}

#[differentiable(order = 2)]
fn states(x: f64, n: usize) -> f64 {
    let orbit = std::iter::successors(Some((x, 0.5)), |&(p, v)| Some((p + 0.1 * v, v - 0.1 * p * x)));
    orbit.skip(1).step_by(2).take(n).map(|(p, v)| p * v).sum()
}

#[differentiable(order = 2)]
fn counted(x: f64) -> f64 {
    let mut n = 0;
    let mut p = 1.0;
    let sum: f64 = std::iter::from_fn(|| {
        n += 1;
        p *= x;
        if n < 5 { Some(p * n as f64) } else { None }
    })
    .sum();
    sum * p
}

#[differentiable(order = 2)]
fn repeated(x: f64, n: usize) -> f64 {
    let mut p = x;
    let powers: Vec<f64> = std::iter::repeat_with(|| {
        p = p * x + 0.1;
        p
    })
    .take(n)
    .collect();
    powers.iter().sum::<f64>() * p
}

#[differentiable(order = 2)]
fn beside_others(x: &[f64]) -> f64 {
    let decay = 0.9 * x[0];
    let weights = std::iter::successors(Some(1.0), |w| Some(w * decay));
    let mut sum = 0.0;
    for (w, v) in weights.zip(x) {
        sum += w * v;
    }
    for (k, w) in (0..3).zip(std::iter::successors(Some(x[1]), |w| Some(w * decay)).take(2)) {
        sum += w * k as f64;
    }
    sum
}

#[test]
fn elements_that_are_made() {
    for x in [0.4, 0.7, 1.3] {
        check!(powers(x, 4) by x);
        check!(powers(x, 0) by x);
        check!(until_small(x) by x);
        check!(root(x) by x);
        check!(states(x, 3) by x);
        check!(counted(x) by x);
        check!(repeated(x, 3) by x);
        let v = [x, 0.3, 0.8];
        check!(beside_others(&v) by v);
    }
}
