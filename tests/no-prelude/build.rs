//! Writes the modules of `tests/programs` and `tests/ownership` anew. Each imports what its text names of the prelude,
//! and paths into other crates begin with `::`, since they are not in the prelude either.

use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

const CORPUS: [&str; 2] = ["ownership", "programs"];

const CRATES: [&str; 5] = ["alloc", "autodiff", "core", "model_crate", "std"];

/// Where the names of the prelude are.
const NAMES: &[(&str, &[&str])] = &[
    ("borrow", &["ToOwned"]),
    ("boxed", &["Box"]),
    ("clone", &["Clone"]),
    ("cmp", &["Eq", "Ord", "PartialEq", "PartialOrd"]),
    ("convert", &["AsMut", "AsRef", "From", "Into", "TryFrom", "TryInto"]),
    ("default", &["Default"]),
    ("fmt", &["Debug"]),
    ("iter", &["DoubleEndedIterator", "ExactSizeIterator", "Extend", "FromIterator", "IntoIterator", "Iterator"]),
    ("marker", &["Copy", "Send", "Sized", "Sync"]),
    ("mem", &["align_of", "drop", "size_of"]),
    ("ops", &["Drop", "Fn", "FnMut", "FnOnce"]),
    ("option", &["Option"]),
    ("option::Option", &["None", "Some"]),
    ("result", &["Result"]),
    ("result::Result", &["Err", "Ok"]),
    ("string", &["String", "ToString"]),
    ("vec", &["Vec"]),
];

/// Macros, which are also found before `!` only.
const MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprintln",
    "format",
    "format_args",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// The traits whose methods and functions are called by name.
const METHODS: &[(&str, &[&str])] = &[
    ("borrow::ToOwned", &["to_owned"]),
    ("clone::Clone", &["clone", "clone_from"]),
    ("cmp::Ord", &["clamp", "cmp", "max", "min"]),
    ("cmp::PartialEq", &["eq", "ne"]),
    ("cmp::PartialOrd", &["ge", "gt", "le", "lt", "partial_cmp"]),
    ("convert::AsRef", &["as_ref"]),
    ("convert::From", &["from"]),
    ("convert::Into", &["into"]),
    ("convert::TryFrom", &["try_from"]),
    ("convert::TryInto", &["try_into"]),
    ("default::Default", &["default"]),
    ("iter::DoubleEndedIterator", &["next_back", "rev", "rfind", "rfold", "try_rfold"]),
    ("iter::ExactSizeIterator", &["len"]),
    ("iter::Extend", &["extend"]),
    ("iter::FromIterator", &["from_iter"]),
    ("iter::IntoIterator", &["into_iter"]),
    (
        "iter::Iterator",
        &[
            "all",
            "any",
            "by_ref",
            "chain",
            "cloned",
            "collect",
            "copied",
            "count",
            "cycle",
            "enumerate",
            "filter",
            "filter_map",
            "find",
            "find_map",
            "flat_map",
            "flatten",
            "fold",
            "for_each",
            "fuse",
            "inspect",
            "is_sorted",
            "last",
            "map",
            "map_while",
            "max",
            "max_by",
            "max_by_key",
            "min",
            "min_by",
            "min_by_key",
            "next",
            "nth",
            "partition",
            "peekable",
            "position",
            "product",
            "reduce",
            "rev",
            "rposition",
            "scan",
            "skip",
            "skip_while",
            "step_by",
            "sum",
            "take",
            "take_while",
            "try_fold",
            "try_for_each",
            "unzip",
            "zip",
        ],
    ),
    ("string::ToString", &["to_string"]),
];

fn main() {
    let tests = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo says it")).join("..");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo says it"));
    for name in CORPUS {
        let directory = tests.join(name);
        println!("cargo::rerun-if-changed={}", directory.display());
        let files = Files { directory: directory.clone(), out: out.clone() };
        write_file(&out.join(format!("{name}.rs")), files.module(parsed(&directory.join("main.rs")), false));
    }
    println!("cargo::rerun-if-changed={}", tests.join("common").display());
    println!("cargo::rerun-if-changed=build.rs");
}

/// A module that is in a file is declared on lines of its own, from which the macro reads where items are.
fn write_file(path: &Path, tokens: TokenStream) {
    let mut text = String::new();
    write(tokens, &mut text);
    fs::write(path, text.replace("# [path = ", "\n#[path = ")).expect("the directory is ours");
}

/// Tokens as text, a line for each statement, so that messages can be read.
fn write(tokens: TokenStream, out: &mut String) {
    for token in tokens {
        match &token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ("{\n", "}\n"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::None => ("", ""),
                };
                out.push_str(open);
                write(group.stream(), out);
                out.push_str(close);
            }
            TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint => out.push(punct.as_char()),
            other => out.push_str(&other.to_string()),
        }
        match token {
            TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint => {}
            token if is_punct(&token, ';') => out.push('\n'),
            _ => out.push(' '),
        }
    }
}

fn parsed(file: &Path) -> TokenStream {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Where the files of modules are.
struct Files {
    directory: PathBuf,
    /// Where the modules without a prelude are written.
    out: PathBuf,
}

impl Files {
    /// What stands in a module: the attributes of the module itself, its imports, and the rest. Attributes of a crate are
    /// those of the file that includes this one.
    fn module(&self, tokens: TokenStream, keeps_attributes: bool) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let start = (0..tokens.len()).step_by(3).find(|k| !is_inner_attribute(&tokens[*k..])).unwrap_or(tokens.len());
        let mut names = Named::default();
        names.collect(&tokens[start..]);
        let attributes = tokens[..if keeps_attributes { start } else { 0 }].iter().cloned().collect::<TokenStream>();
        let (imports, rest) = (names.imports(), self.rewritten(&tokens[start..]));
        quote!(#attributes #imports #rest)
    }

    fn rewritten(&self, tokens: &[TokenTree]) -> TokenStream {
        let mut out = Vec::new();
        let mut k = 0;
        while k < tokens.len() {
            if let Some((name, contents, length)) = module_at(&tokens[k..]) {
                k += length + 1;
                let Some(contents) = contents.map(Group::stream) else {
                    out.extend(self.module_of_file(&name, &self.file(&tokens[..k - length - 1], &name)));
                    continue;
                };
                let mut inside = Group::new(Delimiter::Brace, self.module(contents, true));
                inside.set_span(Span::call_site());
                out.extend(tokens[k - length - 1..k - 1].iter().cloned());
                out.push(TokenTree::Group(inside));
                continue;
            }
            match &tokens[k] {
                TokenTree::Ident(ident) if begins_path(tokens, k) && CRATES.contains(&&ident.to_string()[..]) => {
                    out.extend(quote!(::#ident));
                }
                TokenTree::Group(group) if is_path_attribute(tokens, k) => {
                    out.push(TokenTree::Group(Group::new(group.delimiter(), quote!(allow(unused)))));
                }
                TokenTree::Group(group) => {
                    let stream = self.rewritten(&group.stream().into_iter().collect::<Vec<_>>());
                    out.push(TokenTree::Group(Group::new(group.delimiter(), stream)));
                }
                other => out.push(other.clone()),
            }
            k += 1;
        }
        out.into_iter().collect()
    }

    /// `mod name;` of what stands in a file, written to a file of its own: a file tells of the items in it. No such module
    /// has a visibility, before which the attribute would have to stand.
    fn module_of_file(&self, name: &str, from: &Path) -> TokenStream {
        let path = self.out.join(format!("{name}.rs"));
        write_file(&path, self.module(parsed(from), true));
        let (path, name) = (path.display().to_string(), format_ident!("{name}"));
        quote!(#[path = #path] mod #name;)
    }

    /// The file of `mod name;`, which may have an attribute that says where it is.
    fn file(&self, before: &[TokenTree], name: &str) -> PathBuf {
        let path = before
            .len()
            .checked_sub(1)
            .filter(|last| is_path_attribute(before, *last))
            .map(|last| before[last].to_string());
        let path = path.and_then(|attribute| attribute.split('"').nth(1).map(str::to_owned));
        self.directory.join(path.unwrap_or_else(|| format!("{name}.rs")))
    }
}

/// `#![…]`
fn is_inner_attribute(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(pound), TokenTree::Punct(bang), TokenTree::Group(_), ..] = tokens else { return false };
    pound.as_char() == '#' && bang.as_char() == '!'
}

/// The group of `#[path = "…"]`
fn is_path_attribute(tokens: &[TokenTree], k: usize) -> bool {
    let TokenTree::Group(group) = &tokens[k] else { return false };
    let first = group.stream().into_iter().next().map(|token| token.to_string());
    k > 0 && is_punct(&tokens[k - 1], '#') && first.as_deref() == Some("path")
}

/// `mod name {…}`, `mod $name {…}` in a macro, or `mod name;`: the name, what is in the braces, and how many tokens are before them.
fn module_at(tokens: &[TokenTree]) -> Option<(String, Option<&Group>, usize)> {
    let [TokenTree::Ident(keyword), rest @ ..] = tokens else { return None };
    let dollar = usize::from(rest.first().is_some_and(|token| is_punct(token, '$')));
    let [TokenTree::Ident(name), end, ..] = &rest[dollar..] else { return None };
    let contents = match end {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        token if is_punct(token, ';') => None,
        _ => return None,
    };
    (keyword == "mod").then(|| (name.to_string(), contents, 2 + dollar))
}

fn is_punct(token: &TokenTree, is: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == is)
}

/// Whether a path of several segments begins here.
fn begins_path(tokens: &[TokenTree], k: usize) -> bool {
    let goes_on = tokens.get(k + 1..k + 3).is_some_and(|next| next.iter().all(|token| is_punct(token, ':')));
    goes_on && !is_inside_path(tokens, k)
}

fn is_inside_path(tokens: &[TokenTree], k: usize) -> bool {
    k >= 2 && tokens[k - 2..k].iter().all(|token| is_punct(token, ':'))
}

/// What the text of a module names, but for that of the modules inside it.
#[derive(Default)]
struct Named {
    names: HashSet<String>,
    macros: HashSet<String>,
    methods: HashSet<String>,
    /// What it imports or defines itself.
    own: HashSet<String>,
}

impl Named {
    fn collect(&mut self, tokens: &[TokenTree]) {
        let mut k = 0;
        let mut imports = false;
        while k < tokens.len() {
            if let Some((_, _, length)) = module_at(&tokens[k..]) {
                k += length + 1;
                continue;
            }
            match &tokens[k] {
                TokenTree::Group(group) => self.collect(&group.stream().into_iter().collect::<Vec<_>>()),
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    let after = |is| tokens.get(k + 1).is_some_and(|token| is_punct(token, is));
                    let before = |is: &str| k > 0 && tokens[k - 1].to_string() == is;
                    imports |= name == "use";
                    if imports || ["enum", "fn", "struct", "trait", "type"].iter().any(|keyword| before(keyword)) {
                        self.own.insert(name);
                    } else if before(".") || is_inside_path(tokens, k) {
                        self.methods.insert(name);
                    } else if after('!') {
                        self.macros.insert(name);
                    } else {
                        self.names.insert(name);
                    }
                }
                token => imports &= !is_punct(token, ';'),
            }
            k += 1;
        }
    }

    fn imports(&self) -> TokenStream {
        let mut out = TokenStream::new();
        for (module, names) in NAMES {
            for name in names.iter().filter(|name| self.names.contains(**name) && !self.own.contains(**name)) {
                out.extend(import(&format!("{module}::{name}"), false));
            }
        }
        for name in MACROS.iter().filter(|name| self.macros.contains(**name) && !self.own.contains(**name)) {
            out.extend(import(name, false));
        }
        for (owner, methods) in METHODS {
            if methods.iter().any(|method| self.methods.contains(*method)) {
                out.extend(import(owner, true));
            }
        }
        out
    }
}

/// `use ::std::…;`, where a trait has no name if only its methods are wanted.
fn import(path: &str, nameless: bool) -> TokenStream {
    let segments: Vec<Ident> = path.split("::").map(|segment| format_ident!("{segment}")).collect();
    let name = if nameless { quote!(as _) } else { TokenStream::new() };
    quote!(#[allow(unused_imports)] use ::std #(::#segments)* #name;)
}
