use autodiff::prelude::*;

#[differentiable]
fn f(x: &[f64; 4], t: f64) -> f64 {
    let cell = t as usize;
    x[cell] * t
}

fn main() {}
