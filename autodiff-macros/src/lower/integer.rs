//! Integers that are constants stay constants, so that loops over them have constant bounds.

use super::Lower;
use crate::ir::Var;
use crate::ir::dim::{Comparison, Dim};
use syn::BinOp;

impl Lower<'_> {
    /// `a op b`, if both are constants.
    pub(super) fn constant_sum(&mut self, op: &BinOp, a: Var, b: Var) -> Option<Dim> {
        let (a, b) = (self.fixed(a)?, self.fixed(b)?);
        match op {
            BinOp::Add(_) => Some(a.plus(&b)),
            BinOp::Sub(_) => Some(a.minus(&b)),
            BinOp::Mul(_) => Some(a.times(&b)),
            _ => None,
        }
    }

    /// `a.min(b)` and its like, if both are constants.
    pub(super) fn constant_method(&mut self, name: &str, a: Var, b: Var) -> Option<Dim> {
        if !matches!(name, "min" | "max" | "saturating_sub" | "div_ceil") {
            return None;
        }
        let (a, b) = (self.fixed(a)?, self.fixed(b)?);
        match (name, a.as_literal(), b.as_literal()) {
            ("min", Some(x), Some(y)) => Some(Dim::literal(x.min(y))),
            ("max", Some(x), Some(y)) => Some(Dim::literal(x.max(y))),
            ("min" | "max", ..) if matches!(a.compare(&b), Comparison::Equal) => Some(a),
            ("saturating_sub", Some(x), Some(y)) => Some(Dim::literal((x - y).max(0))),
            ("div_ceil", Some(x), Some(y)) if y > 0 => Some(Dim::literal((x + y - 1) / y)),
            _ => None,
        }
    }

    fn fixed(&mut self, var: Var) -> Option<Dim> {
        self.constant_dim(var).filter(|dim| !dim.is_dynamic())
    }
}
