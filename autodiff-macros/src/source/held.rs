//! Types that hold values of their own type, in a `Box` or in a list.

use super::Source;
use std::collections::{BTreeSet, HashMap};
use syn::Fields;
use syn::visit::Visit;

/// The names in the types of the fields that may have a derivative, by the names of structs and enums.
pub(super) type Held = HashMap<String, BTreeSet<String>>;

/// Whether a value of the one type holds values of the other, as far as the file of the latter says.
pub fn holds(outer: &syn::Path, inner: &syn::Ident) -> bool {
    let Some(last) = outer.segments.last() else { return false };
    if last.ident == *inner || outer.is_ident("Self") {
        return true;
    }
    let source = crate::file_of(inner.span()).and_then(|file| Source::of(&file));
    source.is_some_and(|source| source.holds(&last.ident.to_string(), &inner.to_string(), &mut BTreeSet::new()))
}

struct Names<'n>(&'n mut BTreeSet<String>);

impl Visit<'_> for Names<'_> {
    fn visit_ident(&mut self, name: &syn::Ident) {
        self.0.insert(name.to_string());
    }
}

impl Source {
    /// Notes what the fields of a type mention.
    pub(super) fn hold<'f>(&mut self, owner: &syn::Ident, parts: impl Iterator<Item = &'f Fields>) {
        let mut names = Names(self.held.entry(owner.to_string()).or_default());
        for field in parts.flat_map(Fields::iter) {
            if !field.attrs.iter().any(|attr| attr.path().is_ident("no_diff")) {
                names.visit_type(&field.ty);
            }
        }
    }

    fn holds(&self, outer: &str, inner: &str, seen: &mut BTreeSet<String>) -> bool {
        if self.types.get(outer) != Some(&1) || !seen.insert(outer.to_owned()) {
            return false;
        }
        self.held.get(outer).into_iter().flatten().any(|name| name == inner || self.holds(name, inner, seen))
    }
}
