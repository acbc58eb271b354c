//! Which equations update an array in place.

use crate::ir::var::HashSet;
use crate::ir::{Block, Eqn, Op, Var};

/// The arguments that an equation updates in place.
pub fn updated(eqn: &Eqn) -> Vec<usize> {
    updates(eqn).into_iter().map(|(arg, _)| arg).collect()
}

/// The same, with the results that are the arguments after the update.
pub fn updates(eqn: &Eqn) -> Vec<(usize, usize)> {
    let all = |count: usize| (0..count).map(|k| (k, k)).collect();
    match &eqn.op {
        Op::Set | Op::Acc | Op::Into(_) | Op::Put(_) | Op::Push => vec![(0, 0)],
        Op::For { .. } | Op::While { .. } => all(eqn.args.len()),
        _ => eqn.call_updates(),
    }
}

/// Whether an equation, or one inside it, updates an array in place.
pub fn is_updated(eqn: &Eqn, array: Var) -> bool {
    updated(eqn).into_iter().any(|at| eqn.args[at] == array)
        || eqn.regions.iter().any(|region| region.eqns.iter().any(|eqn| is_updated(eqn, array)))
}

/// The arrays that a block updates in place, or moves away.
pub fn changed(block: &Block) -> HashSet<Var> {
    fn collect(block: &Block, found: &mut HashSet<Var>) {
        for eqn in &block.eqns {
            match eqn.op {
                Op::Push | Op::If => found.extend(&eqn.args),
                _ => found.extend(updates(eqn).into_iter().map(|(arg, _)| eqn.args[arg])),
            }
            for region in &eqn.regions {
                collect(region, found);
                found.extend(&region.results);
            }
        }
    }
    let mut found = HashSet::default();
    collect(block, &mut found);
    found
}
