//! Small functions, which callers take into their own bodies.
//!
//! Note [Inlined functions]. No pass looks into a call. A loop that calls `sigmoid` does not run in lanes, both the loop and the
//! callee keep what they need of one exponential, and two rows of a Jacobian compute what they have in common twice. So the
//! relay of a small function of numbers, short arrays and slices tells its body, and where it is called its equations are the
//! caller's. Nothing in them depends on the module they come from: they are rows of the table, branches, and loops of
//! constant length, over types that every module has. Operators on arrays do not travel: a body with some goes through the passes that
//! write these as loops and numbers first (`pass::inlinable`).
//!
//! A slice is only read and changed by its elements, and how long it is, the caller says. What it gives may be a part of
//! an array: then the elements are those of the array, behind where the part begins ([`Given::View`]). What becomes of a mutable
//! borrow is a result, behind those of the function.
//!
//! The relay of a function that calls others tells its body when theirs are known, so that functions that call each other would
//! wait forever, and a callee without a relay would be rustc's error and not ours. So only those wait that are marked `inline`, and
//! those whose callees are marked functions of their own file. A circle in which all wait, and nobody has marked one, is in one file and
//! is found there (`source/circle.rs`).

use super::builder::Builder;
use super::dim::Dim;
use super::text::{Find, parse_with, print};
use super::var::HashMap;
use super::{Block, Body, EffectKind, Elem, Eqn, IntOp, Op, SavePolicy, Ty, Var};

/// How many operations on numbers such a function has at most.
const MOST: usize = 64;

/// How many of them a caller takes into its body at most, and a function has that is marked `inline` or has one caller.
pub const MOST_IN_ALL: usize = 256;

/// How many bytes an array in it has at most.
const LARGEST: i64 = 128;

/// A function that callers take into their bodies.
#[derive(Clone, PartialEq, Debug)]
pub struct Inlinable {
    /// Its body in text form.
    pub text: String,
}

impl Inlinable {
    /// That of a body that is small, or not large where that is `wanted`.
    pub fn of(body: &Body, wanted: bool) -> Option<Inlinable> {
        let most = if wanted { MOST_IN_ALL } else { MOST };
        let is_small = operations(&body.block) <= most && is_plain(body, &Slices::of(body), &body.block);
        (may_be_taken(body) && is_small).then(|| Inlinable { text: print(body) })
    }

    /// The body. `find` knows the rows of the table.
    pub fn body(&self, find: Find) -> Option<Body> {
        parse_with(&self.text, find).ok()
    }
}

/// Whether it is a function of numbers, short arrays and slices.
pub fn may_be_taken(body: &Body) -> bool {
    let Block { params, results, .. } = &body.block;
    let slices = Slices::of(body);
    let is_plain = |var: &Var| {
        let ty = body.ty(*var);
        let is_number = ty.is_float() || *ty == Ty::index();
        is_number && is_short(ty) || slices.contains(*var)
    };
    !params.is_empty() && params.iter().chain(results).all(is_plain)
}

fn is_short(ty: &Ty) -> bool {
    let elem = matches!(ty.elem, Elem::F32 | Elem::F64 | Elem::Bool) || ty.elem == Elem::usize();
    elem && (ty.is_scalar() || ty.bytes().is_some_and(|bytes| bytes <= LARGEST))
}

/// The slices of a body.
pub struct Slices {
    /// Which parameter each version of a slice is of.
    versions: HashMap<Var, Var>,
    /// The lengths of slices, as variables.
    lengths: HashMap<Var, Var>,
}

impl Slices {
    pub fn of(body: &Body) -> Slices {
        let mut slices = Slices { versions: HashMap::default(), lengths: HashMap::default() };
        for eqn in &body.block.eqns {
            if let (Op::Len, [slice], [len]) = (&eqn.op, &eqn.args[..], &eqn.outs[..]) {
                let ty = body.ty(*slice);
                let is_slice = ty.rank() > 0 && ty.dims[0].as_var() == Some(*len);
                let row = Ty::tensor(ty.elem.clone(), ty.dims.get(1..).unwrap_or_default().to_vec());
                if is_slice && body.block.params.contains(slice) && is_short(&row) {
                    slices.versions.insert(*slice, *slice);
                    slices.lengths.insert(*len, *slice);
                }
            }
        }
        slices.note(&body.block);
        slices
    }

    fn note(&mut self, block: &Block) {
        for eqn in &block.eqns {
            if let (Op::For { .. }, [region]) = (&eqn.op, &eqn.regions[..]) {
                for (param, init) in region.params[1..].iter().zip(&eqn.args) {
                    self.same(*param, *init);
                }
            }
            eqn.regions.iter().for_each(|region| self.note(region));
            match &eqn.op {
                Op::Set | Op::Acc => self.same(eqn.outs[0], eqn.args[0]),
                Op::For { .. } | Op::If => {
                    for region in &eqn.regions {
                        for (out, result) in eqn.outs.iter().zip(&region.results) {
                            self.same(*out, *result);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn same(&mut self, version: Var, of: Var) {
        if let Some(slice) = self.versions.get(&of).copied() {
            self.versions.insert(version, slice);
        }
    }

    pub fn contains(&self, var: Var) -> bool {
        self.versions.contains_key(&var)
    }

    /// The slice that a variable is the length of.
    pub fn measured(&self, len: Var) -> Option<Var> {
        self.lengths.get(&len).copied()
    }

    /// Whether a slice is only read and changed by its elements, and stays the slice that it is.
    fn is_kept(&self, eqn: &Eqn) -> bool {
        let of = |var: &Var| self.versions.get(var).copied();
        let (first, others) = match &eqn.op {
            Op::Get | Op::Set | Op::Acc | Op::Len => (1, &eqn.args[1..]),
            Op::For { .. } => (eqn.args.len(), &[][..]),
            _ => (0, &eqn.args[..]),
        };
        let carried = eqn.outs.iter().zip(&eqn.args[..first.min(eqn.outs.len())]);
        let are_carried =
            !matches!(eqn.op, Op::For { .. }) || carried.into_iter().all(|(out, init)| of(out) == of(init));
        let ends = |region: &Block| eqn.outs.iter().zip(&region.results).all(|(out, end)| of(out) == of(end));
        others.iter().all(|arg| of(arg).is_none()) && are_carried && eqn.regions.iter().all(ends)
    }
}

/// How many operations on numbers there are, not counting how often they run.
pub fn operations(block: &Block) -> usize {
    let own = |eqn: &Eqn| usize::from(matches!(eqn.op, Op::Map(_) | Op::Cast | Op::Int(_)));
    block.eqns.iter().map(|eqn| own(eqn) + eqn.regions.iter().map(operations).sum::<usize>()).sum()
}

/// Whether the length of no loop depends on that of a slice.
pub fn has_constant_loops(block: &Block) -> bool {
    block.eqns.iter().all(|eqn| {
        let is_constant =
            eqn.as_for().is_none_or(|(lo, hi, ..)| lo.as_literal().is_some() && hi.as_literal().is_some());
        is_constant && eqn.regions.iter().all(has_constant_loops)
    })
}

/// Whether all types and operations are those that every module has.
fn is_plain(body: &Body, slices: &Slices, block: &Block) -> bool {
    let is_known = |dim: &Dim| !dim.is_ragged() && dim.vars().all(|var| slices.measured(var).is_some());
    let has_plain_operation = |eqn: &Eqn| match &eqn.op {
        Op::For { lo, hi, keep: SavePolicy::All, .. } => is_known(lo) && is_known(hi),
        Op::Dim(dim) => is_known(dim),
        Op::Effect(effect) => effect.kind == EffectKind::Checks,
        Op::Len => eqn.outs.iter().all(|len| slices.measured(*len).is_some()),
        Op::Const(_)
        | Op::Zero(_)
        | Op::Map(_)
        | Op::Cast
        | Op::Int(_)
        | Op::Pack
        | Op::Get
        | Op::Set
        | Op::Acc
        | Op::If => true,
        _ => false,
    };
    let has_plain_type = |var: &Var| is_short(body.ty(*var)) || slices.contains(*var);
    block.params.iter().all(has_plain_type)
        && block.eqns.iter().all(|eqn| {
            has_plain_operation(eqn)
                && slices.is_kept(eqn)
                && eqn.outs.iter().all(has_plain_type)
                && eqn.regions.iter().all(|region| is_plain(body, slices, region))
        })
}

/// What a caller gives for a parameter.
pub enum Given {
    Value(Var),
    /// A part of an array, as a slice.
    View(View),
}

#[derive(Clone)]
pub struct View {
    pub array: Var,
    /// The indices of the axes before that of the slice.
    pub at: Vec<Var>,
    pub start: Option<Var>,
    pub len: Dim,
}

/// Puts a body into that of its caller.
pub struct TakeIn<'t> {
    body: &'t Body,
    slices: Slices,
    names: HashMap<Var, Var>,
    /// The slices that are parts of arrays.
    views: HashMap<Var, View>,
    /// How long slices are.
    sizes: HashMap<Var, Dim>,
    /// What integers of the caller are less than, where that is known.
    limits: HashMap<Var, i64>,
    /// Up to where the constant indices of a slice have been checked for all that follows.
    checked: HashMap<Var, i64>,
    depth: usize,
}

/// Adds a check that an index is less than a length.
pub type Check = dyn Fn(&mut Builder, Var, &Dim);

impl<'t> TakeIn<'t> {
    /// Nothing, where loops would have no constant length, or an index is seen to be behind the end of a slice.
    pub fn new(b: &Builder, body: &'t Body, given: Vec<Given>) -> Option<TakeIn<'t>> {
        let slices = Slices::of(body);
        let (mut names, mut views, mut sizes) = (HashMap::default(), HashMap::default(), HashMap::default());
        let lengths: HashMap<Var, Var> = slices.lengths.iter().map(|(len, slice)| (*slice, *len)).collect();
        for (param, given) in body.block.params.iter().zip(given) {
            let (array, len) = match given {
                Given::Value(var) => (var, b.ty(var).dims.first().cloned()),
                Given::View(view) => {
                    let (array, len) = (view.array, view.len.clone());
                    views.insert(*param, view);
                    (array, Some(len))
                }
            };
            names.insert(*param, array);
            if let Some(own) = lengths.get(param) {
                sizes.insert(*own, len?);
            }
        }
        let (limits, checked) = Default::default();
        let taken = TakeIn { body, slices, names, views, sizes, limits, checked, depth: 0 };
        taken.fits(&body.block, &mut HashMap::default()).then_some(taken)
    }

    /// `literals` are the integers that are known.
    fn fits(&self, block: &Block, literals: &mut HashMap<Var, i64>) -> bool {
        block.eqns.iter().all(|eqn| {
            let fits = match &eqn.op {
                Op::For { lo, hi, .. } => [lo, hi].iter().all(|end| self.size(end).as_literal().is_some()),
                Op::Dim(dim) => {
                    literals.extend(self.size(dim).as_literal().map(|literal| (eqn.outs[0], literal)));
                    true
                }
                Op::Get => self.is_within(eqn.args[0], eqn.args[1], literals),
                Op::Set | Op::Acc if eqn.args.len() > 2 => self.is_within(eqn.args[0], eqn.args[2], literals),
                _ => true,
            };
            fits && eqn.regions.iter().all(|region| self.fits(region, literals))
        })
    }

    /// Whether an index of a slice is not seen to be behind its end.
    fn is_within(&self, array: Var, index: Var, literals: &HashMap<Var, i64>) -> bool {
        let slice = self.slices.versions.get(&array);
        let len = slice.and_then(|slice| self.slices.lengths.iter().find(|(_, of)| *of == slice));
        let len = len.and_then(|(len, _)| self.size(&Dim::of(*len)).as_literal());
        len.zip(literals.get(&index)).is_none_or(|(len, index)| *index < len)
    }

    fn size(&self, dim: &Dim) -> Dim {
        dim.replace(&|var| self.sizes.get(&var).cloned())
    }

    fn named(&self, var: Var) -> Var {
        *self.names.get(&var).unwrap_or(&var)
    }

    /// Adds the equations, and returns the results: of a slice that is a part of an array, the array.
    pub fn run(mut self, b: &mut Builder, check: &Check) -> Vec<Var> {
        self.eqns(b, check, &self.body.block.eqns);
        self.body.block.results.iter().map(|result| self.named(*result)).collect()
    }

    fn eqns(&mut self, b: &mut Builder, check: &Check, eqns: &[Eqn]) {
        for eqn in eqns {
            if let (Op::Len, [len]) = (&eqn.op, &eqn.outs[..]) {
                let here = b.dim(self.size(&Dim::of(*len)));
                self.names.insert(*len, here);
                continue;
            }
            let eqn = self.renamed(b, check, eqn);
            b.push_eqn(eqn);
        }
    }

    fn renamed(&mut self, b: &mut Builder, check: &Check, eqn: &Eqn) -> Eqn {
        let slice = eqn.args.first().and_then(|array| self.slices.versions.get(array)).copied();
        let is_access = matches!(eqn.op, Op::Get | Op::Set | Op::Acc);
        let view = slice.filter(|_| is_access).and_then(|slice| Some((slice, self.views.get(&slice)?.clone())));
        let mut eqn = Eqn { span: b.current_span(), ..eqn.clone() };
        match &mut eqn.op {
            Op::For { lo, hi, .. } => (*lo, *hi) = (self.size(lo), self.size(hi)),
            Op::Dim(dim) => *dim = self.size(dim),
            _ => {}
        }
        eqn.rename_own(&|var| self.named(var));
        if let Some((slice, view)) = view {
            let first = if matches!(eqn.op, Op::Get) { 1 } else { 2 };
            self.check_access(b, check, (slice, &view), eqn.args[first]);
            let mut at = view.at;
            at.push(match view.start {
                Some(start) => b.int(IntOp::Add, start, eqn.args[first]),
                None => eqn.args[first],
            });
            eqn.args.splice(first..=first, at);
        }
        self.depth += 1;
        for region in &mut eqn.regions {
            let Block { mut params, eqns, mut results } = std::mem::take(region);
            self.define(b, &mut params);
            if let (Op::For { hi, .. }, [index, ..]) = (&eqn.op, &params[..]) {
                self.limits.extend(hi.as_literal().map(|hi| (*index, hi)));
            }
            b.open_block();
            self.eqns(b, check, &eqns);
            results.iter_mut().for_each(|result| *result = self.named(*result));
            *region = b.close_block(params, results);
        }
        self.depth -= 1;
        self.define(b, &mut eqn.outs);
        if let Op::Dim(dim) = &eqn.op {
            self.limits.extend(dim.as_literal().map(|value| (eqn.outs[0], value + 1)));
        }
        eqn
    }

    /// An index is less than the length of a slice, which the array behind it does not know.
    fn check_access(&mut self, b: &mut Builder, check: &Check, (slice, view): (Var, &View), index: Var) {
        let limit = self.limits.get(&index).copied();
        let is_below = limit.zip(view.len.as_literal()).is_some_and(|(limit, len)| limit <= len);
        if is_below || limit.is_some_and(|limit| self.checked.get(&slice).is_some_and(|checked| limit <= *checked)) {
            return;
        }
        check(b, index, &view.len);
        if let (Some(limit), 0) = (limit, self.depth) {
            self.checked.insert(slice, limit);
        }
    }

    fn define(&mut self, b: &mut Builder, vars: &mut [Var]) {
        for var in vars {
            let data = self.body.data(*var);
            let ty = match self.slices.versions.get(var).and_then(|slice| self.views.get(slice)) {
                Some(view) => b.ty(view.array).clone(),
                None => Ty { dims: data.ty.dims.iter().map(|dim| self.size(dim)).collect(), ..data.ty.clone() },
            };
            let here = b.var(ty, data.hint.as_deref());
            self.names.insert(*var, here);
            *var = here;
        }
    }
}
