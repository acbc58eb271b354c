//! Functions that take closures: what is expanded where it is called must mean the same there, and come to an end.
use autodiff::prelude::*;

mod quadrature {
    use autodiff::prelude::*;

    const POINTS: usize = 4;

    #[differentiable]
    pub fn sum(f: impl Fn(f64) -> f64, width: f64) -> f64 {
        (0..POINTS).map(|k| f(width * k as f64)).sum()
    }
}

#[differentiable]
fn another_module(x: f64) -> f64 {
    quadrature::sum(|t| t * x, x)
}

#[differentiable]
fn again(f: &dyn Fn(f64) -> f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { f(again(f, n - 1)) }
}

#[differentiable]
fn sized<const K: usize>(f: impl Fn(f64) -> f64, a: [f64; K]) -> f64 {
    a.iter().map(|x| f(*x)).sum()
}

fn plain(f: impl Fn(f64) -> f64, b: f64) -> f64 {
    f(b)
}

#[differentiable]
fn not_differentiable(x: f64) -> f64 {
    plain(|t| t * x, 1.0)
}

fn main() {}
