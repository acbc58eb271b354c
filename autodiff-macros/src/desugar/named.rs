//! Iterators that have a name: `let pairs = x.iter().zip(y);` stands where `pairs` is used.
//!
//! Note [Named iterators]. An iterator does nothing until somebody takes its elements, so it may as well be written where
//! it is used. What is evaluated when it is made, and what its closures mention of names that stand for something else
//! by then, is given a name of its own in its place. An iterator that is used up in parts has a variable beside it, which
//! says how many of its elements have been taken:
//!
//! ```text
//! let mut it = a.iter();               let mut it_at = 0;
//! let first = it.next();               let first = rest(a.iter(), it_at).next();
//! for v in it { … }                    for v in rest(a.iter(), it_at) { … }
//! ```
//!
//! One whose elements are taken from both ends has two such variables. What is left of it ends before those that have been taken
//! from the back, and backwards it begins behind those that have been taken from the front:
//!
//! ```text
//! it.next()                            rest(a.iter().rev().skip(it_back).rev(), it_at).next()
//! it.next_back()                       rest(a.iter().skip(it_at).rev(), it_back).next()
//! ```

use super::build::{At, bare};
use super::iter::{By, Iter, in_some, rest};
use super::scope::Substitute;
use super::{Desugar, drive, jumps, names};
use std::collections::HashSet;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Ident, Local, LocalInit, Pat, Stmt};

/// Methods that take some of the elements.
const TAKES: &[&str] = &["next", "next_back", "by_ref", "nth", "nth_back", "peek", "peek_mut", "next_if", "next_if_eq"];
/// Methods that take as many as they need.
const SEARCHES: &[&str] = &["find", "find_map", "position", "any", "all", "try_fold", "try_for_each"];

impl Desugar<'_> {
    /// Puts the iterators that a block names where they are used.
    pub(super) fn named_iterators(&mut self, block: &mut Block) {
        block.stmts = std::mem::take(&mut block.stmts).into_iter().flat_map(one_by_one).collect();
        let mut k = 0;
        while k < block.stmts.len() {
            let Some((name, mut iter, mutable)) = named(&block.stmts[k]) else {
                k += 1;
                continue;
            };
            let at = At(name.span());
            let mut rest_of_block = block.stmts.split_off(k + 1);
            let uses = Substitute::uses_in(&name.to_string(), &rest_of_block);
            if uses.uses == 0 || uses.opaque {
                block.stmts.append(&mut rest_of_block);
                k += 1;
                continue;
            }
            // What has been handed over is used up further.
            let is_rest = matches!(Iter::parse(&iter), Some(Iter::Rest(..)));
            let in_parts = !is_rest && takes_some(&at.stmts(rest_of_block.clone()), &name.to_string(), mutable);
            let after = at.stmts(rest_of_block.clone());
            let mut touched = names::defined_in(&after);
            touched.extend(names::assigned_by(&after));
            let mut before = Vec::new();
            let problem = match (uses.assigned, self.evaluated(&mut iter, &touched, at, &mut before)) {
                (true, _) => Some(("an iterator that is assigned to", "give each iterator a name of its own")),
                (_, false) => Some(("an iterator that changes what it goes over", "write it where it is used")),
                _ if in_parts && !Iter::parse(&iter).is_some_and(|iter| drive::is_indexed(&iter)) => Some((
                    "taking the elements of this iterator one by one",
                    "collect it into a `Vec` first, and name the iterator of that",
                )),
                _ => None,
            };
            let position = self.names.fresh(&format!("{name}_at"), at.0);
            let from_back = self.names.fresh(&format!("{name}_back"), at.0);
            let backwards = Ident::new(&format!("{from_back}wards"), at.0);
            let is_one = !names::defined_in(&after).contains(&name.to_string());
            let both_ends = in_parts && problem.is_none() && is_one && {
                let mut back = Back { name: &name, to: &backwards, found: false };
                rest_of_block.iter_mut().for_each(|stmt| back.visit_stmt_mut(stmt));
                back.found
            };
            let with = |used: &Ident| {
                let at = At(used.span());
                match problem {
                    Some(_) => Desugar::reported(),
                    None if both_ends => {
                        let reversed = at.method(iter.clone(), "rev", vec![]);
                        let left = at.method(reversed, "skip", vec![at.path(&from_back)]);
                        rest(at.method(left, "rev", vec![]), at.path(&position), at)
                    }
                    None if in_parts => rest(iter.clone(), at.path(&position), at),
                    None => drive::paren(iter.clone(), at),
                }
            };
            Substitute::new(&name, &with).stmts(&mut rest_of_block);
            if both_ends {
                let with = |used: &Ident| {
                    let at = At(used.span());
                    let left = at.method(iter.clone(), "skip", vec![at.path(&position)]);
                    rest(at.method(left, "rev", vec![]), at.path(&from_back), at)
                };
                Substitute::new(&backwards, &with).stmts(&mut rest_of_block);
                before.push(at.define(&from_back, true, at.count(0)));
            }
            if let Some((what, help)) = problem {
                self.unsupported(at.0, what, help);
            } else if in_parts {
                before.push(at.define(&position, true, at.count(0)));
            }
            block.stmts.pop();
            k += before.len();
            block.stmts.append(&mut before);
            block.stmts.append(&mut rest_of_block);
        }
    }

    /// Gives names to what is evaluated when the iterator is made, where it is no place or mentions what is `touched` before it is
    /// used, and to what its closures capture of that. Whether that can be done.
    fn evaluated(&mut self, expr: &mut Expr, touched: &HashSet<String>, at: At, before: &mut Vec<Stmt>) -> bool {
        let call = match expr {
            Expr::Paren(paren) => return self.evaluated(&mut paren.expr, touched, at, before),
            Expr::Range(range) => {
                let ends = [range.start.as_deref_mut(), range.end.as_deref_mut()];
                return ends.into_iter().flatten().all(|end| self.once(end, By::Value, touched, at, before));
            }
            Expr::Call(call) => {
                return call.args.iter_mut().all(|arg| self.part(arg, touched, at, before));
            }
            Expr::MethodCall(call) => call,
            other => return self.once(other, By::Value, touched, at, before),
        };
        let method = call.method.to_string();
        let by = match &method[..] {
            "iter_mut" | "chunks_mut" | "chunks_exact_mut" => Some(By::Mut),
            "iter" | "windows" | "chunks" | "chunks_exact" => Some(By::Ref),
            "into_iter" if Iter::parse(&call.receiver).is_none() => Some(By::Value),
            _ => None,
        };
        let receiver = match by {
            Some(by) => self.once(&mut call.receiver, by, touched, at, before),
            None => self.evaluated(&mut call.receiver, touched, at, before),
        };
        receiver && call.args.iter_mut().all(|arg| self.part(arg, touched, at, before))
    }

    /// An argument of an adapter.
    fn part(&mut self, arg: &mut Expr, touched: &HashSet<String>, at: At, before: &mut Vec<Stmt>) -> bool {
        if Iter::parse(arg).is_some() {
            return self.evaluated(arg, touched, at, before);
        }
        let is_some = in_some(arg).is_some();
        match arg {
            // The first one of `successors`.
            Expr::Call(call) if is_some => call.args.iter_mut().all(|arg| self.part(arg, touched, at, before)),
            Expr::Closure(_) => {
                let effects = names::has_effects(arg);
                let mut captured: Vec<&String> =
                    touched.iter().filter(|name| Substitute::is_free_in(name, arg)).collect();
                captured.sort();
                for name in captured {
                    let original = Ident::new(name, at.0);
                    let own = self.names.fresh(name, at.0);
                    let with = |used: &Ident| At(used.span()).path(&own);
                    let mut substitute = Substitute::new(&original, &with);
                    substitute.visit_expr_mut(arg);
                    if effects || substitute.opaque || substitute.called {
                        return false;
                    }
                    before.push(at.define(&own, false, at.path(&original)));
                }
                true
            }
            Expr::Reference(reference) if reference.mutability.is_none() => {
                self.once(&mut reference.expr, By::Ref, touched, at, before)
            }
            Expr::Reference(reference) => self.once(&mut reference.expr, By::Mut, touched, at, before),
            other => self.once(other, By::Value, touched, at, before),
        }
    }

    fn once(&mut self, expr: &mut Expr, by: By, touched: &HashSet<String>, at: At, before: &mut Vec<Stmt>) -> bool {
        let mentions = touched.iter().any(|name| Substitute::is_free_in(name, expr));
        if jumps::is_simple(expr) && !mentions {
            return true;
        }
        if by == By::Mut {
            return false;
        }
        let name = self.names.fresh("items", at.0);
        let value = std::mem::replace(expr, at.path(&name));
        let value = match by {
            By::Ref if jumps::is_place(&bare(value.clone())) || matches!(bare(value.clone()), Expr::Index(_)) => {
                at.refer(false, value)
            }
            _ => value,
        };
        before.push(at.define(&name, false, value));
        true
    }
}

/// `let (p, q) = (a.iter(), b.iter());` as two statements.
fn one_by_one(stmt: Stmt) -> Vec<Stmt> {
    let Stmt::Local(local) = &stmt else { return vec![stmt] };
    let (Pat::Tuple(pats), Some(LocalInit { expr: values, diverge: None, eq_token })) = (&local.pat, &local.init)
    else {
        return vec![stmt];
    };
    let Expr::Tuple(values) = &**values else { return vec![stmt] };
    let is_name = |pat: &Pat| matches!(pat, Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none());
    let own: Vec<String> = pats.elems.iter().flat_map(names::bound).map(|name| name.to_string()).collect();
    // What comes later must not mean one of the new names.
    let apart = values.elems.iter().all(|value| own.iter().all(|name| !Substitute::is_free_in(name, value)));
    let lets = || {
        pats.elems.iter().zip(&values.elems).map(|(pat, value)| {
            let init = LocalInit { eq_token: *eq_token, expr: Box::new(value.clone()), diverge: None };
            Stmt::Local(Local { pat: pat.clone(), init: Some(init), ..local.clone() })
        })
    };
    let split = pats.elems.len() == values.elems.len()
        && apart
        && pats.elems.iter().all(is_name)
        && lets().any(|stmt| named(&stmt).is_some());
    if split { lets().collect() } else { vec![stmt] }
}

/// `let name = iterator;`, and whether it is `mut`.
fn named(stmt: &Stmt) -> Option<(Ident, Expr, bool)> {
    let Stmt::Local(local) = stmt else { return None };
    let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else { return None };
    let iter = Iter::parse(&init.expr)?;
    let is_iterator = match (&iter, bare((*init.expr).clone())) {
        (Iter::Elements { .. }, Expr::MethodCall(call)) => call.method != "clone",
        (Iter::Range { end, .. }, _) => end.is_some(),
        (_, Expr::MethodCall(_) | Expr::Call(_)) => true,
        _ => false,
    };
    let plain = init.diverge.is_none() && name.subpat.is_none() && name.by_ref.is_none();
    (is_iterator && plain).then(|| (name.ident.clone(), (*init.expr).clone(), name.mutability.is_some()))
}

/// Gives another name to an iterator where elements are taken from its end: `it.next_back()` is `to.next()`.
struct Back<'n> {
    name: &'n Ident,
    to: &'n Ident,
    found: bool,
}

impl Back<'_> {
    /// Whether it is the iterator, or `it.by_ref()`.
    fn is_it(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path.path.is_ident(self.name),
            Expr::MethodCall(call) => call.method == "by_ref" && self.is_it(&call.receiver),
            _ => false,
        }
    }
}

impl VisitMut for Back<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::MethodCall(call) = expr {
            let forwards = match &call.method.to_string()[..] {
                "next_back" => Some("next"),
                "nth_back" => Some("nth"),
                "rev" => Some("by_ref"),
                _ => None,
            };
            if let Some(forwards) = forwards.filter(|_| self.is_it(&call.receiver)) {
                let at = At(call.method.span());
                *call.receiver = at.path(self.to);
                call.method = Ident::new(forwards, at.0);
                self.found = true;
            }
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether an iterator is used up in parts.
fn takes_some(block: &Block, name: &str, mutable: bool) -> bool {
    struct Parts<'n> {
        name: &'n str,
        mutable: bool,
        found: bool,
    }
    impl Parts<'_> {
        fn is_it(&self, expr: &Expr) -> bool {
            matches!(expr, Expr::Path(path) if path.path.is_ident(self.name))
        }
    }
    impl<'a> syn::visit::Visit<'a> for Parts<'_> {
        fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
            let method = call.method.to_string();
            let takes = TAKES.contains(&&method[..]) || self.mutable && SEARCHES.contains(&&method[..]);
            self.found |= takes && self.is_it(&call.receiver);
            syn::visit::visit_expr_method_call(self, call);
        }

        fn visit_expr_reference(&mut self, reference: &'a syn::ExprReference) {
            self.found |= reference.mutability.is_some() && self.is_it(&reference.expr);
            syn::visit::visit_expr_reference(self, reference);
        }
    }
    let mut parts = Parts { name, mutable, found: false };
    syn::visit::Visit::visit_block(&mut parts, block);
    parts.found
}
