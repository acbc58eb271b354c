//! `Vec`s that are made.

use super::Lower;
use super::learned::is_untold;
use super::sequence::lacks_leaves;
use super::slice::Slice;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::desugar::VecRepeat;
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::ir::{Ty, Var};
use crate::layout::{Form, Kind, Layout};
use crate::parse::ty::Surface;
use quote::quote;
use std::rc::Rc;
use syn::Expr;

impl Lower<'_> {
    /// `vec![v; n]`, `vec![a, b]`
    pub(super) fn vec_macro(&mut self, mac: &syn::Macro, expected: Option<&Surface>) -> Lowered<Value> {
        let inner = match expected {
            Some(Surface::Seq(inner, _)) => Some(&**inner),
            _ => None,
        };
        if let Ok(repeat) = syn::parse2::<VecRepeat>(mac.tokens.clone()) {
            let part = self.expr_expecting(&repeat.value, inner)?;
            let part = if inner.is_none() { self.with_parts(part, &repeat.value)? } else { part };
            if inner.is_none() && is_untold(&part) && self.learn_makers(&repeat.value) {
                return Err(Reported);
            }
            let count = self.index(&repeat.count)?;
            return self.repeated(part, inner, &Dim::of(count), &repeat.value);
        }
        let list = mac.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        let Ok(list) = list else { return self.unsupported(&mac.path, "this `vec!`", "write `vec![value; count]`") };
        if list.is_empty() {
            return self.empty_vec(expected, &mac.path);
        }
        let count = Dim::literal(i64::try_from(list.len()).unwrap_or(i64::MAX));
        let mut array: Expr = syn::parse_quote!([]);
        if let Expr::Array(array) = &mut array {
            array.elems = list;
        }
        let expected = inner.map(|inner| Surface::Array(Box::new(inner.clone()), count));
        let value = self.expr_expecting(&array, expected.as_ref())?;
        if matches!(&value, Value::Parts(Kind::Array, parts) if parts.iter().any(|part| self.is_function(part))) {
            return Ok(value);
        }
        if let Value::Untyped(Untyped { tokens, number: None, .. }) = &value {
            let krate = crate::parse::tokens::crate_path(&self.function.attr);
            return Ok(self.once(quote!(<#krate::__private::Vec<_> as ::core::convert::From<_>>::from(#tokens))));
        }
        // On the heap, as it is written.
        if let Some(slice) = self.as_slice(&value) {
            let len = self.b.dim(slice.len.clone());
            return Ok(self.copy(&Slice { len: Dim::of(len), ..slice }));
        }
        match &value {
            Value::Parts(Kind::Array, parts) => {
                let count = Dim::literal(i64::try_from(parts.len()).unwrap_or(i64::MAX));
                let len = self.b.dim(count);
                self.slice_of(parts, &Dim::of(len), &mac.path)
            }
            _ => self.unsupported(&mac.path, "a `Vec` of this", "make vectors of numbers and of structs"),
        }
    }

    /// A slice of some values of one structure.
    pub(super) fn slice_of(&mut self, parts: &[Value], len: &Dim, at: &impl quote::ToTokens) -> Lowered<Value> {
        let parts = parts.iter().map(|part| match part {
            Value::Slice(slice) => Ok(self.owned(slice)),
            part => {
                let part = self.settle(part.clone(), at)?;
                self.element_written_out(part, at)
            }
        });
        let parts = parts.collect::<Lowered<Vec<_>>>()?;
        let Some(first) = parts.first() else { return Err(Reported) };
        let mut arrays = Vec::new();
        for (k, leaf) in first.leaves().into_iter().enumerate() {
            let ty = self.b.ty(leaf).clone();
            let column: Vec<Var> = parts.iter().filter_map(|part| part.leaves().get(k).copied()).collect();
            let fits = |other: &Var| self.b.ty(*other).fits(&ty);
            if column.len() != parts.len() || !column.iter().all(fits) {
                return self.unsupported(at, "a `Vec` of these", "give all of them the same type");
            }
            if column.iter().any(|other| !self.is_as_long(*other, leaf)) {
                arrays.push(self.of_rows(&column));
                continue;
            }
            let mut array = self.b.zero(Ty::tensor(ty.elem, [vec![len.clone()], ty.dims].concat()));
            for (place, leaf) in column.iter().enumerate() {
                let place = self.b.dim(Dim::literal(i64::try_from(place).unwrap_or(i64::MAX)));
                array = self.b.set(array, *leaf, &[place]);
            }
            arrays.push(self.track(array, &column));
        }
        let of = first.rebuild(&mut arrays.into_iter());
        if lacks_leaves(&of) {
            return self.no_elements(at);
        }
        Ok(Value::Slice(Rc::new(Slice::all(of, len.clone()))))
    }

    /// An element of a `Vec`, in which arrays of structs are written out: see Note [Values of sizes] in `relay/export.rs`.
    pub(super) fn element_written_out(&mut self, part: Value, at: &impl quote::ToTokens) -> Lowered<Value> {
        if !part.layout(&self.b).has_slices() {
            return Ok(part);
        }
        let surface = part.surface(&self.b).written_out();
        self.coerce(part, &surface, at, "the element")
    }

    /// Whether two arrays are seen to have the same sizes.
    fn is_as_long(&mut self, a: Var, b: Var) -> bool {
        let [a, b] = [a, b].map(|array| self.b.ty(array).dims.clone());
        a.iter().zip(&b).all(|(a, b)| self.is_same_size(a, b))
    }

    /// Whether two sizes are seen to be the same.
    pub(super) fn is_same_size(&mut self, a: &Dim, b: &Dim) -> bool {
        let mut known = |dim: &Dim| match dim.as_var() {
            Some(var) => self.constant_dim(var),
            None => Some(dim.clone()).filter(|dim| !dim.is_dynamic()),
        };
        !a.is_ragged() && (a == b || known(a).zip(known(b)).is_some_and(|(a, b)| a == b))
    }

    /// An array of rows that may differ in length.
    fn of_rows(&mut self, rows: &[Var]) -> Var {
        let row = self.b.ty(rows[0]).clone();
        let dims = row.dims.into_iter().map(|dim| if dim.is_dynamic() { Dim::ragged() } else { dim });
        let ty = Ty::tensor(row.elem, std::iter::once(Dim::ragged()).chain(dims).collect());
        let mut array = self.b.zero(ty);
        for (place, row) in rows.iter().enumerate() {
            let place = self.b.dim(Dim::literal(i64::try_from(place).unwrap_or(i64::MAX)));
            array = self.b.push_element(array, *row, place);
        }
        self.track(array, rows)
    }

    pub(super) fn no_elements<T>(&mut self, at: &impl quote::ToTokens) -> Lowered<T> {
        let what = "a `Vec` of what has a part that carries no derivative and is no number";
        self.unsupported(at, what, "keep that part outside the `Vec`")
    }

    /// So many times the same: a `Vec`, or an array of what is no number, of which each part is an array, too.
    pub(super) fn repeated(&mut self, part: Value, inner: Option<&Surface>, count: &Dim, at: &Expr) -> Lowered<Value> {
        let part = match (part, inner.and_then(Surface::leaf)) {
            (Value::Untyped(untyped), Some(ty)) if ty.is_scalar() => self.typed(&untyped, &ty.elem),
            (Value::Slice(slice), _) => self.owned(&slice),
            (part, _) => {
                let part = self.settle(part, at)?;
                self.element_written_out(part, at)?
            }
        };
        let mut arrays = Vec::new();
        for var in part.leaves() {
            let ty = self.b.ty(var).clone();
            let zero = self.b.zero(Ty::tensor(ty.elem, [vec![count.clone()], ty.dims].concat()));
            if self.b.as_const(var) == Some(0.0) {
                arrays.push(zero);
                continue;
            }
            let range = (Dim::literal(0), count.clone());
            let out = self.b.for_loop(range, &[zero], |b, i, t| vec![b.set(t[0], var, &[i])])[0];
            arrays.push(self.track(out, &[var]));
        }
        match part {
            Value::Leaf(_, Form::Plain) => Ok(Value::Leaf(arrays[0], Form::Plain)),
            Value::Leaf(..) | Value::Parts(..) if !lacks_leaves(&part) => {
                let of = part.rebuild(&mut arrays.into_iter());
                Ok(Value::Slice(Rc::new(Slice::all(of, count.clone()))))
            }
            _ => self.no_elements(at),
        }
    }

    /// `Vec::new()`
    pub(super) fn empty_vec(&mut self, expected: Option<&Surface>, at: &impl quote::ToTokens) -> Lowered<Value> {
        if let (Some(Surface::Seq(inner, _)), None) = (expected, expected.and_then(Surface::leaf)) {
            return match self.zeros_of_each(&Layout::of(inner), &Dim::ragged()) {
                Some(of) => Ok(Value::Slice(Rc::new(Slice::all(of, Dim::literal(0))))),
                None if matches!(**inner, Surface::Seq(..)) => self.unsupported(
                    at,
                    "a `Vec` of lists of what is no number",
                    "keep all elements in one `Vec`, and in another where each list begins; or a `Vec<Vec<f64>>` for each of their numbers",
                ),
                None => self.no_elements(at),
            };
        }
        self.guessed |= expected.is_none();
        let ty = match expected.and_then(Surface::leaf) {
            Some(ty) => Some(ty),
            None => self.default_elem().map(|elem| Ty::tensor(elem, vec![Dim::ragged()])),
        };
        match ty {
            Some(ty) => Ok(Value::Leaf(self.b.zero(ty), Form::Plain)),
            None => self.fail(
                Error::new(at, "the type of the elements is not visible").help("write it: `let mut v: Vec<f64> = …`"),
            ),
        }
    }

    /// The arrays of so many elements, with zeros.
    pub(super) fn zeros_of_each(&mut self, item: &Layout, count: &Dim) -> Option<Value> {
        match item {
            Layout::Leaf(form, ty) => {
                let dims = [vec![count.clone()], ty.dims.clone()].concat();
                Some(Value::Leaf(self.b.zero(Ty::tensor(ty.elem.clone(), dims)), *form))
            }
            Layout::Parts(kind, parts) => {
                let parts = parts.iter().map(|part| self.zeros_of_each(part, count)).collect::<Option<_>>()?;
                Some(Value::Parts(kind.clone(), parts))
            }
            Layout::Each(..) | Layout::Passive(_) => None,
        }
    }
}
