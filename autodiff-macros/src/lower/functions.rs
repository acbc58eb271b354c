//! Functions as values: in tables, and where one of several is chosen.
//!
//! Note [Chosen functions]. A function has no representation in the IR. Which one of several it is, however, is an integer: `[f64::sin,
//! relu]` at `i`, and `if c { f64::sin } else { relu }`, are a [`Value::Chosen`], an integer variable and the list that it counts in. A
//! call of it is a branch on that integer. An index goes through an array of the numbers of the elements, so that it panics where
//! the function does.
//!
//! A closure that is chosen must not change what it captures: it would be the choice that changes it. What it captures of the
//! variables of a branch is kept in it.

use super::Lower;
use super::assign::unparen;
use super::closure::Closure;
use super::value::{Lowered, Untyped, Value};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::ir::{IntOp, Var};
use crate::layout::{Form, Kind};
use crate::parse::ty::Surface;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use std::collections::HashMap;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprPath};

/// What is called.
pub(super) enum Called {
    One(Rc<Closure>),
    OneOf(Var, Rc<Vec<Rc<Closure>>>),
}

impl Lower<'_> {
    /// A value that is a function, or one of several.
    pub(super) fn as_called(&self, value: &Value) -> Option<Called> {
        match value {
            Value::Closure(closure) => Some(Called::One(closure.clone())),
            Value::Chosen(at, list) => Some(Called::OneOf(*at, list.clone())),
            Value::Untyped(Untyped { tokens, number: None, .. }) => {
                Some(Called::One(Rc::new(Closure::named(self.function_path(tokens)?))))
            }
            _ => None,
        }
    }

    pub(super) fn is_function(&self, value: &Value) -> bool {
        self.as_called(value).is_some()
    }

    /// Whether an expression is the path of a function.
    pub(super) fn names_function(&self, expr: &Expr) -> bool {
        self.function_path(&unparen(expr).to_token_stream()).is_some()
    }

    /// A function as a value that no use makes a number of.
    pub(super) fn function_value(&self, value: Value) -> Value {
        self.as_called(&value).map_or(value, value_of)
    }

    /// The path of a function, by the case of its last word: `f64::sin`, `relu`, `(&relu)`.
    fn function_path(&self, tokens: &TokenStream) -> Option<ExprPath> {
        let tokens = super::value::dereferenced(tokens.clone());
        if crate::ir::mentions_late(&tokens) {
            return None;
        }
        let path: ExprPath = syn::parse2(tokens).ok()?;
        let name = path.path.segments.last()?.ident.to_string();
        let is_lower = name.trim_start_matches("r#").starts_with(|c: char| c.is_lowercase() || c == '_');
        let is_constant = self.source.as_ref().is_some_and(|source| source.constant_type(&path.path).is_some());
        let is_variable = path.path.get_ident().is_some_and(|name| {
            let name = name.to_string();
            self.lookup(&name).is_some() || self.function.params.iter().any(|param| param.name == name)
        });
        (is_lower && !is_constant && !is_variable).then_some(path)
    }

    /// A list of functions: an array of them, as it is written.
    pub(super) fn listed_functions(&mut self, parts: &[Value], at: &impl ToTokens) -> Option<Lowered<Value>> {
        let called: Option<Vec<Called>> = parts.iter().map(|part| self.as_called(part)).collect();
        let called = called.filter(|called| !called.is_empty())?;
        for one in &called {
            if let Err(reported) = self.changes_nothing(one, at) {
                return Some(Err(reported));
            }
        }
        Some(Ok(Value::Parts(Kind::Array, called.into_iter().map(value_of).collect())))
    }

    /// The one of some functions that a variable chooses.
    pub(super) fn chosen_function(&mut self, all: &[Value], at: Var) -> Option<Value> {
        let called: Vec<Called> = all.iter().map(|value| self.as_called(value)).collect::<Option<_>>()?;
        let (mut list, mut places) = (Vec::new(), Vec::new());
        for one in called {
            let start = self.numbered(list.len());
            match one {
                Called::One(closure) => {
                    places.push(start);
                    list.push(closure);
                }
                Called::OneOf(at, closures) => {
                    places.push(self.b.int(IntOp::Add, start, at));
                    list.extend(closures.iter().cloned());
                }
            }
        }
        let numbers = self.stacked(&places)?;
        Some(Value::Chosen(self.b.get(numbers, &[at]), Rc::new(list)))
    }

    /// The functions of two branches as one choice: what each of them chooses, to be put in its own equations.
    pub(super) fn joined_functions(
        &mut self,
        yes: &Value,
        no: &Value,
    ) -> Option<[(Option<Var>, usize, FunctionList); 2]> {
        let (yes, no) = (self.as_called(yes)?, self.as_called(no)?);
        if matches!((&yes, &no), (Called::One(yes), Called::One(no)) if yes.is_same(no)) {
            return None;
        }
        let (yes_at, mut list) = listed(yes);
        let (no_at, others) = listed(no);
        let start = list.len();
        list.extend(others);
        let list: FunctionList = Rc::new(list);
        Some([(yes_at, 0, list.clone()), (no_at, start, list)])
    }

    /// A choice from its parts.
    pub(super) fn function_at(&mut self, (at, start, list): (Option<Var>, usize, FunctionList)) -> Value {
        let start = self.numbered(start);
        let at = at.map_or(start, |at| self.b.int(IntOp::Add, start, at));
        Value::Chosen(at, list)
    }

    fn numbered(&mut self, number: usize) -> Var {
        self.b.dim(Dim::literal(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    /// A call of one of several functions: a branch on which of them it is.
    pub(super) fn call_chosen(
        &mut self,
        at: Var,
        list: &[Rc<Closure>],
        call: &ExprCall,
        expected: Option<&Surface>,
    ) -> Lowered<Value> {
        self.scoped(|lower| {
            let span = call.func.span();
            let mut args: Vec<Expr> = Vec::new();
            for (k, arg) in call.args.iter().enumerate() {
                let is_place = matches!(unparen(arg), Expr::Reference(reference) if reference.mutability.is_some());
                args.push(match is_place {
                    true => arg.clone(),
                    false => lower.named_once(arg, &format!("__autodiff_argument_{k}"))?,
                });
            }
            let which = Ident::new("__autodiff_which", span);
            lower.define(&which.to_string(), Some(Value::Leaf(at, Form::Plain)), false);
            let mut branches = Vec::new();
            for (k, closure) in list.iter().enumerate() {
                let mut name = format_ident!("__autodiff_function_{k}");
                name.set_span(span);
                lower.define(&name.to_string(), Some(Value::Closure(closure.clone())), false);
                let (attrs, number) = (&call.attrs, proc_macro2::Literal::usize_suffixed(k));
                let called: Expr = syn::parse_quote_spanned!(span=> #(#attrs)* #name(#(#args),*));
                branches.push((number, called));
            }
            let Some((_, last)) = branches.pop() else {
                return lower.unsupported(call, "a call of no function", "give it one");
            };
            let choice = branches.into_iter().rev().fold(last, |other, (number, called)| {
                syn::parse_quote_spanned!(span=> if #which == #number { #called } else { #other })
            });
            lower.root(&choice, expected)
        })
    }

    /// A function in the place of another one.
    pub(super) fn other_function(&mut self, value: &Value, old: &Value, at: &impl ToTokens) -> Option<Lowered<Value>> {
        let (called, _) = (self.as_called(value)?, self.as_called(old)?);
        Some(self.changes_nothing(&called, at).map(|()| value_of(called)))
    }

    /// Whether what a variable holds after an iteration is another function than before.
    pub(super) fn is_other_function(&self, before: &Value, after: &Value) -> bool {
        match (self.as_called(before), self.as_called(after)) {
            (Some(Called::One(before)), Some(Called::One(after))) => !before.is_same(&after),
            (Some(Called::OneOf(_, before)), Some(Called::OneOf(_, after))) => !Rc::ptr_eq(&before, &after),
            (None, Some(_)) | (Some(_), None) => true,
            _ => false,
        }
    }

    /// Reports closures that change what they capture.
    fn changes_nothing(&mut self, called: &Called, at: &impl ToTokens) -> Lowered<()> {
        let changes = match called {
            Called::One(closure) => self.changes(closure),
            Called::OneOf(..) => false,
        };
        if !changes {
            return Ok(());
        }
        self.unsupported(
            at,
            "a choice between closures that change what they capture",
            "let them take it as an argument, `|total: &mut f64, x: f64| …`, or choose where they are called",
        )
    }

    /// A function that leaves a branch, with what it captures there.
    pub(super) fn leaving(&mut self, value: Value, slots: usize, vars: usize) -> Lowered<Value> {
        let closure = match value {
            Value::Closure(closure) => closure,
            Value::Parts(kind, parts) => {
                let parts = parts.into_iter().map(|part| self.leaving(part, slots, vars));
                return Ok(Value::Parts(kind, parts.collect::<Lowered<_>>()?));
            }
            value => return Ok(value),
        };
        let at = closure.written();
        self.changes_nothing(&Called::One(closure.clone()), &at)?;
        match self.with_captured(&closure, slots, vars) {
            Some(closure) => Ok(Value::Closure(Rc::new(closure))),
            None => {
                let message = "a closure that captures what is computed in a branch cannot leave it";
                let help = "compute that before, or call the closure in the branch";
                self.fail(Error::new(&at, message).help(help).plain_rust())
            }
        }
    }

    /// The functions of a constant of the file, as they are written there.
    pub(super) fn constant_functions(&mut self, path: &syn::Path) -> Option<Lowered<Value>> {
        let expr = self.value_of_constant(path).filter(|expr| !matches!(expr, Expr::Struct(_)))?;
        let outer = self.env.enter(vec![HashMap::new()]);
        let value = self.expr_expecting(&expr, None);
        self.env.enter(outer);
        Some(value)
    }

    /// What a constant of functions or of options is written as.
    pub(super) fn value_of_constant(&self, path: &syn::Path) -> Option<Expr> {
        let text = self.source.as_ref()?.value_of_constant(path, &self.function.name().to_string())?;
        syn::parse2(crate::tokens::placed(text.parse().ok()?, path.span())).ok()
    }
}

pub(super) type FunctionList = Rc<Vec<Rc<Closure>>>;

fn listed(called: Called) -> (Option<Var>, Vec<Rc<Closure>>) {
    match called {
        Called::One(closure) => (None, vec![closure]),
        Called::OneOf(at, list) => (Some(at), list.to_vec()),
    }
}

fn value_of(called: Called) -> Value {
    match called {
        Called::One(closure) => Value::Closure(closure),
        Called::OneOf(at, list) => Value::Chosen(at, list),
    }
}

/// What to write where it cannot be seen which function is called.
pub(super) const CHOOSE: &str =
    "name the function, or choose it in this function: `let f = match kind { 0 => f64::sin, _ => relu };`";
