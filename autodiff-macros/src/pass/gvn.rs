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

mod calls;

use super::simplify::{Simplifier, prune};
use crate::ir::dim::Dim;
use crate::ir::effect::has_effect;
use crate::ir::key::{Key, OpKey};
use crate::ir::var::VarTable;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Elem, Eqn, Evaluation, Op, Order, SavePolicy, Ty, Var, VarData, VarMap, rename_sizes};

pub fn run(mut body: Body) -> Body {
    let mut gvn = Numbering::new(&body.vars, &body.block.results);
    gvn.block(&mut body.block, 0);
    let Numbering { names, any_named, .. } = gvn;
    if any_named {
        // Types mention variables as sizes.
        let last = |var: Var| names.last(var);
        rename_sizes(&mut body.vars, &last);
    }
    calls::join(&mut body);
    Simplifier::default().block(&body.vars, &mut body.block);
    body
}

/// What a number stands for.
#[derive(PartialEq, Eq, Hash)]
enum Term {
    /// One of the results of an operation.
    Result(Key, usize),
    /// A loop without its region: see [`Numbering::carried`].
    Head {
        range: (Dim, Dim),
        reverse: bool,
        keep: SavePolicy,
        order: Order,
        depth: usize,
        args: Vec<u32>,
    },
    Index(u32),
    Carried(u32, usize),
    Gives(u32, Vec<u32>, usize),
    Choice(u32, u32, u32),
}

struct Numbering<'v> {
    vars: &'v [VarData],
    terms: HashMap<Term, u32>,
    /// How many numbers there are.
    count: u32,
    numbers: VarMap<u32>,
    /// By numbers, the variables that can be read where the pass is, and what has been entered last.
    known: Vec<Option<Var>>,
    entered: Vec<u32>,
    /// For loops, by their first result: of each carried value, the first one that is always the same.
    classes: VarTable<Vec<usize>>,
    /// Variables that another one stands for.
    names: VarMap<Var>,
    any_named: bool,
    /// Residuals of other functions for this body's own reverse sweep. It is moved there, so that each has to be a value of its own.
    handed_over: HashSet<Var>,
}

fn last(names: &HashMap<Var, Var>, mut var: Var) -> Var {
    while let Some(other) = names.get(&var) {
        var = *other;
    }
    var
}

impl Numbering<'_> {
    fn new<'v>(vars: &'v [VarData], results: &[Var]) -> Numbering<'v> {
        let is_data = |var: &Var| matches!(vars[var.0 as usize].ty.elem, Elem::Data(_));
        let handed_over = results.iter().copied().filter(is_data).collect();
        let (terms, numbers, classes, names) = Default::default();
        let (known, entered) = (Vec::new(), Vec::new());
        Numbering { vars, terms, count: 0, numbers, known, entered, classes, names, any_named: false, handed_over }
    }

    fn block(&mut self, block: &mut Block, depth: usize) {
        let outside = self.entered.len();
        for mut eqn in std::mem::take(&mut block.eqns) {
            if self.any_named {
                eqn.rename_uses(&|var| self.names.last(var));
            }
            self.visit(&eqn, depth);
            if let Op::For { .. } = eqn.op {
                self.merge_carried(&mut eqn);
            }
            for region in &mut eqn.regions {
                self.block(region, depth + 1);
            }
            let mut all = !eqn.outs.is_empty();
            for out in &eqn.outs {
                let number = self.number(*out);
                match self.known.get(number as usize).copied().flatten() {
                    Some(same) if !self.has_place(&eqn, *out) && !self.handed_over.contains(out) => {
                        self.rename(*out, same);
                    }
                    _ => {
                        self.enter(number, *out);
                        all = false;
                    }
                }
            }
            if !all || has_effect(&eqn) {
                block.eqns.push(eqn);
            }
        }
        for result in &mut block.results {
            *result = self.names.last(*result);
        }
        for number in self.entered.drain(outside..) {
            self.known[number as usize] = None;
        }
    }

    /// Lets a variable be read by its number, in this block and those inside it.
    fn enter(&mut self, number: u32, var: Var) {
        let at = number as usize;
        if at >= self.known.len() {
            self.known.resize((at + 1).next_power_of_two(), None);
        }
        // An array with a place of its own does not hide another one.
        if self.known[at].is_none() {
            self.known[at] = Some(var);
            self.entered.push(number);
        }
    }

    fn rename(&mut self, var: Var, by: Var) {
        self.names.insert(var, by);
        self.any_named = true;
    }

    /// Zeros are where something is accumulated: each needs a place of its own.
    fn has_place(&self, eqn: &Eqn, out: Var) -> bool {
        matches!(eqn.op, Op::Zero(_) | Op::ZeroLike | Op::Copy) && !self.vars[out.0 as usize].ty.is_scalar()
    }

    fn merge_carried(&mut self, eqn: &mut Eqn) {
        let Some(classes) = eqn.outs.first().and_then(|out| self.classes.remove(out)) else { return };
        for (k, class) in classes.iter().enumerate().filter(|(k, class)| k != *class) {
            self.rename(eqn.outs[k], eqn.outs[*class]);
            self.rename(eqn.carried()[k], eqn.carried()[*class]);
        }
        let keep: Vec<bool> = classes.iter().enumerate().map(|(k, class)| k == *class).collect();
        prune(eqn, &keep);
    }

    // --- numbers: see Note [Numbers of values] ----------------------------------------------------------------

    fn intern(&mut self, term: Term) -> u32 {
        let number = *self.terms.entry(term).or_insert(self.count);
        self.count = self.count.max(number + 1);
        number
    }

    fn number(&mut self, var: Var) -> u32 {
        match self.numbers.get(var) {
            Some(number) => *number,
            None => {
                let number = self.count;
                self.count += 1;
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
        ty.rename(&|var| self.names.last(var));
        ty
    }

    /// Numbers the results of an equation.
    fn visit(&mut self, eqn: &Eqn, depth: usize) {
        let key = match &eqn.op {
            Op::For { .. } => return self.visit_loop(eqn, depth),
            Op::If => {
                let condition = self.number(eqn.args[0]);
                eqn.regions.iter().flat_map(|region| &region.eqns).for_each(|eqn| self.visit(eqn, depth + 1));
                let [one, other] = [0, 1].map(|k| self.numbers(&eqn.regions[k].results));
                for ((out, one), other) in eqn.outs.iter().zip(one).zip(other) {
                    let number = self.intern(Term::Choice(condition, one, other));
                    self.numbers.insert(*out, number);
                }
                return;
            }
            Op::Opaque(opaque) if opaque.evaluation != Evaluation::Pure => return,
            op => match OpKey::of(op).or_else(|| eqn.black_box_key()) {
                Some(key) => key,
                None => return,
            },
        };
        let args = self.numbers(&eqn.args);
        // The value of a call is the same, whatever else the call gives.
        let value = eqn.value_key();
        for (k, out) in eqn.outs.iter().enumerate() {
            let (key, args) = match &value {
                Some((key, args, results)) if k < *results => (key, self.numbers(args)),
                _ => (&key, args.clone()),
            };
            let term = Term::Result(Key::new(key.clone(), args, &self.ty(*out)), k);
            let number = self.intern(term);
            self.numbers.insert(*out, number);
        }
    }

    fn visit_loop(&mut self, eqn: &Eqn, depth: usize) {
        let Op::For { lo, hi, reverse, keep, order } = &eqn.op else { return };
        let args = self.numbers(&eqn.args);
        let (range, keep) = ((lo.clone(), hi.clone()), keep.clone());
        let head = Term::Head { range, reverse: *reverse, keep, order: *order, depth, args: args.clone() };
        let head = self.intern(head);
        let classes = self.carried(eqn, &args, head, depth);
        let results = self.numbers(&eqn.step().results);
        for (out, class) in eqn.outs.iter().zip(&classes) {
            let number = self.intern(Term::Gives(head, results.clone(), *class));
            self.numbers.insert(*out, number);
        }
        if let Some(out) = eqn.outs.first() {
            self.classes.insert(*out, classes);
        }
    }

    /// Numbers the region of a loop, and says which of its carried values are the same.
    fn carried(&mut self, eqn: &Eqn, args: &[u32], head: u32, depth: usize) -> Vec<usize> {
        let region = eqn.step();
        let index = self.intern(Term::Index(head));
        self.numbers.insert(region.params[0], index);
        // A loop around this one has it visited again when it knows less. What was not the same before is not now: this
        // keeps the number of visits low, however deep loops are nested.
        let before = eqn.outs.first().and_then(|out| self.classes.get(out)).filter(|known| known.len() == args.len());
        let mut classes = match before {
            Some(known) => first_of(args.iter().zip(known)),
            None => first_of(args.iter()),
        };
        loop {
            for (param, class) in eqn.carried().iter().zip(&classes) {
                let number = self.intern(Term::Carried(head, *class));
                self.numbers.insert(*param, number);
            }
            region.eqns.iter().for_each(|eqn| self.visit(eqn, depth + 1));
            let results = self.numbers(&region.results);
            let next = first_of(classes.iter().zip(&results));
            if next == classes {
                return classes;
            }
            classes = next;
        }
    }
}

/// For each of some values, where the first equal one is.
fn first_of<T: Eq + std::hash::Hash>(values: impl Iterator<Item = T>) -> Vec<usize> {
    let mut firsts: HashMap<T, usize> = HashMap::default();
    values.enumerate().map(|(k, value)| *firsts.entry(value).or_insert(k)).collect()
}
