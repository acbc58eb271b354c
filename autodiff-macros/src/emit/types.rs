//! Sizes, element types and constants as Rust tokens.

use crate::ir::dim::Dim;
use crate::ir::{Elem, Ty};
use crate::layout::{Form, Layout};
use crate::parse::tokens::{dim_argument, dim_tokens, elem_tokens};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// `[[f32; 3]; 4]`; what holds sizes known at run time only is a `Vec`.
pub fn array_type(ty: &Ty, krate: &TokenStream) -> TokenStream {
    let element = match &ty.elem {
        Elem::Data(_) => {
            let target = target(ty);
            quote!(<#target as #krate::__private::Sweeps>::Saved)
        }
        elem => elem_tokens(elem),
    };
    nested_array(element, &ty.dims, krate)
}

/// The type beside the function whose residuals a value is.
pub fn target(ty: &Ty) -> TokenStream {
    match &ty.elem {
        Elem::Data(target) => syn::parse_str(target).unwrap_or_default(),
        _ => TokenStream::new(),
    }
}

/// The type of a vector or a matrix of nalgebra that is such an array.
pub fn matrix_type(form: Form, ty: &Ty, krate: &TokenStream) -> TokenStream {
    let elem = elem_tokens(&ty.elem);
    match form {
        Form::RunVector => return quote!(#krate::__private::nalgebra::DVector<#elem>),
        Form::RunMatrix => return quote!(#krate::__private::nalgebra::DMatrix<#elem>),
        _ => {}
    }
    let (rows, columns) = form.sizes(ty);
    let (rows, columns) = (dim_argument(&rows), dim_argument(&columns));
    quote!(#krate::__private::nalgebra::SMatrix<#elem, #rows, #columns>)
}

/// A tangent that is zero. One with a matrix on the heap is no constant.
pub fn zero_of(ty: &TokenStream, layout: &Layout, krate: &TokenStream) -> TokenStream {
    match layout.has_matrices_of_run_time() {
        true => quote!(<#ty as #krate::__private::Zero>::zero()),
        false => quote!(<#ty as #krate::__private::Zero>::ZERO),
    }
}

/// The value of a `DVector` or a `DMatrix` that has these numbers. A matrix of sizes that are not told has one column.
pub fn matrix_of(
    form: Form,
    numbers: &TokenStream,
    sizes: Option<[TokenStream; 2]>,
    krate: &TokenStream,
) -> TokenStream {
    let nalgebra = quote!(#krate::__private::nalgebra);
    match (form, sizes) {
        (Form::RunVector, _) => quote!(#nalgebra::DVector::from_vec(#numbers)),
        (_, Some([rows, columns])) => quote!(#nalgebra::DMatrix::from_vec(#rows, #columns, #numbers)),
        (_, None) => quote!({ let numbers = #numbers; #nalgebra::DMatrix::from_vec(numbers.len(), 1, numbers) }),
    }
}

/// The same of elements of any type.
pub fn nested_array(element: TokenStream, dims: &[Dim], krate: &TokenStream) -> TokenStream {
    let mut dynamic = false;
    dims.iter().rev().fold(element, |inner, dim| {
        dynamic |= dim.is_dynamic();
        let len = dim_tokens(dim);
        if dynamic { quote!(#krate::__private::Vec<#inner>) } else { quote!([#inner; #len]) }
    })
}

/// The type of a cotangent behind a reference: `[T]` for a `Vec`.
pub fn seed_type(ty: &Ty, krate: &TokenStream) -> TokenStream {
    if !ty.is_dynamic() {
        return array_type(ty, krate);
    }
    let inner = array_type(&Ty::tensor(ty.elem.clone(), ty.dims[1..].to_vec()), krate);
    quote!([#inner])
}

/// `[[0.0; 3]; 4]`; `size` writes down what is known at run time only.
pub fn filled(
    ty: &Ty,
    value: &TokenStream,
    krate: &TokenStream,
    size: &mut dyn FnMut(&Dim) -> TokenStream,
) -> TokenStream {
    let mut dynamic = false;
    ty.dims.iter().enumerate().rev().fold(value.clone(), |inner, (axis, dim)| {
        let of_static = !dynamic;
        dynamic |= dim.is_dynamic();
        if dim.is_ragged() {
            let element = array_type(&Ty::tensor(ty.elem.clone(), ty.dims[axis + 1..].to_vec()), krate);
            return quote!(#krate::__private::Vec::<#element>::new());
        }
        let len = size(dim);
        match (dynamic, &ty.elem) {
            (true, elem) if of_static => filled_rows(elem, &inner, &len, krate),
            (true, _) => quote!(#krate::__private::vec![#inner; #len]),
            (false, Elem::Data(_)) => quote!([const { #inner }; #len]),
            (false, _) => quote!([#inner; #len]),
        }
    })
}

/// A `Vec` of rows of sizes that are known, all alike.
pub fn filled_rows(elem: &Elem, row: &TokenStream, len: &TokenStream, krate: &TokenStream) -> TokenStream {
    match elem {
        Elem::Wide(_) => quote!(#krate::__private::lanes::filled(#row, #len)),
        _ => quote!(#krate::__private::vec![#row; #len]),
    }
}

/// `items.map(each).collect::<Vec<_>>()`, where `Iterator` need not be in scope.
pub fn collected(items: &TokenStream, each: &TokenStream, krate: &TokenStream) -> TokenStream {
    quote!(::core::iter::Iterator::collect::<#krate::__private::Vec<_>>(::core::iter::Iterator::map(#items, #each)))
}

/// A part of each of some rows, `item` in it, in an array of a type that is known to rustc, or in a `Vec`.
pub fn of_rows(rows: &TokenStream, part: &TokenStream, ty: &Ty, krate: &TokenStream) -> TokenStream {
    match ty.is_dynamic() {
        true => collected(&quote!(#rows.iter()), &quote!(|item| #part), krate),
        false => made_of(&ty.dims[0], &quote!(k), &quote!({ let item = &#rows[k]; #part })),
    }
}

/// An array of what an expression is for each index.
pub fn made_of(count: &Dim, index: &TokenStream, item: &TokenStream) -> TokenStream {
    let count = dim_argument(count);
    quote!(::core::array::from_fn::<_, #count, _>(|#index| #item))
}

/// What an array is full of at first.
pub fn zero(elem: &Elem, krate: &TokenStream) -> TokenStream {
    match elem {
        Elem::Bool => quote!(false),
        Elem::Data(target) => {
            let target: TokenStream = syn::parse_str(target).unwrap_or_default();
            quote!(<#target as #krate::__private::Sweeps>::EMPTY)
        }
        _ => number(elem, 0.0, true, krate),
    }
}

/// A number as an expression of the element type; `typed` where nothing around it says which.
pub fn number(elem: &Elem, value: f64, typed: bool, krate: &TokenStream) -> TokenStream {
    match elem {
        Elem::Real(name) => {
            let ty: TokenStream = syn::parse_str(name).unwrap_or_default();
            let real = quote!(<#ty as #krate::Real>);
            if value == 0.0 && value.is_sign_positive() {
                return quote!(#real::ZERO);
            }
            if value.to_bits() == 1.0_f64.to_bits() {
                return quote!(#real::ONE);
            }
            let literal = float_literal(value, &Elem::F64, true);
            quote!(#real::from_f64(#literal))
        }
        Elem::Wide(elem) => {
            let (wide, one) = (elem_tokens(&Elem::Wide(elem.clone())), elem_tokens(elem));
            let wide = quote!(<#wide as #krate::__private::Wide<#one>>);
            if value == 0.0 && value.is_sign_positive() {
                return quote!(#wide::ZERO);
            }
            let value = number(elem, value, true, krate);
            quote!(#wide::splat(#value))
        }
        Elem::F32 | Elem::F64 => float_literal(value, elem, typed),
        _ => {
            let text = format!("{}{}", value as i128, if typed { elem.to_string() } else { String::new() });
            syn::parse_str(&text).unwrap_or_default()
        }
    }
}

fn float_literal(value: f64, elem: &Elem, typed: bool) -> TokenStream {
    let ty = elem_tokens(elem);
    if value.is_nan() {
        return quote!(#ty::NAN);
    }
    if value.is_infinite() {
        return if value > 0.0 { quote!(#ty::INFINITY) } else { quote!(#ty::NEG_INFINITY) };
    }
    let magnitude = format!("{:?}{}", value.abs(), if typed { format!("_{elem}") } else { String::new() });
    let Ok(literal) = magnitude.parse::<Literal>() else { return TokenStream::new() };
    if value.is_sign_negative() { quote!(-#literal) } else { quote!(#literal) }
}

/// The type of a variable as a plain array, where the residuals own what they need.
pub fn owned_type(ty: &Ty, krate: &TokenStream) -> TokenStream {
    if let Elem::Data(_) = &ty.elem {
        let target = target(ty);
        return quote!(<#target as #krate::DifferentiableFn>::Residuals);
    }
    array_type(ty, krate)
}
