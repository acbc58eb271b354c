use autodiff::prelude::*;

#[differentiable]
fn kept(x: &[f64; 4]) -> f64 {
    let mut squares = x.iter().map(|v| v * v);
    squares.next().unwrap() + squares.sum::<f64>()
}

#[differentiable]
fn perhaps(x: &[f64; 4]) -> f64 {
    let largest = x.iter().copied().reduce(f64::max);
    largest.unwrap()
}

#[differentiable]
fn apart(x: &[f64; 4]) -> f64 {
    let (a, b): (Vec<f64>, Vec<f64>) = x.iter().map(|v| (v * v, v.sin())).unzip();
    a[0] * b[0]
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

fn main() {}
