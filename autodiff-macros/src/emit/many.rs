//! Derivatives in several directions for users: `jvp_many` and `vjp_many`.

use super::item::Item;
use super::jacobian::Parts;
use super::names;
use super::wide::{WideFunction, WideLeaf};
use crate::parse::ty::Surface;
use crate::tokens::mentions;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

impl Item<'_> {
    /// The name of the parameter that says how many directions there are: one that the signature does not have.
    pub(super) fn width_parameter(&self) -> Ident {
        self.free_parameter("W")
    }

    /// A name for a const parameter that the signature does not have.
    pub(super) fn free_parameter(&self, wanted: &str) -> Ident {
        let (signature, result, params) = (&self.function.item.sig, &self.function.result, self.params());
        let tokens = quote!(#signature #result #(#params)*);
        let mut names = std::iter::once(wanted.to_owned()).chain((1..).map(|k| format!("{wanted}{k}")));
        let name = names.find(|name| !mentions(&tokens, name)).unwrap_or_default();
        Ident::new(&name, Span::call_site())
    }

    pub(super) fn many_signatures(&self, parts: &Parts) -> [TokenStream; 2] {
        let (params, vis, y) = (self.params(), &self.function.item.vis, &self.function.result);
        let (g, tangent, seeds) = (self.gradient_type(), self.result_tangent(), names::ours("seeds"));
        let width = self.width_parameter();
        let generics = self.generics_and(&quote!(const #width: usize));
        let directions = parts.inputs.iter().map(|input| {
            let (dot, target) = (&input.dot, &input.slot.target);
            match input.param.surface {
                Surface::Seq(..) => quote!(#dot: &[impl ::core::convert::AsRef<#target>; #width]),
                _ => quote!(#dot: &[#target; #width]),
            }
        });
        [
            quote!(#vis fn jvp_many #generics (#(#params,)* #(#directions),*) -> (#y, [#tangent; #width])),
            quote!(#vis fn vjp_many #generics (#(#params,)* #seeds: &[#tangent; #width]) -> (#y, [#g; #width])),
        ]
    }

    pub(super) fn many(&self, parts: &Parts, wide: Option<&WideFunction>) -> TokenStream {
        let (krate, name, args) = (self.krate, self.function.name(), self.names());
        let ([forward, reverse], width) = (self.many_signatures(parts), self.width_parameter());
        let [w, value] = ["lane", "value"].map(names::ours);
        let (again, bounds, seeds) = (&parts.again, &parts.bounds, names::ours("seeds"));
        let dots = parts.inputs.iter().map(|input| {
            let dot = &input.dot;
            match (&input.param.surface, input.slot.scalar) {
                (Surface::Seq(..), _) => quote!(::core::convert::AsRef::as_ref(&#dot[#w])),
                (_, true) => quote!(#dot[#w]),
                (_, false) => quote!(&#dot[#w]),
            }
        });
        let forward_statements = match wide {
            Some(wide) => self.wide_directions(parts, wide),
            None => quote! {
                #krate::__private::runs_again::<Self>();
                let mut #value = ::core::option::Option::None;
                let tangents = ::core::array::from_fn(|#w| {
                    let (y, tangent) = Self::jvp(#(#again,)* #(#dots),*);
                    #value = ::core::option::Option::Some(y);
                    tangent
                });
                (#value.expect("there is at least one direction"), tangents)
            },
        };
        let seed = if matches!(self.result, Surface::Scalar(_)) { quote!(*seed) } else { quote!(seed) };
        let doc = format!("The value of [`{name}`] and its derivatives in the directions of `{width}` tangents.");
        let doc_reverse = format!(
            "The value of [`{name}`] and the cotangents of its inputs, for each of `{width}` cotangents of the result."
        );
        quote! {
            #[doc = #doc]
            #[inline]
            #forward #bounds {
                const { ::core::assert!(#width > 0, "there is at least one direction") };
                #forward_statements
            }
            #[doc = #doc_reverse]
            #[inline]
            #reverse {
                let (y, pullback) = Self::vjp(#(#args),*);
                let cotangents = #seeds.each_ref().map(|seed| pullback(#seed));
                (y, cotangents)
            }
        }
    }

    fn wide_directions(&self, parts: &Parts, wide: &WideFunction) -> TokenStream {
        let (krate, args, w) = (self.krate, self.names(), names::ours("lane"));
        let width = self.width_parameter();
        let zeros = wide.inputs.iter().map(|leaf| leaf.zeros(&quote!({ #width }), &args, krate));
        let roots: Vec<usize> = (0..self.params.len()).filter(|root| self.params[*root].active).collect();
        let lanes = wide.inputs.iter().map(|leaf| {
            let input = roots.iter().zip(&parts.inputs).find(|(root, _)| **root == leaf.access.root);
            let of = input.map(|(_, input)| {
                let dot = &input.dot;
                match input.param.surface {
                    Surface::Seq(..) => quote!(::core::convert::AsRef::as_ref(&#dot[#w])),
                    _ => quote!(#dot[#w]),
                }
            });
            leaf.lane(&of.unwrap_or_default(), &w, false, krate)
        });
        let tangents = wide.inputs.iter().map(WideLeaf::argument);
        let results = wide.results.iter().map(|leaf| &leaf.name);
        let written = wide.results.iter().map(|leaf| leaf.lane(&quote!(tangent), &w, true, krate));
        quote! {
            #(#zeros)*
            for #w in 0..#width { #(#lanes)* }
            let (y, (#(#results,)*)) = Self::__jvp_wide(#(#args,)* #(#tangents),*);
            let tangents = ::core::array::from_fn(|#w| {
                let mut tangent = #krate::Differentiable::zero_tangent(&y);
                #(#written)*
                tangent
            });
            (y, tangents)
        }
    }
}
