//! What gives an `Option` and is taken apart at once: the first and the last of a slice, `pop`, and closures that end in
//! `Some` or `None`.

use super::Desugar;
use super::build::{At, bare};
use super::element::Element;
use super::jumps;
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMethodCall, Pat, Stmt, parse_quote};

/// What becomes of a missing element.
pub(super) enum Missing {
    /// `unwrap` and `expect`, and the panic.
    Panics(Expr),
    /// `unwrap_or(value)`
    Else(Expr),
    /// It is not taken apart here.
    Open,
}

/// What `unwrap` of `None` is.
pub(super) fn nothing_to_unwrap() -> Expr {
    parse_quote!(panic!("called `Option::unwrap()` on a `None` value"))
}

/// What takes an `Option` apart.
pub(super) fn missing(name: &str, args: &[&Expr], at: At) -> Option<Missing> {
    Some(match (name, args) {
        ("unwrap", []) => Missing::Panics(nothing_to_unwrap()),
        ("expect", [text]) => Missing::Panics(parse_quote!(panic!("{}", #text))),
        ("unwrap_or", [value]) => Missing::Else((*value).clone()),
        ("unwrap_or_default", []) => Missing::Else(at.float("0.0")),
        _ => return None,
    })
}

/// `x.split_first().map_or(0.0, |(first, rest)| …)`: the parts of a list are given to the closure where there are some.
pub(super) fn chosen_by_parts(expr: &Expr) -> Option<Expr> {
    let Expr::MethodCall(call) = expr else { return None };
    let parts = bare((*call.receiver).clone());
    if !matches!(&parts, Expr::MethodCall(of) if of.method == "split_first" || of.method == "split_last") {
        return None;
    }
    let args: Vec<&Expr> = call.args.iter().collect();
    let (other, closure): (Option<&Expr>, &syn::ExprClosure) = match (&call.method.to_string()[..], &args[..]) {
        ("map_or", [other, Expr::Closure(closure)]) if !super::names::has_effects(other) => (Some(other), closure),
        ("map", [Expr::Closure(closure)]) => (None, closure),
        _ => return None,
    };
    let [pat] = &closure.inputs.iter().collect::<Vec<_>>()[..] else { return None };
    let body = &closure.body;
    if jumps::of_expr(body).contains(&jumps::Jump::Return) || jumps::has_question(body) {
        return None;
    }
    // A type in the closure's pattern, and a literal of a struct, cannot stand there.
    let choice = match other {
        Some(other) => quote!(if let Some(#pat) = #parts { #body } else { #other }),
        None => quote!(if let Some(#pat) = #parts { Some(#body) } else { None }),
    };
    syn::parse2(choice).ok()
}

impl Desugar<'_> {
    /// `c.then_some(x)` and `c.then(|| x)`: a choice between `Some` and `None`.
    pub(super) fn chosen_by_truth(&mut self, expr: &Expr) -> Option<Expr> {
        let Expr::MethodCall(call) = expr else { return None };
        let (name, args) = (call.method.to_string(), call.args.iter().collect::<Vec<_>>());
        let at = At(call.method.span());
        let value = match (&name[..], &args[..]) {
            ("then_some", [value]) if jumps::is_simple(value) => (*value).clone(),
            // It is evaluated in any case.
            ("then_some", [value]) => {
                let (truth, name) = (self.names.fresh("holds", at.0), self.names.fresh("value", at.0));
                let mut before =
                    vec![at.define(&truth, false, (*call.receiver).clone()), at.define(&name, false, (*value).clone())];
                let (truth, name) = (at.path(&truth), at.path(&name));
                let choice: Expr = parse_quote!(if #truth { Some(#name) } else { None });
                before.push(Stmt::Expr(choice, None));
                return Some(at.block(None, before));
            }
            ("then", [Expr::Closure(closure)])
                if closure.inputs.is_empty() && !jumps::of_expr(&closure.body).contains(&jumps::Jump::Return) =>
            {
                (*closure.body).clone()
            }
            _ => return None,
        };
        let truth = &call.receiver;
        Some(parse_quote!(if #truth { Some(#value) } else { None }))
    }

    /// `x.last().unwrap()`, `stack.pop().unwrap_or(v)`, `x.split_first().unwrap()`
    pub(super) fn end_of(&mut self, call: &ExprMethodCall, missing: Missing) -> Option<Expr> {
        let at = At(call.method.span());
        let name = call.method.to_string();
        if matches!(&name[..], "copied" | "cloned") && call.args.is_empty() {
            let Expr::MethodCall(inner) = bare((*call.receiver).clone()) else { return None };
            return self.end_of(&inner, missing);
        }
        let mut of = bare((*call.receiver).clone());
        if let (Missing::Panics(_), true, true) =
            (&missing, by_index(&Expr::MethodCall(call.clone())).is_some(), jumps::is_place(&of))
        {
            let mut index = call.args[0].clone();
            self.desugar_expr(&mut of);
            self.desugar_expr(&mut index);
            return Some(at.refer(true, at.index(of, index)));
        }
        if !call.args.is_empty() || !ENDS.contains(&&name[..]) {
            return None;
        }
        self.desugar_expr(&mut of);
        let mut before = Vec::new();
        if !jumps::is_place(&of) {
            if matches!(&name[..], "pop" | "first_mut" | "last_mut") {
                return None;
            }
            let name = self.names.fresh("items", at.0);
            before.push(at.define(&name, false, of));
            of = at.path(&name);
        }
        let len = at.method(of.clone(), "len", vec![]);
        let last = at.sub(len.clone(), at.count(1));
        let element = |index: Expr| at.index(of.clone(), index);
        let part = |start: Expr, end: Expr| at.refer(false, at.index(of.clone(), at.range(start, end)));
        let value = match &name[..] {
            "first" => element(at.count(0)),
            "last" => element(last),
            "first_mut" => at.refer(true, element(at.count(0))),
            "last_mut" => at.refer(true, element(last)),
            "split_first" => at.tuple(vec![at.refer(false, element(at.count(0))), part(at.count(1), len)]),
            "split_last" => at.tuple(vec![at.refer(false, element(last.clone())), part(at.count(0), last)]),
            _ => {
                let top = self.names.fresh("top", at.0);
                let stmts = vec![
                    at.define(&top, false, element(last.clone())),
                    at.statement(at.method(of.clone(), "truncate", vec![last])),
                    Stmt::Expr(at.path(&top), None),
                ];
                at.block(None, stmts)
            }
        };
        let value = match missing {
            // Reading it panics.
            Missing::Panics(_) | Missing::Open => value,
            Missing::Else(mut other) => {
                self.desugar_expr(&mut other);
                let empty = at.method(of.clone(), "is_empty", vec![]);
                at.choose(empty, vec![Stmt::Expr(other, None)], Some(vec![Stmt::Expr(value, None)]))
            }
        };
        if before.is_empty() {
            return Some(value);
        }
        before.push(Stmt::Expr(value, None));
        Some(at.block(None, before))
    }

    /// The element that a pattern asks for, and the pattern for it: of `Some(w) = x.iter().find(…)`.
    pub(super) fn element_in(&mut self, pat: &Pat, value: &Expr) -> Option<(Element, Pat)> {
        let pat = some_that_fits(pat)?;
        Some((self.element(value)?, pat.clone()))
    }

    /// `let Some(x) = v.get_mut(i)` as a condition, with what comes before it and what is then bound.
    pub(super) fn element_lent(&mut self, pat: &Pat, value: &Expr) -> Option<(Vec<Stmt>, Expr, Stmt)> {
        let (inner, call) = (some_that_fits(pat)?, by_index(value)?);
        let (mut of, mut index, at) = ((*call.receiver).clone(), call.args[0].clone(), At(call.method.span()));
        if !jumps::is_place(&bare(of.clone())) {
            return None;
        }
        self.desugar_expr(&mut of);
        self.desugar_expr(&mut index);
        let name = self.names.fresh("index", at.0);
        let (before, index) = (at.define(&name, false, index), at.path(&name));
        let cond = parse_quote!(#index < #of.len());
        let element = at.refer(true, at.index(of, index));
        Some((vec![before], cond, at.bind(inner.clone(), Some(element))))
    }

    /// `let Some(v) = stack.pop()` as a condition, with what is then bound.
    pub(super) fn not_empty(&mut self, pat: &Pat, value: &Expr, at: At) -> Option<(Expr, Stmt)> {
        let Pat::TupleStruct(some) = pat else { return None };
        let Expr::MethodCall(call) = bare(value.clone()) else { return None };
        let is_some = some.path.segments.last().is_some_and(|last| last.ident == "Some");
        if !is_some || some.elems.len() != 1 || !call.args.is_empty() || !always_fits(&some.elems[0]) {
            return None;
        }
        let mut name = &call;
        let inner;
        if matches!(&name.method.to_string()[..], "copied" | "cloned") {
            inner = match bare((*call.receiver).clone()) {
                Expr::MethodCall(inner) => inner,
                _ => return None,
            };
            name = &inner;
        }
        if !ENDS.contains(&&name.method.to_string()[..]) || !jumps::is_place(&bare((*name.receiver).clone())) {
            return None;
        }
        let empty = at.method((*name.receiver).clone(), "is_empty", vec![]);
        let value = at.method(value.clone(), "unwrap", vec![]);
        Some((at.not(empty), at.bind(some.elems[0].clone(), Some(value))))
    }
}

/// `v.get_mut(i)`, of one element. A map is asked by a reference.
pub(super) fn by_index(value: &Expr) -> Option<ExprMethodCall> {
    let Expr::MethodCall(call) = bare(value.clone()) else { return None };
    let is_one = call.method == "get_mut"
        && call.args.len() == 1
        && !matches!(call.args[0], Expr::Range(_) | Expr::Reference(_));
    is_one.then_some(call)
}

/// The pattern in `Some(…)`, if it fits whatever is there.
pub(super) fn some_that_fits(pat: &Pat) -> Option<&Pat> {
    let Pat::TupleStruct(some) = pat else { return None };
    let is_some = some.path.segments.last().is_some_and(|last| last.ident == "Some");
    some.elems.first().filter(|inner| is_some && some.elems.len() == 1 && always_fits(inner))
}

/// Whether a pattern shows by itself that it fits.
fn always_fits(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(name) => name.subpat.is_none() && name.ident.to_string().starts_with(|c: char| !c.is_uppercase()),
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Reference(of) => always_fits(&of.pat),
        Pat::Paren(inner) => always_fits(&inner.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().all(always_fits),
        Pat::Type(typed) => always_fits(&typed.pat),
        _ => false,
    }
}

/// Methods of slices and `Vec` for an end of them.
const ENDS: &[&str] = &["first", "last", "first_mut", "last_mut", "split_first", "split_last", "pop"];

/// The value in the `Some` that an expression ends in; where it ends in `None` stands `none`, which leaves.
pub(super) fn unwrapped(expr: Expr, none: &Expr, at: At) -> Expr {
    let mut expr = expr;
    Returned { none, at }.visit_expr_mut(&mut expr);
    ended(expr, none, at)
}

fn ended(expr: Expr, none: &Expr, at: At) -> Expr {
    match bare(expr) {
        Expr::Call(call) if is_name(&call.func, "Some") && call.args.len() == 1 => {
            call.args.into_iter().next().unwrap_or_else(|| at.unit())
        }
        path @ Expr::Path(_) if is_name(&path, "None") => none.clone(),
        Expr::Block(mut block) if block.label.is_none() => {
            if let Some(Stmt::Expr(tail, semicolon @ None)) = block.block.stmts.pop() {
                block.block.stmts.push(Stmt::Expr(ended(tail, none, at), semicolon));
            }
            Expr::Block(block)
        }
        Expr::If(mut choice) => {
            let then =
                Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: choice.then_branch.clone() });
            if let Expr::Block(then) = ended(then, none, at) {
                choice.then_branch = then.block;
            }
            if let Some((token, other)) = choice.else_branch.take() {
                choice.else_branch = Some((token, Box::new(in_block(ended(*other, none, at), at))));
            }
            Expr::If(choice)
        }
        Expr::Match(mut choice) => {
            for arm in &mut choice.arms {
                let body = std::mem::replace(&mut *arm.body, at.unit());
                *arm.body = ended(body, none, at);
                arm.comma.get_or_insert(syn::Token![,](at.0));
            }
            Expr::Match(choice)
        }
        Expr::MethodCall(call)
            if matches!(&call.method.to_string()[..], "then" | "then_some") && call.args.len() == 1 =>
        {
            let value = match call.args.into_iter().next().map(bare) {
                Some(Expr::Closure(closure)) if call.method == "then" => *closure.body,
                Some(function) if call.method == "then" => at.call(function, vec![]),
                Some(value) => value,
                None => at.unit(),
            };
            at.choose(*call.receiver, vec![Stmt::Expr(value, None)], Some(vec![Stmt::Expr(none.clone(), None)]))
        }
        leaves @ (Expr::Return(_) | Expr::Break(_) | Expr::Continue(_)) => leaves,
        other => {
            let value = syn::Ident::new("value", at.0);
            let some: syn::Path = syn::Path::from(syn::Ident::new("Some", at.0));
            let pat = Pat::TupleStruct(syn::PatTupleStruct {
                attrs: Vec::new(),
                qself: None,
                path: some,
                paren_token: syn::token::Paren(at.0),
                elems: std::iter::once(at.name(&value, false)).collect(),
            });
            at.select(other, vec![(pat, None, at.path(&value)), (at.wild(), None, none.clone())])
        }
    }
}

fn in_block(expr: Expr, at: At) -> Expr {
    match expr {
        block @ (Expr::Block(_) | Expr::If(_)) => block,
        other => at.block(None, vec![Stmt::Expr(other, None)]),
    }
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

/// `return Some(v)` and `return None` of a closure.
struct Returned<'n> {
    none: &'n Expr,
    at: At,
}

impl VisitMut for Returned<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Return(jump) = expr {
            if let Some(value) = jump.expr.take() {
                let value = ended(*value, self.none, self.at);
                match value {
                    leaves @ Expr::Break(_) => *expr = leaves,
                    value => jump.expr = Some(Box::new(value)),
                }
            }
        }
        syn::visit_mut::visit_expr_mut(self, expr);
        // `x?` of a closure that gives an `Option`.
        if let Expr::Try(question) = expr {
            *expr = ended((*question.expr).clone(), self.none, self.at);
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
