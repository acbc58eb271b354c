//! What a loop stores in each iteration for its reverse: see Note [Stored values].

use super::undo::Chain;
use super::{CallStrategy, Sweep};
use crate::analysis::updates::updated;
use crate::analysis::uses::collect_defined;
use crate::analysis::writes::only_write;
use crate::ir::dim::Dim;
use crate::ir::effect::{self, is_saved};
use crate::ir::ty::LARGEST_ON_STACK;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Elem, Eqn, IntOp, Op, SavePolicy, Ty, Var};
use crate::op::{Class, Cost};
use crate::pass::fresh;

/// How many bytes of one value a branch hands out, which the other branch fills with zeros.
const LARGEST_OUT_OF_A_BRANCH: i64 = 256;

impl Sweep {
    /// Note [Stored values]. The reverse of an iteration reads values of its forward equations. Some of these are carried by
    /// the loop and have to be stored (`needed`). The others can be recomputed from them. A loop that stores residuals also
    /// stores expensive values: the result of an exponential, of a call, or of a loop that contains one of them, together
    /// with what that inner loop stores for its own reverse. So nested loops run twice in all, not twice at each level.
    ///
    /// A loop that need not store anything stores nothing: then fusion may run the forward and the reverse of an iteration
    /// together, and the memory does not grow with the number of iterations. A loop inside another one is different, since
    /// its memory is needed for one outer iteration only: it stores expensive values wherever it can.
    ///
    /// Under `#[checkpoint(K)]` the carried values are stored, and nothing else.
    ///
    /// Returns the variables to store, each with its name in the reverse iteration. `made` are the equations of the forward
    /// iteration as the reverse one has them, with what inner loops store.
    pub(super) fn values_to_store(
        &mut self,
        block: &mut Block,
        eqn: &Eqn,
        made: &[Eqn],
        (needed, recomputed): (&[Var], &[usize]),
        names: &HashMap<Var, Var>,
        chains: &[Chain],
    ) -> Vec<(Var, Var)> {
        let carried =
            !chains.is_empty() || (0..needed.len()).any(|k| !recomputed.contains(&k) && block.uses(needed[k]));
        let gone: Vec<Var> = chains.iter().flat_map(|chain| &chain.copies).copied().collect();
        let few = takes_snapshots(eqn) || !recomputed.is_empty() || !(carried || self.depth > 0 && self.may_save(eqn));
        let copies = self.expensive_reads(block, made, &gone, &|eqn, _| !few && is_expensive(eqn));
        if copies.is_empty() && few {
            return Vec::new();
        }
        let mut originals: HashMap<Var, Var> = names.iter().map(|(original, copy)| (*copy, *original)).collect();
        if copies.iter().any(|copy| !originals.contains_key(copy)) {
            self.adopt(eqn, eqn.regions.len() - 1, made, &mut originals);
        }
        let forward = outs_of(made);
        block.eqns.retain(|eqn| {
            let saved = eqn.outs.iter().any(|out| copies.contains(out));
            let reads = eqn.outs.iter().any(|out| forward.contains(out)) && gone.iter().any(|var| eqn.uses(*var));
            !saved && !reads
        });
        self.simplifier.remove_dead(block);
        copies.into_iter().map(|copy| (originals[&copy], copy)).collect()
    }

    /// Whether what a loop stores fits on the stack, or the function has arrays on the heap anyway.
    fn may_save(&self, eqn: &Eqn) -> bool {
        match &eqn.op {
            Op::For { keep: SavePolicy::AtMost(_), .. } | Op::While { keep: SavePolicy::AtMost(_) } => true,
            Op::For { lo, hi, .. } => self.heap || !hi.minus(lo).is_dynamic(),
            Op::While { .. } => self.heap,
            _ => false,
        }
    }

    /// What the reverse part of an iteration reads of the forward part, `made`, and may not recompute, in the order of the
    /// equations: results of functions without a derivative, what reads `gone`, the states of arrays that are restored, and
    /// what is worth it.
    fn expensive_reads(
        &self,
        block: &Block,
        made: &[Eqn],
        gone: &[Var],
        is_worth_it: &dyn Fn(&Eqn, &[Var]) -> bool,
    ) -> Vec<Var> {
        let forward = outs_of(made);
        let mut wanted: HashSet<Var> = block.results.iter().copied().collect();
        let mut found = Vec::new();
        for eqn in block.eqns.iter().rev() {
            let is_forward = eqn.outs.iter().any(|out| forward.contains(out));
            let reads = is_forward && gone.iter().any(|var| eqn.uses(*var));
            let outs = eqn.outs.iter().filter(|out| wanted.contains(*out) && !(reads && gone.contains(out)));
            let outs: Vec<Var> = outs.copied().collect();
            let wanted_saved = is_saved(eqn) || is_worth_it(eqn, &outs);
            if reads || is_forward && wanted_saved && outs.iter().all(|out| self.can_be_saved(*out)) {
                found.extend(outs.iter().rev());
            } else if !outs.is_empty() {
                eqn.for_each_use(&mut |var| {
                    wanted.insert(var);
                });
            }
        }
        found.reverse();
        found
    }

    /// Whether values are handed out of a branch at little cost: numbers, arrays of a few of them, and residuals of calls, which are
    /// empty for the other branch.
    fn are_small(&self, values: &[Var]) -> bool {
        let small = |ty: &Ty| ty.bytes().is_some_and(|bytes| bytes <= LARGEST_OUT_OF_A_BRANCH);
        values.iter().all(|value| match self.b.ty(*value) {
            ty @ Ty { elem: Elem::Data(_), .. } => ty.is_scalar(),
            ty => small(ty) && ty.elem != Elem::Foreign,
        })
    }

    pub(super) fn can_be_saved(&self, var: Var) -> bool {
        match self.b.ty(var).elem {
            Elem::Data(_) => self.calls == CallStrategy::Residuals,
            Elem::Foreign => false,
            _ => true,
        }
    }

    /// Replaces the equations in a region of a forward loop or branch by those of the reverse one, in which inner loops
    /// store what their reverses read.
    fn adopt(&mut self, eqn: &Eqn, region: usize, made: &[Eqn], originals: &mut HashMap<Var, Var>) {
        let place = self.forward_eqn(eqn);
        let mut eqns = made.to_vec();
        eqns.iter_mut().for_each(|eqn| self.rename_all(eqn, originals));
        let region = &mut self.b.current()[place].regions[region];
        if effect::is_first_run(&region.eqns) {
            effect::evaluate(&mut eqns);
        }
        // What stands in for values that only the other branch has.
        let others = region.eqns.iter().filter(|eqn| {
            let returned = matches!(eqn.op, Op::Zero(_)) && region.results.contains(&eqn.outs[0]);
            returned && !eqns.iter().any(|made| made.outs == eqn.outs)
        });
        let others: Vec<Eqn> = others.cloned().collect();
        eqns.extend(others);
        region.eqns = eqns;
    }

    /// Makes a branch return what its reverse reads and may not recompute, see Note [Functions without a derivative] in
    /// [`crate::ir::effect`], and expensive values, if they are small. The other branch returns zeros instead.
    ///
    /// ```text
    /// y = if c { exp(x) } else { x }              (y, e) = if c { e = exp(x); (e, e) } else { (x, 0) }
    /// x̄ = if c { exp(x) · ȳ } else { ȳ }          x̄ = if c { e · ȳ } else { ȳ }
    /// ```
    pub(super) fn save_in_branch(
        &mut self,
        eqn: &Eqn,
        side: usize,
        block: &mut Block,
        made: &[Eqn],
        names: &HashMap<Var, Var>,
    ) {
        let copies =
            self.expensive_reads(block, made, &[], &|eqn, outs| is_worth_a_number(eqn) && self.are_small(outs));
        if copies.is_empty() {
            return;
        }
        let mut originals: HashMap<Var, Var> = names.iter().map(|(original, copy)| (*copy, *original)).collect();
        if copies.iter().any(|copy| !originals.contains_key(copy)) {
            self.adopt(eqn, side, made, &mut originals);
        }
        block.eqns.retain(|eqn| !eqn.outs.iter().any(|out| copies.contains(out)));
        self.simplifier.remove_dead(block);
        let place = self.forward_eqn(eqn);
        for copy in copies {
            let original = originals[&copy];
            let region = self.b.current()[place].regions[side].clone();
            let ty = self.saved_type(&region, original);
            self.b.open_block();
            let zero = self.b.zero(ty.clone());
            let mut made = std::mem::take(self.b.current());
            self.b.close_block(Vec::new(), Vec::new());
            let out = self.b.var_like(original, ty, "_saved");
            let forward = &mut self.b.current()[place];
            forward.outs.push(out);
            forward.regions[side].results.push(original);
            let other = &mut forward.regions[1 - side];
            other.eqns.append(&mut made);
            other.results.push(zero);
            let renamed = |var| if var == copy { out } else { var };
            block.rename_uses(&renamed);
            if !self.b.ty(copy).is_float() {
                self.b.vars.iter_mut().for_each(|data| data.ty.rename(&renamed));
            }
        }
    }

    /// Renames what an equation defines and uses; what has no other name yet gets one.
    fn rename_all(&mut self, eqn: &mut Eqn, names: &mut HashMap<Var, Var>) {
        eqn.rename_own(&|var| *names.get(&var).unwrap_or(&var));
        for region in &mut eqn.regions {
            region.params.iter_mut().for_each(|param| *param = self.renamed(*param, names));
            region.eqns.iter_mut().for_each(|eqn| self.rename_all(eqn, names));
            region.results.iter_mut().for_each(|result| *result = *names.get(result).unwrap_or(result));
        }
        eqn.outs.iter_mut().for_each(|out| *out = self.renamed(*out, names));
    }

    fn renamed(&mut self, var: Var, names: &mut HashMap<Var, Var>) -> Var {
        match names.get(&var) {
            Some(name) => *name,
            None => fresh(&mut self.b, var, names),
        }
    }

    /// What the reverse iterations read of the forward ones, with its name there: carried values, or only some elements
    /// of them, if those are all that is read of an array.
    pub(super) fn needed(
        &mut self,
        block: &mut Block,
        eqn: &Eqn,
        needed: &[Var],
        recomputed: &[usize],
        names: &HashMap<Var, Var>,
    ) -> Vec<(Var, Var)> {
        let mut saved = Vec::new();
        for (k, (param, copy)) in eqn.carried().iter().zip(needed).enumerate() {
            if recomputed.contains(&k) {
                continue;
            }
            self.forget_overwritten(block, *copy);
            if !block.uses(*copy) {
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
                    saved.extend(pairs);
                }
                _ => saved.push((*param, *copy)),
            }
        }
        self.simplifier.remove_dead(block);
        saved
    }

    /// An array of which a loop overwrites every element before anything is read may as well start as zeros.
    pub(super) fn forget_overwritten(&mut self, block: &mut Block, array: Var) {
        let mut readers = (0..block.eqns.len()).filter(|k| block.eqns[*k].uses(array));
        let (Some(at), None) = (readers.next(), readers.next()) else { return };
        let eqn = &block.eqns[at];
        let places: Vec<usize> = (0..eqn.args.len()).filter(|k| eqn.args[*k] == array).collect();
        let [place] = places[..] else { return };
        let inside = eqn.regions.iter().any(|region| region.uses(array));
        if inside || eqn.as_for().is_none() || only_write(&self.b.vars, None, eqn, place).is_none() {
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

    /// Makes the iterations of the reverse loop load a value that the forward loop has stored.
    pub(super) fn load(&mut self, block: &mut Block, history: Var, needed: Var, at: impl FnOnce(&mut Sweep) -> Var) {
        self.b.open_block();
        let at = at(self);
        let value = self.b.get(history, &[at]);
        let mut eqns = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        let renamed = |var| if var == needed { value } else { var };
        block.rename_uses(&renamed);
        // It may be the length of something.
        if !self.b.ty(needed).is_float() {
            self.b.vars.iter_mut().for_each(|data| data.ty.rename(&renamed));
        }
        eqns.append(&mut block.eqns);
        block.eqns = eqns;
    }

    /// Where an equation of the forward sweep is. It may have more results by now.
    pub(super) fn forward_eqn(&mut self, eqn: &Eqn) -> usize {
        let mut eqns = self.b.current().iter();
        eqns.position(|other| !eqn.outs.is_empty() && other.outs.starts_with(&eqn.outs)).unwrap_or(0)
    }

    /// Makes the forward loop store a value of each iteration in an array.
    pub(super) fn save_history(&mut self, eqn: &Eqn, param: Var, lo: &Dim, hi: &Dim) -> Var {
        let place = self.forward_eqn(eqn);
        let step = self.b.current()[place].step().clone();
        let element = self.saved_type(&step, param);
        self.b.open_block();
        let mut length = match &eqn.op {
            Op::For { keep: SavePolicy::AtMost(limit), .. } => limit.clone(),
            _ => hi.minus(lo),
        };
        if let (true, Some(places)) = (length.is_dynamic(), self.places(lo, hi)) {
            length = places;
        }
        let chosen = matches!(&eqn.op, Op::For { keep: SavePolicy::AtMost(_), .. });
        let history = Ty::tensor(element.elem.clone(), [&[length.clone()], &element.dims[..]].concat());
        if !chosen && history.bytes().is_some_and(|bytes| bytes > LARGEST_ON_STACK) {
            length = Dim::of(self.b.dim_var(length));
        } else if !length.is_simple() {
            // Such a length is not that of an array type: it is computed, and the values are on the heap.
            length = Dim::of(self.not_negative(&length));
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
        self.carry((place, Some(param)), zero, (inner, stored), inside, before)
    }

    /// A length that is computed. A range that ends before it begins has none.
    fn not_negative(&mut self, length: &Dim) -> Var {
        let (plus, minus) = length.signs();
        if length.is_dynamic() || minus.is(0) {
            return self.b.dim(length.clone());
        }
        let (plus, minus) = (self.b.dim(plus), self.b.dim(minus));
        let end = self.b.int(IntOp::Max, plus, minus);
        self.b.int(IntOp::Sub, end, minus)
    }

    /// The type of a value where it is stored: sizes that a region computes are not known outside.
    fn saved_type(&self, region: &Block, value: Var) -> Ty {
        let mut ty = self.b.ty(value).clone();
        let mut inside: HashSet<Var> = region.params.iter().copied().collect();
        collect_defined(region, &mut inside);
        for dim in &mut ty.dims {
            if dim.vars().any(|var| inside.contains(&var)) {
                *dim = Dim::ragged();
            }
        }
        ty
    }

    /// Makes the forward loop count its iterations.
    pub(super) fn count_iterations(&mut self, eqn: &Eqn) -> Var {
        let place = self.forward_eqn(eqn);
        self.b.open_block();
        let zero = self.b.dim(Dim::literal(0));
        let before = std::mem::take(self.b.current());
        let count = self.b.var(Ty::index(), Some("count"));
        let one = self.b.dim(Dim::literal(1));
        let next = self.b.int(IntOp::Add, count, one);
        let inside = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        self.carry((place, None), zero, (count, next), inside, before)
    }

    /// Makes the forward loop store a value of each iteration on a tape, or in an array, if the user has declared how many
    /// iterations there are at most. `count` is the number of iterations.
    pub(super) fn save_on_tape(&mut self, eqn: &Eqn, param: Var, count: Var) -> Var {
        let place = self.forward_eqn(eqn);
        let step = self.b.current()[place].step().clone();
        let element = self.saved_type(&step, param);
        // The loop's own variable for the count of iterations before this one.
        let forward = &self.b.current()[place];
        let so_far = forward.outs.iter().position(|out| *out == count).map_or(count, |k| forward.carried()[k]);
        let limit = match &eqn.op {
            Op::While { keep: SavePolicy::AtMost(limit) } => Some(limit.clone()),
            _ => None,
        };
        self.b.open_block();
        let length = limit.clone().unwrap_or_else(Dim::ragged);
        let ty = Ty::tensor(element.elem, [vec![length], element.dims].concat());
        let empty = self.b.zero(ty.clone());
        self.b.name(empty, "tape");
        let before = std::mem::take(self.b.current());
        let inner = self.b.var_like(param, ty, "_tape");
        let saved = match limit {
            Some(_) => self.b.set(inner, param, &[so_far]),
            None => self.b.push_element(inner, param, so_far),
        };
        let inside = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        self.carry((place, Some(param)), empty, (inner, saved), inside, before)
    }

    /// Gives a loop one more carried value: what it starts as, its name and its next value inside, what computes the
    /// next value, from which value of the loop, and what computes the first.
    pub(super) fn carry(
        &mut self,
        (place, value): (usize, Option<Var>),
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
            let start = when_to_save(step, value);
            step.eqns.splice(start..start, inside);
        }
        self.b.current().splice(place..place, before);
        out
    }

    /// How many equations that store values have been added to the forward sweep.
    pub(super) fn history(&mut self, forward: &[Eqn]) -> usize {
        // A branch that only asserts has no results.
        let last = forward.iter().rposition(|eqn| !eqn.outs.is_empty());
        let Some((last, out)) = last.and_then(|last| Some((last, forward[last].outs.first()?))) else { return 0 };
        let place = self.b.current().iter().position(|eqn| eqn.outs.first() == Some(out));
        place.map_or(0, |place| place - last)
    }
}

/// Where an iteration stores a value: as soon as it is computed, if it changes later on; otherwise at the end, when its array
/// may be moved to its destination.
fn when_to_save(step: &Block, value: Option<Var>) -> usize {
    let made = value.and_then(|value| step.eqns.iter().position(|eqn| eqn.outs.contains(&value)));
    let (Some(made), Some(value)) = (made, value) else { return 0 };
    let changes = |eqn: &Eqn| updated(eqn).into_iter().any(|at| eqn.args[at] == value);
    if step.eqns[made..].iter().any(changes) { made + 1 } else { step.eqns.len() }
}

pub(super) fn outs_of(eqns: &[Eqn]) -> HashSet<Var> {
    eqns.iter().flat_map(|eqn| eqn.outs.iter().copied()).collect()
}

pub(super) fn takes_snapshots(eqn: &Eqn) -> bool {
    matches!(eqn.op, Op::For { keep: SavePolicy::Snapshots(_), .. } | Op::While { keep: SavePolicy::Snapshots(_) })
}

/// Whether a branch hands out what an equation computes.
fn is_worth_a_number(eqn: &Eqn) -> bool {
    matches!(&eqn.op, Op::Map(row) if row.cost == Cost::Division) || is_expensive(eqn)
}

/// Whether it takes much longer to compute a value than to load it.
fn is_expensive(eqn: &Eqn) -> bool {
    match &eqn.op {
        Op::Map(row) => row.cost == Cost::Function,
        Op::Tensor(op) => matches!(op.class(), Class::Kernel(_)) && !op.moves(),
        op => op.is_black_box() || eqn.regions.iter().any(|region| region.eqns.iter().any(is_expensive)),
    }
}
