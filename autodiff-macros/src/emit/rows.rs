//! A Jacobian of few rows, computed by one function: see [`crate::pass::rows`].

use super::bodies::Planned;
use super::body::ResidualOwner;
use super::item::Item;
use super::jacobian::Parts;
use super::leaves::written;
use super::matrix::part_of;
use super::names;
use crate::ad::derivatives::{Derived, Rows, Source};
use crate::ir::dim::Dim;
use crate::ir::interface::{Along, Role};
use crate::parse::families::Family;
use crate::pass::rows::{LIMITS, few_numbers};
use crate::pass::tangent::Unsupported;
use crate::trace::Trace;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// How many columns such a Jacobian has at most: all rows are on the stack at once.
const MOST_COLUMNS: i64 = 128;

/// The body of the function that computes all rows.
pub(super) struct RowsBody {
    pub(super) planned: Planned,
    /// How many rows there are.
    count: usize,
}

impl Item<'_> {
    /// The body for all rows, of a function with more columns than rows. See Note [Columns or rows] in `jacobian.rs`.
    pub(super) fn rows_body(&self, trace: &mut Trace) -> Result<Option<RowsBody>, Unsupported> {
        if !self.has_family(Family::Jacobian) {
            return Ok(None);
        }
        if self.scalar_result() || self.changes_arguments() || self.is_recursive() || !self.has_few_rows() {
            return Ok(None);
        }
        let source = Source { body: &self.primal.body, inputs: &self.inputs(), changed: &[] };
        let Some(Rows { derived: Derived { body, interface }, count }) = source.rows()? else { return Ok(None) };
        Ok(Some(RowsBody { planned: Planned::new(self.run(body, trace), interface), count }))
    }

    fn has_few_rows(&self) -> bool {
        let Some(function) = self.wide_function().filter(|function| function.has_places() && function.has_numbers_only)
        else {
            return false;
        };
        let rows: Option<Vec<usize>> = function
            .results
            .iter()
            .map(|leaf| few_numbers(&leaf.ty, &LIMITS).filter(|_| leaf.access.around_each().is_none()))
            .collect();
        let columns = function.inputs.iter().map(|leaf| Dim::product(&leaf.ty.dims).as_literal());
        let columns = columns.sum::<Option<i64>>().filter(|columns| *columns <= MOST_COLUMNS);
        let rows = rows.map(|rows| rows.into_iter().sum::<usize>());
        matches!((rows, columns), (Some(rows), Some(columns)) if usize::try_from(columns).is_ok_and(|columns| columns > rows))
    }

    /// `__rows`: the value, and the gradient of each number of it.
    pub(super) fn rows_function(&self, RowsBody { planned, count }: &RowsBody) -> TokenStream {
        let Planned { body, interface, plan } = planned;
        let mut emitter = self.emitter(body, plan, ResidualOwner::Caller);
        emitter.has_cotangents = false;
        let roots = self.roots();
        for root in 0..self.params.len() {
            emitter.names.reserve(&roots.bar(root).to_string());
        }
        self.place_params(&mut emitter);
        let mut statements = emitter.statements();
        let results = &body.block.results;
        let values = self.returned_values(interface, results, Along::NONE);
        let bars = interface.outputs_of(results, Role::is_cotangent);
        if emitter.moves_arrays(&[&values[..], &bars].concat()) {
            emitter.settle(&mut statements);
        }
        let value = self.assemble(&self.primal.result, &values, &mut emitter);
        let value = self.hold(&mut emitter, value, &mut statements);
        let (zero, mutable, pattern) = (self.zero_gradient(), self.mutable_bars(), self.bar_pattern());
        let gradients: Vec<TokenStream> = bars
            .chunks(self.inputs().len().max(1))
            .map(|bars| {
                let mut set = TokenStream::new();
                for (leaf, bar) in self.active_leaves().zip(bars) {
                    let root = roots.bar(leaf.access.root);
                    set.extend(written(&quote!(#root), &leaf.of_tangent(), &emitter.value(*bar)));
                }
                quote!({ let #mutable = #zero; #set #pattern })
            })
            .collect();
        let (lifetimes, params, y, g) = (self.lifetimes(), self.params(), &self.function.result, self.gradient_type());
        let (asserts, lists) = (self.assertions(), self.error_lists(&[&statements, &value]));
        let count = Literal::usize_unsuffixed(*count);
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __rows #lifetimes (#(#params),*) -> (#y, [#g; #count]) {
                #asserts
                #lists
                #statements
                (#value, [#(#gradients),*])
            }
        }
    }

    /// The statements that write them into the blocks of a Jacobian.
    pub(super) fn written_rows(&self, rows: &RowsBody, parts: &Parts, blocks: &[Ident]) -> TokenStream {
        let (krate, args, count) = (self.krate, self.names(), parts.inputs.len());
        let module = quote!(#krate::__private::jacobian);
        let [result, all] = ["result", "all_rows"].map(names::ours);
        let row_count = Literal::usize_unsuffixed(rows.count);
        let put = (0..rows.count).map(|row| {
            let row = Literal::usize_unsuffixed(row);
            let gradients = (0..count).map(|k| part_of(&quote!(#all[#row]), k, count));
            quote!(#(#module::write_row(&#gradients, #row, #blocks);)*)
        });
        let columns = parts.inputs.iter().map(|input| input.count(krate));
        quote! {
            let (#result, #all) = Self::__rows(#(#args),*);
            #(#put)*
            #(#module::Rows::finish(#blocks, #row_count, #columns);)*
            #result
        }
    }
}
