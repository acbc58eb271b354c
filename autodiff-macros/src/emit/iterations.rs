//! The values of a sparse Jacobian, row by row: see Note [Rows by iterations] in `pass/iterations.rs`.

use super::bodies::Planned;
use super::body::ResidualOwner;
use super::item::Item;
use super::jacobian::Parts;
use super::names;
use super::vectorized::Vectorized;
use crate::ad::derivatives::Source;
use crate::ir::Ty;
use crate::ir::interface::Along;
use crate::pass::iterations::{self, ByIterations, Input, Place};
use crate::trace::Trace;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

impl Item<'_> {
    /// The body that hands on rows, of a function whose result is filled by loops over independent numbers.
    pub(super) fn iterations_body(&self, trace: &mut Trace) -> Option<Planned> {
        if self.scalar_result() || self.changes_arguments() || self.is_recursive() {
            return None;
        }
        let function = self.wide_function().filter(|function| function.has_places() && function.has_numbers_only)?;
        let source = Source { body: &self.primal.body, inputs: &self.inputs(), changed: &[] };
        let (ends, inputs) = (&source.body.block.results, source.inputs);
        // Few rows are computed at once, whatever they are made of.
        let has_many = function.results.iter().any(|leaf| !is_small(&leaf.ty));
        if !has_many || ends.len() != function.results.len() || inputs.len() != function.inputs.len() {
            return None;
        }
        let input = |(var, leaf): (&_, &super::wide::WideLeaf)| {
            Some(Input { var: *var, root: leaf.access.root, place: leaf.place.clone()? })
        };
        let inputs: Vec<Input> = inputs.iter().zip(&function.inputs).map(input).collect::<Option<_>>()?;
        let results: Vec<Place> = function.results.iter().map(|leaf| leaf.place.clone()).collect::<Option<_>>()?;
        let ByIterations { body, rows } = iterations::run(source.body, &inputs, &results)?;
        let mut body = self.run(body, trace);
        iterations::write(&mut body, &rows, &sink());
        Some(Planned::new(body, source.interface()))
    }

    /// `__iterations`: the value, and all rows to what its last parameter is. Beside it, what stands outside of the type.
    pub(super) fn iterations_function(&self, planned: &Planned, parts: &Parts) -> (TokenStream, TokenStream) {
        let Planned { body, interface, plan } = planned;
        let (krate, scalar, sink) = (self.krate, &parts.scalar, sink());
        let mut emitter = self.emitter(body, plan, ResidualOwner::Caller);
        emitter.has_cotangents = false;
        emitter.names.reserve(&sink.to_string());
        self.place_params(&mut emitter);
        let mut statements = emitter.statements();
        let values = self.returned_values(interface, &body.block.results, Along::NONE);
        if emitter.moves_arrays(&values) {
            emitter.settle(&mut statements);
        }
        let value = self.assemble(&self.primal.result, &values, &mut emitter);
        let (lifetimes, y) = (self.lifetimes(), self.function.result.to_token_stream());
        let lists = self.error_lists(&[&statements, &value]);
        let mut params = self.params();
        params.push(quote!(#sink: &mut #krate::__private::sparse::ValuesByIterations<'_, #scalar>));
        let code = (self.assertions(), quote!(#lists #statements #value));
        let Vectorized { body, method, implementation } = self.vectorized_iterations(&params, &y, code);
        let function = quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __iterations #lifetimes (#(#params),*) -> #y {
                #body
            }
            #method
        };
        (function, implementation)
    }
}

fn sink() -> Ident {
    names::ours("rows")
}

/// Whether an array has so few numbers that all rows are computed at once.
fn is_small(ty: &Ty) -> bool {
    crate::pass::rows::few_numbers(ty, &crate::pass::rows::LIMITS).is_some()
}
