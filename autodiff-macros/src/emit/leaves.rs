//! The leaves of parameters, tangents and results: where they are, and how they are read and named.

use super::body::Emitter;
use super::item::Item;
use super::names;
use super::types::{array_type, collected, matrix_type, of_rows};
use super::variant::{self, Take, taken_of_each};
use crate::ir::interface::Along;
use crate::ir::{Ty, Var};
use crate::layout::{Access, Form, Leaf, ParamLeaf};
use crate::parse::tokens::{dim_tokens, elem_tokens};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl ParamLeaf {
    /// Whether it is at one place, where it can be borrowed.
    pub(super) fn is_there(&self) -> bool {
        !self.access.is_in_enum() && self.access.around_each().is_none()
    }
}

impl Item<'_> {
    /// Says where the function's parameters are.
    pub(super) fn place_params(&self, emitter: &mut Emitter) {
        for leaf in &self.primal.leaves {
            let param = &self.params[leaf.access.root];
            let (name, is_ref) = (&param.name, param.is_ref && leaf.access.path.is_empty());
            if let Some((slice, part)) = self.of_each(leaf) {
                emitter.param_rows(leaf.var, (slice, part));
            } else if !leaf.access.is_in_enum() {
                let is_ref = is_ref && leaf.form == Form::Plain || leaf.form.is_of_run_time();
                emitter.place_leaf(leaf.var, &quote!(#name), leaf, is_ref);
            } else if emitter.is_used(leaf.var) && (emitter.has_changed || !param.is_mut) {
                emitter.take_param(leaf.var, &quote!(#name), &leaf.access, leaf.form);
            }
        }
    }

    /// A leaf of a parameter that is a slice: the slice, and the leaf as an expression with a hole for the element.
    fn of_each(&self, leaf: &ParamLeaf) -> Option<(TokenStream, TokenStream)> {
        let name = &self.params[leaf.access.root].name;
        let (slice, part) = split_tokens(&quote!(#name), &leaf.access, leaf.form)?;
        let (_, after) = leaf.access.around_each()?;
        match after.is_in_enum() {
            true => Some((slice, taken_of_each(&after.path, leaf.form, self.primal.body.ty(leaf.var), self.krate))),
            false => Some((slice, part)),
        }
    }

    /// A leaf of a parameter that is in an enum.
    fn taken(&self, leaf: &ParamLeaf, take: Take) -> TokenStream {
        let (name, ty) = (&self.params[leaf.access.root].name, self.primal.body.ty(leaf.var));
        let other = match take {
            Take::Borrow => quote!(&[]),
            Take::Copy => variant::none(ty, self.krate),
        };
        variant::taken(&quote!(#name), &leaf.access.path, (leaf.form, ty, take), &other, self.krate)
    }

    /// A copy of a leaf of a parameter, for residuals that own what they read.
    pub(super) fn copied_leaf(&self, leaf: &ParamLeaf, ty: &Ty) -> TokenStream {
        let param = &self.params[leaf.access.root];
        if let Some((slice, part)) = self.of_each(leaf) {
            return gathered(&slice, part, ty, self.krate);
        }
        if leaf.access.is_in_enum() {
            return self.taken(leaf, Take::Copy);
        }
        let name = &param.name;
        let value = leaf_tokens(&quote!(#name), &leaf.access, leaf.form);
        match leaf.access.path.is_empty() && param.is_ref && leaf.form == Form::Plain {
            _ if ty.is_dynamic() => quote!(#value.to_vec()),
            true => quote!(*#value),
            false => value,
        }
    }

    /// What is kept of a leaf to know how long its cotangent is: zeros of its type, or, of a slice of structs, their number, and
    /// zeros where each of them has a `Vec`.
    pub(super) fn template_type(&self, leaf: &ParamLeaf) -> TokenStream {
        let ty = self.primal.body.ty(leaf.var);
        match leaf.access.around_each() {
            Some(_) if ty.is_ragged() => {
                let rows = array_type(ty, self.krate);
                quote!((usize, #rows))
            }
            Some(_) => quote!(usize),
            None if leaf.form.is_of_run_time() => matrix_type(leaf.form, ty, self.krate),
            None => array_type(ty, self.krate),
        }
    }

    /// The template of the `k`th leaf, the cotangent that is made of it, and where that is, if it is in a field.
    pub(super) fn template(
        &self,
        leaf: &ParamLeaf,
        k: usize,
        bar: &Ident,
    ) -> (TokenStream, TokenStream, Option<TokenStream>) {
        let param = &self.params[leaf.access.root];
        let (krate, k, name) = (self.krate, syn::Index::from(k), &param.name);
        let residuals = names::ours("residuals");
        if let (Some((slice, part)), Some((before, _))) = (self.of_each(leaf), leaf.access.around_each()) {
            let (kept, count) = match self.primal.body.ty(leaf.var).is_ragged() {
                true => {
                    let part = crate::ir::fill_holes(part, &[quote!(item)]);
                    let zeros = quote!(|item| #krate::__private::zeros(&#part[..]));
                    let rows = collected(&quote!(#slice.iter()), &zeros, krate);
                    (quote!((#slice.len(), #rows)), quote!(#k.0))
                }
                false => (quote!(#slice.len()), quote!(#k)),
            };
            let zeros =
                collected(&quote!(0..#residuals.data().2.#count), &quote!(|_| #krate::__private::Zero::ZERO), krate);
            let place = (!before.path.is_empty()).then(|| before.of_tangent().apply(quote!(#bar)));
            return (kept, zeros, place);
        }
        if leaf.form.is_of_run_time() {
            let (whole, bar) = (leaf.access.apply(quote!(#name)), leaf.access.of_tangent().apply(quote!(#bar)));
            let whole = if leaf.access.is_root() && param.is_ref { whole } else { quote!(&#whole) };
            let zeros = quote!(#krate::Differentiable::zero_tangent(#whole));
            let copy = quote!(::core::clone::Clone::clone(&#residuals.data().2.#k));
            return (zeros, copy, (!leaf.access.is_root()).then_some(bar));
        }
        let value = match leaf.access.is_in_enum() {
            true => self.taken(leaf, Take::Borrow),
            false => leaf_tokens(&quote!(#name), &leaf.access, leaf.form),
        };
        let copy = quote!(::core::clone::Clone::clone(&#residuals.data().2.#k));
        let place =
            (!leaf.access.path.is_empty()).then(|| leaf_tokens(&quote!(#bar), &leaf.access.of_tangent(), leaf.form));
        (quote!(#krate::__private::zeros(&#value[..])), copy, place)
    }
}

impl Item<'_> {
    /// Gives the `Vec`s in the cotangents of a slice of structs their lengths, when all slices are made.
    pub(super) fn sized_rows(&self, leaf: &ParamLeaf, k: usize, bar: &Ident) -> Option<TokenStream> {
        let (residuals, k) = (names::ours("residuals"), syn::Index::from(k));
        let is_ragged = leaf.access.around_each().is_some() && self.primal.body.ty(leaf.var).is_ragged();
        let (rows, part) = split_tokens(&quote!(#bar), &leaf.access.of_tangent(), leaf.form).filter(|_| is_ragged)?;
        let part = crate::ir::fill_holes(part, &[quote!(row)]);
        Some(quote! {
            for (row, zeros) in ::core::iter::Iterator::zip(#rows.iter_mut(), &#residuals.data().2.#k.1) {
                #part = ::core::clone::Clone::clone(zeros);
            }
        })
    }
}

impl Emitter<'_> {
    /// Says where a leaf is, if it is in no enum: all that a tangent has.
    pub(super) fn place_leaf(&mut self, var: Var, root: &TokenStream, leaf: &ParamLeaf, is_ref: bool) {
        match split_tokens(root, &leaf.access, leaf.form) {
            Some(split) => self.param_rows(var, split),
            None => self.param(var, leaf_tokens(root, &leaf.access, leaf.form), is_ref),
        }
    }

    /// Says where a leaf of a cotangent is that is added into.
    pub(super) fn place_target(&mut self, var: Var, root: &TokenStream, leaf: &ParamLeaf, is_ref: bool) {
        match leaf.form.is_of_run_time() && leaf.access.around_each().is_none() {
            true => self.param(var, mutable_leaf_tokens(root, &leaf.access, leaf.form), true),
            false => self.place_leaf(var, root, leaf, is_ref),
        }
    }

    /// Says where a leaf of what a callee returns is.
    pub(super) fn place_result(
        &mut self,
        var: Var,
        root: &TokenStream,
        access: &Access,
        form: Form,
        out: &mut TokenStream,
    ) {
        if let (Some((before, after)), true) = (access.around_each(), access.is_in_enum()) {
            let part = taken_of_each(&after.path, form, self.var_ty(var), &self.krate);
            return self.gather(var, &before.apply(root.clone()), part, out);
        }
        if access.is_in_enum() {
            return self.take_result(var, root, access, form, out);
        }
        self.place_tangent(var, root, access, form, out);
    }

    /// Says where a leaf of the tangent of that is.
    pub(super) fn place_tangent(
        &mut self,
        var: Var,
        root: &TokenStream,
        access: &Access,
        form: Form,
        out: &mut TokenStream,
    ) {
        match split_tokens(root, access, form) {
            Some((rows, part)) => self.gather(var, &rows, part, out),
            None if form.is_of_run_time() => {
                let (name, numbers) = (self.local(var), leaf_tokens(root, access, form));
                out.extend(quote!(let mut #name = #numbers.to_vec();));
                self.define_place(var, quote!(#name));
            }
            None => self.define_leaf(var, leaf_tokens(root, access, form)),
        }
    }

    /// An array of its own for a leaf of the elements of a `Vec`.
    fn gather(&mut self, var: Var, rows: &TokenStream, part: TokenStream, out: &mut TokenStream) {
        let (name, all) = (self.local(var), gathered(rows, part, self.var_ty(var), &self.krate));
        out.extend(quote!(let mut #name = #all;));
        self.define_place(var, quote!(#name));
    }

    /// Says where a number or an array is.
    pub(super) fn define_leaf(&mut self, var: Var, tokens: TokenStream) {
        if self.var_ty(var).is_scalar() {
            self.define_number(var, tokens);
        } else {
            self.define_place(var, tokens);
        }
    }
}

/// A leaf of all elements of a slice, in an array of its own.
pub(super) fn gathered(rows: &TokenStream, part: TokenStream, ty: &Ty, krate: &TokenStream) -> TokenStream {
    let part = crate::ir::fill_holes(part, &[quote!(item)]);
    of_rows(rows, &quote!(::core::clone::Clone::clone(&#part)), ty, krate)
}

/// The cotangent of a leaf that carries no derivative: zeros, as many as there are elements in the cotangent of the whole.
pub(super) fn no_seed(seed: &TokenStream, leaf: &Leaf, krate: &TokenStream) -> TokenStream {
    let (ty, item) = (&leaf.ty, Ty::tensor(leaf.ty.elem.clone(), leaf.ty.dims.iter().skip(1).cloned().collect()));
    match leaf.access.around_each() {
        Some((before, _)) => {
            let (rows, none) = (before.of_tangent().apply(seed.clone()), variant::none(&item, krate));
            match ty.is_dynamic() {
                true => collected(&quote!(#rows.iter()), &quote!(|_| #none), krate),
                false => variant::none(ty, krate),
            }
        }
        None => variant::none(ty, krate),
    }
}

/// Writes a leaf of a tangent.
pub(super) fn written(root: &TokenStream, leaf: &ParamLeaf, value: &TokenStream) -> TokenStream {
    match split_tokens(root, &leaf.access, leaf.form) {
        Some((slice, part)) => {
            let part = crate::ir::fill_holes(part, &[quote!(row)]);
            quote!(for (row, value) in ::core::iter::Iterator::zip(#slice.iter_mut(), #value) { #part = value; })
        }
        None => {
            let target = mutable_leaf_tokens(root, &leaf.access, leaf.form);
            match leaf.form.is_of_run_time() {
                true => quote!(#target.copy_from_slice(&#value);),
                false => quote!(#target = #value;),
            }
        }
    }
}

/// A leaf of an element of a slice: the slice, and the leaf as an expression with a hole for the element.
pub fn split_tokens(root: &TokenStream, access: &Access, form: Form) -> Option<(TokenStream, TokenStream)> {
    let (before, after) = access.around_each()?;
    let element = crate::ir::hole(0);
    let part = match form.is_of_run_time() {
        // A `Vec`, which can be copied.
        true => {
            let matrix = after.apply(quote!(#element));
            quote!((*#matrix.data.as_vec()))
        }
        false => leaf_tokens(&quote!(#element), &after, form),
    };
    Some((before.apply(root.clone()), part))
}

/// The expression of a leaf below a root; tensors are taken down to their array, as are matrices.
pub fn leaf_tokens(root: &TokenStream, access: &Access, form: Form) -> TokenStream {
    if let Some(ty) = access.change() {
        let elem = elem_tokens(&ty.elem);
        let size = ty.dims.first().map(dim_tokens);
        return quote!(<[#elem; #size] as ::core::default::Default>::default());
    }
    form.array_in(access.apply(root.clone()))
}

/// The same, to be changed.
pub fn mutable_leaf_tokens(root: &TokenStream, access: &Access, form: Form) -> TokenStream {
    match form.is_of_run_time() {
        true => form.mutable_array_in(access.apply(root.clone())),
        false => leaf_tokens(root, access, form),
    }
}

/// The names of the caller's parameters and of their cotangents and tangents.
#[derive(Clone, Default)]
pub struct Roots {
    pub params: Vec<Ident>,
    pub by_ref: Vec<bool>,
    pub scalar: Vec<bool>,
    /// Whether the parameters themselves can be read.
    pub args_available: bool,
}

impl Roots {
    pub fn bar(&self, root: usize) -> Ident {
        self.suffixed(root, "bar")
    }

    pub fn dot(&self, root: usize) -> Ident {
        self.suffixed(root, "dot")
    }

    /// The name of a parameter's tangent.
    pub fn tangent(&self, root: usize, along: Along) -> Ident {
        self.suffixed(root, along.suffix().trim_start_matches('_'))
    }

    /// The name of a parameter's cotangent, or of a tangent of that.
    pub fn cotangent(&self, root: usize, along: Along) -> Ident {
        self.suffixed(root, &format!("bar{}", along.suffix()))
    }

    pub fn suffixed(&self, root: usize, suffix: &str) -> Ident {
        format_ident!("{}_{suffix}", self.params[root], span = proc_macro2::Span::mixed_site())
    }
}
