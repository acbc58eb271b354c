//! Note [Pullbacks that borrow]. A parameter that is only passed on, a configuration or a tree, is no array that residuals
//! could own. Callers have it at hand in both sweeps. If the reverse sweep reads it, in a loop, a branch or a recursion, the
//! pullback that `vjp` gives borrows it; residuals that are kept for themselves there are none, nor of a function that
//! calls such a one. Of functions that it passes such parameters to only rustc knows whether they have residuals to keep
//! (`autodiff_core::Keeps`): `forward` and `pullback` have that as their bound. Bounds of what they call imply nothing for what is
//! called there in turn, so that callers which pass such parameters on call `__keep`, which has no bound. Where residuals cannot be
//! kept, nothing can call it: what users call has the bound at every depth.

use super::bodies::Sweeps;
use super::body::ResidualOwner;
use super::item::Item;
use super::names;
use crate::ir::{Block, CallKind};
use crate::layout::Layout;
use crate::lower::call_site::CallSites;
use crate::parse::function::Param;
use crate::parse::ty::Surface;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// Whether a function has residuals that may be kept.
pub(super) enum Keeping {
    Always,
    /// If a where clause holds.
    If(TokenStream),
    Never,
}

impl Item<'_> {
    pub(super) fn keeping(&self, sweeps: &Sweeps) -> Keeping {
        if sweeps.borrows {
            return Keeping::Never;
        }
        let krate = self.krate;
        let mut callees = Vec::new();
        // The reverse sweep runs again what a loop does not keep.
        for sweep in [&sweeps.forward, &sweeps.reverse] {
            passed_on(&sweep.body.block, &self.primal.sites, &mut callees);
        }
        match callees.is_empty() {
            true => Keeping::Always,
            false => Keeping::If(quote!(where #(for<'of> #callees: #krate::__private::Keeps<'of>),*)),
        }
    }

    /// Says whether there are residuals to keep, for callers that pass on what carries no derivative: data whose type they may
    /// not know, such as the number of elements in a field of theirs.
    pub(super) fn keeps(&self, keeping: &Keeping) -> TokenStream {
        let bounds = match keeping {
            Keeping::Always => TokenStream::new(),
            Keeping::If(bounds) => bounds.clone(),
            Keeping::Never => return TokenStream::new(),
        };
        let (krate, (_, self_ty, _)) = (self.krate, self.generics());
        let mut generics = self.function.type_generics();
        generics.params.insert(0, syn::parse_quote!('kept));
        if let Ok(bounds) = syn::parse2::<syn::WhereClause>(bounds) {
            generics.make_where_clause().predicates.extend(bounds.predicates);
        }
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #impl_generics #krate::__private::Keeps<'kept> for #self_ty #where_clause {}
        }
    }

    /// The bound of what users call.
    pub(super) fn if_kept(&self) -> TokenStream {
        let (krate, (_, self_ty, _)) = (self.krate, self.generics());
        quote!(where for<'of> #self_ty: #krate::__private::Keeps<'of>)
    }

    /// In the place of `forward` and `pullback`: what tells why there are none.
    pub(super) fn without_residuals(&self) -> TokenStream {
        let (vis, krate, (_, self_ty, _)) = (&self.function.item.vis, self.krate, self.generics());
        let (lifetimes, params, y) = (self.lifetimes(), self.params(), &self.function.result);
        let residuals = quote!(#krate::Residuals<#self_ty>);
        let (y_bar, g) = (self.seed_type(&self.result_tangent()), self.gradient_type());
        let bound = self.if_kept();
        let [kept, seed, target] = ["residuals", "seed", "g"].map(names::ours);
        let given = self.changes().then(|| quote!(, #target: #g));
        let seeds = Layout::of(self.result).float_leaves().map(|_| quote!(impl ::core::marker::Sized));
        let bars = self.bar_params();
        quote! {
            #[doc(hidden)]
            #vis fn forward #lifetimes (#(#params),*) -> (#y, #residuals) #bound { ::core::unimplemented!() }
            #[doc(hidden)]
            pub fn __keep #lifetimes (#(#params),*) -> (#y, #residuals) { ::core::unimplemented!() }
            #[doc(hidden)]
            pub fn __pullback(#kept: &#residuals, #(_: #seeds,)* #(#bars),*) { ::core::unimplemented!() }
            #[doc(hidden)]
            #vis fn pullback(#kept: &#residuals, #seed: #y_bar #given) -> #g #bound { ::core::unimplemented!() }
        }
    }

    /// The value, and a pullback that has the arguments.
    pub(super) fn borrowing_vjp(&self, sweeps: &Sweeps) -> TokenStream {
        let krate = self.krate;
        let (_, seeds) = self.reverse_sweep(sweeps, ResidualOwner::Caller, &mut |emitter| self.place_params(emitter));
        let (template, start, sized) = self.templates();
        let [g, place, value, kept, seed] = ["g", "saved", "value", "residuals", "seed"].map(names::ours);
        let gradient = self.gradient_type();
        let (given, also, start) = match self.changes() {
            true => (quote!(, #g: #gradient), quote!(, #gradient), quote!(#g)),
            false => (TokenStream::new(), TokenStream::new(), start),
        };
        let sized = if self.changes() { TokenStream::new() } else { sized };
        let template = (!template.is_empty())
            .then(|| quote!(let #kept = #krate::__private::Opaque::<Self, _>::new(((), (), #template));));
        let (lifetimes, params, y) = (self.lifetimes(), self.params(), &self.function.result);
        let y_bar = self.seed_type(&self.result_tangent());
        let (bar_names, bars, mutable) = (self.bar_names(), self.bar_pattern(), self.mutable_bars());
        let (vis, seed_args) = (&self.function.item.vis, seeds.args());
        let name = self.function.name();
        let doc = format!("The value of [`{name}`] and its pullback, which may be called many times.");
        let copied: Vec<TokenStream> = self.params.iter().map(copied).collect();
        let unchanged = self.params.iter().filter(|param| !param.is_mut).map(copied_by);
        let returned = self.returned();
        quote! {
            #[doc = #doc]
            #[inline]
            #vis fn vjp #lifetimes (#(#params),*) -> (#y, impl ::core::ops::Fn(#y_bar #also) -> #gradient) {
                #returned
                #template
                let mut #place = <Self as #krate::__private::Sweeps>::EMPTY;
                let #value = Self::__forward(#(#copied,)* &mut #place);
                (#value, move |#seed: #y_bar #given| {
                    let #mutable = #start;
                    #sized
                    Self::__reverse(#(#unchanged,)* &#place, #(#seed_args,)* #(&mut #bar_names),*);
                    #bars
                })
            }
        }
    }
}

/// An argument that is needed again.
pub(super) fn copied(param: &Param) -> TokenStream {
    match param.is_mut {
        true => param.name.to_token_stream(),
        false => copied_by(param),
    }
}

fn copied_by(param: &Param) -> TokenStream {
    let name = &param.name;
    match param.is_ref || matches!(param.surface, Surface::Scalar(_)) {
        true => quote!(#name),
        false => quote!(::core::clone::Clone::clone(&#name)),
    }
}

/// The callees that are passed something without a derivative as it is written.
fn passed_on(block: &Block, sites: &CallSites, found: &mut Vec<TokenStream>) {
    for eqn in &block.eqns {
        eqn.regions.iter().for_each(|region| passed_on(region, sites, found));
        let Some(call) = eqn.op.as_call().filter(|call| call.kind == CallKind::Forward) else { continue };
        let site = &sites[call.callee.site];
        if site.passes_on() {
            let (path, generics) = (&site.path, &site.generics);
            let callee = quote!(#path #generics);
            if found.iter().all(|other| other.to_string() != callee.to_string()) {
                found.push(callee);
            }
        }
    }
}
