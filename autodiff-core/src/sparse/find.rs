//! Finds a pattern: see Note [Patterns] in `sparse.rs`.

use super::sets::{Bits, Depends, Few, RANGE};
use super::{Along, Sparsity, of_rows};
use alloc::vec::Vec;

/// Columns of rows, while they are found.
#[derive(Default)]
struct Rows(Vec<Vec<usize>>);

impl Rows {
    fn row(&mut self, row: usize) -> &mut Vec<usize> {
        if self.0.len() <= row {
            self.0.resize(row + 1, Vec::new());
        }
        &mut self.0[row]
    }
}

/// All columns in one sweep, if no number depends on many.
#[derive(Default)]
pub struct ByShortSets {
    rows: Rows,
    columns: usize,
    is_too_short: bool,
}

impl<T> Along<Depends<T, Few>> for ByShortSets {
    #[inline]
    fn set(&mut self, place: usize, tangent: &mut Depends<T, Few>) {
        self.columns = self.columns.max(place + 1);
        *tangent = Depends::on(Few::one(place));
    }

    fn read(&mut self, place: usize, tangent: &Depends<T, Few>) {
        let row = self.rows.row(place);
        match tangent.on.columns() {
            Some(columns) => row.extend(columns.iter().map(|column| *column as usize)),
            None => self.is_too_short = true,
        }
    }
}

impl ByShortSets {
    #[must_use]
    pub fn new() -> Self {
        ByShortSets::default()
    }

    /// The pattern, if the sets were long enough.
    #[must_use]
    pub fn finish(self) -> Option<Sparsity> {
        (!self.is_too_short).then(|| of_rows(self.columns, self.rows.0))
    }
}

/// A range of the columns in each sweep.
#[derive(Default)]
pub struct ByRanges {
    rows: Rows,
    columns: usize,
    first: usize,
}

impl<T> Along<Depends<T, Bits>> for ByRanges {
    #[inline]
    fn set(&mut self, place: usize, tangent: &mut Depends<T, Bits>) {
        self.columns = self.columns.max(place + 1);
        *tangent = Depends::on(Bits::one(place.wrapping_sub(self.first)));
    }

    fn read(&mut self, place: usize, tangent: &Depends<T, Bits>) {
        let (first, columns) = (self.first, self.columns);
        let found = tangent.on.columns().map(|column| first + column).filter(|column| *column < columns);
        self.rows.row(place).extend(found);
    }
}

impl ByRanges {
    #[must_use]
    pub fn new() -> Self {
        ByRanges::default()
    }

    /// After a sweep: whether that was the last range.
    pub fn is_finished(&mut self) -> bool {
        self.first += RANGE;
        self.first >= self.columns
    }

    #[must_use]
    pub fn finish(self) -> Sparsity {
        of_rows(self.columns, self.rows.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::sets::Set;
    use std::vec;

    /// Row `k` has columns `k` and `k + 1`, and row 0 all, if that is said.
    fn sweep<S: Set + Copy>(along: &mut impl Along<Depends<f64, S>>, size: usize, has_full_row: bool) {
        let mut tangents = vec![Depends::on(S::EMPTY); size + 1];
        tangents.iter_mut().enumerate().for_each(|(place, tangent)| along.set(place, tangent));
        let sum = tangents.iter().fold(tangents[0], |sum, tangent| sum + *tangent);
        for row in 0..size {
            let two = tangents[row] + tangents[row + 1];
            along.read(row, if row == 0 && has_full_row { &sum } else { &two });
        }
    }

    #[test]
    fn both_find_the_same() {
        for size in [1, 2, 511, 512, 513, 1100] {
            let (mut few, mut ranges) = (ByShortSets::new(), ByRanges::new());
            sweep(&mut few, size, false);
            loop {
                sweep(&mut ranges, size, false);
                if ranges.is_finished() {
                    break;
                }
            }
            let pattern = ranges.finish();
            assert_eq!(few.finish().as_ref(), Some(&pattern));
            assert_eq!((pattern.rows(), pattern.columns(), pattern.groups()), (size, size + 1, 2));
        }
    }

    #[test]
    fn long_rows_take_ranges() {
        let mut few = ByShortSets::new();
        sweep(&mut few, 600, true);
        assert_eq!(few.finish(), None);
        let mut ranges = ByRanges::new();
        sweep(&mut ranges, 600, true);
        assert!(!ranges.is_finished());
        sweep(&mut ranges, 600, true);
        assert!(ranges.is_finished());
        let pattern = ranges.finish();
        assert_eq!((pattern.row(0).len(), pattern.row(599)), (601, &[599, 600][..]));
    }
}
