use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable]
fn product(p: &Pair) -> f64 {
    p.a * p.b
}

#[differentiable]
fn f(x: f64) -> f64 {
    product(&Pair { a: x, b: 2.0 * x })
}

fn main() {}
