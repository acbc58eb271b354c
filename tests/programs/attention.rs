//! Attention over flat slices, by functions with counters that fill parts of what they are lent.
#![allow(clippy::all, clippy::pedantic)]

use autodiff::prelude::*;

#[differentiable]
fn project(w: &[f64], x: &[f64], out: &mut [f64]) {
    let (m, n) = (out.len(), x.len());
    let mut at = 0;
    for i in 0..m {
        out[i] = 0.0;
        for j in 0..n {
            out[i] += w[at] * x[j];
            at += 1;
        }
    }
}
#[differentiable]
fn softmax(x: &mut [f64]) {
    let mut most = x[0];
    for v in x.iter() {
        if *v > most {
            most = *v;
        }
    }
    let mut sum = 0.0;
    for v in x.iter_mut() {
        *v = (*v - most).exp();
        sum += *v;
    }
    for v in x.iter_mut() {
        *v /= sum;
    }
}
#[differentiable(order = 2)]
fn attention(w: &[f64], tokens: &[f64], #[no_diff] d: usize) -> f64 {
    let t = tokens.len() / d;
    let mut q = vec![0.0; t * d];
    let mut k = vec![0.0; t * d];
    let mut v = vec![0.0; t * d];
    for i in 0..t {
        let x = &tokens[i * d..(i + 1) * d];
        project(&w[..d * d], x, &mut q[i * d..(i + 1) * d]);
        project(&w[d * d..2 * d * d], x, &mut k[i * d..(i + 1) * d]);
        project(&w[2 * d * d..], x, &mut v[i * d..(i + 1) * d]);
    }
    let mut scores = vec![0.0; t];
    let mut out = vec![0.0; d];
    let mut loss = 0.0;
    for i in 0..t {
        for j in 0..=i {
            let mut s = 0.0;
            for c in 0..d {
                s += q[i * d + c] * k[j * d + c];
            }
            scores[j] = s / (d as f64).sqrt();
        }
        softmax(&mut scores[..=i]);
        out.fill(0.0);
        for j in 0..=i {
            for c in 0..d {
                out[c] += scores[j] * v[j * d + c];
            }
        }
        loss += out.iter().map(|o| o * o).sum::<f64>();
    }
    loss
}

#[test]
fn one_head() {
    let numbers =
        |len: usize, from: usize| (from..from + len).map(|k| (0.9 * k as f64).sin() + 0.1).collect::<Vec<_>>();
    autodiff::check_grads!(attention, &numbers(27, 2), &numbers(12, 3), 3);
}
