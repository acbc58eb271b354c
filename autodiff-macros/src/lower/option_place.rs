//! Methods that change an `Option` in its place, `take` and `replace`, and those that give a borrow of what is in it: `as_mut`,
//! `insert`, `get_or_insert_with`. A borrow of the content is a place like any other: the `Option`, and its field 0.

use super::Lower;
use super::assign::unparen;
use super::place::Place;
use super::value::{Lowered, Value};
use crate::layout::Kind;
use proc_macro2::Ident;
use quote::{quote, quote_spanned};
use std::rc::Rc;
use syn::{Expr, ExprMethodCall, Member, Pat};

impl Lower<'_> {
    /// A method that changes an `Option`, or lends what is in it; nothing, if it is another one.
    pub(super) fn option_in_place(&mut self, call: &ExprMethodCall) -> Option<Lowered<Value>> {
        let args: Vec<&Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        match unparen(&call.receiver) {
            Expr::MethodCall(lent) if is_lending(&lent.method) && self.is_option(&lent.receiver) => {
                if let "unwrap" | "expect" = &name[..] {
                    return Some(self.content_or_panic(call, lent));
                }
                let what = format!("`{name}` of an `Option` that is borrowed mutably");
                return Some(self.unsupported(&call.method, &what, "write it as `if let Some(name) = …`"));
            }
            _ => {}
        }
        if !self.is_option(&call.receiver) {
            return None;
        }
        let (of, span) = (&call.receiver, call.method.span());
        let item = Ident::new("__autodiff_item", span);
        let filled = match (&name[..], &args[..]) {
            ("take", []) => {
                return Some(self.place(of).and_then(|place| {
                    let old = self.read(&place, of)?;
                    let none = self.default_like(&old, call)?;
                    self.put(call, &place, &none)?;
                    Ok(old)
                }));
            }
            ("replace", [value]) => return Some(self.replaced_content(call, value)),
            ("as_mut" | "as_deref_mut", []) => return Some(self.borrow_mut(of)),
            ("insert", [value]) => quote_spanned!(span=> { let #item = #value; #of = Some(#item); }),
            ("get_or_insert", [value]) => {
                quote_spanned!(span=> { let #item = #value; if #of.is_none() { #of = Some(#item); } })
            }
            ("get_or_insert_with", [f]) => quote_spanned!(span=> {
                if #of.is_none() { let #item = (#f)(); #of = Some(#item); }
            }),
            _ => return None,
        };
        Some(self.lowered_as(call, filled).and_then(|_| self.content(of)))
    }

    /// Whether a place is an `Option`, as far as is known by now.
    fn is_option(&self, place: &Expr) -> bool {
        matches!(self.named(place), Some(Value::Parts(Kind::Struct(ty), _)) if ty.is_option)
    }

    fn replaced_content(&mut self, call: &ExprMethodCall, value: &Expr) -> Lowered<Value> {
        let place = self.place(&call.receiver)?;
        let old = self.read(&place, &call.receiver)?;
        let surface = old.surface(&self.b);
        let new = self.root(&syn::parse_quote!(Some(#value)), Some(&surface))?;
        self.put(call, &place, &new)?;
        Ok(old)
    }

    /// A borrow of what is in an `Option`.
    fn content(&mut self, option: &Expr) -> Lowered<Value> {
        Ok(Value::Borrow(Rc::new(content_of(&self.place(option)?))))
    }

    /// `x.as_mut().unwrap()`
    fn content_or_panic(&mut self, call: &ExprMethodCall, lent: &ExprMethodCall) -> Lowered<Value> {
        let (of, method, args) = (&lent.receiver, &call.method, &call.args);
        // The panic, and its text, are those of the value.
        self.lowered_as(call, quote!({ let _ = #of.#method(#args); }))?;
        self.content(of)
    }

    // --- patterns ---------------------------------------------------------------------------------------

    /// The `Option` that a value is a mutable borrow of.
    pub(super) fn lent_option(&self, value: &Value) -> Option<Rc<Place>> {
        let Value::Borrow(place) = value else { return None };
        let is_option = matches!(self.structure(place), Some(Value::Parts(Kind::Struct(ty), _)) if ty.is_option);
        is_option.then(|| place.clone())
    }

    /// The names in a pattern that fits an `Option` that is borrowed: they are borrows of the content.
    pub(super) fn bind_lent(&mut self, pat: &Pat, place: &Place) -> Lowered<()> {
        match pat {
            Pat::Paren(paren) => self.bind_lent(&paren.pat, place),
            Pat::TupleStruct(some) if some.elems.len() == 1 => match &some.elems[0] {
                Pat::Wild(_) => Ok(()),
                inner => self.bind_places(inner, &content_of(place)),
            },
            Pat::Wild(_) | Pat::Path(_) => Ok(()),
            Pat::Ident(none) if none.ident == "None" => Ok(()),
            other => self.unsupported(
                other,
                "this pattern for an `Option` that is borrowed mutably",
                "use `Some(name)`, `None` and `_` in the pattern",
            ),
        }
    }
}

fn content_of(option: &Place) -> Place {
    option.field(Member::Unnamed(0.into()))
}

fn is_lending(method: &Ident) -> bool {
    method == "as_mut" || method == "as_deref_mut"
}
