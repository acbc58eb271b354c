//! The Gauss–Newton approximation of the Hessian of ½‖r‖², `JᵀJ`, with the gradient `Jᵀr`.
//!
//! If there are few parameters, the tangents along all of them are computed at once, and each residual has its row of `J` in
//! the lanes of its tangent: the products of the rows are added up. Else a column of `JᵀJ` is the pullback of a column of
//! `J`, which `jvp` gives, so that `J` is nowhere kept. Where there are no more rows than columns, or the function cannot run
//! again as it is, the pullback gives the rows of `J` one after the other, and their outer products are added up.
//!
//! The blocks are those of a Hessian, see Note [Blocks] in `jacobian.rs`.

use super::item::Item;
use super::jacobian::{Input, Parts, block_names};
use super::matrix::{Matrix, part_of, tuple};
use super::names;
use super::wide::{WideFunction, WideLeaf};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

impl Item<'_> {
    /// Whether there is such a matrix: a number as the result has a gradient, which says all.
    fn has_residuals(&self) -> bool {
        !self.scalar_result()
    }

    pub(super) fn gauss_newton_signature(&self, parts: &Parts) -> Option<TokenStream> {
        let (lifetimes, params, vis, g) =
            (self.lifetimes(), self.params(), &self.function.item.vis, self.gradient_type());
        let blocks = self.hessian_blocks(parts);
        let h = tuple(blocks.iter().map(|row| tuple(row.iter().map(Matrix::ty))));
        self.has_residuals().then(|| quote!(#vis fn gauss_newton #lifetimes (#(#params),*) -> (#h, #g)))
    }

    pub(super) fn gauss_newton(&self, parts: &Parts, wide: Option<&WideFunction>) -> TokenStream {
        let Some(signature) = self.gauss_newton_signature(parts) else { return TokenStream::new() };
        let (krate, name, args, inputs) = (self.krate, self.function.name(), self.names(), &parts.inputs);
        let module = quote!(#krate::__private::jacobian);
        let (blocks, count) = (self.hessian_blocks(parts), inputs.len());
        let locals = block_names(count * count);
        let named = || blocks.iter().flatten().zip(&locals);
        let made = named().map(|(block, local)| block.made(local));
        let counts: Vec<Ident> = (0..count).map(|k| names::ours(&format!("columns_{k}"))).collect();
        let put: Vec<TokenStream> = named()
            .enumerate()
            .map(|(k, (block, local))| block.put(local, &counts[k / count].to_token_stream()))
            .collect();
        let put = tuple(put.chunks(count).map(|row| tuple(row.iter().cloned())));
        // The numbers of a block in rows.
        let flat: Vec<TokenStream> = named().map(|(block, local)| block.given(local)).collect();
        let (dots, zeros): (Vec<_>, Vec<_>) = inputs.iter().map(|input| (&input.dot, &input.zero)).unzip();
        let sizes = inputs.iter().map(|input| input.count(krate));
        let [y, pullback, seed, total, rows, row, g] =
            ["y", "pullback", "seed", "total", "rows", "row", "g"].map(names::ours);
        let gradients: Vec<TokenStream> = (0..count).map(|k| part_of(&quote!(#g), k, count)).collect();
        let at_once = wide.filter(|wide| wide.is_whole);
        let at_once = at_once.map(|wide| self.products_of_lanes(parts, wide, &flat, &put));
        let columns = (at_once.is_none() && self.runs_again_as_it_is()).then(|| {
            let columns = (0..count).map(|k| {
                let own = flat.iter().skip(k).step_by(count);
                let used = |column: &Ident, tangent: &TokenStream| {
                    let (own, size) = (own.clone(), &counts[k]);
                    quote! {
                        let #g = #pullback(#tangent);
                        #(#module::write_column(&#gradients, #column, #size, #own);)*
                    }
                };
                match wide {
                    Some(wide) => self.wide_residual_columns(wide, k, &counts[k], &used),
                    None => self.residual_columns(parts, k, &counts[k], &used),
                }
            });
            let columns: TokenStream = columns.collect();
            let lanes = wide.iter().flat_map(|wide| &wide.inputs).zip(wide.iter().cycle());
            let zeros = lanes.map(|(leaf, wide)| leaf.zeros(&wide.width, &args, krate));
            quote! {
                if #rows > 0 #(+ #counts)* && !<Self as #krate::__private::Sweeps>::EFFECTS {
                    #(#zeros)*
                    #columns
                } else
            }
        });
        let outer = gradients.iter().flat_map(|left| gradients.iter().map(move |right| (left, right))).zip(&flat);
        let outer = outer.map(|((left, right), block)| quote!(#module::add_outer(&#left, &#right, #block);));
        let finish = named().enumerate().filter(|(_, (block, _))| !block.is_fixed()).map(|(k, (_, local))| {
            let (rows, columns) = (&counts[k / count], &counts[k % count]);
            quote!(#module::Rows::finish(&mut #local, #rows, #columns);)
        });
        // Counts that are constants need no tangents, nor do rows.
        let sizes = quote!(#(let #counts: usize = #sizes;)*);
        let is_counted = inputs.iter().any(|input| input.extent.count().is_none());
        let dots_and_counts = match columns.is_some() || is_counted {
            true => quote!(#(let mut #dots = #zeros;)* #sizes),
            false => sizes,
        };
        let doc = format!(
            "`JᵀJ` and `Jᵀr`, where `r` is the value of [`{name}`] and `J` its Jacobian: the Hessian of half the sum of \
             squares after Gauss and Newton, in the form of a Hessian, and its gradient."
        );
        quote! {
            #[doc = #doc]
            #[inline]
            #signature {
                #dots_and_counts
                #(#made)*
                #at_once
                let (#y, #pullback) = Self::vjp(#(#args),*);
                let mut #seed = #module::as_tangent(#y);
                let #total = #pullback(&#seed);
                let #rows = #krate::Differentiable::flat_len(&#seed);
                #columns {
                    #krate::Differentiable::set_zero(&mut #seed);
                    for #row in 0..#rows {
                        #module::set_number(&mut #seed, #row, <_ as #krate::Real>::ONE);
                        let #g = #pullback(&#seed);
                        #module::set_number(&mut #seed, #row, <_ as #krate::Real>::ZERO);
                        #(#outer)*
                    }
                }
                #(#finish)*
                (#put, #total)
            }
        }
    }

    /// All columns at once, in the lanes of one tangent.
    fn products_of_lanes(
        &self,
        parts: &Parts,
        wide: &WideFunction,
        flat: &[TokenStream],
        put: &TokenStream,
    ) -> TokenStream {
        let (krate, args, width, scalar) = (self.krate, self.names(), &wide.width, &parts.scalar);
        let [y, seed, total, products, number, first, lanes, residual] =
            ["y", "seed", "total", "products", "number", "first", "lanes", "residual"].map(names::ours);
        let count = parts.inputs.len();
        let sizes: Vec<TokenStream> = parts.inputs.iter().map(|input| input.count(krate)).collect();
        let starts: Vec<TokenStream> =
            (0..count).map(|k| sizes[..k].iter().fold(quote!(0), |sum, size| quote!(#sum + #size))).collect();
        let roots: Vec<usize> = (0..self.params.len()).filter(|root| self.params[*root].active).collect();
        let zeros = wide.inputs.iter().map(|leaf| leaf.zeros(width, &args, krate));
        let units = roots.iter().zip(&starts).map(|(root, start)| {
            let units = wide.inputs.iter().filter(|leaf| leaf.access.root == *root);
            let units = units.map(|leaf| leaf.units(&first, krate));
            quote!(let #first = 0_usize.wrapping_sub(#start); #(#units)*)
        });
        let tangents = wide.inputs.iter().map(WideLeaf::argument);
        let results = wide.results.iter().map(|leaf| &leaf.name);
        let each = quote!(|#lanes, #residual| #products.add(#lanes, #residual));
        let added = wide.results.iter().map(|leaf| {
            let (name, argument) = (&leaf.name, leaf.borrowed());
            let added = leaf.zipped(&quote!(#seed), &each, krate);
            quote!(let #name = #argument; #added)
        });
        let blocks = (0..count * count).map(|k| {
            let (row, column, block) = (k / count, k % count, &flat[k]);
            let (rows, columns) = ((&starts[row], &sizes[row]), (&starts[column], &sizes[column]));
            let ((row, rows), (column, columns)) = (rows, columns);
            quote!(#products.write((#row, #rows), (#column, #columns), #block);)
        });
        let zero = self.zero_gradient();
        let parts_of_total = (0..count).map(|k| {
            let (part, start, size) = (part_of(&quote!(#total), k, count), &starts[k], &sizes[k]);
            let set = quote!(#krate::__private::jacobian::set_number);
            quote!(for #number in 0..#size { #set(&mut #part, #number, #products.sum(#start + #number)); })
        });
        quote! {
            if !<Self as #krate::__private::Sweeps>::EFFECTS {
                #(#zeros)*
                #(#units)*
                let (#y, (#(#results,)*)) = Self::__jvp_wide(#(#args,)* #(#tangents),*);
                let #seed = #krate::__private::jacobian::as_tangent(#y);
                let mut #products = #krate::__private::lanes::Products::<#scalar, #width>::ZERO;
                #(#added)*
                #(#blocks)*
                let mut #total = #zero;
                #(#parts_of_total)*
                return (#put, #total);
            }
        }
    }

    /// The columns of `J` that belong to a parameter, one after the other.
    fn residual_columns(
        &self,
        parts: &Parts,
        k: usize,
        size: &Ident,
        used: &dyn Fn(&Ident, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        let (krate, args, column, dot) = (self.krate, self.names(), names::ours("column"), &parts.inputs[k].dot);
        let set = quote!(#krate::__private::jacobian::set_number);
        let (tangents, tangent) = (parts.inputs.iter().map(Input::argument), names::ours("tangent"));
        let used = used(&column, &quote!(&#tangent));
        quote! {
            for #column in 0..#size {
                #set(&mut #dot, #column, <_ as #krate::Real>::ONE);
                let (_, #tangent) = Self::jvp(#(#args,)* #(#tangents),*);
                #set(&mut #dot, #column, <_ as #krate::Real>::ZERO);
                #used
            }
        }
    }

    /// The same, several at once.
    fn wide_residual_columns(
        &self,
        wide: &WideFunction,
        k: usize,
        size: &Ident,
        used: &dyn Fn(&Ident, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        let (krate, args, width) = (self.krate, self.names(), &wide.width);
        let [column, first, lane, seed] = ["column", "first", "lane", "seed"].map(names::ours);
        let roots: Vec<usize> = (0..self.params.len()).filter(|root| self.params[*root].active).collect();
        let own = || wide.inputs.iter().filter(|leaf| leaf.access.root == roots[k]);
        let units = own().map(|leaf| leaf.units(&first, krate));
        let clear = own().map(|leaf| leaf.clear(krate));
        let tangents = wide.inputs.iter().map(WideLeaf::argument);
        let results = wide.results.iter().map(|leaf| &leaf.name);
        let written = wide.results.iter().map(|leaf| leaf.lane(&quote!(#seed), &lane, true, krate));
        let used = used(&column, &quote!(&#seed));
        quote! {
            let mut #first = 0;
            while #first < #size {
                #(#units)*
                let (_, (#(#results,)*)) = Self::__jvp_wide(#(#args,)* #(#tangents),*);
                for #column in #first..::core::cmp::Ord::min(#first + #width, #size) {
                    let #lane = #column - #first;
                    #(#written)*
                    #used
                }
                #first += #width;
            }
            #(#clear)*
        }
    }
}
