//! `nalgebra`'s matrices of fixed size: conversions, and derivatives with respect to them.
//!
//! Their elements lie column after column, ours row after row: a conversion of a matrix reorders.

use crate::__private::{Single, Zero};
use crate::{Argument, Differentiable, Path, Real, Tensor};
use nalgebra::{ArrayStorage, Point, Quaternion, SMatrix, SVector, Translation};

impl<T: Real, const R: usize, const C: usize> From<SMatrix<T, R, C>> for Tensor<[[T; C]; R]> {
    fn from(matrix: SMatrix<T, R, C>) -> Self {
        Tensor::from_fn(|[i, j]| matrix[(i, j)])
    }
}

impl<T: Real, const R: usize, const C: usize> From<Tensor<[[T; C]; R]>> for SMatrix<T, R, C> {
    fn from(tensor: Tensor<[[T; C]; R]>) -> Self {
        SMatrix::from_fn(|i, j| tensor[[i, j]])
    }
}

impl<T: Real, const N: usize> From<SVector<T, N>> for Tensor<[T; N]> {
    fn from(vector: SVector<T, N>) -> Self {
        Tensor(vector.data.0[0])
    }
}

impl<T: Real, const N: usize> From<Tensor<[T; N]>> for SVector<T, N> {
    fn from(tensor: Tensor<[T; N]>) -> Self {
        SVector::from(tensor.0)
    }
}

/// One leaf, as it lies in memory: column after column, of dimensions `[C, R]`; of a vector, `[R]`.
impl<T: Real, const R: usize, const C: usize> Differentiable for SMatrix<T, R, C> {
    type Scalar = T;
    type Tangent = Self;

    #[inline]
    fn zero_tangent(&self) -> Self {
        Self::ZERO
    }
    #[inline]
    fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[T])) {
        f(at, const { dims::<R, C>() }, self.data.0.as_flattened());
    }
    #[inline]
    fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [T])) {
        f(at, const { dims::<R, C>() }, self.data.0.as_flattened_mut());
    }
    #[inline]
    fn zip_leaves(&self, tangent: &Self, f: &mut impl FnMut(&[T], &[T])) {
        f(self.data.0.as_flattened(), tangent.data.0.as_flattened());
    }
    #[inline]
    fn update_leaves<const K: usize>(
        &mut self,
        tangent: &Self,
        state: [&mut Self; K],
        f: &mut impl FnMut(&mut [T], &[T], [&mut [T]; K]),
    ) {
        let state = state.map(|state| state.data.0.as_flattened_mut());
        f(self.data.0.as_flattened_mut(), tangent.data.0.as_flattened(), state);
    }
}

impl<T: Real, const R: usize, const C: usize> Zero for SMatrix<T, R, C> {
    const ZERO: Self = SMatrix::from_array_storage(ArrayStorage([[T::ZERO; R]; C]));
    #[inline]
    fn set_zero(&mut self) {
        self.data.0.as_flattened_mut().fill(T::ZERO);
    }
}

impl<T: Real, const R: usize, const C: usize> Argument for SMatrix<T, R, C> {
    type Given<'a> = Self;
    type Dot<'a> = &'a Self;
    type Bar<'a> = &'a mut Self;
}

impl<const R: usize, const C: usize> Single for SMatrix<f32, R, C> {
    type Double = SMatrix<f64, R, C>;

    #[inline]
    fn to_double(&self) -> Self::Double {
        matrix(self.data.0.to_double())
    }
    #[inline]
    fn round_from(&mut self, double: &Self::Double) {
        self.data.0.round_from(&double.data.0);
    }
}

/// What consists of a vector, and changes by one.
macro_rules! by_vector {
    ($($ty:ty, [$($size:tt)*] $n:expr, $field:ident;)*) => {$(
        impl<T: Real, $($size)*> Differentiable for $ty {
            type Scalar = T;
            type Tangent = SVector<T, { $n }>;

            #[inline]
            fn zero_tangent(&self) -> SVector<T, { $n }> {
                SVector::ZERO
            }
            #[inline]
            fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[T])) {
                self.$field.visit_leaves(at, f);
            }
            #[inline]
            fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [T])) {
                self.$field.visit_leaves_mut(at, f);
            }
            #[inline]
            fn zip_leaves(&self, tangent: &SVector<T, { $n }>, f: &mut impl FnMut(&[T], &[T])) {
                self.$field.zip_leaves(tangent, f);
            }
            #[inline]
            fn update_leaves<const K: usize>(
                &mut self,
                tangent: &SVector<T, { $n }>,
                state: [&mut SVector<T, { $n }>; K],
                f: &mut impl FnMut(&mut [T], &[T], [&mut [T]; K]),
            ) {
                self.$field.update_leaves(tangent, state, f);
            }
        }

        impl<T: Real, $($size)*> Argument for $ty {
            type Given<'a> = Self;
            type Dot<'a> = &'a SVector<T, { $n }>;
            type Bar<'a> = &'a mut SVector<T, { $n }>;
        }
    )*};
}
by_vector! {
    Point<T, N>, [const N: usize] N, coords;
    Translation<T, N>, [const N: usize] N, vector;
    Quaternion<T>, [] 4, coords;
}

/// A vector of its numbers.
#[inline]
pub const fn vector<T, const R: usize>(numbers: [T; R]) -> SVector<T, R> {
    matrix([numbers])
}

/// A matrix of its columns.
#[inline]
pub const fn matrix<T, const R: usize, const C: usize>(columns: [[T; R]; C]) -> SMatrix<T, R, C> {
    SMatrix::from_array_storage(ArrayStorage(columns))
}

const fn dims<const R: usize, const C: usize>() -> &'static [usize] {
    if C == 1 { &[R] } else { &[C, R] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Tensor1, Tensor2};
    use nalgebra::{Matrix2x3, Vector3};

    #[test]
    fn conversions_reorder() {
        let matrix = Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
        let tensor = Tensor2::from(matrix);
        assert_eq!(tensor.0, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        assert_eq!(Matrix2x3::from(tensor), matrix);
        let vector = Vector3::new(1.0_f32, 2.0, 3.0);
        // A vector is a matrix of one column too, so that the element type has to be said.
        let tensor = Tensor1::<f32, _>::from(vector);
        assert_eq!(tensor.0, [1.0, 2.0, 3.0]);
        assert_eq!(Vector3::from(tensor), vector);
        assert_eq!(Tensor2::<f32, _, _>::from(vector).0, [[1.0], [2.0], [3.0]]);
    }

    #[test]
    fn leaves_lie_column_after_column() {
        let mut matrix = Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
        matrix.visit_leaves(&Path::ROOT, &mut |_, dims, data| {
            assert_eq!((dims, data), (&[3, 2][..], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0][..]));
        });
        assert_eq!(matrix.inner_product(&matrix), 91.0);
        let gradient = matrix;
        matrix.add_scaled(-1.0, &gradient);
        assert_eq!(matrix, gradient.zero_tangent());
        Vector3::new(1.0, 2.0, 3.0).visit_leaves(&Path::ROOT, &mut |_, dims, _| assert_eq!(dims, [3]));
    }
}
