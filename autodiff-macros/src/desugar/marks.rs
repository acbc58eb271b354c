//! What a call changes, written on it, so that every step sees it where the call stands: `#[changes(a)] next(x)` of a
//! closure that has captured `a`, or of a function that `a` is handed on to as a mutable borrow.

use super::effects::{Effects, is_borrowing};
use super::{build::At, macros};
use proc_macro2::{Ident, Span};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, Item, Macro};

const NAME: &str = "changes";

/// Puts them on; whether there are any.
pub fn mark(body: &mut Block, effects: &Effects) -> bool {
    let mut marks = Mark { effects, any: false };
    marks.visit_block_mut(body);
    marks.any
}

struct Mark<'e> {
    effects: &'e Effects<'e>,
    any: bool,
}

impl VisitMut for Mark<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let changed = match expr {
            Expr::MethodCall(call) if is_borrowing(&call.method) => HashSet::new(),
            Expr::Call(_) | Expr::MethodCall(_) => self.effects.changed(expr),
            _ => HashSet::new(),
        };
        syn::visit_mut::visit_expr_mut(self, expr);
        if changed.is_empty() {
            return;
        }
        let at = At(Span::call_site().located_at(expr.span()));
        let mut changed: Vec<Ident> = changed.iter().map(|name| Ident::new(name, at.0)).collect();
        changed.sort();
        if let Expr::Call(syn::ExprCall { attrs, .. }) | Expr::MethodCall(syn::ExprMethodCall { attrs, .. }) = expr {
            attrs.push(syn::parse_quote_spanned!(at.0=> #[changes(#(#changed),*)]));
            self.any = true;
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        // Others stay as they are written.
        if mac.path.is_ident("vec") {
            macros::rewrite(mac, |parts| parts.into_iter().for_each(|part| self.visit_expr_mut(part)));
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// What is written on a call.
pub fn marked(attrs: &[Attribute]) -> HashSet<String> {
    let mut found = HashSet::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(NAME)) {
        if let syn::Meta::List(list) = &attr.meta {
            found.extend(super::names::idents(&list.tokens));
        }
    }
    found
}

/// Takes them off.
pub struct Unmark;

impl VisitMut for Unmark {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Call(syn::ExprCall { attrs, .. }) | Expr::MethodCall(syn::ExprMethodCall { attrs, .. }) = expr {
            attrs.retain(|attr| !attr.path().is_ident(NAME));
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if mac.path.is_ident("vec") {
            macros::rewrite(mac, |parts| parts.into_iter().for_each(|part| self.visit_expr_mut(part)));
        }
    }
}
