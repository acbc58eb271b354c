//! Nested arrays of numbers, seen as shapes.

use crate::Real;
use crate::interop::Nested;
use core::fmt::Debug;

mod sealed {
    pub trait Sealed {}
}

/// A number or a nested array of numbers: `f32`, `[f64; 3]`, `[[T; N]; M]`, …
///
/// The type *is* the shape, outermost dimension first; elements lie in memory in row-major order without
/// gaps. Sealed: implemented for `f32`, `f64` and arrays of what has it.
///
/// ```
/// use autodiff_core::Shape;
///
/// type Matrix = [[f32; 3]; 2];
/// assert_eq!((Matrix::RANK, Matrix::LEN), (2, 6));
/// assert_eq!(Matrix::flatten(&[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// ```
pub trait Shape: sealed::Sealed + Nested + Copy + PartialEq + Debug + Send + Sync + 'static {
    /// What the innermost array holds.
    type Elem: Real;
    /// The number of dimensions; 0 for a number.
    const RANK: usize;
    /// The number of elements.
    const LEN: usize;
    /// Every element 0.
    const ZEROS: Self;
    /// The dimensions, outermost first.
    const DIMS: Dims;

    /// Every element `value`.
    fn full(value: Self::Elem) -> Self;
    /// All elements of all of `values`.
    fn flatten(values: &[Self]) -> &[Self::Elem];
    /// All elements of all of `values`, to be written to.
    fn flatten_mut(values: &mut [Self]) -> &mut [Self::Elem];
}

macro_rules! scalar {
    ($($t:ty),*) => {$(
        impl sealed::Sealed for $t {}
        impl Shape for $t {
            type Elem = Self;
            const RANK: usize = 0;
            const LEN: usize = 1;
            const ZEROS: Self = 0.0;
            const DIMS: Dims = Dims::SCALAR;

            #[inline]
            fn full(value: Self) -> Self {
                value
            }
            #[inline]
            fn flatten(values: &[Self]) -> &[Self] {
                values
            }
            #[inline]
            fn flatten_mut(values: &mut [Self]) -> &mut [Self] {
                values
            }
        }
    )*};
}
scalar!(f32, f64);

impl<A: sealed::Sealed, const N: usize> sealed::Sealed for [A; N] {}

impl<A: Shape, const N: usize> Shape for [A; N] {
    type Elem = A::Elem;
    const RANK: usize = A::RANK + 1;
    const LEN: usize = N * A::LEN;
    const ZEROS: Self = [A::ZEROS; N];
    const DIMS: Dims = A::DIMS.within(N);

    #[inline]
    fn full(value: Self::Elem) -> Self {
        [A::full(value); N]
    }
    #[inline]
    fn flatten(values: &[Self]) -> &[Self::Elem] {
        A::flatten(values.as_flattened())
    }
    #[inline]
    fn flatten_mut(values: &mut [Self]) -> &mut [Self::Elem] {
        A::flatten_mut(values.as_flattened_mut())
    }
}

/// The dimensions of a leaf, outermost first: at most [`Dims::MAX_RANK`] of them.
///
/// ```
/// use autodiff_core::{Dims, Shape};
///
/// assert_eq!(<[[f32; 3]; 2]>::DIMS.as_slice(), [2, 3]);
/// assert_eq!(Dims::SCALAR.within(4).as_slice(), [4]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dims {
    /// The last `rank` count, so that wrapping in a further array moves nothing.
    dims: [usize; Self::MAX_RANK],
    rank: usize,
}

impl Dims {
    /// How deep arrays may nest.
    pub const MAX_RANK: usize = 8;
    /// No dimensions: a single number.
    pub const SCALAR: Self = Dims { dims: [0; Self::MAX_RANK], rank: 0 };

    /// The dimensions of `n` such values in an array.
    ///
    /// # Panics
    ///
    /// When there would be more than [`Dims::MAX_RANK`]. For arrays this happens at compile time.
    pub const fn within(mut self, n: usize) -> Self {
        assert!(self.rank < Self::MAX_RANK, "arrays of numbers nest at most 8 deep");
        self.rank += 1;
        self.dims[Self::MAX_RANK - self.rank] = n;
        self
    }

    /// The dimensions, outermost first.
    #[inline]
    pub const fn as_slice(&self) -> &[usize] {
        // `rank` never exceeds MAX_RANK, so the subtraction is exact and both halves exist.
        self.dims.split_at(Self::MAX_RANK.saturating_sub(self.rank)).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_of_generic_arrays() {
        fn describe<T: Real, const N: usize>(_: &[[T; N]; 2]) -> (usize, usize) {
            (<[[T; N]; 2]>::RANK, <[[T; N]; 2]>::LEN)
        }
        assert_eq!(describe(&[[1.0_f32; 5]; 2]), (2, 10));
        assert_eq!(<[[[f64; 1]; 0]; 3]>::DIMS.as_slice(), [3, 0, 1]);
        assert_eq!(f64::DIMS.as_slice(), [0; 0]);
    }

    #[test]
    fn full_and_zeros() {
        assert_eq!(<[[f32; 2]; 2]>::full(3.0), [[3.0; 2]; 2]);
        assert_eq!(<[[f32; 2]; 2]>::ZEROS, [[0.0; 2]; 2]);
    }
}
