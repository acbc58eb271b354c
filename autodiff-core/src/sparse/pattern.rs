//! Patterns in rows, with the groups in which their columns or rows are computed.

use super::groups::Groups;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Which numbers of a Jacobian or a Hessian can differ from 0, in compressed rows, and how they are computed.
///
/// `f::sparsity(args…)` finds it. It is kept, and given to `f::jacobian_sparse` as often as values are computed. The values
/// stand in the order of the rows, and within a row in that of its columns, which increase.
///
/// ```
/// use autodiff_core::Sparsity;
///
/// // Two differences of neighbours among three numbers.
/// let pattern = Sparsity::of_blocks(3, 1, [[0..2], [1..3]]);
/// assert_eq!((pattern.rows(), pattern.columns(), pattern.len()), (2, 3, 4));
/// assert_eq!(pattern.row_offsets(), [0, 2, 4]);
/// assert_eq!(pattern.column_indices(), [0, 1, 1, 2]);
/// assert_eq!(pattern.place(1, 2), Some(3));
/// // Columns 0 and 2 are computed at once.
/// assert_eq!(pattern.groups(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sparsity {
    columns: usize,
    /// Where the entries of a row begin, and at the end how many there are of all.
    offsets: Vec<usize>,
    indices: Vec<usize>,
    groups: Groups,
}

/// A pattern of rows of increasing columns.
pub fn of_rows(columns: usize, rows: impl IntoIterator<Item = Vec<usize>>) -> Sparsity {
    let (offsets, indices) = compressed(rows);
    let groups = Groups::of(columns, &offsets, &indices);
    Sparsity { columns, offsets, indices, groups }
}

/// The same of a matrix that no function computes.
pub(super) fn without_groups(columns: usize, rows: impl IntoIterator<Item = Vec<usize>>) -> Sparsity {
    let (offsets, indices) = compressed(rows);
    let groups = Groups::apart(columns, &indices);
    Sparsity { columns, offsets, indices, groups }
}

fn compressed(rows: impl IntoIterator<Item = Vec<usize>>) -> (Vec<usize>, Vec<usize>) {
    let (mut offsets, mut indices) = (vec![0], Vec::new());
    for row in rows {
        indices.extend(row);
        offsets.push(indices.len());
    }
    (offsets, indices)
}

impl Sparsity {
    /// The pattern of a matrix of blocks: so many rows each, with the columns of some ranges that increase.
    ///
    /// ```
    /// use autodiff_core::Sparsity;
    ///
    /// // Two rows for each of two observations: one camera of three numbers, and one point of two.
    /// let pattern = Sparsity::of_blocks(10, 2, [[0..3, 6..8], [3..6, 8..10]]);
    /// assert_eq!((pattern.rows(), pattern.len()), (4, 20));
    /// assert_eq!(pattern.row(3), [3, 4, 5, 8, 9]);
    /// ```
    ///
    /// # Panics
    ///
    /// If the columns of a block do not increase, or are not columns of the matrix.
    #[must_use]
    #[track_caller]
    pub fn of_blocks<B: IntoIterator<Item = Range<usize>>>(
        columns: usize,
        rows: usize,
        blocks: impl IntoIterator<Item = B>,
    ) -> Sparsity {
        let mut all = Vec::new();
        for (k, block) in blocks.into_iter().enumerate() {
            let row: Vec<usize> = block.into_iter().flatten().collect();
            let increases = row.windows(2).all(|pair| pair[0] < pair[1]);
            assert!(increases, "the columns of block {k} do not increase: {row:?}");
            let last = row.last().copied().unwrap_or(0);
            assert!(row.is_empty() || last < columns, "block {k} has column {last} of a matrix of {columns} columns");
            all.extend((0..rows).map(|_| row.clone()));
        }
        of_rows(columns, all)
    }

    /// Panics if so many values are not those of the pattern.
    #[track_caller]
    pub(crate) fn assert_room(&self, values: usize) {
        let entries = self.len();
        assert!(values == entries, "a pattern of {entries} entries has as many values, not {values}");
    }

    /// How many rows the matrix has.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// How many columns the matrix has.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many entries the pattern has, and so how many values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Whether the matrix is 0 everywhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// The place of the first value of each row, and after the last row the number of all: one more than there are rows.
    #[must_use]
    pub fn row_offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The column of each value.
    #[must_use]
    pub fn column_indices(&self) -> &[usize] {
        &self.indices
    }

    /// The columns of a row.
    #[must_use]
    #[track_caller]
    pub fn row(&self, row: usize) -> &[usize] {
        &self.indices[self.offsets[row]..self.offsets[row + 1]]
    }

    /// The place among the values of an entry, if the pattern has it.
    #[must_use]
    #[track_caller]
    pub fn place(&self, row: usize, column: usize) -> Option<usize> {
        self.row(row).binary_search(&column).ok().map(|place| self.offsets[row] + place)
    }

    /// In how many directions the function is differentiated: so many groups of columns, or of rows, are computed together.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.groups.count
    }

    /// Whether the groups are of rows, each of which costs one reverse sweep.
    #[must_use]
    pub fn is_by_rows(&self) -> bool {
        self.groups.by_rows
    }

    /// How many groups are computed in a sweep.
    #[doc(hidden)]
    #[must_use]
    pub fn width(&self) -> usize {
        match self.groups() {
            0..=4 => 4,
            5..=8 => 8,
            _ => 16,
        }
    }

    /// The group of each column, or of each row.
    pub(super) fn group_of(&self) -> &[u32] {
        &self.groups.of
    }

    /// The group of each entry.
    pub(super) fn group_of_entry(&self) -> &[u32] {
        &self.groups.of_entry
    }
}
