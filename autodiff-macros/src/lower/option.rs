//! `Option`: an enum like those that are derived, see Note [Enums] in [`crate::parse::ty`]. Its methods are a `match` each.
//! What only constants and parameters without a derivative go into stays as it is written.

use super::Lower;
use super::result::with_value_type;
use super::value::{Lowered, Untyped, Value};
use crate::ir::dim::Dim;
use crate::ir::{Elem, Opaque, Ty};
use crate::layout::{Form, Kind};
use crate::op::elementwise as rows;
use crate::parse::ty::{StructType, Surface};
use proc_macro2::TokenStream;
use quote::quote;
use std::rc::Rc;
use syn::{Expr, ExprCall, ExprMethodCall, Path, parse_quote};

/// The name that a method's receiver has in the `match`.
const RECEIVER: &str = "__autodiff_option";

impl Lower<'_> {
    /// `Some(x)`; nothing, if it is only passed on.
    pub(super) fn some(&mut self, call: &ExprCall, path: &Path, expected: Option<&Surface>) -> Lowered<Option<Value>> {
        let (Some("Some"), [arg]) = (variant(path), &call.args.iter().collect::<Vec<_>>()[..]) else { return Ok(None) };
        if let Some(ty) = option(expected) {
            let inner = ty.fields[1].ty.clone();
            let value = self.expr_expecting(arg, Some(&inner))?;
            let value = self.coerce(value, &inner, arg, "the value")?;
            return Ok(Some(self.option(ty, 1, value)));
        }
        let value = match self.expr(arg)? {
            // What is evaluated once has been, so that what is around it is made here.
            value @ Value::Untyped(Untyped { number: None, .. }) => return self.some_data(call, value, expected),
            // As an index it would be wrong where it becomes negative; rustc knows what it is.
            Value::Untyped(untyped) if untyped.integer && self.integers.is_none() => {
                return self.some_data(call, Value::Untyped(untyped), expected);
            }
            value @ Value::Untyped(_) => self.settle(value, arg)?,
            value => {
                let value = self.with_floats(value);
                self.with_arrays(value)
            }
        };
        let inner = value.surface(&self.b);
        if let Surface::Other(_) = inner {
            return self.some_data(call, value, expected);
        }
        let ty = Rc::new(StructType::option(inner, parse_quote!(Option)));
        Ok(Some(self.option(ty, 1, value)))
    }

    /// A tuple whose literals are floats of the function's type.
    fn with_floats(&mut self, value: Value) -> Value {
        match (value, self.default_elem()) {
            (Value::Untyped(untyped), Some(elem)) if untyped.number.is_some() && !untyped.integer => {
                self.guessed |= self.has_both_floats();
                self.typed(&untyped, &elem)
            }
            (Value::Parts(Kind::Tuple, parts), _) => {
                Value::Parts(Kind::Tuple, parts.into_iter().map(|part| self.with_floats(part)).collect())
            }
            (value, _) => value,
        }
    }

    /// `Some` of what carries no derivative.
    fn some_data(&mut self, call: &ExprCall, value: Value, expected: Option<&Surface>) -> Lowered<Option<Value>> {
        self.inactive_call(call, &[value], expected).map(Some)
    }

    /// `None`, where its type is known.
    pub(super) fn none(&mut self, path: &Path, expected: Option<&Surface>) -> Option<Value> {
        let (Some("None"), Some(ty)) = (variant(path), option(expected)) else { return None };
        let value = self.nothing(&ty.fields[1].ty)?;
        Some(self.option(ty, 0, value))
    }

    fn option(&mut self, ty: Rc<StructType>, kind: i64, value: Value) -> Value {
        let kind = self.b.dim(Dim::literal(kind));
        Value::Parts(Kind::Struct(ty), vec![Value::Leaf(kind, Form::Plain), value])
    }

    /// What a function without a derivative gives, if that is an `Option` of a number. `given` are its tokens.
    pub(super) fn inactive_option(&mut self, given: &TokenStream, expected: Option<&Surface>) -> Option<Value> {
        let ty = option(expected)?;
        if super::plain::is_plain(&ty) {
            return self.plain_parts(given, &ty);
        }
        let inner = ty.fields[1].ty.leaf().filter(|ty| ty.is_scalar() && !matches!(ty.elem, Elem::Real(_)))?;
        let some = self.b.opaque(Opaque::once(quote!(#given.is_some())), Vec::new(), Ty::scalar(Elem::Bool));
        let kind = self.b.cast(some, &Ty::index().elem);
        let value = self.b.opaque(Opaque::once(quote!(#given.unwrap_or_default())), Vec::new(), inner);
        Some(Value::Parts(Kind::Struct(ty), vec![Value::Leaf(kind, Form::Plain), Value::Leaf(value, Form::Plain)]))
    }

    /// `None` or `Some(1.0)` that has been only passed on, as a value of a type that is known now.
    pub(super) fn known_option(&mut self, untyped: &Untyped, ty: &Rc<StructType>) -> Option<Lowered<Value>> {
        let expr: Expr = syn::parse2(untyped.tokens.clone()).ok()?;
        let path = match &expr {
            Expr::Path(path) => &path.path,
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => &path.path,
                _ => return None,
            },
            _ => return None,
        };
        variant(path)?;
        Some(self.expr_expecting(&expr, Some(&Surface::Struct(ty.clone()))))
    }

    /// `None` before anything else, which is taken for one of numbers.
    pub(super) fn nothing_yet(&mut self) -> Lowered<Value> {
        let elem = self.default_elem().unwrap_or(Elem::F64);
        let ty = StructType::option(Surface::Scalar(elem), parse_quote!(Option));
        self.root(&parse_quote!(None), Some(&Surface::Struct(Rc::new(ty))))
    }

    /// `None` beside `Some(x)` in an array is of its type.
    pub(super) fn as_in_other_options(&mut self, parts: &mut [Value]) -> Lowered<()> {
        let ty = parts.iter().find_map(|part| match part {
            Value::Parts(Kind::Struct(ty), _) if ty.is_option => Some(ty.clone()),
            part => self.plain_type_of(part).filter(|ty| ty.is_option),
        });
        let Some(ty) = ty else { return Ok(()) };
        for part in parts {
            if let Value::Untyped(untyped) = part {
                if let Some(known) = self.known_option(untyped, &ty) {
                    *part = known?;
                }
            }
        }
        Ok(())
    }

    /// A method of an `Option`.
    pub(super) fn option_method(
        &mut self,
        call: &ExprMethodCall,
        ty: &Rc<StructType>,
        receiver: Value,
    ) -> Lowered<Value> {
        let args: Vec<&Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        if let (Value::Parts(Kind::Struct(_), parts), "is_some" | "is_none") = (&receiver, &name[..]) {
            let some = self.is_variant(parts, 1);
            let fits = if name == "is_some" { some } else { self.b.map(&rows::not, &[some]) };
            return Ok(Value::Leaf(fits, Form::Plain));
        }
        // As a list of one element or none, which `flatten` goes over.
        if let (Value::Parts(_, parts), "len") = (&receiver, &name[..]) {
            return Ok(parts[0].clone());
        }
        let option = syn::Ident::new(RECEIVER, call.method.span());
        let chosen: Expr = match (&name[..], &args[..]) {
            ("clone" | "copied" | "cloned" | "as_ref" | "as_deref", []) => return Ok(receiver),
            ("unwrap_or_default", []) => {
                let Some(zero) = self.nothing(&ty.fields[1].ty) else {
                    return self.unsupported(&call.method, "`unwrap_or_default` here", "use `unwrap_or`");
                };
                let zero_name = syn::Ident::new("__autodiff_zero", call.method.span());
                return self.scoped(|lower| {
                    lower.define(RECEIVER, Some(receiver), false);
                    lower.define("__autodiff_zero", Some(zero), false);
                    lower.root(&parse_quote!(match #option { Some(value) => value, None => #zero_name }), None)
                });
            }
            ("unwrap_or", [other]) => parse_quote!(match #option { Some(value) => value, None => #other }),
            ("unwrap_or_else", [f]) => parse_quote!(match #option { Some(value) => value, None => (#f)() }),
            ("unwrap", []) => {
                parse_quote!(match #option { Some(value) => value, None => panic!("called `Option::unwrap()` on a `None` value") })
            }
            ("expect", [Expr::Lit(text)]) => {
                parse_quote!(match #option { Some(value) => value, None => panic!("{}", #text) })
            }
            ("map", [f]) => parse_quote!(match #option { Some(value) => Some((#f)(value)), None => None }),
            ("map_or", [other, f]) => parse_quote!(match #option { Some(value) => (#f)(value), None => #other }),
            ("map_or_else", [g, f]) => parse_quote!(match #option { Some(value) => (#f)(value), None => (#g)() }),
            ("and_then", [f]) => parse_quote!(match #option { Some(value) => (#f)(value), None => None }),
            ("or", [other]) => parse_quote!(match #option { Some(value) => Some(value), None => #other }),
            ("or_else", [f]) => parse_quote!(match #option { Some(value) => Some(value), None => (#f)() }),
            ("filter", [f]) => {
                parse_quote!(match #option { Some(value) => if (#f)(&value) { Some(value) } else { None }, None => None })
            }
            ("zip", [other]) => {
                parse_quote!(match (#option, #other) { (Some(value), Some(other)) => Some((value, other)), _ => None })
            }
            ("ok_or", [error]) => parse_quote!(match #option { Some(value) => Ok(value), None => Err(#error) }),
            ("ok_or_else", [f]) => parse_quote!(match #option { Some(value) => Ok(value), None => Err((#f)()) }),
            ("is_some_and", [f]) => parse_quote!(match #option { Some(value) => (#f)(value), None => false }),
            ("is_none_or", [f]) => parse_quote!(match #option { Some(value) => (#f)(value), None => true }),
            _ => {
                let what = format!("`{name}` of an `Option`");
                return self.unsupported(&call.method, &what, "write it as a `match`");
            }
        };
        let fallible = match &name[..] {
            "ok_or" | "ok_or_else" => Some(with_value_type(Some(self.other_errors()), ty)),
            _ => None,
        };
        self.scoped(|lower| {
            lower.define(RECEIVER, Some(receiver), false);
            lower.assuming(fallible, |lower| lower.root(&chosen, None))
        })
    }
}

/// Which variant of `Option` a path names.
fn variant(path: &Path) -> Option<&'static str> {
    let mut segments = path.segments.iter().rev();
    let last = segments.next()?;
    let owner = segments.next();
    if owner.is_some_and(|owner| owner.ident != "Option") {
        return None;
    }
    ["None", "Some"].into_iter().find(|name| last.ident == name)
}

fn option(expected: Option<&Surface>) -> Option<Rc<StructType>> {
    match expected {
        Some(Surface::Struct(ty)) if ty.is_option => Some(ty.clone()),
        _ => None,
    }
}
