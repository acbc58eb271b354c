//! Trigonometric and hyperbolic functions and their inverses, and the error function.

use super::arithmetic::bounded;
use super::numbers;
use crate::op::expr::{E, IntoPartial};
use crate::op::{Row, RowKind, Spelling};
use std::f64::consts::FRAC_2_SQRT_PI;

elementwise! {
    Function;
    /// Sine.
    sin(x), series Wave(-1.0), in -3.0..3.0 => y = x.sin(); dx: x.cos();
    /// Cosine.
    cos(x), series Wave(-1.0), in -3.0..3.0 => y = x.cos(); dx: -x.sin();
    /// Tangent.
    tan(x), series Riccati(1.0, 0.0, 1.0), in -1.0..1.0 => y = x.tan(); dx: 1.0 + y * y;
    /// Inverse sine. The derivative at ±1 is infinite.
    asin(x), in -0.8..0.8 => y = x.asin(); dx: 1.0 / one_minus_square(x).sqrt();
    /// Inverse cosine. The derivative at ±1 is infinite.
    acos(x), in -0.8..0.8 => y = x.acos(); dx: -1.0 / one_minus_square(x).sqrt();
    /// Inverse tangent.
    atan(x), in -3.0..3.0 => y = x.atan(); dx: atan_slope(x);
    /// The angle of the point (b, a). The derivative at the origin is 0.
    atan2(a, b), in 0.3..2.0 => y = a.atan2(b); da: turn(b, a), db: -turn(a, b);
    /// Hyperbolic sine.
    sinh(x), series Wave(1.0), in -2.0..2.0 => y = x.sinh(); dx: x.cosh();
    /// Hyperbolic cosine.
    cosh(x), series Wave(1.0), in -2.0..2.0 => y = x.cosh(); dx: x.sinh();
    /// Hyperbolic tangent. In `f32` the derivative is exactly 0 beyond |x| ≈ 9.
    tanh(x), series Riccati(1.0, 0.0, -1.0), in -3.0..3.0 => y = x.tanh(); dx: 1.0 - y * y;
    /// Inverse hyperbolic sine.
    asinh(x), in -3.0..3.0 => y = x.asinh(); dx: asinh_slope(x);
    /// Inverse hyperbolic cosine. The derivative at 1 is infinite.
    acosh(x), in 1.3..3.0 => y = x.acosh(); dx: acosh_slope(x);
    /// Inverse hyperbolic tangent. The derivative at ±1 is infinite.
    atanh(x), in -0.8..0.8 => y = x.atanh(); dx: 1.0 / one_minus_square(x);
    /// Error function, 2/√π · ∫ exp(−t²) from 0 to x.
    erf(x), in -2.0..2.0 => y = numbers::erf(x); dx: erf_slope(x);
}

/// From here on 1 + x² is x² in double precision. Beyond it slopes are written without the square, which may be infinite.
const LARGE: f64 = 1e9;

/// 1 / (1 + x²)
fn atan_slope(x: E) -> E {
    x.abs().gt(LARGE).choose(x, (1.0 / x).square(), 1.0 / (1.0 + x * x))
}

/// 1 / √(x² + 1)
fn asinh_slope(x: E) -> E {
    x.abs().gt(LARGE).choose(x, 1.0 / x.abs(), 1.0 / (1.0 + x * x).sqrt())
}

/// 1 / √(x² − 1), which is exact near 1.
fn acosh_slope(x: E) -> E {
    x.gt(LARGE).choose(x, 1.0 / x, 1.0 / ((x - 1.0).sqrt() * (x + 1.0).sqrt()))
}

/// 2/√π · exp(−x²)
fn erf_slope(x: E) -> E {
    let x = bounded(x, 30.0);
    FRAC_2_SQRT_PI * (-(x * x)).exp()
}

/// (1 − x)·(1 + x), which is exact near ±1.
fn one_minus_square(x: E) -> E {
    (1.0 - x) * (1.0 + x)
}

/// x / (x² + y²) without overflow, 0 at the origin, where the cotangent may be infinite.
fn turn<'s>(x: E<'s>, y: E<'s>) -> E<'s> {
    (x.abs() + y.abs()).eq(0.0).choose(x, 0.0, x.over_square(y))
}
