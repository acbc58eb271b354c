//! What is written in another way for nalgebra's matrices.
//!
//! Note [Matrices in place]. `vector![a, b]` is `SVector::from([a, b])`, `point![a, b]` is `Point2::new(a, b)`, and `matrix![a, b; c, d]` the same of its columns. A method
//! that changes a matrix is an assignment of what another one gives, `*m = m.__set_row(i, v)`, so that every step sees what is
//! changed; and so is the change of a part, `m.column_mut(j).copy_from(v)`. An element of a part is one of the matrix, and a loop over
//! lines to be changed takes each out and puts it back. `v.push(x)` gives a vector where its value is used. Only
//! lowering knows what is a matrix: of anything else the call is what it was (`lower/matrix/in_place.rs`).

mod view;

use crate::relay::Knowledge;
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Macro, Stmt, Token};

pub fn write_out(body: &mut Block, knowledge: &Knowledge) {
    // A type of the user's may have a method that changes it and gives a value.
    let push = knowledge.method_changes(&Ident::new("push", proc_macro2::Span::call_site())).is_none();
    WriteOut { knowledge, push }.visit_block_mut(body);
}

struct WriteOut<'k> {
    knowledge: &'k Knowledge,
    /// Whether `v.push(x)` may be a method of a vector.
    push: bool,
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
            "vector" => {
                let numbers = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok()?;
                let ty = at("SVector");
                Some(syn::parse_quote!(nalgebra::#ty::from([#numbers])))
            }
            "point" => {
                let numbers = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok()?;
                let ty = at(&format!("Point{}", numbers.len()));
                Some(syn::parse_quote!(nalgebra::#ty::new(#numbers)))
            }
            "dvector" => {
                let numbers = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok()?;
                let ty = at("DVector");
                Some(syn::parse_quote!(nalgebra::#ty::from_row_slice(&[#numbers])))
            }
            "dmatrix" => {
                let Rows(rows) = mac.parse_body().ok()?;
                let [r, c] = [rows.len(), rows.first()?.len()].map(proc_macro2::Literal::usize_unsuffixed);
                let (numbers, ty) = (rows.iter().flatten(), at("DMatrix"));
                Some(syn::parse_quote!(nalgebra::#ty::from_row_slice(#r, #c, &[#(#numbers),*])))
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

/// What the name of a method begins with that is written in place of another.
pub const PREFIX: &str = "__matrix_";

/// `DVector::from_iterator(n, items)` as one of a list.
fn of_iterator(call: &mut syn::ExprCall, knowledge: &Knowledge) {
    let Expr::Path(path) = &mut *call.func else { return };
    let mut words = path.path.segments.iter_mut().rev();
    let (Some(last), Some(ty)) = (words.next(), words.next()) else { return };
    let name = ty.ident.to_string();
    let of_run_time = matches!(&name[..], "DVector" | "DMatrix") && !knowledge.is_own(&name);
    let sizes: Vec<Expr> = call.args.iter().take(call.args.len().saturating_sub(1)).cloned().collect();
    let Some(items) = call.args.last_mut().filter(|_| of_run_time && last.ident == "from_iterator") else { return };
    last.ident = Ident::new("from_vec", last.ident.span());
    let Some(count) = sizes.into_iter().reduce(|rows, columns| syn::parse_quote!((#rows) * (#columns))) else { return };
    *items = syn::parse_quote!(#items.take(#count).collect::<Vec<_>>());
}

/// `v.push(x)` where its value is used.
fn pushed(expr: &mut Expr) {
    match expr {
        Expr::MethodCall(call) if call.method == "push" && call.args.len() == 1 => {
            call.method = Ident::new(&format!("{PREFIX}push"), call.method.span());
        }
        Expr::Paren(inner) => pushed(&mut inner.expr),
        Expr::Group(inner) => pushed(&mut inner.expr),
        Expr::Reference(inner) => pushed(&mut inner.expr),
        _ => {}
    }
}

impl VisitMut for WriteOut<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let pushed: &dyn Fn(&mut Expr) = if self.push { &pushed } else { &|_| {} };
        match expr {
            Expr::Binary(binary) => [&mut binary.left, &mut binary.right].into_iter().for_each(|side| pushed(side)),
            Expr::Unary(unary) => pushed(&mut unary.expr),
            Expr::Call(call) => {
                of_iterator(call, self.knowledge);
                call.args.iter_mut().for_each(pushed);
            }
            Expr::Field(field) => pushed(&mut field.base),
            Expr::Index(index) => {
                pushed(&mut index.expr);
                if let Some(element) = view::element(index, self.knowledge) {
                    *expr = element;
                }
            }
            Expr::ForLoop(each) => {
                view::each_changed(each, self.knowledge);
            }
            Expr::MethodCall(call) => {
                pushed(&mut call.receiver);
                call.args.iter_mut().for_each(pushed);
                let rows = ["row_iter", "column_iter"].iter().any(|name| call.method == name);
                if rows && call.args.is_empty() {
                    let name = Ident::new(&format!("{PREFIX}{}", call.method), call.method.span());
                    let receiver = &call.receiver;
                    *expr = syn::parse_quote_spanned!(call.method.span()=> #receiver.#name().iter());
                }
            }
            _ => {}
        }
        if let Expr::Macro(mac) = expr {
            if let Some(written) = self.written_out(&mac.mac) {
                *expr = written;
            }
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Expr(expr, Some(_)) => {
                if let Some(assignment) = view::in_place(expr, self.knowledge) {
                    *expr = assignment;
                }
            }
            Stmt::Local(local) if self.push => local.init.iter_mut().for_each(|init| pushed(&mut init.expr)),
            _ => {}
        }
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
