//! Enums: see Note [Enums] in [`crate::parse::ty`]. `Shape` has the tangent `ShapeTangent`, a struct with a field for
//! each variant that has a derivative, and that field is a struct of the variant's fields, `ShapeCircleTangent`.

use super::{FieldDef, Tangent, step, tangent_type};
use crate::parse::ty::variant_field;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{DataEnum, DeriveInput, Fields, GenericParam, Generics, Member};

/// A variant with a derivative.
struct Part<'i> {
    name: &'i Ident,
    fields: &'i [FieldDef],
    /// Its place in the tangent.
    field: Ident,
    tangent: Ident,
    generics: Generics,
    named: bool,
}

pub(super) fn items(input: &DeriveInput, data: &DataEnum, fields: &[FieldDef], krate: &TokenStream) -> TokenStream {
    let (name, mut rest, mut parts) = (&input.ident, fields, Vec::new());
    for variant in &data.variants {
        let (own, others) = rest.split_at(variant.fields.len());
        rest = others;
        if own.iter().any(|field| field.active) {
            let tangent = format_ident!("{name}{}Tangent", variant.ident);
            let named = matches!(variant.fields, Fields::Named(_));
            let (field, generics) = (variant_field(&variant.ident), mentioned(&input.generics, own));
            parts.push(Part { name: &variant.ident, fields: own, field, tangent, generics, named });
        }
    }
    let mut items = TokenStream::new();
    let (mut all, mut types) = (Vec::new(), Vec::new());
    for part in &parts {
        let tangents: Vec<_> = part.fields.iter().map(|field| tangent_type(field, input, krate)).collect();
        let public = |field: &FieldDef| FieldDef { vis: input.vis.clone(), boxed: false, ..field.clone() };
        let fields: Vec<FieldDef> = part.fields.iter().map(public).collect();
        let doc = format!("The part of [`{name}Tangent`] that is a change of [`{name}::{}`].", part.name);
        let tangent =
            Tangent { vis: &input.vis, name: &part.tangent, doc, generics: &part.generics, named: part.named };
        items.extend(tangent.items(&fields, &tangents, krate));
        let ty = part.ty();
        let member = Member::Named(part.field.clone());
        all.push(FieldDef {
            vis: input.vis.clone(),
            member,
            ty: syn::parse_quote!(#ty),
            active: true,
            boxed: false,
            single: false,
            of_run_time: false,
            plain: None,
        });
        types.push(ty);
    }
    let tangent = format_ident!("{name}Tangent");
    let doc = format!(
        "A change of [`{name}`]: its tangent, its gradient. The parts of variants that a value is not are zero in its \
         gradient, and no change of it."
    );
    let generics = of_numbers(&input.generics, fields);
    let definition = Tangent { vis: &input.vis, name: &tangent, doc, generics: &generics, named: true };
    items.extend(definition.items(&all, &types, krate));
    items.extend(implementation(input, &parts, (&tangent, &generics), krate));
    items
}

impl Part<'_> {
    /// Its tangent type.
    fn ty(&self) -> TokenStream {
        let (name, (_, generics, _)) = (&self.tangent, self.generics.split_for_impl());
        quote!(#name #generics)
    }

    fn active(&self) -> impl Iterator<Item = &Member> {
        self.fields.iter().filter(|field| field.active).map(|field| &field.member)
    }

    /// An arm for the variant, with its fields by name, and one for others, with zeros in place of it.
    fn choose(&self, this: &Ident, krate: &TokenStream, own: &TokenStream, other: &TokenStream) -> TokenStream {
        let (name, ty, members, names) = (self.name, self.ty(), self.active(), self.locals());
        quote! {
            match self {
                #this::#name { #(#members: #names,)* .. } => { #own }
                #[allow(unreachable_patterns)]
                _ => {
                    let mut none = <#ty as #krate::__private::Zero>::ZERO;
                    #other
                }
            }
        }
    }

    fn locals(&self) -> Vec<Ident> {
        (0..self.active().count()).map(|k| format_ident!("field_{k}")).collect()
    }
}

/// The trait for the enum. It has the leaves of all variants, so that its numbers are as many as its tangent's, and in the
/// same places: those of the variants that it is not are zero, and what is written to them is lost.
fn implementation(
    input: &DeriveInput,
    parts: &[Part],
    (tangent, generics): (&Ident, &Generics),
    krate: &TokenStream,
) -> TokenStream {
    let (_, tangent_arguments, _) = generics.split_for_impl();
    let (name, (impl_generics, type_generics, where_clause)) = (&input.ident, input.generics.split_for_impl());
    let Some(first) = parts.first().map(Part::ty) else { return TokenStream::new() };
    let (mut zero, mut visit, mut visit_mut) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let (mut zip, mut update, mut from) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let of = quote!(#krate::Differentiable);
    for part in parts {
        let (variant, field, names) = (part.name, &part.field, part.locals());
        let own = part.fields.iter().filter(|field| field.active).zip(&names);
        let boxed: Vec<&Ident> = own.filter(|(field, _)| field.boxed).map(|(_, name)| name).collect();
        let (opened, opened_mut) = (quote!(#(let #boxed = &**#boxed;)*), quote!(#(let #boxed = &mut **#boxed;)*));
        let members: Vec<_> = part.active().collect();
        let steps: Vec<_> = members.iter().map(|member| step(member)).collect();
        let calls: Vec<_> = part.fields.iter().filter(|field| field.active).map(|field| field.calls(krate)).collect();
        let visits = calls.iter().map(|calls| &calls.visit);
        let visits_mut = calls.iter().map(|calls| &calls.visit_mut);
        let zips = calls.iter().map(|calls| &calls.zip);
        let updates = calls.iter().map(|calls| &calls.update);
        let at = step(&Member::Named(field.clone()));
        let arms = |own: TokenStream, other: TokenStream| part.choose(name, krate, &own, &other);
        let origins: Vec<Ident> = (0..names.len()).map(|k| format_ident!("origin_{k}")).collect();
        let ty = part.ty();
        from.extend(quote! {
            match (self, origin) {
                (#name::#variant { #(#members: #names,)* .. }, #name::#variant { #(#members: #origins,)* .. }) => {
                    #(#of::visit_from(#names, #origins, f);)*
                }
                #[allow(unreachable_patterns)]
                _ => #of::visit_leaves(&<#ty as #krate::__private::Zero>::ZERO, &#krate::Path::ROOT, &mut |_, _, data| f(data)),
            }
        });
        zero.extend(quote! {
            if let #name::#variant { #(#members: #names,)* .. } = self {
                #opened
                #(zero.#field.#members = #of::zero_tangent(#names);)*
            }
        });
        visit.extend(arms(
            quote!(#opened let at = at.#at; #(#visits(#names, &at.#steps, f);)*),
            quote!(#of::visit_leaves(&none, &at.#at, f);),
        ));
        visit_mut.extend(arms(
            quote!(#opened_mut let at = at.#at; #(#visits_mut(#names, &at.#steps, f);)*),
            quote!(#of::visit_leaves_mut(&mut none, &at.#at, f);),
        ));
        zip.extend(arms(
            quote!(#opened #(#zips(#names, &tangent.#field.#members, f);)*),
            quote!(#of::zip_leaves(&none, &tangent.#field, f);),
        ));
        update.extend(arms(
            quote! {
                #opened_mut
                #(
                    let part = state.each_mut().map(|state| &mut state.#field.#members);
                    #updates(#names, &tangent.#field.#members, part, f);
                )*
            },
            quote! {
                let part = state.each_mut().map(|state| &mut state.#field);
                #of::update_leaves(&mut none, &tangent.#field, part, f);
            },
        ));
    }
    let path = quote!(#krate::Path<'_>);
    // As of structs. Of another variant there is no change that leads to this one.
    let active = || parts.iter().flat_map(|part| part.fields.iter().filter(|field| field.active));
    let is_flat = |field: &FieldDef| super::is_leaf(&field.ty, generics);
    let from = (!active().all(is_flat) && !active().any(|field| field.single)).then(|| {
        quote! {
            fn visit_from(&self, origin: &Self, f: &mut impl ::core::ops::FnMut(&[Self::Scalar])) {
                if ::core::mem::discriminant(self) != ::core::mem::discriminant(origin) {
                    return #of::visit_leaves(self, &#krate::Path::ROOT, &mut |_, _, data| f(data));
                }
                #from
            }
        }
    });
    quote! {
        #[automatically_derived]
        #[allow(unused_mut, irrefutable_let_patterns)]
        impl #impl_generics #krate::Differentiable for #name #type_generics #where_clause {
            type Scalar = <#first as #krate::Differentiable>::Scalar;
            type Tangent = #tangent #tangent_arguments;

            #[inline]
            fn zero_tangent(&self) -> Self::Tangent {
                let mut zero = <Self::Tangent as #krate::__private::Zero>::ZERO;
                #zero
                zero
            }
            #[inline]
            fn visit_leaves(&self, at: &#path, f: &mut impl ::core::ops::FnMut(&#path, &[usize], &[Self::Scalar])) {
                #visit
            }
            #[inline]
            fn visit_leaves_mut(&mut self, at: &#path, f: &mut impl ::core::ops::FnMut(&#path, &[usize], &mut [Self::Scalar])) {
                #visit_mut
            }
            #from
            #[inline]
            fn zip_leaves(&self, tangent: &Self::Tangent, f: &mut impl ::core::ops::FnMut(&[Self::Scalar], &[Self::Scalar])) {
                #zip
            }
            #[inline]
            fn update_leaves<const AUTODIFF_K: usize>(
                &mut self,
                tangent: &Self::Tangent,
                mut state: [&mut Self::Tangent; AUTODIFF_K],
                f: &mut impl ::core::ops::FnMut(&mut [Self::Scalar], &[Self::Scalar], [&mut [Self::Scalar]; AUTODIFF_K]),
            ) {
                #update
            }
        }
    }
}

/// The generics that the types of the active fields mention: a struct may not have others.
fn mentioned(generics: &Generics, fields: &[FieldDef]) -> Generics {
    of_fields(generics, fields, &|_| false)
}

/// The same with all sizes.
pub(super) fn of_numbers(generics: &Generics, fields: &[FieldDef]) -> Generics {
    of_fields(generics, fields, &|param| matches!(param, GenericParam::Const(_)))
}

fn of_fields(generics: &Generics, fields: &[FieldDef], always: &dyn Fn(&GenericParam) -> bool) -> Generics {
    let idents = |tokens: &dyn Fn() -> TokenStream| crate::desugar::idents(&tokens());
    let mut used = std::collections::HashSet::new();
    for field in fields.iter().filter(|field| field.active) {
        used.extend(idents(&|| field.ty.to_token_stream()));
    }
    let name = |param: &GenericParam| match param {
        GenericParam::Type(param) => param.ident.to_string(),
        GenericParam::Const(param) => param.ident.to_string(),
        GenericParam::Lifetime(param) => param.lifetime.ident.to_string(),
    };
    let (kept, left): (Vec<_>, Vec<_>) =
        generics.params.iter().cloned().partition(|param| always(param) || used.contains(&name(param)));
    let left: Vec<String> = left.iter().map(name).collect();
    let mut own = generics.clone();
    own.params = kept.into_iter().collect();
    if let Some(clause) = &mut own.where_clause {
        let predicates = std::mem::take(&mut clause.predicates);
        let foreign = |predicate: &syn::WherePredicate| {
            let names = idents(&|| predicate.to_token_stream());
            left.iter().any(|name| names.contains(name))
        };
        clause.predicates = predicates.into_iter().filter(|predicate| !foreign(predicate)).collect();
    }
    own
}
