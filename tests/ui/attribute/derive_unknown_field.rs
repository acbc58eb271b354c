use autodiff::prelude::*;

#[derive(Differentiable)]
struct Model {
    w: f64,
    name: String,
    values: Vec<f64>,
}

fn main() {}
