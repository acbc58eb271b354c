//! Patterns.

use super::operate::member;
use super::{Machine, Place, Run, Value, is_in, wrong};
use std::rc::Rc;
use syn::{Expr, Pat};

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
                other => wrong(format!("no parts in {other:?}")),
            };
        };
        let place = self.follow(place)?;
        let (name, count) = match self.at(&place)? {
            Value::Tuple(parts) | Value::Seq(parts) => (None, parts.len()),
            Value::Struct(name, parts) => (Some(Rc::clone(name)), parts.len()),
            other => return wrong(format!("no parts in {other:?}")),
        };
        let at = |k: usize| Place { slot: place.slot, at: [&place.at[..], &[k]].concat(), range: None };
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
            Pat::Ident(name) if name.ident == "None" => match self.load(value) {
                Value::Option(option) => Ok(option.is_none()),
                _ => wrong("no option"),
            },
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
            Pat::Slice(slice) => {
                let (_, parts) = self.parts(value)?;
                self.all_fit(slice.elems.iter(), parts)
            }
            Pat::TupleStruct(some) if some.path.is_ident("Some") => match self.load(value) {
                Value::Option(Some(inner)) => self.fits(&some.elems[0], *inner),
                Value::Option(None) => Ok(false),
                _ => wrong("no option"),
            },
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
