//! Loops that do not run.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

const M: usize = 1;

#[differentiable(order = 2)]
fn literals(x: f64) -> f64 {
    let mut s = x;
    for _ in 5..5 {
        s = s.sin() * x;
    }
    for i in 3..2 {
        s = s.sin() * x * i as f64;
    }
    for _ in (4..M).rev() {
        s = s.exp() * x;
    }
    #[checkpoint(3)]
    for _ in 5..2 {
        s = (s * x).sin();
    }
    s * x
}

#[differentiable(order = 2)]
fn const_parameter<const N: usize>(x: &[f64; N]) -> f64 {
    let mut s = 1.5;
    for i in 2..N {
        s = s.sin() * x[i];
    }
    for i in (3..N).rev() {
        for j in i..N {
            s = s.sin() * x[i] * x[j];
        }
    }
    for i in 0..N {
        s += x[i].sin() * s;
    }
    s
}

#[differentiable(order = 2)]
fn attributes<const N: usize>(x: &[f64; N]) -> f64 {
    let mut s = 1.5;
    #[checkpoint(2)]
    for i in 2..N {
        s = s.sin() * x[i];
    }
    #[max_iters(6)]
    for i in 3..N {
        s = s.sin() * x[i];
    }
    s
}

#[differentiable(order = 2)]
fn slice(x: &[f64]) -> f64 {
    let mut s = 1.5;
    for i in 1..x.len() {
        s = s.sin() * x[i];
    }
    #[checkpoint(2)]
    for i in 2..x.len() {
        s = s.sin() * x[i];
    }
    let mut i = 2;
    while i < x.len() {
        s = (s * x[i]).sin();
        i += 1;
    }
    let mut v = vec![0.0; x.len()];
    for i in 1..x.len() {
        v[i] = x[i].exp() * v[i - 1] + x[i];
    }
    s + v.iter().sum::<f64>()
}

#[differentiable(order = 2)]
fn iterators(x: &[f64]) -> f64 {
    let a: f64 = x.iter().skip(2).zip(x.iter()).map(|(a, b)| a.sin() * b).sum();
    let b: f64 = x.windows(3).map(|w| w[0].sin() * w[2]).sum();
    let c: f64 = x.chunks(3).map(|w| w[0].sin() * w[w.len() - 1]).sum();
    a + b * c + c
}

#[differentiable(order = 2)]
fn between(x: &[f64; 3], #[no_diff] a: usize, #[no_diff] b: usize) -> f64 {
    let mut s = 1.0;
    for i in a..b {
        s = s.sin() * x[i];
    }
    s * x[0]
}

/// Arrays without elements have the type that is written.
#[differentiable(order = 2)]
fn arrays(x: f64) -> f64 {
    let none: [f64; 0] = [];
    let rows: [[f64; 2]; 0] = [];
    let mut s = x * x;
    for row in &rows {
        s *= row[0];
    }
    s + x * none.iter().sum::<f64>()
}

#[test]
fn empty_ranges() {
    check!(arrays(x) by x = 0.7);
    check!(literals(x) by x = 0.7);
    check!(const_parameter(&x) by x = [0.7]);
    check!(const_parameter(&x) by x = [0.7, 0.8]);
    check!(const_parameter(&x) by x = [0.7, 0.8, 0.9, 0.4]);
    assert_eq!(const_parameter::value_and_grad(&[]), (1.5, []));
    check!(attributes(&x) by x = [0.7]);
    check!(attributes(&x) by x = [0.7, 0.8, 0.9, 0.4, 0.5, 0.6]);
    for n in [0, 1, 2, 3, 5] {
        let x: Vec<f64> = (0..n).map(|k| 0.7 + 0.1 * f64::from(k)).collect();
        check!(slice(&x) by x);
        check!(iterators(&x) by x);
    }
    let x = [0.7, 0.8, 0.9];
    check!(between(&x, 1, 3) by x);
    check!(between(&x, 3, 1) by x);
    check!(between(&x, 2, 2) by x);
}
