//! Derivatives in constants: those of a `const fn` are `const`, where stable Rust allows what they compute.

use crate::common::assert_gradient;
use autodiff::prelude::*;

#[differentiable]
const fn cubic(x: f64) -> f64 {
    x * x * x - 2.0 * x + 1.0 / x
}

const SLOPE: f64 = cubic::grad(2.0);
static BOTH: (f64, f64) = cubic::value_and_grad(2.0);
const ALONG: (f64, f64) = cubic::jvp(2.0, 3.0);

#[test]
fn of_a_number() {
    assert_eq!(SLOPE, 9.75);
    assert_eq!(BOTH, (4.5, 9.75));
    assert_eq!(ALONG, (4.5, 29.25));
    assert_eq!(cubic::grad(std::hint::black_box(2.0)), SLOPE);
}

const SCALE: f64 = 0.5;

/// Branches, an early return, constants, integers, and methods that `core` has in constants.
#[differentiable]
const fn bent(x: f64, y: f64, n: usize) -> f64 {
    if x < 0.0 {
        return -x.abs() * y * SCALE;
    }
    let larger = x.max(y) * n as f64;
    if n > 2 { larger.recip() } else { larger.min(3.0 * y).copysign(y) }
}

const BENT: [(f64, f64); 4] =
    [bent::grad(-2.0, 3.0, 1), bent::grad(2.0, 1.0, 4), bent::grad(2.0, 1.0, 1), bent::grad(5.0, 1.5, 2)];

#[test]
fn of_branches() {
    assert_eq!(BENT, [(1.5, -1.0), (-0.0625, 0.0), (1.0, 0.0), (0.0, 3.0)]);
    const ALONG: f64 = bent::jvp(-2.0, 3.0, 1, 1.0, 10.0).1;
    assert_eq!(ALONG, 1.5 - 10.0);
}

#[differentiable]
pub const fn bilinear(x: &[f64; 2], m: &[[f32; 2]; 2], y: [f64; 2], #[no_diff] flip: bool) -> f64 {
    let sign = if flip { -1.0 } else { 1.0 };
    sign * (x[0] * (m[0][0] as f64 * y[0] + m[0][1] as f64 * y[1]) + x[1] * y[1] * y[1])
}

#[differentiable]
const fn single(x: &[f32; 2], y: f32) -> f32 {
    x[0] * x[1] * y - y / x[1]
}

/// Elements that one branch reads, integers, `match`, a tuple, and a loop that ends in its middle.
#[differentiable]
const fn chosen(x: &[f64; 3], k: usize, shift: i32) -> f64 {
    let mut y = match (k + 1) % 3 {
        0 => x[k] * x[k],
        1 if shift > 0 => x[0] / x[1] % 2.0,
        _ => x[2] - x[1],
    };
    if y > x[0] && shift != 3 {
        y = -y * x[1];
    }
    let (mut sum, mut factor) = (y, shift as f64);
    let mut i = 0;
    loop {
        if i >= 2 || sum > 40.0 {
            break;
        }
        factor *= x[i];
        sum += factor;
        i += 1;
    }
    sum
}

#[differentiable]
const fn piecewise(x: &[f64; 3], k: usize) -> f64 {
    let square = x[k] * x[k];
    let (a, b) = if square > x[0] { (-square * x[1], x[2]) } else { (x[2], square) };
    if a < b { b * b } else { (a - b) * x[(k + 1) % 3] }
}

#[test]
fn of_arrays_that_branches_read() {
    const X: [f64; 3] = [0.5, 1.5, -2.0];
    const ALONG: [f64; 3] = [chosen::jvp(&X, 2, 1, &X).1, chosen::jvp(&X, 0, 1, &X).1, chosen::jvp(&X, 1, 3, &X).1];
    const GRADIENTS: [[f64; 3]; 2] = [piecewise::grad(&X, 0), piecewise::grad(&X, 2)];
    for (along, (k, shift)) in ALONG.iter().zip([(2, 1), (0, 1), (1, 3)]) {
        let slope: f64 = chosen::grad(&X, k, shift).iter().zip(&X).map(|(g, x)| g * x).sum();
        assert!((along - slope).abs() < 1e-14);
        assert_gradient(&X, &chosen::grad(&X, k, shift), |x| chosen(&[x[0], x[1], x[2]], k, shift));
    }
    for (gradient, k) in GRADIENTS.iter().zip([0, 2]) {
        assert_gradient(&X, gradient, |x| piecewise(&[x[0], x[1], x[2]], k));
    }
}

#[test]
fn of_arrays() {
    const MIXED: ([f64; 2], [[f32; 2]; 2], [f64; 2]) =
        bilinear::grad(&[1.0, 2.0], &[[1.0, 2.0], [3.0, 4.0]], [3.0, 4.0], true);
    assert_eq!(MIXED, ([-11.0, -16.0], [[-3.0, -4.0], [0.0, 0.0]], [-1.0, -18.0]));
    const GRADIENT: ([f32; 2], f32) = single::grad(&[2.0, 4.0], 3.0);
    assert_eq!(GRADIENT, ([12.0, 6.1875], 7.75));
    const ALONG: f32 = single::jvp(&[2.0, 4.0], 3.0, &[1.0, 0.0], 2.0).1;
    assert_eq!(ALONG, 27.5);
    const SUM: ([f32; 2], f32) = {
        let mut sum = ([1.0, 1.0], 1.0);
        single::accumulate_grad(&[2.0, 4.0], 3.0, &mut sum);
        sum
    };
    assert_eq!(SUM, ([13.0, 7.1875], 8.75));
}

/// A loop: its tangent is `const`, and its gradient stores iterations.
#[differentiable]
const fn newton(x: f64, n: usize) -> f64 {
    let mut y = x;
    let mut k = 0;
    while k < n {
        y = 0.5 * (y + x / y);
        k += 1;
    }
    y
}

#[test]
fn of_loops() {
    const ROOT: (f64, f64) = newton::jvp(2.0, 8, 1.0);
    assert!((ROOT.0 - 2.0_f64.sqrt()).abs() < 1e-15 && (ROOT.1 - 0.5 / 2.0_f64.sqrt()).abs() < 1e-15);
    assert!((newton::grad(2.0, 8) - ROOT.1).abs() < 1e-15);
}

/// What cannot be `const` compiles all the same: calls, and locals that are arrays.
#[differentiable]
const fn calls(x: f64) -> f64 {
    let pair = [cubic(x), x];
    let mut k = 0;
    let mut sum = 0.0;
    while k < 2 {
        sum += pair[k] * x;
        k += 1;
    }
    sum
}

#[test]
fn of_what_cannot_be() {
    const VALUE: f64 = calls(2.0);
    assert_eq!(VALUE, 13.0);
    assert_gradient(&[0.7], &[calls::grad(0.7)], |x| calls(x[0]));
}

#[differentiable]
const fn squared(x: f64) -> f64 {
    x * x
}

/// Taken over, a call is no call.
#[differentiable]
const fn fourth(x: f64) -> f64 {
    squared(squared(x))
}

#[test]
fn small_functions() {
    const SLOPE: f64 = fourth::grad(2.0);
    assert_eq!(SLOPE, 32.0);
}
