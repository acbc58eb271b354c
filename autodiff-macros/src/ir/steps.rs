//! Functions of a few numbers, which callers take into their own bodies.
//!
//! Note [Steps]. No pass looks into a call. A loop that calls `sigmoid` does not run in lanes, and both the loop and the callee
//! keep what they need of one exponential. So the relay of such a function tells the steps it takes, and where it is called
//! its steps are the caller's. They are rows of the table and constants: nothing in them depends on the module they
//! come from.

use super::{Body, Elem, Op};
use crate::ir::operator::Cost;

/// How many steps are taken over at most.
const MOST: usize = 16;

/// What a function does with its arguments, which are numbers of one type.
#[derive(Clone, PartialEq, Debug)]
pub struct Steps {
    pub steps: Vec<Step>,
    /// The result, as an argument or a step: steps are counted on from the arguments.
    pub result: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    Constant(f64),
    /// A row of the table, by its name.
    Row(String, Vec<usize>),
}

impl Steps {
    /// Those of a body of a few steps that evaluates an elementary function. What has none is for rustc to inline.
    pub fn of(body: &Body) -> Option<Steps> {
        let (params, eqns) = (&body.block.params, &body.block.eqns);
        let elem = body.ty(*params.first()?).elem.clone();
        let is_number = |var: &super::Var| body.ty(*var).is_scalar() && body.ty(*var).elem == elem;
        let is_function = |op: &Op| matches!(op, Op::Map(row) if row.cost == Cost::Function);
        let [result] = body.block.results[..] else { return None };
        if !matches!(elem, Elem::F32 | Elem::F64)
            || !params.iter().all(is_number)
            || !is_number(&result)
            || eqns.len() > MOST
            || !eqns.iter().any(|eqn| is_function(&eqn.op))
        {
            return None;
        }
        let mut known = params.clone();
        let mut steps = Vec::new();
        for eqn in eqns {
            let place = |var| known.iter().position(|other| other == var);
            steps.push(match &eqn.op {
                Op::Const(value) if is_number(&eqn.outs[0]) => Step::Constant(*value),
                Op::Map(row) => Step::Row(row.name.to_owned(), eqn.args.iter().map(place).collect::<Option<_>>()?),
                _ => return None,
            });
            known.push(eqn.outs[0]);
        }
        Some(Steps { steps, result: known.iter().position(|var| *var == result)? })
    }
}
