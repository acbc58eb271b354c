use autodiff::prelude::*;

#[differentiable]
fn f<const N: usize>(x: &Tensor2<f64, N, 2>) -> f64 {
    let flat = x.reshape([N * 2]);
    flat.sum()
}

fn main() {}
