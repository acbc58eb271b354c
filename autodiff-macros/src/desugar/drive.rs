//! Iterators as loops over an index.
//!
//! Note [Iterators]. Where every element can be had by its number, the loop counts and reads: `zip` takes the shorter
//! length, `rev` counts down, `skip` adds to the index. Otherwise elements are pushed: the loop of the source runs, and
//! each adapter puts its statements around those of the next. Closures become blocks whose `let`s are their parameters.
//! What is evaluated once, when the iterator is made, stands before the loop: see `hoist.rs`.

use super::Desugar;
use super::build::{At, bare};
use super::indexed::{self, Indexed};
use super::iter::{By, Iter};
use super::names;
use super::optional;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::{Expr, Lifetime, Pat, Stmt, Token};

/// An element, in parts as far as it is made of parts.
#[derive(Clone)]
pub enum Item {
    Value(Expr),
    Tuple(Vec<Item>),
}

impl Item {
    pub fn expr(self, at: At) -> Expr {
        match self {
            Item::Value(expr) => expr,
            Item::Tuple(parts) => at.tuple(parts.into_iter().map(|part| part.expr(at)).collect()),
        }
    }
}

/// What is done with each element.
pub type Sink<'s> = Box<dyn FnOnce(&mut Desugar, Item) -> Vec<Stmt> + 's>;

impl Desugar<'_> {
    /// The loop over a prepared iterator. `index` is what its counter is called, if that is known.
    pub fn drive(
        &mut self,
        iter: Iter,
        label: Option<Lifetime>,
        index: Option<Ident>,
        at: At,
        sink: Sink<'_>,
    ) -> Vec<Stmt> {
        match iter {
            Iter::Map(inner, function) => self.drive(
                *inner,
                label,
                index,
                at,
                Box::new(move |this, item| {
                    let mapped = this.inline(&function, vec![item], at);
                    sink(this, Item::Value(mapped))
                }),
            ),
            Iter::Inspect(inner, function) => self.drive(
                *inner,
                label,
                index,
                at,
                shared(at, move |this, item, stmts| {
                    stmts.push(at.statement(this.inline(&function, vec![item.clone()], at)));
                    stmts.extend(sink(this, item));
                }),
            ),
            Iter::Filter(inner, function) => self.drive(
                *inner,
                label,
                index,
                at,
                shared(at, move |this, item, stmts| {
                    let cond = this.inline(&function, vec![item.clone()], at);
                    let body = sink(this, item);
                    stmts.push(at.statement(at.choose(cond, body, None)));
                }),
            ),
            Iter::TakeWhile(inner, function) => {
                let label = self.label_of_loop(label, at);
                let out = label.clone();
                self.drive(
                    *inner,
                    Some(label),
                    index,
                    at,
                    shared(at, move |this, item, stmts| {
                        let cond = this.inline(&function, vec![item.clone()], at);
                        stmts.push(at.leave_if(at.not(cond), out));
                        stmts.extend(sink(this, item));
                    }),
                )
            }
            Iter::SkipWhile(inner, function) => {
                let skipping = self.names.fresh("skipping", at.0);
                let mut stmts = vec![at.define(&skipping, true, at.truth(true))];
                stmts.extend(self.drive(
                    *inner,
                    label,
                    index,
                    at,
                    shared(at, move |this, item, stmts| {
                        let cond = this.inline(&function, vec![item.clone()], at);
                        stmts.push(at.assign(at.path(&skipping), at.and(at.path(&skipping), cond)));
                        let body = sink(this, item);
                        stmts.push(at.statement(at.choose(at.not(at.path(&skipping)), body, None)));
                    }),
                ));
                stmts
            }
            Iter::FilterMap(inner, function) => {
                let each = self.label("each", at);
                let next = at.break_to(Some(each.clone()), None);
                self.drive(
                    *inner,
                    label,
                    index,
                    at,
                    Box::new(move |this, item| {
                        let stmts = this.if_some(&function, vec![item], &next, at, sink);
                        vec![at.statement(at.block(Some(each), stmts))]
                    }),
                )
            }
            Iter::MapWhile(inner, function) => {
                let out = self.label_of_loop(label, at);
                let leave = at.break_to(Some(out.clone()), None);
                let sink: Sink<'_> = Box::new(move |this, item| this.if_some(&function, vec![item], &leave, at, sink));
                self.drive(*inner, Some(out), index, at, sink)
            }
            Iter::Scan(inner, start, function) => {
                let out = self.label_of_loop(label, at);
                let leave = at.break_to(Some(out.clone()), None);
                let state = self.names.fresh("state", at.0);
                let mut stmts = vec![at.define(&state, true, start)];
                let sink: Sink<'_> = Box::new(move |this, item| {
                    let items = vec![Item::Value(at.refer(true, at.path(&state))), item];
                    this.if_some(&function, items, &leave, at, sink)
                });
                stmts.extend(self.drive(*inner, Some(out), index, at, sink));
                stmts
            }
            Iter::Successors(first, function) => self.successors(first, &function, label, at, sink),
            Iter::FlatMap(inner, function) => {
                self.drive(*inner, label, index, at, Box::new(move |this, item| this.nested(&function, item, at, sink)))
            }
            Iter::Flatten(inner) => self.drive(
                *inner,
                label,
                index,
                at,
                Box::new(move |this, item| {
                    let nested = Iter::from(&item.expr(at));
                    this.drive(nested, None, None, at, sink)
                }),
            ),
            Iter::Rev(inner) => match *inner {
                Iter::Map(inner, f) => self.drive(Iter::Map(rev(inner), f), label, index, at, sink),
                Iter::Inspect(inner, f) => self.drive(Iter::Inspect(rev(inner), f), label, index, at, sink),
                Iter::Filter(inner, f) => self.drive(Iter::Filter(rev(inner), f), label, index, at, sink),
                Iter::Rev(inner) => self.drive(*inner, label, index, at, sink),
                Iter::Range { start, end: Some(end), closed, .. } => self.count(
                    at.method(paren(range(start, end, closed, at), at), "rev", vec![]),
                    label,
                    index,
                    at,
                    sink,
                ),
                inner if is_indexed(&inner) => self.by_number(inner, true, label, index, at, sink),
                _ => self.out_of_reach("`rev` of this", at),
            },
            Iter::Range { start, end: Some(end), closed, .. } => {
                self.count(range(start, end, closed, at), label, index, at, sink)
            }
            Iter::Enumerate(inner) if !is_indexed(&inner) => {
                let count = self.names.fresh("count", at.0);
                let mut stmts = vec![at.define(&count, true, at.count(0))];
                let number = self.names.fresh("number", at.0);
                stmts.extend(self.drive(
                    *inner,
                    label,
                    index,
                    at,
                    Box::new(move |this, item| {
                        let mut stmts = vec![at.define(&number, false, at.path(&count))];
                        stmts.push(at.increase(at.path(&count), at.count(1)));
                        stmts.extend(sink(this, Item::Tuple(vec![Item::Value(at.path(&number)), item])));
                        stmts
                    }),
                ));
                stmts
            }
            Iter::Zip(left, right) if !is_indexed(&left) && is_indexed(&right) => {
                self.zip_pushed(*left, *right, label, at, sink)
            }
            // What cannot be had by its number is put into a list first.
            Iter::Zip(left, right)
                if !is_indexed(&right) && is_finite(&right) && !right.exprs().into_iter().any(names::has_effects) =>
            {
                let items = self.names.fresh("items", at.0);
                let list = at.path(&items);
                let mut stmts = vec![super::consume::empty_list(&items, None, None, at)];
                let pushed = list.clone();
                stmts.extend(self.drive(
                    *right,
                    None,
                    None,
                    at,
                    Box::new(move |_, item| vec![at.statement(at.method(pushed, "push", vec![item.expr(at)]))]),
                ));
                let right = Box::new(Iter::Elements { of: list, by: By::Value });
                stmts.extend(self.drive(Iter::Zip(left, right), label, index, at, sink));
                stmts
            }
            Iter::Skip(inner, count) if !passes_over(&inner) => self
                .counted(*inner, label, at, sink, move |seen| at.binary(seen, syn::BinOp::Ge(Token![>=](at.0)), count)),
            Iter::StepBy(inner, step) if !passes_over(&inner) => self.counted(*inner, label, at, sink, move |seen| {
                let rest = at.binary(seen, syn::BinOp::Rem(Token![%](at.0)), step);
                at.binary(rest, syn::BinOp::Eq(Token![==](at.0)), at.count(0))
            }),
            Iter::Rest(inner, taken) => self.rest(*inner, &taken, None, label, index, at, sink),
            Iter::Take(inner, count) if matches!(*inner, Iter::Rest(..)) => match *inner {
                Iter::Rest(inner, taken) => self.rest(*inner, &taken, Some(count), label, index, at, sink),
                _ => self.out_of_reach("this iterator", at),
            },
            Iter::Take(inner, count) if !is_indexed(&inner) => self.take_pushed(*inner, count, label, at, sink),
            iter if is_indexed(&iter) => self.by_number(iter, false, label, index, at, sink),
            Iter::Chain(left, right) => self.one_after_the_other(*left, *right, label, at, sink),
            _ => self.out_of_reach("this iterator", at),
        }
    }

    /// What is done with the value in the `Some` that a closure gives; `none` leaves instead.
    fn if_some(&mut self, function: &Expr, items: Vec<Item>, none: &Expr, at: At, sink: Sink<'_>) -> Vec<Stmt> {
        let value = match bare(function.clone()) {
            Expr::Closure(mut closure) => {
                closure.body = Box::new(optional::unwrapped(*closure.body, none, at));
                closure.output = syn::ReturnType::Default;
                self.inline(&Expr::Closure(closure), items, at)
            }
            other => {
                let call = at.call(other, items.into_iter().map(|item| item.expr(at)).collect());
                optional::unwrapped(call, none, at)
            }
        };
        let mut stmts = Vec::new();
        let item = self.share(Item::Value(value), &mut stmts, at);
        stmts.extend(sink(self, item));
        stmts
    }

    /// Each element is made of the one before, when that is taken.
    fn successors(
        &mut self,
        first: Expr,
        function: &Expr,
        label: Option<Lifetime>,
        at: At,
        sink: Sink<'_>,
    ) -> Vec<Stmt> {
        let (out, made) = (self.label_of_loop(label, at), self.label("made", at));
        let [next, more, item] = ["next", "more", "item"].map(|hint| self.names.fresh(hint, at.0));
        let set = at.path(&next);
        let none = at.block(
            None,
            vec![at.assign(at.path(&more), at.truth(false)), Stmt::Expr(at.break_to(Some(made.clone()), None), None)],
        );
        let given = vec![Item::Value(at.refer(false, at.path(&item)))];
        let found =
            self.if_some(function, given, &none, at, Box::new(move |_, next| vec![at.assign(set, next.expr(at))]));
        let mut body = vec![
            at.leave_if(at.not(at.path(&more)), out.clone()),
            at.define(&item, false, at.path(&next)),
            at.statement(at.block(Some(made), found)),
        ];
        body.extend(sink(self, Item::Value(at.path(&item))));
        vec![
            at.define(&next, true, first),
            at.define(&more, true, at.truth(true)),
            at.statement(at.forever(Some(out), body)),
        ]
    }

    pub(super) fn out_of_reach(&mut self, what: &str, at: At) -> Vec<Stmt> {
        self.unsupported(at.0, what, "write it as a loop over an index");
        vec![Stmt::Expr(Expr::Verbatim(proc_macro2::TokenStream::new()), None)]
    }

    /// The elements that a closure makes of an element.
    fn nested(&mut self, function: &Expr, item: Item, at: At, sink: Sink<'_>) -> Vec<Stmt> {
        let Expr::Closure(closure) = bare(function.clone()) else {
            let nested = Iter::from(&at.call(function.clone(), vec![item.expr(at)]));
            return self.drive(nested, None, None, at, sink);
        };
        let mut stmts = Vec::new();
        self.bind(closure.inputs.iter().cloned().collect(), vec![item], at, &mut stmts);
        let body = match bare(*closure.body) {
            Expr::Block(mut block) if block.label.is_none() => match block.block.stmts.pop() {
                Some(Stmt::Expr(tail, None)) => {
                    let mut before = at.stmts(block.block.stmts);
                    self.desugar_block(&mut before);
                    stmts.append(&mut before.stmts);
                    tail
                }
                _ => at.unit(),
            },
            other => other,
        };
        let mut changed: HashSet<String> = HashSet::new();
        changed.extend(names::changed(&body));
        let (nested, before) = self.prepare(Iter::from(&body), &changed, at);
        stmts.extend(before);
        stmts.extend(self.drive(nested, None, None, at, sink));
        stmts
    }

    /// `for i in range`
    fn count(
        &mut self,
        range: Expr,
        label: Option<Lifetime>,
        index: Option<Ident>,
        at: At,
        sink: Sink<'_>,
    ) -> Vec<Stmt> {
        let index = index.unwrap_or_else(|| self.names.fresh("i", at.0));
        let body = sink(self, Item::Value(at.path(&index)));
        vec![at.statement(at.for_loop(label, at.name(&index, false), range, body))]
    }

    fn by_number(
        &mut self,
        iter: Iter,
        reverse: bool,
        label: Option<Lifetime>,
        index: Option<Ident>,
        at: At,
        sink: Sink<'_>,
    ) -> Vec<Stmt> {
        let index = index.unwrap_or_else(|| self.names.fresh("i", at.0));
        let Indexed { len, get } = self.indexed(iter, at);
        let item = get(self, at.path(&index));
        let body = sink(self, item);
        let Some(len) = len else {
            // Without an end: the body leaves.
            let count = self.names.fresh("count", at.0);
            let mut stmts = vec![at.define(&index, false, at.path(&count))];
            stmts.push(at.increase(at.path(&count), at.count(1)));
            stmts.extend(body);
            return vec![at.define(&count, true, at.count(0)), at.statement(at.forever(label, stmts))];
        };
        let mut range = at.range(at.count(0), len);
        if reverse {
            range = at.method(paren(range, at), "rev", vec![]);
        }
        vec![at.statement(at.for_loop(label, at.name(&index, false), range, body))]
    }

    /// What is left of an iterator, or so much of it. Each element is taken before it is handed on: the loop may be left.
    #[allow(clippy::too_many_arguments, reason = "those of `drive`, and two more")]
    fn rest(
        &mut self,
        inner: Iter,
        taken: &Expr,
        count: Option<Expr>,
        label: Option<Lifetime>,
        index: Option<Ident>,
        at: At,
        sink: Sink<'_>,
    ) -> Vec<Stmt> {
        let index = index.unwrap_or_else(|| self.names.fresh("i", at.0));
        let Indexed { len, get } = self.indexed(inner, at);
        let end = match (len, count) {
            (Some(len), Some(count)) => Some(indexed::least(at.add(taken.clone(), count), len, at)),
            (None, Some(count)) => Some(at.add(taken.clone(), count)),
            (len, None) => len,
        };
        let mut stmts = vec![at.assign(taken.clone(), at.add(at.path(&index), at.count(1)))];
        let item = get(self, at.path(&index));
        stmts.extend(sink(self, item));
        let Some(end) = end else {
            stmts.insert(0, at.define(&index, false, taken.clone()));
            return vec![at.statement(at.forever(label, stmts))];
        };
        let range = at.range(taken.clone(), end);
        vec![at.statement(at.for_loop(label, at.name(&index, false), range, stmts))]
    }

    /// The element in a form that can be used more than once.
    pub fn share(&mut self, item: Item, stmts: &mut Vec<Stmt>, at: At) -> Item {
        match item {
            Item::Value(expr @ (Expr::Path(_) | Expr::Lit(_))) => Item::Value(expr),
            Item::Value(expr) => {
                let name = self.names.fresh("item", at.0);
                stmts.push(at.define(&name, false, expr));
                Item::Value(at.path(&name))
            }
            Item::Tuple(parts) => Item::Tuple(parts.into_iter().map(|part| self.share(part, stmts, at)).collect()),
        }
    }
}

/// What is done with an element that is read more than once: the element has a name, and `each` adds the statements.
pub fn shared<'s>(at: At, each: impl FnOnce(&mut Desugar, Item, &mut Vec<Stmt>) + 's) -> Sink<'s> {
    Box::new(move |this, item| {
        let mut stmts = Vec::new();
        let item = this.share(item, &mut stmts, at);
        each(this, item, &mut stmts);
        stmts
    })
}

/// Whether every element can be had by its number.
pub fn is_indexed(iter: &Iter) -> bool {
    match iter {
        Iter::Range { .. }
        | Iter::Elements { .. }
        | Iter::Windows { .. }
        | Iter::Chunks { .. }
        | Iter::Repeat(_)
        | Iter::Once(_) => true,
        Iter::Zip(left, right) => is_indexed(left) && is_indexed(right),
        Iter::Chain(left, right) => is_indexed(left) && is_finite(left) && is_indexed(right),
        Iter::Enumerate(inner) | Iter::Take(inner, _) | Iter::Map(inner, _) => is_indexed(inner),
        Iter::Rev(inner) | Iter::Cycle(inner) => is_indexed(inner) && is_finite(inner),
        Iter::StepBy(inner, _) | Iter::Skip(inner, _) => is_indexed(inner) && passes_over(inner),
        Iter::Inspect(..)
        | Iter::Filter(..)
        | Iter::TakeWhile(..)
        | Iter::SkipWhile(..)
        | Iter::FilterMap(..)
        | Iter::MapWhile(..)
        | Iter::Scan(..)
        | Iter::FlatMap(..)
        | Iter::Flatten(_)
        | Iter::Successors(..)
        | Iter::Rest(..) => false,
    }
}

pub fn is_finite(iter: &Iter) -> bool {
    match iter {
        Iter::Range { end, .. } => end.is_some(),
        // Where it ends, only its elements tell.
        Iter::Repeat(_) | Iter::Cycle(_) | Iter::Successors(..) => false,
        Iter::Zip(left, right) => is_finite(left) || is_finite(right),
        Iter::Chain(left, right) => is_finite(left) && is_finite(right),
        Iter::Enumerate(inner)
        | Iter::Rev(inner)
        | Iter::StepBy(inner, _)
        | Iter::Skip(inner, _)
        | Iter::Map(inner, _)
        | Iter::Inspect(inner, _)
        | Iter::Filter(inner, _)
        | Iter::SkipWhile(inner, _)
        | Iter::FilterMap(inner, _)
        | Iter::Scan(inner, _, _)
        | Iter::FlatMap(inner, _)
        | Iter::Flatten(inner)
        // Their closures need not end what has no end.
        | Iter::MapWhile(inner, _)
        | Iter::TakeWhile(inner, _)
        | Iter::Rest(inner, _) => is_finite(inner),
        Iter::Elements { .. }
        | Iter::Windows { .. }
        | Iter::Chunks { .. }
        | Iter::Once(_)
        | Iter::Take(..) => true,
    }
}

/// Whether elements may be left out without anybody noticing: the closures that would make them do nothing else.
pub fn passes_over(iter: &Iter) -> bool {
    is_indexed(iter) && !iter.exprs().into_iter().any(names::has_effects)
}

fn rev(inner: Box<Iter>) -> Box<Iter> {
    Box::new(Iter::Rev(inner))
}

fn range(start: Expr, end: Expr, closed: bool, at: At) -> Expr {
    match at.range(start, end) {
        Expr::Range(mut range) if closed => {
            range.limits = syn::RangeLimits::Closed(Token![..=](at.0));
            Expr::Range(range)
        }
        other => other,
    }
}

pub fn paren(expr: Expr, at: At) -> Expr {
    Expr::Paren(syn::ExprParen { attrs: Vec::new(), paren_token: syn::token::Paren(at.0), expr: Box::new(expr) })
}

/// Whether a pattern is one name that is not changed.
pub fn plain_name(pat: &Pat) -> Option<&Ident> {
    match pat {
        Pat::Ident(ident) if ident.mutability.is_none() && ident.subpat.is_none() && ident.by_ref.is_none() => {
            Some(&ident.ident)
        }
        _ => None,
    }
}
