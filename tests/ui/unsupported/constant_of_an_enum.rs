use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy)]
enum Model {
    Linear(f64),
    Constant,
}

#[differentiable]
fn evaluate(model: Model, x: f64) -> f64 {
    match model {
        Model::Linear(slope) => slope * x,
        Model::Constant => x,
    }
}

// Of what type the argument is, rustc knows alone.
#[differentiable]
fn doubled(x: f64) -> f64 {
    evaluate(Model::Linear(2.0), x)
}

#[differentiable]
fn said(x: f64) -> f64 {
    let model: Model = Model::Linear(2.0);
    evaluate(model, x)
}

fn main() {
    assert_eq!(said::grad(1.0), 2.0);
    doubled::grad(1.0);
}
