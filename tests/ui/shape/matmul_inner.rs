use autodiff::prelude::*;

#[differentiable]
fn f(w: &Tensor2<f64, 4, 3>, x: &Tensor2<f64, 4, 1>) -> f64 {
    let h = w.matmul(x);
    h.sum()
}

fn main() {}
