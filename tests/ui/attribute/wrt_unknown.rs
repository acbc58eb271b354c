use autodiff::prelude::*;

#[differentiable(wrt(c))]
fn f(a: f64, b: f64) -> f64 {
    a * b
}

fn main() {}
