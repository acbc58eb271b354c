//! Items in a block: constants are variables, and what `use` abbreviates is written out.

use super::build::At;
use std::collections::HashMap;
use syn::visit_mut::VisitMut;
use syn::{Block, Ident, Item, Path, Stmt, UseTree};

/// Does away with the constants and imports of a block; other items stay, for lowering to report.
pub fn inline(block: &mut Block) {
    let mut imports = Imports(HashMap::new());
    for stmt in &block.stmts {
        if let Stmt::Item(Item::Use(item)) = stmt {
            let start = Path { leading_colon: item.leading_colon, segments: syn::punctuated::Punctuated::new() };
            imports.note(&item.tree, &start);
        }
    }
    block.stmts.retain(|stmt| !matches!(stmt, Stmt::Item(Item::Use(item)) if !has_glob(&item.tree)));
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
    block.stmts = constants.chain(rest).collect();
    if !imports.0.is_empty() {
        imports.visit_block_mut(block);
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
