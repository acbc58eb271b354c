//! Loops that nobody can count beforehand, reversed without a heap.

use autodiff::prelude::*;

#[differentiable]
pub fn simulate(x0: f32, #[no_diff] n: usize) -> f32 {
    let mut x = x0;
    #[checkpoint(8)]
    for i in 0..n {
        x = x + 0.01 * x.sin() * (i as f32).cos();
    }
    x
}

#[differentiable]
pub fn square_root(a: f32) -> f32 {
    let mut x = a;
    #[checkpoint(3)]
    while (x * x - a).abs() > 1e-3 {
        x = 0.5 * (x + a / x);
    }
    x
}

/// The derivatives of both modes agree.
pub fn check() {
    let (_, slope) = simulate::jvp(0.7, 500, 1.0);
    assert!((simulate::grad(0.7, 500) - slope).abs() < 1e-4);
    let (_, slope) = square_root::jvp(7.0, 1.0);
    assert!((square_root::grad(7.0) - slope).abs() < 1e-6);
}
