//! The passes. Each is a plain function from body to body in its own file; what holds afterwards is beside it.

pub mod activity;
pub mod adjoint;
#[cfg(test)]
pub mod check;
pub mod checks;
pub mod combine_accumulations;
pub mod compose_indices;
pub mod compose_views;
pub mod contract;
pub mod deposit;
pub mod element_sums;
pub mod fuse;
pub mod gates;
pub mod gvn;
pub mod inplace;
pub mod iterations;
pub mod lengths;
pub mod linearize;
pub mod merge_branches;
pub mod order;
pub mod overwrite;
#[cfg(test)]
mod property_test;
#[cfg(test)]
mod random;
pub mod reuse;
pub mod rows;
pub mod scalar_replacement;
pub mod scalarize;
pub mod simplify;
pub mod sink;
pub mod split;
pub mod stack;
pub mod strip_mine;
pub mod tangent;
#[cfg(test)]
mod tests;
pub mod unroll;
pub mod vanish;
pub mod widen;

use crate::ir::builder::Builder;
use crate::ir::inline::{self, Inlinable};
use crate::ir::var::HashMap;
use crate::ir::{Block, Body, Eqn, Op, Var, verify};
use lengths::Lengths;

/// A transformation that keeps the meaning of a body.
pub struct Pass {
    pub name: &'static str,
    run: Run,
    loops: Loops,
}

/// What a pass is made of.
#[derive(Clone, Copy)]
enum Run {
    Body(fn(Body) -> Body),
    /// The same, which also reads the names of computed sizes.
    Lengths(fn(Body, &Lengths) -> Body),
}

/// What a pass may do to the direction of loops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loops {
    /// All of them run as they did.
    Kept,
    /// Those whose iterations have no order may be turned around.
    Turned,
}

const fn pass(name: &'static str, run: fn(Body) -> Body) -> Pass {
    Pass { name, run: Run::Body(run), loops: Loops::Kept }
}

/// Elements are read and added to with all of their indices.
const COMPOSE_INDICES: Pass = pass("compose_indices", compose_indices::run);

/// No number is computed of one that vanishes.
const VANISH: Pass = pass("vanish", vanish::run);

/// No equation is computed twice in a block, none is unused, no loop carries what it does not change.
const SIMPLIFY: Pass = pass("simplify", simplify::run);

/// Only kernels, calls and scalars are left; every other operator on arrays is a loop nest.
const SCALARIZE: Pass = pass("scalarize", scalarize::run);

/// No array only repeats elements of another, unless it is needed as a whole.
const COMPOSE_VIEWS: Pass = pass("compose_views", compose_views::run);

/// The elements of small arrays are variables.
const UNROLL: Pass = pass("unroll", unroll::run);
const SCALAR_REPLACEMENT: Pass = pass("scalar_replacement", scalar_replacement::run);

/// Arrays share places: see [`run_all_and_apart`].
const REUSE: Pass = pass("reuse", reuse::run);

/// Sums of tensors are partial sums, so that the loops around them vectorise.
const STRIP_MINE: Pass = pass("strip_mine", strip_mine::run);

/// What a body goes through before it is differentiated in reverse: of a row of which elements are read, those are saved,
/// and not the row.
pub const BEFORE_REVERSE: &[Pass] = &[
    COMPOSE_INDICES,
    // What is read or computed twice is one value, which is saved once.
    SIMPLIFY,
    // The gate of a GELU is a value of its own, which the reverse sweep reads.
    pass("gates", gates::run),
];

/// What the body with its reverse sweep goes through.
pub const AFTER_REVERSE: &[Pass] = &[
    COMPOSE_INDICES,
    // What an inner loop saves is written where the outer loop saves it.
    pass("sink", sink::run),
    // An array of arrays whose sizes are known at run time only is one array.
    pass("linearize", linearize::run),
];

/// What both sweeps go through before they are taken apart.
pub const BEFORE_SPLIT: &[Pass] = &[
    VANISH,
    // What a loop saves in several lists is handed over as one. In one body loops may become one, and the lists are not needed.
    pass("stack", stack::run),
];

/// What the body of a small function goes through that its callers take over: the names of its operators on arrays do not travel.
const BEFORE_INLINING: &[Pass] =
    &[COMPOSE_INDICES, SIMPLIFY, SCALARIZE, COMPOSE_VIEWS, UNROLL, SCALAR_REPLACEMENT, pass("gvn", gvn::run)];

/// What a derivative goes through before it is differentiated again.
pub const BETWEEN_ORDERS: &[Pass] = &[SIMPLIFY];

/// What every function goes through on its way to code, whichever derivative it is.
pub const PASSES: &[Pass] = &[
    COMPOSE_INDICES,
    // What is computed of the changes of rotations is zero.
    VANISH,
    SIMPLIFY,
    // Nothing is tested that is known.
    pass("passed_checks", checks::drop_passed),
    SCALARIZE,
    // Sizes that have a name are written by it.
    Pass { name: "lengths", run: Run::Lengths(lengths::run), loops: Loops::Kept },
    COMPOSE_VIEWS,
    // Neighbouring loops over the same range are one; what one stores and the other reads stays in a register.
    Pass { name: "fuse", run: Run::Body(fuse::run), loops: Loops::Turned },
    // No array has an axis of which every iteration of a loop only sees its own place.
    pass("contract", contract::run),
    UNROLL,
    SCALAR_REPLACEMENT,
    // Branches of numbers on one condition are one.
    pass("merge_branches", merge_branches::run),
    // Nothing is computed twice, also if it takes a loop.
    pass("gvn", gvn::run),
    // In a block an element is added to once; no loop adds up a whole number.
    pass("combine_accumulations", combine_accumulations::run),
    // An array that dies where another is made gives its place to it.
    REUSE,
    // An array is updated in place only where its old value is not read again; otherwise it is copied first.
    pass("inplace", inplace::run),
    // What is added to zeros first is set.
    pass("overwrite", overwrite::own_zeros),
    STRIP_MINE,
];

/// All of them but the last. A gradient that is set, not added, is made of what these leave: `overwrite` and `deposit` find
/// elements by the indices of loops, of which sums in lanes have two.
pub const BEFORE_LANES: &[Pass] = PASSES.split_at(PASSES.len() - 1).0;

/// Runs the passes; in debug builds of the macro every result is verified. `observe` sees each of them.
pub fn run_all(body: Body, lengths: &Lengths, observe: &mut dyn FnMut(&str, &Body)) -> Body {
    observe("built", &body);
    check("the front end or a derivative transformation", &body);
    run_observed(PASSES, body, lengths, observe)
}

/// The same without the last of them: see [`in_lanes`].
pub fn run_before_lanes(body: Body, lengths: &Lengths, observe: &mut dyn FnMut(&str, &Body)) -> Body {
    observe("built", &body);
    check("a derivative transformation", &body);
    run_observed(BEFORE_LANES, body, lengths, observe)
}

/// The last pass, for a body of [`run_before_lanes`].
pub fn in_lanes(body: Body, observe: &mut dyn FnMut(&str, &Body)) -> Body {
    run_observed(&[STRIP_MINE], body, &Lengths::default(), observe)
}

/// The same, and the body in which no array has its place from another one: along several directions arrays of tangents are
/// wider than those of values.
pub fn run_all_and_apart(body: Body, lengths: &Lengths, observe: &mut dyn FnMut(&str, &Body)) -> (Body, Body) {
    let sharing = PASSES.iter().position(|pass| pass.name == REUSE.name).unwrap_or(PASSES.len());
    let (before, after) = PASSES.split_at(sharing);
    observe("built", &body);
    check("the front end or a derivative transformation", &body);
    let body = run_observed(before, body, lengths, observe);
    let others = after.get(1..).unwrap_or_default();
    let apart = run_observed(others, body.clone(), lengths, &mut |_, _| {});
    (run_observed(after, body, lengths, observe), apart)
}

/// The passes for a body some of whose numbers become wide, and make of it what `widen` says: no array has its place from another
/// one, and no wide number is added up in lanes, since it has lanes of its own.
pub fn run_all_in_lanes<E>(
    body: Body,
    lengths: &Lengths,
    widen: impl FnOnce(Body) -> Result<Body, E>,
    observe: &mut dyn FnMut(&str, &Body),
) -> Result<Body, E> {
    observe("built", &body);
    check("a derivative transformation", &body);
    let body = PASSES
        .iter()
        .filter(|pass| ![REUSE.name, STRIP_MINE.name].contains(&pass.name))
        .fold(body, |body, pass| run_observed(std::slice::from_ref(pass), body, lengths, observe));
    let body = widen(body)?;
    observe("widen", &body);
    check("widen", &body);
    Ok(run_observed(&[STRIP_MINE], body, lengths, observe))
}

fn run_observed(passes: &[Pass], body: Body, lengths: &Lengths, observe: &mut dyn FnMut(&str, &Body)) -> Body {
    passes.iter().fold(body, |body, pass| {
        let body = pass.checked(body, lengths);
        observe(pass.name, &body);
        check(pass.name, &body);
        body
    })
}

/// Runs some of the passes; in debug builds of the macro every result is verified.
pub fn run(passes: &[Pass], body: Body) -> Body {
    run_observed(passes, body, &Lengths::default(), &mut |_, _| {})
}

/// The body of a function that its callers may take over, if it is small: see Note [Inlined functions].
pub fn inlinable(body: &Body, wanted: bool) -> Option<Inlinable> {
    fn has_operators(block: &Block) -> bool {
        block.eqns.iter().any(|eqn| matches!(eqn.op, Op::Tensor(_)) || eqn.regions.iter().any(has_operators))
    }
    match has_operators(&body.block) && inline::may_be_taken(body) {
        true => Inlinable::of(&run(BEFORE_INLINING, body.clone()), wanted),
        false => Inlinable::of(body, wanted),
    }
}

impl Pass {
    /// Runs the pass.
    pub fn run(&self, body: Body, lengths: &Lengths) -> Body {
        match self.run {
            Run::Body(run) => run(body),
            Run::Lengths(run) => run(body, lengths),
        }
    }

    /// Runs the pass. In debug builds of the macro it is checked that no loop has been turned around that may not be.
    fn checked(&self, body: Body, lengths: &Lengths) -> Body {
        if !cfg!(debug_assertions) {
            return self.run(body, lengths);
        }
        let before = (self.loops == Loops::Turned).then(|| body.clone());
        let directions = order::Directions::of(&body);
        let body = self.run(body, lengths);
        let held = match &before {
            Some(before) => order::verify_directions(before, &body).and_then(|()| order::verify(&body)),
            None => directions.verify(&body),
        };
        must(self.name, &body, held);
        body
    }
}

/// Checks what a pass has made, in debug builds of the macro.
pub fn check(pass: &str, body: &Body) {
    if cfg!(debug_assertions) {
        must(pass, body, verify::verify(body));
    }
}

/// Names the guilty pass. A panic here is a bug of ours; the entry point turns it into an error that says so.
fn must(pass: &str, body: &Body, held: Result<(), String>) {
    if let Err(problem) = held {
        panic!("`{pass}` left an invalid body: {problem}\n{}", crate::ir::text::print(body));
    }
}

/// Copies equations of a forward sweep into a reverse sweep: into the builder's current block, with fresh variables, which
/// are recorded in `names`. What has an effect is marked as repeated.
pub fn clone_eqns(b: &mut Builder, eqns: &[Eqn], names: &mut HashMap<Var, Var>) {
    for eqn in eqns {
        let copy = clone_eqn(b, eqn, names);
        b.push_eqn(copy);
    }
}

fn clone_eqn(b: &mut Builder, eqn: &Eqn, names: &mut HashMap<Var, Var>) -> Eqn {
    let args = eqn.args.iter().map(|arg| *names.get(arg).unwrap_or(arg)).collect();
    let mut op = eqn.op.clone();
    op.rename(&|var| *names.get(&var).unwrap_or(&var));
    crate::ir::effect::repeat(&mut op, eqn);
    let regions = eqn.regions.iter().map(|region| clone_block(b, region, names)).collect();
    let outs: Vec<Var> = eqn.outs.iter().map(|out| fresh(b, *out, names)).collect();
    Eqn { outs, op, args, regions, span: eqn.span }
}

fn clone_block(b: &mut Builder, block: &Block, names: &mut HashMap<Var, Var>) -> Block {
    let params = block.params.iter().map(|param| fresh(b, *param, names)).collect();
    let eqns = block.eqns.iter().map(|eqn| clone_eqn(b, eqn, names)).collect();
    let results = block.results.iter().map(|result| *names.get(result).unwrap_or(result)).collect();
    Block { params, eqns, results }
}

/// A new variable with the type and name of another.
pub fn fresh(b: &mut Builder, var: Var, names: &mut HashMap<Var, Var>) -> Var {
    let mut ty = b.ty(var).clone();
    ty.rename(&|size| *names.get(&size).unwrap_or(&size));
    let copy = b.var_like(var, ty, "");
    names.insert(var, copy);
    copy
}
