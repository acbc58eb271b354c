//! Derivatives that are no `const fn`: of a function that is none, of calls, and of loops whose iterations are stored.
use autodiff::prelude::*;

#[differentiable]
fn plain(x: f64) -> f64 {
    x * x
}

#[differentiable]
const fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
const fn calls(x: f64) -> f64 {
    loops(x, 2) * x
}

#[differentiable]
const fn loops(x: f64, n: usize) -> f64 {
    let mut y = x;
    let mut k = 0;
    while k < n {
        y = y * y;
        k += 1;
    }
    y
}

const OF_PLAIN: f64 = plain::grad(2.0);
const OF_CALLS: f64 = calls::grad(2.0);
const OF_LOOPS: f64 = loops::grad(2.0, 3);
const GOOD: (f64, f64) = (square::grad(2.0), loops::jvp(2.0, 3, 1.0).1);

fn main() {}
