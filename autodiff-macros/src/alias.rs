//! Type aliases of the user's.
//!
//! Note [Aliases]. `type Matrix = Vec<Vec<f64>>;` is an item without a relay, so that a macro that sees `&Matrix` cannot ask what
//! it stands for. But the alias is mostly written in the file of the function, and the path of that file is known: what
//! stands in its modules, `type Matrix = …`, is put in the place of `Matrix` before anything else is done (see Note [The file of
//! an item] in `source.rs`). A name that the file
//! defines more than once or in another way is left alone. Another item of that name may be imported all the same: that what
//! has been read is what the name stands for, is stated as the type of a function, so that rustc refuses the wrong alias.

use crate::source::Source;
use crate::tokens::placed;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::HashMap;
use std::path::PathBuf;
use syn::visit_mut::VisitMut;
use syn::{Expr, GenericArgument, GenericParam, Item, ItemType, PathArguments, Type};

/// Aliases of aliases.
const MOST_STEPS: usize = 8;

/// The text of the aliases of a file, by name.
type Aliases = HashMap<String, String>;

/// An item with what its aliases stand for in their place. Also what states that they do, which uses them: else rustc would say
/// that nobody does.
pub fn expanded(item: TokenStream, file: Option<PathBuf>) -> (TokenStream, TokenStream) {
    let source = file.and_then(|file| Source::of(&file));
    let known = source.as_ref().map(|source| &source.aliases).filter(|texts| mentions(&item, texts));
    let (Some(texts), Ok(mut parsed)) = (known, syn::parse2::<Item>(item.clone())) else {
        return (item, TokenStream::new());
    };
    let mut expand = Expand { texts, found: Vec::new(), changed: false, nested: false };
    for _ in 0..MOST_STEPS {
        expand.changed = false;
        expand.visit_item_mut(&mut parsed);
        if !expand.changed {
            break;
        }
        expand.nested = true;
    }
    let used: TokenStream = expand.found.into_iter().map(|(_, used)| used).collect();
    match &mut parsed {
        Item::Mod(syn::ItemMod { content: Some((_, items)), .. }) => {
            items.extend(syn::parse2::<syn::File>(used).map_or_else(|_| Vec::new(), |file| file.items));
            (parsed.to_token_stream(), TokenStream::new())
        }
        _ => (parsed.to_token_stream(), used),
    }
}

fn mentions(tokens: &TokenStream, texts: &Aliases) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => texts.contains_key(&ident.to_string()),
        TokenTree::Group(group) => mentions(&group.stream(), texts),
        _ => false,
    })
}

/// Puts types in the places of aliases.
struct Expand<'t> {
    texts: &'t Aliases,
    /// The aliases that the item itself names, each once, with what uses them.
    found: Vec<(Ident, TokenStream)>,
    changed: bool,
    /// Whether aliases of aliases are looked for.
    nested: bool,
}

impl Expand<'_> {
    /// A type with the aliases in it written out.
    fn in_full(&self, mut ty: Type) -> Type {
        let mut expand = Expand { texts: self.texts, found: Vec::new(), changed: false, nested: true };
        for _ in 0..MOST_STEPS {
            expand.changed = false;
            expand.visit_type_mut(&mut ty);
            if !expand.changed {
                break;
            }
        }
        ty
    }

    /// What a segment stands for, if it is the first of a path.
    fn find(&mut self, path: &syn::Path) -> Option<Type> {
        let segment = path.segments.first()?;
        let text = self.texts.get(&segment.ident.to_string()).filter(|_| path.leading_colon.is_none())?;
        let tokens = placed(text.parse().ok()?, segment.ident.span());
        let alias = syn::parse2::<ItemType>(tokens).ok()?;
        let given: Vec<GenericArgument> = match &segment.arguments {
            PathArguments::None => Vec::new(),
            PathArguments::AngleBracketed(args) => args.args.iter().cloned().collect(),
            PathArguments::Parenthesized(_) => return None,
        };
        let mut fill = Fill(HashMap::new());
        for (k, param) in alias.generics.params.iter().enumerate() {
            let (name, default) = match param {
                GenericParam::Type(param) => (&param.ident, param.default.clone().map(GenericArgument::Type)),
                GenericParam::Const(param) => (&param.ident, param.default.clone().map(GenericArgument::Const)),
                GenericParam::Lifetime(_) => return None,
            };
            fill.0.insert(name.to_string(), given.get(k).cloned().or(default)?);
        }
        let mut ty = (*alias.ty).clone();
        fill.visit_type_mut(&mut ty);
        // What an alias itself names is used where it stands.
        if !self.nested && !self.found.iter().any(|(name, _)| *name == segment.ident) {
            let (name, (params, args, _)) = (&segment.ident, alias.generics.split_for_impl());
            let meant = self.in_full((*alias.ty).clone());
            let used = quote! {
                const _: () = {
                    #[allow(warnings, dead_code)]
                    fn same #params(same: ::core::marker::PhantomData<#name #args>) -> ::core::marker::PhantomData<#meant> {
                        same
                    }
                };
            };
            self.found.push((name.clone(), used));
        }
        self.changed = true;
        Some(ty)
    }
}

impl VisitMut for Expand<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let found = match ty {
            Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => self.find(&path.path),
            _ => None,
        };
        match found {
            Some(found) => *ty = found,
            None => syn::visit_mut::visit_type_mut(self, ty),
        }
    }

    /// A name alone is that of a value.
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if path.qself.is_some() || path.path.segments.len() > 1 {
            syn::visit_mut::visit_expr_path_mut(self, path);
        }
    }

    /// `State { … }`, `State::new(…)`
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if let Some(Type::Path(found)) = self.find(path).filter(|ty| matches!(ty, Type::Path(ty) if ty.qself.is_none()))
        {
            let mut found = found.path;
            for segment in &mut found.segments {
                if let PathArguments::AngleBracketed(args) = &mut segment.arguments {
                    args.colon2_token.get_or_insert_with(Default::default);
                }
            }
            found.segments.extend(path.segments.iter().skip(1).cloned());
            *path = found;
            return;
        }
        syn::visit_mut::visit_path_mut(self, path);
    }

    fn visit_item_type_mut(&mut self, _: &mut ItemType) {}
}

/// Puts arguments in the places of the generic parameters of an alias.
struct Fill(HashMap<String, GenericArgument>);

impl Fill {
    fn given(&self, path: &syn::Path) -> Option<&GenericArgument> {
        self.0.get(&path.get_ident()?.to_string())
    }
}

impl VisitMut for Fill {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty {
            if let Some(GenericArgument::Type(given)) = self.given(&path.path) {
                *ty = given.clone();
                return;
            }
        }
        syn::visit_mut::visit_type_mut(self, ty);
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        // A lone name parses as a type.
        if let GenericArgument::Type(Type::Path(path)) = argument {
            if let Some(given) = self.given(&path.path) {
                *argument = given.clone();
                return;
            }
        }
        syn::visit_mut::visit_generic_argument_mut(self, argument);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let given = match &*expr {
            Expr::Path(path) => self.given(&path.path).cloned(),
            _ => None,
        };
        match given {
            Some(GenericArgument::Const(size)) => *expr = size,
            Some(GenericArgument::Type(Type::Path(path))) => {
                *expr = Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: path.qself, path: path.path });
            }
            _ => syn::visit_mut::visit_expr_mut(self, expr),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, item: &str) -> String {
        let mut parsed: Item = syn::parse_str(item).unwrap();
        let texts = Source::read(text).aliases;
        let mut expand = Expand { texts: &texts, found: Vec::new(), changed: true, nested: false };
        while std::mem::take(&mut expand.changed) {
            expand.visit_item_mut(&mut parsed);
        }
        parsed.to_token_stream().to_string()
    }

    fn same(text: &str, item: &str, expected: &str) {
        let expected: Item = syn::parse_str(expected).unwrap();
        assert_eq!(of(text, item), expected.to_token_stream().to_string());
    }

    #[test]
    fn what_an_alias_stands_for() {
        same(
            "type M = Vec<Vec<f64>>;",
            "fn f(a: &M) -> Option<M> {}",
            "fn f(a: &Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {}",
        );
        same(
            "mod m { pub type S = [f64; 4]; }",
            "struct P { s: S, t: [S; 2] }",
            "struct P { s: [f64; 4], t: [[f64; 4]; 2] }",
        );
        same(
            "type A = f64; type B = [A; 2];",
            "fn f(b: &B) { let a: A = b[0]; }",
            "fn f(b: &[f64; 2]) { let a: f64 = b[0]; }",
        );
    }

    #[test]
    fn arguments() {
        let text = "type G<const N: usize, T = f64> = [[T; N]; N];";
        same(text, "fn f(g: &G<3>) {}", "fn f(g: &[[f64; 3]; 3]) {}");
        same(text, "fn f<const K: usize>(g: &G<K, f32>) {}", "fn f<const K: usize>(g: &[[f32; K]; K]) {}");
        same("type V64 = V<f64>;", "fn f(v: V64) {}", "fn f(v: V<f64>) {}");
        let item = "fn f(x: f64) -> V64 { let V64 { x, y } = V64::new(x); V64 { x: y, y: x } }";
        let expanded = "fn f(x: f64) -> V<f64> { let V::<f64> { x, y } = V::<f64>::new(x); V::<f64> { x: y, y: x } }";
        same("type V64 = V<f64>;", item, expanded);
    }

    #[test]
    fn what_is_not_certain_is_left_alone() {
        let item = "fn f(a: &M, b: m::N) {}";
        same("type M = f64; mod n { type M = f32; }", item, item);
        same("mod n { struct M; } type M = f64; type N = f64;", item, item);
        same("impl T for S { type M = f64; }", item, item);
    }
}
