use autodiff::prelude::*;

#[differentiable(wrt(x))]
fn f(#[no_diff] x: f64, y: f64) -> f64 {
    x * y
}

fn main() {}
