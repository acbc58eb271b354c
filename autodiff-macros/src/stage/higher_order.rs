//! What is emitted for a function that takes closures, and where it is called: see Note [Higher-order functions] in `desugar/higher_order.rs`.

use crate::diag::{Error, Errors};
use crate::emit::names;
use crate::integers;
use crate::parse::attr::Attr;
use crate::parse::function::{gives_place, without_our_attributes};
use crate::parse::tokens::crate_path;
use crate::relay::{self, Info, Knowledge};
use crate::source::Source;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Block, ItemFn};

/// The function as it stands, its relay, and a type of its name that says in which module it is.
pub fn higher_order(item: &ItemFn, attr: &TokenStream) -> TokenStream {
    let parsed = Attr::parse(attr.clone());
    // A method that gives a place stays where it is; others call the function.
    let stays = matches!(&parsed, Ok(said) if said.method.is_some()) && gives_place(item);
    let of_trait = parsed.as_ref().ok().and_then(|said| said.method.as_ref()).map(|method| method.of_trait.clone());
    let errors = match &parsed {
        Ok(said) if said.wrt.is_some() || said.recursive || !said.pure.is_empty() => {
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
    let doc = format!("The function [`{name}`]({name}()) is differentiated where it is called.");
    quote! {
        #errors
        #own
        #[doc(hidden)]
        mod #module {
            #[allow(non_camel_case_types, dead_code, missing_docs)]
            pub enum #name {}
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
