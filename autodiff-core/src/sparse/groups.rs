//! Which columns, or rows, are computed together: see Note [Groups] in `sparse.rs`.

use alloc::vec;
use alloc::vec::Vec;

/// A column by tangents, several at once, costs less than a row by a reverse sweep: for how many columns there is one row.
const COLUMNS_PER_ROW: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    pub count: usize,
    /// Whether rows are in groups, and not columns.
    pub by_rows: bool,
    /// The group of each column, or of each row.
    pub of: Vec<u32>,
    /// The group of each entry.
    pub of_entry: Vec<u32>,
}

impl Groups {
    pub fn of(columns: usize, offsets: &[usize], indices: &[usize]) -> Groups {
        let by_row = Lists { offsets: offsets.to_vec(), members: indices.to_vec() };
        let by_column = by_row.transposed(columns);
        // There are at least as many groups of columns as a row has columns.
        if by_column.longest() * COLUMNS_PER_ROW < by_row.longest() {
            let (of, count) = by_column.coloured(&by_row);
            return Groups::of_rows(of, count, &by_row);
        }
        let (of, count) = by_row.coloured(&by_column);
        if by_column.longest() * COLUMNS_PER_ROW < count {
            let (rows, fewer) = by_column.coloured(&by_row);
            if fewer * COLUMNS_PER_ROW < count {
                return Groups::of_rows(rows, fewer, &by_row);
            }
        }
        let of_entry = indices.iter().map(|column| of[*column]).collect();
        Groups { count, by_rows: false, of, of_entry }
    }

    /// A group for each column, of a matrix that is not computed by groups.
    pub fn apart(columns: usize, indices: &[usize]) -> Groups {
        let number = |column: usize| u32::try_from(column).expect("fewer than 2³² columns");
        let of = (0..columns).map(number).collect();
        let of_entry = indices.iter().map(|column| number(*column)).collect();
        Groups { count: columns, by_rows: false, of, of_entry }
    }

    fn of_rows(of: Vec<u32>, count: usize, by_row: &Lists) -> Groups {
        let of_entry = (0..of.len()).flat_map(|row| by_row.list(row).iter().map(move |_| row));
        let of_entry = of_entry.map(|row| of[row]).collect();
        Groups { count, by_rows: true, of, of_entry }
    }
}

/// The columns of each row, or the rows of each column.
struct Lists {
    offsets: Vec<usize>,
    members: Vec<usize>,
}

impl Lists {
    fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    fn list(&self, k: usize) -> &[usize] {
        &self.members[self.offsets[k]..self.offsets[k + 1]]
    }

    fn longest(&self) -> usize {
        (0..self.count()).map(|k| self.list(k).len()).max().unwrap_or(0)
    }

    /// For each of so many members the lists that it is in.
    fn transposed(&self, members: usize) -> Lists {
        let mut offsets = vec![0; members + 1];
        for member in &self.members {
            offsets[member + 1] += 1;
        }
        for k in 0..members {
            offsets[k + 1] += offsets[k];
        }
        let (mut next, mut lists) = (offsets.clone(), vec![0; self.members.len()]);
        for k in 0..self.count() {
            for member in self.list(k) {
                lists[next[*member]] = k;
                next[*member] += 1;
            }
        }
        Lists { offsets, members: lists }
    }

    /// A colour for each member, so that no list has two of the same: those that meet most others choose first, each the least
    /// that is left. `of` has the lists of each member.
    fn coloured(&self, of: &Lists) -> (Vec<u32>, usize) {
        const NONE: u32 = u32::MAX;
        let members = of.count();
        let meets = |member: usize| of.list(member).iter().map(|k| self.list(*k).len()).sum::<usize>();
        let mut order: Vec<(usize, usize)> = (0..members).map(|member| (meets(member), member)).collect();
        order.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut colours = vec![NONE; members];
        // The member that a colour is taken for.
        let mut taken: Vec<usize> = Vec::new();
        for (_, member) in order {
            for k in of.list(member) {
                for other in self.list(*k) {
                    if let Some(last) = taken.get_mut(colours[*other] as usize) {
                        *last = member;
                    }
                }
            }
            let free = taken.iter().position(|last| *last != member);
            let colour = free.unwrap_or_else(|| {
                taken.push(usize::MAX);
                taken.len() - 1
            });
            colours[member] = colour as u32;
        }
        (colours, taken.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::{Sparsity, of_rows};

    /// No two columns of a group meet in a row, or no two rows of one in a column.
    fn assert_apart(pattern: &Sparsity) {
        let groups = &pattern.group_of();
        for a in 0..pattern.rows() {
            for b in 0..pattern.rows() {
                for i in pattern.row(a) {
                    for j in pattern.row(b) {
                        let meet = match pattern.is_by_rows() {
                            true => a != b && i == j && groups[a] == groups[b],
                            false => a == b && i != j && groups[*i] == groups[*j],
                        };
                        assert!(!meet, "({a}, {i}) and ({b}, {j}) are in one group");
                    }
                }
            }
        }
    }

    #[test]
    fn bands_have_as_many_groups_as_a_row_has_columns() {
        for width in 0..4 {
            let rows = (0..20_usize).map(|row| (row.saturating_sub(width)..(row + width + 1).min(20)).collect());
            let pattern = of_rows(20, rows);
            assert_apart(&pattern);
            assert_eq!((pattern.groups(), pattern.is_by_rows()), (2 * width + 1, false));
        }
    }

    #[test]
    fn a_full_row_is_computed_by_itself() {
        let rows = (0..30).map(|row| if row == 7 { (0..30).collect() } else { vec![row] });
        let pattern = of_rows(30, rows);
        assert_apart(&pattern);
        assert_eq!((pattern.groups(), pattern.is_by_rows()), (2, true));
    }

    #[test]
    fn patterns_without_order() {
        let mut state = 1_u32;
        for size in 1..25 {
            let rows = (0..size).map(|_| {
                let next = || {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state >> 29 == 0
                };
                let mut next = next;
                (0..2 * size).filter(|_| next()).collect::<Vec<usize>>()
            });
            let rows: Vec<_> = rows.collect();
            let pattern = of_rows(2 * size, rows.clone());
            assert_apart(&pattern);
            assert_eq!(pattern.len(), rows.iter().map(Vec::len).sum::<usize>());
            let entries = (0..size).flat_map(|row| pattern.row(row).iter().map(move |column| (row, *column)));
            for (k, (row, column)) in entries.enumerate() {
                assert_eq!(pattern.place(row, column), Some(k));
                let member = if pattern.is_by_rows() { row } else { column };
                assert_eq!(pattern.group_of_entry()[k], pattern.group_of()[member]);
            }
        }
    }

    #[test]
    fn nothing_at_all() {
        let pattern = of_rows(3, [vec![], vec![]]);
        assert_eq!((pattern.rows(), pattern.len(), pattern.groups()), (2, 0, 1));
        assert!(pattern.is_empty());
    }
}
