//! `items.collect::<Result<Vec<_>, _>>()?` and `items.sum::<Option<f64>>()?`: loops that are left at the first error.

use super::Desugar;
use super::build::{At, bare};
use syn::{Block, Expr, ExprMethodCall, GenericArgument, Stmt, Type};

impl Desugar<'_> {
    /// `None`, if it is no such expression.
    pub(super) fn first_error(&mut self, expr: &Expr) -> Option<Expr> {
        let Expr::Try(question) = expr else { return None };
        let Expr::MethodCall(call) = bare((*question.expr).clone()) else { return None };
        let turbofish = call.turbofish.as_ref()?;
        let (1, Some(GenericArgument::Type(ty))) = (turbofish.args.len(), turbofish.args.first()) else { return None };
        let inner = within(ty)?;
        self.until_error(&call, inner)
    }

    /// The end of a function that gives a `Result` or an `Option`, `items.collect()`.
    pub(super) fn first_error_at_end(&mut self, body: &mut Block) {
        let Some(Stmt::Expr(tail @ Expr::MethodCall(_), None)) = body.stmts.last_mut() else { return };
        let Expr::MethodCall(call) = &*tail else { return };
        let Some((name, inner)) = self.result.as_ref().and_then(|ty| Some((name_of(ty)?, within(ty)?.clone()))) else {
            return;
        };
        let written = call.turbofish.as_ref().and_then(|turbofish| turbofish.args.first());
        let is_same = match written {
            None => true,
            Some(GenericArgument::Type(ty)) => name_of(ty).as_deref() == Some(&name) && within(ty).is_some(),
            Some(_) => false,
        };
        let at = At(call.method.span());
        if let Some(made) = self.until_error(call, &inner).filter(|_| is_same) {
            let wrap = syn::Ident::new(if name == "Option" { "Some" } else { "Ok" }, at.0);
            *tail = at.call(at.path(&wrap), vec![made]);
        }
    }

    fn until_error(&mut self, call: &ExprMethodCall, inner: &Type) -> Option<Expr> {
        if !call.args.is_empty() || super::Iter::parse(&call.receiver).is_none() {
            return None;
        }
        let at = At(call.method.span());
        let (all, item) = (self.names.fresh("all", at.0), self.names.fresh("item", at.0));
        let items = &call.receiver;
        let made: Expr = match &call.method.to_string()[..] {
            "collect" => {
                let ty = match (name_of(inner).as_deref(), inner) {
                    (Some("Vec"), inner) => inner.clone(),
                    (_, Type::Infer(_)) => syn::parse_quote!(Vec<_>),
                    _ => return None,
                };
                // What is in it follows from what is pushed.
                let start: Stmt = match quote::ToTokens::to_token_stream(&ty).to_string().contains('_') {
                    true => syn::parse_quote_spanned!(at.0=> let mut #all = Vec::new();),
                    false => syn::parse_quote_spanned!(at.0=> let mut #all: #ty = Vec::new();),
                };
                syn::parse_quote_spanned!(at.0=> { #start for #item in #items { #all.push(#item?); } #all })
            }
            name @ ("sum" | "product") if matches!(name_of(inner).as_deref(), Some("f32" | "f64")) => {
                let next: Expr = match name {
                    "sum" => syn::parse_quote_spanned!(at.0=> #all += #item?),
                    _ => syn::parse_quote_spanned!(at.0=> #all *= #item?),
                };
                let start: Expr = if name == "sum" { syn::parse_quote!(0.0) } else { syn::parse_quote!(1.0) };
                syn::parse_quote_spanned!(at.0=> { let mut #all: #inner = #start; for #item in #items { #next; } #all })
            }
            _ => return None,
        };
        Some(made)
    }
}

fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) if path.qself.is_none() => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

/// What a `Result` or an `Option` has where there is no error.
fn within(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Result" || last.ident == "Option")?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match args.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}
