use autodiff::prelude::*;

#[differentiable(wrt())]
fn f(a: f64, b: f64) -> f64 {
    a * b
}

fn main() {}
