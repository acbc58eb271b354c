//! Second derivatives, and derivatives of a function that calls itself.

use super::body::{Emitter, Own};
use super::item::Item;
use super::leaves::{leaf_tokens, split_tokens};
use super::types::seed_type;
use crate::ir::Var;
use crate::pass;
use crate::pass::adjoint::{Callees, Output, Seed};
use crate::pass::tangent::{self, Unsupported};
use crate::trace::Trace;
use proc_macro2::TokenStream;
use quote::quote;

impl Item<'_> {
    /// Forward over reverse: the tangent of the gradient.
    pub(super) fn hvp(&self, trace: &mut Trace) -> Result<TokenStream, Unsupported> {
        let joint = self.adjoint(Seed::One, Output::Fresh, Callees::Joint)?;
        let mut gradient = joint.body;
        gradient.block.results.drain(..self.primal.body.block.results.len());
        let gradient = pass::simplify::run(gradient);
        let mut body = tangent::transform(&gradient, &self.inputs())?;
        let own = self.primal.body.block.params.len();
        let dots = body.block.params[own..].to_vec();
        let count = body.block.results.len() / 2;
        body.block.results.drain(..count);
        let body = self.run(body, trace);
        let mut emitter = self.emitter(&body, Own::Borrowed);
        self.place_params(&mut emitter);
        self.place_dots(&mut emitter, &dots);
        let statements = emitter.statements();
        let roots = self.roots();
        let mut writes = TokenStream::new();
        for (leaf, bar) in self.active_leaves().zip(&body.block.results) {
            let root = roots.bar(leaf.access.root);
            let target = leaf_tokens(&quote!(#root), &leaf.access, leaf.form);
            let value = emitter.value(*bar);
            writes.extend(match split_tokens(&quote!(#root), &leaf.access, leaf.form) {
                Some((rows, part)) => {
                    let part = crate::ir::fill_holes(part, &[quote!(row)]);
                    quote!(for (row, value) in ::core::iter::Iterator::zip(#rows.iter_mut(), #value) { #part = value; })
                }
                None => quote!(#target = #value;),
            });
        }
        let zero = self.zero_gradient();
        let lengths = self.check_lengths_of(&|k| roots.dot(k));
        let (lifetimes, params, dots, g, bars) =
            (self.lifetimes(), self.params(), self.dot_params(), self.gradient_type(), self.bar_pattern());
        let mutable = self.mutable_bars();
        let asserts = self.assertions();
        let name = self.function.name();
        let doc = format!("The Hessian of [`{name}`] times the given tangents (forward over reverse).");
        let (vis, returned) = (&self.function.item.vis, self.returned());
        Ok(quote! {
            #[doc = #doc]
            #[inline]
            #vis fn hvp #lifetimes (#(#params,)* #(#dots),*) -> #g {
                #returned
                #asserts
                #lengths
                let #mutable = #zero;
                #statements
                #writes
                #bars
            }
        })
    }

    /// Both sweeps in one function, for a function that calls itself.
    pub(super) fn joint(&self, trace: &mut Trace) -> Result<TokenStream, Unsupported> {
        let joint = self.adjoint(Seed::Parameter, Output::Accumulate, Callees::Split)?;
        let mut body = joint.body;
        body.owned.extend(self.changed_vars());
        let body = self.run(body, trace);
        let mut emitter = self.emitter(&body, Own::Borrowed);
        self.place_params(&mut emitter);
        self.place_bars(&mut emitter, &joint.accumulators);
        let seeds = self.place_seeds(&mut emitter, &joint.seeds, "y_bar");
        let mut statements = emitter.statements();
        let count = self.primal.body.block.results.len();
        let value = self.assemble(&self.primal.result, &body.block.results[..count], &mut emitter);
        let value = self.hold(&mut emitter, value, &mut statements);
        let mut changes = self.value_changes(&body.block.results[..count]);
        let bars = &body.block.results[count..];
        changes.extend(self.finish_reverse(&mut emitter, &joint.accumulators, bars, &mut statements));
        emitter.write_back(&changes, &mut statements);
        let (lifetimes, params, y, bars, asserts) =
            (self.lifetimes(), self.params(), &self.function.result, self.bar_params(), self.assertions());
        Ok(quote! {
            #[doc(hidden)]
            pub fn __joint #lifetimes (#(#params,)* #(#seeds,)* #(#bars),*) -> #y {
                #asserts
                #statements
                #value
            }
        })
    }

    /// The tangent of both sweeps, for callers' second derivatives.
    pub(super) fn joint_jvp(&self, trace: &mut Trace) -> Result<TokenStream, Unsupported> {
        let joint = self.adjoint(Seed::Parameter, Output::Accumulate, Callees::Joint)?;
        let accumulators: Vec<Var> = joint.accumulators.iter().copied().flatten().collect();
        let joint_body = pass::simplify::run(joint.body);
        let inputs = [&self.inputs()[..], &joint.seeds, &accumulators].concat();
        let mut body = tangent::transform(&joint_body, &inputs)?;
        let dots = body.block.params[joint_body.block.params.len()..].to_vec();
        let (dots, rest) = dots.split_at(self.inputs().len());
        let (seed_dots, bar_dots) = rest.split_at(joint.seeds.len());
        let mut next = bar_dots.iter().copied();
        let bar_dots: Vec<Option<Var>> = joint.accumulators.iter().map(|acc| acc.and_then(|_| next.next())).collect();
        body.owned = accumulators.iter().copied().chain(bar_dots.iter().copied().flatten()).collect();
        body.owned.extend(self.changed_vars());
        body.owned.extend(self.changed_dots(dots));
        let body = self.run(body, trace);

        let mut emitter = self.emitter(&body, Own::Borrowed);
        self.place_params(&mut emitter);
        self.place_dots(&mut emitter, dots);
        let roots = self.roots();
        self.place_bars(&mut emitter, &joint.accumulators);
        self.place_bars_at(&mut emitter, &bar_dots, &|root| roots.bar_dot(root));
        let seeds = self.place_seeds(&mut emitter, &joint.seeds, "y_bar");
        let seed_dots = self.place_seeds(&mut emitter, seed_dots, "y_bar_dot");
        let mut statements = emitter.statements();
        let count = self.primal.body.block.results.len();
        let floats = {
            let body = &self.primal.body;
            body.block.results.iter().filter(|result| body.ty(**result).is_float()).count()
        };
        let (values, rest) = body.block.results.split_at(count);
        let (bars, rest) = rest.split_at(self.inputs().len());
        let (tangents, bars_dot) = rest.split_at(floats);
        let y = self.assemble(&self.primal.result, values, &mut emitter);
        let y_dot = self.assemble_tangent(&tangents[..self.own_floats()], &mut emitter);
        let (y, y_dot) = (self.hold(&mut emitter, y, &mut statements), self.hold(&mut emitter, y_dot, &mut statements));
        let mut changes = self.finish_reverse(&mut emitter, &joint.accumulators, bars, &mut statements);
        self.add_numbers_at(&mut emitter, &bar_dots, bars_dot, &|root| roots.bar_dot(root), &mut statements);
        changes.extend(self.value_changes(values));
        changes.extend(self.tangent_changes(dots, tangents));
        changes.extend(self.cotangent_changes(&bar_dots, bars_dot));
        emitter.write_back(&changes, &mut statements);
        let (lifetimes, params, dots, y_ty, tangent, asserts) = (
            self.lifetimes(),
            self.params(),
            self.dot_params(),
            &self.function.result,
            self.result_tangent(),
            self.assertions(),
        );
        let (bars, bar_dots) = (self.bar_params(), self.bar_params_named(&|root| roots.bar_dot(root)));
        Ok(quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __joint_jvp #lifetimes (
                #(#params,)* #(#dots,)* #(#seeds,)* #(#seed_dots,)* #(#bars,)* #(#bar_dots),*
            ) -> (#y_ty, #tangent) {
                #asserts
                #statements
                (#y, #y_dot)
            }
        })
    }

    /// The tangent of `jvp`: forward over forward.
    pub(super) fn jvp_jvp(&self, trace: &mut Trace) -> Result<TokenStream, Unsupported> {
        let first = tangent::transform(&self.primal.body, &self.inputs())?;
        let own = self.primal.body.block.params.len();
        let inputs = [&self.inputs()[..], &first.block.params[own..]].concat();
        let first = pass::simplify::run(first);
        let mut body = tangent::transform(&first, &inputs)?;
        let all = body.block.params[own..].to_vec();
        let groups: Vec<Vec<Var>> = all.chunks(self.inputs().len().max(1)).map(<[Var]>::to_vec).collect();
        body.owned = self.changed_vars();
        body.owned.extend(groups.iter().flat_map(|dots| self.changed_dots(dots)));
        let body = self.run(body, trace);
        let mut emitter = self.emitter(&body, Own::Borrowed);
        self.place_params(&mut emitter);
        let roots = self.roots();
        let mut params = self.params();
        let suffixes = ["dot", "dot_2", "dot_dot"];
        for (dots, suffix) in groups.iter().zip(suffixes) {
            self.place_dots_at(&mut emitter, dots, &|root| roots.suffixed(root, suffix));
            params.extend(self.dot_params_named(&|root| roots.suffixed(root, suffix)));
        }
        let mut statements = emitter.statements();
        let (values, rest) = body.block.results.split_at(self.primal.body.block.results.len());
        let y = self.assemble(&self.primal.result, values, &mut emitter);
        let y = self.hold(&mut emitter, y, &mut statements);
        let mut tangents = Vec::new();
        let mut changes = self.value_changes(values);
        for (dots, group) in groups.iter().zip(rest.chunks((rest.len() / 3).max(1))) {
            let tangent = self.assemble_tangent(&group[..self.own_floats()], &mut emitter);
            tangents.push(self.hold(&mut emitter, tangent, &mut statements));
            changes.extend(self.tangent_changes(dots, group));
        }
        emitter.write_back(&changes, &mut statements);
        let (lifetimes, y_ty, tangent, asserts) =
            (self.lifetimes(), &self.function.result, self.result_tangent(), self.assertions());
        Ok(quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __jvp_jvp #lifetimes (#(#params),*) -> (#y_ty, #tangent, #tangent, #tangent) {
                #asserts
                #statements
                (#y, #(#tangents),*)
            }
        })
    }

    /// In place of the second derivative of a function of first order: what tells its caller why there is none. The bound
    /// never holds; since it has a lifetime, rustc looks at it where the function is called.
    pub(super) fn missing_hvp(&self) -> TokenStream {
        if !self.scalar_result() {
            return TokenStream::new();
        }
        let (lifetimes, params, dots, g, krate) =
            (self.lifetimes(), self.params(), self.dot_params(), self.gradient_type(), self.krate);
        let (vis, (_, self_ty, _)) = (&self.function.item.vis, self.generics());
        quote! {
            #[doc(hidden)]
            #vis fn hvp #lifetimes (#(#params,)* #(#dots),*) -> #g where for<'of> #self_ty: #krate::__private::SecondOrder<'of> {
                ::core::unimplemented!()
            }
        }
    }

    /// Says where the cotangents of the results are; the parameters for them.
    pub(super) fn place_seeds(&self, emitter: &mut Emitter, seeds: &[Var], name: &str) -> Vec<TokenStream> {
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
