//! Ranges that are not gone over: copies, ends, and what lies within.
//!
//! A range that has a name stands where it is used (Note [Named iterators]), so that `range.clone()` is a range again, and
//! `range.start` one of its ends.

use super::Desugar;
use super::build::{At, bare};
use super::drive::paren;
use super::{jumps, names};
use syn::{BinOp, Expr, ExprRange, Member, RangeLimits, Token};

impl Desugar<'_> {
    /// What a method or a field of a range is.
    pub(super) fn of_range(&mut self, expr: &Expr) -> Option<Expr> {
        let range = |base: &Expr| match bare(base.clone()) {
            Expr::Range(range) => Some(range),
            _ => None,
        };
        match expr {
            Expr::Field(field) => {
                let Member::Named(member) = &field.member else { return None };
                let range = range(&field.base).filter(is_simple)?;
                let end = match &member.to_string()[..] {
                    "start" => *range.start?,
                    "end" => *range.end?,
                    _ => return None,
                };
                // A value and no place: to assign to it would change something else.
                Some(At(member.span()).block(None, vec![syn::Stmt::Expr(end, None)]))
            }
            Expr::MethodCall(call) => {
                let at = At(call.method.span());
                let range = range(&call.receiver)?;
                match (&call.method.to_string()[..], call.args.first()) {
                    ("clone", None) => Some(paren(Expr::Range(range), at)),
                    ("contains", Some(item)) => self.within(range, item, at),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `(a..b).contains(&x)` as `a <= x && x < b`.
    fn within(&mut self, range: ExprRange, item: &Expr, at: At) -> Option<Expr> {
        if !is_simple(&range) || names::has_effects(item) {
            return None;
        }
        let item = match bare(item.clone()) {
            Expr::Reference(reference) => *reference.expr,
            other => syn::parse_quote!(*#other),
        };
        let name = self.names.fresh("item", at.0);
        let above = range.start.map(|start| at.binary(*start, BinOp::Le(Token![<=](at.0)), at.path(&name)));
        let below = range.end.map(|end| {
            let op = match range.limits {
                RangeLimits::Closed(_) => BinOp::Le(Token![<=](at.0)),
                RangeLimits::HalfOpen(_) => BinOp::Lt(Token![<](at.0)),
            };
            at.binary(at.path(&name), op, *end)
        });
        let truth = match (above, below) {
            (Some(above), Some(below)) => at.and(above, below),
            (one, other) => one.or(other)?,
        };
        Some(at.block(None, vec![at.define(&name, false, item), syn::Stmt::Expr(truth, None)]))
    }
}

/// Whether its ends may be evaluated elsewhere.
fn is_simple(range: &ExprRange) -> bool {
    range.start.iter().chain(&range.end).all(|end| jumps::is_simple(end))
}
