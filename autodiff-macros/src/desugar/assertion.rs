//! Assertions as an `if` around a `panic!`, so that their conditions may be whatever a condition may be.

use super::build::At;
use super::written::written;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, Macro, Token};

const NAMES: [&str; 6] = ["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"];

pub(super) fn is_one(mac: &Macro) -> bool {
    mac.path.segments.last().is_some_and(|last| NAMES.contains(&&*last.ident.to_string()))
}

/// What is in `assert!(…)`.
struct Assertion {
    exprs: Vec<Expr>,
    message: TokenStream,
}

/// One expression, or two, and the rest.
fn parse(count: usize) -> impl Fn(ParseStream) -> syn::Result<Assertion> {
    move |input| {
        let mut exprs = vec![Expr::parse(input)?];
        for _ in 1..count {
            input.parse::<Token![,]>()?;
            exprs.push(input.parse()?);
        }
        input.parse::<Option<Token![,]>>()?;
        Ok(Assertion { exprs, message: input.parse()? })
    }
}

/// `if !c { panic!(…) }`; nothing, if it cannot be parsed, which rustc says.
pub(super) fn checked(mac: &Macro) -> Option<Expr> {
    let name = mac.path.segments.last()?.ident.to_string();
    let kind = name.trim_start_matches("debug_");
    let count = if kind == "assert" { 1 } else { 2 };
    let Assertion { exprs, message } = mac.parse_body_with(parse(count)).ok()?;
    let at = At(mac.path.span());
    let (fails, sign) = match (kind, &exprs[..]) {
        ("assert", [cond]) => (at.not(cond.clone()), ""),
        ("assert_eq", [left, right]) => (at.binary(left.clone(), BinOp::Ne(Token![!=](at.0)), right.clone()), "=="),
        (_, [left, right]) => (at.binary(left.clone(), BinOp::Eq(Token![==](at.0)), right.clone()), "!="),
        _ => return None,
    };
    let text = format!("assertion `left {sign} right` failed");
    let message = match (&exprs[..], message.is_empty()) {
        ([cond], true) => {
            let text = format!("assertion failed: {}", as_written(cond)).replace('{', "{{").replace('}', "}}");
            quote!(#text)
        }
        ([_], false) => message,
        (_, true) => quote!(#text),
        (_, false) => after(&format!("{text}: "), message),
    };
    let panic = at.statement(syn::parse2(quote!(panic!(#message))).ok()?);
    let check = at.choose(fails, vec![panic], None);
    if kind == name {
        return Some(check);
    }
    let debug = syn::parse2(quote!(cfg!(debug_assertions))).ok()?;
    Some(at.choose(debug, vec![at.statement(check)], None))
}

fn as_written(expr: &Expr) -> String {
    let mut expr = expr.clone();
    super::marks::Unmark.visit_expr_mut(&mut expr);
    written(expr.to_token_stream())
}

/// A format string with text before it.
fn after(text: &str, message: TokenStream) -> TokenStream {
    let mut tokens = message.clone().into_iter();
    let first = tokens.next().into_iter().collect();
    match syn::parse2::<syn::LitStr>(first) {
        Ok(format) => {
            let (format, rest) = (format!("{text}{}", format.value()), tokens.collect::<TokenStream>());
            quote!(#format #rest)
        }
        Err(_) => message,
    }
}
