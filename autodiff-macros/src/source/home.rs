//! Where items stand in their crate.
//!
//! Note [Homes]. A method is a function beside its `impl` block (see [`crate::methods`]), and who calls it has imported no more
//! than the type. So a type's relay tells the module that the type stands in, its *home*, and the relay of a method's function that
//! of the function: there is no other way from `Plain` to `Plain_area`, as `Plain` may have come through re-exports. A macro is not
//! told its module, but the file of an item is known, and rustc's arguments name the file of the crate's root: from there the
//! declarations `mod name;` lead to all files. What stands under a condition, or is made by a macro, may be missed, and then nothing
//! is said.

use super::names::Module;
use super::{Source, searched};
use crate::relay::{Candidate, Home, Knowledge};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use syn::ext::IdentExt;

/// The home of a type or of a method's function.
pub fn home_of(item: &Ident) -> Option<Home> {
    let file = crate::file_of(item.span())?;
    let place = Source::of(&file)?.places.get(&item.to_string()).cloned().flatten()?;
    let within = place_of(&file)?.then(&place);
    let path = within.path.iter().map(|name| format_ident!("{name}"));
    Some(Home {
        module: quote!($crate #(:: #path)*),
        name: item.to_string(),
        of: Modules::of_crate()?.name.clone(),
        is_public: within.is_public,
        alias: None,
    })
}

/// The module that a file is, from the root of the crate.
pub fn place_of(file: &Path) -> Option<Place> {
    Modules::of_crate()?.files.get(&file.canonicalize().ok()?).cloned().flatten()
}

/// The files of the crate that are one module each, with these modules.
pub fn files_of_crate() -> Vec<(PathBuf, Place)> {
    let modules = Modules::of_crate().unwrap_or_default();
    modules.files.iter().filter_map(|(file, place)| Some((file.clone(), place.clone()?))).collect()
}

/// Whether some file of the crate is several modules.
pub fn has_files_twice() -> bool {
    Modules::of_crate().is_some_and(|modules| modules.files.values().any(Option::is_none))
}

/// The file of a module, from the root of the crate.
pub fn file_of_module(path: &[String]) -> Option<PathBuf> {
    let modules = Modules::of_crate()?;
    let mut files = modules.files.iter();
    files.find(|(_, place)| place.as_ref().is_some_and(|place| place.path == path)).map(|(file, _)| file.clone())
}

/// Gives what is elsewhere the names that it is imported under, and the imports with these names.
pub fn with_imports(mut knowledge: Knowledge, caller: &Ident) -> (Knowledge, Vec<(Ident, TokenStream)>) {
    let own = crate::file_of(caller.span()).and_then(|file| {
        let within = Source::of(&file)?.module_of(&caller.to_string())?.place.clone();
        Some(place_of(&file)?.then(&within).path)
    });
    let mut found: Vec<(Ident, TokenStream)> = Vec::new();
    let caller = caller.unraw();
    knowledge.each_home(&mut |home| {
        let path = home.path();
        let is_here = own.as_ref() == Some(&path) && Modules::of_crate().is_some_and(|modules| modules.name == home.of);
        if is_here || !is_reachable(home) {
            return;
        }
        let (module, name) = (&home.module, format_ident!("{}", home.name));
        let alias = format_ident!("__autodiff_{caller}_{}_{}_{name}", home.of, path.join("_"));
        if found.iter().all(|(other, _)| *other != alias) {
            found.push((alias.clone(), quote!(#module::#name)));
        }
        home.alias = Some(alias);
    });
    (knowledge, found)
}

/// Whether the crate that is compiled may name it.
pub fn is_reachable(home: &Home) -> bool {
    home.is_public || Modules::of_crate().is_some_and(|modules| modules.name == home.of)
}

/// Where a method's function may stand: where the type is imported from, where the file has the method, where the type is defined, and
/// where the caller is, the last of which is the most likely. None, if its name is in scope, or rustc must know.
pub fn candidates(caller: &Ident, method: &syn::Path, knowledge: &Knowledge) -> Vec<Candidate> {
    let Some(file) = crate::file_of(caller.span()) else { return Vec::new() };
    let source = Source::of(&file).unwrap_or_default();
    let words: Vec<String> = method.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let [parents @ .., relay] = &words[..] else { return Vec::new() };
    if parents.is_empty() && source.modules.len() == 1 && source.methods.contains_key(relay) {
        return Vec::new();
    }
    let homes: Vec<Home> = knowledge.homes(relay).into_iter().filter(is_reachable).collect();
    let is_elsewhere = !homes.is_empty() && homes.iter().all(lacks_method);
    let homes = homes.into_iter().map(|home| Candidate { module: home.module, name: home.name });
    // Inside of a function there are other names.
    let name = caller.to_string();
    let Some(module) = source.module_of(&name).filter(|_| source.has_function(&name) || source.names_function(&name))
    else {
        return homes.collect();
    };
    let mut found: Vec<Candidate> = module.owners(relay).collect();
    let own = place_of(&file).and_then(|place| source.place_in_crate(&place, relay));
    found.extend(own.or_else(|| if is_elsewhere { somewhere(relay) } else { None }));
    found.extend(homes);
    let beside = if parents.is_empty() { Some(quote!(super)) } else { module.seen_from_inside(parents) };
    found.extend(beside.map(|module| Candidate { module, name: relay.clone() }));
    found
}

/// Whether the file that a type is defined in has not the method.
fn lacks_method(home: &Home) -> bool {
    let path: Vec<String> = home.path();
    let file = Modules::of_crate().filter(|modules| modules.name == home.of).and_then(|_| {
        // Some of the modules are in one file.
        (0..=path.len()).rev().find_map(|count| file_of_module(&path[..count]))
    });
    file.and_then(|file| Source::of(&file)).is_some_and(|source| !source.methods.contains_key(&home.name))
}

/// The module of a method's function, wherever it is in the crate.
fn somewhere(relay: &str) -> Option<Candidate> {
    let modules = Modules::of_crate()?;
    let files = modules.files.iter();
    let mut found = files.filter_map(|(file, place)| Source::of(file)?.place_in_crate(place.as_ref()?, relay));
    found.next().filter(|_| found.next().is_none())
}

impl Source {
    fn place_in_crate(&self, file: &Place, relay: &str) -> Option<Candidate> {
        let place = file.then(self.places.get(relay)?.as_ref()?);
        let path = place.path.iter().map(|name| format_ident!("{name}"));
        Some(Candidate { module: quote!(crate #(:: #path)*), name: relay.to_owned() })
    }
}

impl Module {
    /// Where the types are imported from that a method's function may be of.
    fn owners<'m>(&'m self, relay: &'m str) -> impl Iterator<Item = Candidate> + 'm {
        self.imports.iter().filter_map(move |(name, path)| {
            let method = relay.strip_prefix(&name[..]).filter(|rest| rest.starts_with('_'))?;
            let [parents @ .., own] = &path[..] else { return None };
            let module = if parents.is_empty() { None } else { self.seen_from_inside(parents) };
            module.map(|module| Candidate { module, name: format!("{own}{method}") })
        })
    }

    /// A path of a module, as one inside of this module writes it, unless a glob import may say what it begins with.
    fn seen_from_inside(&self, path: &[String]) -> Option<TokenStream> {
        let first = &path[0];
        let names = |path: &[String]| path.iter().map(|name| format_ident!("{name}")).collect::<Vec<_>>();
        let (all, rest) = (names(path), names(&path[1..]));
        match &first[..] {
            "crate" => Some(quote!(#(#all)::*)),
            "self" => Some(quote!(super #(:: #rest)*)),
            "super" => Some(quote!(super::#(#all)::*)),
            _ if self.items.contains(first) || self.imports.contains_key(first) => Some(quote!(super::#(#all)::*)),
            _ if self.is_open => None,
            _ => Some(quote!(::#(#all)::*)),
        }
    }
}

impl Source {
    /// The module that a function stands in, if its name tells.
    pub(super) fn module_of(&self, function: &str) -> Option<&Module> {
        let has_it = |module: &&Module| {
            let is_method = |(owner, methods): &(String, Vec<String>)| {
                let owner = owner.split_whitespace().next().unwrap_or_default();
                methods.iter().any(|method| *function == format!("{owner}_{method}"))
            };
            module.functions.iter().any(|name| name == function) || module.impls.iter().any(is_method)
        };
        match &self.modules[..] {
            [one] => Some(one),
            modules => {
                let mut found = modules.iter().filter(has_it);
                found.next().filter(|_| found.next().is_none())
            }
        }
    }
}

/// A module, from the root of a crate or of a file.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Place {
    pub path: Vec<String>,
    pub is_public: bool,
}

impl Place {
    pub const ROOT: Place = Place { path: Vec::new(), is_public: true };

    pub fn then(&self, inner: &Place) -> Place {
        Place { path: [&self.path[..], &inner.path].concat(), is_public: self.is_public && inner.is_public }
    }

    pub fn within(&self, name: &str, is_public: bool) -> Place {
        self.then(&Place { path: vec![name.to_owned()], is_public })
    }
}

/// The files of the crate that is compiled.
#[derive(Default)]
struct Modules {
    name: String,
    /// None, if a file is several modules.
    files: HashMap<PathBuf, Option<Place>>,
}

impl Modules {
    fn of_crate() -> Option<Arc<Modules>> {
        static KNOWN: OnceLock<Option<Arc<Modules>>> = OnceLock::new();
        let known = KNOWN.get_or_init(|| {
            let args: Vec<String> = std::env::args().collect();
            let name = args.iter().position(|arg| arg == "--crate-name").and_then(|at| args.get(at + 1))?;
            let root = args.iter().find(|arg| arg.ends_with(".rs") && !arg.starts_with('-'))?;
            Some(Arc::new(Modules::below(name.clone(), Path::new(root))?))
        });
        // An editor expands macros of several crates, whose files change.
        let file = || if crate::is_in_rustc() { searched::file_of_item() } else { None };
        known.clone().or_else(|| Modules::around(&file()?).map(Arc::new))
    }

    /// Those of the crate that begins in a file.
    fn below(name: String, root: &Path) -> Option<Modules> {
        let root = root.canonicalize().ok()?;
        let mut modules = Modules { name, files: HashMap::new() };
        modules.collect(&root, root.parent()?, &Place::ROOT);
        Some(modules)
    }

    /// Those of the crate that has a file.
    fn around(file: &Path) -> Option<Modules> {
        let file = file.canonicalize().ok()?;
        searched::roots().into_iter().find_map(|root| {
            let name = root.file_stem()?.to_string_lossy().into_owned();
            Modules::below(name, &root).filter(|modules| modules.files.contains_key(&file))
        })
    }

    /// Adds a file, and those of its modules, which stand in a directory.
    fn collect(&mut self, file: &Path, directory: &Path, place: &Place) {
        let Ok(text) = std::fs::read_to_string(file) else { return };
        let known = self.files.insert(file.to_owned(), Some(place.clone()));
        if known.is_some() || place.path.len() > 64 {
            self.files.insert(file.to_owned(), None);
            return;
        }
        for included in text.lines().filter_map(|line| line.trim().strip_prefix("include!(")) {
            if let Some(included) = included_file(file, included) {
                self.collect(&included, directory, place);
            }
        }
        for Declared { name, path, is_public } in declared(&text) {
            let inside = directory.join(&name);
            let candidates = match &path {
                Some(path) => vec![file.with_file_name(path)],
                None => vec![directory.join(format!("{name}.rs")), inside.join("mod.rs")],
            };
            let Some(found) = candidates.iter().find_map(|candidate| candidate.canonicalize().ok()) else { continue };
            // A file that an attribute names is like a `mod.rs`.
            let inside = if path.is_some() { found.parent().map_or(inside, Path::to_owned) } else { inside };
            self.collect(&found, &inside, &place.within(&name, is_public));
        }
    }
}

/// The file of `include!("name.rs")` or of `include!(concat!(env!("OUT_DIR"), "/name.rs"))`.
fn included_file(file: &Path, arguments: &str) -> Option<PathBuf> {
    let texts: Vec<&str> = arguments.split('"').skip(1).step_by(2).collect();
    let found = match texts[..] {
        [name] => file.with_file_name(name),
        ["OUT_DIR", name] => Path::new(&std::env::var("OUT_DIR").ok()?).join(name.trim_start_matches('/')),
        _ => return None,
    };
    found.canonicalize().ok()
}

/// `mod name;`
#[derive(Debug, PartialEq, Eq)]
struct Declared {
    name: String,
    /// `#[path = "…"]`
    path: Option<String>,
    is_public: bool,
}

/// The modules that a file declares, each behind the start of a line or a semicolon.
fn declared(text: &str) -> Vec<Declared> {
    let mut path = None;
    let mut found = Vec::new();
    for line in text.lines().flat_map(|line| line.split_inclusive(';')).map(str::trim) {
        if let Some(rest) = line.strip_prefix("#[path") {
            path = rest.split('"').nth(1).map(str::to_owned);
        }
        let line = line.rsplit(']').next().unwrap_or_default().trim();
        let (visible, rest) = match line.split_once("mod ") {
            Some((visible, rest)) => (visible.trim(), rest),
            None => continue,
        };
        let is_declared =
            visible.is_empty() || visible == "pub" || visible.starts_with("pub(") && visible.ends_with(')');
        let Some(name) = rest.trim_end().strip_suffix(';').map(str::trim).filter(|_| is_declared) else {
            path = None;
            continue;
        };
        if name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            found.push(Declared { name: name.to_owned(), path: path.take(), is_public: visible == "pub" });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Declared, declared};

    #[test]
    fn modules_are_declared_on_lines() {
        let text = "mod a; mod k;\npub mod b;\n// mod c;\npub(crate) mod d;\n#[path = \"e/f.rs\"]\nmod e;\n#[cfg(test)] mod g;\nmod h {}\nlet mod_i = 1;";
        let found: Vec<(String, Option<String>, bool)> =
            declared(text).into_iter().map(|Declared { name, path, is_public }| (name, path, is_public)).collect();
        let plain = |name: &str, is_public| (name.to_owned(), None, is_public);
        let named = ("e".to_owned(), Some("e/f.rs".to_owned()), false);
        assert_eq!(
            found,
            [plain("a", false), plain("k", false), plain("b", true), plain("d", false), named, plain("g", false)]
        );
    }
}
