use autodiff::prelude::*;

const N: usize = 3;

#[derive(Differentiable, Clone, Copy)]
struct Jet {
    value: f64,
    slope: f64,
}

#[differentiable]
fn returned(x: &[Jet; N], k: f64) -> [Jet; N] {
    let mut out = *x;
    for y in out.iter_mut() {
        y.value *= k;
    }
    out
}

#[differentiable]
fn total(x: &[Jet; N]) -> f64 {
    x.iter().map(|jet| jet.value * jet.slope).sum()
}

#[differentiable]
fn passed(x: &[Jet; N], k: f64) -> f64 {
    let mut y = *x;
    y[0].value *= k;
    total(&y)
}

#[differentiable]
fn repeated(k: f64) -> f64 {
    let jets = [Jet { value: k, slope: 1.0 }; N];
    jets[0].value * jets[1].slope
}

/// A parameter as it is can be passed.
#[differentiable]
fn handed_on(x: &[Jet; N], k: f64) -> f64 {
    total(x) * k
}

fn main() {}
