//! Values put together again from their numbers and arrays.

use super::body::Emitter;
use super::types::{cloned, collected};
use crate::ir::Var;
use crate::lower::value::{Form, Value};
use crate::parse::ty::{StructName, StructType};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

impl Emitter<'_> {
    /// The same from copies: what the value is made of is needed again.
    pub(super) fn assemble_copy(&mut self, value: &Value, leaves: &mut impl Iterator<Item = Var>) -> TokenStream {
        let leaves: Vec<Var> = leaves.collect();
        for leaf in &leaves {
            if self.var_ty(*leaf).is_dynamic() && !self.var_ty(*leaf).is_scalar() {
                self.copied.insert(*leaf);
            }
        }
        self.assemble(value, &mut leaves.into_iter())
    }

    /// A value whose leaves are the next of `leaves`.
    pub(super) fn assemble(&mut self, value: &Value, leaves: &mut impl Iterator<Item = Var>) -> TokenStream {
        match value {
            Value::Leaf(_, form) => {
                let Some(var) = leaves.next() else { return TokenStream::new() };
                let (value, krate) = (self.value(var), &self.krate);
                if *form == Form::Tensor && !self.var_ty(var).is_scalar() {
                    quote!(#krate::Tensor(#value))
                } else {
                    value
                }
            }
            Value::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.assemble(part, leaves)).collect();
                quote!((#(#parts,)*))
            }
            Value::List(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.assemble(part, leaves)).collect();
                quote!([#(#parts),*])
            }
            Value::Struct(ty, parts) if ty.is_enum() => self.assemble_enum(ty, parts, leaves),
            Value::Struct(ty, parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.assemble(part, leaves)).collect();
                let (path, members) = (struct_path(ty, &self.krate), ty.fields.iter().map(|field| &field.member));
                quote!(#path { #(#members: #parts),* })
            }
            Value::Rows(item, _) => self.assemble_rows(item, leaves),
            Value::Untyped(untyped) => untyped.tokens.clone(),
            Value::Other(tokens) => cloned(tokens),
            // Lowering makes arrays of these before they get here.
            Value::View(_)
            | Value::Alias(_)
            | Value::Grown(..)
            | Value::Undefined
            | Value::Never
            | Value::Closure(_) => TokenStream::new(),
        }
    }
}

impl Emitter<'_> {
    /// A `Vec` of structs from an array for each of their numbers.
    fn assemble_rows(&mut self, item: &Value, leaves: &mut impl Iterator<Item = Var>) -> TokenStream {
        let row = quote!(row);
        let arrays: Vec<Var> = leaves.take(item.leaves().len()).collect();
        let mut rest = arrays.iter().map(|array| {
            let place = self.place(*array);
            let tokens = &place.tokens;
            let element = place.of(quote!(#tokens[#row]));
            quote!(::core::clone::Clone::clone(&#element))
        });
        let item = element(item, &mut rest, &self.krate);
        let first = arrays.first().map(|array| self.place(*array).tokens);
        collected(&quote!(0..#first.len()), &quote!(|#row| #item), &self.krate)
    }
}

/// A value whose leaves are expressions.
fn element(value: &Value, leaves: &mut impl Iterator<Item = TokenStream>, krate: &TokenStream) -> TokenStream {
    match value {
        Value::Leaf(_, Form::Tensor) => {
            let leaf = leaves.next();
            quote!(#krate::Tensor(#leaf))
        }
        Value::Tuple(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| element(part, leaves, krate)).collect();
            quote!((#(#parts,)*))
        }
        Value::List(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| element(part, leaves, krate)).collect();
            quote!([#(#parts),*])
        }
        Value::Struct(ty, parts) => {
            let parts: Vec<_> = parts.iter().map(|part| element(part, leaves, krate)).collect();
            let (path, members) = (struct_path(ty, krate), ty.fields.iter().map(|field| &field.member));
            quote!(#path { #(#members: #parts),* })
        }
        _ => leaves.next().unwrap_or_default(),
    }
}

/// A struct's name in an expression or a type.
pub(super) fn struct_path(ty: &StructType, krate: &TokenStream) -> TokenStream {
    match &ty.name {
        _ if ty.is_option => quote!(::core::option::Option),
        StructName::Path => turbofish(&ty.path).into_token_stream(),
        StructName::Field(owner, k) => {
            let (owner, k) = (struct_path(owner, krate), Literal::usize_unsuffixed(*k));
            quote!(#krate::__private::Field::<#owner, #k>)
        }
    }
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
