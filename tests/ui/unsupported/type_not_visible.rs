use autodiff::prelude::*;

#[differentiable]
fn zeros(x: f64) -> f64 {
    let t = Tensor2::zeros();
    t.sum() * x
}

#[differentiable]
fn two_types<T: Real>(x: f64, y: T) -> f64 {
    let mut s = 0.0;
    s += x;
    s
}

#[derive(Default)]
struct State {
    x: f64,
}

#[differentiable]
fn fields(x: f64) -> f64 {
    let mut s = State::default();
    s.x = x;
    s.x * s.x
}

fn main() {}
