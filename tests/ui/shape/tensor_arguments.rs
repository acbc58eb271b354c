use autodiff::prelude::*;

#[differentiable]
fn f(t: &Tensor2<f64, 2>) -> f64 {
    t.sum()
}

fn main() {}
