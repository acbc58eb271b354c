//! What a function in data does is not visible.
use autodiff::prelude::*;
use std::collections::VecDeque;

struct Layer {
    activation: fn(f64) -> f64,
}

#[differentiable]
fn activated(x: f64, #[no_diff] layer: &Layer) -> f64 {
    (layer.activation)(x) * (layer.activation)(0.5)
}

#[differentiable]
fn unknown<U>(x: U) -> f64 {
    1.0
}

#[derive(Differentiable)]
struct Delay {
    line: VecDeque<f64>,
    gain: f64,
}

fn main() {}
