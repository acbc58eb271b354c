//! Elements by their number.

use super::Desugar;
use super::build::{At, bare};
use super::drive::Item;
use super::iter::{By, Iter};
use proc_macro2::Ident;
use syn::{Expr, Lit, Stmt, Token};

/// Elements that can be had by their number.
pub struct Indexed {
    /// How many there are, if there is an end.
    pub len: Option<Expr>,
    pub get: Box<dyn FnOnce(&mut Desugar, Expr) -> Item>,
}

impl Desugar<'_> {
    /// Whether a variable is a parameter that is a reference.
    pub fn borrows(&self, path: &syn::ExprPath) -> bool {
        path.path.get_ident().is_some_and(|name| self.borrowed.contains(&name.to_string()))
    }

    /// See [`super::drive::is_indexed`].
    pub fn indexed(&mut self, iter: Iter, at: At) -> Indexed {
        match iter {
            Iter::Range { start, end, closed, of: Some(of) } => {
                let len = end.map(|end| counted(&start, end, closed, &of, at));
                Indexed { len, get: Box::new(move |_, k| Item::Value(at.add(start, at.cast(k, &of)))) }
            }
            Iter::Range { start, end, closed, of: None } => {
                let len = end.map(|end| {
                    let end = if closed { plus(end, at.count(1), at) } else { end };
                    less(end, start.clone(), at)
                });
                Indexed { len, get: Box::new(move |_, k| Item::Value(plus(start, k, at))) }
            }
            Iter::Elements { of, by } => {
                let len = at.method(of.clone(), "len", vec![]);
                let by = match &of {
                    Expr::Path(path) if by == By::Value && self.borrows(path) => By::Ref,
                    _ => by,
                };
                let get = move |_: &mut Desugar, k: Expr| {
                    let element = at.index(of, k);
                    Item::Value(match by {
                        By::Value => element,
                        By::Ref => at.refer(false, element),
                        By::Mut => at.refer(true, element),
                    })
                };
                Indexed { len: Some(len), get: Box::new(get) }
            }
            Iter::Windows { of, size } => {
                let len = less(plus(at.method(of.clone(), "len", vec![]), at.count(1), at), size.clone(), at);
                let get = move |_: &mut Desugar, k: Expr| {
                    let end = plus(k.clone(), size, at);
                    Item::Value(at.refer(false, at.index(of, at.range(k, end))))
                };
                Indexed { len: Some(len), get: Box::new(get) }
            }
            Iter::Chunks { of, size, exact, by } => {
                let all = at.method(of.clone(), "len", vec![]);
                let len = quotient(all.clone(), size.clone(), !exact, at);
                let get = move |_: &mut Desugar, k: Expr| {
                    let start = times(k, size.clone(), at);
                    let end = plus(start.clone(), size, at);
                    let end = if exact { end } else { least(end, all, at) };
                    Item::Value(at.refer(by == By::Mut, at.index(of, at.range(start, end))))
                };
                Indexed { len: Some(len), get: Box::new(get) }
            }
            Iter::Repeat(value) => Indexed { len: None, get: Box::new(move |_, _| Item::Value(value)) },
            Iter::Once(value) => Indexed { len: Some(at.count(1)), get: Box::new(move |_, _| Item::Value(value)) },
            Iter::Zip(left, right) => {
                let (left, right) = (self.indexed(*left, at), self.indexed(*right, at));
                let len = match (left.len, right.len) {
                    (Some(left), Some(right)) => Some(least(left, right, at)),
                    (left, right) => left.or(right),
                };
                let get = move |this: &mut Desugar, k: Expr| {
                    Item::Tuple(vec![(left.get)(this, k.clone()), (right.get)(this, k)])
                };
                Indexed { len, get: Box::new(get) }
            }
            Iter::Chain(left, right) => {
                let (left, right) = (self.indexed(*left, at), self.indexed(*right, at));
                let first = left.len.unwrap_or_else(|| at.count(0));
                let len = right.len.map(|second| plus(first.clone(), second, at));
                let get = move |this: &mut Desugar, k: Expr| {
                    let one = (left.get)(this, k.clone());
                    let other = (right.get)(this, at.sub(k.clone(), first.clone()));
                    either(&at.lt(k, first), one, other, at)
                };
                Indexed { len, get: Box::new(get) }
            }
            Iter::Enumerate(inner) => {
                let Indexed { len, get } = self.indexed(*inner, at);
                let get = move |this: &mut Desugar, k: Expr| Item::Tuple(vec![Item::Value(k.clone()), get(this, k)]);
                Indexed { len, get: Box::new(get) }
            }
            Iter::Rev(inner) => {
                let Indexed { len, get } = self.indexed(*inner, at);
                let last = len.clone().unwrap_or_else(|| at.count(0));
                let get = move |this: &mut Desugar, k: Expr| {
                    let from_end = at.sub(at.sub(last, at.count(1)), k);
                    get(this, from_end)
                };
                Indexed { len, get: Box::new(get) }
            }
            Iter::Cycle(inner) => {
                let Indexed { len, get } = self.indexed(*inner, at);
                let size = len.unwrap_or_else(|| at.count(1));
                let get =
                    move |this: &mut Desugar, k: Expr| get(this, at.binary(k, syn::BinOp::Rem(Token![%](at.0)), size));
                Indexed { len: None, get: Box::new(get) }
            }
            Iter::StepBy(inner, step) => {
                let Indexed { len, get } = self.indexed(*inner, at);
                let len = len.map(|len| quotient(len, step.clone(), true, at));
                Indexed { len, get: Box::new(move |this, k| get(this, times(k, step, at))) }
            }
            Iter::Skip(inner, count) => {
                let Indexed { len, get } = self.indexed(*inner, at);
                let len = len.map(|len| less(len, count.clone(), at));
                Indexed { len, get: Box::new(move |this, k| get(this, plus(k, count, at))) }
            }
            Iter::Take(inner, count) => {
                let Indexed { len, get } = self.indexed(*inner, at);
                let len = match len {
                    Some(len) => least(len, count, at),
                    None => count,
                };
                Indexed { len: Some(len), get }
            }
            Iter::Map(inner, function) => {
                let Indexed { len, get } = self.indexed(*inner, at);
                let get = move |this: &mut Desugar, k: Expr| {
                    let item = get(this, k);
                    Item::Value(this.inline(&function, vec![item], at))
                };
                Indexed { len, get: Box::new(get) }
            }
            _ => {
                self.out_of_reach("this iterator", at);
                Indexed { len: Some(at.count(0)), get: Box::new(move |_, _| Item::Value(at.unit())) }
            }
        }
    }
}

// --- numbers of elements, with literals folded --------------------------------------------------------------

fn literal(expr: &Expr) -> Option<usize> {
    match bare(expr.clone()) {
        Expr::Lit(syn::ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok(),
        _ => None,
    }
}

/// How many integers of a type there are from one to the other.
fn counted(start: &Expr, end: Expr, closed: bool, of: &Ident, at: At) -> Expr {
    if let (Some(start), Some(end)) = (signed(start), signed(&end)) {
        let count = (end + i64::from(closed)).saturating_sub(start).max(0);
        return at.count(usize::try_from(count).unwrap_or(usize::MAX));
    }
    let one = |at: At| at.typed_integer(1, of);
    let end = if closed { at.add(end, one(at)) } else { end };
    let last = at.method(start.clone(), "max", vec![end]);
    at.cast(at.sub(last, start.clone()), &Ident::new("usize", at.0))
}

/// The value of a literal with its sign.
fn signed(expr: &Expr) -> Option<i64> {
    match bare(expr.clone()) {
        Expr::Lit(syn::ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok(),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => Some(-signed(&expr)?),
        _ => None,
    }
}

fn plus(a: Expr, b: Expr, at: At) -> Expr {
    match (literal(&a), literal(&b)) {
        (Some(x), Some(y)) => at.count(x.saturating_add(y)),
        (Some(0), _) => b,
        (_, Some(0)) => a,
        _ => at.add(a, b),
    }
}

pub fn times(a: Expr, b: Expr, at: At) -> Expr {
    match (literal(&a), literal(&b)) {
        (Some(x), Some(y)) => at.count(x.saturating_mul(y)),
        (Some(1), _) => b,
        (_, Some(1)) => a,
        _ => at.mul(a, b),
    }
}

/// `a - b`, but not below 0.
fn less(a: Expr, b: Expr, at: At) -> Expr {
    match (literal(&a), literal(&b)) {
        (Some(x), Some(y)) => at.count(x.saturating_sub(y)),
        (_, Some(0)) => a,
        // A literal has no type to call a method of.
        (Some(_), None) => at.sub(a.clone(), least(b, a, at)),
        _ => at.method(a, "saturating_sub", vec![b]),
    }
}

pub fn least(a: Expr, b: Expr, at: At) -> Expr {
    use quote::ToTokens;
    match (literal(&a), literal(&b)) {
        (Some(x), Some(y)) => at.count(x.min(y)),
        _ if a.to_token_stream().to_string() == b.to_token_stream().to_string() => a,
        (Some(_), None) => at.method(b, "min", vec![a]),
        _ => at.method(a, "min", vec![b]),
    }
}

/// `a / b`, rounded up if what is left over counts.
pub fn quotient(a: Expr, b: Expr, up: bool, at: At) -> Expr {
    match (literal(&a), literal(&b)) {
        (Some(x), Some(y)) if y > 0 => at.count(if up { x.div_ceil(y) } else { x / y }),
        (_, Some(1)) => a,
        _ if up => at.method(a, "div_ceil", vec![b]),
        _ => at.binary(a, syn::BinOp::Div(Token![/](at.0)), b),
    }
}

/// The one element or the other. Mutable borrows are chosen one by one, also where they are among several parts: see
/// [`super::chosen`].
fn either(cond: &Expr, one: Item, other: Item, at: At) -> Item {
    match (one, other) {
        (Item::Tuple(ones), Item::Tuple(others)) if ones.len() == others.len() && ones.iter().any(borrows_mutably) => {
            Item::Tuple(ones.into_iter().zip(others).map(|(one, other)| either(cond, one, other, at)).collect())
        }
        (one, other) => {
            let [one, other] = [one, other].map(|item| vec![Stmt::Expr(item.expr(at), None)]);
            Item::Value(at.choose(cond.clone(), one, Some(other)))
        }
    }
}

/// Whether a part of an element is a mutable borrow, or one of several.
fn borrows_mutably(item: &Item) -> bool {
    fn is_borrow(expr: &Expr) -> bool {
        match expr {
            Expr::Reference(borrow) => borrow.mutability.is_some(),
            Expr::If(choice) => {
                matches!(choice.then_branch.stmts.last(), Some(Stmt::Expr(one, None)) if is_borrow(one))
            }
            _ => false,
        }
    }
    match item {
        Item::Value(expr) => is_borrow(expr),
        Item::Tuple(parts) => parts.iter().any(borrows_mutably),
    }
}
