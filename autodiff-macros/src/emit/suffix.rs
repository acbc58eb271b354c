//! The derivatives of a method as methods: `robot.energy_grad(…)`.

use crate::parse::function::Function;
use crate::parse::tokens::own_arguments;
use crate::tokens::mentions;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, GenericParam, Generics, ImplItem, ImplItemFn, Item, ItemImpl, Pat, Type};

/// One method for each function that is generated for users, which it calls.
pub fn methods(function: &Function, derivatives: &TokenStream) -> TokenStream {
    let Some(method) = function.attr.method.as_ref().filter(|method| method.inherent) else {
        return TokenStream::new();
    };
    let Ok(file) = syn::parse2::<syn::File>(derivatives.clone()) else { return TokenStream::new() };
    let generics = generics_of_type(&method.owner);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let self_ty = &method.owner.self_ty;
    let mut methods = TokenStream::new();
    for item in file.items {
        match item {
            Item::Impl(block) if block.trait_.is_none() => {
                let functions = block.items.into_iter().filter_map(|item| match item {
                    ImplItem::Fn(own) if !own.sig.ident.to_string().starts_with("__") => Some(suffixed(function, own)),
                    _ => None,
                });
                let functions: Vec<TokenStream> = functions.collect();
                if functions.is_empty() {
                    continue;
                }
                methods.extend(quote! {
                    #[automatically_derived]
                    #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
                    impl #impl_generics #self_ty #where_clause { #(#functions)* }
                });
            }
            // What needs the heap is there if there is one.
            Item::Macro(gate) => {
                let mut path = gate.mac.path;
                if let Some(last) = path.segments.last_mut() {
                    last.ident = format_ident!("__if_alloc");
                }
                let message = |token: &TokenTree| matches!(token, TokenTree::Literal(_));
                let gated = self::methods(function, &gate.mac.tokens.into_iter().skip_while(message).collect());
                methods.extend((!gated.is_empty()).then(|| quote!(#path! { #gated })));
            }
            _ => {}
        }
    }
    methods
}

fn suffixed(function: &Function, own: ImplItemFn) -> TokenStream {
    let Some(method) = &function.attr.method else { return TokenStream::new() };
    let (hidden, arguments) = (function.name(), own_arguments(&function.item));
    let (name, derivative) = (method.name.to_string(), own.sig.ident.clone());
    let mut sig = own.sig;
    sig.ident = format_ident!("{}_{derivative}", name.trim_start_matches("r#"), span = method.name.span());
    let mut args = Vec::new();
    for input in &mut sig.inputs {
        let FnArg::Typed(typed) = &mut *input else { continue };
        let ident = match &*typed.pat {
            Pat::Ident(pat) => pat.ident.clone(),
            // Gradients by several parameters, which the function takes apart.
            _ => super::names::ours("g"),
        };
        if method.this.as_ref().is_some_and(|this| *this == ident) {
            args.push(quote!(self));
            *input = match &*typed.ty {
                Type::Reference(reference) => {
                    let (lifetime, mutability) = (&reference.lifetime, &reference.mutability);
                    syn::parse_quote!(&#lifetime #mutability self)
                }
                _ => syn::parse_quote!(self),
            };
            continue;
        }
        *typed.pat = syn::parse_quote!(#ident);
        args.push(ident.to_token_stream());
    }
    let outer = generics_of_type(&method.owner).params;
    let is_own = |param: &GenericParam| !outer.iter().any(|other| name_of(other) == name_of(param));
    let lifetimes = sig.generics.params.iter().filter(|param| is_own(param)).cloned();
    let rest = function.item.sig.generics.params.iter();
    let rest = rest.filter(|param| is_own(param) && !matches!(param, GenericParam::Lifetime(_))).cloned();
    sig.generics.params = lifetimes.chain(rest).collect();
    let bounds = sig.generics.where_clause.take();
    sig.generics.where_clause.clone_from(&function.item.sig.generics.where_clause);
    if let Some(bounds) = bounds {
        sig.generics.make_where_clause().predicates.extend(bounds.predicates);
    }
    let (vis, link) = (own.vis, format!("[`{name}`](Self::{name})"));
    let docs = own.attrs.iter().map(|attr| {
        let text = attr.to_token_stream().to_string().replace(&format!("[`{hidden}`]"), &link);
        text.parse().unwrap_or_else(|_| attr.to_token_stream())
    });
    let docs: Vec<TokenStream> = docs.collect();
    quote! {
        #(#docs)*
        #vis #sig { #hidden #arguments::#derivative(#(#args),*) }
    }
}

/// The generic parameters that the type tells. The others, as `C` in `impl<const R: usize, const K: usize, const C: usize>
/// Mul<Mat<K, C>> for Mat<R, K>`, are the methods' own.
fn generics_of_type(owner: &ItemImpl) -> Generics {
    let mut generics = owner.generics.clone();
    let of_type = owner.self_ty.to_token_stream();
    let names = |tokens: &TokenStream, param: &GenericParam| mentions(tokens, name_of(param).trim_start_matches('\''));
    let (told, untold): (Vec<_>, Vec<_>) = generics.params.into_iter().partition(|param| names(&of_type, param));
    generics.params = told.into_iter().collect();
    if let Some(bounds) = &mut generics.where_clause {
        let predicates = std::mem::take(&mut bounds.predicates).into_iter();
        let of_type =
            |predicate: &syn::WherePredicate| !untold.iter().any(|param| names(&predicate.to_token_stream(), param));
        bounds.predicates = predicates.filter(of_type).collect();
    }
    generics
}

fn name_of(param: &GenericParam) -> String {
    match param {
        GenericParam::Lifetime(param) => param.lifetime.to_string(),
        GenericParam::Type(param) => param.ident.to_string(),
        GenericParam::Const(param) => param.ident.to_string(),
    }
}
