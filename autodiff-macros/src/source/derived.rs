//! Which types have no derivative, as far as files say.
//!
//! Note [Types without a derive]. The type of a field, and that of a result, must be asked for in the open: what comes of the answer are
//! items that others name, so that it cannot stand in a block where another macro answers for a type that has no relay (see Note
//! [Unanswered questions] in `relay.rs`). rustc would say that it cannot find a macro. So the files are read first: a type of the
//! standard library has no derivative, nor has one that is defined in this crate without `#[derive(Differentiable)]`.

use super::Source;
use super::home::{file_of_module, place_of};
use super::names::Module;
use crate::tokens::mentions;
use quote::ToTokens;
use std::path::Path as FilePath;
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
    let Some(file) = path.segments.last().and_then(|last| crate::file_of(last.ident.span())) else { return false };
    let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    is_underived_in(&file, &words, 0)
}

const STD: [&str; 3] = ["std", "core", "alloc"];

fn is_underived_in(file: &FilePath, words: &[String], steps: usize) -> bool {
    let (Some(source), [first, rest @ ..]) = (Source::of(file), words) else { return false };
    if steps > 16 {
        return false;
    }
    let mut imports = source.modules.iter().filter_map(|module| Some((module, module.imports.get(first)?)));
    match imports.next() {
        Some((module, import)) => {
            let is_one = !source.types.contains_key(first) || source.defines_underived(first);
            is_one
                && imports.all(|(_, other)| other == import)
                && is_underived_at(file, module, &[&import[..], rest].concat(), steps)
        }
        None if rest.is_empty() => source.defines_underived(first),
        None => source.modules.iter().any(|module| is_underived_at(file, module, words, steps)),
    }
}

/// The same of a path as a module writes it.
fn is_underived_at(file: &FilePath, module: &Module, words: &[String], steps: usize) -> bool {
    let here = || Some(place_of(file)?.then(&module.place).path);
    let whole = match &words[0][..] {
        first if STD.contains(&first) => return true,
        "crate" => Some(words[1..].to_vec()),
        "self" => here().map(|here| [&here[..], &words[1..]].concat()),
        "super" => here().and_then(|here| Some([here.split_last()?.1, &words[1..]].concat())),
        first if module.items.contains(first) => here().map(|here| [&here[..], words].concat()),
        _ => None,
    };
    let Some((name, path)) = whole.as_ref().and_then(|whole| whole.split_last()) else { return false };
    // Some of the modules are in one file.
    let found = (0..=path.len()).rev().find_map(|count| Some((file_of_module(&path[..count])?, &path[count..])));
    let Some((file, inside)) = found else { return false };
    let Some(source) = Source::of(&file) else { return false };
    match source.places.get(name) {
        Some(place) => place.as_ref().is_some_and(|place| place.path == inside) && source.defines_underived(name),
        // It may come from elsewhere.
        None => inside.is_empty() && is_underived_in(&file, std::slice::from_ref(name), steps + 1),
    }
}

impl Source {
    fn defines_underived(&self, name: &str) -> bool {
        self.types.get(name) == Some(&1) && self.underived.contains(name) && !self.aliases.contains_key(name)
    }
}
