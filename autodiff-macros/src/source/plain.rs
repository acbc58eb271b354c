//! Enums without numbers.
//!
//! Note [Plain enums]. `enum Kernel { Huber, Cauchy }` has nothing that a derivative could be taken by, like an integer. But a
//! macro does not see the definition, and the enum has no relay to ask. If the file defines it, without
//! `#[derive(Differentiable)]` and with no data but integers, then `#[no_diff]` is put before the parameters and fields that consist
//! of it; a result of it is what one of an enum with a derivative is, without a tangent (`with_plain_result`). The name may mean another
//! type all the same. So the definition that was read is stated as a `match` over its variants,
//! which rustc refuses if the type is another one.

use super::Source;
use super::home::home_of;
use super::names::methods_in;
use crate::parse::ty::generic_args;
use crate::relay::{Info, Knowledge, StructInfo};
use crate::tokens::{PRIMITIVES, mentions, placed};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeMap;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Attribute, Fields, FnArg, GenericArgument, Generics, Ident, Item, ItemEnum, PathArguments, Type};

/// The arms of a `match` over a reference to an enum that carries no floats, as text.
pub fn arms(item: &ItemEnum) -> Option<String> {
    let says_more = |attrs: &[Attribute]| attrs.iter().any(|attr| attr.path().is_ident("cfg"));
    let derives = |attr: &Attribute| mentions(&attr.to_token_stream(), "Differentiable");
    if !item.generics.params.is_empty() || item.attrs.iter().any(derives) || says_more(&item.attrs) {
        return None;
    }
    let mut arms = TokenStream::new();
    for variant in &item.variants {
        if says_more(&variant.attrs) || variant.fields.iter().any(|field| says_more(&field.attrs)) {
            return None;
        }
        let (owner, name) = (&item.ident, &variant.ident);
        let types: Vec<&Type> = variant.fields.iter().map(|field| &field.ty).collect();
        if !types.iter().all(|ty| is_discrete(ty)) {
            return None;
        }
        let parts: Vec<Ident> = (0..types.len()).map(|k| format_ident!("part_{k}")).collect();
        let same = quote!({ #(let _: &#types = #parts;)* });
        arms.extend(match &variant.fields {
            Fields::Unit => quote!(#owner::#name => {}),
            Fields::Unnamed(_) => quote!(#owner::#name(#(#parts),*) => #same),
            Fields::Named(fields) => {
                let names = fields.named.iter().map(|field| &field.ident);
                quote!(#owner::#name { #(#names: #parts),* } => #same)
            }
        });
    }
    (!item.variants.is_empty()).then(|| arms.to_string())
}

/// An enum that carries no floats as it is defined, if its parts are numbers and truth values.
pub fn definition(item: &ItemEnum) -> Option<String> {
    let is_number =
        |ty: &Type| matches!(ty, Type::Path(_)) && is_discrete(ty) && !mentions(&ty.to_token_stream(), "char");
    arms(item)?;
    let mut bare = item.clone();
    bare.attrs.clear();
    for variant in &mut bare.variants {
        (variant.attrs, variant.discriminant) = (Vec::new(), None);
        variant.fields.iter_mut().for_each(|field| field.attrs.clear());
        if !variant.fields.iter().all(|field| is_number(&field.ty)) {
            return None;
        }
    }
    Some(bare.to_token_stream().to_string())
}

impl Source {
    /// The enum without numbers that a path means, if it is the only type of its name here.
    pub fn plain_enum(&self, path: &syn::Path) -> Option<ItemEnum> {
        let name = &path.segments.last()?.ident;
        let text = self.plain_definitions.get(&name.to_string())?;
        let is_only = self.types.get(&name.to_string()) == Some(&1) && !self.aliases.contains_key(&name.to_string());
        syn::parse2(placed(text.parse().ok()?, name.span())).ok().filter(|_| is_only)
    }
}

/// What is known, with the definition of a result that is such an enum, or an `Option` of one, or that has one in a tuple.
pub fn with_plain_result(mut knowledge: Knowledge, result: &Type) -> Knowledge {
    let path = match result {
        Type::Tuple(parts) => return parts.elems.iter().fold(knowledge, with_plain_result),
        Type::Path(path) => path,
        _ => return knowledge,
    };
    if let [GenericArgument::Type(inner)] = &generic_args(&path.path)[..] {
        let is_option = path.path.segments.last().is_some_and(|last| last.ident == "Option");
        return if is_option { with_plain_result(knowledge, inner) } else { knowledge };
    }
    let item = crate::file_of(result.span()).and_then(|file| Source::of(&file)?.plain_enum(&path.path));
    if let Some(item) = item.filter(|_| path.qself.is_none() && !knowledge.is_known(&path.path)) {
        let home = path.path.segments.last().and_then(|last| home_of(&last.ident));
        let info = StructInfo { home, ..StructInfo::plain(&item) };
        knowledge.insert(crate::relay::key(&path.path), Info::Struct(Rc::new(info)));
    }
    knowledge
}

fn is_discrete(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_discrete(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_discrete),
        Type::Path(path) => path
            .path
            .get_ident()
            .is_some_and(|name| PRIMITIVES.iter().any(|known| name == known) && name != "f32" && name != "f64"),
        _ => false,
    }
}

/// An item with `#[no_diff]` before what consists of plain enums, and what states their definitions.
pub fn with_plain_enums(item: TokenStream, source: Option<&Source>) -> (TokenStream, TokenStream) {
    let Some(source) = source.filter(|source| source.plain.keys().any(|name| mentions(&item, name))) else {
        return (item, TokenStream::new());
    };
    let mut found = Found { source, names: BTreeMap::new() };
    let item = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(mut function)) => {
            found.signature(&mut function.sig, &[], None);
            function.into_token_stream()
        }
        Ok(Item::Impl(mut block)) => {
            let (generics, owner) = (block.generics.clone(), block.self_ty.clone());
            if methods_in(&block).next().is_some() {
                for item in &mut block.items {
                    let syn::ImplItem::Fn(method) = item else { continue };
                    found.signature(&mut method.sig, &[&generics], Some(&owner));
                }
            }
            block.into_token_stream()
        }
        Ok(Item::Struct(mut item)) => {
            let generics = item.generics.clone();
            item.fields.iter_mut().for_each(|field| found.field(field, &generics));
            item.into_token_stream()
        }
        Ok(Item::Enum(mut item)) => {
            let generics = item.generics.clone();
            let fields = item.variants.iter_mut().flat_map(|variant| &mut variant.fields);
            fields.for_each(|field| found.field(field, &generics));
            item.into_token_stream()
        }
        _ => item,
    };
    let stated = found.names.into_values().filter_map(|name| {
        let arms: TokenStream = placed(source.plain.get(&name.to_string())?.parse().ok()?, name.span());
        Some(quote! {
            const _: () = {
                #[allow(warnings, dead_code)]
                fn plain(value: &#name) {
                    match value { #arms }
                }
            };
        })
    });
    let stated = stated.collect();
    (item, stated)
}

struct Found<'s> {
    source: &'s Source,
    names: BTreeMap<String, Ident>,
}

impl Found<'_> {
    fn signature(&mut self, sig: &mut syn::Signature, outer: &[&Generics], owner: Option<&Type>) {
        let own = sig.generics.clone();
        let generics = [outer, &[&own]].concat();
        for input in &mut sig.inputs {
            match input {
                FnArg::Typed(input) => {
                    // What is changed is a result.
                    let is_mut = matches!(&*input.ty, Type::Reference(reference) if reference.mutability.is_some());
                    if !is_mut {
                        self.mark(&mut input.attrs, &input.ty, &generics);
                    }
                }
                FnArg::Receiver(this) => {
                    let is_mut = this.reference.is_some() && this.mutability.is_some();
                    if let Some(owner) = owner.filter(|_| !is_mut && this.colon_token.is_none()) {
                        self.mark(&mut this.attrs, owner, &generics);
                    }
                }
            }
        }
    }

    /// Which variants the enum of a field has, others cannot read where they are.
    fn field(&mut self, field: &mut syn::Field, generics: &Generics) {
        self.mark(&mut field.attrs, &field.ty, &[generics]);
        let Type::Path(path) = &field.ty else { return };
        let is_marked = path.path.get_ident().is_some_and(|name| self.names.contains_key(&name.to_string()));
        if let Some(definition) = self.source.plain_enum(&path.path).filter(|_| is_marked) {
            field.attrs.push(syn::parse_quote!(#[__autodiff_plain(#definition)]));
        }
    }

    fn mark(&mut self, attrs: &mut Vec<Attribute>, ty: &Type, generics: &[&Generics]) {
        let mut names = Vec::new();
        let consists = self.consists(ty, &mut names);
        let is_parameter = |name: &Ident| {
            generics.iter().any(|generics| generics.type_params().any(|parameter| parameter.ident == *name))
        };
        if !consists || names.is_empty() || names.iter().any(is_parameter) {
            return;
        }
        self.names.extend(names.into_iter().map(|name| (name.to_string(), name)));
        if !attrs.iter().any(|attr| attr.path().is_ident("no_diff")) {
            attrs.push(syn::parse_quote!(#[no_diff]));
        }
    }

    /// Whether a type consists of plain enums and of integers, and of which enums.
    fn consists(&self, ty: &Type, names: &mut Vec<Ident>) -> bool {
        match ty {
            Type::Reference(reference) => self.consists(&reference.elem, names),
            Type::Paren(paren) => self.consists(&paren.elem, names),
            Type::Group(group) => self.consists(&group.elem, names),
            Type::Slice(slice) => self.consists(&slice.elem, names),
            Type::Array(array) => self.consists(&array.elem, names),
            Type::Tuple(tuple) => tuple.elems.iter().all(|part| self.consists(part, names)),
            Type::Path(path) if path.qself.is_none() => {
                let Some(last) = path.path.segments.last() else { return false };
                let Some(name) = path.path.get_ident() else {
                    let PathArguments::AngleBracketed(args) = &last.arguments else { return false };
                    return ["Vec", "Option", "Box"].iter().any(|list| last.ident == list)
                        && args.args.iter().all(|arg| match arg {
                            GenericArgument::Type(ty) => self.consists(ty, names),
                            _ => false,
                        });
                };
                let text = name.to_string();
                let is_plain = self.source.plain.contains_key(&text) && self.source.types.get(&text) == Some(&1);
                if is_plain {
                    names.push(name.clone());
                }
                is_plain || is_discrete(ty)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, item: &str) -> (String, String) {
        let item: TokenStream = item.parse().unwrap();
        let (item, stated) = with_plain_enums(item, Some(&Source::read(text)));
        (item.to_string(), stated.to_string())
    }

    fn same(text: &str, item: &str, expected: &str) {
        let parsed = |text: &str| syn::parse_str::<Item>(text).unwrap().into_token_stream().to_string();
        assert_eq!(parsed(&marked(text, item).0), parsed(expected));
    }

    #[test]
    fn parameters_and_fields_of_plain_enums() {
        let text = "enum K { A, B(usize), C { n: bool } } struct S;";
        same(text, "fn f(k: K, x: f64) -> f64 { x }", "fn f(#[no_diff] k: K, x: f64) -> f64 { x }");
        same(text, "fn f(k: &[(K, u8)], s: S) {}", "fn f(#[no_diff] k: &[(K, u8)], s: S) {}");
        same(text, "impl S { fn f(&self, k: K) {} }", "impl S { fn f(&self, #[no_diff] k: K) {} }");
        same(text, "impl K { fn f(&self, x: f64) {} }", "impl K { fn f(#[no_diff] &self, x: f64) {} }");
        same(text, "struct T { k: Vec<K>, x: f64 }", "struct T { #[no_diff] k: Vec<K>, x: f64 }");
        let told = "struct T { #[no_diff] #[__autodiff_plain(enum K { A, B(usize), C { n: bool } })] k: K }";
        same(text, "struct T { k: K }", told);
        let (_, stated) = marked(text, "fn f(k: K, x: f64) -> f64 { x }");
        assert!(stated.contains("K :: B (part_0) => { let _ : & usize = part_0 ; }"), "{stated}");
    }

    #[test]
    fn what_may_have_numbers_is_left_alone() {
        let item = "fn f<T>(k: K, x: f64) -> f64 { x }";
        for text in [
            "enum K { A, B(f64) }",
            "enum K { A, B(S) }",
            "#[derive(Differentiable)] enum K { A }",
            "enum K { #[cfg(x)] A, B }",
            "enum K<T> { A }",
            "enum K { A } mod m { struct K; }",
            "struct K;",
        ] {
            same(text, item, item);
        }
        same("enum K { A }", "fn f<K>(k: K, x: f64) {}", "fn f<K>(k: K, x: f64) {}");
        same("enum K { A }", "fn f(k: &mut K, x: f64) {}", "fn f(k: &mut K, x: f64) {}");
    }
}
