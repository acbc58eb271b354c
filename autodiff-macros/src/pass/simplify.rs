//! Common subexpressions, dead code, stores forwarded to loads, and carried values that do not change.

use super::effect;
use crate::ir::text::op_text;
use crate::ir::{Block, Body, Eqn, Evaluation, Op, Var, VarData};
use crate::op::Row;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

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
            order: Vec::new(),
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

struct Scope<'v> {
    /// Every variable that another one stands for now.
    renamed: &'v RefCell<HashMap<Var, Var>>,
    vars: &'v [VarData],
    /// Equations already there, by their text.
    known: HashMap<Rc<str>, Var>,
    /// Their texts, those of the innermost block last.
    order: Vec<Rc<str>>,
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
                // What else is noted there is of variables that are not seen here.
                let outside = self.order.len();
                self.block(region);
                for text in self.order.drain(outside..) {
                    self.known.remove(&text);
                }
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
                if let Some(same) = self.neutral(row, &eqn.args, out) {
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
            Op::Opaque(opaque) if opaque.evaluation != Evaluation::Pure => return None,
            _ => {}
        }
        let text = format!("{} {:?}: {}", op_text(&eqn.op), eqn.args, self.vars[out.0 as usize].ty);
        if let Some(same) = self.known.get(&text[..]) {
            return Some(*same);
        }
        let text: Rc<str> = text.into();
        self.order.push(text.clone());
        self.known.insert(text, out);
        None
    }

    /// An operand, if the other one is neutral: 1, or a structural zero.
    fn neutral(&self, row: &Row, args: &[Var], out: Var) -> Option<Var> {
        let [a, b] = *args else { return None };
        let is = |var: Var, number: f64| match number {
            0.0 => self.zeros.contains(&var),
            number => self.consts.get(&var).is_some_and(|value| value.to_bits() == number.to_bits()),
        };
        let same = |var: Var| self.vars[var.0 as usize].ty == self.vars[out.0 as usize].ty;
        let left = |(k, other, var): (usize, Var, Var)| {
            let neutral = row.neutral(k).is_some_and(|number| is(other, number));
            (neutral && same(var)).then_some(var)
        };
        [(1, b, a), (0, a, b)].into_iter().find_map(left)
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

/// What is read by a result or an effect.
pub fn live(block: &Block) -> HashSet<Var> {
    let mut run_again = HashSet::new();
    effect::run_again(block, &mut run_again);
    Liveness::of(block, &run_again)
}

/// Removes equations and carried values that nothing uses.
pub fn remove_dead(block: &mut Block) {
    let mut run_again = HashSet::new();
    effect::run_again(block, &mut run_again);
    let live = Liveness::of(block, &run_again);
    sweep(block, &live, &run_again);
}

/// Whether an equation stays whatever is used of it.
fn is_root(eqn: &Eqn, run_again: &HashSet<Var>) -> bool {
    effect::is_effect(&eqn.op) && eqn.outs.first().is_none_or(|first| !run_again.contains(first))
}

/// Where the value of a variable comes from.
#[derive(Clone, Copy)]
struct Source<'b> {
    eqn: &'b Eqn,
    /// Which of its results it is; of what a loop carries, which of the results it becomes.
    at: usize,
}

/// Which variables are read, by what is read itself or has an effect. Every equation is looked at once, however deep it is
/// nested: what a loop carries is live after the loop if it is read in one of its iterations, and the other way round.
struct Liveness<'b> {
    run_again: &'b HashSet<Var>,
    sources: HashMap<Var, Source<'b>>,
    live: HashSet<Var>,
    /// Those whose sources are not looked at yet.
    open: Vec<Var>,
}

impl<'b> Liveness<'b> {
    fn of(block: &'b Block, run_again: &'b HashSet<Var>) -> HashSet<Var> {
        let mut liveness = Liveness { run_again, sources: HashMap::new(), live: HashSet::new(), open: Vec::new() };
        liveness.note(block);
        liveness.open.extend(&block.results);
        while let Some(var) = liveness.open.pop() {
            if liveness.live.insert(var) {
                if let Some(source) = liveness.sources.get(&var).copied() {
                    liveness.trace(source);
                }
            }
        }
        liveness.live
    }

    /// Says whether something in the block has an effect.
    fn note(&mut self, block: &'b Block) -> bool {
        let mut effects = false;
        for eqn in &block.eqns {
            for (at, out) in eqn.outs.iter().enumerate() {
                self.sources.insert(*out, Source { eqn, at });
            }
            let mut has_effect = is_root(eqn, self.run_again);
            for region in &eqn.regions {
                if let Op::For { .. } | Op::While { .. } = eqn.op {
                    for (at, param) in region.params[eqn.first_carried()..].iter().enumerate() {
                        self.sources.insert(*param, Source { eqn, at });
                    }
                }
                has_effect |= self.note(region);
            }
            if has_effect {
                self.control(eqn);
            }
            effects |= has_effect;
        }
        effects
    }

    /// What a value is made of.
    fn trace(&mut self, Source { eqn, at }: Source) {
        self.control(eqn);
        match eqn.op {
            Op::For { .. } | Op::While { .. } => {
                self.open.extend([eqn.outs[at], eqn.args[at], eqn.step().results[at]]);
            }
            Op::If => self.open.extend(eqn.regions.iter().map(|region| region.results[at])),
            _ => self.open.extend(eqn.regions.iter().flat_map(|region| &region.results)),
        }
    }

    /// What an equation reads whichever of its results is wanted.
    fn control(&mut self, eqn: &Eqn) {
        let carried = if let Op::For { .. } | Op::While { .. } = eqn.op { eqn.args.len() } else { 0 };
        self.open.extend(&eqn.own_uses()[carried..]);
        if let (Op::While { .. }, [condition, _]) = (&eqn.op, &eqn.regions[..]) {
            self.open.extend(&condition.results);
        }
    }
}

/// Says whether something in the block has an effect.
fn sweep(block: &mut Block, live: &HashSet<Var>, run_again: &HashSet<Var>) -> bool {
    let mut effects = false;
    block.eqns.retain_mut(|eqn| {
        let keep: Vec<bool> = eqn.outs.iter().map(|out| live.contains(out)).collect();
        match eqn.op {
            Op::For { .. } | Op::While { .. } => prune(eqn, &keep),
            Op::If => {
                let kept = |vars: &[Var]| -> Vec<Var> {
                    vars.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(var, _)| *var).collect()
                };
                eqn.outs = kept(&eqn.outs);
                for region in &mut eqn.regions {
                    region.results = kept(&region.results);
                }
            }
            _ => eqn.drop_unused_derivatives(live),
        }
        let mut has_effect = is_root(eqn, run_again);
        for region in &mut eqn.regions {
            has_effect |= sweep(region, live, run_again);
        }
        effects |= has_effect;
        has_effect || keep.contains(&true)
    });
    effects
}
