//! What carries no derivative, where its type would have to be known.
use autodiff::prelude::*;

struct Config {
    rate: f64,
}

fn config(n: usize) -> Config {
    Config { rate: n as f64 }
}

#[derive(Differentiable, Clone)]
struct Pair {
    a: f64,
    b: [f64; 2],
}

#[differentiable]
fn declared(x: f64, n: usize) -> f64 {
    let config = config(n);
    let array: [f64; 3] = config;
    let pair: Pair = config;
    array[0] * pair.a * x
}

#[differentiable]
fn in_a_field(x: f64, n: usize) -> f64 {
    let config = config(n);
    let pair = Pair { a: x, b: config };
    pair.a * pair.b[0]
}

fn main() {}
