//! What an iteration reads of the parameters: see Note [Rows by iterations].

use super::local::Local;
use super::{MOST_NUMBERS, Walk};
use crate::analysis::uses::{collect_defined, collect_inside};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Eqn, Evaluation, Op, Opaque, Ty, Var, effect};
use crate::pass::clone_eqns;
use proc_macro2::Span;
use quote::quote;
use std::ops::Range;
use std::rc::Rc;

/// How many numbers a part of an array has that is read at once: as many as `scalar_replacement` takes apart.
const MOST_OF_PART: i64 = 16;

/// How often loops read a part of an array at most.
const MOST_READS: usize = 256;

/// How many numbers a parameter has that an iteration reads as a whole.
const MOST_OF_WHOLE: i64 = 32;

/// What an iteration reads of a parameter.
pub struct Read {
    pub var: Var,
    pub input: usize,
    /// The place of its first number among all; of what a branch reads, it holds only there.
    pub place: Dim,
    /// The place as it is known at the end of the iteration, where only a branch reads it: nowhere, if it is not taken.
    pub guarded: Option<Var>,
}

/// How often what is inside a loop or a branch runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// At least once.
    Always,
    /// Nobody knows.
    Perhaps,
}

/// A branch, from the outermost one inwards.
#[derive(Clone)]
struct Branch {
    condition: Var,
    taken: usize,
    region: Block,
}

fn is_get(eqn: &Eqn) -> bool {
    matches!(eqn.op, Op::Get)
}

/// Where an element is at the end of an iteration.
struct Found {
    /// What is read there.
    at: Var,
    /// The indices within that.
    rest: Vec<Var>,
    /// An equation that one of them is computed by.
    computed: Option<Eqn>,
}

pub struct Gather<'g, 'w> {
    pub(super) walk: &'g mut Walk<'w>,
    /// What is read in the place of what.
    pub(super) names: HashMap<Var, Var>,
    pub(super) reads: Vec<Read>,
    /// What loops and branches define.
    inner: HashSet<Var>,
    /// The indices of loops of literal length, with their ranges.
    ranges: HashMap<Var, Range<i64>>,
}

impl<'g, 'w> Gather<'g, 'w> {
    pub(super) fn new(walk: &'g mut Walk<'w>) -> Self {
        let (names, inner, ranges) = Default::default();
        Gather { walk, names, reads: Vec::new(), inner, ranges }
    }

    /// The equations of an iteration, which read what has been read of parameters.
    pub(super) fn reads(&mut self, slice: Vec<Eqn>) -> Vec<Eqn> {
        // What is read in any case has a name before branches ask.
        for eqn in slice.iter().filter(|eqn| is_get(eqn)) {
            self.get(eqn, Level::Always, true);
        }
        self.eqns(slice, Level::Always, &mut Vec::new())
    }

    fn b(&mut self) -> &mut Builder {
        &mut self.walk.b
    }

    /// Equations that read elements as they are at the end of the iteration.
    fn eqns(&mut self, eqns: Vec<Eqn>, level: Level, branches: &mut Vec<Branch>) -> Vec<Eqn> {
        let mut all = Vec::new();
        for mut eqn in eqns {
            match eqn.op {
                Op::Get => {
                    match self.get(&eqn, level, branches.is_empty()) {
                        Some(Found { at, rest, .. }) if rest.is_empty() => drop(self.names.insert(eqn.outs[0], at)),
                        Some(Found { at, rest, computed }) => {
                            all.extend(computed);
                            eqn.args = [&[at], &rest[..]].concat();
                            all.push(eqn);
                        }
                        None if self.names.contains_key(&eqn.outs[0]) => {}
                        None => all.push(eqn),
                    }
                    continue;
                }
                Op::For { ref lo, ref hi, .. } => {
                    let range = lo.as_literal().zip(hi.as_literal()).filter(|(lo, hi)| lo < hi);
                    let level = if branches.is_empty() && range.is_some() { level } else { Level::Perhaps };
                    self.ranges.extend(range.map(|(lo, hi)| (eqn.regions[0].params[0], lo..hi)));
                    self.regions(&mut eqn, level);
                }
                Op::While { .. } => self.regions(&mut eqn, Level::Perhaps),
                Op::If if level == Level::Always && self.is_outside(eqn.args[0], branches) => {
                    self.branches(&mut eqn, branches);
                }
                Op::If => self.regions(&mut eqn, Level::Perhaps),
                _ => {}
            }
            all.push(eqn);
        }
        all
    }

    /// Whether a condition is one of the iteration itself, or of a branch of it.
    fn is_outside(&self, condition: Var, branches: &[Branch]) -> bool {
        !branches.is_empty() || !self.inner.contains(&condition)
    }

    fn regions(&mut self, eqn: &mut Eqn, level: Level) {
        collect_inside(eqn, &mut self.inner);
        for region in &mut eqn.regions {
            region.eqns = self.eqns(std::mem::take(&mut region.eqns), level, &mut Vec::new());
        }
    }

    /// An element, or a part of an input: what is read is the same at the end of the iteration.
    fn get(&mut self, eqn: &Eqn, level: Level, runs: bool) -> Option<Found> {
        let (array, at) = (eqn.args[0], &eqn.args[1..]);
        let input = self.input(array)?;
        let Some((taken, place)) = self.part(input, at) else {
            return (level == Level::Always && runs).then(|| self.window(input, at)).flatten();
        };
        let dims = self.walk.b.ty(array).dims[taken..].to_vec();
        if let Some(found) = self.within(input, &place, &dims) {
            return Some(found);
        }
        let var = match self.known(input, &place, &dims) {
            Some(var) => var,
            None if level == Level::Always && runs => {
                let var = self.b().get(array, &at[..taken]);
                self.reads.push(Read { var, input, place, guarded: None });
                var
            }
            None => return None,
        };
        Some(Found { at: var, rest: at[taken..].to_vec(), computed: None })
    }

    fn known(&self, input: usize, place: &Dim, dims: &[Dim]) -> Option<Var> {
        let is_same = |read: &&Read| read.input == input && read.place == *place && read.guarded.is_none();
        let mut same = self.reads.iter().filter(is_same).map(|read| read.var);
        same.find(|var| self.walk.b.ty(*var).dims == dims)
    }

    /// A number that has been read with its neighbours.
    fn within(&mut self, input: usize, place: &Dim, dims: &[Dim]) -> Option<Found> {
        let (at, offset) = self.reads.iter().find_map(|read| {
            let [count] = &self.walk.b.ty(read.var).dims[..] else { return None };
            let offset = place.minus(&read.place).as_literal()?;
            let is_part = read.input == input && read.guarded.is_none() && dims.is_empty();
            (is_part && (0..count.as_literal()?).contains(&offset)).then_some((read.var, offset))
        })?;
        let (rest, computed) = self.index(Dim::literal(offset));
        Some(Found { at, rest: vec![rest], computed: Some(computed) })
    }

    /// An equation that an index is computed by.
    fn index(&mut self, index: Dim) -> (Var, Eqn) {
        let out = self.b().var(Ty::index(), None);
        let eqn =
            Eqn { outs: vec![out], op: Op::Dim(index), args: Vec::new(), regions: Vec::new(), span: Span::call_site() };
        (out, eqn)
    }

    /// Neighbours that loops of literal length read, `x[3 * i + k]`: all of them, and which one it is.
    fn window(&mut self, input: usize, at: &[Var]) -> Option<Found> {
        let [index] = at else { return None };
        let array = self.walk.inputs[input].var;
        if self.walk.b.ty(array).rank() != 1 {
            return None;
        }
        let (mut first, mut inner) = (Dim::literal(0), Dim::literal(0));
        let mut offsets = vec![0];
        for (atoms, coefficient) in self.walk.integers.expanded(*index).terms() {
            let term = atoms.iter().fold(Dim::literal(coefficient), |term, atom| term.times(&Dim::atom(atom)));
            if !term.vars().any(|var| self.inner.contains(&var)) {
                first = first.plus(&term);
                continue;
            }
            let [atom] = atoms else { return None };
            let range = self.ranges.get(&Dim::atom(atom).as_var()?)?;
            offsets = offsets.iter().flat_map(|sum| range.clone().map(move |k| sum + coefficient * k)).collect();
            inner = inner.plus(&term);
            if offsets.len() > MOST_READS {
                return None;
            }
        }
        offsets.sort_unstable();
        offsets.dedup();
        // There is nothing between them that nobody reads.
        let (from, count) = (*offsets.first()?, i64::try_from(offsets.len()).ok()?);
        if count > MOST_OF_PART || *offsets.last()? != from + count - 1 {
            return None;
        }
        let place = self.place(input, &[first.plus(&Dim::literal(from))]);
        let at = self.known(input, &place, &[Dim::literal(count)]).unwrap_or_else(|| {
            let elements: Vec<Var> = offsets
                .iter()
                .map(|offset| {
                    let at = self.b().dim(first.plus(&Dim::literal(*offset)));
                    self.b().get(array, &[at])
                })
                .collect();
            let var = self.b().pack(&elements);
            self.reads.push(Read { var, input, place, guarded: None });
            var
        });
        let inner = inner.minus(&Dim::literal(from));
        if let Some(index) = inner.as_var() {
            return Some(Found { at, rest: vec![index], computed: None });
        }
        let (rest, computed) = self.index(inner);
        Some(Found { at, rest: vec![rest], computed: Some(computed) })
    }

    fn input(&self, array: Var) -> Option<usize> {
        self.walk.inputs.iter().position(|input| input.var == array)
    }

    /// How many of the indices of an element are those of a part of few numbers that is known outside of all loops, and the place
    /// of that.
    fn part(&self, input: usize, at: &[Var]) -> Option<(usize, Dim)> {
        let dims = &self.walk.b.ty(self.walk.inputs[input].var).dims;
        let is_small = |rest: &[Dim]| Dim::product(rest).as_literal().is_some_and(|count| count <= MOST_OF_PART);
        let taken = if is_small(&dims[1..]) { 1 } else { at.len() };
        let is_known = at[..taken].iter().all(|index| !self.inner.contains(index)) && is_small(&dims[taken..]);
        let indices: Vec<Dim> = at[..taken].iter().map(|index| self.walk.integers.expanded(*index)).collect();
        let place = self.place(input, &indices);
        is_known.then_some((taken, place))
    }

    /// The place of a part of an input among all numbers.
    fn place(&self, input: usize, at: &[Dim]) -> Dim {
        let Walk { b, inputs, starts, .. } = &*self.walk;
        let dims = &b.ty(inputs[input].var).dims;
        starts[input].plus(&inputs[input].place.of_part(dims, at))
    }

    // --- branches ---------------------------------------------------------------------------------------

    /// What branches read is read again under the same conditions, at the end of the iteration.
    fn branches(&mut self, eqn: &mut Eqn, around: &mut Vec<Branch>) {
        let condition = eqn.args[0];
        collect_inside(eqn, &mut self.inner);
        // What all branches read is read in any case.
        if let ([first, others @ ..], true) = (&eqn.regions[..], around.is_empty()) {
            let reads = |region: &Block, get: &Eqn| region.eqns.iter().any(|eqn| is_get(eqn) && eqn.args == get.args);
            let common = first.eqns.iter().filter(|eqn| is_get(eqn) && others.iter().all(|other| reads(other, eqn)));
            for eqn in common.cloned().collect::<Vec<_>>() {
                self.get(&eqn, Level::Always, true);
            }
        }
        for taken in 0..eqn.regions.len() {
            let region = eqn.regions[taken].clone();
            around.push(Branch { condition, taken, region: region.clone() });
            self.read_under(&region, around);
            eqn.regions[taken].eqns = self.eqns(region.eqns, Level::Always, around);
            around.pop();
        }
    }

    /// Reads what is read under some conditions and nowhere else.
    fn read_under(&mut self, region: &Block, branches: &[Branch]) {
        let mut gets: Vec<(Var, usize, Vec<Var>)> = Vec::new();
        for eqn in region.eqns.iter().filter(|eqn| is_get(eqn)) {
            let Some(input) = self.input(eqn.args[0]) else { continue };
            let at = eqn.args[1..].to_vec();
            let is_small = self.walk.count(eqn.outs[0]).and_then(|count| count.as_literal());
            // What is read in any case has a name already, or gets one.
            let is_read = self.part(input, &at).is_some_and(|(_, place)| {
                self.reads.iter().any(|read| read.input == input && read.place == place && read.guarded.is_none())
            });
            if !is_read && is_small.is_some_and(|count| count <= MOST_OF_PART) {
                gets.push((eqn.outs[0], input, at));
            }
        }
        if gets.is_empty() {
            return;
        }
        let at_first = self.b().current().len();
        let mut names = HashMap::default();
        match self.under(branches, &gets, &mut names) {
            Some(read) => {
                for ((out, input, at), pair) in gets.into_iter().zip(read.chunks(2)) {
                    let indices: Vec<Dim> = at.iter().map(|index| self.walk.integers.expanded(*index)).collect();
                    let place = self.place(input, &indices);
                    self.reads.push(Read { var: pair[0], input, place, guarded: Some(pair[1]) });
                    self.names.insert(out, pair[0]);
                }
            }
            None => self.b().current().truncate(at_first),
        }
    }

    /// The elements and their places, in turn; zeros that are nowhere, if the branches are not taken.
    fn under(
        &mut self,
        branches: &[Branch],
        gets: &[(Var, usize, Vec<Var>)],
        names: &mut HashMap<Var, Var>,
    ) -> Option<Vec<Var>> {
        let named = |names: &HashMap<Var, Var>, var: Var| *names.get(&var).unwrap_or(&var);
        let is_known = |names: &HashMap<Var, Var>, var: &Var| names.contains_key(var) || !self.inner.contains(var);
        let Some((first, rest)) = branches.split_first() else {
            if !gets.iter().flat_map(|(_, _, at)| at).all(|index| is_known(names, index)) {
                return None;
            }
            let mut read = Vec::new();
            for (_, input, at) in gets {
                let at: Vec<Var> = at.iter().map(|index| named(names, *index)).collect();
                let place = self.place(*input, &at.iter().map(|index| Dim::of(*index)).collect::<Vec<_>>());
                let array = self.walk.inputs[*input].var;
                read.push(self.b().get(array, &at));
                read.push(self.b().dim(place));
            }
            return Some(read);
        };
        if !is_known(names, &first.condition) {
            return None;
        }
        let condition = named(names, first.condition);
        let needed = rest.iter().map(|branch| branch.condition).chain(gets.iter().flat_map(|(_, _, at)| at.clone()));
        let indices = self.indices(&first.region, needed.collect(), &|var| is_known(names, var))?;
        self.b().open_block();
        clone_eqns(&mut self.walk.b, &indices, names);
        let read = self.under(rest, gets, names);
        let taken = self.b().close_block(Vec::new(), read.clone().unwrap_or_default());
        let read = read?;
        self.b().open_block();
        let tys: Vec<Ty> = read.iter().map(|var| self.walk.b.ty(*var).clone()).collect();
        let zeros: Vec<Var> = tys.iter().map(|ty| self.none(ty)).collect();
        let other = self.b().close_block(Vec::new(), zeros);
        let regions = if first.taken == 0 { vec![taken, other] } else { vec![other, taken] };
        Some(self.b().push_multi(Op::If, vec![condition], regions, tys))
    }

    /// What stands for an element that is not read, or for its place.
    fn none(&mut self, ty: &Ty) -> Var {
        if ty.is_float() {
            return self.b().zero(ty.clone());
        }
        let nowhere =
            Opaque { tokens: quote!(::core::primitive::usize::MAX), is_call: false, evaluation: Evaluation::Pure };
        self.b().push(Op::Opaque(Rc::new(nowhere)), Vec::new(), ty.clone())
    }

    /// The equations of a branch that indices and conditions are computed by, if they need nothing else but what is known.
    fn indices(&self, region: &Block, needed: Vec<Var>, is_known: &dyn Fn(&Var) -> bool) -> Option<Vec<Eqn>> {
        let mut needed: HashSet<Var> = needed.into_iter().collect();
        let mut indices = Vec::new();
        for eqn in region.eqns.iter().rev() {
            if !eqn.outs.iter().any(|out| needed.contains(out)) {
                continue;
            }
            if effect::has_effect(eqn) || eqn.outs.iter().any(|out| self.walk.active.contains(out)) {
                return None;
            }
            eqn.for_each_use(&mut |var| {
                needed.insert(var);
            });
            indices.push(eqn.clone());
        }
        indices.reverse();
        let mut defined = HashSet::default();
        for eqn in &indices {
            defined.extend(&eqn.outs);
            collect_inside(eqn, &mut defined);
        }
        let mut holds = true;
        indices.iter().for_each(|eqn| eqn.for_each_use(&mut |var| holds &= defined.contains(&var) || is_known(&var)));
        holds.then_some(indices)
    }

    // --- the body ---------------------------------------------------------------------------------------

    /// The iteration as a body of its own, whose parameters are what it reads, with names that are its own.
    pub(super) fn outlined(mut self, slice: &[Eqn], values: &[Var], locals: &[Local]) -> Option<(Body, Vec<Read>)> {
        let mut names = std::mem::take(&mut self.names);
        self.b().open_block();
        clone_eqns(&mut self.walk.b, slice, &mut names);
        let results: Vec<Var> = values.iter().map(|value| *names.get(value).unwrap_or(value)).collect();
        let mut block = self.b().close_block(Vec::new(), results);
        // They run here for the first time.
        effect::evaluate(&mut block.eqns);
        let mut defined = HashSet::default();
        collect_defined(&block, &mut defined);
        let (mut free, mut sizes) = (Vec::new(), HashSet::default());
        let mut note = |var: Var| {
            if !defined.contains(&var) && sizes.insert(var) {
                free.push(var);
            }
        };
        block.for_each_use(&mut note);
        for var in defined.iter().chain(&free.clone()) {
            self.walk.b.ty(*var).size_vars().into_iter().for_each(|size| {
                if !defined.contains(&size) && !free.contains(&size) {
                    free.push(size);
                }
            });
        }
        let reads: HashSet<Var> = self.reads.iter().map(|read| read.var).collect();
        for var in free.iter().copied().filter(|var| !reads.contains(var) && self.walk.active.contains(var)) {
            let (input, place) = self.whole(var)?;
            self.reads.push(Read { var, input, place, guarded: None });
        }
        let Gather { walk, mut reads, .. } = self;
        // What only a callee reads has its place in the Jacobian of that.
        reads.retain(|read| free.contains(&read.var));
        let counts = reads.iter().map(|read| walk.count(read.var)?.as_literal());
        let count = counts.sum::<Option<i64>>()?;
        let own: Vec<Var> = reads.iter().map(|read| read.var).chain(locals.iter().flat_map(Local::numbers)).collect();
        block.params = own.iter().copied().chain(free.into_iter().filter(|var| !own.contains(var))).collect();
        let body = Body { name: "iteration".to_owned(), vars: walk.b.vars.clone(), block, owned: Vec::new() };
        (count <= MOST_NUMBERS).then_some((body, reads))
    }

    /// Which input it is that is read as a whole, or that a part was read of before the iteration.
    fn whole(&self, var: Var) -> Option<(usize, Dim)> {
        let is_small = |var: Var| self.walk.count(var)?.as_literal().filter(|count| *count <= MOST_OF_WHOLE);
        is_small(var)?;
        if let Some(input) = self.input(var) {
            return Some((input, self.place(input, &[])));
        }
        let (input, at) = self.walk.origins.get(&var)?;
        let at: Vec<Dim> = at.iter().map(|index| self.walk.integers.expanded(*index)).collect();
        Some((*input, self.place(*input, &at)))
    }
}
