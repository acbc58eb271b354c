//! Sets of columns in the place of tangents: see Note [Patterns] in `sparse.rs`.

use crate::Real;
use crate::generated::Zero;
use crate::jacobian::Rows;
use crate::lanes::{Columns, Wide, WideLeaf, Zeros, one_number};
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A set of columns.
pub trait Set: Copy {
    const EMPTY: Self;
    /// What any column may be in.
    const FULL: Self;

    #[must_use]
    fn union(self, other: Self) -> Self;
}

/// A set as a tangent of numbers `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depends<T, S> {
    pub on: S,
    number: PhantomData<fn() -> T>,
}

impl<T, S: Set> Depends<T, S> {
    pub const fn on(on: S) -> Self {
        Depends { on, number: PhantomData }
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        Depends::on(self.on.union(other.on))
    }
}

impl<T: Real, S: Set + 'static> Wide<T> for Depends<T, S> {
    const LANES: usize = 1;
    const IS_SET: bool = true;
    const ZERO: Self = Depends::on(S::EMPTY);

    /// No tangent is the same in all directions but 0.
    #[inline]
    fn splat(value: T) -> Self {
        if value == T::ZERO { <Self as Wide<T>>::ZERO } else { Depends::on(S::FULL) }
    }

    #[inline]
    fn choose(_: bool, a: Self, b: Self) -> Self {
        a.and(b)
    }

    #[inline]
    fn joined(self, others: &[Self]) -> Self {
        others.iter().fold(self, |all, other| all.and(*other))
    }

    #[inline]
    fn reach(leaf: &(impl WideLeaf<T, Self> + ?Sized)) -> Self {
        let mut all = <Self as Wide<T>>::ZERO;
        leaf.visit(&mut |set| all = all.and(*set));
        all
    }

    #[inline]
    fn reach_at<X: WideLeaf<T, Self>>(leaf: &[X], at: usize) -> Self {
        leaf.get(at).map_or(<Self as Wide<T>>::ZERO, Self::reach)
    }
}

impl<T, S: Set> Add for Depends<T, S> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.and(other)
    }
}

impl<T, S: Set> Sub for Depends<T, S> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.and(other)
    }
}

impl<T, S: Set> Neg for Depends<T, S> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self
    }
}

/// A factor that is 0 here need not be so elsewhere.
impl<T, S: Set> Mul<T> for Depends<T, S> {
    type Output = Self;
    #[inline]
    fn mul(self, _: T) -> Self {
        self
    }
}

impl<T, S: Set> Div<T> for Depends<T, S> {
    type Output = Self;
    #[inline]
    fn div(self, _: T) -> Self {
        self
    }
}

impl<T: Copy, S: Set> AddAssign for Depends<T, S> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = self.and(other);
    }
}

impl<T: Copy, S: Set> SubAssign for Depends<T, S> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = self.and(other);
    }
}

impl<T: Real, S: Set + 'static> Zero for Depends<T, S> {
    const ZERO: Self = <Self as Wide<T>>::ZERO;
    #[inline]
    fn set_zero(&mut self) {
        *self = <Self as Wide<T>>::ZERO;
    }
}

impl<T: Real, S: Set + 'static> Zeros<T, Self> for Depends<T, S> {
    const ZEROS: Self = <Self as Wide<T>>::ZERO;
}

impl<T: Real, S: Set + 'static> WideLeaf<T, Self> for Depends<T, S> {
    one_number!(T);

    #[inline]
    fn set_lane(&mut self, _: usize, one: &T) {
        *self = Wide::splat(*one);
    }
    /// There is no number in a set.
    #[inline]
    fn write_lane(&self, _: usize, _: &mut T) {}
    #[inline]
    fn write_rows(&self, _: Columns, number: &mut usize, _: &mut (impl Rows<T> + ?Sized)) {
        *number += 1;
    }
}

/// How many columns a short set has room for.
const FEW: usize = 30;

/// No more than a few columns of any number, in increasing order, or all that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Few {
    count: u32,
    columns: [u32; FEW],
}

impl Few {
    pub fn one(column: usize) -> Few {
        let Ok(column) = u32::try_from(column) else { return Few::FULL };
        let mut columns = [0; FEW];
        columns[0] = column;
        Few { count: 1, columns }
    }

    /// Its columns; none, if there are too many.
    pub fn columns(&self) -> Option<&[u32]> {
        self.columns.get(..self.count as usize)
    }
}

impl Set for Few {
    const EMPTY: Few = Few { count: 0, columns: [0; FEW] };
    const FULL: Few = Few { count: u32::MAX, columns: [0; FEW] };

    fn union(self, other: Few) -> Few {
        let (Some(mut a), Some(mut b)) = (self.columns(), other.columns()) else { return Few::FULL };
        if b.is_empty() || self == other {
            return self;
        }
        if a.is_empty() {
            return other;
        }
        let mut all = Few::EMPTY;
        while let Some(least) = a.first().into_iter().chain(b.first()).min().copied() {
            let Some(place) = all.columns.get_mut(all.count as usize) else { return Few::FULL };
            *place = least;
            all.count += 1;
            for rest in [&mut a, &mut b] {
                if rest.first() == Some(&least) {
                    *rest = &rest[1..];
                }
            }
        }
        all
    }
}

const WORDS: usize = 8;

/// How many columns a range has.
pub const RANGE: usize = 64 * WORDS;

/// Columns of a range of them, a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits([u64; WORDS]);

impl Bits {
    /// The set of a column, by its place in the range; none of those outside.
    pub fn one(place: usize) -> Bits {
        let mut bits = Bits::EMPTY;
        if let Some(word) = bits.0.get_mut(place / 64) {
            *word = 1 << (place % 64);
        }
        bits
    }

    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        (0..RANGE).filter(|place| self.0[place / 64] >> (place % 64) & 1 == 1)
    }
}

impl Set for Bits {
    const EMPTY: Bits = Bits([0; WORDS]);
    const FULL: Bits = Bits([u64::MAX; WORDS]);

    #[inline]
    fn union(self, other: Bits) -> Bits {
        Bits(core::array::from_fn(|k| self.0[k] | other.0[k]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn factors_change_nothing_and_sums_are_unions() {
        let (a, b) = (Depends::<f64, _>::on(Few::one(7)), Depends::on(Few::one(3)));
        let sum = a * 0.0 - -b / f64::INFINITY + Wide::splat(0.0);
        assert_eq!(sum.on.columns(), Some(&[3, 7][..]));
        assert_eq!((sum + Wide::splat(1.0)).on.columns(), None);
    }

    #[test]
    fn short_sets_know_when_they_are_too_short() {
        let mut all = Few::EMPTY;
        for column in (0..FEW).rev() {
            all = all.union(Few::one(column * 3)).union(all);
        }
        let columns: Vec<u32> = (0..FEW as u32).map(|k| 3 * k).collect();
        assert_eq!(all.columns(), Some(&columns[..]));
        assert_eq!(all.union(Few::one(1)).columns(), None);
        assert_eq!(all.union(Few::one(1)).union(all), Few::FULL);
        assert_eq!(Few::one(usize::MAX), Few::FULL);
    }

    #[test]
    fn bits_of_a_range() {
        let set = Bits::one(511).union(Bits::one(64)).union(Bits::one(512));
        assert_eq!(set.columns().collect::<Vec<_>>(), [64, 511]);
        assert_eq!(Bits::FULL.columns().count(), RANGE);
    }
}
