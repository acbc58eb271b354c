use autodiff::prelude::*;

#[differentiable]
fn f(x: &Tensor1<f64, 3>) -> f64 {
    println!("called");
    x.sum()
}

#[differentiable]
fn g(x: f64) -> f64 {
    if x > 0.0 { x } else { panic!("not positive") }
}

fn main() {}
