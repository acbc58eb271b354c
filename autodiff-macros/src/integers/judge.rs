//! The copy of a function by which rustc confirms what is concluded: see Note [Types of integers].

use super::{Conclusion, marks};
use crate::parse::function::without_our_attributes;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprLit, ExprUnary, ItemFn, Lit, UnOp};

/// What is concluded of the literals of a function.
#[derive(Clone, Default)]
pub struct Claims {
    /// The body with its literals marked.
    marked: Option<Block>,
    types: BTreeMap<usize, String>,
    /// Whether a type follows from more than declarations.
    is_inferred: bool,
}

impl Claims {
    pub(super) fn new(marked: Block, found: &[Conclusion]) -> Claims {
        let mut claims = Claims { marked: Some(marked), ..Claims::default() };
        for (literal, found) in found.iter().enumerate() {
            if let Conclusion::Is(name, is_declared) = found {
                claims.types.insert(literal, (*name).to_owned());
                claims.is_inferred |= !is_declared;
            }
        }
        claims
    }

    /// What lowering takes a doubtful literal for; false, if it was something else before.
    pub fn claim(&mut self, literal: usize, ty: &str) -> bool {
        self.is_inferred = true;
        self.types.entry(literal).or_insert_with(|| ty.to_owned()) == ty
    }

    /// The copy of the function, if there is something to confirm.
    pub fn check(&self, function: &ItemFn, krate: &TokenStream) -> TokenStream {
        let Some(marked) = self.marked.clone().filter(|_| self.is_inferred) else { return TokenStream::new() };
        let mut copy = function.clone();
        *copy.block = marked;
        let mut copy = without_our_attributes(copy);
        Checked { claims: self, krate }.visit_block_mut(&mut copy.block);
        copy.attrs.clear();
        copy.vis = syn::Visibility::Inherited;
        copy.sig.constness = None;
        let copy = marks::unmarked(quote!(#copy));
        quote! {
            #[allow(
                warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction,
                arithmetic_overflow, overflowing_literals, unconditional_panic
            )]
            const _: () = { #copy };
        }
    }
}

/// Sends literals through `integer`, with their signs.
struct Checked<'c> {
    claims: &'c Claims,
    krate: &'c TokenStream,
}

impl Checked<'_> {
    fn checked(&self, expr: &Expr, literal: &syn::LitInt) -> Option<Expr> {
        let number = marks::number(literal)?;
        let ty: syn::Ident = syn::parse_str(self.claims.types.get(&number)?).ok()?;
        let krate = self.krate;
        syn::parse2(quote_spanned!(expr.span()=> #krate::__private::integer::<#ty, _>(#expr))).ok()
    }
}

impl VisitMut for Checked<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let literal = match &*expr {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => Some(literal.clone()),
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr: inner, .. }) => match &**inner {
                Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => Some(literal.clone()),
                _ => None,
            },
            // What is borrowed may live longer than a call gives.
            Expr::Reference(reference) if matches!(&*reference.expr, Expr::Lit(_)) => return,
            _ => None,
        };
        match literal.and_then(|literal| self.checked(expr, &literal)) {
            Some(checked) => *expr = checked,
            None => match expr {
                Expr::Repeat(repeat) => self.visit_expr_mut(&mut repeat.expr),
                Expr::Const(_) => {}
                _ => visit_mut::visit_expr_mut(self, expr),
            },
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        if marks::is_read(mac) {
            crate::desugar::macros::rewrite(mac, |parts| parts.into_iter().for_each(|part| self.visit_expr_mut(part)));
        }
    }

    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        if let syn::Item::Fn(function) = item {
            self.visit_block_mut(&mut function.block);
        }
    }

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}
