//! Common subexpressions, dead code, stores forwarded to loads, choices that have been made, and carried values that do not change.

use crate::ir::effect;
use crate::ir::key::{Key, KeyTable, OpKey};
use crate::ir::operator::Algebra;
use crate::ir::var::HashSet;
use crate::ir::{Block, Body, Eqn, Evaluation, Op, Var, VarData, VarMap, VarSet, rename_sizes};
use crate::op::Row;

pub fn run(mut body: Body) -> Body {
    let lengths = lengths_of_params(&body);
    Simplifier::default().part(&mut body.vars, &mut body.block);
    body.block.eqns.retain(|eqn| !lengths.iter().any(|length| length.outs == eqn.outs));
    body.block.eqns.splice(0..0, lengths);
    body
}

/// The equations of the lengths that the types of the parameters mention: derivatives make arrays of those types.
pub fn lengths_of_params(body: &Body) -> Vec<Eqn> {
    let sizes: HashSet<Var> = body.block.params.iter().flat_map(|param| body.ty(*param).size_vars()).collect();
    if sizes.is_empty() {
        return Vec::new();
    }
    let params: HashSet<Var> = body.block.params.iter().copied().collect();
    // Not those of what the body makes itself, which a residual may be as long as.
    let of_params = |eqn: &&Eqn| matches!(eqn.op, Op::Len) && eqn.args.iter().all(|arg| params.contains(arg));
    let lengths = body.block.eqns.iter().filter(of_params).filter(|eqn| sizes.contains(&eqn.outs[0]));
    lengths.cloned().collect()
}

/// Simplifies a block until nothing changes any more.
pub fn simplify(vars: &[VarData], block: &mut Block) {
    Simplifier::default().block(vars, block);
}

/// Removes equations and carried values that nothing uses.
pub fn remove_dead(block: &mut Block) {
    Simplifier::default().remove_dead(block);
}

/// What is read by a result or an effect.
pub fn live(block: &Block) -> VarSet {
    let mut simplifier = Simplifier::default();
    let mut run_again = HashSet::default();
    effect::run_again(block, &mut run_again);
    simplifier.find_live(block, &run_again);
    simplifier.live
}

/// How an array was made.
enum Store {
    /// Of another one, with an element replaced.
    Set { before: Var, value: Var, at: Vec<Var> },
    /// Of its elements.
    Pack(Vec<Var>),
}

/// Simplifies blocks. It keeps its tables from one block to the next.
#[derive(Default)]
pub struct Simplifier {
    /// Every variable that another one stands for now.
    renamed: VarMap<Var>,
    any_renamed: bool,
    /// Equations already there.
    known: KeyTable<Var>,
    /// Their keys, those of the innermost block last.
    order: Vec<Key>,
    /// How arrays were made of others, or of elements.
    stores: VarMap<Store>,
    consts: VarMap<f64>,
    /// Indices that are literals.
    literals: VarMap<i64>,
    /// Structural zeros.
    zeros: VarSet,
    /// The condition and the two values of each choice.
    choices: VarMap<[Var; 3]>,
    /// Whether a loop carries something that turned out not to change.
    again: bool,
    /// See [`Liveness`].
    sources: VarMap<Source>,
    live: VarSet,
}

impl Simplifier {
    /// Simplifies a block of a body that is still being made.
    pub fn part(&mut self, vars: &mut [VarData], block: &mut Block) {
        self.block(vars, block);
        if self.any_renamed {
            // Types mention variables as sizes.
            let last = |var: Var| self.renamed.last(var);
            rename_sizes(vars, &last);
        }
    }

    /// Simplifies a block until nothing changes any more.
    pub fn block(&mut self, vars: &[VarData], block: &mut Block) {
        self.renamed.clear();
        self.any_renamed = false;
        loop {
            self.known.clear();
            self.order.clear();
            self.stores.clear();
            self.consts.clear();
            self.literals.clear();
            self.zeros.clear();
            self.choices.clear();
            self.again = false;
            Scope { of: self, vars }.block(block);
            self.remove_dead(block);
            if !self.again {
                return;
            }
        }
    }

    /// Removes equations and carried values that nothing uses.
    pub fn remove_dead(&mut self, block: &mut Block) {
        let mut run_again = HashSet::default();
        effect::run_again(block, &mut run_again);
        self.find_live(block, &run_again);
        sweep(block, &self.live, &run_again);
    }

    fn find_live(&mut self, block: &Block, run_again: &HashSet<Var>) {
        self.live.clear();
        self.sources.clear();
        let Simplifier { sources, live, .. } = self;
        let mut liveness = Liveness { run_again, sources, eqns: Vec::new(), live, open: Vec::new() };
        liveness.note(block);
        liveness.find(block);
    }
}

struct Scope<'s> {
    of: &'s mut Simplifier,
    vars: &'s [VarData],
}

impl Scope<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut kept = Vec::with_capacity(block.eqns.len());
        for mut eqn in std::mem::take(&mut block.eqns) {
            if self.of.any_renamed {
                eqn.rename_own(&|var| self.of.renamed.last(var));
            }
            match eqn.op {
                Op::For { .. } | Op::While { .. } => self.drop_unchanged(&mut eqn),
                Op::Zero(_) | Op::ZeroLike => self.of.zeros.extend(&eqn.outs),
                Op::Map(row) if row.algebra == Algebra::Choice => self.choose_once(&mut eqn),
                Op::Get
                    if self.vars[eqn.outs[0].0 as usize].ty.is_scalar()
                        && self.of.zeros.contains(self.element(&eqn.args).0) =>
                {
                    eqn.op = Op::Zero(None);
                    eqn.args.clear();
                    self.of.zeros.extend(&eqn.outs);
                }
                _ => {}
            }
            for region in &mut eqn.regions {
                // What else is noted there is of variables that are not seen here.
                let outside = self.of.order.len();
                self.block(region);
                for key in self.of.order.drain(outside..) {
                    self.of.known.remove(&key);
                }
            }
            if let Op::For { .. } | Op::While { .. } = eqn.op {
                self.of.again |= eqn.carried().iter().zip(&eqn.step().results).any(|(param, result)| param == result);
            }
            if let Some(same) = self.find(&eqn) {
                self.replace(eqn.outs[0], same);
                continue;
            }
            kept.push(eqn);
        }
        block.eqns = kept;
        for result in &mut block.results {
            *result = self.of.renamed.last(*result);
        }
    }

    fn replace(&mut self, var: Var, by: Var) {
        self.of.renamed.insert(var, by);
        self.of.any_renamed = true;
    }

    /// An earlier variable with the value of this equation.
    fn find(&mut self, eqn: &Eqn) -> Option<Var> {
        let [out] = eqn.outs[..] else { return None };
        match &eqn.op {
            Op::Const(value) => self.of.consts.insert(out, *value),
            Op::Dim(dim) => {
                if let Some(number) = dim.as_literal() {
                    self.of.literals.insert(out, number);
                }
            }
            Op::Map(row) => {
                if let Some(same) = self.neutral(row, &eqn.args, out) {
                    return Some(same);
                }
            }
            _ => {}
        }
        let ty = &self.vars[out.0 as usize].ty;
        match &eqn.op {
            Op::Set => {
                let store = Store::Set { before: eqn.args[0], value: eqn.args[1], at: eqn.args[2..].to_vec() };
                self.of.stores.insert(out, store);
                return None;
            }
            Op::Pack => {
                self.of.stores.insert(out, Store::Pack(eqn.args.clone()));
                return None;
            }
            Op::Get => {
                if let Some(value) = self.element(&eqn.args).1 {
                    return Some(value);
                }
            }
            // What is added to an array of zeros is the sum.
            Op::Acc if eqn.args.len() == 2 && self.of.zeros.contains(eqn.args[0]) => {
                let [sum, added] = [out, eqn.args[1]].map(|var| &self.vars[var.0 as usize].ty);
                return (sum == added).then_some(eqn.args[1]);
            }
            // A place of its own, a region, or an effect: never shared.
            Op::Zero(_) if !ty.is_scalar() => return None,
            Op::Acc | Op::Into(_) | Op::Put(_) | Op::Copy | Op::Push | Op::ZeroLike => return None,
            Op::For { .. } | Op::While { .. } | Op::If | Op::Effect(_) => return None,
            Op::Opaque(opaque) if opaque.evaluation != Evaluation::Pure => return None,
            _ => {}
        }
        let key = Key::new(OpKey::of(&eqn.op)?, eqn.args.iter().map(|arg| arg.0).collect(), ty);
        if let Some(same) = self.of.known.get(&key) {
            return Some(*same);
        }
        self.of.known.insert(key.clone(), out);
        self.of.order.push(key);
        None
    }

    /// What `get` with these arguments reads: the array without what was stored in other places since, and the element where
    /// it is known.
    fn element(&self, args: &[Var]) -> (Var, Option<Var>) {
        let (mut array, wanted) = (args[0], &args[1..]);
        let literal = |var: Var| self.of.literals.get(var).copied();
        let differ = |(a, b): (&Var, &Var)| matches!((literal(*a), literal(*b)), (Some(a), Some(b)) if a != b);
        while let Some(store) = self.of.stores.get(array) {
            match store {
                Store::Set { value, at, .. } if at == wanted => return (array, Some(*value)),
                Store::Set { before, at, .. } if at.iter().zip(wanted).any(differ) => array = *before,
                Store::Set { .. } => break,
                Store::Pack(parts) => {
                    let [at] = wanted else { break };
                    let part = literal(*at).and_then(|at| parts.get(usize::try_from(at).ok()?)).copied();
                    return (array, part);
                }
            }
        }
        (array, None)
    }

    /// A choice among what the same condition has chosen before is one among its values.
    fn choose_once(&mut self, eqn: &mut Eqn) {
        let [condition, ..] = eqn.args[..] else { return };
        for k in 1..eqn.args.len() {
            let chosen =
                self.of.choices.get(eqn.args[k]).filter(|chosen| chosen[0] == condition).map(|chosen| chosen[k]);
            let Some(chosen) = chosen else { continue };
            let ty = |var: Var| &self.vars[var.0 as usize].ty;
            if ty(chosen) == ty(eqn.args[k]) {
                eqn.args[k] = chosen;
            }
        }
        if let ([out], [condition, one, other]) = (&eqn.outs[..], &eqn.args[..]) {
            self.of.choices.insert(*out, [*condition, *one, *other]);
        }
    }

    /// An operand, if the other one is neutral: 1, or a structural zero.
    fn neutral(&self, row: &Row, args: &[Var], out: Var) -> Option<Var> {
        let [a, b] = *args else { return None };
        let is = |var: Var, number: f64| match number {
            0.0 => self.of.zeros.contains(var),
            number => self.of.consts.get(var).is_some_and(|value| value.to_bits() == number.to_bits()),
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
        let keep: Vec<bool> =
            eqn.carried().iter().zip(&eqn.step().results).map(|(param, result)| param != result).collect();
        if keep.iter().all(|keep| *keep) {
            return;
        }
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
    if keep.iter().all(|keep| *keep) {
        return;
    }
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

/// Whether an equation stays whatever is used of it.
fn is_root(eqn: &Eqn, run_again: &HashSet<Var>) -> bool {
    effect::is_effect(&eqn.op)
        && (run_again.is_empty() || eqn.outs.first().is_none_or(|first| !run_again.contains(first)))
}

/// Where the value of a variable comes from.
#[derive(Clone, Copy)]
struct Source {
    /// A number among the equations that define something.
    eqn: usize,
    /// Which of its results it is; of what a loop carries, which of the results it becomes.
    at: usize,
}

/// Which variables are read, by what is read itself or has an effect. Every equation is looked at once, however deep it is
/// nested: what a loop carries is live after the loop if it is read in one of its iterations, and the other way round.
struct Liveness<'b, 's> {
    run_again: &'s HashSet<Var>,
    sources: &'s mut VarMap<Source>,
    eqns: Vec<&'b Eqn>,
    live: &'s mut VarSet,
    /// Those whose sources are not looked at yet.
    open: Vec<Var>,
}

impl<'b> Liveness<'b, '_> {
    fn find(&mut self, block: &Block) {
        self.open.extend(&block.results);
        while let Some(var) = self.open.pop() {
            if self.live.insert(var) {
                if let Some(source) = self.sources.get(var).copied() {
                    self.trace(source);
                }
            }
        }
    }

    /// Says whether something in the block has an effect.
    fn note(&mut self, block: &'b Block) -> bool {
        let mut effects = false;
        for eqn in &block.eqns {
            let own = self.eqns.len();
            self.eqns.push(eqn);
            for (at, out) in eqn.outs.iter().enumerate() {
                self.sources.insert(*out, Source { eqn: own, at });
            }
            let mut has_effect = is_root(eqn, self.run_again);
            for region in &eqn.regions {
                if let Op::For { .. } | Op::While { .. } = eqn.op {
                    for (at, param) in region.params[eqn.first_carried()..].iter().enumerate() {
                        self.sources.insert(*param, Source { eqn: own, at });
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
        let eqn = self.eqns[eqn];
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
        if !matches!(eqn.op, Op::For { .. } | Op::While { .. }) {
            self.open.extend(&eqn.args);
        }
        eqn.op.for_each_size(&mut |var| self.open.push(var));
        if let (Op::While { .. }, [condition, _]) = (&eqn.op, &eqn.regions[..]) {
            self.open.extend(&condition.results);
        }
    }
}

/// Says whether something in the block has an effect.
fn sweep(block: &mut Block, live: &VarSet, run_again: &HashSet<Var>) -> bool {
    let mut effects = false;
    block.eqns.retain_mut(|eqn| {
        let mut is_live = false;
        match eqn.op {
            Op::For { .. } | Op::While { .. } | Op::If => {
                let keep: Vec<bool> = eqn.outs.iter().map(|out| live.contains(*out)).collect();
                is_live = keep.contains(&true);
                if keep.contains(&false) {
                    match eqn.op {
                        Op::If => {
                            keep_of(&mut eqn.outs, &keep);
                            eqn.regions.iter_mut().for_each(|region| keep_of(&mut region.results, &keep));
                        }
                        _ => prune(eqn, &keep),
                    }
                }
            }
            _ => {
                for out in &eqn.outs {
                    is_live |= live.contains(*out);
                }
                eqn.drop_unused_derivatives(live);
            }
        }
        let mut has_effect = is_root(eqn, run_again);
        for region in &mut eqn.regions {
            has_effect |= sweep(region, live, run_again);
        }
        effects |= has_effect;
        has_effect || is_live
    });
    effects
}

/// Keeps only some of a list.
fn keep_of(vars: &mut Vec<Var>, keep: &[bool]) {
    let mut keep = keep.iter();
    vars.retain(|_| keep.next() == Some(&true));
}
