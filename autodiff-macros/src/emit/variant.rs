//! What is in an enum is read with a `match`; see Note [Enums] in [`crate::parse::ty`].

use super::body::Emitter;
use super::item::Item;
use super::types::{filled, number};
use crate::ir::{Ty, Var, hole};
use crate::layout::{Access, Form, Part, Step};
use crate::parse::tokens::{dim_tokens, struct_path};
use crate::parse::ty::{ERRORS, Field, Geometry, Held, StructType, Surface};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeSet;

/// How a leaf is taken out of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// A number, or a copy of an array.
    Copy,
    /// A reference to an array.
    Borrow,
}

/// A leaf of a value with enums in it. Where the value is of another variant, it is `none`.
pub fn taken(
    root: &TokenStream,
    path: &[Step],
    (form, ty, take): (Form, &Ty, Take),
    none: &TokenStream,
    krate: &TokenStream,
) -> TokenStream {
    let apply = |steps: &[Step]| Access { root: 0, path: steps.to_vec() }.apply(root.clone());
    let Some(at) = path.iter().position(|step| matches!(step, Step::Part(_))) else {
        let place = form.array_in(root.clone());
        let place = if path.is_empty() {
            place
        } else {
            super::leaves::leaf_tokens(root, &Access { root: 0, path: path.to_vec() }, form)
        };
        // The root is what a pattern has bound.
        let is_ref = path.is_empty() && form == Form::Plain;
        return match (take, ty.is_dynamic() && !ty.is_scalar()) {
            (Take::Borrow, true) => quote!(&#place[..]),
            (Take::Borrow, false) if is_ref => place,
            (Take::Borrow, false) => quote!(&#place),
            (Take::Copy, true) => quote!(#place.to_vec()),
            (Take::Copy, false) if is_ref => quote!(*#place),
            (Take::Copy, false) => place,
        };
    };
    let Step::Part(Part { ty: owner, field }) = &path[at] else { return TokenStream::new() };
    let (base, name) = (apply(&path[..at]), struct_path(owner, krate));
    let Some(variant) = owner.variant_of(*field) else { return kind(owner, &base, krate) };
    let (variant, member) = (&variant.name, &owner.fields[*field].member);
    let inner = taken(&quote!(part), &path[at + 1..], (form, ty, take), none, krate);
    let inner = if owner.fields[*field].held == Held::Boxed { quote!({ let part = &**part; #inner }) } else { inner };
    quote!(match &#base { #name::#variant { #member: part, .. } => #inner, _ => #none })
}

/// Which variant a value is.
fn kind(ty: &StructType, base: &TokenStream, krate: &TokenStream) -> TokenStream {
    let name = struct_path(ty, krate);
    let arms = ty.variants.iter().enumerate().map(|(k, variant)| {
        let (k, variant) = (Literal::usize_suffixed(k), &variant.name);
        quote!(#name::#variant { .. } => #k)
    });
    quote!(match &#base { #(#arms),* })
}

/// What a leaf is in a value of another variant.
pub fn none(ty: &Ty, krate: &TokenStream) -> TokenStream {
    let zero = match ty.elem {
        crate::ir::Elem::Bool => quote!(false),
        _ => number(&ty.elem, 0.0, true, krate),
    };
    filled(ty, &zero, krate, &mut |dim| if dim.is_dynamic() { quote!(0) } else { dim_tokens(dim) })
}

/// The same for an element of a slice, in place of whose hole the element is to be put.
pub fn taken_of_each(path: &[Step], form: Form, ty: &Ty, krate: &TokenStream) -> TokenStream {
    let element = hole(0);
    let ty = Ty::tensor(ty.elem.clone(), ty.dims[1..].to_vec());
    let taken = taken(&quote!(#element), path, (form, &ty, Take::Copy), &none(&ty, krate), krate);
    quote!((#taken))
}

impl Emitter<'_> {
    /// Takes a leaf out of a parameter with enums in it, before the first statement.
    pub(super) fn take_param(&mut self, var: Var, root: &TokenStream, access: &Access, form: Form) {
        let (ty, krate) = (self.var_ty(var).clone(), self.krate.clone());
        if ty.is_scalar() {
            let mut prologue = std::mem::take(&mut self.prologue);
            self.take_result(var, root, access, form, &mut prologue);
            self.prologue = prologue;
            return;
        }
        let other = if ty.is_dynamic() {
            quote!(&[])
        } else {
            let (other, none) = (self.names.local("none"), none(&ty, &krate));
            self.prologue.extend(quote!(let #other = #none;));
            quote!(&#other)
        };
        let (name, value) = (self.local(var), taken(root, &access.path, (form, &ty, Take::Borrow), &other, &krate));
        self.prologue.extend(quote!(let #name = #value;));
        self.param(var, quote!(#name), true);
    }

    /// Takes a leaf out of what another function returns.
    pub(super) fn take_result(
        &mut self,
        var: Var,
        root: &TokenStream,
        access: &Access,
        form: Form,
        out: &mut TokenStream,
    ) {
        let (ty, krate, name) = (self.var_ty(var).clone(), self.krate.clone(), self.local(var));
        if let Some((list, of)) = error_list(access) {
            let result = of.apply(root.clone());
            let value = if self.is_used(var) { quote!(#list.put_any(#result.err())) } else { quote!(0) };
            out.extend(quote!(let #name: usize = #value;));
            self.define_number(var, quote!(#name));
            return;
        }
        let value = taken(root, &access.path, (form, &ty, Take::Copy), &none(&ty, &krate), &krate);
        if ty.is_scalar() {
            out.extend(quote!(let #name = #value;));
            self.define_number(var, quote!(#name));
        } else {
            out.extend(quote!(let mut #name = #value;));
            self.define_place(var, quote!(#name));
        }
    }
}

/// Where the error of a `Result` goes, and where that is, if it is what an access means.
fn error_list(access: &Access) -> Option<(&Ident, Access)> {
    let (last, path) = access.path.split_last()?;
    match last {
        Step::Part(Part { ty, field: 2 }) => {
            Some((ty.errors.as_ref()?, Access { root: access.root, path: path.to_vec() }))
        }
        _ => None,
    }
}

impl Item<'_> {
    /// The lists of the errors that some code has to do with.
    pub(super) fn error_lists(&self, code: &[&TokenStream]) -> TokenStream {
        let krate = self.krate;
        let own = match self.result {
            Surface::Struct(ty) => ty.errors.as_ref(),
            _ => None,
        };
        let mut lists = BTreeSet::new();
        code.iter().for_each(|tokens| find_lists(tokens, &mut lists));
        if lists.is_empty() {
            return TokenStream::new();
        }
        let made = lists.into_iter().map(|list| match own == Some(&list) {
            true => {
                let y = &self.function.result;
                quote!(let #list = #krate::__private::Errors::<<#y as #krate::__private::Fallible>::Error>::new();)
            }
            false => quote!(let #list = #krate::__private::Errors::new();),
        });
        quote!(use #krate::__private::MoveErrors as _; #(#made)*)
    }
}

fn find_lists(tokens: &TokenStream, lists: &mut BTreeSet<Ident>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) if ident.to_string().starts_with(ERRORS) => drop(lists.insert(ident)),
            TokenTree::Group(group) => find_lists(&group.stream(), lists),
            _ => {}
        }
    }
}

/// A struct from its fields, or an enum from its kind and the parts of all variants.
pub fn assembled(ty: &StructType, parts: &[TokenStream], krate: &TokenStream) -> TokenStream {
    let path = struct_path(ty, krate);
    match (ty.geometry, parts) {
        (Some(Geometry::RunVector), [numbers]) => {
            return quote!(#krate::__private::nalgebra::DVector::from_vec(#numbers));
        }
        (Some(Geometry::RunMatrix), [numbers, rows, columns]) => {
            return quote!(#krate::__private::nalgebra::DMatrix::from_vec(#rows, #columns, #numbers));
        }
        (Some(Geometry::Rotation), [matrix, _]) => return quote!(#path::from_matrix_unchecked(#matrix)),
        (Some(Geometry::UnitQuaternion), [coords, _]) => {
            return quote!(#path::new_unchecked(#krate::__private::nalgebra::Quaternion { coords: #coords }));
        }
        (Some(Geometry::UnitComplex), [re, im, _]) => {
            return quote!(#path::new_unchecked(#krate::__private::nalgebra::Complex { re: #re, im: #im }));
        }
        (Some(Geometry::UnitVector), [vector, _]) => return quote!(#path::new_unchecked(#vector)),
        (Some(of @ (Geometry::Isometry | Geometry::Similarity)), [numbers @ .., _]) => {
            let nalgebra = quote!(#krate::__private::nalgebra);
            let (numbers, factor) = match numbers.split_last() {
                Some((factor, numbers)) if of == Geometry::Similarity => (numbers, Some(factor)),
                _ => (numbers, None),
            };
            let (rotation, translation) = match numbers {
                [re, im, vector] => (
                    quote!(#nalgebra::UnitComplex::new_unchecked(#nalgebra::Complex { re: #re, im: #im })),
                    quote!(#nalgebra::Translation2 { vector: #vector }),
                ),
                [coords, vector] => (
                    quote!(#nalgebra::UnitQuaternion::new_unchecked(#nalgebra::Quaternion { coords: #coords })),
                    quote!(#nalgebra::Translation3 { vector: #vector }),
                ),
                _ => unreachable!("a rotation has two parts or one"),
            };
            let factor = factor.into_iter();
            return quote!(#path::from_parts(#translation, #rotation #(, #factor)*));
        }
        _ => {}
    }
    let boxed = |(part, field): (&TokenStream, &Field)| match field.held {
        Held::Boxed => quote!(#krate::__private::Box::new(#part)),
        _ => part.clone(),
    };
    let parts: Vec<TokenStream> = parts.iter().zip(&ty.fields).map(boxed).collect();
    let Some((kind, _)) = parts.split_first().filter(|_| ty.is_enum()) else {
        let members = ty.fields.iter().map(|field| &field.member);
        return quote!(#path { #(#members: #parts),* });
    };
    let error = ty.errors.as_ref().map(|list| {
        let number = &parts[2];
        quote!(#list.take(#number))
    });
    let variants = ty.variants.iter().map(|variant| {
        if let (true, Some(error)) = (variant.name == "Err", &error) {
            return quote!(#path::Err(#error));
        }
        let (name, fields) = (&variant.name, variant.fields.clone());
        let members = ty.fields[fields.clone()].iter().map(|field| &field.member);
        let values = &parts[fields];
        quote!(#path::#name { #(#members: #values),* })
    });
    let variants: Vec<TokenStream> = variants.collect();
    let known = kind.to_string().trim_end_matches("usize").parse().ok();
    if let Some(variant) = known.and_then(|known: usize| variants.get(known)) {
        return variant.clone();
    }
    let Some((last, others)) = variants.split_last() else { return TokenStream::new() };
    let numbers = (0..others.len()).map(Literal::usize_unsuffixed);
    quote!(match #kind { #(#numbers => #others,)* _ => #last })
}
