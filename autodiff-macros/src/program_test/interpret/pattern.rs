//! Patterns.

use super::operate::member;
use super::{Machine, Place, Run, Value, is_in, wrong};
use std::rc::Rc;
use syn::{Expr, Pat, PatSlice};

/// Whether a pattern has `ref mut` in it.
fn borrows(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(name) => name.by_ref.is_some() && name.mutability.is_some(),
        Pat::TupleStruct(pattern) => pattern.elems.iter().any(borrows),
        Pat::Tuple(pattern) => pattern.elems.iter().any(borrows),
        Pat::Slice(pattern) => pattern.elems.iter().any(borrows),
        Pat::Struct(pattern) => pattern.fields.iter().any(|field| borrows(&field.pat)),
        _ => false,
    }
}

impl Machine {
    pub fn bind(&mut self, pattern: &Pat, value: Value) -> Run<()> {
        if self.fits(pattern, value)? { Ok(()) } else { wrong("the pattern does not fit") }
    }

    /// The parts of a tuple, an array or a struct; of one that is borrowed, their places.
    fn parts(&mut self, value: Value) -> Run<(Option<Rc<str>>, Vec<Value>)> {
        let Value::Place(place) = value else {
            return match value {
                Value::Tuple(parts) | Value::Seq(parts) => Ok((None, parts)),
                Value::Struct(name, parts) => Ok((Some(name), parts)),
                Value::Option(Some(inner)) => Ok((Some("Some".into()), vec![*inner])),
                Value::Option(None) => Ok((Some("None".into()), Vec::new())),
                other => wrong(format!("no parts in {other:?}")),
            };
        };
        let place = self.follow(place)?;
        let start = place.range.map_or(0, |(lo, _)| lo);
        let (name, count) = match self.at(&place)? {
            Value::Seq(_) => (None, self.elements(&place)?.len()),
            Value::Tuple(parts) => (None, parts.len()),
            Value::Option(Some(_)) => (Some("Some".into()), 1),
            Value::Option(None) => (Some("None".into()), 0),
            Value::Struct(name, parts) => (Some(Rc::clone(name)), parts.len()),
            other => return wrong(format!("no parts in {other:?}")),
        };
        let at = |k: usize| Place { slot: place.slot, at: [&place.at[..], &[start + k]].concat(), range: None };
        Ok((name, (0..count).map(|k| Value::Place(at(k))).collect()))
    }

    fn all_fit<'p>(&mut self, patterns: impl Iterator<Item = &'p Pat>, parts: Vec<Value>) -> Run<bool> {
        for (pattern, part) in patterns.zip(parts) {
            if matches!(pattern, Pat::Rest(_)) {
                break;
            }
            if !self.fits(pattern, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a pattern fits; binds its names.
    pub(super) fn fits(&mut self, pattern: &Pat, value: Value) -> Run<bool> {
        match pattern {
            Pat::Lit(_) | Pat::Range(_) => {
                let value = self.load(value);
                self.fits_integer(pattern, &value)
            }
            Pat::Or(or) => {
                for case in &or.cases {
                    if self.fits(case, value.clone())? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Pat::Ident(name) if name.ident == "None" => {
                let (name, _) = self.parts(value)?;
                Ok(name.as_deref() == Some("None"))
            }
            Pat::Ident(name) => {
                let fits = match &name.subpat {
                    Some((_, pattern)) => self.fits(pattern, value.clone())?,
                    None => true,
                };
                self.define(&name.ident.to_string(), value);
                Ok(fits)
            }
            Pat::Wild(_) | Pat::Rest(_) => Ok(true),
            Pat::Type(typed) => self.fits(&typed.pat, value),
            Pat::Paren(paren) => self.fits(&paren.pat, value),
            Pat::Reference(reference) => {
                let value = self.load(value);
                self.fits(&reference.pat, value)
            }
            Pat::Tuple(tuple) => {
                let (_, parts) = self.parts(value)?;
                self.all_fit(tuple.elems.iter(), parts)
            }
            Pat::Slice(slice) => self.fits_slice(slice, value),
            Pat::TupleStruct(pattern) => {
                let (name, parts) = self.parts(value)?;
                if name.as_deref() != Some(&self.name(&pattern.path)) {
                    return Ok(false);
                }
                self.all_fit(pattern.elems.iter(), parts)
            }
            Pat::Path(pattern) => {
                let (name, _) = self.parts(value)?;
                Ok(name.as_deref() == Some(&self.name(&pattern.path)))
            }
            Pat::Struct(pattern) => {
                let (name, parts) = self.parts(value)?;
                let wanted = self.name(&pattern.path);
                if name.as_deref() != Some(&wanted) {
                    return Ok(false);
                }
                let items = Rc::clone(&self.items);
                let Some((_, names)) = items.fields.get(&wanted) else { return wrong("no such type") };
                for field in pattern.fields.iter().filter(|field| is_in(&field.attrs)) {
                    let at = names.iter().position(|name| *name == member(&field.member));
                    let Some(part) = at.and_then(|k| parts.get(k)) else { return wrong("no such field") };
                    if !self.fits(&field.pat, part.clone())? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => wrong("this pattern"),
        }
    }

    /// `[p, .., q]` and `[p, rest @ ..]`
    fn fits_slice(&mut self, slice: &PatSlice, value: Value) -> Run<bool> {
        let is_rest = |pattern: &Pat| match pattern {
            Pat::Rest(_) => true,
            Pat::Ident(name) => name.subpat.as_ref().is_some_and(|(_, part)| matches!(**part, Pat::Rest(_))),
            _ => false,
        };
        let whole = match &value {
            Value::Place(place) => Some(self.follow(place.clone())?),
            _ => None,
        };
        let (_, parts) = self.parts(value)?;
        let rest = slice.elems.iter().position(is_rest);
        let fixed = slice.elems.len() - usize::from(rest.is_some());
        if parts.len() < fixed || rest.is_none() && parts.len() > fixed {
            return Ok(false);
        }
        let Some(rest) = rest else { return self.all_fit(slice.elems.iter(), parts) };
        let (before, others) = parts.split_at(rest);
        let (middle, after) = others.split_at(parts.len() - fixed);
        if let Pat::Ident(name) = &slice.elems[rest] {
            let part = match whole {
                Some(place) => {
                    let lo = place.range.map_or(0, |(lo, _)| lo) + rest;
                    Value::Place(Place { range: Some((lo, lo + middle.len())), ..place })
                }
                None => Value::Seq(middle.to_vec()),
            };
            self.define(&name.ident.to_string(), part);
        }
        Ok(self.all_fit(slice.elems.iter(), before.to_vec())?
            && self.all_fit(slice.elems.iter().skip(rest + 1), after.to_vec())?)
    }

    /// What is taken apart; a place if a pattern borrows parts of it.
    pub(super) fn matched(&mut self, expr: &Expr, patterns: &[&Pat]) -> Run<Value> {
        if patterns.iter().any(|pattern| borrows(pattern)) {
            self.place(expr).map(Value::Place)
        } else {
            self.expr(expr)
        }
    }

    fn fits_integer(&mut self, pattern: &Pat, value: &Value) -> Run<bool> {
        match (pattern, value) {
            (Pat::Lit(lit), value) => match (self.expr(&Expr::Lit(lit.clone()))?, value) {
                (Value::Int(n), Value::Int(m)) => Ok(n == *m),
                (Value::Bool(x), Value::Bool(y)) => Ok(x == *y),
                _ => wrong("this pattern"),
            },
            (Pat::Range(range), Value::Int(n)) => {
                let lo = range.start.as_ref().map_or(Ok(0), |lo| self.index(lo))? as i64;
                let closed = i64::from(matches!(range.limits, syn::RangeLimits::Closed(_)));
                let hi = match &range.end {
                    Some(hi) => self.index(hi)? as i64 + closed,
                    None => i64::MAX,
                };
                Ok((lo..hi).contains(n))
            }
            _ => wrong("this pattern"),
        }
    }
}
