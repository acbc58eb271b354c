//! Sizes as expressions: those that are known at run time only, and those that a kernel takes.

use super::body::Emitter;
use super::expression::{Expression, Prec};
use super::text::Text;
use crate::ir::dim::Dim;
use crate::op::Operator;
use crate::parse::tokens::dim_tokens;
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// A size as an expression. Where something is taken away at run time, no size is below 0.
    pub(super) fn size(&mut self, dim: &Dim) -> TokenStream {
        if !dim.is_dynamic() {
            return dim_tokens(dim);
        }
        let (plus, minus) = dim.signs();
        let plus = self.sum(&plus);
        if minus.is(0) {
            return plus.tokens.into();
        }
        let (plus, minus) = (plus.tokens, self.sum(&minus).tokens);
        quote!(usize::saturating_sub(#plus, #minus))
    }

    fn sum(&mut self, dim: &Dim) -> Expression {
        let mut terms = Vec::new();
        for (atoms, coefficient) in dim.terms() {
            let number = proc_macro2::Literal::usize_unsuffixed(usize::try_from(coefficient).unwrap_or(0));
            let mut factors = Vec::new();
            if coefficient != 1 || atoms.is_empty() {
                factors.push(Expression::atom(quote!(#number)));
            }
            for atom in atoms {
                let atom = Dim::atom(atom);
                factors.push(match atom.as_var() {
                    Some(var) => self.take(var),
                    None => Expression::atom(dim_tokens(&atom)),
                });
            }
            terms.push(match &factors[..] {
                [one] => one.clone(),
                several => {
                    let product = several.iter().map(|factor| factor.at_least(Prec::Cast));
                    let product = product
                        .reduce(|product, factor| Text::of(&[&product, &Text::sign("*"), &factor]))
                        .unwrap_or_default();
                    Expression { prec: Prec::Mul, ..Expression::atom(product) }
                }
            });
        }
        match &terms[..] {
            [] => Expression::atom(quote!(0)),
            [one] => one.clone(),
            several => {
                let terms = several.iter().map(|term| term.at_least(Prec::Mul));
                Expression { prec: Prec::Add, ..Expression::atom(quote!(#(#terms)+*)) }
            }
        }
    }
}

/// The argument of a kernel that says its sizes, if it takes one.
pub(super) fn of_kernel(op: &dyn Operator) -> Option<TokenStream> {
    let rows: Vec<TokenStream> = op
        .sizes()
        .iter()
        .map(|row| {
            let row = row.map(proc_macro2::Literal::i64_unsuffixed);
            quote!([#(#row),*])
        })
        .collect();
    (!rows.is_empty()).then(|| quote!([#(#rows),*],))
}
