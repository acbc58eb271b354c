//! Loops that run a constant number of times, written out.

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

fn literal(expr: Option<&Expr>) -> Option<usize> {
    match expr? {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) if int.suffix().is_empty() => int.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// The numbers of a constant range.
fn range(expr: &Expr) -> Option<Vec<usize>> {
    match expr {
        Expr::Paren(paren) => range(&paren.expr),
        Expr::Range(range) => {
            let (lo, hi) = (literal(range.start.as_deref())?, literal(range.end.as_deref())?);
            Some(if matches!(range.limits, syn::RangeLimits::Closed(_)) {
                (lo..=hi).collect()
            } else {
                (lo..hi).collect()
            })
        }
        Expr::MethodCall(call) if call.method == "rev" => Some(range(&call.receiver)?.into_iter().rev().collect()),
        Expr::MethodCall(call) if call.method == "step_by" => {
            let step = literal(call.args.first())?;
            Some(range(&call.receiver)?.into_iter().step_by(step).collect())
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
        let Some(range) = range(over).filter(|_| !text.contains("break") && !text.contains("continue")) else { return };
        let iterations = range.iter().map(|k| -> Expr { parse_quote!({ let #pat: usize = #k; #body }) });
        *expr = parse_quote!({ #(#iterations;)* });
        self.0 += 1;
    }
}
