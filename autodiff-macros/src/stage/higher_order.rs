//! What is emitted for a function that takes closures, and where it is called: see Note [Higher-order functions] in `desugar/higher_order.rs`.

use crate::diag::{Error, Errors};
use crate::emit::names;
use crate::integers;
use crate::parse::attr::Attr;
use crate::parse::function::{gives_place, without_our_attributes};
use crate::parse::tokens::crate_path;
use crate::relay::{self, Info, Knowledge};
use crate::source::Source;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Block, FnArg, GenericParam, ItemFn};

/// What users may ask of a function that has no derivatives of its own, and whether they hand over tangents.
const DERIVATIVES: [(&str, bool); 9] = [
    ("grad", false),
    ("value_and_grad", false),
    ("vjp", false),
    ("jvp", true),
    ("hvp", true),
    ("jacobian", false),
    ("gauss_newton", false),
    ("hessian", false),
    ("value_grad_hessian", false),
];

/// The function as it stands, its relay, and a type of its name that says in which module it is.
pub fn higher_order(item: &ItemFn, attr: &TokenStream) -> TokenStream {
    let parsed = Attr::parse(attr.clone());
    // A method that gives a place stays where it is; others call the function.
    let stays = matches!(&parsed, Ok(said) if said.method.is_some()) && gives_place(item);
    let of_trait = parsed.as_ref().ok().and_then(|said| said.method.as_ref()).map(|method| method.of_trait.clone());
    let errors = match &parsed {
        Ok(said) if said.wrt.is_some() || said.recursive || said.left || !said.pure.is_empty() => {
            let error = Error::new(attr, "this says nothing here: the function is differentiated where it is called");
            Errors::from(error.help("write it on the functions that call this one")).render()
        }
        Ok(_) => TokenStream::new(),
        Err(errors) => errors.clone().render(),
    };
    let (vis, name) = (&item.vis, &item.sig.ident);
    // Its callers take the source as it is, so the integers in it have to say their types.
    let file = crate::file_of(name.span()).and_then(|file| Source::of(&file));
    let integers = integers::infer(item, &item.block, &Knowledge::default(), file).settled();
    let checks = match &parsed {
        Ok(said) if !stays => integers.claims.check(item, &crate_path(said)),
        _ => TokenStream::new(),
    };
    let mut source = item.clone();
    *source.block = integers.body;
    if let Some(of_trait) =
        of_trait.filter(|name| !name.is_empty()).and_then(|name| syn::parse_str::<syn::Ident>(&name).ok())
    {
        source.attrs.push(syn::parse_quote!(#[of_trait(#of_trait)]));
    }
    let relay = relay::define(vis, name, &Info::HigherOrder(quote!(#source)));
    let module = names::marker_module(name);
    let own = without_our_attributes(item.clone());
    let own = (!stays).then(|| quote!(#[allow(dead_code)] #own));
    let krate = parsed.as_ref().map_or_else(|_| quote!(::autodiff), crate_path);
    let Marker { ty, parameters, arguments } = marker(item);
    let missing = missing(item, &krate);
    let doc = format!("The function [`{name}`]({name}()) is differentiated where it is called.");
    quote! {
        #errors
        #own
        #[doc(hidden)]
        mod #module {
            #[allow(non_camel_case_types, dead_code, missing_docs)]
            #ty
        }
        #[doc = #doc]
        #[allow(unused_imports, non_snake_case, clippy::pub_use)]
        #vis use #module::#name;
        #relay
        #checks
        #[automatically_derived]
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        impl #name {
            #[doc(hidden)]
            pub const AUTODIFF_MODULE: &'static str = ::core::module_path!();
        }
        #[automatically_derived]
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        impl #parameters #name #arguments {
            #missing
        }
    }
}

/// In the places of the derivatives: what tells that there are none here.
fn missing(item: &ItemFn, krate: &TokenStream) -> TokenStream {
    let inputs = &item.sig.inputs;
    let is_kept_out = |attr: &syn::Attribute| attr.path().is_ident("no_diff");
    let active = inputs.iter().filter(|input| match input {
        FnArg::Typed(typed) => !typed.attrs.iter().any(is_kept_out),
        FnArg::Receiver(_) => true,
    });
    let (count, active) = (inputs.len(), active.count());
    let functions = DERIVATIVES.iter().map(|(name, has_tangents)| {
        let name = Ident::new(name, item.sig.ident.span());
        let params = vec![quote!(_: impl ::core::marker::Sized); if *has_tangents { count + active } else { count }];
        quote! {
            #[doc(hidden)]
            pub fn #name<__R>(#(#params),*) -> __R where for<'of> Self: #krate::__private::Alone<'of> {
                ::core::unimplemented!()
            }
        }
    });
    functions.collect()
}

/// The type beside the function, which takes the generic arguments that the function takes.
struct Marker {
    ty: TokenStream,
    parameters: TokenStream,
    arguments: TokenStream,
}

fn marker(item: &ItemFn) -> Marker {
    let name = &item.sig.ident;
    let (mut declared, mut parameters, mut arguments, mut held) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for param in &item.sig.generics.params {
        match param {
            GenericParam::Type(param) => {
                let name = &param.ident;
                declared.push(quote!(#name: ?::core::marker::Sized = ()));
                parameters.push(quote!(#name: ?::core::marker::Sized));
                arguments.push(name);
                held.push(quote!(::core::marker::PhantomData<#name>));
            }
            GenericParam::Const(param) => {
                let (name, ty) = (&param.ident, &param.ty);
                let default = match &ty.to_token_stream().to_string()[..] {
                    "bool" => quote!(false),
                    "char" => quote!(' '),
                    _ => quote!(0),
                };
                declared.push(quote!(const #name: #ty = #default));
                parameters.push(quote!(const #name: #ty));
                arguments.push(name);
            }
            GenericParam::Lifetime(_) => {}
        }
    }
    Marker {
        ty: match held.is_empty() {
            true => quote!(pub enum #name<#(#declared),*> {}),
            false => {
                quote!(pub enum #name<#(#declared),*> { __Never(::core::convert::Infallible, #(#held),*) })
            }
        },
        parameters: quote!(<#(#parameters),*>),
        arguments: quote!(<#(#arguments),*>),
    }
}

/// The checks that what a body calls means the same in its module.
pub fn module_checks(body: &Block, places: &[syn::Path], knowledge: &Knowledge, krate: &TokenStream) -> TokenStream {
    let paths = crate::desugar::bound_to_their_module(body, knowledge);
    let paths = paths
        .iter()
        .map(|path| (path, "takes functions"))
        .chain(places.iter().map(|path| (path, "returns a reference")));
    let checks = paths.map(|(path, what)| {
        let path = relay::without_arguments(path);
        let name = crate::tokens::spelled(&path);
        let message = format!(
            "`{name}` {what}, and names something of its own module, which it cannot when it is differentiated in another: \
             hand that over as an argument, or call `{name}` from its own module"
        );
        quote! {
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            const _: () = ::core::assert!(
                #krate::__private::is_same_module(#path::AUTODIFF_MODULE, ::core::module_path!()),
                #message
            );
        }
    });
    checks.collect()
}
