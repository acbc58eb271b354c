use autodiff::prelude::*;

#[differentiable]
fn f(a: &Tensor2<f64, 4, 3>, b: &Tensor2<f64, 4, 2>) -> f64 {
    let c = a * b;
    c.sum()
}

fn main() {}
