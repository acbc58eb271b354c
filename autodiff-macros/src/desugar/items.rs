//! Items in a block: constants are variables, functions are closures, and what `use` abbreviates is written out.

use super::build::At;
use super::generics::{self, is_kept};
use super::local_sizes;
use std::collections::HashMap;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, FnArg, Ident, Item, ItemFn, Pat, Path, ReturnType, Stmt, Type, UseTree};

/// Does away with the constants, functions and imports of a block; other items stay, for lowering to report.
pub fn inline(block: &mut Block) {
    let mut imports = Imports(HashMap::new());
    for stmt in &block.stmts {
        if let Stmt::Item(Item::Use(item)) = stmt {
            let start = Path { leading_colon: item.leading_colon, segments: syn::punctuated::Punctuated::new() };
            imports.note(&item.tree, &start);
        }
    }
    block.stmts.retain(|stmt| !matches!(stmt, Stmt::Item(Item::Use(item)) if !has_glob(&item.tree)));
    local_sizes::write_out(block);
    // A constant may stand behind its uses.
    let (constants, rest): (Vec<Stmt>, Vec<Stmt>) =
        std::mem::take(&mut block.stmts).into_iter().partition(|stmt| matches!(stmt, Stmt::Item(Item::Const(_))));
    let constants = constants.into_iter().map(|stmt| match stmt {
        Stmt::Item(Item::Const(item)) => {
            let at = At(item.const_token.span);
            at.bind(at.typed(at.name(&item.ident, false), Some(*item.ty)), Some(*item.expr))
        }
        other => other,
    });
    let (functions, rest) = functions(rest);
    block.stmts = constants.chain(functions).chain(rest).collect();
    if !imports.0.is_empty() {
        imports.visit_block_mut(block);
    }
}

/// The functions of a block as closures, each after those that it calls, and the rest of the block. A function that calls itself
/// or has other generics than sizes and numbers cannot be a closure, and stays. A function sees no variables but its own, so that it captures none.
fn functions(stmts: Vec<Stmt>) -> (Vec<Stmt>, Vec<Stmt>) {
    let (mut open, mut rest): (Vec<Stmt>, Vec<Stmt>) = stmts.into_iter().partition(|stmt| match stmt {
        Stmt::Item(Item::Fn(item)) => {
            let says_nothing = |attr: &Attribute| {
                let is_ours = || attr.path().is_ident("differentiable") && attr.meta.require_path_only().is_ok();
                ["inline", "allow", "expect", "doc"].iter().any(|name| attr.path().is_ident(name)) || is_ours()
            };
            let generics = &item.sig.generics;
            item.attrs.iter().all(says_nothing) && generics.params.iter().all(|param| is_kept(param, generics))
        }
        _ => false,
    });
    let mut closures = Vec::new();
    while !open.is_empty() {
        let names: Vec<Ident> =
            open.iter().filter_map(|stmt| function(stmt).map(|item| item.sig.ident.clone())).collect();
        let next = open.iter().position(|stmt| function(stmt).is_some_and(|item| !calls(&item.block, &names)));
        let Some(next) = next else { break };
        if let Stmt::Item(Item::Fn(item)) = open.remove(next) {
            closures.push(closure(item));
        }
    }
    open.append(&mut rest);
    (closures, open)
}

fn function(stmt: &Stmt) -> Option<&ItemFn> {
    match stmt {
        Stmt::Item(Item::Fn(item)) => Some(item),
        _ => None,
    }
}

fn calls(block: &Block, names: &[Ident]) -> bool {
    struct Calls<'n>(&'n [Ident], bool);
    impl<'ast> Visit<'ast> for Calls<'_> {
        fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
            self.1 |= path.path.get_ident().is_some_and(|name| self.0.contains(name));
        }
    }
    let mut found = Calls(names, false);
    found.visit_block(block);
    found.1
}

pub(super) fn closure(item: ItemFn) -> Stmt {
    let at = At(item.sig.fn_token.span);
    let inputs = item.sig.inputs.into_iter().filter_map(|input| match input {
        // An array, a `Vec` or a part of one, for a slice.
        FnArg::Typed(typed) if matches!(*typed.ty, Type::Infer(_)) || is_shared_slice(&typed.ty) => Some(*typed.pat),
        FnArg::Typed(typed) => Some(Pat::Type(typed)),
        FnArg::Receiver(_) => None,
    });
    let (name, block) = (item.sig.ident, item.block);
    let output = match item.sig.output {
        ReturnType::Default => syn::parse_quote_spanned!(at.0=> -> ()),
        output => output,
    };
    let mut value: Expr = syn::parse_quote_spanned!(at.0=> |#(#inputs),*| #output #block);
    if let Expr::Closure(closure) = &mut value {
        closure.attrs = generics::written(&generics::kept(&item.sig.generics));
    }
    at.bind(at.name(&name, false), Some(value))
}

fn is_shared_slice(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_none() && matches!(*reference.elem, Type::Slice(_)))
}

fn has_glob(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) => has_glob(&path.tree),
        UseTree::Group(group) => group.items.iter().any(has_glob),
        UseTree::Glob(_) => true,
        UseTree::Name(_) | UseTree::Rename(_) => false,
    }
}

/// Names and what they stand for.
struct Imports(HashMap<String, Path>);

impl Imports {
    fn note(&mut self, tree: &UseTree, before: &Path) {
        let then = |ident: &Ident| {
            let mut path = before.clone();
            path.segments.push(ident.clone().into());
            path
        };
        match tree {
            UseTree::Path(path) => self.note(&path.tree, &then(&path.ident)),
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = before.segments.last() {
                    self.0.insert(last.ident.to_string(), before.clone());
                }
            }
            UseTree::Name(name) => {
                self.0.insert(name.ident.to_string(), then(&name.ident));
            }
            UseTree::Rename(rename) => {
                self.0.insert(rename.rename.to_string(), then(&rename.ident));
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.note(tree, before)),
            UseTree::Glob(_) => {}
        }
    }
}

impl VisitMut for Imports {
    fn visit_path_mut(&mut self, path: &mut Path) {
        syn::visit_mut::visit_path_mut(self, path);
        let known = match path.segments.first() {
            Some(first) if path.leading_colon.is_none() => self.0.get(&first.ident.to_string()),
            _ => None,
        };
        let Some(known) = known else { return };
        let mut full = known.clone();
        for (k, segment) in std::mem::take(&mut path.segments).into_iter().enumerate() {
            match full.segments.last_mut() {
                // As it is spelled here, in the place where it stands.
                Some(last) if k == 0 => {
                    last.arguments = segment.arguments;
                    last.ident.set_span(segment.ident.span());
                }
                _ => full.segments.push(segment),
            }
        }
        *path = full;
    }

    /// `Less` in a pattern may be a name of a variant.
    fn visit_pat_mut(&mut self, pat: &mut syn::Pat) {
        if let syn::Pat::Ident(name) = pat {
            let is_plain = name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none();
            if let (true, Some(known)) = (is_plain, self.0.get(&name.ident.to_string())) {
                let path = known.clone();
                *pat = syn::Pat::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path });
                return;
            }
        }
        syn::visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
