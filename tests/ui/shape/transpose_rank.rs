use autodiff::prelude::*;

#[differentiable]
fn f(a: &Tensor1<f64, 3>) -> f64 {
    a.t().sum()
}

fn main() {}
