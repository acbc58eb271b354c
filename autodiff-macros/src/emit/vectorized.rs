//! Functions that are compiled for several CPUs: see `vectors.rs` of `autodiff-core`.
//!
//! The body of such a function is a method that is inlined into a function for each set of instructions. So all `unsafe` code is
//! in `autodiff-core`. The references among its parameters are parameters of its own, and not parts of a tuple: LLVM knows of
//! parameters alone that they do not overlap.

use super::bodies::Planned;
use super::item::{Item, needs_heap};
use crate::ir::dim::Dim;
use crate::ir::{Block, Body, Op, Var};
use proc_macro2::{Group, Ident, Literal, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// A loop that runs so often, or an array of so many elements, is worth asking the CPU.
const LEAST: i64 = 16;

/// Which function it is.
#[derive(Clone, Copy)]
pub(super) enum Function {
    AccumulateGradient,
    SetGradient,
    Forward,
    Reverse,
    Value,
    Directions,
    GradientDirections,
    Iterations,
}

impl Function {
    fn name(self) -> &'static str {
        match self {
            Function::AccumulateGradient => "accumulate_grad",
            Function::SetGradient => "set_grad",
            Function::Forward => "forward",
            Function::Reverse => "reverse",
            Function::Value => "value",
            Function::Directions => "jvp_wide",
            Function::GradientDirections => "hvp_wide",
            Function::Iterations => "iterations",
        }
    }
}

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
    /// The body of a function with these parameters and this result, and what it calls. Assertions stand in the function itself,
    /// so that rustc names its caller.
    pub(super) fn vectorized(
        &self,
        function: Function,
        planned: &Planned,
        params: &[TokenStream],
        y: &TokenStream,
        (asserts, body): (TokenStream, TokenStream),
    ) -> Vectorized {
        if !self.primal.has_tensors || !self.is_plain() || needs_heap(&body) || !is_worthwhile(&planned.body) {
            return Vectorized { body: quote!(#asserts #body), ..Vectorized::default() };
        }
        self.for_several_cpus(function, params, y, (asserts, body), None)
    }

    /// The same of the tangent in several directions, whose lanes are vectors, with the parameter of the function that they have.
    pub(super) fn vectorized_lanes(
        &self,
        function: Function,
        planned: &Planned,
        (params, y): (&[TokenStream], &TokenStream),
        body: TokenStream,
        wide: &TokenStream,
    ) -> Vectorized {
        if !self.is_plain() || !has_loops(&planned.body, &planned.body.block) {
            return Vectorized { body, ..Vectorized::default() };
        }
        self.for_several_cpus(function, params, y, (TokenStream::new(), body), Some(wide))
    }

    /// The same of a loop whose iterations write rows of a matrix each.
    pub(super) fn vectorized_iterations(
        &self,
        params: &[TokenStream],
        y: &TokenStream,
        (asserts, body): (TokenStream, TokenStream),
    ) -> Vectorized {
        if !self.is_plain() {
            return Vectorized { body: quote!(#asserts #body), ..Vectorized::default() };
        }
        self.for_several_cpus(Function::Iterations, params, y, (asserts, body), None)
    }

    /// Whether the parameters of a method are those of the type.
    fn is_plain(&self) -> bool {
        self.lifetimes().is_empty() && !self.is_recursive()
    }

    fn for_several_cpus(
        &self,
        function: Function,
        params: &[TokenStream],
        y: &TokenStream,
        (asserts, body): (TokenStream, TokenStream),
        wide: Option<&TokenStream>,
    ) -> Vectorized {
        let (krate, (impl_generics, self_ty, where_clause)) = (self.krate, self.generics());
        let method_generics = wide.map(|wide| quote!(<#wide>));
        let impl_generics = wide.map_or(impl_generics, |wide| self.impl_generics_and(wide));
        let name = format_ident!("__vectorized_{}", function.name());
        let k = Literal::usize_unsuffixed(function as usize);
        let (names, types): (Vec<TokenStream>, Vec<TokenStream>) = params.iter().map(name_and_type).unzip();
        let this = format_ident!("Self");
        let output = named(y.clone(), &this, &self_ty);
        let types: Vec<TokenStream> = types.into_iter().map(|ty| named(ty, &this, &self_ty)).collect();
        let implementation = quote! {
            #[automatically_derived]
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #impl_generics #krate::__private::Vectorized<#k, (#(#types,)*), #output> for #self_ty #where_clause {
                #[inline(always)]
                fn run((#(#names,)*): (#(#types,)*)) -> #y {
                    Self::#name(#(#names),*)
                }
            }
        };
        let method = quote! {
            #[doc(hidden)]
            #[inline(always)]
            fn #name #method_generics(#(#params),*) -> #y {
                #body
            }
        };
        let run = if wide.is_some() { format_ident!("vectorized_lanes") } else { format_ident!("vectorized") };
        Vectorized {
            body: quote!(#asserts #krate::__private::#run::<#self_ty, #k, _, _>((#(#names,)*))),
            method,
            implementation,
        }
    }
}

/// The two halves of `name: Type`.
fn name_and_type(param: &TokenStream) -> (TokenStream, TokenStream) {
    let mut tokens = param.clone().into_iter();
    let name = tokens.next().into_iter().collect();
    (name, tokens.skip(1).collect())
}

/// A type without a name that has no meaning where it stands.
fn named(ty: TokenStream, name: &Ident, by: &TokenStream) -> TokenStream {
    let tokens = ty.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == *name => by.clone(),
        TokenTree::Group(group) => {
            TokenTree::from(Group::new(group.delimiter(), named(group.stream(), name, by))).into()
        }
        token => token.into(),
    });
    tokens.collect()
}

fn is_worthwhile(body: &Body) -> bool {
    let is_dynamic = |var: &Var| body.ty(*var).is_dynamic();
    let mut interface = body.block.params.iter().chain(&body.block.results);
    !interface.any(is_dynamic) && has_loops(body, &body.block)
}

/// Whether there is a loop that may be long.
fn has_loops(body: &Body, block: &Block) -> bool {
    let is_long = |dim: &Dim| dim.as_literal().is_none_or(|size| size >= LEAST);
    block.eqns.iter().any(|eqn| match &eqn.op {
        Op::For { hi, .. } if is_long(hi) => true,
        Op::Into(_) | Op::Put(_) => eqn.args.iter().any(|arg| is_long(&Dim::product(&body.ty(*arg).dims))),
        _ => eqn.regions.iter().any(|region| has_loops(body, region)),
    })
}
