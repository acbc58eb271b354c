//! `JᵀJ` and `Jᵀr` of a sparse Jacobian: the equations of Gauss and Newton.

use super::pattern::{Sparsity, without_groups};
use crate::{Differentiable, Real};
use alloc::vec;
use alloc::vec::Vec;

impl Sparsity {
    /// The pattern of `JᵀJ`, if this is that of `J`: two columns meet in it where a row has both. It has both of its halves.
    ///
    /// ```
    /// use autodiff_core::Sparsity;
    ///
    /// // Differences of neighbours: each number meets those beside it.
    /// let pattern = Sparsity::of_blocks(3, 1, [[0..2], [1..3]]);
    /// let products = pattern.of_products();
    /// assert_eq!(products.row_offsets(), [0, 2, 5, 7]);
    /// assert_eq!(products.column_indices(), [0, 1, 0, 1, 2, 1, 2]);
    /// ```
    #[must_use]
    pub fn of_products(&self) -> Sparsity {
        // The rows that have a column, one column after the other.
        let mut starts = vec![0; self.columns() + 1];
        for column in self.column_indices() {
            starts[column + 1] += 1;
        }
        for column in 0..self.columns() {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; self.len()];
        for row in 0..self.rows() {
            for column in self.row(row) {
                rows[next[*column]] = row;
                next[*column] += 1;
            }
        }
        // By which column another one was last met.
        let mut met_by = vec![usize::MAX; self.columns()];
        let products = (0..self.columns()).map(|column| {
            let mut met = Vec::new();
            for row in &rows[starts[column]..starts[column + 1]] {
                for other in self.row(*row) {
                    if core::mem::replace(&mut met_by[*other], column) != column {
                        met.push(*other);
                    }
                }
            }
            met.sort_unstable();
            met
        });
        without_groups(self.columns(), products)
    }
}

/// `h` becomes the values of `JᵀJ`, in the order of its pattern `products`; returns `Jᵀr`. `values` are those of `J`, and `r` has a
/// number for each of its rows.
#[track_caller]
pub fn gauss_newton<T: Real, Y: Differentiable<Scalar = T>>(
    pattern: &Sparsity,
    values: &[T],
    r: &Y,
    products: &Sparsity,
    h: &mut [T],
) -> Vec<T> {
    pattern.assert_room(values.len());
    products.assert_room(h.len());
    let (rows, columns) = (pattern.rows(), pattern.columns());
    let fits = products.rows() == columns && products.columns() == columns;
    assert!(fits, "the pattern of JᵀJ has a row for each of the {columns} columns of J: `of_products` makes it");
    let mut residuals = vec![T::ZERO; rows];
    r.copy_to_flat(&mut residuals);
    let mut g = vec![T::ZERO; columns];
    h.fill(T::ZERO);
    for (row, residual) in residuals.into_iter().enumerate() {
        let from = pattern.row_offsets()[row];
        let own = pattern.row(row);
        let numbers = &values[from..from + own.len()];
        for (column, number) in own.iter().zip(numbers) {
            g[*column] += *number * residual;
            // Both increase, and neighbours follow each other in both as a rule.
            let (start, among) = (products.row_offsets()[*column], products.row(*column));
            let mut next = 0;
            for (other, factor) in own.iter().zip(numbers) {
                if among.get(next) != Some(other) {
                    let place = among[next..].binary_search(other);
                    next += place.expect("a pair of columns that the pattern of JᵀJ lacks");
                }
                h[start + next] += *number * *factor;
                next += 1;
            }
        }
    }
    g
}
