//! Which functions of a body are the user's.
//!
//! Note [Names of the user's]. The compiler knows some functions by their names: `stop_gradient`, `select`, `mem::swap`,
//! `iter::repeat`. A user may have one of the same name. What the module of a function defines, and what it imports by name from
//! elsewhere than a library, is the user's: its path gets `self::` in front, and a path that begins with `self`, `super`
//! or `crate` never means a function of a library. What is imported by name from the standard library or from this crate is written out,
//! `std::mem::swap` for `swap`. Where the file does not say, rustc judges: see Note [Names that rustc judges] in `judged.rs`.

use super::Source;
use super::names::{Module, bound, methods_in, written};
use crate::op::method::{find_function, find_several};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::HashSet;
use syn::visit_mut::VisitMut;
use syn::{Expr, Item, Path};

/// An item with the paths of its calls resolved as far as its module tells. Also what uses the imports that are not named any more:
/// else rustc would say that nobody does.
pub fn with_resolved_names(item: TokenStream, source: Option<&Source>) -> (TokenStream, TokenStream) {
    let modules = source.map_or(&[][..], |source| &source.modules);
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(mut function)) => {
            let written = written(&function);
            let [module] = modules.iter().filter(|module| module.written.contains(&written)).collect::<Vec<_>>()[..]
            else {
                return (item, TokenStream::new());
            };
            let bound = bound(Some(&function.sig), &function.block);
            let mut resolve = Resolve { module, bound, changed: false, used: Vec::new() };
            resolve.visit_block_mut(&mut function.block);
            let used = used(&resolve.used);
            (if resolve.changed { function.into_token_stream() } else { item }, used)
        }
        Ok(Item::Impl(mut block)) => {
            let own: Vec<String> = methods_in(&block).map(|method| method.sig.ident.to_string()).collect();
            let key = (block.self_ty.to_token_stream().to_string(), own);
            let [module] = modules.iter().filter(|module| module.impls.contains(&key)).collect::<Vec<_>>()[..] else {
                return (item, TokenStream::new());
            };
            let (mut changed, mut named) = (false, Vec::new());
            for item in &mut block.items {
                let syn::ImplItem::Fn(method) = item else { continue };
                let bound = bound(Some(&method.sig), &method.block);
                let mut resolve = Resolve { module, bound, changed: false, used: Vec::new() };
                resolve.visit_block_mut(&mut method.block);
                changed |= resolve.changed;
                named.extend(resolve.used);
            }
            (if changed { block.into_token_stream() } else { item }, used(&named))
        }
        _ => (item, TokenStream::new()),
    }
}

fn used(imports: &[Ident]) -> TokenStream {
    if imports.is_empty() {
        return TokenStream::new();
    }
    quote! {
        const _: () = {
            #(#[allow(unused_imports)] use self::#imports as _;)*
        };
    }
}

/// Whether a path may mean a function of a library by its last words.
pub fn may_be_of_library(path: &Path) -> bool {
    let first = path.segments.first().map(|first| first.ident.to_string()).unwrap_or_default();
    !matches!(&first[..], "self" | "super" | "crate")
}

/// Whether the last words of a path are those of a function that the compiler knows.
fn is_known(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match &words[..] {
        [.., "iter", "repeat" | "repeat_n" | "repeat_with" | "once" | "successors" | "zip"]
        | [.., "Box" | "Rc" | "Arc" | "Vec" | "VecDeque", "new" | "with_capacity" | "from"]
        | [.., "stop_gradient" | "from_fn" | "swap" | "take" | "replace"] => true,
        [.., name] => find_function(name).is_some() || find_several(name).is_some(),
        [] => false,
    }
}

/// The type of a constant of the standard library that a function names: `f64` of `std::f64::consts::TAU`, and of `TAU` where
/// that is imported.
pub fn constant_of_std(path: &Path, function: &Ident, source: Option<&Source>) -> Option<syn::Type> {
    let mut words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let first = words.first()?.clone();
    if !LIBRARIES.contains(&&first[..]) {
        let all = source.map_or(&[][..], |source| &source.modules);
        let of_function = |module: &&Module| module.functions.contains(&function.to_string());
        // Where it is not certain in which module the function stands, it has to be the same in all of them.
        let modules: Vec<&Module> = match all.iter().filter(of_function).collect::<Vec<_>>()[..] {
            [module] => vec![module],
            _ => all.iter().collect(),
        };
        if modules.iter().any(|module| module.items.contains(&first)) {
            return None;
        }
        let mut imports: Vec<_> = modules.iter().filter_map(|module| module.imports.get(&first)).collect();
        imports.dedup();
        match imports[..] {
            [import] => words = [&import[..], &words[1..]].concat(),
            [] if words.len() == 2 => words.insert(0, "core".to_owned()),
            _ => return None,
        }
    }
    let name = words.last()?;
    let is_constant = name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase);
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["std" | "core", float @ ("f32" | "f64"), _] | ["std" | "core", float @ ("f32" | "f64"), "consts", _]
            if is_constant =>
        {
            syn::parse_str(float).ok()
        }
        _ => None,
    }
}

/// The crates whose functions the compiler knows.
pub const LIBRARIES: [&str; 4] = ["std", "core", "alloc", "autodiff"];

struct Resolve<'m> {
    module: &'m Module,
    /// What the body gives a name to.
    bound: HashSet<String>,
    changed: bool,
    /// Imports in whose places their paths are.
    used: Vec<Ident>,
}

impl Resolve<'_> {
    fn resolve(&mut self, path: &mut Path) {
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let Some(first) = words.first().filter(|_| path.leading_colon.is_none()) else { return };
        if self.bound.contains(first) || LIBRARIES.contains(&&first[..]) || !may_be_of_library(path) {
            return;
        }
        let import = self.module.imports.get(first);
        let whole = match import {
            Some(import) => [&import[..], &words[1..]].concat(),
            None => words.clone(),
        };
        if !is_known(&words) && !is_known(&whole) {
            return;
        }
        let span = path.segments[0].ident.span();
        let before: Vec<Ident> = match import {
            Some(import) if LIBRARIES.contains(&&import[0][..]) => {
                let last = import.len() - 1;
                self.used.push(path.segments[0].ident.clone());
                path.segments[0].ident = Ident::new(&import[last], span);
                // A crate, also without a prelude.
                path.leading_colon = Some(syn::Token![::](span));
                import[..last].iter().map(|word| Ident::new(word, span)).collect()
            }
            Some(import) if self.is_own(&import[0]) => vec![Ident::new("self", span)],
            // Of another crate, which may hand on what is of this one.
            Some(_) => return,
            None if self.module.items.contains(first) => vec![Ident::new("self", span)],
            None => return,
        };
        self.changed |= !before.is_empty();
        let rest = std::mem::take(&mut path.segments);
        path.segments = before.into_iter().map(Into::into).chain(rest).collect();
    }

    /// Whether an import begins in this crate.
    fn is_own(&self, first: &str) -> bool {
        matches!(first, "self" | "super" | "crate") || self.module.items.contains(first)
    }
}

impl VisitMut for Resolve<'_> {
    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        if let Expr::Path(syn::ExprPath { path, qself: None, .. }) = &mut *call.func {
            self.resolve(path);
        }
        syn::visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
