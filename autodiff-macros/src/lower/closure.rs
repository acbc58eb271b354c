//! Closures of the function itself: a call is the body, lowered where the call stands.
//!
//! Note [Captures]. The names in a closure mean what they meant where it was made, so its body is lowered with the
//! scopes of that place. A name stands for a slot, and slots hold what variables have now: a closure that borrows sees
//! its own earlier changes, as it should. `move` gives it slots of its own, with the values of the place where it is
//! made. Such a closure is copied where it is handed on, and each copy goes on by itself.

use super::Lower;
use super::assign::Assigned;
use super::call::is_mutable;
use super::env::Scopes;
use super::functions::Called;
use super::generic_closure::generics_of;
use super::infer::Inference;
use super::value::{Lowered, Untyped, Value};
use crate::diag::{Error, are, counted};
use crate::parse::ty::Surface;
use crate::tokens::is_of_functions;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, ExprCall, ExprClosure, ExprPath, Pat, ReturnType, Type};

/// A closure and what its names mean.
#[derive(Debug)]
pub struct Closure {
    expr: ExprClosure,
    scopes: Scopes,
    /// What it has captured of variables that are not there any more.
    kept: Vec<(String, Value)>,
    /// The function that it only calls, with as many arguments as it is given.
    named: Option<ExprPath>,
}

impl Closure {
    /// A function by its path.
    pub(super) fn named(path: ExprPath) -> Closure {
        let scopes = vec![HashMap::new()];
        Closure { expr: syn::parse_quote!(|| ()), scopes, kept: Vec::new(), named: Some(path) }
    }

    /// `|a, b| f(a, b)`
    fn calling(path: &ExprPath, call: &ExprCall) -> Closure {
        let names = (0..call.args.len()).map(|k| format_ident!("__autodiff_argument_{k}"));
        let names: Vec<_> = names.collect();
        let at = call.func.span();
        let expr = syn::parse_quote_spanned!(at=> |#(#names),*| #path(#(#names),*));
        Closure { expr, scopes: vec![HashMap::new()], kept: Vec::new(), named: None }
    }

    /// The types that are written beside its parameters.
    pub(super) fn declared_inputs(&self) -> Vec<Option<Type>> {
        let written = |pat: &Pat| if let Pat::Type(typed) = pat { Some((*typed.ty).clone()) } else { None };
        self.expr.inputs.iter().map(written).collect()
    }

    /// How it begins, for messages.
    pub(super) fn written(&self) -> TokenStream {
        let start = self.expr.capture.map_or_else(|| self.expr.or1_token.to_token_stream(), |it| it.to_token_stream());
        self.named.as_ref().map_or(start, ToTokens::to_token_stream)
    }

    /// Whether two are the same function.
    pub(super) fn is_same(&self, other: &Closure) -> bool {
        match (&self.named, &other.named) {
            (Some(path), Some(other)) => path.to_token_stream().to_string() == other.to_token_stream().to_string(),
            _ => std::ptr::eq(self, other),
        }
    }
}

impl Lower<'_> {
    pub(super) fn closure(&mut self, expr: &ExprClosure) -> Lowered<Value> {
        if let Some(token) = &expr.asyncness {
            return self.unsupported(token, "an `async` closure", "leave `async` out");
        }
        let mut scopes = self.env.scopes().clone();
        if expr.capture.is_some() {
            let mut own = HashSet::new();
            names_in(&expr.body, &mut own);
            let own = self.env.copies(&own);
            self.copy_closures_in(&own);
            scopes.push(own);
        }
        let closure = Rc::new(Closure { expr: expr.clone(), scopes, kept: Vec::new(), named: None });
        Ok(Value::Closure(closure))
    }

    /// A closure as a value: what has variables of its own is copied.
    pub(super) fn copied_closure(&mut self, closure: &Rc<Closure>) -> Value {
        if closure.expr.capture.is_none() {
            return Value::Closure(closure.clone());
        }
        let mut scopes = closure.scopes.clone();
        let own = self.env.again(&scopes.pop().unwrap_or_default());
        self.copy_closures_in(&own);
        scopes.push(own);
        let (expr, kept) = (closure.expr.clone(), closure.kept.clone());
        let copy = Rc::new(Closure { expr, scopes, kept, named: None });
        Value::Closure(copy)
    }

    /// What a closure owns may be closures that own something.
    fn copy_closures_in(&mut self, own: &HashMap<String, usize>) {
        for slot in own.values() {
            if let Some(Value::Closure(inner)) = self.env.get(*slot).value.clone() {
                let copy = self.copied_closure(&inner);
                self.env.set(*slot, Some(copy));
            }
        }
    }

    /// The closure that a call is of.
    pub(super) fn called_closure(&mut self, function: &Expr) -> Lowered<Option<Called>> {
        let value = match function {
            Expr::Closure(closure) => Some(self.closure(closure)?),
            Expr::Path(path) => match path.path.get_ident().and_then(|ident| self.lookup(&ident.to_string())) {
                Some(binding) => binding.value.clone(),
                None => self.constant_functions(&path.path).transpose()?,
            },
            Expr::Index(_) | Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Field(_) | Expr::Unary(_) => {
                Some(self.expr(function)?)
            }
            _ => None,
        };
        Ok(value.and_then(|value| self.as_called(&value)))
    }

    pub(super) fn call_closure(
        &mut self,
        closure: &Closure,
        call: &ExprCall,
        expected: Option<&Surface>,
    ) -> Lowered<Value> {
        if let Some(path) = &closure.named {
            return self.call_closure(&Closure::calling(path, call), call, expected);
        }
        let generics = generics_of(&closure.expr);
        let mut inference = Inference::new(&generics);
        if !generics.is_empty() {
            self.told(&closure.expr, call, &mut inference)?;
        }
        let (pats, args) = (&closure.expr.inputs, &call.args);
        if pats.len() != args.len() {
            let message = format!("the closure takes {}, {} given", counted(pats.len(), "argument"), are(args.len()));
            return self.fail(Error::new(call, message));
        }
        let mut values = Vec::new();
        for (pat, arg) in pats.iter().zip(args) {
            let declared = match pat {
                Pat::Type(typed) => match inference.type_here(&typed.ty) {
                    Some(ty) => self.declared(&ty)?,
                    None => None,
                },
                _ => None,
            };
            let value = match super::assign::unparen(arg) {
                Expr::Reference(reference) if reference.mutability.is_some() => self.borrow_mut(&reference.expr)?,
                // A borrow that has a name.
                arg @ Expr::Path(_) if matches!(pat, Pat::Type(typed) if is_mutable(&typed.ty)) => {
                    self.borrow_mut(arg)?
                }
                // Whether it is read, the closure shows.
                arg => match self.named_error(arg) {
                    Some(error) => Value::Other(error),
                    None => self.expr_expecting(arg, declared.as_ref())?,
                },
            };
            if let (Pat::Type(typed), None) = (pat, &declared) {
                inference.unify(&typed.ty, &self.behind_borrow(&value, arg)?.surface(&self.b));
            }
            values.push((value, declared));
        }
        if !inference.unknown().is_empty() {
            self.told_by_functions(&closure.expr, &values, &mut inference);
        }
        let instance = match generics.is_empty() {
            true => None,
            false => Some(self.instance(&closure.expr, call, inference, expected)?),
        };
        let expr = instance.as_ref().unwrap_or(&closure.expr);
        let pats = &expr.inputs;
        let mut given = Vec::new();
        for ((pat, (value, declared)), arg) in pats.iter().zip(values).zip(args) {
            let declared = match (pat, declared) {
                (Pat::Type(typed), None) => self.declared(&typed.ty)?,
                (_, declared) => declared,
            };
            given.push(match (declared, &value) {
                (Some(_), Value::Borrow(_)) | (None, _) => value,
                (Some(surface), _) => self.coerce(value, &surface, arg, "the parameter of the closure")?,
            });
        }
        let outer = self.env.enter(closure.scopes.clone());
        let value = self.scoped(|lower| {
            for (name, value) in &closure.kept {
                lower.define(name, Some(value.clone()), false);
            }
            for (pat, value) in pats.iter().zip(given) {
                let pat = match pat {
                    Pat::Type(typed) => &typed.pat,
                    other => other,
                };
                lower.bind(pat, value)?;
            }
            match &expr.output {
                ReturnType::Type(_, ty) => {
                    let surface = lower.resolve(ty)?;
                    let value = lower.root(&expr.body, Some(&surface))?;
                    lower.coerce(value, &surface, &expr.body, "the result of the closure")
                }
                ReturnType::Default => lower.root(&expr.body, expected),
            }
        });
        self.env.enter(outer);
        value
    }

    /// The type of a parameter. Data without a derivative are what they are.
    fn declared(&mut self, ty: &Type) -> Lowered<Option<Surface>> {
        if self.is_foreign(ty) || is_of_functions(ty) { Ok(None) } else { self.resolve(ty).map(Some) }
    }

    /// The value that an argument has, also behind a mutable borrow.
    pub(super) fn behind_borrow(&mut self, value: &Value, arg: &impl ToTokens) -> Lowered<Value> {
        match value {
            Value::Borrow(place) => self.read(place, arg),
            value => Ok(value.clone()),
        }
    }

    /// Whether a closure changes what it captures.
    pub(super) fn changes(&mut self, closure: &Closure) -> bool {
        let outer = self.env.enter(closure.scopes.clone());
        let changed = self.assigned(|assigned| assigned.visit_expr(&closure.expr.body));
        self.env.enter(outer);
        !matches!(changed, Ok(changed) if changed.is_empty())
    }

    /// A closure that keeps what it has captured of the variables that came behind the first `slots`, unless that is computed from
    /// what came behind the first `vars` of the body.
    pub(super) fn with_captured(&self, closure: &Closure, slots: usize, vars: usize) -> Option<Closure> {
        let mut names = HashSet::new();
        names_in(&closure.expr.body, &mut names);
        let mut names: Vec<String> = names.into_iter().collect();
        names.sort();
        let (mut scopes, mut kept) = (closure.scopes.clone(), Vec::new());
        let is_before = |value: &Value| match value {
            Value::Leaf(..) | Value::Parts(..) | Value::Chosen(..) => {
                value.leaves().iter().all(|var| (var.0 as usize) < vars)
                    && value
                        .passive()
                        .iter()
                        .all(|text| text.parse().is_ok_and(|tokens| !crate::ir::mentions_late(&tokens)))
            }
            Value::Untyped(Untyped { tokens, .. }) | Value::Other(tokens) => !crate::ir::mentions_late(tokens),
            _ => false,
        };
        for name in names {
            let Some(slot) = self.env.slot_in(&scopes, &name).filter(|slot| *slot >= slots) else { continue };
            let value = match self.env.get(slot).value.clone()? {
                Value::Closure(inner) => Value::Closure(Rc::new(self.with_captured(&inner, slots, vars)?)),
                value if is_before(&value) => value,
                _ => return None,
            };
            for scope in &mut scopes {
                scope.retain(|known, slot| *known != name || *slot < slots);
            }
            kept.push((name, value));
        }
        let mut expr = closure.expr.clone();
        // What is its own is read only.
        expr.capture = None;
        kept.extend(closure.kept.iter().cloned());
        Some(Closure { expr, scopes, kept, named: closure.named.clone() })
    }

    /// The variables that calls of closures change.
    pub(super) fn changed_by_calls(&self, called: &[String]) -> Vec<usize> {
        let mut slots = Vec::new();
        for name in called {
            if let Some(slot) = self.env.slot(name) {
                self.changed_by(slot, &mut slots);
            }
        }
        slots
    }

    fn changed_by(&self, slot: usize, slots: &mut Vec<usize>) {
        let Some(Value::Closure(closure)) = &self.env.get(slot).value else { return };
        let mut assigned = Assigned::default();
        assigned.visit_expr(&closure.expr.body);
        for name in assigned.all_names() {
            if let Some(slot) = self.env.slot_in(&closure.scopes, &name).map(|slot| self.env.owner_of(slot)) {
                if !slots.contains(&slot) {
                    slots.push(slot);
                }
            }
        }
        for name in &assigned.called {
            if let Some(inner) = self.env.slot_in(&closure.scopes, name).filter(|inner| *inner != slot) {
                self.changed_by(inner, slots);
            }
        }
    }
}

/// The identifiers of an expression, those in macros too.
fn names_in(expr: &Expr, found: &mut HashSet<String>) {
    fn collect(tokens: proc_macro2::TokenStream, found: &mut HashSet<String>) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Ident(ident) => {
                    found.insert(ident.to_string());
                }
                proc_macro2::TokenTree::Group(group) => collect(group.stream(), found),
                _ => {}
            }
        }
    }
    collect(expr.to_token_stream(), found);
}
