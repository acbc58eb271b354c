//! Loops and branches in reverse: see Note [Loops in reverse].

use super::Sweep;
use super::checkpoint::ReverseStep;
use super::reach::{Exit, Exits, Reach};
use super::store::{outs_of, takes_snapshots};
use crate::analysis::accesses::Scanner;
use crate::analysis::uses::collect_defined;
use crate::analysis::writes::only_write;
use crate::ir::dim::Dim;
use crate::ir::effect;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Elem, Eqn, Evaluation, IntOp, Op, Order, Ty, Var};
use crate::pass::tangent::Unsupported;
use crate::pass::{clone_eqns, fresh};

impl Sweep {
    /// See Note [Loops in reverse].
    pub(super) fn looped(&mut self, eqn: &Eqn) -> Result<(), Unsupported> {
        let (region, carried) = (eqn.step(), eqn.carried());
        let once = effect::evaluates(&region.eqns) || region.eqns.iter().any(effect::is_saved);
        if once && takes_snapshots(eqn) {
            return Err(Unsupported::new(
                eqn.span,
                "a checkpointed loop that calls a function without a derivative",
                "it would be called again between snapshots: say `#[differentiable(pure(f))]` if it has no effect and \
                 depends on its arguments only, or take off `#[checkpoint]`",
            ));
        }
        let active: Vec<usize> = (0..carried.len()).filter(|k| self.active.contains(&carried[*k])).collect();
        let captured = self.captured(region);

        let selection = if once { None } else { self.selection(eqn, &active) };
        let after: Vec<Reach> = active.iter().map(|k| self.whole(self.reach_of(eqn.outs[*k]))).collect();
        let beside: Vec<Reach> = captured.iter().map(|var| self.whole(self.reach_of(*var))).collect();
        let inside = self.reach_inside(eqn, &active, &after, selection.is_some());

        let mut inits = Vec::new();
        for k in &active {
            inits.push(self.bar_or_zero(eqn.outs[*k]));
            self.bars.remove(&eqn.outs[*k]);
        }
        for var in &captured {
            inits.push(self.bar_or_zero(*var));
        }
        for (_, after) in inside.iter().zip(&after).filter(|(inside, _)| inside.is_none()) {
            inits.push(self.truth(*after));
        }

        for k in &active {
            let write = only_write(&self.b.vars, None, eqn, *k).filter(|_| self.b.is_zero(eqn.args[*k]));
            self.filled.extend(write.map(|write| write.version));
        }

        // Inside, variables have their own cotangents: those of this iteration's copies.
        let outer = (std::mem::take(&mut self.bars), std::mem::take(&mut self.reach));
        let mut names = HashMap::default();
        let index = match eqn.op {
            Op::For { .. } => fresh(&mut self.b, region.params[0], &mut names),
            _ => self.b.var(Ty::index(), None),
        };
        let needed: Vec<Var> = carried.iter().map(|param| fresh(&mut self.b, *param, &mut names)).collect();
        let mut bars: Vec<Var> =
            inits.iter().map(|init| self.b.var_like(*init, self.b.ty(*init).clone(), "")).collect();
        let mut flags = bars[active.len() + captured.len()..].iter().copied();
        let inside: Vec<Reach> = inside
            .into_iter()
            .map(|inside| inside.unwrap_or_else(|| flags.next().map_or(Reach::Always, |flag| Reach::When(flag, true))))
            .collect();
        self.b.open_block();
        clone_eqns(&mut self.b, &region.eqns, &mut names);
        self.inherit(&names);
        let forward = self.b.current().clone();
        for (var, bar) in captured.iter().zip(&bars[active.len()..]) {
            if !self.b.ty(*var).is_scalar() {
                self.accumulating.insert(*var);
            }
            self.bars.insert(*var, *bar);
            if self.sensitive.contains(var) {
                self.set_reach(*var, Reach::Never);
            }
        }
        for ((k, bar), reach) in active.iter().zip(&bars).zip(&inside) {
            let result = region.results[*k];
            let result = *names.get(&result).unwrap_or(&result);
            if self.active.contains(&result) && *reach != Reach::Never {
                self.under = *reach;
                self.contribute(result, *bar);
            }
        }
        self.depth += 1;
        self.reverse(&forward)?;
        self.depth -= 1;
        let made = forward.len() + self.history(&forward);
        let made = self.b.current()[..made].to_vec();
        let mut results = Vec::new();
        for k in &active {
            results.push(self.bar_or_zero(needed[*k]));
        }
        for var in &captured {
            results.push(self.bar_or_zero(*var));
        }
        let exits =
            self.reach_after((&active, &after, &inside, &needed), (&captured, &beside), &mut bars, &mut results);
        let count = bars.len();
        let recomputed = if selection.is_some() { Vec::new() } else { self.recomputed(eqn, calls(&region.eqns)) };
        results.extend(recomputed.iter().map(|k| *names.get(&region.results[*k]).unwrap_or(&region.results[*k])));
        let params = recomputed.iter().map(|k| needed[*k]);
        let mut block = self.b.close_block([index].into_iter().chain(bars).chain(params).collect(), results);
        self.only_results(&mut block);
        self.simplifier.part(&mut self.b.vars, &mut block);
        (self.bars, self.reach) = outer;
        for reach in
            exits.captured.iter().zip(&beside).filter(|(exit, _)| **exit == Exit::Flag).map(|(_, reach)| *reach)
        {
            inits.push(self.truth(reach));
        }

        // See Note [Recomputed values].
        let recomputed = if self.recomputes(&block, count) { recomputed } else { Vec::new() };
        block.params.truncate(1 + count + recomputed.len());
        block.results.truncate(count + recomputed.len());
        self.simplifier.remove_dead(&mut block);
        inits.extend(recomputed.iter().map(|k| eqn.args[*k]));
        let reverse =
            ReverseStep { block: &block, count, inits: &inits[..count], carried: &needed, recomputed: &recomputed };
        let checkpointed = if selection.is_some() { None } else { self.checkpointed(eqn, &reverse) };
        if let Some(outs) = checkpointed {
            self.hand_on(eqn, &active, &captured, &outs, &exits);
            return Ok(());
        }
        for (_, copy) in needed.iter().enumerate().filter(|(k, _)| !recomputed.contains(k)) {
            self.forget_overwritten(&mut block, *copy);
        }
        let chains = match recomputed.is_empty() && selection.is_none() && !takes_snapshots(eqn) {
            true => self.chains(&block, eqn, &outs_of(&made), &needed, &names),
            false => Vec::new(),
        };
        // Only one iteration is recomputed, so that expensive values need not be stored.
        let mut saved = match selection {
            Some(_) => Vec::new(),
            None => self.values_to_store(&mut block, eqn, &made, (&needed, &recomputed), &names, &chains),
        };
        let restored = self.restore(&mut block, eqn, index, &chains, &mut saved);
        for array in &restored {
            inits.push(eqn.outs[array.carried]);
            block.params.push(array.param);
            block.results.push(array.result);
        }
        saved.extend(self.needed(&mut block, eqn, &needed, &recomputed, &names));
        let range = match (&eqn.op, &selection) {
            (Op::For { lo, reverse, .. }, Some(selection)) => {
                let (lo, hi) = self.save_selection(eqn, selection, &saved, index, &mut block, lo);
                Op::range(lo, hi, !reverse)
            }
            (Op::For { lo, hi, reverse, .. }, None) => {
                for (var, copy) in saved {
                    let history = self.save_history(eqn, var, lo, hi);
                    self.load(&mut block, history, copy, |sweep| sweep.offset(index, lo));
                }
                Op::range(lo.clone(), hi.clone(), *reverse != recomputed.is_empty())
            }
            _ => {
                let count = self.count_iterations(eqn);
                for (var, copy) in saved {
                    let tape = self.save_on_tape(eqn, var, count);
                    self.load(&mut block, tape, copy, |_| index);
                }
                Op::range(Dim::literal(0), Dim::of(count), true)
            }
        };

        all_saved(&block)?;
        let tys = inits.iter().map(|init| self.b.ty(*init).clone()).collect();
        let outs = self.b.push_multi(range, inits, vec![block], tys);
        for (array, out) in restored.iter().zip(&outs[count..]) {
            self.restored.insert(*out, (eqn.args[array.carried], eqn.outs[array.carried]));
        }
        self.hand_on(eqn, &active, &captured, &outs, &exits);
        Ok(())
    }

    /// The cotangents that leave a reverse loop.
    fn hand_on(&mut self, eqn: &Eqn, active: &[usize], captured: &[Var], outs: &[Var], exits: &Exits) {
        let mut flags = outs[active.len() + captured.len()..].iter();
        let carried: Vec<Reach> = exits.carried.iter().map(|exit| exit.reach(&mut flags)).collect();
        // First what replaces a cotangent, then what is added: a variable may be both captured and initial.
        for ((var, out), exit) in captured.iter().zip(&outs[active.len()..]).zip(&exits.captured) {
            let reach = match exit {
                Exit::Also(reach) => {
                    let before = self.reach_of(*var);
                    self.any(before, *reach)
                }
                exit => exit.reach(&mut flags),
            };
            self.set_bar(*var, *out, reach);
        }
        for ((k, out), reach) in active.iter().zip(outs).zip(carried) {
            if self.active.contains(&eqn.args[*k]) && reach != Reach::Never {
                self.under = reach;
                self.contribute(eqn.args[*k], *out);
            }
        }
    }

    /// The carried values of a `for` loop that can be recomputed from each other and from values outside: indices, and
    /// numbers if `numbers`.
    fn recomputed(&mut self, eqn: &Eqn, numbers: bool) -> Vec<usize> {
        let carried = eqn.carried();
        let wanted = |var: &Var| !self.active.contains(var) && (numbers || !self.b.ty(*var).is_float());
        let mut recomputed: Vec<usize> = match eqn.op {
            Op::For { .. } => (0..carried.len()).filter(|k| wanted(&carried[*k])).collect(),
            _ => Vec::new(),
        };
        loop {
            let before = recomputed.len();
            let all = recomputed.clone();
            recomputed.retain(|k| {
                let mut slice = eqn.step().clone();
                slice.results = vec![slice.results[*k]];
                self.only_results(&mut slice);
                let foreign = (0..carried.len()).filter(|other| !all.contains(other));
                cheap(&slice) && foreign.into_iter().all(|other| !slice.uses(carried[other]))
            });
            if recomputed.len() == before {
                return recomputed;
            }
        }
    }

    /// Note [Recomputed values]. If the order of the reverse iterations does not matter, they may run from the first to the
    /// last, and recompute carried values that are not differentiated, such as an index, instead of loading them. Numbers are
    /// stored nevertheless, unless the loop calls functions: to recompute a chain of operations costs more than to load its
    /// values. `count` is the number of cotangents.
    fn recomputes(&mut self, block: &Block, count: usize) -> bool {
        let recomputed = &block.params[1 + count..];
        if recomputed.is_empty() {
            return false;
        }
        let mut slice = block.clone();
        slice.results.truncate(count);
        self.simplifier.remove_dead(&mut slice);
        recomputed.iter().any(|param| slice.uses(*param))
            && Scanner::new(&self.b.vars).facts(block).order_of_first(count) != Order::Ordered
    }

    /// What is known of variables holds for their copies.
    fn inherit(&mut self, names: &HashMap<Var, Var>) {
        self.inherit_bounds(names);
        for (var, copy) in names {
            for known in [&mut self.active, &mut self.filled, &mut self.sensitive] {
                if known.contains(var) {
                    known.insert(*copy);
                }
            }
        }
    }

    pub(super) fn offset(&mut self, index: Var, lo: &Dim) -> Var {
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

    /// Removes the effects of a block: what is recomputed has been checked before.
    fn only_results(&mut self, block: &mut Block) {
        effect::remove(&mut block.eqns, |_| true);
        self.simplifier.remove_dead(block);
    }

    /// The cotangents go through the branch that was taken.
    pub(super) fn branch(&mut self, eqn: &Eqn) -> Result<(), Unsupported> {
        let mut captured = self.captured(&eqn.regions[0]);
        for var in self.captured(&eqn.regions[1]) {
            if !captured.contains(&var) {
                captured.push(var);
            }
        }
        let reaches: Vec<Reach> = eqn.outs.iter().map(|out| self.reach_of(*out)).collect();
        let bars: Vec<Option<Var>> = eqn.outs.iter().map(|out| self.bars.remove(out)).collect();
        let beside: Vec<Reach> = captured.iter().map(|var| self.reach_of(*var)).collect();
        let before: Vec<Var> = captured.iter().map(|var| self.bar_or_zero(*var)).collect();
        let outer = (std::mem::take(&mut self.bars), std::mem::take(&mut self.reach));
        let mut regions = Vec::new();
        let mut forwards = Vec::new();
        let mut inside: Vec<Vec<Reach>> = Vec::new();
        for region in &eqn.regions {
            let mut names = HashMap::default();
            self.b.open_block();
            clone_eqns(&mut self.b, &region.eqns, &mut names);
            self.inherit(&names);
            let forward = self.b.current().clone();
            self.bars = captured.iter().copied().zip(before.iter().copied()).collect();
            let tracked = captured.iter().filter(|var| self.sensitive.contains(var));
            self.reach = tracked.map(|var| (*var, Reach::Never)).collect();
            for ((result, bar), reach) in region.results.iter().zip(&bars).zip(&reaches) {
                let result = *names.get(result).unwrap_or(result);
                if let (Some(bar), true) = (bar, self.active.contains(&result)) {
                    self.under = *reach;
                    self.contribute(result, *bar);
                }
            }
            self.reverse(&forward)?;
            let made = forward.len() + self.history(&forward);
            forwards.push((self.b.current()[..made].to_vec(), names));
            inside.push(captured.iter().map(|var| self.whole(self.reach_of(*var))).collect());
            let results: Vec<Var> = captured.iter().map(|var| self.bar_or_zero(*var)).collect();
            regions.push(self.b.close_block(Vec::new(), results));
        }
        (self.bars, self.reach) = outer;
        let tys: Vec<Ty> = captured.iter().map(|var| self.b.ty(*var).clone()).collect();
        let exits = self.reach_of_branches(eqn.args[0], &beside, &inside, &mut regions);
        for (side, (block, (made, names))) in regions.iter_mut().zip(forwards).enumerate() {
            self.only_results(block);
            self.simplifier.part(&mut self.b.vars, block);
            self.save_in_branch(eqn, side, block, &made, &names);
            all_saved(block)?;
        }
        let flags = exits.iter().filter(|exit| **exit == Exit::Flag).map(|_| Ty::scalar(Elem::Bool));
        let tys = tys.into_iter().chain(flags).collect();
        let outs = self.b.push_multi(Op::If, vec![eqn.args[0]], regions, tys);
        let mut flags = outs[captured.len()..].iter();
        for (((var, out), exit), before) in captured.iter().zip(&outs).zip(exits).zip(beside) {
            let inside = exit.reach(&mut flags);
            let reach = self.any(before, inside);
            self.set_bar(*var, *out, reach);
        }
        Ok(())
    }
}

fn calls(eqns: &[Eqn]) -> bool {
    eqns.iter().any(|eqn| eqn.op.is_black_box() || eqn.regions.iter().any(|region| calls(&region.eqns)))
}

/// Checks that the reverse sweep evaluates nothing that may be evaluated only once.
fn all_saved(block: &Block) -> Result<(), Unsupported> {
    match block.eqns.iter().find(|eqn| effect::is_saved(eqn)) {
        None => Ok(()),
        Some(eqn) => Err(Unsupported::new(
            eqn.span,
            "this use of a function without a derivative, whose value cannot be saved for the reverse sweep,",
            "give its value to a `let` with its type, `let value: f64 = …`; or say `#[differentiable(pure(f))]` if it has \
             no effect and depends on its arguments only",
        )),
    }
}

/// Whether a block calls nothing, and has no loop of unknown length.
fn cheap(block: &Block) -> bool {
    let costly = |op: &Op| match op {
        Op::While { .. } | Op::Tensor(_) => true,
        Op::Opaque(opaque) => opaque.evaluation != Evaluation::Pure,
        op => op.is_black_box(),
    };
    block.eqns.iter().all(|eqn| !costly(&eqn.op) && eqn.regions.iter().all(cheap))
}
