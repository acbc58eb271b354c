//! What ends an iterator: `sum`, `fold`, `any`, `max_by` and their like, as blocks with a loop in them.

use super::build::{At, bare};
use super::drive::{Item, is_finite, is_indexed, plain_name, shared};
use super::element::Element;
use super::indexed;
use super::iter::{By, Iter};
use super::names;
use super::optional::{Missing, missing};
use super::{Desugar, one_of};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::HashSet;
use syn::{Expr, ExprMethodCall, GenericArgument, Stmt, Token, Type};

/// The methods of iterators that end them, for those that are not known here.
const ENDS: &[&str] =
    &["cmp", "eq", "is_sorted", "le", "lt", "ne", "partial_cmp", "rposition", "try_fold", "try_for_each"];

impl Desugar<'_> {
    /// An iterator with what ends it. `ty` is the type of the result, if that is written.
    pub fn consumed(&mut self, expr: &Expr, ty: Option<&Type>) -> Option<Expr> {
        let Expr::MethodCall(call) = expr else { return None };
        let at = At(call.method.span());
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        if super::iter::is_list(call) {
            return None;
        }
        if let Some(missing) = missing(&name, &args, at) {
            let effect = matches!(&missing, Missing::Else(other) if names::has_effects(other));
            let Expr::MethodCall(inner) = bare((*call.receiver).clone()) else { return None };
            let value = match Iter::parse(&inner.receiver) {
                Some(iter) => self.optional(&inner, iter, missing)?,
                None => match self.element(&call.receiver) {
                    Some(element) => self.certain(element, missing, at),
                    None => self.end_of(&inner, missing)?,
                },
            };
            if effect {
                // It would be evaluated only where it is needed.
                let what = format!("an effect in the argument of `{name}`");
                self.unsupported(at.0, &what, "name the value with `let` before");
            }
            return Some(value);
        }
        if let ("is_some" | "is_none", [], Some(element)) = (&name[..], &args[..], self.element(&call.receiver)) {
            let found = element.found.unwrap_or_else(|| at.truth(true));
            let known = Element { before: element.before, found: None, item: Item::Value(found) }.certain(at);
            return Some(if name == "is_some" { known } else { at.not(known) });
        }
        if let Some(element) = self.element(expr) {
            return Some(element.option(at));
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
            // Of what is left, without taking it.
            ("len", []) => match iter {
                Iter::Rest(inner, taken) => self.how_many(Iter::Skip(inner, taken), &changed, at),
                iter => self.how_many(iter, &changed, at),
            },
            ("count", []) => self.how_many(iter, &changed, at),
            ("any", [function]) => self.quantified(iter, function, true, &changed, at),
            ("all", [function]) => self.quantified(iter, function, false, &changed, at),
            ("unzip", []) => self.two_lists(iter, None, ty, &changed, at),
            ("partition", [accept]) => self.two_lists(iter, Some(accept), ty, &changed, at),
            ("remainder" | "into_remainder", []) => self.remainder(iter, &changed, at)?,
            ("collect", []) => self.collect(iter, ty, &changed, at)?,
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
        // Of a struct it is what its type says: see Note [Sums of structs] in `source/sums.rs`.
        let of_type: Ident = Ident::new(hint, at.0);
        let mut first = at.bind(at.typed(at.name(&name, true), ty), Some(start));
        if let Stmt::Local(local) = &mut first {
            local.attrs.push(syn::parse_quote_spanned!(at.0=> #[#of_type]));
        }
        stmts.push(first);
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
                let mut next = at.change(place, op, item);
                if let Stmt::Expr(Expr::Binary(binary), _) = &mut next {
                    binary.attrs.push(syn::parse_quote_spanned!(at.0=> #[#of_type]));
                }
                vec![next]
            }),
        ));
        stmts.push(Stmt::Expr(at.path(&name), None));
        at.block(None, stmts)
    }

    fn fold(&mut self, iter: Iter, init: &Expr, function: &Expr, changed: &HashSet<String>, at: At) -> Expr {
        let (iter, mut stmts) = self.prepare(iter, changed, at);
        let mut init = init.clone();
        self.desugar_expr(&mut init);
        let first = match bare(function.clone()) {
            Expr::Closure(closure) => closure.inputs.first().cloned(),
            _ => None,
        };
        let (first, ty) = match first {
            Some(syn::Pat::Type(typed)) => (Some(*typed.pat), Some(*typed.ty)),
            first => (first, None),
        };
        // The type of the value that the closure is handed, where the first one may not tell.
        let ty = ty.filter(|ty| matches!(ty, Type::Path(_)) && says_all(ty));
        let hint = first.as_ref().and_then(|pat| plain_name(pat).map(Ident::to_string));
        let name = self.names.fresh(hint.as_deref().unwrap_or("folded"), at.0);
        stmts.push(at.bind(at.typed(at.name(&name, true), ty), Some(init)));
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
            let len = self.indexed(iter, at).len.unwrap_or_else(|| at.count(0));
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
            shared(at, move |_, _, stmts| stmts.push(at.increase(place, at.count(1)))),
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

    /// `unzip`, or `partition` by what a closure accepts.
    fn two_lists(
        &mut self,
        iter: Iter,
        accept: Option<&Expr>,
        ty: Option<Type>,
        changed: &HashSet<String>,
        at: At,
    ) -> Expr {
        let types = match ty {
            Some(Type::Tuple(pair)) => pair.elems.into_iter().map(Some).collect(),
            _ => vec![None, None],
        };
        let is_list = |ty: &Option<Type>| match ty {
            Some(Type::Path(path)) => path.path.segments.last().is_some_and(|last| last.ident == "Vec"),
            Some(_) => false,
            None => true,
        };
        let [left_ty, right_ty] = &types[..] else { return Desugar::reported() };
        if !is_list(left_ty) || !is_list(right_ty) {
            self.unsupported(at.0, "lists of this type", "take two `Vec`s, or write it as a loop");
            return Desugar::reported();
        }
        let (iter, mut stmts) = self.prepare(iter, changed, at);
        let len = match is_indexed(&iter) && is_finite(&iter) && accept.is_none() {
            true => self.indexed(iter.clone(), at).len,
            false => None,
        };
        let (left, right) = (self.names.fresh("left", at.0), self.names.fresh("right", at.0));
        stmts.push(empty_list(&left, len.clone(), left_ty.clone(), at));
        stmts.push(empty_list(&right, len, right_ty.clone(), at));
        let (lists, accept) = ([at.path(&left), at.path(&right)], accept.cloned());
        let push = move |list: &Expr, item: Expr| at.statement(at.method(list.clone(), "push", vec![item]));
        let sink = move |this: &mut Desugar, item: Item| {
            let mut stmts = Vec::new();
            if let Some(accept) = accept {
                let item = this.share(item, &mut stmts, at);
                let given = Item::Value(at.refer(false, item.clone().expr(at)));
                let cond = this.inline(&accept, vec![given], at);
                let (yes, no) = (push(&lists[0], item.clone().expr(at)), push(&lists[1], item.expr(at)));
                stmts.push(at.statement(at.choose(cond, vec![yes], Some(vec![no]))));
                return stmts;
            }
            let names = [this.names.fresh("one", at.0), this.names.fresh("other", at.0)];
            let pair = syn::PatTuple {
                attrs: Vec::new(),
                paren_token: syn::token::Paren(at.0),
                elems: names.iter().map(|name| at.name(name, false)).collect(),
            };
            this.bind(vec![syn::Pat::Tuple(pair)], vec![item], at, &mut stmts);
            stmts.extend(lists.iter().zip(&names).map(|(list, name)| push(list, at.path(name))));
            stmts
        };
        stmts.extend(self.drive(iter, None, None, at, Box::new(sink)));
        stmts.push(Stmt::Expr(at.tuple(vec![at.path(&left), at.path(&right)]), None));
        at.block(None, stmts)
    }

    /// What is left over of a slice after the last chunk of full length.
    fn remainder(&mut self, iter: Iter, changed: &HashSet<String>, at: At) -> Option<Expr> {
        let (iter, mut stmts) = self.prepare(iter, changed, at);
        let chunks = match iter {
            Iter::Rest(inner, _) => *inner,
            iter => iter,
        };
        let Iter::Chunks { of, size, exact: true, by } = chunks else { return None };
        let len = at.method(of.clone(), "len", vec![]);
        let start = indexed::times(indexed::quotient(len.clone(), size.clone(), false, at), size, at);
        let part = at.refer(by == By::Mut, at.index(of, at.range(start, len)));
        stmts.push(Stmt::Expr(part, None));
        Some(match stmts.len() {
            1 => one_of(stmts, at),
            _ => at.block(None, stmts),
        })
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
        stmts.push(empty_list(&name, len, ty, at));
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
}

/// `let mut name: ty = Vec::with_capacity(len);`
pub(super) fn empty_list(name: &Ident, len: Option<Expr>, ty: Option<Type>, at: At) -> Stmt {
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
    at.bind(at.typed(at.name(name, true), ty.filter(says_all)), Some(empty))
}

pub(super) fn changed_in(iter: &Iter, args: &[&Expr]) -> HashSet<String> {
    iter.exprs().into_iter().chain(args.iter().copied()).flat_map(names::changed).collect()
}

/// Whether a type has nothing left open: `Vec<_>` says nothing.
fn says_all(ty: &Type) -> bool {
    !ty.to_token_stream().to_string().contains('_')
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
