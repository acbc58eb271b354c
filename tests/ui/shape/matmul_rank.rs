use autodiff::prelude::*;

#[differentiable]
fn f(w: &Tensor3<f64, 2, 4, 3>, x: &Tensor2<f64, 3, 1>) -> f64 {
    w.matmul(x).sum()
}

fn main() {}
