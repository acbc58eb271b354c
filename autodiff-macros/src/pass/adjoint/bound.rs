//! How many iterations a loop has at most, where its bounds are indices of the loops around it: what `for j in 0..=i` keeps
//! fits in as many places as `i` can have values, and needs no heap.

use super::Sweep;
use crate::ir::dim::Dim;
use crate::ir::var::HashMap;
use crate::ir::{Elem, Var};

impl Sweep {
    /// The length of an array that has a place for each number from `lo` to `hi`, if it can be a constant.
    pub(super) fn places(&self, lo: &Dim, hi: &Dim) -> Option<Dim> {
        let count = self.integers.upper_bound(&hi.minus(lo))?;
        let (plus, minus) = count.signs();
        let count = match count.as_literal() {
            Some(value) => Dim::literal(value.max(0)),
            None if !minus.is(0) => plus,
            None => count,
        };
        count.is_simple().then_some(count)
    }

    /// What is known of integers holds for their copies.
    pub(super) fn inherit_bounds(&mut self, names: &HashMap<Var, Var>) {
        for (var, copy) in names {
            if matches!(self.b.ty(*var).elem, Elem::Int(_)) {
                self.integers.copied(*var, *copy);
            }
        }
    }
}
