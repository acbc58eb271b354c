//! `ln` and `ln_1p`.
//!
//! `x = 2ᵏ·m` with `m` from `√½` to `√2`, and `ln x = k·ln 2 + ln m`. The first of the two parts of ln 2 is so short that
//! its product with `k` is exact. `ln m` is a polynomial of `f = m - 1` in `f32`. In `f64` it is one of
//! `s = f/(2 + f)`, as in Sun's fdlibm.

/// The functions of one type: its name, the integer of its size and what is special to it.
macro_rules! functions {
    (
        $t:ident, $bits:ident, mantissa $mantissa:literal, bias $bias:literal, sqrt_half $sqrt_half:literal,
        integer $integer:literal, ln2 $ln2_high:literal + $ln2_low:literal
    ) => {
        const TWO_TO_MANTISSA: $t = ((1 as $bits) << $mantissa) as $t;

        /// The bits of the exponent of `2ᵏ`, in the lowest place, and `m`, of a positive normal number.
        #[inline(always)]
        fn parts(x: $t) -> ($bits, $t) {
            let bits = x.to_bits().wrapping_add(($bias << $mantissa) - $sqrt_half);
            let m = (bits & ((1 << $mantissa) - 1)) + $sqrt_half;
            (bits >> $mantissa, $t::from_bits(m))
        }

        /// An integer below the number of mantissas. Its bits become the mantissa of a number with a known exponent.
        #[inline(always)]
        fn number(n: $bits) -> $t {
            $t::from_bits(n | $integer) - TWO_TO_MANTISSA
        }

        /// `k·ln 2 + ln(1 + f)`.
        #[inline(always)]
        fn sum(k: $t, f: $t) -> $t {
            let (square, more) = logarithm(f);
            k * $ln2_high + (f - (square - (more + k * $ln2_low)))
        }

        /// `y` where `x` is positive and finite, and else what a logarithm of `x` is there.
        #[inline(always)]
        fn with_edges(x: $t, y: $t) -> $t {
            let y = if x <= $t::MAX { y } else { x };
            let y = if x < 0.0 { $t::NAN } else { y };
            if x == 0.0 { $t::NEG_INFINITY } else { y }
        }

        /// Natural logarithm.
        #[inline(always)]
        pub(in crate::float) fn ln(x: $t) -> $t {
            let is_small = x < $t::MIN_POSITIVE;
            let normal = if is_small { x * TWO_TO_MANTISSA } else { x };
            let (exponent, m) = parts(normal);
            let bias = $bias as $t + if is_small { $mantissa as $t } else { 0.0 };
            with_edges(x, sum(number(exponent) - bias, m - 1.0))
        }

        /// `ln(1 + x)`.
        #[inline(always)]
        pub(in crate::float) fn ln_1p(x: $t) -> $t {
            let u = 1.0 + x;
            // What the sum rounded off.
            let back = u - 1.0;
            let rest = (1.0 - (u - back)) + (x - back);
            let (exponent, m) = parts(u);
            let scale = $t::from_bits(((2 * $bias) as $bits).wrapping_sub(exponent) << $mantissa);
            // Far out it is nothing, and its scale no number.
            let rest = if u < TWO_TO_MANTISSA { rest * scale } else { 0.0 };
            let y = with_edges(u, sum(number(exponent) - $bias as $t, (m - 1.0) + rest));
            // -0 keeps its sign.
            if x == 0.0 { x } else { y }
        }
    };
}

/// The functions of `f32`.
pub(in crate::float) mod single {
    functions! {
        f32, u32, mantissa 23, bias 127, sqrt_half 0x3f35_04f3, integer 0x4b00_0000,
        ln2 0.693_145_75 + 1.428_606_8e-6
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
}

/// The functions of `f64`.
pub(in crate::float) mod double {
    functions! {
        f64, u64, mantissa 52, bias 1023, sqrt_half 0x3fe6_a09e_667f_3bcd, integer 0x4330_0000_0000_0000,
        ln2 0.693_147_180_369_123_8 + 1.908_214_929_270_587_8e-10
    }

    /// The same with a relative error of at most 2⁻⁵⁸.
    #[inline(always)]
    fn logarithm(f: f64) -> (f64, f64) {
        let half_square = 0.5 * f * f;
        let s = f / (2.0 + f);
        let z = s * s;
        let w = z * z;
        let odd = 0.666_666_666_666_673_5
            + w * (0.285_714_287_436_623_9 + w * (0.181_835_721_616_180_5 + w * 0.147_981_986_051_165_86));
        let even = 0.399_999_999_994_094_2 + w * (0.222_221_984_321_497_84 + w * 0.153_138_376_992_093_73);
        (half_square, s * (half_square + (z * odd + w * even)))
    }
}
