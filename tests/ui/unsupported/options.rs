use autodiff::prelude::*;

#[differentiable]
fn untyped(x: &[f64; 3]) -> f64 {
    let mut best = None;
    for v in x {
        best = Some(*v);
    }
    best.unwrap_or(0.0)
}

#[differentiable]
fn method(x: f64) -> f64 {
    let mut y = Some(x);
    y.get_or_insert(2.0 * x);
    Some(x).xor(y).unwrap()
}

#[differentiable]
fn question(x: f64, #[no_diff] n: Option<f64>) -> f64 {
    x * n?
}

#[differentiable]
fn mapped(x: f64) -> f64 {
    let mut o = Some(x);
    o.as_mut().map(|v| *v *= x);
    o.unwrap()
}

fn main() {}
