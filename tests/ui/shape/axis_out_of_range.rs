use autodiff::prelude::*;

#[differentiable]
fn f(a: &Tensor2<f64, 4, 3>) -> f64 {
    a.sum_axis(2).sum() + a.softmax(-3).sum()
}

fn main() {}
