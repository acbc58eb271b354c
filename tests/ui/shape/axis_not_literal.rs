use autodiff::prelude::*;

#[differentiable]
fn f(a: &Tensor2<f64, 4, 3>, axis: usize) -> f64 {
    a.sum_axis(axis).sum()
}

fn main() {}
