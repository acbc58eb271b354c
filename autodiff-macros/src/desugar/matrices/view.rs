//! What changes a matrix or a part of one. See Note [Matrices in place] beside it.

use super::PREFIX;
use crate::desugar::jumps::{is_place, is_simple};
use crate::relay::Knowledge;
use crate::source::Source;
use proc_macro2::Ident;
use quote::format_ident;
use syn::visit::Visit;
use syn::{Expr, ExprForLoop, ExprIndex, ExprLit, ExprMethodCall, GenericArgument, Lit, Pat};

/// Methods that change a matrix.
const IN_PLACE: &[&str] = &[
    "axpy",
    "component_div_assign",
    "component_mul_assign",
    "copy_from",
    "fill",
    "fill_diagonal",
    "fill_with_identity",
    "gemm",
    "gemv",
    "ger",
    "neg_mut",
    "normalize_mut",
    "scale_mut",
    "set_column",
    "set_diagonal",
    "set_row",
    "swap_columns",
    "swap_rows",
    "transpose_mut",
    "unscale_mut",
];

/// A part of a matrix that a method lends to be changed, `m.column_mut(j)`.
struct View<'e> {
    matrix: &'e Expr,
    /// Where it begins.
    at: [Expr; 2],
    /// The same part to be read.
    read: ExprMethodCall,
    /// Which of the two a single index counts: the row or the column.
    counted: Option<usize>,
}

/// Whether a type of the user's may have a method of this name, which is no part of a matrix then.
fn is_own(method: &Ident, knowledge: &Knowledge) -> bool {
    let file = crate::file_of(method.span()).and_then(|file| Source::of(&file));
    knowledge.method_changes(method).is_some() || file.is_some_and(|file| file.has_method(&method.to_string()))
}

impl View<'_> {
    fn of<'e>(expr: &'e Expr, knowledge: &Knowledge) -> Option<View<'e>> {
        let Expr::MethodCall(call) = expr else { return None };
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let zero = syn::LitInt::new("0", call.method.span());
        let zero: Expr = syn::parse_quote!(#zero);
        let (at, read, counted) = match (&call.method.to_string()[..], &args[..]) {
            ("fixed_view_mut" | "fixed_slice_mut", [i, j]) => ([i.clone(), j.clone()], "fixed_view", None),
            ("fixed_rows_mut", [i]) => ([i.clone(), zero], "fixed_rows", None),
            ("row_mut", [i]) => ([i.clone(), zero], "row", Some(1)),
            ("fixed_columns_mut", [j]) => ([zero, j.clone()], "fixed_columns", None),
            ("column_mut", [j]) => ([zero, j.clone()], "column", Some(0)),
            _ => return None,
        };
        let read = ExprMethodCall { method: Ident::new(read, call.method.span()), ..call.clone() };
        let is_part = is_place(&call.receiver) && !is_own(&call.method, knowledge);
        is_part.then(|| View { matrix: &call.receiver, at, read, counted })
    }
}

/// `m.set_row(i, &v);` as an assignment, and `m.row_mut(i).copy_from(&v);`.
pub(super) fn in_place(expr: &Expr, knowledge: &Knowledge) -> Option<Expr> {
    let Expr::MethodCall(call) = expr else { return None };
    if !IN_PLACE.iter().any(|known| call.method == known) {
        return None;
    }
    let span = call.method.span();
    let method = format_ident!("{PREFIX}{}", call.method, span = span);
    let Some(View { matrix, at: [i, j], read, .. }) = View::of(&call.receiver, knowledge) else {
        let (place, args) = (&call.receiver, &call.args);
        // A list has a method of this name, too.
        let is_of_matrix = call.method != "fill" && is_place(place);
        return is_of_matrix.then(|| syn::parse_quote_spanned!(span=> *#place = #place.#method(#args)));
    };
    let put = Ident::new(&format!("{PREFIX}put"), span);
    if call.method == "copy_from" {
        let part = call.args.first()?;
        return Some(syn::parse_quote_spanned!(span=> *#matrix = #matrix.#put(#i, #j, #part)));
    }
    // Where it begins is said twice.
    let args = &call.args;
    let is_said_twice = is_simple(&i) && is_simple(&j);
    is_said_twice.then(|| {
        let part = Ident::new("__autodiff_part", span);
        syn::parse_quote_spanned!(span=> { let #part = #read.#method(#args); *#matrix = #matrix.#put(#i, #j, #part); })
    })
}

/// `m.column_mut(j)[i]` as an element of the matrix. The empty tuple in its index keeps it from being one of anything else.
pub(super) fn element(index: &ExprIndex, knowledge: &Knowledge) -> Option<Expr> {
    let View { matrix, at: [i, j], counted, .. } = View::of(&index.expr, knowledge)?;
    let Expr::MethodCall(call) = &*index.expr else { return None };
    let (row, column): (Expr, Expr) = match (&*index.index, counted) {
        (Expr::Tuple(tuple), _) if tuple.elems.len() == 2 => (tuple.elems[0].clone(), tuple.elems[1].clone()),
        (at, Some(0)) => (at.clone(), syn::parse_quote!(0)),
        (at, Some(_)) => (syn::parse_quote!(0), at.clone()),
        // A single index counts column after column: it is a row, if the first column is long enough.
        (at, None) if literal(at)? < literal(turbofish(call)?)? => (at.clone(), syn::parse_quote!(0)),
        _ => return None,
    };
    let parts = [&i, &j, &row, &column];
    let span = call.method.span();
    parts
        .into_iter()
        .all(is_simple)
        .then(|| syn::parse_quote_spanned!(span=> #matrix[((#i) + (#row), (#j) + (#column), ())]))
}

/// How many rows `fixed_rows_mut::<3>` or `fixed_view_mut::<3, 3>` says, where these are the first that it says.
fn turbofish(call: &ExprMethodCall) -> Option<&Expr> {
    let says_rows = call.method != "fixed_columns_mut";
    match call.turbofish.as_ref()?.args.first()? {
        GenericArgument::Const(rows) if says_rows => Some(rows),
        _ => None,
    }
}

fn literal(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    }
}

/// `for mut row in m.row_iter_mut() { … }` as a loop in which a row is taken out and put back.
pub(super) fn each_changed(each: &mut ExprForLoop, knowledge: &Knowledge) -> Option<()> {
    let (items, pat) = match (&*each.expr, &*each.pat) {
        (Expr::MethodCall(call), Pat::Tuple(pair)) if call.method == "enumerate" && pair.elems.len() == 2 => {
            (&*call.receiver, (Some(&pair.elems[0]), &pair.elems[1]))
        }
        (items, pat) => (items, (None, pat)),
    };
    let (Expr::MethodCall(call), Pat::Ident(item)) = (items, pat.1) else { return None };
    let (matrix, span) = (&call.receiver, call.method.span());
    let is_row = match &call.method.to_string()[..] {
        "row_iter_mut" => true,
        "column_iter_mut" => false,
        _ => return None,
    };
    if !is_place(matrix) || leaves(&each.body) || is_own(&call.method, knowledge) {
        return None;
    }
    let [count, read, put] = match is_row {
        true => ["nrows", "row", "set_row"],
        false => ["ncols", "column", "set_column"],
    };
    let [count, read] = [count, read].map(|name| Ident::new(name, span));
    let put = Ident::new(&format!("{PREFIX}{put}"), span);
    let (at, name, body) = (Ident::new("__autodiff_line", span), &item.ident, &each.body);
    let number = pat.0.map(|number| -> syn::Stmt { syn::parse_quote!(let #number = #at;) });
    each.body = syn::parse_quote_spanned!(span=> {
        #number
        let mut #name = #matrix.#read(#at).into_owned();
        #body
        *#matrix = #matrix.#put(#at, #name);
    });
    *each.expr = syn::parse_quote_spanned!(span=> 0..#matrix.#count());
    *each.pat = syn::parse_quote!(#at);
    Some(())
}

/// Whether something may leave the block, so that what stands behind it is not reached.
fn leaves(body: &syn::Block) -> bool {
    #[derive(Default)]
    struct Leaves {
        found: bool,
        /// How many loops are around it.
        loops: usize,
    }
    impl<'ast> Visit<'ast> for Leaves {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            let of_inner = |label: &Option<syn::Lifetime>| label.is_none() && self.loops > 0;
            self.found |= match expr {
                Expr::Break(expr) => !of_inner(&expr.label),
                Expr::Continue(expr) => !of_inner(&expr.label),
                expr => matches!(expr, Expr::Return(_) | Expr::Try(_)),
            };
            let is_loop = matches!(expr, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_));
            self.loops += usize::from(is_loop);
            syn::visit::visit_expr(self, expr);
            self.loops -= usize::from(is_loop);
        }
    }
    let mut leaves = Leaves::default();
    leaves.visit_block(body);
    leaves.found
}
