//! Pieces of Rust that several rooms write or take apart.

use super::attr::Attr;
use super::ty::{StructName, StructType};
use crate::ir::dim::Dim;
use crate::ir::{Elem, wide};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericParam, ItemFn};

/// The path of the `autodiff` crate where the macro is used.
pub fn crate_path(attr: &Attr) -> TokenStream {
    if let Some(path) = &attr.krate {
        return quote!(#path);
    }
    match proc_macro_crate::crate_name("autodiff") {
        Ok(proc_macro_crate::FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::#name)
        }
        // The crate's own tests, examples and documentation name it like everybody else.
        _ => quote!(::autodiff),
    }
}

/// `value.clone()` of a value or of what it refers to, where `Clone` need not be in scope.
pub fn cloned(value: &TokenStream) -> TokenStream {
    quote!({
        use ::core::clone::Clone as _;
        #value.clone()
    })
}

/// The generic arguments of a function, as its own signature names them: `::<T, N>`.
pub fn own_arguments(function: &ItemFn) -> TokenStream {
    let args: Vec<_> = function
        .sig
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Const(param) => Some(&param.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    if args.is_empty() { TokenStream::new() } else { quote!(::<#(#args),*>) }
}

/// What a reference refers to.
pub fn referent(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Reference(reference) => referent(&reference.elem),
        other => other,
    }
}

/// Whether an atom is surely an identifier. Making that one token takes much less time than parsing.
fn is_name(atom: &str) -> bool {
    let mut bytes = atom.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_uppercase())
        && bytes.all(|c| c.is_ascii_alphanumeric() || c == b'_')
}

/// A size as an expression: `N - 1`.
pub fn dim_tokens(dim: &Dim) -> TokenStream {
    match dim.as_literal() {
        Some(value) => usize::try_from(value).map_or_else(
            |_| syn::parse_str(&value.to_string()).unwrap_or_default(),
            |value| {
                let literal = Literal::usize_unsuffixed(value);
                quote!(#literal)
            },
        ),
        None => match dim.as_atom().filter(|atom| is_name(atom)) {
            Some(name) => TokenTree::Ident(Ident::new(name, Span::call_site())).into(),
            None => syn::parse_str(&dim.to_string()).unwrap_or_default(),
        },
    }
}

/// A size as a generic argument: a literal as it is, anything else in braces.
pub fn dim_argument(dim: &Dim) -> TokenStream {
    let tokens = dim_tokens(dim);
    if dim.as_literal().is_some() { tokens } else { quote!({ #tokens }) }
}

/// An element type.
pub fn elem_tokens(elem: &Elem) -> TokenStream {
    if let Elem::Wide(_) = elem {
        return wide().to_token_stream();
    }
    let text = elem.to_string();
    // Parsing takes much longer than making the one token that it mostly is.
    if let Elem::Real(_) | Elem::Foreign = elem {
        return syn::parse_str(&text).unwrap_or_default();
    }
    TokenTree::Ident(Ident::new(&text, Span::call_site())).into()
}

/// A struct's name in an expression or a type.
pub fn struct_path(ty: &StructType, krate: &TokenStream) -> TokenStream {
    match &ty.name {
        _ if ty.is_option => quote!(::core::option::Option),
        _ if ty.errors.is_some() => quote!(::core::result::Result),
        StructName::Path => turbofish(&ty.path).into_token_stream(),
        StructName::Imported(name) => turbofish(&renamed(&ty.path, name)).into_token_stream(),
        StructName::Field(owner, k) => {
            let (owner, k) = (struct_path(owner, krate), Literal::usize_unsuffixed(*k));
            quote!(#krate::__private::Field::<#owner, #k>)
        }
    }
}

/// The last name of a path, with its arguments, under another name.
fn renamed(path: &syn::Path, name: &Ident) -> syn::Path {
    let arguments = path.segments.last().map(|last| last.arguments.clone()).unwrap_or_default();
    let mut path = syn::Path::from(name.clone());
    path.segments[0].arguments = arguments;
    path
}

fn turbofish(path: &syn::Path) -> syn::Path {
    let mut path = path.clone();
    for segment in &mut path.segments {
        if let syn::PathArguments::AngleBracketed(args) = &mut segment.arguments {
            args.colon2_token = Some(syn::token::PathSep::default());
        }
    }
    path
}
