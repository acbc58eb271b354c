//! Loops that call functions which change their arguments. The cotangent of such an argument is in-out, so the
//! iterations have to be reversed in order.

use crate::harness::{check, twins};
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn scale_first(v: &mut [f64; 2]) {
    v[0] = v[0] * v[1];
}

#[differentiable(order = 2)]
fn twice(x: &[f64; 2]) -> f64 {
    let mut v = *x;
    for _ in 0..2 {
        scale_first(&mut v);
    }
    v[0]
}

#[differentiable(order = 2)]
fn twice_written_out(x: &[f64; 2]) -> f64 {
    let mut v = *x;
    scale_first(&mut v);
    scale_first(&mut v);
    v[0]
}

#[differentiable(order = 2)]
fn twice_from_the_end(x: &[f64; 2]) -> f64 {
    let mut v = *x;
    for _ in (0..2).rev() {
        scale_first(&mut v);
    }
    v[0]
}

#[differentiable(order = 2)]
fn while_less(x: &[f64; 2]) -> f64 {
    let mut v = *x;
    let mut n = 0;
    while n < 2 {
        scale_first(&mut v);
        n += 1;
    }
    v[0]
}

#[differentiable(order = 2)]
fn looped(x: &[f64; 2]) -> f64 {
    let mut v = *x;
    let mut n = 0;
    loop {
        if n == 2 {
            break;
        }
        scale_first(&mut v);
        n += 1;
    }
    v[0]
}

#[differentiable(order = 2)]
fn checkpointed(x: &[f64; 2]) -> f64 {
    let mut v = *x;
    #[checkpoint(2)]
    for _ in 0..2 {
        scale_first(&mut v);
    }
    v[0]
}

#[test]
fn every_kind_of_loop() {
    let x = [0.6, 1.5];
    assert_eq!(twice::grad(&x), [2.25, 1.5 * 0.6 + 0.6 * 1.5]);
    let one = check!(twice(&x) by x);
    twins(&one, &check!(twice_written_out(&x) by x));
    twins(&one, &check!(twice_from_the_end(&x) by x));
    twins(&one, &check!(while_less(&x) by x));
    twins(&one, &check!(looped(&x) by x));
    twins(&one, &check!(checkpointed(&x) by x));
}

#[differentiable(order = 2)]
fn mix(v: &mut [f64], by: f64) {
    for i in 1..v.len() {
        v[i] = v[i] * v[i - 1] + by;
    }
}

#[differentiable(order = 2)]
fn mixed_slices(x: &[f64], by: f64) -> f64 {
    let mut v = x.to_vec();
    for _ in 0..3 {
        mix(&mut v, by);
        mix(&mut v[1..], 0.5 * by);
    }
    v.iter().sum()
}

#[differentiable(order = 2)]
fn square(t: &mut Tensor1<f64, 2>) {
    *t = *t * *t + 0.5;
}

#[differentiable(order = 2)]
fn squared_tensors(x: &Tensor1<f64, 2>) -> f64 {
    let mut t = *x;
    for _ in 0..3 {
        square(&mut t);
    }
    t.sum()
}

#[differentiable(order = 2)]
fn nested_loops(x: &[f64; 2], n: usize) -> f64 {
    let mut v = *x;
    let mut sum = 0.0;
    for i in 0..n {
        for _ in 0..i {
            scale_first(&mut v);
        }
        sum += v[0] * v[1];
    }
    sum
}

#[test]
fn every_kind_of_argument() {
    check!(mixed_slices(&x, by) by [x = vec![0.6, 1.1, 0.4], by = 0.3]);
    check!(squared_tensors(&t) by t = Tensor1::from([0.6, 0.4]));
    check!(nested_loops(&x, 4) by x = [0.6, 1.1]);
}
