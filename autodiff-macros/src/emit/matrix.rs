//! The types of Jacobians and Hessians: how many numbers a value has, and the matrix of two such counts.

use super::item::Item;
use super::names;
use crate::ir::Elem;
use crate::ir::dim::Dim;
use crate::layout::{Access, Layout, Leaf};
use crate::parse::function::Param;
use crate::parse::tokens::{dim_tokens, elem_tokens};
use crate::parse::ty::Surface;
use crate::tokens::{PRIMITIVES, mentions};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// How many numbers a parameter or the result has, as an axis of a matrix.
#[derive(Clone)]
pub(super) enum Extent {
    /// It is a number: there is no axis.
    Number,
    /// A constant that may be the length of an array. What is of nalgebra has matrices of nalgebra.
    Fixed { count: TokenStream, is_nalgebra: bool },
    /// Known at run time, or a constant of generic parameters that stable Rust takes for no length.
    Dynamic,
}

impl Extent {
    /// The count as an expression, if it is a constant.
    pub(super) fn count(&self) -> Option<TokenStream> {
        match self {
            Extent::Number => Some(quote!(1)),
            Extent::Fixed { count, .. } => Some(count.clone()),
            Extent::Dynamic => None,
        }
    }
}

/// A block of a Jacobian or a Hessian: what belongs to one result and one parameter.
pub(super) struct Matrix<'m> {
    pub(super) rows: &'m Extent,
    pub(super) columns: &'m Extent,
    pub(super) scalar: &'m TokenStream,
    pub(super) krate: &'m TokenStream,
}

impl Matrix<'_> {
    pub(super) fn is_fixed(&self) -> bool {
        self.rows.count().is_some() && self.columns.count().is_some()
    }

    /// Whether it is a matrix of nalgebra: one side of it is.
    fn is_nalgebra(&self) -> bool {
        let is = |extent: &Extent| matches!(extent, Extent::Fixed { is_nalgebra: true, .. });
        self.is_fixed() && (is(self.rows) || is(self.columns))
    }

    pub(super) fn ty(&self) -> TokenStream {
        if let (true, Some(rows), Some(columns)) = (self.is_nalgebra(), self.rows.count(), self.columns.count()) {
            let (krate, scalar) = (self.krate, self.scalar);
            return quote!(#krate::__private::nalgebra::SMatrix<#scalar, { #rows }, { #columns }>);
        }
        let row = self.along(self.columns, self.scalar.clone());
        self.along(self.rows, row)
    }

    fn along(&self, extent: &Extent, of: TokenStream) -> TokenStream {
        let krate = self.krate;
        match extent {
            Extent::Number => of,
            Extent::Fixed { count, .. } => quote!([#of; #count]),
            Extent::Dynamic => quote!(#krate::__private::Vec<#of>),
        }
    }

    /// All numbers of a matrix of arrays behind a mutable reference, as one slice.
    pub(super) fn flat(&self, reference: &TokenStream) -> TokenStream {
        match (self.rows, self.columns) {
            (Extent::Number, Extent::Number) => quote!(::core::slice::from_mut(#reference)),
            (Extent::Number, _) | (_, Extent::Number) => quote!(&mut (*#reference)[..]),
            _ => quote!(<[_]>::as_flattened_mut(&mut (*#reference)[..])),
        }
    }

    /// The matrix from a `Vec` of all its numbers; `rows` is how many rows there are.
    pub(super) fn rows_of(&self, flat: &TokenStream, rows: &TokenStream) -> TokenStream {
        let krate = self.krate;
        match (self.rows, self.columns) {
            (Extent::Number, _) | (_, Extent::Number) => flat.clone(),
            (Extent::Fixed { .. }, _) => quote!(#krate::__private::jacobian::array_of_rows(&#flat)),
            _ => quote!(#krate::__private::jacobian::list_of_rows(&#flat, #rows)),
        }
    }
}

impl Item<'_> {
    /// The one type of number of all that is differentiated, if there is one.
    pub(super) fn scalar_type(&self) -> Option<TokenStream> {
        let active = (0..self.params.len()).filter(|root| self.params[*root].active);
        let leaves = active.flat_map(|root| self.leaves_of_param(root)).chain(self.leaves_of_result());
        let mut elems: Vec<Elem> = leaves.map(|leaf| leaf.ty.elem).collect();
        elems.dedup();
        match &elems[..] {
            [elem] => Some(elem_tokens(elem)),
            _ => None,
        }
    }

    /// The leaves of a parameter that have derivatives.
    pub(super) fn leaves_of_param(&self, root: usize) -> Vec<Leaf> {
        let leaves = Layout::of(&self.params[root].surface).leaves(&Access::root(root)).into_iter();
        leaves.filter(Leaf::is_differentiable).collect()
    }

    pub(super) fn leaves_of_result(&self) -> Vec<Leaf> {
        Layout::of(self.result).float_leaves().filter(Leaf::is_differentiable).collect()
    }

    pub(super) fn extent_of_param(&self, root: usize) -> Extent {
        match self.params[root].surface {
            Surface::Scalar(_) => Extent::Number,
            ref surface => self.extent(&self.leaves_of_param(root), surface),
        }
    }

    pub(super) fn extent_of_result(&self) -> Extent {
        match self.scalar_result() {
            true => Extent::Number,
            false => self.extent(&self.leaves_of_result(), self.result),
        }
    }

    fn extent(&self, leaves: &[Leaf], surface: &Surface) -> Extent {
        if leaves.iter().any(|leaf| leaf.ty.is_dynamic()) {
            return Extent::Dynamic;
        }
        let sizes = leaves.iter().map(|leaf| Dim::product(&leaf.ty.dims));
        let count = sizes.fold(Dim::literal(0), |sum, size| sum.plus(&size));
        let tokens = dim_tokens(&count);
        let generics = self.function.type_generics();
        let consts = generics.const_params().map(|param| &param.ident);
        let mut names = generics.type_params().map(|param| &param.ident).chain(consts);
        match names.any(|name| mentions(&tokens, &name.to_string())) && count.as_atom().is_none() {
            true => Extent::Dynamic,
            false => Extent::Fixed { count: tokens, is_nalgebra: is_nalgebra(surface) },
        }
    }
}

/// Whether a type is one of nalgebra's, or consists of such.
fn is_nalgebra(surface: &Surface) -> bool {
    match surface {
        Surface::Matrix(..) => true,
        Surface::Struct(ty) => ty.geometry.is_some(),
        Surface::Array(inner, _) | Surface::Seq(inner, _) => is_nalgebra(inner),
        Surface::Tuple(parts) => parts.iter().any(is_nalgebra),
        _ => false,
    }
}

/// Whether a parameter may be given more than once as it is.
pub(super) fn is_copied(param: &Param) -> bool {
    match param.surface {
        _ if param.is_ref => !param.is_mut,
        Surface::Scalar(_) | Surface::Tensor(..) | Surface::Matrix(..) => true,
        _ => is_plain(&param.ty),
    }
}

/// Whether a type is known to be `Copy`: numbers, and tuples, arrays and tensors of them.
fn is_plain(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(array) => is_plain(&array.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(is_plain),
        syn::Type::Paren(inner) => is_plain(&inner.elem),
        syn::Type::Group(inner) => is_plain(&inner.elem),
        syn::Type::Reference(reference) => reference.mutability.is_none(),
        syn::Type::Path(path) => {
            path.path.get_ident().is_some_and(|name| PRIMITIVES.iter().any(|primitive| name == primitive))
        }
        _ => false,
    }
}

// --- blocks of a matrix, see Note [Blocks] in `jacobian.rs` ---------------------------------------------

/// One of them by itself, several as a tuple.
pub(super) fn tuple(all: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let all: Vec<TokenStream> = all.into_iter().collect();
    match &all[..] {
        [one] => one.clone(),
        all => quote!((#(#all),*)),
    }
}

/// A part of such a tuple of `count` parts.
pub(super) fn part_of(whole: &TokenStream, part: usize, count: usize) -> TokenStream {
    let part = syn::Index::from(part);
    if count == 1 { whole.clone() } else { quote!(#whole.#part) }
}

impl Matrix<'_> {
    /// What a caller gives to be written to: all numbers in row-major order.
    pub(super) fn slice(&self) -> TokenStream {
        let scalar = self.scalar;
        quote!(&mut [#scalar])
    }

    /// Makes a block of zeros under a name; one whose size is known at run time grows.
    pub(super) fn made(&self, local: &Ident) -> TokenStream {
        let (krate, scalar) = (self.krate, self.scalar);
        if !self.is_fixed() {
            return quote!(let mut #local = #krate::__private::Vec::new(););
        }
        // No constant: rustc would compute those of large matrices that nobody asks for.
        let zeros =
            [self.columns, self.rows].into_iter().fold(quote!(<#scalar as #krate::Real>::ZERO), |zeros, extent| {
                match extent {
                    Extent::Fixed { count, .. } => quote!([#zeros; #count]),
                    _ => zeros,
                }
            });
        quote!(let mut #local = #zeros;)
    }

    /// Such a block as an argument.
    pub(super) fn given(&self, local: &Ident) -> TokenStream {
        if self.is_fixed() { self.flat(&quote!((&mut #local))) } else { quote!(&mut #local) }
    }

    /// Such a block when it is finished; `rows` is how many rows it has.
    pub(super) fn put(&self, local: &Ident, rows: &TokenStream) -> TokenStream {
        let [i, j] = ["i", "j"].map(names::ours);
        let number = match (self.rows, self.columns) {
            (Extent::Number, _) => quote!(#local[#j]),
            (_, Extent::Number) => quote!(#local[#i]),
            _ => quote!(#local[#i][#j]),
        };
        match self.is_fixed() {
            true if self.is_nalgebra() => {
                let ty = self.ty();
                quote!(<#ty>::from_fn(|#i, #j| #number))
            }
            true => quote!(#local),
            false => self.rows_of(&quote!(#local), rows),
        }
    }
}

/// What several blocks are written to if a caller gives the place: the type, and a block as an argument.
pub(super) fn target(blocks: &[Vec<Matrix>]) -> TokenStream {
    if blocks.iter().flatten().all(Matrix::is_fixed) {
        let ty = tuple(blocks.iter().map(|row| tuple(row.iter().map(Matrix::ty))));
        return quote!(&mut #ty);
    }
    tuple(blocks.iter().map(|row| tuple(row.iter().map(Matrix::slice))))
}

/// How blocks are written to such a place.
pub(super) struct Written {
    pub(super) before: TokenStream,
    /// The blocks as arguments.
    pub(super) arguments: Vec<TokenStream>,
    pub(super) after: TokenStream,
}

/// What is written to such a place. Matrices of nalgebra, whose numbers are not in the order of rows, are made of local blocks.
pub(super) fn written(blocks: &[Vec<Matrix>], place: &Ident, locals: &[Ident]) -> Written {
    let is_fixed = blocks.iter().flatten().all(Matrix::is_fixed);
    let mut written = Written { before: TokenStream::new(), arguments: Vec::new(), after: TokenStream::new() };
    let mut locals = locals.iter();
    for (i, row) in blocks.iter().enumerate() {
        let whole = part_of(&quote!(#place), i, blocks.len());
        for ((j, block), local) in row.iter().enumerate().zip(&mut locals) {
            let part = part_of(&whole, j, row.len());
            let is_whole = blocks.len() == 1 && row.len() == 1;
            if is_fixed && block.is_nalgebra() {
                let to = if is_whole { quote!(*#part) } else { part };
                let (made, put) = (block.made(local), block.put(local, &TokenStream::new()));
                written.before.extend(made);
                written.arguments.push(block.given(local));
                written.after.extend(quote!(#to = #put;));
                continue;
            }
            written.arguments.push(match (is_fixed, is_whole) {
                (true, true) => block.flat(&part),
                (true, false) => block.flat(&quote!((&mut #part))),
                (false, _) => quote!(&mut *#part),
            });
        }
    }
    written
}
