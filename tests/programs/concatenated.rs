//! `concat` and `as_flattened` of lists of lists.
#![allow(clippy::all)]
use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn arrays(x: &[f64; 4]) -> f64 {
    let v = [[x[0], x[1]], [x[2], x[3] * x[0]], [1.0, x[1]]].concat();
    v.iter().enumerate().map(|(i, a)| a * a * i as f64).sum()
}

#[differentiable(order = 2)]
fn rows(m: &[Vec<f64>], z: f64) -> f64 {
    let v = m.concat();
    let mut s = z;
    for (i, a) in v.iter().enumerate() {
        s += a * a * (i + 1) as f64 * z;
    }
    s + v.len() as f64 * z
}

#[differentiable(order = 2)]
fn matrix(m: &[[f64; 2]], z: f64) -> f64 {
    let mut v = m.concat();
    v.push(z);
    v[0] *= z;
    v.iter().map(|a| a * a * z).sum::<f64>() + m.as_flattened().iter().sum::<f64>()
}

#[differentiable(order = 2)]
fn lists(x: &[f64], n: usize) -> f64 {
    let mut all = Vec::new();
    for k in 0..n {
        let squares: Vec<f64> = x[..k].iter().map(|a| a * a).collect();
        all = [&all[..], &squares[..], &x[1..]].concat();
    }
    all.iter().enumerate().map(|(i, a)| a * a * (i + 1) as f64).sum()
}

#[differentiable(order = 2)]
fn owned(x: &[f64]) -> f64 {
    let a = x.to_vec();
    let b = vec![x[0] * x[1]; 3];
    let c = [a, b].concat();
    c.iter().rev().enumerate().map(|(i, a)| a * a * i as f64).sum()
}

#[differentiable(order = 2)]
fn result(x: &[f64]) -> Vec<f64> {
    [x, x].concat()
}

#[differentiable(order = 2)]
fn of_result(x: &[f64]) -> f64 {
    let v = result(x);
    v[0] * v[v.len() - 1]
}

#[test]
fn several_lists_in_one() {
    let x = [0.5, 0.9, 1.3, 0.7];
    check!(arrays(&x) by x);
    let (m, z) = (vec![vec![0.4, 0.3], vec![], vec![0.2, 0.1, 0.7]], 0.6);
    check!(rows(&m, z) by [m, z]);
    let m = vec![[0.4, 0.3], [0.2, 0.1]];
    check!(matrix(&m, z) by [m, z]);
    let x = vec![0.5, 0.9, 1.3];
    for n in 0..4 {
        check!(lists(&x, n) by [x]);
    }
    check!(owned(&x) by [x]);
    check!(of_result(&x) by [x]);
}
