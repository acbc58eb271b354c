//! Loops that select a value: see Note [Selection loops].

use super::Sweep;
use super::reach::Reach;
use crate::ir::dim::Dim;
use crate::ir::operator::Row;
use crate::ir::var::HashMap;
use crate::ir::{Block, Elem, Eqn, IntOp, Op, Ty, Var, effect};
use crate::op::{Algebra, elementwise as rows};

// Note [Selection loops]. A loop that looks for the largest of many numbers carries one of them. Each iteration either keeps
// it or replaces it by another number that does not depend on it:
//
//     for i { largest = max largest (get x i) }        for i { (nearest, at) = if less { d, i } else { nearest, at } }
//
// The cotangent passes unchanged to the iteration that replaced the value last, and no further. So the values of the other
// iterations are not needed: the forward loop records which iteration was the last one and its values, and the reverse
// sweep is the reverse of that iteration.
//
// Where two numbers are equal, `max` splits the cotangent. So the reverse sweep begins at the last tie after the last
// replacement. The value has not changed since then: it is the final one.
//
// Most often the reverse of an extreme only tests whether the values before and beside it are equal to the one after it. In the
// iteration that replaced the value last, the outcome is known: the value before is not, and the one beside it is. So no value is
// recorded, and the one beside it is computed again for ties only.

/// How a loop selects.
pub(super) enum Selection {
    /// By an `if`: its condition, and the number of the branch that replaces the value.
    Branch { condition: Var, chooses: usize },
    /// By `max` or `min`: the carried value, the other one, the result, and how those that are equal to it compare with it.
    Extreme { before: Var, other: Var, after: Var, reaches: &'static Row },
}

/// How a number that is equal to the larger or the smaller of it and another one compares with that. No other number does, and
/// one flag of a processor tells; whether two are equal takes two flags, since NaN is equal to nothing.
fn reaches(row: &Row) -> Option<&'static Row> {
    match row.algebra {
        Algebra::Larger => Some(&rows::ge),
        Algebra::Smaller => Some(&rows::le),
        _ => None,
    }
}

/// The extreme of one iteration, of which the reverse sweep only tests which values are equal to it.
struct Tested {
    before: Var,
    other: Var,
    after: Var,
}

impl Tested {
    /// The reverse of the iteration has `before` for the carried value.
    fn of(block: &Block, before: Var) -> Option<Tested> {
        let is_extreme = |eqn: &&Eqn| matches!(&eqn.op, Op::Map(row) if reaches(row).is_some());
        let extreme = block.eqns.iter().filter(is_extreme).find(|eqn| eqn.args.contains(&before))?;
        let other = *extreme.args.iter().find(|arg| **arg != before)?;
        let tested = Tested { before, other, after: extreme.outs[0] };
        let tests = |of: Var| block.eqns.iter().filter(|eqn| tested.is_test(eqn, of)).count();
        let is_only_tested = block.count_uses(before) == 1 + tests(before)
            && block.count_uses(tested.after) == tests(before) + tests(other);
        is_only_tested.then_some(tested)
    }

    /// Whether an equation tests if a value is equal to the extreme.
    fn is_test(&self, eqn: &Eqn, of: Var) -> bool {
        matches!(&eqn.op, Op::Map(row) if std::ptr::eq(*row, &rows::eq))
            && (eqn.args == [of, self.after] || eqn.args == [self.after, of])
    }
}

/// Takes what only one variable is computed of out of the equations of a block, from a place upwards.
fn take_out(block: &mut Block, var: Var, below: usize) -> Vec<Eqn> {
    let mut uses: HashMap<Var, usize> = HashMap::default();
    block.for_each_use(&mut |used| *uses.entry(used).or_default() += 1);
    let (mut wanted, mut taken) = (vec![var], Vec::new());
    for at in (0..below).rev() {
        let eqn = &block.eqns[at];
        let is_unused = |out: &Var| uses.get(out).is_none_or(|count| *count == 0);
        if eqn.outs.iter().any(|out| wanted.contains(out)) && eqn.outs.iter().all(is_unused) && !effect::has_effect(eqn)
        {
            let eqn = block.eqns.remove(at);
            eqn.for_each_use(&mut |used| {
                uses.entry(used).and_modify(|count| *count -= 1);
                wanted.push(used);
            });
            taken.push(eqn);
        }
    }
    taken.reverse();
    taken
}

impl Sweep {
    /// Whether a loop selects all carried values that are differentiated, which are those numbered `active`.
    pub(super) fn selection(&mut self, eqn: &Eqn, active: &[usize]) -> Option<Selection> {
        let (_, _, reverse, step) = eqn.as_for()?;
        let carried: Vec<Var> = active.iter().map(|k| eqn.carried()[*k]).collect();
        let results: Vec<Var> = active.iter().map(|k| step.results[*k]).collect();
        let first = *results.first()?;
        // Only numbers are recorded.
        if eqn.carried().iter().any(|var| !self.b.ty(*var).is_scalar()) {
            return None;
        }
        let chooser = step.eqns.iter().find(|eqn| eqn.outs.contains(&first))?;
        let selection = match &chooser.op {
            Op::If => {
                let places: Option<Vec<usize>> =
                    results.iter().map(|result| chooser.outs.iter().position(|out| out == result)).collect();
                let places = places?;
                let keeps = |region: &Block| places.iter().zip(&carried).all(|(at, var)| region.results[*at] == *var);
                let chooses = 1 - chooser.regions.iter().position(keeps)?;
                Selection::Branch { condition: chooser.args[0], chooses }
            }
            // The iterations that tie are those after the last choice, and know no other value of theirs.
            Op::Map(row) if carried.len() == 1 && !reverse => {
                let reaches = reaches(row)?;
                let before = carried[0];
                let other = *chooser.args.iter().find(|arg| **arg != before)?;
                let mut slice = step.clone();
                slice.results = vec![first];
                self.simplifier.remove_dead(&mut slice);
                if eqn.carried().iter().any(|var| *var != before && slice.uses(*var)) {
                    return None;
                }
                Selection::Extreme { before, other, after: first, reaches }
            }
            _ => return None,
        };
        let own = |eqn: &Eqn| eqn.outs.contains(&first);
        carried.iter().all(|var| !self.leaks(step, *var, &own)).then_some(selection)
    }

    /// Whether a derivative flows from a variable into anything but the choice: the branch that keeps
    /// the variable, or the extreme.
    fn leaks(&self, block: &Block, var: Var, chooser: &dyn Fn(&Eqn) -> bool) -> bool {
        block.eqns.iter().any(|eqn| {
            let own = chooser(eqn);
            let result = |region: &Block| {
                let mut outs = region.results.iter().zip(&eqn.outs);
                outs.any(|(result, out)| *result == var && self.active.contains(out))
            };
            let direct = match own {
                true => match &eqn.op {
                    Op::If => eqn.regions.iter().filter(|region| result(region)).count() != 1,
                    _ => eqn.args.iter().filter(|arg| **arg == var).count() != 1,
                },
                false => {
                    let differentiable = eqn.outs.iter().any(|out| self.active.contains(out));
                    eqn.args.contains(&var) && differentiable || eqn.regions.iter().any(result)
                }
            };
            direct || eqn.regions.iter().any(|region| self.leaks(region, var, &|_| false))
        })
    }

    /// Makes the forward loop record which iteration replaced the value last, and the values to be `saved` there, and makes
    /// the reverse loop read them. Returns the range of iterations to be reversed.
    pub(super) fn save_selection(
        &mut self,
        eqn: &Eqn,
        selection: &Selection,
        saved: &[(Var, Var)],
        index: Var,
        block: &mut Block,
        lo: &Dim,
    ) -> (Dim, Dim) {
        let place = self.forward_eqn(eqn);
        let this = eqn.step().params[0];
        let tested = match selection {
            Selection::Extreme { before, .. } => {
                let copy = saved.iter().find(|(var, _)| var == before);
                copy.and_then(|(_, copy)| Tested::of(block, *copy))
            }
            Selection::Branch { .. } => None,
        };
        let is_recorded = |copy: Var| tested.as_ref().is_none_or(|tested| tested.before != copy);
        let saved: Vec<(Var, Var)> = saved.iter().copied().filter(|(_, copy)| is_recorded(*copy)).collect();

        // What is noted starts as nothing: no iteration, and any numbers. If an extreme is never replaced, the first iteration may
        // tie with what the loop began with.
        self.b.open_block();
        let start = self.b.dim(lo.clone());
        let mut inits = vec![start, start];
        let first = |var: Var| match selection {
            Selection::Extreme { before, .. } if var == *before => {
                eqn.carried().iter().position(|carried| *carried == var).map(|k| eqn.args[k])
            }
            _ => None,
        };
        inits.extend(saved.iter().map(|(var, _)| first(*var).unwrap_or_else(|| self.b.zero_like(*var))));
        let before = std::mem::take(self.b.current());
        let noted: Vec<Var> = inits
            .iter()
            .zip([None, None].into_iter().chain(saved.iter().map(|(var, _)| Some(*var))))
            .map(|(init, var)| self.b.var_like(var.unwrap_or(*init), self.b.ty(*init).clone(), "_chosen"))
            .collect();
        self.b.name(noted[0], "chosen");
        self.b.name(noted[1], "chosen_end");
        let one = self.b.dim(Dim::literal(1));
        let end = self.b.int(IntOp::Add, this, one);
        let now: Vec<Var> = [this, end].into_iter().chain(saved.iter().map(|(var, _)| *var)).collect();
        let next = match selection {
            Selection::Branch { condition, chooses } => self.either(*condition, *chooses, &now, &noted),
            Selection::Extreme { before, other, after, reaches } => {
                let same = self.b.map(reaches, &[*before, *after]);
                let ties = self.b.map(reaches, &[*other, *after]);
                let tied = self.either(ties, 0, &[end], &[noted[1]]);
                let stays: Vec<Var> = [&noted[..1], &tied, &noted[2..]].concat();
                self.either(same, 1, &now, &stays)
            }
        };
        let inside = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        let outs = self.carry_all(place, &inits, &noted, &next, inside, before);

        for ((var, copy), out) in saved.iter().zip(&outs[2..]) {
            match selection {
                Selection::Branch { .. } => block.rename_uses(&|used| if used == *copy { *out } else { used }),
                // Before the last choice it was what is noted, since then it is what it is in the end.
                Selection::Extreme { .. } => {
                    let end = eqn.carried().iter().position(|carried| carried == var).map_or(*out, |at| eqn.outs[at]);
                    self.b.open_block();
                    let last = self.b.map(&rows::eq, &[index, outs[0]]);
                    let value = self.b.map(&rows::select, &[last, *out, end]);
                    let mut eqns = std::mem::take(self.b.current());
                    self.b.close_block(Vec::new(), Vec::new());
                    block.rename_uses(&|used| if used == *copy { value } else { used });
                    eqns.append(&mut block.eqns);
                    block.eqns = eqns;
                }
            }
        }
        if let (Some(tested), Selection::Extreme { before, .. }) = (tested, selection)
            && let Some(at) = eqn.carried().iter().position(|carried| carried == before)
        {
            let replaced = self.b.map(&rows::ne, &[eqn.outs[at], eqn.args[at]]);
            self.answer(block, &tested, index, outs[0], (replaced, eqn.outs[at]));
        }
        (Dim::of(outs[0]), Dim::of(outs[1]))
    }

    /// Has the tests of an iteration answered by what is known: which iteration replaced the value last, whether one has, and
    /// the final value.
    fn answer(&mut self, block: &mut Block, tested: &Tested, index: Var, chosen: Var, (replaced, value): (Var, Var)) {
        let place = block.eqns.iter().position(|eqn| eqn.outs.contains(&tested.after));
        let mut place = place.expect("the extreme is in the block");
        block.eqns.remove(place);
        let mut answered: [Vec<Var>; 2] = Default::default();
        for (vars, of) in answered.iter_mut().zip([tested.before, tested.other]) {
            vars.extend(block.eqns.extract_if(.., |eqn| tested.is_test(eqn, of)).map(|eqn| eqn.outs[0]));
        }
        let count = block.eqns.len();
        let alone = take_out(block, tested.other, place);
        place -= count - block.eqns.len();

        self.b.open_block();
        let (last, no) = (self.b.map(&rows::eq, &[index, chosen]), self.truth(Reach::Never));
        let replaces = self.b.map(&rows::select, &[last, replaced, no]);
        let before = self.b.map(&rows::not, &[replaces]);
        let mut test = |eqns: Vec<Eqn>, other: Var| {
            self.b.open_block();
            self.b.current().extend(eqns);
            let equal = self.b.map(&rows::eq, &[other, value]);
            self.b.close_block(Vec::new(), vec![equal])
        };
        // NaN is equal to nothing.
        let regions = vec![test(Vec::new(), value), test(alone, tested.other)];
        let other = self.b.push_multi(Op::If, vec![replaces], regions, vec![Ty::scalar(Elem::Bool)])[0];
        let eqns = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        block.eqns.splice(place..place, eqns);
        block.rename_uses(&|used| match &answered {
            [vars, _] if vars.contains(&used) => before,
            [_, vars] if vars.contains(&used) => other,
            _ => used,
        });
    }

    /// `taken` in the branch of that number, `others` in the other one.
    fn either(&mut self, condition: Var, branch: usize, taken: &[Var], others: &[Var]) -> Vec<Var> {
        let block = |results: &[Var]| Block { params: Vec::new(), eqns: Vec::new(), results: results.to_vec() };
        let mut regions = vec![block(taken), block(others)];
        if branch == 1 {
            regions.reverse();
        }
        let tys: Vec<Ty> = taken.iter().map(|var| self.b.ty(*var).clone()).collect();
        self.b.push_multi(Op::If, vec![condition], regions, tys)
    }

    /// Gives a `for` loop more carried values, whose next ones are computed at the end of the iteration.
    fn carry_all(
        &mut self,
        place: usize,
        inits: &[Var],
        params: &[Var],
        next: &[Var],
        inside: Vec<Eqn>,
        before: Vec<Eqn>,
    ) -> Vec<Var> {
        let outs: Vec<Var> =
            params.iter().map(|param| self.b.var_like(*param, self.b.ty(*param).clone(), "")).collect();
        let forward = &mut self.b.current()[place];
        forward.args.extend(inits);
        forward.outs.extend(&outs);
        let step = &mut forward.regions[0];
        step.params.extend(params);
        step.eqns.extend(inside);
        step.results.extend(next);
        self.b.current().splice(place..place, before);
        outs
    }
}
