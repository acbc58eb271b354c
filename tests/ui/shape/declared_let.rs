use autodiff::prelude::*;

#[differentiable]
fn f(a: &Tensor2<f64, 4, 3>) -> f64 {
    let b: Tensor1<f64, 4> = a.sum_axis(0);
    b.sum()
}

fn main() {}
