//! Arithmetic, roots and powers, rounding, and the larger and smaller of numbers.

use super::numbers;
use crate::op::expr::{E, FLAT, IntoPartial, Operand};
use crate::op::{Algebra, Cost, Row, RowKind, Spelling, Taylor};

elementwise! {
    Arithmetic;
    /// Sum.
    add(a, b) as Spelling::Infix("+"), is Sum, in -2.0..2.0 => y = a + b; da: 1.0, db: 1.0;
    /// Difference.
    sub(a, b) as Spelling::Infix("-"), is Difference, in -2.0..2.0 => y = a - b; da: 1.0, db: -1.0;
    /// Product.
    mul(a, b) as Spelling::Infix("*"), is Product, series Product, in -2.0..2.0 => y = a * b; da: b, db: a;
    /// Quotient. No derivative where `b` is 0.
    div(a, b) as Spelling::Infix("/"), is Quotient, series Quotient, costs Division, in 0.5..2.0 => y = a / b; da: 1.0 / b, db: -y / b;
    /// Remainder, with the sign of a. The derivative by a is 1, by b minus the quotient, also where it jumps.
    rem(a, b) as Spelling::Infix("%"), in 0.5..2.0 => y = a % b; da: 1.0, db: -(a / b).trunc();
    /// Negative.
    neg(x) as Spelling::Prefix("-"), is Negation, in -2.0..2.0 => y = -x; dx: -1.0;
    /// x · a + b, rounded once.
    mul_add(x, a, b), series As(|args| args[0] * args[1] + args[2]), in -2.0..2.0 => y = x.mul_add(a, b); dx: a, da: x, db: 1.0;
    /// (a + b) / 2, without overflow.
    midpoint(a, b), in -2.0..2.0 => y = a.midpoint(b); da: 0.5, db: 0.5;
    /// Square.
    square(x), series As(|args| args[0] * args[0]), in -2.0..2.0 => y = x * x; dx: 2.0 * x;
    /// Reciprocal. No derivative at 0.
    recip(x), series As(|args| 1.0 / args[0]), const fn, costs Division, in 0.5..2.0 => y = 1.0 / x; dx: -y * y;
    /// Square root. The derivative at 0 is infinite.
    sqrt(x), series Root(0.5), costs Division, in 0.3..3.0 => y = x.sqrt(); dx: 0.5 * (1.0 / y);
    /// 1 / √x. No derivative at 0.
    rsqrt(x), series Root(-0.5), costs Division, in 0.3..3.0 => y = 1.0 / x.sqrt(); dx: -0.5 * y * y * y;
    /// |x|. The derivative at 0 is 0.
    abs(x), const fn, in -2.0..2.0 => y = x.abs(); dx: slope_of_abs(x);
    /// 1 with the sign of x, also for the zeros; the derivative is 0.
    signum(x), const fn, in -2.0..2.0 => y = x.signum(); dx: FLAT;
    /// −1, 0 or 1; the derivative is 0.
    sign(x), in -2.0..2.0 => y = if x == 0.0 { x } else { x.signum() }; dx: FLAT;
    /// |a| with the sign of b. The derivative at a = 0 is 0, as that of |a|.
    copysign(a, b), const fn, in -2.0..2.0 => y = a.copysign(b); da: slope_of_abs(a) * b.signum(), db: FLAT;
    /// The larger of two; NaN where one is. At a tie each side gets half of the derivative.
    maximum(a, b), is Larger, in -2.0..2.0 => y = numbers::maximum(a, b); da: share(a, b, y), db: share(b, a, y);
    /// The smaller of two; NaN where one is. At a tie each side gets half of the derivative.
    minimum(a, b), is Smaller, in -2.0..2.0 => y = -numbers::maximum(-a, -b); da: share(a, b, y), db: share(b, a, y);
    /// `max` of numbers, as in `std`: the other one where one is NaN. At a tie each side gets half of the derivative.
    larger_of(a, b) as Spelling::Named("max"), is Larger, const fn, in -2.0..2.0 => y = a.max(b); da: share(a, b, y), db: share(b, a, y);
    /// `min` of numbers, as in `std`: the other one where one is NaN. At a tie each side gets half of the derivative.
    smaller_of(a, b) as Spelling::Named("min"), is Smaller, const fn, in -2.0..2.0 => y = a.min(b); da: share(a, b, y), db: share(b, a, y);
    /// x brought into [low, high]. The derivative by x is 0 at both ends, where it goes to the end.
    clamp(x, low, high), in -2.0..2.0 => y = numbers::clamp(x, low, high);
        dx: inside(x, low, high), dlow: x.le(low).choose(y, 1.0, 0.0), dhigh: x.le(low).choose(y, 0.0, x.ge(high).choose(y, 1.0, 0.0));
    /// Rounds down; the derivative is 0.
    floor(x), in -2.0..2.0 => y = x.floor(); dx: FLAT;
    /// Rounds up; the derivative is 0.
    ceil(x), in -2.0..2.0 => y = x.ceil(); dx: FLAT;
    /// Rounds towards 0; the derivative is 0.
    trunc(x), in -2.0..2.0 => y = x.trunc(); dx: FLAT;
    /// Rounds to the nearest integer, halves away from 0; the derivative is 0.
    round(x), in -2.0..2.0 => y = x.round(); dx: FLAT;
    /// Rounds to the nearest integer, halves to the even one; the derivative is 0.
    round_ties_even(x), in -2.0..2.0 => y = x.round_ties_even(); dx: FLAT;
    /// The fractional part, with the sign of x. The derivative is 1, also where it jumps.
    fract(x), in -2.0..2.0 => y = x.fract(); dx: 1.0;
    /// The next larger number; the derivative is 1.
    next_up(x), in -2.0..2.0 => y = x.next_up(); dx: 1.0;
    /// The next smaller number; the derivative is 1.
    next_down(x), in -2.0..2.0 => y = x.next_down(); dx: 1.0;
    /// The quotient of Euclidean division; the derivative is 0.
    div_euclid(a, b), in 0.3..2.0 => y = a.div_euclid(b); da: FLAT, db: FLAT;
    /// The least non-negative remainder. The derivative by a is 1, by b minus the quotient, also where it jumps.
    rem_euclid(a, b), in 0.3..2.0 => y = a.rem_euclid(b); da: 1.0, db: -a.div_euclid(b);
    /// From radians to degrees.
    to_degrees(x), in -2.0..2.0 => y = x.to_degrees(); dx: 180.0 / std::f64::consts::PI;
    /// From degrees to radians.
    to_radians(x), in -2.0..2.0 => y = x.to_radians(); dx: std::f64::consts::PI / 180.0;
}

fn slope_of_abs(x: E) -> E {
    x.gt(0.0).choose(x, 1.0, x.lt(0.0).choose(x, -1.0, 0.0))
}

/// 1 where `x` is the one chosen of two, ½ where both are.
fn share<'s>(x: E<'s>, other: E<'s>, chosen: E<'s>) -> E<'s> {
    x.eq(chosen).choose(x, other.eq(chosen).choose(x, 0.5, 1.0), 0.0)
}

/// 1 between two ends, 0 elsewhere and at the ends.
pub(super) fn inside<'s>(x: E<'s>, low: impl Operand<'s>, high: impl Operand<'s>) -> E<'s> {
    x.gt(low).choose(x, x.lt(high).choose(x, 1.0, 0.0), 0.0)
}

/// x, brought into an interval outside of which a slope is constant in double precision. Products of what is very large with
/// what has become 0 would be NaN there.
pub(super) fn bounded(x: E, bound: f64) -> E {
    x.apply(&clamp, &[x.number(-bound), x.number(bound)])
}

/// Integer power.
#[allow(non_upper_case_globals)]
pub static powi: Row = Row {
    name: "powi",
    doc: "Integer power. `x⁰` is 1 with derivative 0, also at 0.",
    args: &["x", "n"],
    spelling: Spelling::Method,
    kind: RowKind::IntExponent,
    algebra: Algebra::Other,
    eval: |args| args[0].powi(args[1] as i32),
    partials: |args, y| vec![powi_partial(args[0], args[1], y), None],
    taylor: Taylor::Power,
    domain: (0.5, 2.0),
    is_const: false,
    cost: Cost::Arithmetic,
};

/// n · xⁿ⁻¹; for negative n, xⁿ / x, since i32 need not have n − 1. For n = 0 it is 0 · x⁰.
fn powi_partial<'s>(x: E<'s>, n: E<'s>, y: E<'s>) -> Option<E<'s>> {
    match n.as_const() {
        Some(0.0) => None,
        Some(1.0) => Some(y.number(1.0)),
        Some(2.0) => Some(2.0 * x),
        Some(exponent) if exponent == f64::from(i32::MIN) => Some(exponent * (y / x)),
        Some(exponent) => Some(exponent * x.powi(n.before())),
        None => {
            let power = n.lt(0.0).choose(x, y / x, x.powi(n.before()));
            Some(n.cast_like(x) * power)
        }
    }
}
