//! `#[differentiable] mod m { … }`: the unit for whole models.
//!
//! Functions in the module need no attribute of their own, and structs that derive are known to the functions
//! that follow by the relay as everywhere. A function of the module is differentiated if it says so; if none
//! does, all are that take and return something differentiable.

use crate::diag::{Error, Errors};
use crate::parse::attr::Attr;
use crate::parse::cycle;
use crate::parse::function::Function;
use crate::parse::ty::{TypeScope, Unresolved};
use crate::relay::Knowledge;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Item, ItemFn, ItemMod, Meta};

pub fn expand(attr: &TokenStream, mut module: ItemMod) -> TokenStream {
    if let Err(errors) = Attr::parse(attr.clone()) {
        let errors = errors.render();
        return quote!(#module #errors);
    }
    let Some((_, items)) = &mut module.content else {
        let errors = Errors::from(
            Error::new(&module, "`#[differentiable]` needs the module's content here")
                .help("write the module inline: `mod m { … }`"),
        )
        .render();
        return quote!(#module #errors);
    };
    let explicit = items.iter().any(|item| matches!(item, Item::Fn(function) if is_marked(&function.attrs)));
    let krate = crate::expand::crate_path(&Attr::parse(attr.clone()).unwrap_or_default());
    let recursive = in_cycles(items);
    for item in items {
        if let Item::Fn(function) = item {
            let recursive = recursive.contains(&function.sig.ident).then(|| quote!(recursive));
            if !explicit && is_candidate(function) {
                let comma = (!attr.is_empty() && recursive.is_some()).then(|| quote!(,));
                function.attrs.push(syn::parse_quote!(#[#krate::differentiable(#attr #comma #recursive)]));
            } else if let (Some(own), Some(recursive)) =
                (function.attrs.iter_mut().find(|attr| is_ours(attr)), recursive)
            {
                let (path, given) = (
                    own.path().clone(),
                    match &own.meta {
                        Meta::List(list) => list.tokens.clone(),
                        _ => TokenStream::new(),
                    },
                );
                let comma = (!given.is_empty()).then(|| quote!(,));
                own.meta = syn::parse_quote!(#path(#given #comma #recursive));
            }
        }
    }
    quote!(#module)
}

pub fn is_marked(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(is_ours)
}

fn is_ours(attr: &syn::Attribute) -> bool {
    attr.path().segments.last().is_some_and(|last| last.ident == "differentiable")
}

/// The functions of a module that call themselves by way of others: see Note [Cycles of calls]. A caller sees by itself
/// that it is called back, or calls itself.
fn in_cycles(items: &[Item]) -> Vec<Ident> {
    let functions: Vec<&ItemFn> = items
        .iter()
        .filter_map(|item| match item {
            Item::Fn(function) => Some(function),
            _ => None,
        })
        .collect();
    let calls: Vec<(String, Vec<String>)> = functions
        .iter()
        .map(|function| {
            let name = function.sig.ident.to_string().trim_start_matches("r#").to_owned();
            let mut calls = cycle::calls(&function.block);
            calls.retain(|call| *call != name);
            (name, calls)
        })
        .collect();
    let found = functions.iter().zip(cycle::in_cycles(&calls)).filter(|(_, found)| *found);
    found.map(|(function, _)| function.sig.ident.clone()).collect()
}

/// Whether a function takes and returns something differentiable, as far as its signature tells.
pub fn is_candidate(function: &ItemFn) -> bool {
    let (parsed, errors) = Function::parse(Attr::default(), function.clone());
    if !errors.is_empty() {
        return false;
    }
    let knowledge = Knowledge::default();
    let scope = TypeScope { knowledge: &knowledge, reals: &parsed.reals, substitution: None };
    let differentiable = |ty: &syn::Type| match scope.resolve(ty) {
        Ok(surface) => surface.is_differentiable(),
        Err(Unresolved::Ask(_)) => true,
        Err(Unresolved::Error(_)) => false,
    };
    let mut params = parsed.params.iter().filter(|param| !param.no_diff && differentiable(&param.ty));
    // What is changed is a result.
    let changes = |ty: &syn::Type| matches!(ty, syn::Type::Reference(reference) if reference.mutability.is_some());
    match differentiable(&parsed.result) {
        true => params.next().is_some(),
        false => is_unit(&parsed.result) && params.any(|param| changes(&param.ty)),
    }
}

fn is_unit(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty())
}
