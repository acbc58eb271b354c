use autodiff::prelude::*;

#[derive(Differentiable)]
enum Kind {
    Linear,
    Cubic { degree: usize },
}

#[derive(Differentiable)]
enum Borrowed<'a> {
    Points(&'a [f64; 3]),
    None,
}

#[derive(Differentiable)]
enum Named {
    Text(String),
    Number(f64),
}

fn main() {}
