//! A loop of few iterations over few elements is its iterations, one after the other.
//!
//! ```text
//! y: f64[3] = for i in 0..3 carry (c = z) {     p0 = get x 0
//!     p = get x i                               q0 = mul p0 p0
//!     q = mul p p                       ->      c1 = set z q0 0
//!     n = set c q i                             p1 = get x 1
//!     yield n }                                 …
//! ```
//!
//! The vectors of robotics and graphics have two to four numbers. Where their elements are all that is needed, these become variables
//! ([`super::scalar_replacement`]), of which nothing is computed twice or for nothing; and rustc takes ten times as long for such a
//! loop as for its iterations. A loop over arrays that stay arrays stays a loop.

use super::clone_eqns;
use crate::analysis::elements::Elements;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::operator::Cost;
use crate::ir::var::HashMap;
use crate::ir::{Block, Body, Eqn, Op, Var, VarData, VarMap, VarSet};

/// The most iterations.
const ITERATIONS: i64 = 6;

/// The most equations of all iterations together.
const EQUATIONS: i64 = 144;

pub fn run(body: Body) -> Body {
    let short = short_loops(&body.vars, &body.block);
    unrolled(body, short)
}

/// Unrolls some loops of literal length, by their indices.
pub fn unrolled(body: Body, short: Vec<Var>) -> Body {
    let Body { name, vars, block, owned } = body;
    if short.is_empty() {
        return Body { name, vars, block, owned };
    }
    let short = short.into_iter().collect();
    let mut unroll = Unroll { b: Builder::with_vars(vars), short, renamed: VarMap::default() };
    let block = unroll.block(block);
    Body { name, vars: unroll.b.vars, block, owned }
}

/// The short loops over arrays that are nothing but their elements, by their indices.
fn short_loops(vars: &[VarData], block: &Block) -> Vec<Var> {
    fn collect(block: &Block, elements: &Elements, short: &mut Vec<Var>, vars: &[VarData]) {
        for eqn in &block.eqns {
            if equations(vars, eqn).is_some() && eqn.regions.iter().any(|region| touches(region, elements)) {
                short.push(eqn.regions[0].params[0]);
            }
            eqn.regions.iter().for_each(|region| collect(region, elements, short, vars));
        }
    }
    let elements = Elements::of(vars, block, &|eqn| equations(vars, eqn).is_some());
    let mut short = Vec::new();
    collect(block, &elements, &mut short, vars);
    short
}

/// Whether elements of such arrays are read or changed.
fn touches(block: &Block, elements: &Elements) -> bool {
    block.eqns.iter().any(|eqn| {
        matches!(eqn.op, Op::Get | Op::Set | Op::Acc) && !elements.is_whole(eqn.args[0])
            || eqn.regions.iter().any(|region| touches(region, elements))
    })
}

/// How many equations a short loop is, if it is one.
fn equations(vars: &[VarData], eqn: &Eqn) -> Option<i64> {
    let (lo, hi, _, region) = eqn.as_for()?;
    let count = hi.as_literal()?.checked_sub(lo.as_literal()?).filter(|count| (1..=ITERATIONS).contains(count))?;
    let mut all = 0;
    for eqn in &region.eqns {
        all += match &eqn.op {
            Op::Dim(_) | Op::Const(_) => 0,
            Op::Map(row) if row.cost == Cost::Function => return None,
            Op::Map(_) | Op::Cast | Op::Int(_) | Op::Zero(_) | Op::Pack | Op::Get | Op::Set | Op::Acc => 1,
            Op::For { .. } => equations(vars, eqn)?,
            _ => return None,
        };
        if eqn.outs.iter().any(|out| vars[out.0 as usize].ty.is_dynamic()) {
            return None;
        }
    }
    (all * count <= EQUATIONS).then_some(all * count)
}

struct Unroll {
    b: Builder,
    short: VarSet,
    /// What stands for the result of a loop that is gone.
    renamed: VarMap<Var>,
}

impl Unroll {
    fn block(&mut self, block: Block) -> Block {
        self.b.open_block();
        let Block { params, eqns, mut results } = block;
        for mut eqn in eqns {
            eqn.rename_own(&|var| self.renamed.last(var));
            eqn.regions = std::mem::take(&mut eqn.regions).into_iter().map(|region| self.block(region)).collect();
            match eqn.as_for() {
                Some((.., region)) if self.short.contains(region.params[0]) => self.unroll(&eqn),
                _ => self.b.push_eqn(eqn),
            }
        }
        for result in &mut results {
            *result = self.renamed.last(*result);
        }
        self.b.close_block(params, results)
    }

    fn unroll(&mut self, eqn: &Eqn) {
        self.b.span = Some(eqn.span);
        let Some((lo, hi, reverse, region)) = eqn.as_for() else { return };
        let mut indices: Vec<i64> = (lo.as_literal().unwrap_or(0)..hi.as_literal().unwrap_or(0)).collect();
        if reverse {
            indices.reverse();
        }
        let mut carried = eqn.args.clone();
        for index in indices {
            let index = self.b.dim_var(Dim::literal(index));
            let now = [&[index], &carried[..]].concat();
            let mut names: HashMap<Var, Var> = region.params.iter().copied().zip(now).collect();
            clone_eqns(&mut self.b, &region.eqns, &mut names);
            carried = region.results.iter().map(|result| *names.get(result).unwrap_or(result)).collect();
        }
        for (out, value) in eqn.outs.iter().zip(carried) {
            if let Some(hint) = self.b.data(*out).hint.clone() {
                self.b.name(value, &hint);
            }
            self.renamed.insert(*out, value);
        }
    }
}
