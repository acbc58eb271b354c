//! `Result`: an `Option` beside an error, see [`super::option`]. Its methods are a `match` each.
//!
//! Note [Errors]. An error carries no derivative and may be of any type. The body computes with a number that stands for it,
//! which goes through branches and loops like any other; the generated function has a list of the errors of each type
//! (`Errors` of `autodiff-core`). An error is put into its list where `Err(…)` makes it, or where another function has given
//! it, and it is moved out of there where a `Result` is put together, or where another error is made of it. So nothing is
//! asked of its type. What makes it is evaluated as rustc sees it, with the numbers of the body in the place of their names.

use super::Lower;
use super::assign::unparen;
use super::value::{Lowered, Reported, Value};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::ir::{Opaque, Ty, Var, fill_holes, late};
use crate::layout::{Form, Kind};
use crate::op::elementwise as rows;
use crate::parse::ty::{ERRORS, StructType, Surface};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::visit::Visit;
use syn::{Expr, ExprCall, ExprMethodCall, Pat, Path, parse_quote};

/// The name that a method's receiver has in the `match`.
const RECEIVER: &str = "__autodiff_result";

impl Lower<'_> {
    /// `Ok(x)` and `Err(e)`, where the type of the error is known.
    pub(super) fn ok_or_err(
        &mut self,
        call: &ExprCall,
        path: &Path,
        expected: Option<&Surface>,
    ) -> Lowered<Option<Value>> {
        let (Some(kind), [arg]) = (variant(path), &call.args.iter().collect::<Vec<_>>()[..]) else { return Ok(None) };
        let told = result(expected);
        let Some(ty) = told.clone().or_else(|| self.fallible.clone()).or_else(|| self.own_result()) else {
            return Ok(None);
        };
        let inner = ty.fields[1].ty.clone();
        let none = Value::Leaf(self.b.dim(Dim::literal(0)), Form::Plain);
        if kind == 1 {
            let error = Value::Leaf(self.error(arg, &ty)?, Form::Plain);
            let Some(value) = self.nothing(&inner) else {
                return self.unsupported(
                    path,
                    "`Err` in place of this value",
                    "return an `Option`, or numbers and arrays",
                );
            };
            return Ok(Some(self.whole_result(ty, 1, value, error)));
        }
        let value = self.expr_expecting(arg, Some(&inner))?;
        if told.is_some() || matches!(value, Value::Untyped(_) | Value::Other(_)) {
            let value = self.coerce(value, &inner, arg, "the value")?;
            return Ok(Some(self.whole_result(ty, 0, value, none)));
        }
        // What a closure returns may be of another type than what the function does.
        let errors = self.errors.clone();
        if let Ok(same) = self.coerce(value.clone(), &inner, arg, "the value") {
            return Ok(Some(self.whole_result(ty, 0, same, none)));
        }
        self.errors = errors;
        let value = self.with_arrays(value);
        let mut other = StructType::result(value.surface(&self.b), parse_quote!(Result), "");
        other.errors.clone_from(&ty.errors);
        Ok(Some(self.whole_result(Rc::new(other), 0, value, none)))
    }

    fn whole_result(&mut self, ty: Rc<StructType>, kind: i64, value: Value, error: Value) -> Value {
        let kind = self.b.dim(Dim::literal(kind));
        Value::Parts(Kind::Struct(ty), vec![Value::Leaf(kind, Form::Plain), value, error])
    }

    /// What the function returns, if that is a `Result`.
    fn own_result(&mut self) -> Option<Rc<StructType>> {
        let ty = self.function.result.clone();
        result(self.resolve(&ty).ok().as_ref())
    }

    /// The same number for an error in the list of another type of errors, which rustc finds to be the same type.
    pub(super) fn moved_error(&mut self, error: Value, from: &StructType, to: &StructType) -> Value {
        match (&error, &from.errors, &to.errors) {
            (Value::Leaf(number, _), Some(from), Some(to)) if from != to => {
                let number = late(*number);
                let tokens = quote!(#to.put_any(#from.take_any(#number)));
                Value::Leaf(self.b.opaque(Opaque::pure(tokens), Vec::new(), Ty::index()), Form::Plain)
            }
            _ => error,
        }
    }

    /// What the name in `Err(name)` stands for.
    pub(super) fn bound_error(ty: &StructType, value: Value) -> Value {
        match (&ty.errors, value) {
            (Some(list), Value::Leaf(number, _)) => {
                let number = late(number);
                Value::Other(quote!(#list.take(#number)))
            }
            (_, value) => value,
        }
    }

    /// What a function without a derivative gives, if that is a `Result` of a number. `given` are its tokens.
    pub(super) fn inactive_result(&mut self, given: &TokenStream, expected: Option<&Surface>) -> Option<Value> {
        let ty = result(expected)?;
        let inner = ty.fields[1].ty.leaf().filter(Ty::is_scalar)?;
        let (list, elem) = (ty.errors.clone()?, crate::parse::tokens::elem_tokens(&inner.elem));
        let err = self.b.opaque(Opaque::once(quote!(#given.is_err())), Vec::new(), Ty::scalar(crate::ir::Elem::Bool));
        let kind = self.b.cast(err, &Ty::index().elem);
        let value = quote!(#given.as_ref().map_or_else(|_| <#elem>::default(), |value| *value));
        let value = self.b.opaque(Opaque::once(value), Vec::new(), inner);
        let error = self.b.opaque(Opaque::once(quote!(#list.put_any(#given.err()))), Vec::new(), Ty::index());
        let parts = [kind, value, error].map(|var| Value::Leaf(var, Form::Plain)).to_vec();
        Some(Value::Parts(Kind::Struct(ty), parts))
    }

    /// A method of a `Result`.
    pub(super) fn result_method(
        &mut self,
        call: &ExprMethodCall,
        ty: &Rc<StructType>,
        receiver: Value,
    ) -> Lowered<Value> {
        let args: Vec<&Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        if let (Value::Parts(Kind::Struct(_), parts), "is_ok" | "is_err") = (&receiver, &name[..]) {
            let err = self.is_variant(parts, 1);
            let fits = if name == "is_err" { err } else { self.b.map(&rows::not, &[err]) };
            return Ok(Value::Leaf(fits, Form::Plain));
        }
        let result = Ident::new(RECEIVER, call.method.span());
        let chosen: Expr = match (&name[..], &args[..]) {
            ("clone" | "as_ref" | "copied" | "cloned", []) => return Ok(receiver),
            ("ok", []) => parse_quote!(match #result { Ok(value) => Some(value), Err(_) => None }),
            ("unwrap_or_default", []) => {
                parse_quote!(match #result { Ok(value) => Some(value), Err(_) => None }.unwrap_or_default())
            }
            ("unwrap_or", [other]) => parse_quote!(match #result { Ok(value) => value, Err(_) => #other }),
            ("unwrap_or_else", [f]) => parse_quote!(match #result { Ok(value) => value, Err(error) => (#f)(error) }),
            ("unwrap", []) => {
                parse_quote!(match #result { Ok(value) => value, Err(error) => panic!("called `Result::unwrap()` on an `Err` value: {:?}", error) })
            }
            ("expect", [Expr::Lit(text)]) => {
                parse_quote!(match #result { Ok(value) => value, Err(error) => panic!("{}: {:?}", #text, error) })
            }
            ("map", [f]) => parse_quote!(match #result { Ok(value) => Ok((#f)(value)), Err(error) => Err(error) }),
            ("map_or", [other, f]) => parse_quote!(match #result { Ok(value) => (#f)(value), Err(_) => #other }),
            ("map_or_else", [g, f]) => {
                parse_quote!(match #result { Ok(value) => (#f)(value), Err(error) => (#g)(error) })
            }
            ("map_err", [f]) => parse_quote!(match #result { Ok(value) => Ok(value), Err(error) => Err((#f)(error)) }),
            ("and_then", [f]) => parse_quote!(match #result { Ok(value) => (#f)(value), Err(error) => Err(error) }),
            ("or", [other]) => parse_quote!(match #result { Ok(value) => Ok(value), Err(_) => #other }),
            ("or_else", [f]) => parse_quote!(match #result { Ok(value) => Ok(value), Err(error) => (#f)(error) }),
            ("is_ok_and", [f]) => parse_quote!(match #result { Ok(value) => (#f)(value), Err(_) => false }),
            _ => {
                let what = format!("`{name}` of a `Result`");
                return self.unsupported(&call.method, &what, "write it as a `match`");
            }
        };
        // Of what type another error is, its use tells.
        let errors = match &name[..] {
            "map_err" | "or_else" => Some(self.other_errors()),
            _ => ty.errors.clone(),
        };
        let fallible = with_value_type(errors, ty);
        self.scoped(|lower| {
            lower.define(RECEIVER, Some(receiver), false);
            lower.assuming(Some(fallible), |lower| lower.root(&chosen, None))
        })
    }

    /// A list for errors of a type that is not written here.
    pub(super) fn other_errors(&self) -> Ident {
        quote::format_ident!("{ERRORS}{}", self.b.vars.len())
    }

    /// Lowers something in which `Ok` and `Err` make a `Result` of this type, unless they say otherwise.
    pub(super) fn assuming<T>(&mut self, ty: Option<Rc<StructType>>, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = match ty {
            Some(ty) => self.fallible.replace(ty),
            None => self.fallible.clone(),
        };
        let value = lower(self);
        self.fallible = outer;
        value
    }

    // --- what an error is made of -----------------------------------------------------------------------

    /// The number of an error that is made here.
    fn error(&mut self, expr: &Expr, ty: &StructType) -> Lowered<Var> {
        let Some(list) = ty.errors.clone() else { return Err(Reported) };
        let mut data = Data { calls: false };
        let tokens = data.of(self, expr)?;
        if let Some(number) = same_error(&tokens, &list) {
            return Ok(number);
        }
        // It is made where the pattern fits that binds what it is made of, so that this needs no default.
        let tokens = super::passive_pattern::where_it_fits(tokens, false);
        self.at(expr);
        let evaluation = self.evaluation_of(!data.calls, &tokens);
        let opaque = Opaque { tokens: quote!(#list.put(#tokens)), is_call: false, evaluation };
        Ok(self.b.opaque(opaque, Vec::new(), Ty::index()))
    }

    /// What stands for the error that a name means.
    pub(super) fn named_error(&self, expr: &Expr) -> Option<TokenStream> {
        let Expr::Path(path) = unparen(expr) else { return None };
        match &self.lookup(&path.path.get_ident()?.to_string())?.value {
            Some(Value::Other(tokens)) if is_error(tokens) => Some(tokens.clone()),
            _ => None,
        }
    }
}

/// Writes an expression without a derivative as it stands, with the numbers of the body in it.
struct Data {
    /// Whether a function is called that may have an effect.
    calls: bool,
}

impl Data {
    fn of(&mut self, lower: &mut Lower, expr: &Expr) -> Lowered<TokenStream> {
        if !mentions_local(lower, expr) {
            return self.outside(lower, expr);
        }
        if let Some(error) = lower.named_error(expr) {
            return Ok(error);
        }
        match expr {
            Expr::Paren(inner) => {
                let inner = self.of(lower, &inner.expr)?;
                Ok(quote!((#inner)))
            }
            Expr::Group(inner) => self.of(lower, &inner.expr),
            Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => match &block.block.stmts[..] {
                [syn::Stmt::Expr(inner, None)] => self.of(lower, inner),
                _ => self.no(lower, expr),
            },
            Expr::Call(call) => self.call(lower, call),
            Expr::Struct(literal) if literal.rest.is_none() => {
                let path = &literal.path;
                let mut fields = Vec::new();
                for field in &literal.fields {
                    let (member, value) = (&field.member, self.of(lower, &field.expr)?);
                    fields.push(quote!(#member: #value));
                }
                Ok(quote!(#path { #(#fields),* }))
            }
            Expr::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|elem| self.of(lower, elem)).collect::<Lowered<Vec<_>>>()?;
                Ok(quote!((#(#parts,)*)))
            }
            Expr::Array(array) => {
                let parts = array.elems.iter().map(|elem| self.of(lower, elem)).collect::<Lowered<Vec<_>>>()?;
                Ok(quote!([#(#parts),*]))
            }
            Expr::Macro(call) => match lower.formatted(&call.mac) {
                Some(tokens) => Ok(tokens),
                None => self.no(lower, expr),
            },
            Expr::MethodCall(call) if MAKERS.contains(&&call.method.to_string()[..]) => {
                let receiver = self.of(lower, &call.receiver)?;
                let args = call.args.iter().map(|arg| self.of(lower, arg)).collect::<Lowered<Vec<_>>>()?;
                let method = &call.method;
                Ok(quote!((#receiver).#method(#(#args),*)))
            }
            Expr::Reference(reference) if reference.mutability.is_none() => {
                let inner = self.of(lower, &reference.expr)?;
                Ok(quote!(&#inner))
            }
            other => self.value(lower, other),
        }
    }

    /// `NotConverged(i)`, `Error::new(i)`, and a closure that `map_err` is given.
    fn call(&mut self, lower: &mut Lower, call: &ExprCall) -> Lowered<TokenStream> {
        let path = match unparen(&call.func) {
            Expr::Closure(closure) => {
                let names: Vec<Option<&Ident>> = closure.inputs.iter().map(name_of).collect();
                if names.len() != call.args.len() {
                    return self.no(lower, &call.func);
                }
                let (body, args) = (&closure.body, &call.args);
                return lower.scoped(|lower| {
                    for ((name, arg), pattern) in names.into_iter().zip(args).zip(&closure.inputs) {
                        let error = lower.named_error(arg);
                        match (name, error) {
                            (Some(name), Some(error)) => {
                                lower.define(&name.to_string(), Some(Value::Other(error)), false)
                            }
                            (None, _) if matches!(pattern, Pat::Wild(_)) => {}
                            _ => return self.no(lower, &call.func),
                        }
                    }
                    self.of(lower, body)
                });
            }
            Expr::Path(path) => &path.path,
            _ => return self.no(lower, &call.func),
        };
        let Some(last) = path.segments.last().map(|last| last.ident.to_string()) else { return Err(Reported) };
        let stops = last == "stop_gradient" && crate::source::may_be_of_library(path);
        if stops || lower.knowledge.find_fn(path).is_some() {
            return self.value(lower, &Expr::Call(call.clone()));
        }
        self.calls |= may_have_effect(path, lower);
        let args = call.args.iter().map(|arg| self.of(lower, arg)).collect::<Lowered<Vec<_>>>()?;
        Ok(quote!(#path(#(#args),*)))
    }

    /// What depends on nothing of the body.
    fn outside(&mut self, lower: &Lower, expr: &Expr) -> Lowered<TokenStream> {
        struct Calls<'l, 'k>(&'l Lower<'k>, bool);
        impl<'a> Visit<'a> for Calls<'_, '_> {
            fn visit_expr_call(&mut self, call: &'a ExprCall) {
                self.1 |= match unparen(&call.func) {
                    Expr::Path(path) => may_have_effect(&path.path, self.0),
                    _ => true,
                };
                syn::visit::visit_expr_call(self, call);
            }

            fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
                self.1 |= !MAKERS.contains(&&call.method.to_string()[..]);
                syn::visit::visit_expr_method_call(self, call);
            }
        }
        let mut calls = Calls(lower, false);
        calls.visit_expr(expr);
        self.calls |= calls.1;
        Ok(expr.to_token_stream())
    }

    /// A number, or what is only passed on.
    fn value(&mut self, lower: &mut Lower, expr: &Expr) -> Lowered<TokenStream> {
        let value = lower.expr(expr)?;
        if lower.is_active(&value) {
            return lower.fail(
                Error::new(expr, "the derivative ends here: an error carries none")
                    .note("the value depends on a differentiable input")
                    .help("if that is meant, write `stop_gradient(…)` around it")
                    .plain_rust(),
            );
        }
        match &value {
            Value::Leaf(var, Form::Plain) if !lower.b.ty(*var).is_scalar() => {
                let array = late(*var);
                Ok(quote!((#array).to_owned()))
            }
            _ => match lower.inactive_tokens(&value) {
                Some(tokens) => Ok(tokens),
                None => self.no(lower, expr),
            },
        }
    }

    fn no<T>(&self, lower: &mut Lower, expr: &Expr) -> Lowered<T> {
        lower.unsupported(expr, "this in an error", "give it a name before, or make the error in a function of its own")
    }
}

impl Lower<'_> {
    /// `format!(…)` and the like.
    fn formatted(&mut self, mac: &syn::Macro) -> Option<TokenStream> {
        let (message, vars) = self.message(mac)?;
        let vars: Vec<TokenStream> = vars.into_iter().map(|var| late(var).to_token_stream()).collect();
        let (path, message) = (&mac.path, fill_holes(message, &vars));
        Some(quote!(#path!(#message)))
    }
}

/// Methods that an error is made with.
const MAKERS: &[&str] = &["into", "to_string", "to_owned", "clone", "as_str"];

fn may_have_effect(path: &Path, lower: &Lower) -> bool {
    let name = crate::parse::ty::spelled(path);
    let is_upper = path.segments.last().is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase));
    let of_std = ["String::from", "Box::new", "From::from", "Default::default"].iter().any(|end| name.ends_with(end));
    !is_upper && !of_std && !lower.is_pure(false, &name)
}

/// Whether a name of the body's is in an expression.
fn mentions_local(lower: &Lower, expr: &Expr) -> bool {
    fn any(tokens: TokenStream, lower: &Lower) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => lower.lookup(&ident.to_string()).is_some(),
            TokenTree::Group(group) => any(group.stream(), lower),
            // It may be in the text of a format.
            TokenTree::Literal(literal) => literal.to_string().contains('{'),
            TokenTree::Punct(_) => false,
        })
    }
    any(expr.to_token_stream(), lower)
}

fn name_of(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Ident(ident) if ident.subpat.is_none() => Some(&ident.ident),
        Pat::Type(typed) => name_of(&typed.pat),
        _ => None,
    }
}

/// A `Result` of the value that another type has, with these errors.
pub(super) fn with_value_type(errors: Option<Ident>, value: &StructType) -> Rc<StructType> {
    let mut ty = StructType::result(value.fields[1].ty.clone(), value.path.clone(), "");
    ty.errors = errors;
    Rc::new(ty)
}

/// Whether there is a `Result` in a value.
pub(super) fn has_result(value: &Value) -> bool {
    match value {
        Value::Parts(Kind::Struct(ty), _) if ty.errors.is_some() => true,
        Value::Parts(_, parts) => parts.iter().any(has_result),
        Value::Slice(slice) => has_result(&slice.of),
        _ => false,
    }
}

/// Whether tokens stand for an error out of a list.
pub(super) fn is_error(tokens: &TokenStream) -> bool {
    let first = tokens.clone().into_iter().next();
    matches!(first, Some(TokenTree::Ident(list)) if list.to_string().starts_with(ERRORS))
}

/// The number of an error that is in the list already; `From::from` of it is itself.
fn same_error(tokens: &TokenStream, list: &Ident) -> Option<Var> {
    let mut expr = syn::parse2::<Expr>(tokens.clone()).ok()?;
    if let Expr::Call(call) = &expr {
        let is_from = crate::parse::ty::spelled(&call.func).ends_with("convert::From::from");
        expr = call.args.first().filter(|_| is_from && call.args.len() == 1)?.clone();
    }
    let Expr::MethodCall(take) = expr else { return None };
    let of_list = matches!(&*take.receiver, Expr::Path(path) if path.path.is_ident(list));
    let mut vars = Vec::new();
    crate::ir::placed(take.args.to_token_stream(), &mut vars);
    vars.first().copied().filter(|_| of_list && take.method == "take")
}

/// Which variant of `Result` a path names.
fn variant(path: &Path) -> Option<usize> {
    let mut segments = path.segments.iter().rev();
    let last = segments.next()?;
    if segments.next().is_some_and(|owner| owner.ident != "Result") {
        return None;
    }
    ["Ok", "Err"].into_iter().position(|name| last.ident == name)
}

pub(super) fn result(expected: Option<&Surface>) -> Option<Rc<StructType>> {
    match expected {
        Some(Surface::Struct(ty)) if ty.errors.is_some() => Some(ty.clone()),
        _ => None,
    }
}
