//! Which derivatives that are made of others the crate names: see Note [Derivatives that are named] in `parse/families.rs`.

use super::Source;
use super::callers::{PLAIN, all_words, plain_macros};
use super::home::Place;
use super::mentions::Mention;
use super::orders::Mentioning;
use crate::parse::families::{Families, Family};
use proc_macro2::TokenStream;
use std::collections::HashSet;

impl Source {
    /// Notes what tokens name that do not stand in a function.
    pub(super) fn name_families(&mut self, tokens: TokenStream) {
        self.families = self.families.and(named_by(&all_words(tokens)));
    }
}

fn named_by(words: &[String]) -> Families {
    words.iter().fold(Families::NONE, |named, word| named.and(Families::named(word)))
}

/// The families that functions have to have, file by file: of those that are named of each, and those that are named of what is
/// not known.
pub(super) fn of_functions(
    files: &[(Place, &Source)],
    mut named: Vec<Vec<Families>>,
    unmeant: Families,
) -> Vec<Vec<Families>> {
    let Some(for_others) = names_for_others(files) else {
        return named.into_iter().map(|file| vec![Families::ALL; file.len()]).collect();
    };
    let plain = plain_macros(files);
    let functions = || files.iter().flat_map(|(_, source)| &source.mentioning);
    let outside = files.iter().fold(unmeant, |all, (_, source)| all.and(source.families));
    let beside = || files.iter().flat_map(|(_, source)| &source.unwritten.used);
    let uses = || functions().flat_map(|function| &function.macros).chain(beside());
    let writing = || uses().filter(|one| !plain.contains(&one.name[..]));
    let alone = uses().filter(|one| !PLAIN.contains(&&one.name[..])).fold(outside, |all, one| all.and(one.alone));
    let everywhere = writing().fold(alone, |all, one| all.and(named_by(&one.words)));
    for ((_, source), named) in files.iter().zip(&mut named) {
        for (function, named) in source.mentioning.iter().zip(named) {
            let is_seen = function.is_public || for_others.contains(function.own_name());
            *named = if is_seen { Families::ALL } else { named.and(everywhere) };
        }
    }
    // What these call, by name, as in Note [Higher orders for callers].
    let has_some = |function: &Mentioning, named: &Families| *named != Families::NONE || function.has_marked();
    let each = || files.iter().zip(&named).flat_map(|((_, source), named)| source.mentioning.iter().zip(named));
    let mut below: HashSet<&str> = functions().flat_map(|function| &function.arguments).map(String::as_str).collect();
    below.extend(files.iter().flat_map(|(_, source)| &source.unwritten.words).map(String::as_str));
    below.extend(writing().flat_map(|one| &one.words).map(String::as_str));
    loop {
        let before = below.len();
        for (function, named) in each() {
            let is_above = has_some(function, named) || below.contains(function.own_name());
            if is_above && (function.is_marked || function.has_marked()) {
                below.extend(function.mentions.iter().filter_map(Mention::last));
            }
        }
        if below.len() == before {
            break;
        }
    }
    let directions = Families::of(Family::Directions);
    let mut families = named.clone();
    for ((_, source), families) in files.iter().zip(&mut families) {
        for (function, families) in source.mentioning.iter().zip(families) {
            if below.contains(function.own_name()) {
                *families = families.and(directions);
            }
        }
    }
    families
}

/// The words that may stand for a function where nothing is read: in an attribute, in a macro beside functions, and in one of
/// another crate. None, if they may be any.
fn names_for_others<'f>(files: &[(Place, &'f Source)]) -> Option<HashSet<&'f str>> {
    if files.iter().any(|(_, source)| source.unwritten.has_included) {
        return None;
    }
    let is_read = |name: &str| PLAIN.contains(&name) || files.iter().any(|(_, source)| source.unwritten.defines(name));
    let mut names = HashSet::new();
    for (_, source) in files {
        names.extend(source.unwritten.in_attributes.iter().map(String::as_str));
        let macros = source.mentioning.iter().flat_map(|function| &function.macros).chain(&source.unwritten.used);
        names.extend(macros.filter(|one| !is_read(&one.name)).flat_map(|one| &one.words).map(String::as_str));
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::super::orders::families_in;
    use super::*;

    const NONE: Families = Families::NONE;

    fn with_directions(family: Family) -> Families {
        Families::of(family).and(Families::of(Family::Directions))
    }

    fn are(text: &str, expected: &[(&str, Families)]) {
        let found = families_in(text);
        for (name, families) in expected {
            let own = found.iter().find(|(other, _)| other == name).map(|(_, families)| *families);
            assert_eq!(own, Some(*families), "{name}");
        }
    }

    #[test]
    fn what_is_named_of_a_function_is_there_and_what_it_calls_has_directions() {
        are(
            "#[differentiable] fn inner(x: f64) -> f64 { x } #[differentiable] fn f(x: &[f64; 2]) -> [f64; 2] { [inner(x[0]), x[1]] }
             #[differentiable] fn alone(x: f64) -> f64 { inner(x) } #[differentiable] pub fn seen(x: f64) -> f64 { low(x) }
             #[differentiable] fn low(x: f64) -> f64 { lowest(x) } #[differentiable] fn lowest(x: f64) -> f64 { x }
             #[differentiable] impl V { fn energy(&self) -> f64 { 0.0 } } impl Tr for V { #[differentiable] fn tall(&self) -> f64 { 0.0 } }
             fn main() { f::jacobian(&[1.0, 2.0]); alone::grad(1.0); v.energy_hessian(); let jacobian = 1.0; jacobian + 1.0; }",
            &[
                ("inner", Families::of(Family::Directions)),
                ("f", with_directions(Family::Jacobian)),
                ("alone", NONE),
                ("seen", Families::ALL),
                ("low", Families::of(Family::Directions)),
                ("lowest", Families::of(Family::Directions)),
                ("V_energy", with_directions(Family::Hessian)),
                ("V_tall", Families::ALL),
            ],
        );
    }

    #[test]
    fn methods() {
        let text = "#[differentiable] impl V { fn energy(&self) -> f64 { 0.0 } fn other(&self) -> f64 { 0.0 } } ";
        let hessian = with_directions(Family::Hessian);
        for use_of in
            ["v.energy_hessian()", "V::energy_hessian(&v)", "V_energy::hessian(&v)", "Self::energy_hessian_diagonal()"]
        {
            are(&format!("{text} fn main() {{ {use_of}; }}"), &[("V_energy", hessian), ("V_other", NONE)]);
        }
        are(&format!("{text} fn main() {{ v.missing_hessian(); }}"), &[("V_energy", hessian), ("V_other", hessian)]);
    }

    #[test]
    fn imports_in_a_function_are_not_followed() {
        are(
            "#[differentiable] fn f(x: f64) -> f64 { x } mod m { #[differentiable] pub(crate) fn f(x: f64) -> f64 { x } }
             #[differentiable] fn g(x: f64) -> f64 { x } fn main() { use m::f; f::jacobian(1.0); }",
            &[("f", with_directions(Family::Jacobian)), ("g", with_directions(Family::Jacobian))],
        );
        are(
            "#[differentiable] fn f(x: f64) -> f64 { x } #[differentiable] fn g(x: f64) -> f64 { x }
             fn main() { use m::{h, k as l}; f::jacobian(1.0); } fn other() { use m::*; g::jvp_many(1.0); }",
            &[
                ("f", with_directions(Family::Jacobian).and(with_directions(Family::Many))),
                ("g", with_directions(Family::Many)),
            ],
        );
    }

    #[test]
    fn what_is_named_of_something_unknown_everything_has() {
        let f = "#[differentiable] fn f(x: f64) -> f64 { x } ";
        let (jacobian, many) = (with_directions(Family::Jacobian), with_directions(Family::Many));
        let all = [
            ("fn main() { g::jacobian(1.0) }", jacobian),
            ("fn main() { Self::f::jacobian(1.0) }", jacobian),
            ("macro_rules! m { ($f:ident) => { $f::jacobian(1.0) } }", jacobian),
            ("fn main() { macro_rules! m { ($f:ident) => { $f::jacobian(1.0) } } }", jacobian),
            (
                "macro_rules! m { ($f:ident, $g:ident) => { #[differentiable] fn h() {} $f::$g(1.0) } } fn main() { m!(f, jvp_many) }",
                many,
            ),
            ("fn main() { foreign!(g, jvp_many) }", many),
            (
                "macro_rules! m { ($f:ident, $g:ident) => { $f::$g(1.0) } } fn main() { m!(f, jvp_many); m!(g::jacobian) }",
                many.and(jacobian),
            ),
            ("macro_rules! m { ($e:expr) => { $e } } fn main() { m!(f::jacobian(1.0)) }", jacobian),
            (
                "macro_rules! m { ($e:expr) => { $e } } #[differentiable] fn g(x: f64) -> f64 { x } fn main() { m!(g::jacobian(1.0)) }",
                NONE,
            ),
            ("fn main() { <f>::jacobian(1.0); <g<3>>::vjp_many(1.0) }", jacobian.and(many)),
            ("const J: f64 = f::jacobian(1.0);", jacobian),
            ("struct S; impl S { const J: f64 = f::jacobian(1.0); }", jacobian),
            ("trait T { fn t() -> f64 { f::jacobian(1.0) } }", jacobian),
            ("fn main() { foreign!(f) }", Families::ALL),
            ("foreign! { f }", Families::ALL),
            ("include!(\"more.rs\");", Families::ALL),
            (
                "struct S { jacobian: f64 } fn main() { let s = S { jacobian: f::grad(1.0) }; s.jacobian; println!(\"{}\", jacobian); }",
                NONE,
            ),
        ];
        for (text, families) in all {
            are(&format!("{f}{text}"), &[("f", families)]);
        }
    }

    #[test]
    fn what_a_macro_writes_may_call() {
        are(
            "#[differentiable] fn f(x: f64) -> f64 { x } #[differentiable] fn other(x: f64) -> f64 { x }
             macro_rules! make { () => { #[differentiable] fn caller(x: f64) -> f64 { f(x) } } } make!();",
            &[("f", Families::of(Family::Directions)), ("other", NONE)],
        );
    }

    #[test]
    fn a_function_called_like_a_derivative_is_one_of_the_users() {
        are(
            "mod robot { #[differentiable] pub(crate) fn jacobian(x: f64) -> f64 { super::f(x) } } #[differentiable] fn f(x: f64) -> f64 { x }
             #[differentiable] pub fn top(x: f64) -> f64 { robot::jacobian(x) }",
            &[("f", with_directions(Family::Jacobian)), ("jacobian", with_directions(Family::Jacobian))],
        );
    }
}
