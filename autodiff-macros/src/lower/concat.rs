//! `rows.concat()` and `rows.as_flattened()`: the elements of several lists in one.

use super::Lower;
use super::value::{Lowered, Value};
use crate::ir::Elem;
use crate::layout::{Form, Kind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::ExprMethodCall;

impl Lower<'_> {
    /// `None`, if it is no such call, or one of what is no list of lists of numbers.
    pub(super) fn concatenated(&mut self, call: &ExprMethodCall, receiver: &Value) -> Option<Lowered<Value>> {
        if !matches!(&call.method.to_string()[..], "concat" | "as_flattened") || !call.args.is_empty() {
            return None;
        }
        let (elem, parts) = match receiver {
            Value::Parts(Kind::Array, parts) => {
                let elems = parts.iter().map(|part| self.elem_of_list(part, 1));
                (elems.collect::<Option<Vec<_>>>()?.first()?.clone(), Some(parts.len()))
            }
            list => (self.elem_of_list(list, 2)?, None),
        };
        if !elem.is_float() {
            return None;
        }
        let span = call.method.span();
        let [list, zero, total, out, at, k, i] = ["list", "zero", "total", "out", "at", "k", "i"]
            .map(|name| Ident::new(&format!("__autodiff_{name}"), span));
        // Parts are no element of an array: there is a loop for each of them.
        let each = |body: &dyn Fn(TokenStream) -> TokenStream| match parts {
            Some(count) => (0..count).map(|part| body(Literal::usize_unsuffixed(part).into_token_stream())).collect(),
            None => {
                let body = body(quote_spanned!(span=> #k));
                quote_spanned!(span=> for #k in 0..#list.len() { #body })
            }
        };
        let counts: TokenStream = each(&|k| quote_spanned!(span=> #total += #list[#k].len();));
        let copies: TokenStream = each(&|k| {
            quote_spanned!(span=> {
                for #i in 0..#list[#k].len() { #out[#at + #i] = #list[#k][#i]; }
                #at += #list[#k].len();
            })
        });
        Some(self.scoped(|lower| {
            let nothing = lower.b.constant(&elem, 0.0);
            lower.define(&list.to_string(), Some(receiver.clone()), false);
            lower.define(&zero.to_string(), Some(Value::Leaf(nothing, Form::Plain)), false);
            lower.lowered_as(
                call,
                quote_spanned!(span=> {
                    let mut #total = 0usize;
                    #counts
                    let mut #out = vec![#zero; #total];
                    let mut #at = 0usize;
                    #copies
                    #out
                }),
            )
        }))
    }

    /// The numbers in lists of so many levels.
    fn elem_of_list(&mut self, value: &Value, levels: usize) -> Option<Elem> {
        let slice = self.as_slice(value)?;
        let (array, form) = slice.array()?;
        let ty = self.b.ty(array);
        (form == Form::Plain && ty.rank() == slice.at.len() + levels).then(|| ty.elem.clone())
    }
}
