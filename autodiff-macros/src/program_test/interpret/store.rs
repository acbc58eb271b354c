//! Variables and places.

use super::operate::member;
use super::{Machine, Place, Run, Value, wrong};
use std::collections::HashMap;
use std::rc::Rc;
use syn::{Expr, UnOp};

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
            value = match value {
                Value::Option(Some(inner)) => inner,
                Value::Seq(parts) | Value::Tuple(parts) | Value::Struct(_, parts) => {
                    let len = parts.len();
                    match parts.get_mut(*k) {
                        Some(part) => part,
                        None => return wrong(format!("index {k} of {len}")),
                    }
                }
                _ => return wrong("no parts"),
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

    /// What is in the place that an expression names.
    pub(super) fn read(&mut self, expr: &Expr) -> Run<Value> {
        let place = self.place(expr)?;
        match place.range {
            Some(_) => Ok(self.load(Value::Place(place))),
            None => self.at(&place).cloned(),
        }
    }

    /// A place; that of a value is a new one.
    pub fn place(&mut self, expr: &Expr) -> Run<Place> {
        match expr {
            Expr::Path(path) if path.path.get_ident().is_some_and(|name| self.slot(&name.to_string()).is_ok()) => {
                let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
                Ok(Place { slot: self.slot(&name)?, at: Vec::new(), range: None })
            }
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let place = self.place(&unary.expr)?;
                self.follow(place)
            }
            Expr::Field(field) => {
                let place = self.place(&field.base)?;
                let mut place = self.follow(place)?;
                let at = match (self.at(&place)?, &field.member) {
                    (Value::Tuple(_), syn::Member::Unnamed(index)) => index.index as usize,
                    (Value::Struct(owner, _), name) => {
                        let (owner, name) = (Rc::clone(owner), member(name));
                        let names = self.items.fields.get(&*owner).map(|(_, names)| &names[..]);
                        match names.unwrap_or_default().iter().position(|field| *field == name) {
                            Some(k) => k,
                            None => return wrong(format!("no field `{name}` of `{owner}`")),
                        }
                    }
                    _ => return wrong("no fields"),
                };
                place.at.push(at);
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
            value => {
                let value = self.expr(value)?;
                self.slots.push(value);
                Ok(Place { slot: self.slots.len() - 1, at: Vec::new(), range: None })
            }
        }
    }

    /// The place that a borrow is of.
    pub(super) fn follow(&mut self, mut place: Place) -> Run<Place> {
        while let Value::Place(inner) = self.at(&place)? {
            place = inner.clone();
        }
        Ok(place)
    }
}
