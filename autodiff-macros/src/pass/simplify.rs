//! Common subexpressions, dead code, stores forwarded to loads, and carried values that do not change.

use super::effect::has_effect;
use crate::ir::text::op_text;
use crate::ir::{Block, Body, Eqn, Op, Var, VarData};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

pub fn run(mut body: Body) -> Body {
    let lengths = lengths_of_params(&body);
    simplify_part(&mut body.vars, &mut body.block);
    body.block.eqns.retain(|eqn| !lengths.iter().any(|length| length.outs == eqn.outs));
    body.block.eqns.splice(0..0, lengths);
    body
}

/// Simplifies a block of a body that is still being made.
pub fn simplify_part(vars: &mut [VarData], block: &mut Block) {
    let renamed = RefCell::default();
    simplify_renaming(vars, block, &renamed);
    let renamed = renamed.into_inner();
    let last = |mut var: Var| {
        while let Some(other) = renamed.get(&var) {
            var = *other;
        }
        var
    };
    // Types mention variables as sizes.
    vars.iter_mut().for_each(|data| data.ty.rename(&last));
}

/// The equations of the lengths that the types of the parameters mention: derivatives make arrays of those types.
pub fn lengths_of_params(body: &Body) -> Vec<Eqn> {
    let sizes: HashSet<Var> = body.block.params.iter().flat_map(|param| body.ty(*param).size_vars()).collect();
    let params: HashSet<Var> = body.block.params.iter().copied().collect();
    // Not those of what the body makes itself, which a residual may be as long as.
    let of_params = |eqn: &&Eqn| matches!(eqn.op, Op::Len) && eqn.args.iter().all(|arg| params.contains(arg));
    let lengths = body.block.eqns.iter().filter(of_params).filter(|eqn| sizes.contains(&eqn.outs[0]));
    lengths.cloned().collect()
}

/// Simplifies a block until nothing changes any more.
pub fn simplify(vars: &[VarData], block: &mut Block) {
    simplify_renaming(vars, block, &RefCell::default());
}

fn simplify_renaming(vars: &[VarData], block: &mut Block, renamed: &RefCell<HashMap<Var, Var>>) {
    loop {
        let before = size(block);
        let mut scope = Scope {
            renamed,
            vars,
            known: HashMap::new(),
            names: HashMap::new(),
            stores: HashMap::new(),
            consts: HashMap::new(),
            zeros: HashSet::new(),
        };
        scope.block(block);
        remove_dead(block);
        if size(block) == before {
            return;
        }
    }
}

fn size(block: &Block) -> usize {
    block.eqns.iter().map(|eqn| 1 + eqn.args.len() + eqn.regions.iter().map(size).sum::<usize>()).sum()
}

#[derive(Clone)]
struct Scope<'v> {
    /// Every variable that another one stands for now.
    renamed: &'v RefCell<HashMap<Var, Var>>,
    vars: &'v [VarData],
    /// Equations already there, by their text.
    known: HashMap<String, Var>,
    names: HashMap<Var, Var>,
    /// What was stored last: array after the store, to value and indices.
    stores: HashMap<Var, (Var, Vec<Var>)>,
    consts: HashMap<Var, f64>,
    /// Structural zeros.
    zeros: HashSet<Var>,
}

impl Scope<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut kept = Vec::with_capacity(block.eqns.len());
        for mut eqn in std::mem::take(&mut block.eqns) {
            eqn.rename_own(&|var| self.name(var));
            match eqn.op {
                Op::For { .. } | Op::While { .. } => self.drop_unchanged(&mut eqn),
                Op::Zero | Op::ZeroLike => self.zeros.extend(&eqn.outs),
                Op::Get if self.zeros.contains(&eqn.args[0]) && self.vars[eqn.outs[0].0 as usize].ty.is_scalar() => {
                    eqn.op = Op::Zero;
                    eqn.args.clear();
                    self.zeros.extend(&eqn.outs);
                }
                _ => {}
            }
            for region in &mut eqn.regions {
                let mut inner = self.clone();
                inner.block(region);
            }
            if let Some(same) = self.find(&eqn) {
                self.replace(eqn.outs[0], same);
                continue;
            }
            kept.push(eqn);
        }
        block.eqns = kept;
        for result in &mut block.results {
            *result = self.name(*result);
        }
    }

    fn replace(&mut self, var: Var, by: Var) {
        self.names.insert(var, by);
        self.renamed.borrow_mut().insert(var, by);
    }

    fn name(&self, var: Var) -> Var {
        let mut var = var;
        while let Some(other) = self.names.get(&var) {
            var = *other;
        }
        var
    }

    /// An earlier variable with the value of this equation.
    fn find(&mut self, eqn: &Eqn) -> Option<Var> {
        let [out] = eqn.outs[..] else { return None };
        match &eqn.op {
            Op::Const(value) => drop(self.consts.insert(out, *value)),
            Op::Map(row) => {
                if let Some(same) = self.neutral(row.name, &eqn.args, out) {
                    return Some(same);
                }
            }
            _ => {}
        }
        match &eqn.op {
            Op::Set => {
                self.stores.insert(out, (eqn.args[1], eqn.args[2..].to_vec()));
                return None;
            }
            Op::Get => {
                if let Some((value, at)) = self.stores.get(&eqn.args[0]) {
                    if *at == eqn.args[1..] {
                        return Some(*value);
                    }
                }
            }
            // A place of its own, a region, or an effect: never shared.
            Op::Zero if !self.vars[out.0 as usize].ty.is_scalar() => return None,
            Op::Acc | Op::Into(_) | Op::Copy | Op::Pack | Op::Call(_) | Op::Push | Op::ZeroLike => return None,
            Op::For { .. } | Op::While { .. } | Op::If | Op::Effect(_) => return None,
            Op::Opaque(opaque) if opaque.is_call => return None,
            _ => {}
        }
        let key = format!("{} {:?}: {}", op_text(&eqn.op), eqn.args, self.vars[out.0 as usize].ty);
        match self.known.get(&key) {
            Some(same) => Some(*same),
            None => {
                self.known.insert(key, out);
                None
            }
        }
    }

    /// `x · 1`, `x / 1`, and `x + 0` for a structural zero.
    fn neutral(&self, row: &str, args: &[Var], out: Var) -> Option<Var> {
        let is_one = |var: &Var| self.consts.get(var).is_some_and(|value| value.to_bits() == 1.0_f64.to_bits());
        let same = |var: Var| (self.vars[var.0 as usize].ty == self.vars[out.0 as usize].ty).then_some(var);
        match (row, args) {
            ("mul" | "div", [x, one]) if is_one(one) => same(*x),
            ("mul", [one, x]) if is_one(one) => same(*x),
            ("add", [x, zero]) if self.zeros.contains(zero) => same(*x),
            ("add", [zero, x]) if self.zeros.contains(zero) => same(*x),
            _ => None,
        }
    }

    /// A carried value that every iteration returns as it got it is its initial value.
    fn drop_unchanged(&mut self, eqn: &mut Eqn) {
        let step = eqn.step();
        let keep: Vec<bool> = eqn.carried().iter().zip(&step.results).map(|(param, result)| param != result).collect();
        for k in (0..keep.len()).filter(|k| !keep[*k]) {
            self.replace(eqn.outs[k], eqn.args[k]);
            self.replace(eqn.carried()[k], eqn.args[k]);
            if let Op::While { .. } = eqn.op {
                self.replace(eqn.regions[0].params[k], eqn.args[k]);
            }
        }
        prune(eqn, &keep);
    }
}

/// Keeps only some of a loop's carried values.
pub fn prune(eqn: &mut Eqn, keep: &[bool]) {
    let kept = |vars: &[Var]| vars.iter().zip(keep).filter(|(_, keep)| **keep).map(|(var, _)| *var).collect();
    eqn.outs = kept(&eqn.outs);
    eqn.args = kept(&eqn.args);
    // The condition of a `while` loop has a result of its own.
    let (first, step) = (eqn.first_carried(), eqn.regions.len() - 1);
    for (k, region) in eqn.regions.iter_mut().enumerate() {
        if k == step {
            region.results = kept(&region.results);
        }
        let carried: Vec<Var> = kept(&region.params[first..]);
        region.params.truncate(first);
        region.params.extend(carried);
    }
}

/// Removes equations and carried values that nothing uses.
pub fn remove_dead(block: &mut Block) {
    let live = block.results.iter().copied().collect();
    remove_unused(block, live);
}

/// Returns the outer variables that what is left reads.
fn remove_unused(block: &mut Block, mut live: HashSet<Var>) -> HashSet<Var> {
    let mut kept = Vec::with_capacity(block.eqns.len());
    for mut eqn in std::mem::take(&mut block.eqns).into_iter().rev() {
        if !eqn.outs.iter().any(|out| live.contains(out)) && !has_effect(&eqn) {
            continue;
        }
        match eqn.op {
            Op::For { .. } | Op::While { .. } => {
                let keep = live_carried(&eqn, &live);
                prune(&mut eqn, &keep);
                for region in &mut eqn.regions {
                    let results = region.results.iter().copied().collect();
                    live.extend(remove_unused(region, results));
                }
            }
            Op::If => {
                let keep: Vec<bool> = eqn.outs.iter().map(|out| live.contains(out)).collect();
                let kept = |vars: &[Var]| -> Vec<Var> {
                    vars.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(var, _)| *var).collect()
                };
                eqn.outs = kept(&eqn.outs);
                for region in &mut eqn.regions {
                    region.results = kept(&region.results);
                    let results = region.results.iter().copied().collect();
                    live.extend(remove_unused(region, results));
                }
            }
            _ => {
                for region in &mut eqn.regions {
                    let results = region.results.iter().copied().collect();
                    live.extend(remove_unused(region, results));
                }
            }
        }
        live.extend(eqn.own_uses());
        kept.push(eqn);
    }
    kept.reverse();
    block.eqns = kept;
    live
}

/// A carried value is live if its result is, or if another live one is computed from it, or the condition.
fn live_carried(eqn: &Eqn, live: &HashSet<Var>) -> Vec<bool> {
    let step = eqn.step();
    let mut keep: Vec<bool> = eqn.outs.iter().map(|out| live.contains(out)).collect();
    if let Op::While { .. } = eqn.op {
        let cond = &eqn.regions[0];
        let used = remove_unused(&mut cond.clone(), cond.results.iter().copied().collect());
        let read = cond.params.iter().map(|param| used.contains(param) || cond.results.contains(param));
        keep.iter_mut().zip(read).for_each(|(keep, read)| *keep |= read);
    }
    loop {
        let results = step.results.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(result, _)| *result);
        let used = remove_unused(&mut step.clone(), results.collect());
        let now: Vec<bool> = keep.iter().zip(eqn.carried()).map(|(k, param)| *k || used.contains(param)).collect();
        if now == keep {
            return keep;
        }
        keep = now;
    }
}
