//! Variables and places.

use super::{Machine, Place, Run, Value, wrong};
use std::collections::HashMap;
use syn::{Expr, Pat};

impl Machine {
    pub(super) fn define(&mut self, name: &str, value: Value) {
        self.slots.push(value);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), self.slots.len() - 1);
        }
    }

    pub(super) fn slot(&self, name: &str) -> Run<usize> {
        match self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            Some(slot) => Ok(*slot),
            None => wrong(format!("no variable `{name}`")),
        }
    }

    pub fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        self.scopes.push(HashMap::new());
        let result = run(self);
        self.scopes.pop();
        result
    }

    pub(super) fn at(&mut self, place: &Place) -> Run<&mut Value> {
        let mut value = &mut self.slots[place.slot];
        for k in &place.at {
            let (Value::Seq(parts) | Value::Tuple(parts)) = value else { return wrong("no parts") };
            let len = parts.len();
            value = match parts.get_mut(*k) {
                Some(part) => part,
                None => return wrong(format!("index {k} of {len}")),
            };
        }
        Ok(value)
    }

    /// The elements that a place is made of.
    pub fn elements(&mut self, place: &Place) -> Run<&mut [Value]> {
        let range = place.range;
        match self.at(place)? {
            Value::Seq(parts) => {
                let (lo, hi) = range.unwrap_or((0, parts.len()));
                match parts.get_mut(lo..hi) {
                    Some(parts) => Ok(parts),
                    None => wrong("a range out of bounds"),
                }
            }
            _ => wrong("no elements"),
        }
    }

    /// The whole of a `Vec`.
    pub fn grown(&mut self, place: &Place) -> Run<&mut Vec<Value>> {
        match self.at(place)? {
            Value::Seq(parts) if place.range.is_none() => Ok(parts),
            _ => wrong("no `Vec`"),
        }
    }

    /// What a mutable borrow points to.
    pub fn load(&mut self, value: Value) -> Value {
        let Value::Place(place) = value else { return value };
        let loaded = match place.range {
            Some(_) => self.elements(&place).map(|parts| Value::Seq(parts.to_vec())),
            None => self.at(&place).cloned(),
        };
        let loaded = loaded.unwrap_or(Value::Unit);
        self.load(loaded)
    }

    pub fn place(&mut self, expr: &Expr) -> Run<Place> {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
                Ok(Place { slot: self.slot(&name)?, at: Vec::new(), range: None })
            }
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Reference(reference) => self.place(&reference.expr),
            Expr::Unary(unary) => {
                let place = self.place(&unary.expr)?;
                self.follow(place)
            }
            Expr::Field(field) => {
                let place = self.place(&field.base)?;
                let mut place = self.follow(place)?;
                let syn::Member::Unnamed(index) = &field.member else { return wrong("a named field") };
                place.at.push(index.index as usize);
                Ok(place)
            }
            Expr::Index(index) => {
                let place = self.place(&index.expr)?;
                let mut place = self.follow(place)?;
                let start = place.range.map_or(0, |(lo, _)| lo);
                if let Expr::Range(range) = &*index.index {
                    let len = self.elements(&place)?.len();
                    let (lo, hi) = self.bounds(range, len)?;
                    place.range = Some((start + lo, start + hi));
                    self.elements(&place)?;
                    return Ok(place);
                }
                let k = self.index(&index.index)?;
                if k >= self.elements(&place)?.len() {
                    return wrong(format!("index {k} out of bounds"));
                }
                place.at.push(start + k);
                place.range = None;
                Ok(place)
            }
            _ => wrong("this is no place"),
        }
    }

    pub(super) fn follow(&mut self, place: Place) -> Run<Place> {
        match self.at(&place)?.clone() {
            Value::Place(inner) => self.follow(inner),
            _ => Ok(place),
        }
    }

    pub fn bind(&mut self, pattern: &Pat, value: Value) -> Run<()> {
        match pattern {
            Pat::Ident(ident) => self.define(&ident.ident.to_string(), value),
            Pat::Wild(_) => {}
            Pat::Type(typed) => self.bind(&typed.pat, value)?,
            Pat::Paren(paren) => self.bind(&paren.pat, value)?,
            Pat::Reference(reference) => {
                let value = self.load(value);
                self.bind(&reference.pat, value)?;
            }
            Pat::Tuple(tuple) => {
                let Value::Tuple(parts) = value else { return wrong("no tuple") };
                for (pattern, part) in tuple.elems.iter().zip(parts) {
                    self.bind(pattern, part)?;
                }
            }
            _ => return wrong("this pattern"),
        }
        Ok(())
    }
}
