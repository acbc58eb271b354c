//! Loops and branches in reverse: see Note [Loops in reverse].

use super::{Sweep, collect_defined};
use crate::ir::dim::Dim;
use crate::ir::{Block, Eqn, IntOp, Op, Ty, Var};
use crate::pass::fuse::order_free_in;
use crate::pass::tangent::Unsupported;
use crate::pass::{clone_eqns, fresh, simplify};
use std::collections::{HashMap, HashSet};

impl Sweep {
    /// See Note [Loops in reverse].
    pub(super) fn looped(&mut self, eqn: &Eqn) -> Result<(), Unsupported> {
        let (region, carried) = (eqn.step(), eqn.carried());
        let active: Vec<usize> = (0..carried.len()).filter(|k| self.active.contains(&carried[*k])).collect();
        let captured = self.captured(region);

        let mut inits = Vec::new();
        for k in &active {
            inits.push(self.bar_or_zero(eqn.outs[*k]));
            self.bars.remove(&eqn.outs[*k]);
        }
        for var in &captured {
            inits.push(self.bar_or_zero(*var));
        }

        for k in &active {
            let write = crate::pass::reuse::only_write(&self.b.vars, eqn, *k).filter(|_| self.b.is_zero(eqn.args[*k]));
            self.filled.extend(write.map(|write| write.version));
        }

        // Inside, variables have their own cotangents: those of this iteration's copies.
        let outer = std::mem::take(&mut self.bars);
        let mut names = HashMap::new();
        let index = match eqn.op {
            Op::For { .. } => fresh(&mut self.b, region.params[0], &mut names),
            _ => self.b.var(Ty::index(), None),
        };
        let needed: Vec<Var> = carried.iter().map(|param| fresh(&mut self.b, *param, &mut names)).collect();
        let bars: Vec<Var> = inits.iter().map(|init| self.b.var_like(*init, self.b.ty(*init).clone(), "")).collect();
        self.b.open_block();
        clone_eqns(&mut self.b, &region.eqns, &mut names);
        self.inherit(&names);
        let forward = self.b.current().clone();
        for (var, bar) in captured.iter().zip(&bars[active.len()..]) {
            if !self.b.ty(*var).is_scalar() {
                self.accumulating.insert(*var);
            }
            self.bars.insert(*var, *bar);
        }
        for (k, bar) in active.iter().zip(&bars) {
            let result = region.results[*k];
            let result = *names.get(&result).unwrap_or(&result);
            if self.active.contains(&result) {
                self.contribute(result, *bar);
            }
        }
        self.reverse(&forward)?;
        let mut results = Vec::new();
        for k in &active {
            results.push(self.bar_or_zero(needed[*k]));
        }
        for var in &captured {
            results.push(self.bar_or_zero(*var));
        }
        let count = bars.len();
        let again = self.again(eqn, calls(&region.eqns));
        results.extend(again.iter().map(|k| *names.get(&region.results[*k]).unwrap_or(&region.results[*k])));
        let params = again.iter().map(|k| needed[*k]);
        let mut block = self.b.close_block([index].into_iter().chain(bars).chain(params).collect(), results);
        simplify::remove_dead(&mut block);
        self.bars = outer;

        // See Note [Loops that run again].
        let again = if self.runs_again(&block, count) { again } else { Vec::new() };
        block.params.truncate(1 + count + again.len());
        block.results.truncate(count + again.len());
        simplify::remove_dead(&mut block);
        inits.extend(again.iter().map(|k| eqn.args[*k]));
        let kept = self.needed(&mut block, eqn, &needed, &again, &names);
        let range = match &eqn.op {
            Op::For { lo, hi, reverse } => {
                for (var, copy) in kept {
                    let history = self.keep_history(eqn, var, lo, hi);
                    self.restore(&mut block, history, copy, |sweep| sweep.offset(index, lo));
                }
                Op::For { lo: lo.clone(), hi: hi.clone(), reverse: *reverse != again.is_empty() }
            }
            _ => {
                let count = self.count_iterations(eqn);
                for (var, copy) in kept {
                    let tape = self.keep_tape(eqn, var, count);
                    self.restore(&mut block, tape, copy, |_| index);
                }
                Op::For { lo: Dim::literal(0), hi: Dim::of(count), reverse: true }
            }
        };

        let tys = inits.iter().map(|init| self.b.ty(*init).clone()).collect();
        let outs = self.b.push_multi(range, inits, vec![block], tys);
        // First what replaces a cotangent, then what is added: a variable may be both captured and initial.
        for (var, out) in captured.iter().zip(&outs[active.len()..]) {
            self.set_bar(*var, *out);
        }
        for (k, out) in active.iter().zip(&outs) {
            if self.active.contains(&eqn.args[*k]) {
                self.contribute(eqn.args[*k], *out);
            }
        }
        Ok(())
    }

    /// The carried values of a `for` loop that could be computed a second time, from each other and from what is outside:
    /// indices, and `numbers`.
    fn again(&self, eqn: &Eqn, numbers: bool) -> Vec<usize> {
        let carried = eqn.carried();
        let wanted = |var: &Var| !self.active.contains(var) && (numbers || !self.b.ty(*var).is_float());
        let mut again: Vec<usize> = match eqn.op {
            Op::For { .. } => (0..carried.len()).filter(|k| wanted(&carried[*k])).collect(),
            _ => Vec::new(),
        };
        loop {
            let before = again.len();
            let all = again.clone();
            again.retain(|k| {
                let mut slice = eqn.step().clone();
                slice.results = vec![slice.results[*k]];
                simplify::remove_dead(&mut slice);
                let foreign = (0..carried.len()).filter(|other| !all.contains(other));
                cheap(&slice) && foreign.into_iter().all(|other| !uses(&slice, carried[other]))
            });
            if again.len() == before {
                return again;
            }
        }
    }

    /// Note [Loops that run again]. If the order of the reverse iterations does not matter, they may run from the
    /// first to the last, and compute again what the loop carries and is not differentiated, such as an index,
    /// rather than to have it kept. Numbers are kept nevertheless, unless the loop calls functions: a chain of
    /// operations costs more than to load its values. `count` is the number of cotangents.
    fn runs_again(&self, block: &Block, count: usize) -> bool {
        let again = &block.params[1 + count..];
        let mut slice = block.clone();
        slice.results.truncate(count);
        simplify::remove_dead(&mut slice);
        again.iter().any(|param| uses(&slice, *param)) && order_free_in(&self.b.vars, block, count)
    }

    /// What is known of variables holds for their copies.
    fn inherit(&mut self, names: &HashMap<Var, Var>) {
        for (var, copy) in names {
            for known in [&mut self.active, &mut self.filled] {
                if known.contains(var) {
                    known.insert(*copy);
                }
            }
        }
    }

    fn offset(&mut self, index: Var, lo: &Dim) -> Var {
        if lo.is(0) {
            return index;
        }
        let lo = self.b.dim(lo.clone());
        self.b.int(IntOp::Sub, index, lo)
    }

    /// Active variables from outside that a region reads.
    fn captured(&self, region: &Block) -> Vec<Var> {
        let mut defined: HashSet<Var> = region.params.iter().copied().collect();
        collect_defined(region, &mut defined);
        let mut captured = Vec::new();
        region.for_each_use(&mut |var| {
            if self.active.contains(&var) && !defined.contains(&var) && !captured.contains(&var) {
                captured.push(var);
            }
        });
        captured
    }

    /// What the reverse iterations read of the forward ones, with its name there: carried values, or only some elements
    /// of them, if those are all that is read of an array.
    fn needed(
        &mut self,
        block: &mut Block,
        eqn: &Eqn,
        needed: &[Var],
        again: &[usize],
        names: &HashMap<Var, Var>,
    ) -> Vec<(Var, Var)> {
        let mut kept = Vec::new();
        for (k, (param, copy)) in eqn.carried().iter().zip(needed).enumerate() {
            if again.contains(&k) {
                continue;
            }
            self.forget_overwritten(block, *copy);
            if !uses(block, *copy) {
                continue;
            }
            let reads: Vec<Var> = block.eqns.iter().filter(|eqn| eqn.uses(*copy)).map(|eqn| eqn.outs[0]).collect();
            let elements = block
                .eqns
                .iter()
                .filter(|eqn| eqn.uses(*copy))
                .all(|eqn| matches!(eqn.op, Op::Get) && eqn.args[0] == *copy && self.b.ty(eqn.outs[0]).is_scalar());
            let originals: Option<Vec<(Var, Var)>> = reads
                .iter()
                .map(|read| names.iter().find(|(_, copy)| *copy == read).map(|(original, copy)| (*original, *copy)))
                .collect();
            match originals {
                Some(pairs) if elements && !block.results.contains(copy) => {
                    block.eqns.retain(|eqn| !reads.contains(&eqn.outs[0]));
                    kept.extend(pairs);
                }
                _ => kept.push((*param, *copy)),
            }
        }
        simplify::remove_dead(block);
        kept
    }

    /// An array of which a loop overwrites every element before anything is read may as well start as zeros.
    fn forget_overwritten(&mut self, block: &mut Block, array: Var) {
        let mut readers = (0..block.eqns.len()).filter(|k| block.eqns[*k].uses(array));
        let (Some(at), None) = (readers.next(), readers.next()) else { return };
        let eqn = &block.eqns[at];
        let places: Vec<usize> = (0..eqn.args.len()).filter(|k| eqn.args[*k] == array).collect();
        let [place] = places[..] else { return };
        let inside = eqn.regions.iter().any(|region| uses(region, array));
        if inside || eqn.as_for().is_none() || crate::pass::reuse::only_write(&self.b.vars, eqn, place).is_none() {
            return;
        }
        self.b.open_block();
        let zero = self.b.zero_like(array);
        let made = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        // Rows that differ in length would have to be looked at for that.
        if !self.b.ty(zero).is_ragged() && !block.results.contains(&array) {
            block.eqns[at].args[place] = zero;
            block.eqns.splice(at..at, made);
        }
    }

    /// Lets the iterations of the reverse loop read a value of the forward iteration from where the forward loop has kept it.
    fn restore(&mut self, block: &mut Block, history: Var, needed: Var, at: impl FnOnce(&mut Sweep) -> Var) {
        self.b.open_block();
        let at = at(self);
        let value = self.b.get(history, &[at]);
        let mut eqns = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        block.rename_uses(&|var| if var == needed { value } else { var });
        eqns.append(&mut block.eqns);
        block.eqns = eqns;
    }

    /// Where an equation of the forward sweep is. It may have more results by now.
    fn forward_eqn(&mut self, eqn: &Eqn) -> usize {
        let mut eqns = self.b.current().iter();
        eqns.position(|other| !eqn.outs.is_empty() && other.outs.starts_with(&eqn.outs)).unwrap_or(0)
    }

    /// Makes the forward loop store a value of each iteration in an array.
    fn keep_history(&mut self, eqn: &Eqn, param: Var, lo: &Dim, hi: &Dim) -> Var {
        let element = self.b.ty(param).clone();
        let place = self.forward_eqn(eqn);
        self.b.open_block();
        let mut length = hi.minus(lo);
        if !length.is_simple() {
            // Such a length is not that of an array type: it is computed, and the values are on the heap.
            let computed = self.b.dim(length);
            length = Dim::of(computed);
        }
        let ty = Ty::tensor(element.elem, [vec![length], element.dims].concat());
        let zero = self.b.zero(ty.clone());
        self.b.name(zero, "history");
        let before = std::mem::take(self.b.current());
        let inner = self.b.var_like(param, ty, "_history");
        let at = self.offset(eqn.regions[0].params[0], lo);
        let stored = self.b.set(inner, param, &[at]);
        let inside = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        self.carry((place, eqn.carried().contains(&param)), zero, (inner, stored), inside, before)
    }

    /// Makes the forward loop count its iterations.
    fn count_iterations(&mut self, eqn: &Eqn) -> Var {
        let place = self.forward_eqn(eqn);
        self.b.open_block();
        let zero = self.b.dim(Dim::literal(0));
        let before = std::mem::take(self.b.current());
        let count = self.b.var(Ty::index(), Some("count"));
        let one = self.b.dim(Dim::literal(1));
        let next = self.b.int(IntOp::Add, count, one);
        let inside = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        self.carry((place, true), zero, (count, next), inside, before)
    }

    /// Makes the forward loop keep a value of each iteration on a tape, or in an array, if the user
    /// has said how many iterations there are at most. `count` is the number of iterations.
    fn keep_tape(&mut self, eqn: &Eqn, param: Var, count: Var) -> Var {
        let element = self.b.ty(param).clone();
        let place = self.forward_eqn(eqn);
        // The loop's own variable for the count of iterations before this one.
        let forward = &self.b.current()[place];
        let so_far = forward.outs.iter().position(|out| *out == count).map_or(count, |k| forward.carried()[k]);
        let limit = match &eqn.op {
            Op::While { limit } => limit.clone(),
            _ => None,
        };
        self.b.open_block();
        let length = limit.clone().unwrap_or_else(Dim::ragged);
        let ty = Ty::tensor(element.elem, [vec![length], element.dims].concat());
        let empty = self.b.zero(ty.clone());
        self.b.name(empty, "tape");
        let before = std::mem::take(self.b.current());
        let inner = self.b.var_like(param, ty, "_tape");
        let kept = match limit {
            Some(_) => self.b.set(inner, param, &[so_far]),
            None => self.b.push_element(inner, param, so_far),
        };
        let inside = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        self.carry((place, eqn.carried().contains(&param)), empty, (inner, kept), inside, before)
    }

    /// Gives a loop one more carried value: what it starts as, its name and its next value inside, what computes the
    /// next value, and what computes the first.
    fn carry(
        &mut self,
        (place, at_start): (usize, bool),
        init: Var,
        (inner, next): (Var, Var),
        inside: Vec<Eqn>,
        before: Vec<Eqn>,
    ) -> Var {
        let out = self.b.var_like(inner, self.b.ty(inner).clone(), "");
        let copy = self.b.var_like(inner, self.b.ty(inner).clone(), "");
        let forward = &mut self.b.current()[place];
        forward.args.push(init);
        forward.outs.push(out);
        if let [cond, _] = &mut forward.regions[..] {
            cond.params.push(copy);
        }
        if let Some(step) = forward.regions.last_mut() {
            step.params.push(inner);
            step.results.push(next);
            // Carried arrays change in the course of the iteration; what is computed there is there at its end.
            let start = if at_start { 0 } else { step.eqns.len() };
            step.eqns.splice(start..start, inside);
        }
        self.b.current().splice(place..place, before);
        out
    }

    /// How many equations keeping values has added to the forward sweep.
    pub(super) fn history(&mut self, forward: &[Eqn]) -> usize {
        let last = forward.last().map(|eqn| eqn.outs[0]);
        let place = self.b.current().iter().position(|eqn| Some(eqn.outs[0]) == last);
        place.map_or(0, |place| place + 1 - forward.len())
    }

    /// The cotangents go through the branch that was taken.
    pub(super) fn branch(&mut self, eqn: &Eqn) -> Result<(), Unsupported> {
        let mut captured = self.captured(&eqn.regions[0]);
        for var in self.captured(&eqn.regions[1]) {
            if !captured.contains(&var) {
                captured.push(var);
            }
        }
        let bars: Vec<Option<Var>> = eqn.outs.iter().map(|out| self.bars.remove(out)).collect();
        let before: Vec<Var> = captured.iter().map(|var| self.bar_or_zero(*var)).collect();
        let outer = std::mem::take(&mut self.bars);
        let mut regions = Vec::new();
        for region in &eqn.regions {
            let mut names = HashMap::new();
            self.b.open_block();
            clone_eqns(&mut self.b, &region.eqns, &mut names);
            self.inherit(&names);
            let forward = self.b.current().clone();
            self.bars = captured.iter().copied().zip(before.iter().copied()).collect();
            for (result, bar) in region.results.iter().zip(&bars) {
                let result = *names.get(result).unwrap_or(result);
                if let (Some(bar), true) = (bar, self.active.contains(&result)) {
                    self.contribute(result, *bar);
                }
            }
            self.reverse(&forward)?;
            let results = captured.iter().map(|var| self.bar_or_zero(*var)).collect();
            let mut block = self.b.close_block(Vec::new(), results);
            simplify::remove_dead(&mut block);
            regions.push(block);
        }
        self.bars = outer;
        let tys = captured.iter().map(|var| self.b.ty(*var).clone()).collect();
        let outs = self.b.push_multi(Op::If, vec![eqn.args[0]], regions, tys);
        for (var, out) in captured.iter().zip(outs) {
            self.set_bar(*var, out);
        }
        Ok(())
    }
}

fn calls(eqns: &[Eqn]) -> bool {
    eqns.iter().any(|eqn| matches!(eqn.op, Op::Call(_)) || eqn.regions.iter().any(|region| calls(&region.eqns)))
}

/// Whether a block calls nothing, and has no loop of unknown length.
fn cheap(block: &Block) -> bool {
    block
        .eqns
        .iter()
        .all(|eqn| !matches!(eqn.op, Op::Call(_) | Op::While { .. } | Op::Tensor(_)) && eqn.regions.iter().all(cheap))
}

fn uses(block: &Block, var: Var) -> bool {
    let mut found = false;
    block.for_each_use(&mut |used| found |= used == var);
    found
}
