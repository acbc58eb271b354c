//! Integers: those that are constants stay constants, so that loops over them have constant bounds; and their types, as far
//! as they are written.

use super::Lower;
use super::assign::unparen;
use super::value::Value;
use crate::ir::dim::{Comparison, Dim};
use crate::ir::{Elem, Var};
use crate::parse::ty::INTEGERS;
use syn::{BinOp, Expr, Lit, UnOp};

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

    /// The type of an integer, where it is visible without computing it.
    pub(super) fn integer_type(&self, expr: &Expr) -> Option<Elem> {
        let named = |name: &str| INTEGERS.contains(&name).then(|| Elem::Int(name.into()));
        match unparen(expr) {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(int) => named(int.suffix()),
                _ => None,
            },
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                match self.lookup(&name) {
                    Some(binding) => self.element_type(binding.value.as_ref()?),
                    None => {
                        let mut own = self.function.item.sig.generics.const_params();
                        own.any(|param| param.ident == name).then(Elem::usize)
                    }
                }
            }
            Expr::Field(_) => self.element_type(&self.named(expr)?),
            Expr::Index(index) => self.element_type(&self.named(&index.expr)?),
            Expr::Cast(cast) => named(&crate::parse::ty::spelled(&cast.ty)),
            Expr::Reference(reference) => self.integer_type(&reference.expr),
            Expr::Unary(unary) if !matches!(unary.op, UnOp::Not(_)) => self.integer_type(&unary.expr),
            Expr::Binary(binary) => {
                let shift = matches!(binary.op, BinOp::Shl(_) | BinOp::Shr(_));
                let right = || if shift { None } else { self.integer_type(&binary.right) };
                self.integer_type(&binary.left).or_else(right)
            }
            Expr::MethodCall(call) => match &call.method.to_string()[..] {
                "len" | "count" => Some(Elem::usize()),
                "abs" | "pow" | "clone" | "rem_euclid" | "div_euclid" => self.integer_type(&call.receiver),
                "min" | "max" | "clamp" | "saturating_sub" | "saturating_add" | "div_ceil" => {
                    self.integer_type(&call.receiver).or_else(|| self.integer_type(call.args.first()?))
                }
                _ => None,
            },
            Expr::Call(call) => match unparen(&call.func) {
                Expr::Path(path) if path.path.segments.len() == 2 => named(&path.path.segments[0].ident.to_string()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an expression is made of literals without a type.
    pub(super) fn is_literal(&self, expr: &Expr) -> bool {
        match unparen(expr) {
            Expr::Lit(_) => true,
            Expr::Unary(unary) => self.is_literal(&unary.expr),
            Expr::Binary(binary) => self.is_literal(&binary.left) && self.is_literal(&binary.right),
            Expr::Path(_) => matches!(self.named(expr), Some(Value::Untyped(untyped)) if untyped.number.is_some()),
            _ => false,
        }
    }

    /// The type of an integer, or of those in an array.
    fn element_type(&self, value: &Value) -> Option<Elem> {
        let elem = match value {
            Value::Leaf(var, _) => self.b.ty(*var).elem.clone(),
            Value::Slice(slice) => self.b.ty(slice.array()?.0).elem.clone(),
            _ => return None,
        };
        matches!(elem, Elem::Int(_)).then_some(elem)
    }
}

/// The value of an integer literal, or of what is computed from some.
pub(super) fn constant(value: &Value) -> Option<i64> {
    match value {
        Value::Untyped(untyped) if untyped.integer => untyped.number.map(|number| number as i64),
        _ => None,
    }
}
