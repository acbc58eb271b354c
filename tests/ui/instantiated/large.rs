//! What would not fit on a stack: only what is called is refused.
use autodiff::prelude::*;

#[differentiable]
fn squares(x: &[f64; 1_000_000]) -> f64 {
    let mut s = 0.0;
    for i in 0..1_000_000 {
        s += x[i] * x[i];
    }
    s
}

const STEPS: usize = 1_000_000;

#[differentiable]
fn long(x: f64) -> f64 {
    let mut s = x;
    for _ in 0..STEPS {
        s = (s * x).sin();
    }
    s
}

fn main() {
    let x: Box<[f64; 1_000_000]> = vec![0.5; 1_000_000].into_boxed_slice().try_into().unwrap();
    let mut g = x.clone();
    squares::grad_into(&x, &mut g);
    let _ = squares::grad(&x);
    let _ = long::grad(0.5);
    let _ = long::vjp(0.5);
}
