//! How many times functions are differentiated, as far as the crate tells.
//!
//! Note [Orders that are found out]. `u::grad` in a differentiable function `f` means that the derivative of `f` is a second
//! one of `u`, and of all that `u` calls; `u::hessian` anywhere asks for second ones, too. Whoever reads the crate sees
//! that, so nobody has to write `order = 2` on `u`: the files of the crate are read, and a function has the highest order
//! that is asked of it. What is asked by another crate, by a macro or by way of a name that is not followed here is not seen,
//! and an attribute says it, as the error does that comes of it. A name that stands for something else makes a derivative
//! that nobody calls; where it cannot be made, there is none, as if it had not been asked for.
//!
//! `u::taylor` asks for a Taylor series of `u` in the same way, and of all that `u` calls.

use super::Source;
use super::callers::{Use, is_private, names_of_callees, uses};
use super::home::{Place, files_of_crate, has_files_twice, place_of};
use super::imported::imported;
use super::mentions::{Mention, mentions};
use crate::methods;
use crate::module::is_marked;
use crate::parse::attr::{Asked, Attr, HIGHEST_ORDER, joined};
use crate::parse::families::Families;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use syn::{Attribute, Item, ItemFn, ItemImpl, Meta, Visibility};

/// A function of a file.
pub(super) struct Mentioning {
    place: Place,
    /// Of a method: that of the function beside its block.
    name: String,
    method: Option<String>,
    pub(super) is_marked: bool,
    /// Whether other crates may see it.
    pub(super) is_public: bool,
    stated: Wanted,
    pub(super) mentions: Vec<Mention>,
    /// The names among generic arguments.
    pub(super) arguments: Vec<String>,
    /// The macros that it uses.
    pub(super) macros: Vec<Use>,
    /// The names that are imported in it; none, if they may be any.
    imported: Option<HashSet<String>>,
}

/// What a function has to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wanted {
    order: u8,
    /// Whether callers need it of that order: see Note [Higher orders for callers] in `callers.rs`.
    is_called: bool,
    taylor: Option<Asked>,
    families: Families,
}

impl Mentioning {
    /// Whether it is the function of that name.
    pub(super) fn is_called(&self, name: &Ident) -> bool {
        self.method.is_none() && *name == self.name
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// Whether a function that is differentiated stands in it, which is not known by itself.
    pub(super) fn has_marked(&self) -> bool {
        self.mentions.iter().any(|mention| mention.words == ["differentiable"])
    }

    /// Whether an import in it may bring what a path begins with.
    fn imports(&self, mention: &Mention) -> bool {
        self.imported.as_ref().is_none_or(|names| names.contains(&mention.words[0]))
    }

    /// What the user calls it.
    pub(super) fn own_name(&self) -> &str {
        self.method.as_ref().unwrap_or(&self.name)
    }
}

impl Source {
    pub(super) fn mention(&mut self, item: &Item, is_among_marked: bool, place: &Place) {
        match item {
            Item::Fn(item) => {
                self.unwritten.note_attributes(&item.attrs);
                let (mentions, arguments) = mentions(item.block.to_token_stream());
                let known = Mentioning {
                    place: place.clone(),
                    name: item.sig.ident.to_string(),
                    method: None,
                    is_marked: is_among_marked || super::says_differentiable(&item.attrs),
                    is_public: matches!(item.vis, Visibility::Public(_)),
                    stated: stated(&item.attrs, is_private(&item.vis)),
                    mentions,
                    arguments,
                    macros: uses(item.block.to_token_stream()),
                    imported: imported(&item.block),
                };
                self.mentioning.push(known);
            }
            // Its functions, and those that it makes.
            Item::Macro(item) => {
                self.unwritten.note(item);
                self.name_families(item.mac.tokens.clone());
            }
            Item::Impl(block) => self.mention_methods(block, is_among_marked, place),
            Item::Const(item) => self.name_families(item.expr.to_token_stream()),
            Item::Static(item) => self.name_families(item.expr.to_token_stream()),
            Item::Trait(item) => self.name_families(item.to_token_stream()),
            _ => {}
        }
    }

    /// A method that a block gets of its trait.
    pub(super) fn mention_provided(&mut self, place: &Place, relay: &str, method: &str, text: TokenStream) {
        let (mentions, arguments) = mentions(text.clone());
        self.mentioning.push(Mentioning {
            place: place.clone(),
            name: relay.to_owned(),
            method: Some(method.to_owned()),
            is_marked: true,
            is_public: true,
            stated: Wanted::FIRST,
            mentions,
            arguments,
            macros: uses(text),
            imported: None,
        });
    }

    fn mention_methods(&mut self, block: &ItemImpl, is_among_marked: bool, place: &Place) {
        let Some(owner) = methods::self_name(&block.self_ty) else {
            self.name_families(block.to_token_stream());
            return;
        };
        let is_among_marked = is_among_marked || super::says_differentiable(&block.attrs);
        for item in &block.items {
            let syn::ImplItem::Fn(method) = item else {
                self.name_families(item.to_token_stream());
                continue;
            };
            self.unwritten.note_attributes(&method.attrs);
            let (mentions, arguments) = mentions(method.block.to_token_stream());
            let is_private = block.trait_.is_none() && is_private(&method.vis);
            self.mentioning.push(Mentioning {
                place: place.clone(),
                name: methods::relay_name(block, &owner, method).to_string(),
                method: Some(method.sig.ident.to_string()),
                is_marked: is_among_marked || super::says_differentiable(&method.attrs),
                is_public: block.trait_.is_some() || matches!(method.vis, Visibility::Public(_)),
                stated: stated(&block.attrs, is_private).and(stated(&method.attrs, is_private)),
                mentions,
                arguments,
                macros: uses(method.block.to_token_stream()),
                imported: imported(&method.block),
            });
        }
    }
}

/// What an attribute says.
fn stated(attrs: &[Attribute], is_private: bool) -> Wanted {
    let args = attrs.iter().filter(|attr| is_marked(std::slice::from_ref(attr))).filter_map(|attr| match &attr.meta {
        Meta::List(list) => Attr::parse(list.tokens.clone()).ok(),
        _ => None,
    });
    args.fold(Wanted::FIRST, |wanted, attr| {
        let order = attr.order.map_or(1, |order| order.number());
        let is_called = attr.order.is_some() && !is_private;
        wanted.and(Wanted { order, is_called, taylor: attr.taylor, ..Wanted::FIRST })
    })
}

impl Wanted {
    const FIRST: Wanted = Wanted { order: 1, is_called: false, taylor: None, families: Families::NONE };

    /// What two ask for.
    fn and(self, other: Wanted) -> Wanted {
        let taylor = match (self.taylor, other.taylor) {
            (Some(Asked::Directly), _) | (_, Some(Asked::Directly)) => Some(Asked::Directly),
            (own, others) => own.or(others),
        };
        let (order, families) = (self.order.max(other.order), self.families.and(other.families));
        Wanted { order, is_called: self.is_called || other.is_called, taylor, families }
    }
}

/// A function of the crate: its file, and its place among those of the file.
type Key = (usize, usize);

/// The functions of a crate, by their paths, and the methods by file and name.
#[derive(Default)]
struct Functions {
    by_path: HashMap<String, Key>,
    by_method: HashMap<(usize, String), Vec<Key>>,
}

impl Functions {
    fn of(files: &[(Place, &Source)]) -> Functions {
        let mut functions = Functions::default();
        for (file, (place, source)) in files.iter().enumerate() {
            for (at, function) in source.mentioning.iter().enumerate() {
                let whole = place.then(&function.place).path;
                functions.by_path.insert(path_of(&whole, &function.name), (file, at));
                if let Some(method) = &function.method {
                    functions.by_method.entry((file, method.clone())).or_default().push((file, at));
                }
            }
        }
        functions
    }

    /// The methods of a name, in any file.
    fn methods(&self, name: &str) -> Vec<Key> {
        let of_name = self.by_method.iter().filter(|((_, method), _)| method == name);
        of_name.flat_map(|(_, keys)| keys.iter().copied()).collect()
    }

    /// What a mention in a function means.
    fn meant(&self, mention: &Mention, by: &Mentioning, file: usize, files: &[(Place, &Source)]) -> Vec<Key> {
        let (place, source) = &files[file];
        if mention.is_method {
            return self.by_method.get(&(file, mention.words[0].clone())).cloned().unwrap_or_default();
        }
        let whole = source.whole(place, &by.place, &mention.words).join("::");
        if let Some(found) = self.by_path.get(&whole) {
            return vec![*found];
        }
        // `Plain::area`, and what is made beside a method or brought by `use super::*`.
        if let [.., owner, method] = &mention.words[..] {
            let relay = format!("{owner}_{method}");
            let here = self.by_method.get(&(file, method.clone())).into_iter().flatten();
            return here.copied().filter(|(_, at)| source.mentioning[*at].name == relay).collect();
        }
        let own = place.then(&by.place).path;
        let around = (0..=own.len()).rev().map(|count| path_of(&own[..count], &mention.words[0]));
        around.filter_map(|path| self.by_path.get(&path).copied()).take(1).collect()
    }
}

fn path_of(place: &[String], name: &str) -> String {
    ["crate"].into_iter().chain(place.iter().map(String::as_str)).chain([name]).collect::<Vec<_>>().join("::")
}

/// What all functions have to have, file by file.
fn wanted(files: &[(Place, &Source)]) -> Vec<Vec<Wanted>> {
    let functions = Functions::of(files);
    // What stands in an import in the function itself is not followed, and not what a function in it calls.
    let is_followed = |file: usize, function: &Mentioning, mention: &Mention| {
        let is_plain = !mention.is_method && !function.imports(mention) && !function.has_marked();
        is_plain && !functions.meant(mention, function, file, files).is_empty()
    };
    let names = names_of_callees(files, is_followed);
    let stated = |function: &Mentioning| {
        let is_called = names.as_ref().is_none_or(|names| names.contains(function.own_name()));
        function.stated.and(Wanted { is_called, ..Wanted::FIRST })
    };
    let mut wanted: Vec<Vec<Wanted>> =
        files.iter().map(|(_, source)| source.mentioning.iter().map(stated).collect()).collect();
    let (mut edges, mut unmeant) = (Vec::new(), Families::NONE);
    for (file, (_, source)) in files.iter().enumerate() {
        for (at, function) in source.mentioning.iter().enumerate() {
            for mention in &function.mentions {
                let all = functions.meant(mention, function, file, files);
                if mention.families != Families::NONE {
                    match mention.is_method.then(|| functions.methods(&mention.words[0])) {
                        Some(methods) if !methods.is_empty() => {
                            methods.iter().for_each(|(file, at)| {
                                wanted[*file][*at].families = wanted[*file][*at].families.and(mention.families)
                            });
                        }
                        None if is_followed(file, function, mention) => {}
                        _ => unmeant = unmeant.and(mention.families),
                    }
                }
                for meant in all {
                    let own = &mut wanted[meant.0][meant.1];
                    let order = if mention.is_second { 2 } else { 1 };
                    let taylor = mention.is_series.then_some(Asked::Directly);
                    let families = mention.families;
                    *own = own.and(Wanted { order, taylor, is_called: function.is_marked, families });
                    if function.is_marked && meant != (file, at) {
                        edges.push(((file, at), meant, mention.nested));
                    }
                }
            }
        }
    }
    let mut changes = true;
    while changes {
        changes = false;
        for (by, of, nested) in &edges {
            let by = wanted[by.0][by.1];
            let taylor = by.taylor.map(|_| Asked::ByCallers);
            let order = (by.order + nested).min(HIGHEST_ORDER);
            let by = Wanted { order, is_called: true, taylor, ..Wanted::FIRST };
            let own = &mut wanted[of.0][of.1];
            let both = own.and(by);
            changes |= both != *own;
            *own = both;
        }
    }
    let own: Vec<Vec<Families>> =
        wanted.iter().map(|file| file.iter().map(|wanted| wanted.families).collect()).collect();
    for (wanted, families) in wanted.iter_mut().zip(super::families::of_functions(files, own, unmeant)) {
        wanted.iter_mut().zip(families).for_each(|(wanted, families)| wanted.families = families);
    }
    wanted
}

/// What the functions of the crate have to have, by file and name.
fn wanted_in_crate() -> Arc<HashMap<(PathBuf, String), Wanted>> {
    static KNOWN: OnceLock<Arc<HashMap<(PathBuf, String), Wanted>>> = OnceLock::new();
    // In an editor the files change, and belong to several crates.
    if crate::tells_files() { KNOWN.get_or_init(wanted_now).clone() } else { wanted_now() }
}

fn wanted_now() -> Arc<HashMap<(PathBuf, String), Wanted>> {
    let paths = files_of_crate();
    let sources: Vec<_> = paths.iter().filter_map(|(path, place)| Some((path, place, Source::of(path)?))).collect();
    let files: Vec<(Place, &Source)> = sources.iter().map(|(_, place, source)| ((*place).clone(), &**source)).collect();
    let mut known = HashMap::new();
    for ((path, _, source), wanted) in sources.iter().zip(wanted(&files)) {
        for (function, wanted) in source.mentioning.iter().zip(wanted) {
            let known = known.entry(((*path).clone(), function.name.clone())).or_insert(wanted);
            *known = known.and(wanted);
        }
    }
    // What a file says that cannot be read, or that is several modules, nobody knows.
    if sources.len() < paths.len() || has_files_twice() {
        known.values_mut().for_each(|wanted| wanted.families = Families::ALL);
    }
    Arc::new(known)
}

/// Adds the order that the crate asks for to the attribute of a function, and a Taylor series.
pub fn with_order(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else { return attr };
    // What the user writes a derivative of has those that the user says.
    if Attr::parse(attr.clone()).is_ok_and(|attr| attr.is_written()) {
        return attr;
    }
    let found = crate::file_of(function.sig.ident.span()).and_then(|file| {
        place_of(&file)?;
        wanted_in_crate().get(&(file.canonicalize().ok()?, function.sig.ident.to_string())).copied()
    });
    let Some(Wanted { order, taylor, is_called, families }) = found else { return attr };
    // An editor completes the names of all.
    let attr = if families == Families::ALL || !crate::tells_files() {
        attr
    } else {
        // Of the attribute as a whole, messages have the span of what the user wrote.
        let span = attr.clone().into_iter().last().map_or_else(Span::call_site, |token| token.span());
        let mut families = families.literal();
        families.set_span(span);
        joined(attr, quote!(__families = #families))
    };
    let attr = match taylor {
        Some(Asked::Directly) => joined(attr, quote!(taylor)),
        Some(Asked::ByCallers) => joined(attr, quote!(__taylor)),
        None => attr,
    };
    if order < 2 {
        return attr;
    }
    let order = Literal::u8_unsuffixed(order);
    let found = joined(attr, quote!(__found = #order));
    if is_called { joined(found, quote!(__called)) } else { found }
}

/// The families of the functions of a crate of one file.
#[cfg(test)]
pub(super) fn families_in(text: &str) -> Vec<(String, Families)> {
    let source = Source::read(text);
    let wanted = wanted(&[(Place::ROOT, &source)]).remove(0);
    source.mentioning.iter().map(|function| function.name.clone()).zip(wanted.iter().map(|own| own.families)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, Wanted)> {
        let source = Source::read(text);
        let wanted = wanted(&[(Place::ROOT, &source)]).remove(0);
        source.mentioning.iter().map(|function| function.name.clone()).zip(wanted).collect()
    }

    fn is(text: &str, expected: &[(&str, u8)]) {
        let expected: Vec<(String, u8)> = expected.iter().map(|(name, order)| ((*name).to_owned(), *order)).collect();
        let found: Vec<_> = found(text).into_iter().map(|(name, wanted)| (name, wanted.order)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn taylor_series() {
        let text = "#[differentiable] fn g(x: f64) -> f64 { x } #[differentiable] fn u(x: f64) -> f64 { g(x) }
             #[differentiable] fn other(x: f64) -> f64 { u(x) } fn main() { u::taylor::<3>(1.0, 1.0)[2]; v.energy_taylor(); }
             #[differentiable] impl V { fn energy(&self) -> f64 { self.norm() } fn norm(&self) -> f64 { 1.0 } }
             #[differentiable(taylor)] fn said(x: f64) -> f64 { x }";
        let (direct, by_callers) = (Some(Asked::Directly), Some(Asked::ByCallers));
        let expected = [
            ("g", by_callers),
            ("u", direct),
            ("other", None),
            ("main", None),
            ("V_energy", direct),
            ("V_norm", by_callers),
            ("said", direct),
        ];
        let found: Vec<_> = found(text).into_iter().map(|(name, wanted)| (name, wanted.taylor)).collect();
        assert_eq!(found, expected.map(|(name, taylor)| (name.to_owned(), taylor)));
    }

    #[test]
    fn derivatives_of_derivatives() {
        is(
            "#[differentiable] fn g(x: f64) -> f64 { x } #[differentiable] fn u(x: f64) -> f64 { g(x) }
             #[differentiable] fn f(x: f64) -> f64 { let d = u::<3>::grad(x); d * other(d) }
             #[differentiable] fn other(x: f64) -> f64 { x } fn plain(x: f64) -> f64 { other::grad(x) }
             #[differentiable] fn top(x: f64) -> f64 { f::value_and_grad(x).1 }",
            &[("g", 3), ("u", 3), ("f", 2), ("other", 2), ("plain", 1), ("top", 1)],
        );
    }

    #[test]
    fn what_callers_ask_for() {
        let text = "#[differentiable] fn called(x: f64) -> f64 { x } #[differentiable] fn top(x: f64) -> f64 { called(x) }
             #[differentiable] fn argument(x: f64) -> f64 { x } #[differentiable(order = 2)] fn said(x: f64) -> f64 { x }
             #[differentiable] fn in_macro(x: f64) -> f64 { x } macro_rules! make { () => { in_macro(1.0) } }
             #[differentiable] fn again(x: f64) -> f64 { if x > 1.0 { again(x - 1.0) } else { x } }
             #[differentiable] fn residual(x: f64) -> f64 { x } #[implicit(residual = residual)] fn solve() -> f64 { 1.0 }
             #[differentiable] impl V { fn alone(&self) -> f64 { 0.0 } fn norm(&self) -> f64 { self.part() } fn part(&self) -> f64 { 0.0 } }
             fn main() { top(1.0); top::hvp(1.0, 1.0); iterate::<Vec<argument>, 3>::grad(1.0); v.alone(); }";
        let uncalled: Vec<_> = found(text).into_iter().filter(|(_, wanted)| !wanted.is_called).collect();
        let uncalled: Vec<_> = uncalled.iter().map(|(name, _)| &name[..]).collect();
        assert_eq!(uncalled, ["top", "said", "solve", "V_alone", "V_norm", "main"]);
    }

    #[test]
    fn callers_that_are_not_seen() {
        let text = "#[differentiable(order = 2)] pub fn public(x: f64) -> f64 { x } #[differentiable(order = 2)] fn private(x: f64) -> f64 { x }
             #[differentiable] pub(crate) fn found(x: f64) -> f64 { x } #[differentiable(order = 2)] fn foreign(x: f64) -> f64 { x }
             #[differentiable(order = 2)] fn printed(x: f64) -> f64 { x } #[differentiable(order = 2)] fn written(x: f64) -> f64 { x }
             #[differentiable(order = 2)] fn through(x: f64) -> f64 { x } #[differentiable(order = 2)] fn looked_at(x: f64) -> f64 { x }
             macro_rules! writes { ($f:ident) => { #[differentiable] fn caller(x: f64) -> f64 { $f(x) } } }
             macro_rules! passes_on { ($f:ident) => { writes!($f); } } macro_rules! looks { ($f:ident) => { $f(1.0) } }
             fn main() { println!(\"{}\", printed(1.0)); foreign_macro!(foreign); { writes!(written); passes_on!(through); looks!(looked_at) }; }";
        let called = |text: &str| {
            let all = found(text).into_iter().filter(|(_, wanted)| wanted.is_called);
            all.map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(called(text), ["public", "foreign", "written", "through"]);
        // Another file may call all that is here.
        assert_eq!(called(&format!("{text} include!(\"more.rs\");")).len(), 9);
    }

    #[test]
    fn what_users_ask_for() {
        is(
            "#[differentiable] fn f(x: f64) -> f64 { x } mod m { use super::f as k; fn t() { assert_eq!(k::hessian(1.0), 2.0); } }
             #[differentiable(order = 3)] fn g(x: f64) -> f64 { h(x) } #[differentiable] fn h(x: f64) -> f64 { x }
             #[cfg(test)] mod tests { use super::*; fn t() { i::hvp(1.0, 1.0); } } #[differentiable] fn i(x: f64) -> f64 { x }",
            &[("f", 2), ("t", 1), ("g", 3), ("h", 3), ("t", 1), ("i", 2)],
        );
    }

    #[test]
    fn values_of_fields() {
        is(
            "#[differentiable] fn u(x: f64) -> f64 { x } #[differentiable] fn v(x: f64) -> f64 { x }
             #[differentiable] fn f(x: f64) -> Pair { let y: f64 = x; Pair { first: u::grad(y), second: v::<3>::grad(y) } }",
            &[("u", 2), ("v", 2), ("f", 1)],
        );
    }

    #[test]
    fn methods() {
        is(
            "#[differentiable] impl V { fn energy(&self) -> f64 { self.norm() } fn norm(&self) -> f64 { 1.0 } fn other(&self) -> f64 { 1.0 } }
             fn main() { v.energy_hessian(); V::other(&v); } #[differentiable] fn f(v: V) -> f64 { V_other::grad(&v).x }",
            &[("V_energy", 2), ("V_norm", 2), ("V_other", 2), ("main", 1), ("f", 1)],
        );
    }
}
