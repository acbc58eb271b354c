//! Types of the user's own that are called as nalgebra's are.

use super::{Source, names};
use crate::parse::geometry::Geometry;
use crate::parse::matrix::Named;
use crate::relay::{Info, Knowledge};
use proc_macro2::Ident;
use syn::UseTree;

/// What is known, with the types of the module of an item that are called `Vector3` and the like, and are not those of nalgebra:
/// defined there, or imported by name from elsewhere. Of what a glob brings, nothing is known: it is taken for nalgebra's, which
/// the emitted types state.
pub fn with_own_matrices(mut knowledge: Knowledge, item: &Ident) -> Knowledge {
    let Some(source) = crate::file_of(item.span()).and_then(|file| Source::of(&file)) else { return knowledge };
    let name = item.to_string();
    let holds = |module: &&names::Module| module.functions.contains(&name) || module.items.contains(&name);
    let modules: Vec<&names::Module> = match source.modules.iter().filter(holds).collect::<Vec<_>>()[..] {
        [module] => vec![module],
        // Methods, and what is not certain.
        _ => source.modules.iter().collect(),
    };
    for name in ["vector", "matrix", "point", "dvector", "dmatrix"] {
        let own = format!("{name}!");
        let imported = modules.iter().find_map(|module| module.imports.get(name));
        if source.defines_macro(name) && !imported.is_some_and(|path| is_of_nalgebra(path)) && !knowledge.is_own(&own) {
            knowledge.insert(own, Info::Own);
        }
    }
    for module in modules {
        let imported = module.imports.iter().filter(|(_, path)| !is_of_nalgebra(path)).map(|(name, _)| name);
        for own in module.items.iter().chain(imported).filter(|name| is_name_of_nalgebra(name)) {
            let is_of_nalgebra = module.imports.get(own).is_some_and(|path| is_of_nalgebra(path));
            if !is_of_nalgebra && !knowledge.is_own(own) {
                knowledge.insert(own.clone(), Info::Own);
            }
        }
    }
    knowledge
}

/// Whether a type of nalgebra's has this name.
pub fn is_name_of_nalgebra(name: &str) -> bool {
    Named::of(name).is_some() || Geometry::of(name).is_some()
}

impl Source {
    /// Whether the file shows that a name is one of nalgebra's.
    pub fn imports_of_nalgebra(&self, name: &str) -> bool {
        let by_name = |module: &names::Module| module.imports.get(name).is_some_and(|path| is_of_nalgebra(path));
        self.modules.iter().any(|module| module.has_nalgebra || by_name(module))
    }
}

/// `use nalgebra::*`
pub fn is_glob_of_nalgebra(tree: &UseTree, within: bool) -> bool {
    match tree {
        UseTree::Path(path) => {
            is_glob_of_nalgebra(&path.tree, within || path.ident == "nalgebra" || path.ident == "na")
        }
        UseTree::Group(group) => group.items.iter().any(|tree| is_glob_of_nalgebra(tree, within)),
        UseTree::Glob(_) => within,
        UseTree::Name(_) | UseTree::Rename(_) => false,
    }
}

/// Whether a path of an import is one of nalgebra's, also through a crate that hands it on.
fn is_of_nalgebra(path: &[String]) -> bool {
    path.iter().any(|word| word == "nalgebra" || word == "na")
}
