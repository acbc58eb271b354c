use autodiff::prelude::*;

const WIDTH: usize = 5;

#[differentiable]
fn f(a: &Tensor2<f64, 4, WIDTH>, b: &Tensor1<f64, 4>) -> f64 {
    let c = a + b;
    c.sum()
}

fn main() {}
