//! `nalgebra`'s vectors and matrices whose sizes are known at run time: derivatives with respect to them.

use crate::__private::{Single, Zero};
use crate::{Argument, Differentiable, Path, Real};
use alloc::vec::Vec;
use nalgebra::{DMatrix, DVector, RealField};

/// A type of sizes that run time tells. One leaf, as it lies in memory: column after column.
macro_rules! of_run_time {
    ($($ty:ident, $like:expr, $empty:expr, $dims:expr;)*) => {$(
        impl<T: Real> Differentiable for $ty<T> {
            type Scalar = T;
            type Tangent = Self;

            fn zero_tangent(&self) -> Self {
                $like(self, alloc::vec![T::ZERO; self.len()])
            }
            fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[T])) {
                f(at, &$dims(self), self.as_slice());
            }
            fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [T])) {
                let dims = $dims(self);
                f(at, &dims, self.as_mut_slice());
            }
            #[track_caller]
            fn zip_leaves(&self, tangent: &Self, f: &mut impl FnMut(&[T], &[T])) {
                assert_same_shape(self.shape(), tangent.shape());
                f(self.as_slice(), tangent.as_slice());
            }
            #[track_caller]
            fn update_leaves<const K: usize>(
                &mut self,
                tangent: &Self,
                state: [&mut Self; K],
                f: &mut impl FnMut(&mut [T], &[T], [&mut [T]; K]),
            ) {
                assert_same_shape(self.shape(), tangent.shape());
                for state in &state {
                    assert_same_shape(self.shape(), state.shape());
                }
                f(self.as_mut_slice(), tangent.as_slice(), state.map(|state| state.as_mut_slice()));
            }
        }

        /// Without a value to tell which sizes it has, it is empty.
        impl<T: Real> Zero for $ty<T> {
            fn zero() -> Self {
                $empty
            }
            fn set_zero(&mut self) {
                self.as_mut_slice().fill(T::ZERO);
            }
        }

        impl<T: Real> Argument for $ty<T> {
            type Given<'a> = Self;
            type Dot<'a> = &'a Self;
            type Bar<'a> = &'a mut Self;
        }

        impl Single for $ty<f32> {
            type Double = $ty<f64>;

            fn to_double(&self) -> Self::Double {
                self.map(f64::from)
            }
            #[allow(clippy::cast_possible_truncation, reason = "this is what rounding is")]
            fn round_from(&mut self, double: &Self::Double) {
                self.zip_apply(double, |single, double| *single = double as f32);
            }
        }
    )*};
}
of_run_time! {
    DVector, like_vector, DVector::from_vec(Vec::new()), dims_of_vector;
    DMatrix, like_matrix, DMatrix::from_vec(0, 0, Vec::new()), dims_of_matrix;
}

fn like_vector<T: Real>(_: &DVector<T>, numbers: Vec<T>) -> DVector<T> {
    DVector::from_vec(numbers)
}

fn like_matrix<T: Real>(like: &DMatrix<T>, numbers: Vec<T>) -> DMatrix<T> {
    DMatrix::from_vec(like.nrows(), like.ncols(), numbers)
}

fn dims_of_vector<T: Real>(vector: &DVector<T>) -> [usize; 1] {
    [vector.len()]
}

fn dims_of_matrix<T: Real>(matrix: &DMatrix<T>) -> [usize; 2] {
    [matrix.ncols(), matrix.nrows()]
}

#[track_caller]
fn assert_same_shape(expected: (usize, usize), found: (usize, usize)) {
    let ((rows, columns), (found_rows, found_columns)) = (expected, found);
    assert!(expected == found, "a tangent is {found_rows}×{found_columns}, its value is {rows}×{columns}");
}

/// A derivative by a matrix is as large as that, or all its numbers in one column, as generated code has it.
#[track_caller]
pub fn assert_shape(name: &str, (rows, columns): (usize, usize), found: (usize, usize)) {
    let (found_rows, found_columns) = found;
    assert!(
        found == (rows, columns) || found == (rows * columns, 1),
        "`{name}` is {rows}×{columns}, the derivative by it is {found_rows}×{found_columns}"
    );
}

/// The inverse of a square matrix of so many rows, as it lies in memory; zeros, if there is none.
#[must_use]
pub fn inverse_of<T: Real + RealField>(numbers: &[T], rows: usize) -> Vec<T> {
    let inverse = DMatrix::from_column_slice(rows, rows, numbers).lu().try_inverse();
    inverse.map_or_else(|| alloc::vec![<T as Real>::ZERO; rows * rows], |inverse| inverse.as_slice().to_vec())
}

/// Whether there is one.
#[must_use]
pub fn is_invertible<T: Real + RealField>(numbers: &[T], rows: usize) -> bool {
    DMatrix::from_column_slice(rows, rows, numbers).lu().is_invertible()
}

/// The eigenvalues of a symmetric matrix of so many rows, as it lies in memory, and as nalgebra orders them. The lower triangle is
/// read.
#[must_use]
pub fn eigenvalues_of<T: Real + RealField>(numbers: &[T], rows: usize) -> Vec<T> {
    symmetric(numbers, rows).map_or_else(
        || alloc::vec![<T as Real>::from_f64(f64::NAN); rows],
        |matrix| matrix.symmetric_eigenvalues().as_slice().to_vec(),
    )
}

/// Its eigenvectors, one after the other.
#[must_use]
pub fn eigenvectors_of<T: Real + RealField>(numbers: &[T], rows: usize) -> Vec<T> {
    symmetric(numbers, rows).map_or_else(
        || alloc::vec![<T as Real>::from_f64(f64::NAN); rows * rows],
        |matrix| matrix.symmetric_eigen().eigenvectors.as_slice().to_vec(),
    )
}

/// None, if a number is not finite: nalgebra's iteration would never end.
fn symmetric<T: Real + RealField>(numbers: &[T], rows: usize) -> Option<DMatrix<T>> {
    let is_finite = numbers.iter().all(|x| Real::abs(*x) < <T as Real>::INFINITY);
    is_finite.then(|| DMatrix::from_fn(rows, rows, |i, j| numbers[i.max(j) + i.min(j) * rows]))
}

/// The determinant of a square matrix of so many rows, as it lies in memory.
#[must_use]
pub fn determinant_of<T: Real + RealField>(numbers: &[T], rows: usize) -> T {
    DMatrix::from_column_slice(rows, rows, numbers).determinant()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_leaf_column_after_column() {
        let mut matrix = DMatrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        matrix.visit_leaves(&Path::ROOT, &mut |_, dims, data| {
            assert_eq!((dims, data), (&[3, 2][..], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0][..]));
        });
        let gradient = matrix.clone();
        assert_eq!(Differentiable::inner_product(&matrix, &gradient), 91.0);
        matrix.add_scaled(-1.0, &gradient);
        assert_eq!(matrix, gradient.zero_tangent());
        DVector::from_vec(std::vec![1.0_f32, 2.0]).visit_leaves(&Path::ROOT, &mut |_, dims, _| assert_eq!(dims, [2]));
    }

    #[test]
    #[should_panic(expected = "a tangent is 3×2, its value is 2×3")]
    fn shape_of_a_tangent() {
        DMatrix::<f64>::zeros(2, 3).add_scaled(1.0, &DMatrix::zeros(3, 2));
    }
}
