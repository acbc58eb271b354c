//! Loops that choose: see Note [Values that are chosen].

use super::Sweep;
use crate::ir::dim::Dim;
use crate::ir::{Block, Eqn, IntOp, Op, Ty, Var};
use crate::op::{Algebra, elementwise as rows};

// Note [Values that are chosen]. A loop that looks for the largest of many numbers carries one of them. Each iteration
// leaves it as it is, or puts another in its place, which has nothing to do with it:
//
//     for i { largest = max largest (get x i) }        for i { (nearest, at) = if less { d, i } else { nearest, at } }
//
// The cotangent goes back unchanged to the iteration that chose last, and no further. So there is no need to know
// the values of every iteration: the loop notes which one chose last and what its values were, and the reverse sweep
// is of that one.
//
// Where two numbers are equal, `max` shares the cotangent out. So the reverse sweep begins at the last tie after
// the last choice; since then the value has not changed: it is that of the end.

/// How a loop chooses.
pub(super) enum Choice {
    /// By an `if`: its condition, and the number of the branch that chooses.
    Branch { condition: Var, chooses: usize },
    /// By `max` or `min`: the carried value, the other one, and the result.
    Extreme { before: Var, other: Var, after: Var },
}

impl Sweep {
    /// Whether all that a loop carries and is differentiated, the values numbered `active`, is chosen.
    pub(super) fn choice(&mut self, eqn: &Eqn, active: &[usize]) -> Option<Choice> {
        let (_, _, reverse, step) = eqn.as_for()?;
        let carried: Vec<Var> = active.iter().map(|k| eqn.carried()[*k]).collect();
        let results: Vec<Var> = active.iter().map(|k| step.results[*k]).collect();
        let first = *results.first()?;
        // What is noted of the last choice are numbers.
        if eqn.carried().iter().any(|var| !self.b.ty(*var).is_scalar()) {
            return None;
        }
        let chooser = step.eqns.iter().find(|eqn| eqn.outs.contains(&first))?;
        let choice = match &chooser.op {
            Op::If => {
                let places: Option<Vec<usize>> =
                    results.iter().map(|result| chooser.outs.iter().position(|out| out == result)).collect();
                let places = places?;
                let keeps = |region: &Block| places.iter().zip(&carried).all(|(at, var)| region.results[*at] == *var);
                let chooses = 1 - chooser.regions.iter().position(keeps)?;
                Choice::Branch { condition: chooser.args[0], chooses }
            }
            // The iterations that tie are those after the last choice, and know no other value of theirs.
            Op::Map(row) if row.algebra == Algebra::Extremum && carried.len() == 1 && !reverse => {
                let before = carried[0];
                let other = *chooser.args.iter().find(|arg| **arg != before)?;
                let mut slice = step.clone();
                slice.results = vec![first];
                self.simplifier.remove_dead(&mut slice);
                if eqn.carried().iter().any(|var| *var != before && slice.uses(*var)) {
                    return None;
                }
                Choice::Extreme { before, other, after: first }
            }
            _ => return None,
        };
        let own = |eqn: &Eqn| eqn.outs.contains(&first);
        carried.iter().all(|var| !self.leaks(step, *var, &own)).then_some(choice)
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

    /// Makes the forward loop note which iteration chose last and what was `kept` there, and lets the reverse one read
    /// that. Returns the iterations that the reverse sweep is of.
    pub(super) fn keep_choice(
        &mut self,
        eqn: &Eqn,
        choice: &Choice,
        kept: &[(Var, Var)],
        index: Var,
        block: &mut Block,
        lo: &Dim,
    ) -> (Dim, Dim) {
        let place = self.forward_eqn(eqn);
        let this = eqn.step().params[0];

        // What is noted starts as nothing: no iteration, and any numbers.
        self.b.open_block();
        let start = self.b.dim(lo.clone());
        let mut inits = vec![start, start];
        inits.extend(kept.iter().map(|(var, _)| self.b.zero_like(*var)));
        let before = std::mem::take(self.b.current());
        let noted: Vec<Var> = inits
            .iter()
            .zip([None, None].into_iter().chain(kept.iter().map(|(var, _)| Some(*var))))
            .map(|(init, var)| self.b.var_like(var.unwrap_or(*init), self.b.ty(*init).clone(), "_chosen"))
            .collect();
        self.b.name(noted[0], "chosen");
        self.b.name(noted[1], "chosen_end");
        let one = self.b.dim(Dim::literal(1));
        let end = self.b.int(IntOp::Add, this, one);
        let now: Vec<Var> = [this, end].into_iter().chain(kept.iter().map(|(var, _)| *var)).collect();
        let next = match choice {
            Choice::Branch { condition, chooses } => self.either(*condition, *chooses, &now, &noted),
            Choice::Extreme { before, other, after } => {
                let same = self.b.map(&rows::eq, &[*before, *after]);
                let ties = self.b.map(&rows::eq, &[*other, *after]);
                let tied = self.either(ties, 0, &[end], &[noted[1]]);
                let stays: Vec<Var> = [&noted[..1], &tied, &noted[2..]].concat();
                self.either(same, 1, &now, &stays)
            }
        };
        let inside = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        let outs = self.carry_all(place, &inits, &noted, &next, inside, before);

        for ((var, copy), out) in kept.iter().zip(&outs[2..]) {
            match choice {
                Choice::Branch { .. } => block.rename_uses(&|used| if used == *copy { *out } else { used }),
                // Before the last choice it was what is noted, since then it is what it is in the end.
                Choice::Extreme { .. } => {
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
        (Dim::of(outs[0]), Dim::of(outs[1]))
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
