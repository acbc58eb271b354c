//! A row of the table of derivatives as a function: parameters, statements and result follow from the roles of the
//! body's inputs and outputs.

use super::bodies::Planned;
use super::body::{Emitter, ResidualOwner};
use super::item::Item;
use super::leaves::written;
use super::types::seed_type;
use crate::ad::derivatives::{Derivative, Derived, Has, Source, Transformation};
use crate::ir::interface::Along;
use crate::ir::{Body, Var};
use crate::layout::Layout;
use crate::pass::tangent::Unsupported;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// A body as code.
pub(super) struct Code {
    /// The parameters for the cotangents of the results.
    pub(super) seeds: Vec<TokenStream>,
    pub(super) statements: TokenStream,
    /// The value, and its tangents.
    pub(super) results: Vec<TokenStream>,
}

impl Item<'_> {
    /// A derivative of a body of the function.
    pub(super) fn derive_from(&self, body: &Body, steps: &[Transformation]) -> Result<Derived, Unsupported> {
        Source { body, inputs: &self.inputs(), changed: &self.changed() }.derive(steps)
    }

    /// Whether the function has a derivative, if its order is high enough.
    pub(super) fn has(&self, row: &Derivative) -> bool {
        match row.has {
            Has::Any => true,
            Has::Number => self.scalar_result(),
            Has::Recursive => self.is_recursive(),
        }
    }

    /// Whether somebody asks for a row, as far as is known.
    pub(super) fn is_asked_for(&self, row: &Derivative) -> bool {
        row.order <= if row.is_for_callers() { self.function.order_for_callers() } else { self.function.order() }
    }

    /// The function of a row.
    pub(super) fn derivative(&self, row: &Derivative, planned: &Planned) -> TokenStream {
        let Code { seeds, statements, mut results } = self.code(planned);
        // Of what carries no derivative there are no tangents.
        if self.result.is_discrete() && !row.returns_cotangents() {
            results.resize(row.along().len(), quote!(()));
        }
        let statements = match row.returns_cotangents() {
            true => {
                let (zero, mutable, bars) = (self.zero_gradient(), self.mutable_bars(), self.bar_pattern());
                let returned = self.returned();
                quote!(#returned let #mutable = #zero; #statements #bars)
            }
            false if results.len() == 1 => quote!(#statements #(#results)*),
            false => quote!(#statements (#(#results),*)),
        };
        let ((head, lengths), signature, asserts) = (self.head(row), self.signature(row, &seeds), self.assertions());
        // Cotangents that are returned are put together by methods of traits.
        let constness = if row.returns_cotangents() { None } else { self.constness(&planned.body) };
        quote! {
            #head #constness #signature {
                #lengths
                #asserts
                #statements
            }
        }
    }

    /// The name, the parameters and the result of a row. `seeds` are the parameters for the cotangents of the results.
    pub(super) fn signature(&self, row: &Derivative, seeds: &[TokenStream]) -> TokenStream {
        let (lifetimes, params, roots, along) = (self.lifetimes(), self.params(), self.roots(), row.along());
        let dots = row.tangents();
        let dots = dots.iter().flat_map(|along| self.dot_params_named(&|root| roots.tangent(root, *along)));
        let bars = along.iter().filter(|_| row.accumulates());
        let bars = bars.flat_map(|along| self.bar_params_named(&|root| roots.cotangent(root, *along)));
        let (y, tangent) = (&self.function.result, self.result_tangent());
        let result = match along.len() - 1 {
            _ if row.returns_cotangents() => self.gradient_type(),
            0 => quote!(#y),
            count => {
                let tangents = (0..count).map(|_| &tangent);
                quote!((#y, #(#tangents),*))
            }
        };
        let name = quote::format_ident!("{}", row.name);
        quote!(fn #name #lifetimes (#(#params,)* #(#dots,)* #(#seeds,)* #(#bars),*) -> #result)
    }

    /// What stands before a function and at its beginning: documentation and visibility, and checks of what users give.
    fn head(&self, row: &Derivative) -> (TokenStream, TokenStream) {
        let (vis, roots) = (&self.function.item.vis, self.roots());
        let Some(doc) = row.doc else {
            // Inlining ends at a recursion.
            let inline = (row.has != Has::Recursive).then(|| quote!(#[inline]));
            return (quote!(#[doc(hidden)] #inline pub), TokenStream::new());
        };
        let doc = doc.replace("{f}", &format!("[`{}`]", self.function.name()));
        let lengths = row.tangents().into_iter().map(|along| self.check_lengths_of(&|k| roots.tangent(k, along)));
        (quote!(#[doc = #doc] #[inline] #vis), lengths.collect())
    }

    /// In place of a derivative of higher order than the function has, or than there is: what tells its caller why there is none. The bound
    /// never holds; since it has a lifetime, rustc looks at it where the function is called.
    pub(super) fn missing(&self, row: &Derivative) -> TokenStream {
        let is_asked_for = self.is_asked_for(row);
        if row.doc.is_none() && !is_asked_for {
            return TokenStream::new();
        }
        let (vis, (_, self_ty, _), krate) = (&self.function.item.vis, self.generics(), self.krate);
        let bound = if is_asked_for { quote!(HigherOrder) } else { quote!(SecondOrder) };
        let leaves = if row.has_seeds() { Layout::of(self.result).float_leaves().count() } else { 0 };
        let seeds = vec![quote!(_: impl ::core::marker::Sized); leaves * row.along().len()];
        let signature = self.signature(row, &seeds);
        let vis = if row.doc.is_some() { vis.to_token_stream() } else { quote!(pub) };
        quote! {
            #[doc(hidden)]
            #vis #signature where for<'of> #self_ty: #krate::__private::#bound<'of> { ::core::unimplemented!() }
        }
    }

    /// A body as code, with its inputs and outputs where their roles say. Cotangents are added to their places, or written
    /// to them if the function returns them; what changes is written back.
    pub(super) fn code(&self, Planned { body, interface, plan }: &Planned) -> Code {
        let (mut emitter, roots) = (self.emitter(body, plan, ResidualOwner::Caller), self.roots());
        emitter.is_constant = self.is_constant(body);
        let count = self.active_leaves().count();
        for root in 0..self.params.len() {
            let tangents = interface.tangents().into_iter().map(|along| roots.tangent(root, along));
            let cotangents = interface.cotangents().into_iter().map(|along| roots.cotangent(root, along));
            for name in tangents.chain(cotangents) {
                emitter.names.reserve(&name.to_string());
            }
        }
        self.place_params(&mut emitter);
        for along in interface.tangents() {
            self.place_dots_at(&mut emitter, &interface.dots(along), &|root| roots.tangent(root, along));
        }
        for along in interface.cotangents() {
            let places = interface.accumulators(along, count);
            self.place_bars_at(&mut emitter, &places, &|root| roots.cotangent(root, along));
        }
        let mut seeds = Vec::new();
        for along in interface.seeds() {
            let vars = interface.inputs_of(|role| role.is_cotangent() && !role.is_of_input() && role.along == along);
            seeds.extend(self.place_seeds(&mut emitter, &vars, &format!("y_bar{}", along.suffix())));
        }
        let mut statements = emitter.statements();
        let (mut results, mut changes) = (Vec::new(), Vec::new());
        if interface
            .results()
            .iter()
            .any(|along| emitter.moves_arrays(&self.returned_values(interface, &body.block.results, *along)))
        {
            emitter.settle(&mut statements);
        }
        for along in interface.results() {
            changes.extend(self.value_changes(interface, &body.block.results, along));
            let vars = self.returned_values(interface, &body.block.results, along);
            let value = match along {
                Along::NONE => self.assemble(&self.primal.result, &vars, &mut emitter),
                _ => {
                    let values = self.returned_values(interface, &body.block.results, Along::NONE);
                    self.assemble_tangent(&vars, &values, &mut emitter)
                }
            };
            results.push(self.hold(&mut emitter, value, &mut statements));
        }
        for along in interface.cotangents() {
            let bars = interface.outputs_of(&body.block.results, |role| role.is_cotangent() && role.along == along);
            if interface.returns_cotangents() {
                self.write_cotangents(&mut emitter, &bars, &mut statements);
                continue;
            }
            if !self.primal.inout.is_empty() {
                emitter.settle(&mut statements);
            }
            let places = interface.accumulators(along, count);
            let name = |root| roots.cotangent(root, along);
            self.add_numbers_at(&mut emitter, &places, &bars, &name, &mut statements);
            changes.extend(self.cotangent_changes(interface, &body.block.results, along));
        }
        let enums = match interface.results().first() {
            Some(_) => self.whole_changes(interface, &body.block.results, &mut emitter, &mut statements),
            None => Vec::new(),
        };
        let enums = emitter.hold_wholes(enums, &mut statements);
        emitter.write_back(&changes, &mut statements);
        statements.extend(enums);
        let code: Vec<&TokenStream> = std::iter::once(&statements).chain(&results).collect();
        let lists = self.error_lists(&code);
        let statements = quote!(#lists #statements);
        Code { seeds, statements, results }
    }

    /// Writes cotangents to a gradient that is returned.
    fn write_cotangents(&self, emitter: &mut Emitter, bars: &[Var], out: &mut TokenStream) {
        let roots = self.roots();
        for (leaf, bar) in self.active_leaves().zip(bars) {
            let root = roots.bar(leaf.access.root);
            let value = emitter.value(*bar);
            out.extend(written(&quote!(#root), &leaf.of_tangent(), &value));
        }
    }

    /// Says where the cotangents of the results are; the parameters for them.
    fn place_seeds(&self, emitter: &mut Emitter, seeds: &[Var], name: &str) -> Vec<TokenStream> {
        let mut params = Vec::new();
        for seed in seeds {
            let (ty, name) = (emitter.body().ty(*seed), emitter.names.local(name));
            let given = seed_type(ty, self.krate);
            params.push(if ty.is_scalar() { quote!(#name: #given) } else { quote!(#name: &#given) });
            emitter.param(*seed, quote!(#name), !ty.is_scalar());
        }
        params
    }
}
