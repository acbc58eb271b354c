//! Activity: which variables depend on a differentiable input. A side table; the body is not changed.

use crate::ir::call::Origin;
use crate::ir::operator::Algebra;
use crate::ir::var::HashSet;
use crate::ir::{Block, Body, Op, Var};

/// The floats that depend on one of `inputs`.
pub fn varied(body: &Body, inputs: &[Var]) -> HashSet<Var> {
    let mut varied: HashSet<Var> = inputs.iter().copied().collect();
    propagate(body, &body.block, &mut varied);
    varied
}

fn propagate(body: &Body, block: &Block, varied: &mut HashSet<Var>) {
    for eqn in &block.eqns {
        match &eqn.op {
            Op::For { .. } | Op::While { .. } => propagate_loop(body, eqn, varied),
            Op::If => {
                for region in &eqn.regions {
                    propagate(body, region, varied);
                    mark(body, varied, region.results.iter().zip(&eqn.outs));
                }
            }
            // What decides nothing but an index or a truth value passes no derivative on.
            Op::Opaque(_) | Op::Effect(_) | Op::Const(_) | Op::Dim(_) | Op::Zero(_) | Op::Int(_) => {}
            Op::Call(call) if call.callee.origin == Origin::Constant => {}
            // No derivative flows through what is constant between its jumps.
            Op::Map(row) if row.algebra == Algebra::Other && row.is_flat() => {}
            // Indices are integers, so only the array and the element can be active.
            _ if eqn.args.iter().any(|arg| varied.contains(arg)) => {
                let floats = eqn.outs.iter().filter(|out| body.ty(**out).is_float());
                varied.extend(floats.copied());
            }
            _ => {}
        }
    }
}

/// A carried value is active if it is so after any number of iterations.
fn propagate_loop(body: &Body, eqn: &crate::ir::Eqn, varied: &mut HashSet<Var>) {
    let (step, first) = match &eqn.op {
        Op::While { .. } => (&eqn.regions[1], 0),
        _ => (&eqn.regions[0], 1),
    };
    let carried = &step.params[first..];
    mark(body, varied, eqn.args.iter().zip(carried));
    loop {
        let before = varied.len();
        propagate(body, step, varied);
        mark(body, varied, step.results.iter().zip(carried));
        if varied.len() == before {
            break;
        }
    }
    mark(body, varied, carried.iter().zip(&eqn.outs));
}

fn mark<'v>(body: &Body, varied: &mut HashSet<Var>, pairs: impl Iterator<Item = (&'v Var, &'v Var)>) {
    for (from, to) in pairs {
        if varied.contains(from) && body.ty(*to).is_float() {
            varied.insert(*to);
        }
    }
}
