//! Names of which the file does not say whose they are.
//!
//! Note [Names that rustc judges]. A function that the compiler knows by its name may be hidden by one of the user's that the file
//! does not show: a glob import brings it from another file, a macro defines it, or it stands inside of a function. rustc knows which
//! one is meant, so that it is asked:
//!
//! ```text
//! const _: () = {
//!     use ::autodiff::__private::KnownByName as __autodiff_known;
//!     {
//!         enum stack {}
//!         {
//!             use stack as __autodiff_known;
//!             { ::autodiff::__private::is_known(&KnownByName, &__autodiff_known) }
//!         }
//!     }
//! };
//! ```
//!
//! The import finds the enum, which is a type. Whether it finds a function too, is the question: if it does, that one hides the outer
//! import, and has another type, of which rustc says that it is not what was expected. An operator such as `stack` is no item of any
//! crate, so that whatever is found is the user's. A function that there is, such as `stop_gradient`, may be imported, and then
//! the two are the same. In `mem::swap` the name of the module is what may be hidden, and a function holds the place of the import.

use super::names::{Module, bound, methods_in, written};
use super::resolved::{LIBRARIES, may_be_of_library};
use super::{Source, names};
use crate::op::method::{find_function, find_several};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{BTreeSet, HashSet};
use syn::visit::Visit;
use syn::{Expr, Item, Path, UseTree};

/// What lets rustc judge the names of an item that its file does not explain.
pub fn judgement(item: &TokenStream, source: Option<&Source>, krate: impl FnOnce() -> TokenStream) -> TokenStream {
    // Without a file nothing is compiled.
    let Some(source) = source else { return TokenStream::new() };
    let Ok(item) = syn::parse2::<Item>(item.clone()) else { return TokenStream::new() };
    let mut named = Named { source, bound: HashSet::new(), seen: BTreeSet::new(), found: Vec::new() };
    match &item {
        Item::Fn(function) => named.within(Some(&function.sig), &function.block),
        Item::Impl(block) => {
            for method in methods_in(block) {
                named.within(Some(&method.sig), &method.block);
            }
        }
        _ => {}
    }
    if named.found.is_empty() {
        return TokenStream::new();
    }
    let module = module_of(&item, source);
    let doubtful = |path: &Path| module.is_none_or(|module| module.is_open || is_imported(module, path));
    let doubtful: Vec<_> = named.found.into_iter().filter(|(path, _)| doubtful(path)).collect();
    if doubtful.is_empty() {
        return TokenStream::new();
    }
    let krate = krate();
    doubtful.iter().map(|(path, known)| question(path, known, &krate)).collect()
}

/// Whether a glob of this file may bring anything: those of libraries bring what the compiler takes them for.
pub fn is_of_users(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) => !LIBRARIES.contains(&&path.ident.to_string()[..]) && has_glob(&path.tree),
        UseTree::Group(group) => group.items.iter().any(is_of_users),
        UseTree::Glob(_) => true,
        UseTree::Name(_) | UseTree::Rename(_) => false,
    }
}

fn has_glob(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) => has_glob(&path.tree),
        UseTree::Group(group) => group.items.iter().any(has_glob),
        UseTree::Glob(_) => true,
        UseTree::Name(_) | UseTree::Rename(_) => false,
    }
}

/// The module in which an item stands, if that is certain.
fn module_of<'s>(item: &Item, source: &'s Source) -> Option<&'s Module> {
    let is_here: Box<dyn Fn(&Module) -> bool> = match item {
        Item::Fn(function) => {
            // Resolved names are written in another way than the file has them.
            let (written, name) = (written(function), function.sig.ident.to_string());
            Box::new(move |module| module.written.contains(&written) || module.functions.contains(&name))
        }
        Item::Impl(block) => {
            let own: Vec<String> = methods_in(block).map(|method| method.sig.ident.to_string()).collect();
            let key = (block.self_ty.to_token_stream().to_string(), own);
            Box::new(move |module| module.impls.contains(&key))
        }
        _ => return None,
    };
    let mut found = source.modules.iter().filter(|module| is_here(module));
    let (Some(module), None) = (found.next(), found.next()) else { return None };
    Some(module)
}

/// Whether what a path begins with is imported by name, from another crate than the known ones.
fn is_imported(module: &Module, path: &Path) -> bool {
    let first = path.segments[0].ident.to_string();
    module.imports.get(&first).is_some_and(|import| !LIBRARIES.contains(&&import[0][..]))
}

/// What the compiler takes a path for.
enum Known {
    /// A name that is of no item.
    Operator,
    /// A function of this crate or of the standard library: its path, without the crate, and its generic arguments.
    Function { of_this_crate: bool, module: &'static [&'static str], name: &'static str, of: TokenStream },
    /// A function that belongs to a type on the heap.
    OnHeap(&'static str, &'static str),
}

fn known(words: &[&str]) -> Option<Known> {
    let std = |module, name, of| Some(Known::Function { of_this_crate: false, module, name, of });
    match words {
        [.., "stop_gradient"] => {
            Some(Known::Function { of_this_crate: true, module: &[], name: "stop_gradient", of: quote!(f64) })
        }
        [.., "mem", "swap"] => std(&["mem"], "swap", quote!(f64)),
        [.., "mem", "replace"] => std(&["mem"], "replace", quote!(f64)),
        [.., "mem", "take"] => std(&["mem"], "take", quote!(f64)),
        ["from_fn"] | [.., "array", "from_fn"] => std(&["array"], "from_fn", quote!(f64, 1, fn(usize) -> f64)),
        [.., "iter", "zip"] => std(&["iter"], "zip", quote!([f64; 1], [f64; 1])),
        [.., "iter", "repeat"] => std(&["iter"], "repeat", quote!(f64)),
        [.., "iter", "repeat_n"] => std(&["iter"], "repeat_n", quote!(f64)),
        [.., "iter", "once"] => std(&["iter"], "once", quote!(f64)),
        [.., "Box", "new"] => Some(Known::OnHeap("Box", "new")),
        [.., "Vec", "new" | "with_capacity"] => Some(Known::OnHeap("Vec", "new")),
        [.., "VecDeque", "new" | "with_capacity" | "from"] => Some(Known::OnHeap("VecDeque", "new")),
        [name] if find_function(name).is_some() || find_several(name).is_some() => Some(Known::Operator),
        _ => None,
    }
}

/// The names in bodies that the compiler knows.
struct Named<'s> {
    source: &'s Source,
    bound: HashSet<String>,
    seen: BTreeSet<String>,
    found: Vec<(Path, Known)>,
}

impl Named<'_> {
    fn within(&mut self, sig: Option<&syn::Signature>, block: &syn::Block) {
        self.bound = bound(sig, block);
        self.visit_block(block);
    }
}

impl<'ast> Visit<'ast> for Named<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        if let Expr::Path(syn::ExprPath { qself: None, path, .. }) = expr {
            let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            let is_doubtful = path.leading_colon.is_none()
                && !self.bound.contains(&words[0])
                && !LIBRARIES.contains(&&words[0][..])
                && may_be_of_library(path);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            if let Some(known) = is_doubtful.then(|| known(&words)).flatten() {
                // A function of this file is asked for its relay.
                let is_asked = matches!(known, Known::Operator) && self.source.names_function(words[0]);
                if !is_asked && self.seen.insert(words.join("::")) {
                    self.found.push((names::without_arguments(path), known));
                }
            }
        }
        syn::visit::visit_expr(self, expr);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// The constant that does not compile if a path means another function.
fn question(path: &Path, known: &Known, krate: &TokenStream) -> TokenStream {
    let span = path.segments[0].ident.span();
    let at = Span::call_site().located_at(span);
    let own = Ident::new("__autodiff_known", at);
    let word = |text: &str| Ident::new(text, Span::call_site());
    // What is expected, and what stands for the first word if nothing hides it.
    let (expected, fallback) = match known {
        Known::Operator => (quote!(#krate::__private::KnownByName), quote!(#krate::__private::KnownByName)),
        Known::Function { of_this_crate, module, name, of } => {
            let root = if *of_this_crate { krate.clone() } else { quote!(::core) };
            let (module, name) = (module.iter().map(|part| word(part)).collect::<Vec<_>>(), word(name));
            let whole = quote!(#root #(::#module)* ::#name);
            let fallback = if path.segments.len() == 1 { whole.clone() } else { quote!(#root #(::#module)*) };
            (quote!(#whole::<#of>), fallback)
        }
        Known::OnHeap(ty, name) => {
            let (ty, name) = (word(ty), word(name));
            (quote!(#krate::__private::#ty::<f64>::#name), quote!(#krate::__private::#ty))
        }
    };
    let is_module = |path: &Path| path.segments.len() == 2 && !path.segments[1].ident.eq("stop_gradient");
    let question = if path.segments.len() == 1 || is_module(path) {
        let mut meant = path.clone();
        let first = std::mem::replace(&mut meant.segments[0].ident, own.clone());
        if let Known::OnHeap(_, name) = known {
            meant.segments[1].ident = Ident::new(name, meant.segments[1].ident.span());
        }
        let placeholder = if path.segments.len() == 1 { quote!(enum #first {}) } else { quote!(fn #first() {}) };
        let check = quote_spanned!(at=> { #krate::__private::is_known(&#expected, &#meant) });
        quote! {
            use #fallback as #own;
            {
                #placeholder
                {
                    use #first as #own;
                    #check
                }
            }
        }
    } else {
        quote_spanned!(at=> #krate::__private::is_known(&#expected, &#path))
    };
    let code = quote! {
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        const _: () = { #question };
    };
    match known {
        Known::OnHeap(..) => quote!(#krate::__if_alloc! { #code }),
        _ => code,
    }
}
