//! Which functions have callers, as far as the crate tells.
//!
//! Note [Higher orders for callers]. Some derivatives of second order are there for callers alone, whose own derivatives call
//! them. A function that nobody calls goes without: `u` has callers if a differentiable function has its name in it, or a macro
//! that may write one, or if it is the argument of a generic parameter anywhere. Where a name is not followed to where it stands,
//! all functions of that name count. Callers in another crate ask by the attribute, as for the order itself,
//! and see only what is public: `order = 2` on a private function says nothing of callers.

use super::Source;
use super::home::Place;
use super::mentions::Mention;
use super::orders::Mentioning;
use crate::parse::families::Families;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::{BTreeSet, HashMap, HashSet};
use syn::{Attribute, ItemMacro, Visibility};

/// Macros that write no functions.
pub(super) const PLAIN: [&str; 26] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "check_grads",
    "column",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "line",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// What a file says of callers that do not stand in it.
#[derive(Default)]
pub(super) struct Unwritten {
    /// The words of macros beside functions, and of attributes.
    pub(super) words: HashSet<String>,
    /// Those of attributes alone.
    pub(super) in_attributes: HashSet<String>,
    /// The macros that are used beside functions.
    pub(super) used: Vec<Use>,
    /// The macros that are defined, with their words.
    defined: HashMap<String, HashSet<String>>,
    /// Whether another file is included, whose functions are not seen.
    pub(super) has_included: bool,
}

impl Unwritten {
    pub(super) fn note(&mut self, item: &ItemMacro) {
        let words = all_words(item.mac.tokens.clone());
        if let Some(name) = &item.ident {
            self.defined.entry(name.to_string()).or_default().extend(words.iter().cloned());
        } else if let Some(last) = item.mac.path.segments.last() {
            self.used.push(Use::new(&last.ident, &item.mac.tokens));
        }
        self.has_included |= item.mac.path.is_ident("include");
        self.words.extend(words);
    }

    pub(super) fn defines(&self, name: &str) -> bool {
        self.defined.contains_key(name)
    }

    /// A rule names its function, and an implicit function its residual.
    pub(super) fn note_attributes(&mut self, attrs: &[Attribute]) {
        let lists = attrs.iter().filter_map(|attr| attr.meta.require_list().ok());
        let words: Vec<String> = lists.flat_map(|list| all_words(list.tokens.clone())).collect();
        self.in_attributes.extend(words.iter().cloned());
        self.words.extend(words);
    }
}

/// A macro that a function uses.
pub(super) struct Use {
    pub(super) name: String,
    pub(super) words: Vec<String>,
    /// The derivatives that are named by themselves, as in `m!(f, jacobian)`.
    pub(super) alone: Families,
}

impl Use {
    fn new(name: &Ident, tokens: &TokenStream) -> Use {
        let words = all_words(tokens.clone());
        Use { name: name.to_string(), words, alone: Families::named_alone(tokens.clone()) }
    }
}

/// The macros that some code uses.
pub(super) fn uses(code: TokenStream) -> Vec<Use> {
    let tokens: Vec<TokenTree> = code.into_iter().collect();
    let inner = tokens.iter().flat_map(|token| match token {
        TokenTree::Group(group) => uses(group.stream()),
        _ => Vec::new(),
    });
    let own = tokens.windows(3).filter_map(|three| match three {
        [TokenTree::Ident(name), TokenTree::Punct(mark), TokenTree::Group(group)] if mark.as_char() == '!' => {
            Some(Use::new(name, &group.stream()))
        }
        _ => None,
    });
    own.chain(inner).collect()
}

/// Whether only what stands in the crate can name it.
pub(super) fn is_private(vis: &Visibility) -> bool {
    matches!(vis, Visibility::Inherited)
}

/// All that a callee may be called which is not `followed` from a function of a file to where it stands; none, if it may be
/// anything.
pub(super) fn names_of_callees(
    files: &[(Place, &Source)],
    followed: impl Fn(usize, &Mentioning, &Mention) -> bool,
) -> Option<BTreeSet<String>> {
    if files.iter().any(|(_, source)| source.unwritten.has_included) {
        return None;
    }
    let plain = plain_macros(files);
    let mut names = BTreeSet::new();
    for (file, (_, source)) in files.iter().enumerate() {
        names.extend(source.unwritten.words.iter().cloned());
        for function in &source.mentioning {
            names.extend(function.arguments.iter().cloned());
            if function.is_marked || function.has_marked() {
                let open = function.mentions.iter().filter(|mention| !followed(file, function, mention));
                names.extend(open.filter_map(Mention::last).map(str::to_owned));
            }
            let writers = function.macros.iter().filter(|one| !plain.contains(&one.name[..]));
            names.extend(writers.flat_map(|one| one.words.iter().cloned()));
        }
    }
    Some(names)
}

/// The macros that write no function that is differentiable: some of `std`, and those of the crate that neither have the word in
/// them nor a macro that is not such a one.
pub(super) fn plain_macros<'f>(files: &[(Place, &'f Source)]) -> HashSet<&'f str> {
    let mut defined: HashMap<&str, Vec<&HashSet<String>>> = HashMap::new();
    for (name, words) in files.iter().flat_map(|(_, source)| &source.unwritten.defined) {
        defined.entry(name).or_default().push(words);
    }
    let mut writers: HashSet<&str> = HashSet::new();
    loop {
        let writes = |words: &&HashSet<String>| {
            words.contains("differentiable") || writers.iter().any(|writer| words.contains(*writer))
        };
        let more: Vec<&str> =
            defined.iter().filter(|(_, words)| words.iter().any(writes)).map(|(name, _)| *name).collect();
        let before = writers.len();
        writers.extend(more);
        if writers.len() == before {
            break;
        }
    }
    let plain = PLAIN.into_iter().filter(|name| !defined.contains_key(name));
    plain.chain(defined.keys().copied().filter(|name| !writers.contains(name))).collect()
}

/// All words of tokens.
pub(super) fn all_words(tokens: TokenStream) -> Vec<String> {
    let each = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Ident(word) => vec![word.to_string()],
        TokenTree::Group(group) => all_words(group.stream()),
        _ => Vec::new(),
    });
    each.collect()
}
