//! What a function imports for itself.

use super::callers::all_words;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::visit::Visit;
use syn::{Block, ItemUse, Macro, UseTree};

/// The names that are imported in a block; none, if they may be any.
pub(super) fn imported(block: &Block) -> Option<HashSet<String>> {
    struct Imports(Option<HashSet<String>>);

    impl Imports {
        fn tree(&mut self, tree: &UseTree) {
            match tree {
                UseTree::Path(path) => self.tree(&path.tree),
                UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree)),
                UseTree::Name(name) => self.name(&name.ident),
                UseTree::Rename(name) => self.name(&name.rename),
                UseTree::Glob(_) => self.0 = None,
            }
        }

        fn name(&mut self, name: &Ident) {
            if let Some(names) = &mut self.0 {
                names.insert(name.to_string());
            }
        }
    }

    impl<'b> Visit<'b> for Imports {
        fn visit_item_use(&mut self, item: &'b ItemUse) {
            self.tree(&item.tree);
        }

        fn visit_macro(&mut self, item: &'b Macro) {
            if all_words(item.tokens.clone()).iter().any(|word| word == "use") {
                self.0 = None;
            }
        }
    }

    let mut imports = Imports(Some(HashSet::new()));
    imports.visit_block(block);
    imports.0
}
