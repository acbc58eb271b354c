//! Parts of arrays that are looked at where they are: rows, sub-slices, and what a mutable borrow is of.

use super::Lower;
use super::value::{Alias, Lowered, Reported, Rows, Value, View};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::ir::{Block, Effect, EffectKind, IntOp, Op, Ty, Var, hole};
use crate::layout::{Form, Kind};
use crate::op::elementwise as rows;
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::{Expr, ExprRange, RangeLimits};

impl Lower<'_> {
    /// A value as a view of an array, if it is one or can be.
    pub(super) fn as_view(&mut self, value: &Value) -> Option<View> {
        match value {
            Value::View(view) => Some((**view).clone()),
            Value::Leaf(var, form) if !self.b.ty(*var).is_scalar() => {
                let len = self.b.ty(*var).dims[0].clone();
                let len = if len.is_ragged() { Dim::of(self.b.len(*var, &[])) } else { len };
                Some(View { array: *var, form: *form, at: Vec::new(), start: None, len })
            }
            Value::Grown(array, len) => {
                Some(View { array: *array, form: Form::Plain, at: Vec::new(), start: None, len: Dim::of(*len) })
            }
            _ => None,
        }
    }

    /// The value that a view is of, as an array of its own.
    pub(super) fn whole(&mut self, view: &View) -> Var {
        let ty = self.b.ty(view.array).clone();
        let axis = view.at.len();
        let out = match view.start {
            None if axis == 0 && ty.dims[0].is_ragged() => {
                let rows = ty.dims[1..].iter().any(Dim::is_ragged);
                if rows { view.array } else { self.copy_range(view, &ty) }
            }
            None if view.len != ty.dims[axis] && !ty.dims[axis].is_ragged() => self.copy_range(view, &ty),
            None => self.b.get(view.array, &view.at),
            Some(_) => self.copy_range(view, &ty),
        };
        self.track(out, &[view.array])
    }

    fn copy_range(&mut self, view: &View, ty: &Ty) -> Var {
        let axis = view.at.len();
        let part = Ty::tensor(ty.elem.clone(), [std::slice::from_ref(&view.len), &ty.dims[axis + 1..]].concat());
        let zero = self.b.zero(part);
        let view = view.clone();
        self.b.for_loop((Dim::literal(0), view.len.clone()), &[zero], |b, i, t| {
            let at = view.start.map_or(i, |start| b.int(IntOp::Add, start, i));
            let value = b.get(view.array, &[&view.at[..], &[at]].concat());
            vec![b.set(t[0], value, &[i])]
        })[0]
    }

    /// An element of a view, or a view of a row.
    pub(super) fn element(&mut self, view: &View, index: Var) -> Value {
        let at = match view.start {
            Some(start) => self.b.int(IntOp::Add, start, index),
            None => index,
        };
        let at = [&view.at[..], &[at]].concat();
        let rest: Vec<Dim> = self.b.ty(view.array).dims[at.len()..].to_vec();
        match rest.first() {
            Some(len) if rest.iter().any(Dim::is_dynamic) => {
                let len = if len.is_ragged() { Dim::of(self.b.len(view.array, &at)) } else { len.clone() };
                Value::View(Rc::new(View { array: view.array, form: view.form, at, start: None, len }))
            }
            _ => {
                let out = self.b.get(view.array, &at);
                Value::Leaf(self.track(out, &[view.array]), view.form)
            }
        }
    }

    /// An element of a slice of structs.
    pub(super) fn row(&mut self, item: &Value, rows: &Rows, index: Var) -> Value {
        match item {
            Value::Leaf(array, form) => {
                let view =
                    View { array: *array, form: *form, at: Vec::new(), start: rows.start, len: rows.len.clone() };
                self.element(&view, index)
            }
            Value::Parts(Kind::Tuple, parts) => {
                Value::Parts(Kind::Tuple, parts.iter().map(|part| self.row(part, rows, index)).collect())
            }
            Value::Parts(Kind::Array, parts) => {
                Value::Parts(Kind::Array, parts.iter().map(|part| self.row(part, rows, index)).collect())
            }
            Value::Parts(Kind::Struct(ty), parts) => {
                Value::Parts(Kind::Struct(ty.clone()), parts.iter().map(|part| self.row(part, rows, index)).collect())
            }
            // It is known as a part of the slice, and not of the element.
            Value::Other(_) => Value::Undefined,
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
        let fits = self.b.map(&rows::le, &[number, limit]);
        self.b.open_block();
        let (first, second) = (hole(0), hole(1));
        let tokens = quote!(::core::panic!(#message, #first, #second));
        self.b.effect(Effect { tokens, kind: EffectKind::Checks }, vec![number, limit]);
        let otherwise = self.b.close_block(Vec::new(), Vec::new());
        self.b.push_multi(Op::If, vec![fits], vec![Block::default(), otherwise], Vec::new());
    }

    pub(super) fn narrowed(&mut self, view: &View, lo: &Dim, len: Dim) -> View {
        let start = match (view.start, lo.is(0)) {
            (start, true) => start,
            (None, false) => Some(self.b.dim(lo.clone())),
            (Some(start), false) => {
                let lo = self.b.dim(lo.clone());
                Some(self.b.int(IntOp::Add, start, lo))
            }
        };
        View { start, len, ..view.clone() }
    }

    /// `&mut place`
    pub(super) fn borrow_mut(&mut self, place: &Expr) -> Lowered<Value> {
        let alias = self.place(place)?;
        Ok(Value::Alias(Rc::new(alias)))
    }

    /// What a mutable borrow reads now.
    pub(super) fn read_alias(&mut self, alias: &Alias, at: &impl ToTokens) -> Lowered<Value> {
        let Some(mut value) = self.env.get(alias.slot).value.clone() else { return Err(Reported) };
        for member in &alias.members {
            match value.member(member) {
                Some(part) => value = part,
                None => return Err(Reported),
            }
        }
        let mut rest = &alias.at[..];
        if let (Value::Rows(..) | Value::Parts(Kind::Array, _), Some((first, others))) = (&value, rest.split_first()) {
            value = self.chosen(&value, *first, at)?;
            for member in &alias.inner {
                match value.member(member) {
                    Some(part) => value = part,
                    None => return self.fail(Error::new(at, "there is no such field")),
                }
            }
            rest = others;
        }
        for index in rest {
            let Some(view) = self.as_view(&value) else { return self.no_place(at) };
            value = self.element(&view, *index);
        }
        match (&alias.range, value) {
            (Some((start, len)), Value::Rows(item, rows)) => {
                let first = Dim::of(rows.start.unwrap_or_else(|| self.b.dim(Dim::literal(0))));
                let start = self.b.dim(first.plus(start));
                Ok(Value::Rows(item, Rows { start: Some(start), len: len.clone() }))
            }
            (Some((start, len)), value) => {
                let Some(view) = self.as_view(&value) else { return self.no_place(at) };
                let view = self.narrowed(&view, start, len.clone());
                Ok(Value::View(Rc::new(view)))
            }
            (None, value) => Ok(value),
        }
    }

    /// An element of an array or a slice of structs.
    fn chosen(&mut self, value: &Value, index: Var, at: &impl ToTokens) -> Lowered<Value> {
        match value {
            Value::Parts(Kind::Array, parts) => self.one_of(parts, index, at),
            Value::Rows(item, rows) => Ok(self.row(item, rows, index)),
            _ => self.no_place(at),
        }
    }

    fn no_place<T>(&mut self, at: &impl ToTokens) -> Lowered<T> {
        self.unsupported(at, "this place", "read or assign to a variable, its fields or its elements")
    }

    /// The variable, field or element that an expression names.
    pub(super) fn place(&mut self, expr: &Expr) -> Lowered<Alias> {
        match super::assign::unparen(expr) {
            Expr::Path(path) if path.path.get_ident().is_some() => {
                let name = path.path.segments[0].ident.to_string();
                let Some(slot) = self.env.slot(&name) else {
                    return self.fail(Error::new(expr, format!("`{name}` is not a variable of this function")));
                };
                let binding = self.env.get(slot);
                match &binding.value {
                    None => Err(Reported),
                    Some(Value::Alias(alias)) => Ok((**alias).clone()),
                    Some(Value::Undefined) => Ok(Alias::of(slot)),
                    Some(_) if !binding.mutable => {
                        let message = format!("`{name}` is not mutable");
                        self.fail(Error::new(expr, message).help(format!("declare it with `let mut {name}`")))
                    }
                    Some(_) => Ok(Alias::of(slot)),
                }
            }
            Expr::Field(field) => Ok(self.place(&field.base)?.field(field.member.clone())),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.place(&unary.expr),
            Expr::Reference(reference) => self.place(&reference.expr),
            Expr::Index(index) => {
                let mut alias = self.place(&index.expr)?;
                if let (None, Some(Value::Parts(Kind::Array, parts))) = (&alias.range, self.borrowed(&alias)) {
                    return self.element_of_list(alias, parts.len(), &index.index);
                }
                if let Expr::Range(range) = super::assign::unparen(&index.index) {
                    let len = self.alias_len(&alias, range)?;
                    let (lo, len) = self.sub_range(range, &len)?;
                    alias.range = Some((alias.range.map_or(lo.clone(), |(start, _)| start.plus(&lo)), len));
                    return Ok(alias);
                }
                let indices: Vec<&Expr> = match super::assign::unparen(&index.index) {
                    Expr::Array(array) => array.elems.iter().collect(),
                    single => vec![single],
                };
                for index in indices {
                    let mut at = self.index(index)?;
                    if let Some((start, _)) = alias.range.take() {
                        if !start.is(0) {
                            let start = self.b.dim(start);
                            at = self.b.int(IntOp::Add, start, at);
                        }
                    }
                    alias.at.push(at);
                }
                Ok(alias)
            }
            other => self.unsupported(
                other,
                "an assignment to this place",
                "assign to a local variable, its fields or its elements",
            ),
        }
    }

    /// An element of an array of structs.
    fn element_of_list(&mut self, mut alias: Alias, count: usize, index: &Expr) -> Lowered<Alias> {
        if let Expr::Range(range) = super::assign::unparen(index) {
            return self.unsupported(range, "a sub-slice of an array of structs", "loop over its elements");
        }
        let at = self.index(index)?;
        let known = self.constant_dim(at).and_then(|at| at.as_literal());
        match known.map(usize::try_from) {
            Some(Ok(at)) if at < count => {
                return Ok(alias.field(syn::Member::Unnamed(at.into())));
            }
            Some(_) => {
                let message = format!("index out of range: the array has {count} elements");
                return self.fail(Error::new(index, message));
            }
            None if alias.at.is_empty() => alias.at.push(at),
            None => {
                let what = "an index that is no constant, into an array of structs inside another";
                return self.unsupported(index, what, "write out the elements");
            }
        }
        Ok(alias)
    }

    fn alias_len(&mut self, alias: &Alias, at: &impl ToTokens) -> Lowered<Dim> {
        let value = self.read_alias(alias, at)?;
        match (&value, self.as_view(&value)) {
            (Value::Rows(_, rows), _) => Ok(rows.len.clone()),
            (_, Some(view)) => Ok(view.len),
            (_, None) => self.no_place(at),
        }
    }
}
