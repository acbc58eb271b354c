//! Searches in sorted lists, and arithmetic of integers that may overflow: their results are integers.
//!
//! Note [Searches]. `knots.partition_point(|k| *k <= x)` is evaluated as it is written, on the array as it is: which of several
//! equal elements a search finds is up to the standard library. The closure may read numbers of the body. A `Result` of a search is
//! two values, `search.is_ok()` and `search.unwrap_or_else(|i| i)`, which desugaring makes of every other form
//! (`desugar/search.rs`).

use super::Lower;
use super::assign::{Assigned, unparen};
use super::value::{Lowered, Untyped, Value, dereferenced};
use crate::desugar::{Substitute, idents, is_search};
use crate::diag::Error;
use crate::ir::{Elem, Opaque, Ty, Var, late};
use crate::layout::{Form, Kind};
use crate::parse::ty::{StructType, Surface};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMethodCall};

/// Methods in the closure of a search that have no effect.
const PURE: &[&str] = &[
    "partial_cmp",
    "total_cmp",
    "cmp",
    "unwrap",
    "expect",
    "reverse",
    "then",
    "abs",
    "min",
    "max",
    "is_lt",
    "is_le",
    "is_gt",
    "is_ge",
    "is_nan",
    "sqrt",
    "exp",
    "ln",
    "lt",
    "le",
    "gt",
    "ge",
    "eq",
    "ne",
    "clone",
    "len",
    "to_bits",
];

impl Lower<'_> {
    /// See Note [Searches].
    pub(super) fn searched(&mut self, call: &ExprMethodCall) -> Option<Lowered<Value>> {
        let inner = match unparen(&call.receiver) {
            Expr::MethodCall(inner) if is_search(inner) && inner.method != "partition_point" => Some(inner),
            _ => None,
        };
        let (search, ty) = match (inner, &call.method.to_string()[..]) {
            (None, _) if is_search(call) && call.method == "partition_point" => (call, Elem::usize()),
            (Some(inner), "is_ok") => (inner, Elem::Bool),
            (Some(inner), "unwrap_or_else") => (inner, Elem::usize()),
            _ => return None,
        };
        let list = match self.expr(&search.receiver) {
            Ok(list) => list,
            Err(reported) => return Some(Err(reported)),
        };
        let list = match list {
            Value::Slice(slice) => self.owned(&slice),
            list => list,
        };
        let list = match &list {
            Value::Leaf(var, Form::Plain) if self.b.ty(*var).rank() == 1 => late(*var).to_token_stream(),
            // A type of the user's may have a method of that name.
            Value::Other(_) | Value::Untyped(Untyped { number: None, .. }) => dereferenced(self.passive_tokens(&list)?),
            _ => return None,
        };
        let mut args = Vec::new();
        let mut has_effects = false;
        for arg in &search.args {
            match self.in_place(arg) {
                Ok((tokens, may)) => {
                    args.push(tokens);
                    has_effects |= may;
                }
                Err(reported) => return Some(Err(reported)),
            }
        }
        let method = &search.method;
        let result = quote!(#list.#method(#(#args),*));
        let tokens = match &call.method.to_string()[..] {
            "is_ok" => quote!(#result.is_ok()),
            "unwrap_or_else" => quote!(#result.unwrap_or_else(|place| place)),
            _ => result,
        };
        self.at(call);
        let opaque = if has_effects { Opaque::once(tokens) } else { Opaque::pure(tokens) };
        Some(Ok(Value::Leaf(self.b.opaque(opaque, Vec::new(), Ty::scalar(ty)), Form::Plain)))
    }

    /// `list.contains(&x)` of numbers: evaluated as it is written.
    pub(super) fn contains(&mut self, call: &ExprMethodCall, receiver: &Value) -> Option<Lowered<Value>> {
        let (true, Some(sought), 1) = (call.method == "contains", call.args.first(), call.args.len()) else {
            return None;
        };
        let list = match receiver {
            Value::Slice(slice) if slice.array().is_some() => self.owned(slice),
            list => list.clone(),
        };
        let Value::Leaf(list, Form::Plain) = list else { return None };
        if self.b.ty(list).rank() != 1 {
            return None;
        }
        let ty = Ty::scalar(self.b.ty(list).elem.clone());
        let sought = self
            .expr_expecting(super::call::strip_borrow(sought), Some(&Surface::Scalar(ty.elem.clone())))
            .and_then(|value| self.leaf_like(value, &ty, sought));
        Some(sought.map(|sought| {
            self.at(call);
            let (list, sought) = (late(list), late(sought));
            let opaque = Opaque::pure(quote!(#list.contains(&#sought)));
            Value::Leaf(self.b.opaque(opaque, Vec::new(), Ty::scalar(Elem::Bool)), Form::Plain)
        }))
    }

    /// An argument with the numbers of the body in the place of their names, and whether it may have an effect.
    fn in_place(&mut self, arg: &Expr) -> Lowered<(TokenStream, bool)> {
        let mut whole = arg.clone();
        let mut assigned = Assigned::default();
        assigned.visit_expr(&whole);
        if assigned.all_names().into_iter().any(|name| self.lookup(&name).is_some()) {
            return self.unsupported(arg, "a search that changes a variable", "write it as a loop over an index");
        }
        let mut names: Vec<String> = idents(&whole).into_iter().collect();
        names.sort();
        for name in names {
            let Some(value) = self.lookup(&name).map(|binding| binding.value.clone()) else { continue };
            if !Substitute::is_free_in(&name, &whole) {
                continue;
            }
            let tokens = match value {
                Some(Value::Leaf(var, Form::Plain)) if self.b.ty(var).is_scalar() => Some(late(var).to_token_stream()),
                Some(value) => self.passive_tokens(&value),
                None => None,
            };
            let Some(tokens) = tokens else {
                let error = Error::new(arg, format!("a search reads `{name}`, which is no number"));
                return self.fail(error.help("name the number that is meant with `let` before"));
            };
            let with = |_: &syn::Ident| Expr::Verbatim(tokens.clone());
            let mut substitute = Substitute::new(&quote::format_ident!("{name}"), &with);
            substitute.visit_expr_mut(&mut whole);
            if substitute.opaque {
                return self.unsupported(arg, "a macro in a search", "write it as a loop over an index");
            }
        }
        let mut effects = Effects(false);
        effects.visit_expr(&whole);
        Ok((whole.to_token_stream(), effects.0))
    }

    /// `n.checked_sub(1)`: an `Option` of an integer.
    pub(super) fn checked(&mut self, method: &syn::Ident, vars: &[Var], elem: &Elem, tokens: &TokenStream) -> Value {
        let mut opaque = |tokens: TokenStream, ty: Elem| {
            let opaque = Opaque::pure(tokens);
            self.b.opaque(opaque, vars.to_vec(), Ty::scalar(ty))
        };
        let some = opaque(quote!(#tokens.is_some()), Elem::Bool);
        let value = opaque(quote!(#tokens.unwrap_or_default()), elem.clone());
        let kind = self.b.cast(some, &Elem::usize());
        let path: syn::Path = syn::parse_quote_spanned!(method.span()=> Option);
        let ty = Rc::new(StructType::option(Surface::Scalar(elem.clone()), path));
        Value::Parts(Kind::Struct(ty), vec![Value::Leaf(kind, Form::Plain), Value::Leaf(value, Form::Plain)])
    }
}

/// Whether something is called that may have an effect.
struct Effects(bool);

impl<'a> Visit<'a> for Effects {
    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        let is_of_number = matches!(&*call.func, Expr::Path(path) if path.path.segments.first().is_some_and(
            |first| path.path.segments.len() == 2 && super::expr::is_number_type(&first.ident.to_string(), &[])));
        self.0 |= !is_of_number;
        syn::visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        self.0 |= !PURE.iter().any(|known| call.method == known);
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, _: &'a syn::Macro) {
        self.0 = true;
    }
}
