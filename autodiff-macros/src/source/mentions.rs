//! The functions that a function names.

use super::callers::all_words;
use crate::methods::SIGNS;
use crate::parse::families::{self, Families};
use proc_macro2::{Punct, Spacing, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// The derivatives of a function that a function may be lowered with, and how many they are.
const NESTED: [(&str, u8); 4] = [("grad", 1), ("value_and_grad", 1), ("jvp", 1), ("hvp", 2)];

/// What there is of functions of second order only.
fn is_second(name: &str) -> bool {
    name == "hvp" || name.contains("hessian")
}

/// What there is of functions with Taylor series only.
const SERIES: &str = "taylor";

/// A function that is named in another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mention {
    /// A path, or the name of a method.
    pub(super) words: Vec<String>,
    pub(super) is_method: bool,
    /// How many derivatives of it are taken.
    pub(super) nested: u8,
    /// Whether it has to be of second order, whoever asks.
    pub(super) is_second: bool,
    /// Whether it has to have a Taylor series.
    pub(super) is_series: bool,
    /// The derivatives of it that are named: see Note [Derivatives that are named] in `parse/families.rs`.
    pub(super) families: Families,
}

impl Mention {
    pub(super) fn last(&self) -> Option<&str> {
        self.words.last().map(String::as_str)
    }
}

/// The functions that tokens name, and the names among generic arguments.
pub(super) fn mentions(tokens: TokenStream) -> (Vec<Mention>, Vec<String>) {
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
                // `<f>::jacobian`: of what, is not followed.
                if goes_on && words.is_empty() {
                    words.push(String::from("<>"));
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
    let names = || NESTED.iter().map(|(name, _)| *name).chain([SERIES]).chain(families::names());
    let of = |words: &[String], name: Option<&str>| Mention {
        words: words.to_vec(),
        is_method,
        nested: NESTED.iter().find(|(other, _)| Some(*other) == name).map_or(0, |(_, count)| *count),
        is_second: name.is_some_and(is_second),
        is_series: name == Some(SERIES),
        families: name.map_or(Families::NONE, Families::named),
    };
    if is_method {
        let of_derivative = names().filter_map(|name| Some((last.strip_suffix(name)?.strip_suffix('_')?, name)));
        let longest = of_derivative.min_by_key(|(owner, _)| owner.len());
        let (word, name) = longest.map_or((&last[..], None), |(word, name)| (word, Some(name)));
        return vec![of(&[word.to_owned()], name)];
    }
    let Some(name) = names().find(|name| name == last) else {
        // `V::energy_jacobian`.
        let of_method =
            mention(std::slice::from_ref(last), true).into_iter().filter(|one| one.families != Families::NONE);
        return [of(words, None)].into_iter().chain(of_method).collect();
    };
    let owner = &words[..words.len() - 1];
    let derivative = (!owner.is_empty()).then(|| of(owner, Some(name)));
    let itself = (Families::named(name) != Families::NONE).then(|| of(words, None));
    derivative.into_iter().chain(itself).collect()
}
