//! Cuts a joint body into its forward and its reverse sweep, for callers that run them apart.
//!
//! What the reverse sweep reads of the forward sweep are its residuals. Values that cost nothing to have again
//! (constants, zeros, views of what is at hand) are recomputed instead, and so are numbers that take a cheap operation on
//! others that are there.

use super::adjoint::Joint;
use super::simplify;
use crate::analysis::uses::collect_defined;
use crate::ir::dim::Dim;
use crate::ir::var::HashSet;
use crate::ir::{Block, Body, Eqn, Op, Var, VarMap, VarSet};
use crate::op::{Class, Cost, RowKind};
use std::collections::BTreeSet;

/// Two sweeps and what passes between them.
pub struct Halves {
    /// Parameters: the primal's. Results: the primal's, then the residuals.
    pub forward: Body,
    /// Parameters: the primal's, the residuals, seeds, accumulators. Results: the cotangents.
    pub reverse: Body,
    /// The residuals: computed by the forward sweep, read by the reverse sweep.
    pub residuals: Vec<Var>,
}

/// `changed` are the parameters that the function changes: what they were is not at hand afterwards.
pub fn split(joint: &Joint, primal: &Body, changed: &[Var]) -> Halves {
    let Block { params, eqns, results } = &joint.body.block;
    let (forward, reverse) = eqns.split_at(joint.forward);
    let mut reverse =
        Block { params: Vec::new(), eqns: reverse.to_vec(), results: results[primal.block.results.len()..].to_vec() };
    simplify::remove_dead(&mut reverse);
    let reverse = reverse.eqns;
    // Where the forward sweep makes what.
    let mut makers = VarMap::default();
    for (k, eqn) in forward.iter().enumerate() {
        makers.extend(eqn.outs.iter().map(|out| (*out, k)));
    }
    let maker = |var: Var| makers.get(var).map(|k: &usize| &forward[*k]);
    let bars = &results[primal.block.results.len()..];

    let mut residuals = Vec::new();
    // The equations that are run again, by their places.
    let mut again = BTreeSet::new();
    let mut done = VarSet::default();
    let mut read = Vec::new();
    reverse.iter().for_each(|eqn| read.extend(read_outside(&joint.body, eqn)));
    read.extend(bars);
    while let Some(var) = read.pop() {
        if changed.contains(&var) && done.insert(var) {
            residuals.push(var);
        }
        let Some(at) = makers.get(var).copied().filter(|_| done.insert(var)) else { continue };
        let eqn = &forward[at];
        let lost = matches!(eqn.op, Op::Len) && changed.contains(&eqn.args[0]);
        if (costs_nothing(eqn) && !lost) || is_view(&joint.body, eqn, &|var| maker(var).is_none_or(costs_nothing)) {
            read.extend(read_outside(&joint.body, eqn));
            again.insert(at);
        } else {
            residuals.push(var);
        }
    }
    residuals.sort();
    let mut kept: VarSet = residuals.iter().copied().collect();
    for residual in residuals.iter().rev() {
        let Some(eqn) = maker(*residual).filter(|eqn| is_cheap(&joint.body, eqn)) else { continue };
        let nothing = |var: &Var| maker(*var).is_some_and(|eqn| costs_nothing(eqn) && eqn.own_uses().is_empty());
        let (free, rest): (Vec<Var>, Vec<Var>) = eqn.args.iter().copied().partition(nothing);
        let at_hand = |var: &Var| match makers.get(*var) {
            Some(at) => kept.contains(*var) || again.contains(at),
            None => !changed.contains(var),
        };
        if rest.iter().all(at_hand) {
            for at in free.into_iter().chain([*residual]).filter_map(|var| makers.get(var)) {
                again.insert(*at);
            }
            kept.remove(*residual);
        }
    }
    residuals.retain(|residual| kept.contains(*residual));
    let again: Vec<Eqn> = again.into_iter().map(|at| forward[at].clone()).collect();

    let own = primal.block.params.len();
    let kept: Vec<Var> = params[..own].iter().copied().filter(|param| !changed.contains(param)).collect();
    let body = |name: &str, params: Vec<Var>, eqns: Vec<Eqn>, results: Vec<Var>| Body {
        name: format!("{}_{name}", primal.name),
        vars: joint.body.vars.clone(),
        block: Block { params, eqns, results },
        owned: joint.body.owned.clone(),
    };
    let values = &results[..primal.block.results.len()];
    let mut halves = Halves {
        forward: body("forward", params[..own].to_vec(), forward.to_vec(), [values, &residuals].concat()),
        reverse: body(
            "reverse",
            [&kept[..], &residuals, &params[own..]].concat(),
            [again, reverse].concat(),
            bars.to_vec(),
        ),
        residuals,
    };
    halves.forward.owned.extend(changed);
    halves
}

/// Whether a number takes no longer to compute than to keep.
fn is_cheap(body: &Body, eqn: &Eqn) -> bool {
    let numbers = eqn.outs.iter().chain(&eqn.args).all(|var| body.ty(*var).is_scalar());
    numbers && matches!(&eqn.op, Op::Map(row) if row.cost < Cost::Function)
}

/// Whether a loop nest only moves elements of what is at hand.
fn is_view(body: &Body, eqn: &Eqn, at_hand: &dyn Fn(Var) -> bool) -> bool {
    matches!(eqn.op, Op::For { .. }) && moves(&eqn.regions[0]) && read_outside(body, eqn).into_iter().all(at_hand)
}

fn moves(region: &Block) -> bool {
    region.eqns.iter().all(|eqn| match &eqn.op {
        Op::For { .. } => moves(&eqn.regions[0]),
        Op::Get | Op::Set | Op::Int(_) | Op::Dim(_) | Op::Const(_) => true,
        Op::Map(row) => matches!(row.kind, RowKind::Select | RowKind::Predicate),
        _ => false,
    })
}

/// What an equation reads that it does not define itself.
fn read_outside(body: &Body, eqn: &Eqn) -> Vec<Var> {
    let mut defined = HashSet::default();
    for region in &eqn.regions {
        defined.extend(&region.params);
        collect_defined(region, &mut defined);
    }
    let mut read = Vec::new();
    let mut note = |var: Var| {
        if !defined.contains(&var) && !read.contains(&var) {
            read.push(var);
        }
    };
    eqn.for_each_use(&mut note);
    sizes(body, eqn, &mut note);
    read
}

/// The sizes of the arrays that operators take or make as a whole: the loops that they become read these.
fn sizes(body: &Body, eqn: &Eqn, note: &mut dyn FnMut(Var)) {
    let (args, outs) = match eqn.op {
        Op::Acc => (&eqn.args[1..2], &[][..]),
        Op::Map(_) | Op::Cast | Op::Tensor(_) => (&eqn.args[..], &eqn.outs[..]),
        _ => (&[][..], &[][..]),
    };
    args.iter().chain(outs).flat_map(|var| body.ty(*var).dims.iter().flat_map(Dim::vars)).for_each(&mut *note);
    eqn.regions.iter().flat_map(|region| &region.eqns).for_each(|eqn| sizes(body, eqn, note));
}

fn costs_nothing(eqn: &Eqn) -> bool {
    match &eqn.op {
        Op::Const(_) | Op::Dim(_) | Op::Zero(_) | Op::Int(_) | Op::Len => true,
        Op::Tensor(op) => op.class() == Class::View,
        _ => false,
    }
}
