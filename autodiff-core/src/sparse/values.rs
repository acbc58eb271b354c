//! The values of a pattern: see Note [Groups] in `sparse.rs`.

use super::{Along, Sparsity};
use crate::lanes::{Lanes, Wide};
use crate::{Differentiable, Path, Real};
use alloc::vec;
use alloc::vec::Vec;

/// Says that a pattern is of other sizes than the function now has.
#[cold]
#[track_caller]
pub(super) fn wrong_size(pattern: &Sparsity, rows: usize, columns: usize) -> ! {
    panic!(
        "the pattern is of {} × {} numbers and the matrix of {rows} × {columns}: find the pattern again where sizes change",
        pattern.rows(),
        pattern.columns()
    )
}

/// Values by sums of columns, so many groups at once.
pub struct ValuesByColumns<'v, T, const W: usize> {
    pattern: &'v Sparsity,
    values: &'v mut [T],
    /// The first group of the sweep.
    first: usize,
    /// How many there are of each so far.
    rows: usize,
    columns: usize,
}

impl<'v, T: Real, const W: usize> ValuesByColumns<'v, T, W> {
    #[inline]
    #[track_caller]
    pub fn new(pattern: &'v Sparsity, values: &'v mut [T]) -> Self {
        pattern.assert_room(values.len());
        ValuesByColumns { pattern, values, first: 0, rows: 0, columns: 0 }
    }

    /// After a sweep: whether that was the last one.
    #[inline]
    #[track_caller]
    pub fn is_finished(&mut self) -> bool {
        if (self.rows, self.columns) != (self.pattern.rows(), self.pattern.columns()) {
            wrong_size(self.pattern, self.rows, self.columns);
        }
        (self.rows, self.columns) = (0, 0);
        self.first += W;
        self.first >= self.pattern.groups()
    }
}

impl<T: Real, const W: usize> Along<Lanes<T, W>> for ValuesByColumns<'_, T, W> {
    #[inline]
    fn set(&mut self, place: usize, tangent: &mut Lanes<T, W>) {
        self.columns += 1;
        *tangent = <Lanes<T, W> as Wide<T>>::ZERO;
        let group = self.pattern.group_of().get(place).map(|group| (*group as usize).wrapping_sub(self.first));
        if let Some(one) = group.and_then(|group| tangent.0.get_mut(group)) {
            *one = T::ONE;
        }
    }

    #[inline]
    fn read(&mut self, place: usize, tangent: &Lanes<T, W>) {
        self.rows += 1;
        let offsets = self.pattern.row_offsets();
        let (Some(from), Some(to)) = (offsets.get(place), offsets.get(place + 1)) else { return };
        let groups = &self.pattern.group_of_entry()[*from..*to];
        for (value, group) in self.values[*from..*to].iter_mut().zip(groups) {
            if let Some(number) = tangent.0.get((*group as usize).wrapping_sub(self.first)) {
                *value = *number;
            }
        }
    }
}

/// Values by sums of rows, one group after the other.
pub struct ValuesByRows<'v, T> {
    pattern: &'v Sparsity,
    values: &'v mut [T],
    /// The group after the one that is computed.
    next: usize,
    /// The sum of the rows of a group.
    sum: Vec<T>,
    /// The entries of each group: row and place.
    entries: Vec<(u32, usize)>,
}

impl<'v, T: Real> ValuesByRows<'v, T> {
    #[track_caller]
    pub fn new(pattern: &'v Sparsity, values: &'v mut [T]) -> Self {
        pattern.assert_room(values.len());
        let entries = pattern.group_of_entry().iter().copied().zip(0..);
        let mut entries: Vec<(u32, usize)> = entries.collect();
        entries.sort_unstable();
        ValuesByRows { pattern, values, next: 0, sum: Vec::with_capacity(pattern.columns()), entries }
    }

    /// Sets the cotangent of the results for the next group, if there is one.
    #[track_caller]
    pub fn next<Y: Differentiable<Scalar = T>>(&mut self, seed: &mut Y) -> bool {
        self.scatter();
        if self.next == self.pattern.groups() {
            return false;
        }
        let (groups, mut row) = (self.pattern.group_of(), 0);
        seed.map_leaves(&mut |data| {
            for value in data {
                let is_member = groups.get(row).is_some_and(|group| *group as usize == self.next);
                *value = if is_member { T::ONE } else { T::ZERO };
                row += 1;
            }
        });
        if row != self.pattern.rows() {
            wrong_size(self.pattern, row, self.pattern.columns());
        }
        self.next += 1;
        true
    }

    /// Adds the numbers of a gradient by the next parameter.
    pub fn add<G: Differentiable<Scalar = T>>(&mut self, gradient: &G) {
        gradient.visit_leaves(&Path::ROOT, &mut |_, _, data| self.sum.extend_from_slice(data));
    }

    /// Puts the numbers of the group that has been computed where they belong.
    #[track_caller]
    fn scatter(&mut self) {
        let Some(group) = self.next.checked_sub(1) else { return };
        if self.sum.len() != self.pattern.columns() {
            wrong_size(self.pattern, self.pattern.rows(), self.sum.len());
        }
        let from = self.entries.partition_point(|(other, _)| (*other as usize) < group);
        let own = self.entries[from..].iter().take_while(|(other, _)| *other as usize == group);
        for (_, place) in own {
            self.values[*place] = self.sum[self.pattern.column_indices()[*place]];
        }
        self.sum.clear();
    }
}

/// Whether values are checked against a derivative in one direction: in debug builds.
pub const CHECKED: bool = cfg!(debug_assertions);

/// Compares the values times a vector with the derivative in its direction, which the groups have no part in.
pub struct Check<'v, T> {
    pattern: &'v Sparsity,
    values: &'v [T],
    /// The largest of them, and at least 1.
    scale: f64,
    rows: Vec<usize>,
}

impl<'v, T: Real> Check<'v, T> {
    #[must_use]
    pub fn new(pattern: &'v Sparsity, values: &'v [T]) -> Self {
        let scale = values.iter().map(|value| value.to_f64().abs()).fold(1.0, f64::max);
        Check { pattern, values, scale, rows: vec![] }
    }

    /// A number of the vector, between 1 and 2 and without order.
    fn number(place: usize) -> f64 {
        let mixed = (place as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        1.0 + (mixed >> 40) as f64 / f64::from(1 << 24)
    }

    /// After the sweep.
    #[track_caller]
    pub fn finish(self) {
        assert!(
            self.rows.is_empty(),
            "the pattern does not have all numbers of row {}: it was found for other integers, or for other values of what \
             is not differentiated by",
            self.rows[0]
        );
    }
}

impl<T: Real> Along<Lanes<T, 4>> for Check<'_, T> {
    fn set(&mut self, place: usize, tangent: &mut Lanes<T, 4>) {
        *tangent = Wide::splat(T::from_f64(Self::number(place)));
    }

    fn read(&mut self, place: usize, tangent: &Lanes<T, 4>) {
        let offset = self.pattern.row_offsets()[place];
        let terms = self.pattern.row(place).iter().zip(&self.values[offset..]);
        let terms = terms.map(|(column, value)| value.to_f64() * Self::number(*column));
        let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
        let expected = tangent.0[0].to_f64();
        // Rounding, also of terms that cancel within one value: such a value is 0, and what is left of it is not.
        let (tolerance, rest) = if core::mem::size_of::<T>() == 4 { (0.1, 1e-3) } else { (1e-3, 1e-9) };
        let difference = (sum - expected).abs();
        let is_finite = sum.is_finite() && expected.is_finite();
        if is_finite && difference > tolerance * (size + expected.abs()) + rest * self.scale {
            self.rows.push(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::of_rows;

    /// Three rows of `[x0, x1 + 2 x2, 3 x3]`.
    fn sweep<const W: usize>(along: &mut impl Along<Lanes<f64, W>>) {
        let mut x = [<Lanes<f64, W> as Wide<f64>>::ZERO; 4];
        x.iter_mut().enumerate().for_each(|(place, tangent)| along.set(place, tangent));
        for (place, row) in [x[0], x[1] + x[2] * 2.0, x[3] * 3.0].iter().enumerate() {
            along.read(place, row);
        }
    }

    #[test]
    fn values_of_columns_and_of_rows() {
        let pattern = of_rows(4, [vec![0], vec![1, 2], vec![3]]);
        let mut values = [f64::NAN; 4];
        let mut by_columns = ValuesByColumns::<f64, 4>::new(&pattern, &mut values);
        sweep(&mut by_columns);
        assert!(by_columns.is_finished());
        assert_eq!(values, [1.0, 1.0, 2.0, 3.0]);
        // One lane at a time.
        let mut again = [f64::NAN; 4];
        let mut by_columns = ValuesByColumns::<f64, 1>::new(&pattern, &mut again);
        sweep(&mut by_columns);
        assert!(!by_columns.is_finished());
        sweep(&mut by_columns);
        assert!(by_columns.is_finished());
        assert_eq!(again, values);
        let mut check = Check::new(&pattern, &values);
        sweep(&mut check);
        check.finish();

        let pattern = of_rows(6, [vec![0, 1, 2, 3, 4, 5]]);
        assert!(pattern.is_by_rows());
        let mut values = [f64::NAN; 6];
        let mut by_rows = ValuesByRows::new(&pattern, &mut values);
        let mut seed = [7.0];
        while by_rows.next(&mut seed) {
            assert_eq!(seed, [1.0]);
            by_rows.add(&[1.0, 2.0]);
            by_rows.add(&[3.0, 4.0, 5.0, 6.0]);
        }
        assert_eq!(values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    }

    /// Along 1 both terms are the same number, and along other numbers they are rounded apart.
    #[test]
    fn terms_that_cancel_are_not_missing() {
        let pattern = of_rows(8, (0..8).map(|row| vec![row]));
        let mut check = Check::new(&pattern, &[0.0; 8]);
        let rests: Vec<f64> = (0..8)
            .map(|place| {
                let mut x = <Lanes<f64, 4> as Wide<f64>>::ZERO;
                check.set(place, &mut x);
                let rest = x * 0.3 * 0.7 - x * 0.7 * 0.3;
                check.read(place, &rest);
                rest.0[0]
            })
            .collect();
        assert!(rests.iter().any(|rest| *rest != 0.0));
        check.finish();
    }

    #[test]
    #[should_panic(expected = "the pattern does not have all numbers of row 1")]
    fn a_pattern_that_lacks_a_column_is_noticed() {
        let pattern = of_rows(4, [vec![0], vec![1], vec![3]]);
        let values = [1.0, 1.0, 3.0];
        let mut check = Check::new(&pattern, &values);
        sweep(&mut check);
        check.finish();
    }

    #[test]
    #[should_panic(expected = "the pattern is of 2 × 4 numbers and the matrix of 3 × 4")]
    fn other_sizes_are_noticed() {
        let pattern = of_rows(4, [vec![0], vec![1]]);
        let mut values = [0.0; 2];
        let mut by_columns = ValuesByColumns::<f64, 4>::new(&pattern, &mut values);
        sweep(&mut by_columns);
        by_columns.is_finished();
    }

    #[test]
    #[should_panic(expected = "a pattern of 2 entries has as many values, not 3")]
    fn other_lengths_are_noticed() {
        let pattern = of_rows(4, [vec![0], vec![1]]);
        ValuesByColumns::<f64, 4>::new(&pattern, &mut [0.0; 3]);
    }
}
