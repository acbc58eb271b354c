//! A Jacobian of few rows, computed by one function: see [`crate::pass::rows`].

use super::bodies::Planned;
use super::body::ResidualOwner;
use super::item::Item;
use super::jacobian::Parts;
use super::leaves::written;
use super::matrix::{part_of, tuple};
use super::names;
use super::signature::Slot;
use crate::ad::derivatives::{Derived, Rows, Source};
use crate::ir::Var;
use crate::ir::dim::Dim;
use crate::ir::interface::{Along, Role};
use crate::parse::families::Family;
use crate::parse::ty::{Seq, Surface};
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
    /// For each row, what the cotangents of slices are added to.
    accumulators: Vec<Vec<Option<Var>>>,
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
        let Some(Rows { derived: Derived { body, interface }, accumulators }) = source.rows()? else { return Ok(None) };
        Ok(Some(RowsBody { planned: Planned::new(self.run(body, trace), interface), accumulators }))
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
        let (slices, others): (Vec<_>, Vec<_>) =
            function.inputs.iter().partition(|leaf| self.is_slice_of_numbers(leaf.access.root));
        let columns = others.into_iter().map(|leaf| Dim::product(&leaf.ty.dims).as_literal());
        let columns = columns.sum::<Option<i64>>().filter(|columns| *columns <= MOST_COLUMNS);
        let rows = rows.map(|rows| rows.into_iter().sum::<usize>());
        // How long a slice is, nobody knows; it has seldom less numbers than there are rows.
        let are_more = |columns: i64, rows: usize| {
            !slices.is_empty() || usize::try_from(columns).is_ok_and(|columns| columns > rows)
        };
        matches!((rows, columns), (Some(rows), Some(columns)) if are_more(columns, rows))
    }

    /// Whether a parameter is a slice of numbers, so that its part of a row is a slice, too.
    fn is_slice_of_numbers(&self, root: usize) -> bool {
        matches!(&self.params[root].surface, Surface::Seq(item, Seq::Slice) if matches!(**item, Surface::Scalar(_)))
    }

    /// Whether each parameter that the function is differentiated by is a slice, with its place among all parameters.
    fn inputs_of_rows(&self) -> impl Iterator<Item = (usize, bool)> {
        let active = self.params.iter().enumerate().filter(|(_, param)| param.active);
        active.map(|(root, _)| (root, self.is_slice_of_numbers(root)))
    }

    /// `__rows`: the value, and the gradient of each number of it. What it is by slices is added to parameters.
    pub(super) fn rows_function(&self, RowsBody { planned, accumulators }: &RowsBody) -> TokenStream {
        let Planned { body, interface, plan } = planned;
        let mut emitter = self.emitter(body, plan, ResidualOwner::Caller);
        emitter.has_cotangents = false;
        let roots = self.roots();
        for root in 0..self.params.len() {
            emitter.names.reserve(&roots.bar(root).to_string());
        }
        let mut params = self.params();
        let slots: Vec<Slot> = self.slots().map(|(_, slot)| slot).collect();
        for (row, accumulators) in accumulators.iter().enumerate() {
            for (k, (root, _)) in self.inputs_of_rows().enumerate().filter(|(_, (_, is_slice))| *is_slice) {
                let (name, target) = (part_of_row(row, root), &slots[k].target);
                emitter.names.reserve(&name.to_string());
                params.push(quote!(#name: &mut #target));
            }
            self.place_bars_at(&mut emitter, accumulators, &|root| part_of_row(row, root));
        }
        self.place_params(&mut emitter);
        let mut statements = emitter.statements();
        let results = &body.block.results;
        let values = self.returned_values(interface, results, Along::NONE);
        let bars = interface.outputs_of(results, Role::is_cotangent);
        let (count, row_count) = (self.inputs().len().max(1), accumulators.len());
        let returned = |row: usize| bars[row * count..].iter().zip(&accumulators[row]).zip(self.active_leaves());
        let returned =
            |row: usize| returned(row).filter(|((_, acc), _)| acc.is_none()).map(|((bar, _), leaf)| (*bar, leaf));
        let moved: Vec<Var> = (0..row_count).flat_map(|row| returned(row).map(|(bar, _)| bar)).collect();
        if emitter.moves_arrays(&[&values[..], &moved].concat()) {
            emitter.settle(&mut statements);
        }
        let value = self.assemble(&self.primal.result, &values, &mut emitter);
        let value = self.hold(&mut emitter, value, &mut statements);
        let sized = self.inputs_of_rows().zip(slots).filter(|((_, is_slice), _)| !is_slice);
        let (bar_names, tangents): (Vec<Ident>, Vec<TokenStream>) =
            sized.map(|((root, _), slot)| (roots.bar(root), slot.tangent)).unzip();
        let g = tuple(tangents);
        let (pattern, mutable) =
            (tuple(bar_names.iter().map(|bar| quote!(#bar))), tuple(bar_names.iter().map(|bar| quote!(mut #bar))));
        let (krate, none) = (self.krate, bar_names.is_empty());
        let gradients: Vec<TokenStream> = (0..row_count)
            .map(|row| {
                let mut set = TokenStream::new();
                for (bar, leaf) in returned(row) {
                    let root = roots.bar(leaf.access.root);
                    set.extend(written(&quote!(#root), &leaf.of_tangent(), &emitter.value(bar)));
                }
                match none {
                    true => quote!(()),
                    false => quote!({ let #mutable = <#g as #krate::__private::Zero>::ZERO; #set #pattern }),
                }
            })
            .collect();
        let (lifetimes, y) = (self.lifetimes(), &self.function.result);
        let (asserts, lists) = (self.assertions(), self.error_lists(&[&statements, &value]));
        let row_count = Literal::usize_unsuffixed(row_count);
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __rows #lifetimes (#(#params),*) -> (#y, [#g; #row_count]) {
                #asserts
                #lists
                #statements
                (#value, [#(#gradients),*])
            }
        }
    }

    /// The statements that write them into the blocks of a Jacobian.
    pub(super) fn written_rows(&self, rows: &RowsBody, parts: &Parts, blocks: &[Ident]) -> TokenStream {
        let (krate, args, row_count) = (self.krate, self.names(), rows.accumulators.len());
        let module = quote!(#krate::__private::jacobian);
        let [result, all] = ["result", "all_rows"].map(names::ours);
        let (mut before, mut after, mut places) = (TokenStream::new(), TokenStream::new(), vec![Vec::new(); row_count]);
        let (mut sized, count) = (0, self.inputs_of_rows().filter(|(_, is_slice)| !is_slice).count());
        let number = Literal::usize_unsuffixed(row_count);
        for (((root, is_slice), input), block) in self.inputs_of_rows().zip(&parts.inputs).zip(blocks) {
            if is_slice {
                let (name, own) = (&self.params[root].name, (0..row_count).map(|row| part_of_row(row, root)));
                places.iter_mut().zip(own.clone()).for_each(|(places, own)| places.push(own));
                before.extend(quote!(let [#(#own),*] = #module::AllRows::all::<#number>(#block, #name.len());));
                continue;
            }
            for row in 0..row_count {
                let row = Literal::usize_unsuffixed(row);
                let gradient = part_of(&quote!(#all[#row]), sized, count);
                after.extend(quote!(#module::write_row(&#gradient, #row, #block);));
            }
            let columns = input.count(krate);
            after.extend(quote!(#module::Rows::finish(#block, #number, #columns);));
            sized += 1;
        }
        let places = places.iter().flatten();
        quote! {
            #before
            let (#result, #all) = Self::__rows(#(#args,)* #(#places),*);
            #after
            #result
        }
    }

    /// Whether all rows of the block of each parameter are at hand at once.
    pub(super) fn has_all_rows(&self) -> Vec<bool> {
        self.inputs_of_rows().map(|(_, is_slice)| is_slice).collect()
    }
}

/// The part of a row that belongs to a slice.
fn part_of_row(row: usize, root: usize) -> Ident {
    names::ours(&format!("row_{row}_by_{root}"))
}
