//! Jacobians and Hessians, and derivatives in several directions: made of `jvp`, `vjp` and `hvp`.
//!
//! Note [Blocks]. A Jacobian has a block for each parameter, whose rows are the numbers of the result and whose columns
//! are those of the parameter, both in flat order. While it is computed a block is a slice in row-major order, or a `Vec`
//! that grows; `autodiff-core`'s `jacobian` module writes rows and columns into it.
//!
//! Note [Columns or rows]. A column is a tangent, and costs an evaluation of `jvp`; a row is a cotangent, and costs a call
//! of the pullback, after one forward sweep. Where there are few rows and more columns, one function has all rows (`rows.rs`), in
//! which nothing is computed that is zero by structure. Else columns are computed, several at once, where there are few for each row.
//! If only the result tells how many rows there are, the first columns do.
//! A function with effects runs once, so that its Jacobian is always computed by rows.

use super::item::Item;
use super::matrix::{Extent, Matrix, Written, is_copied, part_of, target, tuple, written};
use super::names;
use super::rows::RowsBody;
use super::signature::Slot;
use super::wide::{WideFunction, WideLeaf};
use crate::parse::families::Family;
use crate::parse::function::Param;
use crate::parse::ty::Surface;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// For how many columns, computed several at once, one row is computed in its place.
const ROWS_PER_WIDE_COLUMN: usize = 4;

/// A parameter that the function is differentiated by.
pub(super) struct Input<'i> {
    pub(super) param: &'i Param,
    pub(super) slot: Slot,
    pub(super) extent: Extent,
    /// Its tangent: the name, and zeros.
    pub(super) dot: Ident,
    pub(super) zero: TokenStream,
}

impl Input<'_> {
    /// The tangent as an argument.
    pub(super) fn argument(&self) -> TokenStream {
        let dot = &self.dot;
        if self.slot.scalar { quote!(#dot) } else { quote!(&#dot) }
    }

    /// How many numbers it has.
    pub(super) fn count(&self, krate: &TokenStream) -> TokenStream {
        let dot = &self.dot;
        self.extent.count().unwrap_or_else(|| quote!(#krate::Differentiable::flat_len(&#dot)))
    }
}

/// What the functions of this file have in common.
pub(super) struct Parts<'i> {
    pub(super) scalar: TokenStream,
    pub(super) inputs: Vec<Input<'i>>,
    pub(super) result: Extent,
    /// The arguments where the function runs more than once, and what that asks of their types.
    pub(super) again: Vec<TokenStream>,
    pub(super) bounds: TokenStream,
}

impl Item<'_> {
    /// Jacobians, and derivatives in several directions; `is_wide` tells whether these have a body of their own, and `rows` has
    /// one for all rows.
    pub(super) fn jacobians(&self, is_wide: bool, rows: Option<&RowsBody>) -> TokenStream {
        let Some(parts) = self.parts() else { return TokenStream::new() };
        if self.changes_arguments() {
            return self.stubs_of_jacobian(&parts, &self.never());
        }
        let function = self.wide_function().filter(|function| is_wide && function.has_places());
        let function = function.as_ref();
        let jacobian = self.has_family(Family::Jacobian).then(|| self.jacobian(&parts, function, rows));
        let many = self.has_family(Family::Many).then(|| self.many(&parts, function));
        let gauss_newton = self.has_family(Family::GaussNewton).then(|| self.gauss_newton(&parts, function));
        quote!(#jacobian #many #gauss_newton)
    }

    /// The same without bodies, for a function that has errors.
    pub(super) fn matrix_stubs(&self) -> TokenStream {
        let Some(parts) = self.parts() else { return TokenStream::new() };
        let none = TokenStream::new();
        let jacobian = self.stubs_of_jacobian(&parts, &none);
        let hessian = self.scalar_result().then(|| stubs(&self.hessian_signatures(&parts), &none));
        quote!(#jacobian #hessian)
    }

    fn stubs_of_jacobian(&self, parts: &Parts, bound: &TokenStream) -> TokenStream {
        let (jacobian, many) =
            (stubs(&self.jacobian_signatures(parts), bound), stubs(&self.many_signatures(parts), bound));
        let gauss_newton = stubs(self.gauss_newton_signature(parts).as_slice(), bound);
        quote!(#jacobian #many #gauss_newton)
    }

    pub(super) fn changes_arguments(&self) -> bool {
        self.params.iter().any(|param| param.is_mut)
    }

    /// A bound that never holds, and whose message tells why there is no such derivative.
    pub(super) fn never(&self) -> TokenStream {
        let (krate, (_, self_ty, _)) = (self.krate, self.generics());
        quote!(where for<'of> #self_ty: #krate::__private::jacobian::LeavesArguments<'of>)
    }

    /// Whether the function can run more than once with the arguments as they are.
    pub(super) fn runs_again_as_it_is(&self) -> bool {
        self.params.iter().all(is_copied)
    }

    pub(super) fn parts(&self) -> Option<Parts<'_>> {
        let scalar = self.scalar_type().filter(|_| is_tree(self.result))?;
        let roots = self.roots();
        let zeros = self.zeros();
        let at = (0..self.params.len()).filter(|k| self.params[*k].active);
        let inputs = at.zip(self.slots()).zip(zeros).map(|((root, (param, slot)), zero)| Input {
            extent: self.extent_of_param(root),
            dot: roots.dot(root),
            param,
            slot,
            zero,
        });
        let inputs: Vec<Input> = inputs.collect();
        if inputs.is_empty() {
            return None;
        }
        let (krate, mut bounds) = (self.krate, Vec::new());
        let again = self.params.iter().zip(self.param_types()).map(|(param, ty)| {
            let name = &param.name;
            if is_copied(param) {
                return quote!(#name);
            }
            bounds.push(quote!(for<'of> #ty: #krate::__private::jacobian::Again<'of>));
            quote!(::core::clone::Clone::clone(&#name))
        });
        let again = again.collect();
        let bounds = if bounds.is_empty() { TokenStream::new() } else { quote!(where #(#bounds),*) };
        Some(Parts { scalar, inputs, result: self.extent_of_result(), again, bounds })
    }

    // --- Jacobians --------------------------------------------------------------------------------------

    fn blocks<'b>(&'b self, parts: &'b Parts) -> Vec<Vec<Matrix<'b>>> {
        vec![self.row_of_blocks(&parts.result, parts)]
    }

    pub(super) fn row_of_blocks<'b>(&'b self, rows: &'b Extent, parts: &'b Parts) -> Vec<Matrix<'b>> {
        let columns = parts.inputs.iter().map(|input| &input.extent);
        columns.map(|columns| Matrix { rows, columns, scalar: &parts.scalar, krate: self.krate }).collect()
    }

    /// Name, parameters and result of each function.
    fn jacobian_signatures(&self, parts: &Parts) -> [TokenStream; 4] {
        let (lifetimes, params, vis, y) =
            (self.lifetimes(), self.params(), &self.function.item.vis, &self.function.result);
        let blocks = self.blocks(parts);
        let (j, target, place) = (tuple(blocks[0].iter().map(Matrix::ty)), target(&blocks), names::ours("j"));
        [
            quote!(#vis fn jacobian #lifetimes (#(#params),*) -> #j),
            quote!(#vis fn value_and_jacobian #lifetimes (#(#params),*) -> (#y, #j)),
            quote!(#vis fn jacobian_into #lifetimes (#(#params,)* #place: #target)),
            quote!(#vis fn value_and_jacobian_into #lifetimes (#(#params,)* #place: #target) -> #y),
        ]
    }

    fn jacobian(&self, parts: &Parts, wide: Option<&WideFunction>, rows: Option<&RowsBody>) -> TokenStream {
        let (krate, name, args, y) = (self.krate, self.function.name(), self.names(), &self.function.result);
        let [jacobian, both, into, both_into] = self.jacobian_signatures(parts);
        let doc = format!(
            "The Jacobian of [`{name}`]: a row for each number of the result, a column for each of the parameter."
        );
        let doc_both = format!("The value and the Jacobian of [`{name}`].");
        let doc_into = format!("`j` becomes the Jacobian of [`{name}`].");
        let doc_both_into = format!("The value of [`{name}`]; `j` becomes the Jacobian.");
        let (blocks, place) = (self.blocks(parts), names::ours("j"));
        let locals = block_names(blocks[0].len());
        let length = quote!(#krate::Differentiable::flat_len(&y));
        let named = || blocks[0].iter().zip(&locals);
        let made = named().map(|(block, local)| block.made(local));
        let given = named().map(|(block, local)| block.given(local));
        let put = tuple(named().map(|(block, local)| block.put(local, &length)));
        let Written { before, arguments, after } = written(&blocks, &place, &locals);
        let call = quote!(Self::__jacobian(#(#args,)* #(#arguments),*));
        // What is written in place is copied once, behind the value.
        let in_place = after.is_empty() && blocks.iter().flatten().all(Matrix::is_fixed);
        let both_body = match in_place {
            true => quote! {
                let mut #place = #put;
                let y = Self::value_and_jacobian_into(#(#args,)* &mut #place);
                (y, #place)
            },
            false => quote! {
                let y = Self::__jacobian(#(#args,)* #(#given),*);
                let #place = #put;
                (y, #place)
            },
        };
        let both_into_body = if after.is_empty() { call } else { quote!(#before let y = #call; #after y) };
        let all_rows = rows.map_or_else(Vec::new, |_| self.has_all_rows());
        let (lifetimes, params, block_params) =
            (self.lifetimes(), self.params(), self.block_params(parts, &locals, &all_rows));
        let (own, statements) = match rows {
            Some(rows) => (self.rows_function(rows), self.written_rows(rows, parts, &locals)),
            None => (TokenStream::new(), self.jacobian_statements(parts, wide, &locals)),
        };
        quote! {
            #own
            #[doc(hidden)]
            #[inline]
            pub fn __jacobian #lifetimes (#(#params,)* #(#block_params),*) -> #y { #statements }
            #[doc = #doc_both]
            #[inline]
            #both {
                #(#made)*
                #both_body
            }
            #[doc = #doc]
            #[inline]
            #jacobian { Self::value_and_jacobian(#(#args),*).1 }
            #[doc = #doc_both_into]
            #[inline]
            #both_into { #both_into_body }
            #[doc = #doc_into]
            #[inline]
            #into { Self::value_and_jacobian_into(#(#args,)* #place); }
        }
    }

    /// The blocks, some of which have `all_rows` at hand at once.
    pub(super) fn block_params(&self, parts: &Parts, locals: &[Ident], all_rows: &[bool]) -> Vec<TokenStream> {
        let (krate, scalar) = (self.krate, &parts.scalar);
        let of = |(k, local): (usize, &Ident)| {
            let form = if all_rows.get(k) == Some(&true) { quote!(AllRows) } else { quote!(Rows) };
            quote!(#local: &mut (impl #krate::__private::jacobian::#form<#scalar> + ?::core::marker::Sized))
        };
        locals.iter().enumerate().map(of).collect()
    }

    /// See Note [Columns or rows].
    fn jacobian_statements(&self, parts: &Parts, wide: Option<&WideFunction>, blocks: &[Ident]) -> TokenStream {
        let (krate, args, inputs) = (self.krate, self.names(), &parts.inputs);
        let module = quote!(#krate::__private::jacobian);
        let count = inputs.len();
        let gradients: Vec<TokenStream> = (0..count).map(|k| part_of(&quote!(g), k, count)).collect();
        if self.scalar_result() {
            return quote! {
                let (y, g) = Self::value_and_grad(#(#args),*);
                #(#module::write_row(&#gradients, 0, #blocks);)*
                y
            };
        }
        let [row_count, value] = ["rows", "value"].map(names::ours);
        let (dots, zeros): (Vec<_>, Vec<_>) = inputs.iter().map(|input| (&input.dot, &input.zero)).unzip();
        let counts: Vec<TokenStream> = inputs.iter().map(|input| input.count(krate)).collect();
        let columns: Vec<Ident> = (0..count).map(|k| names::ours(&format!("columns_{k}"))).collect();
        let tangents = inputs.iter().map(Input::argument);
        let by_columns = self.runs_again_as_it_is().then(|| match (parts.result.count(), wide) {
            (None, Some(wide)) => self.counted_columns(wide, &columns, blocks),
            (rows, wide) => {
                // How many rows there are, the result of a column tells.
                let counted = quote!(#krate::Differentiable::flat_len(&Self::jvp(#(#args,)* #(#tangents),*).1));
                let rows = rows.unwrap_or(counted);
                let (factor, statements) = match wide {
                    Some(wide) => (ROWS_PER_WIDE_COLUMN, self.wide_columns(wide, &columns, blocks, &value, None)),
                    None => (1, self.plain_columns(parts, &columns, blocks, &value)),
                };
                let factor = Literal::usize_unsuffixed(factor);
                quote! {
                    let #row_count: usize = if <Self as #krate::__private::Sweeps>::EFFECTS { 0 } else { #rows };
                    if 0 #(+ #columns)* <= #factor * #row_count {
                        let mut #value = ::core::option::Option::None;
                        #statements
                        if let ::core::option::Option::Some(y) = #value {
                            #(#module::Rows::finish(#blocks, #row_count, #columns);)*
                            return y;
                        }
                    }
                }
            }
        });
        let [result, all] = ["result", "all_rows"].map(names::ours);
        let by_rows = self.rows(&gradients, blocks, (&result, &all));
        let is_counted = |input: &Input| input.extent.count().is_none();
        let dots = match wide {
            Some(_) if !inputs.iter().any(is_counted) => TokenStream::new(),
            _ => quote!(#(let mut #dots = #zeros;)*),
        };
        quote! {
            #dots
            #(let #columns: usize = #counts;)*
            #by_columns
            #by_rows
            #(#module::Rows::finish(#blocks, #all, #columns);)*
            #result
        }
    }

    /// Rows one after the other. Where the arguments are at hand for both sweeps, nothing is copied for the second one.
    fn rows(&self, gradients: &[TokenStream], blocks: &[Ident], (result, rows): (&Ident, &Ident)) -> TokenStream {
        let (krate, args) = (self.krate, self.names());
        let module = quote!(#krate::__private::jacobian);
        let [seed, row] = ["seed", "row"].map(names::ours);
        let (sweep, reverse) = match self.runs_again_as_it_is() {
            true => {
                let (saved, seeds) = (names::ours("saved"), self.seeds_of(&seed));
                let (zero, bars, mutable, each) =
                    (self.zero_gradient(), self.bar_pattern(), self.mutable_bars(), self.bar_names());
                let sweep = quote! {
                    let mut #saved = <Self as #krate::__private::Sweeps>::EMPTY;
                    let #result = Self::__forward(#(#args,)* &mut #saved);
                };
                let reverse = quote! {
                    let #seed = &#seed;
                    let #mutable = #zero;
                    Self::__reverse(#(#args,)* &#saved, #(#seeds,)* #(&mut #each),*);
                    #bars
                };
                (sweep, reverse)
            }
            false => {
                let is_number = matches!(self.result, Surface::Scalar(_));
                let given = if is_number { quote!(#seed) } else { quote!(&#seed) };
                (quote!(let (#result, pullback) = Self::vjp(#(#args),*);), quote!(pullback(#given)))
            }
        };
        quote! {
            #sweep
            let mut #seed = #krate::Differentiable::zero_tangent(&#result);
            let #rows = #krate::Differentiable::flat_len(&#seed);
            for #row in 0..#rows {
                #module::set_number(&mut #seed, #row, <_ as #krate::Real>::ONE);
                let g = { #reverse };
                #module::set_number(&mut #seed, #row, <_ as #krate::Real>::ZERO);
                #(#module::write_row(&#gradients, #row, #blocks);)*
            }
        }
    }

    /// Columns one after the other.
    fn plain_columns(&self, parts: &Parts, columns: &[Ident], blocks: &[Ident], value: &Ident) -> TokenStream {
        let (krate, args, column) = (self.krate, self.names(), names::ours("column"));
        let module = quote!(#krate::__private::jacobian);
        let tangents = parts.inputs.iter().map(Input::argument);
        let jvp = quote!(Self::jvp(#(#args,)* #(#tangents),*));
        let dots = parts.inputs.iter().map(|input| &input.dot);
        quote! {
            #(
                for #column in 0..#columns {
                    #module::set_number(&mut #dots, #column, <_ as #krate::Real>::ONE);
                    let (y, tangent) = #jvp;
                    #module::set_number(&mut #dots, #column, <_ as #krate::Real>::ZERO);
                    #module::write_column(&tangent, #column, #columns, #blocks);
                    #value = ::core::option::Option::Some(y);
                }
            )*
        }
    }

    /// Several columns at once, if only the result tells how many rows there are. The first columns do, and are all that is
    /// computed in vain, if rows one after the other are less work.
    fn counted_columns(&self, wide: &WideFunction, columns: &[Ident], blocks: &[Ident]) -> TokenStream {
        let krate = self.krate;
        let module = quote!(#krate::__private::jacobian);
        let [value, rows] = ["value", "rows"].map(names::ours);
        let factor = Literal::usize_unsuffixed(ROWS_PER_WIDE_COLUMN);
        // All columns at once are never in vain.
        let in_vain = (!wide.is_whole).then(|| {
            quote!(if 0 #(+ #columns)* > #factor * #rows {
                break 'by_columns;
            })
        });
        let counting = quote!(#rows = #krate::Differentiable::flat_len(&y); #in_vain);
        let statements = self.wide_columns(wide, columns, blocks, &value, Some(&counting));
        quote! {
            if !<Self as #krate::__private::Sweeps>::EFFECTS {
                let (mut #value, mut #rows) = (::core::option::Option::None, 0_usize);
                'by_columns: {
                    #statements
                }
                if let ::core::option::Option::Some(y) = #value {
                    #(#module::Rows::finish(#blocks, #rows, #columns);)*
                    return y;
                }
            }
        }
    }

    /// Several columns at once: all of them where there are lanes for all. `counting` is done when the value is known.
    fn wide_columns(
        &self,
        wide: &WideFunction,
        columns: &[Ident],
        blocks: &[Ident],
        value: &Ident,
        counting: Option<&TokenStream>,
    ) -> TokenStream {
        let (krate, args, first, width) = (self.krate, self.names(), names::ours("first"), &wide.width);
        let zeros = wide.inputs.iter().map(|leaf| leaf.zeros(width, &args, krate));
        let tangents = wide.inputs.iter().map(WideLeaf::argument);
        let jvp = quote!(Self::__jvp_wide(#(#args,)* #(#tangents),*));
        let results = wide.results.iter().map(|leaf| &leaf.name);
        let results = quote!((#(#results,)*));
        let roots = (0..self.params.len()).filter(|root| self.params[*root].active);
        if wide.is_whole {
            let starts: Vec<TokenStream> = (0..columns.len())
                .map(|k| columns[..k].iter().fold(quote!(0), |sum, size| quote!(#sum + #size)))
                .collect();
            let units = roots.zip(&starts).map(|(root, start)| {
                let units = wide.inputs.iter().filter(|leaf| leaf.access.root == root);
                let units = units.map(|leaf| leaf.units(&first, krate));
                quote!(let #first = 0_usize.wrapping_sub(#start); #(#units)*)
            });
            let written = starts.iter().zip(columns).zip(blocks).flat_map(|((start, columns), block)| {
                wide.results.iter().map(move |leaf| leaf.columns_of_lanes((start, columns), block, krate))
            });
            return quote! {
                #(#zeros)*
                #(#units)*
                let (y, #results) = #jvp;
                #counting
                #(#written)*
                #value = ::core::option::Option::Some(y);
            };
        }
        let by_param = roots.zip(columns).zip(blocks).map(|((root, columns), block)| {
            let own = || wide.inputs.iter().filter(|leaf| leaf.access.root == root);
            let units = own().map(|leaf| leaf.units(&first, krate));
            let clear = own().map(|leaf| leaf.clear(krate));
            let written = wide.results.iter().map(|leaf| leaf.columns(&leaf.name, (&first, columns), block, krate));
            quote! {
                let mut #first = 0;
                while #first < #columns {
                    #(#units)*
                    let (y, #results) = #jvp;
                    #counting
                    #(#written)*
                    #value = ::core::option::Option::Some(y);
                    #first += #width;
                }
                #(#clear)*
            }
        });
        quote!(#(#zeros)* #(#by_param)*)
    }
}

pub(super) fn block_names(count: usize) -> Vec<Ident> {
    (0..count).map(|k| names::ours(&format!("block_{k}"))).collect()
}

/// Functions that cannot be called, or are not: where a bound says why, or where there is an error already.
pub(super) fn stubs(signatures: &[TokenStream], bound: &TokenStream) -> TokenStream {
    signatures.iter().map(|signature| quote!(#[doc(hidden)] #signature #bound { ::core::unimplemented!() })).collect()
}

/// Whether a result has numbers in a flat order: a tuple with an integer in it has none.
fn is_tree(result: &Surface) -> bool {
    match result {
        Surface::Scalar(elem) => elem.is_float(),
        Surface::Tensor(..) | Surface::Matrix(..) => true,
        Surface::Array(inner, _) | Surface::Seq(inner, _) => is_tree(inner),
        Surface::Tuple(parts) => parts.iter().all(is_tree),
        Surface::Struct(ty) if ty.has_optional_value() => is_tree(&ty.fields[1].ty),
        Surface::Struct(_) => !result.is_discrete(),
        Surface::Other(_) => false,
    }
}
