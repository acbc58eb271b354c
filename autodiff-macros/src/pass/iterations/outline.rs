//! The rows of an iteration, and the effects that hand these on: see Note [Rows by iterations].

use super::entries::Entry;
use super::gather::{Gather, Read};
use super::local::Local;
use super::{Walk, Write, entries};
use crate::ir::dim::Dim;
use crate::ir::var::HashSet;
use crate::ir::{Body, Eqn, Op, Ty, Var, effect};
use crate::pass::adjoint::{self, CallStrategy, Output, Seed};
use crate::pass::rows::{self, Limits};

/// How many rows an iteration has.
const MOST_ROWS: usize = 16;

/// How many equations the reverse sweeps for all of them have together.
const MOST_EQUATIONS: usize = 6000;

impl Walk<'_> {
    /// Adds the rows of an iteration to the block that is open, which has its other equations, and then sets the numbers. Some rows
    /// of it have been handed on already, if that `is_continued`.
    pub(super) fn iteration(
        &mut self,
        own: &[Eqn],
        writes: Vec<Write>,
        ends: &[Var],
        is_continued: bool,
    ) -> Option<()> {
        let is_active = |write: &&Write| self.active.contains(&write.value());
        let values: Vec<Var> = writes.iter().filter(is_active).map(Write::value).collect();
        let slice = self.slice(own, &values)?;
        if is_continued && slice.iter().any(calls) {
            return None;
        }
        self.take_calls(own, &slice, &writes, ends)?;
        let mut gather = Gather::new(self);
        let slice = gather.reads(slice);
        let (slice, locals) = gather.locals(slice);
        let (sub, reads) = gather.outlined(&slice, &values, &locals)?;
        let inputs: Vec<Var> =
            reads.iter().map(|read| read.var).chain(locals.iter().flat_map(Local::numbers)).collect();
        let (computed, bars) = self.rows_of(sub, &inputs)?;
        let (mut computed, mut bars) = (computed.into_iter(), bars.chunks(inputs.len().max(1)));
        for mut write in writes {
            let is_active = self.active.contains(&write.value());
            let count = self.count(write.value())?.as_literal()?;
            let first = self.place_of(&write)?;
            for number in 0..count {
                let entries = if is_active { self.entries(&reads, &locals, bars.next()?)? } else { Vec::new() };
                let row = first.plus(&Dim::literal(number));
                let effect = entries::effect(&mut self.rows, &mut self.b, row, entries);
                self.b.effect(effect.0, effect.1);
            }
            if is_active {
                write.eqn.args[1] = computed.next()?;
            }
            self.b.push_eqn(write.eqn);
        }
        Some(())
    }

    /// The equations of an iteration that its values depend on, as far as these depend on parameters.
    fn slice(&self, own: &[Eqn], values: &[Var]) -> Option<Vec<Eqn>> {
        let mut needed: HashSet<Var> = values.iter().copied().collect();
        let mut slice = Vec::new();
        for eqn in own.iter().rev() {
            if !eqn.outs.iter().any(|out| needed.contains(out)) {
                continue;
            }
            let mut eqn = eqn.clone();
            // The iteration itself has them.
            eqn.regions.iter_mut().for_each(|region| effect::remove(&mut region.eqns, |_| true));
            let again = effect::is_effect(&eqn.op) && !eqn.op.is_black_box()
                || eqn.regions.iter().any(|region| effect::evaluates(&region.eqns));
            if again {
                return None;
            }
            eqn.for_each_use(&mut |var| {
                if self.active.contains(&var) {
                    needed.insert(var);
                }
            });
            slice.push(eqn);
        }
        slice.reverse();
        Some(slice)
    }

    /// Takes the calls that are going to be in the rows, and what is made of them, out of the iteration: a callee with effects
    /// runs once.
    fn take_calls(&mut self, own: &[Eqn], slice: &[Eqn], writes: &[Write], ends: &[Var]) -> Option<()> {
        let mut taken: HashSet<Var> = HashSet::default();
        for eqn in slice {
            let mut depends = calls(eqn);
            eqn.for_each_use(&mut |var| depends |= taken.contains(&var));
            if depends {
                taken.extend(&eqn.outs);
            }
        }
        if taken.is_empty() {
            return Some(());
        }
        let is_taken = |eqn: &Eqn| eqn.outs.iter().any(|out| taken.contains(out));
        let mut is_needed = ends.iter().chain(writes.iter().flat_map(Write::at)).any(|var| taken.contains(var));
        for eqn in own.iter().filter(|eqn| !is_taken(eqn)) {
            eqn.for_each_use(&mut |var| is_needed |= taken.contains(&var));
        }
        self.b.current().retain(|eqn| !is_taken(eqn));
        (!is_needed).then_some(())
    }

    /// The values of an iteration, and for each number of them the cotangent of each input.
    fn rows_of(&mut self, sub: Body, inputs: &[Var]) -> Option<(Vec<Var>, Vec<Var>)> {
        let count = sub.block.results.len();
        if count == 0 {
            return Some((Vec::new(), Vec::new()));
        }
        let (seed, output, calls) = (Seed::Parameter, Output::Fresh, CallStrategy::Residuals);
        let joint = adjoint::transform_changing(&sub, inputs, &[], seed, output, calls).ok()?;
        let numbers = sub.block.results.iter().map(|value| self.count(*value)?.as_literal());
        let numbers = usize::try_from(numbers.sum::<Option<i64>>()?).ok()?;
        let limits = Limits { rows: 1..=MOST_ROWS, equations: MOST_EQUATIONS / numbers.max(1) };
        let (rows, _) = rows::run(&joint, &sub, &limits)?;
        self.b.vars = rows.vars;
        for eqn in rows.block.eqns {
            self.b.push_eqn(eqn);
        }
        let mut values = rows.block.results;
        let bars = values.split_off(count);
        Some((values, bars))
    }

    /// Where the first number of what is set is in the result.
    fn place_of(&self, write: &Write) -> Option<Dim> {
        let array = &self.b.ty(write.eqn.args[0]).dims;
        let at = if matches!(write.eqn.op, Op::Push) { &write.at()[..1] } else { write.at() };
        if array[1..].iter().any(Dim::is_dynamic) {
            return None;
        }
        let at: Vec<Dim> = at.iter().map(|index| self.integers.expanded(*index)).collect();
        Some(self.results[write.result].of_part(array, &at))
    }

    /// What a row has at which columns.
    fn entries(&mut self, reads: &[Read], locals: &[Local], bars: &[Var]) -> Option<Vec<Entry>> {
        let (bars, mut others) = bars.split_at(reads.len());
        let mut entries = Vec::new();
        for (read, bar) in reads.iter().zip(bars) {
            let ty = self.b.ty(read.var).clone();
            for (place, number) in (0..self.count(read.var)?.as_literal()?).enumerate() {
                let at = rows::indices(&ty, place).into_iter().map(|index| self.b.dim(Dim::literal(index)));
                let at: Vec<Var> = at.collect();
                entries.push(Entry {
                    root: self.inputs[read.input].root,
                    place: read.place.plus(&Dim::literal(number)),
                    number,
                    guarded: read.guarded,
                    value: self.b.get(*bar, &at),
                });
            }
        }
        for local in locals {
            let (own, rest) = others.split_at(local.numbers().count());
            others = rest;
            for part in &local.parts {
                for column in 0..part.columns {
                    entries.push(Entry {
                        root: self.inputs[part.input].root,
                        place: part.place.plus(&Dim::literal(column)),
                        number: column,
                        guarded: None,
                        value: self.product(own, part.matrix, column),
                    });
                }
            }
        }
        Some(entries)
    }

    /// The cotangents of numbers times a column of their Jacobian.
    fn product(&mut self, bars: &[Var], matrix: Var, column: i64) -> Var {
        let b = &mut self.b;
        let column = b.dim(Dim::literal(column));
        let terms = bars.iter().zip(0..).filter(|(bar, _)| !b.is_zero(**bar)).collect::<Vec<_>>();
        let mut sum = None;
        for (bar, row) in terms {
            let row = b.dim(Dim::literal(row));
            let slope = b.get(matrix, &[row, column]);
            let term = b.mul(*bar, slope);
            sum = Some(sum.map_or(term, |sum| b.add(sum, term)));
        }
        let elem = b.ty(matrix).elem.clone();
        sum.unwrap_or_else(|| b.zero(Ty::scalar(elem)))
    }
}

fn calls(eqn: &Eqn) -> bool {
    eqn.op.is_black_box() || eqn.regions.iter().any(|region| region.eqns.iter().any(calls))
}
