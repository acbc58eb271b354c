use autodiff::prelude::*;

fn helper(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y = 2.0 * x;
    helper(y) + x
}

fn main() {}
