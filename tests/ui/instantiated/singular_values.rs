//! More columns than rows, which only rustc sees.

use autodiff::prelude::*;

#[differentiable]
fn sum<const M: usize, const N: usize>(a: &Tensor2<f64, M, N>) -> f64 {
    a.singular_values().sum()
}

fn main() {
    sum::grad(&Tensor2::<f64, 3, 2>::zeros());
    sum::grad(&Tensor2::<f64, 2, 3>::zeros());
}
