//! What integers are seen to be less than.

use crate::ir::dim::Dim;
use crate::ir::var::HashMap;
use crate::ir::{Block, IntOp, Op, Var};

/// How far definitions are followed.
const MAX_DEPTH: usize = 8;

/// What is known of an integer.
#[derive(Clone)]
enum Definition {
    Dim(Dim),
    Int(IntOp, Var, Var),
}

/// How the integers of a block are computed.
#[derive(Default)]
pub struct Bounds {
    definitions: HashMap<Var, Definition>,
    /// Indices of loops, with their ranges.
    indices: HashMap<Var, (Dim, Dim)>,
}

impl Bounds {
    pub fn of(block: &Block) -> Bounds {
        let mut bounds = Bounds::default();
        bounds.note(block);
        bounds
    }

    fn note(&mut self, block: &Block) {
        for eqn in &block.eqns {
            match &eqn.op {
                Op::Dim(dim) => drop(self.definitions.insert(eqn.outs[0], Definition::Dim(dim.clone()))),
                Op::Int(op) => {
                    let definition = Definition::Int(*op, eqn.args[0], eqn.args[1]);
                    self.definitions.insert(eqn.outs[0], definition);
                }
                Op::For { lo, hi, .. } => {
                    drop(self.indices.insert(eqn.regions[0].params[0], (lo.clone(), hi.clone())));
                }
                _ => {}
            }
            eqn.regions.iter().for_each(|region| self.note(region));
        }
    }

    /// Whether a number is the index of a loop.
    pub fn is_index(&self, var: Var) -> bool {
        self.indices.contains_key(&var)
    }

    /// Whether a number is defined as a size.
    pub fn is_size(&self, var: Var) -> bool {
        matches!(self.definitions.get(&var), Some(Definition::Dim(_)))
    }

    /// A number in terms of indices and of what is not computed from others.
    pub fn value(&self, var: Var) -> Dim {
        self.expand(var, 0)
    }

    /// A size in the same terms.
    pub fn size(&self, dim: &Dim) -> Dim {
        self.expand_dim(dim, 0)
    }

    /// Whether a number is seen to be less than a size.
    pub fn is_below(&self, var: Var, size: &Dim) -> bool {
        self.below(var, size, 0)
    }

    fn below(&self, var: Var, size: &Dim, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        match self.definitions.get(&var) {
            Some(Definition::Int(IntOp::Min, a, b)) => {
                return self.below(*a, size, depth + 1) || self.below(*b, size, depth + 1);
            }
            Some(Definition::Int(IntOp::Rem, _, by)) => {
                let room = self.expand_dim(size, depth).minus(&self.expand(*by, depth));
                return room.is_size() == Some(true);
            }
            _ => {}
        }
        let size = self.expand_dim(size, depth);
        let bounds = self.least_upper(&self.expand(var, depth), depth);
        bounds.iter().any(|bound| size.minus(bound).is_size() == Some(true))
    }

    /// Numbers that one more than a sum is never above. The size that they are compared with may have some of the indices, too.
    fn least_upper(&self, sum: &Dim, depth: usize) -> Vec<Dim> {
        let itself = sum.plus(&Dim::literal(1));
        let index = sum.vars().find(|var| self.indices.contains_key(var));
        let Some((index, (lo, hi))) = index.and_then(|index| Some((index, self.indices.get(&index)?))) else {
            return vec![itself];
        };
        if depth > MAX_DEPTH {
            return vec![itself];
        }
        let atom = Dim::of(index).to_string();
        let terms = sum.terms().filter(|(atoms, _)| atoms.iter().any(|other| **other == *atom));
        let signs: Vec<bool> = terms.map(|(_, coefficient)| coefficient > 0).collect();
        let ends = match (signs.iter().all(|sign| *sign), signs.iter().any(|sign| *sign)) {
            (true, _) => self.ends(hi).into_iter().map(|end| end.minus(&Dim::literal(1))).collect(),
            (_, false) => vec![lo.clone()],
            _ => Vec::new(),
        };
        let mut bounds = vec![itself];
        for end in ends {
            let replaced = sum.substitute(&|name| (name == atom).then(|| end.clone()));
            bounds.extend(self.least_upper(&self.expand_dim(&replaced, depth + 1), depth + 1));
        }
        bounds
    }

    /// The end of a range, or both of the numbers that it is the least of.
    fn ends(&self, hi: &Dim) -> Vec<Dim> {
        match hi.as_var().and_then(|var| self.definitions.get(&var)) {
            Some(Definition::Int(IntOp::Min, a, b)) => {
                [a, b].into_iter().flat_map(|end| self.ends(&Dim::of(*end))).collect()
            }
            _ => vec![hi.clone()],
        }
    }

    /// A number in terms of indices and of what is not computed from others.
    fn expand(&self, var: Var, depth: usize) -> Dim {
        let both = |a: &Var, b: &Var| (self.expand(*a, depth + 1), self.expand(*b, depth + 1));
        match self.definitions.get(&var).filter(|_| depth <= MAX_DEPTH) {
            Some(Definition::Dim(dim)) => self.expand_dim(dim, depth + 1),
            Some(Definition::Int(IntOp::Add, a, b)) => {
                let (a, b) = both(a, b);
                a.plus(&b)
            }
            Some(Definition::Int(IntOp::Sub, a, b)) => {
                let (a, b) = both(a, b);
                a.minus(&b)
            }
            Some(Definition::Int(IntOp::Mul, a, b)) => {
                let (a, b) = both(a, b);
                a.times(&b)
            }
            _ => Dim::of(var),
        }
    }

    fn expand_dim(&self, dim: &Dim, depth: usize) -> Dim {
        if depth > MAX_DEPTH {
            return dim.clone();
        }
        dim.substitute(&|atom| {
            let var = Dim::atom(atom).as_var()?;
            self.definitions.contains_key(&var).then(|| self.expand(var, depth + 1))
        })
    }
}
