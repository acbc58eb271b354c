//! Rust's control flow in terms of a small part of it.
//!
//! Lowering knows `let`, assignments, `if`, `match`, `while` and `for` over ranges. What else there is comes to that
//! here, as a rewriting of the syntax tree, in three steps: iterators become loops over an index (see
//! Note [Iterators]), patterns that may not fit become `match`; then effects become statements (see
//! Note [Order of evaluation]); then jumps become conditions (see Note [Jumps without flags]). The user's tokens keep their places, so that what lowering reports points to them. No
//! name that is made here occurs in the function.

mod assertion;
mod build;
mod checkpoint;
mod chosen;
mod comparison;
mod consume;
mod drive;
mod effects;
mod element;
mod exit;
mod fallible;
mod generics;
mod given_iterators;
mod higher_order;
mod hoist;
mod indexed;
mod items;
mod iter;
mod jumps;
mod lent;
mod local_sizes;
pub mod macros;
mod maps;
mod marks;
mod matrices;
mod named;
mod names;
mod objects;
mod optional;
mod order;
mod pushed;
mod range;
mod refutable;
mod scope;
mod search;
mod targets;
#[cfg(test)]
mod tests;
mod told_sizes;
mod written;
mod written_variants;

use crate::diag::{Error, Errors};
use crate::fault::{self, Fault};
use crate::parse::fragments::Parenthesize;
use crate::relay::Knowledge;
pub use build::is_assignment;
use build::{At, bare};
use drive::Item;
use effects::Effects;
pub use effects::{is_borrowing, is_editing, is_mutating};
pub use generics::{kept as kept_generics, of_call, of_closure};
pub use given_iterators::{Given, handed_over, is_iterator};
pub use higher_order::{TakenIn, bound_to_their_module, is_higher_order, names_of_module, taken_in_place};
use iter::Iter;
pub use iter::LIST;
use jumps::Jump;
pub use macros::{VecRepeat, elements};
pub use maps::FieldType;
pub use matrices::PREFIX as MATRIX_PREFIX;
use names::Names;
pub use names::{bound, has_effects, idents};
pub use objects::traits_of_method;
use proc_macro2::{Ident, Span, TokenStream};
pub use scope::Substitute;
pub use search::is_search;
use std::collections::HashSet;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprForLoop, ItemFn, Lifetime, Pat, ReturnType, Stmt, Type};
use targets::{Named, Returns};

/// The body of a function in core form, and what is wrong with it.
pub fn desugar(function: &ItemFn, body: &Block, knowledge: &Knowledge, field_type: FieldType) -> (Block, Errors) {
    let mut names = Names::new(function);
    let result = match &function.sig.output {
        ReturnType::Type(_, ty) => Some((**ty).clone()),
        ReturnType::Default => None,
    };
    let mut body = body.clone();
    matrices::write_out(&mut body, knowledge);
    maps::listed(function, &mut body, field_type);
    let errors = higher_order::take_in(function, &mut body, knowledge, &mut names);
    Parenthesize.visit_block_mut(&mut body);
    told_sizes::write_in(&mut body, result.as_ref());
    let effects = Effects::of(function, &body, knowledge);
    let marked = marks::mark(&mut body, &effects);
    let borrowed = borrowed(function, &body);
    let lent = lent::names(function, &body);
    let mut desugar = Desugar { names: &mut names, errors, result: result.clone(), expected: None, borrowed, lent };
    desugar.body(&mut body);
    let mut errors = desugar.errors;
    if marked {
        marks::Unmark.visit_block_mut(&mut body);
    }
    let mut effects = Effects::of(function, &body, knowledge);
    order::function(&mut body, &mut effects, &mut names, &mut errors);
    if !fault::is(Fault::FirstBorrow) {
        chosen::function(&mut body, &effects, &mut names, &mut errors);
    }
    exit::function(&mut body, result, &mut names);
    (body, errors)
}

/// The first step.
pub struct Desugar<'n> {
    names: &'n mut Names,
    errors: Errors,
    /// The type of the function's result.
    result: Option<Type>,
    /// The type of the next expression, if it is written beside it.
    expected: Option<Type>,
    /// The parameters that are references: their elements are, too.
    borrowed: HashSet<String>,
    /// What borrows mutably, parameters and variables: going over it gives mutable borrows of its elements.
    lent: HashSet<String>,
}

/// The names of the parameters that are shared references, and of nothing else in the body.
fn borrowed(function: &ItemFn, body: &Block) -> HashSet<String> {
    let others = names::defined_in(body);
    let names = function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => match (&*typed.pat, &*typed.ty) {
            (Pat::Ident(name), Type::Reference(reference)) if reference.mutability.is_none() => {
                Some(name.ident.to_string())
            }
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    });
    names.filter(|name| !others.contains(name)).collect()
}

impl Desugar<'_> {
    /// `for x in xs { *x = … }`: what is handed out are places, though it does not say so. Of a shared reference, never.
    fn by_body(&self, iter: Iter, pat: &Pat, body: &Block) -> Iter {
        let (Iter::Elements { of, by: iter::By::Value }, Some(name)) = (&iter, drive::plain_name(pat)) else {
            return iter;
        };
        let name = name.to_string();
        let is_shared = matches!(of, Expr::Path(path) if self.borrows(path));
        if !is_shared
            && !is_made_of_values(of)
            && names::assigned_by(body).contains(&name)
            && !names::defined_in(body).contains(&name)
        {
            return Iter::Elements { of: of.clone(), by: iter::By::Mut };
        }
        let is_lent = matches!(of, Expr::Path(path) if path.path.get_ident().is_some_and(|of| self.lent.contains(&of.to_string())));
        match is_lent && lent::is_handed_on(body, &name) {
            true => Iter::Elements { of: of.clone(), by: iter::By::Mut },
            false => iter,
        }
    }

    fn body(&mut self, body: &mut Block) {
        items::inline(body);
        self.first_error_at_end(body);
        self.named_iterators(body);
        body.stmts = std::mem::take(&mut body.stmts).into_iter().map(|stmt| self.let_else(stmt)).collect();
        let last = body.stmts.len().saturating_sub(1);
        for (k, stmt) in body.stmts.iter_mut().enumerate() {
            match stmt {
                Stmt::Expr(tail, None) if k == last => {
                    self.expected.clone_from(&self.result);
                    self.visit_expr_mut(tail);
                }
                other => self.visit_stmt_mut(other),
            }
        }
    }

    pub(self) fn unsupported(&mut self, at: Span, what: &str, help: &str) {
        let error = Error::at(at, format!("{what} cannot be differentiated yet")).help(help).plain_rust();
        self.errors.push(error);
    }

    /// In place of what has been reported.
    fn reported() -> Expr {
        Expr::Verbatim(TokenStream::new())
    }

    /// What stands in `vec![…]` is no expression for `syn`.
    fn vec_macro(&mut self, mac: &mut syn::Macro) {
        use syn::punctuated::Punctuated;
        if let Ok(mut repeat) = mac.parse_body::<VecRepeat>() {
            self.visit_expr_mut(&mut repeat.value);
            self.visit_expr_mut(&mut repeat.count);
            let (value, count) = (&repeat.value, &repeat.count);
            mac.tokens = quote::quote!(#value; #count);
        } else if let Ok(mut list) = mac.parse_body_with(Punctuated::<Expr, syn::Token![,]>::parse_terminated) {
            list.iter_mut().for_each(|item| self.visit_expr_mut(item));
            mac.tokens = quote::quote!(#list);
        }
    }

    pub(self) fn desugar_expr(&mut self, expr: &mut Expr) {
        self.visit_expr_mut(expr);
    }

    pub(self) fn desugar_block(&mut self, block: &mut Block) {
        self.visit_block_mut(block);
    }

    fn label(&mut self, hint: &str, at: At) -> Lifetime {
        let name = self.names.fresh(hint, at.0);
        Lifetime { apostrophe: at.0, ident: name }
    }

    /// The label of a loop that something leaves: its own, or a new one.
    fn label_of_loop(&mut self, own: Option<Lifetime>, at: At) -> Lifetime {
        own.unwrap_or_else(|| self.label("items", at))
    }

    // --- closures ---------------------------------------------------------------------------------------

    /// A call of a closure, as a block; of anything else, as a call.
    fn inline(&mut self, function: &Expr, args: Vec<Item>, at: At) -> Expr {
        let closure = match bare(function.clone()) {
            Expr::Closure(closure) => closure,
            other => return at.call(other, args.into_iter().map(|arg| arg.expr(at)).collect()),
        };
        let mut stmts = Vec::new();
        self.bind(closure.inputs.iter().cloned().collect(), args, at, &mut stmts);
        let mut body = *closure.body;
        self.desugar_expr(&mut body);
        let declared = match closure.output {
            ReturnType::Type(_, ty) => Some(*ty),
            ReturnType::Default => None,
        };
        if jumps::of_expr(&body).contains(&Jump::Return) {
            let label = self.label("closure", at);
            Returns { label: label.clone() }.visit_expr_mut(&mut body);
            body = match body {
                Expr::Block(block) if block.label.is_none() => at.block(Some(label), block.block.stmts),
                other => at.block(Some(label), vec![Stmt::Expr(other, None)]),
            };
        }
        if let Some(ty) = declared {
            let value = self.names.fresh("value", at.0);
            stmts.push(at.bind(at.typed(at.name(&value, false), Some(ty)), Some(body)));
            body = at.path(&value);
        }
        match body {
            body if stmts.is_empty() => body,
            Expr::Block(block) if block.label.is_none() => {
                stmts.extend(block.block.stmts);
                at.block(None, stmts)
            }
            body => {
                stmts.push(Stmt::Expr(body, None));
                at.block(None, stmts)
            }
        }
    }

    /// `let`s for patterns. All values are from before the first of them.
    fn bind(&mut self, pats: Vec<Pat>, items: Vec<Item>, at: At, stmts: &mut Vec<Stmt>) {
        let mut parts = Vec::new();
        for (pat, item) in pats.into_iter().zip(items) {
            pair(pat, item, at, &mut parts);
        }
        parts.retain(|(pat, value)| match (pat, value) {
            (Pat::Wild(_), value) => names::has_effects(value) || !jumps::is_simple(value),
            (pat, Expr::Path(path)) => drive::plain_name(pat).is_none_or(|name| !path.path.is_ident(name)),
            _ => true,
        });
        let mut bound: HashSet<String> = HashSet::new();
        let mut captures = false;
        for (pat, value) in &parts {
            captures |= !names::idents(value).is_disjoint(&bound);
            bound.extend(names::bound(pat).iter().map(ToString::to_string));
        }
        if captures {
            for (_, value) in &mut parts {
                let name = self.names.fresh("item", at.0);
                let value = std::mem::replace(value, at.path(&name));
                stmts.push(at.define(&name, false, value));
            }
        }
        stmts.extend(parts.into_iter().map(|(pat, value)| at.bind(pat, Some(value))));
    }

    // --- `for` ------------------------------------------------------------------------------------------

    fn for_loop(&mut self, repeat: ExprForLoop) -> Expr {
        let at = At(repeat.for_token.span);
        let ExprForLoop { attrs, label, pat, expr, mut body, .. } = repeat;
        let mut changed = names::changed_by(&body);
        changed.extend(names::changed(&expr));
        let iter = self.by_body(Iter::from(&expr), &pat, &body);
        self.desugar_block(&mut body);
        let (iter, mut stmts) = self.prepare(iter, &changed, at);
        let label = label.map(|label| label.name);
        if let (Some(range), true) = (counts(&iter, at), drive::plain_name(&pat).is_some() || is_wild(&pat)) {
            let mut counted = at.for_loop(label, *pat, range, body.stmts);
            if let Expr::ForLoop(counted) = &mut counted {
                counted.attrs = attrs;
            }
            stmts.push(at.statement(counted));
            return one_of(stmts, at);
        }
        let jumps = jumps::of_block(&body);
        let own = label.as_ref().map(|label| label.ident.to_string());
        let jumps_itself = jumps.iter().any(|jump| match jump {
            Jump::Return => false,
            Jump::Break(to) | Jump::Continue(to) => to.is_none() || *to == own,
        });
        let mut label = label;
        if jumps_itself && !drive::is_indexed(&iter) {
            // The loop is several, or is followed by something: its jumps get a name.
            let out = self.label_of_loop(label.clone(), at);
            let each = self.label("each", at);
            let mut names = Named { own, out: out.clone(), each: each.clone(), inner: 0 };
            names.visit_block_mut(&mut body);
            body.stmts = vec![at.statement(at.block(Some(each), std::mem::take(&mut body.stmts)))];
            label = Some(out);
        }
        let index = wanted_index(&pat, &iter);
        let sink: drive::Sink<'_> = Box::new(move |this, item| {
            let mut stmts = Vec::new();
            this.bind(vec![*pat], vec![item], at, &mut stmts);
            stmts.extend(body.stmts);
            stmts
        });
        stmts.extend(self.drive(iter, label, index, at, sink));
        // What is said of the loop is said of that which goes through the elements.
        match stmts.last_mut() {
            Some(Stmt::Expr(Expr::ForLoop(repeat), _)) => repeat.attrs = attrs,
            Some(Stmt::Expr(Expr::Loop(repeat), _)) => repeat.attrs = attrs,
            _ => {}
        }
        one_of(stmts, at)
    }
}

/// Whether it is a list of its own, in which no place is of another variable: `[1.0, 2.0]`, `list.clone()`.
fn is_made_of_values(expr: &Expr) -> bool {
    fn is_value(expr: &Expr) -> bool {
        match bare(expr.clone()) {
            Expr::Lit(_) => true,
            Expr::Unary(unary) => is_value(&unary.expr),
            Expr::Binary(_) | Expr::Cast(_) => true,
            _ => false,
        }
    }
    match expr {
        Expr::Array(array) => array.elems.iter().all(is_value),
        Expr::MethodCall(call) => call.method == "clone" || call.method == "to_vec",
        _ => false,
    }
}

/// `v.extend(iterator)`: what is iterated over is pushed.
fn extended(expr: &Expr) -> Option<Expr> {
    let Expr::MethodCall(call) = expr else { return None };
    let (1, Some(items)) = (call.args.len(), call.args.first()) else { return None };
    if call.method != "extend" || Iter::parse(items).is_none() {
        return None;
    }
    let at = At(call.method.span());
    let item = Ident::new("item", Span::mixed_site().located_at(at.0));
    let push = at.statement(at.method((*call.receiver).clone(), "push", vec![at.path(&item)]));
    Some(at.for_loop(None, at.name(&item, false), items.clone(), vec![push]))
}

/// A block, if it takes one.
fn one_of(mut stmts: Vec<Stmt>, at: At) -> Expr {
    match (stmts.pop(), stmts.is_empty()) {
        (Some(Stmt::Expr(only, _)), true) => only,
        (last, _) => {
            stmts.extend(last);
            at.block(None, stmts)
        }
    }
}

fn is_wild(pat: &Pat) -> bool {
    matches!(pat, Pat::Wild(_))
}

/// What a `for` of the core counts over.
fn counts(iter: &Iter, at: At) -> Option<Expr> {
    match iter {
        Iter::Range { start, end: Some(end), closed, .. } => match at.range(start.clone(), end.clone()) {
            Expr::Range(mut range) => {
                if *closed {
                    range.limits = syn::RangeLimits::Closed(syn::Token![..=](at.0));
                }
                Some(Expr::Range(range))
            }
            _ => None,
        },
        Iter::Rev(inner) => {
            let range = counts(inner, at)?;
            let range = Expr::Paren(syn::ExprParen {
                attrs: Vec::new(),
                paren_token: syn::token::Paren(at.0),
                expr: Box::new(range),
            });
            Some(at.method(range, "rev", Vec::new()))
        }
        _ => None,
    }
}

/// The user's name for the number of an element.
fn wanted_index(pat: &Pat, iter: &Iter) -> Option<Ident> {
    let name = match (pat, iter) {
        (Pat::Tuple(tuple), Iter::Enumerate(inner)) if drive::is_indexed(inner) => {
            drive::plain_name(tuple.elems.first()?)?
        }
        (Pat::Tuple(tuple), Iter::Rev(inner)) => match &**inner {
            Iter::Enumerate(inner) if drive::is_indexed(inner) => drive::plain_name(tuple.elems.first()?)?,
            _ => return None,
        },
        _ => return None,
    };
    let mentioned = iter.exprs().into_iter().any(|expr| names::idents(expr).contains(&name.to_string()));
    (!mentioned).then(|| name.clone())
}

/// A pattern beside its value, part by part as far as both have parts.
fn pair(pat: Pat, item: Item, at: At, parts: &mut Vec<(Pat, Expr)>) {
    match (pat, item) {
        (Pat::Paren(paren), item) => pair(*paren.pat, item, at, parts),
        (Pat::Reference(reference), item @ Item::Tuple(_)) => pair(*reference.pat, item, at, parts),
        (Pat::Tuple(tuple), Item::Tuple(items))
            if tuple.elems.len() == items.len() && !tuple.elems.iter().any(|pat| matches!(pat, Pat::Rest(_))) =>
        {
            for (pat, item) in tuple.elems.into_iter().zip(items) {
                pair(pat, item, at, parts);
            }
        }
        (pat, item) => parts.push((pat, item.expr(at))),
    }
}

/// A `while` whose condition is part of what is repeated.
fn conditional_loop(repeat: syn::ExprWhile) -> Expr {
    let at = At(repeat.while_token.span);
    let leave = vec![at.statement(at.break_to(None, None))];
    let choice = at.choose(*repeat.cond, repeat.body.stmts, Some(leave));
    let mut attrs = repeat.attrs;
    for attr in attrs.iter_mut().filter(|attr| attr.path().is_ident("max_iters")) {
        // The condition is evaluated once more than the body.
        if let Ok(count) = attr.parse_args::<Expr>() {
            *attr = syn::parse_quote_spanned!(at.0=> #[max_iters(#count + 1)]);
        }
    }
    Expr::Loop(syn::ExprLoop {
        attrs,
        label: repeat.label,
        loop_token: syn::Token![loop](at.0),
        body: at.stmts(vec![Stmt::Expr(choice, None)]),
    })
}

impl VisitMut for Desugar<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let expected = self.expected.take();
        if let Some(until) = self.first_error(expr) {
            *expr = until;
        }
        if let Some(block) = self.consumed(expr, expected.as_ref()) {
            *expr = block;
            return;
        }
        if let Some(extended) = extended(expr) {
            *expr = extended;
        }
        if let Some(choice) = self.chosen_by_truth(expr).or_else(|| optional::chosen_by_parts(expr)) {
            *expr = choice;
        }
        if let Some(part) = self.of_range(expr).or_else(|| self.of_search(expr)) {
            *expr = part;
        }
        match expr {
            Expr::ForLoop(_) => {
                let at = At(Span::call_site());
                if let Expr::ForLoop(repeat) = std::mem::replace(expr, at.unit()) {
                    *expr = self.for_loop(repeat);
                }
            }
            Expr::Block(block) if block.attrs.iter().any(checkpoint::is_checkpoint) => {
                *expr = self.checkpointed(block.clone(), expected.as_ref());
            }
            Expr::Macro(call) if call.mac.path.is_ident("vec") => self.vec_macro(&mut call.mac),
            Expr::Return(jump) => {
                if let Some(value) = &mut jump.expr {
                    self.expected.clone_from(&self.result);
                    self.visit_expr_mut(value);
                }
            }
            Expr::Closure(closure) => {
                // Its own `return` is not the function's.
                let ty = match &closure.output {
                    ReturnType::Type(_, ty) => Some((**ty).clone()),
                    ReturnType::Default => None,
                };
                let outer = std::mem::replace(&mut self.result, ty);
                self.visit_expr_mut(&mut closure.body);
                self.result = outer;
            }
            _ => {
                if let Some(other) = self.refutable(expr) {
                    *expr = other;
                    return;
                }
                syn::visit_mut::visit_expr_mut(self, expr);
            }
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        items::inline(block);
        self.named_iterators(block);
        block.stmts = std::mem::take(&mut block.stmts).into_iter().map(|stmt| self.let_else(stmt)).collect();
        syn::visit_mut::visit_block_mut(self, block);
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Stmt::Macro(call) = stmt {
            if assertion::is_one(&call.mac) {
                let call = syn::ExprMacro { attrs: call.attrs.clone(), mac: call.mac.clone() };
                *stmt = Stmt::Expr(Expr::Macro(call), Some(syn::Token![;](Span::call_site())));
            }
        }
        if let Some(taken) = self.passed_over(stmt) {
            *stmt = taken;
            return;
        }
        syn::visit_mut::visit_stmt_mut(self, stmt);
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let Some(init) = &mut local.init {
            self.expected = match &local.pat {
                Pat::Type(typed) => Some((*typed.ty).clone()),
                _ => None,
            };
            self.visit_expr_mut(&mut init.expr);
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
}
