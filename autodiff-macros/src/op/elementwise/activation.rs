//! Activation functions of neural networks. Their kinks follow PyTorch.

use super::arithmetic::{bounded, inside};
use super::numbers;
use crate::op::expr::{E, FLAT, IntoPartial};
use crate::op::{Row, RowKind, Spelling};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// The slope of the negative side of SELU at 0, and of its positive side.
const SELU_ALPHA: f64 = 1.673_263_242_354_377_2;
const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
/// The slope of the hard sigmoid: ⅙ rounded to `f32`, which is PyTorch's in every precision.
const SIXTH: f64 = (1.0_f32 / 6.0) as f64;

elementwise! {
    Function;
    /// Logistic sigmoid, 1 / (1 + exp(−x)).
    sigmoid(x), series Riccati(0.0, 1.0, -1.0), in -3.0..3.0 => y = numbers::sigmoid(x); dx: y * (1.0 - y);
    /// ln(sigmoid(x)), without underflow.
    log_sigmoid(x), in -3.0..3.0 => y = -numbers::softplus(-x); dx: (-x).sigmoid();
    /// ln(1 + eˣ), without overflow.
    softplus(x), in -3.0..3.0 => y = numbers::softplus(x); dx: x.sigmoid();
    /// x / (1 + |x|).
    softsign(x), in -2.0..2.0 => y = x / (1.0 + x.abs()); dx: (1.0 / (1.0 + x.abs())).square();
    /// Rectified linear unit, max(x, 0). The derivative at 0 is 0.
    relu(x), in -2.0..2.0 => y = x.max(0.0); dx: y.gt(0.0).choose(y, 1.0, 0.0);
    /// x brought into [0, 6]. The derivative at both ends is 0.
    relu6(x), in -2.0..8.0 => y = x.clamp(0.0, 6.0); dx: inside(x, 0.0, 6.0);
    /// x where it is positive, else slope · x. The derivative at 0 is the slope.
    leaky_relu(x, slope), in -2.0..2.0 => y = if x > 0.0 { x } else { slope * x };
        dx: x.gt(0.0).choose(x, 1.0, slope), dslope: x.gt(0.0).choose(x, 0.0, x);
    /// x where it is positive, else w · x; w has the shape of x or is stretched to it. The derivative at 0 is w.
    prelu(x, w), in -2.0..2.0 => y = if x > 0.0 { x } else { w * x };
        dx: x.gt(0.0).choose(x, 1.0, w), dw: x.gt(0.0).choose(x, 0.0, x);
    /// x where it is positive, else α(eˣ − 1). The derivative at 0 is α.
    elu(x, alpha), series As(|args| elu_of(args[0], args[1])), in -2.0..2.0 => y = if x > 0.0 { x } else { alpha * x.exp_m1() };
        dx: x.gt(0.0).choose(x, 1.0, y + alpha), dalpha: x.gt(0.0).choose(x, 0.0, x.exp_m1());
    /// ELU with the α and the scale that keep mean and variance. The derivative at 0 is that of its negative side.
    selu(x), series As(|args| SELU_SCALE * elu_of(args[0], args[0].number(SELU_ALPHA))), in -2.0..2.0 => y = SELU_SCALE * if x > 0.0 { x } else { SELU_ALPHA * x.exp_m1() };
        dx: x.gt(0.0).choose(x, SELU_SCALE, y + SELU_SCALE * SELU_ALPHA);
    /// x where it is positive, else α(exp(x/α) − 1). The derivative is continuous; below 0 it is PyTorch's, which
    /// rounds a constant α to single precision.
    celu(x, alpha), in -2.0..-0.8 => y = if x > 0.0 { x } else { alpha * (x / alpha).exp_m1() };
        dx: x.gt(0.0).choose(x, 1.0, celu_slope(x, alpha)), dalpha: x.gt(0.0).choose(x, 0.0, celu_by_alpha(x / alpha));
    /// x · Φ(x), with the normal distribution Φ from the error function.
    gelu(x), in -3.0..3.0 => y = x * 0.5 * (1.0 + numbers::erf(x * FRAC_1_SQRT_2)); dx: gelu_slope(x);
    /// GELU by tanh, x/2 · (1 + tanh(√(2/π)(x + 0.044715x³))).
    gelu_tanh(x), in -3.0..3.0 => y = 0.5 * x * (1.0 + (GELU_RATE * (x + GELU_CUBIC * x * x * x)).tanh()); dx: gelu_tanh_slope(x);
    /// GELU by the sigmoid, x · sigmoid(1.702x).
    gelu_quick(x), in -3.0..3.0 => y = x * numbers::sigmoid(1.702 * x); dx: swish_slope(x, 1.702);
    /// x · sigmoid(x).
    silu(x), in -3.0..3.0 => y = x * numbers::sigmoid(x); dx: swish_slope(x, 1.0);
    /// x · tanh(softplus(x)).
    mish(x), in -3.0..3.0 => y = x * numbers::softplus(x).tanh(); dx: mish_slope(x);
    /// x/6 + ½ brought into [0, 1]. The derivative at both ends is 0; between them it is PyTorch's,
    /// ⅙ rounded to single precision.
    hard_sigmoid(x), in -4.0..4.0 => y = (x + 3.0).clamp(0.0, 6.0) / 6.0; dx: inside(x, -3.0, 3.0) * SIXTH;
    /// x · hard_sigmoid(x). The derivative at −3 is 0, at 3 it is 1.
    hard_swish(x), in -4.0..4.0 => y = x * (x + 3.0).clamp(0.0, 6.0) / 6.0; dx: hard_swish_slope(x);
    /// x brought into [−1, 1]. The derivative at both ends is 0.
    hard_tanh(x), in -2.0..2.0 => y = x.clamp(-1.0, 1.0); dx: inside(x, -1.0, 1.0);
    /// 1 where x is positive, else 0; the derivative is 0.
    step(x), in -2.0..2.0 => y = f64::from(u8::from(x > 0.0)); dx: FLAT;
}

fn elu_of<'s>(x: E<'s>, alpha: E<'s>) -> E<'s> {
    x.gt(0.0).choose(x, x, alpha * x.exp_m1())
}

/// √(2/π), and the weight of the cube.
pub(super) const GELU_RATE: f64 = FRAC_2_SQRT_PI * FRAC_1_SQRT_2;
pub(super) const GELU_CUBIC: f64 = 0.044_715;

/// Φ(x) + x·φ(x)
fn gelu_slope(x: E) -> E {
    let x = bounded(x, 40.0);
    0.5 * (1.0 + (FRAC_1_SQRT_2 * x).erf()) + x * normal_density(x)
}

/// φ(x)
pub(super) fn normal_density(x: E) -> E {
    (FRAC_2_SQRT_PI * FRAC_1_SQRT_2 / 2.0) * (-0.5 * x * x).exp()
}

/// (1 + t)/2 + x/2 · (1 − t²) · u′ with t = tanh u
fn gelu_tanh_slope(x: E) -> E {
    let x = bounded(x, 40.0);
    let t = (GELU_RATE * (x + GELU_CUBIC * x * x * x)).tanh();
    let inner = GELU_RATE * (1.0 + 3.0 * GELU_CUBIC * x * x);
    0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * inner
}

/// exp(x/α). PyTorch rounds a constant α to single precision in the quotient and in the factor 1/α, which an α that is
/// not rounded does not cancel.
fn celu_slope<'s>(x: E<'s>, alpha: E<'s>) -> E<'s> {
    match alpha.constant_in_single() {
        Some(single) => alpha / single * bounded(x / single, 800.0).exp(),
        None => bounded(x / alpha, 800.0).exp(),
    }
}

/// The derivative of α(exp(x/α) − 1) by α, with u = x/α: exp(u) − 1 − u·exp(u)
fn celu_by_alpha(u: E) -> E {
    let u = bounded(u, 800.0);
    u.exp_m1() - u * u.exp()
}

/// The derivative of x · s with s = sigmoid(rate · x): s · (1 + rate · x · (1 − s))
fn swish_slope(x: E, rate: f64) -> E {
    let x = bounded(x, 800.0);
    let s = (rate * x).sigmoid();
    s * (1.0 + rate * x * (1.0 - s))
}

/// t + x · (1 − t²) · sigmoid(x) with t = tanh(softplus(x))
fn mish_slope(x: E) -> E {
    let x = bounded(x, 800.0);
    let t = x.softplus().tanh();
    t + x * (1.0 - t * t) * x.sigmoid()
}

fn hard_swish_slope(x: E) -> E {
    x.gt(-3.0).choose(x, x.lt(3.0).choose(x, x / 3.0 + 0.5, 1.0), 0.0)
}
