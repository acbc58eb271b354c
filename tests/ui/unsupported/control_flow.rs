use autodiff::prelude::*;

#[differentiable]
fn branch(x: f64) -> f64 {
    if x > 0.0 { x } else { -x }
}

#[differentiable]
fn choice(x: f64, n: usize) -> f64 {
    match n {
        0 => x,
        _ => x * x,
    }
}

#[differentiable]
fn early(x: f64) -> f64 {
    return x;
    x * x
}

#[differentiable]
fn condition(x: f64) -> f64 {
    let large = x > 1.0 && true;
    x
}

fn main() {
    assert_eq!(branch::grad(1.0) + choice::grad(1.0, 2) + early::grad(1.0) + condition::grad(1.0), 4.0);
}
