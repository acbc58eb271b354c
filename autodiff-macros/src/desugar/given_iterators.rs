//! Iterators as parameters: `values: impl Iterator<Item = f64>`.
//!
//! Note [Iterators as parameters]. Where the elements of such a parameter come from, the call says. So a function of one is expanded
//! where it is called, like one that takes closures (Note [Higher-order functions]), but each call has a copy of its own, which sees
//! the iterator by its name (Note [Named iterators]):
//!
//! ```text
//! log_sum_exp(c.iter().map(|c| c.w), t)     {
//!                                               let values = c.iter().map(|c| c.w);
//!                                               let log_sum_exp = |t: f64| -> f64 { … values … };
//!                                               log_sum_exp(t)
//!                                           }
//! ```
//!
//! An argument with an effect is evaluated before, in its turn.

use super::build::{At, bare};
use super::higher_order::Calls;
use super::iter::Iter;
use super::scope::Substitute;
use super::{items, names};
use crate::diag::Error;
use crate::parse::tokens::referent;
use crate::relay::key;
use crate::tokens::{mentions, spelled};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{
    Expr, ExprCall, FnArg, GenericArgument, GenericParam, ItemFn, Pat, PathArguments, Stmt, Type, TypeParamBound,
    WherePredicate,
};

/// What a parameter takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Given {
    Iterator,
    /// What has elements.
    Elements,
    /// An iterator of the caller's, of which elements are taken.
    Lent,
}

/// The type parameters of a function that are iterators.
pub(super) struct Iterators(HashMap<String, Given>);

impl Iterators {
    pub(super) fn of(item: &ItemFn) -> Iterators {
        let generics = &item.sig.generics;
        let declared = generics.type_params().map(|param| (param.ident.to_string(), &param.bounds));
        let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let required = predicates.filter_map(|predicate| match predicate {
            WherePredicate::Type(predicate) => Some((spelled(&predicate.bounded_ty), &predicate.bounds)),
            _ => None,
        });
        let found = declared.chain(required);
        Iterators(found.filter_map(|(name, bounds)| Some((name, bounds.iter().find_map(of_bound)?))).collect())
    }

    pub(super) fn is_type(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whether the types are named where no parameter is.
    pub(super) fn are_named(&self, item: &ItemFn) -> bool {
        let (body, result) = (item.block.to_token_stream(), item.sig.output.to_token_stream());
        self.0.keys().any(|name| mentions(&body, name) || mentions(&result, name))
    }

    pub(super) fn given(&self, input: &FnArg) -> Option<Given> {
        let FnArg::Typed(input) = input else { return None };
        let found = match unboxed(referent(&input.ty)) {
            Type::ImplTrait(ty) => ty.bounds.iter().find_map(of_bound),
            Type::TraitObject(ty) => ty.bounds.iter().find_map(of_bound),
            Type::Path(path) => self.0.get(&path.path.get_ident()?.to_string()).copied(),
            _ => None,
        };
        match &*input.ty {
            Type::Reference(reference) if reference.mutability.is_some() => found.map(|_| Given::Lent),
            _ => found,
        }
    }

    /// The function without what says that parameters are iterators.
    pub(super) fn untyped(&self, item: &ItemFn) -> ItemFn {
        let mut item = item.clone();
        for input in &mut item.sig.inputs {
            let is_given = self.given(input).is_some();
            if let (FnArg::Typed(input), true) = (input, is_given) {
                *input.ty = syn::parse_quote!(_);
            }
        }
        let generics = &mut item.sig.generics;
        let is_other = |param: &GenericParam| !matches!(param, GenericParam::Type(param) if self.is_type(&param.ident.to_string()));
        generics.params = std::mem::take(&mut generics.params).into_iter().filter(is_other).collect();
        if let Some(clause) = &mut generics.where_clause {
            let is_other =
                |predicate: &WherePredicate| !self.0.keys().any(|name| mentions(&predicate.to_token_stream(), name));
            clause.predicates = std::mem::take(&mut clause.predicates).into_iter().filter(is_other).collect();
        }
        item
    }
}

/// `dyn Iterator<…>` of `Box<dyn Iterator<…>>`
fn unboxed(ty: &Type) -> &Type {
    let Type::Path(path) = ty else { return ty };
    match path.path.segments.last().filter(|last| last.ident == "Box").map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(args)) => match args.args.first() {
            Some(GenericArgument::Type(inner @ Type::TraitObject(_))) => inner,
            _ => ty,
        },
        _ => ty,
    }
}

/// `x.iter()` of `Box::new(x.iter())`
fn without_box(arg: Expr) -> Expr {
    let Expr::Call(call) = &arg else { return arg };
    let is_box = matches!(&*call.func, Expr::Path(path) if spelled(&path.path).ends_with("Box::new"));
    match call.args.first().filter(|_| is_box) {
        Some(inner) => bare(inner.clone()),
        None => arg,
    }
}

/// Whether an expression is an iterator, as far as its words tell.
pub fn is_iterator(expr: &Expr) -> bool {
    Iter::parse(&without_box(bare(expr.clone()))).is_some()
}

/// An iterator as the function takes it; what it takes by a mutable borrow has a variable already.
pub fn handed_over(given: Given, arg: &Expr) -> Option<Expr> {
    match (given, bare(arg.clone())) {
        (Given::Elements, _) => Some(At(arg.span()).method(syn::parse_quote!((#arg)), "into_iter", Vec::new())),
        (Given::Iterator, Expr::Reference(reference)) if reference.mutability.is_some() => None,
        (Given::Iterator, Expr::MethodCall(call)) if call.method == "by_ref" => None,
        (Given::Iterator, arg) => Some(without_box(arg)),
        (Given::Lent, _) => None,
    }
}

fn of_bound(bound: &TypeParamBound) -> Option<Given> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    match &bound.path.segments.last()?.ident.to_string()[..] {
        "Iterator" | "ExactSizeIterator" | "DoubleEndedIterator" => Some(Given::Iterator),
        "IntoIterator" => Some(Given::Elements),
        _ => None,
    }
}

impl Calls<'_> {
    /// A call of a function that takes iterators, as a block.
    pub(super) fn with_iterators(&mut self, call: &ExprCall) -> Option<Expr> {
        let Expr::Path(function) = &*call.func else { return None };
        let path = function.path.clone();
        let item = self.callee(&path)?;
        let iterators = Iterators::of(&item);
        let given: Vec<Option<Given>> = item.sig.inputs.iter().map(|input| iterators.given(input)).collect();
        if given.iter().all(Option::is_none) || given.len() != call.args.len() {
            return None;
        }
        let name = spelled(&path);
        if self.inside.contains(&key(&path)) {
            let message = format!("`{name}`, which takes iterators and calls itself, cannot be differentiated yet");
            let help = "collect the elements into a `Vec`, and take a slice";
            self.errors.push(Error::new(&path, message).help(help).plain_rust());
            return Some(super::Desugar::reported());
        }
        if let Some(hidden) = self.hidden(&item) {
            let what = format!("`{name}` names `{hidden}`, which is something else in this function");
            self.errors.push(Error::new(&path, what).help(format!("give `{hidden}` another name here")));
        }
        let at = At(path.span());
        let own = self.names.fresh(&item.sig.ident.to_string(), path.span());
        let mut called = super::higher_order::as_called(iterators.untyped(&item), own.clone());
        let mut stmts = Vec::new();
        let (mut inputs, mut args) = (syn::punctuated::Punctuated::new(), Vec::new());
        let last = given.iter().rposition(|given| given.is_some()).unwrap_or(0);
        let parts = std::mem::take(&mut called.sig.inputs).into_iter().zip(&call.args).zip(&given).enumerate();
        for (k, ((input, arg), given)) in parts {
            let Some(given) = given else {
                inputs.push(input);
                // Where the elements come from may be evaluated later.
                let is_before = k < last && names::has_effects(arg) && !matches!(arg, Expr::Reference(_));
                args.push(if is_before { self.named_before(arg, at, &mut stmts) } else { arg.clone() });
                continue;
            };
            let FnArg::Typed(input) = input else { return None };
            self.hand_over(*given, &input.pat, arg, &mut called, &mut stmts)?;
        }
        called.sig.inputs = inputs;
        self.expand(&path, &mut called, &item);
        let mut closure = items::closure(called);
        if let Stmt::Local(local) = &mut closure {
            local.pat = at.name(&own, false);
        }
        stmts.push(closure);
        let mut written = call.clone();
        written.func = Box::new(at.path(&own));
        written.args = args.into_iter().collect();
        stmts.push(Stmt::Expr(Expr::Call(written), None));
        Some(at.block(None, stmts))
    }

    fn named_before(&mut self, arg: &Expr, at: At, stmts: &mut Vec<Stmt>) -> Expr {
        let name = self.names.fresh("argument", at.0);
        stmts.push(at.define(&name, false, arg.clone()));
        at.path(&name)
    }

    /// Gives an iterator to a function under a name that nothing else has.
    fn hand_over(
        &mut self,
        given: Given,
        pat: &Pat,
        arg: &Expr,
        called: &mut ItemFn,
        stmts: &mut Vec<Stmt>,
    ) -> Option<()> {
        let Pat::Ident(parameter) = pat else { return None };
        let at = At(arg.span());
        let Some(value) = handed_over(given, arg) else { return self.lend(parameter, arg, called) };
        if Iter::parse(&value).is_none() && !matches!(value, Expr::Path(_)) {
            let message = "where these elements come from is not known";
            let help = "hand over an iterator over a slice, such as `x.iter().map(…)`, or collect the elements into a `Vec` first";
            self.errors.push(Error::new(arg, message).help(help).plain_rust());
        }
        let name = self.names.fresh(&parameter.ident.to_string(), parameter.ident.span());
        stmts.push(at.define(&name, parameter.mutability.is_some(), value));
        let with = |used: &Ident| At(used.span()).path(&name);
        Substitute::new(&parameter.ident, &with).visit_block_mut(&mut called.block);
        Some(())
    }

    /// `&mut items`: the variable of the caller's itself.
    fn lend(&mut self, parameter: &syn::PatIdent, arg: &Expr, called: &mut ItemFn) -> Option<()> {
        let place = match bare(arg.clone()) {
            Expr::Reference(reference) => bare(*reference.expr),
            Expr::MethodCall(call) if call.method == "by_ref" => bare(*call.receiver),
            other => other,
        };
        let name = match &place {
            Expr::Path(path) => path.path.get_ident().cloned(),
            _ => None,
        };
        let Some(name) = name.filter(|name| !names::idents(&called.block).contains(&name.to_string())) else {
            let message = "an iterator that is lent like this cannot be differentiated yet";
            let help = "give it a name that the function that is called does not use: `let mut items = …`";
            self.errors.push(Error::new(arg, message).help(help).plain_rust());
            return Some(());
        };
        let with = |used: &Ident| At(used.span()).path(&Ident::new(&name.to_string(), used.span()));
        Substitute::new(&parameter.ident, &with).visit_block_mut(&mut called.block);
        Some(())
    }
}
