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
use crate::ir::dim::Dim;
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
        let fresh = self.makers.get(&init).is_some_and(|at| matches!(block.eqns[*at].op, Op::Zero));
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
            let made = matches!(maker.op, Op::For { .. } | Op::Into(_)) && self.foreign.get(var) == Some(&false);
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
                Op::Zero | Op::Copy | Op::Pack => None,
                Op::Into(_) | Op::Set | Op::Acc => Some(eqn.args[0]),
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

/// The one place at which a loop nest writes an array.
pub struct Write {
    /// The array just before the write.
    pub version: Var,
    at: Vec<Var>,
}

/// Follows a carried array to its only write, if that covers every element, each once. The write may be of a
/// sub-array, at indices of the first axes. `uses` are those of the body, if they have been counted.
pub fn only_write(vars: &[VarData], uses: Option<&Uses>, eqn: &Eqn, carried: usize) -> Option<Write> {
    let dims = &vars[eqn.outs[carried].0 as usize].ty.dims;
    let mut ranges: Vec<(Var, &Dim)> = Vec::new();
    let (mut eqn, mut carried) = (eqn, carried);
    loop {
        let (lo, hi, _, region) = eqn.as_for()?;
        if !lo.is(0) {
            return None;
        }
        ranges.push((region.params[0], hi));
        let version = region.params[carried + 1];
        // Most arrays that are read as well are read more than once.
        if uses.map_or_else(|| region.count_uses(version), |uses| uses.count(version)) != 1 {
            return None;
        }
        let only = region.eqns.iter().find(|other| other.args.contains(&version))?;
        match &only.op {
            Op::Set if only.args[0] == version && only.outs[0] == region.results[carried] => {
                let at = only.args[2..].to_vec();
                // As many loops as axes: `t[i][i]` is the diagonal only.
                let axes = dims.iter().take(at.len()).filter(|dim| !dim.is(1)).count();
                let covers = at.len() <= dims.len()
                    && ranges.len() == axes
                    && at
                        .iter()
                        .zip(dims)
                        .all(|(index, dim)| dim.is(1) || ranges.iter().any(|(range, hi)| range == index && *hi == dim))
                    && ranges.iter().all(|(range, _)| at.contains(range));
                return (covers && only.args[1] != version).then_some(Write { version, at });
            }
            Op::For { .. } => {
                let next = only.args.iter().position(|arg| *arg == version)?;
                if only.outs[next] != region.results[carried]
                    || only.args.iter().filter(|arg| **arg == version).count() != 1
                {
                    return None;
                }
                (eqn, carried) = (only, next);
            }
            _ => return None,
        }
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
