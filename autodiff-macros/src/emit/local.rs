//! Tangents and cotangents of arguments with several leaves that are not those of the function's own parameters: they are
//! put together in a variable.

use super::body::{Emitter, Place};
use super::leaves::{leaf_tokens, split_tokens};
use super::types::collected;
use crate::ir::Var;
use crate::lower::target::{CallArg, Pass};
use crate::lower::value::{Access, Form, Value};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Emitter<'_> {
    /// Whether the tangents of an argument are where the tangent of the function's parameter is.
    pub(super) fn is_own_tangent(&self, access: &Access, value: &Value, dots: &[Var]) -> bool {
        let root = self.roots.dot(access.root);
        let leaves = value_leaves(value, access);
        leaves.len() == dots.len()
            && leaves.iter().zip(dots).all(|((access, form, active), dot)| {
                let tokens = leaf_tokens(&quote!(#root), access, *form).to_string();
                let number = self.values.get(dot).map(|value| value.tokens.to_string());
                !active
                    || !self.var_ty(*dot).is_float()
                    || self.is_part(*dot, &quote!(#root), access, *form)
                    || number == Some(tokens)
            })
    }

    /// Where a part of a variable is that is an array.
    pub(super) fn part_place(&mut self, name: &Ident, access: &Access, form: Form) -> Place {
        match split_tokens(&quote!(#name), access, form) {
            Some((rows, part)) => self.new_place(rows, part),
            None => self.new_place(leaf_tokens(&quote!(#name), access, form), TokenStream::new()),
        }
    }

    /// A variable of the tangent type of a value that is zero, and where its slices of structs are.
    pub(super) fn zero_tangent(
        &mut self,
        value: &Value,
        leaves: &[Var],
        out: &mut TokenStream,
    ) -> (Ident, Vec<Option<Place>>) {
        let (krate, ty, name) = (self.krate.clone(), self.tangent_type(value), self.names.local("tangent"));
        out.extend(quote!(let mut #name = <#ty as #krate::__private::Zero>::ZERO;));
        let (mut places, mut sized) = (Vec::new(), Vec::new());
        for ((access, form, active), leaf) in value_leaves(value, &Access::root(0)).iter().zip(leaves) {
            if !*active || !self.var_ty(*leaf).is_float() {
                places.push(None);
                continue;
            }
            let place = self.part_place(&name, access, *form);
            let (rows, source) = (&place.tokens, self.place(*leaf).tokens);
            if !place.after.is_empty() && !sized.contains(&rows.to_string()) {
                sized.push(rows.to_string());
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
        value: &Value,
        leaves: &[Var],
        out: &mut TokenStream,
    ) -> (Ident, Vec<Option<Place>>) {
        let (name, places) = self.zero_tangent(value, leaves, out);
        for (place, leaf) in places.iter().zip(leaves) {
            let Some(place) = place else { continue };
            // It may be read again.
            if self.var_ty(*leaf).is_dynamic() && !self.var_ty(*leaf).is_scalar() {
                self.copied.insert(*leaf);
            }
            let content = self.value(*leaf);
            out.extend(self.assign(place, &content, false));
        }
        (name, places)
    }

    pub(super) fn local_cotangent(
        &mut self,
        arg: &CallArg,
        value: &Value,
        accumulators: &mut impl Iterator<Item = Var>,
        outs: &mut impl Iterator<Item = Var>,
        out: &mut TokenStream,
    ) -> TokenStream {
        if let Value::Leaf(_, form) = value {
            let leaf = CallArg {
                pass: Pass::Leaf(*form),
                leaves: 1,
                by_ref: arg.by_ref,
                active: true,
                constant: false,
                mutable: false,
            };
            return self.cotangent(&leaf, &[], accumulators, outs, out);
        }
        let pairs: Vec<(Var, Var)> = accumulators.zip(outs).take(arg.leaves).collect();
        let before: Vec<Var> = pairs.iter().map(|(before, _)| *before).collect();
        let (name, places) = self.local_tangent(value, &before, out);
        for ((before, after), place) in pairs.into_iter().zip(places) {
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
                    let made = if place.after.is_empty() { place.tokens } else { place.of_all(&self.krate) };
                    let back = self.assign(&self.place(before), &made, self.var_ty(after).is_dynamic());
                    self.after_call.extend(back);
                    self.share_place(after, before);
                }
                Some(place) => drop(self.places.insert(after, place)),
            }
        }
        quote!(&mut #name)
    }

    pub(super) fn tangent_type(&self, value: &Value) -> TokenStream {
        let krate = &self.krate;
        match value {
            Value::Leaf(var, form) => {
                let array = super::types::array_type(self.var_ty(*var), krate);
                if *form == Form::Tensor && !self.var_ty(*var).is_scalar() {
                    quote!(#krate::Tensor<#array>)
                } else {
                    array
                }
            }
            Value::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.tangent_type(part));
                quote!((#(#parts,)*))
            }
            Value::List(parts) => {
                let (count, part) = (parts.len(), parts.first().map(|part| self.tangent_type(part)));
                quote!([#part; #count])
            }
            Value::Struct(ty, parts) if ty.is_option => {
                let inner = self.tangent_type(&parts[1]);
                quote!(#krate::OptionTangent<#inner>)
            }
            Value::Struct(ty, _) => {
                let path = super::assemble::struct_path(ty, krate);
                quote!(<#path as #krate::Differentiable>::Tangent)
            }
            Value::Rows(item, _) => {
                let item = self.tangent_type(item);
                quote!(#krate::__private::Vec<#item>)
            }
            _ => quote!(()),
        }
    }
}

/// Whether a slice of structs is among the parts of a value.
pub(super) fn has_rows(value: &Value) -> bool {
    match value {
        Value::Rows(..) => true,
        Value::Tuple(parts) | Value::Struct(_, parts) | Value::List(parts) => parts.iter().any(has_rows),
        _ => false,
    }
}

/// The leaves of a value with where they are, and whether they carry a derivative.
pub(super) fn value_leaves(value: &Value, at: &Access) -> Vec<(Access, Form, bool)> {
    use crate::lower::value::Step;
    match value {
        Value::Leaf(_, form) => vec![(at.clone(), *form, true)],
        Value::Rows(item, _) => value_leaves(item, &at.then(Step::Each)),
        Value::Tuple(parts) => {
            let parts = parts.iter().enumerate();
            parts.flat_map(|(k, part)| value_leaves(part, &at.then(Step::Field(k.to_string())))).collect()
        }
        Value::List(parts) => {
            parts.iter().enumerate().flat_map(|(k, part)| value_leaves(part, &at.then(Step::Index(k)))).collect()
        }
        Value::Struct(ty, parts) => {
            let fields = ty.fields.iter().zip(parts).enumerate();
            fields
                .flat_map(|(k, (field, part))| {
                    let at = at.then(ty.step(k));
                    let leaves = value_leaves(part, &at).into_iter();
                    leaves.map(|(access, form, active)| (access, form, active && field.active)).collect::<Vec<_>>()
                })
                .collect()
        }
        _ => Vec::new(),
    }
}
