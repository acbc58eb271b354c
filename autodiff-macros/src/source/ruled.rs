//! Which functions have derivatives that the user writes: see Note [Rules] in `parse/rule.rs`. The type with the derivatives of
//! `libm::erf` stands beside the rule, and who calls `libm::erf` names no more than that.

use super::Source;
use super::home::{Place, files_of_crate, place_of};
use crate::parse::attr::split_commas;
use quote::{format_ident, quote};
use std::path::PathBuf;
use std::sync::OnceLock;
use syn::{Ident, ItemFn, Meta, Path};

/// A rule that a file has.
pub struct Ruled {
    /// The function that it is for, as the rule names it.
    of: Vec<String>,
    place: Place,
    /// The rule without its body.
    text: String,
    name: String,
    is_forward: bool,
}

impl Ruled {
    /// Of a function with the attribute.
    pub(super) fn read(item: &ItemFn, place: &Place) -> Option<Ruled> {
        let attr = item
            .attrs
            .iter()
            .find(|attr| attr.path().segments.last().is_some_and(|last| last.ident == "derivative"))?;
        let Meta::List(list) = &attr.meta else { return None };
        let (mut of, mut is_forward) = (None, false);
        for part in split_commas(list.tokens.clone()) {
            let mut tokens = part.into_iter();
            match &tokens.next()?.to_string()[..] {
                "of" => of = syn::parse2::<Path>(tokens.skip(1).collect()).ok(),
                "forward" => is_forward = true,
                _ => {}
            }
        }
        let of = of?.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let sig = &item.sig;
        let text = quote!(#sig {}).to_string();
        Some(Ruled { of, place: place.clone(), text, name: sig.ident.to_string(), is_forward })
    }

    /// What the type beside the rule is called.
    fn relay(&self) -> String {
        match &self.of[..] {
            [.., owner, method] if owner.starts_with(char::is_uppercase) => format!("{owner}_{method}"),
            [.., last] => last.clone(),
            [] => String::new(),
        }
    }
}

impl Source {
    /// The rule for the other direction, beside a rule.
    pub fn other_rule(&self, rule: &Ident) -> Option<ItemFn> {
        let mut own = self.ruled.iter().filter(|other| rule == &other.name);
        let own = own.next().filter(|_| own.next().is_none())?;
        let other = self
            .ruled
            .iter()
            .find(|other| other.of == own.of && other.place == own.place && other.is_forward != own.is_forward)?;
        syn::parse_str(&other.text).ok()
    }

    /// The functions of methods that have rules stand where these are.
    pub(super) fn mark_ruled(&mut self) {
        for rule in &self.ruled {
            let [.., owner, name] = &rule.of[..] else { continue };
            if !owner.starts_with(char::is_uppercase) {
                continue;
            }
            self.places.insert(rule.relay(), Some(rule.place.clone()));
            let unknown = || super::Method {
                owner: owner.clone(),
                name: name.clone(),
                header: format!("impl {owner}"),
                is_marked: true,
            };
            self.methods.entry(rule.relay()).or_insert_with(unknown).is_marked = true;
        }
    }

    /// A path that a module of this file writes, from the root of a crate, as far as its imports tell. `file` is the
    /// module that the file is.
    pub(super) fn whole(&self, file: &Place, place: &Place, words: &[String]) -> Vec<String> {
        let module = self.modules.iter().find(|module| module.place.path == place.path);
        let import = module.and_then(|module| module.imports.get(words.first()?));
        let words = import.map_or_else(|| words.to_vec(), |import| [&import[..], &words[1..]].concat());
        let mut own = file.then(place).path;
        let mut rest = &words[..];
        match rest.first().map(String::as_str) {
            Some("crate") => {
                own.clear();
                rest = &rest[1..];
            }
            Some("self") => rest = &rest[1..],
            Some("super") => {
                while let [first, others @ ..] = rest {
                    if first != "super" {
                        break;
                    }
                    own.pop();
                    rest = others;
                }
            }
            // Of another crate.
            Some(first) if !module.is_some_and(|module| module.items.contains(first)) => return words,
            _ => {}
        }
        ["crate".to_owned()].into_iter().chain(own).chain(rest.iter().cloned()).collect()
    }
}

/// The files of the crate that may have rules.
fn files_with_rules() -> Vec<(PathBuf, Place)> {
    static KNOWN: OnceLock<Vec<(PathBuf, Place)>> = OnceLock::new();
    let has_rules = |file: &PathBuf| std::fs::read_to_string(file).is_ok_and(|text| text.contains("derivative("));
    let files = || files_of_crate().into_iter().filter(|(file, _)| has_rules(file)).collect();
    // In an editor the files change.
    if crate::tells_files() { KNOWN.get_or_init(files).clone() } else { files() }
}

/// Where the derivatives of a function are that has a rule, if it is not beside the function that calls it.
pub fn rule_of(called: &Path, caller: &Ident, source: &Source) -> Option<Path> {
    let words: Vec<String> = called.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let own = source.module_of(&caller.to_string()).map_or(Place::ROOT, |module| module.place.clone());
    let file = crate::file_of(caller.span()).and_then(|file| place_of(&file)).unwrap_or(Place::ROOT);
    let whole = source.whole(&file, &own, &words);
    let here = source
        .ruled
        .iter()
        .find(|rule| rule.place.path == own.path && source.whole(&file, &rule.place, &rule.of) == whole);
    if let Some(rule) = here {
        let relay = format_ident!("{}", rule.relay());
        return (words.len() > 1).then(|| syn::parse_quote!(self::#relay));
    }
    files_with_rules().iter().find_map(|(file, at)| {
        let other = Source::of(file)?;
        let rule = other.ruled.iter().find(|rule| other.whole(at, &rule.place, &rule.of) == whole)?;
        let (relay, place) = (format_ident!("{}", rule.relay()), at.then(&rule.place));
        let modules = place.path.iter().map(|name| format_ident!("{name}"));
        Some(syn::parse_quote!(crate #(:: #modules)* :: #relay))
    })
}

/// The rule for the other direction that stands beside one, if the file is known.
pub fn rule_beside(rule: &Ident) -> Option<ItemFn> {
    Source::of(&crate::file_of(rule.span())?)?.other_rule(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_a_file() {
        let text = "use libm::erf; mod m { use super::other as o; #[derivative(of = o::g)] fn a(x: f64, y_bar: f64) -> f64 { x }
            #[autodiff::derivative(of = o::g, forward, order = 2)] fn b(x: f64, x_dot: f64) -> f64 { x } }
            #[derivative(of = Table::at)] fn c(t: &Table, x: f64, y_bar: f64) -> f64 { x } #[derive(Clone)] struct S;";
        let source = Source::read(text);
        let found: Vec<String> = source.ruled.iter().map(Ruled::relay).collect();
        assert_eq!(found, ["g", "g", "Table_at"]);
        let other = |name| source.other_rule(&format_ident!("{name}")).map(|item| item.sig.ident.to_string());
        assert_eq!(other("a").as_deref(), Some("b"));
        assert_eq!(other("b").as_deref(), Some("a"));
        assert_eq!(other("c"), None);
        let whole =
            |place: &Place, path: [&str; 2]| source.whole(&Place::ROOT, place, &path.map(String::from)).join("::");
        assert_eq!(whole(&source.ruled[0].place, ["o", "g"]), "crate::other::g");
        assert_eq!(whole(&Place::ROOT, ["erf", "x"]), "libm::erf::x");
        assert_eq!(whole(&Place::ROOT, ["m", "a"]), "crate::m::a");
        assert_eq!(whole(&Place::ROOT, ["crate", "S"]), "crate::S");
    }
}
