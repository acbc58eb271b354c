//! `tests/expand/*.rs` beside what they expand to, `tests/expand/*.expanded.rs`: a change of the generated
//! code shows in review. After a change that is meant, run
//!
//! ```text
//! AUTODIFF_BLESS=1 cargo test -p autodiff-macros snapshot
//! ```

use crate::expand;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
#[cfg(feature = "emit")]
use std::process;
use std::{env, fs};
use syn::punctuated::Punctuated;
use syn::{Attribute, File, Item, Meta, Token};

#[test]
fn chain() {
    check("chain");
}

#[test]
fn rosenbrock() {
    check("rosenbrock");
}

#[test]
fn network() {
    check("network");
}

#[test]
fn cross_entropy() {
    check("cross_entropy");
}

#[test]
fn simulate() {
    check("simulate");
}

#[test]
fn data() {
    check("data");
}

#[test]
fn state() {
    check("state");
}

#[test]
fn second() {
    check("second");
}

#[test]
fn recursion() {
    check("recursion");
}

/// Snapshots need no heap, and who has none is told of them.
#[test]
fn without_a_heap() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/expand");
    let source = fs::read_to_string(dir.join("simulate.rs")).unwrap();
    let expanded = Expansion::of(&source);
    // Patterns of sparse derivatives are there if there is a heap.
    let own = expanded.replace("__if_alloc!", "");
    assert!(!own.contains("alloc") && !own.contains("Vec"), "{expanded}");
    let without = Expansion::of(&source.replace("#[checkpoint(8)]", ""));
    for needed in ["__with_alloc!", "`#[max_iters(64)]`", "`#[checkpoint(8)]`"] {
        assert!(without.contains(needed), "no {needed} in\n{without}");
    }
}

/// `AUTODIFF_EMIT` is read from the environment of the compiler, so a process of its own expands here.
#[cfg(feature = "emit")]
#[test]
fn emit_writes_the_code_and_the_ir() {
    let dir = env::temp_dir().join(format!("autodiff-emit-{}", process::id()));
    process::Command::new(env::current_exe().unwrap())
        .args(["--exact", "snapshot_test::network"])
        .env("AUTODIFF_EMIT", &dir)
        .env_remove("AUTODIFF_BLESS")
        .env("CARGO_CRATE_NAME", "tests")
        .output()
        .unwrap();
    let code = fs::read_to_string(dir.join("tests/network.rs"));
    let ir = fs::read_to_string(dir.join("tests/network.ir"));
    let _ = fs::remove_dir_all(&dir);

    let code = code.expect("no file `network.rs`");
    syn::parse_file(&code).unwrap();
    assert!(code.contains("fn accumulate_grad(\n"), "the code is not pretty-printed:\n{code}");
    let ir = ir.expect("no file `network.ir`");
    for pass in ["built"].into_iter().chain(crate::pass::PASSES.iter().map(|pass| pass.name)) {
        assert!(ir.contains(&format!("// {pass}\nfn network(")), "no IR after `{pass}`:\n{ir}");
    }
    assert!(ir.contains("matmul"), "{ir}");
}

fn is_gate(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|last| last.ident == "__with_alloc" || last.ident == "__if_alloc")
}

/// Compares the expansion of a file with the one that was reviewed.
fn check(name: &str) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/expand");
    let source = fs::read_to_string(dir.join(format!("{name}.rs"))).unwrap();
    let file: PathBuf = dir.join(format!("{name}.expanded.rs"));
    let expanded = Expansion::of(&source);
    if env::var_os("AUTODIFF_BLESS").is_some() {
        fs::write(&file, &expanded).unwrap();
        return;
    }
    let known = fs::read_to_string(&file).unwrap_or_default();
    let differs = known.lines().zip(expanded.lines()).position(|(old, new)| old != new);
    let line = differs.unwrap_or_else(|| known.lines().count().min(expanded.lines().count()));
    assert!(
        known == expanded,
        "the expansion of `tests/expand/{name}.rs` has changed, first in line {} of `{name}.expanded.rs`:\n\
         - {}\n+ {}\nIf that is meant, run the test with AUTODIFF_BLESS=1 and review the difference.",
        line + 1,
        known.lines().nth(line).unwrap_or_default(),
        expanded.lines().nth(line).unwrap_or_default(),
    );
}

/// What rustc does with our macros, without rustc: expands them, and runs the macros of the relay.
#[derive(Default)]
struct Expansion {
    out: Vec<Item>,
    /// What the relay macro of a name hands on.
    known: HashMap<String, TokenStream>,
}

impl Expansion {
    fn of(source: &str) -> String {
        let mut expansion = Expansion::default();
        expansion.file(syn::parse_str(source).unwrap());
        let text = prettyplease::unparse(&File { shebang: None, attrs: Vec::new(), items: expansion.out });
        format!("{}{}", head(source), text)
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let text = tokens.to_string();
        self.file(syn::parse2(tokens).unwrap_or_else(|error| panic!("{error}:\n{text}")));
    }

    fn file(&mut self, file: File) {
        for item in file.items {
            self.item(item);
        }
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::Fn(mut function) => match take(&mut function.attrs, "differentiable") {
                Some(attr) => {
                    let args = match attr.meta {
                        Meta::List(list) => list.tokens,
                        _ => TokenStream::new(),
                    };
                    self.tokens(expand::differentiable(args, quote!(#function)));
                }
                None => self.out.push(Item::Fn(function)),
            },
            Item::Struct(mut item) => {
                let input = item.to_token_stream();
                let derives = take_derive(&mut item.attrs);
                self.out.push(Item::Struct(item));
                if derives {
                    self.tokens(expand::derive(input));
                }
            }
            Item::Enum(mut item) => {
                let input = item.to_token_stream();
                let derives = take_derive(&mut item.attrs);
                self.out.push(Item::Enum(item));
                if derives {
                    self.tokens(expand::derive(input));
                }
            }
            Item::Macro(item) if item.mac.path.is_ident("macro_rules") => {
                let name = item.ident.as_ref().unwrap().to_string();
                let mut body = item.mac.tokens.clone();
                for _ in 0..4 {
                    body = last_group(body).expect("a relay macro").stream();
                }
                self.known.insert(name, body);
                self.out.push(Item::Macro(item));
            }
            Item::Use(item) => {
                if let syn::UseTree::Rename(rename) = &item.tree
                    && let Some(info) = self.known.get(&rename.ident.to_string()).cloned()
                {
                    self.known.insert(rename.rename.to_string(), info);
                }
                self.out.push(Item::Use(item));
            }
            Item::Const(item) => match &*item.expr {
                syn::Expr::Block(block) if self.asks(&block.block) => {}
                _ => self.out.push(Item::Const(item)),
            },
            // What is behind feature `alloc`.
            Item::Macro(item) if is_gate(&item.mac.path) => self.out.push(Item::Macro(item)),
            Item::Macro(item) => self.hop(&item.mac.path.to_token_stream().to_string(), item.mac.tokens),
            item => self.out.push(item),
        }
    }

    /// A question in its blocks, with the names under which it asks.
    fn asks(&mut self, block: &syn::Block) -> bool {
        block.stmts.iter().any(|stmt| match stmt {
            syn::Stmt::Item(Item::Use(item)) => {
                if let syn::UseTree::Rename(rename) = &item.tree
                    && let Some(info) = self.known.get(&rename.ident.to_string()).cloned()
                {
                    self.known.insert(rename.rename.to_string(), info);
                }
                false
            }
            syn::Stmt::Expr(syn::Expr::Block(inner), _) => self.asks(&inner.block),
            syn::Stmt::Macro(question) => {
                self.hop(&question.mac.path.to_token_stream().to_string(), question.mac.tokens.clone());
                true
            }
            _ => false,
        })
    }

    /// `Mlp! { [next] [later] => { state } }` is `next! { [later] => { state {what is known of Mlp} } }`.
    fn hop(&mut self, name: &str, tokens: TokenStream) {
        let info = self.known.get(name).unwrap_or_else(|| panic!("nothing is known of `{name}`")).clone();
        let mut paths: Vec<Group> =
            tokens.clone().into_iter().take_while(|token| !is_arrow(token)).map(group).collect();
        let (next, state) = (paths.remove(0).stream().to_string(), last_group(tokens).unwrap().stream());
        let tokens = quote!(#(#paths)* => { #state { #info } });
        if next.ends_with("__expand") {
            self.tokens(expand::resume(tokens));
        } else {
            self.hop(&next, tokens);
        }
    }
}

fn take(attrs: &mut Vec<Attribute>, name: &str) -> Option<Attribute> {
    let at = attrs.iter().position(|attr| attr.path().is_ident(name))?;
    Some(attrs.remove(at))
}

/// Takes `Differentiable` out of `#[derive(…)]`.
fn take_derive(attrs: &mut [Attribute]) -> bool {
    let Some(attr) = attrs.iter_mut().find(|attr| attr.path().is_ident("derive")) else {
        return false;
    };
    let derives = attr.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated).unwrap();
    let others: Vec<_> = derives.iter().filter(|path| !path.is_ident("Differentiable")).collect();
    *attr = syn::parse_quote!(#[derive(#(#others),*)]);
    others.len() < derives.len()
}

fn is_arrow(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '=')
}

fn group(token: TokenTree) -> Group {
    match token {
        TokenTree::Group(group) => group,
        other => panic!("`{other}` where the relay has a group"),
    }
}

fn last_group(tokens: TokenStream) -> Option<Group> {
    let groups = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        _ => None,
    });
    groups.last()
}

/// The comment that says what a file is about.
fn head(source: &str) -> String {
    let comment = source.lines().take_while(|line| line.starts_with("//"));
    comment.chain([""]).flat_map(|line| [line, "\n"]).collect()
}
