//! Calls of one function that stand side by side and are one call.
//!
//! ```text
//! %y = call[f] %x                         %y, %s = call[f forward] %x
//! …                                  ->   …
//! %z, %s = call[f forward] %x
//!
//! %y, %s = call[f forward] %x             %y, %b = call[f gradient] %x %a
//! …                                  ->   …
//! %b = call[f reverse] %x %s 1 %a
//! ```
//!
//! Note [Gradients of calls]. Two sweeps of one call, where the cotangent of the result is the constant 1, are the
//! gradient of the callee: its loops are fused, and it saves nothing. The gradient stands where the forward sweep was, so
//! that effects keep their order. What its accumulators start from has to be known there. If another call adds to an
//! accumulator in between, the two change places in the chain of sums.

use super::last;
use crate::ir::interface::{Of, Role};
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Call, CallKind, Eqn, Op, Var, VarData};

/// Joins the calls of a body, whose equations have been numbered.
pub(super) fn join(body: &mut Body) {
    let mut ones = HashSet::default();
    collect_ones(&body.block, &mut ones);
    Joining { vars: &mut body.vars, ones }.block(&mut body.block);
}

fn collect_ones(block: &Block, found: &mut HashSet<Var>) {
    for eqn in &block.eqns {
        if matches!(eqn.op, Op::Const(value) if value == 1.0) {
            found.extend(&eqn.outs);
        }
        eqn.regions.iter().for_each(|region| collect_ones(region, found));
    }
}

struct Joining<'v> {
    vars: &'v mut Vec<VarData>,
    /// The variables that are the constant 1.
    ones: HashSet<Var>,
}

impl Joining<'_> {
    fn block(&mut self, block: &mut Block) {
        join_forward(block);
        self.join_gradients(block);
        join_both_sweeps(block);
        for region in block.eqns.iter_mut().flat_map(|eqn| &mut eqn.regions) {
            self.block(region);
        }
    }

    /// See Note [Gradients of calls].
    fn join_gradients(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.eqns.len() {
            let found = self.reverse_of(block, at).and_then(|reverse| Gradient::of(block, at, reverse));
            match found {
                Some(gradient) => at = gradient.put(self.vars, block) + 1,
                None => at += 1,
            }
        }
    }

    /// The reverse sweep, with cotangent 1, of the call whose forward sweep is at this place.
    fn reverse_of(&self, block: &Block, at: usize) -> Option<usize> {
        let forward = &block.eqns[at];
        let call = forward.op.as_call()?;
        if call.kind != CallKind::Forward || !call.callee.has_gradient || call.callee.recursive {
            return None;
        }
        let saved = call.interface(forward).output(&forward.outs, Role::RESIDUALS)?;
        let reverse = (at + 1..block.eqns.len()).find(|k| block.eqns[*k].uses(saved))?;
        let eqn = &block.eqns[reverse];
        let sweep = eqn.op.as_call().filter(|sweep| sweep.kind == CallKind::Reverse)?;
        let seed = sweep.interface(eqn).input(Role::cotangent(Of::Result(0)))?;
        let is_once = block.count_uses(saved) == 1;
        (is_once && self.ones.contains(&seed) && sweep.callee.key == call.callee.key).then_some(reverse)
    }
}

/// Both sweeps of a call that become its gradient.
struct Gradient {
    forward: usize,
    reverse: usize,
    /// What has to stand before the gradient.
    needed: Vec<usize>,
    /// What each accumulator starts from.
    starts: Vec<Var>,
    /// For each accumulator, what is added to it in between: the equation, the operand, and the sum after all of them.
    between: Vec<Option<(usize, usize, Var)>>,
}

impl Gradient {
    fn of(block: &Block, forward: usize, reverse: usize) -> Option<Gradient> {
        let (eqns, sweep) = (&block.eqns, &block.eqns[reverse]);
        let own = sweep.op.as_call()?.interface(sweep);
        let maker = |var: Var| (forward..reverse).find(|k| eqns[*k].outs.contains(&var));
        let (mut starts, mut between, mut needed) = (Vec::new(), Vec::new(), Vec::new());
        let bars = own.inputs.iter().filter(|(_, role)| role.is_cotangent() && matches!(role.of, Of::Input(_)));
        for (bar, _) in bars {
            let (mut start, mut first) = (*bar, None);
            loop {
                // Nothing else looks at the sum.
                if block.count_uses(start) != 1 {
                    return None;
                }
                let Some(k) = maker(start) else { break };
                let sums = eqns[k].black_box_accumulations();
                let Some((operand, _)) = sums.into_iter().find(|(_, out)| eqns[k].outs[*out] == start) else { break };
                first = Some((k, operand, *bar));
                start = eqns[k].args[operand];
            }
            needed.extend(maker(start));
            starts.push(start);
            between.push(first);
        }
        let mut at = 0;
        while at < needed.len() {
            let eqn = &eqns[needed[at]];
            if !matches!(eqn.op, Op::Zero(_) | Op::ZeroLike | Op::Const(_) | Op::Int(_) | Op::Dim(_) | Op::Len) {
                return None;
            }
            for var in eqn.own_uses() {
                let more = maker(var).filter(|k| !needed.contains(k));
                needed.extend(more);
            }
            at += 1;
        }
        needed.sort_unstable();
        needed.dedup();
        Some(Gradient { forward, reverse, needed, starts, between })
    }

    /// Puts the gradient in the place of the forward sweep, and gives the place.
    fn put(self, vars: &mut Vec<VarData>, block: &mut Block) -> usize {
        let Gradient { forward, reverse, needed, starts, between } = self;
        let sweep = block.eqns.remove(reverse);
        // What was the last sum still is.
        let mut names = HashMap::default();
        let mut sums = Vec::new();
        for (out, between) in sweep.outs.iter().zip(&between) {
            let Some((k, operand, after)) = *between else {
                sums.push(*out);
                continue;
            };
            names.insert(*out, after);
            let sum = Var(u32::try_from(vars.len()).unwrap_or(u32::MAX));
            vars.push(vars[out.0 as usize].clone());
            sums.push(sum);
            block.eqns[k].args[operand] = sum;
        }
        if !names.is_empty() {
            block.rename_uses(&|var| names.get(&var).copied().unwrap_or(var));
        }
        let eqn = &mut block.eqns[forward];
        if let Op::Call(call) = &eqn.op {
            let values = eqn.outs.len() - 1;
            eqn.outs.truncate(values);
            eqn.outs.extend(sums);
            eqn.args.extend(starts);
            eqn.op = Op::Call(Call { kind: CallKind::Gradient, ..call.clone() });
        }
        let gradient = forward + needed.len();
        for (moved, k) in needed.into_iter().enumerate() {
            block.eqns[forward + moved..=k].rotate_right(1);
        }
        gradient
    }
}

/// A call, and later the forward sweep of the same call: that gives the value, too.
fn join_forward(block: &mut Block) {
    let mut at = 0;
    while at < block.eqns.len() {
        let value = &block.eqns[at];
        let is_value = value.op.as_call().is_some_and(|call| call.kind == CallKind::Value);
        let forward =
            is_value.then(|| (at + 1..block.eqns.len()).find(|k| value.is_value_of_forward(&block.eqns[*k]))).flatten();
        if let Some(k) = forward {
            let forward = block.eqns.remove(k);
            let value = &mut block.eqns[at];
            let count = value.outs.len();
            let names: HashMap<Var, Var> = forward.outs.iter().copied().zip(value.outs.iter().copied()).collect();
            value.outs.extend(&forward.outs[count..]);
            if let Op::Call(call) = &mut value.op {
                call.kind = CallKind::Forward;
            }
            block.rename_uses(&|var| last(&names, var));
        }
        at += 1;
    }
}
/// A call, and later both sweeps of the same call: the second gives the value too. What needs the value comes after it.
fn join_both_sweeps(block: &mut Block) {
    let mut at = if block.eqns.iter().any(Eqn::is_both_sweeps) { 0 } else { block.eqns.len() };
    while at < block.eqns.len() {
        if let Some(joint) = joint_of(block, at) {
            let value = block.eqns.remove(at);
            let joint = joint - 1;
            let names: HashMap<Var, Var> =
                value.outs.iter().copied().zip(block.eqns[joint].outs.iter().copied()).collect();
            let (mut late, mut tainted) = (Vec::new(), value.outs.iter().copied().collect::<HashSet<Var>>());
            let mut moved = block.eqns.drain(at..joint).collect::<Vec<Eqn>>();
            moved.retain(|eqn| {
                let depends = tainted.iter().any(|var| eqn.uses(*var));
                if depends {
                    tainted.extend(&eqn.outs);
                    late.push(eqn.clone());
                }
                !depends
            });
            let after = at + moved.len() + 1;
            block.eqns.splice(at..at, moved);
            block.eqns.splice(after..after, late);
            block.rename_uses(&|var| last(&names, var));
        } else {
            at += 1;
        }
    }
}

/// Where both sweeps of a call are that need nothing of its value.
fn joint_of(block: &Block, at: usize) -> Option<usize> {
    let value = &block.eqns[at];
    if !value.op.is_black_box() || !block.eqns[at + 1..].iter().any(|eqn| value.is_value_of(eqn)) {
        return None;
    }
    let mut tainted: HashSet<Var> = value.outs.iter().copied().collect();
    for (k, eqn) in block.eqns.iter().enumerate().skip(at + 1) {
        let depends = tainted.iter().any(|var| eqn.uses(*var));
        if !depends && value.is_value_of(eqn) {
            return Some(k);
        }
        if depends {
            tainted.extend(&eqn.outs);
        }
    }
    None
}
