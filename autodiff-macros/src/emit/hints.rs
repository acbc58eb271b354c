//! What is known of a body before its code is written: what its variables are called after, where they are read, and
//! which numbers are constants.

use crate::ir::{Block, Body, Op, Var};
use std::collections::{HashMap, HashSet};

/// A buffer is named after what becomes of it.
pub(super) fn collect_hints(body: &Body, block: &Block, hints: &mut HashMap<Var, std::rc::Rc<str>>) {
    for eqn in block.eqns.iter().rev() {
        let pairs: Vec<(Var, Var)> = match &eqn.op {
            Op::For { .. } => eqn.args.iter().copied().zip(eqn.outs.iter().copied()).collect(),
            Op::Set | Op::Acc | Op::Into(_) => vec![(eqn.args[0], eqn.outs[0])],
            _ => Vec::new(),
        };
        for (before, after) in pairs {
            let hint = body.data(after).hint.clone().or_else(|| hints.get(&after).cloned());
            if let (None, Some(hint)) = (&body.data(before).hint, hint) {
                hints.insert(before, hint);
            }
        }
        for region in &eqn.regions {
            collect_hints(body, region, hints);
        }
        // What has no name of the user's is called after what it is.
        let described = match &eqn.op {
            Op::Get => {
                let array = body.data(eqn.args[0]).hint.as_ref().or_else(|| hints.get(&eqn.args[0]));
                array.map(|array| format!("{array}_at"))
            }
            Op::Into(_) => Some("product".to_owned()),
            Op::Call(call) => Some(format!("{}_out", call.target.name())),
            _ => None,
        };
        if let Some(described) = described {
            let updated = if matches!(eqn.op, Op::Into(_)) { &eqn.args[..1] } else { &[] };
            for var in eqn.outs.iter().chain(updated) {
                if body.data(*var).hint.is_none() {
                    hints.entry(*var).or_insert_with(|| described.clone().into());
                }
            }
        }
    }
}

/// What is read in the block that it is made in, and of this the arguments of loops and branches.
pub(super) fn collect_reads(block: &Block, here: &mut HashSet<Var>, by_regions: &mut HashSet<Var>) {
    let made: HashSet<Var> = block.eqns.iter().flat_map(|eqn| &eqn.outs).copied().collect();
    let own = |vars: &[Var]| -> Vec<Var> { vars.iter().copied().filter(|var| made.contains(var)).collect() };
    for eqn in &block.eqns {
        here.extend(own(&eqn.args));
        if !eqn.regions.is_empty() {
            by_regions.extend(own(&eqn.args));
        }
        eqn.regions.iter().for_each(|region| collect_reads(region, here, by_regions));
    }
    here.extend(own(&block.results));
}

pub(super) fn collect_consts(block: &Block, consts: &mut HashMap<Var, f64>) {
    for eqn in &block.eqns {
        match &eqn.op {
            Op::Const(value) => consts.insert(eqn.outs[0], *value),
            Op::Zero => consts.insert(eqn.outs[0], 0.0),
            _ => None,
        };
        eqn.regions.iter().for_each(|region| collect_consts(region, consts));
    }
}
