//! Sizes and bounds: what is constant is known as such, all else is an integer of the program.

use super::Lower;
use super::assign::unparen;
use super::value::{Lowered, Reported, Value};
use crate::desugar::idents;
use crate::ir::dim::Dim;
use crate::ir::{Op, Var};
use crate::layout::Kind;
use syn::{BinOp, Expr, RangeLimits};

impl Lower<'_> {
    /// The bounds of a range, and whether it is gone through from the end.
    pub(super) fn range(&mut self, expr: &Expr) -> Lowered<(Dim, Dim, bool)> {
        let help = "loop over a range, `for i in 0..n`, and index with `i`";
        if let Expr::MethodCall(call) = unparen(expr) {
            if call.method == "rev" && call.args.is_empty() {
                let (lo, hi, reverse) = self.range(&call.receiver)?;
                return Ok((lo, hi, !reverse));
            }
        }
        let Expr::Range(range) = unparen(expr) else {
            return self.unsupported(expr, "a loop over anything but a range", help);
        };
        let (Some(lo), Some(hi)) = (&range.start, &range.end) else {
            return self.unsupported(expr, "a range without both ends", help);
        };
        let (lo, mut hi) = (self.bound(lo)?, self.bound(hi)?);
        if matches!(range.limits, RangeLimits::Closed(_)) {
            hi = hi.plus(&Dim::literal(1));
        }
        Ok((lo, hi, false))
    }

    /// A `usize`: a constant if it can be seen to be one.
    pub(super) fn bound(&mut self, expr: &Expr) -> Lowered<Dim> {
        if let Some(dim) = self.constant(expr) {
            return Ok(dim);
        }
        let var = self.index(expr)?;
        Ok(self.constant_dim(var).filter(|dim| !dim.is_dynamic()).unwrap_or_else(|| Dim::of(var)))
    }

    /// The constant that an expression is, if it is written as one.
    fn constant(&self, expr: &Expr) -> Option<Dim> {
        match unparen(expr) {
            Expr::Binary(binary) => {
                let (left, right) = (self.constant(&binary.left)?, self.constant(&binary.right)?);
                match binary.op {
                    BinOp::Add(_) => Some(left.plus(&right)),
                    BinOp::Sub(_) => Some(left.minus(&right)),
                    BinOp::Mul(_) => Some(left.times(&right)),
                    _ => None,
                }
            }
            Expr::Lit(_) => crate::parse::ty::dim(expr).as_literal().map(Dim::literal),
            Expr::Path(path) => {
                let local = path.path.get_ident().and_then(|ident| self.lookup(&ident.to_string()));
                match local {
                    None => Some(crate::parse::ty::dim(expr)),
                    Some(binding) => match &binding.value {
                        Some(Value::Untyped(untyped)) if untyped.integer => {
                            untyped.number.map(|number| Dim::literal(number as i64))
                        }
                        _ => None,
                    },
                }
            }
            _ => None,
        }
    }

    /// A constant `usize`: `N`, `N - 1`, `x.len()`.
    pub(super) fn size(&mut self, expr: &Expr) -> Lowered<Dim> {
        match unparen(expr) {
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                let (left, right) = (self.size(&binary.left)?, self.size(&binary.right)?);
                match binary.op {
                    BinOp::Add(_) => Ok(left.plus(&right)),
                    BinOp::Sub(_) => Ok(left.minus(&right)),
                    BinOp::Mul(_) => Ok(left.times(&right)),
                    _ if left.is_dynamic() || right.is_dynamic() => self.no_constant(expr),
                    BinOp::Div(_) => Ok(left.over(&right)),
                    _ => Ok(left.modulo(&right)),
                }
            }
            // What is computed of constants in any other way, rustc knows.
            Expr::Binary(_) | Expr::MethodCall(_) | Expr::Cast(_)
                if is_of_constants(expr) && idents(expr).iter().all(|name| self.lookup(name).is_none()) =>
            {
                Ok(Dim::atom(&format!("({})", crate::parse::ty::spelled(expr))))
            }
            Expr::MethodCall(call) if call.method == "len" => {
                let value = self.expr(&call.receiver)?;
                match value {
                    Value::Leaf(var, _) if !self.b.ty(var).is_scalar() => Ok(self.b.ty(var).dims[0].clone()),
                    Value::Slice(slice) if slice.count.is_none() && !slice.len.is_dynamic() => Ok(slice.len.clone()),
                    Value::Parts(Kind::Array, parts) => {
                        Ok(Dim::literal(i64::try_from(parts.len()).unwrap_or(i64::MAX)))
                    }
                    _ => self.unsupported(
                        expr,
                        "a length that is not a constant",
                        "use an array, whose length is in its type",
                    ),
                }
            }
            Expr::Path(path) => {
                let local = path.path.get_ident().and_then(|ident| self.lookup(&ident.to_string()).cloned());
                match local {
                    None => Ok(crate::parse::ty::dim(expr)),
                    Some(binding) => match binding.value {
                        Some(Value::Untyped(untyped)) => match untyped.number {
                            Some(number) => Ok(Dim::literal(number as i64)),
                            None => Ok(Dim::atom(&untyped.tokens.to_string())),
                        },
                        Some(Value::Leaf(var, _)) => match self.constant_dim(var) {
                            Some(dim) => Ok(dim),
                            None => self.no_constant(expr),
                        },
                        Some(_) => self.no_constant(expr),
                        None => Err(Reported),
                    },
                }
            }
            Expr::Lit(_) | Expr::Block(_) => Ok(crate::parse::ty::dim(expr)),
            _ => self.no_constant(expr),
        }
    }

    fn no_constant<T>(&mut self, expr: &Expr) -> Lowered<T> {
        self.unsupported(expr, "a size that is not a constant", "use a constant or a const parameter")
    }

    /// The symbolic value of an integer variable, where it is one.
    pub(super) fn constant_dim(&mut self, var: Var) -> Option<Dim> {
        let eqn = self.b.current().iter().find(|eqn| eqn.outs == [var])?;
        match &eqn.op {
            Op::Dim(dim) => Some(dim.clone()),
            _ => None,
        }
    }
}

fn is_arithmetic(op: &BinOp) -> bool {
    matches!(op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_))
}

/// Methods of integers that are `const`.
const CONST_METHODS: [&str; 8] =
    ["pow", "div_ceil", "isqrt", "ilog2", "next_power_of_two", "next_multiple_of", "abs_diff", "saturating_sub"];

/// Whether an expression is computed of constants alone, by what is `const`.
fn is_of_constants(expr: &Expr) -> bool {
    match unparen(expr) {
        Expr::Lit(_) => true,
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            last.arguments.is_none() && !name.contains(char::is_lowercase)
        }),
        Expr::Binary(binary) => is_of_constants(&binary.left) && is_of_constants(&binary.right),
        Expr::Cast(cast) => is_of_constants(&cast.expr),
        Expr::MethodCall(call) => {
            let is_const = CONST_METHODS.iter().any(|name| call.method == name);
            is_const && is_of_constants(&call.receiver) && call.args.iter().all(is_of_constants)
        }
        _ => false,
    }
}
