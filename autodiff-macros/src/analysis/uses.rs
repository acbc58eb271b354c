//! How often variables are read.

use crate::ir::var::HashSet;
use crate::ir::var::VarTable;
use crate::ir::{Block, Eqn, Var, VarMap, VarSet};

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
        collect_inside(eqn, defined);
    }
}

/// The variables that the blocks of an equation define.
pub fn collect_inside(eqn: &Eqn, defined: &mut HashSet<Var>) {
    for region in &eqn.regions {
        defined.extend(&region.params);
        collect_defined(region, defined);
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

/// Where and how often the variables of a body are read.
pub struct Reads {
    uses: Uses,
    here: VarSet,
    by_regions: VarSet,
}

impl Reads {
    pub fn of(block: &Block) -> Reads {
        let mut reads = Reads { uses: Uses::of(block), here: VarSet::default(), by_regions: VarSet::default() };
        reads.collect(block, &mut 0, &mut VarMap::default());
        reads
    }

    /// `made`: the numbers of the blocks that make variables.
    fn collect(&mut self, block: &Block, next: &mut usize, made: &mut VarMap<usize>) {
        let own = *next;
        *next += 1;
        for eqn in &block.eqns {
            for arg in eqn.args.iter().filter(|arg| made.get(**arg) == Some(&own)) {
                self.here.insert(*arg);
                if !eqn.regions.is_empty() {
                    self.by_regions.insert(*arg);
                }
            }
            eqn.regions.iter().for_each(|region| self.collect(region, next, made));
            made.extend(eqn.outs.iter().map(|out| (*out, own)));
        }
        self.here.extend(block.results.iter().copied().filter(|result| made.get(*result) == Some(&own)));
    }

    /// How often a variable is read, in any block.
    pub fn count(&self, var: Var) -> usize {
        self.uses.count(var)
    }

    /// Whether it is read in the block that makes it, not only in a loop or a branch there.
    pub fn is_here(&self, var: Var) -> bool {
        self.here.contains(var)
    }

    /// Whether it is an argument of a loop or a branch in the block that makes it.
    pub fn is_by_region(&self, var: Var) -> bool {
        self.by_regions.contains(var)
    }
}
