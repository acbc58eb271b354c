//! The functions of a type whose derivatives the user writes: see Note [Rules] in `parse/rule.rs`.
//!
//! There is a rule for one direction or for both. What one direction lacks comes of the other, number by number: with the
//! cotangent 1 of one number of the result, a reverse rule gives the gradient of that, and with the tangent 1 of one number
//! of an argument, a forward rule gives the derivatives by that.

use super::item::Item;
use super::names;
use crate::ir::interface::Order;
use crate::lower::Primal;
use crate::parse::function::{Function, Param};
use crate::parse::rule::{Forward, Reverse, Rules};
use crate::parse::ty::Surface;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// The members that callers use.
pub fn members(function: &Function, params: &[Param], result: &Surface, krate: &TokenStream) -> TokenStream {
    let primal = Primal::nothing();
    let item = Item { function, params, result, primal: &primal, krate };
    let Some(rules) = &function.attr.rules else { return TokenStream::new() };
    Ruled { item: &item, rules }.members()
}

struct Ruled<'r> {
    item: &'r Item<'r>,
    rules: &'r Rules,
}

/// A differentiable parameter, and the names of what belongs to it.
struct Active<'r> {
    param: &'r Param,
    root: usize,
    is_scalar: bool,
}

impl Ruled<'_> {
    fn members(&self) -> TokenStream {
        let sweeps = self.sweeps();
        if self.rules.reverse.is_none() && self.rules.forward.is_none() {
            return sweeps;
        }
        let derivatives = self.derivatives();
        quote!(#derivatives #sweeps)
    }

    /// What callers have to know of it. It keeps nothing.
    fn sweeps(&self) -> TokenStream {
        let krate = self.item.krate;
        let (impl_generics, self_ty, where_clause) = self.item.generics();
        quote! {
            #[automatically_derived]
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #impl_generics #krate::__private::Sweeps for #self_ty #where_clause {
                type Saved = ();
                const EMPTY: () = ();
                const EFFECTS: bool = false;
                const WORKSPACE_BYTES: usize = 0;
            }
        }
    }

    fn derivatives(&self) -> TokenStream {
        let Ruled { item, .. } = self;
        let (krate, params, y) = (item.krate, item.params(), &item.function.result);
        let (tangent, lifetimes) = (item.result_tangent(), item.lifetimes());
        let (dot_params, bar_params) = (self.dot_params("dot"), self.bar_params("bar"));
        let (seed_params, seed) = item.seed("y_bar");
        let (value, saved) = (self.value(), names::ours("saved"));
        let [result, y_dot] = ["value", "tangent"].map(names::ours);
        let (cotangents, added) = (self.cotangents(&seed, None), self.added("bar", "c"));
        let tangents = self.tangents(&["tangent"]);
        let gradient = item.scalar_result().then(|| {
            let one = self.cotangents(&quote!(&<#y as #krate::Real>::ONE), None);
            let (g, all) = (item.gradient_type(), self.pattern("c"));
            quote! {
                #[inline]
                pub fn value_and_grad #lifetimes (#(#params),*) -> (#y, #g) { #one (#value, #all) }
                #[inline]
                pub fn __accumulate #lifetimes (#(#params,)* #(#bar_params),*) -> #y { #one #added #value }
            }
        });
        let second = (item.function.order() == Order::Second).then(|| {
            let (second, wide) = (self.second(), item.joint_wide_of_others());
            quote!(#second #wide)
        });
        let wide = (!item.changes_arguments()).then(|| item.jvp_wide_of_trait());
        let members = quote! {
            #gradient
            #[inline]
            pub fn __forward #lifetimes (#(#params,)* #saved: &mut ()) -> #y { #value }
            #[inline]
            pub fn __reverse #lifetimes (#(#params,)* #saved: &(), #(#seed_params,)* #(#bar_params),*) {
                #cotangents
                #added
            }
            #[inline]
            pub fn jvp #lifetimes (#(#params,)* #(#dot_params),*) -> (#y, #tangent) {
                let #result = #value;
                #tangents
                (#result, #y_dot)
            }
            #second
            #wide
        };
        item.gated(&item.members(&members), false)
    }

    /// The tangents of both directions.
    fn second(&self) -> TokenStream {
        let Ruled { item, .. } = self;
        let (params, y, tangent, lifetimes) =
            (item.params(), &item.function.result, item.result_tangent(), item.lifetimes());
        let [dots, dots_2, dot_dots] = ["dot", "dot_2", "dot_dot"].map(|suffix| self.dot_params(suffix));
        let [bars, bar_dots] = ["bar", "bar_dot"].map(|suffix| self.bar_params(suffix));
        let ((seed_params, seed), (seed_dot_params, seed_dot)) = (item.seed("y_bar"), item.seed("y_bar_dot"));
        let value = self.value();
        let [result, y_dot, y_dot_2, y_dot_dot] = ["value", "tangent", "tangent_2", "tangent_both"].map(names::ours);
        let tangents = self.tangents(&["tangent"]);
        let cotangents = self.cotangents(&seed, Some(&seed_dot));
        let (added, added_dots) = (self.added("bar", "c"), self.added("bar_dot", "c_dot"));
        let all = self.tangents(&["tangent", "tangent_2", "tangent_both"]);
        quote! {
            #[inline]
            pub fn __joint_jvp #lifetimes (
                #(#params,)* #(#dots,)* #(#seed_params,)* #(#seed_dot_params,)* #(#bars,)* #(#bar_dots),*
            ) -> (#y, #tangent) {
                let #result = #value;
                #tangents
                #cotangents
                #added
                #added_dots
                (#result, #y_dot)
            }
            #[inline]
            pub fn __jvp_jvp #lifetimes (#(#params,)* #(#dots,)* #(#dots_2,)* #(#dot_dots),*)
                -> (#y, #tangent, #tangent, #tangent)
            {
                let #result = #value;
                #all
                (#result, #y_dot, #y_dot_2, #y_dot_dot)
            }
        }
    }

    fn active(&self) -> Vec<Active<'_>> {
        let params = self.item.params.iter().enumerate().filter(|(_, param)| param.active);
        params
            .map(|(root, param)| Active { param, root, is_scalar: matches!(param.surface, Surface::Scalar(_)) })
            .collect()
    }

    fn dot_params(&self, suffix: &str) -> Vec<TokenStream> {
        let roots = self.item.roots();
        self.item.dot_params_named(&|root| roots.suffixed(root, suffix))
    }

    fn bar_params(&self, suffix: &str) -> Vec<TokenStream> {
        let roots = self.item.roots();
        self.item.bar_params_named(&|root| roots.suffixed(root, suffix))
    }

    fn named(&self, active: &Active, suffix: &str) -> Ident {
        self.item.roots().suffixed(active.root, suffix)
    }

    /// The arguments once more.
    fn args(&self) -> Vec<TokenStream> {
        let again = self.item.params.iter().map(|param| {
            let name = &param.name;
            match param.is_ref || matches!(param.surface, Surface::Scalar(_)) {
                true => name.to_token_stream(),
                false => quote!(::core::clone::Clone::clone(&#name)),
            }
        });
        again.collect()
    }

    /// A call of the function itself.
    fn value(&self) -> TokenStream {
        let (name, args) = (self.item.function.name(), self.args());
        let arguments = crate::parse::tokens::own_arguments(&self.item.function.item);
        quote!(#name #arguments (#(#args),*))
    }

    /// What a rule is given of which there is a reference.
    fn given(by_ref: bool, reference: &TokenStream) -> TokenStream {
        if by_ref { reference.clone() } else { quote!(::core::clone::Clone::clone(#reference)) }
    }

    /// A tangent of a parameter, given to a rule.
    fn tangent_of(active: &Active, by_ref: bool, name: &Ident) -> TokenStream {
        match (active.is_scalar, by_ref) {
            (true, true) => quote!(&#name),
            (true, false) => name.to_token_stream(),
            // That of a slice is a slice.
            (false, false) if matches!(active.param.surface, Surface::Seq(..)) => quote!(#name.to_vec()),
            (false, by_ref) => Self::given(by_ref, &name.to_token_stream()),
        }
    }

    /// The same, as a derivative of the rule takes it.
    fn dot_of(active: &Active, name: &Ident) -> TokenStream {
        if active.is_scalar { name.to_token_stream() } else { quote!(&*#name) }
    }

    /// `Σ ⟨c, x_dot⟩` over the parameters.
    fn inner(&self, cotangents: &str, dots: &str) -> TokenStream {
        let krate = self.item.krate;
        let zero = self.item.scalar_type().map(|scalar| quote!(<#scalar as #krate::Real>::ZERO));
        let products = self.active().into_iter().map(|active| {
            let (c, dot) = (self.named(&active, cotangents), self.named(&active, dots));
            match (active.is_scalar, &active.param.surface) {
                (true, _) => quote!(+ #c * #dot),
                (false, Surface::Seq(..)) => quote! {
                    + #c.iter().zip(#dot.iter()).fold(#zero, |sum, (c, dot)| {
                        sum + #krate::Differentiable::inner_product(c, dot)
                    })
                },
                (false, _) => quote!(+ #krate::Differentiable::inner_product(&#c, #dot)),
            }
        });
        quote!(#zero #(#products)*)
    }

    /// Adds cotangents to where the caller wants them.
    fn added(&self, bars: &str, cotangents: &str) -> TokenStream {
        let krate = self.item.krate;
        let each = self.active().into_iter().map(|active| {
            let (c, bar) = (self.named(&active, cotangents), self.named(&active, bars));
            let add = quote!(#krate::Differentiable::add_scaled);
            match (active.is_scalar, &active.param.surface) {
                (true, _) => quote!(*#bar += #c;),
                (false, Surface::Seq(..)) => quote! {
                    for (to, from) in #bar.iter_mut().zip(#c.iter()) { #add(to, #krate::Real::ONE, from); }
                },
                (false, _) => quote!(#add(#bar, #krate::Real::ONE, &#c);),
            }
        });
        each.collect()
    }

    /// A pattern for one thing of each parameter.
    fn pattern(&self, suffix: &str) -> TokenStream {
        let names: Vec<Ident> = self.active().iter().map(|active| self.named(active, suffix)).collect();
        match &names[..] {
            [one] => one.to_token_stream(),
            all => quote!((#(#all),*)),
        }
    }

    /// Binds the cotangents of the parameters, and their tangents if there is one of the seed.
    fn cotangents(&self, seed: &TokenStream, seed_dot: Option<&TokenStream>) -> TokenStream {
        match (&self.rules.reverse, &self.rules.forward) {
            (Some(reverse), _) => self.by_reverse(reverse, seed, seed_dot),
            (None, Some(forward)) => self.by_forward(forward, seed, seed_dot),
            (None, None) => TokenStream::new(),
        }
    }

    fn by_reverse(&self, reverse: &Reverse, seed: &TokenStream, seed_dot: Option<&TokenStream>) -> TokenStream {
        self.reverse(reverse, seed, seed_dot.map(|seed_dot| ("dot", seed_dot)))
    }

    /// A call of the rule, or of its derivative.
    fn reverse(&self, reverse: &Reverse, seed: &TokenStream, along: Option<(&str, &TokenStream)>) -> TokenStream {
        let (name, args, given) = (&reverse.name, self.args(), Self::given(reverse.by_ref, seed));
        let cotangents = self.pattern("c");
        let Some((suffix, seed_dot)) = along else {
            return quote!(let #cotangents = #name(#(#args,)* #given););
        };
        let (dots, cotangent_dots) = (self.dots(suffix), self.pattern("c_dot"));
        let seed_dot = match self.item.result {
            Surface::Scalar(_) => quote!(*#seed_dot),
            _ => seed_dot.clone(),
        };
        quote!(let (#cotangents, #cotangent_dots) = #name::jvp(#(#args,)* #given, #(#dots,)* #seed_dot);)
    }

    /// The tangents of the arguments, as a derivative of a rule takes them.
    fn dots(&self, suffix: &str) -> Vec<TokenStream> {
        self.active().iter().map(|active| Self::dot_of(active, &self.named(active, suffix))).collect()
    }

    /// Number by number of each parameter.
    fn by_forward(&self, forward: &Forward, seed: &TokenStream, seed_dot: Option<&TokenStream>) -> TokenStream {
        let krate = self.item.krate;
        let (set, len) = (quote!(#krate::__private::jacobian::set_number), quote!(#krate::Differentiable::flat_len));
        let (active, zeros) = (self.active(), self.item.zeros());
        let [number, y_dot, y_dot_dot] = ["number", "tangent", "tangent_both"].map(names::ours);
        let units = active.iter().zip(&zeros).map(|(active, zeros)| {
            let (unit, c, c_dot) = (self.named(active, "unit"), self.named(active, "c"), self.named(active, "c_dot"));
            quote!(let mut #unit = #zeros; let mut #c = #zeros; let mut #c_dot = #zeros;)
        });
        let (name, args) = (&forward.name, self.args());
        let given: Vec<TokenStream> = active
            .iter()
            .zip(&forward.by_ref)
            .map(|(active, by_ref)| {
                Self::given(*by_ref, &{
                    let unit = self.named(active, "unit");
                    quote!(&#unit)
                })
            })
            .collect();
        let inner = quote!(#krate::Differentiable::inner_product);
        let each = active.iter().map(|active| {
            let (unit, c, c_dot) = (self.named(active, "unit"), self.named(active, "c"), self.named(active, "c_dot"));
            let numbers = match seed_dot {
                None => quote! {
                    let #y_dot = #name(#(#args,)* #(#given),*);
                    #set(&mut #c, #number, #inner(&#y_dot, #seed));
                },
                Some(seed_dot) => {
                    let dots = self.dots("dot");
                    let zeros = self
                        .active()
                        .into_iter()
                        .zip(self.item.zeros())
                        .map(|(active, zeros)| if active.is_scalar { zeros } else { quote!(&#zeros) });
                    quote! {
                        let (#y_dot, #y_dot_dot) = #name::jvp(#(#args,)* #(#given,)* #(#dots,)* #(#zeros),*);
                        #set(&mut #c, #number, #inner(&#y_dot, #seed));
                        #set(&mut #c_dot, #number, #inner(&#y_dot_dot, #seed) + #inner(&#y_dot, #seed_dot));
                    }
                }
            };
            quote! {
                for #number in 0..#len(&#unit) {
                    #set(&mut #unit, #number, #krate::Real::ONE);
                    #numbers
                    #set(&mut #unit, #number, #krate::Real::ZERO);
                }
            }
        });
        quote!(#(#units)* #(#each)*)
    }

    /// Binds tangents of the result, by those of the arguments: in one direction, or in two and in both of them.
    fn tangents(&self, wanted: &[&str]) -> TokenStream {
        let results: Vec<Ident> = wanted.iter().map(|name| names::ours(name)).collect();
        match (&self.rules.forward, &self.rules.reverse) {
            (Some(forward), _) => self.forward(forward, &results),
            (None, Some(reverse)) => self.rows(reverse, &results),
            (None, None) => TokenStream::new(),
        }
    }

    /// Calls of the rule, and of its derivative.
    fn forward(&self, forward: &Forward, results: &[Ident]) -> TokenStream {
        let (name, args) = (&forward.name, self.args());
        let active = self.active();
        let given = |suffix: &str| -> Vec<TokenStream> {
            let each = active.iter().zip(&forward.by_ref);
            each.map(|(active, by_ref)| Self::tangent_of(active, *by_ref, &self.named(active, suffix))).collect()
        };
        let first = given("dot");
        match results {
            [y_dot, y_dot_2, y_dot_dot] => {
                let (second, along, both) = (given("dot_2"), self.dots("dot_2"), self.dots("dot_dot"));
                quote! {
                    let #y_dot_2 = #name(#(#args,)* #(#second),*);
                    let (#y_dot, #y_dot_dot) = #name::jvp(#(#args,)* #(#first,)* #(#along,)* #(#both),*);
                }
            }
            all => {
                let call = quote!(#name(#(#args,)* #(#first),*));
                quote!(#(let #all = #call;)*)
            }
        }
    }

    /// Number by number of the result.
    fn rows(&self, reverse: &Reverse, results: &[Ident]) -> TokenStream {
        let krate = self.item.krate;
        let set = quote!(#krate::__private::jacobian::set_number);
        let [result, number, unit, none] = ["value", "number", "unit", "none"].map(names::ours);
        let zero = quote!(#krate::Differentiable::zero_tangent(&#result));
        let first = self.inner("c", "dot");
        let (call, numbers) = match results {
            [y_dot, y_dot_2, y_dot_dot] => {
                let call = self.reverse(reverse, &quote!(&#unit), Some(("dot_2", &quote!(&#none))));
                let (second, both, other) =
                    (self.inner("c", "dot_2"), self.inner("c_dot", "dot"), self.inner("c", "dot_dot"));
                let numbers = quote! {
                    #set(&mut #y_dot, #number, #first);
                    #set(&mut #y_dot_2, #number, #second);
                    #set(&mut #y_dot_dot, #number, { #other } + { #both });
                };
                (call, numbers)
            }
            [y_dot] => (self.reverse(reverse, &quote!(&#unit), None), quote!(#set(&mut #y_dot, #number, #first);)),
            _ => (TokenStream::new(), TokenStream::new()),
        };
        quote! {
            let (mut #unit, #none) = (#zero, #zero);
            #(let mut #results = #zero;)*
            for #number in 0..#krate::Differentiable::flat_len(&#unit) {
                #set(&mut #unit, #number, #krate::Real::ONE);
                #call
                #numbers
                #set(&mut #unit, #number, #krate::Real::ZERO);
            }
        }
    }
}
