//! `exp`, `exp_m1`, `sigmoid` and `tanh`.
//!
//! `x = n·ln 2 + r` with `|r| ≤ ln 2/2`, by Cody and Waite: ln 2 is a sum of two numbers, and the product of `n` with the
//! first is exact. Then `eˣ = 2ⁿ·(1 + p)`, where `p = eʳ - 1` is a polynomial.

/// The functions of one type: its name, the module, the integer of its size and what is special to it.
macro_rules! functions {
    (
        $t:ident, $bits:ident, mantissa $mantissa:literal, bias $bias:literal, round $round:literal,
        ln2 $ln2_high:literal + $ln2_low:literal,
        exp in $exp_low:literal..$exp_high:literal, exp_m1 from $exp_m1_low:literal, tanh to $tanh_high:literal
    ) => {
        /// Numbers are rounded to integers where they are added to this.
        const ROUND: $t = $round;

        /// `n + ROUND`, `n`, and `r` as a sum of two numbers.
        #[inline(always)]
        fn reduce(x: $t) -> ($t, $t, ($t, $t)) {
            let shifted = x * core::$t::consts::LOG2_E + ROUND;
            let n = shifted - ROUND;
            let high = x - n * $ln2_high;
            let low = n * $ln2_low;
            let r = high - low;
            (shifted, n, (r, (high - r) - low))
        }

        /// `eʳ - 1` as a sum of two numbers.
        #[inline(always)]
        fn exp_m1_of_rest((r, low): ($t, $t)) -> ($t, $t) {
            let more = r * r * polynomial(r) + low;
            let p = r + more;
            (p, (r - p) + more)
        }

        /// `2ⁿ` of the bits of `n + ROUND`, or of `n`, where that is a normal number.
        #[inline(always)]
        fn power_of_two(n: $bits) -> $t {
            $t::from_bits(n.wrapping_add($bias) << $mantissa)
        }

        /// `eˣ`.
        #[inline(always)]
        pub(in crate::float) fn exp(x: $t) -> $t {
            let x = if x < $exp_low { $exp_low } else { x };
            let x = if x > $exp_high { $exp_high } else { x };
            let (shifted, n, (r, _)) = reduce(x);
            let sum = 1.0 + (r + r * r * polynomial(r));
            // Two factors: their product may be subnormal or infinite. Only the last product is rounded.
            let half = (n * 0.5 + ROUND).to_bits();
            let first = power_of_two(half);
            let rest = power_of_two(shifted.to_bits().wrapping_sub(half));
            first * sum * rest
        }

        /// `eˣ` where that is a normal number.
        #[inline(always)]
        pub(in crate::float) fn exp_if_normal(x: $t) -> $t {
            let (shifted, _, (r, _)) = reduce(x);
            let scale = power_of_two(shifted.to_bits());
            scale + scale * (r + r * r * polynomial(r))
        }

        /// `eˣ - 1`.
        #[inline(always)]
        pub(in crate::float) fn exp_m1(x: $t) -> $t {
            let at = if x < $exp_m1_low { $exp_m1_low } else { x };
            let at = if at > $exp_high { $exp_high } else { at };
            let (shifted, _, rest) = reduce(at);
            let (p, _) = exp_m1_of_rest(rest);
            // Half of it, because 2ⁿ may be infinite.
            let scale = power_of_two((shifted - 1.0).to_bits());
            let y = (scale * p + (scale - 0.5)) * 2.0;
            // Subnormal numbers lose nothing, and -0 keeps its sign.
            if $t::abs(x) < $t::EPSILON / 2.0 { x } else { y }
        }

        /// `1/(1 + e⁻ˣ)`.
        #[inline(always)]
        pub(in crate::float) fn sigmoid(x: $t) -> $t {
            let e = exp(-$t::abs(x));
            let below = 1.0 + e;
            let y = (if x < 0.0 { e } else { 1.0 }) / below;
            // What the sum rounded off. Its reciprocal is close to `1 - e/2` for `e` from 0 to 1.
            y - y * ((1.0 - below) + e) * (1.0 - 0.5 * e)
        }

        /// `tanh x = (e²ˣ - 1)/(e²ˣ + 1)`.
        #[inline(always)]
        pub(in crate::float) fn tanh(x: $t) -> $t {
            let at = $t::abs(x);
            let at = if at > $tanh_high { $tanh_high } else { at };
            let (shifted, _, rest) = reduce(at + at);
            let (p, low) = exp_m1_of_rest(rest);
            let scale = power_of_two(shifted.to_bits());
            let above = (scale - 1.0) + scale * p;
            let above_low = ((scale - 1.0) - above) + scale * p + scale * low;
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
        f32, u32, mantissa 23, bias 127, round 12_582_912.0, ln2 0.693_145_75 + 1.428_606_8e-6,
        exp in -104.0..89.0, exp_m1 from -18.0, tanh to 10.0
    }

    /// `(eʳ - 1 - r)/r²` for `|r| ≤ ln 2/2`: the relative error of `eʳ - 1` is at most 2⁻³¹.
    #[inline(always)]
    fn polynomial(r: f32) -> f32 {
        let square = r * r;
        let first = 0.5 + r * 0.166_666_66;
        let second = 0.041_666_467 + r * 8.333_639e-3;
        let third = 1.393_495_2e-3 + r * 1.967_205_6e-4;
        (first + square * second) + square * square * third
    }
}

/// The functions of `f64`.
#[cfg(feature = "std")]
pub(in crate::float) mod double {
    functions! {
        f64, u64, mantissa 52, bias 1023, round 6_755_399_441_055_744.0,
        ln2 0.693_147_180_369_123_8 + 1.908_214_929_270_587_8e-10,
        exp in -746.0..710.0, exp_m1 from -40.0, tanh to 22.0
    }

    /// `(eʳ - 1 - r)/r²` for `|r| ≤ ln 2/2`: the relative error of `eʳ - 1` is at most 2⁻⁵⁸.
    #[inline(always)]
    fn polynomial(r: f64) -> f64 {
        let square = r * r;
        let fourth = square * square;
        let low =
            (0.5 + r * 0.166_666_666_666_666_77) + square * (0.041_666_666_666_666_144 + r * 0.008_333_333_333_320_725);
        let middle = (0.001_388_888_888_872_544_6 + r * 0.000_198_412_698_908_418_55)
            + square * (2.480_158_843_007_524_3e-5 + r * 2.755_723_730_367_823_3e-6);
        let high = (2.755_578_197_593_131e-7 + r * 2.511_205_089_278_715_2e-8) + square * 2.150_932_993_317_420_3e-9;
        low + fourth * (middle + fourth * high)
    }
}
