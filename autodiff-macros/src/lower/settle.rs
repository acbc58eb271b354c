//! Values with the type that their use gives them: literals, constants, and what is assigned to a variable.

use super::Lower;
use super::slice::Slice;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::Error;
use crate::ir::dim::{Comparison, Dim, show};
use crate::ir::{Elem, Ty, Var};
use crate::layout::{Form, Kind};
use crate::op::Typed;
use crate::op::view::reshape;
use quote::ToTokens;
use std::rc::Rc;
use syn::Expr;

impl Lower<'_> {
    /// A literal or constant with the type that its use gives it.
    pub(super) fn typed(&mut self, untyped: &Untyped, elem: &Elem) -> Value {
        if untyped.integer {
            self.claim(&untyped.tokens, elem);
        }
        let var = match untyped.number {
            Some(number) if elem.is_float() => self.b.constant(elem, number),
            Some(number) if *elem == Elem::usize() => self.b.dim(Dim::literal(number as i64)),
            Some(number) => self.b.constant(elem, number),
            None => self.passive_number(&untyped.tokens, elem, &Clone::clone),
        };
        Value::Leaf(var, Form::Plain)
    }

    /// Gives every literal in a value a type: that of the function's numbers.
    pub(super) fn settle(&mut self, value: Value, at: &impl ToTokens) -> Lowered<Value> {
        match value {
            value @ Value::Untyped(_) if self.is_function(&value) => Ok(self.function_value(value)),
            Value::Untyped(untyped) if untyped.integer => {
                let elem = self.integers.clone().map_or_else(Elem::usize, |(elem, _)| elem);
                self.guess(&untyped.tokens);
                Ok(self.typed(&untyped, &elem))
            }
            Value::Untyped(untyped) if untyped.number.is_none() && matches!(self.integers, Some((_, true))) => {
                let elem = self.integers.clone().map_or_else(Elem::usize, |(elem, _)| elem);
                Ok(self.typed(&untyped, &elem))
            }
            Value::Untyped(untyped) if untyped.tokens.to_string() == "None" => {
                self.type_not_visible(at, "none", "Option<f64> = None")
            }
            value if self.plain_type_of(&value).is_some() => Ok(self.plain_variable(&value, false).unwrap_or(value)),
            Value::Untyped(untyped) if untyped.tokens.to_string().starts_with("Some") => {
                self.type_not_visible(at, "some", "Option<i32> = …")
            }
            Value::Untyped(untyped) => match (self.typed_data(&untyped)?, self.default_elem()) {
                (Some(parts), _) => Ok(parts),
                (None, Some(elem)) => {
                    self.guessed |= self.has_both_floats();
                    Ok(self.typed(&untyped, &elem))
                }
                (None, None) => self.type_not_visible(at, "value", "f64 = …"),
            },
            // In a tuple, what no use tells is an `i32`. Where a use tells that has not been seen, the types do not fit, and
            // rustc says so.
            Value::Parts(Kind::Tuple, parts) => {
                let integers = self.integers.clone().unwrap_or_else(|| (Elem::Int(Rc::from("i32")), false));
                let parts = self.with_integers(Some(integers), |lower| {
                    parts.into_iter().map(|part| lower.settle(part, at)).collect::<Lowered<_>>()
                })?;
                Ok(Value::Parts(Kind::Tuple, parts))
            }
            other => Ok(other),
        }
    }

    /// Lowers something where integers without a type of their own are of this one.
    pub(super) fn with_integers<T>(
        &mut self,
        integers: Option<(Elem, bool)>,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let around = std::mem::replace(&mut self.integers, integers);
        let value = lower(self);
        self.integers = around;
        value
    }

    /// `at` is a variable, or something that has no name yet.
    fn type_not_visible<T>(&mut self, at: &impl ToTokens, name: &str, ty: &str) -> Lowered<T> {
        let text = crate::parse::ty::spelled(&at.to_token_stream());
        let variable = text.trim_start_matches("mut ");
        let (what, place) = match syn::parse_str::<syn::Ident>(variable) {
            Ok(_) => (format!("`{variable}`"), &text[..]),
            Err(_) => (format!("a part of `{variable}`"), name),
        };
        let error = Error::new(at, format!("the type of {what} is not visible"));
        self.fail(error.help(format!("write it: `let {place}: {ty}`")))
    }

    /// A number or array as an IR variable of a known type.
    pub(super) fn leaf_like(&mut self, value: Value, ty: &Ty, at: &impl ToTokens) -> Lowered<Var> {
        match if ty.is_scalar() { value.expected_number() } else { value } {
            Value::Untyped(untyped) if ty.is_scalar() => match self.typed(&untyped, &ty.elem) {
                Value::Leaf(var, _) => Ok(var),
                _ => Err(Reported),
            },
            Value::Leaf(var, _) if self.b.ty(var).elem == ty.elem && self.b.ty(var).rank() == ty.rank() => {
                Ok(self.retyped(var, ty, at))
            }
            other => {
                let message = format!("`{ty}` expected, this is {}", other.describe(&self.b));
                self.fail(Error::new(at, message))
            }
        }
    }

    /// The same numbers under the names that the sizes have here: those of a callee's result may be others. That they
    /// are equal, rustc checks.
    pub(super) fn retyped(&mut self, var: Var, ty: &Ty, at: &impl ToTokens) -> Var {
        let given = self.b.ty(var).clone();
        let unknown = |(a, b): &(&Dim, &Dim)| a.compare(b) == Comparison::Unknown;
        if given.is_dynamic() || ty.is_dynamic() || !given.dims.iter().zip(&ty.dims).any(|pair| unknown(&pair)) {
            return var;
        }
        let message = format!("a value of {} cannot be assigned to one of {}", show(&given.dims), show(&ty.dims));
        let mut typed = Typed::from(ty.clone());
        for (a, b) in given.dims.iter().zip(&ty.dims).filter(unknown) {
            typed.equal.push((a.clone(), b.clone(), message.clone()));
        }
        self.at(at);
        self.b.oblige(&typed);
        let retyped = reshape(&mut self.b, var, ty.dims.clone());
        self.track(retyped, &[var])
    }

    /// The same for all parts of a value: sizes get the names that they have in another value of its type.
    fn retyped_like(&mut self, value: Value, other: &Value, at: &Expr) -> Value {
        match (value, other) {
            (Value::Parts(kind, parts), Value::Parts(_, others)) if parts.len() == others.len() => {
                let parts = parts.into_iter().zip(others).map(|(part, other)| self.retyped_like(part, other, at));
                Value::Parts(kind, parts.collect())
            }
            (Value::Leaf(var, form), Value::Leaf(other, _)) if self.b.ty(var).rank() == self.b.ty(*other).rank() => {
                let ty = self.b.ty(*other).clone();
                Value::Leaf(self.retyped(var, &ty, at), form)
            }
            (value, _) => value,
        }
    }

    /// `value` as the new content of a variable that holds `old`.
    pub(super) fn like(&mut self, value: Value, old: Value, at: &Expr) -> Lowered<Value> {
        if let Some(function) = self.other_function(&value, &old, at) {
            return function;
        }
        // An array of structs that is written out in the place of one that is not, or the other way round; and a vector as a unit vector.
        let of_unit = matches!(&value, Value::Leaf(..)) && is_unit_vector(&old);
        if of_unit || super::choice::is_written_otherwise(&value, &old) {
            let surface = old.surface(&self.b);
            return self.coerce(value, &surface, at, "the variable");
        }
        match (value, old) {
            (Value::Slice(slice), old) if slice.count.is_none() => match self.owned(&slice) {
                Value::Slice(slice) => self.like_slice(slice, &old, at),
                owned => self.like(owned, old, at),
            },
            // What has been collected, in the place of a `Vec` that does not grow.
            (Value::Slice(slice), Value::Leaf(old, form)) if slice.array().is_some() && self.b.ty(old).is_dynamic() => {
                let owned = self.owned(&slice);
                self.like(owned, Value::Leaf(old, form), at)
            }
            // An array of a constant size as a slice.
            (Value::Leaf(var, form), Value::Leaf(old, _)) if self.gets_any_length(var, old) => {
                let owned = self.with_own_length(Value::Leaf(var, form));
                self.like(owned, Value::Leaf(old, form), at)
            }
            (Value::Borrow(place), Value::Undefined) => Ok(Value::Borrow(place)),
            (Value::Borrow(_), _) => self.unsupported(
                at,
                "another mutable borrow under the same name",
                "give it a name of its own, or choose with `let r = if … { &mut a } else { &mut b };`",
            ),
            (value, Value::Leaf(old, form)) => {
                let ty = self.b.ty(old).clone();
                Ok(Value::Leaf(self.leaf_like(value, &ty, at)?, form))
            }
            (Value::Parts(Kind::Tuple, parts), Value::Parts(Kind::Tuple, olds)) if parts.len() == olds.len() => {
                let parts = parts.into_iter().zip(olds).map(|(part, old)| self.like(part, old, at));
                Ok(Value::Parts(Kind::Tuple, parts.collect::<Lowered<_>>()?))
            }
            (Value::Parts(Kind::Array, parts), Value::Parts(Kind::Array, olds)) if parts.len() == olds.len() => {
                let parts = parts.into_iter().zip(olds).map(|(part, old)| self.like(part, old, at));
                Ok(Value::Parts(Kind::Array, parts.collect::<Lowered<_>>()?))
            }
            (Value::Untyped(untyped), Value::Parts(Kind::Struct(ty), _)) if ty.is_option => {
                match self.known_option(&untyped, &ty) {
                    Some(value) => value,
                    None => self.unsupported(at, "what is assigned here", "use `Some` or `None`"),
                }
            }
            (Value::Untyped(Untyped { tokens, .. }) | Value::Other(tokens), Value::Parts(Kind::Struct(ty), _))
                if ty.is_plain() =>
            {
                match self.plain_parts(&tokens, &ty) {
                    Some(value) => Ok(value),
                    None => self.unsupported(at, "what is assigned here", "use a variant"),
                }
            }
            (value @ Value::Parts(..), old @ Value::Parts(Kind::Struct(_), _))
                if self.is_other_option(&value, &old) =>
            {
                let message = format!("{} cannot be assigned here", value.describe(&self.b));
                self.fail(Error::new(at, message))
            }
            (value @ Value::Parts(Kind::Struct(_), _), old @ Value::Parts(Kind::Struct(_), _)) => {
                let value = self.grown_like(value, &old);
                Ok(self.retyped_like(value, &old, at))
            }
            // The first value that a variable gets.
            (value, Value::Undefined) if super::branch::is_passive(&value) => Ok(value),
            // Of which type it is, what it gets later tells.
            (value, Value::Undefined) => {
                let value = self.with_options(value)?;
                self.settle(value, at)
            }
            (value @ Value::Slice(_), Value::Slice(_)) => Ok(value),
            (value @ Value::Leaf(..), Value::Slice(old)) if old.count.is_some() => Ok(self.grown(value)),
            (value, _) => {
                let message = format!("{} cannot be assigned here", value.describe(&self.b));
                self.fail(Error::new(at, message))
            }
        }
    }

    /// `None`, also in a tuple, as an `Option` of numbers.
    pub(super) fn with_options(&mut self, value: Value) -> Lowered<Value> {
        match value {
            Value::Untyped(untyped) if untyped.tokens.to_string() == "None" => self.nothing_yet(),
            Value::Parts(Kind::Tuple, parts) => {
                let parts = parts.into_iter().map(|part| self.with_options(part));
                Ok(Value::Parts(Kind::Tuple, parts.collect::<Lowered<_>>()?))
            }
            value => Ok(value),
        }
    }

    /// Whether two values are `Option`s of different types.
    fn is_other_option(&self, value: &Value, old: &Value) -> bool {
        let types = |value: &Value| match value {
            Value::Parts(Kind::Struct(ty), parts) if ty.is_option => {
                let leaves = parts[1].leaves().into_iter().map(|var| self.b.ty(var).clone());
                Some(leaves.map(|ty| (ty.elem.clone(), ty.rank())).collect::<Vec<_>>())
            }
            _ => None,
        };
        let (value, old) = (types(value), types(old));
        value.is_some() && old.is_some() && value != old
    }

    /// Whether `old` is of a length that is known at run time only, and `new` of a constant size.
    fn gets_any_length(&self, new: Var, old: Var) -> bool {
        let [new, old] = [new, old].map(|var| self.b.ty(var));
        let first = |ty: &Ty| ty.dims.first().is_some_and(Dim::is_dynamic);
        new.rank() == old.rank() && new.rank() > 0 && first(old) && !first(new)
    }

    /// A slice of structs as the new content of a variable.
    fn like_slice(&mut self, slice: Rc<Slice>, old: &Value, at: &Expr) -> Lowered<Value> {
        match old {
            Value::Undefined => Ok(Value::Slice(slice)),
            Value::Slice(old) if old.count.is_some() => Ok(self.grown(Value::Slice(slice))),
            Value::Slice(known) if known.constant_length(&self.b).is_some() && !slice.len.is_dynamic() => {
                let surface = old.surface(&self.b);
                self.coerce(Value::Slice(slice), &surface, at, "the variable")
            }
            _ => {
                let message = format!("{} cannot be assigned here", Value::Slice(slice).describe(&self.b));
                self.fail(Error::new(at, message))
            }
        }
    }
}

fn is_unit_vector(value: &Value) -> bool {
    matches!(value, Value::Parts(Kind::Struct(ty), _) if ty.geometry == Some(crate::parse::geometry::Geometry::UnitVector))
}
