//! Cotangents that control flow leaves at zero.
//!
//! Note [Values that are dropped]. A value may be computed before a branch that does not use it:
//!
//! ```text
//! r = sqrt x
//! y = if c { r } else { 0 }
//! ```
//!
//! Where `c` does not hold, `r̄` is zero because nothing uses `r`, and so its part of `x̄` is zero as well, even where the
//! partial derivative is infinite and their product would be NaN. A cotangent that is zero by chance is another matter: its
//! product is what it is, and the second derivative reads both factors. So the sweep does not compare cotangents with
//! zero. It knows for each of them the condition under which something was added to it, its *reach*, and selects:
//!
//! ```text
//! p = div 0.5 r
//! x̄ = select c (mul p r̄) 0
//! ```
//!
//! A branch gives the cotangents of what it captures the reach `c`, or `not c`; sums have the disjunction. A reverse loop
//! carries a truth value beside a cotangent if its reach changes from iteration to iteration. A product with a selection
//! moves inside of it (`Builder::fold`), so that a chain of products ends in one selection. Calls and kernels stand under
//! an `if`. Where every branch uses a value, or no partial derivative between it and the inputs can be infinite (it is not
//! `sensitive`), nothing is emitted.
//!
//! The selection has a tangent like any other, and so the second derivative needs no rule of its own.

use super::Sweep;
use crate::ir::var::HashSet;
use crate::ir::{Block, Body, Elem, Eqn, Op, Ty, Var};
use crate::op::elementwise as rows;
use crate::op::{Algebra, Class};
use crate::pass::tangent::Unsupported;

/// When something has been added to a cotangent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    Never,
    /// Where the truth value is this.
    When(Var, bool),
    Always,
}

/// How the reach of a cotangent leaves a loop or a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// As a truth value, which is one of its results.
    Flag,
    /// It is known.
    Known(Reach),
    /// What it was before, or this.
    Also(Reach),
}

impl Exit {
    pub fn reach<'v>(self, flags: &mut impl Iterator<Item = &'v Var>) -> Reach {
        match self {
            Exit::Flag => flags.next().map_or(Reach::Always, |flag| Reach::When(*flag, true)),
            Exit::Known(reach) | Exit::Also(reach) => reach,
        }
    }
}

/// What a reverse loop says of the cotangents that it carries, and of those that it adds to.
pub(super) struct Exits {
    pub carried: Vec<Exit>,
    pub captured: Vec<Exit>,
}

/// The variables between which and the inputs there is a product with what may be infinite.
pub(super) fn sensitive(body: &Body, active: &HashSet<Var>) -> HashSet<Var> {
    let mut known = Known { body, active, constants: HashSet::default(), sensitive: HashSet::default() };
    known.block(&body.block);
    known.sensitive
}

struct Known<'b> {
    body: &'b Body,
    active: &'b HashSet<Var>,
    constants: HashSet<Var>,
    sensitive: HashSet<Var>,
}

impl Known<'_> {
    fn block(&mut self, block: &Block) {
        for eqn in &block.eqns {
            if let Op::Const(_) = eqn.op {
                self.constants.extend(&eqn.outs);
            }
            match &eqn.op {
                Op::For { .. } | Op::While { .. } => {
                    self.mark(&eqn.args, eqn.carried());
                    loop {
                        let before = self.sensitive.len();
                        self.block(eqn.step());
                        self.mark(&eqn.step().results, eqn.carried());
                        if self.sensitive.len() == before {
                            break;
                        }
                    }
                    self.mark(eqn.carried(), &eqn.outs);
                }
                Op::If => {
                    for region in &eqn.regions {
                        self.block(region);
                        self.mark(&region.results, &eqn.outs);
                    }
                }
                op => {
                    let own = match op {
                        Op::Map(row) => match row.algebra {
                            Algebra::Sum | Algebra::Difference | Algebra::Negation | Algebra::Choice => false,
                            Algebra::Product => !eqn.args.iter().any(|arg| self.constants.contains(arg)),
                            Algebra::Quotient => !self.constants.contains(&eqn.args[1]),
                            _ => true,
                        },
                        Op::Tensor(op) => op.class() != Class::View,
                        op => op.is_black_box(),
                    };
                    let outs: Vec<Var> = eqn.outs.iter().filter(|out| self.active.contains(out)).copied().collect();
                    if own || eqn.args.iter().any(|arg| self.sensitive.contains(arg)) {
                        self.sensitive.extend(outs);
                    }
                }
            }
        }
    }

    fn mark(&mut self, from: &[Var], to: &[Var]) {
        for (from, to) in from.iter().zip(to) {
            if self.sensitive.contains(from) && self.active.contains(to) && self.body.ty(*to).is_float() {
                self.sensitive.insert(*to);
            }
        }
    }
}

impl Sweep {
    pub(super) fn reach_of(&self, x: Var) -> Reach {
        match self.bars.contains_key(&x) {
            true => self.reach.get(&x).copied().unwrap_or(Reach::Always),
            false => Reach::Never,
        }
    }

    pub(super) fn set_reach(&mut self, x: Var, reach: Reach) {
        match reach {
            Reach::Always => self.reach.remove(&x),
            reach => self.reach.insert(x, reach),
        };
    }

    /// The cotangent of a variable, to which what is being reversed has been added. Before that its reach was another.
    pub(super) fn add_to(&mut self, x: Var, bar: Var, before: Reach) {
        let reach = match self.sensitive.contains(&x) {
            true => {
                let under = self.fitting(self.under, x);
                self.any(before, under)
            }
            false => Reach::Always,
        };
        self.set_bar(x, bar, reach);
    }

    /// A condition for each element is one for these elements only.
    fn fitting(&self, reach: Reach, x: Var) -> Reach {
        match reach {
            Reach::When(c, _) if !self.b.ty(c).is_scalar() && self.b.ty(c).dims != self.b.ty(x).dims => Reach::Always,
            reach => reach,
        }
    }

    /// A reach as one condition for all elements; too many of them, if there are several.
    pub(super) fn whole(&self, reach: Reach) -> Reach {
        match reach {
            Reach::When(c, _) if !self.b.ty(c).is_scalar() => Reach::Always,
            reach => reach,
        }
    }

    pub(super) fn any(&mut self, a: Reach, b: Reach) -> Reach {
        match (a, b) {
            (Reach::Always, _) | (_, Reach::Always) => Reach::Always,
            (Reach::Never, reach) | (reach, Reach::Never) => reach,
            (Reach::When(c, holds), Reach::When(d, also)) if c == d => match holds == also {
                true => a,
                false => Reach::Always,
            },
            (Reach::When(..), Reach::When(..)) => {
                let (c, d, yes) = (self.truth(a), self.truth(b), self.truth(Reach::Always));
                Reach::When(self.b.map(&rows::select, &[c, yes, d]), true)
            }
        }
    }

    pub(super) fn both(&mut self, a: Reach, b: Reach) -> Reach {
        match (a, b) {
            (Reach::Never, _) | (_, Reach::Never) => Reach::Never,
            (Reach::Always, reach) | (reach, Reach::Always) => reach,
            (Reach::When(c, holds), Reach::When(d, also)) if c == d => match holds == also {
                true => a,
                false => Reach::Never,
            },
            (Reach::When(..), Reach::When(..)) => {
                let (c, d, no) = (self.truth(a), self.truth(b), self.truth(Reach::Never));
                Reach::When(self.b.map(&rows::select, &[c, d, no]), true)
            }
        }
    }

    /// A reach as a truth value.
    pub(super) fn truth(&mut self, reach: Reach) -> Var {
        match reach {
            Reach::Always => self.b.constant(&Elem::Bool, 1.0),
            Reach::Never => self.b.constant(&Elem::Bool, 0.0),
            Reach::When(c, true) => c,
            Reach::When(c, false) => self.b.map(&rows::not, &[c]),
        }
    }

    /// A product with the cotangent that is being handed on.
    pub(super) fn guard(&mut self, term: Var) -> Var {
        let Reach::When(c, holds) = self.under else { return term };
        if self.b.is_zero(term) || self.b.is_selected(term, c, holds) {
            return term;
        }
        let zero = Ty::scalar(self.b.ty(term).elem.clone());
        let zero = self.b.zero(zero);
        let arms = if holds { [c, term, zero] } else { [c, zero, term] };
        self.b.map(&rows::select, &arms)
    }

    /// Reverses an equation where its results have been reached, and leaves the cotangents of its arguments as they are
    /// elsewhere.
    pub(super) fn where_reached(
        &mut self,
        eqn: &Eqn,
        reverse: impl FnOnce(&mut Sweep) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        let Reach::When(c, holds) = self.under else { return reverse(self) };
        let mut targets: Vec<Var> = Vec::new();
        for arg in &eqn.args {
            if self.active.contains(arg) && !targets.contains(arg) {
                targets.push(*arg);
            }
        }
        let reaches: Vec<Reach> = targets.iter().map(|target| self.reach_of(*target)).collect();
        let before: Vec<Var> = targets.iter().map(|target| self.bar_or_zero(*target)).collect();
        self.bars.extend(targets.iter().copied().zip(before.iter().copied()));
        let under = std::mem::replace(&mut self.under, Reach::Always);
        self.b.open_block();
        reverse(self)?;
        let after = targets.iter().map(|target| self.bar_or_zero(*target)).collect();
        let mut regions = vec![
            self.b.close_block(Vec::new(), after),
            Block { params: Vec::new(), eqns: Vec::new(), results: before.clone() },
        ];
        if !holds {
            regions.reverse();
        }
        self.under = under;
        let tys = before.iter().map(|bar| self.b.ty(*bar).clone()).collect();
        let outs = self.b.push_multi(Op::If, vec![c], regions, tys);
        for ((target, reach), out) in targets.iter().zip(reaches).zip(outs) {
            self.add_to(*target, out, reach);
        }
        Ok(())
    }

    /// The reach of what a loop carries, `active`, inside of its reverse; none where it takes a truth value that is carried,
    /// too. `after` is that of its results.
    pub(super) fn reach_inside(
        &self,
        eqn: &Eqn,
        active: &[usize],
        after: &[Reach],
        chosen: bool,
    ) -> Vec<Option<Reach>> {
        let (step, carried) = (eqn.step(), eqn.carried());
        let mut sure = active.to_vec();
        loop {
            let before = sure.len();
            let results: Vec<Var> = sure.iter().map(|k| step.results[*k]).collect();
            let reached = self.surely(step, &results);
            sure.retain(|k| reached.contains(&carried[*k]));
            if sure.len() == before {
                break;
            }
        }
        // One condition outside of the loop is that of all of its cotangents.
        let alone = |reach: &Reach| after.iter().all(|other| other == reach || *other == Reach::Never);
        let inside = |(k, after): (&usize, &Reach)| match after {
            _ if !self.sensitive.contains(&step.results[*k]) => Some(Reach::Always),
            Reach::Never if !step.uses(carried[*k]) => Some(Reach::Never),
            after if chosen => Some(*after),
            Reach::Always if sure.contains(k) => Some(Reach::Always),
            Reach::When(..) if sure.contains(k) && alone(after) => Some(*after),
            _ => None,
        };
        active.iter().zip(after).map(inside).collect()
    }

    /// The end of a reverse iteration: the truth values for the next one.
    pub(super) fn reach_after(
        &mut self,
        (active, after, inside, needed): (&[usize], &[Reach], &[Reach], &[Var]),
        (captured, beside): (&[Var], &[Reach]),
        bars: &mut Vec<Var>,
        results: &mut Vec<Var>,
    ) -> Exits {
        let mut exits = Exits { carried: Vec::new(), captured: Vec::new() };
        for (k, reach) in active.iter().zip(inside) {
            exits.carried.push(match reach {
                Reach::When(flag, _) if bars.contains(flag) => {
                    let next = self.whole(self.reach_of(needed[*k]));
                    results.push(self.truth(next));
                    Exit::Flag
                }
                reach => Exit::Known(*reach),
            });
        }
        for (var, before) in captured.iter().zip(beside) {
            let outside = |c: Var| after.iter().any(|reach| matches!(reach, Reach::When(d, _) if *d == c));
            exits.captured.push(match (*before, self.whole(self.reach_of(*var))) {
                (Reach::Always, _) | (_, Reach::Always) => Exit::Known(Reach::Always),
                (before, Reach::Never) => Exit::Known(before),
                (_, Reach::When(c, holds)) if outside(c) => Exit::Also(Reach::When(c, holds)),
                (_, now) => {
                    let flag = self.b.var(Ty::scalar(Elem::Bool), None);
                    let (now, yes) = (self.truth(now), self.truth(Reach::Always));
                    results.push(self.b.map(&rows::select, &[now, yes, flag]));
                    bars.push(flag);
                    Exit::Flag
                }
            });
        }
        exits
    }

    /// The reach that the two branches of an `if` give to what they capture. Where it takes more than the condition, they
    /// have truth values as further results.
    pub(super) fn reach_of_branches(
        &mut self,
        condition: Var,
        beside: &[Reach],
        inside: &[Vec<Reach>],
        regions: &mut [Block],
    ) -> Vec<Exit> {
        let mut exits = Vec::new();
        for (k, before) in beside.iter().enumerate() {
            exits.push(match (before, inside[0][k], inside[1][k]) {
                (Reach::Always, ..) | (_, Reach::Always, Reach::Always) => Exit::Known(Reach::Always),
                (_, Reach::Never, Reach::Never) => Exit::Known(Reach::Never),
                (_, Reach::Always, Reach::Never) => Exit::Known(Reach::When(condition, true)),
                (_, Reach::Never, Reach::Always) => Exit::Known(Reach::When(condition, false)),
                _ => {
                    for (side, block) in regions.iter_mut().enumerate() {
                        self.b.open_block();
                        let reached = self.truth(inside[side][k]);
                        block.eqns.append(self.b.current());
                        self.b.close_block(Vec::new(), Vec::new());
                        block.results.push(reached);
                    }
                    Exit::Flag
                }
            });
        }
        exits
    }

    /// The variables whose cotangents are added to whatever a block's branches do, if those of `results` are.
    pub(super) fn surely(&self, block: &Block, results: &[Var]) -> HashSet<Var> {
        let mut reached: HashSet<Var> = results.iter().copied().collect();
        for eqn in block.eqns.iter().rev() {
            let outs: Vec<usize> = (0..eqn.outs.len()).filter(|k| reached.contains(&eqn.outs[*k])).collect();
            if outs.is_empty() {
                continue;
            }
            match &eqn.op {
                Op::If => {
                    let sides: Vec<HashSet<Var>> = eqn
                        .regions
                        .iter()
                        .map(|region| {
                            let results: Vec<Var> = outs.iter().map(|k| region.results[*k]).collect();
                            self.surely(region, &results)
                        })
                        .collect();
                    reached.extend(sides[0].intersection(&sides[1]));
                }
                Op::For { .. } | Op::While { .. } => {
                    let results: Vec<Var> = outs.iter().map(|k| eqn.step().results[*k]).collect();
                    let inside = self.surely(eqn.step(), &results);
                    let goes_on = |k: &&usize| inside.contains(&eqn.carried()[**k]);
                    reached.extend(outs.iter().filter(goes_on).map(|k| eqn.args[*k]));
                    reached.extend(inside);
                }
                _ => reached.extend(eqn.args.iter().filter(|arg| self.active.contains(arg))),
            }
        }
        reached
    }
}
