//! Patterns for arrays and slices: `[]`, `[x, y]`, `[first, rest @ ..]`, `[.., last]`.
//!
//! Such a pattern fits if the length does, and then if the patterns for the elements do. Elements are looked at only where the
//! length is right. `rest` is a part of what is matched.

use super::Lower;
use super::assign::unparen;
use super::pattern::{Subject, aligned, strip};
use super::place::Place;
use super::value::{Lowered, Value};
use crate::ir::Var;
use crate::ir::dim::Dim;
use crate::layout::Kind;
use std::rc::Rc;
use syn::{Expr, Local, Member, Pat, PatSlice, parse_quote};

/// The name of what is matched.
const MATCHED: &str = "__autodiff_matched";

/// Whether a pattern has a name for the elements in between.
pub(super) fn names_rest(slice: &PatSlice) -> bool {
    slice.elems.iter().any(|pat| is_rest(pat) && !matches!(pat, Pat::Rest(_)))
}

pub(super) fn has_rest(slice: &PatSlice) -> bool {
    slice.elems.iter().any(is_rest)
}

/// `let ((x, y), z) = (a, b);` of `let [(x, y), z] = [a, b];`
pub(super) fn as_tuple(local: &Local) -> Option<Local> {
    let (Pat::Slice(slice), Some(init)) = (&local.pat, &local.init) else { return None };
    let Expr::Array(array) = unparen(&init.expr) else { return None };
    let takes_apart = slice.elems.iter().any(|pat| matches!(pat, Pat::Tuple(_) | Pat::TupleStruct(_) | Pat::Struct(_)));
    if !takes_apart || has_rest(slice) || slice.elems.len() != array.elems.len() || init.diverge.is_some() {
        return None;
    }
    let (names, values) = (slice.elems.iter(), array.elems.iter());
    let init = syn::LocalInit { expr: Box::new(parse_quote!((#(#values,)*))), ..init.clone() };
    Some(Local { pat: parse_quote!((#(#names,)*)), init: Some(init), ..local.clone() })
}

fn literal(count: usize) -> Dim {
    Dim::literal(i64::try_from(count).unwrap_or(i64::MAX))
}

/// `..` or `rest @ ..`
fn is_rest(pat: &Pat) -> bool {
    match pat {
        Pat::Rest(_) => true,
        Pat::Ident(name) => name.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, Pat::Rest(_))),
        _ => false,
    }
}

/// Whether there are as many elements as a pattern asks for.
fn is_of_length(slice: &PatSlice, len: usize) -> bool {
    let fixed = slice.elems.iter().filter(|pat| !is_rest(pat)).count();
    len == fixed || has_rest(slice) && len > fixed
}

/// Whether it fits whatever is there.
fn is_plain(pat: &Pat) -> bool {
    match strip(pat) {
        Pat::Wild(_) => true,
        Pat::Ident(name) => name.subpat.is_none() && name.ident.to_string().starts_with(|c: char| !c.is_uppercase()),
        _ => false,
    }
}

impl Lower<'_> {
    /// Whether a pattern asks for another number of elements than there are.
    pub(super) fn never_fits(&mut self, pat: &Pat, value: &Value) -> bool {
        match (strip(pat), value) {
            (Pat::Slice(slice), value) => self.literal_len(value).is_some_and(|len| !is_of_length(slice, len)),
            (Pat::Tuple(tuple), Value::Parts(Kind::Tuple, parts)) => {
                let pats: Vec<&Pat> = tuple.elems.iter().collect();
                aligned(&pats, parts).into_iter().any(|(pat, part)| self.never_fits(pat, part))
            }
            (Pat::Or(or), value) => or.cases.iter().all(|case| self.never_fits(case, value)),
            _ => false,
        }
    }

    /// `None`, if it always does.
    pub(super) fn slice_fits(&mut self, slice: &PatSlice, value: &Value) -> Lowered<Option<Var>> {
        let fixed = slice.elems.iter().filter(|pat| !is_rest(pat)).count();
        let literal = self.literal_len(value);
        self.scoped(|lower| {
            let matched = lower.matched(value);
            let length = match literal {
                Some(len) if is_of_length(slice, len) => None,
                Some(_) => return lower.truth(&parse_quote!(false)).map(Some),
                None if has_rest(slice) && fixed == 0 => None,
                None if has_rest(slice) => Some(lower.truth(&parse_quote!(#matched.len() >= #fixed))?),
                None => Some(lower.truth(&parse_quote!(#matched.len() == #fixed))?),
            };
            let elements: Vec<(&Pat, Expr)> = lower.elements_of(slice, literal, &matched);
            let choosy: Vec<_> = elements.into_iter().filter(|(pat, _)| !is_rest(pat) && !is_plain(pat)).collect();
            let all = |lower: &mut Self| {
                let mut all = None;
                for (pat, element) in &choosy {
                    let element = lower.expr(element)?;
                    let fits = lower.fits(pat, &Subject::Value(element))?;
                    all = lower.all(all, fits)?;
                }
                Ok(all)
            };
            match length {
                None => all(lower),
                Some(length) if choosy.is_empty() => Ok(Some(length)),
                Some(length) => lower
                    .short_circuit(length, false, |lower| match all(lower)? {
                        Some(fits) => Ok(fits),
                        None => lower.truth(&parse_quote!(true)),
                    })
                    .map(Some),
            }
        })
    }

    /// The names in a pattern that fits.
    pub(super) fn bind_slice(&mut self, slice: &PatSlice, value: &Value) -> Lowered<()> {
        let literal = self.literal_len(value);
        let parts = self.scoped(|lower| {
            let matched = lower.matched(value);
            let mut parts = Vec::new();
            for (pat, element) in lower.elements_of(slice, literal, &matched) {
                if !matches!(pat, Pat::Rest(_) | Pat::Wild(_)) {
                    parts.push((pat, lower.expr(&element)?));
                }
            }
            Ok(parts)
        })?;
        for (pat, part) in parts {
            match pat {
                Pat::Ident(name) if is_rest(pat) => self.define(&name.ident.to_string(), Some(part), false),
                pat => self.bind_fitting(pat, part)?,
            }
        }
        Ok(())
    }

    /// The same of a mutable borrow: each name is one of an element, and `rest` of what is in between.
    pub(super) fn bind_slice_places(&mut self, slice: &PatSlice, place: &Place) -> Lowered<()> {
        let whole = self.read(place, slice)?;
        let len = match (&whole, self.as_slice(&whole)) {
            (_, Some(all)) => all.len,
            (Value::Parts(Kind::Array, parts), None) => literal(parts.len()),
            _ => return self.unsupported(slice, "this pattern for a mutable borrow", "borrow its parts one by one"),
        };
        let count = slice.elems.len();
        let rest = slice.elems.iter().position(is_rest).unwrap_or(count);
        for (k, pat) in slice.elems.iter().enumerate() {
            match pat {
                Pat::Rest(_) | Pat::Wild(_) => {}
                Pat::Ident(name) if k == rest => {
                    let between = self.sub_place(place, &literal(rest), len.minus(&literal(count - 1)));
                    self.define(&name.ident.to_string(), Some(Value::Borrow(Rc::new(between))), false);
                }
                pat => {
                    let at = if k < rest { literal(k) } else { len.minus(&literal(count - k)) };
                    let element = match (&whole, at.as_literal().and_then(|at| usize::try_from(at).ok())) {
                        (Value::Parts(..), Some(at)) => place.field(Member::Unnamed(at.into())),
                        _ => {
                            let at = self.b.dim(at);
                            self.element_place(place, at)
                        }
                    };
                    self.bind_places(pat, &element)?;
                }
            }
        }
        Ok(())
    }

    fn matched(&mut self, value: &Value) -> syn::Ident {
        self.define(MATCHED, Some(value.clone()), false);
        quote::format_ident!("{MATCHED}")
    }

    /// A condition that is made here.
    fn truth(&mut self, cond: &Expr) -> Lowered<Var> {
        self.pure_condition(cond)
    }

    fn literal_len(&mut self, value: &Value) -> Option<usize> {
        match value {
            Value::Parts(Kind::Array, parts) => Some(parts.len()),
            Value::Slice(slice) if slice.count.is_some() => None,
            value => usize::try_from(self.as_slice(value)?.len.as_literal()?).ok(),
        }
    }

    /// The parts of a pattern, each with what it is matched with.
    fn elements_of<'p>(
        &self,
        slice: &'p PatSlice,
        literal: Option<usize>,
        matched: &syn::Ident,
    ) -> Vec<(&'p Pat, Expr)> {
        let count = slice.elems.len();
        let rest = slice.elems.iter().position(is_rest).unwrap_or(count);
        let from_end = |behind: usize| -> Expr {
            match literal.and_then(|len| len.checked_sub(behind)) {
                Some(at) => parse_quote!(#at),
                None => parse_quote!(#matched.len() - #behind),
            }
        };
        let parts = slice.elems.iter().enumerate().map(|(k, pat)| {
            let element: Expr = if k == rest {
                let end = from_end(count - rest - 1);
                parse_quote!(&#matched[#rest..#end])
            } else if k < rest {
                parse_quote!(#matched[#k])
            } else {
                let at = from_end(count - k);
                parse_quote!(#matched[#at])
            };
            (pat, element)
        });
        parts.collect()
    }
}
