//! The signatures of the functions of a file, and the fields of its structs and enums. What is there twice is not known.

use super::Source;
use crate::tokens::placed;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashMap;
use syn::{
    Fields, GenericArgument, GenericParam, Generics, ImplItem, Item, Path, ReturnType, Signature, TraitItem, Type,
};

#[derive(Default)]
pub struct Signatures {
    /// By `name`, or by `Owner::name`.
    functions: HashMap<String, Option<String>>,
    /// The types that have methods, as their `impl` blocks write them, by `Owner::name`.
    owners: HashMap<String, Option<String>>,
    /// The type and const parameters of structs and enums.
    params: HashMap<String, Option<Vec<String>>>,
    /// The type parameters and fields of structs, and of variants as `Enum::Variant`.
    fields: HashMap<String, Option<(Vec<String>, HashMap<String, String>)>>,
}

impl Signatures {
    pub fn collect(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Fn(item) => self.function(item.sig.ident.to_string(), &item.sig),
                Item::Impl(block) => {
                    let Some(owner) = super::names::last_name(&block.self_ty) else { continue };
                    for item in &block.items {
                        let ImplItem::Fn(method) = item else { continue };
                        let mut sig = method.sig.clone();
                        sig.generics.params.extend(block.generics.params.clone());
                        let name = format!("{owner}::{}", sig.ident);
                        note(&mut self.owners, name.clone(), block.self_ty.to_token_stream().to_string());
                        self.function(name, &sig);
                    }
                }
                Item::Trait(own) => {
                    for item in &own.items {
                        let TraitItem::Fn(method) = item else { continue };
                        self.function(format!("{}::{}", own.ident, method.sig.ident), &method.sig);
                    }
                }
                Item::Struct(own) => {
                    note(&mut self.params, own.ident.to_string(), parameters(&own.generics));
                    self.fields_of(own.ident.to_string(), &own.generics, &own.fields);
                }
                Item::Enum(own) => {
                    note(&mut self.params, own.ident.to_string(), parameters(&own.generics));
                    for variant in &own.variants {
                        self.fields_of(format!("{}::{}", own.ident, variant.ident), &own.generics, &variant.fields);
                    }
                }
                Item::Mod(module) => self.collect(super::names::content(module)),
                _ => {}
            }
        }
    }

    fn function(&mut self, name: String, sig: &Signature) {
        note(&mut self.functions, name, sig.to_token_stream().to_string());
    }

    fn fields_of(&mut self, name: String, generics: &Generics, fields: &Fields) {
        let text = |(k, field): (usize, &syn::Field)| {
            let name = field.ident.as_ref().map_or_else(|| k.to_string(), ToString::to_string);
            (name, field.ty.to_token_stream().to_string())
        };
        let found = (
            generics.type_params().map(|param| param.ident.to_string()).collect(),
            fields.iter().enumerate().map(text).collect(),
        );
        note(&mut self.fields, name, found);
    }
}

/// What is there twice, and not the same, is not known.
fn note<T: Clone + PartialEq>(map: &mut HashMap<String, Option<T>>, name: String, found: T) {
    let known = map.entry(name).or_insert_with(|| Some(found.clone()));
    if known.as_ref() != Some(&found) {
        *known = None;
    }
}

/// The names of type and const parameters.
fn parameters(generics: &Generics) -> Vec<String> {
    let name = |param: &GenericParam| match param {
        GenericParam::Type(param) => Some(param.ident.to_string()),
        GenericParam::Const(param) => Some(param.ident.to_string()),
        GenericParam::Lifetime(_) => None,
    };
    generics.params.iter().filter_map(name).collect()
}

/// The arguments of a type, without lifetimes.
fn arguments(ty: &Type) -> Vec<GenericArgument> {
    let args = match ty {
        Type::Path(path) => crate::parse::ty::generic_args(&path.path),
        _ => Vec::new(),
    };
    args.into_iter().filter(|arg| !matches!(arg, GenericArgument::Lifetime(_))).collect()
}

/// A type with arguments in the places of parameters; none, if one of them has no argument.
fn substituted(ty: TokenStream, params: &[String], args: &HashMap<String, TokenStream>) -> Option<TokenStream> {
    let mut out = TokenStream::new();
    for token in ty {
        match token {
            TokenTree::Ident(ident) if params.contains(&ident.to_string()) => {
                out.extend(args.get(&ident.to_string())?.clone())
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), substituted(group.stream(), params, args)?);
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            token => out.extend([token]),
        }
    }
    Some(out)
}

/// The same with arguments in the order of the parameters.
pub(super) fn substituted_by(tokens: TokenStream, params: &[String], args: &[TokenStream]) -> Option<TokenStream> {
    substituted(tokens, params, &params.iter().cloned().zip(args.iter().cloned()).collect())
}

impl Source {
    /// The signature of a function of this name, or of a method as `Owner::name`.
    pub fn signature(&self, name: &str) -> Option<Signature> {
        let text = self.signatures.functions.get(name)?.as_ref()?;
        syn::parse2(placed(text.parse().ok()?, Span::call_site())).ok()
    }

    /// The type of a field of a struct, or of a variant as `Enum::Variant`, and the type parameters of its owner.
    pub fn field(&self, owner: &str, member: &str) -> Option<(Vec<String>, Type)> {
        let (params, fields) = self.signatures.fields.get(owner)?.as_ref()?;
        let ty = syn::parse2(placed(fields.get(member)?.parse().ok()?, Span::call_site())).ok()?;
        Some((params.clone(), ty))
    }

    /// What a method of a type gives. The parameters of its `impl` block are the arguments of the type. `Self` is as written.
    pub fn result_of_method(&self, owner: &Path, method: &str) -> Option<Type> {
        let name = format!("{}::{method}", owner.segments.last()?.ident);
        let sig = self.signature(&name)?;
        let ReturnType::Type(_, ty) = &sig.output else { return None };
        let params = parameters(&sig.generics);
        let mut args = HashMap::new();
        if let Some(Some(this)) = self.signatures.owners.get(&name) {
            let written = arguments(&syn::parse_str(this).ok()?);
            let given = arguments(&Type::Path(syn::TypePath { qself: None, path: owner.clone() }));
            let pairs = written.iter().zip(&given);
            args.extend(pairs.map(|(name, arg)| (name.to_token_stream().to_string(), arg.to_token_stream())));
        }
        syn::parse2(substituted(ty.to_token_stream(), &params, &args)?).ok()
    }

    /// What a function gives, unless that depends on a parameter of it.
    pub fn result_of_function(&self, name: &str) -> Option<Type> {
        let sig = self.signature(name)?;
        let ReturnType::Type(_, ty) = &sig.output else { return None };
        syn::parse2(substituted(ty.to_token_stream(), &parameters(&sig.generics), &HashMap::new())?).ok()
    }

    /// A field's type with the arguments of its owner in the places of the parameters.
    pub(super) fn with_arguments(&self, field: TokenStream, owner: &Type) -> Option<TokenStream> {
        let name = super::names::last_name(owner)?;
        let Some(Some(params)) = self.signatures.params.get(&name) else { return Some(field) };
        let args = params.iter().cloned().zip(arguments(owner).iter().map(ToTokens::to_token_stream)).collect();
        substituted(field, params, &args)
    }

    /// What an alias without parameters stands for.
    pub fn alias(&self, name: &syn::Ident) -> Option<Type> {
        let text = placed(self.aliases.get(&name.to_string())?.parse().ok()?, name.span());
        let alias: syn::ItemType = syn::parse2(text).ok()?;
        alias.generics.params.is_empty().then_some(*alias.ty)
    }
}
