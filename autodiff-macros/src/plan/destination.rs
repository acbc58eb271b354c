//! Residuals that are made where they are to be: the caller of `__forward` has a place for each.
//!
//! An array that is returned is copied, once for each function that hands it on. So the forward sweep of a callee
//! gets a place that is all zeros, and what starts as zeros there starts in that place. Of a size that is known at run time,
//! it takes the memory that the place has from an earlier call: a loop that calls makes its places once.

use super::Storage;
use super::hoist::one_piece;
use super::parts::staying;
use crate::analysis::uses::makers;
use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Elem, Op, Var};

/// The place that the caller has for a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    pub result: Var,
    /// Whether the result is made in it. Otherwise it is put there in the end.
    pub in_place: bool,
}

/// The destinations of some results, and what starts in them.
pub(super) fn destinations(body: &Body, results: &[Var]) -> (Vec<Destination>, VarTable<Storage>) {
    if results.is_empty() {
        return Default::default();
    }
    let makers = makers(&body.block);
    let staying = staying(body, &VarTable::default(), results);
    let mut starts = VarTable::default();
    let mut destinations = Vec::new();
    for (k, result) in results.iter().enumerate() {
        // A number is a variable of its own, which is put there in the end.
        let ty = body.ty(*result);
        let is_known = !ty.is_dynamic() && (!ty.is_scalar() || matches!(ty.elem, Elem::Data(_)));
        let may_be = |start: &Var| is_known || one_piece(ty) && staying.contains(*start);
        let start = start(&body.block, &makers, *result).filter(|start| may_be(start) && !starts.contains_key(start));
        starts.extend(start.map(|start| (start, Storage::Destination(k))));
        destinations.push(Destination { result: *result, in_place: start.is_some() });
    }
    (destinations, starts)
}

/// The zeros that become this array, or the call that makes this data. `makers` are those of the block.
fn start(block: &Block, makers: &VarTable<usize>, mut var: Var) -> Option<Var> {
    loop {
        let eqn = &block.eqns[*makers.get(&var)?];
        let k = eqn.outs.iter().position(|out| *out == var)?;
        var = match &eqn.op {
            Op::Zero(_) => return Some(var),
            Op::For { .. } => eqn.args[k],
            Op::Set | Op::Acc | Op::Into(_) | Op::Put(_) => eqn.args[0],
            _ => return eqn.is_made_in_place(k).then_some(var),
        };
    }
}
