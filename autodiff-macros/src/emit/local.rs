//! Tangents and cotangents of arguments with several leaves that are not those of the function's own parameters: they are
//! put together in a variable.

use super::body::{Emitter, Place};
use super::leaves::{leaf_tokens, mutable_leaf_tokens, split_tokens};
use super::types::{collected, matrix_of, zero_of};
use crate::ir::Var;
use crate::layout::{Access, Form, Kind, Layout};
use crate::parse::tokens::dim_tokens;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;

impl Emitter<'_> {
    /// Whether the tangents of an argument are where the tangent of the function's parameter is.
    pub(super) fn is_own_tangent(&self, access: &Access, layout: &Layout, dots: &[Var]) -> bool {
        let root = self.roots.dot(access.root);
        let leaves = layout.leaves(access);
        leaves.len() == dots.len()
            && leaves.iter().zip(dots).all(|(leaf, dot)| {
                let access = leaf.access.of_tangent();
                let tokens = leaf_tokens(&quote!(#root), &access, leaf.form).to_string();
                let number = self.values.get(dot).map(|value| value.tokens.to_string());
                !leaf.active
                    || !self.var_ty(*dot).is_float()
                    || self.is_part(*dot, &quote!(#root), &access, leaf.form)
                    || number == Some(tokens)
            })
    }

    /// Where a part of a variable is that is an array.
    pub(super) fn part_place(&mut self, name: &Ident, access: &Access, form: Form) -> Place {
        match split_tokens(&quote!(#name), access, form) {
            None if form.is_of_run_time() => {
                let numbers = mutable_leaf_tokens(&quote!(#name), access, form);
                Place { is_ref: true, ..self.new_place(numbers, TokenStream::new()) }
            }
            Some((rows, part)) => self.new_place(rows, part),
            None => self.new_place(leaf_tokens(&quote!(#name), access, form), TokenStream::new()),
        }
    }

    /// A variable of the tangent type of a value that is zero, and where its slices of structs are.
    pub(super) fn zero_tangent(
        &mut self,
        layout: &Layout,
        leaves: &[Var],
        out: &mut TokenStream,
    ) -> (Ident, Vec<Option<Place>>) {
        let (krate, ty, name) = (self.krate.clone(), self.tangent_type(layout), self.names.local("tangent"));
        let zero = zero_of(&ty, layout, &krate);
        out.extend(quote!(let mut #name = #zero;));
        let (mut places, mut sized) = (Vec::new(), Vec::new());
        for (part, leaf) in layout.leaves(&Access::root(0)).iter().zip(leaves) {
            if !part.active || !self.var_ty(*leaf).is_float() {
                places.push(None);
                continue;
            }
            let place = self.part_place(&name, &part.access.of_tangent(), part.form);
            let rows = &place.tokens;
            if !place.after.is_empty() && part.ty.is_dynamic() && !sized.contains(&rows.to_string()) {
                sized.push(rows.to_string());
                let source = self.place(*leaf).tokens;
                let zeros = collected(&quote!(0..#source.len()), &quote!(|_| #krate::__private::Zero::ZERO), &krate);
                out.extend(quote!(#rows = #zeros;));
            }
            places.push(Some(place));
        }
        (name, places)
    }

    /// A variable of the tangent type of a value, with the given content, and where its leaves are that have a tangent.
    pub(super) fn local_tangent(
        &mut self,
        layout: &Layout,
        leaves: &[Var],
        out: &mut TokenStream,
    ) -> (Ident, Vec<Option<Place>>) {
        let (name, places) = self.zero_tangent(layout, leaves, out);
        let krate = self.krate.clone();
        for ((place, leaf), part) in places.iter().zip(leaves).zip(layout.leaves(&Access::root(0))) {
            let Some(place) = place else { continue };
            // It may be read again.
            if self.var_ty(*leaf).is_dynamic() && !self.var_ty(*leaf).is_scalar() {
                self.copied.insert(*leaf);
            }
            let content = self.value(*leaf);
            if part.form.is_of_run_time() && place.after.is_empty() {
                let (target, value) =
                    (part.access.of_tangent().apply(quote!(#name)), matrix_of(part.form, &content, None, &krate));
                out.extend(quote!(#target = #value;));
                continue;
            }
            out.extend(self.assign(place, &content, false));
        }
        (name, places)
    }

    /// The place of the cotangents of a value, before and after a call.
    pub(super) fn local_cotangent(
        &mut self,
        layout: &Layout,
        bars: &[(Var, Var)],
        out: &mut TokenStream,
    ) -> TokenStream {
        if let (Layout::Leaf(form, _), Some(bar)) = (layout, bars.first()) {
            return self.leaf_cotangent(*form, *bar, out);
        }
        let before: Vec<Var> = bars.iter().map(|(before, _)| *before).collect();
        let (name, places) = self.local_tangent(layout, &before, out);
        for ((before, after), place) in bars.iter().copied().zip(places) {
            let scalar = self.var_ty(after).is_scalar();
            match place {
                None if scalar => {
                    let value = self.number_argument(before);
                    self.define_number(after, value);
                }
                None => self.share_place(after, before),
                Some(place) if scalar => self.define_number(after, place.tokens),
                Some(place) if self.is_given(before) => {
                    // What is the caller's is where the caller looks for it.
                    let made = if place.after.is_empty() {
                        place.tokens
                    } else {
                        place.of_all(self.var_ty(after), &self.krate)
                    };
                    let back = self.assign(&self.place(before), &made, self.var_ty(after).is_dynamic());
                    self.after_call.extend(back);
                    self.share_place(after, before);
                }
                // A slice cannot be moved.
                Some(place) if place.is_ref && self.var_ty(after).is_dynamic() => {
                    let (own, numbers) = (self.local(after), &place.tokens);
                    self.after_call.extend(quote!(let mut #own = #numbers.to_vec();));
                    self.define_place(after, quote!(#own));
                }
                Some(place) => drop(self.places.insert(after, place)),
            }
        }
        quote!(&mut #name)
    }

    pub(super) fn tangent_type(&self, layout: &Layout) -> TokenStream {
        let krate = &self.krate;
        match layout {
            // What is beside numbers in a tuple.
            Layout::Parts(Kind::Tuple, _) if layout.float_leaves().next().is_none() => quote!(()),
            Layout::Leaf(_, ty) if !ty.is_float() => quote!(()),
            Layout::Leaf(form, ty) => {
                let array = super::types::array_type(ty, krate);
                match form {
                    Form::Tensor if !ty.is_scalar() => quote!(#krate::Tensor<#array>),
                    Form::Vector | Form::Matrix => super::types::matrix_type(*form, ty, krate),
                    Form::Plain | Form::Tensor | Form::RunVector | Form::RunMatrix => array,
                }
            }
            Layout::Parts(Kind::Tuple, parts) => {
                let parts = parts.iter().map(|part| self.tangent_type(part));
                quote!((#(#parts,)*))
            }
            Layout::Parts(Kind::Array, parts) => {
                let (count, part) = (parts.len(), parts.first().map(|part| self.tangent_type(part)));
                quote!([#part; #count])
            }
            Layout::Parts(Kind::Struct(ty), parts) if ty.has_optional_value() => {
                let inner = self.tangent_type(&parts[1]);
                quote!(#krate::OptionTangent<#inner>)
            }
            Layout::Parts(Kind::Struct(ty), _) => {
                let path = told(crate::parse::tokens::struct_path(ty, krate));
                quote!(<#path as #krate::Differentiable>::Tangent)
            }
            Layout::Each(item, count) => {
                let item = self.tangent_type(item);
                match count.as_ref().map(dim_tokens) {
                    Some(count) => quote!([#item; #count]),
                    None => quote!(#krate::__private::Vec<#item>),
                }
            }
            Layout::Passive(_) => quote!(()),
        }
    }
}

/// A type with `()` in the place of what rustc infers: a tangent does not tell it, since no number is of it.
fn told(ty: TokenStream) -> TokenStream {
    let told = ty.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "_" => {
            TokenTree::Group(Group::new(Delimiter::Parenthesis, TokenStream::new()))
        }
        token => token,
    });
    told.collect()
}
