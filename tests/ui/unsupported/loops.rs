use autodiff::prelude::*;

#[differentiable]
fn reassigned(x: &[f64; 4]) -> f64 {
    let mut it = x.iter();
    let first = it.next().unwrap();
    it = x[1..].iter();
    first + it.sum::<f64>()
}

#[differentiable]
fn filtered(x: &[f64; 4]) -> f64 {
    let mut it = x.iter().filter(|v| **v > 0.0);
    it.next().unwrap() + it.sum::<f64>()
}

#[differentiable]
fn with_effects(x: &[f64; 4]) -> f64 {
    let mut n = 0.0;
    let mut it = x.iter().map(|v| {
        n += 1.0;
        v * n
    });
    it.nth(1).unwrap() + it.sum::<f64>()
}

#[differentiable]
fn order(x: &[f64; 4]) -> f64 {
    *x.iter().max_by(|_, _| std::cmp::Ordering::Less).unwrap()
}

#[differentiable]
fn set(x: &[f64; 4]) -> f64 {
    let small = x.iter().map(|v| *v as usize).collect::<std::collections::HashSet<usize>>();
    x[small.len()]
}

#[differentiable]
fn backwards(x: &[f64; 4]) -> f64 {
    x.iter().flat_map(|v| std::iter::once(v * v)).rev().sum()
}

/// Where they end, only the slice tells.
#[differentiable]
fn beside_what_may_not_end(x: &[f64], y: f64) -> f64 {
    let mut sum = 0.0;
    for (v, w) in x.iter().zip(std::iter::from_fn(|| Some(y * 2.0))) {
        sum += v * w;
    }
    for (v, k) in x.iter().zip((0..).take_while(|k| *k as f64 > -y)) {
        sum += v * k as f64;
    }
    sum
}

fn main() {}
