//! nalgebra's macros: `vector![a, b]` is `SVector::from([a, b])`, and `matrix![a, b; c, d]` the same of its columns.

use crate::relay::Knowledge;
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Macro, Stmt, Token};

pub fn write_out(body: &mut Block, knowledge: &Knowledge) {
    WriteOut { knowledge }.visit_block_mut(body);
}

struct WriteOut<'k> {
    knowledge: &'k Knowledge,
}

impl WriteOut<'_> {
    fn written_out(&self, mac: &Macro) -> Option<Expr> {
        let last = &mac.path.segments.last()?.ident;
        if mac.path.segments.len() == 1 && self.knowledge.is_own(&format!("{last}!")) {
            return None;
        }
        // The type of nalgebra, also where it is not imported.
        let at = |name: &str| Ident::new(name, last.span());
        match &last.to_string()[..] {
            name @ ("vector" | "point") => {
                let numbers = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok()?;
                let ty = at(if name == "vector" { "SVector" } else { "OPoint" });
                Some(syn::parse_quote!(nalgebra::#ty::from([#numbers])))
            }
            "matrix" => {
                let Rows(rows) = mac.parse_body().ok()?;
                let columns = (0..rows.first()?.len()).map(|j| {
                    let column = rows.iter().map(|row| row.get(j));
                    column.collect::<Option<Punctuated<_, Token![,]>>>()
                });
                let columns = columns.collect::<Option<Vec<_>>>()?;
                let ty = at("SMatrix");
                Some(syn::parse_quote!(nalgebra::#ty::from([#([#columns]),*])))
            }
            _ => None,
        }
    }
}

impl VisitMut for WriteOut<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Macro(mac) = expr {
            if let Some(written) = self.written_out(&mac.mac) {
                *expr = written;
            }
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Stmt::Macro(mac) = stmt {
            if let Some(written) = self.written_out(&mac.mac) {
                *stmt = Stmt::Expr(written, mac.semi_token);
            }
        }
        syn::visit_mut::visit_stmt_mut(self, stmt);
    }
}

/// `a, b; c, d`
struct Rows(Vec<Vec<Expr>>);

impl Parse for Rows {
    fn parse(input: ParseStream) -> syn::Result<Rows> {
        let mut rows = Vec::new();
        while !input.is_empty() {
            let mut row = TokenStream::new();
            while !input.is_empty() && !input.peek(Token![;]) {
                row.extend([input.parse::<TokenTree>()?]);
            }
            let row = syn::parse::Parser::parse2(Punctuated::<Expr, Token![,]>::parse_terminated, row)?;
            rows.push(row.into_iter().collect());
            if input.peek(Token![;]) {
                input.parse::<Token![;]>()?;
            }
        }
        Ok(Rows(rows))
    }
}
