//! Values where a type is declared: checked, and given what the type has and they have not.

use super::Lower;
use super::sequence::lacks_leaves;
use super::slice::Slice;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::Error;
use crate::ir::dim::{Comparison, Dim};
use crate::ir::{Ty, Var};
use crate::layout::{Form, Kind, Layout};
use crate::parse::geometry::Geometry;
use crate::parse::ty::{Seq, Surface, spelled};
use proc_macro2::TokenStream;
use quote::ToTokens;

impl Lower<'_> {
    /// Checks a value against a declared type; literals take it on.
    pub(super) fn coerce(
        &mut self,
        value: Value,
        surface: &Surface,
        at: &(impl ToTokens + ?Sized),
        what: &str,
    ) -> Lowered<Value> {
        let at = &at.to_token_stream();
        match (value, surface) {
            (Value::Untyped(untyped), Surface::Scalar(elem)) => Ok(self.typed(&untyped, elem)),
            (Value::Parts(Kind::Tuple, parts), Surface::Tuple(surfaces)) if parts.len() == surfaces.len() => {
                let parts =
                    parts.into_iter().zip(surfaces).map(|(part, surface)| self.coerce_part(part, surface, at, what));
                Ok(Value::Parts(Kind::Tuple, parts.collect::<Lowered<_>>()?))
            }
            (Value::Parts(Kind::Struct(ty), parts), Surface::Struct(declared))
                if ty.fields.len() == declared.fields.len() =>
            {
                let parts = parts
                    .into_iter()
                    .zip(&declared.fields)
                    .map(|(part, field)| self.coerce_part(part, &field.ty, at, what));
                let mut parts = parts.collect::<Lowered<Vec<_>>>()?;
                if let (true, Some(error)) = (ty.errors != declared.errors, parts.last_mut()) {
                    *error = self.moved_error(error.clone(), &ty, declared);
                }
                Ok(Value::Parts(Kind::Struct(declared.clone()), parts))
            }
            (Value::Parts(Kind::Array, parts), Surface::Array(inner, size)) => {
                let parts = parts.into_iter().map(|part| self.coerce(part, inner, at, what));
                let parts = parts.collect::<Lowered<Vec<_>>>()?;
                self.in_as_many(parts, size, at, what)
            }
            (Value::Slice(slice), Surface::Array(inner, size))
                if slice.array().is_none() && slice.count.is_none() && !slice.len.is_dynamic() =>
            {
                self.of_as_many(&slice, (inner, size), at, what)
            }
            (Value::Untyped(untyped), Surface::Struct(ty)) if ty.is_option => match self.known_option(&untyped, ty) {
                Some(value) => value,
                None => Ok(Value::Untyped(untyped)),
            },
            (
                Value::Untyped(Untyped { tokens, number: None, integer }),
                surface @ (Surface::Struct(_) | Surface::Array(..)),
            ) if matches!(surface, Surface::Struct(_)) || !crate::ir::mentions_late(&tokens) => {
                match self.passive_struct(&tokens, surface) {
                    Some(value) => Ok(value),
                    None => Ok(Value::Untyped(Untyped { tokens, number: None, integer })),
                }
            }
            // Numbers out of data that are made inside of the function, which are copied where it is declared that they are numbers.
            (Value::Untyped(Untyped { tokens, number: None, integer }), surface @ Surface::Array(..))
                if surface.leaf().is_some_and(|ty| !ty.is_dynamic()) && !self.is_called(&tokens) =>
            {
                match self.passive_struct(&tokens, surface) {
                    Some(value) => Ok(value),
                    None => Ok(Value::Untyped(Untyped { tokens, number: None, integer })),
                }
            }
            (Value::Other(tokens), Surface::Struct(_)) => match self.passive_struct(&tokens, surface) {
                Some(value) => Ok(value),
                None => Ok(Value::Other(tokens)),
            },
            (Value::Undefined, _) => Ok(Value::Undefined),
            (Value::Never, surface) => match self.nothing(surface) {
                Some(value) => Ok(value),
                None => self.unsupported(at, "a panic in place of this value", "put it into a branch"),
            },
            (value @ Value::Slice(_), Surface::Seq(..)) if what != "the result" => Ok(value),
            (Value::Parts(Kind::Array, parts), Surface::Seq(inner, Seq::Slice)) if what != "the result" => {
                let parts = parts.into_iter().map(|part| self.coerce(part, inner, at, what));
                Ok(Value::Parts(Kind::Array, parts.collect::<Lowered<_>>()?))
            }
            (Value::Slice(slice), Surface::Seq(..)) if slice.array().is_none() && self.is_declared(&slice, surface) => {
                let slice = self.of_any_length(&slice);
                match lacks_leaves(&slice.of) {
                    true => self.no_elements(at),
                    false => Ok(self.copy(&slice)),
                }
            }
            (Value::Slice(slice), surface) if slice.array().is_some() => {
                let owned = if slice.count.is_some() { self.copy(&slice) } else { self.owned(&slice) };
                match owned {
                    Value::Leaf(whole, form) => self.coerce_leaf(whole, form, surface, at, what),
                    _ => Err(Reported),
                }
            }
            (value @ Value::Borrow(_), _) => Ok(value),
            (value @ Value::Leaf(_, Form::Vector), Surface::Struct(ty))
                if ty.geometry == Some(Geometry::UnitVector)
                    && value.surface(&self.b).leaf() == ty.fields[0].ty.leaf() =>
            {
                match self.held(Geometry::UnitVector, vec![value])? {
                    Value::Parts(_, parts) => Ok(Value::Parts(Kind::Struct(ty.clone()), parts)),
                    other => Ok(other),
                }
            }
            (Value::Leaf(var, form), surface) => self.coerce_leaf(var, form, surface, at, what),
            // A number out of what is only passed on.
            (Value::Other(tokens), Surface::Scalar(elem)) => {
                Ok(self.typed(&Untyped { tokens, number: None, integer: false }, elem))
            }
            (other @ Value::Other(_), _) => Ok(other),
            // What a function gives is not at hand in the reverse sweep.
            (Value::Untyped(Untyped { tokens, number: None, .. }), Surface::Other(_))
                if !crate::ir::mentions_late(&tokens) =>
            {
                Ok(Value::Other(tokens))
            }
            (Value::Parts(Kind::Tuple, parts), surface) if parts.is_empty() && what == "the result" => {
                let message =
                    format!("{what} is declared as {}, but the body ends without a value", self.show(surface));
                self.fail(Error::new(at, message).help("take the `;` off the last expression"))
            }
            (Value::Slice(slice), Surface::Array(_, size))
                if slice.array().is_none() && size.as_literal().is_none() =>
            {
                let what = format!("{what} as an array of structs, of which there are `{size}`,");
                self.unsupported(at, &what, "write the size as a number, or take a `Vec`")
            }
            (value, surface) => self.not_as_declared(surface, &value, at, what),
        }
    }

    fn not_as_declared<T>(&mut self, surface: &Surface, value: &Value, at: &TokenStream, what: &str) -> Lowered<T> {
        let (declared, given) = self.told_apart(surface, value);
        let error = Error::new(at, format!("{what} is declared as {declared}, but this is {given}"));
        self.fail(match declared.contains("<_>") {
            true => error.help("write the type of the elements, too: `Vec<&Item>`"),
            false => error,
        })
    }

    /// An array of structs that are at hand one by one, as its type has it: written out, or an array for each of their leaves.
    fn in_as_many(&mut self, parts: Vec<Value>, size: &Dim, at: &TokenStream, what: &str) -> Lowered<Value> {
        if size.written_out().is_some() || size.is_dynamic() || parts.is_empty() {
            return Ok(Value::Parts(Kind::Array, parts));
        }
        let have = Dim::literal(i64::try_from(parts.len()).unwrap_or(i64::MAX));
        self.same_number(&have, size, at, what)?;
        match self.slice_of(&parts, size, at)? {
            Value::Slice(slice) if slice.array().is_none() => Ok(Value::Slice(slice)),
            _ => self.unsupported(at, "an array of these", "make arrays of numbers and of structs"),
        }
    }

    /// The same of an array for each of their leaves.
    fn of_as_many(
        &mut self,
        slice: &Slice,
        (inner, size): (&Surface, &Dim),
        at: &TokenStream,
        what: &str,
    ) -> Lowered<Value> {
        self.same_number(&slice.len, size, at, what)?;
        if let Some(count) = size.written_out() {
            let parts = (0..count).map(|k| {
                let place = self.b.dim(Dim::literal(i64::try_from(k).unwrap_or(i64::MAX)));
                let part = self.element(slice, place);
                self.coerce(part, inner, at, what)
            });
            return Ok(Value::Parts(Kind::Array, parts.collect::<Lowered<_>>()?));
        }
        Ok(self.owned(&Slice { len: size.clone(), ..slice.clone() }))
    }

    /// Sees to it that two numbers of elements are one.
    fn same_number(&mut self, have: &Dim, want: &Dim, at: &TokenStream, what: &str) -> Lowered<()> {
        let message = format!("{what} is declared as an array of {want}, but this is one of {have}");
        match have.compare(want) {
            Comparison::Equal => Ok(()),
            Comparison::Different => self.fail(Error::new(at, message)),
            Comparison::Unknown => {
                let mut typed = crate::op::Typed::from(Ty::index());
                typed.equal.push((have.clone(), want.clone(), message));
                self.at(at);
                self.b.oblige(&typed);
                Ok(())
            }
        }
    }

    /// Whether a slice of structs is of the leaves that the declared one has.
    fn is_declared(&self, slice: &Slice, declared: &Surface) -> bool {
        let (have, want) = (slice.of.leaves(), Layout::of(declared).types());
        let fits = |(have, want): (&Var, &Ty)| {
            let have = self.b.ty(*have);
            have.elem == want.elem && have.rank() == want.rank() + slice.at.len()
        };
        have.len() == want.len() && have.iter().zip(&want).all(fits)
    }

    /// A part of a tuple or a struct, in which a `Vec` is one.
    pub(super) fn coerce_part(
        &mut self,
        part: Value,
        surface: &Surface,
        at: &(impl ToTokens + ?Sized),
        what: &str,
    ) -> Lowered<Value> {
        let part = match surface {
            Surface::Seq(_, Seq::Vec) => self.with_own_length(part),
            _ => part,
        };
        self.coerce(part, surface, at, what)
    }

    fn coerce_leaf(
        &mut self,
        var: crate::ir::Var,
        form: Form,
        surface: &Surface,
        at: &TokenStream,
        what: &str,
    ) -> Lowered<Value> {
        let ty = self.b.ty(var).clone();
        let wanted = surface.leaf();
        let declared_form = Form::of(surface);
        let fits = wanted.as_ref().is_some_and(|wanted| wanted.elem == ty.elem && wanted.rank() == ty.rank());
        let Some(wanted) = wanted.filter(|_| fits && (form == declared_form || ty.is_scalar())) else {
            return self.not_as_declared(surface, &Value::Leaf(var, form), at, what);
        };
        let mut typed = crate::op::Typed::from(wanted.clone());
        let mut other_type = false;
        for (k, (have, want)) in ty.dims.iter().zip(&wanted.dims).enumerate() {
            if want.is_dynamic() {
                continue;
            }
            let message = format!(
                "{what} is declared as {}, but this is {}: sizes {want} and {have} of axis {k} differ",
                self.show(surface),
                Value::Leaf(var, form).describe(&self.b)
            );
            match have.compare(want) {
                Comparison::Equal => {}
                Comparison::Different => return self.fail(Error::new(at, message)),
                Comparison::Unknown => {
                    other_type |= have.is_simple();
                    typed.equal.push((have.clone(), want.clone(), message));
                }
            }
        }
        self.at(at);
        self.b.oblige(&typed);
        if !other_type {
            return Ok(Value::Leaf(var, form));
        }
        // Arrays of `A` and of `B` elements are of different types, even where both are equal.
        let out = self.b.apply(crate::op::view::Reshape { dims: wanted.dims }, &[var]);
        Ok(Value::Leaf(self.track(out, &[var]), form))
    }

    /// A type and a value that is of another, in words: of arrays of one size the elements differ.
    fn told_apart(&self, surface: &Surface, value: &Value) -> (String, String) {
        let (declared, given) = (self.show(surface), value.describe(&self.b));
        match (surface.leaf(), value) {
            (Some(ty), Value::Leaf(var, _)) if declared == given => {
                (format!("{declared} of `{}`", ty.elem), format!("{given} of `{}`", self.b.ty(*var).elem))
            }
            _ => (declared, given),
        }
    }

    pub(super) fn show(&self, surface: &Surface) -> String {
        match surface {
            Surface::Scalar(elem) => format!("`{elem}`"),
            Surface::Tensor(_, dims) => format!("a tensor {}", crate::ir::dim::show(dims)),
            Surface::Matrix(_, rows, columns) => format!("a {rows}×{columns} matrix"),
            Surface::Seq(_, crate::parse::ty::Seq::Slice) => "a slice".into(),
            Surface::Seq(_, crate::parse::ty::Seq::Vec) => "a `Vec`".into(),
            Surface::Array(..) => match surface.leaf() {
                Some(ty) => format!("an array {}", crate::ir::dim::show(&ty.dims)),
                None => "an array".into(),
            },
            Surface::Tuple(parts) => format!("a tuple of {}", parts.len()),
            Surface::Struct(ty) => format!("`{}`", spelled(&ty.path)),
            Surface::Other(ty) => format!("`{}`", spelled(ty)),
        }
    }
}
