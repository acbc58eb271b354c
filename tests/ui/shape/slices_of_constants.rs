//! Ranges that only rustc can compare.

use autodiff::prelude::*;

const LAST: usize = 5;

#[differentiable]
fn constant(x: &Tensor1<f64, 4>) -> f64 {
    x.slice([1..LAST]).sum()
}

#[differentiable]
fn generic<const N: usize>(x: &Tensor1<f64, N>) -> f64 {
    x.slice([1..4]).sum()
}

#[differentiable]
fn padded<const N: usize>(x: &Tensor1<f64, N>) -> Tensor1<f64, 6> {
    x.pad_reflect([(2, 1)])
}

fn main() {
    generic(&Tensor1::from([1.0; 3]));
    padded(&Tensor1::from([1.0; 2]));
}
