//! Operators that a file implements by value and by reference.
//!
//! Note [Operators by value and by reference]. `impl Add for V` and `impl Add<&V> for &V` are one operation, and have one function: that
//! of the first which does not only hand on to another. The others stay as they are, if they say the same: if they hand on,
//! `*self + *other`, or are written as that one is. What is borrowed is no part of what is said.

use super::{Source, header};
use crate::diag::Error;
use crate::methods;
use proc_macro2::Ident;
use quote::{ToTokens, quote};
use std::collections::HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FnArg, ImplItem, ImplItemFn, ItemImpl, Pat, UnOp};

/// The operators of a file that are marked, by the names of their relays.
#[derive(Default)]
pub struct Operators(HashMap<String, Vec<Operator>>);

struct Operator {
    /// What its block begins with.
    header: String,
    /// The body, as text.
    does: String,
    /// Whether it does nothing but to call the same operator.
    hands_on: bool,
}

impl Operators {
    pub fn note(&mut self, block: &ItemImpl) {
        if let Some((relay, operator)) = Operator::of(block) {
            self.0.entry(relay).or_default().push(operator);
        }
    }
}

/// Whether a block implements what another one in its file does, with what is wrong if that is something else.
pub fn is_said_before(block: &ItemImpl) -> Result<bool, Error> {
    let source = crate::file_of(block.impl_token.span).and_then(|file| Source::of(&file));
    let (Some(source), Some((relay, own))) = (source, Operator::of(block)) else { return Ok(false) };
    let Some(all) = source.marked_operators.0.get(&relay) else { return Ok(false) };
    let Some(first) = all.iter().find(|operator| !operator.hands_on).or(all.first()) else { return Ok(false) };
    // Types of one name in several modules are not told apart here.
    let count = methods::self_name(&block.self_ty).and_then(|owner| source.types.get(&owner.to_string()).copied());
    if first.header == own.header || count.unwrap_or(1) > 1 {
        return Ok(false);
    }
    if own.hands_on || own.does == first.does {
        return Ok(true);
    }
    let message = format!("`{}` is the same operator by value or by reference, and says something else", first.header);
    Err(Error::new(&block.self_ty, message)
        .note("both have one derivative")
        .help("hand this one on to the other: `*self + *other`; or take `#[differentiable]` off"))
}

impl Operator {
    /// That of a block, with the name of its relay.
    fn of(block: &ItemImpl) -> Option<(String, Operator)> {
        let (_, of, _) = block.trait_.as_ref()?;
        if methods::operator_sides(block).is_none() && of.segments.last()?.ident != "Neg" {
            return None;
        }
        let owner = methods::self_name(&block.self_ty)?;
        let method =
            block.items.iter().find_map(|item| if let ImplItem::Fn(method) = item { Some(method) } else { None });
        let (method, mut body) = (method?, method?.block.clone());
        Bare { other: other(method) }.visit_block_mut(&mut body);
        let does = text(&body);
        let called = match methods::sign_of(&method.sig.ident.to_string()) {
            Some(sign) => syn::parse_str(&format!("{{ self {sign} other }}")),
            None => syn::parse_str("{ -self }"),
        };
        let called = called.map_or_else(|_| String::new(), |block: syn::Block| text(&block));
        let hands_on = does == called || does.replace(";}", "}") == called;
        let relay = methods::relay_name(block, &owner, method).to_string();
        Some((relay, Operator { header: header(block), does, hands_on }))
    }
}

/// A body as text. How it is spaced depends on where it comes from.
fn text(body: &syn::Block) -> String {
    body.to_token_stream().to_string().split_whitespace().collect()
}

/// What the operand on the right is called.
fn other(method: &ImplItemFn) -> Option<Ident> {
    method.sig.inputs.iter().find_map(|input| match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) => Some(name.ident.clone()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    })
}

/// Takes off what borrows and copies, and gives the operand on the right one name.
struct Bare {
    other: Option<Ident>,
}

impl VisitMut for Bare {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let inner = match expr {
            Expr::Reference(reference) => &mut reference.expr,
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => &mut unary.expr,
            Expr::MethodCall(call) if call.method == "clone" && call.args.is_empty() => &mut call.receiver,
            // What binds tightest needs no parentheses.
            Expr::Paren(paren) if matches!(*paren.expr, Expr::Path(_) | Expr::Field(_)) => &mut paren.expr,
            _ => return,
        };
        *expr = std::mem::replace(&mut **inner, Expr::Verbatim(quote!()));
    }

    fn visit_ident_mut(&mut self, name: &mut Ident) {
        if self.other.as_ref() == Some(name) {
            *name = Ident::new("other", name.span());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Operator;

    fn of(body: &str) -> Operator {
        let block = syn::parse_str(&format!(
            "impl Add<&V> for &V {{ type Output = V; fn add(self, o: &V) -> V {{ {body} }} }}"
        ));
        Operator::of(&block.unwrap()).unwrap().1
    }

    #[test]
    fn what_is_borrowed_is_no_part_of_what_is_said() {
        assert_eq!(of("V { x: self.x * o.x }").does, of("V { x: (*self).x * &o.x.clone() }").does);
        for other in ["V { x: self.x + o.x }", "V { x: self.x * self.x }", "V { x: o.x * self.x }"] {
            assert_ne!(of("V { x: self.x * o.x }").does, of(other).does, "{other}");
        }
        // Parentheses and products are.
        assert_ne!(of("V { x: (self.x + o.x) * 2.0 }").does, of("V { x: self.x + o.x * 2.0 }").does);
        for (body, hands_on) in
            [("*self + *o", true), ("self.clone() + o.clone()", true), ("*self - *o", false), ("*o + *self", false)]
        {
            assert_eq!(of(body).hands_on, hands_on, "{body}");
        }
    }
}
