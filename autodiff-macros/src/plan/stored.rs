//! Residuals of calls that are made in the array that a loop stores them in.
//!
//! ```text
//! for c in 0..k {                           for c in 0..k {
//!     let mut saved = EMPTY;                    let saved = renew(&mut history[c]);
//!     y[c] = f::forward(…, &mut saved);         y[c] = f::forward(…, saved);
//!     history[c] = saved;                   }
//! }
//! ```
//!
//! Where such an array is made before another loop, its elements keep the memory that they have from the iteration before.

use super::Storage;
use crate::analysis::uses::{Reads, makers};
use crate::ir::var::VarTable;
use crate::ir::{Block, Elem, Op, Ty, Var, VarData};

/// The residuals that are made where they are stored.
pub(super) fn stored(vars: &[VarData], block: &Block, reads: &Reads, found: &mut VarTable<Storage>) {
    let makers = makers(block);
    for (k, eqn) in block.eqns.iter().enumerate() {
        eqn.regions.iter().for_each(|region| stored(vars, region, reads, found));
        let places = (0..eqn.outs.len()).filter(|out| eqn.is_made_in_place(*out)).map(|out| eqn.outs[out]);
        for data in places.filter(|data| reads.count(*data) == 1) {
            let is_known = |var: &Var| makers.get(var).is_none_or(|at| *at < k);
            let later = block.eqns[k + 1..].iter().position(|eqn| eqn.uses(data));
            let Some(set) = later.map(|at| k + 1 + at) else { continue };
            let [array, value, at @ ..] = &block.eqns[set].args[..] else { continue };
            let is_stored = matches!(block.eqns[set].op, Op::Set) && *value == data && !at.is_empty();
            let is_read = block.eqns[k..set].iter().any(|eqn| eqn.uses(*array));
            let ty: &Ty = &vars[data.0 as usize].ty;
            if is_stored && !is_read && ty.is_scalar() && matches!(ty.elem, Elem::Data(_)) {
                if [array].into_iter().chain(at).all(is_known) {
                    found.insert(data, Storage::Element { array: *array, at: at.to_vec() });
                }
            }
        }
    }
}
