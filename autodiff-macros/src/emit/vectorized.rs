//! Functions that are compiled for several CPUs: see `vectors.rs` of `autodiff-core`.
//!
//! The body of such a function is a method that is inlined into a function for each set of instructions. So all `unsafe` code is
//! in `autodiff-core`. The references among its parameters are parameters of its own, and not parts of a tuple: LLVM knows of
//! parameters alone that they do not overlap.

use super::bodies::Planned;
use super::item::{Item, needs_heap};
use crate::ir::dim::Dim;
use crate::ir::{Block, Body, Op};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// A loop that runs so often, or an array of so many elements, is worth asking the CPU.
const LEAST: i64 = 16;

/// The code of such a function.
#[derive(Default)]
pub(super) struct Vectorized {
    /// What stands in the function itself.
    pub(super) body: TokenStream,
    /// A method for the body, if that stands elsewhere.
    pub(super) method: TokenStream,
    /// The implementation of the trait.
    pub(super) implementation: TokenStream,
}

impl Item<'_> {
    /// The body of a function that adds to cotangents or sets them, and what it calls.
    pub(super) fn vectorized_gradient(&self, k: usize, planned: &Planned, body: TokenStream) -> Vectorized {
        let names = self.names().into_iter().cloned().chain(self.bar_names());
        let names: Vec<TokenStream> = names.map(|name| name.to_token_stream()).collect();
        let bars = self.slots().map(|(_, slot)| slot.target).map(|target| quote!(&mut #target));
        let types: Vec<TokenStream> = self.param_types().iter().map(|ty| quote!(#ty)).chain(bars).collect();
        self.vectorized(k, planned, (&names, &types), body)
    }

    /// The body of a function with these parameters. `k` tells the functions of one type apart.
    fn vectorized(
        &self,
        k: usize,
        planned: &Planned,
        (names, types): (&[TokenStream], &[TokenStream]),
        body: TokenStream,
    ) -> Vectorized {
        // The parameters of a method are not those of the type.
        let is_plain = self.lifetimes().is_empty() && !self.is_recursive() && !needs_heap(&body);
        if !self.primal.has_tensors || !is_plain || !is_worthwhile(&planned.body) {
            return Vectorized { body, ..Vectorized::default() };
        }
        let (krate, y, (impl_generics, self_ty, where_clause)) = (self.krate, &self.function.result, self.generics());
        let (k, name) = (Literal::usize_unsuffixed(k), format_ident!("__vectorized_{k}"));
        let implementation = quote! {
            #[automatically_derived]
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #impl_generics #krate::__private::Vectorized<#k, (#(#types,)*)> for #self_ty #where_clause {
                type Output = #y;
                #[inline(always)]
                fn run((#(#names,)*): (#(#types,)*)) -> #y {
                    Self::#name(#(#names),*)
                }
            }
        };
        let method = quote! {
            #[doc(hidden)]
            #[inline(always)]
            fn #name(#(#names: #types),*) -> #y {
                #body
            }
        };
        Vectorized { body: quote!(#krate::__private::vectorized::<Self, #k, _>((#(#names,)*))), method, implementation }
    }
}

fn is_worthwhile(body: &Body) -> bool {
    has_loops(body, &body.block)
}

fn has_loops(body: &Body, block: &Block) -> bool {
    let is_long = |dim: &Dim| dim.as_literal().is_none_or(|size| size >= LEAST);
    block.eqns.iter().any(|eqn| match &eqn.op {
        Op::For { hi, .. } if is_long(hi) => true,
        Op::Into(_) | Op::Put(_) => eqn.args.iter().any(|arg| is_long(&Dim::product(&body.ty(*arg).dims))),
        _ => eqn.regions.iter().any(|region| has_loops(body, region)),
    })
}
