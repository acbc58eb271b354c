//! The generics of closures.
//!
//! Note [Generic closures]. A function that is written inside a body, or taken into one, becomes a closure, which in Rust has no generics.
//! Here it keeps its const parameters and its numbers, and a call keeps what is written behind its name:
//!
//! ```text
//! let axpy = #[generics(<const N: usize>)] |y: [f64; N], h: f64, k: [f64; N]| -> [f64; N] { … };
//! #[generics(<3>)] axpy(y, h, k)
//! ```
//!
//! Lowering finds out what they are from the arguments, and writes that in the body in their place.

use quote::{ToTokens, quote};
use syn::{Attribute, GenericArgument, GenericParam, Generics, ItemFn, PathArguments, TypeParam, WherePredicate};

const NAME: &str = "generics";

/// Whether a type parameter is a number, by its bounds.
pub(super) fn is_number(param: &TypeParam, generics: &Generics) -> bool {
    let is_real = |bound: &syn::TypeParamBound| matches!(bound, syn::TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == "Real"));
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let required = predicates.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) => {
            let is_it = matches!(&predicate.bounded_ty, syn::Type::Path(path) if path.path.is_ident(&param.ident));
            is_it.then_some(&predicate.bounds)
        }
        _ => None,
    });
    std::iter::once(&param.bounds).chain(required).flatten().any(is_real)
}

/// Whether a closure keeps a parameter.
pub(super) fn is_kept(param: &GenericParam, generics: &Generics) -> bool {
    match param {
        GenericParam::Const(_) => true,
        GenericParam::Type(param) => is_number(param, generics),
        GenericParam::Lifetime(_) => false,
    }
}

/// The parameters that a closure keeps.
pub fn kept(generics: &Generics) -> Generics {
    let params = generics.params.iter().filter(|param| is_kept(param, generics)).cloned();
    Generics { params: params.collect(), ..Generics::default() }
}

/// What is written on a closure for these, if there are any.
pub(super) fn written(generics: &Generics) -> Vec<Attribute> {
    if generics.params.is_empty() {
        return Vec::new();
    }
    attribute(generics)
}

/// What is written on a call of a function: the arguments behind its name that the closure keeps.
pub(super) fn arguments(item: &ItemFn, path: &syn::Path) -> Vec<Attribute> {
    let Some(PathArguments::AngleBracketed(args)) = path.segments.last().map(|last| &last.arguments) else {
        return Vec::new();
    };
    let generics = &item.sig.generics;
    let params = generics.params.iter().filter(|param| !matches!(param, GenericParam::Lifetime(_)));
    let args = args.args.iter().filter(|arg| !matches!(arg, GenericArgument::Lifetime(_)));
    let own: Vec<&GenericArgument> =
        params.zip(args).filter(|(param, _)| is_kept(param, generics)).map(|(_, arg)| arg).collect();
    if own.is_empty() { Vec::new() } else { attribute(&quote!(<#(#own),*>)) }
}

fn attribute(tokens: &impl ToTokens) -> Vec<Attribute> {
    let name = proc_macro2::Ident::new(NAME, proc_macro2::Span::call_site());
    syn::parse::Parser::parse2(Attribute::parse_outer, quote!(#[#name(#tokens)])).unwrap_or_default()
}

/// The parameters of a closure.
pub fn of_closure(attrs: &[Attribute]) -> Option<Generics> {
    on(attrs)?.parse_args().ok()
}

/// The arguments of a call.
pub fn of_call(attrs: &[Attribute]) -> Option<syn::AngleBracketedGenericArguments> {
    on(attrs)?.parse_args().ok()
}

fn on(attrs: &[Attribute]) -> Option<&Attribute> {
    attrs.iter().find(|attr| attr.path().is_ident(NAME))
}
