//! Integer literals by number. A literal without a type gets a suffix that says which one it is, `3_t7`, so that it keeps its number
//! where the tree is taken apart; later the suffix says its type, or is gone.

use crate::desugar::macros;
use proc_macro2::{Literal, TokenStream, TokenTree};
use std::str::FromStr;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Lit, LitInt, Macro, Type};

/// Begins a mark; no digit of a hexadecimal number.
const MARK: char = 't';

/// The number of a marked literal.
pub fn number(literal: &LitInt) -> Option<usize> {
    literal.suffix().strip_prefix(MARK)?.parse().ok()
}

/// A literal with another suffix, or without one.
pub fn with_suffix(literal: &LitInt, suffix: &str) -> LitInt {
    let text = literal.token().to_string();
    let digits = text.strip_suffix(literal.suffix()).unwrap_or(&text).trim_end_matches('_');
    let text = if suffix.is_empty() { digits.to_owned() } else { format!("{digits}_{suffix}") };
    match Literal::from_str(&text) {
        Ok(mut changed) => {
            changed.set_span(literal.span());
            LitInt::from(changed)
        }
        Err(_) => literal.clone(),
    }
}

/// Marks the literals of a body, and the starts of its ranges; says how many there are of each.
pub fn mark(body: &mut Block) -> (usize, usize) {
    let (mut count, mut starts) = (0, 0);
    each(body, |expr, marked| {
        let Marked::Literal(literal) = marked else { return };
        if literal.suffix().is_empty() {
            let marked = with_suffix(&literal, &format!("{MARK}{count}"));
            // Its text may have no place for a suffix.
            if number(&marked) == Some(count) {
                *expr = literal_of(marked);
                count += 1;
            }
        }
    });
    each(body, |expr, marked| {
        let Marked::Range = marked else { return };
        let Expr::Range(syn::ExprRange { start: Some(start), .. }) = expr else { return };
        if !is_literal(start) {
            let (mark, unit) = (quote::format_ident!("{START}{starts}"), Expr::Verbatim(TokenStream::new()));
            let of = std::mem::replace(&mut **start, unit);
            let cast = Expr::Cast(syn::ExprCast {
                attrs: Vec::new(),
                expr: Box::new(in_parentheses(of)),
                as_token: Default::default(),
                ty: Box::new(syn::parse_quote!(#mark)),
            });
            **start = in_parentheses(cast);
            starts += 1;
        }
    });
    (count, starts)
}

/// Begins the type that the start of a range is cast to, by number: `(a as __start_3)..b`.
const START: &str = "__start_";

/// The number of the range that an expression is the start of.
pub fn start(cast: &syn::ExprCast) -> Option<usize> {
    let Type::Path(path) = &*cast.ty else { return None };
    path.path.get_ident()?.to_string().strip_prefix(START)?.parse().ok()
}

/// The start of a range, cast to the type of the range or as it was.
pub fn cast_to(start: &mut Expr, ty: Option<proc_macro2::Ident>) {
    let Expr::Paren(paren) = start else { return };
    let Expr::Cast(cast) = &mut *paren.expr else { return };
    match ty {
        Some(ty) => *cast.ty = syn::parse_quote!(#ty),
        None => {
            if let Expr::Paren(inner) = &*cast.expr {
                *start = (*inner.expr).clone();
            }
        }
    }
}

fn in_parentheses(expr: Expr) -> Expr {
    Expr::Paren(syn::ExprParen { attrs: Vec::new(), paren_token: Default::default(), expr: Box::new(expr) })
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(paren) => is_literal(&paren.expr),
        Expr::Unary(unary) => is_literal(&unary.expr),
        Expr::Lit(_) => true,
        _ => false,
    }
}

pub fn literal_of(literal: LitInt) -> Expr {
    Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit: Lit::Int(literal) })
}

/// What is looked at in a body.
pub enum Marked {
    Literal(LitInt),
    Range,
    /// The start of a range, in parentheses, by its number.
    Start(usize),
}

/// Changes the integer literals of a body, and its ranges; not what is in sizes or patterns.
pub fn each(body: &mut Block, change: impl FnMut(&mut Expr, Marked)) {
    Each { change }.visit_block_mut(body);
}

struct Each<F> {
    change: F,
}

impl<F: FnMut(&mut Expr, Marked)> VisitMut for Each<F> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Lit(syn::ExprLit { lit: Lit::Int(literal), .. }) => {
                let literal = literal.clone();
                (self.change)(expr, Marked::Literal(literal));
            }
            Expr::Range(_) => {
                visit_mut::visit_expr_mut(self, expr);
                (self.change)(expr, Marked::Range);
            }
            Expr::Paren(paren) => {
                self.visit_expr_mut(&mut paren.expr);
                if let Expr::Cast(cast) = &*paren.expr {
                    if let Some(number) = start(cast) {
                        (self.change)(expr, Marked::Start(number));
                    }
                }
            }
            Expr::Repeat(repeat) => self.visit_expr_mut(&mut repeat.expr),
            // A field of a tuple is no integer, and what is constant has a type of its own.
            Expr::Const(_) => {}
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if is_read(mac) {
            macros::rewrite(mac, |parts| parts.into_iter().for_each(|part| self.visit_expr_mut(part)));
        }
    }

    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        if let syn::Item::Fn(function) = item {
            self.visit_block_mut(&mut function.block);
        }
    }

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

/// Whether the arguments of a macro are expressions that the compiler reads.
pub fn is_read(mac: &Macro) -> bool {
    const READ: &[&str] =
        &["vec", "assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"];
    mac.path.segments.last().is_some_and(|last| READ.contains(&&last.ident.to_string()[..]))
}

/// Code without marks: what is emitted as it was written.
pub fn unmarked(tokens: TokenStream) -> TokenStream {
    tokens.into_iter().map(unmarked_token).collect()
}

fn unmarked_token(token: TokenTree) -> TokenTree {
    match token {
        TokenTree::Group(group) => {
            let mut changed = proc_macro2::Group::new(group.delimiter(), unmarked(group.stream()));
            changed.set_span(group.span());
            TokenTree::Group(changed)
        }
        TokenTree::Literal(literal) if literal.to_string().contains(MARK) => {
            let own = syn::parse2::<LitInt>(TokenTree::Literal(literal.clone()).into()).ok();
            match own.filter(|own| number(own).is_some()) {
                Some(own) => TokenTree::Literal(with_suffix(&own, "").token()),
                None => TokenTree::Literal(literal),
            }
        }
        other => other,
    }
}
