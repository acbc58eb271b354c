//! `#[derive(Differentiable)]`: the tangent type, the trait, the relay.

mod precision;
mod variants;

use crate::diag::{Error, Errors};
use crate::parse::attr::Attr;
use crate::parse::function::is_no_diff;
use crate::parse::marker::has_number;
use crate::parse::ty::{INTEGERS, Seq, Surface, TypeScope, Unresolved, contents, generic_args};
use crate::relay::{self, FieldInfo, Info, Knowledge, State, StructInfo, VariantInfo, type_without_relay};
use crate::source::{Source, holds, home_of, is_underived};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::rc::Rc;
use syn::{Data, DeriveInput, Fields, ItemEnum, Member, Type, Visibility};

#[derive(Clone)]
struct FieldDef {
    vis: Visibility,
    member: Member,
    /// Of a `Box`, what is in it.
    ty: Type,
    active: bool,
    /// See Note [Boxes] in [`crate::layout`].
    boxed: bool,
    /// Whether it is of `f32`, and others are of `f64`: see [`precision`].
    single: bool,
    /// Whether a matrix is in it whose sizes run time tells, so that its zero is no constant.
    of_run_time: bool,
    /// The definition of its type, if that is an enum without a derivative: see Note [Plain enums] in `source/plain.rs`.
    plain: Option<ItemEnum>,
}

/// Everything is emitted at once, after it has been asked what the fields are.
pub fn stage(item: &TokenStream, knowledge: Knowledge) -> TokenStream {
    let mut input: DeriveInput = match syn::parse2(item.clone()) {
        Ok(input) => input,
        Err(error) => return Errors::from(error).render(),
    };
    let knowledge = crate::source::with_own_matrices(knowledge, &input.ident);
    let krate = crate::parse::tokens::crate_path(&Attr::default());
    let failed = |errors: &Errors| {
        let (errors, relay) = (errors.render(), relay::define(&input.vis, &input.ident, &Info::Failed));
        quote!(#errors #relay)
    };
    let mut fields = match fields(&input) {
        Ok(fields) => fields,
        Err(errors) => return failed(&errors),
    };
    let (errors, asked) = unknown(&input, &mut fields, &knowledge);
    if !asked.is_empty() && knowledge.has_failed() {
        return failed(&errors);
    }
    bound_numbers(&mut input, &fields, &knowledge, &krate);
    if !asked.is_empty() {
        let task = Ident::new("derive", Span::call_site());
        let state = State { task, attr: TokenStream::new(), item: item.clone(), knowledge, asked, relay_done: true };
        return state.ask_here(&krate, |_| Vec::new());
    }
    let items = items(&input, &fields, &krate);
    let (mut info, exporter) = info_of(&input, &fields, &knowledge);
    info.failed = !errors.is_empty();
    let relay = relay::define(&input.vis, &input.ident, &Info::Struct(Rc::new(info)));
    let constants = exporter.has_constants().then(|| {
        let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
        let (name, definitions, claims) = (&input.ident, exporter.definitions(), exporter.claims());
        quote!(#claims #[automatically_derived] impl #impl_generics #name #type_generics #where_clause { #definitions })
    });
    let errors = errors.render();
    quote!(#errors #items #relay #constants)
}

/// Bounds the type parameters of fields by `Real`, in what is implemented, as other derives bound them by their trait.
fn bound_numbers(input: &mut DeriveInput, fields: &[FieldDef], knowledge: &Knowledge, krate: &TokenStream) {
    let clause = input.generics.where_clause.to_token_stream();
    for param in input.generics.type_params_mut() {
        let name = param.ident.to_string();
        let is_number = fields.iter().filter(|field| field.active).any(|field| has_number(&field.ty, &name, knowledge));
        let is_bound = param.bounds.iter().any(|bound| crate::tokens::mentions(&bound.to_token_stream(), "Real"));
        if is_number && !is_bound && !crate::tokens::mentions(&clause, "Real") {
            param.bounds.push(syn::parse_quote!(#krate::Real));
        }
    }
}

/// What is wrong with the types of fields, which count as fields without a derivative then, and whose relays must be asked.
fn unknown(input: &DeriveInput, fields: &mut [FieldDef], knowledge: &Knowledge) -> (Errors, Vec<syn::Path>) {
    let reals: Vec<String> = input.generics.type_params().map(|param| param.ident.to_string()).collect();
    let (mut errors, mut asked, mut surfaces) = (Errors::default(), Vec::new(), Vec::new());
    for (k, field) in fields.iter_mut().enumerate().filter(|(_, field)| field.active) {
        let scope = TypeScope { knowledge, reals: &reals, substitution: None };
        let error = match scope.resolve(&field.ty) {
            Ok(Surface::Seq(_, Seq::Slice)) if field.boxed => {
                Error::new(&field.ty, "a slice in a `Box` cannot be differentiated yet")
                    .help("write `Vec<…>`, or `#[no_diff]` on the field, if no derivative is wanted")
            }
            Ok(surface) if surface.has_lists_of_run_time() => {
                Error::new(&field.ty, "a list of matrices whose sizes run time tells cannot be differentiated yet")
                    .help("write a `DMatrix` with a column for each, or `#[no_diff]` on the field, if no derivative is wanted")
            }
            Ok(surface) if surface.has_matrices_of_run_time() && matches!(input.data, Data::Enum(_)) => {
                Error::new(&field.ty, "a matrix in an enum whose sizes run time tells cannot be differentiated yet")
                    .help("take its numbers as a `Vec`, or write `#[no_diff]` on the field, if no derivative is wanted")
            }
            Ok(surface) if surface.is_differentiable() => {
                field.of_run_time = surface.has_matrices_of_run_time();
                surfaces.push((k, surface));
                continue;
            }
            Ok(_) if crate::tokens::mentions(&field.ty.to_token_stream(), "Box") => {
                Error::new(&field.ty, "a `Box` in another type has no derivative yet")
                    .note("a field may be a `Box<T>`, and is its contents")
                    .help("write the type without `Box`, or `#[no_diff]` on the field, if no derivative is wanted")
            }
            Ok(_) if crate::tokens::mentions(&field.ty.to_token_stream(), "VecDeque") => {
                Error::new(&field.ty, "a `VecDeque` in a field has no derivative yet")
                    .help("write `Vec<…>`, with `remove(0)` for `pop_front()` and `insert(0, x)` for `push_front(x)`; or `#[no_diff]` on the field, if no derivative is wanted")
            }
            Ok(_) => Error::new(&field.ty, "this type has no derivative")
                .note("differentiable are floats, arrays, tensors, tuples of these, structs and enums that derive `Differentiable`")
                .help("write `#[no_diff]` on the field, if none is wanted"),
            Err(Unresolved::Ask(path)) if is_underived(&path) => type_without_relay(&path),
            Err(Unresolved::Ask(path)) if holds(&path, &input.ident) => {
                Error::new(&field.ty, format!("`{}` holds values of its own type, and has no derivative", input.ident))
                    .note("the numbers of a value are at fixed places, which those of a tree have not")
                    .help("keep the nodes in a `Vec`, and in a node the indices of others, `left: usize`; or write `#[no_diff]` on the field, if no derivative by what is in it is wanted")
            }
            Err(Unresolved::Ask(path)) => {
                asked.push(path);
                continue;
            }
            Err(Unresolved::Error(error)) => error,
        };
        field.active = false;
        errors.push(error);
    }
    if asked.is_empty() {
        precision::mark(fields, &surfaces, &mut errors);
    }
    (errors, asked)
}

/// The values of the constants in the file of a type.
fn sizes_of(name: &Ident) -> Option<relay::Sizes> {
    let (source, owner) = (Source::of(&crate::file_of(name.span())?)?, name.to_string());
    Some(Box::new(move |size| source.size(size, &owner)))
}

/// What others are told of a struct or an enum, with the constants that its type exports.
fn info_of(input: &DeriveInput, fields: &[FieldDef], knowledge: &Knowledge) -> (StructInfo, relay::Exporter) {
    let generics = relay::generics(&input.generics);
    let mut exporter = relay::Exporter::of_type(&generics, sizes_of(&input.ident));
    let exported = fields
        .iter()
        .map(|field| FieldInfo {
            member: field.member.clone(),
            ty: exported(field, &mut exporter),
            active: field.active,
            projected: projected(field, input),
        })
        .collect();
    let mut nested = exporter.export_nested(knowledge);
    for field in fields {
        if let (Some(definition), Type::Path(path)) = (&field.plain, &field.ty) {
            nested.insert(relay::key(&path.path), Info::Struct(Rc::new(StructInfo::plain(definition))));
        }
    }
    let variants = match &input.data {
        Data::Enum(data) => data.variants.iter().collect(),
        _ => Vec::new(),
    };
    let variants =
        variants.into_iter().map(|variant| VariantInfo { name: variant.ident.clone(), count: variant.fields.len() });
    let home = home_of(&input.ident);
    (StructInfo { generics, fields: exported, variants: variants.collect(), nested, home, failed: false }, exporter)
}

/// The type of a field as others are told of it.
fn exported(field: &FieldDef, exporter: &mut relay::Exporter) -> Type {
    let ty = exporter.export(&field.ty);
    if field.boxed { syn::parse_quote!(Box<#ty>) } else { ty }
}

/// The same for tests, or whom to ask first.
#[cfg(test)]
pub fn known(input: &DeriveInput, knowledge: &Knowledge) -> Result<Result<StructInfo, Vec<syn::Path>>, Errors> {
    let mut fields = fields(input)?;
    let (errors, asked) = unknown(input, &mut fields, knowledge);
    match (errors.is_empty(), asked.is_empty()) {
        (false, _) => Err(errors),
        (_, false) => Ok(Err(asked)),
        _ => Ok(Ok(info_of(input, &fields, knowledge).0)),
    }
}

/// The struct that a field is or is an array of, if it is one that others can see through this one's.
fn projected(field: &FieldDef, input: &DeriveInput) -> bool {
    let visible = matches!(field.vis, Visibility::Public(_)) || field.vis == input.vis || is_enum(input);
    (field.active || field.plain.is_some()) && visible && inner_struct(&field.ty, input).is_some()
}

fn is_enum(input: &DeriveInput) -> bool {
    matches!(input.data, Data::Enum(_))
}

fn inner_struct<'t>(ty: &'t Type, input: &DeriveInput) -> Option<&'t Type> {
    let reals: Vec<String> = input.generics.type_params().map(|param| param.ident.to_string()).collect();
    let scope = TypeScope { knowledge: &Knowledge::default(), reals: &reals, substitution: None };
    match ty {
        Type::Array(array) => inner_struct(&array.elem, input),
        ty => matches!(scope.resolve(ty), Err(Unresolved::Ask(_))).then_some(ty),
    }
}

/// Names the types of fields that are structs: see [`crate::parse::ty::StructName`].
fn field_types(input: &DeriveInput, fields: &[FieldDef], krate: &TokenStream) -> TokenStream {
    let (name, (impl_generics, type_generics, where_clause)) = (&input.ident, input.generics.split_for_impl());
    let projected = fields.iter().enumerate().filter(|(_, field)| projected(field, input));
    let impls = projected.filter_map(|(k, field)| {
        let (k, ty) = (proc_macro2::Literal::usize_unsuffixed(k), inner_struct(&field.ty, input)?);
        Some(quote! {
            #[automatically_derived]
            impl #impl_generics #krate::__private::FieldType<#k> for #name #type_generics #where_clause {
                type Type = #ty;
            }
        })
    });
    impls.collect()
}

/// Of an enum, those of all variants.
fn fields(input: &DeriveInput) -> Result<Vec<FieldDef>, Errors> {
    let parts: Vec<&Fields> = match &input.data {
        Data::Struct(data) => vec![&data.fields],
        Data::Enum(data) => data.variants.iter().map(|variant| &variant.fields).collect(),
        Data::Union(data) => {
            return Err(Error::new(&data.union_token, "a union cannot derive `Differentiable`")
                .help("use a struct")
                .into());
        }
    };
    if let Some(lifetime) = input.generics.lifetimes().next() {
        let what = if is_enum(input) { "an enum" } else { "a struct" };
        return Err(Error::new(lifetime, format!("{what} that borrows cannot derive `Differentiable` yet"))
            .help(format!("own the values, and pass the {} by reference", what.rsplit(' ').next().unwrap_or_default()))
            .into());
    }
    let mut errors = Errors::default();
    let fields: Vec<FieldDef> = parts
        .into_iter()
        .flat_map(|fields| fields.iter().zip(fields.members()))
        .map(|(field, member)| {
            let no_diff = is_no_diff(&field.attrs, &mut errors);
            let active = !no_diff && !is_integer(&field.ty);
            let inner = contents(&field.ty).filter(|_| active);
            let plain = field.attrs.iter().find(|attr| attr.path().is_ident("__autodiff_plain"));
            FieldDef {
                plain: plain.and_then(|attr| attr.parse_args().ok()),
                vis: field.vis.clone(),
                member,
                ty: inner.unwrap_or(&field.ty).clone(),
                active,
                boxed: inner.is_some(),
                single: false,
                of_run_time: false,
            }
        })
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    // A struct without fields may stand where others have numbers: `struct Logit;`.
    let is_empty = fields.is_empty() && !is_enum(input) && input.generics.params.is_empty();
    if !is_empty && !fields.iter().any(|field| field.active) {
        return Err(Error::new(&input.ident, format!("`{}` has no differentiable field", input.ident))
            .help("give it a float, an array or a tensor, or pass it as a `#[no_diff]` parameter")
            .into());
    }
    Ok(fields)
}

/// Integers and truth values carry no derivative, alone or in arrays.
fn is_integer(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_integer(&array.elem),
        Type::Path(path) => {
            let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            if let ("Vec", [syn::GenericArgument::Type(elem)]) = (&name[..], &generic_args(&path.path)[..]) {
                return is_integer(elem);
            }
            INTEGERS.contains(&&name[..]) || name == "bool" || name == "PhantomData"
        }
        _ => false,
    }
}

fn items(input: &DeriveInput, fields: &[FieldDef], krate: &TokenStream) -> TokenStream {
    let field_types = field_types(input, fields, krate);
    let items = match &input.data {
        Data::Enum(data) => variants::items(input, data, fields, krate),
        _ => struct_items(input, fields, krate),
    };
    quote!(#items #field_types)
}

fn struct_items(input: &DeriveInput, fields: &[FieldDef], krate: &TokenStream) -> TokenStream {
    let name = &input.ident;
    let tangent = format_ident!("{name}Tangent");
    let types: Vec<TokenStream> = fields.iter().map(|field| tangent_type(field, input, krate)).collect();
    let named = matches!(&input.data, Data::Struct(data) if matches!(data.fields, Fields::Named(_)));
    let doc = format!("A change of [`{name}`]: its tangent, its gradient.");
    let generics = variants::of_numbers(&input.generics, fields);
    let of_tangent = Tangent { vis: &input.vis, name: &tangent, doc, generics: &generics, named };
    let own = implementation(&input.generics, name, fields, (&tangent, &generics), krate, true);
    let of_tangent = of_tangent.items(fields, &types, krate);
    quote!(#of_tangent #own)
}

/// A tangent type to be defined.
struct Tangent<'t> {
    vis: &'t Visibility,
    name: &'t Ident,
    doc: String,
    generics: &'t syn::Generics,
    named: bool,
}

impl Tangent<'_> {
    /// The type with its traits. `types` are those of the fields in it.
    fn items(&self, fields: &[FieldDef], types: &[TokenStream], krate: &TokenStream) -> TokenStream {
        let Tangent { vis, name, doc, generics, named } = self;
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let (vises, members): (Vec<_>, Vec<_>) = fields.iter().map(|field| (&field.vis, &field.member)).unzip();
        let definition = match named {
            true => {
                quote!(#vis struct #name #generics #where_clause { #(#[allow(missing_docs)] #vises #members: #types,)* })
            }
            false => quote!(#vis struct #name #generics (#(#vises #types,)*) #where_clause;),
        };
        let implementation = implementation(generics, name, fields, (name, generics), krate, false);
        let member_of = |field: &FieldDef, zero: TokenStream| {
            let member = &field.member;
            if field.active { quote!(#member: #zero) } else { quote!(#member: ()) }
        };
        let zero = match fields.iter().any(|field| field.of_run_time) {
            true => {
                let zeros = fields.iter().map(|field| member_of(field, quote!(#krate::__private::Zero::zero())));
                quote!(#[inline] fn zero() -> Self { Self { #(#zeros),* } })
            }
            false => {
                let zeros = fields.iter().zip(types);
                let zeros = zeros.map(|(field, ty)| member_of(field, quote!(<#ty as #krate::__private::Zero>::ZERO)));
                quote!(const ZERO: Self = Self { #(#zeros),* };)
            }
        };
        let active: Vec<_> = fields.iter().filter(|field| field.active).map(|field| &field.member).collect();
        quote! {
            #[doc = #doc]
            #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
            #definition
            #implementation
            #[automatically_derived]
            impl #impl_generics #krate::__private::Zero for #name #type_generics #where_clause {
                #zero
                #[inline]
                fn set_zero(&mut self) {
                    #(#krate::__private::Zero::set_zero(&mut self.#active);)*
                }
            }
        }
    }
}

/// The tangent of a number, an array or a tensor is of its own type.
fn tangent_type(field: &FieldDef, input: &DeriveInput, krate: &TokenStream) -> TokenStream {
    if !field.active {
        return quote!(());
    }
    let ty = &field.ty;
    match is_leaf(ty, &input.generics) {
        true => quote!(#ty),
        false => quote!(<#ty as #krate::Differentiable>::Tangent),
    }
}

/// Whether a type is a number, an array of numbers or a tensor, as far as it can be seen.
fn is_leaf(ty: &syn::Type, generics: &syn::Generics) -> bool {
    let reals: Vec<String> = generics.type_params().map(|param| param.ident.to_string()).collect();
    let scope = TypeScope { knowledge: &Knowledge::default(), reals: &reals, substitution: None };
    scope.resolve(ty).is_ok_and(|surface| surface.leaf().is_some())
}

/// The trait for the struct and for its tangent: both hand every call on to their fields.
fn implementation(
    generics: &syn::Generics,
    name: &Ident,
    fields: &[FieldDef],
    (tangent, tangent_generics): (&Ident, &syn::Generics),
    krate: &TokenStream,
    own: bool,
) -> TokenStream {
    let (_, tangent_arguments, _) = tangent_generics.split_for_impl();
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let active: Vec<&FieldDef> = fields.iter().filter(|field| field.active).collect();
    let members: Vec<_> = active.iter().map(|field| &field.member).collect();
    // What is in a box is behind it.
    let place = |field: &FieldDef| {
        let member = &field.member;
        if field.boxed && own { quote!((*self.#member)) } else { quote!(self.#member) }
    };
    let places: Vec<_> = active.iter().map(|field| place(field)).collect();
    let scalar = match active.first() {
        Some(field) => field.scalar(krate),
        None if fields.is_empty() => quote!(f64),
        None => return TokenStream::new(),
    };
    let calls = active.iter().map(|field| field.calls(krate));
    let (mut visit, mut visit_mut, mut zip, mut update) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for calls in calls {
        visit.push(calls.visit);
        visit_mut.push(calls.visit_mut);
        zip.push(calls.zip);
        update.push(calls.update);
    }
    let zeros = fields.iter().map(|field| {
        let member = &field.member;
        let place = place(field);
        if field.active { quote!(#member: #krate::Differentiable::zero_tangent(&#place)) } else { quote!(#member: ()) }
    });
    let steps: Vec<_> = members.iter().map(|member| step(member)).collect();
    let path = quote!(#krate::Path<'_>);
    // There may be rotations. Beside numbers of several precisions there are none.
    let is_flat = |field: &&FieldDef| is_leaf(&field.ty, generics);
    let from = (own && !active.iter().all(is_flat) && !active.iter().any(|field| field.single)).then(|| {
        quote! {
            fn visit_from(&self, origin: &Self, f: &mut impl ::core::ops::FnMut(&[Self::Scalar])) {
                #(#krate::Differentiable::visit_from(&self.#members, &origin.#members, f);)*
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::Differentiable for #name #type_generics #where_clause {
            type Scalar = #scalar;
            type Tangent = #tangent #tangent_arguments;

            #[inline]
            fn zero_tangent(&self) -> Self::Tangent {
                #tangent { #(#zeros),* }
            }
            #[inline]
            fn visit_leaves(&self, at: &#path, f: &mut impl ::core::ops::FnMut(&#path, &[usize], &[Self::Scalar])) {
                #(#visit(&#places, &at.#steps, f);)*
            }
            #[inline]
            fn visit_leaves_mut(&mut self, at: &#path, f: &mut impl ::core::ops::FnMut(&#path, &[usize], &mut [Self::Scalar])) {
                #(#visit_mut(&mut #places, &at.#steps, f);)*
            }
            #from
            #[inline]
            fn zip_leaves(&self, tangent: &Self::Tangent, f: &mut impl ::core::ops::FnMut(&[Self::Scalar], &[Self::Scalar])) {
                #(#zip(&#places, &tangent.#members, f);)*
            }
            #[inline]
            fn update_leaves<const AUTODIFF_K: usize>(
                &mut self,
                tangent: &Self::Tangent,
                mut state: [&mut Self::Tangent; AUTODIFF_K],
                f: &mut impl ::core::ops::FnMut(&mut [Self::Scalar], &[Self::Scalar], [&mut [Self::Scalar]; AUTODIFF_K]),
            ) {
                #(
                    let part = state.each_mut().map(|state| &mut state.#members);
                    #update(&mut #places, &tangent.#members, part, f);
                )*
            }
        }
    }
}

/// How a leaf's path names a field.
fn step(member: &Member) -> TokenStream {
    match member {
        Member::Named(ident) => {
            let text = ident.to_token_stream().to_string();
            let text = text.trim_start_matches("r#");
            quote!(field(#text))
        }
        Member::Unnamed(index) => {
            let index = proc_macro2::Literal::usize_unsuffixed(index.index as usize);
            quote!(index(#index))
        }
    }
}
