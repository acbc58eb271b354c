//! Comparisons whose result is an `Ordering`, which has no value here: what it is compared with says what is computed.

use super::Lower;
use super::assign::unparen;
use super::pattern::Subject;
use super::value::{Lowered, Value};
use crate::ir::Var;
use crate::layout::Form;
use crate::op::elementwise as rows;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::{BinOp, Expr, Pat};

impl Lower<'_> {
    /// `a.cmp(&b)`, whose result has no value here.
    pub(super) fn order(&mut self, expr: &Expr) -> Lowered<Option<Order>> {
        let Expr::MethodCall(call) = unparen(expr) else { return Ok(None) };
        match &*call.method.to_string() {
            "unwrap" | "expect" => return self.order(&call.receiver),
            "reverse" if call.args.is_empty() => {
                return Ok(self.order(&call.receiver)?.map(Order::reversed));
            }
            _ => {}
        }
        let [other] = &call.args.iter().collect::<Vec<_>>()[..] else { return Ok(None) };
        let total = call.method == "total_cmp";
        if !is_comparison(&call.method) {
            return Ok(None);
        }
        let (left, right) = (self.expr(&call.receiver)?, self.expr(other)?);
        Ok(match (left, right) {
            (Value::Leaf(x, Form::Plain), right) if self.b.ty(x).is_scalar() => {
                let ty = self.b.ty(x).clone();
                Some(Order { left: x, right: self.leaf_like(right, &ty, other)?, total })
            }
            (left, right) if !total => {
                let order = self.order_of_parts(&call.method, &left, &right);
                order.map(|(left, right)| Order { left, right, total })
            }
            _ => None,
        })
    }

    /// The same comparison of operands that are evaluated already: it may be lowered again.
    pub(super) fn compared_once(&mut self, expr: &Expr) -> Lowered<Expr> {
        let mut expr = unparen(expr).clone();
        if let Expr::MethodCall(call) = &mut expr {
            match &mut call.args.iter_mut().collect::<Vec<_>>()[..] {
                [other] if is_comparison(&call.method) => {
                    *call.receiver = self.named_once(&call.receiver, "__autodiff_left")?;
                    **other = self.named_once(other, "__autodiff_right")?;
                }
                _ => *call.receiver = self.compared_once(&call.receiver)?,
            }
        }
        Ok(expr)
    }

    /// `a.partial_cmp(&b) == Some(Ordering::Less)`
    pub(super) fn order_comparison(&mut self, binary: &syn::ExprBinary) -> Lowered<Option<Value>> {
        if !matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_)) || !is_order(&binary.left) {
            return Ok(None);
        }
        self.scoped(|lower| {
            let compared = lower.compared_once(&binary.left)?;
            let pat = syn::parse::Parser::parse2(Pat::parse_single, binary.right.to_token_stream());
            if let (Some(order), Ok(pat)) = (lower.order(&compared)?, pat) {
                let fits = lower.is_order(&pat, order)?;
                let fits = if matches!(binary.op, BinOp::Ne(_)) { lower.b.map(&rows::not, &[fits]) } else { fits };
                return Ok(Some(Value::Leaf(fits, Form::Plain)));
            }
            let (left, right) = (lower.expr(&compared)?, lower.expr(&binary.right)?);
            lower.binary_values(binary, &binary.op, (&compared, left), (&binary.right, right)).map(Some)
        })
    }

    pub(super) fn is_order(&mut self, pat: &Pat, order: Order) -> Lowered<Var> {
        let name = match pat {
            Pat::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            Pat::Ident(ident) => Some(ident.ident.to_string()),
            // `Some(Ordering::Less)`
            Pat::TupleStruct(tuple) if tuple.elems.len() == 1 => {
                let fits = self.fits(&tuple.elems[0], &Subject::Order(order))?;
                return match fits {
                    Some(fits) => Ok(fits),
                    None => self.ordered(order.left, order.right),
                };
            }
            _ => None,
        };
        match name.as_deref() {
            Some("Less") => Ok(self.is_less(order)),
            Some("Equal") => self.is_equal(order),
            Some("Greater") => Ok(self.is_less(order.reversed())),
            Some("None") => {
                let ordered = self.ordered(order.left, order.right)?;
                Ok(self.b.map(&rows::not, &[ordered]))
            }
            _ => self.unsupported(pat, "this pattern", "use `Less`, `Equal` and `Greater`"),
        }
    }

    fn is_less(&mut self, Order { left, right, total }: Order) -> Var {
        if total { self.b.map(&rows::follows, &[right, left]) } else { self.b.map(&rows::lt, &[left, right]) }
    }

    fn is_equal(&mut self, order: Order) -> Lowered<Var> {
        if !order.total {
            return Ok(self.b.map(&rows::eq, &[order.left, order.right]));
        }
        let (less, greater) = (self.is_less(order), self.is_less(order.reversed()));
        let differs = self.either(less, greater)?;
        Ok(self.b.map(&rows::not, &[differs]))
    }

    /// `a.total_cmp(&b).is_gt()`, if that is what it is.
    pub(super) fn order_method(&mut self, call: &syn::ExprMethodCall) -> Lowered<Option<Value>> {
        let name = call.method.to_string();
        let is_ours = matches!(&name[..], "is_lt" | "is_gt" | "is_le" | "is_ge" | "is_eq" | "is_ne");
        if !is_ours || !call.args.is_empty() || !is_order(&call.receiver) {
            return Ok(None);
        }
        self.scoped(|lower| {
            let compared = lower.compared_once(&call.receiver)?;
            let Some(order) = lower.order(&compared)? else {
                let receiver = lower.expr(&compared)?;
                return lower.method(call, &call.method, (&compared, receiver), &[]).map(Some);
            };
            let (holds, negated) = match &name[..] {
                "is_lt" | "is_ge" => (lower.is_less(order), name == "is_ge"),
                "is_gt" | "is_le" => (lower.is_less(order.reversed()), name == "is_le"),
                _ => (lower.is_equal(order)?, name == "is_ne"),
            };
            let holds = if negated { lower.b.map(&rows::not, &[holds]) } else { holds };
            Ok(Some(Value::Leaf(holds, Form::Plain)))
        })
    }
}

fn is_comparison(method: &Ident) -> bool {
    method == "cmp" || method == "partial_cmp" || method == "total_cmp"
}

/// Whether it is written as an expression of type `Ordering`.
pub(super) fn is_order(expr: &Expr) -> bool {
    match unparen(expr) {
        Expr::MethodCall(call) if call.args.len() == 1 && is_comparison(&call.method) => true,
        Expr::MethodCall(call) if call.method == "unwrap" || call.method == "expect" || call.method == "reverse" => {
            is_order(&call.receiver)
        }
        _ => false,
    }
}

/// An expression of type `Ordering`.
#[derive(Clone, Copy)]
pub(super) struct Order {
    left: Var,
    right: Var,
    /// `total_cmp`, for which the zeros differ, and NaN has a place.
    total: bool,
}

impl Order {
    fn reversed(self) -> Order {
        Order { left: self.right, right: self.left, ..self }
    }
}
