//! Reverse mode: the equations of the function, then for each of them, in reverse order, those of its adjoint.
//!
//! ```text
//! y: f64 = tanh x        y: f64 = tanh x
//!                        …
//!                        q: f64 = mul y y
//!                        p: f64 = sub 1 q
//!                        x_bar: f64 = mul p y_bar
//! ```
//!
//! Note [Loops in reverse]. The reverse of a `for` loop runs the iterations from the last to the first. Each
//! recomputes its own forward values from what is still readable (inputs, captured values, the index) and then
//! goes through them in reverse. A carried value is stored in every iteration only if the reverse code reads it. The
//! reverse of a sum or of another accumulation does not, so that such a loop stores nothing, and fusion runs the forward
//! and the reverse of one iteration together.

mod bound;
mod call;
mod checkpoint;
mod control;
mod reach;
mod select;
mod store;
mod undo;

#[cfg(test)]
pub use call::RECURSION;

use super::activity;
use super::simplify::Simplifier;
use super::tangent::{Unsupported, partials};
use crate::analysis::integers::Integers;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::effect;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Eqn, Op, Var};
use crate::op::view::{reshape, sum_to};
use crate::op::{Algebra, Class};
use crate::pass::{self, Pass};
use reach::Reach;

/// A function together with its reverse sweep.
pub struct Joint {
    pub body: Body,
    /// How many of the top equations belong to the forward sweep.
    pub forward: usize,
    /// The cotangents of the float results; parameters of `body`, unless they were given as the number 1.
    pub seeds: Vec<Var>,
    /// For each array input, the cotangent so far, which the body adds into: a parameter.
    pub accumulators: Vec<Option<Var>>,
}

/// Where the reverse sweep starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seed {
    /// The cotangents of the results are parameters.
    Parameter,
    /// The only result is a scalar, and its cotangent is 1.
    One,
}

/// How the cotangents of the inputs come out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Added to arrays that are parameters.
    Accumulate,
    /// As values.
    Fresh,
    /// As values, but for arrays of a size of run time, which are added to parameters.
    FreshIfSized,
}

/// How the reverse sweep of a function that is called is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CallStrategy {
    /// From the residuals of its forward sweep.
    Residuals,
    /// The same, where these own the arguments: they cannot be stored in arrays.
    OwnedResiduals,
    /// Together with a forward sweep of its own. This can be differentiated once more.
    Recompute,
}

/// Parameters: the primal's, seeds, accumulators. Results: the primal's, then a cotangent for each of `inputs`.
#[cfg(test)]
pub fn transform(
    primal: &Body,
    inputs: &[Var],
    seed: Seed,
    output: Output,
    calls: CallStrategy,
) -> Result<Joint, Unsupported> {
    transform_changing(primal, inputs, &[], seed, output, calls)
}

/// The same for a function that changes some of its parameters: `changed` are those, with the places of their last
/// values among the results. Their cotangents are in-out too: that of the last value comes in, that of the first goes
/// out.
pub fn transform_changing(
    primal: &Body,
    inputs: &[Var],
    changed: &[(Var, usize)],
    seed: Seed,
    output: Output,
    calls: CallStrategy,
) -> Result<Joint, Unsupported> {
    let mut body = pass::run(pass::BEFORE_REVERSE, primal.clone());
    let active = activity::varied(&body, inputs);
    if calls != CallStrategy::Recompute {
        call::save_residuals(&mut body.vars, &mut body.block, &active);
    }
    let integers = Integers::of(&body.block);
    let sensitive = reach::sensitive(&body, &active);
    let heap = allocates(primal, &primal.block);
    let effects = effect::evaluates(&primal.block.eqns);
    let (b, block) = Builder::resume(body);
    let mut sweep = Sweep {
        b,
        active,
        bars: HashMap::default(),
        reach: HashMap::default(),
        under: Reach::Always,
        sensitive,
        accumulating: HashSet::default(),
        filled: HashSet::default(),
        depth: 0,
        heap,
        effects,
        calls,
        restored: HashMap::default(),
        integers,
        simplifier: Simplifier::default(),
    };
    let mut params = block.params.clone();
    let forward = sweep.b.current().clone();

    let mut seeds = Vec::new();
    let own = block.results.iter().enumerate().filter(|(k, _)| changed.iter().all(|(_, place)| place != k));
    for (_, result) in own.filter(|(_, result)| primal.ty(**result).is_float()) {
        let ty = primal.ty(*result).clone();
        let bar = match seed {
            Seed::One => sweep.b.constant(&ty.elem, 1.0),
            Seed::Parameter => {
                let bar = sweep.b.var_like(*result, ty, "_bar");
                sweep.b.name(bar, "y_bar");
                params.push(bar);
                bar
            }
        };
        seeds.push(bar);
        if sweep.active.contains(result) {
            sweep.contribute(*result, bar);
        }
    }
    let mut accumulators = Vec::new();
    for input in inputs {
        let ty = primal.ty(*input).clone();
        if let Some((_, place)) = changed.iter().find(|(var, _)| var == input) {
            accumulators.push((output == Output::Accumulate).then(|| {
                let acc = sweep.b.var_like(*input, ty, "_bar");
                params.push(acc);
                let last = block.results[*place];
                if sweep.active.contains(&last) {
                    sweep.contribute(last, acc);
                }
                acc
            }));
            continue;
        }
        let array = match output {
            Output::Accumulate => !ty.is_scalar(),
            Output::Fresh => false,
            Output::FreshIfSized => ty.is_dynamic(),
        };
        accumulators.push(array.then(|| {
            let acc = sweep.b.var_like(*input, ty, "_bar");
            params.push(acc);
            // A result that is an input as it stands has its cotangent already.
            let given = sweep.bars.remove(input);
            sweep.accumulating.insert(*input);
            sweep.bars.insert(*input, acc);
            if let Some(given) = given {
                sweep.contribute(*input, given);
            }
            acc
        }));
    }
    // Seeds that are constants stand before the reverse sweep; they count as part of it.
    sweep.reverse(&forward)?;
    let mut results = block.results;
    for input in inputs {
        let bar = sweep.bar_or_zero(*input);
        results.push(bar);
    }
    let mut body = sweep.b.finish(format!("{}_vjp", primal.name), params, results);
    body.owned = accumulators.iter().copied().flatten().collect();
    let body = pass::run(pass::AFTER_REVERSE, body);
    // The last of the forward sweep that is still there.
    let place_of = |last: &Var| body.block.eqns.iter().position(|eqn| eqn.outs.contains(last));
    let place = forward.iter().rev().filter_map(|eqn| eqn.outs.first()).find_map(place_of);
    // What has an effect is of the forward sweep, even without a result.
    let effects = body.block.eqns.iter().rposition(effect::has_effect);
    let forward = place.max(effects).map_or(0, |place| place + 1);
    Ok(Joint { body, forward, seeds, accumulators })
}

impl Joint {
    /// The same, after passes that leave every equation in its half.
    pub fn after(mut self, passes: &[Pass]) -> Joint {
        let of_reverse: HashSet<Var> =
            self.body.block.eqns[self.forward..].iter().flat_map(|eqn| eqn.outs.iter().copied()).collect();
        self.body = pass::run(passes, self.body);
        let eqns = &self.body.block.eqns;
        let first = eqns.iter().position(|eqn| eqn.outs.iter().any(|out| of_reverse.contains(out)));
        self.forward = first.unwrap_or(eqns.len());
        self
    }
}

struct Sweep {
    b: Builder,
    active: HashSet<Var>,
    /// The cotangent of a variable so far; none where it is zero.
    bars: HashMap<Var, Var>,
    /// When it has been added to, where that is not always: see Note [Values that are dropped].
    reach: HashMap<Var, Reach>,
    /// The reach of the result whose cotangent is being handed on.
    under: Reach,
    sensitive: HashSet<Var>,
    /// Inputs whose cotangent is added into an array of the caller's.
    accumulating: HashSet<Var>,
    /// Arrays that a loop fills, each element once: their elements were zero before the write, and nobody asks
    /// for the cotangents of those zeros.
    filled: HashSet<Var>,
    /// How many loops there are around what is being reversed.
    depth: usize,
    /// Whether the function itself has arrays on the heap.
    heap: bool,
    /// Whether it calls functions without a derivative.
    effects: bool,
    calls: CallStrategy,
    /// What comes out of the reverse of a loop that takes an array back: what the array was before the loop and after it.
    restored: HashMap<Var, (Var, Var)>,
    integers: Integers,
    simplifier: Simplifier,
}

/// Whether a block makes arrays whose size is not a constant.
fn allocates(body: &Body, block: &Block) -> bool {
    block.eqns.iter().any(|eqn| {
        let made = matches!(eqn.op, Op::Zero(_) | Op::ZeroLike | Op::Copy | Op::Push);
        made && body.ty(eqn.outs[0]).is_dynamic() || eqn.regions.iter().any(|region| allocates(body, region))
    })
}

impl Sweep {
    /// x̄ += v
    fn contribute(&mut self, x: Var, v: Var) {
        // Sizes that only rustc can compare may be written in two ways; a cotangent is typed like its variable.
        let dims = self.b.ty(x).dims.clone();
        let grown = |of: &[Dim]| of.first().is_some_and(Dim::is_ragged);
        // Two sizes of run time that are the same stay as they are.
        let same = |(a, b): (&Dim, &Dim)| a == b || a.is_dynamic() && b.is_dynamic();
        let v = match (grown(&self.b.ty(v).dims), grown(&dims)) {
            _ if dims.is_empty() => v,
            (false, false) if self.b.ty(v).dims.iter().zip(&dims).all(same) && self.b.ty(v).rank() == dims.len() => v,
            (true, false) => self.beginning(v, x),
            // Rows have the lengths that they have.
            (true, true)
                if self.b.ty(v).dims.iter().zip(&dims).skip(1).any(|(a, b)| a.is_ragged() || b.is_ragged()) =>
            {
                v
            }
            _ => reshape(&mut self.b, v, dims),
        };
        let before = self.reach_of(x);
        let bar = match self.bars.get(&x) {
            None => v,
            Some(old) if self.accumulating.contains(&x) => self.b.acc(*old, v, &[]),
            // Each is at least as long as the array, and what is behind its end is nobody's.
            Some(old) => match self.b.ty(*old).is_ragged() || self.b.ty(v).is_ragged() {
                true => self.b.acc_common(*old, v, &[]),
                false => self.b.add(*old, v),
            },
        };
        self.add_to(x, bar, before);
    }

    /// The first elements of the cotangent of an array that has grown: those of the array that it was.
    fn beginning(&mut self, v: Var, x: Var) -> Var {
        let (zero, length) = (self.b.zero_like(x), self.b.ty(x).dims[0].clone());
        self.b.for_loop((Dim::literal(0), length), &[zero], |b, i, carried| {
            let element = b.get(v, &[i]);
            vec![b.set(carried[0], element, &[i])]
        })[0]
    }

    /// The cotangent of a variable, with its reach.
    fn set_bar(&mut self, x: Var, bar: Var, reach: Reach) {
        self.set_reach(x, reach);
        if let Some(hint) = self.b.data(x).hint.clone() {
            self.b.name(bar, &format!("{hint}_bar"));
        }
        self.bars.insert(x, bar);
    }

    fn bar_or_zero(&mut self, x: Var) -> Var {
        self.bars.get(&x).copied().unwrap_or_else(|| self.b.zero_like(x))
    }

    fn reverse(&mut self, eqns: &[Eqn]) -> Result<(), Unsupported> {
        for eqn in eqns.iter().rev() {
            let reached = eqn.outs.iter().any(|out| self.reach_of(*out) != Reach::Never);
            if reached && eqn.outs.iter().any(|out| self.active.contains(out)) {
                self.b.span = Some(eqn.span);
                self.eqn(eqn)?;
                self.under = Reach::Always;
            }
        }
        Ok(())
    }

    fn eqn(&mut self, eqn: &Eqn) -> Result<(), Unsupported> {
        match &eqn.op {
            Op::For { .. } | Op::While { .. } => return self.looped(eqn),
            Op::If => return self.branch(eqn),
            op if op.is_black_box() => {
                self.under = Reach::Never;
                for out in &eqn.outs {
                    let reach = self.whole(self.reach_of(*out));
                    self.under = self.any(self.under, reach);
                }
                return self.where_reached(eqn, |sweep| sweep.black_box(eqn));
            }
            _ => {}
        }
        let (y, args) = (eqn.outs[0], &eqn.args);
        self.under = match eqn.op {
            Op::Map(_) => self.reach_of(y),
            _ => self.whole(self.reach_of(y)),
        };
        let Some(y_bar) = self.bars.remove(&y) else { return Ok(()) };
        let wants: Vec<bool> = args.iter().map(|arg| self.active.contains(arg)).collect();
        match &eqn.op {
            Op::Map(row) => {
                let under = self.under;
                for (k, partial) in partials(&mut self.b, row, args, y).into_iter().enumerate() {
                    // x̄ᵢ += ∂ᵢ·ȳ, summed back to the shape of the operand
                    if let (Some(partial), true) = (partial, wants[k]) {
                        let mut term = self.b.mul(partial, y_bar);
                        if row.algebra == Algebra::Choice && self.sensitive.contains(&args[k]) {
                            self.under = self.both(under, Reach::When(args[0], k == 1));
                        } else if !self.b.is_among_consts(partial) {
                            term = self.guard(term);
                        }
                        let dims = self.b.ty(args[k]).dims.clone();
                        let term = sum_to(&mut self.b, term, dims);
                        self.contribute(args[k], term);
                    }
                }
            }
            Op::Tensor(op) => {
                let reverse = |sweep: &mut Sweep| {
                    let bars = op.adjoint(&mut sweep.b, args, y, y_bar, &wants);
                    for ((arg, bar), wanted) in args.iter().zip(bars).zip(&wants) {
                        if let (Some(bar), true) = (bar, wanted) {
                            let bar = if op.class() == Class::Reduction { sweep.guard(bar) } else { bar };
                            sweep.contribute(*arg, bar);
                        }
                    }
                    Ok(())
                };
                return match op.class() {
                    Class::Kernel(_) => self.where_reached(eqn, reverse),
                    _ => reverse(self),
                };
            }
            Op::Cast => {
                let elem = self.b.ty(args[0]).elem.clone();
                let bar = self.b.cast(y_bar, &elem);
                self.contribute(args[0], bar);
            }
            Op::Copy => self.contribute(args[0], y_bar),
            Op::Pack => {
                for (k, arg) in args.iter().enumerate().filter(|(k, _)| wants[*k]) {
                    let at = self.b.dim(Dim::literal(i64::try_from(k).unwrap_or(i64::MAX)));
                    let bar = self.b.get(y_bar, &[at]);
                    self.contribute(*arg, bar);
                }
            }
            Op::Get => {
                let before = self.reach_of(args[0]);
                let old = self.bar_or_zero(args[0]);
                let bar = self.b.acc(old, y_bar, &args[1..]);
                self.add_to(args[0], bar, before);
            }
            Op::Set => {
                if wants[1] {
                    let bar = self.b.get(y_bar, &args[2..]);
                    self.contribute(args[1], bar);
                }
                if self.filled.contains(&args[0]) {
                    let before = self.reach_of(args[0]);
                    self.add_to(args[0], y_bar, before);
                } else if wants[0] {
                    let zero = self.b.zero_like(args[1]);
                    let bar = self.b.set(y_bar, zero, &args[2..]);
                    self.contribute(args[0], bar);
                }
            }
            // The elements after the new one are nobody's: what the earlier array had there may have been another value.
            Op::Push => {
                if wants[1] {
                    let bar = self.b.get(y_bar, &args[2..]);
                    self.contribute(args[1], bar);
                }
                if wants[0] {
                    let zero = self.b.zero_like(args[1]);
                    let bar = self.b.set(y_bar, zero, &args[2..]);
                    self.contribute(args[0], bar);
                }
            }
            Op::Acc => {
                if wants[1] {
                    let bar = self.b.get(y_bar, &args[2..]);
                    self.contribute(args[1], bar);
                }
                if wants[0] {
                    self.contribute(args[0], y_bar);
                }
            }
            _ => {}
        }
        Ok(())
    }
}
