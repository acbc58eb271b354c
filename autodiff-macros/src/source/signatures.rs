//! The signatures of the functions of a file, and the fields of its structs and enums. What is there twice is not known.

use super::Source;
use crate::tokens::placed;
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::HashMap;
use syn::{Fields, ImplItem, Item, Signature, TraitItem, Type};

#[derive(Default)]
pub struct Signatures {
    /// By `name`, or by `Owner::name`.
    functions: HashMap<String, Option<String>>,
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
                        self.function(format!("{owner}::{}", sig.ident), &sig);
                    }
                }
                Item::Trait(own) => {
                    for item in &own.items {
                        let TraitItem::Fn(method) = item else { continue };
                        self.function(format!("{}::{}", own.ident, method.sig.ident), &method.sig);
                    }
                }
                Item::Struct(own) => self.fields_of(own.ident.to_string(), &own.generics, &own.fields),
                Item::Enum(own) => {
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
        let text = sig.to_token_stream().to_string();
        let known = self.functions.entry(name).or_insert_with(|| Some(text.clone()));
        if known.as_ref() != Some(&text) {
            *known = None;
        }
    }

    fn fields_of(&mut self, name: String, generics: &syn::Generics, fields: &Fields) {
        let text = |(k, field): (usize, &syn::Field)| {
            let name = field.ident.as_ref().map_or_else(|| k.to_string(), ToString::to_string);
            (name, field.ty.to_token_stream().to_string())
        };
        let found = (
            generics.type_params().map(|param| param.ident.to_string()).collect(),
            fields.iter().enumerate().map(text).collect(),
        );
        let known = self.fields.entry(name).or_insert_with(|| Some(found.clone()));
        if known.as_ref() != Some(&found) {
            *known = None;
        }
    }
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

    /// What an alias without parameters stands for.
    pub fn alias(&self, name: &syn::Ident) -> Option<Type> {
        let text = placed(self.aliases.get(&name.to_string())?.parse().ok()?, name.span());
        let alias: syn::ItemType = syn::parse2(text).ok()?;
        alias.generics.params.is_empty().then_some(*alias.ty)
    }
}
