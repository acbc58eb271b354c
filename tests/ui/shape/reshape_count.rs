use autodiff::prelude::*;

#[differentiable]
fn f(a: &Tensor2<f64, 4, 3>) -> f64 {
    a.reshape([2, 5]).sum()
}

fn main() {}
