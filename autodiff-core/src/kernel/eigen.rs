//! Eigenvalues and eigenvectors in nalgebra's order.
//!
//! nalgebra promises no order of eigenvalues, and no sign of eigenvectors. A function that takes the first of them has the value of
//! nalgebra's first one. So these kernels ask nalgebra, and their numbers are nalgebra's, bit for bit.

use crate::Real;
use nalgebra::{RealField, SMatrix};

/// How many rows a matrix may have without a heap.
const LARGEST: usize = 12;

/// Adds the eigenvalues, or the eigenvectors if there is a matrix for them.
fn add_eigen<T: Real + RealField, const N: usize, const L: usize, const K: usize>(
    a: &[[T; L]; N],
    values: &mut [T],
    vectors: Option<&mut [[T; K]]>,
) {
    // nalgebra's iteration would never end.
    if !a.iter().flatten().all(|x| Real::abs(*x) < <T as Real>::INFINITY) {
        let nan = <T as Real>::from_f64(f64::NAN);
        values.iter_mut().chain(vectors.into_iter().flatten().flatten()).for_each(|x| *x = nan);
        return;
    }
    // A type of nalgebra's for each number of rows. Only that of `N` is compiled.
    macro_rules! of_size {
        ($($n:literal)*) => {$(
            if const { N == $n } {
                return of_matrix!(SMatrix::<T, $n, $n>::from_fn(|i, j| a[i.max(j)][i.min(j)]));
            }
        )*};
    }
    macro_rules! of_matrix {
        ($matrix:expr) => {
            match vectors {
                None => add(values, $matrix.symmetric_eigenvalues().as_slice()),
                Some(vectors) => add_columns(vectors, $matrix.symmetric_eigen().eigenvectors.as_slice()),
            }
        };
    }
    of_size!(1 2 3 4 5 6 7 8 9 10 11 12);
    #[cfg(feature = "alloc")]
    of_matrix!(nalgebra::DMatrix::from_fn(N, N, |i, j| a[i.max(j)][i.min(j)]));
}

fn add<T: Real>(y: &mut [T], x: &[T]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += *x);
}

/// Adds numbers that lie column after column.
fn add_columns<T: Real, const K: usize>(y: &mut [[T; K]], x: &[T]) {
    for (j, column) in x.chunks(y.len()).enumerate() {
        for (row, x) in y.iter_mut().zip(column) {
            row[j] += *x;
        }
    }
}

/// `y +=` the eigenvalues of a symmetric matrix, in nalgebra's order. Of `a` the lower triangle is read. NaN, if a number of it is not
/// finite.
///
/// ```
/// let mut y = [0.0; 2];
/// autodiff_core::kernel::symmetric_eigenvalues(&[[3.0, 0.0], [0.0, -5.0]], &mut y);
/// assert_eq!(y, [3.0, -5.0]);
/// ```
#[inline]
pub fn symmetric_eigenvalues<T: Real + RealField, const N: usize, const N2: usize, const M: usize>(
    a: &[[T; N2]; N],
    y: &mut [T; M],
) {
    const { assert!(N == N2 && M == N, "symmetric_eigenvalues: the matrix is not square") };
    const {
        assert!(
            N <= LARGEST || cfg!(feature = "alloc"),
            "symmetric_eigenvalues: more than 12 rows need the feature `alloc`"
        )
    };
    add_eigen::<T, N, N2, N2>(a, y, None);
}

/// `y +=` the eigenvectors of a symmetric matrix in its columns, in nalgebra's order and with nalgebra's signs. Of `a` the lower
/// triangle is read. NaN, if a number of it is not finite.
///
/// ```
/// let mut y = [[0.0; 2]; 2];
/// autodiff_core::kernel::symmetric_eigenvectors(&[[3.0, 0.0], [0.0, -5.0]], &mut y);
/// assert_eq!(y.map(|row| row.map(f64::abs)), [[1.0, 0.0], [0.0, 1.0]]);
/// ```
#[inline]
pub fn symmetric_eigenvectors<
    T: Real + RealField,
    const N: usize,
    const N2: usize,
    const M2: usize,
    const K2: usize,
>(
    a: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2 && M2 == N && K2 == N, "symmetric_eigenvectors: the matrix is not square") };
    const {
        assert!(
            N <= LARGEST || cfg!(feature = "alloc"),
            "symmetric_eigenvectors: more than 12 rows need the feature `alloc`"
        )
    };
    add_eigen(a, &mut [], Some(y));
}
