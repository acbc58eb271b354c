//! Loops in reverse under `#[checkpoint(K)]`.
//!
//! Note [Snapshots of loops]. The forward loop does not store a value in every iteration. It takes at most `K` snapshots of
//! all that it carries; Note [Snapshots] in `autodiff_core::checkpoint` says where. The reverse loop carries the snapshots.
//! For each iteration it recomputes the forward steps from the last snapshot on, and takes new snapshots where there is room
//! again. A snapshot is dropped when the iteration that begins with it has been reversed.
//!
//! ```text
//! for t in 0..n {
//!     if t == next { take a snapshot; next = … }
//!     if t == n - 1 { last = s }
//!     s = step(s)
//! }
//! for t in (0..n).rev() {
//!     (s, from) = if t == n - 1 { (last, t) } else { the last snapshot }
//!     if the last snapshot is of t { forget it }
//!     next = from + next_snapshot(t + 1 - from, room)
//!     for k in from..t {
//!         if k == next { take a snapshot; next = … }
//!         s = step(s)
//!     }
//!     reverse the step that begins with s
//! }
//! ```
//!
//! The number of steps is that of Algorithm 799: t(n, K), of which the forward loop runs n - 1, and the last one, which the
//! value needs. The last state is not one of the `K` snapshots, neither here nor there.
//!
//! How often a `while` loop runs is known only when it has ended. Its forward loop only counts, and the reverse loop begins
//! with a single snapshot, the initial state.
//!
//! All of it consists of ordinary equations: the tangent of such a reverse sweep needs no rule of its own.

use super::Sweep;
use crate::ir::dim::Dim;
use crate::ir::effect;
use crate::ir::var::HashMap;
use crate::ir::{Block, Elem, Eqn, IntOp, Op, SavePolicy, Ty, Var};
use crate::op::elementwise as rows;
use crate::pass::{clone_eqns, simplify};

/// The reverse of one iteration, as far as it is known.
pub(super) struct ReverseStep<'t> {
    /// Its parameters are the index, `count` cotangents, and the values that could be recomputed.
    pub block: &'t Block,
    pub count: usize,
    pub inits: &'t [Var],
    /// What the block calls the carried values.
    pub carried: &'t [Var],
    /// Which of them could be recomputed.
    pub recomputed: &'t [usize],
}

/// A loop that is reversed from snapshots.
struct Plan<'e> {
    eqn: &'e Eqn,
    /// Which of the carried values a snapshot consists of.
    state: Vec<usize>,
    /// An iteration, as far as these need it.
    step: Block,
    /// How many snapshots there are at most.
    limit: Dim,
}

/// What a loop carries for its snapshots: an array for each value of the state, the iterations that they begin, and how many
/// there are.
#[derive(Clone)]
struct Snapshots {
    states: Vec<Var>,
    places: Var,
    live: Var,
}

impl Snapshots {
    fn vars(&self) -> Vec<Var> {
        [&self.states[..], &[self.places, self.live]].concat()
    }

    /// The same in other variables.
    fn with(&self, vars: &[Var]) -> Snapshots {
        let count = self.states.len();
        Snapshots { states: vars[..count].to_vec(), places: vars[count], live: vars[count + 1] }
    }
}

impl Sweep {
    /// The reverse loop over snapshots, if the user has asked for it and the reverse iterations read carried values.
    pub(super) fn checkpointed(&mut self, eqn: &Eqn, reversed: &ReverseStep<'_>) -> Option<Vec<Var>> {
        let (Op::For { keep: SavePolicy::Snapshots(limit), .. } | Op::While { keep: SavePolicy::Snapshots(limit) }) =
            &eqn.op
        else {
            return None;
        };
        if let Op::For { lo, hi, .. } = &eqn.op {
            let all = hi.minus(lo).as_literal().zip(limit.as_literal());
            if all.is_some_and(|(iterations, limit)| iterations <= limit) {
                return None;
            }
        }
        let mut block = reversed.block.clone();
        let others = (0..reversed.carried.len()).filter(|k| !reversed.recomputed.contains(k));
        let saved: Vec<Var> = others.map(|k| reversed.carried[k]).collect();
        saved.iter().for_each(|copy| self.forget_overwritten(&mut block, *copy));
        if !saved.iter().any(|copy| block.uses(*copy)) {
            return None;
        }
        block.params.truncate(1 + reversed.count);
        block.results.truncate(reversed.count);
        self.simplifier.remove_dead(&mut block);
        let limit = self.limit(eqn, limit);
        let (state, step) = state(eqn, &block, reversed.carried);
        let plan = Plan { eqn, state, step, limit };
        let (range, snapshots, last_state) = match &eqn.op {
            Op::For { lo, hi, reverse, .. } => {
                let (snapshots, last_state) = self.snapshot_forward(&plan);
                (Op::range(lo.clone(), hi.clone(), !reverse), snapshots, last_state)
            }
            _ => {
                let count = self.count_iterations(eqn);
                let snapshots = self.initial_snapshot(&plan);
                (Op::range(Dim::literal(0), Dim::of(count), true), snapshots, Vec::new())
            }
        };
        Some(self.reverse_steps(&plan, range, reversed, block, &snapshots, &last_state))
    }

    /// The number of snapshots, as the length of an array.
    fn limit(&mut self, eqn: &Eqn, limit: &Dim) -> Dim {
        if limit.is_simple() {
            return limit.clone();
        }
        // It is computed before the forward loop, and the snapshots are on the heap.
        let place = self.forward_eqn(eqn);
        self.b.open_block();
        let computed = self.b.dim(limit.clone());
        let before = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        self.b.current().splice(place..place, before);
        Dim::of(computed)
    }

    /// Room for so many values of the state.
    fn room(&mut self, plan: &Plan<'_>, length: &Dim, name: &str) -> Vec<Var> {
        let mut arrays = Vec::new();
        for k in &plan.state {
            let element = self.b.ty(plan.eqn.carried()[*k]).clone();
            let array = self.b.zero(Ty::tensor(element.elem, [vec![length.clone()], element.dims].concat()));
            self.b.name(array, name);
            arrays.push(array);
        }
        arrays
    }

    fn none_yet(&mut self, plan: &Plan<'_>) -> Snapshots {
        let states = self.room(plan, &plan.limit, "snapshots");
        let places = self.b.zero(Ty::tensor(Elem::usize(), vec![plan.limit.clone()]));
        self.b.name(places, "places");
        Snapshots { states, places, live: self.counter("live") }
    }

    /// What the loop starts as is a snapshot.
    fn initial_snapshot(&mut self, plan: &Plan<'_>) -> Snapshots {
        let mut snapshots = self.none_yet(plan);
        let zero = self.b.dim(Dim::literal(0));
        for (array, k) in snapshots.states.iter_mut().zip(&plan.state) {
            *array = self.b.set(*array, plan.eqn.args[*k], &[zero]);
        }
        snapshots.live = self.b.dim(Dim::literal(1));
        snapshots
    }

    /// A number that starts as 0.
    fn counter(&mut self, name: &str) -> Var {
        let zero = self.b.dim(Dim::literal(0));
        self.b.name(zero, name);
        zero
    }

    /// Names inside a loop for what it carries.
    fn inside(&mut self, vars: &[Var]) -> Vec<Var> {
        vars.iter().map(|var| self.b.var_like(*var, self.b.ty(*var).clone(), "")).collect()
    }

    /// Makes the forward loop take snapshots, and store the state at the start of its last iteration.
    fn snapshot_forward(&mut self, plan: &Plan<'_>) -> (Snapshots, Vec<Var>) {
        let (eqn, index) = (plan.eqn, plan.eqn.step().params[0]);
        let values: Vec<Var> = plan.state.iter().map(|k| eqn.carried()[*k]).collect();
        self.b.open_block();
        let empty = self.none_yet(plan);
        let next = self.counter("next");
        let last_state = self.room(plan, &Dim::literal(1), "last");
        let inits = [empty.vars(), vec![next], last_state.clone()].concat();
        let mut before = std::mem::take(self.b.current());

        let inner = self.inside(&inits);
        let (taking, holding) = inner.split_at(inits.len() - last_state.len());
        let at = self.ordinal(eqn, index);
        let left = self.steps_left(eqn, index);
        let mut results = self.take(plan, at, left, &values, taking);
        results.extend(self.hold(left, &values, holding));
        let mut inside = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());

        let mut outs = Vec::new();
        for ((init, inner), result) in inits.iter().zip(&inner).zip(&results) {
            let place = self.forward_eqn(eqn);
            let (inside, before) = (std::mem::take(&mut inside), std::mem::take(&mut before));
            outs.push(self.carry((place, None), *init, (*inner, *result), inside, before));
        }
        (empty.with(&outs), outs[taking.len()..].to_vec())
    }

    /// Takes a snapshot of `values` before iteration `at`, if it is the next one to begin with one; `left` iterations are to
    /// be reversed from there. What is carried are the snapshots and the number of that iteration.
    fn take(&mut self, plan: &Plan<'_>, at: Var, left: Var, values: &[Var], carried: &[Var]) -> Vec<Var> {
        let [states @ .., places, live, next] = carried else { return carried.to_vec() };
        let due = self.b.map(&rows::eq, &[at, *next]);
        self.b.open_block();
        let pairs = states.iter().zip(values);
        let mut taken: Vec<Var> = pairs.map(|(array, value)| self.b.set(*array, *value, &[*live])).collect();
        taken.push(self.b.set(*places, at, &[*live]));
        let one = self.b.dim(Dim::literal(1));
        let live = self.b.int(IntOp::Add, *live, one);
        self.b.name(live, "live");
        taken.push(live);
        taken.push(self.next(plan, at, left, live));
        let yes = self.b.close_block(Vec::new(), taken);
        self.choose(due, yes, carried)
    }

    /// Stores the state at the start of the last iteration.
    fn hold(&mut self, left: Var, values: &[Var], carried: &[Var]) -> Vec<Var> {
        let (zero, one) = (self.b.dim(Dim::literal(0)), self.b.dim(Dim::literal(1)));
        let is_last = self.b.map(&rows::eq, &[left, one]);
        self.b.open_block();
        let pairs = carried.iter().zip(values);
        let held = pairs.map(|(array, value)| self.b.set(*array, *value, &[zero])).collect();
        let yes = self.b.close_block(Vec::new(), held);
        self.choose(is_last, yes, carried)
    }

    /// What a block computes, or what there is.
    fn choose(&mut self, condition: Var, yes: Block, no: &[Var]) -> Vec<Var> {
        let no_block = Block { results: no.to_vec(), ..Block::default() };
        let tys = no.iter().map(|var| self.b.ty(*var).clone()).collect();
        let outs = self.b.push_multi(Op::If, vec![condition], vec![yes, no_block], tys);
        for (out, no) in outs.iter().zip(no) {
            if let Some(hint) = self.b.data(*no).hint.clone() {
                self.b.name(*out, &hint);
            }
        }
        outs
    }

    /// The iteration that begins with the next snapshot, where `left` of them are to be reversed from the last one.
    fn next(&mut self, plan: &Plan<'_>, last: Var, left: Var, live: Var) -> Var {
        let limit = self.b.dim(plan.limit.clone());
        let room = self.b.int(IntOp::Sub, limit, live);
        let steps = self.b.int(IntOp::NextSnapshot, left, room);
        self.b.int(IntOp::Add, last, steps)
    }

    /// The loop over the iterations in reverse.
    fn reverse_steps(
        &mut self,
        plan: &Plan<'_>,
        range: Op,
        reversed: &ReverseStep<'_>,
        mut block: Block,
        snapshots: &Snapshots,
        last_state: &[Var],
    ) -> Vec<Var> {
        let inits = [reversed.inits, &snapshots.vars()].concat();
        let inner = self.inside(&snapshots.vars());
        self.b.open_block();
        let (values, after) = self.state_at(plan, block.params[0], &snapshots.with(&inner), last_state);
        let mut eqns = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        let names: HashMap<Var, Var> = plan.state.iter().map(|k| reversed.carried[*k]).zip(values).collect();
        block.rename_uses(&|var| *names.get(&var).unwrap_or(&var));
        eqns.append(&mut block.eqns);
        block.eqns = eqns;
        block.params.extend(inner);
        block.results.extend(after);
        let tys = inits.iter().map(|init| self.b.ty(*init).clone()).collect();
        self.b.push_multi(range, inits, vec![block], tys)
    }

    /// What the loop carries into an iteration, and the snapshots from then on.
    fn state_at(
        &mut self,
        plan: &Plan<'_>,
        index: Var,
        snapshots: &Snapshots,
        last_state: &[Var],
    ) -> (Vec<Var>, Vec<Var>) {
        let (at, one) = (self.ordinal(plan.eqn, index), self.b.dim(Dim::literal(1)));
        let top = self.b.int(IntOp::Sub, snapshots.live, one);
        self.b.name(top, "top");
        let place = self.b.get(snapshots.places, &[top]);
        self.b.name(place, "from");
        // Nobody needs the snapshot after the iteration that begins with it.
        let is_there = self.b.map(&rows::eq, &[place, at]);
        let gone = Block { results: vec![top], ..Block::default() };
        let live = self.choose(is_there, gone, &[snapshots.live])[0];
        let mut begin: Vec<Var> = Vec::new();
        for (array, k) in snapshots.states.iter().zip(&plan.state) {
            let value = self.b.get(*array, &[top]);
            if let Some(hint) = self.b.data(plan.eqn.carried()[*k]).hint.clone() {
                self.b.name(value, &hint);
            }
            begin.push(value);
        }
        begin.push(place);
        if !last_state.is_empty() {
            let left = self.steps_left(plan.eqn, index);
            let is_last = self.b.map(&rows::eq, &[left, one]);
            self.b.open_block();
            let zero = self.b.dim(Dim::literal(0));
            let mut held: Vec<Var> = last_state.iter().map(|array| self.b.get(*array, &[zero])).collect();
            held.push(at);
            let yes = self.b.close_block(Vec::new(), held);
            begin = self.choose(is_last, yes, &begin);
        }
        let from = begin.pop().unwrap_or(place);
        let end = self.b.int(IntOp::Add, at, one);
        let left = self.b.int(IntOp::Sub, end, from);
        let next = self.next(plan, from, left, live);
        self.b.name(next, "next");

        let inits = [begin, Snapshots { live, ..snapshots.clone() }.vars(), vec![next]].concat();
        let index = self.b.var(Ty::index(), None);
        let inner = self.inside(&inits);
        let (values, carried) = inner.split_at(plan.state.len());
        self.b.open_block();
        let left = self.b.int(IntOp::Sub, end, index);
        let taken = self.take(plan, index, left, values, carried);
        let pairs = plan.state.iter().map(|k| plan.eqn.carried()[*k]).zip(values.iter().copied());
        let mut names: HashMap<Var, Var> = pairs.collect();
        if let Op::For { .. } = plan.eqn.op {
            let own = self.index(plan.eqn, index);
            names.insert(plan.eqn.step().params[0], own);
        }
        clone_eqns(&mut self.b, &plan.step.eqns, &mut names);
        let results =
            plan.step.results.iter().map(|result| *names.get(result).unwrap_or(result)).chain(taken).collect();
        let region = self.b.close_block([vec![index], inner.clone()].concat(), results);
        let tys = inits.iter().map(|init| self.b.ty(*init).clone()).collect();
        let mut outs = self.b.push_multi(Op::range(Dim::of(from), Dim::of(at), false), inits, vec![region], tys);
        outs.pop();
        let after = outs.split_off(plan.state.len());
        (outs, after)
    }

    /// The number of an iteration, from its index.
    fn ordinal(&mut self, eqn: &Eqn, index: Var) -> Var {
        match &eqn.op {
            Op::For { hi, reverse: true, .. } => self.down_from(hi, index),
            Op::For { lo, .. } => self.offset(index, lo),
            _ => index,
        }
    }

    /// The index of an iteration, from its number.
    fn index(&mut self, eqn: &Eqn, ordinal: Var) -> Var {
        match &eqn.op {
            Op::For { hi, reverse: true, .. } => self.down_from(hi, ordinal),
            Op::For { lo, .. } if !lo.is(0) => {
                let lo = self.b.dim(lo.clone());
                self.b.int(IntOp::Add, ordinal, lo)
            }
            _ => ordinal,
        }
    }

    /// `hi - 1 - k`
    fn down_from(&mut self, hi: &Dim, k: Var) -> Var {
        let (hi, one) = (self.b.dim(hi.clone()), self.b.dim(Dim::literal(1)));
        let last = self.b.int(IntOp::Sub, hi, one);
        self.b.int(IntOp::Sub, last, k)
    }

    /// How many steps there are from that with an index to the end.
    fn steps_left(&mut self, eqn: &Eqn, index: Var) -> Var {
        match &eqn.op {
            Op::For { lo, reverse: true, .. } => {
                let one = self.b.dim(Dim::literal(1));
                let end = self.b.int(IntOp::Add, index, one);
                self.offset(end, lo)
            }
            Op::For { hi, .. } => {
                let hi = self.b.dim(hi.clone());
                self.b.int(IntOp::Sub, hi, index)
            }
            _ => index,
        }
    }
}

/// The carried values that a block reads, and those that are needed to compute them from one iteration to the next; with
/// the step that does that.
fn state(eqn: &Eqn, block: &Block, copies: &[Var]) -> (Vec<usize>, Block) {
    let mut all = eqn.step().clone();
    effect::remove(&mut all.eqns, |_| true);
    let mut wanted: Vec<bool> = copies.iter().map(|copy| block.uses(*copy)).collect();
    loop {
        let state: Vec<usize> = (0..wanted.len()).filter(|k| wanted[*k]).collect();
        let mut step = all.clone();
        step.results = state.iter().map(|k| step.results[*k]).collect();
        simplify::remove_dead(&mut step);
        let now: Vec<bool> =
            wanted.iter().zip(eqn.carried()).map(|(wanted, param)| *wanted || step.uses(*param)).collect();
        if now == wanted {
            return (state, step);
        }
        wanted = now;
    }
}
