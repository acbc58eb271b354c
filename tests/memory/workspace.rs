//! `WORKSPACE_BYTES` counts the arrays that the derivative which needs most of them has on the stack.

use autodiff::DifferentiableFn;
use autodiff::prelude::*;

/// The reverse loop reads the product of each iteration. (Few of them would be variables.)
#[differentiable]
fn power(x: f64) -> f64 {
    let mut s = x;
    for _ in 0..9 {
        s *= x;
    }
    s.sin()
}

#[differentiable]
fn sum(x: &[f64; 4]) -> f64 {
    x.iter().sum()
}

#[test]
fn what_a_loop_stores() {
    assert_eq!(power::WORKSPACE_BYTES, size_of::<[f64; 9]>());
    assert_eq!(sum::WORKSPACE_BYTES, 0);
}

#[differentiable]
fn products(x: &[f64; 64]) -> f64 {
    let mut y = *x;
    for i in 1..64 {
        y[i] = y[i].sin() * y[i - 1];
    }
    y[63] * y[10]
}

/// The same, twice differentiable: `hvp` has the tangents of all that, too.
#[differentiable(order = 2)]
fn twice(x: &[f64; 64]) -> f64 {
    let mut y = *x;
    for i in 1..64 {
        y[i] = y[i].sin() * y[i - 1];
    }
    y[63] * y[10]
}

#[test]
fn all_derivatives_count() {
    assert!(products::WORKSPACE_BYTES >= size_of::<[f64; 64]>());
    assert!(twice::WORKSPACE_BYTES >= products::WORKSPACE_BYTES + size_of::<[f64; 64]>());
}

/// It has the callee's residuals in its frame while it calls it.
#[differentiable]
fn caller(x: &[f64; 64], k: f64) -> f64 {
    let y = products(x);
    y * k + k.sin()
}

#[test]
fn callees_count() {
    assert_eq!(caller::WORKSPACE_BYTES, products::WORKSPACE_BYTES + products::RESIDUAL_BYTES);
}

#[differentiable]
fn long<const N: usize>(x: &[f64; N]) -> f64 {
    let mut y = *x;
    for i in 1..N {
        y[i] = y[i].sin() * y[i - 1];
    }
    y[N - 1] * y[0]
}

/// What has no room on the stack is on the heap, and does not count. Of a generic size rustc decides. There is room for a few
/// numbers of what a loop stores, wherever it does.
#[test]
fn the_heap_does_not_count() {
    const { assert!(<long<64>>::WORKSPACE_BYTES >= size_of::<[f64; 64]>()) }
    assert_eq!(<long<40_000>>::WORKSPACE_BYTES, size_of::<[f64; 64]>());
}
