//! The relay macro of a function: what its callers are told.

use super::assemble::impl_header;
use crate::parse::cycle;
use crate::parse::function::Function;
use crate::parse::ty::{Surface, TypeScope};
use crate::relay::{self, FnInfo, Info, Inlinable, Knowledge, ParamInfo};
use crate::source::{are_marked_beside, home_of, is_called_once, is_in_no_circle, may_be_in_circle};
use proc_macro2::TokenStream;
use quote::quote;
use std::rc::Rc;
use syn::visit::Visit;
use syn::{Expr, Ident, Path};

/// What callers are told of a function, at the first stage at which the result type is known, with the constants that its
/// type exports.
pub fn info_of(function: &Function, knowledge: &Knowledge) -> Option<(FnInfo, relay::Exporter)> {
    let scope = TypeScope { knowledge, reals: &function.reals, substitution: None };
    scope.resolve(&function.result).ok()?;
    let generics = crate::parse::function::function_generics(function);
    let mut exporter = relay::Exporter::new(&generics);
    let params = function
        .params
        .iter()
        .map(|param| {
            let named = function.attr.wrt.as_ref().is_none_or(|wrt| wrt.contains(&param.name));
            // A struct whose relay is not known yet is active: only structs that derive have one.
            let surface = scope.resolve(&param.ty);
            let is_discrete = surface.as_ref().is_ok_and(Surface::is_discrete);
            let differentiable = surface.map_or_else(|_| true, |surface| surface.is_differentiable());
            let (ty, active) = (exporter.export(&param.ty), !param.no_diff && named && differentiable);
            let handed_on = is_discrete && hands_on(&function.body, &param.name);
            let grown = function.attr.grown.contains(&param.name);
            let info = ParamInfo { ty, active, grown, handed_on: false };
            ParamInfo { handed_on: handed_on && info.is_mutable(), ..info }
        })
        .collect();
    let result = exporter.export(&function.result);
    let nested = exporter.export_nested(knowledge);
    let (name, calls) = (function.name().to_string(), cycle::calls(&function.body));
    let (recursive, origin) = (function.attr.recursive, function.attr.origin());
    let (order, order_for_callers) = (function.order(), function.order_for_callers());
    let taylor = function.attr.taylor.is_some();
    let has_rotation = |ty| scope.resolve(ty).map_or(true, |surface| surface.has_rotation());
    let left = function.attr.left
        && (function.params.iter().any(|param| has_rotation(&param.ty)) || has_rotation(&function.result));
    let of_trait = function.attr.method.as_ref().map_or_else(String::new, |method| method.of_trait.clone());
    let home = function.attr.method.as_ref().and_then(|_| home_of(function.name()));
    let info = FnInfo {
        name,
        generics,
        params,
        result,
        nested,
        calls,
        recursive,
        origin,
        order,
        order_for_callers,
        taylor,
        left,
        of_trait,
        home,
        inline: None,
    };
    Some((info, exporter))
}

/// Whether a body gives a parameter to other functions.
fn hands_on(body: &syn::Block, param: &Ident) -> bool {
    struct Calls<'p>(&'p Ident, bool);
    impl<'ast> Visit<'ast> for Calls<'_> {
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            syn::visit::visit_expr_call(self, call);
            self.1 |= call.args.iter().any(|arg| match lent(arg) {
                Some(Expr::Path(path)) => path.path.is_ident(self.0),
                _ => false,
            });
        }
    }
    // `state`, `&mut *state`, and not `*state`
    fn lent(arg: &Expr) -> Option<&Expr> {
        match arg {
            Expr::Paren(paren) => lent(&paren.expr),
            Expr::Reference(reference) => match &*reference.expr {
                _ if reference.mutability.is_none() => None,
                Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => lent(&unary.expr),
                place => lent(place),
            },
            Expr::Unary(_) => None,
            arg => Some(arg),
        }
    }
    let mut calls = Calls(param, false);
    calls.visit_block(body);
    calls.1
}

/// The relay macro of a function that has an error and no derivatives: its callers add no other error.
pub fn failed_relay(function: &Function) -> TokenStream {
    relay::define(&function.item.vis, function.name(), &Info::Failed)
}

/// Whether the relay waits until the body is known, although the function asks for others: `inline` says so, or it asks for functions
/// of its file, which are there. Callers wait with it, which functions that call each other could not: these have to be called.
/// Of those, all that nobody has marked are in one file.
pub fn relay_waits(function: &Function, asked: &[Path]) -> bool {
    may_inline_calls(function) && (function.attr.inline || are_marked_beside(function.name(), asked))
}

/// Whether the body may be told although it has the bodies of others in it.
fn may_inline_calls(function: &Function) -> bool {
    let waits = match function.attr.inline {
        true => !may_be_in_circle(function.name()),
        false => is_in_no_circle(function.name()),
    };
    waits && function.attr.method.is_none() && !function.attr.recursive
}

/// Whether the relay tells the body if that is not small: it is marked `inline`, or has one caller in its file.
pub fn tells_large_body(function: &Function) -> bool {
    may_inline_calls(function) && (function.attr.inline || is_called_once(function.name()))
}

/// The relay macro, with the body of a small function, as far as that is known.
pub fn relay_of(function: &Function, knowledge: &Knowledge, body: Option<Inlinable>) -> TokenStream {
    let Some((info, exporter)) = info_of(function, knowledge) else { return TokenStream::new() };
    let info = info.with_body(body);
    let macros = relay::define(&function.item.vis, function.name(), &Info::Fn(Rc::new(info)));
    if !exporter.has_constants() {
        return macros;
    }
    // Whoever asks for them knows no types that would satisfy the bounds, and they need none.
    let (definitions, self_ty) = (exporter.definitions(), impl_header(function).1);
    let mut generics = function.type_generics();
    generics.type_params_mut().for_each(|param| param.bounds.clear());
    let (impl_generics, ..) = generics.split_for_impl();
    quote! {
        #macros
        #[automatically_derived]
        impl #impl_generics #self_ty { #definitions }
    }
}
