//! What the variables of a body are called after.

use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Op, Var};

/// A buffer is named after what becomes of it.
pub(super) fn collect_hints(body: &Body, block: &Block, hints: &mut VarTable<std::rc::Rc<str>>) {
    for eqn in block.eqns.iter().rev() {
        let pairs: Vec<(Var, Var)> = match &eqn.op {
            Op::For { .. } => eqn.args.iter().copied().zip(eqn.outs.iter().copied()).collect(),
            Op::Set | Op::Acc | Op::Into(_) | Op::Put(_) => vec![(eqn.args[0], eqn.outs[0])],
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
            Op::Into(op) | Op::Put(op) => Some(op.noun().to_owned()),
            op => op.result_hint(),
        };
        if let Some(described) = described {
            let updated = if matches!(eqn.op, Op::Into(_) | Op::Put(_)) { &eqn.args[..1] } else { &[] };
            for var in eqn.outs.iter().chain(updated) {
                if body.data(*var).hint.is_none() {
                    hints.entry(*var).or_insert_with(|| described.clone().into());
                }
            }
        }
    }
}
