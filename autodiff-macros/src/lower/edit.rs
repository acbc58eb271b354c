//! Methods that edit a `Vec` or a slice: what they do is written with loops, `push`, `truncate` and `swap`, and lowered as that.

use super::Lower;
use super::assign::unparen;
use super::value::{Lowered, Value};
use crate::ir::Var;
use crate::layout::{Form, Kind};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprMethodCall, ExprRange, RangeLimits};

impl Lower<'_> {
    /// `v.remove(i)`, `v.resize(n, x)`, …; nothing, if the receiver is no sequence.
    pub(super) fn edit(&mut self, call: &ExprMethodCall) -> Option<Lowered<Value>> {
        if !crate::desugar::is_editing(&call.method) || !self.is_sequence(&call.receiver) {
            return None;
        }
        Some(self.scoped(|lower| lower.edited(call)))
    }

    /// Whether a place is a slice, an array or a `Vec`, as far as is known by now.
    fn is_sequence(&self, place: &Expr) -> bool {
        match self.named(place) {
            Some(Value::Slice(_) | Value::Parts(Kind::Array, _)) => true,
            Some(Value::Leaf(var, Form::Plain)) => !self.b.ty(var).is_scalar(),
            _ => false,
        }
    }

    fn is_of_any_length(&self, place: &Expr) -> bool {
        matches!(self.named(place), Some(Value::Slice(slice)) if slice.count.is_some())
    }

    fn edited(&mut self, call: &ExprMethodCall) -> Lowered<Value> {
        let (of, name, span) = (&call.receiver, call.method.to_string(), call.method.span());
        if crate::source::is_growing(&call.method) && !self.is_of_any_length(of) {
            return self.not_grown(call);
        }
        let args: Vec<&Expr> = call.args.iter().collect();
        let [at, k, kept, item, old] =
            ["at", "k", "kept", "item", "old"].map(|name| Ident::new(&format!("__autodiff_{name}"), span));
        let tokens = match (&name[..], &args[..]) {
            ("extend", [from]) => return self.mutate_as(call, "extend_from_slice", &[(*from).clone()]),
            ("push_back", [value]) => return self.mutate_as(call, "push", &[(*value).clone()]),
            ("append", [other]) => {
                let other = super::call::strip_borrow(other);
                quote_spanned!(span=> { #of.extend_from_slice(&#other); #other.clear(); })
            }
            ("resize", [len, value]) => quote_spanned!(span=> {
                let #at = #len;
                let #item = #value;
                #of.truncate(#at);
                for #k in #of.len()..#at { #of.push(#item); }
            }),
            ("insert", [index, value]) => quote_spanned!(span=> {
                let #at = #index;
                let #item = #value;
                if #at > #of.len() { ::core::panic!("an insertion beyond the end of a `Vec`"); }
                #of.push(#item);
                for #k in (#at + 1..#of.len()).rev() { #of.swap(#k - 1, #k); }
            }),
            ("push_front", [value]) => quote_spanned!(span=> {
                let #item = #value;
                #of.push(#item);
                for #k in (1..#of.len()).rev() { #of.swap(#k - 1, #k); }
            }),
            ("remove", [index]) => quote_spanned!(span=> {
                let #at = #index;
                let #item = #of[#at];
                for #k in #at + 1..#of.len() { #of[#k - 1] = #of[#k]; }
                #of.truncate(#of.len() - 1);
                #item
            }),
            ("swap_remove", [index]) => quote_spanned!(span=> {
                let #at = #index;
                let #item = #of[#at];
                #of[#at] = #of[#of.len() - 1];
                #of.truncate(#of.len() - 1);
                #item
            }),
            ("pop" | "pop_back", []) => quote_spanned!(span=> {
                if #of.is_empty() { None } else {
                    let #item = #of[#of.len() - 1];
                    #of.truncate(#of.len() - 1);
                    Some(#item)
                }
            }),
            ("pop_front", []) => quote_spanned!(span=> {
                if #of.is_empty() { None } else {
                    let #item = #of[0];
                    for #k in 1..#of.len() { #of[#k - 1] = #of[#k]; }
                    #of.truncate(#of.len() - 1);
                    Some(#item)
                }
            }),
            ("split_off", [index]) => quote_spanned!(span=> {
                let #at = #index;
                let #item = #of[#at..].to_vec();
                #of.truncate(#at);
                #item
            }),
            ("drain", [range]) => match drained(range) {
                Some((from, to)) => {
                    let to = to.unwrap_or_else(|| quote_spanned!(span=> #of.len()));
                    quote_spanned!(span=> {
                        let #at = #from;
                        let #kept = #to;
                        let #item = #of[#at..#kept].to_vec();
                        for #k in #kept..#of.len() { #of[#at + (#k - #kept)] = #of[#k]; }
                        #of.truncate(#of.len() - (#kept - #at));
                        #item
                    })
                }
                None => return self.unsupported(range, "this range", "write it as `a..b`"),
            },
            ("dedup", []) => quote_spanned!(span=> {
                let mut #kept = 1usize;
                for #k in 1..#of.len() {
                    if #of[#k] != #of[#kept - 1] {
                        #of[#kept] = #of[#k];
                        #kept += 1;
                    }
                }
                #of.truncate(#kept);
            }),
            ("retain", [keep @ Expr::Closure(_)]) => quote_spanned!(span=> {
                let mut #kept = 0usize;
                for #k in 0..#of.len() {
                    if (#keep)(&#of[#k]) {
                        #of[#kept] = #of[#k];
                        #kept += 1;
                    }
                }
                #of.truncate(#kept);
            }),
            ("copy_within", [range, to]) => {
                let Some((from, end)) = drained(range) else {
                    return self.unsupported(range, "this range", "write `a..b`");
                };
                let end = end.unwrap_or_else(|| quote!(#of.len()));
                quote_spanned!(span=> {
                    let #at = #from;
                    let #kept = #end;
                    let #item = #to;
                    if #at > #kept || #kept > #of.len() || #item + (#kept - #at) > #of.len() {
                        ::core::panic!("a copy within a slice from or to beyond its end");
                    }
                    let #old = #of.clone();
                    for #k in #at..#kept { #of[#item + (#k - #at)] = #old[#k]; }
                })
            }
            ("rotate_left" | "rotate_right", [by]) => {
                let from = match &name[..] {
                    "rotate_left" => quote_spanned!(span=> (#k + #at) % #of.len()),
                    _ => quote_spanned!(span=> (#k + (#of.len() - #at)) % #of.len()),
                };
                quote_spanned!(span=> {
                    let #at = #by;
                    if #at > #of.len() { ::core::panic!("a rotation by more than there are elements"); }
                    let #old = #of.clone();
                    for #k in 0..#of.len() { #of[#k] = #old[#from]; }
                })
            }
            _ => return self.sorted(call, &args),
        };
        self.lowered_as(call, tokens)
    }

    /// The same by a method that is known.
    fn mutate_as(&mut self, call: &ExprMethodCall, name: &str, args: &[Expr]) -> Lowered<Value> {
        let mut known = call.clone();
        known.method = Ident::new(name, call.method.span());
        known.args = args.iter().cloned().collect();
        self.mutating_method(&known)
    }

    /// Whether the elements are rows of numbers that may differ in length.
    pub(super) fn has_rows_of_any_length(&mut self, of: &Value) -> bool {
        let Some((slice, (array, _))) = self.as_slice(of).and_then(|slice| slice.array().map(|array| (slice, array)))
        else {
            return false;
        };
        matches!(&self.b.ty(array).dims[slice.at.len()..], [_, row] if row.is_ragged())
    }

    /// `a.swap(i, j)` of rows. They stay where they are, and their elements change places: a row of another length would take the
    /// place of one whose cotangent is as long as it was.
    pub(super) fn swap_rows(&mut self, call: &ExprMethodCall, i: Var, j: Var) -> Lowered<Value> {
        let (of, span) = (&call.receiver, call.method.span());
        let [a, b, k, item] = ["a", "b", "k", "item"].map(|name| Ident::new(&format!("__autodiff_{name}"), span));
        self.scoped(|lower| {
            for (name, index) in [(&a, i), (&b, j)] {
                lower.define(&name.to_string(), Some(Value::Leaf(index, Form::Plain)), false);
            }
            lower.lowered_as(
                call,
                quote_spanned!(span=> {
                    if #of[#a].len() != #of[#b].len() {
                        ::core::panic!("the derivative of `swap` needs rows of one length, which these are not");
                    }
                    for #k in 0..#of[#a].len() {
                        let #item = #of[#a][#k];
                        #of[#a][#k] = #of[#b][#k];
                        #of[#b][#k] = #item;
                    }
                }),
            )
        })
    }

    pub(super) fn lowered_as(&mut self, call: &ExprMethodCall, tokens: TokenStream) -> Lowered<Value> {
        match syn::parse2::<Expr>(tokens) {
            Ok(block) => self.root(&block, None),
            Err(_) => self.unsupported(&call.method, "this call", "write it as a loop"),
        }
    }
}

/// Where a range begins, and where it ends, if not at the end.
fn drained(range: &Expr) -> Option<(TokenStream, Option<TokenStream>)> {
    let Expr::Range(ExprRange { start, end, limits, .. }) = unparen(range) else { return None };
    let from = start.as_ref().map_or_else(|| quote!(0usize), |start| quote!(#start));
    let to = end.as_ref().map(|end| match limits {
        RangeLimits::HalfOpen(_) => quote!(#end),
        RangeLimits::Closed(_) => quote!(#end + 1),
    });
    Some((from, to))
}
