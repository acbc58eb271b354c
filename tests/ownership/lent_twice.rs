//! Places without a derivative that several calls are lent, one after the other.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn step(x: f64, #[no_diff] n: &mut f64) -> f64 {
    *n += 1.0;
    x.sin() * *n
}

#[differentiable(order = 2)]
fn counted(x: f64, #[no_diff] seen: &mut [usize; 2]) -> f64 {
    seen[usize::from(x > 0.5)] += 1;
    x * x * seen[1] as f64
}

/// What it is lent, it lends to others.
#[differentiable(order = 2)]
fn handed_on(x: f64, #[no_diff] n: &mut f64) -> f64 {
    let once = step(x, n);
    if once > 0.3 {
        return once * step(once, n);
    }
    once + x * *n
}

#[differentiable(order = 2)]
fn steps(x: f64, count: usize) -> f64 {
    let mut n = 0.0;
    let mut seen = [0, 1];
    let mut y = step(x, &mut n);
    y += step(y, &mut n);
    for k in 0..count {
        y = step(y, &mut n) / n;
        if k % 2 == 1 {
            y += 0.1 * counted(y, &mut seen);
        }
    }
    let own = |x: f64| x * seen[0] as f64;
    y * n + handed_on(x, &mut n) + own(x) + handed_on(y, &mut n) * n
}

#[test]
fn a_place_without_a_derivative_is_lent_again() {
    for x in [0.3, 0.9] {
        check!(steps(x, 4) by x);
        check!(steps(x, 1) by x);
    }
}
