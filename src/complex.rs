#![doc = include_str!("../docs/complex.md")]

use crate::{Differentiable, Real, differentiable};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// `re + i·im`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Complex<T> {
    /// The real part.
    pub re: T,
    /// The imaginary part.
    pub im: T,
}

impl<T: Real> ComplexTangent<T> {
    /// As a complex number: a direction, or the gradient as PyTorch has it, `∂f/∂re + i·∂f/∂im`.
    pub fn to_complex(&self) -> Complex<T> {
        Complex { re: self.re, im: self.im }
    }

    /// The gradient of a real function as JAX has it, `∂f/∂re − i·∂f/∂im`. If `f` is the real part of a holomorphic function,
    /// it is the derivative of that.
    pub fn conj(&self) -> Complex<T> {
        Complex { re: self.re, im: -self.im }
    }
}

impl<T: Real> From<Complex<T>> for ComplexTangent<T> {
    fn from(z: Complex<T>) -> Self {
        Self { re: z.re, im: z.im }
    }
}

#[differentiable(order = 2)]
impl<T: Real> Complex<T> {
    /// `re + i·im`.
    pub fn new(re: T, im: T) -> Self {
        Self { re, im }
    }

    /// `r·(cos θ + i·sin θ)`.
    pub fn from_polar(r: T, theta: T) -> Self {
        Self { re: r * theta.cos(), im: r * theta.sin() }
    }

    /// `re − i·im`.
    pub fn conj(self) -> Self {
        Self { re: self.re, im: -self.im }
    }

    /// `|z|²`.
    pub fn norm_sqr(self) -> T {
        self.re * self.re + self.im * self.im
    }

    /// `|z|`, without overflow.
    pub fn norm(self) -> T {
        self.re.hypot(self.im)
    }

    /// The angle in (−π, π].
    pub fn arg(self) -> T {
        self.im.atan2(self.re)
    }

    /// `1/z`.
    pub fn inv(self) -> Self {
        Self { re: T::from_f64(1.0), im: T::from_f64(0.0) } / self
    }

    /// `eᶻ`.
    pub fn exp(self) -> Self {
        let r = self.re.exp();
        Self { re: r * self.im.cos(), im: r * self.im.sin() }
    }

    /// The principal logarithm, `ln |z| + i·arg z`.
    pub fn ln(self) -> Self {
        Self { re: self.re.hypot(self.im).ln(), im: self.im.atan2(self.re) }
    }

    /// The principal root, with a real part ≥ 0.
    pub fn sqrt(self) -> Self {
        let half = T::from_f64(0.5);
        let r = self.re.hypot(self.im);
        if r == T::from_f64(0.0) {
            // The derivative of the root is infinite here.
            return Self { re: self.re.sqrt(), im: self.im.sqrt() };
        }
        if self.re >= T::from_f64(0.0) {
            let root = (half * (r + self.re)).sqrt();
            Self { re: root, im: half * self.im / root }
        } else {
            let root = (half * (r - self.re)).sqrt().copysign(self.im);
            Self { re: half * self.im / root, im: root }
        }
    }

    /// A real power, `e^(p·ln z)`.
    pub fn powf(self, p: T) -> Self {
        let (ln_r, theta) = (self.re.hypot(self.im).ln(), self.im.atan2(self.re));
        let (r, angle) = ((p * ln_r).exp(), p * theta);
        Self { re: r * angle.cos(), im: r * angle.sin() }
    }

    /// A complex power, `e^(w·ln z)`.
    pub fn powc(self, w: Self) -> Self {
        let (ln_r, theta) = (self.re.hypot(self.im).ln(), self.im.atan2(self.re));
        let (r, angle) = ((w.re * ln_r - w.im * theta).exp(), w.re * theta + w.im * ln_r);
        Self { re: r * angle.cos(), im: r * angle.sin() }
    }

    /// The sine.
    pub fn sin(self) -> Self {
        Self { re: self.re.sin() * self.im.cosh(), im: self.re.cos() * self.im.sinh() }
    }

    /// The cosine.
    pub fn cos(self) -> Self {
        Self { re: self.re.cos() * self.im.cosh(), im: -(self.re.sin() * self.im.sinh()) }
    }

    /// The tangent, without overflow.
    pub fn tan(self) -> Self {
        let (t, h, one) = (self.re.tan(), self.im.tanh(), T::from_f64(1.0));
        let below = one + t * t * h * h;
        Self { re: t * (one - h * h) / below, im: h * (one + t * t) / below }
    }

    /// The hyperbolic sine.
    pub fn sinh(self) -> Self {
        Self { re: self.re.sinh() * self.im.cos(), im: self.re.cosh() * self.im.sin() }
    }

    /// The hyperbolic cosine.
    pub fn cosh(self) -> Self {
        Self { re: self.re.cosh() * self.im.cos(), im: self.re.sinh() * self.im.sin() }
    }

    /// The hyperbolic tangent, without overflow.
    pub fn tanh(self) -> Self {
        let (h, t, one) = (self.re.tanh(), self.im.tan(), T::from_f64(1.0));
        let below = one + h * h * t * t;
        Self { re: h * (one + t * t) / below, im: t * (one - h * h) / below }
    }
}

#[differentiable(order = 2)]
impl<T: Real> Add for Complex<T> {
    type Output = Self;
    fn add(self, w: Self) -> Self {
        Self { re: self.re + w.re, im: self.im + w.im }
    }
}

#[differentiable(order = 2)]
impl<T: Real> Sub for Complex<T> {
    type Output = Self;
    fn sub(self, w: Self) -> Self {
        Self { re: self.re - w.re, im: self.im - w.im }
    }
}

#[differentiable(order = 2)]
impl<T: Real> Mul for Complex<T> {
    type Output = Self;
    fn mul(self, w: Self) -> Self {
        Self { re: self.re * w.re - self.im * w.im, im: self.re * w.im + self.im * w.re }
    }
}

#[differentiable(order = 2)]
impl<T: Real> Div for Complex<T> {
    type Output = Self;
    fn div(self, w: Self) -> Self {
        // As R. L. Smith does (Algorithm 116, Communications of the ACM 5, 1962): `|w|²` may overflow.
        if w.re.abs() >= w.im.abs() {
            let ratio = w.im / w.re;
            let below = w.re + w.im * ratio;
            Self { re: (self.re + self.im * ratio) / below, im: (self.im - self.re * ratio) / below }
        } else {
            let ratio = w.re / w.im;
            let below = w.re * ratio + w.im;
            Self { re: (self.re * ratio + self.im) / below, im: (self.im * ratio - self.re) / below }
        }
    }
}

#[differentiable(order = 2)]
impl<T: Real> Neg for Complex<T> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
}

// With a real number on the right.
#[differentiable(order = 2)]
impl<T: Real> Add<T> for Complex<T> {
    type Output = Self;
    fn add(self, k: T) -> Self {
        Self { re: self.re + k, im: self.im }
    }
}

#[differentiable(order = 2)]
impl<T: Real> Sub<T> for Complex<T> {
    type Output = Self;
    fn sub(self, k: T) -> Self {
        Self { re: self.re - k, im: self.im }
    }
}

#[differentiable(order = 2)]
impl<T: Real> Mul<T> for Complex<T> {
    type Output = Self;
    fn mul(self, k: T) -> Self {
        Self { re: self.re * k, im: self.im * k }
    }
}

#[differentiable(order = 2)]
impl<T: Real> Div<T> for Complex<T> {
    type Output = Self;
    fn div(self, k: T) -> Self {
        Self { re: self.re / k, im: self.im / k }
    }
}

// With one on the left, of double precision: the function of an operator has one name for numbers of any precision.
#[differentiable(order = 2)]
impl Add<Complex<f64>> for f64 {
    type Output = Complex<f64>;
    fn add(self, z: Complex<f64>) -> Complex<f64> {
        Complex { re: self + z.re, im: z.im }
    }
}

#[differentiable(order = 2)]
impl Sub<Complex<f64>> for f64 {
    type Output = Complex<f64>;
    fn sub(self, z: Complex<f64>) -> Complex<f64> {
        Complex { re: self - z.re, im: -z.im }
    }
}

#[differentiable(order = 2)]
impl Mul<Complex<f64>> for f64 {
    type Output = Complex<f64>;
    fn mul(self, z: Complex<f64>) -> Complex<f64> {
        Complex { re: self * z.re, im: self * z.im }
    }
}

#[differentiable(order = 2)]
impl Div<Complex<f64>> for f64 {
    type Output = Complex<f64>;
    fn div(self, z: Complex<f64>) -> Complex<f64> {
        Complex { re: self, im: 0.0 } / z
    }
}

#[differentiable(order = 2)]
impl<T: Real> AddAssign for Complex<T> {
    fn add_assign(&mut self, w: Self) {
        *self = *self + w;
    }
}

#[differentiable(order = 2)]
impl<T: Real> AddAssign<T> for Complex<T> {
    fn add_assign(&mut self, k: T) {
        *self = *self + k;
    }
}

#[differentiable(order = 2)]
impl<T: Real> SubAssign for Complex<T> {
    fn sub_assign(&mut self, w: Self) {
        *self = *self - w;
    }
}

#[differentiable(order = 2)]
impl<T: Real> SubAssign<T> for Complex<T> {
    fn sub_assign(&mut self, k: T) {
        *self = *self - k;
    }
}

#[differentiable(order = 2)]
impl<T: Real> MulAssign for Complex<T> {
    fn mul_assign(&mut self, w: Self) {
        *self = *self * w;
    }
}

#[differentiable(order = 2)]
impl<T: Real> MulAssign<T> for Complex<T> {
    fn mul_assign(&mut self, k: T) {
        *self = *self * k;
    }
}

#[differentiable(order = 2)]
impl<T: Real> DivAssign for Complex<T> {
    fn div_assign(&mut self, w: Self) {
        *self = *self / w;
    }
}

#[differentiable(order = 2)]
impl<T: Real> DivAssign<T> for Complex<T> {
    fn div_assign(&mut self, k: T) {
        *self = *self / k;
    }
}
