//! Views whose sizes are known when the function is used.

use autodiff::prelude::*;

#[differentiable]
fn generic<const A: usize, const B: usize, const C: usize>(x: &Tensor1<f64, A>, y: &Tensor1<f64, B>) -> Tensor1<f64, C> {
    concat([x, y], 0)
}

#[differentiable]
fn sliced<const N: usize>(x: &Tensor1<f64, N>) -> f64 {
    x.slice([1..4]).sum()
}

#[differentiable]
fn padded<const N: usize, const M: usize>(x: &Tensor1<f64, N>) -> Tensor1<f64, M> {
    x.pad_reflect([(2, 1)])
}

fn main() {
    let _: Tensor1<f64, 4> = generic(&Tensor1::from([1.0; 2]), &Tensor1::from([1.0; 3]));
    sliced(&Tensor1::from([1.0; 3]));
    let _: Tensor1<f64, 5> = padded(&Tensor1::from([1.0; 2]));
}
