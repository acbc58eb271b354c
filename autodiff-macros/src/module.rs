//! `#[differentiable] mod m { … }`: the unit for whole models.
//!
//! Functions in the module need no attribute of their own, and structs that derive are known to the functions
//! that follow by the relay as everywhere. A function of the module is differentiated if it says so; if none
//! does, all are that take and return something differentiable.

use crate::diag::{Error, Errors};
use crate::parse::attr::Attr;
use crate::parse::function::Function;
use crate::parse::ty::{TypeScope, Unresolved};
use crate::relay::Knowledge;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, ItemFn, ItemMod};

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
    for item in items {
        if let Item::Fn(function) = item {
            if !explicit && is_candidate(function) {
                let attr = attr.clone();
                function.attrs.push(syn::parse_quote!(#[#krate::differentiable(#attr)]));
            }
        }
    }
    quote!(#module)
}

pub fn is_marked(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().segments.last().is_some_and(|last| last.ident == "differentiable"))
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
    differentiable(&parsed.result) && parsed.params.iter().any(|param| !param.no_diff && differentiable(&param.ty))
}
