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

use crate::ir::dim::Dim;
use crate::ir::{Block, Body, Eqn, Op, Var, VarData};
use std::collections::HashSet;

pub fn run(mut body: Body) -> Body {
    let Body { vars, block, .. } = &mut body;
    let mut k = 0;
    while k < block.eqns.len() {
        for carried in 0..block.eqns[k].outs.len() {
            take_over(vars, block, k, carried);
        }
        k += 1;
    }
    super::simplify::remove_dead(&mut body.block);
    body
}

/// Lets the `carried` array of the loop at `k` start as a dying array instead of as zeros.
fn take_over(vars: &[VarData], block: &mut Block, k: usize, carried: usize) {
    let eqn = &block.eqns[k];
    if eqn.as_for().is_none() || vars[eqn.outs[carried].0 as usize].ty.is_scalar() {
        return;
    }
    let init = eqn.args[carried];
    let fresh = block.eqns[..k].iter().any(|other| other.outs == [init] && matches!(other.op, Op::Zero));
    if !fresh {
        return;
    }
    let Some(write) = only_write(vars, eqn, carried) else { return };
    let candidates = dying(vars, block, k, eqn.outs[carried]);
    for old in candidates {
        if eqn.args.contains(&old) || !reads_at(&eqn.regions[0], old, &write) {
            continue;
        }
        let eqn = &mut block.eqns[k];
        eqn.args[carried] = old;
        eqn.regions[0].rename_uses(&|var| if var == old { write.version } else { var });
        return;
    }
}

/// The one place at which a loop nest writes an array.
pub struct Write {
    /// The array just before the write.
    pub version: Var,
    at: Vec<Var>,
}

/// Follows a carried array to its only write, if that covers every element, each once. The write may be of a
/// sub-array, at indices of the first axes.
pub fn only_write(vars: &[VarData], eqn: &Eqn, carried: usize) -> Option<Write> {
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
        let mut uses = region.eqns.iter().filter(|other| other.uses(version));
        let (Some(only), None) = (uses.next(), uses.next()) else { return None };
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

/// Arrays of the same type that are made in this block and used for the last time at `k`.
fn dying(vars: &[VarData], block: &Block, k: usize, like: Var) -> Vec<Var> {
    let mut used = HashSet::new();
    block.eqns[k].regions[0].for_each_use(&mut |var| {
        used.insert(var);
    });
    let made =
        block.eqns[..k].iter().filter(|eqn| matches!(eqn.op, Op::For { .. } | Op::Into(_))).flat_map(|eqn| &eqn.outs);
    made.copied()
        .filter(|var| {
            let later = block.eqns[k + 1..].iter().any(|eqn| eqn.uses(*var)) || block.results.contains(var);
            let (ty, other) = (&vars[var.0 as usize].ty, &vars[like.0 as usize].ty);
            used.contains(var) && !later && ty == other && !ty.is_ragged()
        })
        .filter(|var| !belongs_to_parameter(block, k, *var))
        .collect()
}

/// Whether an array is the last version of one that came from outside.
fn belongs_to_parameter(block: &Block, k: usize, var: Var) -> bool {
    let Some(eqn) = block.eqns[..k].iter().find(|eqn| eqn.outs.contains(&var)) else { return true };
    match &eqn.op {
        Op::Zero | Op::Copy | Op::Pack => false,
        Op::Into(_) | Op::Set | Op::Acc => belongs_to_parameter(block, k, eqn.args[0]),
        Op::For { .. } => {
            let at = eqn.outs.iter().position(|out| *out == var).unwrap_or(0);
            belongs_to_parameter(block, k, eqn.args[at])
        }
        _ => true,
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
