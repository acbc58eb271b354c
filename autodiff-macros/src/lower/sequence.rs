//! Slices and `Vec`: what is made, measured, taken apart and changed.

use super::Lower;
use super::assign::{Place, unparen};
use super::value::{Alias, Lowered, Reported, Value, View};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::ir::{IntOp, Ty, Var};
use crate::layout::{Form, Kind};
use crate::parse::ty::Surface;
use std::collections::HashSet;
use std::rc::Rc;
use syn::visit::Visit;
use syn::{Expr, ExprMethodCall, Ident};

/// Methods that change their receiver.
const MUTATING: &[&str] = &[
    "swap",
    "fill",
    "copy_from_slice",
    "clone_from_slice",
    "push",
    "pop",
    "clear",
    "truncate",
    "extend_from_slice",
    "reverse",
    "iter_mut",
    "split_at_mut",
    "as_mut_slice",
    "chunks_mut",
    "chunks_exact_mut",
];

/// Those that change how long it is.
const GROWING: &[&str] = &["push", "pop", "clear", "truncate", "extend_from_slice"];

pub fn is_mutating(name: &Ident) -> bool {
    MUTATING.iter().any(|known| name == known)
}

/// The names of variables whose lengths change.
pub(super) fn growing(block: &syn::Block) -> HashSet<String> {
    struct Growing(HashSet<String>);
    impl<'a> Visit<'a> for Growing {
        fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
            if let (true, Expr::Path(path)) = (GROWING.iter().any(|name| call.method == name), unparen(&call.receiver))
            {
                self.0.extend(path.path.get_ident().map(ToString::to_string));
            }
            syn::visit::visit_expr_method_call(self, call);
        }
    }
    let mut names = Growing(HashSet::new());
    names.visit_block(block);
    names.0
}

impl Lower<'_> {
    /// The value of a variable that will change its length.
    pub(super) fn grown(&mut self, value: Value) -> Value {
        match value {
            Value::Leaf(array, Form::Plain) if self.b.ty(array).dims.first().is_some_and(Dim::is_dynamic) => {
                let len = self.b.ty(array).dims[0].clone();
                let len = if len.is_ragged() { self.b.len(array, &[]) } else { self.b.dim(len) };
                Value::Grown(array, len)
            }
            other => other,
        }
    }

    /// Methods of slices, arrays and `Vec` that only look; `None` if it is not one of them.
    pub(super) fn view_method(&mut self, name: &Ident, receiver: &Value, args: &[&Expr]) -> Option<Lowered<Value>> {
        if let Value::Rows(_, rows) = receiver {
            return match (&name.to_string()[..], args) {
                ("len", []) => Some(Ok(Value::Leaf(self.b.dim(rows.len.clone()), Form::Plain))),
                ("as_slice" | "as_ref" | "iter" | "as_mut_slice", []) => Some(Ok(receiver.clone())),
                ("to_vec" | "to_owned" | "clone", []) => {
                    let copies: Vec<Var> = receiver.leaves().into_iter().map(|leaf| self.copied(leaf)).collect();
                    Some(Ok(receiver.rebuild(&mut copies.into_iter())))
                }
                _ => None,
            };
        }
        let view = self.as_view(receiver)?;
        if view.form == Form::Tensor && !matches!(receiver, Value::View(_)) {
            return None;
        }
        Some(match (&name.to_string()[..], args) {
            ("len", []) => Ok(Value::Leaf(self.b.dim(view.len), Form::Plain)),
            ("is_empty", []) => {
                let (len, zero) = (self.b.dim(view.len), self.b.dim(Dim::literal(0)));
                self.comparison(name, &syn::BinOp::Eq(syn::token::EqEq::default()), len, zero)
            }
            ("as_slice" | "as_ref" | "as_mut_slice" | "iter" | "borrow", []) => Ok(receiver.clone()),
            ("to_vec" | "to_owned" | "into_boxed_slice", []) => {
                let copy = match receiver {
                    Value::Grown(..) | Value::View(_) => self.whole_range(&view),
                    _ => self.b.copy(view.array),
                };
                Ok(Value::Leaf(self.track(copy, &[view.array]), Form::Plain))
            }
            ("split_at", [at]) => self.bound(at).map(|at| {
                self.check_at_most(&at, &view.len, "mid {} > len {}");
                let rest = view.len.minus(&at);
                let (head, tail) =
                    (self.narrowed(&view, &Dim::literal(0), at.clone()), self.narrowed(&view, &at, rest));
                Value::Parts(Kind::Tuple, vec![Value::View(Rc::new(head)), Value::View(Rc::new(tail))])
            }),
            _ => return None,
        })
    }

    /// All elements of one field of a slice of structs, in an array of their own.
    fn copied(&mut self, array: Var) -> Var {
        let ty = self.b.ty(array).clone();
        let (zero, len) = (self.b.zero(ty.clone()), ty.dims[0].clone());
        let copy = self.b.for_loop((Dim::literal(0), len), &[zero], |b, i, t| {
            let value = b.get(array, &[i]);
            vec![b.set(t[0], value, &[i])]
        })[0];
        self.track(copy, &[array])
    }

    /// A view as an array of its own, also where it is a whole array that is longer than what is looked at.
    pub(super) fn whole_range(&mut self, view: &View) -> Var {
        let start = view.start.unwrap_or_else(|| self.b.dim(Dim::literal(0)));
        let view = View { start: Some(start), ..view.clone() };
        self.whole(&view)
    }

    /// `x.swap(i, j)`, `x.push(v)`, …
    pub(super) fn mutating_method(&mut self, call: &ExprMethodCall) -> Lowered<Value> {
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        let alias = self.place(&call.receiver)?;
        match (&name[..], &args[..]) {
            ("swap", [i, j]) => {
                let (i, j) = (self.index(i)?, self.index(j)?);
                let old = self.read_alias(&alias, &call.receiver)?;
                if let Value::Rows(item, rows) = &old {
                    for (at, other) in [(i, self.row(item, rows, j)), (j, self.row(item, rows, i))] {
                        let place = self.element_place(&alias, at);
                        self.store_at(&call.method, &place, &mut |_, _| Ok(other.clone()))?;
                    }
                    return Ok(Value::unit());
                }
                if let (Value::Parts(Kind::Array, parts), []) = (&old, &alias.at[..]) {
                    let pair = [self.one_of(parts, j, call)?, self.one_of(parts, i, call)?];
                    for (at, other) in [i, j].into_iter().zip(pair) {
                        let place = self.element_place(&alias, at);
                        self.store_at(&call.method, &place, &mut |_, _| Ok(other.clone()))?;
                    }
                    return Ok(Value::unit());
                }
                let Some(view) = self.as_view(&old) else { return self.no_sequence(call) };
                let (x, y) = (self.element(&view, i), self.element(&view, j));
                self.set_element(call, &alias, i, y)?;
                self.set_element(call, &alias, j, x)
            }
            ("fill", [value]) => {
                let value = self.expr(value)?;
                self.set_all(call, &alias, &mut |_, _| Ok(value.clone()))
            }
            ("copy_from_slice" | "clone_from_slice", [from]) => {
                let from = self.expr(from)?;
                let Some(from) = self.as_view(&from) else { return self.no_sequence(call) };
                self.set_all(call, &alias, &mut |lower, i| Ok(lower.element(&from, i)))
            }
            ("reverse", []) => {
                let old = self.read_alias(&alias, &call.receiver)?;
                let Some(view) = self.as_view(&old) else { return self.no_sequence(call) };
                let copy = self.whole_range(&view);
                let view = View { array: copy, at: Vec::new(), start: None, ..view };
                let last = self.b.dim(view.len.minus(&Dim::literal(1)));
                self.set_all(call, &alias, &mut |lower, i| {
                    let from = lower.b.int(IntOp::Sub, last, i);
                    Ok(lower.element(&view, from))
                })
            }
            ("push", [value]) => {
                let value = self.expr(value)?;
                self.push(call, &alias, value)
            }
            ("extend_from_slice", [from]) => self.extend(call, &alias, from),
            ("clear", []) => {
                let zero = self.b.dim(Dim::literal(0));
                self.shorten(call, &alias, &mut |_, _| zero)
            }
            ("truncate", [len]) => {
                let len = self.index(len)?;
                self.shorten(call, &alias, &mut |lower, old| lower.b.int(IntOp::Min, old, len))
            }
            ("split_at_mut", [at]) => {
                let at = self.bound(at)?;
                let whole = self.read_alias(&alias, &call.receiver)?;
                let Some(view) = self.as_view(&whole) else { return self.no_sequence(call) };
                self.check_at_most(&at, &view.len, "mid {} > len {}");
                let start = alias.range.as_ref().map_or(Dim::literal(0), |(start, _)| start.clone());
                let part =
                    |start: Dim, len: Dim| Value::Alias(Rc::new(Alias { range: Some((start, len)), ..alias.clone() }));
                let rest = view.len.minus(&at);
                Ok(Value::Parts(Kind::Tuple, vec![part(start.clone(), at.clone()), part(start.plus(&at), rest)]))
            }
            ("as_mut_slice", []) => Ok(Value::Alias(Rc::new(alias))),
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

    /// Where the elements of a place are.
    fn element_place(&mut self, alias: &Alias, index: Var) -> Alias {
        let mut alias = alias.clone();
        let at = match alias.range.take() {
            Some((start, _)) if !start.is(0) => {
                let start = self.b.dim(start);
                self.b.int(IntOp::Add, start, index)
            }
            _ => index,
        };
        alias.at.push(at);
        alias
    }

    fn set_element(&mut self, call: &ExprMethodCall, alias: &Alias, index: Var, value: Value) -> Lowered<Value> {
        let place = self.element_place(alias, index);
        self.store_at(&call.method, &place, &mut |lower, old| lower.replaced(call, old, value.clone()))
    }

    fn replaced(&mut self, call: &ExprMethodCall, old: Place, value: Value) -> Lowered<Value> {
        let Place::Element(array, at) = old else { return self.no_sequence(call) };
        let ty = self.element_ty(array, &at);
        let v = match &value {
            Value::View(view) => self.whole(view),
            _ => self.leaf_like(value, &ty, &call.method)?,
        };
        let set = self.b.set(array, v, &at);
        Ok(Value::Leaf(self.track(set, &[array, v]), Form::Plain))
    }

    /// Replaces every element of a place.
    fn set_all(
        &mut self,
        call: &ExprMethodCall,
        alias: &Alias,
        value: &mut dyn FnMut(&mut Self, Var) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let whole = self.read_alias(alias, &call.receiver)?;
        let Some(view) = self.as_view(&whole) else { return self.no_sequence(call) };
        let Some(Value::Leaf(array, _) | Value::Grown(array, _)) = self.alias_root(alias) else {
            return self.no_sequence(call);
        };
        let index = self.b.var(Ty::index(), None);
        let param = self.b.var_like(array, self.b.ty(array).clone(), "");
        if self.active.contains(&array) {
            self.active.insert(param);
        }
        self.b.open_block();
        let place = self.element_place(alias, index);
        let stored =
            value(self, index).and_then(|value| self.replaced(call, Place::Element(param, place.at.clone()), value));
        let mut region = self.b.close_block(vec![index, param], Vec::new());
        let [result] = stored?.leaves()[..] else { return Err(Reported) };
        region.results = vec![result];
        let ty = self.b.ty(array).clone();
        let op = crate::ir::Op::range(Dim::literal(0), view.len, false);
        let out = self.b.push_multi(op, vec![array], vec![region], vec![ty])[0];
        self.track(out, &[array, result]);
        self.replace_root(call, alias, out)
    }

    /// The variable or field that an alias is a part of.
    pub(super) fn alias_root(&self, alias: &Alias) -> Option<Value> {
        let value = self.env.get(alias.slot).value.clone()?;
        alias.members.iter().try_fold(value, |value, member| value.member(member))
    }

    fn replace_root(&mut self, call: &ExprMethodCall, alias: &Alias, array: Var) -> Lowered<Value> {
        let root = Alias { at: Vec::new(), range: None, ..alias.clone() };
        self.store_at(&call.method, &root, &mut |_, old| match old {
            Place::Whole(old) => Ok(old.rebuild(&mut std::iter::once(array).chain(old.leaves().into_iter().skip(1)))),
            _ => Err(Reported),
        })
    }

    fn push(&mut self, call: &ExprMethodCall, alias: &Alias, value: Value) -> Lowered<Value> {
        self.store_at(&call.method, alias, &mut |lower, old| {
            let Place::Whole(Value::Grown(array, len)) = old else { return lower.not_grown(call) };
            let ty = lower.b.ty(array).clone();
            let part = Ty::tensor(ty.elem.clone(), ty.dims[1..].to_vec());
            let v = match &value {
                Value::View(view) => lower.whole(view),
                _ => lower.leaf_like(value.clone(), &part, &call.method)?,
            };
            let longer = lower.b.push_element(array, v, len);
            lower.b.vars[longer.0 as usize].ty.dims[0] = Dim::ragged();
            lower.track(longer, &[array, v]);
            let one = lower.b.dim(Dim::literal(1));
            Ok(Value::Grown(longer, lower.b.int(IntOp::Add, len, one)))
        })
    }

    fn extend(&mut self, call: &ExprMethodCall, alias: &Alias, from: &Expr) -> Lowered<Value> {
        let from = self.expr(from)?;
        let Some(from) = self.as_view(&from) else { return self.no_sequence(call) };
        self.store_at(&call.method, alias, &mut |lower, old| {
            let Place::Whole(Value::Grown(array, len)) = old else { return lower.not_grown(call) };
            let mut ty = lower.b.ty(array).clone();
            ty.dims[0] = Dim::ragged();
            let (index, inside, count) = (
                lower.b.var(Ty::index(), None),
                lower.b.var_like(array, ty.clone(), ""),
                lower.b.var(Ty::index(), None),
            );
            if lower.active.contains(&array) || lower.active.contains(&from.array) {
                lower.active.insert(inside);
            }
            lower.b.open_block();
            let value = lower.element(&from, index);
            let [v] = value.leaves()[..] else { return Err(Reported) };
            let v = if let Value::View(view) = &value { lower.whole(view) } else { v };
            let longer = lower.b.push_element(inside, v, count);
            let one = lower.b.dim(Dim::literal(1));
            let next = lower.b.int(IntOp::Add, count, one);
            let region = lower.b.close_block(vec![index, inside, count], vec![longer, next]);
            let op = crate::ir::Op::range(Dim::literal(0), from.len.clone(), false);
            let outs = lower.b.push_multi(op, vec![array, len], vec![region], vec![ty, Ty::index()]);
            lower.track(outs[0], &[array, from.array]);
            Ok(Value::Grown(outs[0], outs[1]))
        })
    }

    fn shorten(
        &mut self,
        call: &ExprMethodCall,
        alias: &Alias,
        len: &mut dyn FnMut(&mut Self, Var) -> Var,
    ) -> Lowered<Value> {
        self.store_at(&call.method, alias, &mut |lower, old| match old {
            Place::Whole(Value::Grown(array, old)) => Ok(Value::Grown(array, len(lower, old))),
            _ => lower.not_grown(call),
        })
    }

    fn not_grown<T>(&mut self, call: &ExprMethodCall) -> Lowered<T> {
        let name = &call.method;
        self.unsupported(name, &format!("`{name}` on this"), "call it on a local variable that is a `Vec`")
    }

    // --- construction ---------------------------------------------------------------------------------

    /// `vec![v; n]`, `vec![a, b]`
    pub(super) fn vec_macro(&mut self, mac: &syn::Macro, expected: Option<&Surface>) -> Lowered<Value> {
        let inner = match expected {
            Some(Surface::Seq(inner, _)) => Some(&**inner),
            _ => None,
        };
        if let Ok(repeat) = syn::parse2::<VecRepeat>(mac.tokens.clone()) {
            let part = self.expr_expecting(&repeat.value, inner)?;
            let count = self.index(&repeat.count)?;
            return self.repeated(part, inner, count, &repeat.value);
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
        let Some(view) = self.as_view(&value) else {
            return self.unsupported(&mac.path, "a `Vec` of this", "make vectors of numbers");
        };
        // On the heap, as it is written.
        let len = self.b.dim(view.len.clone());
        let view = View { len: Dim::of(len), ..view };
        let whole = self.whole_range(&view);
        Ok(Value::Leaf(whole, Form::Plain))
    }

    fn repeated(&mut self, part: Value, inner: Option<&Surface>, count: Var, at: &Expr) -> Lowered<Value> {
        let part = match (part, inner.and_then(Surface::leaf)) {
            (Value::Untyped(untyped), Some(ty)) if ty.is_scalar() => self.typed(&untyped, &ty.elem),
            (Value::View(view), _) => Value::Leaf(self.whole(&view), Form::Plain),
            (part, _) => self.settle(part, at)?,
        };
        let Value::Leaf(var, Form::Plain) = part else {
            return self.unsupported(at, "a `Vec` of this", "make vectors of numbers");
        };
        let ty = self.b.ty(var).clone();
        let dims = [vec![Dim::of(count)], ty.dims].concat();
        let zero = self.b.zero(Ty::tensor(ty.elem, dims));
        if self.b.as_const(var) == Some(0.0) {
            return Ok(Value::Leaf(zero, Form::Plain));
        }
        let range = (Dim::literal(0), Dim::of(count));
        let out = self.b.for_loop(range, &[zero], |b, i, t| vec![b.set(t[0], var, &[i])])[0];
        Ok(Value::Leaf(self.track(out, &[var]), Form::Plain))
    }

    /// `Vec::new()`
    pub(super) fn empty_vec(&mut self, expected: Option<&Surface>, at: &impl quote::ToTokens) -> Lowered<Value> {
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
}

/// What `vec![…]` is made of: its elements, or the one that is repeated.
pub fn elements(mac: &syn::Macro) -> Option<Vec<Expr>> {
    if let Ok(repeat) = mac.parse_body::<VecRepeat>() {
        return Some(vec![repeat.value]);
    }
    let list = mac.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated);
    Some(list.ok()?.into_iter().collect())
}

/// What stands in `vec![value; count]`.
pub struct VecRepeat {
    pub value: Expr,
    pub count: Expr,
}

impl syn::parse::Parse for VecRepeat {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<VecRepeat> {
        let value = input.parse()?;
        input.parse::<syn::Token![;]>()?;
        Ok(VecRepeat { value, count: input.parse()? })
    }
}
