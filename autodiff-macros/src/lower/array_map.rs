//! `map` of arrays.

use super::Lower;
use super::assign::unparen;
use super::value::{Lowered, Value};
use crate::desugar::has_effects;
use crate::ir::dim::Dim;
use crate::ir::{Ty, Var};
use crate::layout::{Form, Kind};
use proc_macro2::{Ident, Literal};
use quote::format_ident;
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
                    let ty = lower.type_of_result(call, &first)?;
                    let zero = lower.b.zero(Ty::tensor(ty.elem, [vec![size.clone()], ty.dims].concat()));
                    let maker = syn::parse_quote!(|__autodiff_place| (#function)(#list[__autodiff_place]));
                    lower.filled(Value::Leaf(zero, Form::Plain), &[size], &maker)
                }
            }
        }))
    }

    /// What the elements of an array are that a function gives.
    fn type_of_result(&mut self, call: &ExprMethodCall, first: &Expr) -> Lowered<Ty> {
        let found = self.tried_out(|lower| {
            let value = lower.root(first, None)?;
            let value = lower.with_arrays(value);
            let value = lower.settle(value, first)?;
            Ok(as_element(&value).map(|var| lower.b.ty(var).clone()).filter(|ty| !ty.is_dynamic()))
        })?;
        match found {
            Some(ty) => Ok(ty),
            None => self.unsupported(
                &call.method,
                "`map` to what are no numbers or arrays, where the size is a const parameter or a large number,",
                "push them to a `Vec` in a loop, or make an array of each of their parts",
            ),
        }
    }
}

/// A number or an array of numbers.
fn as_element(value: &Value) -> Option<Var> {
    match value {
        Value::Leaf(var, Form::Plain) => Some(*var),
        _ => None,
    }
}
