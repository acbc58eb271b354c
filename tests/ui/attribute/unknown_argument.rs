use autodiff::prelude::*;

#[differentiable(inputs(a))]
fn f(a: f64, b: f64) -> f64 {
    a * b
}

fn main() {
    f::grad(1.0, 2.0);
}
