use autodiff::prelude::*;

#[differentiable]
fn f<T>(x: T) -> T {
    x * x
}

#[derive(Differentiable)]
struct Line<T: Real> {
    slope: T,
}

#[differentiable]
fn g<U>(line: &Line<U>, x: f64) -> f64 {
    x
}

fn main() {}
