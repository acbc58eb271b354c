//! What a loop keeps is an array, whose length may not be computed from a generic parameter.
use autodiff::prelude::*;

#[differentiable]
fn computed<const N: usize>(x: f64) -> f64 {
    let mut y = x;
    #[max_iters(N * 2)]
    while y < 4.0 {
        y *= x;
    }
    y
}

#[differentiable]
fn condition_with_an_effect<const N: usize>(x: f64) -> f64 {
    let (mut y, mut n) = (x, 0);
    #[max_iters(N)]
    while {
        n += 1;
        n < 4
    } {
        y *= x;
    }
    y
}

fn main() {}
