//! Exponentials and logarithms.

use crate::op::expr::IntoPartial;
use crate::op::{Row, RowKind, Spelling};
use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

elementwise! {
    /// Exponential.
    exp(x), in -2.0..2.0 => y = x.exp(); dx: y;
    /// 2ˣ.
    exp2(x), in -2.0..2.0 => y = x.exp2(); dx: LN_2 * y;
    /// eˣ − 1, accurate near 0.
    exp_m1(x), in -2.0..2.0 => y = x.exp_m1(); dx: y + 1.0;
    /// Natural logarithm. No derivative at 0 and below.
    ln(x), in 0.3..3.0 => y = x.ln(); dx: 1.0 / x;
    /// Logarithm to base 2. No derivative at 0 and below.
    log2(x), in 0.3..3.0 => y = x.log2(); dx: LOG2_E / x;
    /// Logarithm to base 10. No derivative at 0 and below.
    log10(x), in 0.3..3.0 => y = x.log10(); dx: LOG10_E / x;
    /// Logarithm to a base. No derivative at 0 and below.
    log(x, base), in 1.5..3.0 => y = x.ln() / base.ln(); dx: 1.0 / (x * base.ln()), dbase: -y / (base * base.ln());
    /// ln(1 + x), accurate near 0. No derivative at −1 and below.
    ln_1p(x), in -0.7..2.0 => y = x.ln_1p(); dx: 1.0 / (1.0 + x);
}
