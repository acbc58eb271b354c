//! Sizes that are computed of constants: by quotients, rests, powers and conversions.
#![allow(unused_braces, reason = "sizes that are blocks are a case")]

use crate::harness::check;
use autodiff::prelude::*;

const WIDTH: usize = 12;
const HEADS: usize = 3;
const SIDE: u32 = 2;

#[differentiable(order = 2)]
fn split(x: &Tensor2<f64, 2, WIDTH>) -> Tensor3<f64, HEADS, 2, 4> {
    x.reshape([2, HEADS, WIDTH / HEADS]).permute([1, 0, 2])
}

#[differentiable(order = 2)]
fn joined(x: &Tensor3<f64, HEADS, 2, { WIDTH / HEADS }>) -> Tensor2<f64, 2, WIDTH> {
    x.permute([1, 0, 2]).reshape([2, WIDTH])
}

#[differentiable(order = 2)]
fn tensors(x: &Tensor2<f64, 2, WIDTH>) -> f64 {
    let heads = split(x);
    let back = joined(&heads.tanh());
    let last = back.reshape([WIDTH % 5 * 2, WIDTH / HEADS + 2]).sin();
    (last * last).sum() + back.reshape([(SIDE as usize).pow(3), WIDTH.div_ceil(4)]).mean()
}

#[differentiable(order = 2)]
fn arrays(x: &[f64; WIDTH / 4]) -> f64 {
    let mut y = [1.0; WIDTH / 4];
    let mut groups = [[0.0; WIDTH / HEADS / 2]; WIDTH % 10];
    let each = WIDTH / HEADS / 2;
    for i in 0..WIDTH / 4 {
        y[i] = x[i] * x[(i + 1) % (WIDTH / 4)];
        groups[i % 2][i / each] += y[i];
    }
    let mut wide = [0.0; WIDTH >> 1];
    for k in 0..WIDTH >> 1 {
        wide[k] = y[k % y.len()].exp();
        if k >= each {
            wide[k] *= wide[k - each];
        }
    }
    groups[0][0] * groups[1][0] + groups[0][1] * wide[5]
}

/// Sizes that are blocks, and products with a conversion in them.
#[differentiable(order = 2)]
fn blocks(x: &[f64; { HEADS - 1 }], scale: f64) -> f64 {
    let wide: [f64; 2 * SIDE as usize] = [x[0], x[1], x[0] * x[1], scale];
    let repeated = [scale * x[1]; {
        let half = WIDTH / 4;
        half + 1
    }];
    let mut products = [0.0; { 1 + HEADS }];
    for k in 0..4 {
        products[k] = wide[k] * repeated[k] + x[k % 2];
    }
    ends(&products)[1] * products[2]
}

#[differentiable(order = 2)]
fn ends(x: &[f64; { HEADS + 1 }]) -> [f64; { 1 + 1 }] {
    [x[0], x[HEADS] * x[1]]
}

#[test]
fn sizes_are_computed_of_constants() {
    let mut flat = [0.0; 24];
    for (k, v) in flat.iter_mut().enumerate() {
        *v = (k as f64 * 0.7).sin();
    }
    let x: Tensor2<f64, 2, WIDTH> = Tensor2::from_fn(|[i, j]| flat[i * WIDTH + j]);
    check!(tensors(&x) by x);
    let x = [0.4, 0.9, -0.3];
    check!(arrays(&x) by x);
    check!(blocks(&x, scale) by x = [0.7, -0.4], scale = 1.3);
}
