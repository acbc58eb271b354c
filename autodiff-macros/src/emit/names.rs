//! Every identifier that generated code defines is made here.

use super::naming::collect_hints;
use crate::ir::var::VarTable;
use crate::ir::{Body, Var};
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Where the type beside a function is defined.
pub fn marker_module(function: &Ident) -> Ident {
    let name = function.to_string();
    let name = format!("__autodiff_{}", name.trim_start_matches("r#"));
    // A module around this one may have a function of the same name, and a glob import of it.
    let place = crate::is_in_rustc().then(|| crate::relay::place(function.span()));
    let name = place.map_or(name.clone(), |place| crate::relay::unlike_others(format!("{name}_{place}")));
    Ident::new(&name, Span::call_site())
}

/// The trait that stands in for a function's value while its relay is out.
pub fn pending(function: &Ident) -> Ident {
    let name = function.to_string();
    Ident::new(&format!("__autodiff_{}_pending", name.trim_start_matches("r#")), Span::call_site())
}

/// A local of ours in a function that has the user's parameters, one of which may be called the same.
pub fn ours(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Gives out local names, each once in a function.
#[derive(Default)]
pub struct Names {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
    /// What names are made of, by hints.
    bases: HashMap<String, String>,
    /// What variables are called after that have no name of the user's.
    hints: VarTable<Rc<str>>,
}

impl Names {
    /// Finds out what the variables of a body are called after.
    pub fn learn(&mut self, body: &Body) {
        collect_hints(body, &body.block, &mut self.hints);
    }

    /// What a variable is called after.
    pub fn hint<'n>(&'n self, body: &'n Body, var: Var) -> Option<&'n str> {
        body.data(var).hint.as_deref().or_else(|| self.hints.get(&var).map(|hint| &**hint))
    }

    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// A local like the user's name for it; invisible to the user's own tokens.
    pub fn local(&mut self, hint: &str) -> Ident {
        if !self.bases.contains_key(hint) {
            self.bases.insert(hint.to_owned(), base(hint));
        }
        let base = &self.bases[hint];
        let mut name = base.clone();
        if self.taken.contains(&name) {
            let next = self.next.entry(base.clone()).or_insert(1);
            while self.taken.contains(&name) {
                *next += 1;
                name = format!("{base}_{next}");
            }
        }
        let ident = Ident::new(&name, Span::mixed_site());
        self.taken.insert(name);
        ident
    }

    /// Loop indices are `i`, `j`, `k` from the outside in; they may be taken again by a later loop.
    pub fn index(&mut self, hint: Option<&str>) -> Ident {
        let letters = ["i", "j", "k", "l", "m", "n"];
        let name = match hint {
            Some(hint) if !self.taken.contains(hint) => hint.to_owned(),
            _ => match letters.iter().find(|letter| !self.taken.contains(**letter)) {
                Some(letter) => (*letter).to_owned(),
                None => return self.local("i"),
            },
        };
        self.taken.insert(name.clone());
        Ident::new(&name, Span::mixed_site())
    }

    pub fn release(&mut self, ident: &Ident) {
        self.taken.remove(&ident.to_string());
    }
}

/// A name that may be an identifier.
fn base(hint: &str) -> String {
    let base: String = hint.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let base = base.trim_start_matches("r_").trim_start_matches(|c: char| c.is_ascii_digit());
    let base = if base.is_empty() || base == "_" { "t" } else { base };
    // `gen` is a keyword where our tokens come from.
    if syn::parse_str::<Ident>(base).is_ok() && base != "gen" { base.to_owned() } else { format!("{base}_") }
}
