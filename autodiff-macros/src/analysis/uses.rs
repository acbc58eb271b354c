//! How often variables are read.

use crate::ir::var::VarTable;
use crate::ir::{Block, Var, VarMap};

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
