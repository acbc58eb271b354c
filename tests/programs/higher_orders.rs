//! Derivatives of third and fourth order by nesting. No function says its order: the crate asks for it.

use autodiff::check_grads;
use autodiff::prelude::*;

#[differentiable]
fn wave(x: f64, k: f64) -> f64 {
    (k * x).sin() * x
}

#[derive(Differentiable, Clone, Copy)]
struct Well {
    depth: f64,
    width: f64,
}

#[differentiable]
impl Well {
    fn energy(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for n in 1..4 {
            sum += self.depth * wave(x, self.width * n as f64) / n as f64;
        }
        if x > 0.0 { sum } else { -sum * x }
    }
}

#[differentiable]
fn force(well: &Well, x: f64) -> f64 {
    Well_energy::grad(well, x).1
}

#[differentiable]
fn stiffness(well: &Well, x: f64) -> f64 {
    force::grad(well, x).1
}

/// Its gradient is of third order, its Hessian of fourth.
#[differentiable]
fn misfit(well: &Well, xs: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in xs {
        sum += (stiffness(well, *x) - 1.0).powi(2);
    }
    sum
}

/// A tangent of a tangent, with the arguments as tangents.
#[differentiable]
fn slope(x: f64, k: f64) -> f64 {
    wave::jvp(x, k, x, k).1
}

#[differentiable]
fn slope_of_slope(x: f64, k: f64) -> f64 {
    slope::jvp(x, k, k, x).1
}

#[differentiable]
fn third(x: f64, k: f64) -> f64 {
    let (value, (by_x, by_k)) = slope_of_slope::value_and_grad(x, k);
    value * by_x + by_k
}

/// Of several numbers.
#[differentiable]
fn bowl<const N: usize>(x: &[f64; N]) -> f64 {
    let mut product = 1.0;
    for i in 0..N {
        product *= 1.0 + x[i] * x[(i + 1) % N].exp();
    }
    product
}

#[differentiable]
fn curvature(x: &[f64; 2], v: &[f64; 2]) -> f64 {
    let h = bowl::hvp(x, v);
    h[0] * v[0] + h[1] * v[1]
}

#[differentiable]
fn steepest(x: &[f64; 2], v: &[f64; 2]) -> f64 {
    let (by_x, by_v) = curvature::grad(x, v);
    by_x[0] * by_v[1] - by_x[1] * by_v[0]
}

#[test]
fn are_found_out() {
    let well = Well { depth: 0.7, width: 1.3 };
    for x in [0.4, -0.6] {
        check_grads!(force, &well, x);
        check_grads!(stiffness, &well, x);
    }
    check_grads!(misfit, &well, &[0.4, -0.6, 0.9]);
    check_grads!(slope, 0.4, 1.3);
    check_grads!(slope_of_slope, 0.4, 1.3);
    check_grads!(third, 0.4, 1.3);
    check_grads!(curvature, &[0.4, 0.3], &[0.7, -0.2]);
    check_grads!(steepest, &[0.4, 0.3], &[0.7, -0.2]);
    let hessian = misfit::hessian_diagonal(&well, &[0.4]);
    let at = |by: f64| misfit::grad(&Well { depth: 0.7 + by, ..well }, &[0.4]).0.depth;
    let expected = (at(1e-4) - at(-1e-4)) / 2e-4;
    assert!((hessian.0.depth - expected).abs() < 1e-5 * expected.abs(), "{} {expected}", hessian.0.depth);
}
