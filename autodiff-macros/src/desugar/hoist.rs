//! What is evaluated once, when an iterator is made: it is a `let` before the loop, unless having it again is as good.

use super::Desugar;
use super::build::{At, bare};
use super::drive::is_indexed;
use super::iter::{By, Iter};
use super::jumps;
use super::names;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::{Expr, Stmt};

impl Desugar<'_> {
    /// The iterator with everything evaluated that is evaluated once; `changed` is what the loop changes.
    pub fn prepare(&mut self, mut iter: Iter, changed: &HashSet<String>, at: At) -> (Iter, Vec<Stmt>) {
        let mut before = Vec::new();
        self.hoist(&mut iter, changed, at, &mut before);
        (iter, before)
    }

    fn hoist(&mut self, iter: &mut Iter, changed: &HashSet<String>, at: At, before: &mut Vec<Stmt>) {
        match iter {
            Iter::Elements { of, by } => self.hoist_place(of, *by, changed, at, before),
            Iter::Windows { of, size } => {
                self.hoist_place(of, By::Ref, changed, at, before);
                self.hoist_number(size, "size", changed, at, before);
            }
            Iter::Chunks { of, size, by, .. } => {
                self.hoist_place(of, *by, changed, at, before);
                self.hoist_number(size, "size", changed, at, before);
            }
            Iter::Zip(left, right) => {
                self.hoist(left, changed, at, before);
                self.hoist(right, changed, at, before);
                if !is_indexed(left) {
                    // Within other scopes, where its names may mean something else.
                    for expr in right.once_exprs_mut() {
                        let name = self.names.fresh("items", at.0);
                        let value = std::mem::replace(expr, at.path(&name));
                        before.push(at.define(&name, false, value));
                    }
                }
            }
            Iter::Chain(left, right) => {
                self.hoist(left, changed, at, before);
                self.hoist(right, changed, at, before);
            }
            Iter::Range { start, end, .. } => {
                self.hoist_number(start, "start", changed, at, before);
                if let Some(end) = end {
                    self.hoist_number(end, "end", changed, at, before);
                }
            }
            Iter::Repeat(value) | Iter::Once(value) | Iter::Successors(value, _) => {
                self.hoist_number(value, "value", changed, at, before)
            }
            Iter::StepBy(inner, arg) | Iter::Skip(inner, arg) | Iter::Take(inner, arg) => {
                self.hoist(inner, changed, at, before);
                self.hoist_number(arg, "count", changed, at, before);
            }
            Iter::Scan(inner, start, _) => {
                self.hoist(inner, changed, at, before);
                self.hoist_number(start, "start", changed, at, before);
            }
            Iter::Enumerate(inner)
            | Iter::Rev(inner)
            | Iter::Cycle(inner)
            | Iter::Flatten(inner)
            | Iter::Rest(inner, _)
            | Iter::Map(inner, _)
            | Iter::Inspect(inner, _)
            | Iter::Filter(inner, _)
            | Iter::TakeWhile(inner, _)
            | Iter::SkipWhile(inner, _)
            | Iter::FilterMap(inner, _)
            | Iter::MapWhile(inner, _)
            | Iter::FlatMap(inner, _) => self.hoist(inner, changed, at, before),
        }
    }

    fn hoist_place(&mut self, of: &mut Expr, by: By, changed: &HashSet<String>, at: At, before: &mut Vec<Stmt>) {
        self.desugar_expr(of);
        let mut place = bare(of.clone());
        while let Expr::Reference(reference) = place {
            place = bare(*reference.expr);
        }
        *of = place;
        // What is borrowed does not change; what is moved or copied out of, may.
        let mut unstable = changed.clone();
        if let (true, Some(root)) = (by != By::Value, root(of)) {
            unstable.remove(&root.to_string());
        }
        if jumps::is_place(of) && names::idents(of).is_disjoint(&unstable) {
            return;
        }
        let name = self.names.fresh("items", at.0);
        let place = std::mem::replace(of, at.path(&name));
        let value = match by {
            By::Value => place,
            By::Ref if !jumps::is_place(&place) && !matches!(place, Expr::Index(_)) => place,
            _ => at.refer(by == By::Mut, place),
        };
        before.push(at.define(&name, false, value));
    }

    fn hoist_number(&mut self, expr: &mut Expr, hint: &str, changed: &HashSet<String>, at: At, before: &mut Vec<Stmt>) {
        self.desugar_expr(expr);
        if jumps::is_simple(expr) && names::idents(expr).is_disjoint(changed) {
            return;
        }
        let name = self.names.fresh(hint, at.0);
        let value = std::mem::replace(expr, at.path(&name));
        before.push(at.define(&name, false, value));
    }
}

/// The variable that a place belongs to.
fn root(place: &Expr) -> Option<&Ident> {
    match place {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root(&field.base),
        Expr::Unary(unary) => root(&unary.expr),
        Expr::Paren(paren) => root(&paren.expr),
        Expr::Group(group) => root(&group.expr),
        Expr::Index(index) => root(&index.expr).filter(|_| matches!(bare((*index.index).clone()), Expr::Lit(_))),
        _ => None,
    }
}
