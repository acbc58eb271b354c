//! Reverse mode in two halves: the forward sweep, its residuals, and the reverse sweep.

use super::bodies::{Planned, Sweeps};
use super::body::{Emitter, ResidualOwner};
use super::borrowing::Keeping;
use super::call::calls_any;
use super::item::Item;
use super::leaves::{gathered, leaf_tokens, no_seed, split_tokens};
use super::names;
use super::residuals::listed;
use super::types::seed_type;
use super::vectorized::{Function, Vectorized};
use crate::ir::interface::Along;
use crate::ir::{Elem, Ty};
use crate::layout::{Form, Layout, Leaf, ParamLeaf};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

impl Item<'_> {
    /// The forward sweep: its statements, and the value. For users they bind `saved`; for callers they write to it what
    /// is not made there from the start.
    pub(super) fn forward_sweep(
        &self,
        sweeps: &Sweeps,
        owner: ResidualOwner,
    ) -> (TokenStream, TokenStream, Vec<Ident>) {
        let Planned { body, interface, plan } = &sweeps.forward;
        let results = &body.block.results;
        let values = self.returned_values(interface, results, Along::NONE);
        let saved = sweeps.handed_over();
        let plan = match owner {
            ResidualOwner::Caller => plan,
            ResidualOwner::Residuals => &sweeps.owned_plan,
        };
        let mut emitter = self.emitter(body, plan, owner);
        self.place_params(&mut emitter);
        for destination in &plan.destinations {
            let hint = emitter.hint(destination.result);
            let name = emitter.names.local(if hint == "t" { "saved" } else { &hint });
            emitter.destinations.push(name);
        }
        let mut statements = emitter.statements();
        // Residuals first: a result may be moved out of the place they are copied from. Numbers that are read there are
        // read before it is moved away.
        if sweeps.saved.iter().any(|(_, ty)| ty.is_dynamic()) || emitter.moves_arrays(&values) {
            emitter.settle(&mut statements);
        }
        if owner == ResidualOwner::Residuals {
            let saved: Vec<_> = saved.iter().map(|var| emitter.value(*var)).collect();
            let (place, saved) = (names::ours("saved"), sweeps.packed(&saved, &listed));
            statements.extend(quote!(let #place = #saved;));
        }
        for (k, destination) in plan.destinations.iter().enumerate().filter(|(_, destination)| !destination.in_place) {
            let (value, name) = (emitter.value(destination.result), &emitter.destinations[k]);
            statements.extend(quote!(*#name = #value;));
        }
        let value = self.assemble(&self.primal.result, &values, &mut emitter);
        let value = self.hold(&mut emitter, value, &mut statements);
        let enums = self.whole_changes(interface, results, &mut emitter, &mut statements);
        let enums = emitter.hold_wholes(enums, &mut statements);
        emitter.write_back(&self.value_changes(interface, results, Along::NONE), &mut statements);
        statements.extend(enums);
        let lists = self.error_lists(&[&statements, &value]);
        let statements = quote!(#lists #statements);
        (statements, value, emitter.destinations)
    }

    /// The reverse sweep with the places of the primal's parameters as given; also the parameters for the seeds.
    pub(super) fn reverse_sweep(
        &self,
        sweeps: &Sweeps,
        owner: ResidualOwner,
        place: &mut dyn FnMut(&mut Emitter),
    ) -> (TokenStream, Seeds) {
        let Planned { body: reverse, interface, plan } = &sweeps.reverse;
        let mut emitter = match owner {
            ResidualOwner::Caller => self.emitter(reverse, plan, owner),
            ResidualOwner::Residuals => self.emitter_of_leaves(reverse, plan, owner),
        };
        emitter.roots.args_available = owner == ResidualOwner::Caller;
        emitter.has_changed = false;
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
        let seeds = self.seed_params(sweeps, &mut emitter);
        let accumulators = interface.accumulators(Along::NONE, self.active_leaves().count());
        self.place_bars(&mut emitter, &accumulators);
        let place = names::ours("saved");
        let mut statements = sweeps.taken_apart(&take_apart, &quote!(#place));
        statements.extend(emitter.statements());
        if !self.primal.inout.is_empty() {
            emitter.settle(&mut statements);
        }
        let results = &reverse.block.results;
        let bars = interface.outputs_of(results, |role| role.is_cotangent());
        self.add_numbers(&mut emitter, &accumulators, &bars, &mut statements);
        emitter.write_back(&self.cotangent_changes(interface, results, Along::NONE), &mut statements);
        (statements, seeds)
    }

    /// The parameters for the cotangents of the results.
    fn seed_params(&self, sweeps: &Sweeps, emitter: &mut Emitter) -> Seeds {
        let mut seeds = Seeds::default();
        let leaves = Layout::of(self.result).float_leaves();
        let Planned { body, interface, .. } = &sweeps.reverse;
        let given = interface.inputs_of(|role| role.is_cotangent() && !role.is_of_input());
        let whole = names::ours("seed").to_token_stream();
        for (seed, leaf) in given.iter().zip(leaves.map(Leaf::of_tangent)) {
            let (ty, Leaf { access, form, active, .. }) = (body.ty(*seed), &leaf);
            let (name, given_ty) = (emitter.names.local("y_bar"), seed_type(ty, self.krate));
            let given = match split_tokens(&whole, access, *form) {
                _ if !active => no_seed(&whole, &leaf, self.krate),
                Some((rows, part)) => gathered(&rows, part, ty, self.krate),
                None => leaf_tokens(&whole, access, *form),
            };
            let reference = access.path.is_empty() && *form == Form::Plain;
            if ty.is_scalar() {
                seeds.params.push(quote!(#name: #given_ty));
                seeds.args.push(given);
            } else {
                seeds.params.push(quote!(#name: &#given_ty));
                seeds.args.push(if reference { given } else { quote!(&#given) });
            }
            emitter.param(*seed, quote!(#name), !ty.is_scalar());
            seeds.names.push(name);
        }
        seeds
    }

    /// The two sweeps apart: for callers, who have the arguments at hand for both, and for users, whose residuals own what
    /// the reverse sweep reads. If both read the same leaves, the reverse sweep is a function of those; `for_users` are
    /// the sweeps where they differ.
    pub(super) fn sweep_functions(
        &self,
        sweeps: &Sweeps,
        for_users: Option<&Sweeps>,
        keeping: &Keeping,
    ) -> (TokenStream, TokenStream, TokenStream) {
        let shared = for_users.is_none() && self.is_shared(sweeps);
        let (callers, vectorized) = self.borrowed_sweeps(sweeps, shared);
        let for_users = for_users.unwrap_or(sweeps);
        let users = match keeping {
            Keeping::Always => self.owned_sweeps(for_users, shared, None),
            Keeping::If(_) => {
                let owned = self.owned_sweeps(for_users, shared, Some(self.if_kept()));
                let borrowing = self.borrowing_vjp(sweeps);
                quote!(#owned #borrowing)
            }
            Keeping::Never => {
                let (missing, borrowing) = (self.without_residuals(), self.borrowing_vjp(sweeps));
                quote!(#missing #borrowing)
            }
        };
        (callers, users, vectorized)
    }

    /// Whether the reverse sweep reads nothing but leaves that are there as they are, and calls nothing.
    fn is_shared(&self, sweeps: &Sweeps) -> bool {
        let calls = sweeps.saved.iter().any(|(_, ty)| matches!(ty.elem, Elem::Data(_)));
        !calls
            && !sweeps.borrows
            && !self.changes()
            && !calls_any(&sweeps.reverse.body.block)
            && sweeps.read.iter().all(ParamLeaf::is_there)
    }

    fn borrowed_sweeps(&self, sweeps: &Sweeps, shared: bool) -> (TokenStream, TokenStream) {
        let (statements, value, destinations) = self.forward_sweep(sweeps, ResidualOwner::Caller);
        let (krate, place) = (self.krate, names::ours("saved"));
        let saved = quote!(<Self as #krate::__private::Sweeps>::Saved);
        let (lifetimes, params, y, asserts, bars) =
            (self.lifetimes(), self.params(), &self.function.result, self.assertions(), self.bar_params());
        let (unchanged, places) = (self.unchanged_params(), sweeps.taken_apart(&destinations, &quote!(#place)));
        let kept = self.lifetimes_of(&unchanged);
        let fits = self.saved(sweeps.saved.iter().map(|(_, ty)| ty), &saved);
        let body = (asserts, quote!(#fits #places #statements #value));
        let all = [&params[..], &[quote!(#place: &mut #saved)]].concat();
        let vectorized = self.vectorized(Function::Forward, &sweeps.forward, &all, &y.to_token_stream(), body);
        let Vectorized { body, method, mut implementation } = vectorized;
        let forward = quote! {
            #method
            #[doc(hidden)]
            #[inline]
            pub fn __forward #lifetimes (#(#params,)* #place: &mut #saved) -> #y {
                #body
            }
        };
        if !shared {
            let (reverse, seeds) =
                self.reverse_sweep(sweeps, ResidualOwner::Caller, &mut |emitter| self.place_params(emitter));
            let seeds = seeds.params;
            let all = [&unchanged[..], &[quote!(#place: &#saved)], &seeds, &bars].concat();
            let vectorized =
                self.vectorized(Function::Reverse, &sweeps.reverse, &all, &quote!(()), (TokenStream::new(), reverse));
            let (reverse, method) = (vectorized.body, vectorized.method);
            implementation.extend(vectorized.implementation);
            let functions = quote! {
                #forward
                #method
                #[doc(hidden)]
                #[inline]
                pub fn __reverse #kept (#(#unchanged,)* #place: &#saved, #(#seeds,)* #(#bars),*) {
                    #reverse
                }
            };
            return (functions, implementation);
        }
        let mut inputs = Vec::new();
        let (reverse, seeds) = self.reverse_sweep(sweeps, ResidualOwner::Residuals, &mut |emitter| {
            for leaf in &sweeps.read {
                let ty = sweeps.reverse.body.ty(leaf.var);
                let name = emitter.names.local(sweeps.reverse.body.data(leaf.var).hint.as_deref().unwrap_or("x"));
                emitter.param(leaf.var, quote!(#name), !ty.is_scalar());
                let given = seed_type(ty, krate);
                inputs.push(if ty.is_scalar() { quote!(#name: #given) } else { quote!(#name: &#given) });
            }
        });
        let given = sweeps.read.iter().map(|leaf| self.given_leaf(leaf, sweeps.reverse.body.ty(leaf.var)));
        let (seeds, seed_names, bar_names) = (seeds.params, seeds.names, self.bar_names());
        let all = [&inputs[..], &[quote!(#place: &#saved)], &seeds, &bars].concat();
        let vectorized =
            self.vectorized(Function::Reverse, &sweeps.reverse, &all, &quote!(()), (TokenStream::new(), reverse));
        let (reverse, method) = (vectorized.body, vectorized.method);
        implementation.extend(vectorized.implementation);
        let functions = quote! {
            #forward
            #method
            #[doc(hidden)]
            #[inline]
            pub fn __reverse #kept (#(#unchanged,)* #place: &#saved, #(#seeds,)* #(#bars),*) {
                Self::__reverse_leaves(#(#given,)* #place, #(#seed_names,)* #(#bar_names),*)
            }
            #[doc(hidden)]
            #[inline]
            pub fn __reverse_leaves(#(#inputs,)* #place: &#saved, #(#seeds,)* #(#bars),*) {
                #reverse
            }
        };
        (functions, implementation)
    }

    /// A leaf of a parameter as an argument: a number, or a reference.
    fn given_leaf(&self, leaf: &ParamLeaf, ty: &Ty) -> TokenStream {
        let param = &self.params[leaf.access.root];
        let (name, is_root) = (&param.name, leaf.access.path.is_empty());
        let value = leaf_tokens(&quote!(#name), &leaf.access, leaf.form);
        match (ty.is_scalar(), is_root && param.is_ref && leaf.form == Form::Plain) {
            (true, true) => quote!(*#value),
            (true, false) | (false, true) => value,
            (false, false) => quote!(&#value),
        }
    }

    /// The sweeps for users. With `bounds`, without which there are no residuals to keep, there is another `vjp`.
    fn owned_sweeps(&self, sweeps: &Sweeps, shared: bool, bounds: Option<TokenStream>) -> TokenStream {
        let krate = self.krate;
        let mut inputs = Vec::new();
        let (template, start, sized) = self.templates();
        let (statements, value, reverse, seeds) = if shared {
            self.shared_sweeps(sweeps, &mut inputs, &template)
        } else {
            let (statements, value, _) = self.forward_sweep(sweeps, ResidualOwner::Residuals);
            let (reverse, seeds) = self.reverse_sweep(sweeps, ResidualOwner::Residuals, &mut |emitter| {
                for leaf in &sweeps.read {
                    let name = emitter.names.local(sweeps.reverse.body.data(leaf.var).hint.as_deref().unwrap_or("x"));
                    emitter.param(leaf.var, quote!(#name), true);
                    inputs.push(name);
                }
            });
            (statements, value, reverse, seeds)
        };
        let template = match template.is_empty() {
            true => TokenStream::new(),
            false if shared => quote!(, templates),
            false => quote!(, #template),
        };
        let copies = sweeps.read.iter().map(|leaf| self.copied_leaf(leaf, sweeps.reverse.body.ty(leaf.var)));
        // Methods of another type have the same signature.
        let self_ty = self.generics().1;
        let residuals = quote!(#krate::Residuals<#self_ty>);
        let [kept_residuals, seed] = ["residuals", "seed"].map(names::ours);
        // Of what the function changes, the cotangents come in and go out.
        let g = names::ours("g");
        let gradient = self.gradient_type();
        let (given, also, passed, start) = match self.changes() {
            true => (quote!(, #g: #gradient), quote!(, #gradient), quote!(, #g), quote!(#g)),
            false => (TokenStream::new(), TokenStream::new(), TokenStream::new(), start),
        };
        let sized = if self.changes() { TokenStream::new() } else { sized };
        let (place, kept) = (names::ours("saved"), names::ours("inputs"));
        let (lifetimes, params, args, y, g, asserts) = (
            self.lifetimes(),
            self.params(),
            self.names(),
            &self.function.result,
            self.gradient_type(),
            self.assertions(),
        );
        let (bar_params, bar_names, bars, mutable) =
            (self.bar_params(), self.bar_names(), self.bar_pattern(), self.mutable_bars());
        let tangent = self.result_tangent();
        let y_bar = self.seed_type(&tangent);
        let (seed_params, seed_args) = (seeds.params, seeds.args);
        let captures = self.captures();
        let name = self.function.name();
        let doc_forward = format!("The value of [`{name}`] and what its reverse sweep needs.");
        let doc_vjp = format!("The value of [`{name}`] and its pullback, which may be called many times.");
        let vis = &self.function.item.vis;
        let own = sweeps.read.iter().map(|leaf| sweeps.reverse.body.ty(leaf.var));
        // What callers share with users is checked there.
        let saved = sweeps.saved.iter().map(|(_, ty)| ty).filter(|_| !shared);
        let fits = self.saved(saved.chain(own), &residuals);
        let returned = self.returned();
        let vjp = bounds.is_none().then(|| {
            quote! {
                #[doc = #doc_vjp]
                #[inline]
                #vis fn vjp #lifetimes (#(#params),*) -> (#y, impl ::core::ops::Fn(#y_bar #also) -> #g + #captures) {
                    let (y, #kept_residuals) = Self::forward(#(#args),*);
                    (y, move |#seed: #y_bar #given| Self::pullback(&#kept_residuals, #seed #passed))
                }
            }
        });
        quote! {
            #[doc = #doc_forward]
            #[inline]
            #vis fn forward #lifetimes (#(#params),*) -> (#y, #residuals) #bounds { Self::__keep(#(#args),*) }
            #[doc(hidden)]
            #[inline]
            pub fn __keep #lifetimes (#(#params),*) -> (#y, #residuals) {
                #fits
                #asserts
                let #kept = (#(#copies,)*);
                #statements
                (#value, #krate::__private::Opaque::new((#place, #kept #template)))
            }
            #[doc(hidden)]
            #[inline]
            pub fn __pullback(#kept_residuals: &#residuals, #(#seed_params,)* #(#bar_params),*) {
                let (#place, (#(#inputs,)*), ..) = #kept_residuals.data();
                #reverse
            }
            /// The cotangents of the inputs, from those of the results.
            #[inline]
            #vis fn pullback(#kept_residuals: &#residuals, #seed: #y_bar #given) -> #g #bounds {
                #returned
                let #mutable = #start;
                #sized
                Self::__pullback(#kept_residuals, #(#seed_args,)* #(&mut #bar_names),*);
                #bars
            }
            #vjp
        }
    }

    /// The same by way of what callers use: the statements of the forward sweep, the value, the statements of the reverse
    /// sweep and the seeds.
    fn shared_sweeps(
        &self,
        sweeps: &Sweeps,
        inputs: &mut Vec<Ident>,
        template: &TokenStream,
    ) -> (TokenStream, TokenStream, TokenStream, Seeds) {
        let (krate, names, place, value) = (self.krate, self.names(), names::ours("saved"), names::ours("value"));
        let template = (!template.is_empty()).then(|| quote!(let templates = #template;));
        let statements = quote! {
            #template
            let mut #place = <Self as #krate::__private::Sweeps>::EMPTY;
            let #value = Self::__forward(#(#names,)* &mut #place);
        };
        let Planned { body, plan, .. } = &sweeps.reverse;
        let mut emitter = self.emitter_of_leaves(body, plan, ResidualOwner::Residuals);
        let mut given = Vec::new();
        for leaf in &sweeps.read {
            let ty = sweeps.reverse.body.ty(leaf.var);
            let name = emitter.names.local(sweeps.reverse.body.data(leaf.var).hint.as_deref().unwrap_or("x"));
            given.push(if ty.is_scalar() { quote!(*#name) } else { quote!(#name) });
            inputs.push(name);
        }
        let seeds = self.seed_params(sweeps, &mut emitter);
        let (seed_names, bar_names) = (&seeds.names, self.bar_names());
        let reverse = quote!(Self::__reverse_leaves(#(#given,)* #place, #(#seed_names,)* #(#bar_names),*));
        (statements, quote!(#value), reverse, seeds)
    }
}

impl Seeds {
    pub(super) fn args(&self) -> &[TokenStream] {
        &self.args
    }
}

/// The cotangents of the results as parameters of a reverse sweep.
#[derive(Default)]
pub(super) struct Seeds {
    params: Vec<TokenStream>,
    /// The same, taken from `seed`, the cotangent of the whole result.
    args: Vec<TokenStream>,
    names: Vec<Ident>,
}
