//! The type beside a function, and the right types without bodies where the function has errors.

use super::borrowing::Keeping;
use super::item::Item;
use super::names;
use crate::ad::derivatives::{DERIVATIVES, Derivative};
use crate::layout::Layout;
use crate::lower::Primal;
use crate::parse::function::{Function, Param};
use crate::parse::ty::Surface;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// The type beside the function. What a public function keeps for its reverse sweep names the types of those it
/// calls, so that all of them are `pub`, and only their import is as visible as the function.
pub fn marker(function: &Function) -> TokenStream {
    let (vis, name) = (&function.item.vis, function.name());
    let mut generics = function.item.sig.generics.clone();
    generics.where_clause = None;
    generics.params = generics
        .params
        .into_iter()
        .filter(|param| !matches!(param, syn::GenericParam::Lifetime(_)))
        .map(|mut param| {
            if let syn::GenericParam::Type(param) = &mut param {
                param.bounds.clear();
                param.colon_token = None;
            }
            param
        })
        .collect();
    let types: Vec<_> = generics.type_params().map(|param| &param.ident).collect();
    let field =
        if types.is_empty() { TokenStream::new() } else { quote!(_types: ::core::marker::PhantomData<(#(#types,)*)>) };
    let doc = format!("The derivatives of the function [`{name}`]({name}()).");
    let module = names::marker_module(name);
    // Of a method, it has the name of the type.
    let snake_case = function.attr.method.as_ref().map(|_| quote!(#[allow(non_snake_case)]));
    quote! {
        #[doc(hidden)]
        #snake_case
        mod #module {
            #[allow(non_camel_case_types, dead_code, missing_docs)]
            pub struct #name #generics { #field }
        }
        #[doc = #doc]
        #[allow(unused_imports, clippy::pub_use)]
        #vis use #module::#name;
    }
}

/// What callers have to know of a function that they only call: that it may have effects.
pub fn effects(function: &Function, krate: &TokenStream) -> TokenStream {
    let generics = function.type_generics();
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let name = function.name();
    quote! {
        #[automatically_derived]
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        impl #impl_generics #krate::__private::Sweeps for #name #type_generics #where_clause {
            type Saved = ();
            const EMPTY: () = ();
            const EFFECTS: bool = true;
            const WORKSPACE_BYTES: usize = 0;
        }
    }
}

/// The functions of a type whose function has errors: right types, no bodies.
pub fn stubs(function: &Function, params: &[Param], result: &Surface, krate: &TokenStream) -> TokenStream {
    let primal = Primal::nothing();
    let item = Item { function, params, result, primal: &primal, krate };
    let (impl_generics, self_ty, where_clause) = item.generics();
    let (lifetimes, args, y, g, tangent) =
        (item.lifetimes(), item.params(), &function.result, item.gradient_type(), item.result_tangent());
    let (y_bar, target_ty) = (item.seed_type(&tangent), item.gradient_target());
    let vis = &function.item.vis;
    let target = names::ours("g");
    let bars = item.bar_params();
    let scalar = item.scalar_result().then(|| {
        quote! {
            pub fn __accumulate #lifetimes (#(#args,)* #(#bars),*) -> #y { ::core::unimplemented!() }
            #vis fn accumulate_grad #lifetimes (#(#args,)* #target: #target_ty) -> #y { ::core::unimplemented!() }
            #vis fn value_and_grad_into #lifetimes (#(#args,)* #target: #target_ty) -> #y { ::core::unimplemented!() }
            #vis fn grad_into #lifetimes (#(#args,)* #target: #target_ty) { ::core::unimplemented!() }
            #vis fn value_and_grad #lifetimes (#(#args),*) -> (#y, #g) { ::core::unimplemented!() }
            #vis fn grad #lifetimes (#(#args),*) -> #g { ::core::unimplemented!() }
        }
    });
    let (captures, matrices) = (item.captures(), item.matrix_stubs());
    let (wide, joint_wide) = (item.jvp_wide_stub(), item.joint_wide_stub());
    let taylor = item.taylor_stubs();
    let sparse = item.members(&item.sparse_stubs());
    let sparse = (!sparse.is_empty()).then(|| quote!(#krate::__if_alloc! { #sparse }));
    let (unchanged, keeps) = (item.unchanged_params(), item.keeps(&Keeping::Always));
    let kept = item.lifetimes_of(&unchanged);
    // Of what the function changes, the cotangents come in and go out.
    let also = item.changes().then(|| quote!(, #g));
    let given = also.as_ref().map(|_| quote!(, _: #g));
    // Callers' sweeps call these.
    let seeds = Layout::of(result).float_leaves().map(|_| quote!(_: impl ::core::marker::Sized));
    let seeds: Vec<_> = seeds.collect();
    let rows = DERIVATIVES.iter().filter(|row| item.has(row)).map(|row| item.stub(row, seeds.len()));
    quote! {
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        impl #impl_generics #self_ty #where_clause {
            #scalar
            #(#rows)*
            #matrices
            #wide
            #joint_wide
            #taylor
            #vis fn forward #lifetimes (#(#args),*) -> (#y, ()) { ::core::unimplemented!() }
            #vis fn pullback(residuals: &(), y_bar: #y_bar #given) -> #g { ::core::unimplemented!() }
            #vis fn vjp #lifetimes (#(#args),*) -> (#y, impl ::core::ops::Fn(#y_bar #also) -> #g + #captures) {
                (::core::unimplemented!(), |_: #y_bar #given| -> #g { ::core::unimplemented!() })
            }
            pub fn __forward #lifetimes (#(#args,)* saved: &mut ()) -> #y { ::core::unimplemented!() }
            pub fn __reverse #kept (#(#unchanged,)* saved: &(), #(#seeds,)* #(#bars),*) { ::core::unimplemented!() }
            pub fn __keep #lifetimes (#(#args),*) -> (#y, ()) { ::core::unimplemented!() }
            pub fn __pullback(residuals: &(), #(#seeds,)* #(#bars),*) { ::core::unimplemented!() }
        }
        #sparse
        #keeps
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        impl #impl_generics #krate::DifferentiableFn for #self_ty #where_clause {
            type Residuals = ();
            const RESIDUAL_BYTES: usize = 0;
            const WORKSPACE_BYTES: usize = 0;
        }
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        impl #impl_generics #krate::__private::Sweeps for #self_ty #where_clause {
            type Saved = ();
            const EMPTY: () = ();
            const EFFECTS: bool = false;
            const WORKSPACE_BYTES: usize = 0;
        }
    }
}

impl Item<'_> {
    /// A row of the table without a body, for `seeds` cotangents of results of any types.
    fn stub(&self, row: &Derivative, seeds: usize) -> TokenStream {
        let seeds = if row.has_seeds() { seeds * row.along().len() } else { 0 };
        let seeds: Vec<TokenStream> = (0..seeds).map(|_| quote!(_: impl ::core::marker::Sized)).collect();
        let vis = if row.doc.is_some() { self.function.item.vis.to_token_stream() } else { quote!(pub) };
        let signature = self.signature(row, &seeds);
        quote!(#vis #signature { ::core::unimplemented!() })
    }
}
