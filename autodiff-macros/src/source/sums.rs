//! What `sum` and `product` of a type do: `impl Sum for Vec3`.
//!
//! Note [Sums of structs]. What an `impl Sum` does is not known to a caller, and it has no derivative of its own: it takes an
//! iterator. But mostly it is a fold, and one that stands in the file of the caller can be read: its first value, and what it does
//! with the next one. These are taken in where such a sum is.

use crate::methods;
use quote::{ToTokens, quote};
use std::collections::HashMap;
use syn::{Block, Expr, ImplItem, ItemImpl, Pat, Stmt, Type};

/// The first value, and a closure of the sum so far and the next item, as texts.
#[derive(Clone, PartialEq, Eq)]
pub struct Fold {
    pub first: String,
    pub next: String,
}

/// By the type and the name of the method. What several blocks say differently is not known.
pub type Folds = HashMap<(String, String), Option<Fold>>;

/// Notes what a block says of sums or products.
pub fn collect(block: &ItemImpl, folds: &mut Folds) {
    let Some((_, of, _)) = &block.trait_ else { return };
    let name = match of.segments.last() {
        Some(last) if last.ident == "Sum" => "sum",
        Some(last) if last.ident == "Product" => "product",
        _ => return,
    };
    let Some(owner) = methods::self_name(&block.self_ty) else { return };
    let method = block.items.iter().find_map(|item| match item {
        ImplItem::Fn(method) if method.sig.ident == name => Some(method),
        _ => None,
    });
    let Some(method) = method else { return };
    let iter = match method.sig.inputs.first() {
        Some(syn::FnArg::Typed(typed)) => named(&typed.pat),
        _ => None,
    };
    let Some(iter) = iter else { return };
    if hands_on(&method.block, &iter, name) {
        return;
    }
    let fold = folded(&method.block, &iter, name).map(|(first, next)| {
        let own = |tokens: proc_macro2::TokenStream| with_owner(tokens, &block.self_ty).to_string();
        Fold { first: own(first.to_token_stream()), next: own(next) }
    });
    // With parameters the type has no name.
    let fold = fold.filter(|_| block.generics.type_params().next().is_none());
    let known = folds.entry((owner.to_string(), name.to_owned())).or_insert_with(|| fold.clone());
    if *known != fold {
        *known = None;
    }
}

fn named(pat: &Pat) -> Option<String> {
    match pat {
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => Some(name.ident.to_string()),
        _ => None,
    }
}

/// The iterator itself, or its elements as values.
fn is_iter(expr: &Expr, iter: &str) -> bool {
    match expr {
        Expr::Path(path) => path.path.is_ident(iter),
        Expr::MethodCall(call) => {
            call.args.is_empty()
                && (call.method == "copied" || call.method == "cloned")
                && is_iter(&call.receiver, iter)
        }
        _ => false,
    }
}

/// `iter.copied().sum()`, of values.
fn hands_on(block: &Block, iter: &str, name: &str) -> bool {
    match &block.stmts[..] {
        [Stmt::Expr(Expr::MethodCall(call), None)] => {
            call.method == name && call.args.is_empty() && is_iter(&call.receiver, iter)
        }
        _ => false,
    }
}

fn folded(block: &Block, iter: &str, name: &str) -> Option<(Expr, proc_macro2::TokenStream)> {
    match &block.stmts[..] {
        [Stmt::Expr(Expr::MethodCall(call), None)] if call.method == "fold" && is_iter(&call.receiver, iter) => {
            let [first, next] = &call.args.iter().collect::<Vec<_>>()[..] else { return None };
            let next = match next {
                Expr::Closure(closure) if closure.inputs.len() == 2 => closure.to_token_stream(),
                Expr::Path(path) => {
                    let operator = path.path.segments.last()?.ident.to_string();
                    match (name, &operator[..]) {
                        ("sum", "add") => quote!(|a, b| a + b),
                        ("product", "mul") => quote!(|a, b| a * b),
                        _ => return None,
                    }
                }
                _ => return None,
            };
            Some(((*first).clone(), next))
        }
        // `let mut sum = Self::ZERO; for x in iter { sum += x; } sum`
        [Stmt::Local(local), Stmt::Expr(Expr::ForLoop(each), _), Stmt::Expr(Expr::Path(last), None)] => {
            let pat = match &local.pat {
                Pat::Type(typed) => &*typed.pat,
                pat => pat,
            };
            let (sum, init) = (named(pat)?, local.init.as_ref()?);
            if !last.path.is_ident(&sum) || !is_iter(&each.expr, iter) || init.diverge.is_some() {
                return None;
            }
            let (place, item) = (&last.path, &each.pat);
            let body = each.body.stmts.iter().map(|stmt| match stmt {
                Stmt::Expr(expr, None) => quote!(#expr;),
                stmt => stmt.to_token_stream(),
            });
            Some(((*init.expr).clone(), quote!(|mut #place, #item| { #(#body)* #place })))
        }
        _ => None,
    }
}

/// With the type in the place of `Self`.
fn with_owner(tokens: proc_macro2::TokenStream, owner: &Type) -> proc_macro2::TokenStream {
    use proc_macro2::{Group, TokenTree};
    let replace = |token: TokenTree| match token {
        TokenTree::Ident(name) if name == "Self" => owner.to_token_stream(),
        TokenTree::Group(group) => {
            TokenTree::Group(Group::new(group.delimiter(), with_owner(group.stream(), owner))).into()
        }
        token => token.into(),
    };
    tokens.into_iter().flat_map(replace).collect()
}
