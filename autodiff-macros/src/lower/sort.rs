//! Sorting: a permutation, which is found of the values and carries no derivative, and by which the elements are taken.

use super::Lower;
use super::assign::unparen;
use super::value::{Lowered, Value};
use crate::ir::dim::Dim;
use crate::ir::{Elem, Opaque, Ty, Var, hole};
use crate::layout::Form;
use crate::parse::ty::Surface;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprClosure, ExprMethodCall, Pat};

/// What elements are ordered by.
struct By {
    /// What an element is bound to.
    pat: Pat,
    /// The first one counts, then the second, and so on.
    keys: Vec<Key>,
}

impl By {
    /// By the elements themselves.
    fn element(comparison: Comparison) -> By {
        let key = Key { of: syn::parse_quote!(__autodiff_item), comparison, descending: false, always: true };
        By { pat: syn::parse_quote!(__autodiff_item), keys: vec![key] }
    }
}

struct Key {
    /// The number of an element that is compared.
    of: Expr,
    comparison: Comparison,
    descending: bool,
    /// Whether it is compared where the keys before it tell already: `then`, not `then_with`.
    always: bool,
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
            ("sort" | "sort_unstable", []) => By::element(Comparison::Partial),
            ("sort_by_key" | "sort_unstable_by_key", [Expr::Closure(closure)]) if closure.inputs.len() == 1 => {
                By { pat: closure.inputs[0].clone(), keys: keys(&closure.body) }
            }
            ("sort_by" | "sort_unstable_by", [Expr::Closure(closure)]) => match compared(closure) {
                Some(by) => by,
                None => return self.no_key(&closure.body),
            },
            ("sort_by" | "sort_unstable_by", [path]) if is_total(path) => By::element(Comparison::Total),
            (_, [order]) => return self.no_key(order),
            _ => return self.unsupported(&call.method, "this call", "sort by one number of each element"),
        };
        let (of, span) = (&call.receiver, call.method.span());
        let element = self.named(of).and_then(|of| match of.surface(&self.b) {
            Surface::Array(element, _) | Surface::Seq(element, _) => Some(element),
            _ => None,
        });
        if let Some(key) = by.keys.iter().find(|key| element.as_ref().is_some_and(|of| is_text(&key.of, of))) {
            return self.no_key(&key.of);
        }
        let k = Ident::new("__autodiff_k", span);
        let mut arrays = Vec::new();
        for (number, Key { of: key, .. }) in by.keys.iter().enumerate() {
            let (pat, keys) = (&by.pat, Ident::new(&format!("__autodiff_keys_{number}"), span));
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
            match self.as_slice(&found).map(|slice| self.owned(&slice)) {
                Some(Value::Leaf(array, _)) if self.b.ty(array).rank() == 1 => arrays.push(array),
                _ => return self.no_key(key),
            }
        }
        let order = self.permutation(arrays, &by);
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
            "compare numbers of each element: `a.x.partial_cmp(&b.x).unwrap()`, `a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))`",
        )
    }

    /// The places of the elements in their order. Equal ones stay in the order in which they are.
    fn permutation(&mut self, keys: Vec<Var>, by: &By) -> Var {
        let span = proc_macro2::Span::mixed_site();
        let [a, b, order, sorted, compare, len] =
            ["a", "b", "order", "sorted", "compare", "len"].map(|name| Ident::new(name, span));
        let mut compared: Option<TokenStream> = None;
        for (k, (array, key)) in keys.iter().zip(&by.keys).enumerate() {
            let given = hole(k);
            let [first, second] = if key.descending { [&b, &a] } else { [&a, &b] }.map(|place| quote!(&#given[#place]));
            let one = compared_as(key.comparison, &self.b.ty(*array).elem, &first, &second);
            compared = Some(match compared {
                None => one,
                Some(before) if key.always => quote!(::core::cmp::Ordering::then(#before, #one)),
                Some(before) => quote!(::core::cmp::Ordering::then_with(#before, || #one)),
            });
        }
        let given = hole(0);
        let tokens: TokenStream = quote!({
            fn #sorted<V: ::core::iter::FromIterator<usize> + ::core::convert::AsMut<[usize]>>(
                #len: usize,
                #compare: impl ::core::ops::Fn(usize, usize) -> ::core::cmp::Ordering,
            ) -> V {
                let mut #order: V = ::core::iter::FromIterator::from_iter(0..#len);
                <[usize]>::sort_unstable_by(::core::convert::AsMut::as_mut(&mut #order), |#a, #b| {
                    ::core::cmp::Ordering::then(#compare(*#a, *#b), ::core::cmp::Ord::cmp(#a, #b))
                });
                #order
            }
            #sorted(#given.len(), |#a, #b| #compared)
        });
        let len = self.b.len(keys[0], &[]);
        self.b.opaque(Opaque::pure(tokens), keys, Ty::tensor(Elem::usize(), vec![Dim::of(len)]))
    }
}

/// How two borrowed keys compare.
fn compared_as(comparison: Comparison, elem: &Elem, first: &TokenStream, second: &TokenStream) -> TokenStream {
    match (elem, comparison) {
        (Elem::F32 | Elem::F64, Comparison::Total) => {
            let ty = crate::parse::tokens::elem_tokens(elem);
            let method = Ident::new("total_cmp", proc_macro2::Span::mixed_site());
            quote!(#ty::#method(#first, #second))
        }
        (_, Comparison::OrEqual) => quote! {
            ::core::option::Option::unwrap_or(::core::cmp::PartialOrd::partial_cmp(#first, #second), ::core::cmp::Ordering::Equal)
        },
        _ => quote!(::core::option::Option::unwrap(::core::cmp::PartialOrd::partial_cmp(#first, #second))),
    }
}

/// What `sort_by_key` orders by: a number, or several in a tuple.
fn keys(body: &Expr) -> Vec<Key> {
    let parts: Vec<Expr> = match tail(body) {
        Expr::Tuple(parts) if !parts.elems.is_empty() => parts.elems.into_iter().collect(),
        other => vec![other],
    };
    let key = |of| Key { of, comparison: Comparison::Partial, descending: false, always: false };
    parts.into_iter().map(key).collect()
}

/// Whether a key of such an element is no number: `name`, `name.len()` is one.
fn is_text(key: &Expr, element: &Surface) -> bool {
    fn part(expr: &Expr, element: &Surface) -> Option<Surface> {
        let Expr::Field(field) = unparen(expr) else { return Some(element.clone()) };
        match (part(&field.base, element)?, &field.member) {
            (Surface::Struct(ty), member) => {
                ty.fields.iter().find(|known| known.member == *member).map(|known| known.ty.clone())
            }
            (Surface::Tuple(parts), syn::Member::Unnamed(index)) => parts.get(index.index as usize).cloned(),
            _ => None,
        }
    }
    match unparen(key) {
        Expr::MethodCall(call) if call.method == "clone" || call.method.to_string().starts_with("as_") => {
            is_text(&call.receiver, element)
        }
        key @ (Expr::Field(_) | Expr::Path(_)) => matches!(part(&plain(key), element), Some(Surface::Other(_))),
        _ => false,
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
    let mut keys = Vec::new();
    compared_by(&tail(&closure.body), a, b, true, &mut keys)?;
    Some(By { pat: a.clone(), keys })
}

/// Adds what an expression of type `Ordering` compares.
fn compared_by(body: &Expr, a: &Pat, b: &Pat, always: bool, keys: &mut Vec<Key>) -> Option<()> {
    if let Expr::MethodCall(call) = unparen(body) {
        match (&call.method.to_string()[..], call.args.first()) {
            // What is compared, and may panic, depends on all keys before it or on none: `then` has no place in a closure, nor
            // `then_with` in its argument.
            ("then", Some(next)) => {
                compared_by(&call.receiver, a, b, always, keys)?;
                let before = keys.len();
                compared_by(next, a, b, always, keys)?;
                return (always && keys[before..].iter().all(|key| key.always)).then_some(());
            }
            ("then_with", Some(Expr::Closure(next))) if next.inputs.is_empty() => {
                compared_by(&call.receiver, a, b, always, keys)?;
                return compared_by(&tail(&next.body), a, b, false, keys);
            }
            _ => {}
        }
    }
    let (left, right, comparison) = comparison(body)?;
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
    same.then(|| keys.push(Key { of: first.clone(), comparison, descending, always }))
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
