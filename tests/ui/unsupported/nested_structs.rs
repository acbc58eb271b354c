//! Gradients by structs inside of a differentiable function, of which a part has no derivative.
use autodiff::prelude::*;

#[derive(Differentiable)]
struct Pair {
    a: f64,
    b: f64,
    n: usize,
}

#[differentiable]
fn product(pair: &Pair, x: f64) -> f64 {
    pair.a * pair.b * x
}

#[differentiable]
fn outer(pair: &Pair, x: f64) -> f64 {
    let gradient = product::grad(pair, x);
    gradient.1
}

fn main() {}
