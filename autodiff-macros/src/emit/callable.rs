//! Functions as generic parameters: what the type beside a function is to the trait `Callable`, and the hidden function
//! that a caller sees in place of a parameter. See Note [Functions as parameters] in [`crate::parse::callable`].
//!
//! The trait takes tuples, with a place for every parameter; the functions of a type take what there is, one by one, and
//! the cotangents of a result leaf by leaf.

use super::borrowing::Keeping;
use super::item::Item;
use super::leaves::{gathered, leaf_tokens, no_seed, split_tokens};
use super::names;
use super::signature::Slot;
use super::types::{matrix_of, seed_type, zero_of};
use crate::layout::{Form, Layout, Leaf};
use crate::lower::Primal;
use crate::parse::callable::{self, Resolved};
use crate::parse::function::Param;
use crate::parse::tokens::own_arguments;
use crate::parse::ty::Surface;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// Whether there is `'static` among tokens.
fn mentions_static(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "static",
        TokenTree::Group(group) => mentions_static(group.stream()),
        _ => false,
    })
}

impl Item<'_> {
    /// `impl Callable<(f64,)> for f`, if the trait can say what the function takes and returns.
    pub(super) fn callable(&self, keeping: &Keeping, is_second: bool) -> TokenStream {
        let krate = self.krate;
        // Who takes it by the trait does not know on which side rotations change.
        if self.function.attr.left {
            return TokenStream::new();
        }
        // The trait has residuals to keep.
        let bounds = match keeping {
            Keeping::Always => None,
            Keeping::If(bounds) => syn::parse2::<syn::WhereClause>(bounds.clone()).ok(),
            Keeping::Never => return TokenStream::new(),
        };
        let types: Result<Vec<_>, _> = self.params.iter().map(|param| callable::argument(param, krate)).collect();
        let (Ok(types), Ok(())) = (types, callable::output(self.params, self.result, &self.function.result)) else {
            return TokenStream::new();
        };
        // The trait's functions take any lifetimes.
        if types.len() > callable::MOST_PARAMETERS || mentions_static(self.function.item.sig.to_token_stream()) {
            return TokenStream::new();
        }
        let args = quote!((#(#types,)*));
        let (impl_generics, self_ty, _) = self.generics();
        let mut generics = self.function.type_generics();
        if let Some(bounds) = bounds {
            generics.make_where_clause().predicates.extend(bounds.predicates);
        }
        let where_clause = &generics.where_clause;
        let (name, arguments, y, tangent) =
            (self.function.name(), own_arguments(&self.function.item), &self.function.result, self.result_tangent());
        let function = match &self.function.attr.grown[..] {
            [] if !self.function.attr.by_type => quote!(#name #arguments),
            _ => quote!(Self::__value),
        };
        let names = self.names();
        let given_types = self.params.iter().map(|param| match &param.ty {
            syn::Type::Reference(reference) => {
                let elem = &reference.elem;
                quote!(&#elem)
            }
            ty => ty.to_token_stream(),
        });
        let given_types = quote!((#(#given_types,)*));
        let given = quote!((#(#names,)*): #given_types);
        // A parameter may have the function's name.
        let whole = names::ours("args");
        let each = (0..names.len()).map(syn::Index::from);
        let dots = |suffix: &str| {
            self.taken_apart(suffix, &|ty, name, param| match (param.is_ref, ty.scalar) {
                (false, true) => (ty.target.clone(), name.to_token_stream()),
                (true, true) => (by_reference(&ty.target), quote!(*#name)),
                (_, false) => (by_reference(&ty.target), name.to_token_stream()),
            })
        };
        let bars = |suffix: &str| {
            self.taken_apart(suffix, &|ty, name, _| {
                let target = &ty.target;
                (quote!(&mut #target), name.to_token_stream())
            })
        };
        let [saved, kept, seed, seed_dot] = ["saved", "residuals", "seed", "seed_tangent"].map(names::ours);
        let (seeds, seed_dots) = (self.seeds_of(&seed), self.seeds_of(&seed_dot));
        let ((dot_params, dots_1), (dot_2_params, dots_2), (dot_dot_params, dot_dots)) =
            (dots("dot"), dots("dot_2"), dots("dot_dot"));
        let ((bar_params, bars_1), (bar_dot_params, bar_dots)) = (bars("bar"), bars("bar_dot"));
        let gradient = self.scalar_result().then(|| {
            quote! {
                #[inline]
                fn __accumulate(#given, #bar_params) -> #y { Self::__accumulate(#(#names,)* #(#bars_1),*) }
            }
        });
        let second = is_second.then(|| {
            quote! {
                #[inline]
                fn __joint_jvp(
                    #given, #dot_params, #seed: &#tangent, #seed_dot: &#tangent, #bar_params, #bar_dot_params
                ) -> (#y, #tangent) {
                    Self::__joint_jvp(
                        #(#names,)* #(#dots_1,)* #(#seeds,)* #(#seed_dots,)* #(#bars_1,)* #(#bar_dots),*
                    )
                }
            }
        });
        let forward = is_second.then(|| {
            quote! {
                #[inline]
                fn __jvp_jvp(
                    #given, #dot_params, #dot_2_params, #dot_dot_params
                ) -> (#y, #tangent, #tangent, #tangent) {
                    Self::__jvp_jvp(#(#names,)* #(#dots_1,)* #(#dots_2,)* #(#dot_dots),*)
                }
            }
        });
        quote! {
            #[automatically_derived]
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #impl_generics #krate::Callable<#args> for #self_ty #where_clause {
                type Output = #y;
                #[inline]
                fn call(#whole: #given_types) -> #y { #function(#(#whole.#each),*) }
                #[inline]
                fn jvp(#given, #dot_params) -> (#y, #tangent) { Self::jvp(#(#names,)* #(#dots_1),*) }
                #[inline]
                fn __forward(#given, #saved: &mut Self::Saved) -> #y { Self::__forward(#(#names,)* #saved) }
                #[inline]
                fn __reverse(#given, #saved: &Self::Saved, #seed: &#tangent, #bar_params) {
                    Self::__reverse(#(#names,)* #saved, #(#seeds,)* #(#bars_1),*)
                }
                #[inline]
                fn __keep(#given) -> (#y, Self::Residuals) { Self::forward(#(#names),*) }
                #[inline]
                fn __pullback(#kept: &Self::Residuals, #seed: &#tangent, #bar_params) {
                    Self::__pullback(#kept, #(#seeds,)* #(#bars_1),*)
                }
                #gradient
                #second
                #forward
            }
        }
    }

    /// Tangents or cotangents out of the trait's tuple, which has a place for what has none: the parameter, and what the
    /// function itself takes. `part` tells the type of one, and how it is passed on.
    fn taken_apart(
        &self,
        suffix: &str,
        part: &dyn Fn(&Slot, &Ident, &Param) -> (TokenStream, TokenStream),
    ) -> (TokenStream, Vec<TokenStream>) {
        let (roots, mut slots) = (self.roots(), self.slots());
        let (mut pattern, mut types, mut args) = (Vec::new(), Vec::new(), Vec::new());
        for (k, param) in self.params.iter().enumerate() {
            let slot = if param.active { slots.next() } else { None };
            let Some((_, slot)) = slot else {
                pattern.push(quote!(_));
                types.push(quote!(()));
                continue;
            };
            let name = roots.suffixed(k, suffix);
            let (ty, arg) = part(&slot, &name, param);
            pattern.push(name.to_token_stream());
            types.push(ty);
            args.push(arg);
        }
        (quote!((#(#pattern,)*): (#(#types,)*)), args)
    }

    /// The leaves of the cotangent of a result that is behind a reference.
    pub(super) fn seeds_of(&self, seed: &Ident) -> Vec<TokenStream> {
        let seeds = Layout::of(self.result).float_leaves().map(|leaf| {
            let Leaf { access, form, ty, active } = &leaf;
            if !active {
                let none = no_seed(&quote!(#seed), &leaf, self.krate);
                return if ty.is_scalar() { none } else { quote!(&#none) };
            }
            if let Some((rows, part)) = split_tokens(&quote!(#seed), &access.of_tangent(), *form) {
                let all = gathered(&rows, part, ty, self.krate);
                return quote!(&#all);
            }
            let tokens = leaf_tokens(&quote!(#seed), &access.of_tangent(), *form);
            match (access.path.is_empty() && *form == Form::Plain, ty.is_scalar()) {
                (true, true) => quote!(*#tokens),
                (true, false) | (false, true) => tokens,
                (false, false) => quote!(&#tokens),
            }
        });
        seeds.collect()
    }
}

fn by_reference(ty: &TokenStream) -> TokenStream {
    quote!(&#ty)
}

/// The hidden function for a parameter that is a function, with its type and its derivatives, which are the trait's.
pub fn hidden(resolved: &Resolved, krate: &TokenStream) -> TokenStream {
    let primal = Primal::nothing();
    let (parameter, function) = (resolved.parameter, &*resolved.parameter.hidden);
    let item = Item { function, params: &resolved.params, result: &resolved.result, primal: &primal, krate };
    let (marker, own) = (super::stub::marker(function), &function.item);
    let (name, args) = (&parameter.name, &parameter.args);
    let of = quote!(<#name as #krate::Callable<#args>>);
    let (params, names, y, tangent) = (item.params(), item.names(), &function.result, item.result_tangent());
    let given = quote!((#(#names,)*));
    let roots = item.roots();
    let dots = |suffix: &str| {
        let params = item.dot_params_named(&|root| roots.suffixed(root, suffix));
        let parts = item.params.iter().enumerate().map(|(k, param)| {
            let dot = roots.suffixed(k, suffix);
            match param.active {
                true if roots.scalar[k] && param.is_ref => quote!(&#dot),
                true => quote!(#dot),
                false => quote!(()),
            }
        });
        (params, quote!((#(#parts,)*)))
    };
    let bars = |suffix: &str| {
        let params = item.bar_params_named(&|root| roots.suffixed(root, suffix));
        let parts = item.params.iter().enumerate().map(|(k, param)| match param.active {
            true => roots.suffixed(k, suffix).to_token_stream(),
            false => quote!(()),
        });
        (params, quote!((#(#parts,)*)))
    };
    let ((dot_params, dots_1), (dot_2_params, dots_2), (dot_dot_params, dot_dots)) =
        (dots("dot"), dots("dot_2"), dots("dot_dot"));
    let ((bar_params, bars_1), (bar_dot_params, bar_dots)) = (bars("bar"), bars("bar_dot"));
    let [saved, kept] = ["saved", "residuals"].map(names::ours);
    let ((seed_params, seed), (seed_dot_params, seed_dot)) = (item.seed("y_bar"), item.seed("y_bar_dot"));
    let gradient = matches!(item.result, Surface::Scalar(_)).then(|| {
        let (g, zero, bars, mutable) =
            (item.gradient_type(), item.zero_gradient(), item.bar_pattern(), item.mutable_bars());
        let (bar_names, dots) = (item.bar_names(), item.dot_params());
        let also = bar_names.iter().map(|bar| quote::format_ident!("{bar}_2")).collect::<Vec<_>>();
        let dot_names: Vec<_> =
            (0..item.params.len()).filter(|k| item.params[*k].active).map(|k| roots.dot(k)).collect();
        let apart = match &also[..] {
            [one] => quote!(mut #one),
            all => quote!((#(mut #all),*)),
        };
        let number = quote!(<#y as #krate::Real>);
        let target = names::ours("g");
        let (target_ty, clear) = (item.gradient_target(), item.clear(&target));
        quote! {
            pub fn __accumulate(#(#params,)* #(#bar_params),*) -> #y { #of::__accumulate(#given, #bars_1) }
            pub fn value_and_grad_into(#(#params,)* #target: #target_ty) -> #y {
                #clear
                let #bars = #target;
                Self::__accumulate(#(#names,)* #(#bar_names),*)
            }
            pub fn value_and_grad(#(#params),*) -> (#y, #g) {
                let #mutable = #zero;
                let y = Self::__accumulate(#(#names,)* #(&mut #bar_names),*);
                (y, #bars)
            }
            pub fn grad(#(#params),*) -> #g { Self::value_and_grad(#(#names),*).1 }
            pub fn hvp(#(#params,)* #(#dots),*) -> #g {
                let #apart = #zero;
                let #mutable = #zero;
                Self::__joint_jvp(
                    #(#names,)* #(#dot_names,)* #number::ONE, #number::ZERO, #(&mut #also,)* #(&mut #bar_names),*
                );
                #bars
            }
        }
    });
    let members = quote! {
        #gradient
        pub fn __forward(#(#params,)* #saved: &mut <#name as #krate::__private::Sweeps>::Saved) -> #y {
            #of::__forward(#given, #saved)
        }
        pub fn __reverse(
            #(#params,)* #saved: &<#name as #krate::__private::Sweeps>::Saved, #(#seed_params,)* #(#bar_params),*
        ) {
            #of::__reverse(#given, #saved, #seed, #bars_1)
        }
        pub fn forward(#(#params),*) -> (#y, <#name as #krate::DifferentiableFn>::Residuals) { #of::__keep(#given) }
        pub fn __keep(#(#params),*) -> (#y, <#name as #krate::DifferentiableFn>::Residuals) { #of::__keep(#given) }
        pub fn __pullback(
            #kept: &<#name as #krate::DifferentiableFn>::Residuals, #(#seed_params,)* #(#bar_params),*
        ) {
            #of::__pullback(#kept, #seed, #bars_1)
        }
        pub fn jvp(#(#params,)* #(#dot_params),*) -> (#y, #tangent) { #of::jvp(#given, #dots_1) }
        pub fn __joint_jvp(
            #(#params,)* #(#dot_params,)* #(#seed_params,)* #(#seed_dot_params,)* #(#bar_params,)* #(#bar_dot_params),*
        ) -> (#y, #tangent) {
            #of::__joint_jvp(#given, #dots_1, #seed, #seed_dot, #bars_1, #bar_dots)
        }
        pub fn __jvp_jvp(
            #(#params,)* #(#dot_params,)* #(#dot_2_params,)* #(#dot_dot_params),*
        ) -> (#y, #tangent, #tangent, #tangent) {
            #of::__jvp_jvp(#given, #dots_1, #dots_2, #dot_dots)
        }
    };
    let (wide, joint_wide) = (item.jvp_wide_of_trait(), item.joint_wide_of_others());
    let members = item.gated(&item.members(&quote!(#members #wide #joint_wide)), false);
    let (impl_generics, self_ty, where_clause) = item.generics();
    quote! {
        #own
        #marker
        #members
        #[automatically_derived]
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        impl #impl_generics #krate::__private::Sweeps for #self_ty #where_clause {
            type Saved = <#name as #krate::__private::Sweeps>::Saved;
            const EMPTY: Self::Saved = <#name as #krate::__private::Sweeps>::EMPTY;
            const EFFECTS: bool = <#name as #krate::__private::Sweeps>::EFFECTS;
            const WORKSPACE_BYTES: usize = <#name as #krate::__private::Sweeps>::WORKSPACE_BYTES;
        }
        #[automatically_derived]
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        impl #impl_generics #krate::DifferentiableFn for #self_ty #where_clause {
            type Residuals = <#name as #krate::DifferentiableFn>::Residuals;
            const RESIDUAL_BYTES: usize = <#name as #krate::DifferentiableFn>::RESIDUAL_BYTES;
            const WORKSPACE_BYTES: usize = <#name as #krate::DifferentiableFn>::WORKSPACE_BYTES;
        }
    }
}

impl Item<'_> {
    /// The parameters for the cotangents of the results, and the cotangent of the whole that they are, as a reference.
    pub(super) fn seed(&self, base: &str) -> (Vec<TokenStream>, TokenStream) {
        let krate = self.krate;
        let leaves: Vec<Leaf> = Layout::of(self.result).float_leaves().collect();
        let names: Vec<Ident> = (0..leaves.len()).map(|k| names::ours(&format!("{base}_{k}"))).collect();
        let params = leaves.iter().zip(&names).map(|(Leaf { ty, .. }, name)| {
            let given = seed_type(ty, krate);
            if ty.is_scalar() { quote!(#name: #given) } else { quote!(#name: &#given) }
        });
        let params = params.collect();
        if let ([Leaf { access, form, ty, .. }], [name]) = (&leaves[..], &names[..]) {
            match (access.path.is_empty(), ty.is_scalar(), form) {
                (true, true, _) => return (params, quote!(&#name)),
                (true, false, form) => return (params, form.borrow_of(name.to_token_stream(), krate)),
                (false, ..) => {}
            }
        }
        let (whole, tangent) = (names::ours("seed"), self.result_tangent());
        let given = leaves.iter().zip(&names).filter(|(leaf, _)| leaf.active);
        let writes = given.map(|(Leaf { access, form, ty, .. }, name)| {
            if let Some((rows, part)) = split_tokens(&quote!(#whole), &access.of_tangent(), *form) {
                let part = crate::ir::fill_holes(part, &[quote!(row)]);
                return quote! {
                    for (row, value) in ::core::iter::Iterator::zip(#rows.iter_mut(), #name) { #part = *value; }
                };
            }
            if form.is_of_run_time() {
                let (target, value) = (access.of_tangent().apply(quote!(#whole)), quote!(#name.to_vec()));
                let value = matrix_of(*form, &value, None, krate);
                return quote!(#target = #value;);
            }
            let target = leaf_tokens(&quote!(#whole), &access.of_tangent(), *form);
            if ty.is_scalar() { quote!(#target = #name;) } else { quote!(#target = *#name;) }
        });
        let zero = zero_of(&tangent, &Layout::of(self.result), krate);
        (params, quote!(&{ let mut #whole = #zero; #(#writes)* #whole }))
    }
}
