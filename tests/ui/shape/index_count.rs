use autodiff::prelude::*;

#[differentiable]
fn f(t: &Tensor2<f64, 2, 2>, x: &[f64; 3]) -> f64 {
    t[[0]] + x[0][1]
}

fn main() {}
