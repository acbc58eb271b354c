//! The items that stand beside a differentiable function: its type and the functions of that type.

use super::body::{Emitter, Own, owned_type, raw_type};
use super::call::{Roots, leaf_tokens, surface_leaves};
use super::names::{self, Names};
use crate::diag::{Error, Errors};
use crate::ir::dim::Dim;
use crate::ir::{Body, Elem, Op, Ty, Var};
use crate::lower::Primal;
use crate::lower::value::{Access, Form, Value};
use crate::parse::function::{Function, Param};
use crate::parse::ty::Surface;
use crate::pass::adjoint::{self, Output, Seed};
use crate::pass::tangent::{self, Unsupported};
use crate::pass::{self, split};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::HashMap;

/// Everything emission works from.
pub struct Item<'i> {
    pub function: &'i Function,
    pub params: &'i [Param],
    pub result: &'i Surface,
    pub primal: &'i Primal,
    pub krate: &'i TokenStream,
}

/// The code, and the text of the IR on its way there.
pub struct Emitted {
    /// The body of the value function, if it is not the user's own.
    pub value: Option<TokenStream>,
    pub derivatives: TokenStream,
    pub trace: String,
}

/// A parameter with the tokens of the types that belong to it.
struct Slot {
    tangent: TokenStream,
    scalar: bool,
}

impl Item<'_> {
    pub fn emit(&self) -> Result<Emitted, Errors> {
        let mut trace = String::new();
        let value = self.primal.has_tensors.then(|| self.value(&mut trace));
        let reverse = self.reverse(&mut trace).map_err(unsupported)?;
        let gradient = if self.scalar_result() { self.gradient(&mut trace).map_err(unsupported)? } else { TokenStream::new() };
        let jvp = self.jvp(&mut trace).map_err(unsupported)?;
        let hvp = if self.scalar_result() && !has_calls(&self.primal.body) { self.hvp(&mut trace).map_err(unsupported)? } else { TokenStream::new() };
        self.check_lengths()?;
        let (impl_generics, self_ty, where_clause) = self.generics();
        let constants = self.constant_assertions();
        let derivatives = quote! {
            #constants
            #[automatically_derived]
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
            impl #impl_generics #self_ty #where_clause {
                #gradient
                #jvp
                #hvp
                #reverse
            }
        };
        let bytes = self.traits(&mut String::new()).map_err(unsupported)?;
        Ok(Emitted { value, derivatives: quote!(#derivatives #bytes), trace })
    }

    // --- signatures -----------------------------------------------------------------------------------

    fn slots(&self) -> impl Iterator<Item = (&Param, Slot)> {
        self.params.iter().filter(|param| param.active).map(|param| {
            let scalar = matches!(param.surface, Surface::Scalar(_));
            (param, Slot { tangent: self.tangent_type(&param.surface, referent(&param.ty)), scalar })
        })
    }

    fn tangent_type(&self, surface: &Surface, ty: &syn::Type) -> TokenStream {
        let krate = self.krate;
        match (surface, ty) {
            (Surface::Scalar(_) | Surface::Tensor(..), ty) => ty.to_token_stream(),
            (Surface::Array(..), ty) if surface.leaf().is_some() => ty.to_token_stream(),
            (Surface::Tuple(parts), syn::Type::Tuple(tuple)) => {
                let parts = parts.iter().zip(&tuple.elems).map(|(part, ty)| self.tangent_type(part, referent(ty)));
                quote!((#(#parts,)*))
            }
            (_, ty) => quote!(<#ty as #krate::Differentiable>::Tangent),
        }
    }

    /// `G`: the tangent of the one differentiable parameter, or a tuple of them.
    fn gradient_type(&self) -> TokenStream {
        let tangents: Vec<_> = self.slots().map(|(_, slot)| slot.tangent).collect();
        match &tangents[..] {
            [one] => one.clone(),
            all => quote!((#(#all),*)),
        }
    }

    fn generics(&self) -> (TokenStream, TokenStream, TokenStream) {
        let generics = self.without_lifetimes();
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let name = self.function.name();
        (quote!(#impl_generics), quote!(#name #type_generics), quote!(#where_clause))
    }

    fn without_lifetimes(&self) -> syn::Generics {
        let mut generics = self.function.item.sig.generics.clone();
        generics.params = generics.params.into_iter().filter(|param| !matches!(param, syn::GenericParam::Lifetime(_))).collect();
        generics
    }

    /// `<'a, 'b>`, on every method, since the type has none.
    fn lifetimes(&self) -> TokenStream {
        let lifetimes: Vec<_> = self.function.item.sig.generics.lifetimes().collect();
        if lifetimes.is_empty() { TokenStream::new() } else { quote!(<#(#lifetimes),*>) }
    }

    fn params(&self) -> Vec<TokenStream> {
        self.params
            .iter()
            .map(|Param { name, ty, .. }| quote!(#name: #ty))
            .collect()
    }

    fn names(&self) -> Vec<&Ident> {
        self.params.iter().map(|param| &param.name).collect()
    }

    fn roots(&self) -> Roots {
        Roots {
            params: self.params.iter().map(|param| param.name.clone()).collect(),
            by_ref: self.params.iter().map(|param| param.is_ref).collect(),
            scalar: self.params.iter().map(|param| matches!(param.surface, Surface::Scalar(_))).collect(),
            gone: false,
        }
    }

    fn scalar_result(&self) -> bool {
        matches!(self.result, Surface::Scalar(_))
    }

    // --- bodies ---------------------------------------------------------------------------------------

    fn run(&self, body: Body, trace: &mut String) -> Body {
        pass::run_all(body, &mut |pass, body| {
            trace.push_str(&format!("// {pass}\n{}\n", crate::ir::text::print(body)));
        })
    }

    fn emitter<'b>(&self, body: &'b Body, own: Own) -> Emitter<'b> {
        let mut names = Names::default();
        let roots = self.roots();
        for (k, param) in self.params.iter().enumerate() {
            for name in [param.name.to_string(), roots.bar(k).to_string(), roots.dot(k).to_string()] {
                names.reserve(&name);
            }
        }
        for name in ["saved", "inputs", "residuals"] {
            names.reserve(name);
        }
        let mut emitter = Emitter::new(body, self.krate.clone(), names);
        emitter.roots = roots;
        emitter.own = own;
        emitter
    }

    /// Says where the function's parameters are.
    fn place_params(&self, emitter: &mut Emitter) {
        for leaf in &self.primal.leaves {
            let param = &self.params[leaf.access.root];
            let name = &param.name;
            let is_ref = param.is_ref && leaf.access.path.is_empty() && leaf.form == Form::Plain;
            emitter.param(leaf.var, leaf_tokens(&quote!(#name), &leaf.access, leaf.form), is_ref);
        }
    }

    /// Says where cotangents are added to. Numbers are added at the end.
    fn place_bars(&self, emitter: &mut Emitter, accumulators: &[Option<Var>]) {
        let roots = self.roots();
        for (leaf, acc) in self.active_leaves().zip(accumulators) {
            let root = roots.bar(leaf.access.root);
            if let Some(acc) = acc {
                let is_ref = leaf.access.path.is_empty() && leaf.form == Form::Plain;
                emitter.param(*acc, leaf_tokens(&quote!(#root), &leaf.access, leaf.form), is_ref);
            }
        }
    }

    fn active_leaves(&self) -> impl Iterator<Item = &crate::lower::value::ParamLeaf> {
        self.primal.leaves.iter().filter(|leaf| leaf.active)
    }

    fn inputs(&self) -> Vec<Var> {
        self.active_leaves().map(|leaf| leaf.var).collect()
    }

    /// `x_bar += …` for the numbers among the cotangents.
    fn add_numbers(&self, emitter: &mut Emitter, accumulators: &[Option<Var>], bars: &[Var], out: &mut TokenStream) {
        let roots = self.roots();
        for ((leaf, acc), bar) in self.active_leaves().zip(accumulators).zip(bars) {
            if acc.is_none() && !is_zero(emitter.body(), *bar) {
                let root = roots.bar(leaf.access.root);
                let target = if leaf.access.path.is_empty() { quote!(*#root) } else { leaf.access.apply(quote!(#root)) };
                let value = emitter.value(*bar, out);
                out.extend(quote!(#target += #value;));
            }
        }
    }

    fn value(&self, trace: &mut String) -> TokenStream {
        let body = self.run(self.primal.body.clone(), trace);
        let mut emitter = self.emitter(&body, Own::Borrowed);
        self.place_params(&mut emitter);
        let mut statements = emitter.statements();
        let result = self.assemble(&self.primal.result, &body.block.results, &mut emitter, &mut statements);
        let asserts = self.assertions();
        quote!(#asserts #statements #result)
    }

    fn gradient(&self, trace: &mut String) -> Result<TokenStream, Unsupported> {
        let joint = adjoint::transform(&self.primal.body, &self.inputs(), Seed::One, Output::Accumulate)?;
        let accumulators = joint.accumulators;
        let body = self.run(joint.body, trace);
        let mut emitter = self.emitter(&body, Own::Borrowed);
        self.place_params(&mut emitter);
        self.place_bars(&mut emitter, &accumulators);
        let mut statements = emitter.statements();
        let count = self.primal.body.block.results.len();
        let value = self.assemble(&self.primal.result, &body.block.results[..count], &mut emitter, &mut statements);
        self.add_numbers(&mut emitter, &accumulators, &body.block.results[count..], &mut statements);

        let krate = self.krate;
        let asserts = self.assertions();
        let (lifetimes, params, names, y) = (self.lifetimes(), self.params(), self.names(), &self.function.result);
        let (g, bars) = (self.gradient_type(), self.bar_pattern());
        let name = self.function.name();
        let doc = format!("Adds the gradient of [`{name}`] to `g` and returns the value.");
        let into = format!("The value of [`{name}`]; `g` becomes the gradient.");
        let both = format!("The value and the gradient of [`{name}`].");
        let only = format!("The gradient of [`{name}`].");
        let gradient = format!("`g` becomes the gradient of [`{name}`].");
        let vis = &self.function.item.vis;
        Ok(quote! {
            #[doc = #doc]
            #[inline]
            #vis fn accumulate_grad #lifetimes (#(#params,)* #bars: &mut #g) -> #y {
                #asserts
                #statements
                #value
            }
            #[doc = #into]
            #[inline]
            #vis fn value_and_grad_into #lifetimes (#(#params,)* g: &mut #g) -> #y {
                #krate::__private::Zero::set_zero(g);
                Self::accumulate_grad(#(#names,)* g)
            }
            #[doc = #gradient]
            #[inline]
            #vis fn grad_into #lifetimes (#(#params,)* g: &mut #g) {
                Self::value_and_grad_into(#(#names,)* g);
            }
            #[doc = #both]
            #[inline]
            #vis fn value_and_grad #lifetimes (#(#params),*) -> (#y, #g) {
                let mut g = <#g as #krate::__private::Zero>::ZERO;
                let y = Self::accumulate_grad(#(#names,)* &mut g);
                (y, g)
            }
            #[doc = #only]
            #[inline]
            #vis fn grad #lifetimes (#(#params),*) -> #g {
                Self::value_and_grad(#(#names),*).1
            }
        })
    }

    /// The name of the gradient parameter, or a pattern that takes a tuple of gradients apart.
    fn bar_pattern(&self) -> TokenStream {
        let roots = self.roots();
        let bars: Vec<_> = self.params.iter().enumerate().filter(|(_, param)| param.active).map(|(k, _)| roots.bar(k)).collect();
        match &bars[..] {
            [one] => quote!(#one),
            all => quote!((#(#all),*)),
        }
    }

    fn bar_params(&self) -> Vec<TokenStream> {
        let roots = self.roots();
        let slots: HashMap<String, TokenStream> = self.slots().map(|(param, slot)| (param.name.to_string(), slot.tangent)).collect();
        self.params.iter().enumerate().filter(|(_, param)| param.active).map(|(k, param)| {
            let (bar, ty) = (roots.bar(k), &slots[&param.name.to_string()]);
            quote!(#bar: &mut #ty)
        }).collect()
    }

    fn jvp(&self, trace: &mut String) -> Result<TokenStream, Unsupported> {
        let jvp = tangent::transform(&self.primal.body, &self.inputs())?;
        let own = self.primal.body.block.params.len();
        let dots = jvp.block.params[own..].to_vec();
        let body = self.run(jvp, trace);
        let mut emitter = self.emitter(&body, Own::Borrowed);
        self.place_params(&mut emitter);
        self.place_dots(&mut emitter, &dots);
        let mut statements = emitter.statements();
        let count = self.primal.body.block.results.len();
        let (values, tangents) = body.block.results.split_at(count);
        let y = self.assemble(&self.primal.result, values, &mut emitter, &mut statements);
        let y_dot = self.assemble_tangent(tangents, &mut emitter, &mut statements);
        let asserts = self.assertions();
        let (lifetimes, params, dots) = (self.lifetimes(), self.params(), self.dot_params());
        let (y_ty, tangent_ty) = (&self.function.result, self.result_tangent());
        let name = self.function.name();
        let doc = format!("The value of [`{name}`] and its derivative in the direction of the given tangents.");
        let vis = &self.function.item.vis;
        Ok(quote! {
            #[doc = #doc]
            #[inline]
            #vis fn jvp #lifetimes (#(#params,)* #(#dots),*) -> (#y_ty, #tangent_ty) {
                #asserts
                #statements
                (#y, #y_dot)
            }
        })
    }

    fn place_dots(&self, emitter: &mut Emitter, dots: &[Var]) {
        let roots = self.roots();
        for (leaf, dot) in self.active_leaves().zip(dots) {
            let root = roots.dot(leaf.access.root);
            let scalar = roots.scalar[leaf.access.root];
            let is_ref = !scalar && leaf.access.path.is_empty() && leaf.form == Form::Plain;
            emitter.param(*dot, leaf_tokens(&quote!(#root), &leaf.access, leaf.form), is_ref);
        }
    }

    fn dot_params(&self) -> Vec<TokenStream> {
        let roots = self.roots();
        let at = |name: &Ident| self.params.iter().position(|param| param.name == *name).unwrap_or(0);
        self.slots()
            .map(|(param, slot)| {
                let (dot, ty) = (roots.dot(at(&param.name)), slot.tangent);
                if slot.scalar { quote!(#dot: #ty) } else { quote!(#dot: &#ty) }
            })
            .collect()
    }

    /// Forward over reverse: the tangent of the gradient.
    fn hvp(&self, trace: &mut String) -> Result<TokenStream, Unsupported> {
        let joint = adjoint::transform(&self.primal.body, &self.inputs(), Seed::One, Output::Fresh)?;
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
        let mut statements = emitter.statements();
        let roots = self.roots();
        let mut writes = TokenStream::new();
        for (leaf, bar) in self.active_leaves().zip(&body.block.results) {
            let root = roots.bar(leaf.access.root);
            let target = leaf_tokens(&quote!(#root), &leaf.access, leaf.form);
            let value = emitter.value(*bar, &mut statements);
            writes.extend(quote!(#target = #value;));
        }
        let krate = self.krate;
        let (lifetimes, params, dots, g, bars) = (self.lifetimes(), self.params(), self.dot_params(), self.gradient_type(), self.bar_pattern());
        let mutable = self.mutable_bars();
        let asserts = self.assertions();
        let name = self.function.name();
        let doc = format!("The Hessian of [`{name}`] times the given tangents (forward over reverse).");
        let vis = &self.function.item.vis;
        Ok(quote! {
            #[doc = #doc]
            #[inline]
            #vis fn hvp #lifetimes (#(#params,)* #(#dots),*) -> #g {
                #asserts
                let #mutable = <#g as #krate::__private::Zero>::ZERO;
                #statements
                #writes
                #bars
            }
        })
    }

    fn mutable_bars(&self) -> TokenStream {
        let roots = self.roots();
        let bars: Vec<_> = self.params.iter().enumerate().filter(|(_, param)| param.active).map(|(k, _)| roots.bar(k)).collect();
        match &bars[..] {
            [one] => quote!(mut #one),
            all => quote!((#(mut #all),*)),
        }
    }

    /// The two sweeps apart: `__forward` and `__reverse` for callers, who have the arguments at hand for both;
    /// `forward`, `pullback` and `vjp` for users, whose residuals own what the reverse sweep reads.
    fn reverse(&self, trace: &mut String) -> Result<TokenStream, Unsupported> {
        let sweeps = self.sweeps(trace)?;
        let borrowed = self.borrowed_sweeps(&sweeps);
        let owned = self.owned_sweeps(&sweeps);
        Ok(quote!(#borrowed #owned))
    }

    /// The forward sweep: its statements with `saved` bound, and the value.
    fn forward_sweep(&self, sweeps: &Sweeps, own: Own) -> (TokenStream, TokenStream) {
        let mut emitter = self.emitter(&sweeps.forward, own);
        self.place_params(&mut emitter);
        let mut statements = emitter.statements();
        let count = self.primal.body.block.results.len();
        let (values, saved) = sweeps.forward.block.results.split_at(count);
        // Residuals first: a result may be moved out of the place they are copied from.
        let saved: Vec<_> = saved.iter().map(|var| emitter.value(*var, &mut statements)).collect();
        statements.extend(quote!(let saved = (#(#saved,)*);));
        let value = self.assemble(&self.primal.result, values, &mut emitter, &mut statements);
        (statements, value)
    }

    /// The reverse sweep with the places of the primal's parameters as given; also the parameters for the seeds.
    fn reverse_sweep(&self, sweeps: &Sweeps, own: Own, place: &mut dyn FnMut(&mut Emitter)) -> (TokenStream, Seeds) {
        let krate = self.krate;
        let reverse = &sweeps.reverse;
        let mut emitter = self.emitter(reverse, own);
        emitter.roots.gone = own == Own::Owned;
        place(&mut emitter);
        let mut take_apart = Vec::new();
        for (var, _) in &sweeps.saved {
            let name = emitter.names.local(reverse.data(*var).hint.as_deref().unwrap_or("saved"));
            if matches!(reverse.ty(*var).elem, Elem::Data(_)) {
                emitter.param_data(*var, quote!(#name));
            } else {
                emitter.param(*var, quote!(#name), true);
            }
            take_apart.push(name);
        }
        let mut seeds = Seeds::default();
        let leaves = surface_leaves(self.result, &Access::root(0)).into_iter().filter(|leaf| leaf.2);
        for (seed, (access, form, _)) in sweeps.seeds.iter().zip(leaves) {
            let ty = reverse.ty(*seed);
            let (name, raw) = (emitter.names.local("y_bar"), raw_type(ty, krate));
            let given = leaf_tokens(&quote!(seed), &access, form);
            let reference = access.path.is_empty() && form == Form::Plain;
            if ty.is_scalar() {
                seeds.params.push(quote!(#name: #raw));
                seeds.args.push(given);
            } else {
                seeds.params.push(quote!(#name: &#raw));
                seeds.args.push(if reference { given } else { quote!(&#given) });
            }
            emitter.param(*seed, quote!(#name), !ty.is_scalar());
            seeds.names.push(name);
        }
        self.place_bars(&mut emitter, &sweeps.accumulators);
        let mut statements = quote!(let (#(#take_apart,)*) = saved;);
        statements.extend(emitter.statements());
        self.add_numbers(&mut emitter, &sweeps.accumulators, &reverse.block.results, &mut statements);
        (statements, seeds)
    }

    fn borrowed_sweeps(&self, sweeps: &Sweeps) -> TokenStream {
        let (statements, value) = self.forward_sweep(sweeps, Own::Borrowed);
        let (reverse, seeds) = self.reverse_sweep(sweeps, Own::Borrowed, &mut |emitter| self.place_params(emitter));
        let saved = sweeps.saved_type(Own::Borrowed, self.krate);
        let (lifetimes, params, y, asserts, bars) =
            (self.lifetimes(), self.params(), &self.function.result, self.assertions(), self.bar_params());
        let seeds = seeds.params;
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __forward #lifetimes (#(#params),*) -> (#y, #saved) {
                #asserts
                #statements
                (#value, saved)
            }
            #[doc(hidden)]
            #[inline]
            pub fn __reverse #lifetimes (#(#params,)* saved: &#saved, #(#seeds,)* #(#bars),*) {
                #reverse
            }
        }
    }

    fn owned_sweeps(&self, sweeps: &Sweeps) -> TokenStream {
        let krate = self.krate;
        let (statements, value) = self.forward_sweep(sweeps, Own::Owned);
        let mut inputs = Vec::new();
        let (reverse, seeds) = self.reverse_sweep(sweeps, Own::Owned, &mut |emitter| {
            for leaf in &sweeps.read {
                let name = emitter.names.local(sweeps.reverse.data(leaf.var).hint.as_deref().unwrap_or("x"));
                emitter.param(leaf.var, quote!(#name), true);
                inputs.push(name);
            }
        });
        let copies = sweeps.read.iter().map(|leaf| {
            let param = &self.params[leaf.access.root];
            let (name, root) = (&param.name, leaf.access.path.is_empty());
            let value = leaf_tokens(&quote!(#name), &leaf.access, leaf.form);
            if root && param.is_ref && leaf.form == Form::Plain { quote!(*#value) } else { value }
        });
        let residuals = sweeps.residuals_type(krate);
        let (lifetimes, params, args, y, g, asserts) =
            (self.lifetimes(), self.params(), self.names(), &self.function.result, self.gradient_type(), self.assertions());
        let (bar_params, bar_names, bars, mutable) = (self.bar_params(), self.bar_names(), self.bar_pattern(), self.mutable_bars());
        let tangent = self.result_tangent();
        let y_bar = if self.scalar_result() { quote!(#tangent) } else { quote!(&#tangent) };
        let (seed_params, seed_args) = (seeds.params, seeds.args);
        let captures = self.captures();
        let name = self.function.name();
        let doc_forward = format!("The value of [`{name}`] and what its reverse sweep needs.");
        let doc_vjp = format!("The value of [`{name}`] and its pullback, which may be called many times.");
        let vis = &self.function.item.vis;
        quote! {
            #[doc = #doc_forward]
            #[inline]
            #vis fn forward #lifetimes (#(#params),*) -> (#y, #residuals) {
                #asserts
                let inputs = (#(#copies,)*);
                #statements
                (#value, (saved, inputs))
            }
            #[doc(hidden)]
            #[inline]
            pub fn __pullback(residuals: &#residuals, #(#seed_params,)* #(#bar_params),*) {
                let (saved, (#(#inputs,)*)) = residuals;
                #reverse
            }
            /// The cotangents of the inputs, from those of the results.
            #[inline]
            #vis fn pullback(residuals: &#residuals, seed: #y_bar) -> #g {
                let #mutable = <#g as #krate::__private::Zero>::ZERO;
                Self::__pullback(residuals, #(#seed_args,)* #(&mut #bar_names),*);
                #bars
            }
            #[doc = #doc_vjp]
            #[inline]
            #vis fn vjp #lifetimes (#(#params),*) -> (#y, impl Fn(#y_bar) -> #g + #captures) {
                let (y, residuals) = Self::forward(#(#args),*);
                (y, move |seed: #y_bar| Self::pullback(&residuals, seed))
            }
        }
    }

    fn captures(&self) -> TokenStream {
        let names: Vec<_> = self
            .function
            .item
            .sig
            .generics
            .params
            .iter()
            .filter_map(|param| match param {
                syn::GenericParam::Type(param) => Some(&param.ident),
                syn::GenericParam::Const(param) => Some(&param.ident),
                syn::GenericParam::Lifetime(_) => None,
            })
            .collect();
        quote!(use<#(#names),*>)
    }

    fn bar_names(&self) -> Vec<Ident> {
        let roots = self.roots();
        self.params.iter().enumerate().filter(|(_, param)| param.active).map(|(k, _)| roots.bar(k)).collect()
    }

    fn sweeps(&self, trace: &mut String) -> Result<Sweeps, Unsupported> {
        let joint = adjoint::transform(&self.primal.body, &self.inputs(), Seed::Parameter, Output::Accumulate)?;
        let halves = split::split(&joint, &self.primal.body);
        let forward = self.run(halves.forward, trace);
        let reverse = self.run(halves.reverse, trace);
        let mut used = std::collections::HashSet::new();
        reverse.block.for_each_use(&mut |var| {
            used.insert(var);
        });
        let read = self.primal.leaves.iter().filter(|leaf| used.contains(&leaf.var)).cloned().collect();
        let saved = halves.residuals.iter().map(|var| (*var, reverse.ty(*var).clone())).collect();
        Ok(Sweeps { forward, reverse, read, saved, accumulators: joint.accumulators, seeds: joint.seeds })
    }

    /// The traits that name residuals and sizes.
    fn traits(&self, trace: &mut String) -> Result<TokenStream, Unsupported> {
        let krate = self.krate;
        let sweeps = self.sweeps(trace)?;
        let (residuals, saved) = (sweeps.residuals_type(krate), sweeps.saved_type(Own::Borrowed, krate));
        let buffers: Vec<_> = [&sweeps.forward, &sweeps.reverse]
            .into_iter()
            .flat_map(|body| body.block.eqns.iter().filter(|eqn| matches!(eqn.op, Op::Zero | Op::Copy)).map(move |eqn| body.ty(eqn.outs[0])))
            .filter(|ty| !ty.is_scalar())
            .map(|ty| raw_type(ty, krate))
            .collect();
        let (impl_generics, self_ty, where_clause) = self.generics();
        Ok(quote! {
            #[automatically_derived]
            #[allow(warnings, clippy::all, clippy::pedantic)]
            impl #impl_generics #krate::DifferentiableFn for #self_ty #where_clause {
                type Residuals = #residuals;
                const RESIDUAL_BYTES: usize = ::core::mem::size_of::<Self::Residuals>();
                const WORKSPACE_BYTES: usize = 0 #(+ ::core::mem::size_of::<#buffers>())*;
            }
            #[automatically_derived]
            #[allow(warnings, clippy::all, clippy::pedantic)]
            impl #impl_generics #krate::__private::Sweeps for #self_ty #where_clause {
                type Saved = #saved;
            }
        })
    }

    // --- results --------------------------------------------------------------------------------------

    fn result_tangent(&self) -> TokenStream {
        self.tangent_type(self.result, referent(&self.function.result))
    }

    /// The result from its leaves.
    fn assemble(&self, value: &Value, results: &[Var], emitter: &mut Emitter, out: &mut TokenStream) -> TokenStream {
        let mut rest = results.iter().copied();
        emitter.assemble(value, &mut rest, out)
    }

    /// The tangent of the result: of the same structure, unless it is a struct, whose tangent is another type.
    fn assemble_tangent(&self, tangents: &[Var], emitter: &mut Emitter, out: &mut TokenStream) -> TokenStream {
        let krate = self.krate;
        let leaves: Vec<_> = surface_leaves(self.result, &Access::root(0)).into_iter().filter(|leaf| leaf.2).collect();
        if let ([only], [(access, form, _)]) = (tangents, &leaves[..]) {
            if access.path.is_empty() {
                let value = emitter.value(*only, out);
                return if *form == Form::Tensor { quote!(#krate::Tensor(#value)) } else { value };
            }
        }
        let ty = self.result_tangent();
        let name = emitter.names.local("result_dot");
        let mut writes = TokenStream::new();
        // Integers in the result are no tangents, but stand among the leaves of the value.
        let mut tangents = tangents.iter();
        for (access, form, _) in &leaves {
            let Some(var) = tangents.next() else { break };
            let (target, value) = (leaf_tokens(&quote!(#name), access, *form), emitter.value(*var, out));
            writes.extend(quote!(#target = #value;));
        }
        quote!({ let mut #name = <#ty as #krate::__private::Zero>::ZERO; #writes #name })
    }

    // --- what rustc decides ---------------------------------------------------------------------------

    /// Comparisons of sizes that involve generic parameters: decided when the function is instantiated.
    fn assertions(&self) -> TokenStream {
        self.obligations(true)
            .map(|(span, condition, message)| quote_spanned!(span=> const { ::core::assert!(#condition, #message) };))
            .collect()
    }

    /// Comparisons of constants: decided at once.
    fn constant_assertions(&self) -> TokenStream {
        self.obligations(false)
            .map(|(span, condition, message)| quote_spanned!(span=> const _: () = ::core::assert!(#condition, #message);))
            .collect()
    }

    fn obligations(&self, generic: bool) -> impl Iterator<Item = (Span, TokenStream, String)> {
        let own = self.own_names();
        self.primal.obligations.iter().filter_map(move |obligation| {
            let depends = obligation.left.atoms().chain(obligation.right.atoms()).any(|atom| own.iter().any(|name| mentions(atom, name)));
            if depends != generic {
                return None;
            }
            let (left, right) = (super::dim_tokens(&obligation.left), super::dim_tokens(&obligation.right));
            let span = obligation.span;
            let condition = quote_spanned!(span=> #left == #right);
            Some((span, condition, obligation.message.replace('{', "{{").replace('}', "}}")))
        })
    }

    fn own_names(&self) -> Vec<String> {
        let params = self.function.item.sig.generics.params.iter();
        params
            .filter_map(|param| match param {
                syn::GenericParam::Const(param) => Some(param.ident.to_string()),
                syn::GenericParam::Type(param) => Some(param.ident.to_string()),
                syn::GenericParam::Lifetime(_) => None,
            })
            .collect()
    }

    /// On stable Rust a length may not be computed from a generic parameter.
    fn check_lengths(&self) -> Result<(), Errors> {
        let own = self.own_names();
        let computed = |dim: &Dim| {
            dim.as_literal().is_none() && dim.as_atom().is_none() && dim.atoms().any(|atom| own.iter().any(|name| mentions(atom, name)))
        };
        let mut errors = Errors::default();
        for eqn in &self.primal.body.block.eqns {
            for out in &eqn.outs {
                if let Some(dim) = self.primal.body.ty(*out).dims.iter().find(|dim| computed(dim)) {
                    errors.push(
                        Error::at(eqn.span, format!("the size `{dim}` is computed from a generic parameter"))
                            .note("on stable Rust an array length may not be")
                            .help("make it a const parameter of its own: the equality is checked when the function is used"),
                    );
                }
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

struct Sweeps {
    forward: Body,
    reverse: Body,
    /// The parameters that the reverse sweep reads.
    read: Vec<crate::lower::value::ParamLeaf>,
    /// The residuals.
    saved: Vec<(Var, Ty)>,
    accumulators: Vec<Option<Var>>,
    seeds: Vec<Var>,
}

impl Sweeps {
    fn saved_type(&self, own: Own, krate: &TokenStream) -> TokenStream {
        let types = self.saved.iter().map(|(_, ty)| match own {
            Own::Borrowed => raw_type(ty, krate),
            Own::Owned => owned_type(ty, krate),
        });
        quote!((#(#types,)*))
    }

    fn residuals_type(&self, krate: &TokenStream) -> TokenStream {
        let saved = self.saved_type(Own::Owned, krate);
        let inputs = self.read.iter().map(|leaf| raw_type(self.reverse.ty(leaf.var), krate));
        quote!((#saved, (#(#inputs,)*)))
    }
}

/// The cotangents of the results as parameters of a reverse sweep.
#[derive(Default)]
struct Seeds {
    params: Vec<TokenStream>,
    /// The same, taken from `seed`, the cotangent of the whole result.
    args: Vec<TokenStream>,
    names: Vec<Ident>,
}

fn mentions(atom: &str, name: &str) -> bool {
    atom.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

fn unsupported(unsupported: Unsupported) -> Errors {
    Error::at(unsupported.span, format!("{} cannot be differentiated yet", unsupported.what))
        .help("loop over a range of literals or of one const parameter, `0..N`, so that the values can be kept")
        .into()
}

pub fn referent(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Reference(reference) => referent(&reference.elem),
        other => other,
    }
}

fn has_calls(body: &Body) -> bool {
    fn inside(block: &crate::ir::Block) -> bool {
        block.eqns.iter().any(|eqn| matches!(eqn.op, Op::Call(_)) || eqn.regions.iter().any(inside))
    }
    inside(&body.block)
}

fn is_zero(body: &Body, var: Var) -> bool {
    body.block.eqns.iter().any(|eqn| eqn.outs == [var] && matches!(eqn.op, Op::Zero))
}

/// The type beside the function. What a public function keeps for its reverse sweep names the types of those it
/// calls, so that all of them are `pub`, and only their import is as visible as the function.
pub fn marker(function: &Function) -> TokenStream {
    let (vis, name) = (&function.item.vis, function.name());
    let mut generics = function.item.sig.generics.clone();
    generics.where_clause = None;
    generics.params = generics
        .params
        .into_iter()
        .filter(|param| !matches!(param, syn::GenericParam::Lifetime(_)))
        .map(|mut param| {
            if let syn::GenericParam::Type(param) = &mut param {
                param.bounds.clear();
                param.colon_token = None;
            }
            param
        })
        .collect();
    let types: Vec<_> = generics.type_params().map(|param| &param.ident).collect();
    let field = if types.is_empty() { TokenStream::new() } else { quote!(_types: ::core::marker::PhantomData<(#(#types,)*)>) };
    let doc = format!("The derivatives of the function [`{name}`]({name}()).");
    let module = names::marker_module(name);
    quote! {
        #[doc(hidden)]
        mod #module {
            #[allow(non_camel_case_types, dead_code, missing_docs)]
            pub struct #name #generics { #field }
        }
        #[doc = #doc]
        #[allow(unused_imports)]
        #vis use #module::#name;
    }
}

/// The functions of a type whose function has errors: right types, no bodies.
pub fn stubs(function: &Function, params: &[Param], result: &Surface, krate: &TokenStream) -> TokenStream {
    let primal = Primal {
        body: Body::default(),
        leaves: Vec::new(),
        result: Value::unit(),
        obligations: Vec::new(),
        has_tensors: false,
    };
    let item = Item { function, params, result, primal: &primal, krate };
    let (impl_generics, self_ty, where_clause) = item.generics();
    let (lifetimes, args, dots, y, g, tangent) =
        (item.lifetimes(), item.params(), item.dot_params(), &function.result, item.gradient_type(), item.result_tangent());
    let y_bar = if item.scalar_result() { quote!(#tangent) } else { quote!(&#tangent) };
    let vis = &function.item.vis;
    let scalar = item.scalar_result().then(|| {
        quote! {
            #vis fn accumulate_grad #lifetimes (#(#args,)* g: &mut #g) -> #y { ::core::unimplemented!() }
            #vis fn value_and_grad_into #lifetimes (#(#args,)* g: &mut #g) -> #y { ::core::unimplemented!() }
            #vis fn grad_into #lifetimes (#(#args,)* g: &mut #g) { ::core::unimplemented!() }
            #vis fn value_and_grad #lifetimes (#(#args),*) -> (#y, #g) { ::core::unimplemented!() }
            #vis fn grad #lifetimes (#(#args),*) -> #g { ::core::unimplemented!() }
            #vis fn hvp #lifetimes (#(#args,)* #(#dots),*) -> #g { ::core::unimplemented!() }
        }
    });
    let captures = item.captures();
    quote! {
        #[allow(warnings)]
        impl #impl_generics #self_ty #where_clause {
            #scalar
            #vis fn jvp #lifetimes (#(#args,)* #(#dots),*) -> (#y, #tangent) { ::core::unimplemented!() }
            #vis fn forward #lifetimes (#(#args),*) -> (#y, ()) { ::core::unimplemented!() }
            #vis fn pullback(residuals: &(), y_bar: #y_bar) -> #g { ::core::unimplemented!() }
            #vis fn vjp #lifetimes (#(#args),*) -> (#y, impl Fn(#y_bar) -> #g + #captures) {
                (::core::unimplemented!(), |_: #y_bar| -> #g { ::core::unimplemented!() })
            }
            pub fn __forward #lifetimes (#(#args),*) -> (#y, ()) { ::core::unimplemented!() }
        }
        #[allow(warnings)]
        impl #impl_generics #krate::DifferentiableFn for #self_ty #where_clause {
            type Residuals = ();
            const RESIDUAL_BYTES: usize = 0;
            const WORKSPACE_BYTES: usize = 0;
        }
        #[allow(warnings)]
        impl #impl_generics #krate::__private::Sweeps for #self_ty #where_clause {
            type Saved = ();
        }
    }
}
