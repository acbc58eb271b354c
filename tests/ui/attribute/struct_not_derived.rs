use autodiff::prelude::*;

struct Plain {
    x: f64,
}

#[differentiable]
fn f(p: &Plain) -> f64 {
    p.x * p.x
}

fn main() {}
