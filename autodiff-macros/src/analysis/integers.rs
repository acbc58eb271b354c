//! What is known of the integers of a body: how they are computed from the indices of loops, and how large they can be.

use crate::ir::dim::Dim;
use crate::ir::var::VarTable;
use crate::ir::{Block, Eqn, IntOp, Op, Var};

/// What is known of the integers of a body.
#[derive(Default)]
pub struct Integers {
    /// Indices of loops, and their ranges.
    ranges: VarTable<(Dim, Dim)>,
    /// Numbers as sums and products of others.
    forms: VarTable<Form>,
    /// Those that are a literal, or the index of a loop and a literal.
    affine: VarTable<Affine>,
    /// Copies of variables.
    origins: VarTable<Var>,
}

enum Form {
    Dim(Dim),
    Int(IntOp, Var, Var),
}

/// A literal, or the index of a loop and a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Affine {
    pub index: Option<Var>,
    pub offset: i64,
}

impl Integers {
    pub fn of(block: &Block) -> Integers {
        Integers::of_equations(&block.eqns)
    }

    /// Of some equations.
    pub fn of_equations<'e>(eqns: impl IntoIterator<Item = &'e Eqn>) -> Integers {
        let mut integers = Integers::default();
        integers.note(eqns);
        integers
    }

    fn note<'e>(&mut self, eqns: impl IntoIterator<Item = &'e Eqn>) {
        for eqn in eqns {
            match &eqn.op {
                Op::For { lo, hi, .. } => {
                    let index = eqn.regions[0].params[0];
                    self.ranges.insert(index, (lo.clone(), hi.clone()));
                    self.affine.insert(index, Affine { index: Some(index), offset: 0 });
                }
                Op::Dim(dim) => {
                    let literal = dim.as_literal().map(|offset| (eqn.outs[0], Affine { index: None, offset }));
                    self.affine.extend(literal);
                    self.forms.insert(eqn.outs[0], Form::Dim(dim.clone()));
                }
                Op::Int(op) => {
                    let sum = self.sum(*op, eqn.args[0], eqn.args[1]).map(|sum| (eqn.outs[0], sum));
                    self.affine.extend(sum);
                    self.forms.insert(eqn.outs[0], Form::Int(*op, eqn.args[0], eqn.args[1]));
                }
                _ => {}
            }
            eqn.regions.iter().for_each(|region| self.note(&region.eqns));
        }
    }

    fn sum(&self, op: IntOp, a: Var, b: Var) -> Option<Affine> {
        let (a, b) = (self.affine.get(&a)?, self.affine.get(&b)?);
        match (op, b.index) {
            (IntOp::Add, None) => Some(Affine { index: a.index, offset: a.offset.checked_add(b.offset)? }),
            (IntOp::Sub, None) => Some(Affine { index: a.index, offset: a.offset.checked_sub(b.offset)? }),
            (IntOp::Add, Some(_)) if a.index.is_none() => {
                Some(Affine { index: b.index, offset: a.offset.checked_add(b.offset)? })
            }
            _ => None,
        }
    }

    /// A number as a literal, or as the index of a loop and a literal.
    pub fn affine(&self, var: Var) -> Option<Affine> {
        self.affine.get(&var).copied()
    }

    /// A constant that a size is never above.
    pub fn upper_bound(&self, dim: &Dim) -> Option<Dim> {
        self.bound(&self.expand(dim), true)
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

    /// A number in terms of indices and of what is not computed from these.
    pub fn expanded(&self, var: Var) -> Dim {
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
