//! An array that dies in the loop that makes another one gives its place to it.
//!
//! ```text
//! h0 = zero                                 for i … { for j … {
//! for i … { for j … {                           z[i][j] = relu(z[i][j] + b[j]);
//!     h0[i][j] = relu(z[i][j] + b[j]); }}   }}
//! ```
//!
//! The loop must write every element of the new array exactly once, and read the old one only at the place
//! it is about to write.

use crate::analysis::uses::{Uses, makers};
use crate::analysis::writes::{Write, only_write};
use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Eqn, Op, Ty, Var, VarData, VarMap};

pub fn run(mut body: Body) -> Body {
    let Body { vars, block, .. } = &mut body;
    let uses = Uses::of(block);
    let mut last = VarMap::default();
    for (k, eqn) in block.eqns.iter().enumerate() {
        eqn.for_each_use(&mut |var| last.insert(var, k));
    }
    last.extend(block.results.iter().map(|result| (*result, block.eqns.len())));
    let mut pass = Reuse { vars, uses, makers: makers(block), last, foreign: VarMap::default() };
    let mut changed = false;
    for k in 0..block.eqns.len() {
        if block.eqns[k].as_for().is_some() {
            let dying = pass.dying(block, k);
            for carried in 0..if dying.is_empty() { 0 } else { block.eqns[k].outs.len() } {
                changed |= pass.take_over(block, k, carried, &dying);
            }
        }
        pass.note(&block.eqns[k]);
    }
    if changed {
        super::simplify::remove_dead(&mut body.block);
    }
    body
}

struct Reuse<'b> {
    vars: &'b [VarData],
    uses: Uses,
    /// Where the block makes what, and reads it for the last time.
    makers: VarTable<usize>,
    last: VarMap<usize>,
    /// Whether an array is a version of one that came from outside, if it was made so far.
    foreign: VarMap<bool>,
}

impl Reuse<'_> {
    /// Lets the `carried` array of the loop at `k` start as one of the dying arrays instead of as zeros.
    fn take_over(&mut self, block: &mut Block, k: usize, carried: usize, dying: &[Var]) -> bool {
        let eqn = &block.eqns[k];
        if self.ty(eqn.outs[carried]).is_scalar() {
            return false;
        }
        let init = eqn.args[carried];
        let fresh = self.makers.get(&init).is_some_and(|at| matches!(block.eqns[*at].op, Op::Zero(_)));
        if !fresh {
            return false;
        }
        let ty = self.ty(eqn.outs[carried]);
        let candidates: Vec<Var> = dying.iter().copied().filter(|old| self.ty(*old) == ty).collect();
        if candidates.is_empty() {
            return false;
        }
        let Some(write) = only_write(self.vars, Some(&self.uses), eqn, carried) else { return false };
        for old in candidates {
            if eqn.args.contains(&old) || !reads_at(&eqn.regions[0], old, &write) {
                continue;
            }
            let eqn = &mut block.eqns[k];
            eqn.args[carried] = old;
            eqn.regions[0].rename_uses(&|var| if var == old { write.version } else { var });
            return true;
        }
        false
    }

    /// Arrays that are made in this block and used for the last time in the loop at `k`, in the order in which they are made.
    fn dying(&self, block: &Block, k: usize) -> Vec<Var> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        block.eqns[k].regions[0].for_each_use(&mut |var| {
            if self.last.get(var) != Some(&k) || self.ty(var).is_scalar() || self.ty(var).is_ragged() {
                return;
            }
            let Some(at) = self.makers.get(&var).filter(|at| **at < k) else { return };
            let maker = &block.eqns[*at];
            let made =
                matches!(maker.op, Op::For { .. } | Op::Into(_) | Op::Put(_)) && self.foreign.get(var) == Some(&false);
            if let (true, Some(out)) = (made, maker.outs.iter().position(|out| *out == var)) {
                found.push((*at, out));
            }
        });
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|(at, out)| block.eqns[at].outs[out]).collect()
    }

    /// Notes which results of an equation are the last version of an array that came from outside.
    fn note(&mut self, eqn: &Eqn) {
        for (at, out) in eqn.outs.iter().enumerate() {
            if self.ty(*out).is_scalar() {
                continue;
            }
            let from = match &eqn.op {
                Op::Zero(_) | Op::Copy | Op::Pack => None,
                Op::Into(_) | Op::Put(_) | Op::Set | Op::Acc => Some(eqn.args[0]),
                Op::For { .. } => Some(eqn.args[at]),
                _ => Some(*out),
            };
            let foreign = from.is_some_and(|from| self.foreign.get(from) != Some(&false));
            self.foreign.insert(*out, foreign);
        }
    }

    fn ty(&self, var: Var) -> &Ty {
        &self.vars[var.0 as usize].ty
    }
}

/// Whether all uses of `old` in the region are reads at the place of the write, in its own block and before it.
fn reads_at(region: &Block, old: Var, write: &Write) -> bool {
    let home = region.eqns.iter().position(|eqn| matches!(eqn.op, Op::Set) && eqn.args[0] == write.version);
    for (k, eqn) in region.eqns.iter().enumerate() {
        if !eqn.uses(old) {
            continue;
        }
        let fits = match &eqn.op {
            Op::Get => eqn.args[0] == old && eqn.args[1..] == write.at[..] && home.is_some_and(|home| k < home),
            Op::For { .. } => !eqn.args.contains(&old) && reads_at(&eqn.regions[0], old, write),
            _ => false,
        };
        if !fits {
            return false;
        }
    }
    !region.results.contains(&old)
}
