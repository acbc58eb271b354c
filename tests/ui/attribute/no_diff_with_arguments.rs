use autodiff::prelude::*;

#[differentiable]
fn f(#[no_diff(really)] x: f64, y: f64) -> f64 {
    x * y
}

fn main() {}
