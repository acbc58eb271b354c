//! `#[differentiable] mod m { … }`: the unit for whole models.
//!
//! Functions in the module need no attribute of their own, and structs that derive are known to the functions
//! that follow by the relay as everywhere. A function of the module is differentiated if it says so; if none
//! does, all are that take and return something differentiable.

use crate::diag::{Error, Errors};
use crate::parse::attr::{Attr, joined};
use crate::parse::cycle;
use crate::parse::function::Function;
use crate::parse::ty::{TypeScope, Unresolved};
use crate::relay::Knowledge;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Item, ItemFn, ItemMod, Meta};

pub fn expand(attr: &TokenStream, mut module: ItemMod) -> TokenStream {
    let given = match Attr::parse(attr.clone()) {
        Ok(given) => given,
        Err(errors) => {
            let errors = errors.render();
            return quote!(#module #errors);
        }
    };
    let Some((_, items)) = &mut module.content else {
        let errors = Errors::from(
            Error::new(&module, "`#[differentiable]` needs the module's content here")
                .help("write the module inline: `mod m { … }`"),
        )
        .render();
        return quote!(#module #errors);
    };
    let explicit = items.iter().any(|item| matches!(item, Item::Fn(function) if is_marked(&function.attrs)));
    let krate = crate::parse::tokens::crate_path(&given);
    let recursive = in_cycles(items);
    for item in items {
        match item {
            Item::Fn(function) => {
                let in_cycle = recursive.contains(&function.sig.ident);
                if !explicit && is_candidate(function) {
                    let args = if in_cycle { joined(attr.clone(), quote!(recursive)) } else { attr.clone() };
                    function.attrs.push(syn::parse_quote!(#[#krate::differentiable(#args)]));
                } else {
                    change_arguments(&mut function.attrs, |args| {
                        let args = given.pass_order_on(args);
                        if in_cycle { joined(args, quote!(recursive)) } else { args }
                    });
                }
            }
            Item::Impl(block) => change_arguments(&mut block.attrs, |args| given.pass_order_on(args)),
            _ => {}
        }
    }
    quote!(#module)
}

/// Changes the arguments of an item's own attribute, if it has one.
fn change_arguments(attrs: &mut [syn::Attribute], change: impl FnOnce(TokenStream) -> TokenStream) {
    let Some(own) = attrs.iter_mut().find(|attr| is_ours(attr)) else { return };
    let args = match &own.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    let (path, args) = (own.path().clone(), change(args));
    own.meta = if args.is_empty() { syn::parse_quote!(#path) } else { syn::parse_quote!(#path(#args)) };
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
    let returned = |ty: &syn::Type| match scope.resolve(ty) {
        Ok(surface) => surface.is_result() && !surface.is_discrete(),
        Err(Unresolved::Ask(_)) => true,
        Err(Unresolved::Error(_)) => false,
    };
    match returned(&parsed.result) {
        true => params.next().is_some(),
        false => is_unit(&parsed.result) && params.any(|param| changes(&param.ty)),
    }
}

/// Whether a method takes something differentiable and returns integers or truth values: a call of it has no derivative, but may
/// stand in a function that has one. All its other parameters are of types that are visible here.
pub fn is_discrete_candidate(function: &ItemFn) -> bool {
    let (parsed, errors) = Function::parse(Attr::default(), function.clone());
    let knowledge = Knowledge::default();
    let scope = TypeScope { knowledge: &knowledge, reals: &parsed.reals, substitution: None };
    let result = scope.resolve_result(&parsed.result);
    let discrete = matches!(&result, Ok(surface) if surface.is_discrete());
    let is_visible = |(k, param): (usize, &crate::parse::function::RawParam)| match scope.resolve(&param.ty) {
        Ok(crate::parse::ty::Surface::Other(_)) => param.no_diff,
        Ok(_) => true,
        Err(Unresolved::Ask(_)) => k == 0 || param.no_diff,
        Err(Unresolved::Error(_)) => false,
    };
    errors.is_empty()
        && discrete
        && !is_unit(&parsed.result)
        && parsed.params.iter().any(|param| !param.no_diff)
        && parsed.params.iter().enumerate().all(is_visible)
}

fn is_unit(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty())
}
