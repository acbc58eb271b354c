//! Arrays that are made side by side on the heap are parts of one `Vec`.
//!
//! ```text
//! let mut a = vec![0.0; n];                 let mut workspace = vec![0.0; n + m];
//! let mut b = vec![0.0; m];                 let (a, workspace) = workspace.split_at_mut(n);
//! for i in 0..n { a[i] = …; b[…] = … }      let b = &mut workspace[..m];
//!                                           for i in 0..n { a[i] = …; b[…] = … }
//! ```
//!
//! Note [One allocation]. A loop stores each of the values that its reverse reads in an array of its own. An allocator gives such
//! arrays back to the system when the function returns, if together they are larger than any of them that it has seen, and the
//! next call gets the same memory page by page. That takes longer than what is computed in it. One `Vec` for all of them is
//! a block of a size that the allocator knows from the call before; it is also one allocation and not many.
//!
//! The arrays have rows of one type, all sizes are known where the last of them is made, none is read before, and each stays where
//! it is: it is only indexed, borrowed by calls, and carried through loops. A few numbers are not on the heap at all.

use super::Storage;
use super::hoist::one_piece;
use crate::ir::dim::Dim;
use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Elem, Eqn, Op, Ty, Var, VarSet};

/// How many numbers are on the stack.
const FEW: i64 = 64;

/// A part of a `Vec`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub var: Var,
    /// How many rows it has, in variables that are known where it is made.
    pub length: Dim,
}

/// The parts of each `Vec` by the last of them, which is where the `Vec` is made. `storage` has the arrays that are elsewhere.
pub(super) fn parts(body: &Body, storage: &VarTable<Storage>) -> VarTable<Vec<Part>> {
    let candidates = staying(body, storage, &[]);
    let mut parts = VarTable::default();
    side_by_side(body, &body.block, &candidates, &mut parts);
    parts
}

/// The zeros on the heap, in one piece, that stay where they are made. The caller has places for the results `given`.
pub(super) fn staying(body: &Body, storage: &VarTable<Storage>, given: &[Var]) -> VarSet {
    let mut indexed = Indexed { body, storage, starts: VarTable::default(), moved: VarSet::default() };
    indexed.block(&body.block);
    let returned = body.block.results.iter().filter(|result| !given.contains(result));
    returned.for_each(|result| indexed.moves(*result));
    let Indexed { starts, moved, .. } = indexed;
    starts.values().filter(|start| !moved.contains(**start)).copied().collect()
}

/// Whether the rows of a `Vec` are numbers, a few of which are on the stack, and their type then.
pub fn on_stack(row: &Ty) -> Option<Ty> {
    let is_number = row.is_scalar() && !matches!(row.elem, Elem::Data(_) | Elem::Foreign | Elem::Wide(_));
    is_number.then(|| Ty::tensor(row.elem.clone(), vec![Dim::literal(FEW)]))
}

/// Which arrays are only indexed, and carried through loops.
struct Indexed<'b> {
    body: &'b Body,
    storage: &'b VarTable<Storage>,
    /// The zeros that an array started as.
    starts: VarTable<Var>,
    /// The starts of arrays that are used in another way.
    moved: VarSet,
}

impl Indexed<'_> {
    fn moves(&mut self, var: Var) {
        if let Some(start) = self.starts.get(&var) {
            self.moved.insert(*start);
        }
    }

    fn carries(&mut self, from: Var, to: Var) {
        if let Some(start) = self.starts.get(&from).copied() {
            self.starts.insert(to, start);
        }
    }

    fn block(&mut self, block: &Block) {
        block.eqns.iter().for_each(|eqn| self.eqn(eqn));
    }

    fn eqn(&mut self, eqn: &Eqn) {
        let first = match eqn.op {
            Op::Get | Op::Len => 1,
            Op::Set | Op::Acc if eqn.args.len() > 2 => 1,
            Op::For { .. } | Op::While { .. } => eqn.args.len(),
            _ => 0,
        };
        let borrowed = eqn.borrowed();
        let moved = (first..eqn.args.len()).filter(|k| !borrowed.contains(k));
        moved.for_each(|k| self.moves(eqn.args[k]));
        for (arg, out) in eqn.call_updates() {
            self.carries(eqn.args[arg], eqn.outs[out]);
        }
        match eqn.op {
            Op::Zero(_) if one_piece(self.body.ty(eqn.outs[0])) && !self.storage.contains_key(&eqn.outs[0]) => {
                self.starts.insert(eqn.outs[0], eqn.outs[0]);
            }
            Op::Set | Op::Acc => self.carries(eqn.args[0], eqn.outs[0]),
            Op::For { .. } | Op::While { .. } => self.repeat(eqn),
            _ => {
                for region in &eqn.regions {
                    self.block(region);
                    region.results.iter().for_each(|result| self.moves(*result));
                }
            }
        }
    }

    fn repeat(&mut self, eqn: &Eqn) {
        for region in &eqn.regions {
            for (arg, param) in eqn.args.iter().zip(&region.params[eqn.first_carried()..]) {
                self.carries(*arg, *param);
            }
            self.block(region);
        }
        for ((arg, result), out) in eqn.args.iter().zip(&eqn.step().results).zip(&eqn.outs) {
            if self.starts.get(arg) != self.starts.get(result) {
                self.moves(*arg);
                self.moves(*result);
            }
            self.carries(*arg, *out);
        }
    }
}

/// The arrays of each block that are made before any of them is used, by the type of their rows.
fn side_by_side(body: &Body, block: &Block, candidates: &VarSet, parts: &mut VarTable<Vec<Part>>) {
    let mut open: Vec<(Ty, Vec<Part>)> = Vec::new();
    let close = |parts: &mut VarTable<Vec<Part>>, row: &Ty, group: Vec<Part>| {
        // One array alone is a `Vec` of its own, if it is on the heap anyway.
        if let Some(last) = group.last().filter(|_| group.len() > 1 || on_stack(row).is_some()) {
            parts.insert(last.var, group);
        }
    };
    for eqn in &block.eqns {
        let mut used = Vec::new();
        if !open.is_empty() {
            eqn.for_each_use(&mut |var| used.extend(candidates.contains(var).then_some(var)));
        }
        let is_used = |(_, group): &mut (Ty, Vec<Part>)| group.iter().any(|part| used.contains(&part.var));
        open.extract_if(.., is_used).for_each(|(row, group)| close(parts, &row, group));
        if matches!(eqn.op, Op::Zero(_)) && candidates.contains(eqn.outs[0]) {
            let (var, ty) = (eqn.outs[0], body.ty(eqn.outs[0]));
            let part = Part { var, length: eqn.shape(&body.vars)[0].clone() };
            let row = ty.row();
            match open.iter_mut().find(|(other, _)| *other == row) {
                Some((_, group)) => group.push(part),
                None => open.push((row, vec![part])),
            }
        }
        eqn.regions.iter().for_each(|region| side_by_side(body, region, candidates, parts));
    }
    open.into_iter().for_each(|(row, group)| close(parts, &row, group));
}
