use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
struct State {
    x: f64,
    #[no_diff]
    seen: f64,
}

#[differentiable]
fn scaled(x: f64, #[no_diff] scale: f64) -> f64 {
    x * scale
}

#[differentiable]
fn argument(x: f64) -> f64 {
    scaled(x, x * 2.0)
}

#[differentiable]
fn field(x: f64) -> State {
    State { x, seen: x * x }
}

/// What a parameter without a derivative is at the end would be lost to the caller's derivative.
#[differentiable]
fn kept_out(x: f64, #[no_diff] last: &mut f64, #[no_diff] sums: &mut [f64; 2]) -> f64 {
    *last = x;
    sums[1] += x * x;
    x
}

fn main() {}
