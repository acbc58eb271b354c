//! What is known of a body before its code is written: what its variables are called after, where they are read, and
//! which numbers are constants.

use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Op, Var, VarMap, VarSet};

/// A buffer is named after what becomes of it.
pub(super) fn collect_hints(body: &Body, block: &Block, hints: &mut VarTable<std::rc::Rc<str>>) {
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
            op => op.result_hint(),
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
pub(super) fn collect_reads(block: &Block, here: &mut VarSet, by_regions: &mut VarSet) {
    let mut made = VarMap::default();
    number_blocks(block, &mut 0, &mut made, here, by_regions);
}

/// `made`: the numbers of the blocks that make variables.
fn number_blocks(
    block: &Block,
    next: &mut usize,
    made: &mut VarMap<usize>,
    here: &mut VarSet,
    by_regions: &mut VarSet,
) {
    let own = *next;
    *next += 1;
    for eqn in &block.eqns {
        for arg in eqn.args.iter().filter(|arg| made.get(**arg) == Some(&own)) {
            here.insert(*arg);
            if !eqn.regions.is_empty() {
                by_regions.insert(*arg);
            }
        }
        eqn.regions.iter().for_each(|region| number_blocks(region, next, made, here, by_regions));
        made.extend(eqn.outs.iter().map(|out| (*out, own)));
    }
    here.extend(block.results.iter().copied().filter(|result| made.get(*result) == Some(&own)));
}

pub(super) fn collect_consts(block: &Block, consts: &mut VarTable<f64>) {
    for eqn in &block.eqns {
        match &eqn.op {
            Op::Const(value) => consts.insert(eqn.outs[0], *value),
            Op::Zero => consts.insert(eqn.outs[0], 0.0),
            _ => None,
        };
        eqn.regions.iter().for_each(|region| collect_consts(region, consts));
    }
}
