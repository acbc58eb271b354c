//! The methods that a trait provides, for the types that leave it at that.
//!
//! Note [Provided methods]. `#[differentiable] impl Distance for Sphere` differentiates what stands in the block. A method that only the
//! trait has a body of, is written into the block as if the user had repeated it there, if the trait stands in the same module and
//! a differentiable function of the file, or such a method, calls something of its name. The body then means the same, and all that
//! is said of it is said at the name of the trait.

use super::home::Place;
use super::names::methods_in;
use super::signatures::substituted_by;
use super::{Method, Source};
use crate::module::is_marked;
use crate::tokens::placed;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, HashSet};
use syn::spanned::Spanned;
use syn::{FnArg, ImplItem, ImplItemFn, Item, ItemImpl, TraitItem, Type};

/// The methods with a body of each trait, by its name. None, if there are several traits of that name.
#[derive(Default)]
pub struct Provided {
    traits: BTreeMap<String, Option<Trait>>,
    /// What differentiable functions call.
    called: HashSet<String>,
    /// The blocks that implement traits with our attribute.
    blocks: Vec<Implemented>,
}

struct Implemented {
    owner: String,
    of: String,
    /// The methods that stand in the block.
    own: Vec<String>,
    header: String,
    place: Place,
}

struct Trait {
    params: Vec<String>,
    /// By name, as text.
    methods: Vec<(String, String)>,
}

impl Provided {
    /// Keeps a block that implements a trait.
    pub fn note(&mut self, block: &ItemImpl, owner: &str, (is_marked, header): (bool, String), place: &Place) {
        let of = block.trait_.as_ref().and_then(|(_, path, _)| Some(path.segments.last()?.ident.to_string()));
        let marks = || {
            block
                .items
                .iter()
                .any(|item| matches!(item, ImplItem::Fn(method) if super::says_differentiable(&method.attrs)))
        };
        if let Some(of) = of.filter(|_| is_marked || marks()) {
            let own = methods_in(block).map(|method| method.sig.ident.to_string()).collect();
            self.blocks.push(Implemented { owner: owner.to_owned(), of, own, header, place: place.clone() });
        }
    }

    /// The methods that a block gets of a trait, by name, as text.
    fn methods_for(&self, of: &Trait, own: &[String]) -> Vec<(String, TokenStream)> {
        let mut called = self.called.clone();
        let mut left: Vec<&(String, String)> = of.methods.iter().filter(|(name, _)| !own.contains(name)).collect();
        let mut added = Vec::new();
        while let Some(at) = left.iter().position(|(name, _)| called.contains(name)) {
            let (name, text) = left.remove(at);
            let Ok(text) = text.parse::<TokenStream>() else { continue };
            calls(text.clone(), &mut called);
            added.push((name.clone(), text));
        }
        added
    }

    pub fn collect(&mut self, items: &[Item], is_among_marked: bool) {
        for item in items {
            match item {
                Item::Trait(own) => {
                    let method = |item: &TraitItem| match item {
                        TraitItem::Fn(method) if method.default.is_some() && is_plain(method) => {
                            Some((method.sig.ident.to_string(), method.to_token_stream().to_string()))
                        }
                        _ => None,
                    };
                    let params = own.generics.params.iter().filter_map(|param| match param {
                        syn::GenericParam::Type(param) => Some(param.ident.to_string()),
                        syn::GenericParam::Const(param) => Some(param.ident.to_string()),
                        syn::GenericParam::Lifetime(_) => None,
                    });
                    let found =
                        Trait { params: params.collect(), methods: own.items.iter().filter_map(method).collect() };
                    let name = own.ident.to_string();
                    let is_first = !self.traits.contains_key(&name);
                    self.traits.insert(name, is_first.then_some(found));
                }
                Item::Mod(module) => {
                    let is_among_marked = is_among_marked || super::says_differentiable(&module.attrs);
                    self.collect(super::names::content(module), is_among_marked);
                }
                Item::Fn(item) if is_among_marked || super::says_differentiable(&item.attrs) => {
                    calls(item.block.to_token_stream(), &mut self.called);
                }
                Item::Impl(block) => {
                    let is_marked = is_among_marked || super::says_differentiable(&block.attrs);
                    for item in &block.items {
                        if let ImplItem::Fn(method) = item {
                            if is_marked || super::says_differentiable(&method.attrs) {
                                calls(method.block.to_token_stream(), &mut self.called);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// Attributes other than of documentation may change what a method is.
fn is_plain(method: &syn::TraitItemFn) -> bool {
    let is_harmless =
        |attr: &syn::Attribute| ["doc", "inline", "must_use", "allow"].iter().any(|name| attr.path().is_ident(name));
    method.attrs.iter().all(is_harmless)
}

/// The names that something is called by.
fn calls(tokens: TokenStream, found: &mut HashSet<String>) {
    let mut last = None;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => last = Some(ident.to_string()),
            TokenTree::Group(group) => {
                found.extend(last.take().filter(|_| group.delimiter() == proc_macro2::Delimiter::Parenthesis));
                calls(group.stream(), found);
            }
            // `x.name::<T>(y)`
            TokenTree::Punct(punct) if matches!(punct.as_char(), ':' | '<' | '>' | ',') => {}
            _ => last = None,
        }
    }
}

/// An `impl` block with the methods that its trait provides: see Note [Provided methods].
pub fn with_provided_methods(item: TokenStream, source: Option<&Source>) -> TokenStream {
    let added = source.and_then(|source| {
        let block = syn::parse2::<ItemImpl>(item.clone()).ok()?;
        source.with_methods_of_trait(block)
    });
    added.map_or(item, ToTokens::into_token_stream)
}

impl Source {
    /// The methods that blocks get are known like the others.
    pub(super) fn add_provided(&mut self) {
        let mut added = Vec::new();
        for block in &self.provided.blocks {
            let Some(Some(of)) = self.provided.traits.get(&block.of) else { continue };
            let is_beside =
                |module: &super::names::Module| module.place == block.place && module.items.contains(&block.of);
            if !self.modules.iter().any(is_beside) {
                continue;
            }
            for (name, text) in self.provided.methods_for(of, &block.own) {
                let relay = format!("{}_{}", block.owner.trim_start_matches("r#"), name.trim_start_matches("r#"));
                let (owner, header) = (block.owner.clone(), block.header.clone());
                added.push((relay, Method { owner, name, header, is_marked: true }, block.place.clone(), text));
            }
        }
        for (relay, method, place, text) in added {
            self.mention_provided(&place, &relay, &method.name, text);
            self.put(relay.clone(), &place);
            self.methods.entry(relay).or_insert(method);
        }
    }

    fn with_methods_of_trait(&self, mut block: ItemImpl) -> Option<ItemImpl> {
        let path = block.trait_.as_ref().filter(|(not, ..)| not.is_none()).map(|(_, path, _)| path.clone())?;
        let [segment] = path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let of = self.provided.traits.get(&segment.ident.to_string())?.as_ref()?;
        let own: Vec<String> = methods_in(&block).map(|method| method.sig.ident.to_string()).collect();
        let key = (block.self_ty.to_token_stream().to_string(), own.clone());
        let of_block = |module: &&super::names::Module| module.impls.contains(&key);
        let [module] = self.modules.iter().filter(of_block).collect::<Vec<_>>()[..] else { return None };
        if !module.items.contains(&segment.ident.to_string()) {
            return None;
        }
        let args = match &segment.arguments {
            syn::PathArguments::AngleBracketed(args) => args
                .args
                .iter()
                .filter(|arg| !matches!(arg, syn::GenericArgument::Lifetime(_)))
                .map(ToTokens::to_token_stream)
                .collect(),
            _ => Vec::new(),
        };
        if args.len() != of.params.len() {
            return None;
        }
        let mut added: Vec<ImplItemFn> = Vec::new();
        let marked = block.items.iter().find_map(|item| match item {
            ImplItem::Fn(method) => method.attrs.iter().find(|attr| is_marked(std::slice::from_ref(attr))),
            _ => None,
        });
        let marked = marked.cloned();
        for (_, text) in self.provided.methods_for(of, &own) {
            let text = placed(text, path.span());
            let mut method: ImplItemFn = syn::parse2(substituted_by(text, &of.params, &args)?).ok()?;
            method.attrs = marked.iter().cloned().collect();
            for input in &mut method.sig.inputs {
                if let FnArg::Typed(typed) = input {
                    if self.is_without_derivative(&typed.ty) {
                        typed.attrs.push(syn::parse_quote!(#[no_diff]));
                    }
                }
            }
            added.push(method);
        }
        block.items.extend(added.into_iter().map(ImplItem::Fn));
        Some(block)
    }

    /// Whether a type, or what it borrows, is one of this file without our derive.
    fn is_without_derivative(&self, ty: &Type) -> bool {
        match ty {
            Type::Reference(reference) => self.is_without_derivative(&reference.elem),
            Type::Slice(slice) => self.is_without_derivative(&slice.elem),
            Type::Path(path) => {
                let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                self.underived.contains(&name) && self.types.get(&name) == Some(&1)
            }
            _ => false,
        }
    }
}
