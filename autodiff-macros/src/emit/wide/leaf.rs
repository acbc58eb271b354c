//! A leaf in several directions as code: zeros, unit vectors, and what is read and written of it.

use super::WideLeaf;
use crate::emit::leaves::{leaf_tokens, mutable_leaf_tokens, split_tokens};
use crate::emit::types::nested_array;
use crate::ir::{Elem, Ty};
use crate::parse::tokens::{dim_tokens, elem_tokens};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::rc::Rc;

impl WideLeaf {
    /// The leaf as an argument.
    pub(in crate::emit) fn argument(&self) -> TokenStream {
        let name = &self.name;
        if self.ty.is_scalar() { quote!(#name) } else { quote!(&#name) }
    }

    /// A leaf of a result, borrowed in the form that such an argument has.
    pub(in crate::emit) fn borrowed(&self) -> TokenStream {
        let name = &self.name;
        if self.ty.is_dynamic() { quote!(&#name[..]) } else { self.argument() }
    }

    pub(super) fn wide_type(&self) -> Ty {
        Ty::tensor(Elem::Wide(Rc::new(self.ty.elem.clone())), self.ty.dims.clone())
    }

    /// `let mut x_dot = zeros;`
    pub(in crate::emit) fn zeros(&self, width: &TokenStream, params: &[&Ident], krate: &TokenStream) -> TokenStream {
        let element = elem_tokens(&self.ty.elem);
        self.zeros_of(&quote!(#krate::__private::lanes::Lanes<#element, #width>), params, krate)
    }

    /// The same of other wide numbers.
    pub(in crate::emit) fn zeros_of(
        &self,
        element: &TokenStream,
        params: &[&Ident],
        krate: &TokenStream,
    ) -> TokenStream {
        let name = &self.name;
        if !self.ty.is_dynamic() {
            let (ty, zero) = (
                nested_array(element.clone(), &self.ty.dims, krate),
                quote!(<#element as #krate::__private::Zero>::ZERO),
            );
            let zeros = self.ty.dims.iter().rev().map(dim_tokens).fold(zero, |zeros, len| quote!([#zeros; #len]));
            return quote!(let mut #name: #ty = #zeros;);
        }
        let (item, rows) = (nested_array(element.clone(), &self.ty.dims[1..], krate), self.rows(params));
        quote!(let mut #name = #krate::__private::vec![<#item as #krate::__private::Zero>::ZERO; #rows.len()];)
    }

    /// The slice or `Vec` of a parameter that the leaf is a part of each element of, or is itself.
    pub(in crate::emit) fn rows(&self, params: &[&Ident]) -> TokenStream {
        let param = params[self.access.root];
        match split_tokens(&quote!(#param), &self.access, self.form) {
            Some((rows, _)) => rows,
            None => leaf_tokens(&quote!(#param), &self.access, self.form),
        }
    }

    /// Makes it unit vectors from a column on.
    pub(in crate::emit) fn units(&self, first: &Ident, krate: &TokenStream) -> TokenStream {
        let (name, flat) = (&self.name, &self.flat);
        quote!(#krate::__private::lanes::set_units(&mut #name, #flat, #first);)
    }

    pub(in crate::emit) fn clear(&self, krate: &TokenStream) -> TokenStream {
        let name = &self.name;
        quote!(#krate::__private::Zero::set_zero(&mut #name);)
    }

    /// Writes it, or what else is called so and has its form, into the columns of a block from one on.
    pub(in crate::emit) fn columns(
        &self,
        name: &Ident,
        (first, columns): (&Ident, &Ident),
        block: &Ident,
        krate: &TokenStream,
    ) -> TokenStream {
        let flat = &self.flat;
        quote!(#krate::__private::lanes::write_columns(&#name, #flat, (#first, #columns), #block);)
    }

    /// Writes its lanes from one on into all columns of a block.
    pub(in crate::emit) fn columns_of_lanes(
        &self,
        (lane, columns): (&TokenStream, &Ident),
        block: &Ident,
        krate: &TokenStream,
    ) -> TokenStream {
        let (name, flat) = (&self.name, &self.flat);
        quote!(#krate::__private::lanes::write_lanes(&#name, #flat, (#lane, #columns), #block);)
    }

    /// Puts what is called so, and has its form, on the diagonal from a column on.
    pub(in crate::emit) fn on_diagonal(
        &self,
        name: &Ident,
        first: &Ident,
        place: &TokenStream,
        krate: &TokenStream,
    ) -> TokenStream {
        let flat = &self.flat;
        quote! {
            #krate::__private::lanes::read_places(&#name, #flat, |place, lanes| {
                if let ::core::option::Option::Some(value) = lanes.0.get(place.wrapping_sub(#first)) {
                    #krate::__private::jacobian::set_number(&mut #place, place, *value);
                }
            });
        }
    }

    /// Makes derivatives of the coefficients of a series: see `emit/taylor.rs`.
    pub(in crate::emit) fn derivatives(&self, krate: &TokenStream) -> TokenStream {
        let name = &self.name;
        let part = if self.ty.is_dynamic() { quote!(#name[..]) } else { quote!(#name) };
        quote!(#krate::__private::series::derivatives(&mut #part);)
    }

    /// Takes a lane from a tangent, or puts it there.
    pub(in crate::emit) fn lane(&self, of: &TokenStream, lane: &Ident, puts: bool, krate: &TokenStream) -> TokenStream {
        let name = &self.name;
        let trait_ = quote!(#krate::__private::lanes::WideLeaf);
        let (items, reference, function) = match puts {
            true => (quote!(iter_mut), quote!(&mut), quote!(#trait_::write_lane)),
            false => (quote!(iter), quote!(&), quote!(#trait_::set_lane)),
        };
        let (wide_items, wide_reference) =
            if puts { (quote!(iter), quote!(&)) } else { (quote!(iter_mut), quote!(&mut)) };
        match split_tokens(of, &self.access.of_tangent(), self.form) {
            Some((rows, part)) => {
                let part = crate::ir::fill_holes(part, &[quote!(row)]);
                quote! {
                    for (row, item) in ::core::iter::Iterator::zip(#rows.#items(), #name.#wide_items()) {
                        #function(item, #lane, #reference #part);
                    }
                }
            }
            None => {
                let access = &self.access.of_tangent();
                let part = match puts {
                    true => mutable_leaf_tokens(of, access, self.form),
                    false => leaf_tokens(of, access, self.form),
                };
                let part = if self.ty.is_dynamic() { quote!(#part[..]) } else { part };
                let name = if self.ty.is_dynamic() { quote!(#name[..]) } else { quote!(#name) };
                quote!(#function(#wide_reference #name, #lane, #reference #part);)
            }
        }
    }
}

impl WideLeaf {
    /// Calls a closure with each number, as it is given, and that of a plain tangent or gradient.
    pub(in crate::emit) fn zipped(&self, of: &TokenStream, each: &TokenStream, krate: &TokenStream) -> TokenStream {
        let reference = if self.ty.is_scalar() { quote!(&) } else { TokenStream::new() };
        self.zip(of, each, &quote!(zip), &quote!(iter), &reference, krate)
    }

    /// The same, to write to the numbers.
    pub(super) fn zipped_mut(&self, of: &TokenStream, each: &TokenStream, krate: &TokenStream) -> TokenStream {
        self.zip(of, each, &quote!(zip_mut), &quote!(iter_mut), &quote!(&mut), krate)
    }

    fn zip(
        &self,
        of: &TokenStream,
        each: &TokenStream,
        function: &TokenStream,
        items: &TokenStream,
        reference: &TokenStream,
        krate: &TokenStream,
    ) -> TokenStream {
        let (name, function) = (&self.name, quote!(#krate::__private::lanes::WideLeaf::#function));
        match split_tokens(of, &self.access.of_tangent(), self.form) {
            Some((rows, part)) => {
                let part = crate::ir::fill_holes(part, &[quote!(row)]);
                quote! {
                    for (row, item) in ::core::iter::Iterator::zip(#rows.iter(), #name.#items()) {
                        #function(item, &#part, &mut #each);
                    }
                }
            }
            None => {
                let part = leaf_tokens(of, &self.access.of_tangent(), self.form);
                // A slice is given as one.
                let part = if self.ty.is_dynamic() { quote!(#part[..]) } else { part };
                quote!(#function(#reference #name, &#part, &mut #each);)
            }
        }
    }
}
