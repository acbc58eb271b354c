//! Two branches on the same condition are one.
//!
//! ```text
//! a = if c { u = sqrt x; yield u } { yield z }
//! p = mul y y                                          p = mul y y
//! b = if c { v = sqrt x                        ->      a, b = if c { u = sqrt x
//!            w = mul v p                                             v = sqrt x
//!            yield w } { yield z }                                   w = mul v p
//!                                                                    yield u w } { yield z z }
//! ```
//!
//! The derivative of a branch is a branch on its condition, and so is each row of a Jacobian. What they compute alike is in one block
//! then, where value numbering finds it. Only branches of numbers are merged: an array would have to be kept as it is after the first.

use crate::analysis::uses::makers;
use crate::ir::effect::has_effect;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Eqn, Op, Var, VarData};

pub fn run(mut body: Body) -> Body {
    block(&body.vars, &mut body.block);
    body
}

fn block(vars: &[VarData], of: &mut Block) {
    let mut at = 0;
    while at < of.eqns.len() {
        at = match is_branch(vars, &of.eqns[at]).then(|| merged_into(vars, of, at)).flatten() {
            // It may go on from there.
            Some(first) => first,
            None => at + 1,
        };
    }
    of.eqns.iter_mut().flat_map(|eqn| &mut eqn.regions).for_each(|region| block(vars, region));
}

fn is_branch(vars: &[VarData], eqn: &Eqn) -> bool {
    matches!(eqn.op, Op::If) && eqn.outs.iter().all(|out| vars[out.0 as usize].ty.is_scalar()) && !has_effect(eqn)
}

/// Merges a branch with the last one before it on the same condition, and returns where that is.
fn merged_into(vars: &[VarData], of: &mut Block, second: usize) -> Option<usize> {
    let condition = of.eqns[second].args[0];
    let is_first = |eqn: &Eqn| is_branch(vars, eqn) && eqn.args[0] == condition;
    let first = of.eqns[..second].iter().rposition(is_first)?;
    let moved = moved(of, first, second)?;
    let mut behind: Vec<Eqn> = of.eqns.drain(first..).collect();
    let mut branch = behind.remove(second - first);
    let mut merged = behind.remove(0);
    let mut place = first;
    let (before, behind): (Vec<_>, Vec<_>) = behind.into_iter().partition(|_| {
        place += 1;
        moved.contains(&place)
    });
    for (region, mut other) in merged.regions.iter_mut().zip(branch.regions.drain(..)) {
        let own: HashMap<Var, Var> = merged.outs.iter().copied().zip(region.results.iter().copied()).collect();
        other.rename_uses(&|var| *own.get(&var).unwrap_or(&var));
        region.eqns.extend(other.eqns);
        region.results.extend(other.results);
    }
    merged.outs.extend(branch.outs);
    let place = of.eqns.len() + before.len();
    of.eqns.extend(before);
    of.eqns.push(merged);
    of.eqns.extend(behind);
    Some(place)
}

/// What stands between two branches and has to come before both: none, if the first one has a part in it.
fn moved(of: &Block, first: usize, second: usize) -> Option<HashSet<usize>> {
    let makers = makers(of);
    let (mut moved, mut open) = (HashSet::default(), vec![second]);
    while let Some(at) = open.pop() {
        let mut holds = true;
        of.eqns[at].for_each_use(&mut |var| match makers.get(&var) {
            Some(made) if *made > first && *made < second && moved.insert(*made) => open.push(*made),
            // The second one reads what it is in its own block.
            Some(made) => holds &= *made != first || at == second,
            None => {}
        });
        if !holds || at != second && has_effect(&of.eqns[at]) {
            return None;
        }
    }
    Some(moved)
}
