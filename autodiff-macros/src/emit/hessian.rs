//! Hessians: the tangents of a gradient, made of `hvp`.
//!
//! The blocks are those of a Jacobian, see Note [Blocks] in `jacobian.rs`, a row of them for each parameter. Several columns
//! are computed at once where there is a body for it, see `wide.rs`.

use super::item::Item;
use super::jacobian::{Input, Parts, block_names, stubs};
use super::matrix::{Matrix, Written, part_of, target, tuple, written};
use super::names;
use super::wide::{WideFunction, WideLeaf};
use crate::ir::interface::Order;
use crate::parse::families::Family;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Item<'_> {
    /// Hessians, or what says why there are none; `is_wide` tells whether several columns have a body of their own, and
    /// `is_diagonal` whether nothing but the diagonal can differ from zero.
    pub(super) fn hessians(&self, is_second: bool, is_wide: bool, is_diagonal: bool) -> TokenStream {
        let has_hessian = self.scalar_result() && self.has_family(Family::Hessian);
        let Some(parts) = self.parts().filter(|_| has_hessian) else { return TokenStream::new() };
        if self.changes_arguments() {
            return stubs(&self.hessian_signatures(&parts), &self.never());
        }
        if !is_second {
            let (krate, (_, self_ty, _)) = (self.krate, self.generics());
            let bound = if self.function.order() < Order::Second { quote!(SecondOrder) } else { quote!(HigherOrder) };
            let bound = quote!(where for<'of> #self_ty: #krate::__private::#bound<'of>);
            return stubs(&self.hessian_signatures(&parts), &bound);
        }
        let function = self.wide_function().filter(|function| is_wide && function.has_places());
        self.hessian(&parts, function.as_ref(), is_diagonal)
    }

    pub(super) fn hessian_blocks<'b>(&'b self, parts: &'b Parts) -> Vec<Vec<Matrix<'b>>> {
        parts.inputs.iter().map(|rows| self.row_of_blocks(&rows.extent, parts)).collect()
    }

    pub(super) fn hessian_signatures(&self, parts: &Parts) -> [TokenStream; 4] {
        let (lifetimes, params, vis, y) =
            (self.lifetimes(), self.params(), &self.function.item.vis, &self.function.result);
        let blocks = self.hessian_blocks(parts);
        let h = tuple(blocks.iter().map(|row| tuple(row.iter().map(Matrix::ty))));
        let (target, g, place) = (target(&blocks), self.gradient_type(), names::ours("h"));
        [
            quote!(#vis fn hessian #lifetimes (#(#params),*) -> #h),
            quote!(#vis fn value_grad_hessian #lifetimes (#(#params),*) -> (#y, #g, #h)),
            quote!(#vis fn hessian_into #lifetimes (#(#params,)* #place: #target)),
            quote!(#vis fn hessian_diagonal #lifetimes (#(#params),*) -> #g),
        ]
    }

    fn hessian(&self, parts: &Parts, wide: Option<&WideFunction>, is_diagonal: bool) -> TokenStream {
        let (krate, name) = (self.krate, self.function.name());
        let [hessian, all, into, diagonal] = self.hessian_signatures(parts);
        let (bounds, again, inputs) = (&parts.bounds, &parts.again, &parts.inputs);
        let (lifetimes, params, args, place) = (self.lifetimes(), self.params(), self.names(), names::ours("h"));
        let [column, size, diagonal_place] = ["column", "columns", "diagonal"].map(names::ours);
        let (blocks, count) = (self.hessian_blocks(parts), inputs.len());
        let locals = block_names(count * count);
        let (dots, zeros): (Vec<_>, Vec<_>) = inputs.iter().map(|input| (&input.dot, &input.zero)).unzip();
        let sizes = quote!(#(let mut #dots = #zeros;)*);
        let counts: Vec<TokenStream> = inputs.iter().map(|input| input.count(krate)).collect();
        let named = || blocks.iter().flatten().zip(&locals);
        let made: TokenStream = named().map(|(block, local)| block.made(local)).collect();
        let given = named().map(|(block, local)| block.given(local));
        let put = named().enumerate().map(|(k, (block, local))| block.put(local, &counts[k / count]));
        let put: Vec<TokenStream> = put.collect();
        let put = tuple(put.chunks(count).map(|row| tuple(row.iter().cloned())));
        let Written { before, arguments, after } = written(&blocks, &place, &locals);
        let block_params = self.block_params(parts, &locals, &[]);
        let module = quote!(#krate::__private::jacobian);
        let parts_of = |whole: TokenStream| (0..count).map(|k| part_of(&whole, k, count)).collect::<Vec<_>>();
        let (gradients, diagonals) = (parts_of(quote!(g)), parts_of(quote!(#diagonal_place)));
        let columns = (0..count).map(|k| match wide {
            Some(wide) => self.wide_hessian_columns(parts, wide, k, &|leaf, bar, i, at| {
                leaf.columns(bar, at, &locals[i * count + k], krate)
            }),
            None => {
                let own = locals.iter().skip(k).step_by(count);
                let (column, size) = (&column, &size);
                let used = quote!(#(#module::write_column(&#gradients, #column, #size, #own);)*);
                self.plain_hessian_columns(parts, k, (column, size), &used)
            }
        });
        let finish = locals.iter().enumerate().map(|(k, local)| {
            let (rows, columns) = (&counts[k / count], &counts[k % count]);
            quote!(#module::Rows::finish(#local, #rows, #columns);)
        });
        let on_diagonal = (0..count).map(|k| match wide {
            Some(wide) => self.wide_hessian_columns(parts, wide, k, &|leaf, bar, i, (first, _)| match i == k {
                true => leaf.on_diagonal(bar, first, &diagonals[k], krate),
                false => TokenStream::new(),
            }),
            None => {
                let (to, from) = (&diagonals[k], &gradients[k]);
                let used = quote!(#module::set_number(&mut #to, #column, #module::number(&#from, #column)););
                self.plain_hessian_columns(parts, k, (&column, &size), &used)
            }
        });
        let separate = wide.filter(|wide| !wide.is_whole);
        let separate = separate.map(|wide| self.separate_diagonal(parts, wide, &diagonals, &diagonal_place));
        let dots_of_all = match wide {
            Some(wide) => {
                let zeros = wide.inputs.iter().map(|leaf| leaf.zeros(&wide.width, &args, krate));
                let is_counted = inputs.iter().any(|input| input.extent.count().is_none());
                let sizes = if is_counted { sizes.clone() } else { TokenStream::new() };
                quote!(#sizes #(#zeros)*)
            }
            None => sizes.clone(),
        };
        let zero = self.zero_gradient();
        let of_diagonal = match is_diagonal {
            // The product with ones.
            true => {
                let tangents = inputs.iter().map(Input::argument);
                quote! {
                    #sizes
                    #(#module::set_ones(&mut #dots);)*
                    Self::hvp(#(#again,)* #(#tangents),*)
                }
            }
            false => quote! {
                #krate::__private::runs_again::<Self>();
                #dots_of_all
                let mut #diagonal_place = #zero;
                #separate
                #(#on_diagonal)*
                #diagonal_place
            },
        };
        let doc = format!(
            "The Hessian of [`{name}`]: a row and a column for each number of the parameter, of several parameters a block \
             for each two of them."
        );
        let doc_all = format!("The value, the gradient and the Hessian of [`{name}`].");
        let doc_into = format!("`h` becomes the Hessian of [`{name}`].");
        let doc_diagonal = format!("The diagonal of the Hessian of [`{name}`], in the form of a gradient.");
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __hessian #lifetimes (#(#params,)* #(#block_params),*) #bounds {
                #krate::__private::runs_again::<Self>();
                #dots_of_all
                #(#columns)*
                #(#finish)*
            }
            #[doc = #doc]
            #[inline]
            #hessian #bounds {
                #sizes
                #made
                Self::__hessian(#(#again,)* #(#given),*);
                #put
            }
            #[doc = #doc_all]
            #[inline]
            #all #bounds {
                let #place = Self::hessian(#(#again),*);
                let (y, g) = Self::value_and_grad(#(#args),*);
                (y, g, #place)
            }
            #[doc = #doc_into]
            #[inline]
            #into #bounds {
                #before
                Self::__hessian(#(#args,)* #(#arguments),*);
                #after
            }
            #[doc = #doc_diagonal]
            #[inline]
            #diagonal #bounds { #of_diagonal }
        }
    }

    /// The diagonal at once, if there is nothing else: see Note [Diagonal Hessians] in `separate.rs` of `autodiff-core`.
    fn separate_diagonal(
        &self,
        parts: &Parts,
        wide: &WideFunction,
        diagonals: &[TokenStream],
        diagonal: &Ident,
    ) -> TokenStream {
        let (krate, again, args, scalar, width) = (self.krate, &parts.again, self.names(), &parts.scalar, &wide.width);
        let (module, next) = (quote!(#krate::__private::separate), names::ours("next"));
        let counts = parts.inputs.iter().map(|input| input.count(krate));
        let zeros = wide.inputs.iter().map(|leaf| leaf.zeros_of(&quote!(#module::Separate<#scalar>), &args, krate));
        let leaves: Vec<&Ident> = wide.inputs.iter().map(|leaf| &leaf.name).collect();
        let tangents = wide.inputs.iter().map(WideLeaf::argument);
        let bars: Vec<Ident> = (0..wide.inputs.len()).map(|leaf| names::ours(&format!("bar_{leaf}"))).collect();
        let roots: Vec<usize> = (0..self.params.len()).filter(|root| self.params[*root].active).collect();
        let written = wide.inputs.iter().zip(&bars).map(|(leaf, bar)| {
            let at = roots.iter().position(|root| *root == leaf.access.root).unwrap_or(0);
            let (flat, to) = (&leaf.flat, &diagonals[at]);
            quote! {
                #krate::__private::lanes::read_places(&#bar, #flat, |place, tangent| {
                    #krate::__private::jacobian::set_number(&mut #to, place, tangent.value);
                });
            }
        });
        quote! {
            if 0 #(+ #counts)* > 2 * #width {
                #(#zeros)*
                let mut #next = 0;
                #(#module::set_ones(&mut #leaves, &mut #next);)*
                let (#(#bars,)*) = Self::__hvp_wide(#(#again,)* #(#tangents),*);
                let mut #next = 0;
                if true #(&& #module::are_separate(&#bars, &mut #next))* {
                    #(#written)*
                    return #diagonal;
                }
            }
        }
    }

    /// The columns that belong to a parameter, one after the other. `used` is what becomes of each, `g`.
    fn plain_hessian_columns(
        &self,
        parts: &Parts,
        k: usize,
        (column, size): (&Ident, &Ident),
        used: &TokenStream,
    ) -> TokenStream {
        let (krate, again) = (self.krate, &parts.again);
        let (dot, columns) = (&parts.inputs[k].dot, parts.inputs[k].count(krate));
        let tangents = parts.inputs.iter().map(Input::argument);
        let set = quote!(#krate::__private::jacobian::set_number);
        quote! {
            let #size: usize = #columns;
            for #column in 0..#size {
                #set(&mut #dot, #column, <_ as #krate::Real>::ONE);
                let g = Self::hvp(#(#again,)* #(#tangents),*);
                #set(&mut #dot, #column, <_ as #krate::Real>::ZERO);
                #used
            }
        }
    }

    /// The same, several at once. `used` is what becomes of a leaf of the `i`th parameter: its form, its name, `i`, and the
    /// first column with the number of all.
    fn wide_hessian_columns(
        &self,
        parts: &Parts,
        wide: &WideFunction,
        k: usize,
        used: &dyn Fn(&WideLeaf, &Ident, usize, (&Ident, &Ident)) -> TokenStream,
    ) -> TokenStream {
        let (krate, again, width) = (self.krate, &parts.again, &wide.width);
        let (columns, [first, size]) = (parts.inputs[k].count(krate), ["first", "columns"].map(names::ours));
        let roots: Vec<usize> = (0..self.params.len()).filter(|root| self.params[*root].active).collect();
        let own = || wide.inputs.iter().filter(|leaf| leaf.access.root == roots[k]);
        let units = own().map(|leaf| leaf.units(&first, krate));
        let clear = own().map(|leaf| leaf.clear(krate));
        let tangents = wide.inputs.iter().map(WideLeaf::argument);
        let bars: Vec<Ident> = (0..wide.inputs.len()).map(|leaf| names::ours(&format!("bar_{leaf}"))).collect();
        let used = wide.inputs.iter().zip(&bars).map(|(leaf, bar)| {
            let i = roots.iter().position(|root| *root == leaf.access.root).unwrap_or(0);
            used(leaf, bar, i, (&first, &size))
        });
        quote! {
            let #size: usize = #columns;
            let mut #first = 0;
            while #first < #size {
                #(#units)*
                let (#(#bars,)*) = Self::__hvp_wide(#(#again,)* #(#tangents),*);
                #(#used)*
                #first += #width;
            }
            #(#clear)*
        }
    }
}
