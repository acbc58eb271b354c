//! Chains of methods that take closures, of data without a derivative: rustc evaluates them as they stand.
//!
//! `text.split_whitespace().filter_map(|w| index.get(w).copied()).collect()` says nothing about numbers, and what its methods give
//! has types that only rustc knows. It is evaluated once, whole, if nothing in it has a derivative and nothing is changed by it.

use super::Lower;
use super::assign::{Assigned, unparen};
use super::value::{Lowered, Untyped, Value};
use crate::desugar::{LIST, Substitute, idents};
use crate::parse::ty::{Seq, Surface};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMethodCall, Type};

impl Lower<'_> {
    /// A call that collects into a list of ours, with its path.
    pub(super) fn collected_into_list(&self, call: &ExprMethodCall) -> Option<ExprMethodCall> {
        let Some(syn::GenericArgument::Type(Type::Path(ty))) = call.turbofish.as_ref()?.args.first() else {
            return None;
        };
        if ty.path.segments.first()?.ident != LIST {
            return None;
        }
        let krate = crate::parse::tokens::crate_path(&self.function.attr);
        Some(ExprMethodCall { turbofish: Some(syn::parse_quote!(::<#krate::__private::Vec<_>>)), ..call.clone() })
    }

    /// `None`, if it is something else, or if some of it has a derivative.
    pub(super) fn data_chain(&mut self, call: &ExprMethodCall, expected: Option<&Surface>) -> Option<Lowered<Value>> {
        let root = closures_over(call)?;
        let Expr::Path(path) = root else { return None };
        let name = path.path.get_ident()?.to_string();
        let is_data = |value: &Value| matches!(value, Value::Other(_) | Value::Untyped(Untyped { number: None, .. }));
        let of_data = self.lookup(&name)?.value.as_ref().is_some_and(is_data);
        if !of_data || self.borrowed_params.contains(&name) {
            return None;
        }
        let mut whole = Expr::MethodCall(call.clone());
        let mut assigned = Assigned::default();
        assigned.visit_expr(&whole);
        if assigned.all_names().into_iter().any(|name| self.lookup(&name).is_some()) {
            return None;
        }
        let mut names: Vec<String> = idents(&whole).into_iter().collect();
        names.sort();
        for name in names {
            let Some(value) = self.lookup(&name).map(|binding| binding.value.clone()) else { continue };
            if !Substitute::is_free_in(&name, &whole) {
                continue;
            }
            let tokens = self.inactive_tokens(&value?)?;
            let with = |_: &syn::Ident| Expr::Verbatim(tokens.clone());
            let mut substitute = Substitute::new(&quote::format_ident!("{name}"), &with);
            substitute.visit_expr_mut(&mut whole);
            if substitute.opaque {
                return None;
            }
        }
        self.at(call);
        let tokens = collected(&whole, expected)?;
        let value = self.once(tokens);
        let (Value::Untyped(given), Some(surface)) = (&value, expected) else { return Some(Ok(value)) };
        let known = self.passive_struct(&given.tokens, surface);
        Some(Ok(known.unwrap_or(value)))
    }
}

/// What a chain of methods is of, if one of them takes a closure, or the last one says what it gives.
fn closures_over(call: &ExprMethodCall) -> Option<&Expr> {
    let mut any = call.turbofish.is_some();
    let mut inner = call;
    loop {
        any |= inner.args.iter().any(|arg| matches!(arg, Expr::Closure(_)));
        match unparen(&inner.receiver) {
            Expr::MethodCall(next) => inner = next,
            Expr::Field(field) if any => {
                let mut base = &*field.base;
                while let Expr::Field(field) = unparen(base) {
                    base = &field.base;
                }
                return Some(unparen(base));
            }
            root => return Some(root).filter(|_| any),
        }
    }
}

/// With the type that it is collected into, which nobody tells where it stands now.
fn collected(whole: &Expr, expected: Option<&Surface>) -> Option<TokenStream> {
    let Expr::MethodCall(last) = whole else { return Some(whole.to_token_stream()) };
    if last.turbofish.is_some() || !matches!(&last.method.to_string()[..], "collect" | "sum" | "product") {
        return Some(whole.to_token_stream());
    }
    let ty: Type = match expected? {
        Surface::Seq(inner, Seq::Vec) => {
            let inner = inner.leaf().filter(crate::ir::Ty::is_scalar)?;
            let elem = crate::parse::tokens::elem_tokens(&inner.elem);
            syn::parse_quote!(Vec<#elem>)
        }
        Surface::Scalar(elem) => {
            let elem = crate::parse::tokens::elem_tokens(elem);
            syn::parse_quote!(#elem)
        }
        _ => return None,
    };
    let (receiver, method) = (&last.receiver, &last.method);
    Some(quote!(#receiver.#method::<#ty>()))
}
