use autodiff::prelude::*;

#[differentiable]
fn f(x: &[f64; 3], t: &Tensor2<f64, 2, 2>) -> f64 {
    x[3] + t[[0, 2]]
}

fn main() {}
