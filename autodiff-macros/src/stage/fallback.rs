//! What is emitted when something is wrong.

use super::assemble::{hidden_value, hidden_vis, impl_header};
use super::relay_macro::failed_relay;
use crate::diag::Errors;
use crate::emit::{stub, suffix};
use crate::methods;
use crate::parse::function::Function;
use crate::parse::ty::Surface;
use crate::relay::Knowledge;
use proc_macro2::TokenStream;
use quote::quote;

/// A method stays as it is: a type cannot stand beside it.
pub fn method(function: &Function, errors: &Errors) -> TokenStream {
    let (mut item, errors) = (function.item.clone(), errors.render());
    if mentions_tensors(&quote!(#item)) {
        item.block = syn::parse_quote!({ ::core::unimplemented!() });
    }
    // In an `impl` block only items of one may stand, so that the errors go into the body.
    let block = &item.block;
    item.block = syn::parse_quote!({ #errors #block });
    item.attrs
        .push(syn::parse_quote!(#[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]));
    quote!(#item)
}

fn mentions_tensors(tokens: &TokenStream) -> bool {
    tokens.to_string().contains("Tensor")
}

/// The errors, and items of the right types, so that nothing else breaks. The relay is one that has not been emitted yet.
pub fn fallback(
    function: &Function,
    knowledge: &Knowledge,
    errors: &Errors,
    krate: &TokenStream,
    resumed: bool,
    relay: Option<&TokenStream>,
) -> TokenStream {
    // What is wrong with the types has been reported or will be: here it only matters what is known of them.
    let resolved = function.resolve(knowledge, &mut Errors::default(), &mut Vec::new());
    let (plain, rendered) = (errors.plain_rust(), methods::in_its_words(errors, function).render());
    let plain = plain
        && resolved
            .as_ref()
            .is_some_and(|(params, result)| params.iter().map(|param| &param.surface).chain([result]).all(is_plain));
    let differentiable = resolved.filter(|(params, result)| {
        (result.is_result() || params.iter().any(|param| param.is_mut))
            && params.iter().any(|param| param.active)
            // The type beside the function has no parameter for it.
            && !params.iter().any(|param| matches!(param.ty, syn::Type::ImplTrait(_)))
    });
    let relay = match (&differentiable, relay) {
        (Some(_), relay) => relay.cloned(),
        // There is nothing that its callers could call.
        (None, relay) => relay.map(|_| failed_relay(function)),
    };
    let stubs =
        differentiable.map(|(params, result)| stub::stubs(function, &params, &result, krate)).unwrap_or_default();
    let (errors, signature, methods) = (rendered, &function.item.sig, suffix::methods(function, &stubs));
    let stubs = quote!(#stubs #methods);
    if resumed {
        let (signature, (impl_generics, self_ty, where_clause)) = (hidden_value(function), impl_header(function));
        let (vis, constness) = (hidden_vis(function), function.item.sig.constness);
        return quote! {
            #errors
            #relay
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #impl_generics #self_ty #where_clause { #vis #constness #signature { ::core::unimplemented!() } }
            #stubs
        };
    }
    let mut item = function.item.clone();
    if !plain || mentions_tensors(&quote!(#signature)) || !function.functions.is_empty() {
        item.block = syn::parse_quote!({ ::core::unimplemented!() });
    }
    item.attrs
        .push(syn::parse_quote!(#[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]));
    let marker = stub::marker(function);
    quote!(#errors #item #marker #relay #stubs)
}

/// A method that gives integers or truth values has no derivative, so that nothing is wrong if it cannot be differentiated. It
/// counts as one that has effects.
pub fn without_derivative(
    function: &Function,
    knowledge: &Knowledge,
    krate: &TokenStream,
    relay: &TokenStream,
    resumed: bool,
) -> Option<TokenStream> {
    function.attr.method.as_ref()?;
    let (params, result) = function.resolve(knowledge, &mut Errors::default(), &mut Vec::new())?;
    if !result.is_discrete() || params.iter().any(|param| param.is_mut) || !params.iter().any(|param| param.active) {
        return None;
    }
    let sweeps = stub::effects(function, krate);
    Some(super::assemble::assemble(function, None, &sweeps, relay, resumed))
}

fn is_plain(surface: &Surface) -> bool {
    match surface {
        Surface::Scalar(_) | Surface::Other(_) => true,
        Surface::Array(inner, _) | Surface::Seq(inner, _) => is_plain(inner),
        Surface::Tuple(parts) => parts.iter().all(is_plain),
        Surface::Tensor(..) | Surface::Matrix(..) | Surface::Struct(_) => false,
    }
}
