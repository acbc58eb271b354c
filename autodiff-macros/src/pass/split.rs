//! Cuts a joint body into its forward and its reverse sweep, for callers that run them apart.
//!
//! What the reverse sweep reads of the forward sweep are its residuals. Values that cost nothing to have again
//! (constants, zeros, views of what is at hand) are recomputed instead, and so are numbers that take a cheap operation on
//! others that are there.

use super::adjoint::{Joint, collect_defined};
use super::simplify;
use crate::ir::{Block, Body, Eqn, Op, Var};
use crate::op::{Class, RowKind};
use std::collections::{HashMap, HashSet};

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
    let defined: HashSet<Var> = forward.iter().flat_map(|eqn| eqn.outs.iter().copied()).collect();
    let producer: HashMap<Var, &Eqn> =
        forward.iter().flat_map(|eqn| eqn.outs.iter().map(move |out| (*out, eqn))).collect();
    let bars = &results[primal.block.results.len()..];

    let mut residuals = Vec::new();
    let mut again: Vec<Eqn> = Vec::new();
    let mut done = HashSet::new();
    let mut read = Vec::new();
    let mut note = |var: Var| read.push(var);
    reverse.iter().for_each(|eqn| eqn.for_each_use(&mut note));
    bars.iter().copied().for_each(&mut note);
    while let Some(var) = read.pop() {
        if changed.contains(&var) && done.insert(var) {
            residuals.push(var);
        }
        if !defined.contains(&var) || !done.insert(var) {
            continue;
        }
        let eqn = producer[&var];
        let lost = matches!(eqn.op, Op::Len) && changed.contains(&eqn.args[0]);
        if (costs_nothing(eqn) && !lost) || is_view(eqn, &|var| producer.get(&var).is_none_or(|eqn| costs_nothing(eqn)))
        {
            read.extend(read_outside(eqn));
            again.push(eqn.clone());
        } else {
            residuals.push(var);
        }
    }
    residuals.sort();
    for k in (0..residuals.len()).rev() {
        let eqn = producer.get(&residuals[k]).filter(|eqn| is_cheap(&joint.body, eqn));
        let Some(eqn) = eqn else { continue };
        let nothing = |var: &Var| producer.get(var).is_some_and(|eqn| costs_nothing(eqn) && eqn.own_uses().is_empty());
        let (free, rest): (Vec<Var>, Vec<Var>) = eqn.args.iter().copied().partition(nothing);
        let at_hand = |var: &Var| match defined.contains(var) {
            true => residuals.contains(var) || again.iter().any(|eqn| eqn.outs.contains(var)),
            false => !changed.contains(var),
        };
        if rest.iter().all(at_hand) {
            again.extend(free.into_iter().filter(|var| done.insert(*var)).map(|var| producer[&var].clone()));
            again.push((*eqn).clone());
            residuals.remove(k);
        }
    }
    let order = |eqn: &Eqn| forward.iter().position(|other| other.outs == eqn.outs);
    again.sort_by_key(order);

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
    numbers && matches!(&eqn.op, Op::Map(row) if !row.dear)
}

/// Whether a loop nest only moves elements of what is at hand.
fn is_view(eqn: &Eqn, at_hand: &dyn Fn(Var) -> bool) -> bool {
    matches!(eqn.op, Op::For { .. }) && moves(&eqn.regions[0]) && read_outside(eqn).into_iter().all(at_hand)
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
fn read_outside(eqn: &Eqn) -> Vec<Var> {
    let mut defined = HashSet::new();
    for region in &eqn.regions {
        defined.extend(&region.params);
        collect_defined(region, &mut defined);
    }
    let mut read = Vec::new();
    eqn.for_each_use(&mut |var| {
        if !defined.contains(&var) && !read.contains(&var) {
            read.push(var);
        }
    });
    read
}

fn costs_nothing(eqn: &Eqn) -> bool {
    match &eqn.op {
        Op::Const(_) | Op::Dim(_) | Op::Zero | Op::Int(_) | Op::Len => true,
        Op::Tensor(op) => op.class() == Class::View,
        _ => false,
    }
}
