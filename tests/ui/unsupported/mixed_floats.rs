//! Fields of both floats in one type.
use autodiff::prelude::*;

#[derive(Differentiable)]
struct Mixed {
    a: f32,
    b: [f64; 2],
}

fn main() {}
