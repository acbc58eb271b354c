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
use super::callers::{Use, all_words, is_private, names_of_callees, uses};
use super::home::{Place, files_of_crate, place_of};
use crate::methods::{self, SIGNS};
use crate::module::is_marked;
use crate::parse::attr::{Asked, Attr, HIGHEST_ORDER, joined};
use crate::parse::families::{self, Families};
use proc_macro2::{Ident, Literal, Punct, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use syn::{Attribute, Item, ItemFn, ItemImpl, Meta, Visibility};

/// The derivatives of a function that a function may be lowered with, and how many they are.
const NESTED: [(&str, u8); 4] = [("grad", 1), ("value_and_grad", 1), ("jvp", 1), ("hvp", 2)];

/// What there is of functions of second order only.
const SECOND: [&str; 7] =
    ["hvp", "hessian", "hessian_into", "hessian_diagonal", "value_grad_hessian", "hessian_sparsity", "hessian_sparse"];

/// What there is of functions with Taylor series only.
const SERIES: &str = "taylor";

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

/// A function that is named in another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mention {
    /// A path, or the name of a method.
    pub(super) words: Vec<String>,
    is_method: bool,
    /// How many derivatives of it are taken.
    nested: u8,
    /// Whether it has to be of second order, whoever asks.
    is_second: bool,
    /// Whether it has to have a Taylor series.
    is_series: bool,
    /// The derivatives of it that are named: see Note [Derivatives that are named] in `parse/families.rs`.
    pub(super) families: Families,
}

impl Mention {
    pub(super) fn last(&self) -> Option<&str> {
        self.words.last().map(String::as_str)
    }
}

impl Mentioning {
    /// Whether it is the function of that name.
    pub(super) fn is_called(&self, name: &Ident) -> bool {
        self.method.is_none() && *name == self.name
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
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

/// The functions that tokens name, and the names among generic arguments.
fn mentions(tokens: TokenStream) -> (Vec<Mention>, Vec<String>) {
    let (mut found, mut arguments, mut signs) = (Vec::new(), Vec::new(), BTreeSet::new());
    look(tokens, &mut found, &mut arguments, &mut signs);
    // Of whatever type the operands are: `p + q`, `p += q`, `-p`.
    let binary =
        SIGNS.iter().filter(|(sign, _)| sign.starts_with(|first| signs.contains(&first))).map(|(_, method)| *method);
    let methods = binary.chain(signs.contains(&'-').then_some("neg"));
    found.extend(methods.flat_map(|method| mention(&[method.to_owned()], true)));
    (found, arguments)
}

fn look(tokens: TokenStream, found: &mut Vec<Mention>, arguments: &mut Vec<String>, signs: &mut BTreeSet<char>) {
    let mut words: Vec<String> = Vec::new();
    // After two colons, a path goes on; after a point there is a method; after a dollar, a parameter of a macro.
    let (mut goes_on, mut after_point, mut after_dollar) = (false, false, false);
    let (mut is_method, mut depth) = (false, 0_usize);
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            // The arguments in `f::<3>::grad`.
            TokenTree::Punct(punct) if punct.as_char() == '<' && goes_on => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' && depth > 0 => {
                depth -= 1;
                goes_on = false;
            }
            TokenTree::Punct(punct) if punct.as_char() == '<' && depth > 0 => depth += 1,
            _ if depth > 0 => arguments.extend(all_words(token.into())),
            TokenTree::Ident(word) => {
                if !goes_on {
                    found.extend(mention(&words, is_method));
                    words.clear();
                    is_method = after_point;
                }
                words.push(if after_dollar { format!("${word}") } else { word.to_string() });
                (goes_on, after_point, after_dollar) = (false, false, false);
            }
            // Not the colon before the value of a field.
            TokenTree::Punct(punct) if is_colon(&punct) && punct.spacing() == Spacing::Joint => {
                goes_on = tokens.next_if(|next| matches!(next, TokenTree::Punct(next) if is_colon(next))).is_some();
            }
            other => {
                found.extend(mention(&words, is_method));
                words.clear();
                goes_on = false;
                after_point = matches!(&other, TokenTree::Punct(punct) if punct.as_char() == '.');
                after_dollar = matches!(&other, TokenTree::Punct(punct) if punct.as_char() == '$');
                match other {
                    TokenTree::Group(group) => look(group.stream(), found, arguments, signs),
                    TokenTree::Punct(punct) => drop(signs.insert(punct.as_char())),
                    _ => {}
                }
            }
        }
    }
    found.extend(mention(&words, is_method));
}

fn is_colon(punct: &Punct) -> bool {
    punct.as_char() == ':'
}

/// What a path, or the name of a method, asks for. Of a path that ends like a derivative, the end may be a function's own name.
fn mention(words: &[String], is_method: bool) -> Vec<Mention> {
    let Some(last) = words.last() else { return Vec::new() };
    let orders = || NESTED.iter().map(|(name, _)| *name).chain(SECOND).chain([SERIES]);
    let names = || orders().chain(families::names());
    let of = |words: &[String], name: Option<&str>| Mention {
        words: words.to_vec(),
        is_method,
        nested: NESTED.iter().find(|(other, _)| Some(*other) == name).map_or(0, |(_, count)| *count),
        is_second: name.is_some_and(|name| SECOND.contains(&name)),
        is_series: name == Some(SERIES),
        families: name.map_or(Families::NONE, Families::named),
    };
    if is_method {
        let of_derivative = names().filter_map(|name| Some((last.strip_suffix(name)?.strip_suffix('_')?, name)));
        let longest = of_derivative.min_by_key(|(owner, _)| owner.len());
        let (word, name) = longest.map_or((&last[..], None), |(word, name)| (word, Some(name)));
        return vec![of(&[word.to_owned()], name)];
    }
    let Some(name) = names().find(|name| name == last) else { return vec![of(words, None)] };
    let owner = &words[..words.len() - 1];
    let derivative = (!owner.is_empty()).then(|| of(owner, Some(name)));
    let itself = (!orders().any(|other| other == name)).then(|| of(words, None));
    derivative.into_iter().chain(itself).collect()
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
    let names = names_of_callees(files);
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
                if all.is_empty() {
                    unmeant = unmeant.and(mention.families);
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
    // What a file says that cannot be read, nobody knows.
    if sources.len() < paths.len() {
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
        let families = families.literal();
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
