//! Patterns that may not fit: `if let`, `while let`, `let … else` and `matches!` as `match`.

use super::build::{At, bare};
use super::iter::Iter;
use super::names;
use super::optional::by_index;
use super::optional::some_that_fits;
use super::{Desugar, assertion};
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprIf, Local, LocalInit, Pat, Stmt, Token};

impl Desugar<'_> {
    pub(super) fn refutable(&mut self, expr: &mut Expr) -> Option<Expr> {
        match expr {
            Expr::If(choice) if has_let(&choice.cond) => {
                if let Expr::Let(fits) = &*choice.cond {
                    let at = At(choice.if_token.span);
                    let no = choice.else_branch.as_ref().map(|(_, other)| (**other).clone());
                    let taken = self.taken_apart(&fits.pat, &fits.expr, choice.then_branch.clone(), no, at);
                    if taken.is_some() {
                        return taken;
                    }
                }
                let mut chosen = self.if_let(choice);
                self.desugar_expr(&mut chosen);
                Some(chosen)
            }
            Expr::While(repeat) if has_let(&repeat.cond) => {
                let at = At(repeat.while_token.span);
                if let Expr::Let(fits) = &*repeat.cond {
                    if let Some((cond, bound)) = self.not_empty(&fits.pat, &fits.expr, at) {
                        *repeat.cond = cond;
                        repeat.body.stmts.insert(0, bound);
                        let mut plain = expr.clone();
                        self.desugar_expr(&mut plain);
                        return Some(plain);
                    }
                }
                if let Some(mut through) = all_that_is_left(repeat) {
                    self.desugar_expr(&mut through);
                    return Some(through);
                }
                let mut forever = super::conditional_loop(repeat.clone());
                self.desugar_expr(&mut forever);
                Some(forever)
            }
            Expr::Match(choice) => {
                if let Some(mut written) = self.written_variants(choice) {
                    self.desugar_expr(&mut written);
                    return Some(written);
                }
                let at = At(choice.match_token.span);
                let [mut some, mut none] =
                    [choice.arms.first()?, choice.arms.get(1).filter(|_| choice.arms.len() == 2)?];
                if matches!(&some.pat, Pat::Ident(name) if name.ident == "None") {
                    std::mem::swap(&mut some, &mut none);
                }
                let is_none =
                    matches!(&none.pat, Pat::Wild(_)) || matches!(&none.pat, Pat::Ident(name) if name.ident == "None");
                if !is_none || some.guard.is_some() || none.guard.is_some() {
                    return None;
                }
                let (some_body, none_body) = ((*some.body).clone(), (*none.body).clone());
                self.taken_apart(
                    &some.pat,
                    &choice.expr,
                    at.stmts(vec![Stmt::Expr(some_body, None)]),
                    Some(none_body),
                    at,
                )
            }
            Expr::Try(question) if self.gives_option() => {
                let at = At(question.question_token.span);
                let value = self.names.fresh("value", at.0);
                let some = Pat::parse_single.parse2(quote::quote!(Some(#value))).ok()?;
                let arms = vec![(some, None, at.path(&value)), (at.wild(), None, syn::parse_quote!(return None))];
                let mut choice = at.select((*question.expr).clone(), arms);
                self.desugar_expr(&mut choice);
                Some(choice)
            }
            Expr::Try(question) if self.gives("Result") => {
                let at = At(question.question_token.span);
                let (value, error) = (self.names.fresh("value", at.0), self.names.fresh("error", at.0));
                let ok = Pat::parse_single.parse2(quote::quote!(Ok(#value))).ok()?;
                let err = Pat::parse_single.parse2(quote::quote!(Err(#error))).ok()?;
                let leaves = syn::parse_quote!(return Err(::core::convert::From::from(#error)));
                let arms = vec![(ok, None, at.path(&value)), (err, None, leaves)];
                let mut choice = at.select((*question.expr).clone(), arms);
                self.desugar_expr(&mut choice);
                Some(choice)
            }
            Expr::Macro(call) if assertion::is_one(&call.mac) => {
                let mut checked = assertion::checked(&call.mac)?;
                self.desugar_expr(&mut checked);
                Some(checked)
            }
            Expr::Macro(call) if call.mac.path.segments.last().is_some_and(|last| last.ident == "matches") => {
                let Matches { value, pat, guard } = call.mac.parse_body().ok()?;
                let at = At(call.mac.path.span());
                let mut fits = at.select(value, vec![(pat, guard, at.truth(true)), (at.wild(), None, at.truth(false))]);
                self.desugar_expr(&mut fits);
                Some(fits)
            }
            _ => None,
        }
    }

    /// Whether the function returns an `Option`.
    fn gives_option(&self) -> bool {
        self.gives("Option")
    }

    /// Whether the function returns a type of this name.
    fn gives(&self, name: &str) -> bool {
        let last = match &self.result {
            Some(syn::Type::Path(path)) => path.path.segments.last(),
            _ => None,
        };
        last.is_some_and(|last| last.ident == name)
    }

    /// A choice by whether there is an element, if that is what a pattern asks: `if let Some(w) = x.iter().find(…) { … }`. The branches
    /// may be of any kind, and so may be the element: no `Option` is made of it.
    fn taken_apart(&mut self, pat: &Pat, value: &Expr, mut yes: Block, no: Option<Expr>, at: At) -> Option<Expr> {
        let (mut before, cond, bound) = match self.element_in(pat, value) {
            Some((element, pat)) => {
                let bound = at.bind(pat, Some(element.item.expr(at)));
                (element.before, element.found.unwrap_or_else(|| at.truth(true)), bound)
            }
            None if by_index(value).is_some() => self.element_lent(pat, value)?,
            None => {
                let (mut cond, mut bound) = self.not_empty(pat, value, at)?;
                self.desugar_expr(&mut cond);
                syn::visit_mut::VisitMut::visit_stmt_mut(self, &mut bound);
                (Vec::new(), cond, bound)
            }
        };
        self.desugar_block(&mut yes);
        yes.stmts.insert(0, bound);
        let no = no.map(|mut no| {
            self.desugar_expr(&mut no);
            vec![Stmt::Expr(no, None)]
        });
        let choice = at.choose(cond, yes.stmts, no);
        if before.is_empty() {
            return Some(choice);
        }
        before.push(Stmt::Expr(choice, None));
        Some(at.block(None, before))
    }

    /// `if let` with whatever else is in the condition.
    fn if_let(&mut self, choice: &ExprIf) -> Expr {
        let at = At(choice.if_token.span);
        let mut conds = Vec::new();
        conjuncts(&choice.cond, &mut conds);
        let no = choice.else_branch.as_ref().map(|(_, other)| (**other).clone());
        let yes = choice.then_branch.stmts.clone();
        if let ([Expr::Let(fits)], Some(no)) = (&conds[..], &no) {
            let arms = vec![((*fits.pat).clone(), None, at.block(None, yes)), (at.wild(), None, no.clone())];
            return at.select((*fits.expr).clone(), arms);
        }
        match no {
            None => nest(&conds, yes, at),
            Some(no) => {
                // The other branch follows once, for all the ways not to get into this one.
                let label = self.label("choice", at);
                let yes = vec![at.statement(at.break_to(Some(label.clone()), Some(at.block(None, yes))))];
                at.block(Some(label), vec![at.statement(nest(&conds, yes, at)), Stmt::Expr(no, None)])
            }
        }
    }

    /// `let Some(x) = y else { return };` is `let x = match y { Some(x) => x, _ => return };`
    pub(super) fn let_else(&mut self, stmt: Stmt) -> Stmt {
        let Stmt::Local(Local { attrs, let_token, pat, init: Some(init), semi_token }) = stmt else { return stmt };
        let LocalInit { eq_token, mut expr, diverge } = init;
        if let (Pat::Type(typed), Expr::Try(question)) = (&pat, &mut *expr) {
            if self.gives_option() && matches!(*question.expr, Expr::Call(_)) {
                // What is called may have no derivative: then the type says what it gives.
                let (at, ty) = (At(question.question_token.span), &typed.ty);
                let name = self.names.fresh("value", at.0);
                let given = at.typed(at.name(&name, false), Some(syn::parse_quote!(::core::option::Option<#ty>)));
                let given = at.bind(given, Some((*question.expr).clone()));
                *question.expr = at.block(None, vec![given, Stmt::Expr(at.path(&name), None)]);
            }
        }
        if let (Pat::Type(typed), Expr::Try(question)) = (&pat, &mut *expr) {
            tell_parsed(&mut question.expr, &typed.ty);
        }
        let Some((_, otherwise)) = diverge else {
            let init = Some(LocalInit { eq_token, expr, diverge: None });
            return Stmt::Local(Local { attrs, let_token, pat, init, semi_token });
        };
        let at = At(let_token.span);
        let (bare_pat, ty) = match pat {
            Pat::Type(typed) => (*typed.pat, Some(typed.ty)),
            other => (other, None),
        };
        let bound = names::bound(&bare_pat);
        let mut plain = bare_pat.clone();
        let mutable = take_mut(&mut plain);
        let paths: Vec<Expr> = bound.iter().map(|name| at.path(name)).collect();
        let mut pats = bound.iter().map(|name| at.name(name, mutable.contains(name)));
        let (value, pat) = match (&paths[..], bound.len()) {
            ([only], 1) => (only.clone(), pats.next_back().unwrap_or_else(|| at.wild())),
            _ => {
                let tuple =
                    syn::PatTuple { attrs: Vec::new(), paren_token: syn::token::Paren(at.0), elems: pats.collect() };
                (at.tuple(paths), Pat::Tuple(tuple))
            }
        };
        let mut scrutinee = *expr;
        if let Some(ty) = ty {
            // The type belongs to what is taken apart.
            let name = self.names.fresh("value", at.0);
            let typed = at.bind(at.typed(at.name(&name, false), Some(*ty)), Some(scrutinee));
            scrutinee = at.block(None, vec![typed, Stmt::Expr(at.path(&name), None)]);
        }
        let choice = at.select(scrutinee, vec![(plain, None, value), (at.wild(), None, *otherwise)]);
        at.bind(pat, Some(choice))
    }
}

/// `while let Some(v) = it.next() { … }` as `for v in it.by_ref() { … }`, where the body takes none of the elements.
fn all_that_is_left(repeat: &syn::ExprWhile) -> Option<Expr> {
    let Expr::Let(fits) = &*repeat.cond else { return None };
    let Expr::MethodCall(next) = bare((*fits.expr).clone()) else { return None };
    let Some(Iter::Rest(_, taken)) = Iter::parse(&next.receiver) else { return None };
    let pat = some_that_fits(&fits.pat)?;
    let is_mentioned = !names::idents(&taken).is_disjoint(&names::idents(&repeat.body));
    if next.method != "next" || is_mentioned || !repeat.attrs.is_empty() {
        return None;
    }
    let at = At(repeat.while_token.span);
    let label = repeat.label.as_ref().map(|label| label.name.clone());
    Some(at.for_loop(label, pat.clone(), *next.receiver, repeat.body.stmts.clone()))
}

/// Whether a condition has a `let` in it.
fn has_let(cond: &Expr) -> bool {
    match cond {
        Expr::Let(_) => true,
        Expr::Binary(binary) => {
            matches!(binary.op, syn::BinOp::And(_)) && (has_let(&binary.left) || has_let(&binary.right))
        }
        _ => false,
    }
}

/// `a && b && c`, one by one.
fn conjuncts(cond: &Expr, all: &mut Vec<Expr>) {
    match cond {
        Expr::Binary(binary) if matches!(binary.op, syn::BinOp::And(_)) && has_let(cond) => {
            conjuncts(&binary.left, all);
            conjuncts(&binary.right, all);
        }
        other => all.push(bare(other.clone())),
    }
}

/// Statements under several conditions.
fn nest(conds: &[Expr], body: Vec<Stmt>, at: At) -> Expr {
    let Some((first, rest)) = conds.split_first() else { return at.block(None, body) };
    let inner = match rest {
        [] => body,
        rest => vec![Stmt::Expr(nest(rest, body, at), None)],
    };
    match first {
        Expr::Let(fits) => {
            let arms =
                vec![((*fits.pat).clone(), None, at.block(None, inner)), (at.wild(), None, at.block(None, Vec::new()))];
            at.select((*fits.expr).clone(), arms)
        }
        cond => at.choose(cond.clone(), inner, None),
    }
}

/// Takes `mut` off the names in a pattern; which had it.
fn take_mut(pat: &mut Pat) -> Vec<proc_macro2::Ident> {
    struct Muts(Vec<proc_macro2::Ident>);
    impl syn::visit_mut::VisitMut for Muts {
        fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
            if pat.mutability.take().is_some() {
                self.0.push(pat.ident.clone());
            }
            syn::visit_mut::visit_pat_ident_mut(self, pat);
        }
    }
    let mut muts = Muts(Vec::new());
    syn::visit_mut::VisitMut::visit_pat_mut(&mut muts, pat);
    muts.0
}

/// What is in `matches!(…)`.
struct Matches {
    value: Expr,
    pat: Pat,
    guard: Option<Expr>,
}

impl Parse for Matches {
    fn parse(input: ParseStream) -> syn::Result<Matches> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pat = Pat::parse_multi_with_leading_vert(input)?;
        let guard = match input.parse::<Option<Token![if]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        input.parse::<Option<Token![,]>>()?;
        Ok(Matches { value, pat, guard })
    }
}

/// `let n: u32 = text.parse()?;` is `text.parse::<u32>()?`: what becomes of the value says nothing of its type any more.
fn tell_parsed(expr: &mut Expr, ty: &syn::Type) {
    let Expr::MethodCall(call) = expr else { return };
    if matches!(&call.method.to_string()[..], "map_err" | "ok" | "ok_or" | "ok_or_else") {
        return tell_parsed(&mut call.receiver, ty);
    }
    if call.method == "parse" && call.args.is_empty() && call.turbofish.is_none() {
        call.turbofish = Some(syn::parse_quote!(::<#ty>));
    }
}
