//! An array seen as a tensor, without a copy.

use crate::Tensor;

impl<A> Tensor<A> {
    /// An array as a tensor.
    ///
    /// ```
    /// use autodiff_core::Tensor;
    /// let array = [[1.0, 2.0]];
    /// assert_eq!(Tensor::from_ref(&array)[[0, 1]], 2.0);
    /// ```
    #[inline]
    pub const fn from_ref(array: &A) -> &Self {
        // SAFETY: `Tensor<A>` is `repr(transparent)` over `A`, so both have the same layout and the same valid
        // values; the result borrows what the argument borrowed, for as long.
        unsafe { &*core::ptr::from_ref(array).cast::<Self>() }
    }

    /// An array as a tensor, to write to it.
    #[inline]
    pub const fn from_mut(array: &mut A) -> &mut Self {
        // SAFETY: as in `from_ref`; the argument's unique borrow is the result's.
        unsafe { &mut *core::ptr::from_mut(array).cast::<Self>() }
    }
}

/// `nalgebra`'s vectors and matrices, of which an array is borrowed.
#[cfg(any(feature = "nalgebra", feature = "nalgebra-0-34"))]
pub mod nalgebra {
    use ::nalgebra::{SMatrix, SVector};

    /// The matrix that has these columns.
    #[must_use]
    pub const fn matrix_ref<T, const R: usize, const C: usize>(columns: &[[T; R]; C]) -> &SMatrix<T, R, C> {
        const { assert_layout::<T, R, C>() };
        // SAFETY: `Matrix` is `repr(C)` with the storage as its only field that is not of size 0, and `ArrayStorage` is `repr(transparent)`
        // over `[[T; R]; C]`. So size, alignment and validity are those of the array, which the assertion above checks as far as rustc can.
        unsafe { &*core::ptr::from_ref(columns).cast() }
    }

    /// The same, to be changed.
    pub const fn matrix_mut<T, const R: usize, const C: usize>(columns: &mut [[T; R]; C]) -> &mut SMatrix<T, R, C> {
        const { assert_layout::<T, R, C>() };
        // SAFETY: as in `matrix_ref`; the argument's unique borrow is the result's.
        unsafe { &mut *core::ptr::from_mut(columns).cast() }
    }

    /// The vector that has these numbers.
    #[must_use]
    pub const fn vector_ref<T, const R: usize>(numbers: &[T; R]) -> &SVector<T, R> {
        matrix_ref(core::array::from_ref(numbers))
    }

    /// The same, to be changed.
    pub const fn vector_mut<T, const R: usize>(numbers: &mut [T; R]) -> &mut SVector<T, R> {
        matrix_mut(core::array::from_mut(numbers))
    }

    const fn assert_layout<T, const R: usize, const C: usize>() {
        assert!(size_of::<SMatrix<T, R, C>>() == size_of::<[[T; R]; C]>());
        assert!(align_of::<SMatrix<T, R, C>>() == align_of::<[[T; R]; C]>());
    }

    #[cfg(test)]
    mod tests {
        use super::{matrix_mut, matrix_ref, vector_mut, vector_ref};
        use ::nalgebra::{Matrix2x3, Vector3};

        #[test]
        fn an_array_is_seen_as_a_matrix() {
            let mut columns = [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]];
            assert_eq!(*matrix_ref(&columns), Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0));
            matrix_mut(&mut columns)[(1, 2)] = 7.0;
            assert_eq!(columns[2], [3.0, 7.0]);
            let mut numbers = [1.0_f32, 2.0, 3.0];
            assert_eq!(*vector_ref(&numbers), Vector3::new(1.0, 2.0, 3.0));
            vector_mut(&mut numbers).x = 5.0;
            assert_eq!(numbers, [5.0, 2.0, 3.0]);
        }
    }
}
