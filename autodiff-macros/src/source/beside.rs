//! Operators that a file implements by value and by reference.
//!
//! Note [Operators by value and by reference]. `impl Add for V` and `impl Add<&V> for &V` are one operation, and have one function: that
//! of the first. The others stay as they are, if they say the same: if they hand on to an operator, `*self + *other`, or
//! are written as the first one is. What is borrowed is no part of what is said.

use super::{Source, header};
use crate::diag::Error;
use crate::methods;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashMap;
use syn::{FnArg, ImplItem, ItemImpl, Pat};

/// The operators of a file that are marked, by the names of their relays: what each block begins with, and what it does.
#[derive(Default)]
pub struct Operators(HashMap<String, Vec<(String, String)>>);

impl Operators {
    pub fn note(&mut self, block: &ItemImpl) {
        for (relay, does) in operators(block) {
            self.0.entry(relay).or_default().push((header(block), does));
        }
    }
}

/// Whether a block implements what another one in its file does, with what is wrong if that is something else.
pub fn is_said_before(block: &ItemImpl) -> Result<bool, Error> {
    let own: Vec<(String, String)> = operators(block).collect();
    let source = crate::file_of(block.impl_token.span).and_then(|file| Source::of(&file));
    let (Some(source), Some((relay, does))) = (source, own.first()) else { return Ok(false) };
    let Some([(first, other), ..]) = source.marked_operators.0.get(relay).map(|all| &all[..]) else { return Ok(false) };
    // Types of one name in several modules are not told apart here.
    let count = methods::self_name(&block.self_ty).and_then(|owner| source.types.get(&owner.to_string()).copied());
    if *first == header(block) || count.unwrap_or(1) > 1 {
        return Ok(false);
    }
    if does == other || is_handed_on(block, does) {
        return Ok(true);
    }
    Err(Error::new(
        &block.self_ty,
        format!("`{first}` is the same operator by value or by reference, and says something else"),
    )
    .note("both have one derivative")
    .help("hand this one on to the other: `*self + *other`; or take `#[differentiable]` off"))
}

/// The functions of a block of a trait of operators, by the names of their relays.
fn operators(block: &ItemImpl) -> impl Iterator<Item = (String, String)> {
    let is_operator = methods::operator_sides(block).is_some()
        || block.trait_.as_ref().and_then(|(_, of, _)| of.segments.last()).is_some_and(|of| of.ident == "Neg");
    let owner = methods::self_name(&block.self_ty).filter(|_| is_operator);
    let functions =
        block.items.iter().filter_map(|item| if let ImplItem::Fn(method) = item { Some(method) } else { None });
    let named = functions.filter_map(move |method| {
        let relay = methods::relay_name(block, owner.as_ref()?, method).to_string();
        let other = method.sig.inputs.iter().find_map(|input| match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) => Some(name.ident.to_string()),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        let mut does = Vec::new();
        flatten(method.block.stmts.iter().map(ToTokens::to_token_stream).collect(), other.as_deref(), &mut does);
        Some((relay, does.join(" ")))
    });
    named.collect::<Vec<_>>().into_iter()
}

/// The tokens without what borrows, copies and groups.
fn flatten(tokens: TokenStream, other: Option<&str>, out: &mut Vec<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis && group.stream().is_empty() => {
                let is_clone = out.ends_with(&[".".to_owned(), "clone".to_owned()]);
                if is_clone {
                    out.truncate(out.len() - 2);
                } else {
                    out.push("()".to_owned());
                }
            }
            TokenTree::Group(group) => {
                let (open, close) = brackets(&group);
                out.extend(open.map(str::to_owned));
                flatten(group.stream(), other, out);
                out.extend(close.map(str::to_owned));
            }
            TokenTree::Punct(punct) if matches!(punct.as_char(), '&' | '*') => {}
            TokenTree::Ident(name) if other.is_some_and(|other| name == other) => out.push("other".to_owned()),
            tree => out.push(tree.to_string()),
        }
    }
}

fn brackets(group: &Group) -> (Option<&'static str>, Option<&'static str>) {
    match group.delimiter() {
        Delimiter::Brace => (Some("{"), Some("}")),
        Delimiter::Bracket => (Some("["), Some("]")),
        Delimiter::Parenthesis | Delimiter::None => (None, None),
    }
}

/// Whether a block does nothing but to call its own operator.
fn is_handed_on(block: &ItemImpl, does: &str) -> bool {
    let of = block.trait_.as_ref().and_then(|(_, of, _)| of.segments.last()).map(|of| of.ident.to_string());
    let sign = match of.as_deref().unwrap_or_default() {
        "Add" => "self + other",
        "Sub" => "self - other",
        // What multiplies is left out like what dereferences.
        "Mul" => "self other",
        "Div" => "self / other",
        "Rem" => "self % other",
        "AddAssign" => "self + = other ;",
        "SubAssign" => "self - = other ;",
        "MulAssign" => "self = other ;",
        "DivAssign" => "self / = other ;",
        "RemAssign" => "self % = other ;",
        "Neg" => "- self",
        _ => return false,
    };
    does == sign || does.strip_suffix(" ;").is_some_and(|does| does == sign) || sign.strip_suffix(" ;") == Some(does)
}
