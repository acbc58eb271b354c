use autodiff::prelude::*;

#[differentiable]
fn f(x: f64) -> char {
    if x > 0.0 { '+' } else { '-' }
}

fn main() {}
