//! [`Real`] for `f32` and `f64`: which function is that of `std`, of `libm`, or ours.

use super::{Real, elementary};

/// `name(arguments) => libm's name` for functions that `std` has and `core` has not.
macro_rules! library {
    ($t:ident: $($name:ident($($arg:ident),*) => $libm:ident;)*) => {$(
        #[inline]
        fn $name(self $(, $arg: Self)*) -> Self {
            #[cfg(feature = "std")]
            return $t::$name(self $(, $arg)*);
            #[cfg(not(feature = "std"))]
            return libm::$libm(self $(, $arg)*);
        }
    )*};
}

/// `name => with std, without it`: with `std`, ours of [`elementary`], which become part of the loop around them. Without it code
/// has to be small, so that each is there once, and it is ours where a Cortex-M4 takes fewer instructions for it.
macro_rules! outlined {
    ($t:ident: $($name:ident => $with_std:path, $without:expr;)*) => {$(
        #[inline]
        fn $name(self) -> Self {
            #[cfg(feature = "std")]
            return $with_std(self);
            #[cfg(not(feature = "std"))]
            {
                #[inline(never)]
                fn outlined(x: $t) -> $t {
                    $without(x)
                }
                outlined(self)
            }
        }
    )*};
}

/// What both types take from `core`, where it has the same name.
macro_rules! real {
    ($t:ident, library { $($library:tt)* } outlined { $($outlined:tt)* }) => {
        impl Real for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const EPSILON: Self = $t::EPSILON;
            const INFINITY: Self = $t::INFINITY;
            const NEG_INFINITY: Self = $t::NEG_INFINITY;
            const MAX: Self = $t::MAX;
            const PI: Self = core::$t::consts::PI;

            library! { $t: $($library)* }
            outlined! { $t: $($outlined)* }

            #[inline]
            fn from_f64(x: f64) -> Self {
                x as Self
            }
            #[inline]
            fn from_usize(n: usize) -> Self {
                n as Self
            }
            #[inline]
            fn to_f64(self) -> f64 {
                self.into()
            }
            #[inline]
            fn abs(self) -> Self {
                $t::abs(self)
            }
            #[inline]
            fn signum(self) -> Self {
                $t::signum(self)
            }
            #[inline]
            fn recip(self) -> Self {
                1.0 / self
            }
            #[inline]
            fn max(self, other: Self) -> Self {
                $t::max(self, other)
            }
            #[inline]
            fn min(self, other: Self) -> Self {
                $t::min(self, other)
            }
            #[inline]
            fn to_degrees(self) -> Self {
                $t::to_degrees(self)
            }
            #[inline]
            fn to_radians(self) -> Self {
                $t::to_radians(self)
            }
            #[inline]
            fn rem_euclid(self, divisor: Self) -> Self {
                let remainder = self % divisor;
                if remainder < 0.0 { remainder + $t::abs(divisor) } else { remainder }
            }
            #[inline]
            fn div_euclid(self, divisor: Self) -> Self {
                let quotient = Real::trunc(self / divisor);
                match self % divisor < 0.0 {
                    false => quotient,
                    true if divisor > 0.0 => quotient - 1.0,
                    true => quotient + 1.0,
                }
            }
            #[inline]
            fn copysign(self, sign: Self) -> Self {
                $t::copysign(self, sign)
            }
            #[inline]
            fn midpoint(self, other: Self) -> Self {
                $t::midpoint(self, other)
            }
            #[inline]
            fn is_infinite(self) -> bool {
                $t::is_infinite(self)
            }
            #[inline]
            fn is_nan(self) -> bool {
                $t::is_nan(self)
            }
            #[inline]
            fn is_finite(self) -> bool {
                $t::is_finite(self)
            }
            #[inline]
            fn follows(self, other: Self) -> bool {
                self.total_cmp(&other).is_gt()
            }
            #[inline]
            fn is_normal(self) -> bool {
                $t::is_normal(self)
            }
            #[inline]
            fn is_subnormal(self) -> bool {
                $t::is_subnormal(self)
            }
            #[inline]
            fn is_sign_positive(self) -> bool {
                $t::is_sign_positive(self)
            }
            #[inline]
            fn is_sign_negative(self) -> bool {
                $t::is_sign_negative(self)
            }
            #[inline]
            fn next_up(self) -> Self {
                $t::next_up(self)
            }
            #[inline]
            fn next_down(self) -> Self {
                $t::next_down(self)
            }
        }
    };
}

real! { f32,
library {
    sqrt() => sqrtf; cbrt() => cbrtf; hypot(y) => hypotf; mul_add(a, b) => fmaf;
    exp2() => exp2f; powf(p) => powf; log2() => log2f; log10() => log10f;
    sin() => sinf; cos() => cosf; tan() => tanf; asin() => asinf; acos() => acosf; atan() => atanf;
    sinh() => sinhf; cosh() => coshf; asinh() => asinhf; acosh() => acoshf; atanh() => atanhf; atan2(x) => atan2f;
    floor() => floorf; ceil() => ceilf; round() => roundf; round_ties_even() => roundevenf; trunc() => truncf;
}
outlined {
    exp => elementary::exponential::single::exp, elementary::exponential::single::exp;
    exp_m1 => elementary::exponential::single::exp_m1, elementary::exponential::single::exp_m1;
    sigmoid => elementary::exponential::single::sigmoid, elementary::exponential::single::sigmoid;
    tanh => elementary::exponential::single::tanh, elementary::exponential::single::tanh;
    erf => elementary::error_function::single::erf, elementary::error_function::single::erf;
    ln => elementary::logarithm::ln, libm::logf;
    ln_1p => elementary::logarithm::ln_1p, libm::log1pf;
}}
real! { f64,
library {
    sqrt() => sqrt; cbrt() => cbrt; hypot(y) => hypot; mul_add(a, b) => fma;
    exp2() => exp2; powf(p) => pow; log2() => log2; log10() => log10;
    sin() => sin; cos() => cos; tan() => tan; asin() => asin; acos() => acos; atan() => atan;
    sinh() => sinh; cosh() => cosh; asinh() => asinh; acosh() => acosh; atanh() => atanh; atan2(x) => atan2;
    floor() => floor; ceil() => ceil; round() => round; round_ties_even() => roundeven; trunc() => trunc;
}
outlined {
    exp => f64::exp, libm::exp;
    exp_m1 => elementary::exponential::double::exp_m1, libm::expm1;
    sigmoid => elementary::exponential::sigmoid_f64, elementary::exponential::sigmoid_f64;
    tanh => elementary::exponential::double::tanh, libm::tanh;
    erf => elementary::error_function::double::erf, libm::erf;
    ln => f64::ln, libm::log;
    ln_1p => f64::ln_1p, libm::log1p;
}}
