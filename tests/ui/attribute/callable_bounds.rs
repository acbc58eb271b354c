use autodiff::prelude::*;

#[differentiable]
fn integrate<F: Callable<(f64,), Output = f64>>(x: f64) -> f64 {
    F::call(x) * x
}

#[differentiable]
fn of_two(x: f64, y: f64) -> f64 {
    x * y
}

#[differentiable]
fn inactive(#[no_diff] x: f64, y: f64) -> f64 {
    x * y
}

fn main() {
    integrate::<of_two>(1.0);
    integrate::<inactive>::grad(1.0);
}
