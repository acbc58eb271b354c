//! `ln` and `ln_1p`, of `f32` alone. In `f64` they were as fast as `std`'s where a loop vectorises, and slower elsewhere.
//!
//! `x = 2ᵏ·m` with `m` from `√½` to `√2`, and `ln x = k·ln 2 + ln m`. The first of the two parts of ln 2 is so short that
//! its product with `k` is exact. `ln m` is a polynomial of `f = m - 1`.

const TWO_TO_23: f32 = 8_388_608.0;

/// The bits of `√½`.
const SQRT_HALF: u32 = 0x3f35_04f3;

/// The bits of the exponent of `2ᵏ`, in the lowest place, and `m`, of a positive normal number.
#[inline(always)]
fn parts(x: f32) -> (u32, f32) {
    let bits = x.to_bits().wrapping_add((127 << 23) - SQRT_HALF);
    let m = (bits & ((1 << 23) - 1)) + SQRT_HALF;
    (bits >> 23, f32::from_bits(m))
}

/// An integer below 2²³. Its bits become the mantissa of a number with a known exponent.
#[inline(always)]
fn number(n: u32) -> f32 {
    f32::from_bits(n | 0x4b00_0000) - TWO_TO_23
}

/// `k·ln 2 + ln(1 + f)`.
#[inline(always)]
fn sum(k: f32, f: f32) -> f32 {
    let (square, more) = logarithm(f);
    k * 0.693_145_75 + (f - (square - (more + k * 1.428_606_8e-6)))
}

/// `y` where `x` is positive and finite, and else what a logarithm of `x` is there.
#[inline(always)]
fn with_edges(x: f32, y: f32) -> f32 {
    let y = if x <= f32::MAX { y } else { x };
    let y = if x < 0.0 { f32::NAN } else { y };
    if x == 0.0 { f32::NEG_INFINITY } else { y }
}

/// Natural logarithm.
#[inline(always)]
pub(in crate::float) fn ln(x: f32) -> f32 {
    let is_small = x < f32::MIN_POSITIVE;
    let normal = if is_small { x * TWO_TO_23 } else { x };
    let (exponent, m) = parts(normal);
    let bias = if is_small { 150.0 } else { 127.0 };
    with_edges(x, sum(number(exponent) - bias, m - 1.0))
}

/// `ln(1 + x)`.
#[inline(always)]
pub(in crate::float) fn ln_1p(x: f32) -> f32 {
    let u = 1.0 + x;
    // What the sum rounded off.
    let back = u - 1.0;
    let rest = (1.0 - (u - back)) + (x - back);
    let (exponent, m) = parts(u);
    let scale = f32::from_bits(254_u32.wrapping_sub(exponent) << 23);
    // Far out it is nothing, and its scale no number.
    let rest = if u < TWO_TO_23 { rest * scale } else { 0.0 };
    let y = with_edges(u, sum(number(exponent) - 127.0, (m - 1.0) + rest));
    // -0 keeps its sign.
    if x == 0.0 { x } else { y }
}

/// Two terms, `f²/2` and another one, such that `ln(1 + f)` is `f` less the first and plus the second, for `1 + f` from `√½`
/// to `√2`. The relative error is at most 2⁻²⁹.
#[inline(always)]
fn logarithm(f: f32) -> (f32, f32) {
    let square = f * f;
    let fourth = square * square;
    let low = (0.333_333_13 + f * -0.250_001_67) + square * (0.200_022_22 + f * -0.166_593_73);
    let middle = (0.142_096_39 + f * -0.125_495_31) + square * (0.121_080_056 + f * -0.109_186_91);
    let polynomial = low + fourth * (middle + fourth * 0.053_452_95);
    (0.5 * square, square * f * polynomial)
}
