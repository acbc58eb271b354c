//! Functions of a file that call each other in a circle: see Note [Cycles of calls] in `parse/cycle.rs`, and for those marked
//! `inline`, which would wait for each other, Note [Inlined functions] in `ir/inline.rs`.

use super::{Source, says_differentiable};
use crate::parse::cycle;
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use syn::{ItemFn, Path};

/// The marked functions of a file.
#[derive(Default)]
pub struct Marked {
    /// The names of what each of them calls. None, if several modules have a function of that name.
    calls: HashMap<String, Option<Vec<String>>>,
    /// How often all of them call what has a name.
    counts: HashMap<String, usize>,
}

impl Marked {
    pub fn note(&mut self, item: &ItemFn, is_among_marked: bool) {
        if is_among_marked || says_differentiable(&item.attrs) {
            for name in cycle::all_calls(&item.block) {
                *self.counts.entry(name).or_default() += 1;
            }
            let calls = Some(cycle::calls(&item.block));
            self.calls.entry(item.sig.ident.to_string()).and_modify(|known| *known = None).or_insert(calls);
        }
    }

    /// How many functions there are on the shortest way from a function to itself, if there is one.
    fn circle_of(&self, function: &str) -> Option<usize> {
        let (mut seen, mut reached, mut length) = (HashSet::new(), vec![function], 0);
        while !reached.is_empty() {
            length += 1;
            let next = reached.iter().filter_map(|name| self.calls.get(*name)?.as_ref()).flatten();
            let next: Vec<&str> = next.map(|name| &name[..]).filter(|name| self.calls.contains_key(*name)).collect();
            if next.contains(&function) {
                return Some(length);
            }
            reached = next.into_iter().filter(|name| seen.insert(*name)).collect();
        }
        None
    }
}

/// Whether paths are names of marked functions, and of types with our derive, of a function's own file.
pub fn are_marked_beside(function: &Ident, paths: &[Path]) -> bool {
    let source = crate::file_of(function.span()).and_then(|file| Source::of(&file));
    let is_marked = |source: &Source, path: &Path| {
        path.get_ident().map(Ident::to_string).is_some_and(|name| {
            source.marked.calls.contains_key(&name)
                || source.types.get(&name) == Some(&1) && !source.underived.contains(&name)
        })
    };
    source.is_some_and(|source| paths.iter().all(|path| is_marked(&source, path)))
}

/// Whether the marked functions of a file call this one once, as far as that is known.
pub fn is_called_once(function: &Ident) -> bool {
    let source = crate::file_of(function.span()).and_then(|file| Source::of(&file));
    source.is_some_and(|source| source.marked.counts.get(&function.to_string()) == Some(&1))
}

fn circle_of(function: &Ident) -> Option<Option<usize>> {
    let source = crate::file_of(function.span()).and_then(|file| Source::of(&file))?;
    Some(source.marked.circle_of(&function.to_string()))
}

/// Whether a function calls itself by way of others. Where its file is not known, it might.
pub fn may_be_in_circle(function: &Ident) -> bool {
    circle_of(function).is_none_or(|circle| circle.is_some())
}

/// Whether it is known that a function does not call itself: it is the only one of its name in its file.
pub fn is_in_no_circle(function: &Ident) -> bool {
    let source = crate::file_of(function.span()).and_then(|file| Source::of(&file));
    let name = function.to_string();
    source.is_some_and(|source| {
        matches!(source.marked.calls.get(&name), Some(Some(_))) && source.marked.circle_of(&name).is_none()
    })
}

/// Whether a function calls itself by way of two others at least, which these do not see in each other's relays.
pub fn is_in_large_circle(function: &Ident) -> bool {
    circle_of(function).flatten().is_some_and(|length| length > 2)
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn shortest_ways() {
        let source = Source::read(
            "#[differentiable] fn a(x: f64) -> f64 { b(x) } #[differentiable] fn b(x: f64) -> f64 { c(x) + m::d(x) }
             #[differentiable] fn c(x: f64) -> f64 { a(x) + c(x) } mod m { #[differentiable] fn d(x: f64) -> f64 { plain(x) } }
             #[differentiable] fn e(x: f64) -> f64 { f(x) } #[differentiable] fn f(x: f64) -> f64 { e(x) }
             fn plain(x: f64) -> f64 { d(x) }
             mod n { #[differentiable] fn g(x: f64) -> f64 { h(x) } #[differentiable] fn h(x: f64) -> f64 { i(x) } }
             mod o { #[differentiable] fn i(x: f64) -> f64 { g(x) } #[differentiable] fn g(x: f64) -> f64 { x } }",
        );
        let of = |name| source.marked.circle_of(name);
        assert_eq!([of("a"), of("b"), of("c")], [Some(3), Some(3), Some(1)]);
        assert_eq!([of("g"), of("h"), of("i")], [None, None, None]);
        assert_eq!([of("d"), of("e"), of("f"), of("plain")], [None, Some(2), Some(2), None]);
    }
}
