//! `exp`, `exp_m1`, `sigmoid` and `tanh`; of `f64` the second and the last.
//!
//! `x = n·(ln 2/N) + r` with `|r| ≤ ln 2/2N`, by Cody and Waite: `ln 2/N` is a sum of two numbers, and the product of `n` with
//! the first is exact. Then `eˣ = s·(1 + p)`, where `s = 2^(n/N)` and `p = eʳ - 1` is a polynomial. In `f32`, `N` is 1.
//! In `f64` it is 128, as in Arm's optimized routines, and powers come from a table. A vector is then filled
//! number by number, which takes less than the polynomial that would be needed without a table.

/// The functions of one type: its name, the integer of its size and what is special to it. `N` is 2 to the power `parts`.
macro_rules! functions {
    (
        $t:ident, $bits:ident, parts $parts:literal, round $round:literal,
        rate $rate:expr, ln2 $ln2_high:literal + $ln2_low:literal,
        exp_m1 in $exp_m1_low:literal..$exp_m1_high:literal, tanh to $tanh_high:literal
    ) => {
        /// Numbers are rounded to integers where they are added to this.
        const ROUND: $t = $round;

        /// The bits of `n + ROUND`, `n`, and `r` as a sum of two numbers.
        #[inline(always)]
        fn reduce(x: $t) -> ($bits, $t, ($t, $t)) {
            let shifted = x * $rate + ROUND;
            let n = shifted - ROUND;
            let high = x - n * $ln2_high;
            let low = n * $ln2_low;
            let r = high - low;
            (shifted.to_bits(), n, (r, (high - r) - low))
        }

        /// `eˣ` where that is a normal number.
        #[inline(always)]
        pub(in crate::float) fn exp_if_normal(x: $t) -> $t {
            let (shifted, _, (r, _)) = reduce(x);
            let (scale, tail) = power_of_two(shifted);
            scale + scale * (r + rest_of_exp(r, tail))
        }

        /// `eˣ - 1`.
        #[inline(always)]
        pub(in crate::float) fn exp_m1(x: $t) -> $t {
            let at = if x < $exp_m1_low { $exp_m1_low } else { x };
            let at = if at > $exp_m1_high { $exp_m1_high } else { at };
            let (shifted, _, (r, low)) = reduce(at);
            // Half of it, because the whole may be infinite.
            let (scale, tail) = power_of_two(shifted.wrapping_sub(1 << $parts));
            let p = r + (rest_of_exp(r, tail) + low);
            let y = (scale * p + (scale - 0.5)) * 2.0;
            // Subnormal numbers lose nothing, and -0 keeps its sign.
            if $t::abs(x) < $t::EPSILON / 2.0 { x } else { y }
        }

        /// `tanh x = (e²ˣ - 1)/(e²ˣ + 1)`.
        #[inline(always)]
        pub(in crate::float) fn tanh(x: $t) -> $t {
            let at = $t::abs(x);
            let at = if at > $tanh_high { $tanh_high } else { at };
            let (shifted, _, (r, low)) = reduce(at + at);
            let (scale, tail) = power_of_two(shifted);
            let more = rest_of_exp(r, tail) + low;
            let p = r + more;
            let low = (r - p) + more;
            let (above, above_low) = product_less_one(scale, (p, low));
            let below = above + 2.0;
            // Where it is larger, its rounding matters no more, but that of `rest` does.
            let below_low = if above < 8.0 { above - (below - 2.0) } else { 0.0 };
            let y = above / below;
            // `1/below = (1 - y)/2`.
            let rest = 1.0 - y;
            $t::copysign(y + (above_low * rest - y * below_low) * (0.5 * rest), x)
        }
    };
}

/// The functions of `f32`.
pub(in crate::float) mod single {
    functions! {
        f32, u32, parts 0, round 12_582_912.0, rate core::f32::consts::LOG2_E,
        ln2 0.693_145_75 + 1.428_606_8e-6, exp_m1 in -18.0..89.0, tanh to 10.0
    }

    /// `eˣ`.
    #[inline(always)]
    pub(in crate::float) fn exp(x: f32) -> f32 {
        let x = if x < -104.0 { -104.0 } else { x };
        let x = if x > 89.0 { 89.0 } else { x };
        let (shifted, n, (r, _)) = reduce(x);
        // Two factors: their product may be subnormal or infinite. Only the last product is rounded.
        let half = (n * 0.5 + ROUND).to_bits();
        let (first, tail) = power_of_two(shifted.wrapping_sub(half));
        let (second, _) = power_of_two(half);
        (first + first * (r + rest_of_exp(r, tail))) * second
    }

    /// `1/(1 + e⁻ˣ)`.
    #[inline(always)]
    pub(in crate::float) fn sigmoid(x: f32) -> f32 {
        let e = exp(-f32::abs(x));
        let below = 1.0 + e;
        let y = (if x < 0.0 { e } else { 1.0 }) / below;
        // What the sum rounded off. Its reciprocal is close to `1 - e/2` for `e` from 0 to 1.
        y - y * ((1.0 - below) + e) * (1.0 - 0.5 * e)
    }

    /// `2ⁿ` of the bits of `n` or of `n + ROUND`, where that is a normal number. It is exact, and has no tail.
    #[inline(always)]
    fn power_of_two(n: u32) -> (f32, ()) {
        (f32::from_bits(n.wrapping_add(127) << 23), ())
    }

    /// `scale·(1 + p) - 1` as a sum of two numbers. The product of a power of 2 is exact.
    #[inline(always)]
    fn product_less_one(scale: f32, (p, low): (f32, f32)) -> (f32, f32) {
        let most = scale - 1.0;
        let sum = most + scale * p;
        (sum, (most - sum) + scale * p + scale * low)
    }

    /// `eʳ - 1 - r` for `|r| ≤ ln 2/2`: the relative error of `eʳ - 1` is at most 2⁻³¹.
    #[inline(always)]
    fn rest_of_exp(r: f32, _tail: ()) -> f32 {
        let square = r * r;
        let first = 0.5 + r * 0.166_666_66;
        let second = 0.041_666_467 + r * 8.333_639e-3;
        let third = 1.393_495_2e-3 + r * 1.967_205_6e-4;
        square * ((first + square * second) + square * square * third)
    }
}

/// `1/(1 + e⁻ˣ)` of `f64`, right where `e⁻ˣ` is infinite, too.
#[inline]
pub(in crate::float) fn sigmoid_f64(x: f64) -> f64 {
    let e = crate::Real::exp(-f64::abs(x));
    let below = 1.0 + e;
    let y = (if x < 0.0 { e } else { 1.0 }) / below;
    // As in `f32`.
    y - y * ((1.0 - below) + e) * (1.0 - 0.5 * e)
}

/// The functions of `f64`.
#[cfg(feature = "std")]
pub(in crate::float) mod double {
    use super::super::powers::POWERS;

    functions! {
        f64, u64, parts 7, round 6_755_399_441_055_744.0, rate 184.664_965_233_787_3,
        ln2 0.005_415_212_346_633_78 + 1.490_792_913_492_646_6e-12, exp_m1 in -40.0..710.0, tanh to 22.0
    }

    /// `2^(n/128)` of the bits of `n` or of `n + ROUND`, where that is a normal number, and its tail: by what the true power is
    /// larger, relative to it.
    #[inline(always)]
    fn power_of_two(n: u64) -> (f64, f64) {
        let [bits, tail] = POWERS[(n & 127) as usize];
        (f64::from_bits(bits.wrapping_add(n << 45)), f64::from_bits(tail))
    }

    /// `scale·(1 + p) - 1`, where `scale` is at least 1, as a sum of two numbers.
    #[inline(always)]
    fn product_less_one(scale: f64, (p, low): (f64, f64)) -> (f64, f64) {
        let most = scale - 1.0;
        let sum = most + p;
        // `scale·p = p + most·p`: close to 0, the rounding of the second does not matter.
        let rest = most * p + ((most - sum) + p + scale * low);
        let whole = sum + rest;
        (whole, (sum - whole) + rest)
    }

    /// `eʳ - 1 - r` for `|r| ≤ ln 2/256`, and the tail of the power beside it. The relative error of `eʳ - 1` is at most
    /// 2⁻⁵⁵.
    #[inline(always)]
    fn rest_of_exp(r: f64, tail: f64) -> f64 {
        let square = r * r;
        tail + (square * (0.5 + r * 0.166_666_666_666_680_79)
            + square * square * (0.041_666_675_569_110_45 + r * 0.008_333_332_210_900_855))
    }
}
