//! The values of rows, as iterations compute them: see Note [Rows by iterations] in `autodiff-macros`.

use super::Sparsity;
use super::values::wrong_size;
use crate::Real;
use alloc::vec::Vec;

/// Columns that follow each other: the first, as a place and an offset, and how many.
type Run = (usize, isize, usize);

/// Values, row by row.
///
/// A row that comes in the order of the columns of its pattern is copied; any other is added up, since it may have a column twice.
/// A row that comes twice is what it was the last time, and one that never comes is zero.
pub struct ValuesByIterations<'v, T> {
    pattern: &'v Sparsity,
    values: &'v mut [T],
    /// The row behind the last one so far: the values of all before it are set.
    next: usize,
    /// The rows that have numbers which are not in the pattern.
    missing: Vec<usize>,
}

impl<'v, T: Real> ValuesByIterations<'v, T> {
    #[inline]
    #[track_caller]
    pub fn new(pattern: &'v Sparsity, values: &'v mut [T]) -> Self {
        pattern.assert_room(values.len());
        ValuesByIterations { pattern, values, next: 0, missing: Vec::new() }
    }

    /// A row, as runs of columns and the numbers of all of them. Both are made where they are used: what a call might read would
    /// be written to memory before.
    #[inline(always)]
    pub fn put<const R: usize, const N: usize>(
        &mut self,
        row: usize,
        runs: impl Fn() -> [Run; R],
        numbers: impl FnOnce() -> [T; N],
    ) {
        self.begin(row);
        match self.exactly(row, &runs()) {
            Some(values) => *values = numbers(),
            None => self.spread(row, &runs(), &numbers()),
        }
    }

    /// The same of a row with numbers that are always zero. A pattern that was found lacks these, one that was made of blocks has
    /// them: first without them, then with them.
    #[inline(always)]
    pub fn put_either<const R: usize, const N: usize, const A: usize, const M: usize>(
        &mut self,
        row: usize,
        (runs, numbers): (impl Fn() -> [Run; R], impl FnOnce() -> [T; N]),
        (all_runs, all_numbers): (impl Fn() -> [Run; A], impl FnOnce() -> [T; M]),
    ) {
        self.begin(row);
        if let Some(values) = self.exactly(row, &runs()) {
            *values = numbers();
        } else if let Some(values) = self.exactly(row, &all_runs()) {
            *values = all_numbers();
        } else {
            self.spread(row, &runs(), &numbers());
        }
    }

    #[inline(always)]
    fn begin(&mut self, row: usize) {
        if row >= self.next {
            if row > self.next {
                self.skip_to(row);
            }
            self.next = row.saturating_add(1);
        } else if !self.missing.is_empty() {
            self.missing.retain(|other| *other != row);
        }
    }

    /// Rows that have been left out are zero.
    #[cold]
    fn skip_to(&mut self, row: usize) {
        let offsets = self.pattern.row_offsets();
        let end = |row: usize| offsets[row.min(offsets.len() - 1)];
        self.values[end(self.next)..end(row)].fill(T::ZERO);
    }

    /// The values of a row whose columns are these runs.
    #[inline(always)]
    fn exactly<const N: usize>(&mut self, row: usize, runs: &[Run]) -> Option<&mut [T; N]> {
        let offsets = self.pattern.row_offsets().get(row..)?;
        let (from, to) = (*offsets.first()?, *offsets.get(1)?);
        let columns: &[usize; N] = self.pattern.column_indices().get(from..to)?.try_into().ok()?;
        let mut at = 0;
        for (base, offset, count) in runs {
            let first = base.wrapping_add_signed(*offset);
            // Columns increase, so that there is nothing else between these two.
            let last = first.wrapping_add(count - 1);
            if columns.get(at) != Some(&first) || columns.get(at + count - 1) != Some(&last) {
                return None;
            }
            at += count;
        }
        self.values.get_mut(from..to)?.try_into().ok()
    }

    /// A row of a pattern that lacks some of its columns, where the numbers are zero; or in any order.
    #[inline(never)]
    fn spread(&mut self, row: usize, runs: &[Run], numbers: &[T]) {
        if !self.in_order(row, runs, numbers) {
            self.add(row, runs, numbers);
        }
    }

    /// Whether the columns increase, and the pattern has all of them but those of zeros: then the values are set.
    fn in_order(&mut self, row: usize, runs: &[Run], numbers: &[T]) -> bool {
        let offsets = self.pattern.row_offsets();
        let (Some(from), Some(to)) = (offsets.get(row), offsets.get(row + 1)) else { return true };
        let columns = &self.pattern.column_indices()[*from..*to];
        let values = &mut self.values[*from..*to];
        let (mut at, mut rest) = (0, numbers.iter());
        for (base, offset, count) in runs {
            let first = base.wrapping_add_signed(*offset);
            for (k, number) in (0..*count).zip(&mut rest) {
                if columns.get(at) == Some(&first.wrapping_add(k)) {
                    values[at] = *number;
                    at += 1;
                } else if *number != T::ZERO {
                    return false;
                }
            }
        }
        at == columns.len()
    }

    /// A row in any order.
    fn add(&mut self, row: usize, runs: &[Run], numbers: &[T]) {
        // How many rows there are, `finish` compares.
        if row >= self.pattern.rows() {
            return;
        }
        let from = self.pattern.row_offsets()[row];
        let columns = self.pattern.row(row);
        let values = &mut self.values[from..from + columns.len()];
        values.fill(T::ZERO);
        let mut rest = numbers;
        for (base, offset, count) in runs {
            let (own, behind) = rest.split_at(*count);
            rest = behind;
            // Of a branch that is not taken.
            if *base == usize::MAX {
                continue;
            }
            let first = base.wrapping_add_signed(*offset);
            let mut at = columns.partition_point(|column| *column < first);
            for (column, number) in (first..).zip(own) {
                if columns.get(at) == Some(&column) {
                    values[at] += *number;
                    at += 1;
                } else if *number != T::ZERO && self.missing.last() != Some(&row) {
                    self.missing.push(row);
                }
            }
        }
    }

    /// Behind all rows: how many there were, and columns.
    #[track_caller]
    pub fn finish(&mut self, rows: usize, columns: usize) {
        if (rows, columns) != (self.pattern.rows(), self.pattern.columns()) {
            wrong_size(self.pattern, rows, columns);
        }
        if self.next < rows {
            self.skip_to(rows);
        }
        if let Some(row) = self.missing.first() {
            panic!(
                "the pattern does not have all numbers of row {row}: it was found for other integers, or for other values of \
                 what is not differentiated by"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::of_rows;
    use std::vec;

    fn pattern() -> Sparsity {
        of_rows(8, [vec![0, 1, 4, 5], vec![2, 3], vec![], vec![6, 7]])
    }

    #[test]
    fn in_any_order() {
        let pattern = pattern();
        let mut values = [f64::NAN; 8];
        let mut rows = ValuesByIterations::new(&pattern, &mut values);
        rows.put(0, || [(4, 0, 2), (0, 0, 2)], || [3.0, 4.0, 1.0, 2.0]);
        rows.put(1, || [(2, 0, 2)], || [5.0, 6.0]);
        rows.put(3, || [(6, 0, 2)], || [7.0, 8.0]);
        rows.finish(4, 8);
        assert_eq!(values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    }

    #[test]
    fn twice_and_never() {
        let pattern = pattern();
        let mut values = [f64::NAN; 8];
        let mut rows = ValuesByIterations::new(&pattern, &mut values);
        rows.put(3, || [(6, 0, 2)], || [9.0, 9.0]);
        rows.put(1, || [(2, 0, 2), (2, 0, 2)], || [1.0, 2.0, 10.0, 20.0]);
        // What has no place is replaced, too.
        rows.put(0, || [(6, 0, 1)], || [1.0]);
        rows.put(0, || [(4, 0, 1)], || [0.0]);
        // Of a branch that is not taken, and what it is without.
        rows.put(3, || [(usize::MAX, 0, 1), (7, 0, 1)], || [5.0, 6.0]);
        rows.finish(4, 8);
        assert_eq!(values, [0.0, 0.0, 0.0, 0.0, 11.0, 22.0, 0.0, 6.0]);
    }

    #[test]
    fn with_zeros_or_without() {
        for (row, expected) in [
            (vec![0, 2], vec![1.0, 3.0]),
            (vec![0, 1, 2], vec![1.0, 0.0, 3.0]),
            (vec![0, 1, 2, 3], vec![1.0, 0.0, 3.0, 0.0]),
        ] {
            let pattern = of_rows(4, [row]);
            let mut values = vec![f64::NAN; expected.len()];
            let mut rows = ValuesByIterations::new(&pattern, &mut values);
            rows.put_either(0, (|| [(0, 0, 1), (2, 0, 1)], || [1.0, 3.0]), (|| [(0, 0, 3)], || [1.0, 0.0, 3.0]));
            rows.finish(1, 4);
            assert_eq!(values, expected);
        }
    }

    #[test]
    #[should_panic(expected = "the pattern does not have all numbers of row 1")]
    fn what_the_pattern_lacks_is_noticed() {
        let pattern = pattern();
        let mut values = [0.0; 8];
        let mut rows = ValuesByIterations::new(&pattern, &mut values);
        rows.put(1, || [(3, 0, 2)], || [1.0, 2.0]);
        rows.finish(4, 8);
    }

    #[test]
    #[should_panic(expected = "the pattern is of 4 × 8 numbers and the matrix of 5 × 8")]
    fn other_sizes_are_noticed() {
        let pattern = pattern();
        let mut values = [0.0; 8];
        let mut rows = ValuesByIterations::new(&pattern, &mut values);
        rows.put(4, || [(3, 0, 2)], || [1.0, 2.0]);
        rows.finish(5, 8);
    }
}
