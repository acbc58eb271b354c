//! The numbers that derivatives are taken in.

mod elementary;
mod types;

use crate::kernel::{Gemm, Pooled, Small};
use crate::{Argument, Differentiable, Shape};
use core::fmt::{Debug, Display};
use core::iter::Sum;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

/// `f32` or `f64`.
///
/// Functions are named as in `std` and do what they do there. What is ours alone says so. Sealed: no other type implements it.
///
/// `exp_m1`, `tanh` and `erf`, and of `f32` also `exp`, `sigmoid`, `ln` and `ln_1p`, are computed by code of this crate, in
/// arithmetic without branches. It becomes part of the loop around it, and LLVM makes vectors of it. The error is at most 2
/// units in the last place. The bits are the same on every target. The other functions are those of `std`.
///
/// Generated code calls these methods, also where a function as it is written calls a method of `std` by the same name. The
/// value that comes with a derivative may therefore differ in the last bits from the one that the function itself returns.
///
/// Without feature `std`, code has to be small. Ours are then called and not inlined, and only in `f32`. The logarithms and
/// all functions of `f64` are those of `libm`, which take fewer instructions on microcontrollers. They may differ in the last bits.
///
/// ```
/// use autodiff_core::Real;
///
/// fn gaussian<T: Real>(x: T) -> T {
///     (-x.square() / T::from_f64(2.0)).exp()
/// }
/// assert_eq!(gaussian(0.0_f32), 1.0);
/// assert!((gaussian(1.0_f64) - 0.606_530_659_712_633_4).abs() < 1e-15);
/// ```
pub trait Real:
    Shape<Elem = Self>
    + Differentiable<Scalar = Self, Tangent = Self>
    + for<'a> Argument<Given<'a> = Self, Dot<'a> = Self, Bar<'a> = &'a mut Self>
    + Gemm
    + Pooled
    + Small
    + Copy
    + PartialOrd
    + PartialEq
    + Debug
    + Display
    + Default
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
    + Sum
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The difference between 1 and the next larger number.
    const EPSILON: Self;
    /// +∞.
    const INFINITY: Self;
    /// -∞.
    const NEG_INFINITY: Self;
    /// The largest finite number.
    const MAX: Self;
    /// π.
    const PI: Self;

    /// The nearest number to `x`.
    fn from_f64(x: f64) -> Self;
    /// The nearest number to `n`.
    fn from_usize(n: usize) -> Self;
    /// The same number as an `f64`.
    fn to_f64(self) -> f64;

    /// `|x|`.
    fn abs(self) -> Self;
    /// 1 with the sign of `x`, also for the two zeros, as in `std`; NaN for NaN.
    fn signum(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Cube root.
    fn cbrt(self) -> Self;
    /// `1/x`.
    fn recip(self) -> Self;
    /// `eˣ`.
    fn exp(self) -> Self;
    /// `2ˣ`.
    fn exp2(self) -> Self;
    /// `eˣ - 1`, accurate near 0.
    fn exp_m1(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Logarithm to base 2.
    fn log2(self) -> Self;
    /// Logarithm to base 10.
    fn log10(self) -> Self;
    /// `ln(1 + x)`, accurate near 0.
    fn ln_1p(self) -> Self;
    /// Sine.
    fn sin(self) -> Self;
    /// Cosine.
    fn cos(self) -> Self;
    /// Tangent.
    fn tan(self) -> Self;
    /// Inverse sine.
    fn asin(self) -> Self;
    /// Inverse cosine.
    fn acos(self) -> Self;
    /// Inverse tangent.
    fn atan(self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Inverse hyperbolic sine.
    fn asinh(self) -> Self;
    /// Inverse hyperbolic cosine.
    fn acosh(self) -> Self;
    /// Inverse hyperbolic tangent.
    fn atanh(self) -> Self;
    /// `xᵖ`.
    fn powf(self, p: Self) -> Self;
    /// The angle of the point `(x, self)`.
    fn atan2(self, x: Self) -> Self;
    /// `√(x² + y²)` without overflow.
    fn hypot(self, y: Self) -> Self;
    /// The same for derivatives, by a square root wherever that is exact enough: an inline function.
    #[doc(hidden)]
    #[inline]
    fn length(self, y: Self) -> Self {
        let square = self * self + y * y;
        match square > Self::from_f64(1e-30) && square < Self::from_f64(1e30) {
            true => square.sqrt(),
            false => self.hypot(y),
        }
    }
    /// `self / (self² + y²)` without overflow, 0 at the origin.
    #[doc(hidden)]
    #[inline]
    fn over_square(self, y: Self) -> Self {
        let square = self * self + y * y;
        if square > Self::from_f64(1e-30) && square < Self::from_f64(1e30) {
            return self / square;
        }
        let length = self.hypot(y);
        if length == Self::ZERO { Self::ZERO } else { self / length / length }
    }
    /// `self·a + b`, rounded once. Slow where the target has no such instruction.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// Rounds down.
    fn floor(self) -> Self;
    /// Rounds up.
    fn ceil(self) -> Self;
    /// Rounds to the nearest integer, halves away from zero.
    fn round(self) -> Self;
    /// Rounds towards zero.
    fn trunc(self) -> Self;
    /// The larger of two; the other one where one is NaN.
    fn max(self, other: Self) -> Self;
    /// The smaller of two; the other one where one is NaN.
    fn min(self, other: Self) -> Self;
    /// From radians to degrees.
    fn to_degrees(self) -> Self;
    /// From degrees to radians.
    fn to_radians(self) -> Self;
    /// The magnitude of `self` with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// Rounds to the nearest integer, halves to the even one.
    fn round_ties_even(self) -> Self;
    /// `(self + other) / 2` without overflow.
    fn midpoint(self, other: Self) -> Self;
    /// The least non-negative remainder.
    fn rem_euclid(self, divisor: Self) -> Self;
    /// The quotient that leaves it.
    fn div_euclid(self, divisor: Self) -> Self;
    /// Is it NaN?
    fn is_nan(self) -> bool;
    /// Is it infinite?
    fn is_infinite(self) -> bool;
    /// Is it neither infinite nor NaN?
    fn is_finite(self) -> bool;
    /// Does it come after another number, in the total order of `total_cmp`? -0 comes before 0, and NaN after all others.
    /// Ours.
    fn follows(self, other: Self) -> bool;
    /// Is it neither 0, subnormal, infinite nor NaN?
    fn is_normal(self) -> bool;
    /// Is it too small to have all its digits?
    fn is_subnormal(self) -> bool;
    /// Has it no minus sign?
    fn is_sign_positive(self) -> bool;
    /// Has it a minus sign?
    fn is_sign_negative(self) -> bool;
    /// The next larger number.
    fn next_up(self) -> Self;
    /// The next smaller number.
    fn next_down(self) -> Self;
    /// `1/(1 + e⁻ˣ)`: exactly 0 or 1 far out, never NaN for a number. Ours.
    ///
    /// ```
    /// use autodiff_core::Real;
    /// assert_eq!([-1e4_f32, 0.0, 1e4].map(Real::sigmoid), [0.0, 0.5, 1.0]);
    /// ```
    fn sigmoid(self) -> Self;
    /// The error function `2/√π ∫₀ˣ exp(-t²) dt`. Ours: `libm`'s.
    fn erf(self) -> Self;

    /// `xⁿ` by repeated squaring, not by `std`, whose result is unspecified in the last bits: ours has the
    /// same bits on every machine, in debug and in release. For `n < 0` it is `1/x⁻ⁿ`; `x⁰` is 1.
    ///
    /// ```
    /// use autodiff_core::Real;
    /// assert_eq!(Real::powi(-3.0_f32, 3), -27.0);
    /// assert_eq!(Real::powi(2.0_f64, -2), 0.25);
    /// ```
    #[inline]
    fn powi(self, n: i32) -> Self {
        let (mut power, mut square, mut left) = (Self::ONE, self, n.unsigned_abs());
        while left > 0 {
            if left & 1 == 1 {
                power *= square;
            }
            left >>= 1;
            if left > 0 {
                square *= square;
            }
        }
        if n < 0 { Self::ONE / power } else { power }
    }

    /// The fractional part, with the sign of `x`.
    #[inline]
    fn fract(self) -> Self {
        self - self.trunc()
    }

    /// `x` brought into `[low, high]`; NaN stays NaN. Unlike `std`'s it never panics: where `low > high`
    /// a number below `low` gives `low`, any other that is above `high` gives `high`.
    #[inline]
    fn clamp(self, low: Self, high: Self) -> Self {
        if self < low {
            low
        } else if self > high {
            high
        } else {
            self
        }
    }

    /// Sine and cosine.
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }

    /// Logarithm to a base.
    #[inline]
    fn log(self, base: Self) -> Self {
        self.ln() / base.ln()
    }

    /// -1, 0 or 1, and NaN for NaN; unlike [`signum`](Real::signum) a zero for the two zeros. Ours.
    #[inline]
    fn sign(self) -> Self {
        if self == Self::ZERO { self } else { self.signum() }
    }

    /// The larger of two; NaN where one is. Ours.
    ///
    /// ```
    /// use autodiff_core::Real;
    /// assert!(Real::maximum(1.0, f64::NAN).is_nan());
    /// assert_eq!(Real::max(1.0, f64::NAN), 1.0);
    /// ```
    #[inline]
    fn maximum(self, other: Self) -> Self {
        if self.is_nan() || self > other { self } else { other }
    }

    /// The smaller of two; NaN where one is. Ours.
    #[inline]
    fn minimum(self, other: Self) -> Self {
        if self.is_nan() || self < other { self } else { other }
    }

    /// `x²`. Ours.
    #[inline]
    fn square(self) -> Self {
        self * self
    }

    /// `1/√x`. Ours.
    #[inline]
    fn rsqrt(self) -> Self {
        Self::ONE / self.sqrt()
    }

    /// `x` where it is positive, else 0; NaN stays NaN. Ours.
    #[inline]
    fn relu(self) -> Self {
        if self <= Self::ZERO { Self::ZERO } else { self }
    }

    /// 1 where `x > 0`, else 0: the derivative of [`relu`](Real::relu). Ours.
    #[inline]
    fn step(self) -> Self {
        if self > Self::ZERO { Self::ONE } else { Self::ZERO }
    }

    /// `ln(1 + eˣ)` without overflow. Ours.
    ///
    /// ```
    /// use autodiff_core::Real;
    /// assert_eq!([-1e4_f32, 1e4].map(Real::softplus), [0.0, 1e4]);
    /// ```
    #[inline]
    fn softplus(self) -> Self {
        self.relu() + (-self.abs()).exp().ln_1p()
    }

    /// `ln(sigmoid(x))` without underflow. Ours.
    #[inline]
    fn log_sigmoid(self) -> Self {
        -(-self).relu() - (-self.abs()).exp().ln_1p()
    }

    /// `x·sigmoid(x)`. Ours.
    #[inline]
    fn silu(self) -> Self {
        self * self.sigmoid()
    }

    /// The normal distribution `Φ(x)`, which GELU is `x` times.
    #[doc(hidden)]
    #[inline]
    fn normal_cdf(self) -> Self {
        let half = Self::from_f64(0.5);
        half * (Self::ONE + (self * Self::from_f64(core::f64::consts::FRAC_1_SQRT_2)).erf())
    }

    /// The same by tanh.
    #[doc(hidden)]
    #[inline]
    fn normal_cdf_tanh(self) -> Self {
        let rate = Self::from_f64(core::f64::consts::FRAC_2_SQRT_PI * core::f64::consts::FRAC_1_SQRT_2);
        let inner = rate * (self + Self::from_f64(0.044_715) * self * self * self);
        Self::from_f64(0.5) * (Self::ONE + inner.tanh())
    }

    /// `x·Φ(x)`, with the normal distribution from the error function. Ours.
    #[inline]
    fn gelu(self) -> Self {
        self * self.normal_cdf()
    }

    /// GELU by tanh: `x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³)))`. Ours.
    #[inline]
    fn gelu_tanh(self) -> Self {
        self * self.normal_cdf_tanh()
    }

    /// GELU by the sigmoid: `x·sigmoid(1.702·x)`. Ours.
    #[inline]
    fn gelu_quick(self) -> Self {
        self * (Self::from_f64(1.702) * self).sigmoid()
    }

    /// `x·tanh(softplus(x))`. Ours.
    ///
    /// ```
    /// use autodiff_core::Real;
    /// assert_eq!([-1e4_f32, 0.0, 1e4].map(Real::mish), [0.0, 0.0, 1e4]);
    /// ```
    #[inline]
    fn mish(self) -> Self {
        self * self.softplus().tanh()
    }

    /// `x/(1 + |x|)`. Ours.
    #[inline]
    fn softsign(self) -> Self {
        self / (Self::ONE + self.abs())
    }

    /// `x` brought into `[0, 6]`. Ours.
    #[inline]
    fn relu6(self) -> Self {
        self.clamp(Self::ZERO, Self::from_f64(6.0))
    }

    /// `x` where it is positive, else `slope·x`. Ours.
    #[inline]
    fn leaky_relu(self, slope: Self) -> Self {
        if self > Self::ZERO { self } else { slope * self }
    }

    /// [`leaky_relu`](Real::leaky_relu) with a slope that is learned. Ours.
    #[inline]
    fn prelu(self, slope: Self) -> Self {
        self.leaky_relu(slope)
    }

    /// `x` where it is positive, else `α·(eˣ - 1)`. Ours.
    #[inline]
    fn elu(self, alpha: Self) -> Self {
        if self > Self::ZERO { self } else { alpha * self.exp_m1() }
    }

    /// ELU with the α and the scale that keep mean and variance. Ours.
    #[inline]
    fn selu(self) -> Self {
        Self::from_f64(1.050_700_987_355_480_5) * self.elu(Self::from_f64(1.673_263_242_354_377_2))
    }

    /// `x` where it is positive, else `α·(exp(x/α) - 1)`. Ours.
    #[inline]
    fn celu(self, alpha: Self) -> Self {
        if self > Self::ZERO { self } else { alpha * (self / alpha).exp_m1() }
    }

    /// `x/6 + ½` brought into `[0, 1]`. Ours.
    #[inline]
    fn hard_sigmoid(self) -> Self {
        (self + Self::from_f64(3.0)).relu6() / Self::from_f64(6.0)
    }

    /// `x·hard_sigmoid(x)`. Ours.
    #[inline]
    fn hard_swish(self) -> Self {
        self * (self + Self::from_f64(3.0)).relu6() / Self::from_f64(6.0)
    }

    /// `x` brought into `[-1, 1]`. Ours.
    #[inline]
    fn hard_tanh(self) -> Self {
        self.clamp(-Self::ONE, Self::ONE)
    }
}

#[cfg(test)]
mod tests;
