//! The function itself and its type: at once, or in two stages if there are questions in between.

use crate::emit::stub;
use crate::parse::function::Function;
use proc_macro2::TokenStream;
use quote::quote;

/// The function, its type, its derivatives.
pub fn assemble(
    function: &Function,
    value: Option<TokenStream>,
    derivatives: &TokenStream,
    relay: &TokenStream,
    resumed: bool,
) -> TokenStream {
    if resumed {
        // A `const fn` calls one. Tensors are not for constants.
        let constness = value.is_none().then_some(function.item.sig.constness).flatten();
        // The function itself was emitted with the first stage and calls this.
        let (body, signature) = (
            value.unwrap_or_else(|| {
                let block = &function.item.block;
                quote!(#block)
            }),
            hidden_value(function),
        );
        let ((impl_generics, self_ty, where_clause), vis) = (impl_header(function), hidden_vis(function));
        return quote! {
            #relay
            #[automatically_derived]
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #impl_generics #self_ty #where_clause {
                #[doc(hidden)]
                #[inline]
                #vis #constness #signature { #body }
            }
            #derivatives
        };
    }
    let mut item = function.item.clone();
    if let Some(value) = value {
        *item.block = syn::parse_quote!({ #value });
        for input in &mut item.sig.inputs {
            if let syn::FnArg::Typed(typed) = input {
                if let syn::Pat::Ident(ident) = &mut *typed.pat {
                    ident.mutability = None;
                }
            }
        }
        item.attrs.push(
            syn::parse_quote!(#[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]),
        );
    }
    // A function may be there for its derivatives only.
    item.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
    let marker = stub::marker(function);
    quote!(#item #marker #relay #derivatives)
}

pub(super) fn impl_header(function: &Function) -> (TokenStream, TokenStream, TokenStream) {
    let generics = function.type_generics();
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let name = function.name();
    (quote!(#impl_generics), quote!(#name #type_generics), quote!(#where_clause))
}

/// Whether callers name it: see Note [Vecs that a callee makes longer] in `source/grown.rs`, and Note [Rules] in `parse/rule.rs`.
pub(super) fn hidden_vis(function: &Function) -> TokenStream {
    if function.attr.grown.is_empty() && !function.attr.by_type { TokenStream::new() } else { quote!(pub) }
}

/// The signature of the value function as a member of the type.
pub(super) fn hidden_value(function: &Function) -> TokenStream {
    let inputs = &function.item.sig.inputs;
    let lifetimes: Vec<_> = function.item.sig.generics.lifetimes().collect();
    let lifetimes = if lifetimes.is_empty() { TokenStream::new() } else { quote!(<#(#lifetimes),*>) };
    let result = &function.result;
    quote!(fn __value #lifetimes (#inputs) -> #result)
}

/// The first stage, while questions are out: the function and its type exist, the rest follows.
pub fn delegate(function: &Function) -> TokenStream {
    let mut item = function.item.clone();
    let (_, self_ty, _) = impl_header(function);
    let names = function.params.iter().map(|param| &param.name);
    *item.block = syn::parse_quote!({ <#self_ty>::__value(#(#names),*) });
    for input in &mut item.sig.inputs {
        if let syn::FnArg::Typed(typed) = input {
            if let syn::Pat::Ident(ident) = &mut *typed.pat {
                ident.mutability = None;
            }
        }
    }
    item.attrs.push(syn::parse_quote!(#[inline]));
    item.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
    let marker = stub::marker(function);
    // If a relay is missing, rustc says so, and nothing follows. What then calls `__value` finds this one.
    let (signature, pending) = (hidden_value(function), crate::emit::names::pending(function.name()));
    let generics = function.type_generics();
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    quote! {
        #item
        #marker
        #[doc(hidden)]
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        trait #pending #impl_generics #where_clause {
            #signature { ::core::unimplemented!() }
        }
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        impl #impl_generics #pending #type_generics for #self_ty #where_clause {}
    }
}
