use autodiff::prelude::*;

#[differentiable]
fn f(x: f64) -> char {
    if x > 0.0 { '+' } else { '-' }
}

#[differentiable]
fn named(x: f64) -> (f64, usize, char) {
    (x * x, 2, '+')
}

#[differentiable]
fn caller(x: f64) -> f64 {
    let (y, n, _) = named(x);
    y * n as f64
}

// What changes is an input, too.
#[differentiable(wrt(x))]
fn filled(x: &[f64], out: &mut [f64]) {
    out[0] = x[0] * x[1];
}

fn main() {}
