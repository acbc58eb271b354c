//! Which types have no derivative, as far as files say.
//!
//! Note [Types without a derive]. The type of a field, and that of a result, must be asked for in the open: what comes of the answer are
//! items that others name, so that it cannot stand in a block where another macro answers for a type that has no relay (see Note
//! [Unanswered questions] in `relay.rs`). rustc would say that it cannot find a macro. So the files are read first: a type of the
//! standard library has no derivative, nor has one that is defined in this crate without `#[derive(Differentiable)]`.

use super::Source;
use super::home::file_of_module;
use super::names::Module;
use crate::tokens::mentions;
use quote::ToTokens;
use syn::{Attribute, Path};

/// Whether attributes may derive `Differentiable`.
pub fn may_be_derived(attrs: &[Attribute], modules: &[Module]) -> bool {
    let imports = modules.iter().flat_map(|module| &module.imports);
    let renamed = imports.filter(|(_, path)| path.last().is_some_and(|last| last == "Differentiable"));
    let names: Vec<&str> = renamed.map(|(name, _)| &name[..]).chain(["Differentiable"]).collect();
    attrs.iter().any(|attr| names.iter().any(|name| mentions(&attr.to_token_stream(), name)))
}

/// Whether a type certainly has no derivative.
pub fn is_underived(path: &Path) -> bool {
    let file = path.segments.last().and_then(|last| crate::file_of(last.ident.span()));
    let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    file.and_then(|file| Source::of(&file)).is_some_and(|source| source.is_underived_at(&words, 0))
}

impl Source {
    fn is_underived_at(&self, words: &[String], steps: usize) -> bool {
        let [first, rest @ ..] = words else { return false };
        if steps > 16 {
            return false;
        }
        let mut imports = self.modules.iter().filter_map(|module| module.imports.get(first));
        match (imports.next(), rest) {
            (Some(import), rest) if imports.all(|other| other == import) && !self.types.contains_key(first) => {
                of_crate(&[&import[..], rest].concat(), steps + 1)
            }
            (None, []) => {
                self.types.get(first) == Some(&1) && self.underived.contains(first) && !self.aliases.contains_key(first)
            }
            (None, _) => of_crate(words, steps + 1),
            _ => false,
        }
    }
}

/// The same of a path from the root of a crate.
fn of_crate(words: &[String], steps: usize) -> bool {
    match words {
        [first, ..] if matches!(&first[..], "std" | "core" | "alloc") => true,
        [first, module @ .., name] if first == "crate" => {
            let file = file_of_module(module).and_then(|file| Source::of(&file));
            file.is_some_and(|source| source.is_underived_at(std::slice::from_ref(name), steps))
        }
        _ => false,
    }
}
