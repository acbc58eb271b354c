//! The tokens of signatures: parameters, cotangents, tangents, generics.

use super::item::Item;
use super::leaves::Roots;
use crate::parse::function::Param;
use crate::parse::tokens::referent;
use crate::parse::ty::{Geometry, Surface};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::HashMap;
use syn::visit_mut::VisitMut;

/// A parameter with the tokens of the types that belong to it.
pub(super) struct Slot {
    /// The type of a gradient by it.
    pub(super) tangent: TokenStream,
    /// What a gradient is written to, and a tangent is given as, behind a reference: `[f64]` for `Vec<f64>`.
    pub(super) target: TokenStream,
    pub(super) scalar: bool,
}

impl Item<'_> {
    pub(super) fn slots(&self) -> impl Iterator<Item = (&Param, Slot)> {
        self.params.iter().filter(|param| param.active).map(|param| {
            let scalar = matches!(param.surface, Surface::Scalar(_)) && !param.is_mut;
            let tangent = self.tangent_type(&param.surface, referent(&param.ty));
            let target = match (&param.surface, sequence_elem(referent(&param.ty))) {
                (Surface::Seq(inner, _), Some(elem)) => {
                    let inner = self.tangent_type(inner, referent(elem));
                    quote!([#inner])
                }
                _ => tangent.clone(),
            };
            (param, Slot { tangent, target, scalar })
        })
    }

    pub(super) fn tangent_type(&self, surface: &Surface, ty: &syn::Type) -> TokenStream {
        let krate = self.krate;
        if surface.is_discrete() {
            return quote!(());
        }
        match (surface, ty) {
            (Surface::Scalar(_) | Surface::Tensor(..) | Surface::Matrix(..), ty) => ty.to_token_stream(),
            (Surface::Seq(inner, _), ty) => match sequence_elem(ty) {
                Some(elem) => {
                    let elem = self.tangent_type(inner, referent(elem));
                    quote!(#krate::__private::Vec<#elem>)
                }
                None => ty.to_token_stream(),
            },
            (Surface::Array(..), ty) if surface.leaf().is_some_and(|leaf| !leaf.is_dynamic()) => ty.to_token_stream(),
            (Surface::Tuple(parts), syn::Type::Tuple(tuple)) => {
                let parts = parts.iter().zip(&tuple.elems).map(|(part, ty)| self.tangent_type(part, referent(ty)));
                quote!((#(#parts,)*))
            }
            (Surface::Array(inner, _), syn::Type::Array(array)) if !inner.is_differentiable() => {
                let (inner, count) = (self.tangent_type(inner, &array.elem), &array.len);
                quote!([#inner; #count])
            }
            (Surface::Struct(of), ty) if of.has_optional_value() && !surface.is_differentiable() => {
                let inner = sequence_elem(ty).map(|inner| self.tangent_type(&of.fields[1].ty, inner));
                quote!(#krate::OptionTangent<#inner>)
            }
            (_, ty) => quote!(<#ty as #krate::Differentiable>::Tangent),
        }
    }

    /// `G`: the tangent of the one differentiable parameter, or a tuple of them.
    pub(super) fn gradient_type(&self) -> TokenStream {
        let tangents: Vec<_> = self.slots().map(|(_, slot)| slot.tangent).collect();
        match &tangents[..] {
            [one] => one.clone(),
            all => quote!((#(#all),*)),
        }
    }

    /// Whether a gradient is as long as run time tells.
    pub(super) fn is_dynamic(&self) -> bool {
        self.params.iter().any(|param| param.active && param.surface.is_dynamic())
    }

    /// What `accumulate_grad` takes: `&mut G`; of slices `&mut [T]`, and a tuple of such references for several.
    pub(super) fn gradient_target(&self) -> TokenStream {
        if !self.is_dynamic() {
            let g = self.gradient_type();
            return quote!(&mut #g);
        }
        let targets: Vec<_> = self.slots().map(|(_, slot)| slot.target).collect();
        match &targets[..] {
            [one] => quote!(&mut #one),
            all => quote!((#(&mut #all),*)),
        }
    }

    /// A gradient of zeros for the given arguments.
    pub(super) fn zero_gradient(&self) -> TokenStream {
        if !self.is_dynamic() {
            let (g, krate) = (self.gradient_type(), self.krate);
            return quote!(<#g as #krate::__private::Zero>::ZERO);
        }
        let zeros = self.zeros();
        match &zeros[..] {
            [one] => one.clone(),
            all => quote!((#(#all),*)),
        }
    }

    /// A tangent of zeros for each argument that has one.
    pub(super) fn zeros(&self) -> Vec<TokenStream> {
        let krate = self.krate;
        self.slots()
            .map(|(param, slot)| {
                let (name, tangent) = (&param.name, slot.tangent);
                match param.surface {
                    Surface::Seq(..) => quote!(#krate::__private::zeros(&#name[..])),
                    _ if param.surface.is_dynamic() => {
                        let value = if param.is_ref { quote!(#name) } else { quote!(&#name) };
                        quote!(#krate::Differentiable::zero_tangent(#value))
                    }
                    _ => quote!(<#tangent as #krate::__private::Zero>::ZERO),
                }
            })
            .collect()
    }

    /// The gradient `g` as what `accumulate_grad` takes.
    pub(super) fn as_target(&self, g: &Ident) -> TokenStream {
        let count = self.slots().count();
        if !self.is_dynamic() || count == 1 {
            return quote!(&mut #g);
        }
        let parts = (0..count).map(syn::Index::from);
        quote!((#(&mut #g.#parts),*))
    }

    /// Sets what a target refers to to zero.
    pub(super) fn clear(&self, target: &Ident) -> TokenStream {
        let krate = self.krate;
        if !self.is_dynamic() {
            return quote!(#krate::__private::Zero::set_zero(#target););
        }
        let slots: Vec<_> = self.slots().map(|(param, _)| matches!(param.surface, Surface::Seq(..))).collect();
        let clear = |place: TokenStream, sequence: bool| match sequence {
            true => quote!(#krate::__private::set_zeros(#place);),
            false => quote!(#krate::__private::Zero::set_zero(#place);),
        };
        match &slots[..] {
            [one] => clear(quote!(&mut *#target), *one),
            all => {
                let parts = all.iter().enumerate().map(|(k, sequence)| {
                    let k = syn::Index::from(k);
                    clear(quote!(&mut *#target.#k), *sequence)
                });
                quote!(#(#parts)*)
            }
        }
    }

    /// What a pullback takes.
    pub(super) fn seed_type(&self, tangent: &TokenStream) -> TokenStream {
        if self.result.is_discrete() {
            return quote!(());
        }
        match (self.result, sequence_elem(referent(&self.function.result))) {
            (Surface::Scalar(_), _) => quote!(#tangent),
            (Surface::Seq(inner, _), Some(elem)) => {
                let inner = self.tangent_type(inner, referent(elem));
                quote!(&[#inner])
            }
            _ => quote!(&#tangent),
        }
    }

    /// Gradients and tangents are as long as what they belong to.
    pub(super) fn check_lengths_of(&self, name: &dyn Fn(usize) -> Ident) -> TokenStream {
        let (params, krate) = (self.params.iter().enumerate(), self.krate);
        params
            .filter(|(_, param)| param.active)
            .map(|(k, param)| {
                let (of, with) = (&param.name, name(k));
                if is_of_run_time(&param.surface) {
                    let text = of.to_string();
                    return quote!(#krate::__private::assert_shape(#text, #of.shape(), #with.shape()););
                }
                if !matches!(param.surface, Surface::Seq(..)) {
                    return TokenStream::new();
                }
                let message = format!("the derivative by `{of}` is as long as `{of}`");
                quote!(::core::assert!(#with.len() == #of.len(), #message);)
            })
            .collect()
    }

    pub(super) fn generics(&self) -> (TokenStream, TokenStream, TokenStream) {
        let generics = self.function.type_generics();
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let name = self.function.name();
        (quote!(#impl_generics), quote!(#name #type_generics), quote!(#where_clause))
    }

    /// Those of an implementation, with a parameter more.
    pub(super) fn impl_generics_and(&self, more: &TokenStream) -> TokenStream {
        let generics = self.function.type_generics();
        let params = generics.params.iter();
        quote!(<#(#params,)* #more>)
    }

    /// `<'a, 'b, Impl0: Model>`, on every method, since the type has none of these.
    pub(super) fn lifetimes(&self) -> TokenStream {
        self.lifetimes_of(&self.params())
    }

    /// Those that some parameters need: what a method is not given would have no type.
    pub(super) fn lifetimes_of(&self, params: &[TokenStream]) -> TokenStream {
        self.generics_of(params, &TokenStream::new())
    }

    /// The same with a parameter more.
    pub(super) fn generics_and(&self, more: &TokenStream) -> TokenStream {
        self.generics_of(&self.params(), more)
    }

    fn generics_of(&self, params: &[TokenStream], more: &TokenStream) -> TokenStream {
        let lifetimes: Vec<_> = self.function.item.sig.generics.lifetimes().collect();
        let mut unnamed = self.unnamed_types().params;
        unnamed.retain(|(name, _)| params.iter().any(|param| crate::tokens::mentions(param, &name.to_string())));
        if lifetimes.is_empty() && unnamed.is_empty() && more.is_empty() {
            return TokenStream::new();
        }
        let unnamed = unnamed.iter().map(|(name, bounds)| quote!(#name: #bounds));
        quote!(<#(#lifetimes,)* #(#unnamed,)* #more>)
    }

    pub(super) fn param_types(&self) -> Vec<syn::Type> {
        self.unnamed_types().types
    }

    pub(super) fn params(&self) -> Vec<TokenStream> {
        let (params, types) = (self.params.iter(), self.param_types());
        params.zip(types).map(|(Param { name, .. }, ty)| quote!(#name: #ty)).collect()
    }

    /// The types of the parameters with names for those that have none, `impl Model`: a type that is returned has to name
    /// what it captures.
    fn unnamed_types(&self) -> Unnamed {
        let mut unnamed = Unnamed { params: Vec::new(), types: Vec::new() };
        for param in self.params {
            let mut ty = param.ty.clone();
            unnamed.visit_type_mut(&mut ty);
            unnamed.types.push(ty);
        }
        unnamed
    }

    /// The parameters whose values are still there after the forward sweep.
    pub(super) fn unchanged_params(&self) -> Vec<TokenStream> {
        let params = self.params.iter().zip(self.params()).filter(|(param, _)| !param.is_mut);
        params.map(|(_, tokens)| tokens).collect()
    }

    /// Whether the function changes something that its caller has: cotangents are in-out then.
    pub(super) fn changes(&self) -> bool {
        self.params.iter().any(|param| param.is_mut && param.active)
    }

    pub(super) fn names(&self) -> Vec<&Ident> {
        self.params.iter().map(|param| &param.name).collect()
    }

    pub(super) fn roots(&self) -> Roots {
        Roots {
            params: self.params.iter().map(|param| param.name.clone()).collect(),
            by_ref: self.params.iter().map(|param| param.is_ref).collect(),
            scalar: self
                .params
                .iter()
                .map(|param| matches!(param.surface, Surface::Scalar(_)) && !param.is_mut)
                .collect(),
            args_available: true,
        }
    }

    pub(super) fn scalar_result(&self) -> bool {
        match self.result {
            Surface::Scalar(_) => true,
            // Where there is no number, the gradient is zero.
            Surface::Struct(ty) if ty.has_optional_value() => matches!(ty.fields[1].ty, Surface::Scalar(_)),
            _ => false,
        }
    }

    /// The name of the gradient parameter, or a pattern that takes a tuple of gradients apart.
    pub(super) fn bar_pattern(&self) -> TokenStream {
        let roots = self.roots();
        let bars: Vec<_> =
            self.params.iter().enumerate().filter(|(_, param)| param.active).map(|(k, _)| roots.bar(k)).collect();
        match &bars[..] {
            [one] => quote!(#one),
            all => quote!((#(#all),*)),
        }
    }

    pub(super) fn bar_params(&self) -> Vec<TokenStream> {
        let roots = self.roots();
        self.bar_params_named(&|root| roots.bar(root))
    }

    pub(super) fn bar_params_named(&self, name: &dyn Fn(usize) -> Ident) -> Vec<TokenStream> {
        let slots: HashMap<String, TokenStream> =
            self.slots().map(|(param, slot)| (param.name.to_string(), slot.target)).collect();
        self.params
            .iter()
            .enumerate()
            .filter(|(_, param)| param.active)
            .map(|(k, param)| {
                let (bar, ty) = (name(k), &slots[&param.name.to_string()]);
                quote!(#bar: &mut #ty)
            })
            .collect()
    }

    pub(super) fn dot_params(&self) -> Vec<TokenStream> {
        let roots = self.roots();
        self.dot_params_named(&|root| roots.dot(root))
    }

    pub(super) fn dot_params_named(&self, name: &dyn Fn(usize) -> Ident) -> Vec<TokenStream> {
        let at = |own: &Ident| self.params.iter().position(|param| param.name == *own).unwrap_or(0);
        self.slots()
            .map(|(param, slot)| {
                let (dot, ty) = (name(at(&param.name)), slot.target);
                match (slot.scalar, param.is_mut) {
                    (true, _) => quote!(#dot: #ty),
                    (false, true) => quote!(#dot: &mut #ty),
                    (false, false) => quote!(#dot: &#ty),
                }
            })
            .collect()
    }

    pub(super) fn mutable_bars(&self) -> TokenStream {
        let roots = self.roots();
        let bars: Vec<_> =
            self.params.iter().enumerate().filter(|(_, param)| param.active).map(|(k, _)| roots.bar(k)).collect();
        match &bars[..] {
            [one] => quote!(mut #one),
            all => quote!((#(mut #all),*)),
        }
    }

    pub(super) fn bar_names(&self) -> Vec<Ident> {
        let roots = self.roots();
        self.params.iter().enumerate().filter(|(_, param)| param.active).map(|(k, _)| roots.bar(k)).collect()
    }

    pub(super) fn captures(&self) -> TokenStream {
        let names: Vec<_> = self
            .function
            .item
            .sig
            .generics
            .params
            .iter()
            .filter_map(|param| match param {
                syn::GenericParam::Type(param) => Some(&param.ident),
                syn::GenericParam::Const(param) => Some(&param.ident),
                syn::GenericParam::Lifetime(_) => None,
            })
            .collect();
        let unnamed = self.unnamed_types().params.into_iter().map(|(name, _)| name);
        quote!(use<#(#names,)* #(#unnamed),*>)
    }

    pub(super) fn result_tangent(&self) -> TokenStream {
        self.tangent_type(self.result, referent(&self.function.result))
    }
}

/// Whether it is a matrix whose sizes run time tells.
fn is_of_run_time(surface: &Surface) -> bool {
    matches!(surface, Surface::Struct(ty) if ty.geometry.is_some_and(Geometry::is_of_run_time))
}

struct Unnamed {
    /// Names, and what bounds them.
    params: Vec<(Ident, Bounds)>,
    types: Vec<syn::Type>,
}

type Bounds = syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>;

impl VisitMut for Unnamed {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::ImplTrait(unnamed) = ty {
            let name = quote::format_ident!("Impl{}", self.params.len());
            self.params.push((name.clone(), unnamed.bounds.clone()));
            *ty = syn::parse_quote!(#name);
        } else {
            syn::visit_mut::visit_type_mut(self, ty);
        }
    }
}

/// `T` of `[T]`, `Vec<T>` and `Option<T>`.
fn sequence_elem(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Slice(slice) => Some(&slice.elem),
        syn::Type::Path(path) => match &path.path.segments.last()?.arguments {
            syn::PathArguments::AngleBracketed(args) => match args.args.first()? {
                syn::GenericArgument::Type(elem) => Some(elem),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
