//! Small functions, which callers take into their own bodies.
//!
//! Note [Inlined functions]. No pass looks into a call. A loop that calls `sigmoid` does not run in lanes, both the loop and the
//! callee keep what they need of one exponential, and two rows of a Jacobian compute what they have in common twice. So the
//! relay of a small function of numbers and short arrays tells its body, and where it is called its equations are the
//! caller's. Nothing in them depends on the module they come from: they are rows of the table, branches, and loops of
//! constant length, over types that every module has. Operators on arrays do not travel: a body with some goes through the passes that
//! write these as loops and numbers first (`pass::inlinable`).
//!
//! The relay of a function that calls others tells its body when theirs are known, so that functions that call each other would
//! wait forever, and a callee without a relay would be rustc's error and not ours. So only those wait that are marked `inline`, and private
//! ones whose callees are marked functions of their own file. A private function is called in its own file, too: a circle in which all
//! wait, and nobody has marked one, is in one file and is found there (`source/circle.rs`).

use super::builder::Builder;
use super::text::{Find, parse_with, print};
use super::var::HashMap;
use super::{Block, Body, Elem, Eqn, Op, SavePolicy, Var};

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
        let is_small = operations(&body.block) <= most && is_plain(body, &body.block);
        (may_be_taken(body) && is_small).then(|| Inlinable { text: print(body) })
    }

    /// The body. `find` knows the rows of the table.
    pub fn body(&self, find: Find) -> Option<Body> {
        parse_with(&self.text, find).ok()
    }
}

/// Whether it is a function of short arrays of numbers.
pub fn may_be_taken(body: &Body) -> bool {
    let is_short = |var: &Var| body.ty(*var).is_float() && has_plain_type(body, *var);
    let Block { params, results, .. } = &body.block;
    body.owned.is_empty() && !params.is_empty() && params.iter().chain(results).all(is_short)
}

fn has_plain_type(body: &Body, var: Var) -> bool {
    let ty = body.ty(var);
    let elem = matches!(ty.elem, Elem::F32 | Elem::F64 | Elem::Bool) || ty.elem == Elem::usize();
    elem && (ty.is_scalar() || ty.bytes().is_some_and(|bytes| bytes <= LARGEST))
}

/// How many operations on numbers there are, not counting how often they run.
pub fn operations(block: &Block) -> usize {
    let own = |eqn: &Eqn| usize::from(matches!(eqn.op, Op::Map(_) | Op::Cast | Op::Int(_)));
    block.eqns.iter().map(|eqn| own(eqn) + eqn.regions.iter().map(operations).sum::<usize>()).sum()
}

/// Whether all types and operations are those that every module has.
fn is_plain(body: &Body, block: &Block) -> bool {
    let has_plain_operation = |eqn: &Eqn| match &eqn.op {
        Op::For { lo, hi, keep: SavePolicy::All, .. } => lo.as_literal().is_some() && hi.as_literal().is_some(),
        Op::Dim(dim) => dim.as_literal().is_some(),
        Op::Const(_)
        | Op::Zero
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
    block.params.iter().all(|param| has_plain_type(body, *param))
        && block.eqns.iter().all(|eqn| {
            has_plain_operation(eqn)
                && eqn.outs.iter().all(|out| has_plain_type(body, *out))
                && eqn.regions.iter().all(|region| is_plain(body, region))
        })
}

/// Adds the equations of a body, and returns its results.
pub fn take_in(b: &mut Builder, body: &Body, args: &[Var]) -> Vec<Var> {
    let mut names: HashMap<Var, Var> = body.block.params.iter().copied().zip(args.iter().copied()).collect();
    for eqn in &body.block.eqns {
        let eqn = renamed(b, body, eqn, &mut names);
        b.push_eqn(eqn);
    }
    body.block.results.iter().map(|result| *names.get(result).unwrap_or(result)).collect()
}

fn renamed(b: &mut Builder, body: &Body, eqn: &Eqn, names: &mut HashMap<Var, Var>) -> Eqn {
    let mut eqn = Eqn { span: b.current_span(), ..eqn.clone() };
    eqn.rename_own(&|var| *names.get(&var).unwrap_or(&var));
    for region in &mut eqn.regions {
        define(b, body, &mut region.params, names);
        region.eqns = std::mem::take(&mut region.eqns).iter().map(|eqn| renamed(b, body, eqn, names)).collect();
        region.results.iter_mut().for_each(|result| *result = *names.get(result).unwrap_or(result));
    }
    define(b, body, &mut eqn.outs, names);
    eqn
}

fn define(b: &mut Builder, body: &Body, vars: &mut [Var], names: &mut HashMap<Var, Var>) {
    for var in vars {
        let data = body.data(*var);
        let here = b.var(data.ty.clone(), data.hint.as_deref());
        names.insert(*var, here);
        *var = here;
    }
}
