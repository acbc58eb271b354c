//! Powers, exponentials and logarithms.

use crate::op::expr::{E, IntoPartial};
use crate::op::{Row, RowKind, Spelling};
use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

elementwise! {
    Function;
    /// Cube root. The derivative at 0 is infinite.
    cbrt(x), series Root(1.0 / 3.0), in 0.3..3.0 => y = x.cbrt(); dx: (1.0 / y).square() / 3.0;
    /// √(a² + b²). The derivative at the origin is 0.
    hypot(a, b), series Hypot, in 0.3..2.0 => y = a.hypot(b); da: direction(a, y), db: direction(b, y);
    /// Power. The derivative by the exponent is 0 where the base is not positive.
    powf(x, p), series Power, in 0.3..2.0 => y = x.powf(p); dx: powf_by_base(x, p), dp: x.gt(0.0).choose(y, y * x.ln(), 0.0);
    /// Exponential.
    exp(x), series Exponential { rate: 1.0, offset: 0.0 }, in -2.0..2.0 => y = x.exp(); dx: y;
    /// 2ˣ.
    exp2(x), series Exponential { rate: LN_2, offset: 0.0 }, in -2.0..2.0 => y = x.exp2(); dx: LN_2 * y;
    /// eˣ − 1, accurate near 0.
    exp_m1(x), series Exponential { rate: 1.0, offset: 1.0 }, in -2.0..2.0 => y = x.exp_m1(); dx: y + 1.0;
    /// Natural logarithm. No derivative at 0 and below.
    ln(x), in 0.3..3.0 => y = x.ln(); dx: 1.0 / x;
    /// Logarithm to base 2. No derivative at 0 and below.
    log2(x), in 0.3..3.0 => y = x.log2(); dx: LOG2_E / x;
    /// Logarithm to base 10. No derivative at 0 and below.
    log10(x), in 0.3..3.0 => y = x.log10(); dx: LOG10_E / x;
    /// Logarithm to a base. No derivative at 0 and below.
    log(x, base), series As(|args| args[0].ln() / args[1].ln()), in 1.5..3.0 => y = x.ln() / base.ln(); dx: 1.0 / x / base.ln(), dbase: -y / (base * base.ln());
    /// ln(1 + x), accurate near 0. No derivative at −1 and below.
    ln_1p(x), in -0.7..2.0 => y = x.ln_1p(); dx: 1.0 / (1.0 + x);
}

/// x / √(x² + …), 0 at the origin.
fn direction<'s>(x: E<'s>, length: E<'s>) -> E<'s> {
    length.eq(0.0).choose(length, 0.0, x / length)
}

/// p · xᵖ⁻¹, without the negative power of 0 that p = 0 would give.
fn powf_by_base<'s>(x: E<'s>, p: E<'s>) -> Option<E<'s>> {
    match p.as_const() {
        Some(0.0) => None,
        Some(1.0) => Some(x.number(1.0)),
        Some(2.0) => Some(2.0 * x),
        Some(exponent) => Some(exponent * x.powf(x.number(exponent - 1.0))),
        None => Some(p.eq(0.0).choose(x, 0.0, p * x.powf(p - 1.0))),
    }
}
