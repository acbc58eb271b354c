use autodiff::prelude::*;

#[differentiable]
fn f(n: usize, #[no_diff] x: f64) -> f64 {
    x * n as f64
}

fn main() {}
