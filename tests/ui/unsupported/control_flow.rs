use autodiff::prelude::*;

#[differentiable]
fn arms(x: f64, n: usize) -> f64 {
    match n {
        0 => x,
        _ => (x, x),
    }
}

#[differentiable]
fn too_many(x: f64) -> f64 {
    let f = |v: f64| v * x;
    f(x, x)
}

#[differentiable]
fn ends(x: &[f64; 5]) -> f64 {
    match x {
        [first, _middle @ .., last] => first * last,
    }
}

fn main() {}
