//! Sorting: a permutation, which is found of the values and carries no derivative, and by which the elements are taken.

use super::Lower;
use super::assign::unparen;
use super::value::{Lowered, Value};
use crate::ir::dim::Dim;
use crate::ir::{Elem, Opaque, Ty, Var, hole};
use crate::layout::Form;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprClosure, ExprMethodCall, Pat};

/// What elements are ordered by.
struct By {
    /// What an element is bound to.
    pat: Pat,
    /// The number of an element that is compared.
    key: Expr,
    comparison: Comparison,
    descending: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Comparison {
    /// `partial_cmp` with `unwrap`, `cmp`
    Partial,
    /// `partial_cmp` with `unwrap_or(Ordering::Equal)`
    OrEqual,
    /// `total_cmp`
    Total,
}

impl Lower<'_> {
    /// `v.sort_by(|a, b| a.partial_cmp(b).unwrap())` and its like.
    pub(super) fn sorted(&mut self, call: &ExprMethodCall, args: &[&Expr]) -> Lowered<Value> {
        let by = match (&call.method.to_string()[..], args) {
            ("sort" | "sort_unstable", []) => By {
                pat: syn::parse_quote!(__autodiff_item),
                key: syn::parse_quote!(__autodiff_item),
                comparison: Comparison::Partial,
                descending: false,
            },
            ("sort_by_key" | "sort_unstable_by_key", [Expr::Closure(closure)]) if closure.inputs.len() == 1 => By {
                pat: closure.inputs[0].clone(),
                key: (*closure.body).clone(),
                comparison: Comparison::Partial,
                descending: false,
            },
            ("sort_by" | "sort_unstable_by", [Expr::Closure(closure)]) => match compared(closure) {
                Some(by) => by,
                None => return self.no_key(&closure.body),
            },
            ("sort_by" | "sort_unstable_by", [path]) if is_total(path) => By {
                pat: syn::parse_quote!(__autodiff_item),
                key: syn::parse_quote!(__autodiff_item),
                comparison: Comparison::Total,
                descending: false,
            },
            (_, [order]) => return self.no_key(order),
            _ => return self.unsupported(&call.method, "this call", "sort by one number of each element"),
        };
        let (of, span) = (&call.receiver, call.method.span());
        let [keys, k] = ["keys", "k"].map(|name| Ident::new(&format!("__autodiff_{name}"), call.method.span()));
        let By { pat, key, .. } = &by;
        let found = self.lowered_as(
            call,
            quote_spanned!(span=> {
                let mut #keys = Vec::new();
                for #k in 0..#of.len() {
                    let #pat = &#of[#k];
                    #keys.push(#key);
                }
                #keys
            }),
        )?;
        let Some((array, _)) = self.as_slice(&found).and_then(|slice| match self.owned(&slice) {
            Value::Leaf(array, form) => Some((array, form)),
            _ => None,
        }) else {
            return self.no_key(&by.key);
        };
        if self.b.ty(array).rank() != 1 {
            return self.no_key(&by.key);
        }
        let order = self.permutation(array, &by);
        let order_name = Ident::new("__autodiff_order", call.method.span());
        let old = Ident::new("__autodiff_old", call.method.span());
        self.define("__autodiff_order", Some(Value::Leaf(order, Form::Plain)), false);
        self.lowered_as(
            call,
            quote_spanned!(span=> {
                let #old = #of.clone();
                for #k in 0..#of.len() { #of[#k] = #old[#order_name[#k]]; }
            }),
        )
    }

    fn no_key<T>(&mut self, at: &Expr) -> Lowered<T> {
        self.unsupported(
            at,
            "an order by this",
            "compare one number of each element: `a.x.partial_cmp(&b.x).unwrap()` or `a.x.total_cmp(&b.x)`",
        )
    }

    /// The places of the elements in their order. Equal ones stay in the order in which they are.
    fn permutation(&mut self, keys: Var, by: &By) -> Var {
        let (given, span) = (hole(0), proc_macro2::Span::mixed_site());
        let [a, b, order, sorted, compare, all] =
            ["a", "b", "order", "sorted", "compare", "all"].map(|name| Ident::new(name, span));
        let (first, second) = if by.descending { (&b, &a) } else { (&a, &b) };
        let (total, method) = (by.comparison == Comparison::Total, Ident::new("total_cmp", span));
        let compared = match (&self.b.ty(keys).elem, by.comparison) {
            (elem @ (Elem::F32 | Elem::F64), _) if total => {
                let ty = crate::parse::tokens::elem_tokens(elem);
                quote!(#ty::#method(#first, #second))
            }
            (_, Comparison::OrEqual) => quote! {
                ::core::option::Option::unwrap_or(::core::cmp::PartialOrd::partial_cmp(#first, #second), ::core::cmp::Ordering::Equal)
            },
            _ => quote!(::core::option::Option::unwrap(::core::cmp::PartialOrd::partial_cmp(#first, #second))),
        };
        let tokens: TokenStream = quote!({
            fn #sorted<K, V: ::core::iter::FromIterator<usize> + ::core::convert::AsMut<[usize]>>(
                #all: &[K],
                #compare: impl ::core::ops::Fn(&K, &K) -> ::core::cmp::Ordering,
            ) -> V {
                let mut #order: V = ::core::iter::FromIterator::from_iter(0..#all.len());
                <[usize]>::sort_unstable_by(::core::convert::AsMut::as_mut(&mut #order), |#a, #b| {
                    ::core::cmp::Ordering::then(#compare(&#all[*#a], &#all[*#b]), ::core::cmp::Ord::cmp(#a, #b))
                });
                #order
            }
            #sorted(&#given[..], |#a, #b| #compared)
        });
        let len = self.b.len(keys, &[]);
        self.b.opaque(Opaque::pure(tokens), vec![keys], Ty::tensor(Elem::usize(), vec![Dim::of(len)]))
    }
}

/// `f64::total_cmp`
fn is_total(path: &Expr) -> bool {
    let words = path.to_token_stream().to_string().replace(' ', "");
    matches!(&words[..], "f64::total_cmp" | "f32::total_cmp")
}

/// What a closure of two elements compares, if that is the same of both.
fn compared(closure: &ExprClosure) -> Option<By> {
    let (Some(a), Some(b), 2) = (closure.inputs.first(), closure.inputs.last(), closure.inputs.len()) else {
        return None;
    };
    let (left, right, comparison) = comparison(&tail(&closure.body))?;
    let names = |pat: &Pat| crate::desugar::bound(pat);
    let mentions = |expr: &Expr, pat: &Pat| {
        let tokens = expr.to_token_stream();
        names(pat).iter().any(|name| crate::tokens::mentions(&tokens, &name.to_string()))
    };
    let descending = mentions(&left, b);
    let (first, second) = if descending { (&right, &left) } else { (&left, &right) };
    let same = mentions(first, a)
        && !mentions(first, b)
        && !mentions(second, a)
        && renamed(&quote!(#a => #first), &quote!(#b => #second), &names(a), &names(b));
    same.then(|| By { pat: a.clone(), key: first.clone(), comparison, descending })
}

fn tail(body: &Expr) -> Expr {
    match unparen(body) {
        Expr::Block(block) if block.label.is_none() => match &block.block.stmts[..] {
            [syn::Stmt::Expr(tail, None)] => self::tail(tail),
            _ => body.clone(),
        },
        other => other.clone(),
    }
}

/// The two sides of a comparison, without the borrow of the second one.
fn comparison(expr: &Expr) -> Option<(Expr, Expr, Comparison)> {
    let Expr::MethodCall(call) = unparen(expr) else { return None };
    let args: Vec<&Expr> = call.args.iter().collect();
    match (&call.method.to_string()[..], &args[..]) {
        ("unwrap", []) | ("expect", [_]) => {
            let (left, right, _) = comparison(&call.receiver).filter(|_| is_partial(&call.receiver))?;
            Some((left, right, Comparison::Partial))
        }
        ("unwrap_or", [other]) if ends_in_equal(other) && is_partial(&call.receiver) => {
            let (left, right, _) = comparison(&call.receiver)?;
            Some((left, right, Comparison::OrEqual))
        }
        ("reverse", []) if !is_partial(&call.receiver) => {
            let (left, right, how) = comparison(&call.receiver)?;
            Some((right, left, how))
        }
        ("partial_cmp" | "cmp", [other]) => Some((plain(&call.receiver), plain(other), Comparison::Partial)),
        ("total_cmp", [other]) => Some((plain(&call.receiver), plain(other), Comparison::Total)),
        _ => None,
    }
}

/// `a.partial_cmp(b)` itself.
fn is_partial(expr: &Expr) -> bool {
    matches!(unparen(expr), Expr::MethodCall(call) if call.method == "partial_cmp")
}

fn ends_in_equal(expr: &Expr) -> bool {
    matches!(unparen(expr), Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Equal"))
}

fn plain(expr: &Expr) -> Expr {
    match unparen(expr) {
        Expr::Reference(reference) => plain(&reference.expr),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => plain(&unary.expr),
        other => other.clone(),
    }
}

/// Whether tokens are the same but for the names, which correspond.
fn renamed(a: &TokenStream, b: &TokenStream, of_a: &[Ident], of_b: &[Ident]) -> bool {
    let (mut a, mut b) = (a.clone().into_iter(), b.clone().into_iter());
    loop {
        let same = match (a.next(), b.next()) {
            (None, None) => return of_a.len() == of_b.len(),
            (Some(TokenTree::Group(a)), Some(TokenTree::Group(b))) => {
                a.delimiter() == b.delimiter() && renamed(&a.stream(), &b.stream(), of_a, of_b)
            }
            (Some(TokenTree::Ident(a)), Some(TokenTree::Ident(b))) => match of_a.iter().position(|name| *name == a) {
                Some(at) => of_b.get(at).is_some_and(|name| *name == b),
                None => a == b,
            },
            (Some(a), Some(b)) => a.to_string() == b.to_string(),
            _ => false,
        };
        if !same {
            return false;
        }
    }
}
