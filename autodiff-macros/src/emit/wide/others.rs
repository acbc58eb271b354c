//! The tangent in several directions, made of other derivatives: see Note [Wide by others] in `wide.rs`.

use super::{WideFunction, WideLeaf};
use crate::emit::borrowing::copied;
use crate::emit::item::Item;
use crate::emit::leaves::{leaf_tokens, mutable_leaf_tokens, split_tokens};
use crate::emit::matrix::part_of;
use crate::emit::names;
use crate::emit::types::array_type;
use crate::ir::wide;
use crate::layout::{Access, Layout};
use crate::parse::ty::Surface;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Item<'_> {
    /// Made of other derivatives: see Note [Wide by others].
    pub(super) fn combined(&self, function: &WideFunction) -> TokenStream {
        match (self.scalar_result(), self.single_number(), &function.inputs[..]) {
            _ if self.changes_arguments() => self.by_lanes(function),
            (true, ..) => self.by_gradient(function),
            _ if function.is_counted() && self.runs_again_as_it_is() => self.by_lanes(function),
            (false, Some(_), [dot]) if !function.is_counted() => self.by_scaling(function, dot),
            _ => self.by_rows(function),
        }
    }

    /// `let mut tangent_0 = zeros;` for each leaf of the result, and their names.
    pub(super) fn zero_tangents(&self, function: &WideFunction) -> (TokenStream, Vec<Ident>) {
        let krate = self.krate;
        let zeros = function.results.iter().map(|leaf| {
            let (name, ty) = (&leaf.name, array_type(&leaf.wide_type(), krate));
            match leaf.ty.is_dynamic() {
                true => quote!(let mut #name: #ty = #krate::__private::Vec::new();),
                false => quote!(let mut #name: #ty = #krate::__private::lanes::Zeros::ZEROS;),
            }
        });
        (zeros.collect(), function.results.iter().map(|leaf| leaf.name.clone()).collect())
    }

    /// `sum += dot * d` for all numbers of a gradient `g` by all parameters.
    fn products(&self, function: &WideFunction, sum: &Ident) -> TokenStream {
        let roots: Vec<usize> = (0..self.params.len()).filter(|root| self.params[*root].active).collect();
        let each = function.inputs.iter().map(|leaf| {
            let at = roots.iter().position(|root| *root == leaf.access.root).unwrap_or(0);
            let gradient = part_of(&quote!(g), at, roots.len());
            leaf.zipped(&gradient, &quote!(|dot, d| #sum += *dot * d), self.krate)
        });
        each.collect()
    }

    fn by_gradient(&self, function: &WideFunction) -> TokenStream {
        let (args, y, (zeros, places)) = (self.names(), names::ours("y"), self.zero_tangents(function));
        let products: TokenStream = places.iter().map(|place| self.products(function, place)).collect();
        quote! {
            #zeros
            let (#y, g) = Self::value_and_grad(#(#args),*);
            #products
            (#y, (#(#places,)*))
        }
    }

    fn by_scaling(&self, function: &WideFunction, dot: &WideLeaf) -> TokenStream {
        let (krate, args, y, scalar, dot) = (self.krate, self.names(), names::ours("y"), &function.scalar, &dot.name);
        let (zeros, places) = self.zero_tangents(function);
        let each = function.results.iter();
        let each = each.map(|leaf| leaf.zipped_mut(&quote!(tangent), &quote!(|to, t| *to = #dot * t), krate));
        quote! {
            #zeros
            let (#y, tangent) = Self::jvp(#(#args,)* <#scalar as #krate::Real>::ONE);
            #(#each)*
            (#y, (#(#places,)*))
        }
    }

    /// Makes the tangents of a result as long as a plain tangent of it.
    pub(super) fn sized(&self, function: &WideFunction, of: &TokenStream) -> TokenStream {
        let krate = self.krate;
        let leaves = function.results.iter().filter(|leaf| leaf.ty.is_dynamic());
        let sized = leaves.map(|leaf| {
            let (name, access) = (&leaf.name, leaf.access.of_tangent());
            let rows = match split_tokens(of, &access, leaf.form) {
                Some((rows, _)) => rows,
                None => leaf_tokens(of, &access, leaf.form),
            };
            quote!(#name.resize(#rows.len(), #krate::__private::lanes::Zeros::ZEROS);)
        });
        sized.collect()
    }

    fn by_rows(&self, function: &WideFunction) -> TokenStream {
        let (krate, args, wide, scalar) = (self.krate, self.names(), wide(), &function.scalar);
        let (zeros, places) = self.zero_tangents(function);
        let (y, sum, set) = (names::ours("y"), names::ours("sum"), quote!(#krate::__private::jacobian::set_number));
        let seed = if matches!(self.result, Surface::Scalar(_)) { quote!(seed) } else { quote!(&seed) };
        let (products, sized) = (self.products(function, &sum), self.sized(function, &quote!(seed)));
        let rows = function.results.iter().map(|leaf| {
            let (name, krate) = (&leaf.name, self.krate);
            // The numbers of a leaf that is alone follow each other.
            let alone = quote!(#krate::__private::lanes::Flat { start: 0, group: 0, stride: 0 });
            let flat = leaf.flat.clone().unwrap_or(alone);
            quote! {
                #krate::__private::lanes::visit_places(&mut #name, #flat, |row, to| {
                    #set(&mut seed, row, <#scalar as #krate::Real>::ONE);
                    let g = pullback(#seed);
                    #set(&mut seed, row, <#scalar as #krate::Real>::ZERO);
                    let mut #sum = <#wide as #krate::__private::Wide<#scalar>>::ZERO;
                    #products
                    *to = #sum;
                });
            }
        });
        quote! {
            #zeros
            let (#y, pullback) = Self::vjp(#(#args),*);
            let mut seed = #krate::Differentiable::zero_tangent(&#y);
            #sized
            #(#rows)*
            (#y, (#(#places,)*))
        }
    }

    /// The function of a parameter that is a function, which has no more than the trait: a tangent for each number.
    pub(in crate::emit) fn jvp_wide_of_trait(&self) -> TokenStream {
        let Some(function) = self.wide_function().filter(WideFunction::is_callable) else { return TokenStream::new() };
        let statements = match (self.scalar_result(), self.single_number(), &function.inputs[..]) {
            _ if self.changes_arguments() => self.by_lanes(&function),
            (true, ..) => self.by_gradient(&function),
            (false, Some(_), [dot]) if !function.is_counted() => self.by_scaling(&function, dot),
            _ if function.is_counted() && self.runs_again_as_it_is() => self.by_lanes(&function),
            _ if function.is_counted() => self.by_rows(&function),
            _ => self.by_columns(&function),
        };
        let signature = self.wide_signature(&function);
        quote!(#[inline] pub #signature { #statements })
    }

    /// One tangent after the other. What changes is put back in between.
    fn by_lanes(&self, function: &WideFunction) -> TokenStream {
        let (krate, roots) = (self.krate, self.roots());
        let args = self.params.iter().map(copied);
        let (zeros, places) = self.zero_tangents(function);
        let active = || (0..self.params.len()).filter(|root| self.params[*root].active);
        let dots: Vec<Ident> = active().map(|root| roots.dot(root)).collect();
        let tangents = active().zip(self.slots()).map(|(root, (param, slot))| {
            let dot = roots.dot(root);
            match param.is_mut {
                true => quote!(&mut #dot),
                false if slot.scalar => quote!(#dot),
                false => quote!(&#dot),
            }
        });
        let [value, lane, sets, y, tangent] = ["value", "lane", "sets", "y", "tangent"].map(names::ours);
        let (plain, wide, scalar) = (self.zeros(), wide(), &function.scalar);
        let lanes = quote!(<#wide as #krate::__private::Wide<#scalar>>::LANES);
        let given = function.inputs.iter().map(|leaf| {
            let dot = roots.dot(leaf.access.root);
            if split_tokens(&quote!(#dot), &leaf.access.of_tangent(), leaf.form).is_some() {
                return leaf.lane(&quote!(#dot), &lane, true, krate);
            }
            let part = mutable_leaf_tokens(&quote!(#dot), &leaf.access.of_tangent(), leaf.form);
            // A slice is given as one.
            let part = if leaf.ty.is_dynamic() { quote!(#part[..]) } else { part };
            let given = self.wide_leaf_given(leaf);
            quote!(#krate::__private::lanes::WideLeaf::write_lane(#given, #lane, &mut #part);)
        });
        let sized = self.sized(function, &quote!(#tangent));
        let taken = function.results.iter().map(|leaf| leaf.lane(&quote!(#tangent), &lane, false, krate));
        let changed: Vec<&WideLeaf> =
            function.inputs.iter().filter(|leaf| self.params[leaf.access.root].is_mut).collect();
        let taken_back = changed.iter().map(|leaf| {
            let (name, dot) = (&leaf.name, roots.dot(leaf.access.root));
            let part = leaf_tokens(&quote!(#dot), &leaf.access.of_tangent(), leaf.form);
            let part = if leaf.ty.is_dynamic() { quote!(#part[..]) } else { part };
            quote!(#krate::__private::lanes::WideLeaf::set_lane(&mut *#name, #lane, &#part);)
        });
        let again = self.changes_arguments().then(|| quote!(#krate::__private::runs_again::<Self>();));
        let (kept, put_back) = self.kept_arguments();
        // A set has no lanes: all depends on all.
        let given_sets = function.inputs.iter().map(|leaf| self.wide_leaf_given(leaf));
        let results = function.results.iter().map(|leaf| (&leaf.name, quote!(&mut)));
        let joined = results.chain(changed.iter().map(|leaf| (&leaf.name, quote!(&mut *)))).map(|(name, borrow)| {
            let alone = quote!(#krate::__private::lanes::Flat { start: 0, group: 0, stride: 0 });
            quote! {
                #krate::__private::lanes::visit_places(#borrow #name, #alone, |_, to: &mut #wide| *to = #wide::joined(*to, &#sets));
            }
        });
        quote! {
            #again
            #zeros
            #(let mut #dots = #plain;)*
            #kept
            let #sets = #wide::IS_SET.then(|| [#(#wide::reach(#given_sets)),*]);
            let mut #value = ::core::option::Option::None;
            for #lane in 0..#lanes {
                #(#given)*
                let (#y, #tangent) = Self::jvp(#(#args,)* #(#tangents),*);
                #sized
                #(#taken)*
                #(#taken_back)*
                #value = ::core::option::Option::Some(#y);
                #put_back
            }
            if let ::core::option::Option::Some(#sets) = #sets {
                #(#joined)*
            }
            (#value.expect("there is at least one direction"), (#(#places,)*))
        }
    }

    /// A borrow of the tangents that are given for a leaf.
    fn wide_leaf_given(&self, leaf: &WideLeaf) -> TokenStream {
        let name = &leaf.name;
        match self.params[leaf.access.root].is_mut {
            true => quote!(&*#name),
            false if leaf.ty.is_scalar() => quote!(&#name),
            false => quote!(#name),
        }
    }

    /// Keeps what a function is given to change, and puts it back, if there is another lane.
    fn kept_arguments(&self) -> (TokenStream, TokenStream) {
        let (krate, wide, lane) = (self.krate, wide(), names::ours("lane"));
        let (mut kept, mut put_back) = (TokenStream::new(), TokenStream::new());
        for (root, param) in self.params.iter().enumerate().filter(|(_, param)| param.is_mut) {
            let name = &param.name;
            for (k, leaf) in Layout::of(&param.surface).leaves(&Access::root(root)).into_iter().enumerate() {
                let before = names::ours(&format!("{name}_before_{k}"));
                if leaf.ty.is_dynamic() {
                    kept.extend(quote!(let #before = #krate::__private::Vec::from(&*#name);));
                    put_back.extend(quote!(#name.clone_from_slice(&#before);));
                    continue;
                }
                let place = if leaf.access.path.is_empty() { quote!(*#name) } else { leaf.access.apply(quote!(#name)) };
                kept.extend(quote!(let #before = ::core::clone::Clone::clone(&#place);));
                put_back.extend(quote!(::core::clone::Clone::clone_from(&mut #place, &#before);));
            }
        }
        let scalar = self.scalar_type();
        let put_back = (!put_back.is_empty())
            .then(|| quote!(if #lane + 1 < <#wide as #krate::__private::Wide<#scalar>>::LANES { #put_back }));
        (kept, put_back.unwrap_or_default())
    }

    fn by_columns(&self, function: &WideFunction) -> TokenStream {
        let (krate, args, roots) = (self.krate, self.names(), self.roots());
        let (zeros, places) = self.zero_tangents(function);
        let active = || (0..self.params.len()).filter(|root| self.params[*root].active);
        let set = quote!(#krate::__private::jacobian::set_number);
        let dots: Vec<Ident> = active().map(|root| roots.dot(root)).collect();
        let tangents = active().zip(self.slots()).map(|(root, (_, slot))| {
            let dot = roots.dot(root);
            if slot.scalar { quote!(#dot) } else { quote!(&#dot) }
        });
        let (plain, jvp) = (self.zeros(), quote!(Self::jvp(#(#args,)* #(#tangents),*)));
        let (value, scalar, place, wide) =
            (names::ours("value"), &function.scalar, names::ours("place"), names::ours("dot"));
        let columns = function.inputs.iter().map(|leaf| {
            let (name, flat, dot) = (&leaf.name, &leaf.flat, roots.dot(leaf.access.root));
            let leaf_reference = if leaf.ty.is_scalar() { quote!(&#name) } else { quote!(#name) };
            let added = function.results.iter();
            let added =
                added.map(|result| result.zipped_mut(&quote!(tangent), &quote!(|to, t| *to += *#wide * t), krate));
            quote! {
                #krate::__private::lanes::read_places(#leaf_reference, #flat, |#place, #wide| {
                    #set(&mut #dot, #place, <#scalar as #krate::Real>::ONE);
                    let (y, tangent) = #jvp;
                    #set(&mut #dot, #place, <#scalar as #krate::Real>::ZERO);
                    #(#added)*
                    #value = ::core::option::Option::Some(y);
                });
            }
        });
        quote! {
            #zeros
            #(let mut #dots = #plain;)*
            let mut #value = ::core::option::Option::None;
            #(#columns)*
            (#value.expect("there is a number to differentiate by"), (#(#places,)*))
        }
    }
}
