//! `map` of arrays.

use super::Lower;
use super::assign::unparen;
use super::sequence::lacks_leaves;
use super::slice::Slice;
use super::value::{Lowered, Value};
use crate::desugar::has_effects;
use crate::ir::Ty;
use crate::ir::dim::Dim;
use crate::layout::{Form, Kind, Layout};
use proc_macro2::{Ident, Literal};
use quote::format_ident;
use std::rc::Rc;
use syn::{Expr, ExprMethodCall};

/// The longest array whose `map` is written out, element by element.
const MOST_MAPPED: usize = 32;

impl Lower<'_> {
    /// `[a, b].map(|x| …)`: an array of what the function gives for each element.
    pub(super) fn array_map(&mut self, call: &ExprMethodCall, receiver: &Value) -> Option<Lowered<Value>> {
        let (true, Some(function), 1) = (call.method == "map", call.args.first(), call.args.len()) else { return None };
        // Its elements are taken one by one, and later.
        let is_iterator = |inner: &ExprMethodCall| matches!(&inner.method.to_string()[..], "iter" | "into_iter");
        if matches!(unparen(&call.receiver), Expr::MethodCall(inner) if is_iterator(inner)) {
            return None;
        }
        let size = match receiver {
            Value::Leaf(var, Form::Plain) => self.b.ty(*var).dims.first()?.clone(),
            Value::Slice(slice) if slice.count.is_none() => slice.len.clone(),
            Value::Parts(Kind::Array, parts) => Dim::literal(i64::try_from(parts.len()).ok()?),
            _ => return None,
        };
        if size.is_dynamic() {
            return None;
        }
        let count = size.as_literal().and_then(|size| usize::try_from(size).ok());
        let list = Ident::new("__autodiff_list", call.method.span());
        Some(self.scoped(|lower| {
            lower.define("__autodiff_list", Some(receiver.clone()), false);
            match count {
                Some(count) if (1..=MOST_MAPPED).contains(&count) => {
                    let places = (0..count).map(Literal::usize_unsuffixed);
                    if !has_effects(function) {
                        return lower.expr(&syn::parse_quote!([#((#function)(#list[#places])),*]));
                    }
                    let names: Vec<Ident> = (0..count).map(|k| format_ident!("__autodiff_element_{k}")).collect();
                    lower
                        .root(&syn::parse_quote!({ #(let #names = (#function)(#list[#places]);)* [#(#names),*] }), None)
                }
                // Many elements, or as many as a name tells: a loop.
                _ => {
                    let first = syn::parse_quote!((#function)(#list[0]));
                    let zero = match lower.layout_of_result(call, &first)? {
                        Layout::Leaf(Form::Plain, ty) => {
                            let zero = lower.b.zero(Ty::tensor(ty.elem, [vec![size.clone()], ty.dims].concat()));
                            Value::Leaf(zero, Form::Plain)
                        }
                        layout => match lower.zeros_of_each(&layout, &size) {
                            Some(Value::Leaf(_, form)) if !form.is_matrix() => return lower.no_map(call),
                            None => return lower.no_map(call),
                            Some(of) => Value::Slice(Rc::new(Slice::all(of, size.clone()))),
                        },
                    };
                    let maker = syn::parse_quote!(|__autodiff_place| (#function)(#list[__autodiff_place]));
                    lower.filled(zero, &[size], &maker)
                }
            }
        }))
    }

    /// What the elements of an array are that a function gives.
    fn layout_of_result(&mut self, call: &ExprMethodCall, first: &Expr) -> Lowered<Layout> {
        let found = self.tried_out(|lower| {
            let value = lower.root(first, None)?;
            let value = lower.with_arrays(value);
            let value = lower.settle(value, first)?;
            let layout = value.layout(&lower.b);
            let is_known = !lacks_leaves(&value) && !layout.types().iter().any(Ty::is_dynamic);
            Ok(Some(layout).filter(|_| is_known))
        })?;
        match found {
            Some(layout) => Ok(layout),
            None => self.no_map(call),
        }
    }

    fn no_map<T>(&mut self, call: &ExprMethodCall) -> Lowered<T> {
        self.unsupported(
            &call.method,
            "`map` to tensors, or to what has a length of its own, where the size is a const parameter or a large number,",
            "push them to a `Vec` in a loop, or make an array of each of their parts",
        )
    }
}
