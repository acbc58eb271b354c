//! Sparse Jacobians and Hessians: patterns, and the values of a pattern.
//!
//! Both come of the body for several directions, see Note [Patterns] in `sparse.rs` of `autodiff-core`. `__along_jvp` and
//! `__along_hvp` run it once, along directions that their argument sets, with what is read of each number of the result.

use super::bodies::Planned;
use super::item::Item;
use super::jacobian::{Parts, stubs};
use super::matrix::part_of;
use super::names;
use super::types::nested_array;
use super::wide::{WideFunction, WideLeaf};
use crate::ir::interface::Order;
use crate::ir::wide;
use crate::parse::families::Family;
use crate::parse::tokens::dim_tokens;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The hidden functions of a Jacobian, and of a Hessian.
struct Names {
    along: &'static str,
    by_columns: &'static str,
}

const JACOBIAN: Names = Names { along: "__along_jvp", by_columns: "__jacobian_columns" };
const HESSIAN: Names = Names { along: "__along_hvp", by_columns: "__hessian_columns" };

impl WideLeaf {
    /// `let mut x_dot = zeros;` of any numbers with several directions.
    fn empty(&self, scalar: &TokenStream, params: &[&Ident], krate: &TokenStream) -> TokenStream {
        let (name, wide) = (&self.name, wide());
        let zero = quote!(<#wide as #krate::__private::Wide<#scalar>>::ZERO);
        let zeros = |dims: &[crate::ir::dim::Dim]| {
            dims.iter().rev().map(dim_tokens).fold(zero.clone(), |zeros, len| quote!([#zeros; #len]))
        };
        if !self.ty.is_dynamic() {
            let (ty, zeros) = (nested_array(quote!(#wide), &self.ty.dims, krate), zeros(&self.ty.dims));
            return quote!(let mut #name: #ty = #zeros;);
        }
        let (rows, zeros) = (self.rows(params), zeros(&self.ty.dims[1..]));
        quote!(let mut #name = #krate::__private::vec![#zeros; #rows.len()];)
    }
}

impl Item<'_> {
    /// The pattern of the Jacobian and its values, or what says why there are none, and what stands outside of the type. The
    /// Jacobian of a number is its gradient.
    pub(super) fn sparse_jacobians(
        &self,
        has_structure: bool,
        iterations: Option<&Planned>,
    ) -> (TokenStream, TokenStream) {
        let has_pattern = !self.scalar_result() && self.has_family(Family::Sparse);
        let Some(parts) = self.parts().filter(|_| has_pattern) else { return Default::default() };
        let missing = |why: &TokenStream| (stubs(&self.sparse_jacobian_signatures(&parts), why), TokenStream::new());
        if self.changes_arguments() {
            return missing(&self.never());
        }
        match self.wide_function().filter(|function| has_structure && function.has_places()) {
            Some(wide) => self.sparse_jacobian(&parts, &wide, iterations),
            None => missing(&self.without_pattern()),
        }
    }

    /// The same of the Hessian.
    pub(super) fn sparse_hessians(&self, is_second: bool, has_structure: bool) -> TokenStream {
        let has_pattern = self.scalar_result() && self.has_family(Family::Sparse);
        let Some(parts) = self.parts().filter(|_| has_pattern) else { return TokenStream::new() };
        if self.changes_arguments() {
            return stubs(&self.sparse_hessian_signatures(&parts), &self.never());
        }
        if !is_second {
            let (krate, (_, self_ty, _)) = (self.krate, self.generics());
            let bound = if self.function.order() < Order::Second { quote!(SecondOrder) } else { quote!(HigherOrder) };
            let bound = quote!(where for<'of> #self_ty: #krate::__private::#bound<'of>);
            return stubs(&self.sparse_hessian_signatures(&parts), &bound);
        }
        match self.wide_function().filter(|function| has_structure && function.has_places()) {
            Some(wide) => self.sparse_hessian(&parts, &wide),
            None => stubs(&self.sparse_hessian_signatures(&parts), &self.without_pattern()),
        }
    }

    /// Both without bodies, for a function that has errors.
    pub(super) fn sparse_stubs(&self) -> TokenStream {
        let Some(parts) = self.parts() else { return TokenStream::new() };
        let none = TokenStream::new();
        match self.scalar_result() {
            true => stubs(&self.sparse_hessian_signatures(&parts), &none),
            false => stubs(&self.sparse_jacobian_signatures(&parts), &none),
        }
    }

    fn without_pattern(&self) -> TokenStream {
        let (krate, (_, self_ty, _)) = (self.krate, self.generics());
        quote!(where for<'of> #self_ty: #krate::__private::sparse::HasPattern<'of>)
    }

    /// The parameters behind those of the function: a pattern and its values.
    fn values_params(&self, parts: &Parts) -> (Ident, Ident, TokenStream) {
        let (krate, scalar) = (self.krate, &parts.scalar);
        let [pattern, values] = ["pattern", "values"].map(names::ours);
        let params = quote!(#pattern: &#krate::Sparsity, #values: &mut [#scalar]);
        (pattern, values, params)
    }

    fn sparse_jacobian_signatures(&self, parts: &Parts) -> [TokenStream; 4] {
        let (lifetimes, params, vis, krate) = (self.lifetimes(), self.params(), &self.function.item.vis, self.krate);
        let (pattern, _, given) = self.values_params(parts);
        let ([products, h], scalar) = (["products", "h"].map(names::ours), &parts.scalar);
        let y = &self.function.result;
        let gauss_newton = quote! {
            #vis fn gauss_newton_sparse #lifetimes (
                #(#params,)* #pattern: &#krate::Sparsity, #products: &#krate::Sparsity, #h: &mut [#scalar]
            ) -> #krate::__private::Vec<#scalar>
        };
        [
            quote!(#vis fn sparsity #lifetimes (#(#params),*) -> #krate::Sparsity),
            quote!(#vis fn jacobian_sparse #lifetimes (#(#params,)* #given)),
            quote!(#vis fn value_and_jacobian_sparse #lifetimes (#(#params,)* #given) -> #y),
            gauss_newton,
        ]
    }

    /// The equations of Gauss and Newton.
    fn sparse_gauss_newton(&self, signature: &TokenStream, parts: &Parts) -> TokenStream {
        let (krate, args, bounds, name) = (self.krate, self.names(), &parts.bounds, self.function.name());
        let (pattern, values, _) = self.values_params(parts);
        let [products, h, y] = ["products", "h", "y"].map(names::ours);
        let doc = format!(
            "`h` becomes the values of `JᵀJ`, and `Jᵀr` is returned in flat order, where `r` is the value of [`{name}`] and `J` its \
             Jacobian. `products` is the pattern of `JᵀJ`, which `pattern.of_products()` gives."
        );
        quote! {
            #[doc = #doc]
            #[inline]
            #signature #bounds {
                let mut #values = #krate::__private::vec![#krate::Real::ZERO; #pattern.len()];
                let #y = Self::value_and_jacobian_sparse(#(#args,)* #pattern, &mut #values);
                #krate::__private::sparse::gauss_newton(#pattern, &#values, &#y, #products, #h)
            }
        }
    }

    fn sparse_hessian_signatures(&self, parts: &Parts) -> [TokenStream; 2] {
        let (lifetimes, params, vis, krate) = (self.lifetimes(), self.params(), &self.function.item.vis, self.krate);
        let (_, _, given) = self.values_params(parts);
        [
            quote!(#vis fn hessian_sparsity #lifetimes (#(#params),*) -> #krate::Sparsity),
            quote!(#vis fn hessian_sparse #lifetimes (#(#params,)* #given)),
        ]
    }

    fn sparse_jacobian(
        &self,
        parts: &Parts,
        wide: &WideFunction,
        iterations: Option<&Planned>,
    ) -> (TokenStream, TokenStream) {
        let (name, args, bounds) = (self.function.name(), self.names(), &parts.bounds);
        let [sparsity, jacobian, both, gauss_newton] = self.sparse_jacobian_signatures(parts);
        let gauss_newton = self.sparse_gauss_newton(&gauss_newton, parts);
        let (pattern, values, _) = self.values_params(parts);
        let (sweep, found) = (self.along_jvp(parts, wide), self.found(parts, &JACOBIAN));
        let ((own, outside), computed) = match iterations {
            Some(planned) => (self.iterations_function(planned, parts), self.values_of_iterations(parts)),
            None => ((self.columns_function(parts, &JACOBIAN), TokenStream::new()), self.values_of_groups(parts)),
        };
        let doc = format!(
            "The pattern of the Jacobian of [`{name}`]: which numbers of it can differ from 0, whatever the numbers are that \
             it is differentiated by."
        );
        let doc_both =
            format!("The value of [`{name}`]; `values` become those of the Jacobian, in the order of the pattern.");
        let doc_values = format!("`values` become those of the Jacobian of [`{name}`], in the order of the pattern.");
        let functions = quote! {
            #sweep
            #own
            #[doc = #doc]
            #[inline]
            #sparsity #bounds { #found }
            #[doc = #doc_both]
            #[inline]
            #both #bounds { #computed }
            #[doc = #doc_values]
            #[inline]
            #jacobian #bounds { Self::value_and_jacobian_sparse(#(#args,)* #pattern, #values); }
            #gauss_newton
        };
        (functions, outside)
    }

    /// The values by groups of rows or of columns.
    fn values_of_groups(&self, parts: &Parts) -> TokenStream {
        let (krate, args, count) = (self.krate, self.names(), parts.inputs.len());
        let (module, (pattern, values, _)) = (quote!(#krate::__private::sparse), self.values_params(parts));
        let [y, pullback, seed, by_rows, g] = ["y", "pullback", "seed", "by_rows", "g"].map(names::ours);
        let gradients = (0..count).map(|k| part_of(&quote!(#g), k, count));
        let columns = self.values_of_columns(parts, &JACOBIAN);
        quote! {
            if #pattern.is_by_rows() {
                let mut #by_rows = #module::ValuesByRows::new(#pattern, #values);
                let (#y, #pullback) = Self::vjp(#(#args),*);
                let mut #seed = #krate::Differentiable::zero_tangent(&#y);
                while #by_rows.next(&mut #seed) {
                    let #g = #pullback(&#seed);
                    #(#by_rows.add(&#gradients);)*
                }
                return #y;
            }
            #columns
        }
    }

    /// The values by iterations.
    fn values_of_iterations(&self, parts: &Parts) -> TokenStream {
        let (krate, again, (pattern, values, _)) = (self.krate, &parts.again, self.values_params(parts));
        let [y, rows] = ["y", "rows"].map(names::ours);
        let checked = self.checked(parts, &JACOBIAN);
        quote! {
            #krate::__private::runs_again::<Self>();
            let mut #rows = #krate::__private::sparse::ValuesByIterations::new(#pattern, #values);
            let #y = Self::__iterations(#(#again,)* &mut #rows);
            #checked
            #y
        }
    }

    /// In debug builds: the values are those of a derivative in one direction.
    fn checked(&self, parts: &Parts, names: &Names) -> TokenStream {
        let (krate, again, (pattern, values, _)) = (self.krate, &parts.again, self.values_params(parts));
        let (module, along, check) =
            (quote!(#krate::__private::sparse), quote::format_ident!("{}", names.along), names::ours("check"));
        quote! {
            if #module::CHECKED {
                let mut #check = #module::Check::new(#pattern, #values);
                Self::#along(#(#again,)* &mut #check);
                #check.finish();
            }
        }
    }

    fn sparse_hessian(&self, parts: &Parts, wide: &WideFunction) -> TokenStream {
        let (name, bounds) = (self.function.name(), &parts.bounds);
        let [sparsity, hessian] = self.sparse_hessian_signatures(parts);
        let (sweep, found) = (self.along_hvp(parts, wide), self.found(parts, &HESSIAN));
        let by_columns = self.columns_function(parts, &HESSIAN);
        let columns = self.values_of_columns(parts, &HESSIAN);
        let doc = format!(
            "The pattern of the Hessian of [`{name}`]: which numbers of it can differ from 0, whatever the numbers are that it \
             is differentiated by."
        );
        let doc_values = format!("`values` become those of the Hessian of [`{name}`], in the order of the pattern.");
        quote! {
            #sweep
            #by_columns
            #[doc = #doc]
            #[inline]
            #sparsity #bounds { #found }
            #[doc = #doc_values]
            #[inline]
            #hessian #bounds { #columns }
        }
    }

    /// The pattern, of sets in the place of tangents.
    fn found(&self, parts: &Parts, names: &Names) -> TokenStream {
        let (krate, again, sets) = (self.krate, &parts.again, names::ours("sets"));
        let (module, along) = (quote!(#krate::__private::sparse), quote::format_ident!("{}", names.along));
        quote! {
            #krate::__private::runs_again::<Self>();
            let mut #sets = #module::ByShortSets::new();
            Self::#along(#(#again,)* &mut #sets);
            if let ::core::option::Option::Some(pattern) = #sets.finish() {
                return pattern;
            }
            let mut #sets = #module::ByRanges::new();
            loop {
                Self::#along(#(#again,)* &mut #sets);
                if #sets.is_finished() {
                    return #sets.finish();
                }
            }
        }
    }

    /// A function that computes the values of groups of columns, so many groups at once as its argument says.
    fn columns_function(&self, parts: &Parts, names: &Names) -> TokenStream {
        let (krate, params, scalar, again) = (self.krate, self.params(), &parts.scalar, &parts.again);
        let (values, width) = (names::ours("values"), self.width_parameter());
        let [name, along] = [names.by_columns, names.along].map(|name| quote::format_ident!("{name}"));
        let (generics, bounds) = (self.generics_and(&quote!(const #width: usize)), &parts.bounds);
        let y = &self.function.result;
        let y = if names.along == JACOBIAN.along { quote!(#y) } else { quote!(()) };
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn #name #generics (
                #(#params,)* mut #values: #krate::__private::sparse::ValuesByColumns<'_, #scalar, { #width }>
            ) -> #y #bounds {
                loop {
                    let y = Self::#along(#(#again,)* &mut #values);
                    if #values.is_finished() {
                        return y;
                    }
                }
            }
        }
    }

    /// The values by columns, as many groups at once as suits the pattern.
    fn values_of_columns(&self, parts: &Parts, names: &Names) -> TokenStream {
        let (krate, again, (pattern, values, _)) = (self.krate, &parts.again, self.values_params(parts));
        let columns = quote::format_ident!("{}", names.by_columns);
        let (module, y, checked) = (quote!(#krate::__private::sparse), names::ours("y"), self.checked(parts, names));
        let scalar = &parts.scalar;
        let of_width = |width: TokenStream| quote!(Self::#columns(#(#again,)* #module::ValuesByColumns::<#scalar, #width>::new(#pattern, #values)));
        let [four, eight, sixteen] = [quote!(4), quote!(8), quote!(16)].map(of_width);
        quote! {
            #krate::__private::runs_again::<Self>();
            let #y = match #pattern.width() {
                4 => #four,
                8 => #eight,
                _ => #sixteen,
            };
            #checked
            #y
        }
    }

    /// Zeros, and tangents that `along` sets. `places` are those of a parameter among all.
    fn tangents_along(&self, parts: &Parts, wide: &WideFunction, along: &Ident) -> TokenStream {
        let (krate, args, [before, count]) = (self.krate, self.names(), ["before", "count"].map(names::ours));
        let zeros = wide.inputs.iter().map(|leaf| leaf.empty(&parts.scalar, &args, krate));
        let roots = (0..self.params.len()).filter(|root| self.params[*root].active);
        let set = roots.map(|root| {
            let own = wide.inputs.iter().filter(|leaf| leaf.access.root == root);
            let own = own.map(|leaf| {
                let (name, flat) = (&leaf.name, &leaf.flat);
                quote! {
                    #krate::__private::lanes::visit_places(&mut #name, #flat, |place, tangent| {
                        #count += 1;
                        #krate::__private::sparse::Along::set(#along, #before + place, tangent);
                    });
                }
            });
            quote!(let mut #count = 0_usize; #(#own)* #before += #count;)
        });
        quote!(#(#zeros)* let mut #before = 0_usize; #(#set)*)
    }

    /// The head of a function that runs once along some directions, and the name of its last parameter.
    fn along(&self, parts: &Parts, names: &Names) -> (TokenStream, Ident) {
        let (krate, params, wide, scalar) = (self.krate, self.params(), wide(), &parts.scalar);
        let (along, name) = (names::ours("along"), quote::format_ident!("{}", names.along));
        let generics = self.generics_and(&quote!(#wide: #krate::__private::Wide<#scalar>));
        let head = quote! {
            #[doc(hidden)]
            #[inline]
            pub fn #name #generics (#(#params,)* #along: &mut impl #krate::__private::sparse::Along<#wide>)
        };
        (head, along)
    }

    fn along_jvp(&self, parts: &Parts, wide: &WideFunction) -> TokenStream {
        let (krate, args, result, y) = (self.krate, self.names(), &self.function.result, names::ours("y"));
        let (head, along) = self.along(parts, &JACOBIAN);
        let set = self.tangents_along(parts, wide, &along);
        let tangents = wide.inputs.iter().map(WideLeaf::argument);
        let results = wide.results.iter().map(|leaf| &leaf.name);
        let read = wide.results.iter().map(|leaf| {
            let (name, flat) = (&leaf.name, &leaf.flat);
            quote! {
                #krate::__private::lanes::read_places(&#name, #flat, |place, tangent| {
                    #krate::__private::sparse::Along::read(#along, place, tangent);
                });
            }
        });
        quote! {
            #head -> #result {
                #set
                let (#y, (#(#results,)*)) = Self::__jvp_wide(#(#args,)* #(#tangents),*);
                #(#read)*
                #y
            }
        }
    }

    fn along_hvp(&self, parts: &Parts, wide: &WideFunction) -> TokenStream {
        let (krate, args, [before, count]) = (self.krate, self.names(), ["before", "count"].map(names::ours));
        let (head, along) = self.along(parts, &HESSIAN);
        let set = self.tangents_along(parts, wide, &along);
        let tangents = wide.inputs.iter().map(WideLeaf::argument);
        let bars: Vec<Ident> = (0..wide.inputs.len()).map(|leaf| names::ours(&format!("bar_{leaf}"))).collect();
        let roots = (0..self.params.len()).filter(|root| self.params[*root].active);
        let read = roots.map(|root| {
            let own = wide.inputs.iter().zip(&bars).filter(|(leaf, _)| leaf.access.root == root);
            let own = own.map(|(WideLeaf { flat, .. }, bar)| {
                quote! {
                    #krate::__private::lanes::read_places(&#bar, #flat, |place, tangent| {
                        #count += 1;
                        #krate::__private::sparse::Along::read(#along, #before + place, tangent);
                    });
                }
            });
            quote!(let mut #count = 0_usize; #(#own)* #before += #count;)
        });
        quote! {
            #head {
                #set
                let (#(#bars,)*) = Self::__hvp_wide(#(#args,)* #(#tangents),*);
                let mut #before = 0_usize;
                #(#read)*
            }
        }
    }
}
