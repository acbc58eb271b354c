//! Tensors: nested arrays with their shape as their type.

use crate::{Real, Shape};
use core::fmt;
use core::ops::{Index, IndexMut};

/// A nested array whose type is its shape: `Tensor<[[f32; 3]; 2]>` is 2 by 3.
///
/// Row-major, without gaps and without a heap. The aliases [`Tensor1`] to [`Tensor6`] write the dimensions in
/// order. Arithmetic is for differentiable functions, where it is checked and fused at compile time; here
/// is what makes, reads and writes a tensor.
///
/// ```
/// use autodiff_core::{Tensor, Tensor2};
///
/// let mut t = Tensor2::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
/// t[[0, 2]] = 7.0;
/// assert_eq!(t.as_slice(), [1.0, 2.0, 7.0, 4.0, 5.0, 6.0]);
/// assert_eq!(t.dims(), [2, 3]);
/// assert_eq!(t, Tensor([[1.0, 2.0, 7.0], [4.0, 5.0, 6.0]]));
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tensor<A>(pub A);

impl<A: Shape> Tensor<A> {
    /// The number of dimensions.
    pub const RANK: usize = A::RANK;
    /// The number of elements.
    pub const LEN: usize = A::LEN;
    /// The dimensions, outermost first.
    pub const DIMS: &'static [usize] = {
        let dims: &'static crate::Dims = &A::DIMS;
        dims.as_slice()
    };

    /// Every element 0.
    ///
    /// ```
    /// # use autodiff_core::Tensor2;
    /// const Z: Tensor2<f32, 2, 2> = Tensor2::zeros();
    /// assert_eq!(Z.as_slice(), [0.0; 4]);
    /// ```
    #[inline]
    pub const fn zeros() -> Self {
        Tensor(A::ZEROS)
    }

    /// Every element 1.
    #[inline]
    pub fn ones() -> Self {
        Self::full(A::Elem::ONE)
    }

    /// Every element `value`.
    ///
    /// ```
    /// # use autodiff_core::Tensor2;
    /// assert_eq!(Tensor2::full(0.5), Tensor2::from([[0.5, 0.5]]));
    /// ```
    #[inline]
    pub fn full(value: A::Elem) -> Self {
        Tensor(A::full(value))
    }

    /// `f` of every index, in row-major order.
    ///
    /// ```
    /// # use autodiff_core::Tensor2;
    /// let t = Tensor2::from_fn(|[i, j]| (10 * i + j) as f32);
    /// assert_eq!(t, Tensor2::from([[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]));
    /// ```
    pub fn from_fn<const R: usize, T>(mut f: impl FnMut([usize; R]) -> T) -> Self
    where
        A: Rank<R, T>,
    {
        let mut tensor = Self::zeros();
        let mut index = [0; R];
        for x in tensor.as_mut_slice() {
            *x = f(index);
            for (i, n) in index.iter_mut().zip(Self::DIMS).rev() {
                *i += 1;
                if *i < *n {
                    break;
                }
                *i = 0;
            }
        }
        tensor
    }

    /// The elements of `data` in row-major order.
    ///
    /// ```
    /// # use autodiff_core::Tensor2;
    /// let t: Tensor2<f64, 2, 2> = Tensor2::from_slice(&[1.0, 2.0, 3.0, 4.0]);
    /// assert_eq!(t[[1, 0]], 3.0);
    /// ```
    ///
    /// # Panics
    ///
    /// When `data` has not exactly [`LEN`](Self::LEN) elements; [`try_from_slice`](Self::try_from_slice) does not panic.
    #[track_caller]
    pub fn from_slice(data: &[A::Elem]) -> Self {
        match Self::try_from_slice(data) {
            Ok(tensor) => tensor,
            Err(error) => panic!("{error}"),
        }
    }

    /// The elements of `data` in row-major order, if their number is right.
    ///
    /// # Errors
    ///
    /// When `data` has not exactly [`LEN`](Self::LEN) elements.
    ///
    /// ```
    /// # use autodiff_core::Tensor1;
    /// let error = Tensor1::<f32, 3>::try_from_slice(&[1.0]).unwrap_err();
    /// assert_eq!(error.to_string(), "a tensor of shape [3] has 3 elements, the slice has 1");
    /// ```
    pub fn try_from_slice(data: &[A::Elem]) -> Result<Self, LengthMismatch> {
        if data.len() != A::LEN {
            return Err(LengthMismatch { dims: Self::DIMS, expected: A::LEN, found: data.len() });
        }
        let mut tensor = Self::zeros();
        for (to, from) in tensor.as_mut_slice().iter_mut().zip(data) {
            *to = *from;
        }
        Ok(tensor)
    }

    /// The elements in row-major order.
    #[inline]
    pub fn as_slice(&self) -> &[A::Elem] {
        A::flatten(core::slice::from_ref(&self.0))
    }

    /// The elements in row-major order, to be written to.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [A::Elem] {
        A::flatten_mut(core::slice::from_mut(&mut self.0))
    }

    /// The dimensions, outermost first; also known as the constant [`DIMS`](Self::DIMS).
    #[inline]
    pub const fn dims(&self) -> &'static [usize] {
        Self::DIMS
    }

    /// The number of elements; also known as the constant [`LEN`](Self::LEN).
    #[inline]
    pub const fn len(&self) -> usize {
        A::LEN
    }

    /// Is a dimension 0?
    #[inline]
    pub const fn is_empty(&self) -> bool {
        A::LEN == 0
    }

    /// The nested array.
    #[inline]
    pub fn into_inner(self) -> A {
        self.0
    }

    /// `f` of every element.
    ///
    /// ```
    /// # use autodiff_core::Tensor1;
    /// assert_eq!(Tensor1::from([1.0, 2.0]).map(|x| 10.0 * x), Tensor1::from([10.0, 20.0]));
    /// ```
    #[inline]
    pub fn map(mut self, mut f: impl FnMut(A::Elem) -> A::Elem) -> Self {
        for x in self.as_mut_slice() {
            *x = f(*x);
        }
        self
    }

    /// The elements in row-major order.
    #[inline]
    pub fn iter(&self) -> core::slice::Iter<'_, A::Elem> {
        self.as_slice().iter()
    }

    /// The elements in row-major order, to be written to.
    #[inline]
    pub fn iter_mut(&mut self) -> core::slice::IterMut<'_, A::Elem> {
        self.as_mut_slice().iter_mut()
    }

    /// Every element 0, on the heap without having been on the stack: for tensors larger than the latter.
    ///
    /// ```
    /// # use autodiff_core::Tensor2;
    /// let t: Box<Tensor2<f32, 4096, 4096>> = Tensor2::boxed_zeros();
    /// assert_eq!(t[[4095, 4095]], 0.0);
    /// ```
    #[cfg(feature = "alloc")]
    pub fn boxed_zeros() -> alloc::boxed::Box<Self> {
        let zeroed = alloc::boxed::Box::<Self>::new_zeroed();
        // SAFETY: `Self` is a transparent wrapper of `A`. `Shape` is sealed, and its implementors are `f32`, `f64`
        // and arrays of implementors: by induction `A` consists of floats only, and an array adds no padding
        // that could matter. A float with all bits zero is 0.0, so all bytes zero are a valid value of `Self`.
        unsafe { zeroed.assume_init() }
    }
}

impl<A: Shape> Default for Tensor<A> {
    #[inline]
    fn default() -> Self {
        Self::zeros()
    }
}

impl<A: Shape> From<A> for Tensor<A> {
    #[inline]
    fn from(array: A) -> Self {
        Tensor(array)
    }
}

impl<'a, A: Shape> IntoIterator for &'a Tensor<A> {
    type Item = &'a A::Elem;
    type IntoIter = core::slice::Iter<'a, A::Elem>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, A: Shape> IntoIterator for &'a mut Tensor<A> {
    type Item = &'a mut A::Elem;
    type IntoIter = core::slice::IterMut<'a, A::Elem>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T: Real, const N: usize> Tensor2<T, N, N> {
    /// The identity matrix.
    ///
    /// ```
    /// # use autodiff_core::Tensor2;
    /// assert_eq!(Tensor2::eye(), Tensor2::from([[1.0, 0.0], [0.0, 1.0]]));
    /// ```
    #[inline]
    pub fn eye() -> Self {
        let mut tensor = Self::zeros();
        for (k, row) in tensor.0.iter_mut().enumerate() {
            row[k] = T::ONE;
        }
        tensor
    }
}

/// An array of `T` with `R` dimensions, at most 6: what an index `[usize; R]` is for.
///
/// `T` is the element type that the array has anyway; here it lets the compiler infer it.
#[diagnostic::on_unimplemented(message = "an index of {R} numbers does not fit a tensor of shape `{Self}`")]
pub trait Rank<const R: usize, T>: Shape<Elem = T> {}

/// What one rank has of its own: its alias and indexing.
macro_rules! rank {
    ($alias:ident, $rank:literal, $what:literal, [$($n:ident $k:tt),*], $array:ty) => {
        #[doc = concat!("A tensor ", $what, ", outermost dimension first: see [`Tensor`].")]
        pub type $alias<T, $(const $n: usize),*> = Tensor<$array>;

        impl<T: Real, $(const $n: usize),*> Rank<$rank, T> for $array {}

        impl<T: Real, $(const $n: usize),*> Index<[usize; $rank]> for $alias<T, $($n),*> {
            type Output = T;
            #[inline]
            #[track_caller]
            fn index(&self, index: [usize; $rank]) -> &T {
                &self.0 $([index[$k]])*
            }
        }

        impl<T: Real, $(const $n: usize),*> IndexMut<[usize; $rank]> for $alias<T, $($n),*> {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, index: [usize; $rank]) -> &mut T {
                &mut self.0 $([index[$k]])*
            }
        }
    };
}
rank!(Tensor1, 1, "of one dimension, a vector", [A 0], [T; A]);
rank!(Tensor2, 2, "of two dimensions, a matrix", [A 0, B 1], [[T; B]; A]);
rank!(Tensor3, 3, "of three dimensions", [A 0, B 1, C 2], [[[T; C]; B]; A]);
rank!(Tensor4, 4, "of four dimensions", [A 0, B 1, C 2, D 3], [[[[T; D]; C]; B]; A]);
rank!(Tensor5, 5, "of five dimensions", [A 0, B 1, C 2, D 3, E 4], [[[[[T; E]; D]; C]; B]; A]);
rank!(Tensor6, 6, "of six dimensions", [A 0, B 1, C 2, D 3, E 4, F 5], [[[[[[T; F]; E]; D]; C]; B]; A]);

/// A slice has not as many elements as the tensor to be made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthMismatch {
    dims: &'static [usize],
    expected: usize,
    found: usize,
}

impl fmt::Display for LengthMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dims, expected, found } = self;
        write!(f, "a tensor of shape {dims:?} has {expected} elements, the slice has {found}")
    }
}

impl core::error::Error for LengthMismatch {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[test]
    fn every_rank_counts_in_row_major_order() {
        let mut n = 0.0;
        let mut next = || {
            n += 1.0;
            n
        };
        let t = Tensor6::<f64, 1, 2, 3, 2, 1, 2>::from_fn(|_| next());
        assert!(t.iter().zip(1..).all(|(x, i)| *x == f64::from(i)));
        assert_eq!(t[[0, 1, 2, 1, 0, 1]], 24.0);
        assert_eq!(t[[0, 1, 0, 1, 0, 0]], 15.0);
        let t = Tensor3::<f32, 2, 2, 2>::from_fn(|[i, j, k]| (100 * i + 10 * j + k) as f32);
        assert_eq!(t.0, [[[0.0, 1.0], [10.0, 11.0]], [[100.0, 101.0], [110.0, 111.0]]]);
    }

    #[test]
    fn generic_element_and_shape() {
        fn double<T: Real, const N: usize>(x: &Tensor1<T, N>) -> Tensor1<T, N> {
            let two = Tensor1::<T, N>::full(T::ONE + T::ONE);
            Tensor1::from_fn(|[i]| two[[i]] * x[[i]])
        }
        assert_eq!(double(&Tensor1::from([1.5_f32, 2.0])).into_inner(), [3.0, 4.0]);
    }

    #[test]
    fn empty_dimension() {
        let t = Tensor2::<f32, 0, 3>::from_fn(|_| unreachable!());
        assert!(t.is_empty() && t.iter().next().is_none() && t.dims() == [0, 3]);
    }

    #[test]
    fn debug_is_nested() {
        assert_eq!(format!("{:?}", Tensor2::from([[1.0_f32], [2.0]])), "Tensor([[1.0], [2.0]])");
    }

    #[test]
    #[should_panic(expected = "a tensor of shape [2, 2] has 4 elements, the slice has 3")]
    fn from_slice_of_wrong_length() {
        let _ = Tensor2::<f32, 2, 2>::from_slice(&[1.0; 3]);
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn boxed_zeros_are_zero() {
        assert_eq!(*Tensor2::<f64, 3, 2>::boxed_zeros(), Tensor2::full(0.0));
    }

    #[cfg(feature = "alloc")]
    #[test]
    #[cfg_attr(miri, ignore = "millions of elements")]
    fn boxed_zeros_needs_no_stack() {
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(|| {
            let mut t = Tensor3::<f32, 4, 2048, 2048>::boxed_zeros();
            t[[3, 2047, 2047]] = 1.0;
            t.iter().sum::<f32>()
        });
        assert_eq!(thread.unwrap().join().unwrap(), 1.0);
    }
}
