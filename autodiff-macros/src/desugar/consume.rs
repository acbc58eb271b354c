//! What ends an iterator: `sum`, `fold`, `any`, `max_by` and their like, as blocks with a loop in them.

use super::Desugar;
use super::build::{At, bare};
use super::drive::{Item, is_finite, is_indexed, plain_name};
use super::iter::Iter;
use super::names;
use super::optional::{Missing, missing, nothing_to_unwrap};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::HashSet;
use syn::{Expr, ExprClosure, ExprMethodCall, GenericArgument, Stmt, Token, Type};

/// The methods of iterators that end them, for those that are not known here.
const ENDS: &[&str] = &[
    "cmp",
    "eq",
    "is_sorted",
    "le",
    "lt",
    "max_by_key",
    "min_by_key",
    "ne",
    "partial_cmp",
    "partition",
    "rposition",
    "try_fold",
    "try_for_each",
    "unzip",
    "peekable",
];

impl Desugar<'_> {
    /// An iterator with what ends it. `ty` is the type of the result, if that is written.
    pub fn consumed(&mut self, expr: &Expr, ty: Option<&Type>) -> Option<Expr> {
        let Expr::MethodCall(call) = expr else { return None };
        let at = At(call.method.span());
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        if let Some(missing) = missing(&name, &args, at) {
            let effect = matches!(&missing, Missing::Else(other) if names::has_effects(other));
            let Expr::MethodCall(inner) = bare((*call.receiver).clone()) else { return None };
            let value = match Iter::parse(&inner.receiver) {
                Some(iter) => self.optional(&inner, iter, missing)?,
                None => self.end_of(&inner, missing)?,
            };
            if effect {
                // It would be evaluated only where it is needed.
                let what = format!("an effect in the argument of `{name}`");
                self.unsupported(at.0, &what, "name the value with `let` before");
            }
            return Some(value);
        }
        let iter = Iter::parse(&call.receiver)?;
        let changed = changed_in(&iter, &args);
        let ty = turbofish(call).or_else(|| ty.cloned());
        Some(match (&name[..], &args[..]) {
            ("sum", []) => self.reduce(iter, ("sum", "0.0", syn::BinOp::AddAssign(Token![+=](at.0))), ty, &changed, at),
            ("product", []) => {
                self.reduce(iter, ("product", "1.0", syn::BinOp::MulAssign(Token![*=](at.0))), ty, &changed, at)
            }
            ("fold", [init, function]) => self.fold(iter, init, function, &changed, at),
            ("for_each", [function]) => {
                let (iter, mut stmts) = self.prepare(iter, &changed, at);
                let function = (*function).clone();
                stmts.extend(self.drive(
                    iter,
                    None,
                    None,
                    at,
                    Box::new(move |this, item| match this.inline(&function, vec![item], at) {
                        Expr::Block(block) if block.label.is_none() => block.block.stmts,
                        other => vec![at.statement(other)],
                    }),
                ));
                at.block(None, stmts)
            }
            ("count", []) => self.how_many(iter, &changed, at),
            ("any", [function]) => self.quantified(iter, function, true, &changed, at),
            ("all", [function]) => self.quantified(iter, function, false, &changed, at),
            ("collect", []) => self.collect(iter, ty, &changed, at)?,
            (
                "max" | "min" | "max_by" | "min_by" | "last" | "nth" | "reduce" | "find" | "find_map" | "position"
                | "next",
                _,
            ) => {
                self.unsupported(at.0, "an `Option` of an element", "add `.unwrap()` or `.unwrap_or(…)`");
                Desugar::reported()
            }
            (other, _) if ENDS.contains(&other) => {
                self.unsupported(at.0, &format!("`{other}` of an iterator"), "write it as a loop");
                Desugar::reported()
            }
            _ => return None,
        })
    }

    /// `sum` and `product`
    fn reduce(
        &mut self,
        iter: Iter,
        (hint, start, op): (&str, &str, syn::BinOp),
        ty: Option<Type>,
        changed: &HashSet<String>,
        at: At,
    ) -> Expr {
        let (iter, mut stmts) = self.prepare(iter, changed, at);
        let name = self.names.fresh(hint, at.0);
        let start = match &ty {
            Some(ty) if is_integer(ty) => at.integer(usize::from(start == "1.0")),
            _ => at.float(start),
        };
        stmts.push(at.bind(at.typed(at.name(&name, true), ty), Some(start)));
        let place = at.path(&name);
        stmts.extend(self.drive(
            iter,
            None,
            None,
            at,
            Box::new(move |_, item| {
                let item = match item.expr(at) {
                    Expr::Reference(reference) => *reference.expr,
                    other => other,
                };
                vec![at.change(place, op, item)]
            }),
        ));
        stmts.push(Stmt::Expr(at.path(&name), None));
        at.block(None, stmts)
    }

    fn fold(&mut self, iter: Iter, init: &Expr, function: &Expr, changed: &HashSet<String>, at: At) -> Expr {
        let (iter, mut stmts) = self.prepare(iter, changed, at);
        let mut init = init.clone();
        self.desugar_expr(&mut init);
        let hint = match bare(function.clone()) {
            Expr::Closure(closure) => closure.inputs.first().and_then(|pat| plain_name(pat).map(Ident::to_string)),
            _ => None,
        };
        let name = self.names.fresh(hint.as_deref().unwrap_or("folded"), at.0);
        stmts.push(at.define(&name, true, init));
        let (function, place) = (function.clone(), at.path(&name));
        stmts.extend(self.drive(
            iter,
            None,
            None,
            at,
            Box::new(move |this, item| {
                let next = this.inline(&function, vec![Item::Value(place.clone()), item], at);
                vec![at.assign(place, next)]
            }),
        ));
        stmts.push(Stmt::Expr(at.path(&name), None));
        at.block(None, stmts)
    }

    fn how_many(&mut self, iter: Iter, changed: &HashSet<String>, at: At) -> Expr {
        let effects = iter.exprs().into_iter().any(names::has_effects);
        let (iter, mut stmts) = self.prepare(iter, changed, at);
        if is_indexed(&iter) && is_finite(&iter) && !effects {
            let len = self.indexed(iter, at).len.unwrap_or_else(|| at.integer(0));
            if stmts.is_empty() {
                return len;
            }
            stmts.push(Stmt::Expr(len, None));
            return at.block(None, stmts);
        }
        let name = self.names.fresh("count", at.0);
        stmts.push(at.define(&name, true, at.count(0)));
        let place = at.path(&name);
        stmts.extend(self.drive(
            iter,
            None,
            None,
            at,
            Box::new(move |this, item| {
                let mut stmts = Vec::new();
                this.share(item, &mut stmts, at);
                stmts.push(at.increase(place, at.count(1)));
                stmts
            }),
        ));
        stmts.push(Stmt::Expr(at.path(&name), None));
        at.block(None, stmts)
    }

    /// `any` and `all`: the closure is not called any more when the answer is known.
    fn quantified(&mut self, iter: Iter, function: &Expr, any: bool, changed: &HashSet<String>, at: At) -> Expr {
        let (iter, mut stmts) = self.prepare(iter, changed, at);
        let name = self.names.fresh(if any { "any" } else { "all" }, at.0);
        let label = self.label("items", at);
        stmts.push(at.define(&name, true, at.truth(!any)));
        let (function, place, out) = (function.clone(), at.path(&name), label.clone());
        let repeat = self.drive(
            iter,
            Some(label),
            None,
            at,
            Box::new(move |this, item| {
                let mut cond = this.inline(&function, vec![item], at);
                if !any {
                    cond = at.not(cond);
                }
                let found = vec![at.assign(place, at.truth(any)), at.statement(at.break_to(Some(out), None))];
                vec![at.statement(at.choose(cond, found, None))]
            }),
        );
        stmts.extend(repeat);
        stmts.push(Stmt::Expr(at.path(&name), None));
        at.block(None, stmts)
    }

    fn collect(&mut self, iter: Iter, ty: Option<Type>, changed: &HashSet<String>, at: At) -> Option<Expr> {
        let is_vec = ty.as_ref().is_none_or(
            |ty| matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Vec")),
        );
        if !is_vec {
            self.unsupported(at.0, "`collect` into this type", "collect into a `Vec`, or write it as a loop");
            return Some(Desugar::reported());
        }
        let (iter, mut stmts) = self.prepare(iter, changed, at);
        let len = match is_indexed(&iter) && is_finite(&iter) {
            true => self.indexed(iter.clone(), at).len,
            false => None,
        };
        let name = self.names.fresh("items", at.0);
        let constructor = |method: &str| {
            let path: syn::Path = syn::Path {
                leading_colon: None,
                segments: [Ident::new("Vec", at.0), Ident::new(method, at.0)]
                    .into_iter()
                    .map(syn::PathSegment::from)
                    .collect(),
            };
            Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path })
        };
        let empty = match len {
            Some(len) => at.call(constructor("with_capacity"), vec![len]),
            None => at.call(constructor("new"), vec![]),
        };
        // `Vec<_>` says nothing.
        let ty = ty.filter(|ty| !ty.to_token_stream().to_string().contains('_'));
        stmts.push(at.bind(at.typed(at.name(&name, true), ty), Some(empty)));
        let place = at.path(&name);
        stmts.extend(self.drive(
            iter,
            None,
            None,
            at,
            Box::new(move |_, item| vec![at.statement(at.method(place, "push", vec![item.expr(at)]))]),
        ));
        stmts.push(Stmt::Expr(at.path(&name), None));
        Some(at.block(None, stmts))
    }

    // --- one of the elements ----------------------------------------------------------------------------

    /// Ends that give an `Option`, with what takes it apart.
    fn optional(&mut self, call: &ExprMethodCall, iter: Iter, missing: Missing) -> Option<Expr> {
        let at = At(call.method.span());
        let args: Vec<&Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        let changed = changed_in(&iter, &args);
        match (&name[..], &args[..]) {
            ("max_by" | "min_by", [compare]) => {
                let Some(order) = order(compare, at) else {
                    self.unsupported(compare_span(compare), "this order", "compare with `partial_cmp` or `total_cmp`");
                    return Some(Desugar::reported());
                };
                Some(self.extremum(iter, order, name == "max_by", missing, &changed, at))
            }
            ("max" | "min", []) => {
                let (a, b) = (self.names.fresh("a", at.0), self.names.fresh("b", at.0));
                let greater = closure(&a, &b, at.binary(at.path(&a), gt(at), at.path(&b)), at);
                Some(self.extremum(iter, Comparison { greater, fails: None }, name == "max", missing, &changed, at))
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
            ("next", []) => Some(self.found(iter, None, false, missing, &changed, at)),
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
    ) -> Expr {
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
    ) -> Expr {
        let (iter, mut stmts) = self.prepare(iter, changed, at);
        let name = self.names.fresh(hint, at.0);
        let found = self.names.fresh("found", at.0);
        let place = at.path(&name);
        let effects = iter.exprs().into_iter().any(names::has_effects);
        if let (true, Missing::Panics(_)) = (is_indexed(&iter) && is_finite(&iter) && !effects, &missing) {
            // There is a first one: otherwise reading it says so.
            let first = (self.indexed(iter.clone(), at).get)(self, at.integer(0)).expr(at);
            stmts.push(at.define(&name, true, first));
            let rest = Iter::Skip(Box::new(iter), at.integer(1));
            stmts.extend(self.drive(rest, None, None, at, Box::new(move |this, item| step(this, place, item))));
            stmts.push(Stmt::Expr(at.path(&name), None));
            return at.block(None, stmts);
        }
        let check = self.start(&name, &found, missing, &mut stmts, at);
        let known = at.path(&found);
        stmts.extend(self.drive(
            iter,
            None,
            None,
            at,
            Box::new(move |this, item| {
                let mut stmts = Vec::new();
                let item = this.share(item, &mut stmts, at);
                let first =
                    vec![at.assign(place.clone(), item.clone().expr(at)), at.assign(known.clone(), at.truth(true))];
                let next = step(this, place, item);
                stmts.push(at.statement(at.choose(known, next, Some(first))));
                stmts
            }),
        ));
        stmts.extend(check);
        stmts.push(Stmt::Expr(at.path(&name), None));
        at.block(None, stmts)
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
    ) -> Expr {
        let (iter, mut stmts) = self.prepare(iter, changed, at);
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
            Box::new(move |this, item| {
                let mut stmts = Vec::new();
                let item = this.share(item, &mut stmts, at);
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
                stmts
            }),
        );
        stmts.extend(repeat);
        stmts.extend(check);
        stmts.push(Stmt::Expr(at.path(&name), None));
        at.block(None, stmts)
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
        };
        stmts.push(at.define(found, true, at.truth(false)));
        check
    }
}

fn changed_in(iter: &Iter, args: &[&Expr]) -> HashSet<String> {
    iter.exprs().into_iter().chain(args.iter().copied()).flat_map(names::changed).collect()
}

/// The type in `sum::<f64>()`.
fn turbofish(call: &ExprMethodCall) -> Option<Type> {
    let args = &call.turbofish.as_ref()?.args;
    match args.first()? {
        GenericArgument::Type(ty) if args.len() == 1 => Some(ty.clone()),
        _ => None,
    }
}

fn is_integer(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.get_ident().is_some_and(|ident| crate::parse::ty::INTEGERS.contains(&&*ident.to_string())))
}

fn gt(at: At) -> syn::BinOp {
    syn::BinOp::Gt(Token![>](at.0))
}

fn compare_span(expr: &Expr) -> proc_macro2::Span {
    use syn::spanned::Spanned;
    expr.span()
}

/// `|a, b| body`
fn closure(a: &Ident, b: &Ident, body: Expr, at: At) -> Expr {
    Expr::Closure(ExprClosure {
        attrs: Vec::new(),
        lifetimes: None,
        constness: None,
        movability: None,
        asyncness: None,
        capture: None,
        or1_token: Token![|](at.0),
        inputs: [at.name(a, false), at.name(b, false)].into_iter().collect(),
        or2_token: Token![|](at.0),
        output: syn::ReturnType::Default,
        body: Box::new(body),
    })
}

/// What a closure that orders says of two elements.
struct Comparison {
    /// Whether the first is the greater one.
    greater: Expr,
    /// Whether it panics.
    fails: Option<Expr>,
}

fn order(compare: &Expr, at: At) -> Option<Comparison> {
    match bare(compare.clone()) {
        Expr::Closure(closure) => {
            let compared = compared(&closure.body)?;
            let with = |body: Expr| {
                Expr::Closure(ExprClosure { body: Box::new(body), output: syn::ReturnType::Default, ..closure.clone() })
            };
            Some(Comparison { fails: compared.fails(at).map(with), greater: with(compared.greater(at)) })
        }
        Expr::Path(path) if is_order(&path.path.segments.last()?.ident) => {
            let (a, b) = (Ident::new("a", at.0), Ident::new("b", at.0));
            let total = path.path.segments.last()?.ident == TOTAL;
            let compared = Compared { left: at.path(&a), right: at.path(&b), total, unwrapped: false };
            Some(Comparison { greater: closure(&a, &b, compared.greater(at), at), fails: None })
        }
        _ => None,
    }
}

/// The order of floats in which the zeros differ, and NaN has a place.
const TOTAL: &str = "total_cmp";

fn is_order(method: &Ident) -> bool {
    method == TOTAL || method == "partial_cmp" || method == "cmp"
}

/// What an expression of type `Ordering` compares.
struct Compared {
    left: Expr,
    right: Expr,
    total: bool,
    /// `partial_cmp(…).unwrap()`
    unwrapped: bool,
}

impl Compared {
    /// Whether `unwrap` panics: neither is the greater one, nor are they equal.
    fn fails(&self, at: At) -> Option<Expr> {
        let with = |op| at.binary(self.left.clone(), op, self.right.clone());
        let (above, other) = (with(gt(at)), with(syn::BinOp::Le(Token![<=](at.0))));
        self.unwrapped.then(|| at.not(at.binary(above, syn::BinOp::Or(Token![||](at.0)), other)))
    }

    fn greater(self, at: At) -> Expr {
        if self.total {
            return at.method(at.method(self.left, TOTAL, vec![self.right]), "is_gt", vec![]);
        }
        at.binary(self.left, gt(at), self.right)
    }
}

fn compared(order: &Expr) -> Option<Compared> {
    match bare(order.clone()) {
        Expr::Block(block) if block.label.is_none() => match &block.block.stmts[..] {
            [Stmt::Expr(tail, None)] => compared(tail),
            _ => None,
        },
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            match (&name[..], call.args.first()) {
                ("unwrap_or", Some(_)) => compared(&call.receiver),
                ("unwrap", None) | ("expect", Some(_)) => {
                    Some(Compared { unwrapped: true, ..compared(&call.receiver)? })
                }
                ("reverse", None) => {
                    let Compared { left, right, total, unwrapped } = compared(&call.receiver)?;
                    Some(Compared { left: right, right: left, total, unwrapped })
                }
                (_, Some(other)) if is_order(&call.method) => Some(Compared {
                    left: *call.receiver,
                    right: other.clone(),
                    total: name == TOTAL,
                    unwrapped: false,
                }),
                _ => None,
            }
        }
        Expr::Call(call) => {
            let Expr::Path(path) = bare(*call.func) else { return None };
            let args: Vec<&Expr> = call.args.iter().collect();
            let name = &path.path.segments.last()?.ident;
            match args[..] {
                [a, b] if is_order(name) => {
                    Some(Compared { left: a.clone(), right: b.clone(), total: name == TOTAL, unwrapped: false })
                }
                _ => None,
            }
        }
        _ => None,
    }
}
