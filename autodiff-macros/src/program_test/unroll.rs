//! Loops that run a constant number of times, written out.

use proc_macro2::Span;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprForLoop, ItemFn, Lit, parse_quote};

/// The function without its loops over constant ranges, where nothing jumps out of them; `None` if it has none.
pub fn unrolled(function: &ItemFn) -> Option<ItemFn> {
    let mut unroll = Unroll(0);
    let mut function = function.clone();
    unroll.visit_item_fn_mut(&mut function);
    (unroll.0 > 0).then_some(function)
}

struct Unroll(usize);

/// A literal, which may have a type.
fn literal(expr: Option<&Expr>) -> Option<(usize, String)> {
    match expr? {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) => Some((int.base10_parse().ok()?, int.suffix().to_owned())),
            _ => None,
        },
        _ => None,
    }
}

/// The numbers of a constant range, and the type that one of its ends says.
fn range(expr: &Expr) -> Option<(Vec<usize>, String)> {
    match expr {
        Expr::Paren(paren) => range(&paren.expr),
        Expr::Range(range) => {
            let ((lo, ty), (hi, same)) = (literal(range.start.as_deref())?, literal(range.end.as_deref())?);
            let numbers = match range.limits {
                syn::RangeLimits::Closed(_) => (lo..=hi).collect(),
                syn::RangeLimits::HalfOpen(_) => (lo..hi).collect(),
            };
            Some((numbers, if ty.is_empty() { same } else { ty }))
        }
        Expr::MethodCall(call) if call.method == "rev" => {
            let (numbers, ty) = range(&call.receiver)?;
            Some((numbers.into_iter().rev().collect(), ty))
        }
        Expr::MethodCall(call) if call.method == "step_by" => {
            let (step, _) = literal(call.args.first())?;
            let (numbers, ty) = range(&call.receiver)?;
            Some((numbers.into_iter().step_by(step).collect(), ty))
        }
        _ => None,
    }
}

impl VisitMut for Unroll {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        syn::visit_mut::visit_expr_mut(self, expr);
        let Expr::ForLoop(ExprForLoop { attrs, label: None, pat, expr: over, body, .. }) = expr else { return };
        if !attrs.is_empty() {
            return;
        }
        let text = quote::ToTokens::to_token_stream(body).to_string();
        let range = range(over).filter(|_| !text.contains("break") && !text.contains("continue"));
        let Some((numbers, ty)) = range else { return };
        let iterations = numbers.iter().map(|k| -> Expr {
            let k = syn::LitInt::new(&format!("{k}{ty}"), Span::call_site());
            parse_quote!({ let #pat = #k; #body })
        });
        *expr = parse_quote!({ #(#iterations;)* });
        self.0 += 1;
    }
}
