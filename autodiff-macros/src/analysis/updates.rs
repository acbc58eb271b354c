//! Which equations update an array in place.

use crate::ir::{Block, Eqn, Op, Var};

/// The arguments that an equation updates in place.
pub fn updated(eqn: &Eqn) -> Vec<usize> {
    updates(eqn).into_iter().map(|(arg, _)| arg).collect()
}

/// The same, with the results that are the arguments after the update.
pub fn updates(eqn: &Eqn) -> Vec<(usize, usize)> {
    let all = |count: usize| (0..count).map(|k| (k, k)).collect();
    match &eqn.op {
        Op::Set | Op::Acc | Op::Into(_) | Op::Push => vec![(0, 0)],
        Op::For { .. } | Op::While { .. } => all(eqn.args.len()),
        _ => eqn.call_updates(),
    }
}

/// Whether an equation, or one inside it, updates an array in place.
pub fn is_updated(eqn: &Eqn, array: Var) -> bool {
    updated(eqn).into_iter().any(|at| eqn.args[at] == array)
        || eqn.regions.iter().any(|region| region.eqns.iter().any(|eqn| is_updated(eqn, array)))
}

/// Whether a block updates an array in place, or moves it away.
pub fn changes(block: &Block, array: Var) -> bool {
    block.eqns.iter().any(|eqn| {
        let moved = matches!(eqn.op, Op::Push | Op::If) && eqn.args.contains(&array);
        moved
            || updated(eqn).iter().any(|arg| eqn.args[*arg] == array)
            || eqn.regions.iter().any(|region| changes(region, array) || region.results.contains(&array))
    })
}
