use autodiff::prelude::*;

#[differentiable]
fn f(x: &Tensor1<f64, 3>) -> f64 {
    println!("of {x:?}");
    x.sum()
}

fn main() {}
