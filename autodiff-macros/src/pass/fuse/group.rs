//! Loops that are one, before it is written down.

use crate::analysis::accesses::{Accesses, Combining, Facts, both};
use crate::ir::var::VarTable;
use crate::ir::{Block, Eqn, Op, Order, SavePolicy, Var};
use std::collections::VecDeque;

/// A value that a group carries.
pub(super) struct Carried {
    pub out: Var,
    pub arg: Var,
    pub param: Var,
    pub result: Var,
    pub combining: Option<Combining>,
}

pub(super) struct Group {
    /// Which of the ranges of the block it runs over.
    pub range: usize,
    pub reverse: bool,
    pub order: Order,
    /// See [`Facts`].
    pub arrays: VarTable<Option<Accesses>>,
    /// The carried values by their results.
    pub outs: VarTable<usize>,
    /// The arrays and numbers that carried values start as.
    pub starts: VarTable<Vec<usize>>,
    carried: Vec<usize>,
    loops: VecDeque<Eqn>,
    /// Variables of the regions that are others in the merged loop.
    names: VarTable<Var>,
}

impl Group {
    pub fn new(eqn: Eqn, facts: Facts, range: usize, all: &mut Vec<Carried>) -> Group {
        let order = facts.order();
        let region = &eqn.regions[0];
        let (mut outs, mut starts, mut carried) = (VarTable::default(), VarTable::default(), Vec::new());
        for k in 0..eqn.outs.len() {
            let id = all.len();
            let (out, arg, param, result) = (eqn.outs[k], eqn.args[k], region.params[k + 1], region.results[k]);
            all.push(Carried { out, arg, param, result, combining: facts.numbers[k] });
            outs.insert(out, id);
            starts.entry(arg).or_insert_with(Vec::new).push(id);
            carried.push(id);
        }
        let reverse = matches!(eqn.op, Op::For { reverse: true, .. }) && order == Order::Ordered;
        let (arrays, names) = (facts.arrays, VarTable::default());
        Group { range, reverse, order, arrays, outs, starts, carried, loops: VecDeque::from([eqn]), names }
    }

    pub fn is_merged(&self) -> bool {
        self.loops.len() > 1
    }

    /// Whether an array that one updates in place is read as it was by the other.
    pub fn clashes_with(&self, other: &Group) -> bool {
        let clash =
            |starts: &VarTable<Vec<usize>>, arrays: &VarTable<Option<Accesses>>| match starts.len() < arrays.len() {
                true => starts.keys().any(|start| arrays.contains_key(start)),
                false => arrays.keys().any(|array| starts.contains_key(array)),
            };
        clash(&other.starts, &self.arrays) || clash(&self.starts, &other.arrays)
    }

    /// This loop, and in each iteration that of the other one after it.
    pub fn merge(mut self, mut second: Group, chained: &[(usize, usize)], all: &mut [Carried]) -> Group {
        let mut order = self.order.min(second.order);
        let mut gone = Vec::new();
        for (k, n) in chained {
            let (start, param) = (all[*n].arg, all[*n].param);
            self.names.insert(param, all[*k].result);
            if let Some(accesses) = second.arrays.remove(&param) {
                order = order.min(self.access(all[*k].param, accesses));
            }
            second.starts.remove(&start);
            self.outs.remove(&all[*k].out);
            second.outs.insert(all[*n].out, *k);
            all[*k].out = all[*n].out;
            all[*k].result = all[*n].result;
            gone.push(*n);
        }
        // What the second reads of the first are accesses to what that carries.
        let read: Vec<Var> = match self.outs.len() < second.arrays.len() {
            true => self.outs.keys().copied().filter(|out| second.arrays.contains_key(out)).collect(),
            false => second.arrays.keys().copied().filter(|array| self.outs.contains_key(array)).collect(),
        };
        for out in read {
            let own = &all[self.outs[&out]];
            self.names.insert(out, own.result);
            if let Some(accesses) = second.arrays.remove(&out) {
                order = order.min(self.access(own.param, accesses));
            }
        }
        if !gone.is_empty() {
            gone.sort_unstable();
            second.carried.retain(|id| gone.binary_search(id).is_err());
        }
        let arrays = join(self.arrays, second.arrays, |known, more| *known = both(*known, more));
        let outs = join(self.outs, second.outs, |_, _| {});
        let starts = join(self.starts, second.starts, |known, more| known.extend(more));
        let names = join(self.names, second.names, |_, _| {});
        let carried = [self.carried, second.carried].concat();
        let loops = match self.loops.len() >= second.loops.len() {
            true => {
                self.loops.append(&mut second.loops);
                self.loops
            }
            false => {
                while let Some(eqn) = self.loops.pop_back() {
                    second.loops.push_front(eqn);
                }
                second.loops
            }
        };
        let reverse = self.reverse && second.reverse && order == Order::Ordered;
        Group { range: self.range, reverse, order, arrays, outs, starts, carried, loops, names }
    }

    fn index(&self) -> Var {
        self.loops[0].regions[0].params[0]
    }

    /// Notes accesses to a carried array. Returns the order that it needs.
    fn access(&mut self, param: Var, accesses: Option<Accesses>) -> Order {
        let known = self.arrays.entry(param).or_insert(Some(Accesses::NONE));
        *known = both(*known, accesses);
        known.map_or(Order::Ordered, Accesses::order)
    }

    /// The loop.
    pub fn build(mut self, all: &[Carried]) -> Eqn {
        let merged = self.is_merged();
        let (mut outs, mut args, mut results) = (Vec::new(), Vec::new(), Vec::new());
        let index = self.index();
        let mut params = vec![index];
        for eqn in self.loops.iter().skip(1) {
            self.names.insert(eqn.regions[0].params[0], index);
        }
        let name = |mut var: Var| {
            while let Some(name) = self.names.get(&var) {
                var = *name;
            }
            var
        };
        for k in &self.carried {
            let Carried { out, arg, param, result, .. } = all[*k];
            outs.push(out);
            args.push(arg);
            params.push(param);
            results.push(name(result));
        }
        let mut eqns = Vec::new();
        let first = &self.loops[0];
        let (mut op, span) = (first.op.clone(), first.span);
        for eqn in &mut self.loops {
            let mut own = std::mem::take(&mut eqn.regions[0].eqns);
            if merged {
                own.iter_mut().for_each(|eqn| eqn.rename_uses(&name));
            }
            eqns.append(&mut own);
        }
        if let Op::For { reverse, keep, order, .. } = &mut op {
            *order = self.order;
            if merged {
                (*reverse, *keep) = (self.reverse, SavePolicy::All);
            }
        }
        Eqn { outs, op, args, regions: vec![Block { params, eqns, results }], span }
    }
}

/// The smaller table goes into the larger one.
fn join<T>(a: VarTable<T>, b: VarTable<T>, merge: impl Fn(&mut T, T)) -> VarTable<T> {
    let (mut large, small) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    for (var, value) in small {
        match large.get_mut(&var) {
            Some(known) => merge(known, value),
            None => drop(large.insert(var, value)),
        }
    }
    large
}
