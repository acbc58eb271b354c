//! How many iterations a loop has at most, where its bounds are indices of the loops around it: what `for j in 0..=i` keeps
//! fits in as many places as `i` can have values, and needs no heap.

use super::Sweep;
use crate::ir::dim::Dim;
use crate::ir::{Block, Elem, IntOp, Op, Var};
use std::collections::HashMap;

/// What is known of the integers of a body.
#[derive(Default)]
pub(super) struct Bounds {
    /// Indices of loops, and their ranges.
    ranges: HashMap<Var, (Dim, Dim)>,
    /// Numbers as sums and products of others.
    forms: HashMap<Var, Form>,
    /// Copies of variables.
    origins: HashMap<Var, Var>,
}

enum Form {
    Dim(Dim),
    Int(IntOp, Var, Var),
}

impl Bounds {
    pub fn new(block: &Block) -> Bounds {
        let mut bounds = Bounds::default();
        bounds.note(block);
        bounds
    }

    fn note(&mut self, block: &Block) {
        for eqn in &block.eqns {
            match &eqn.op {
                Op::For { lo, hi, .. } => {
                    drop(self.ranges.insert(eqn.regions[0].params[0], (lo.clone(), hi.clone())));
                }
                Op::Dim(dim) => drop(self.forms.insert(eqn.outs[0], Form::Dim(dim.clone()))),
                Op::Int(op) => drop(self.forms.insert(eqn.outs[0], Form::Int(*op, eqn.args[0], eqn.args[1]))),
                _ => {}
            }
            eqn.regions.iter().for_each(|region| self.note(region));
        }
    }

    pub fn copied(&mut self, from: Var, to: Var) {
        let origin = self.origin(from);
        self.origins.insert(to, origin);
    }

    fn origin(&self, var: Var) -> Var {
        self.origins.get(&var).copied().unwrap_or(var)
    }

    /// A size in terms of indices and of what is outside of loops.
    fn expand(&self, dim: &Dim) -> Dim {
        let mut sum = Dim::literal(0);
        let (plus, minus) = dim.signs();
        for (part, sign) in [(plus, 1), (minus, -1)] {
            for (atoms, coefficient) in part.terms() {
                let product = atoms.iter().fold(Dim::literal(sign * coefficient), |product, atom| {
                    let atom = Dim::atom(atom);
                    product.times(&atom.as_var().map_or(atom, |var| self.expanded(var)))
                });
                sum = sum.plus(&product);
            }
        }
        sum
    }

    fn expanded(&self, var: Var) -> Dim {
        let var = self.origin(var);
        match self.forms.get(&var) {
            Some(Form::Dim(dim)) => self.expand(dim),
            Some(Form::Int(IntOp::Add, a, b)) => self.expanded(*a).plus(&self.expanded(*b)),
            Some(Form::Int(IntOp::Sub, a, b)) => self.expanded(*a).minus(&self.expanded(*b)),
            Some(Form::Int(IntOp::Mul, a, b)) => self.expanded(*a).times(&self.expanded(*b)),
            _ => Dim::of(var),
        }
    }

    /// A constant that a size is never above, or never below.
    fn bound(&self, dim: &Dim, above: bool) -> Option<Dim> {
        let (plus, minus) = dim.signs();
        let mut sum = Dim::literal(0);
        for (part, positive) in [(plus, true), (minus, false)] {
            for (atoms, coefficient) in part.terms() {
                let start = Dim::literal(if positive { coefficient } else { -coefficient });
                let product = atoms.iter().try_fold(start, |product, atom| {
                    let atom = Dim::atom(atom);
                    let factor = match atom.as_var() {
                        Some(var) => self.limit(var, above == positive)?,
                        None => atom,
                    };
                    Some(product.times(&factor))
                })?;
                sum = sum.plus(&product);
            }
        }
        (!sum.is_dynamic()).then_some(sum)
    }

    fn limit(&self, var: Var, above: bool) -> Option<Dim> {
        match self.ranges.get(&self.origin(var)) {
            Some((_, hi)) if above => Some(self.bound(&self.expand(hi), true)?.minus(&Dim::literal(1))),
            Some((lo, _)) => self.bound(&self.expand(lo), false).or_else(|| Some(Dim::literal(0))),
            None => None,
        }
    }
}

impl Sweep {
    /// The length of an array that has a place for each number from `lo` to `hi`, if it can be a constant.
    pub(super) fn places(&self, lo: &Dim, hi: &Dim) -> Option<Dim> {
        let count = self.bounds.bound(&self.bounds.expand(&hi.minus(lo)), true)?;
        let (plus, minus) = count.signs();
        let count = match count.as_literal() {
            Some(value) => Dim::literal(value.max(0)),
            None if !minus.is(0) => plus,
            None => count,
        };
        count.is_simple().then_some(count)
    }

    /// What is known of integers holds for their copies.
    pub(super) fn inherit_bounds(&mut self, names: &HashMap<Var, Var>) {
        for (var, copy) in names {
            if matches!(self.b.ty(*var).elem, Elem::Int(_)) {
                self.bounds.copied(*var, *copy);
            }
        }
    }
}
