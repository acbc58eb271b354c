//! `erf`.
//!
//! Near 0 it is `x + x·P(x²)`. Elsewhere it is `1 - exp(-G(|x|))` with the sign of `x`: `G` approximates `-ln(erfc)` such
//! that the error of the whole is small, which leaves it the more freedom the smaller `erfc` is.

/// The functions of one type.
macro_rules! functions {
    ($t:ident, one from $one_from:literal, near below $split:literal, $exp:path) => {
        /// The error function.
        #[inline(always)]
        pub(in crate::float) fn erf(x: $t) -> $t {
            use $exp as exp;
            let at = $t::abs(x);
            let near = at + at * near_zero(x * x);
            let bounded = if at > $one_from { $one_from } else { at };
            let far = 1.0 - exp(-far_out(bounded));
            $t::copysign(if at < $split { near } else { far }, x)
        }
    };
}

/// The functions of `f32`.
pub(in crate::float) mod single {
    functions! { f32, one from 4.0, near below 0.925, crate::float::elementary::exponential::single::exp_if_normal }

    /// `erf(√t)/√t - 1` for `√t ≤ 0.93`. The relative error of `erf` is at most 2⁻³⁰.
    #[inline(always)]
    fn near_zero(t: f32) -> f32 {
        let square = t * t;
        let low = (0.128_379_17 + t * -0.376_126_3) + square * (0.112_836_26 + t * -0.026_855_731);
        let high = (5.192_405e-3 + t * -8.049_769_7e-4) + square * 7.996_65e-5;
        low + square * square * high
    }

    /// `-ln(erfc a)` for `a` from 0.92 to 4. The relative error of `erf` is at most 2⁻²⁹.
    #[inline(always)]
    fn far_out(a: f32) -> f32 {
        let square = a * a;
        let low = (1.956_794_1e-4 + a * 1.127_675_7) + square * (0.637_182_1 + a * 0.103_931_81);
        let high = (-0.022_227_079 + a * 3.043_274e-3) + square * -1.959_447e-4;
        low + square * square * high
    }
}

/// The functions of `f64`.
#[cfg(feature = "std")]
pub(in crate::float) mod double {
    functions! { f64, one from 6.0, near below 1.0, crate::float::elementary::exponential::double::exp_if_normal }

    /// `erf(√t)/√t - 1` for `√t ≤ 1`. The relative error of `erf` is at most 2⁻⁵⁶.
    #[inline(always)]
    fn near_zero(t: f64) -> f64 {
        let square = t * t;
        let fourth = square * square;
        let p0 = (0.128_379_167_095_512_6 + t * -0.376_126_389_031_841)
            + square * (0.112_837_916_709_710_98 + t * -0.026_866_170_648_031_11);
        let p1 = (0.005_223_977_652_691_75 + t * -0.000_854_832_853_571_958_6)
            + square * (0.000_120_553_861_892_628_15 + t * -1.492_688_133_662_338_6e-5);
        let p2 = (1.648_105_640_655_396_7e-6 + t * -1.655_709_958_596_057_8e-7)
            + square * (1.601_300_505_572_170_3e-8 + t * -1.646_381_220_130_337_5e-9);
        let p3 = 1.434_189_624_017_956_6e-10;
        p0 + fourth * (p1 + fourth * (p2 + fourth * p3))
    }

    /// `-ln(erfc a)` for `a` from 1 to 6. The relative error of `erf` is at most 2⁻⁵⁷.
    #[inline(always)]
    fn far_out(a: f64) -> f64 {
        let square = a * a;
        let fourth = square * square;
        let p0 = (2.781_550_077_688_714e-8 + a * 1.128_378_915_584_762_8)
            + square * (0.636_620_734_834_710_7 + a * 0.102_770_813_792_130_93);
        let p1 = (-0.019_128_040_744_831_053 + a * -0.000_202_310_819_833_084_18)
            + square * (0.001_674_972_187_543_312_5 + a * -0.000_552_366_454_226_144_3);
        let p2 = (-2.200_472_974_423_821e-5 + a * 0.000_110_782_267_132_418_8)
            + square * (-6.476_066_012_291_812e-5 + a * 2.428_012_240_701_853e-5);
        let p3 = (-6.784_107_381_912_958e-6 + a * 1.469_693_299_011_352e-6)
            + square * (-2.481_358_515_728_951e-7 + a * 3.219_407_249_505_851e-8);
        let p4 = (-3.108_087_903_304_642_3e-9 + a * 2.105_175_439_028_753e-10)
            + square * (-8.928_323_079_857_607e-12 + a * 1.783_752_066_186_202_6e-13);
        p0 + fourth * (p1 + fourth * (p2 + fourth * (p3 + fourth * p4)))
    }
}
