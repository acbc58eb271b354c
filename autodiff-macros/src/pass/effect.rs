//! What an equation does besides its results. An assertion belongs to every sweep that computes values for the first time;
//! a reverse sweep has them from there, and computes them again without it. What is printed is printed by the function itself.
//!
//! Note [Functions without a derivative]. A function that the compiler does not see may count, draw a random number or read
//! a sensor. So a call of it is evaluated once, in its place among all effects, and never merged with another or removed.
//! What a reverse sweep reads of it is saved by the forward sweep, as long as the loops and branches around it are.
//! `#[differentiable(pure(f))]` says that `f` has no effect and depends on nothing but its arguments.

use crate::ir::{Block, Effect, Eqn, Evaluation, Op, Opaque};
use std::rc::Rc;

/// Whether an operation does something besides its results.
pub fn is_effect(op: &Op) -> bool {
    match op {
        Op::Effect(_) => true,
        Op::Opaque(opaque) => opaque.evaluation == Evaluation::Once,
        _ => false,
    }
}

/// Whether an equation, or one inside it, does something besides its results.
pub fn has_effect(eqn: &Eqn) -> bool {
    is_effect(&eqn.op) || eqn.regions.iter().any(|region| region.eqns.iter().any(has_effect))
}

/// Turns the calls of functions without a derivative in a copy of forward equations into what the forward sweep has to
/// save.
pub fn save(eqns: &mut [Eqn]) {
    for eqn in eqns {
        if let Op::Opaque(opaque) = &mut eqn.op {
            if opaque.evaluation == Evaluation::Once {
                *opaque = Rc::new(Opaque { evaluation: Evaluation::Saved, ..(**opaque).clone() });
            }
        }
        eqn.regions.iter_mut().for_each(|region| save(&mut region.eqns));
    }
}

/// Turns them back, in what the forward sweep is going to evaluate.
pub fn evaluate(eqns: &mut [Eqn]) {
    for eqn in eqns {
        if let Op::Opaque(opaque) = &mut eqn.op {
            if opaque.evaluation == Evaluation::Saved {
                *opaque = Rc::new(Opaque { evaluation: Evaluation::Once, ..(**opaque).clone() });
            }
        }
        eqn.regions.iter_mut().for_each(|region| evaluate(&mut region.eqns));
    }
}

/// Whether one of some equations, or one inside them, calls a function without a derivative for the first time.
pub fn evaluates(eqns: &[Eqn]) -> bool {
    eqns.iter().any(|eqn| match &eqn.op {
        Op::Opaque(opaque) => opaque.evaluation == Evaluation::Once,
        _ => eqn.regions.iter().any(|region| evaluates(&region.eqns)),
    })
}

/// Whether an equation is, or contains, one whose value has to be saved.
pub fn is_saved(eqn: &Eqn) -> bool {
    match &eqn.op {
        Op::Opaque(opaque) => opaque.evaluation == Evaluation::Saved,
        _ => eqn.regions.iter().any(|region| region.eqns.iter().any(is_saved)),
    }
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
