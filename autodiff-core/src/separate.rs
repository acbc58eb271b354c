//! Hessians that are diagonal.
//!
//! Note [Diagonal Hessians]. In a sum of terms that have one number of the parameter each, as in k-means, the derivative by a number
//! changes with that number alone. Then the tangent of the gradient in the direction of ones is the diagonal of the Hessian, at the
//! price of one tangent. Often the text of the function tells, see `analysis/separable.rs` of the macro crate. Else it is found on
//! the way: beside each tangent stands which one number it depends on.

use crate::Real;
use crate::generated::Zero;
use crate::jacobian::Rows;
use crate::lanes::{Columns, Wide, WideLeaf, Zeros, one_number};
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Which number of the parameters something depends on: the number of its place, and beside it the same with all bits inverted. So
/// what two depend on is joined by `|`, and if they are different numbers, a bit and its inverse are set.
type Place = u64;

/// Depends on none.
const NONE: Place = 0;

/// May depend on any.
const ANY: Place = Place::MAX;

/// What depends on one number only. Places that have no 32 bits are not told from each other.
#[inline(always)]
fn on(place: usize) -> Place {
    u32::try_from(place).map_or(ANY, |place| Place::from(place) << 32 | Place::from(!place))
}

/// A tangent in the direction of ones, and the one number of the parameters that it depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separate<T> {
    pub value: T,
    on: Place,
}

/// Makes the tangents of a leaf ones. `next` is how many numbers stand before it.
#[inline]
pub fn set_ones<T: Real>(leaf: &mut (impl WideLeaf<T, Separate<T>> + ?Sized), next: &mut usize) {
    leaf.visit_mut(&mut |tangent| {
        *tangent = Separate { value: T::ONE, on: on(*next) };
        *next += 1;
    });
}

/// Whether each tangent of a leaf of the gradient depends on its own number of the parameter only.
#[inline]
pub fn are_separate<T: Real>(leaf: &(impl WideLeaf<T, Separate<T>> + ?Sized), next: &mut usize) -> bool {
    let mut all = true;
    leaf.visit(&mut |tangent| {
        all &= tangent.on == NONE || tangent.on == on(*next) && tangent.on != ANY;
        *next += 1;
    });
    all
}

impl<T> Separate<T> {
    #[inline(always)]
    fn joined(self, other: Self, value: T) -> Self {
        Separate { value, on: self.on | other.on }
    }
}

impl<T: Real> Wide<T> for Separate<T> {
    const LANES: usize = 1;
    const ZERO: Self = Separate { value: T::ZERO, on: NONE };

    #[inline(always)]
    fn splat(value: T) -> Self {
        Separate { value, on: if value == T::ZERO { NONE } else { ANY } }
    }
}

impl<T: Real> Add for Separate<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.joined(other, self.value + other.value)
    }
}

impl<T: Real> Sub for Separate<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.joined(other, self.value - other.value)
    }
}

impl<T: Real> Neg for Separate<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Separate { value: -self.value, ..self }
    }
}

impl<T: Real> Mul<T> for Separate<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: T) -> Self {
        Separate { value: self.value * factor, ..self }
    }
}

impl<T: Real> Div<T> for Separate<T> {
    type Output = Self;
    #[inline(always)]
    fn div(self, divisor: T) -> Self {
        Separate { value: self.value / divisor, ..self }
    }
}

impl<T: Real> AddAssign for Separate<T> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<T: Real> SubAssign for Separate<T> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<T: Real> Zero for Separate<T> {
    const ZERO: Self = <Self as Wide<T>>::ZERO;
    #[inline]
    fn set_zero(&mut self) {
        *self = <Self as Wide<T>>::ZERO;
    }
}

impl<T: Real> Zeros<T, Self> for Separate<T> {
    const ZEROS: Self = <Self as Wide<T>>::ZERO;
}

impl<T: Real> WideLeaf<T, Self> for Separate<T> {
    one_number!(T);

    /// What a plain tangent depends on is not known.
    #[inline]
    fn set_lane(&mut self, _: usize, one: &T) {
        *self = Separate { value: *one, on: ANY };
    }
    #[inline]
    fn write_lane(&self, _: usize, one: &mut T) {
        *one = self.value;
    }
    /// These are in no rows of a matrix.
    #[inline]
    fn write_rows(&self, _: Columns, number: &mut usize, _: &mut (impl Rows<T> + ?Sized)) {
        *number += 1;
    }
}
