//! What is set to the result of a branch is set in the branch.
//!
//! ```text
//! v = if c { a = get x i; yield a }          n = if c { a = get x i
//!          { b = get y i; yield b }    ->               s = set r a i; yield s }
//! n = set r v i                                       { b = get y i
//!                                                       t = set r b i; yield t }
//! ```
//!
//! So a row has the columns of its own branch, and no place for those of the others.

use super::{Tracked, Walk};
use crate::analysis::uses::collect_defined;
use crate::ir::var::HashSet;
use crate::ir::{Block, Eqn, Op, Var};

impl Walk<'_> {
    /// Moves writes into branches, where these need nothing but what is read of parameters.
    pub(super) fn moved_into_branches(&mut self, mut eqns: Vec<Eqn>, tracked: &Tracked) -> Vec<Eqn> {
        let mut arrays: HashSet<Var> = tracked.keys().copied().collect();
        let mut at = 0;
        while at < eqns.len() {
            let is_write = matches!(eqns[at].op, Op::Set | Op::Push) && arrays.contains(&eqns[at].args[0]);
            if is_write {
                arrays.extend(&eqns[at].outs);
                if let Some(branch) = self.branch_of(&eqns[..at], &eqns[at]) {
                    let write = eqns.remove(at);
                    self.write_in(&mut eqns[branch], &write);
                    continue;
                }
            }
            at += 1;
        }
        eqns
    }

    /// The branch that a write can move into.
    fn branch_of(&self, before: &[Eqn], write: &Eqn) -> Option<usize> {
        let value = write.args[1];
        let branch = before.iter().position(|eqn| matches!(eqn.op, Op::If) && eqn.outs.contains(&value))?;
        // The array may be one that the branch itself has set.
        let own = &before[branch].outs;
        let later: HashSet<Var> = before[branch..].iter().flat_map(|eqn| &eqn.outs).copied().collect();
        let is_before = |var: &Var| !later.contains(var);
        let has_place =
            (is_before(&write.args[0]) || own.contains(&write.args[0])) && write.args[2..].iter().all(is_before);
        let is_alone = before[branch].regions.iter().all(|region| self.reads_parameters_only(region));
        (has_place && is_alone).then_some(branch)
    }

    /// Whether a region needs no number that is computed outside of it.
    fn reads_parameters_only(&self, region: &Block) -> bool {
        let mut defined = HashSet::default();
        collect_defined(region, &mut defined);
        let mut holds = true;
        region.for_each_use(&mut |var| {
            let is_own = defined.contains(&var) || !self.active.contains(&var) || self.origins.contains_key(&var);
            holds &= is_own || self.inputs.iter().any(|input| input.var == var);
        });
        holds
    }

    fn write_in(&mut self, branch: &mut Eqn, write: &Eqn) {
        let place = |var: Var| branch.outs.iter().position(|out| *out == var);
        let (array, value) = (place(write.args[0]), place(write.args[1]));
        for region in &mut branch.regions {
            let mut write = write.clone();
            for (arg, own) in [(0, array), (1, value)] {
                if let Some(own) = own {
                    write.args[arg] = region.results[own];
                }
            }
            let out = self.b.var_like(write.outs[0], self.b.ty(write.outs[0]).clone(), "");
            write.outs = vec![out];
            region.eqns.push(write);
            region.results.push(out);
        }
        branch.outs.extend(&write.outs);
    }
}
