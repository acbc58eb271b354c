//! How often variables are read.

use crate::ir::var::VarTable;
use crate::ir::{Block, Eqn, Var, VarMap, VarSet};
use std::collections::HashSet;

/// How often the variables of a body are read, in any of its blocks.
pub struct Uses(VarMap<usize>);

impl Uses {
    pub fn of(block: &Block) -> Uses {
        let mut uses = VarMap::default();
        block.for_each_use(&mut |var| *uses.entry(var) += 1);
        Uses(uses)
    }

    pub fn count(&self, var: Var) -> usize {
        self.0.get(var).copied().unwrap_or(0)
    }

    /// A variable is read where another one was.
    pub fn stands_for(&mut self, var: Var, other: Var) {
        let more = self.count(other);
        *self.0.entry(var) += more;
    }

    /// A variable is read once less now.
    pub fn drop_one(&mut self, var: Var) {
        *self.0.entry(var) -= 1;
    }
}

/// Where a block makes what: the places of the equations, by their results.
pub fn makers(block: &Block) -> VarTable<usize> {
    let mut makers = VarTable::default();
    for (k, eqn) in block.eqns.iter().enumerate() {
        makers.extend(eqn.outs.iter().map(|out| (*out, k)));
    }
    makers
}

/// The variables that a block and the blocks inside it define.
pub fn collect_defined(block: &Block, defined: &mut HashSet<Var>) {
    for eqn in &block.eqns {
        defined.extend(&eqn.outs);
        for region in &eqn.regions {
            defined.extend(&region.params);
            collect_defined(region, defined);
        }
    }
}

/// The results of equations of one kind, in a block and the blocks inside it.
pub fn made_by(block: &Block, is: &dyn Fn(&Eqn) -> bool) -> VarSet {
    fn collect(block: &Block, is: &dyn Fn(&Eqn) -> bool, made: &mut VarSet) {
        for eqn in &block.eqns {
            if is(eqn) {
                made.extend(&eqn.outs);
            }
            eqn.regions.iter().for_each(|region| collect(region, is, made));
        }
    }
    let mut made = VarSet::default();
    collect(block, is, &mut made);
    made
}
