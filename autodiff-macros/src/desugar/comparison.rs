//! What a closure that orders says of two elements: `|a, b| a.partial_cmp(b).unwrap()` as a comparison.

use super::build::{At, bare};
use proc_macro2::Ident;
use syn::{Expr, ExprClosure, Stmt, Token};

pub(super) fn gt(at: At) -> syn::BinOp {
    syn::BinOp::Gt(Token![>](at.0))
}

/// `|a, b| body`
pub(super) fn closure(a: &Ident, b: &Ident, body: Expr, at: At) -> Expr {
    Expr::Closure(ExprClosure {
        attrs: Vec::new(),
        lifetimes: None,
        constness: None,
        movability: None,
        asyncness: None,
        capture: None,
        or1_token: Token![|](at.0),
        inputs: [at.name(a, false), at.name(b, false)].into_iter().collect(),
        or2_token: Token![|](at.0),
        output: syn::ReturnType::Default,
        body: Box::new(body),
    })
}

/// What a closure that orders says of two elements.
pub(super) struct Comparison {
    /// Whether the first is the greater one.
    pub greater: Expr,
    /// Whether it panics.
    pub fails: Option<Expr>,
}

pub(super) fn order(compare: &Expr, at: At) -> Option<Comparison> {
    match bare(compare.clone()) {
        Expr::Closure(closure) => {
            let compared = compared(&closure.body)?;
            let with = |body: Expr| {
                Expr::Closure(ExprClosure { body: Box::new(body), output: syn::ReturnType::Default, ..closure.clone() })
            };
            Some(Comparison { fails: compared.fails(at).map(with), greater: with(compared.greater(at)) })
        }
        Expr::Path(path) if is_order(&path.path.segments.last()?.ident) => {
            let (a, b) = (Ident::new("a", at.0), Ident::new("b", at.0));
            let total = path.path.segments.last()?.ident == TOTAL;
            let compared = Compared { left: at.path(&a), right: at.path(&b), total, unwrapped: false };
            Some(Comparison { greater: closure(&a, &b, compared.greater(at), at), fails: None })
        }
        _ => None,
    }
}

/// The order of floats in which the zeros differ, and NaN has a place.
const TOTAL: &str = "total_cmp";

fn is_order(method: &Ident) -> bool {
    method == TOTAL || method == "partial_cmp" || method == "cmp"
}

/// What an expression of type `Ordering` compares.
struct Compared {
    left: Expr,
    right: Expr,
    total: bool,
    /// `partial_cmp(…).unwrap()`
    unwrapped: bool,
}

impl Compared {
    /// Whether `unwrap` panics: neither is the greater one, nor are they equal.
    fn fails(&self, at: At) -> Option<Expr> {
        let with = |op| at.binary(self.left.clone(), op, self.right.clone());
        let (above, other) = (with(gt(at)), with(syn::BinOp::Le(Token![<=](at.0))));
        self.unwrapped.then(|| at.not(at.binary(above, syn::BinOp::Or(Token![||](at.0)), other)))
    }

    fn greater(self, at: At) -> Expr {
        if self.total {
            return at.method(at.method(self.left, TOTAL, vec![self.right]), "is_gt", vec![]);
        }
        at.binary(self.left, gt(at), self.right)
    }
}

fn compared(order: &Expr) -> Option<Compared> {
    match bare(order.clone()) {
        Expr::Block(block) if block.label.is_none() => match &block.block.stmts[..] {
            [Stmt::Expr(tail, None)] => compared(tail),
            _ => None,
        },
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            match (&name[..], call.args.first()) {
                ("unwrap_or", Some(_)) => compared(&call.receiver),
                ("unwrap", None) | ("expect", Some(_)) => {
                    Some(Compared { unwrapped: true, ..compared(&call.receiver)? })
                }
                ("reverse", None) => {
                    let Compared { left, right, total, unwrapped } = compared(&call.receiver)?;
                    Some(Compared { left: right, right: left, total, unwrapped })
                }
                (_, Some(other)) if is_order(&call.method) => Some(Compared {
                    left: *call.receiver,
                    right: other.clone(),
                    total: name == TOTAL,
                    unwrapped: false,
                }),
                _ => None,
            }
        }
        Expr::Call(call) => {
            let Expr::Path(path) = bare(*call.func) else { return None };
            let args: Vec<&Expr> = call.args.iter().collect();
            let name = &path.path.segments.last()?.ident;
            match args[..] {
                [a, b] if is_order(name) => {
                    Some(Compared { left: a.clone(), right: b.clone(), total: name == TOTAL, unwrapped: false })
                }
                _ => None,
            }
        }
        _ => None,
    }
}
