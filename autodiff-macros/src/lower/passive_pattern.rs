//! Patterns of what carries no derivative, as expressions of rustc.
//!
//! Note [Patterns of what carries no derivative]. A value that is only passed on has no structure here: rustc knows
//! it. Whether a pattern fits is asked with `matches!`, and what it binds is taken out with a `match` that gives a
//! default where it does not fit. Both are evaluated before the statement around them, so that sweeps which do not
//! have the parameter any more find them among the residuals; that they can be without a panic is [`is_total`].

use super::assign::unparen;
use super::pattern::{is_constant, span_of};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;
use syn::{Arm, BinOp, Expr, Pat, Token};

/// What a pattern binds is taken out with the choice `(match … { … }).unwrap_or_default()`; this is the choice, an `Option`.
pub(super) fn bound_choice(tokens: &TokenStream) -> Option<TokenStream> {
    match syn::parse2::<Expr>(tokens.clone()) {
        Ok(Expr::MethodCall(call)) if is_bound(&call) => Some(call.receiver.to_token_stream()),
        _ => None,
    }
}

/// Whether an expression is what [`Lower::bind_fitting`] makes of a name in a pattern.
fn is_bound(call: &syn::ExprMethodCall) -> bool {
    let is_ours = |arm: &Arm| arm.attrs.len() == 1 && matches!(arm.pat, Pat::Wild(_));
    call.method == "unwrap_or_default"
        && matches!(unparen(&call.receiver), Expr::Match(choice) if choice.arms.len() == 2 && is_ours(&choice.arms[1]))
}

/// The subject, the pattern and the name of what a pattern has bound; none, if it is a field of that.
pub(super) fn subject_and_pattern(call: &syn::ExprMethodCall) -> Option<(Expr, Pat, Ident)> {
    let Expr::Match(choice) = unparen(&call.receiver) else { return None };
    let arm = choice.arms.first().filter(|_| is_bound(call))?;
    let Expr::Call(some) = &*arm.body else { return None };
    let Expr::Block(block) = some.args.first()? else { return None };
    let syn::Stmt::Expr(Expr::MethodCall(clone), None) = block.block.stmts.last()? else { return None };
    let Expr::Path(name) = unparen(&clone.receiver) else { return None };
    Some(((*choice.expr).clone(), arm.pat.clone(), name.path.get_ident()?.clone()))
}

/// A field of what a pattern has bound: it is taken where the pattern fits, so that only the field has to have a default.
pub(super) fn field_of_bound(tokens: &TokenStream, member: &syn::Member) -> Option<TokenStream> {
    let last = tokens.clone().into_iter().nth(2)?;
    let Ok(Expr::MethodCall(mut call)) = (match last.to_string() == "unwrap_or_default" {
        true => syn::parse2::<Expr>(tokens.clone()),
        false => return None,
    }) else {
        return None;
    };
    if !is_bound(&call) {
        return None;
    }
    let mut of = &mut *call.receiver;
    while let Expr::Paren(paren) = of {
        of = &mut *paren.expr;
    }
    let Expr::Match(choice) = of else { return None };
    let Expr::Call(some) = &mut *choice.arms.first_mut()?.body else { return None };
    let Some(Expr::Block(block)) = some.args.first() else { return None };
    let Some(syn::Stmt::Expr(Expr::MethodCall(clone), None)) = block.block.stmts.last() else { return None };
    let bound = &clone.receiver;
    let field = crate::parse::tokens::cloned(&quote!(#bound.#member));
    some.args = syn::punctuated::Punctuated::from_iter([syn::parse2::<Expr>(field).ok()?]);
    Some(call.to_token_stream())
}

/// The tokens of what carries no derivative where the pattern that binds it is known to fit: what is bound need not have a
/// default. `by_ref` leaves it where it is, and does not clone it.
pub(super) fn where_it_fits(tokens: TokenStream, by_ref: bool) -> TokenStream {
    struct Unwrap;
    impl VisitMut for Unwrap {
        fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
            syn::visit_mut::visit_expr_method_call_mut(self, call);
            if is_bound(call) {
                call.method = Ident::new("unwrap", call.method.span());
            }
        }
    }
    let binds = tokens.to_string().contains("unwrap_or_default");
    match syn::parse2::<Expr>(tokens.clone()) {
        Ok(mut expr) if binds => {
            if let Expr::MethodCall(call) = &mut expr {
                if by_ref && is_bound(call) {
                    not_cloned(&mut call.receiver, false);
                }
            }
            Unwrap.visit_expr_mut(&mut expr);
            expr.to_token_stream()
        }
        _ => tokens,
    }
}

/// The same of a receiver, of which a method borrows what it needs.
pub(super) fn receiver_where_it_fits(tokens: TokenStream) -> TokenStream {
    match syn::parse2::<Expr>(tokens.clone()) {
        Ok(Expr::MethodCall(mut call)) if is_bound(&call) => {
            not_cloned(&mut call.receiver, true);
            where_it_fits(call.to_token_stream(), false)
        }
        _ => where_it_fits(tokens, true),
    }
}

/// `Some(x)` of `Some({ …; x.clone() })` in the first arm, and `Some(&x.y)` of a field of it.
fn not_cloned(choice: &mut Expr, borrows: bool) {
    let Expr::Paren(inner) = choice else { return };
    let Expr::Match(choice) = &mut *inner.expr else { return };
    let Expr::Call(some) = &mut *choice.arms[0].body else { return };
    let Some(Expr::Block(block)) = some.args.first() else { return };
    let Some(syn::Stmt::Expr(Expr::MethodCall(clone), None)) = block.block.stmts.last() else { return };
    let bound = &clone.receiver;
    some.args[0] = match (borrows, unparen(bound)) {
        (true, Expr::Field(_)) => syn::parse_quote!(&#bound),
        _ => (**bound).clone(),
    };
}

/// Whether an expression over parameters without a derivative can be evaluated anywhere: it neither panics nor names
/// what is not there yet. Names alone stay where they are; they may be constants.
pub(super) fn is_total(tokens: &TokenStream) -> bool {
    fn total(expr: &Expr) -> bool {
        match expr {
            Expr::Path(_) | Expr::Lit(_) => true,
            Expr::Field(field) => total(&field.base),
            Expr::Paren(paren) => total(&paren.expr),
            Expr::Cast(cast) => total(&cast.expr),
            Expr::Binary(binary) => {
                let is_condition = matches!(
                    binary.op,
                    BinOp::Lt(_)
                        | BinOp::Le(_)
                        | BinOp::Gt(_)
                        | BinOp::Ge(_)
                        | BinOp::Eq(_)
                        | BinOp::Ne(_)
                        | BinOp::And(_)
                        | BinOp::Or(_)
                );
                // Integers may overflow.
                (is_condition || is_float(&binary.left) || is_float(&binary.right))
                    && total(&binary.left)
                    && total(&binary.right)
            }
            Expr::Reference(reference) => total(&reference.expr),
            Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && total(&unary.expr),
            Expr::Macro(call) => {
                let subject = |input: syn::parse::ParseStream| {
                    let subject = input.parse::<Expr>()?;
                    input.parse::<TokenStream>().map(|_| subject)
                };
                let is_matches = call.mac.path.segments.last().is_some_and(|last| last.ident == "matches");
                is_matches && call.mac.parse_body_with(subject).is_ok_and(|subject| total(&subject))
            }
            // A choice that stands for what a pattern binds.
            Expr::Match(choice) => total(&choice.expr) && choice.arms.len() == 2 && !choice.arms[1].attrs.is_empty(),
            // The form of what a pattern binds.
            Expr::MethodCall(call) => {
                call.method == "unwrap_or_default"
                    && matches!(unparen(&call.receiver), Expr::Match(choice) if total(&choice.expr))
            }
            _ => false,
        }
    }
    fn is_float(expr: &Expr) -> bool {
        match expr {
            Expr::Lit(lit) => matches!(lit.lit, syn::Lit::Float(_)),
            Expr::Paren(paren) => is_float(&paren.expr),
            Expr::Binary(binary) => is_float(&binary.left) || is_float(&binary.right),
            _ => false,
        }
    }
    match syn::parse2::<Expr>(tokens.clone()) {
        Ok(Expr::Path(_)) | Err(_) => false,
        Ok(expr) => !crate::ir::mentions_late(tokens) && total(&expr),
    }
}

/// Takes the names out of a pattern.
pub(super) struct Nameless;

impl VisitMut for Nameless {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        syn::visit_mut::visit_pat_mut(self, pat);
        if let Pat::Ident(ident) = pat {
            if !is_constant(ident) {
                *pat = match ident.subpat.take() {
                    Some((_, inner)) => *inner,
                    None => {
                        Pat::Wild(syn::PatWild { attrs: Vec::new(), underscore_token: Token![_](ident.ident.span()) })
                    }
                };
            }
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        // `S { x }` is `S { x: x }`.
        field.colon_token.get_or_insert(Token![:](span_of(&field.pat)));
        syn::visit_mut::visit_field_pat_mut(self, field);
    }
}

/// Leaves one name in a pattern.
pub(super) struct Only {
    pub(super) name: Ident,
}

impl VisitMut for Only {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Ident(ident) = pat {
            if ident.ident == self.name {
                ident.mutability = None;
                return;
            }
        }
        syn::visit_mut::visit_pat_mut(self, pat);
        if let Pat::Ident(ident) = pat {
            if !is_constant(ident) {
                let mut other = Pat::Ident(ident.clone());
                Nameless.visit_pat_mut(&mut other);
                *pat = other;
            }
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        field.colon_token.get_or_insert(Token![:](span_of(&field.pat)));
        syn::visit_mut::visit_field_pat_mut(self, field);
    }
}
