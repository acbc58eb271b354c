//! Slices and `Vec`: what is made, measured, taken apart and changed.

use super::Lower;
use super::assign::unparen;
use super::place::{Place, Stored};
use super::slice::Slice;
use super::value::{Lowered, Reported, Value};
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
                let count = if len.is_ragged() { self.b.len(array, &[]) } else { self.b.dim(len) };
                Value::Slice(Rc::new(Slice::growing(value, count)))
            }
            other => other,
        }
    }

    /// Methods of slices, arrays and `Vec` that only look; `None` if it is not one of them.
    pub(super) fn view_method(&mut self, name: &Ident, receiver: &Value, args: &[&Expr]) -> Option<Lowered<Value>> {
        let slice = self.as_slice(receiver)?;
        if matches!(receiver, Value::Leaf(_, Form::Tensor)) {
            return None;
        }
        Some(match (&name.to_string()[..], args) {
            ("len", []) => Ok(Value::Leaf(self.b.dim(slice.len), Form::Plain)),
            ("is_empty", []) => {
                let (len, zero) = (self.b.dim(slice.len), self.b.dim(Dim::literal(0)));
                self.comparison(name, &syn::BinOp::Eq(syn::token::EqEq::default()), len, zero)
            }
            ("as_slice" | "as_ref" | "as_mut_slice" | "iter" | "borrow", []) => Ok(receiver.clone()),
            ("to_vec" | "to_owned" | "into_boxed_slice" | "clone", []) => Ok(match *receiver {
                Value::Leaf(array, _) => {
                    let copy = self.b.copy(array);
                    Value::Leaf(self.track(copy, &[array]), Form::Plain)
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
        let place = self.place(&call.receiver)?;
        match (&name[..], &args[..]) {
            ("swap", [i, j]) => {
                let (i, j) = (self.index(i)?, self.index(j)?);
                let old = self.read(&place, &call.receiver)?;
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
                self.push(call, &place, &value)
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
            Stored::Element(array, at) => (array, at),
            Stored::Range(..) => return self.no_sequence(call),
        };
        let ty = self.element_ty(array, &at);
        let v = match self.with_arrays(value.clone()) {
            Value::Leaf(row, _) if matches!(value, Value::Slice(_)) => row,
            value => self.leaf_like(value, &ty, &call.method)?,
        };
        let set = self.b.set(array, v, &at);
        Ok(Value::Leaf(self.track(set, &[array, v]), Form::Plain))
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
            let Some((array, count)) = growing_array(&old) else { return lower.not_grown(call) };
            let ty = lower.b.ty(array).clone();
            let part = Ty::tensor(ty.elem.clone(), ty.dims[1..].to_vec());
            let v = match lower.with_arrays(value.clone()) {
                Value::Leaf(row, _) if matches!(value, Value::Slice(_)) => row,
                value => lower.leaf_like(value, &part, &call.method)?,
            };
            let longer = lower.b.push_element(array, v, count);
            lower.b.vars[longer.0 as usize].ty.dims[0] = Dim::ragged();
            lower.track(longer, &[array, v]);
            let one = lower.b.dim(Dim::literal(1));
            let count = lower.b.int(IntOp::Add, count, one);
            Ok(Value::Slice(Rc::new(Slice::growing(Value::Leaf(longer, Form::Plain), count))))
        })
    }

    fn extend(&mut self, call: &ExprMethodCall, place: &Place, from: &Expr) -> Lowered<Value> {
        let from = self.expr(from)?;
        let Some(from) = self.as_slice(&from) else { return self.no_sequence(call) };
        let Some((source, _)) = from.array() else { return self.no_sequence(call) };
        self.store_at(&call.method, place, &mut |lower, old| {
            let Some((array, count)) = growing_array(&old) else { return lower.not_grown(call) };
            let mut ty = lower.b.ty(array).clone();
            ty.dims[0] = Dim::ragged();
            let (index, inside, so_far) = (
                lower.b.var(Ty::index(), None),
                lower.b.var_like(array, ty.clone(), ""),
                lower.b.var(Ty::index(), None),
            );
            if lower.active.contains(&array) || lower.active.contains(&source) {
                lower.active.insert(inside);
            }
            lower.b.open_block();
            let value = lower.element(&from, index);
            let Value::Leaf(v, _) = lower.with_arrays(value) else { return Err(Reported) };
            let longer = lower.b.push_element(inside, v, so_far);
            let one = lower.b.dim(Dim::literal(1));
            let next = lower.b.int(IntOp::Add, so_far, one);
            let region = lower.b.close_block(vec![index, inside, so_far], vec![longer, next]);
            let op = crate::ir::Op::range(Dim::literal(0), from.len.clone(), false);
            let outs = lower.b.push_multi(op, vec![array, count], vec![region], vec![ty, Ty::index()]);
            lower.track(outs[0], &[array, source]);
            Ok(Value::Slice(Rc::new(Slice::growing(Value::Leaf(outs[0], Form::Plain), outs[1]))))
        })
    }

    fn shorten(
        &mut self,
        call: &ExprMethodCall,
        place: &Place,
        len: &mut dyn FnMut(&mut Self, Var) -> Var,
    ) -> Lowered<Value> {
        self.store_at(&call.method, place, &mut |lower, old| match growing_array(&old) {
            Some((array, count)) => {
                let count = len(lower, count);
                Ok(Value::Slice(Rc::new(Slice::growing(Value::Leaf(array, Form::Plain), count))))
            }
            None => lower.not_grown(call),
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
        let Some(slice) = self.as_slice(&value) else {
            return self.unsupported(&mac.path, "a `Vec` of this", "make vectors of numbers");
        };
        // On the heap, as it is written.
        let len = self.b.dim(slice.len.clone());
        Ok(self.copy(&Slice { len: Dim::of(len), ..slice }))
    }

    fn repeated(&mut self, part: Value, inner: Option<&Surface>, count: Var, at: &Expr) -> Lowered<Value> {
        let part = match (part, inner.and_then(Surface::leaf)) {
            (Value::Untyped(untyped), Some(ty)) if ty.is_scalar() => self.typed(&untyped, &ty.elem),
            (Value::Slice(slice), _) => self.owned(&slice),
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

/// A `Vec` that changes its length, and how many elements it has.
fn growing_array(old: &Stored) -> Option<(Var, Var)> {
    match old {
        Stored::Whole(Value::Slice(slice)) => Some((slice.array()?.0, slice.count?)),
        _ => None,
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
