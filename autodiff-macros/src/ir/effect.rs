//! What an equation does besides its results. An assertion belongs to every sweep that computes values for the first time;
//! a reverse sweep has them from there, and computes them again without it. What is printed is printed by the function itself.
//!
//! Note [Functions without a derivative]. A function that the compiler does not see may count, draw a random number or read
//! a sensor. So a call of it is evaluated once, in its place among all effects, and never merged with another or removed.
//! What a reverse sweep reads of it is saved by the forward sweep, as long as the loops and branches around it are.
//! `#[differentiable(pure(f))]` says that `f` has no effect and depends on nothing but its arguments.
//!
//! A differentiable callee may call such functions. Whether it does is known to rustc only (`Sweeps::EFFECTS`), so that a
//! call keeps its place like an effect, and generated code that runs a callee again asserts that it has none. Where it
//! lends on an integer that it is lent, its relay says so, and it is not run again: see [`super::Callee::once`].

use super::var::HashSet;
use super::{Block, Effect, Eqn, Evaluation, Op, Opaque, Var};
use std::rc::Rc;

/// Whether an operation does something besides its results.
pub fn is_effect(op: &Op) -> bool {
    match op {
        Op::Effect(_) => true,
        Op::Opaque(opaque) => opaque.evaluation == Evaluation::Once,
        op => op.may_have_effect(),
    }
}

/// The calls of a block that its reverse sweep runs again with their derivative: the first run is not needed for its
/// effects, since a callee with effects may not run again.
pub fn run_again(block: &Block, found: &mut HashSet<Var>) {
    for eqn in &block.eqns {
        found.extend(eqn.op.runs_again());
        eqn.regions.iter().for_each(|region| run_again(region, found));
    }
}

/// Whether an equation, or one inside it, does something besides its results.
pub fn has_effect(eqn: &Eqn) -> bool {
    is_effect(&eqn.op) || eqn.regions.iter().any(|region| region.eqns.iter().any(has_effect))
}

/// Whether an equation, or one inside it, has an effect that others see the order of.
pub fn is_ordered(eqn: &Eqn) -> bool {
    let own = match &eqn.op {
        Op::Effect(effect) => effect.is_ordered(),
        op => is_effect(op),
    };
    own || eqn.regions.iter().any(|region| region.eqns.iter().any(is_ordered))
}

/// Marks the operation of a copy of a forward equation as one that a reverse sweep repeats: the value of a function without
/// a derivative has to be saved, a callee may run again only if it has no effect.
pub fn repeat(op: &mut Op, original: &Eqn) {
    match op {
        Op::Opaque(opaque) if opaque.evaluation == Evaluation::Once => {
            *opaque = Rc::new(Opaque { evaluation: Evaluation::Saved, ..(**opaque).clone() });
        }
        op => op.mark_repeated(original),
    }
}

/// Takes the marks off, in what the forward sweep is going to evaluate.
pub fn evaluate(eqns: &mut [Eqn]) {
    for eqn in eqns {
        match &mut eqn.op {
            Op::Opaque(opaque) if opaque.evaluation == Evaluation::Saved => {
                *opaque = Rc::new(Opaque { evaluation: Evaluation::Once, ..(**opaque).clone() });
            }
            op => op.mark_first_run(),
        }
        eqn.regions.iter_mut().for_each(|region| evaluate(&mut region.eqns));
    }
}

/// Whether one of some equations, or one inside them, calls a function without a derivative for the first time.
pub fn evaluates(eqns: &[Eqn]) -> bool {
    eqns.iter().any(|eqn| match &eqn.op {
        Op::Opaque(opaque) => opaque.evaluation == Evaluation::Once,
        op => op.lends() || eqn.regions.iter().any(|region| evaluates(&region.eqns)),
    })
}

/// Whether one of some equations, or one inside them, lends data that change to a differentiable function.
pub fn lends(eqns: &[Eqn]) -> bool {
    eqns.iter().any(|eqn| eqn.op.lends() || eqn.regions.iter().any(|region| lends(&region.eqns)))
}

/// Whether some equations are those of a forward sweep, and not a copy, as far as it makes a difference.
pub fn is_first_run(eqns: &[Eqn]) -> bool {
    eqns.iter().any(|eqn| match &eqn.op {
        Op::Effect(_) => false,
        op => is_effect(op) || eqn.regions.iter().any(|region| is_first_run(&region.eqns)),
    })
}

/// Whether an equation is, or contains, one whose value has to be saved.
pub fn is_saved(eqn: &Eqn) -> bool {
    match &eqn.op {
        Op::Opaque(opaque) => opaque.evaluation == Evaluation::Saved,
        op => op.is_saved_call() || eqn.regions.iter().any(|region| region.eqns.iter().any(is_saved)),
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
        .any(|eqn| matches!(&eqn.op, Op::Effect(effect) if effect.prints()) || eqn.regions.iter().any(prints))
}
