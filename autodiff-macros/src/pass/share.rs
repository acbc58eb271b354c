//! What fusion has brought together and is computed twice: loops, calls, and values that a loop carries.
//!
//! A reverse sweep computes forward values of its own. Once its loops are fused with those of the forward sweep, the
//! two computations stand side by side:
//!
//! ```text
//! %p: f64, %q: f64 = for 0..N %a %a |%i: usize, %s: f64, %t: f64| {
//!     %u: f64 = mul %s %x             %p: f64 = for 0..N %a |%i: usize, %s: f64| {
//!     %v: f64 = mul %t %x      ->         %u: f64 = mul %s %x
//!     yield %u %v                         yield %u
//! }                                   }
//! ```
//!
//! Note [Numbers of values]. Variables that have the same value get the same number: it stands for the operation and the
//! numbers of its arguments. Carried values that start with the same number are assumed to stay the same; if the results
//! of an iteration then differ, the assumption is dropped for those, until it holds. A loop is an operation whose
//! arguments are the initial values and what an iteration gives. A parameter of a loop is numbered by the loop and
//! its depth, so that two loops with the same text have the same numbers inside.

use super::effect::has_effect;
use super::simplify::{prune, simplify};
use crate::ir::text::op_text;
use crate::ir::{Block, Body, CallKind, Elem, Eqn, Evaluation, Op, Ty, Var, VarData};
use std::collections::{HashMap, HashSet};

pub fn run(mut body: Body) -> Body {
    let mut share = Share::new(&body.vars, &body.block.results);
    share.block(&mut body.block, 0, &HashMap::new());
    let names = share.names;
    join_calls(&mut body.block);
    // Types mention variables as sizes.
    body.vars.iter_mut().for_each(|data| data.ty.rename(&|var| last(&names, var)));
    simplify(&body.vars, &mut body.block);
    body
}

struct Share<'v> {
    vars: &'v [VarData],
    terms: HashMap<String, u32>,
    numbers: HashMap<Var, u32>,
    /// For loops, by their first result: of each carried value, the first one that is always the same.
    classes: HashMap<Var, Vec<usize>>,
    /// Variables that another one stands for.
    names: HashMap<Var, Var>,
    /// What callees keep for this body's own reverse sweep. It is moved there, so that each has to be a value of its own.
    handed_over: HashSet<Var>,
}

fn last(names: &HashMap<Var, Var>, mut var: Var) -> Var {
    while let Some(other) = names.get(&var) {
        var = *other;
    }
    var
}

impl Share<'_> {
    fn new<'v>(vars: &'v [VarData], results: &[Var]) -> Share<'v> {
        let (terms, numbers, classes, names) = Default::default();
        let is_data = |var: &Var| matches!(vars[var.0 as usize].ty.elem, Elem::Data(_));
        let handed_over = results.iter().copied().filter(is_data).collect();
        Share { vars, terms, numbers, classes, names, handed_over }
    }

    /// `known` are variables that can be read here, by their numbers.
    fn block(&mut self, block: &mut Block, depth: usize, known: &HashMap<u32, Var>) {
        let mut known = known.clone();
        for mut eqn in std::mem::take(&mut block.eqns) {
            eqn.rename_uses(&|var| last(&self.names, var));
            self.visit(&eqn, depth);
            if let Op::For { .. } = eqn.op {
                self.merge_carried(&mut eqn);
            }
            for region in &mut eqn.regions {
                self.block(region, depth + 1, &known);
            }
            let mut all = !eqn.outs.is_empty();
            for out in &eqn.outs {
                let number = self.number(*out);
                match known.get(&number) {
                    Some(same) if !self.has_place(&eqn, *out) && !self.handed_over.contains(out) => {
                        self.names.insert(*out, *same);
                    }
                    _ => {
                        known.insert(number, *out);
                        all = false;
                    }
                }
            }
            if !all || has_effect(&eqn) {
                block.eqns.push(eqn);
            }
        }
        for result in &mut block.results {
            *result = last(&self.names, *result);
        }
    }

    /// Zeros are where something is accumulated: each needs a place of its own.
    fn has_place(&self, eqn: &Eqn, out: Var) -> bool {
        matches!(eqn.op, Op::Zero | Op::ZeroLike | Op::Copy) && !self.vars[out.0 as usize].ty.is_scalar()
    }

    fn merge_carried(&mut self, eqn: &mut Eqn) {
        let Some(classes) = eqn.outs.first().and_then(|out| self.classes.remove(out)) else { return };
        for (k, class) in classes.iter().enumerate().filter(|(k, class)| k != *class) {
            self.names.insert(eqn.outs[k], eqn.outs[*class]);
            self.names.insert(eqn.carried()[k], eqn.carried()[*class]);
        }
        let keep: Vec<bool> = classes.iter().enumerate().map(|(k, class)| k == *class).collect();
        prune(eqn, &keep);
    }

    // --- numbers: see Note [Numbers of values] ----------------------------------------------------------------

    fn intern(&mut self, term: String) -> u32 {
        let next = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
        *self.terms.entry(term).or_insert(next)
    }

    fn number(&mut self, var: Var) -> u32 {
        match self.numbers.get(&var) {
            Some(number) => *number,
            None => {
                let number = self.intern(format!("variable {}", var.0));
                self.numbers.insert(var, number);
                number
            }
        }
    }

    fn numbers(&mut self, vars: &[Var]) -> Vec<u32> {
        vars.iter().map(|var| self.number(*var)).collect()
    }

    fn ty(&self, var: Var) -> Ty {
        let mut ty = self.vars[var.0 as usize].ty.clone();
        ty.rename(&|var| last(&self.names, var));
        ty
    }

    /// Numbers the results of an equation.
    fn visit(&mut self, eqn: &Eqn, depth: usize) {
        let args = self.numbers(&eqn.args);
        let text = match &eqn.op {
            // A call may be joined with a repetition of itself, not with another call: that may have effects.
            Op::Call(call) => {
                let first = call.repeats.or(eqn.outs.first().copied());
                format!("{} {:?} {first:?}", op_text(&eqn.op), call.target)
            }
            op => op_text(op),
        };
        let terms: Vec<String> = match &eqn.op {
            Op::For { .. } => {
                let head = format!("{text} at {depth} of {args:?}");
                let classes = self.carried(eqn, &args, &head, depth);
                let results = self.numbers(&eqn.step().results);
                let terms = classes.iter().map(|class| format!("{head} gives {results:?}, of these {class}")).collect();
                if let Some(out) = eqn.outs.first() {
                    self.classes.insert(*out, classes);
                }
                terms
            }
            Op::If => {
                eqn.regions.iter().flat_map(|region| &region.eqns).for_each(|eqn| self.visit(eqn, depth + 1));
                let [one, other] = [0, 1].map(|k| self.numbers(&eqn.regions[k].results));
                one.iter().zip(other).map(|(one, other)| format!("if {} {one} {other}", args[0])).collect()
            }
            Op::While { .. } | Op::Copy | Op::Effect(_) => return,
            Op::Opaque(opaque) if opaque.evaluation != Evaluation::Pure => return,
            _ => {
                let tys: Vec<String> = eqn.outs.iter().map(|out| self.ty(*out).to_string()).collect();
                tys.iter().enumerate().map(|(k, ty)| format!("{text} of {args:?}: {ty}, {k}")).collect()
            }
        };
        for (out, term) in eqn.outs.iter().zip(terms) {
            let number = self.intern(term);
            self.numbers.insert(*out, number);
        }
    }

    /// Numbers the region of a loop, and says which of its carried values are the same.
    fn carried(&mut self, eqn: &Eqn, args: &[u32], head: &str, depth: usize) -> Vec<usize> {
        let region = eqn.step();
        let index = self.intern(format!("index of {head}"));
        self.numbers.insert(region.params[0], index);
        let first = |equal: &dyn Fn(usize, usize) -> bool| -> Vec<usize> {
            (0..args.len()).map(|k| (0..k).find(|earlier| equal(*earlier, k)).unwrap_or(k)).collect()
        };
        // A loop around this one has it visited again when it knows less. What was not the same before is not now: this
        // keeps the number of visits low, however deep loops are nested.
        let before = eqn.outs.first().and_then(|out| self.classes.get(out)).filter(|known| known.len() == args.len());
        let mut classes = first(&|a, b| args[a] == args[b] && before.is_none_or(|known| known[a] == known[b]));
        loop {
            for (param, class) in eqn.carried().iter().zip(&classes) {
                let number = self.intern(format!("carried {class} of {head}"));
                self.numbers.insert(*param, number);
            }
            region.eqns.iter().for_each(|eqn| self.visit(eqn, depth + 1));
            let results = self.numbers(&region.results);
            let next = first(&|a, b| classes[a] == classes[b] && results[a] == results[b]);
            if next == classes {
                return classes;
            }
            classes = next;
        }
    }
}

/// A call, and later both sweeps of the same call: the second gives the value too. What needs the value comes after it.
fn join_calls(block: &mut Block) {
    let mut at = 0;
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
    block.eqns.iter_mut().flat_map(|eqn| &mut eqn.regions).for_each(join_calls);
}

/// Where both sweeps of a call are that need nothing of its value.
fn joint_of(block: &Block, at: usize) -> Option<usize> {
    let value = &block.eqns[at];
    let Op::Call(call) = &value.op else { return None };
    if call.kind != CallKind::Value {
        return None;
    }
    let mut tainted: HashSet<Var> = value.outs.iter().copied().collect();
    for (k, eqn) in block.eqns.iter().enumerate().skip(at + 1) {
        let depends = tainted.iter().any(|var| eqn.uses(*var));
        if let Op::Call(other) = &eqn.op {
            let same = other.kind == CallKind::Joint && eqn.args.starts_with(&value.args);
            if same && !depends && format!("{:?}", other.target) == format!("{:?}", call.target) {
                return Some(k);
            }
        }
        if depends {
            tainted.extend(&eqn.outs);
        }
    }
    None
}
