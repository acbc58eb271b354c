//! The rows of a sparse Jacobian, computed where the numbers of the result are.
//!
//! ```text
//! r: f64[N] = for i in 0..N carry (c = z) {        r: f64[N] = for i in 0..N carry (c = z) {
//!     p = get edges i 0                                p = get edges i 0
//!     a = get x p                                      a = get x p
//!     v = mul a a                            ->        v = mul a a
//!     n = set c v i                                    a_bar = add a a
//!     yield n }                                        row i: a_bar at column p
//!                                                      n = set c v i
//!                                                      yield n }
//! ```
//!
//! Note [Rows by iterations]. An iteration that sets numbers of the result, from elements of the parameters that it has read and from
//! nothing that another iteration has computed, knows all of their rows: its own reverse sweep, once for each number (`rows.rs`), gives
//! the cotangents of the elements, and their indices are the columns. So a residual of bundle adjustment costs its own block, and
//! not a tangent of the whole function for each group of columns.
//!
//! Nothing has to be proved of different iterations. Rows are handed on by an effect, in the order in which numbers are set; the last
//! one holds. Where elements are read twice, in one row, their columns are the same, and what is handed on is added there. What is
//! read in a branch only has no column where that is not taken.
//!
//! A function that is made of anything else has `None` here, and its values are computed by groups.

mod branches;
mod entries;
mod gather;
mod local;
mod outline;

use super::{activity, unroll};
use crate::analysis::elements;
use crate::analysis::integers::Integers;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::effect;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Eqn, Op, Var};
use entries::Row;
pub use entries::write;

/// How often a loop runs that is written as its iterations, and how many equations it has.
const MOST_ITERATIONS: i64 = 6;
const MOST_EQUATIONS: usize = 60;

/// What the rows of one iteration read at most, in numbers.
const MOST_NUMBERS: i64 = 128;

/// Where the numbers of a leaf are in the flat order of a whole: from `start` on, or, of a leaf of the elements of a slice, in
/// groups of `group`, which begin `stride` apart.
#[derive(Clone, Debug)]
pub struct Place {
    pub start: Dim,
    pub group: Dim,
    pub stride: Dim,
}

impl Place {
    /// The place of the first number of a part of the leaf.
    fn of_part(&self, dims: &[Dim], at: &[Dim]) -> Dim {
        let is_grouped = !self.group.is(0);
        at.iter().enumerate().fold(self.start.clone(), |place, (axis, index)| {
            let stride = match axis {
                0 if is_grouped => self.stride.clone(),
                _ => Dim::product(&dims[axis + 1..]),
            };
            place.plus(&index.times(&stride))
        })
    }
}

/// An input with its place among all numbers that the function is differentiated by.
#[derive(Clone, Debug)]
pub struct Input {
    pub var: Var,
    /// The parameter that it is a leaf of.
    pub root: usize,
    pub place: Place,
}

/// The body with effects that hand on the rows, and what these are.
pub struct ByIterations {
    pub body: Body,
    pub rows: Vec<Row>,
}

/// `results`: where the numbers of each result are.
pub fn run(primal: &Body, inputs: &[Input], results: &[Place]) -> Option<ByIterations> {
    let body = super::run(super::BEFORE_REVERSE, primal.clone());
    let mut short = Vec::new();
    note_short_loops(&body, &body.block, &mut short);
    let body = unroll::unrolled(body, short);
    let vars: Vec<Var> = inputs.iter().map(|input| input.var).collect();
    let active = activity::varied(&body, &vars);
    let integers = Integers::of(&body.block);
    let Body { name, vars, block: Block { params, eqns, results: ends }, owned } = body;
    let mut walk = Walk {
        b: Builder::with_vars(vars),
        active,
        integers,
        inputs,
        results,
        starts: Vec::new(),
        origins: HashMap::default(),
        rows: Vec::new(),
    };
    let tracked = walk.begun(&eqns, &ends)?;
    let columns = walk.note_starts()?;
    let is_loop = |eqn: &Eqn| matches!(eqn.op, Op::For { .. }) && walk.copied(eqn).is_none() && uses_any(eqn, &tracked);
    // What is set outside of loops are a few numbers, whose rows other functions give at once.
    eqns.iter().any(is_loop).then_some(())?;
    let last = walk.region(eqns, tracked.clone(), &ends)?;
    are_kept(&last, &tracked, &ends).then_some(())?;
    if walk.rows.is_empty() {
        return None;
    }
    walk.end(&ends[..results.len()], columns)?;
    let Walk { b, rows, .. } = walk;
    let mut body = b.finish(format!("{name}_iterations"), params, ends);
    body.owned = owned;
    Some(ByIterations { body, rows })
}

/// The versions of arrays that become results, and of which one each. A version that has become the next one is none any more: what
/// is made of it besides is another array.
type Tracked = HashMap<Var, usize>;

struct Walk<'w> {
    b: Builder,
    active: HashSet<Var>,
    integers: Integers,
    inputs: &'w [Input],
    results: &'w [Place],
    /// Where the parameter that an input belongs to begins among the numbers of all.
    starts: Vec<Dim>,
    /// Elements of inputs that have been read so far: of which one, and where.
    origins: HashMap<Var, (usize, Vec<Var>)>,
    rows: Vec<Row>,
}

/// A number, or some, of a result.
struct Write {
    eqn: Eqn,
    result: usize,
}

impl Write {
    fn value(&self) -> Var {
        self.eqn.args[1]
    }

    fn at(&self) -> &[Var] {
        &self.eqn.args[2..]
    }
}

impl Walk<'_> {
    /// The arrays that become the results, as they are before anything is set.
    fn begun(&self, eqns: &[Eqn], ends: &[Var]) -> Option<Tracked> {
        let mut begun = Tracked::default();
        for (result, end) in ends.iter().take(self.results.len()).enumerate() {
            let mut var = *end;
            while self.active.contains(&var) {
                let eqn = eqns.iter().find(|eqn| eqn.outs.contains(&var))?;
                let at = eqn.outs.iter().position(|out| *out == var)?;
                var = match (self.copied(eqn), &eqn.op) {
                    (Some(source), _) => source,
                    (None, Op::For { .. }) => eqn.args[at],
                    (None, Op::Set | Op::Push) => eqn.args[0],
                    _ => return None,
                };
            }
            // A place in one result is not one in another.
            if begun.insert(var, result).is_some() {
                return None;
            }
        }
        Some(begun)
    }

    /// What a loop copies, if that is all it does: what has grown becomes an array of its length.
    fn copied(&self, eqn: &Eqn) -> Option<Var> {
        let (lo, hi, _, step) = eqn.as_for()?;
        let ([index, carried], [get, set]) = (&step.params[..], &step.eqns[..]) else { return None };
        // All places are those of one result, and have new numbers.
        let is_whole = lo.is(0) && self.b.ty(*carried).dims.first() == Some(hi) && self.results.len() == 1;
        let is_copy = matches!((&get.op, &set.op), (Op::Get, Op::Set))
            && get.args[1..] == [*index]
            && set.args[..] == [*carried, get.outs[0], *index]
            && step.results[..] == set.outs[..];
        (is_whole && is_copy).then(|| get.args[0])
    }

    /// Notes where parameters begin, and returns how many numbers there are.
    fn note_starts(&mut self) -> Option<Dim> {
        let (mut sum, mut last) = (Dim::literal(0), None);
        for input in self.inputs {
            let start = if last == Some(input.root) { self.starts.last()?.clone() } else { sum.clone() };
            last = Some(input.root);
            self.starts.push(start);
            sum = sum.plus(&self.count(input.var)?);
        }
        Some(sum)
    }

    /// How many numbers an array has.
    fn count(&self, var: Var) -> Option<Dim> {
        let dims = &self.b.ty(var).dims;
        (!dims.iter().any(Dim::is_ragged)).then(|| Dim::product(dims))
    }

    /// Says how many rows and columns there are.
    fn end(&mut self, ends: &[Var], columns: Dim) -> Option<()> {
        let rows = ends.iter().try_fold(Dim::literal(0), |sum, end| Some(sum.plus(&self.count(*end)?)))?;
        let sizes = [rows, columns].map(|size| self.b.dim(size));
        self.b.effect(entries::finish(), sizes.to_vec());
        Some(())
    }

    fn note_origin(&mut self, eqn: &Eqn) {
        if let (Op::Get, [array, at @ ..]) = (&eqn.op, &eqn.args[..])
            && let Some(input) = self.inputs.iter().position(|input| input.var == *array)
        {
            self.origins.insert(eqn.outs[0], (input, at.to_vec()));
        }
    }

    /// A loop or a branch in which results are filled, and which results come out of it.
    fn around(&mut self, mut eqn: Eqn, tracked: &Tracked) -> Option<(Eqn, Vec<Option<usize>>)> {
        let mut ended: Option<Vec<Option<usize>>> = None;
        for region in std::mem::take(&mut eqn.regions) {
            self.b.open_block();
            let last = self.region(region.eqns, tracked.clone(), &region.results)?;
            are_kept(&last, tracked, &region.results).then_some(())?;
            let own: Vec<Option<usize>> = region.results.iter().map(|end| last.get(end).copied()).collect();
            eqn.regions.push(self.b.close_block(region.params, region.results));
            if ended.as_ref().is_some_and(|before| *before != own) {
                return None;
            }
            ended = Some(own);
        }
        let ended = ended?;
        // What a loop hands on is what it was given.
        let is_kept = eqn.as_for().is_none_or(|(_, _, _, step)| {
            step.params[1..].iter().zip(&ended).all(|(param, end)| tracked.get(param) == end.as_ref())
        });
        is_kept.then_some((eqn, ended))
    }

    /// Goes through a region, whose equations go to the block that is open.
    fn region(&mut self, eqns: Vec<Eqn>, mut tracked: Tracked, ends: &[Var]) -> Option<Tracked> {
        let (mut writes, mut own, mut is_handed_on) = (Vec::new(), Vec::new(), false);
        eqns.iter().for_each(|eqn| self.note_origin(eqn));
        for eqn in self.moved_into_branches(eqns, &tracked) {
            let result = eqn.args.first().and_then(|array| tracked.get(array)).copied();
            match (&eqn.op, result) {
                (Op::Set | Op::Push, Some(result)) if eqn.args[1..].iter().all(|arg| !tracked.contains_key(arg)) => {
                    tracked.remove(&eqn.args[0]);
                    tracked.insert(eqn.outs[0], result);
                    writes.push(Write { eqn, result });
                }
                (Op::For { .. } | Op::If, _) if uses_any(&eqn, &tracked) => {
                    // What is set before comes before.
                    if !writes.is_empty() {
                        self.iteration(&own, std::mem::take(&mut writes), ends, is_handed_on)?;
                        is_handed_on = true;
                    }
                    if let Some(result) = self.copied(&eqn).and_then(|source| tracked.remove(&source)) {
                        tracked.insert(eqn.outs[0], result);
                        self.b.push_eqn(eqn);
                        continue;
                    }
                    let inner = match &eqn.op {
                        Op::If => tracked.clone(),
                        // What the loop does not carry, it does not read.
                        _ if eqn.regions.iter().any(|region| tracked.keys().any(|var| region.uses(*var))) => {
                            return None;
                        }
                        _ => {
                            let carried = eqn.carried().iter().zip(&eqn.args);
                            carried.filter_map(|(var, init)| Some((*var, *tracked.get(init)?))).collect()
                        }
                    };
                    let (eqn, ended) = self.around(eqn, &inner)?;
                    let given: Vec<Var> = match &eqn.op {
                        Op::If => {
                            tracked.iter().filter(|(_, of)| ended.contains(&Some(**of))).map(|(var, _)| *var).collect()
                        }
                        _ => eqn.args.clone(),
                    };
                    for var in given {
                        tracked.remove(&var);
                    }
                    tracked.extend(eqn.outs.iter().zip(ended).filter_map(|(out, end)| Some((*out, end?))));
                    self.b.push_eqn(eqn);
                }
                (op, _) if !matches!(op, Op::Len) && uses_any(&eqn, &tracked) => return None,
                _ => {
                    own.push(eqn.clone());
                    self.b.push_eqn(eqn);
                }
            }
        }
        if !writes.is_empty() {
            self.iteration(&own, writes, ends, is_handed_on)?;
        }
        Some(tracked)
    }
}

/// Notes loops that set a few numbers of a large array, by their indices: what is around these has a part in each of them.
fn note_short_loops(body: &Body, block: &Block, short: &mut Vec<Var>) {
    for eqn in &block.eqns {
        if let Some((lo, hi, _, region)) = eqn.as_for()
            && let (Some(lo), Some(hi)) = (lo.as_literal(), hi.as_literal())
        {
            let is_large = |array: &Var| elements::size(body.ty(*array)).is_none();
            let carried = &region.params[1..];
            let sets = region.eqns.iter().any(|eqn| {
                matches!(eqn.op, Op::Set | Op::Push) && carried.contains(&eqn.args[0]) && is_large(&eqn.args[0])
            });
            let is_plain = region.eqns.iter().all(|eqn| matches!(eqn.op, Op::Effect(_)) || !effect::has_effect(eqn));
            if sets && is_plain && (1..=MOST_ITERATIONS).contains(&(hi - lo)) && region.eqns.len() <= MOST_EQUATIONS {
                short.push(region.params[0]);
            }
        }
        eqn.regions.iter().for_each(|region| note_short_loops(body, region, short));
    }
}

/// Whether all versions of arrays that come out of a block are the ones that it began with, or given back.
fn are_kept(last: &Tracked, first: &Tracked, ends: &[Var]) -> bool {
    last.keys().all(|var| first.contains_key(var) || ends.contains(var))
}

fn uses_any(eqn: &Eqn, tracked: &Tracked) -> bool {
    let mut found = false;
    eqn.for_each_use(&mut |var| found |= tracked.contains_key(&var));
    found
}
