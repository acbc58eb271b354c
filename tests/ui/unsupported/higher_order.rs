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
fn table<const K: usize>(f: impl Fn(usize) -> f64) -> [f64; K] {
    std::array::from_fn(|k| f(k))
}

#[differentiable]
fn told_later(x: f64) -> f64 {
    let squares = table(|k| x * (k * k) as f64);
    squares[2]
}

fn plain(f: impl Fn(f64) -> f64, b: f64) -> f64 {
    f(b)
}

#[differentiable]
fn not_differentiable(x: f64) -> f64 {
    plain(|t| t * x, 1.0)
}

const SCALE: f64 = 5.0;
const N: usize = 4;

#[differentiable]
fn scaled(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    SCALE * f(x) * N as f64 + inner(x)
}

#[differentiable]
fn inner(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn another_constant(x: f64) -> f64 {
    const SCALE: f64 = 2.0;
    scaled(|t| t * SCALE, x)
}

#[differentiable]
fn another_size<const N: usize>(a: &[f64; N], x: f64) -> f64 {
    scaled(|t| t * a[0], x)
}

#[differentiable]
fn another_function(x: f64) -> f64 {
    fn inner(x: f64) -> f64 {
        x
    }
    scaled(|t| t * inner(x), x)
}

#[differentiable(pure(plain))]
fn says_too_much(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

fn main() {}
