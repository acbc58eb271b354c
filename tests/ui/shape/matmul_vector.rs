use autodiff::prelude::*;

#[differentiable]
fn f(w: &Tensor2<f64, 4, 3>, x: &Tensor1<f64, 4>) -> Tensor1<f64, 4> {
    w.matmul(x).tanh()
}

fn main() {}
