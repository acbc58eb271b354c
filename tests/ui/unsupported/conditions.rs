//! Conditions stand on what can be removed.
use autodiff::prelude::*;

#[differentiable]
fn on_an_assignment(x: f64) -> f64 {
    let mut y = x;
    #[cfg(any())]
    y += x;
    y * y
}

#[differentiable]
fn on_an_operand(x: f64) -> f64 {
    let y = x * #[cfg(any())] 2.0;
    y * y
}

fn main() {}
