//! `flatten` and loops over `Option`s: each is a list of one element or none.
#![allow(clippy::all)]
use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable(order = 2)]
fn root(x: f64) -> Option<f64> {
    if x > 0.6 { Some(x.sqrt()) } else { None }
}

#[differentiable(order = 2)]
fn of_array(x: &[f64; 4]) -> f64 {
    let roots = [root(x[0]), root(x[1]), None, root(x[3])];
    let mut s = 0.0;
    for r in roots.iter().flatten() {
        s += r * r * x[0];
    }
    s + roots.iter().flatten().count() as f64 * x[1] + roots.into_iter().flatten().map(|r| r * x[2]).sum::<f64>()
}

#[differentiable(order = 2)]
fn of_mapped(x: &[f64]) -> f64 {
    x.iter().map(|v| root(*v)).flatten().map(|r| r * r * r).sum()
}

#[differentiable(order = 2)]
fn of_parameter(x: &[Option<f64>], z: f64) -> f64 {
    x.iter().flatten().map(|r| r * r * z).sum::<f64>() + x.iter().flatten().fold(1.0, |p, r| p * r)
}

#[differentiable(order = 2)]
fn flat_mapped(x: &[f64]) -> f64 {
    x.iter().flat_map(|v| root(*v)).map(|r| r * r * r).sum()
}

#[differentiable(order = 2)]
fn of_structs(x: &[f64]) -> f64 {
    let ps = [Some(Pair { a: x[0], b: x[1] }), None, Some(Pair { a: x[1], b: 2.0 })];
    ps.iter().flatten().map(|p| p.a * p.b).sum()
}

#[differentiable(order = 2)]
fn of_data(z: f64, #[no_diff] w: &[Option<f64>]) -> f64 {
    w.iter().flatten().map(|w| w * z * z).sum()
}

#[differentiable(order = 2)]
fn of_integers(z: f64, #[no_diff] w: &[Option<usize>]) -> f64 {
    let mut s = 0.0;
    for k in w.iter().flatten() {
        s += z * z * *k as f64;
    }
    s
}

#[differentiable(order = 2)]
fn in_loops(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in root(x[0]) {
        s += v * x[1];
    }
    for v in root(x[1]).iter() {
        s += v * x[0];
    }
    s
}

#[differentiable(order = 2)]
fn of_vec(x: &[f64]) -> f64 {
    let v: Vec<Option<f64>> = x.iter().map(|v| root(*v)).collect();
    v.iter().flatten().zip(x).map(|(a, b)| a * b).sum()
}

#[test]
fn options_as_lists() {
    let x = [0.5, 0.9, 1.3, 0.7];
    check!(of_array(&x) by x);
    let x = vec![0.5, 0.9, 1.3, 0.7];
    check!(of_mapped(&x) by [x]);
    check!(flat_mapped(&x) by [x]);
    check!(of_structs(&x) by [x]);
    check!(in_loops(&x) by [x]);
    check!(of_vec(&x) by [x]);
    let z = 0.7;
    let w = [Some(0.4), None, Some(2.0)];
    check!(of_data(z, &w) by z);
    let w = [Some(4), None, Some(2)];
    check!(of_integers(z, &w) by z);
    let x = vec![Some(0.4), None, Some(0.3)];
    check!(of_parameter(&x, z) by [x, z]);
}
