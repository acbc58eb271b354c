//! Slices, rows and `Vec`s: parts of arrays that are looked at where they are.

use super::Lower;
use super::value::{Lowered, Value};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{Block, Effect, EffectKind, Elem, IntOp, Op, Ty, Var, hole};
use crate::layout::Form;
use crate::op::elementwise as rows;
use quote::quote;
use std::rc::Rc;
use syn::{ExprRange, RangeLimits};

/// A slice, a row of an array, or a `Vec` that changes its length.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The whole that it is a part of: an array, or, of a slice of structs, an array for each of their leaves.
    pub of: Value,
    /// Indices of the first axes.
    pub at: Vec<Var>,
    /// Where it begins along the next axis, if not at the first element.
    pub start: Option<Var>,
    /// How long it is along that axis.
    pub len: Dim,
    /// Of a `Vec` that changes its length: how many elements there are. Its array may have more.
    pub count: Option<Var>,
}

impl Slice {
    /// All of an array.
    pub fn all(of: Value, len: Dim) -> Slice {
        Slice { of, at: Vec::new(), start: None, len, count: None }
    }

    /// A `Vec` that changes its length.
    pub fn growing(array: Value, count: Var) -> Slice {
        Slice { count: Some(count), ..Slice::all(array, Dim::of(count)) }
    }

    /// The array, if it is one. A list of matrices is like one of structs.
    pub fn array(&self) -> Option<(Var, Form)> {
        match self.of {
            Value::Leaf(array, form) if !form.is_matrix() => Some((array, form)),
            _ => None,
        }
    }

    /// The length that its arrays have by their types, if it is all of them.
    pub fn constant_length(&self, b: &Builder) -> Option<Dim> {
        let array = self.of.leaves().first().copied().filter(|_| self.at.is_empty() && self.count.is_none())?;
        b.ty(array).dims.first().filter(|len| !len.is_dynamic()).cloned()
    }

    /// Whether it is the same part, of what may be another array.
    pub fn same_part(&self, other: &Slice) -> bool {
        (&self.at, self.start) == (&other.at, other.start)
            && (self.count.is_some() && other.count.is_some() || self.len == other.len)
    }
}

impl Lower<'_> {
    /// A value as a slice, if it is one or can be.
    pub(super) fn as_slice(&mut self, value: &Value) -> Option<Slice> {
        match value {
            Value::Slice(slice) => Some((**slice).clone()),
            Value::Leaf(var, _) if !self.b.ty(*var).is_scalar() => {
                let len = self.b.ty(*var).dims[0].clone();
                let len = if len.is_ragged() { Dim::of(self.b.len(*var, &[])) } else { len };
                Some(Slice::all(value.clone(), len))
            }
            _ => None,
        }
    }

    /// Whether a slice is all that there is of its arrays.
    fn is_all(&self, slice: &Slice) -> bool {
        let complete = slice.at.is_empty() && slice.start.is_none() && slice.count.is_none();
        complete && slice.of.leaves().iter().all(|array| self.b.ty(*array).dims[0] == slice.len)
    }

    /// Whether it is a part of arrays that have more.
    pub(super) fn is_partial(&self, value: &Value) -> bool {
        match value {
            Value::Slice(slice) => !self.is_all(slice),
            Value::Parts(_, parts) => parts.iter().any(|part| self.is_partial(part)),
            _ => false,
        }
    }

    /// What a slice is of, with arrays of its own.
    pub(super) fn owned(&mut self, slice: &Slice) -> Value {
        if let Some((_, form)) = slice.array() {
            return Value::Leaf(self.whole(slice), form);
        }
        if self.is_all(slice) {
            return Value::Slice(Rc::new(slice.clone()));
        }
        let arrays: Vec<Var> = slice.of.leaves().into_iter().map(|array| self.copied(slice, array)).collect();
        let of = slice.of.rebuild(&mut arrays.into_iter());
        Value::Slice(Rc::new(Slice::all(of, slice.len.clone())))
    }

    /// The same of what may be no slice, or has slices in it.
    pub(super) fn with_arrays(&mut self, value: Value) -> Value {
        match value {
            Value::Parts(kind, parts) => {
                Value::Parts(kind, parts.into_iter().map(|part| self.with_arrays(part)).collect())
            }
            Value::Slice(slice) => self.owned(&slice),
            other => other,
        }
    }

    /// A slice of structs as long as its arrays, which may be one or others.
    pub(super) fn measured(&mut self, value: Value) -> Value {
        match value {
            Value::Slice(slice) if slice.count.is_none() => match slice.of.leaves().first() {
                Some(array) if slice.at.is_empty() && self.b.ty(*array).dims[0].is_ragged() => {
                    let len = Dim::of(self.b.len(*array, &[]));
                    Value::Slice(Rc::new(Slice { len, ..(*slice).clone() }))
                }
                _ => Value::Slice(slice),
            },
            other => other,
        }
    }

    /// A slice of numbers as an array of its own.
    fn whole(&mut self, slice: &Slice) -> Var {
        let Value::Leaf(array, _) = slice.of else { return slice.of.leaves()[0] };
        let ty = self.b.ty(array).clone();
        let axis = slice.at.len();
        let ragged = ty.dims[1..].iter().any(Dim::is_ragged);
        let own_len = ty.dims[axis].is_ragged();
        match slice.start {
            None if slice.count.is_none() && axis == 0 && own_len && ragged => array,
            None if slice.count.is_none() && (own_len && axis > 0 || slice.len == ty.dims[axis]) => {
                let out = self.b.get(array, &slice.at);
                self.track(out, &[array])
            }
            _ => self.copied(slice, array),
        }
    }

    /// A part of one of its arrays, in an array of its own.
    pub(super) fn copied(&mut self, slice: &Slice, array: Var) -> Var {
        let ty = self.b.ty(array).clone();
        let axis = slice.at.len();
        let part = Ty::tensor(ty.elem.clone(), [std::slice::from_ref(&slice.len), &ty.dims[axis + 1..]].concat());
        let (zero, at, start) = (self.b.zero(part), slice.at.clone(), slice.start);
        let out = self.b.for_loop((Dim::literal(0), slice.len.clone()), &[zero], |b, i, t| {
            let last = start.map_or(i, |start| b.int(IntOp::Add, start, i));
            let value = b.get(array, &[&at[..], &[last]].concat());
            vec![b.set(t[0], value, &[i])]
        })[0];
        self.track(out, &[array])
    }

    /// The same part, with a length of its own: the variable that holds it may get a part of another length.
    pub(super) fn of_any_length(&mut self, slice: &Slice) -> Slice {
        let len = if slice.len.is_dynamic() { slice.len.clone() } else { Dim::of(self.b.dim(slice.len.clone())) };
        Slice { len, ..slice.clone() }
    }

    /// An array of a constant size as one whose length is known at run time, such as a `Vec` has.
    pub(super) fn with_own_length(&mut self, value: Value) -> Value {
        let all = match &value {
            Value::Slice(slice) if slice.count.is_none() => (**slice).clone(),
            Value::Leaf(array, _) => match self.b.ty(*array).dims.first() {
                Some(len) => Slice::all(value.clone(), len.clone()),
                None => return value,
            },
            _ => return value,
        };
        if all.len.is_dynamic() {
            return value;
        }
        let all = self.of_any_length(&all);
        self.owned(&all)
    }

    /// A copy of a slice, also where it is a whole array.
    pub(super) fn copy(&mut self, slice: &Slice) -> Value {
        let arrays: Vec<Var> = slice.of.leaves().into_iter().map(|array| self.copied(slice, array)).collect();
        let of = slice.of.rebuild(&mut arrays.into_iter());
        match of {
            Value::Leaf(_, form) if !form.is_matrix() => of,
            of => Value::Slice(Rc::new(Slice::all(of, slice.len.clone()))),
        }
    }

    /// An element of a slice, or a row that is a slice again.
    pub(super) fn element(&mut self, slice: &Slice, index: Var) -> Value {
        let at = self.place_in(slice, index);
        self.element_of(&slice.of, &at)
    }

    /// The indices of an element of a slice in its arrays.
    pub(super) fn place_in(&mut self, slice: &Slice, index: Var) -> Vec<Var> {
        self.check_index(slice, index);
        let last = match slice.start {
            Some(start) => self.b.int(IntOp::Add, start, index),
            None => index,
        };
        [&slice.at[..], &[last]].concat()
    }

    /// What is found in arrays at some indices.
    pub(super) fn element_of(&mut self, of: &Value, at: &[Var]) -> Value {
        let index = self.index_of_param(of, at);
        self.part_of_element(of, at, index)
    }

    /// `index` is that of the element of a parameter that it is.
    fn part_of_element(&mut self, of: &Value, at: &[Var], index: Option<Var>) -> Value {
        match of {
            Value::Leaf(array, form) => {
                let rest: Vec<Dim> = self.b.ty(*array).dims[at.len()..].to_vec();
                match rest.first() {
                    Some(len) if rest.iter().any(Dim::is_dynamic) => {
                        let len = if len.is_ragged() { Dim::of(self.b.len(*array, at)) } else { len.clone() };
                        let row = Slice { at: at.to_vec(), ..Slice::all(of.clone(), len) };
                        Value::Slice(Rc::new(row))
                    }
                    _ => {
                        let out = self.b.get(*array, at);
                        let form = if self.b.ty(out).is_scalar() && form.is_matrix() { Form::Plain } else { *form };
                        Value::Leaf(self.track(out, &[*array]), form)
                    }
                }
            }
            Value::Parts(kind, parts) => {
                let parts = parts.iter().map(|part| self.part_of_element(part, at, index));
                Value::Parts(kind.clone(), parts.collect())
            }
            Value::Other(tokens) => super::elements::of_element(tokens, index),
            other => other.clone(),
        }
    }

    /// Where a range begins, and how long it is, in something of the given length.
    pub(super) fn sub_range(&mut self, range: &ExprRange, len: &Dim) -> Lowered<(Dim, Dim)> {
        let lo = match &range.start {
            Some(lo) => self.bound(lo)?,
            None => Dim::literal(0),
        };
        let mut hi = match &range.end {
            Some(hi) => self.bound(hi)?,
            None => len.clone(),
        };
        if matches!(range.limits, RangeLimits::Closed(_)) {
            hi = hi.plus(&Dim::literal(1));
        }
        let message = "range end index {} out of range for slice of length {}";
        self.check_at_most(&hi, len, message);
        self.check_at_most(&lo, &hi, "slice index starts at {} but ends at {}");
        let length = hi.minus(&lo);
        let length = if length.as_literal().is_some_and(|length| length < 0) { Dim::literal(0) } else { length };
        Ok((lo, length))
    }

    /// Panics if a number is greater than another; `message` shows both. What is seen to be never so, is not asked: see Note
    /// [Checks].
    pub(super) fn check_at_most(&mut self, number: &Dim, limit: &Dim, message: &str) {
        if limit.is_ragged() || number.is_ragged() || limit.minus(number).is_size() == Some(true) {
            return;
        }
        let (number, limit) = (self.b.dim(number.clone()), self.b.dim(limit.clone()));
        self.check(number, limit, message, [number, limit]);
    }

    /// Panics if an index is beyond a part of arrays that have more. Arrays check their own indices.
    fn check_index(&mut self, slice: &Slice, index: Var) {
        let Some(array) = slice.of.leaves().first().copied() else { return };
        let is_whole = slice.start.is_none() && self.b.ty(array).dims[slice.at.len()] == slice.len;
        if !is_whole && slice.count.is_none() {
            self.check_below(index, &slice.len);
        }
    }

    /// Panics if an index is not less than a length.
    pub(super) fn check_below(&mut self, index: Var, len: &Dim) {
        check_below(&mut self.b, index, len);
    }

    /// Panics where `clamp` of numbers does. Neither that of tensors nor that of a `Real` does.
    pub(super) fn check_ends(&mut self, low: Var, high: Var) {
        let is_of_std = self.b.ty(low).is_scalar() && matches!(self.b.ty(low).elem, Elem::F32 | Elem::F64);
        let known = self.b.as_const(low).zip(self.b.as_const(high));
        if is_of_std && !known.is_some_and(|(low, high)| low <= high) {
            let message = "min > max, or either was NaN. min = {:?}, max = {:?}";
            self.check(low, high, message, [low, high]);
        }
    }

    fn check(&mut self, number: Var, limit: Var, message: &str, shown: [Var; 2]) {
        check(&mut self.b, number, limit, message, shown);
    }

    /// Panics if something does not hold.
    pub(super) fn check_holds(&mut self, fits: Var, message: &str, shown: &[Var]) {
        check_holds(&mut self.b, fits, message, shown);
    }

    /// A part of a slice.
    pub(super) fn narrowed(&mut self, slice: &Slice, lo: &Dim, len: Dim) -> Slice {
        // A part of an array of structs is no array, whose length would have to be a name.
        let len = match slice.array() {
            None if !len.is_dynamic() && len != slice.len => Dim::of(self.b.dim(len)),
            _ => len,
        };
        let start = match (slice.start, lo.is(0)) {
            (start, true) => start,
            (None, false) => Some(self.b.dim(lo.clone())),
            (Some(start), false) => {
                let lo = self.b.dim(lo.clone());
                Some(self.b.int(IntOp::Add, start, lo))
            }
        };
        Slice { start, len, count: None, ..slice.clone() }
    }
}

/// Panics if an index is not less than a length.
pub(super) fn check_below(b: &mut Builder, index: Var, len: &Dim) {
    if len.is_ragged() {
        return;
    }
    let behind = b.dim(Dim::of(index).plus(&Dim::literal(1)));
    let len = b.dim(len.clone());
    check(b, behind, len, "index out of bounds: the len is {} but the index is {}", [len, index]);
}

fn check(b: &mut Builder, number: Var, limit: Var, message: &str, shown: [Var; 2]) {
    let fits = b.map(&rows::le, &[number, limit]);
    check_holds(b, fits, message, &shown);
}

fn check_holds(b: &mut Builder, fits: Var, message: &str, shown: &[Var]) {
    b.open_block();
    let holes = (0..shown.len()).map(hole);
    let tokens = quote!(::core::panic!(#message #(, #holes)*));
    b.effect(Effect { tokens, kind: EffectKind::Checks }, shown.to_vec());
    let otherwise = b.close_block(Vec::new(), Vec::new());
    b.push_multi(Op::If, vec![fits], vec![Block::default(), otherwise], Vec::new());
}
