use autodiff::prelude::*;

#[derive(Differentiable)]
struct Single {
    w: [f32; 3],
}

#[derive(Differentiable)]
struct Model {
    gain: f64,
    single: Single,
    pair: (f32, f64),
    maybe: Option<f32>,
    bias: f32,
}

#[derive(Differentiable)]
struct Generic<T: Real> {
    gain: f64,
    x: T,
}

fn main() {}
