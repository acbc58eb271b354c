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
