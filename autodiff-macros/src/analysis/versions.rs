//! What becomes of an array in an iteration of a loop that carries it.

use super::updates::updated;
use crate::ir::{Block, Elem, Eqn, Op, Ty, Var, VarData};

/// The versions of a carried array in an iteration, from its start to its end, if the iteration changes few of its
/// elements, one after the other, at places that can be computed from the indices of the loops.
pub fn versions(vars: &[VarData], eqn: &Eqn, carried: usize) -> Option<Vec<Var>> {
    let region = eqn.step();
    let array = eqn.carried()[carried];
    let mut around = Around { vars, regions: vec![region], counted: eqn.as_for().is_some() };
    let ty = around.ty(array);
    let tiny =
        ty.dims.iter().try_fold(1_i64, |size, dim| Some(size * dim.as_literal()?)).is_some_and(|size| size <= 16);
    if ty.rank() == 0 || tiny || ty.is_ragged() || matches!(ty.elem, Elem::Data(_)) {
        return None;
    }
    let mut versions = vec![array];
    around.follow(array, &mut versions).filter(|last| *last == region.results[carried])?;
    (versions.len() > 1).then_some(versions)
}

/// A loop and those inside it, down to some place.
struct Around<'r> {
    vars: &'r [VarData],
    regions: Vec<&'r Block>,
    /// Whether the first parameter of the outermost is an index.
    counted: bool,
}

impl Around<'_> {
    fn ty(&self, var: Var) -> &Ty {
        &self.vars[var.0 as usize].ty
    }

    /// Goes through the changes of an array in the innermost of the regions, and gives the last.
    fn follow(&mut self, array: Var, versions: &mut Vec<Var>) -> Option<Var> {
        let region = *self.regions.last()?;
        let depth = self.regions.len() - 1;
        let mut version = array;
        for eqn in &region.eqns {
            if !updated(eqn).into_iter().any(|at| eqn.args[at] == version) {
                continue;
            }
            version = match &eqn.op {
                Op::Set | Op::Acc if eqn.args.len() > 2 && eqn.args[1] != version => {
                    let few = depth + self.ty(eqn.args[1]).rank() < self.ty(array).rank();
                    let known = eqn.args[2..].iter().all(|at| self.is_index(*at));
                    (few && known).then_some(eqn.outs[0])?
                }
                Op::For { lo, hi, .. } => {
                    let k = eqn.args.iter().position(|arg| *arg == version)?;
                    let inner = &eqn.regions[0];
                    let known = lo.vars().chain(hi.vars()).all(|var| self.is_index(var));
                    self.regions.push(inner);
                    let last = self.follow(inner.params[k + 1], &mut Vec::new());
                    self.regions.pop();
                    (known && last? == inner.results[k]).then_some(eqn.outs[k])?
                }
                _ => return None,
            };
            versions.push(version);
        }
        Some(version)
    }

    /// Whether a number can be computed from the indices of the loops and what is outside of them.
    fn is_index(&self, var: Var) -> bool {
        let mut regions = self.regions.iter().enumerate();
        if let Some((depth, region)) = regions.find(|(_, region)| region.params.contains(&var)) {
            return region.params[0] == var && (depth > 0 || self.counted);
        }
        let mut eqns = self.regions.iter().flat_map(|region| &region.eqns);
        eqns.find(|eqn| eqn.outs.contains(&var)).is_none_or(|eqn| {
            let arithmetic = matches!(eqn.op, Op::Int(_) | Op::Dim(_) | Op::Cast | Op::Len);
            arithmetic && !self.ty(var).is_float() && eqn.own_uses().into_iter().all(|used| self.is_index(used))
        })
    }
}
