//! Lists of tuples and structs with `Vec`s in them, a part of which is given to a differentiable function.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn model(w: &[f64; 2], xs: &[f64]) -> f64 {
    xs.iter().map(|x| (x * w[0]).sin() + w[1] * x).sum()
}

#[differentiable(order = 2)]
fn rows(w: f64, xs: &[[f64; 2]], k: usize) -> f64 {
    xs.iter().map(|x| x[0] * w * w + x[1]).sum::<f64>() + xs[k % xs.len()][1] * w
}

#[differentiable(order = 2)]
fn mapped(w: &[f64; 2], #[no_diff] batch: &[(Vec<f64>, f64)]) -> f64 {
    batch.iter().map(|(xs, y)| (model(w, xs) - y).powi(2)).sum()
}

#[differentiable(order = 2)]
fn looped(w: &[f64; 2], #[no_diff] batch: &[(Vec<f64>, f64)]) -> f64 {
    let mut s = 0.0;
    for (xs, y) in batch {
        if xs.len() > 1 {
            s += model(w, xs) * s - y;
            s += model(w, &xs[1..]) * model(w, &xs[..1]);
        }
    }
    for i in 0..batch.len() {
        s += model(w, &batch[i].0) - batch[i].1;
    }
    s
}

#[differentiable(order = 2)]
fn nested(w: f64, #[no_diff] batch: &[(usize, Vec<[f64; 2]>, f64)]) -> f64 {
    let mut s = w;
    for (k, xs, y) in batch.iter().rev() {
        s = s * y + rows(w, xs, *k);
    }
    s
}

#[differentiable(order = 2)]
fn both(w: f64, #[no_diff] batch: &[(Vec<f64>, Vec<f64>)]) -> f64 {
    batch.iter().map(|(a, b)| model(&[w, 1.0], a) * model(&[0.5, w], b)).sum()
}

#[test]
fn a_part_of_a_tuple_is_given_to_a_function() {
    let batch = vec![(vec![0.5, -1.0], 0.7), (vec![], 0.1), (vec![1.5, 0.25, 2.0], -0.4)];
    let w = [0.7, -0.3];
    check!(mapped(&w, &batch) by w);
    check!(looped(&w, &batch) by w);
    check!(mapped(&w, &[]) by w);
    let batch = vec![(1, vec![[0.5, -1.0], [0.3, 0.2]], 0.7), (0, vec![[1.0, 2.0]], 0.1)];
    check!(nested(w, &batch) by w = 0.6);
    let batch = vec![(vec![0.5, -1.0], vec![0.3]), (vec![1.0], vec![])];
    check!(both(w, &batch) by w = 0.6);
}
