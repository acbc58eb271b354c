//! Slices and `Vec`: what is measured, taken apart and changed.

use super::Lower;
use super::assign::unparen;
use super::place::{Place, Stored};
use super::slice::Slice;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::ir::{IntOp, Ty, Var};
use crate::layout::{Form, Kind, Layout, Step};
use crate::parse::ty::{Seq, Surface};
use crate::source::is_growing;
use quote::ToTokens;
use std::collections::HashSet;
use std::rc::Rc;
use syn::visit::Visit;
use syn::{Expr, ExprMethodCall, Ident};

/// The names of variables whose lengths change, and the fields, as they are written: `v`, `curve.pillars`.
pub(super) fn growing_names(block: &syn::Block) -> HashSet<String> {
    struct Growing(HashSet<String>);
    impl<'a> Visit<'a> for Growing {
        fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
            if is_growing(&call.method) {
                self.0.extend(named(&call.receiver));
                // `a.append(&mut b)`
                let lent = call.args.iter().filter(|_| call.method == "append");
                self.0.extend(lent.filter_map(|arg| named(super::call::strip_borrow(arg))));
            }
            syn::visit::visit_expr_method_call(self, call);
        }
    }
    // What elements are sorted by.
    let mut names = Growing(HashSet::from(["__autodiff_keys".to_owned()]));
    names.visit_block(block);
    names.0
}

/// The same of what is lent to `mem::swap`, `mem::replace` and `mem::take`: a `Vec` may get another length there, and an array may not.
pub(super) fn lent_names(block: &syn::Block) -> HashSet<String> {
    struct Lent(HashSet<String>);
    impl<'a> Visit<'a> for Lent {
        fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
            let of_mem = match unparen(&call.func) {
                Expr::Path(path) => path.path.segments.iter().any(|part| part.ident == "mem"),
                _ => false,
            };
            let lent = call.args.iter().filter(|_| of_mem);
            self.0.extend(lent.filter_map(|arg| named(super::call::strip_borrow(arg))));
            syn::visit::visit_expr_call(self, call);
        }
    }
    let mut names = Lent(HashSet::new());
    names.visit_block(block);
    names.0
}

/// A variable or a field of one as text.
fn named(expr: &Expr) -> Option<String> {
    match unparen(expr) {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Field(field) => Some(format!("{}.{}", named(&field.base)?, field.member.to_token_stream())),
        _ => None,
    }
}

impl Lower<'_> {
    /// The value of a variable that will change its length.
    pub(super) fn grown(&mut self, value: Value) -> Value {
        match value {
            Value::Leaf(array, Form::Plain) if self.b.ty(array).dims.first().is_some_and(Dim::is_dynamic) => {
                let len = self.b.ty(array).dims[0].clone();
                let count = if len.is_ragged() { self.b.len(array, &[]) } else { self.b.dim(len) };
                Value::Slice(Rc::new(Slice::growing(value, count)))
            }
            // An array of a constant size that has been copied: `row.to_vec()`.
            Value::Leaf(array, Form::Plain) if !self.b.ty(array).is_scalar() => {
                let owned = self.with_own_length(value);
                self.grown(owned)
            }
            // An array of structs stays one.
            Value::Slice(slice) if slice.array().is_none() && slice.constant_length(&self.b).is_some() => {
                Value::Slice(slice)
            }
            Value::Slice(slice) if slice.array().is_none() && slice.count.is_none() => {
                let count = self.b.dim(slice.len.clone());
                Value::Slice(Rc::new(Slice::growing(slice.of.clone(), count)))
            }
            other => other,
        }
    }

    /// The value of a variable of this name, of which parts may change their lengths.
    pub(super) fn grown_under(&mut self, name: &str, value: Value) -> Value {
        if self.growing.contains(name) || self.is_lent_list(name, &value) {
            return self.grown(value);
        }
        match value {
            Value::Parts(kind @ (Kind::Struct(_) | Kind::Tuple), parts)
                if self.growing.iter().chain(&self.lent).any(|other| other.starts_with(name)) =>
            {
                let parts = parts.into_iter().enumerate().map(|(k, part)| match kind.step(k) {
                    Step::Field(field) | Step::Boxed(field) | Step::Wrapped(field) => {
                        self.grown_under(&format!("{name}.{field}"), part)
                    }
                    _ => part,
                });
                let parts = parts.collect();
                Value::Parts(kind, parts)
            }
            other => other,
        }
    }

    /// Whether a variable of this name, with this first value, is a `Vec` that may change places with a longer one. An array has a
    /// constant length, and a `Vec` has not.
    fn is_lent_list(&self, name: &str, value: &Value) -> bool {
        let is_list = match value {
            Value::Leaf(array, _) => self.b.ty(*array).dims.first().is_some_and(Dim::is_dynamic),
            Value::Slice(slice) => slice.constant_length(&self.b).is_none(),
            _ => false,
        };
        is_list && self.lent.contains(name)
    }

    /// A value in which the same parts may change their lengths as in another.
    pub(super) fn grown_like(&mut self, value: Value, other: &Value) -> Value {
        match (value, other) {
            (Value::Parts(kind, parts), Value::Parts(_, others)) if parts.len() == others.len() => {
                let parts = parts.into_iter().zip(others).map(|(part, other)| self.grown_like(part, other));
                let parts = parts.collect();
                Value::Parts(kind, parts)
            }
            (value, Value::Slice(other)) if other.count.is_some() => self.grown(value),
            (value, _) => value,
        }
    }

    /// Methods of slices, arrays and `Vec` that only look; `None` if it is not one of them.
    pub(super) fn view_method(&mut self, name: &Ident, receiver: &Value, args: &[&Expr]) -> Option<Lowered<Value>> {
        let slice = self.as_slice(receiver)?;
        if matches!(receiver, Value::Leaf(_, Form::Tensor | Form::Vector | Form::Matrix)) {
            return None;
        }
        Some(match (&name.to_string()[..], args) {
            ("len", []) => Ok(Value::Leaf(self.b.dim(slice.len), Form::Plain)),
            ("is_empty", []) => {
                let (len, zero) = (self.b.dim(slice.len), self.b.dim(Dim::literal(0)));
                self.comparison(name, &syn::BinOp::Eq(syn::token::EqEq::default()), len, zero)
            }
            ("as_slice" | "as_ref" | "as_mut_slice" | "iter" | "borrow" | "each_ref", []) => Ok(receiver.clone()),
            ("to_vec" | "to_owned" | "into_boxed_slice" | "clone", []) => Ok(match *receiver {
                // A `Vec` has a length of its own, also where that of the array is a constant.
                Value::Leaf(array, _) if name != "to_vec" || self.b.ty(array).is_dynamic() => {
                    let copy = self.b.copy(array);
                    Value::Leaf(self.track(copy, &[array]), Form::Plain)
                }
                _ if name != "clone" => {
                    let slice = self.of_any_length(&slice);
                    self.copy(&slice)
                }
                _ => self.copy(&slice),
            }),
            ("split_at", [at]) => self.bound(at).map(|at| {
                self.check_at_most(&at, &slice.len, "mid {} > len {}");
                let rest = slice.len.minus(&at);
                let (head, tail) =
                    (self.narrowed(&slice, &Dim::literal(0), at.clone()), self.narrowed(&slice, &at, rest));
                Value::tuple(vec![Value::Slice(Rc::new(head)), Value::Slice(Rc::new(tail))])
            }),
            _ => return None,
        })
    }

    /// `x.swap(i, j)`, `x.push(v)`, …
    pub(super) fn mutating_method(&mut self, call: &ExprMethodCall) -> Lowered<Value> {
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        let place = match (self.place(&call.receiver), &args[..]) {
            (Ok(place), _) => place,
            (Err(Reported), [value]) if name == "push" => {
                // The place has no type yet.
                let element = self.expr(value)?.surface(&self.b);
                self.learn_named(&call.receiver, Surface::Seq(Box::new(element), Seq::Vec));
                return Err(Reported);
            }
            (Err(Reported), _) => return Err(Reported),
        };
        match (&name[..], &args[..]) {
            ("swap", [i, j]) => {
                let (i, j) = (self.index(i)?, self.index(j)?);
                let old = self.read(&place, &call.receiver)?;
                if self.has_rows_of_any_length(&old) {
                    return self.swap_rows(call, i, j);
                }
                let pair = match &old {
                    Value::Parts(Kind::Array, parts) => [self.one_of(parts, j, call)?, self.one_of(parts, i, call)?],
                    old => {
                        let Some(slice) = self.as_slice(old) else { return self.no_sequence(call) };
                        let (x, y) = (self.element(&slice, i), self.element(&slice, j));
                        [y, x]
                    }
                };
                for (index, value) in [i, j].into_iter().zip(pair) {
                    self.set_element(call, &place, index, &value)?;
                }
                Ok(Value::unit())
            }
            ("fill", [value]) => {
                let value = self.expr(value)?;
                self.set_all(call, &place, &mut |_, _| Ok(value.clone()))
            }
            ("copy_from_slice" | "clone_from_slice", [from]) => {
                let from = self.expr(from)?;
                let Some(from) = self.as_slice(&from) else { return self.no_sequence(call) };
                let old = self.read(&place, &call.receiver)?;
                if let Some(to) = self.as_slice(&old) {
                    let message = "copy_from_slice: one length is {}, the other {}";
                    self.check_at_most(&from.len, &to.len, message);
                    self.check_at_most(&to.len, &from.len, message);
                }
                self.set_all(call, &place, &mut |lower, i| Ok(lower.element(&from, i)))
            }
            ("reverse", []) => {
                let old = self.read(&place, &call.receiver)?;
                let Some(slice) = self.as_slice(&old) else { return self.no_sequence(call) };
                let copy = self.copy(&slice);
                let Some(copy) = self.as_slice(&copy) else { return self.no_sequence(call) };
                let last = self.b.dim(slice.len.minus(&Dim::literal(1)));
                self.set_all(call, &place, &mut |lower, i| {
                    let from = lower.b.int(IntOp::Sub, last, i);
                    Ok(lower.element(&copy, from))
                })
            }
            ("push", [value]) => {
                let value = self.expr(value)?;
                self.push(call, &place, &value).inspect_err(|Reported| self.learn_element(&place, &value))
            }
            ("extend_from_slice", [from]) => self.extend(call, &place, from),
            ("clear", []) => {
                let zero = self.b.dim(Dim::literal(0));
                self.shorten(call, &place, &mut |_, _| zero)
            }
            ("truncate", [len]) => {
                let len = self.index(len)?;
                self.shorten(call, &place, &mut |lower, old| lower.b.int(IntOp::Min, old, len))
            }
            ("split_at_mut", [at]) => {
                let at = self.bound(at)?;
                let whole = self.read(&place, &call.receiver)?;
                let Some(slice) = self.as_slice(&whole) else { return self.no_sequence(call) };
                self.check_at_most(&at, &slice.len, "mid {} > len {}");
                let rest = slice.len.minus(&at);
                let halves = [self.sub_place(&place, &Dim::literal(0), at.clone()), self.sub_place(&place, &at, rest)];
                Ok(Value::tuple(halves.map(|half| Value::Borrow(Rc::new(half))).into()))
            }
            ("as_mut_slice", []) => Ok(Value::Borrow(Rc::new(place))),
            _ => self.unsupported(
                &call.method,
                &format!("`{name}`"),
                "loop over the elements, or compute it outside the function",
            ),
        }
    }

    fn no_sequence<T>(&mut self, call: &ExprMethodCall) -> Lowered<T> {
        let name = &call.method;
        self.fail(Error::new(name, format!("`{name}` is a method of slices and `Vec`")).help("call it on one of those"))
    }

    fn set_element(&mut self, call: &ExprMethodCall, place: &Place, index: Var, value: &Value) -> Lowered<Value> {
        let place = self.element_place(place, index);
        self.store_at(&call.method, &place, &mut |lower, old| lower.replaced(call, old, value))
    }

    fn replaced(&mut self, call: &ExprMethodCall, old: Stored, value: &Value) -> Lowered<Value> {
        let (array, at) = match old {
            Stored::Whole(_) => return Ok(self.with_arrays(value.clone())),
            Stored::Element(array, at, _) => (array, at),
            Stored::Range(..) => return self.no_sequence(call),
        };
        let ty = self.element_ty(array, &at);
        let v = match self.with_arrays(value.clone()) {
            Value::Leaf(row, _) if matches!(value, Value::Slice(_)) => row,
            value => self.leaf_like(value, &ty, &call.method)?,
        };
        Ok(Value::Leaf(self.replaced_element(array, v, &at, &call.method)?, Form::Plain))
    }

    /// Replaces every element of a place, in a loop that carries what the place is a part of.
    fn set_all(
        &mut self,
        call: &ExprMethodCall,
        place: &Place,
        value: &mut dyn FnMut(&mut Self, Var) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let whole = self.read(place, &call.receiver)?;
        let (Some(slice), named) = (self.as_slice(&whole), place.named()) else { return self.no_sequence(call) };
        let root = self.read(&named, &call.receiver)?;
        if let Value::Parts(..) = root {
            return self.no_sequence(call);
        }
        let outer = root.leaves();
        let index = self.b.var(Ty::index(), None);
        let params: Vec<Var> = outer.iter().map(|var| self.b.var_like(*var, self.b.ty(*var).clone(), "")).collect();
        let active = outer.iter().zip(&params).filter(|(var, _)| self.active.contains(var)).map(|(_, param)| *param);
        let active: Vec<Var> = active.collect();
        self.active.extend(active);
        self.b.open_block();
        let inside = root.rebuild(&mut params.iter().copied());
        let stored = self.replace(&call.method, &named, inside).and_then(|_| {
            let value = value(self, index)?;
            self.set_element(call, place, index, &value)
        });
        let after = self.read(&named, &call.receiver);
        let mut region = self.b.close_block([&[index], &params[..]].concat(), Vec::new());
        self.replace(&call.method, &named, root.clone())?;
        stored?;
        region.results = after?.leaves();
        let tys = outer.iter().map(|var| self.b.ty(*var).clone()).collect();
        let op = crate::ir::Op::range(Dim::literal(0), slice.len, false);
        let results = region.results.clone();
        let outs = self.b.push_multi(op, outer.clone(), vec![region], tys);
        for (out, parts) in outs.iter().zip(outer.iter().zip(&results)) {
            self.track(*out, &[*parts.0, *parts.1]);
        }
        self.replace(&call.method, &named, root.rebuild(&mut outs.into_iter()))
    }

    /// Replaces a variable, or a field of one.
    fn replace(&mut self, at: &Ident, place: &Place, value: Value) -> Lowered<Value> {
        self.store_at(at, place, &mut |_, _| Ok(value.clone()))
    }

    fn push(&mut self, call: &ExprMethodCall, place: &Place, value: &Value) -> Lowered<Value> {
        self.store_at(&call.method, place, &mut |lower, old| {
            let Some((of, count)) = growing(&old) else { return lower.not_grown(call) };
            let value = lower.with_arrays(value.clone());
            let leaves = lower.element_leaves(&of, value, &call.method)?;
            let longer: Vec<Var> =
                of.leaves().into_iter().zip(leaves).map(|(array, leaf)| lower.pushed(array, leaf, count)).collect();
            let one = lower.b.dim(Dim::literal(1));
            let count = lower.b.int(IntOp::Add, count, one);
            Ok(Value::Slice(Rc::new(Slice::growing(of.rebuild(&mut longer.into_iter()), count))))
        })
    }

    /// An array with one more element.
    fn pushed(&mut self, array: Var, element: Var, count: Var) -> Var {
        let longer = self.b.push_element(array, element, count);
        self.track(longer, &[array, element])
    }

    /// The leaves of a value that is to be an element of these arrays.
    fn element_leaves(&mut self, of: &Value, value: Value, at: &Ident) -> Lowered<Vec<Var>> {
        match (of, value) {
            (Value::Leaf(array, _), value) => {
                let ty = self.b.ty(*array).clone();
                let part = Ty::tensor(ty.elem, ty.dims[1..].to_vec());
                match value {
                    // A row, which may be longer or shorter than others.
                    Value::Leaf(row, _) if self.b.ty(row).is_dynamic() || part.is_dynamic() => Ok(vec![row]),
                    value => Ok(vec![self.leaf_like(value, &part, at)?]),
                }
            }
            (Value::Parts(_, arrays), Value::Parts(_, parts)) if arrays.len() == parts.len() => {
                let leaves = arrays.iter().zip(parts).map(|(array, part)| self.element_leaves(array, part, at));
                Ok(leaves.collect::<Lowered<Vec<_>>>()?.concat())
            }
            (Value::Parts(Kind::Array, arrays), value @ Value::Slice(_))
                if matches!(value.layout(&self.b), Layout::Each(_, Some(_))) =>
            {
                let mut surface = value.surface(&self.b).written_out();
                if let Surface::Array(_, size) = &mut surface {
                    *size = Dim::literal(i64::try_from(arrays.len()).unwrap_or(i64::MAX));
                }
                match self.coerce(value, &surface, at, "the element")? {
                    value @ Value::Parts(..) => self.element_leaves(of, value, at),
                    value => self.no_element(&value, at),
                }
            }
            // What a function without a derivative gives is of the type of the other elements.
            (of, value @ (Value::Untyped(Untyped { number: None, .. }) | Value::Other(_))) => {
                let tokens = self.passive_tokens(&value).unwrap_or_default();
                let surface = self.element_surface(of);
                match surface.and_then(|surface| self.passive_struct(&tokens, &surface)) {
                    Some(parts) => self.element_leaves(of, parts, at),
                    None => self.no_element(&value, at),
                }
            }
            (_, value) => self.no_element(&value, at),
        }
    }

    /// The type of the elements of which these are the arrays, as far as they are structs, tuples and numbers.
    fn element_surface(&self, of: &Value) -> Option<Surface> {
        match of {
            Value::Leaf(array, _) => {
                let ty = self.b.ty(*array);
                (ty.dims.len() == 1).then(|| Surface::Scalar(ty.elem.clone()))
            }
            Value::Parts(Kind::Struct(ty), _) => Some(Surface::Struct(ty.clone())),
            Value::Parts(Kind::Tuple, parts) => {
                Some(Surface::Tuple(parts.iter().map(|part| self.element_surface(part)).collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    fn no_element<T>(&mut self, value: &Value, at: &Ident) -> Lowered<T> {
        let what = format!("{} as an element of this `Vec`", value.describe(&self.b));
        self.unsupported(at, &what, "keep what carries no derivative outside the `Vec`")
    }

    fn extend(&mut self, call: &ExprMethodCall, place: &Place, from: &Expr) -> Lowered<Value> {
        let from = self.expr(from)?;
        if let Value::Parts(Kind::Array, elements) = &from {
            for element in elements {
                self.push(call, place, element)?;
            }
            return Ok(Value::unit());
        }
        let Some(from) = self.as_slice(&from) else { return self.no_sequence(call) };
        self.store_at(&call.method, place, &mut |lower, old| {
            let Some((of, count)) = growing(&old) else { return lower.not_grown(call) };
            let (arrays, sources) = (of.leaves(), from.of.leaves());
            if arrays.len() != sources.len() {
                return lower.no_sequence(call);
            }
            let mut tys: Vec<Ty> = arrays.iter().map(|array| lower.b.ty(*array).clone()).collect();
            tys.iter_mut().for_each(|ty| ty.dims[0] = Dim::ragged());
            let (index, so_far) = (lower.b.var(Ty::index(), None), lower.b.var(Ty::index(), None));
            let mut inside = Vec::new();
            for ((array, source), ty) in arrays.iter().zip(&sources).zip(&tys) {
                let param = lower.b.var_like(*array, ty.clone(), "");
                inside.push(lower.track(param, &[*array, *source]));
            }
            lower.b.open_block();
            let value = lower.element(&from, index);
            let value = lower.with_arrays(value);
            let leaves = lower.element_leaves(&of.rebuild(&mut inside.iter().copied()), value, &call.method);
            let mut results = Vec::new();
            for (array, leaf) in inside.iter().zip(leaves.iter().flatten()) {
                results.push(lower.pushed(*array, *leaf, so_far));
            }
            let one = lower.b.dim(Dim::literal(1));
            results.push(lower.b.int(IntOp::Add, so_far, one));
            let params = [&[index], &inside[..], &[so_far]].concat();
            let region = lower.b.close_block(params, results);
            leaves?;
            let op = crate::ir::Op::range(Dim::literal(0), from.len.clone(), false);
            tys.push(Ty::index());
            let outs = lower.b.push_multi(op, [&arrays[..], &[count]].concat(), vec![region], tys);
            for (out, (array, source)) in outs.iter().zip(arrays.iter().zip(&sources)) {
                lower.track(*out, &[*array, *source]);
            }
            let of = of.rebuild(&mut outs.iter().copied());
            Ok(Value::Slice(Rc::new(Slice::growing(of, outs[arrays.len()]))))
        })
    }

    fn shorten(
        &mut self,
        call: &ExprMethodCall,
        place: &Place,
        len: &mut dyn FnMut(&mut Self, Var) -> Var,
    ) -> Lowered<Value> {
        self.store_at(&call.method, place, &mut |lower, old| match growing(&old) {
            Some((of, count)) => {
                let count = len(lower, count);
                Ok(Value::Slice(Rc::new(Slice::growing(of, count))))
            }
            None => lower.not_grown(call),
        })
    }

    pub(super) fn not_grown<T>(&mut self, call: &ExprMethodCall) -> Lowered<T> {
        // What stands there may have been written with another method: `pop` with `truncate`.
        let written = call.method.span().source_text().and_then(|text| syn::parse_str::<Ident>(&text).ok());
        let name = &Ident::new(&written.as_ref().unwrap_or(&call.method).to_string(), call.method.span());
        if let Ok(place) = self.place(&call.receiver) {
            let root = &self.env.get(place.slot).name;
            if self.borrowed_params.contains(root) && self.env.is_first(root, place.slot) {
                let what = format!("`{name}` on what the caller lends");
                return self.unsupported(name, &what, "take it by value, and return it");
            }
            // What a closure makes longer.
            self.learn_longer(&place);
        }
        self.unsupported(name, &format!("`{name}` on this"), "call it on a local variable that is a `Vec`")
    }
}

/// A queue inside a function is a `Vec` with other methods.
pub(super) fn without_queue(ty: &syn::Type) -> syn::Type {
    let mut ty = ty.clone();
    if let syn::Type::Path(path) = &mut ty {
        if let Some(last) = path.path.segments.pop() {
            let mut last = last.into_value();
            if last.ident == "VecDeque" {
                path.path.segments.clear();
                last.ident = Ident::new("Vec", last.ident.span());
            }
            path.path.segments.push(last);
        }
    }
    ty
}

/// Whether one of two values has a part that changes its length, which the other has, too, but of a fixed one.
pub(super) fn grows(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Slice(before), Value::Slice(after)) => before.count.is_none() && after.count.is_some(),
        (Value::Parts(_, before), Value::Parts(_, after)) => {
            before.iter().zip(after).any(|(before, after)| grows(before, after))
        }
        _ => false,
    }
}

/// Whether a value has parts that are no leaves.
pub(super) fn lacks_leaves(value: &Value) -> bool {
    match value {
        Value::Leaf(..) => false,
        Value::Parts(_, parts) => parts.iter().any(lacks_leaves),
        _ => true,
    }
}

/// A `Vec` that changes its length: its arrays, and how many elements there are.
fn growing(old: &Stored) -> Option<(Value, Var)> {
    match old {
        Stored::Whole(Value::Slice(slice)) => Some((slice.of.clone(), slice.count?)),
        _ => None,
    }
}
