//! What picks one of the elements of an iterator, if there is one: `find`, `max_by`, `next` and their like.

use super::Desugar;
use super::build::{At, bare};
use super::comparison::{Comparison, closure, gt, order};
use super::consume::changed_in;
use super::drive::{Item, is_finite, passes_over, shared};
use super::indexed::{Indexed, least};
use super::iter::Iter;
use super::names;
use super::optional::{Missing, nothing_to_unwrap};
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, Stmt, parse_quote};

/// An element that may be missing.
pub(super) struct Element {
    /// What looks for it.
    pub before: Vec<Stmt>,
    /// Whether there is one. Nothing, if it is certain.
    pub found: Option<Expr>,
    /// To be evaluated once, and only where there is one.
    pub item: Item,
}

impl Element {
    fn reported() -> Element {
        Element { before: Vec::new(), found: None, item: Item::Value(Desugar::reported()) }
    }

    /// Where what looks for it has seen to it that there is one.
    pub fn certain(self, at: At) -> Expr {
        let mut stmts = self.before;
        let value = self.item.expr(at);
        if stmts.is_empty() {
            return value;
        }
        stmts.push(Stmt::Expr(value, None));
        at.block(None, stmts)
    }

    /// As an `Option`.
    pub fn option(self, at: At) -> Expr {
        let Element { before: mut stmts, found, item } = self;
        let value = item.expr(at);
        let choice: Expr = match found {
            Some(found) => parse_quote!(if #found { Some(#value) } else { None }),
            None => parse_quote!(Some(#value)),
        };
        if stmts.is_empty() {
            return choice;
        }
        stmts.push(Stmt::Expr(choice, None));
        at.block(None, stmts)
    }

    /// With something else where it is missing.
    pub fn or(self, other: Expr, at: At) -> Expr {
        let Element { before: mut stmts, found, item } = self;
        let value = item.expr(at);
        let choice = match found {
            Some(found) => at.choose(found, vec![Stmt::Expr(value, None)], Some(vec![Stmt::Expr(other, None)])),
            None => value,
        };
        stmts.push(Stmt::Expr(choice, None));
        at.block(None, stmts)
    }
}

impl Desugar<'_> {
    /// What picks an element, with what takes the `Option` apart, as a value.
    pub(super) fn optional(&mut self, call: &ExprMethodCall, iter: Iter, missing: Missing) -> Option<Expr> {
        let at = At(call.method.span());
        Some(self.picked(call, iter, missing)?.certain(at))
    }

    /// An element that may be missing, as it is written: `x.iter().find(…)`, `x.iter().position(…).map(…)`.
    pub(super) fn element(&mut self, expr: &Expr) -> Option<Element> {
        let Expr::MethodCall(call) = bare(expr.clone()) else { return None };
        let args: Vec<&Expr> = call.args.iter().collect();
        let at = At(call.method.span());
        if let Some(iter) = Iter::parse(&call.receiver) {
            return self.picked(&call, iter, Missing::Open);
        }
        match (&call.method.to_string()[..], &args[..]) {
            ("copied" | "cloned", []) => self.element(&call.receiver),
            ("map", [function @ Expr::Closure(_)]) => {
                let element = self.element(&call.receiver)?;
                let value = self.inline(function, vec![element.item], at);
                Some(Element { item: Item::Value(value), ..element })
            }
            _ => None,
        }
    }

    /// What `unwrap` and its like make of it.
    pub(super) fn certain(&mut self, element: Element, missing: Missing, at: At) -> Expr {
        let otherwise = match missing {
            Missing::Panics(panic) => panic,
            Missing::Else(mut other) => {
                self.desugar_expr(&mut other);
                other
            }
            Missing::Open => return element.option(at),
        };
        element.or(otherwise, at)
    }

    /// `it.next();`, of which only the effect is wanted.
    pub(super) fn passed_over(&mut self, stmt: &Stmt) -> Option<Stmt> {
        let (expr, at) = match stmt {
            Stmt::Expr(expr @ Expr::MethodCall(call), Some(_)) => (expr, At(call.method.span())),
            _ => return None,
        };
        let Expr::MethodCall(call) = expr else { return None };
        let Some(Iter::Rest(inner, _)) = Iter::parse(&call.receiver) else { return None };
        if inner.exprs().into_iter().any(names::has_effects) {
            return None;
        }
        let element = self.element(expr)?;
        Some(at.statement(at.block(None, element.before)))
    }

    /// The next element of an iterator that is used up in parts.
    fn taken(
        &mut self,
        call: &ExprMethodCall,
        inner: &Iter,
        taken: &Expr,
        changed: &HashSet<String>,
    ) -> Option<Element> {
        let at = At(call.method.span());
        let args: Vec<&Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        let skipped = match (&name[..], &args[..]) {
            ("next" | "peek", []) | ("next_if", [_]) => None,
            ("nth", [count]) => Some((*count).clone()),
            ("next_back" | "nth_back" | "next_if_eq" | "peek_mut", _) => {
                let what = format!("`{name}` of an iterator whose elements are taken one by one");
                self.unsupported(at.0, &what, "keep the numbers of the elements, and index what it goes over");
                return Some(Element::reported());
            }
            _ => return None,
        };
        if name != "next" && inner.exprs().into_iter().any(names::has_effects) {
            let what = format!("`{name}` of an iterator whose closures have effects");
            self.unsupported(at.0, &what, "collect it into a `Vec` first, and name the iterator of that");
            return Some(Element::reported());
        }
        let (inner, mut before) = self.prepare(inner.clone(), changed, at);
        let Indexed { len, get } = self.indexed(inner, at);
        let number = self.names.fresh("number", at.0);
        let start = match skipped {
            Some(mut count) => {
                self.desugar_expr(&mut count);
                at.add(taken.clone(), count)
            }
            None => taken.clone(),
        };
        before.push(at.define(&number, false, start));
        let mut item = get(self, at.path(&number));
        let mut found = len.clone().map(|len| at.lt(at.path(&number), len));
        if let ("next_if", [accept]) = (&name[..], &args[..]) {
            let wanted = self.inline(accept, vec![Item::Value(at.refer(false, item.clone().expr(at)))], at);
            found = Some(match found {
                Some(found) => at.and(found, wanted),
                None => wanted,
            });
        }
        if let Some(condition) = found {
            let name = self.names.fresh("found", at.0);
            before.push(at.define(&name, false, condition));
            found = Some(at.path(&name));
        }
        let after = at.add(at.path(&number), at.count(1));
        match (&name[..], len, &found) {
            ("peek", ..) => item = Item::Value(at.refer(false, item.expr(at))),
            ("nth", Some(len), _) => before.push(at.assign(taken.clone(), least(after, len, at))),
            (_, _, Some(found)) => {
                before.push(at.statement(at.choose(found.clone(), vec![at.assign(taken.clone(), after)], None)));
            }
            _ => before.push(at.assign(taken.clone(), after)),
        }
        Some(Element { before, found, item })
    }

    fn picked(&mut self, call: &ExprMethodCall, iter: Iter, missing: Missing) -> Option<Element> {
        let at = At(call.method.span());
        let args: Vec<&Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        let changed = changed_in(&iter, &args);
        if let Iter::Rest(inner, taken) = &iter {
            if let Some(element) = self.taken(call, inner, taken, &changed) {
                if matches!(missing, Missing::Open) {
                    return Some(element);
                }
                let value = self.certain(element, missing, at);
                return Some(Element { before: Vec::new(), found: None, item: Item::Value(value) });
            }
        }
        match (&name[..], &args[..]) {
            ("max_by" | "min_by", [compare]) => {
                let Some(order) = order(compare, at) else {
                    self.unsupported(compare.span(), "this order", "compare with `partial_cmp` or `total_cmp`");
                    return Some(Element::reported());
                };
                Some(self.extremum(iter, order, name == "max_by", missing, &changed, at))
            }
            ("max" | "min", []) => {
                let (a, b) = (self.names.fresh("a", at.0), self.names.fresh("b", at.0));
                let greater = closure(&a, &b, at.binary(at.path(&a), gt(at), at.path(&b)), at);
                Some(self.extremum(iter, Comparison { greater, fails: None }, name == "max", missing, &changed, at))
            }
            ("max_by_key" | "min_by_key", [key]) => {
                if names::has_effects(key) {
                    let what = format!("an effect in the closure of `{name}`");
                    self.unsupported(key.span(), &what, "write it as a loop");
                    return Some(Element::reported());
                }
                let (a, b) = (self.names.fresh("a", at.0), self.names.fresh("b", at.0));
                let of = |name: &Ident| at.call((*key).clone(), vec![at.refer(false, at.path(name))]);
                let greater = closure(&a, &b, at.binary(of(&a), gt(at), of(&b)), at);
                let order = Comparison { greater, fails: None };
                Some(self.extremum(iter, order, name == "max_by_key", missing, &changed, at))
            }
            ("reduce", [function]) => {
                let function = (*function).clone();
                Some(self.starting_with_first(
                    iter,
                    missing,
                    &changed,
                    at,
                    "reduced",
                    Box::new(move |this, best, item| {
                        let next = this.inline(&function, vec![Item::Value(best.clone()), item], at);
                        vec![at.assign(best, next)]
                    }),
                ))
            }
            ("last", []) => Some(self.starting_with_first(
                iter,
                missing,
                &changed,
                at,
                "last",
                Box::new(move |_, best, item| vec![at.assign(best, item.expr(at))]),
            )),
            ("next", []) => Some(match &missing {
                Missing::Open if passes_over(&iter) && is_finite(&iter) => {
                    let (iter, before) = self.prepare(iter, &changed, at);
                    Element { before, ..self.first(iter, at) }
                }
                _ => self.found(iter, None, false, missing, &changed, at),
            }),
            ("nth", [count]) => {
                let skipped = Iter::Skip(Box::new(iter), (*count).clone());
                Some(self.found(skipped, None, false, missing, &changed, at))
            }
            ("find_map", [function]) => {
                let iter = Iter::FilterMap(Box::new(iter), (*function).clone());
                Some(self.found(iter, None, false, missing, &changed, at))
            }
            ("find", [function]) => Some(self.found(iter, Some(function), false, missing, &changed, at)),
            ("position", [function]) => Some(self.found(iter, Some(function), true, missing, &changed, at)),
            _ => None,
        }
    }

    /// `max_by` takes the last of equals, `min_by` the first.
    fn extremum(
        &mut self,
        iter: Iter,
        order: Comparison,
        max: bool,
        missing: Missing,
        changed: &HashSet<String>,
        at: At,
    ) -> Element {
        self.starting_with_first(
            iter,
            missing,
            changed,
            at,
            if max { "largest" } else { "smallest" },
            Box::new(move |this, best, item| {
                let mut stmts = Vec::new();
                let item = this.share(item, &mut stmts, at);
                let both = || vec![Item::Value(best.clone()), item.clone()];
                if let Some(fails) = &order.fails {
                    let panic = at.statement(nothing_to_unwrap());
                    stmts.push(at.statement(at.choose(this.inline(fails, both(), at), vec![panic], None)));
                }
                let mut cond = this.inline(&order.greater, both(), at);
                if max {
                    cond = at.not(cond);
                }
                stmts.push(at.statement(at.choose(cond, vec![at.assign(best, item.expr(at))], None)));
                stmts
            }),
        )
    }

    /// A loop from the first element on, which starts as the result.
    fn starting_with_first(
        &mut self,
        iter: Iter,
        missing: Missing,
        changed: &HashSet<String>,
        at: At,
        hint: &str,
        step: Box<dyn FnOnce(&mut Desugar, Expr, Item) -> Vec<Stmt>>,
    ) -> Element {
        let (iter, mut stmts) = self.prepare(iter, changed, at);
        let name = self.names.fresh(hint, at.0);
        let place = at.path(&name);
        let numbered = is_finite(&iter) && passes_over(&iter);
        if numbered && matches!(missing, Missing::Panics(_)) {
            // There is a first one: otherwise reading it says so.
            let first = (self.indexed(iter.clone(), at).get)(self, at.count(0)).expr(at);
            stmts.push(at.define(&name, true, first));
            let rest = Iter::Skip(Box::new(iter), at.count(1));
            stmts.extend(self.drive(rest, None, None, at, Box::new(move |this, item| step(this, place, item))));
            return Element { before: stmts, found: None, item: Item::Value(at.path(&name)) };
        }
        let headed = match &missing {
            Missing::Else(_) if numbered => None,
            _ => self.headed(&iter, at),
        };
        if let Some((first, rest)) = headed {
            stmts.extend(first.before);
            let mut all = vec![at.define(&name, true, first.item.expr(at))];
            all.extend(self.drive(rest, None, None, at, Box::new(move |this, item| step(this, place, item))));
            all.push(Stmt::Expr(at.path(&name), None));
            let element = Element { before: stmts, found: first.found, item: Item::Value(at.block(None, all)) };
            let value = match missing {
                Missing::Open => return element,
                missing => self.certain(element, missing, at),
            };
            return Element { before: Vec::new(), found: None, item: Item::Value(value) };
        }
        let found = self.names.fresh("found", at.0);
        let check = self.start(&name, &found, missing, &mut stmts, at);
        let known = at.path(&found);
        stmts.extend(self.drive(
            iter,
            None,
            None,
            at,
            shared(at, move |this, item, stmts| {
                let first =
                    vec![at.assign(place.clone(), item.clone().expr(at)), at.assign(known.clone(), at.truth(true))];
                let next = step(this, place, item);
                stmts.push(at.statement(at.choose(known, next, Some(first))));
            }),
        ));
        stmts.extend(check);
        Element { before: stmts, found: Some(at.path(&found)), item: Item::Value(at.path(&name)) }
    }

    /// The first element of a prepared iterator and those that follow, if closures may be called more than once.
    fn headed(&mut self, iter: &Iter, at: At) -> Option<(Element, Iter)> {
        match iter {
            iter if is_finite(iter) && passes_over(iter) => {
                let rest = Iter::Skip(Box::new(iter.clone()), at.count(1));
                Some((self.first(iter.clone(), at), rest))
            }
            Iter::Map(inner, function) if !names::has_effects(function) => {
                let (first, rest) = self.headed(inner, at)?;
                let item = Item::Value(self.inline(function, vec![first.item], at));
                Some((Element { item, ..first }, Iter::Map(Box::new(rest), function.clone())))
            }
            Iter::Filter(inner, function)
                if is_finite(inner) && passes_over(inner) && !names::has_effects(function) =>
            {
                let inner = (**inner).clone();
                let Element { before, found, item } =
                    self.found(inner.clone(), Some(function), true, Missing::Open, &HashSet::new(), at);
                let Item::Value(position) = item else { return None };
                let item = (self.indexed(inner.clone(), at).get)(self, position.clone());
                let next = at.add(position, at.count(1));
                let rest = Iter::Filter(Box::new(Iter::Skip(Box::new(inner), next)), function.clone());
                Some((Element { before, found, item }, rest))
            }
            _ => None,
        }
    }

    /// The first element, which is at hand by its number.
    fn first(&mut self, iter: Iter, at: At) -> Element {
        let Indexed { len, get } = self.indexed(iter, at);
        let found = len.map(|len| at.lt(at.count(0), len));
        let item = get(self, at.count(0));
        Element { before: Vec::new(), found, item }
    }

    /// The first element that a closure accepts, or its number.
    fn found(
        &mut self,
        iter: Iter,
        function: Option<&Expr>,
        number: bool,
        missing: Missing,
        changed: &HashSet<String>,
        at: At,
    ) -> Element {
        let (iter, mut stmts) = self.prepare(iter, changed, at);
        if let (Missing::Open, false, true) = (&missing, number, passes_over(&iter)) {
            // By its number it is at hand where it is asked for, as a place.
            let number = self.found(iter.clone(), function, true, missing, changed, at);
            let Item::Value(position) = number.item else { return Element::reported() };
            let item = (self.indexed(iter, at).get)(self, position);
            stmts.extend(number.before);
            return Element { before: stmts, item, ..number };
        }
        let name = self.names.fresh(if number { "position" } else { "item" }, at.0);
        let found = self.names.fresh("found", at.0);
        let label = self.label("items", at);
        let check = self.start(&name, &found, missing, &mut stmts, at);
        let iter = if number { Iter::Enumerate(Box::new(iter)) } else { iter };
        let (function, place, known, out) = (function.cloned(), at.path(&name), at.path(&found), label.clone());
        let repeat = self.drive(
            iter,
            Some(label),
            None,
            at,
            shared(at, move |this, item, stmts| {
                let (given, kept) = match item {
                    Item::Tuple(mut parts) if number && parts.len() == 2 => {
                        let given = parts.pop().unwrap_or(Item::Tuple(Vec::new()));
                        (given, parts.pop().unwrap_or(Item::Tuple(Vec::new())))
                    }
                    item => (item.clone(), item),
                };
                let take = vec![
                    at.assign(place, kept.expr(at)),
                    at.assign(known, at.truth(true)),
                    at.statement(at.break_to(Some(out), None)),
                ];
                match function {
                    Some(function) => {
                        let cond = this.inline(&function, vec![given], at);
                        stmts.push(at.statement(at.choose(cond, take, None)));
                    }
                    None => stmts.extend(take),
                }
            }),
        );
        stmts.extend(repeat);
        stmts.extend(check);
        Element { before: stmts, found: Some(at.path(&found)), item: Item::Value(at.path(&name)) }
    }

    /// The variables for an element that may be missing, and what is done after the search.
    fn start(&mut self, name: &Ident, found: &Ident, missing: Missing, stmts: &mut Vec<Stmt>, at: At) -> Option<Stmt> {
        let check = match missing {
            Missing::Panics(panic) => {
                stmts.push(at.bind(at.name(name, true), None));
                Some(at.statement(at.choose(at.not(at.path(found)), vec![at.statement(panic)], None)))
            }
            Missing::Else(mut value) => {
                self.desugar_expr(&mut value);
                stmts.push(at.define(name, true, value));
                None
            }
            Missing::Open => {
                stmts.push(at.bind(at.name(name, true), None));
                None
            }
        };
        stmts.push(at.define(found, true, at.truth(false)));
        check
    }
}
