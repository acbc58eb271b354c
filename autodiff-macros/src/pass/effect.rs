//! What an equation does besides its results. An assertion belongs to every sweep that computes values for the first time;
//! a reverse sweep has them from there, and computes them again without it. What is printed is printed by the function itself.

use crate::ir::{Block, Effect, Eqn, Op};

/// Whether an equation, or one inside it, does something besides its results.
pub fn has_effect(eqn: &Eqn) -> bool {
    matches!(eqn.op, Op::Effect(_)) || eqn.regions.iter().any(|region| region.eqns.iter().any(has_effect))
}

/// Leaves out effects, here and inside.
pub fn remove(eqns: &mut Vec<Eqn>, which: fn(&Effect) -> bool) {
    eqns.retain(|eqn| !matches!(&eqn.op, Op::Effect(effect) if which(effect)));
    for region in eqns.iter_mut().flat_map(|eqn| &mut eqn.regions) {
        remove(&mut region.eqns, which);
    }
}

pub fn prints(block: &Block) -> bool {
    block
        .eqns
        .iter()
        .any(|eqn| matches!(&eqn.op, Op::Effect(effect) if effect.prints) || eqn.regions.iter().any(prints))
}
