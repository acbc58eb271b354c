//! Jacobians and Hessians, a row or a column at a time. Only generated code uses this.
//!
//! A matrix is a slice in row-major order while it is computed: its rows belong to the numbers of the result, its columns
//! to those of a parameter, both in the order of [`Differentiable::copy_to_flat`].

use crate::{Differentiable, Path, Real};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A matrix whose rows become known one after the other.
pub trait Rows<T> {
    /// A row of so many columns.
    fn row(&mut self, row: usize, columns: usize) -> &mut [T];

    /// The whole has so many numbers.
    fn finish(&mut self, rows: usize, columns: usize);
}

impl<T: Real> Rows<T> for [T] {
    #[inline]
    #[track_caller]
    fn row(&mut self, row: usize, columns: usize) -> &mut [T] {
        let (start, end) = (row * columns, (row + 1) * columns);
        assert!(end <= self.len(), "a matrix of {} numbers has no row {row} of {columns} numbers", self.len());
        &mut self[start..end]
    }

    #[inline]
    #[track_caller]
    fn finish(&mut self, rows: usize, columns: usize) {
        let len = self.len();
        assert!(rows * columns == len, "a matrix of {rows} × {columns} numbers does not fit into a slice of {len}");
    }
}

/// It grows.
#[cfg(feature = "alloc")]
impl<T: Real> Rows<T> for Vec<T> {
    #[inline]
    fn row(&mut self, row: usize, columns: usize) -> &mut [T] {
        let (start, end) = (row * columns, (row + 1) * columns);
        if self.len() < end {
            self.resize(end, T::ZERO);
        }
        &mut self[start..end]
    }

    #[inline]
    fn finish(&mut self, rows: usize, columns: usize) {
        self.resize(rows * columns, T::ZERO);
    }
}

/// A matrix of which all rows are at hand at once.
pub trait AllRows<T>: Rows<T> {
    /// All rows, of so many columns, as zeros.
    fn all<const N: usize>(&mut self, columns: usize) -> [&mut [T]; N];
}

impl<T: Real> AllRows<T> for [T] {
    #[inline]
    #[track_caller]
    fn all<const N: usize>(&mut self, columns: usize) -> [&mut [T]; N] {
        self.finish(N, columns);
        self.fill(T::ZERO);
        let mut rest = self;
        core::array::from_fn(|_| {
            let (row, behind) = core::mem::take(&mut rest).split_at_mut(columns);
            rest = behind;
            row
        })
    }
}

#[cfg(feature = "alloc")]
impl<T: Real> AllRows<T> for Vec<T> {
    #[inline]
    fn all<const N: usize>(&mut self, columns: usize) -> [&mut [T]; N] {
        self.finish(N, columns);
        self[..].all(columns)
    }
}

/// Rows of at most so many numbers that nobody reads.
pub struct Unused<T, const N: usize>([T; N]);

impl<T: Real, const N: usize> Unused<T, N> {
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Unused([T::ZERO; N])
    }
}

impl<T: Real, const N: usize> Default for Unused<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Real, const N: usize> Rows<T> for Unused<T, N> {
    #[inline]
    fn row(&mut self, _: usize, columns: usize) -> &mut [T] {
        &mut self.0[..columns]
    }

    #[inline]
    fn finish(&mut self, _: usize, _: usize) {}
}

/// Puts the numbers of a gradient into a row.
#[inline]
pub fn write_row<G: Differentiable>(gradient: &G, row: usize, matrix: &mut (impl Rows<G::Scalar> + ?Sized)) {
    gradient.copy_to_flat(matrix.row(row, gradient.flat_len()));
}

/// Puts the numbers of a tangent into one of so many columns.
#[inline]
pub fn write_column<Y: Differentiable>(
    tangent: &Y,
    column: usize,
    columns: usize,
    matrix: &mut (impl Rows<Y::Scalar> + ?Sized),
) {
    let mut row = 0;
    tangent.visit_leaves(&Path::ROOT, &mut |_, _, data| {
        for value in data {
            matrix.row(row, columns)[column] = *value;
            row += 1;
        }
    });
}

/// One number of a tangent.
#[inline]
pub fn number<X: Differentiable>(tangent: &X, at: usize) -> X::Scalar {
    let (mut found, mut before) = (X::Scalar::ZERO, 0);
    tangent.visit_leaves(&Path::ROOT, &mut |_, _, data| {
        if let Some(value) = at.checked_sub(before).and_then(|k| data.get(k)) {
            found = *value;
        }
        before += data.len();
    });
    found
}

/// Sets one number of a tangent.
#[inline]
pub fn set_number<X: Differentiable>(tangent: &mut X, at: usize, value: X::Scalar) {
    let mut before = 0;
    tangent.map_leaves(&mut |data| {
        if let Some(place) = at.checked_sub(before).and_then(|k| data.get_mut(k)) {
            *place = value;
        }
        before += data.len();
    });
}

/// Sets all numbers of a tangent to 1.
#[inline]
pub fn set_ones<X: Differentiable>(tangent: &mut X) {
    tangent.map_leaves(&mut |data| data.fill(X::Scalar::ONE));
}

/// A tangent with the numbers of a value.
#[inline]
pub fn as_tangent<Y: Differentiable>(mut value: Y) -> Y::Tangent {
    let (zero, mut tangent) = (value.zero_tangent(), value.zero_tangent());
    value.update_leaves(&zero, [&mut tangent], &mut |numbers, _, [to]| to.copy_from_slice(numbers));
    tangent
}

/// Adds the outer product of two gradients to a matrix.
#[inline]
pub fn add_outer<G: Differentiable, H: Differentiable<Scalar = G::Scalar>>(
    left: &G,
    right: &H,
    matrix: &mut (impl Rows<G::Scalar> + ?Sized),
) {
    let (columns, mut row) = (right.flat_len(), 0);
    left.visit_leaves(&Path::ROOT, &mut |_, _, data| {
        for factor in data {
            let mut sums = matrix.row(row, columns).iter_mut();
            right.visit_leaves(&Path::ROOT, &mut |_, _, data| {
                // The numbers first: what is taken of `sums` behind the last of them would be lost.
                for (value, sum) in data.iter().zip(sums.by_ref()) {
                    *sum += *factor * *value;
                }
            });
            row += 1;
        }
    });
}

/// A row by itself.
pub trait Row<T> {
    fn of(numbers: &[T]) -> Self;
}

impl<T: Real, const N: usize> Row<T> for [T; N] {
    #[inline]
    fn of(numbers: &[T]) -> Self {
        core::array::from_fn(|k| numbers[k])
    }
}

#[cfg(feature = "alloc")]
impl<T: Real> Row<T> for Vec<T> {
    #[inline]
    fn of(numbers: &[T]) -> Self {
        numbers.to_vec()
    }
}

/// The rows of a matrix with a number of them that the type tells.
#[inline]
pub fn array_of_rows<T, R: Row<T>, const M: usize>(matrix: &[T]) -> [R; M] {
    let columns = matrix.len().checked_div(M).unwrap_or(0);
    core::array::from_fn(|row| R::of(&matrix[row * columns..(row + 1) * columns]))
}

/// The rows of a matrix with so many columns.
#[cfg(feature = "alloc")]
#[inline]
pub fn list_of_rows<T, R: Row<T>>(matrix: &[T], rows: usize) -> Vec<R> {
    let columns = matrix.len().checked_div(rows).unwrap_or(0);
    (0..rows).map(|row| R::of(&matrix[row * columns..(row + 1) * columns])).collect()
}

/// Says that a Jacobian, a Hessian or a Taylor series can be computed, which takes the function apart from what it changes. No type
/// implements it: it is the bound of what stands in the place of them where a parameter is `&mut`, and its message tells
/// what to write.
#[diagnostic::on_unimplemented(
    message = "`{Self}` changes one of its arguments: it has no Jacobian, no Hessian and no Taylor series",
    label = "a parameter is `&mut`",
    note = "return what changes as a part of the result, or use `jvp` and `vjp`"
)]
pub trait LeavesArguments<'of> {}

/// Says that an argument can be given again.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is given by value and is not `Clone`, but this derivative runs the function more than once: write `#[derive(Clone)]` on it, or take it by reference",
    label = "a parameter of this type"
)]
pub trait Again<'of>: Clone {}

impl<T: Clone> Again<'_> for T {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns() {
        let mut matrix = [0.0; 6];
        write_row(&(1.0, [2.0, 3.0]), 0, &mut matrix[..]);
        write_column(&[7.0, 8.0], 1, 3, &mut matrix[..]);
        assert_eq!(matrix, [1.0, 7.0, 3.0, 0.0, 8.0, 0.0]);
        let rows: [[f64; 3]; 2] = array_of_rows(&matrix);
        assert_eq!(rows, [[1.0, 7.0, 3.0], [0.0, 8.0, 0.0]]);
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn rows_that_grow() {
        let mut grown = std::vec![];
        write_row(&[1.0, 2.0], 1, &mut grown);
        assert_eq!(grown, [0.0, 0.0, 1.0, 2.0]);
        let matrix = [1.0, 7.0, 3.0, 0.0, 8.0, 0.0];
        assert_eq!(list_of_rows::<f64, Vec<f64>>(&matrix, 3), [[1.0, 7.0], [3.0, 0.0], [8.0, 0.0]]);
    }

    #[test]
    fn numbers_by_their_place() {
        let mut value = (1.0, [2.0, 3.0]);
        set_number(&mut value, 2, 5.0);
        assert_eq!((value, number(&value, 0), number(&value, 2)), ((1.0, [2.0, 5.0]), 1.0, 5.0));
    }

    #[test]
    fn numbers_of_values_and_outer_products() {
        assert_eq!(as_tangent((1.0, [2.0, 3.0])), (1.0, [2.0, 3.0]));
        let mut matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        add_outer(&[2.0, 3.0], &(5.0, [7.0, 11.0]), &mut matrix[..]);
        assert_eq!(matrix, [11.0, 14.0, 22.0, 15.0, 21.0, 33.0]);
    }

    #[test]
    #[should_panic(expected = "a matrix of 2 × 3 numbers does not fit into a slice of 7")]
    fn lengths_are_told() {
        Rows::finish(&mut [0.0; 7][..], 2, 3);
    }
}
