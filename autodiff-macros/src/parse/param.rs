//! Parameters: which of them a function is differentiated by, and which it cannot be.

use super::callable;
use super::function::{Function, Param, RawParam};
use super::tokens::referent;
use super::ty::{Surface, contents, spelled};
use crate::diag::{Error, Errors};
use syn::{GenericArgument, Type};

impl Function {
    pub(super) fn param(&self, raw: &RawParam, surface: Surface, errors: &mut Errors) -> Param {
        let (is_ref, is_mut) = match &raw.ty {
            Type::Reference(reference) => (true, reference.mutability.is_some()),
            _ => (false, false),
        };
        let named = self.attr.wrt.as_ref().is_none_or(|wrt| wrt.contains(&raw.name));
        let active = surface.is_differentiable() && !raw.no_diff && named;
        let needs_none = raw.no_diff || integers_only(&surface) || !named;
        let mixed = is_list_of_tuples(&surface);
        if (mixed || matches!(surface, Surface::Other(_) | Surface::Tuple(_))) && !active && !needs_none {
            let closure = callable::closure_parameter(&raw.name, &raw.ty);
            errors.push(closure.unwrap_or_else(|| without_derivative(raw, mixed)));
        }
        if is_mut && active && has_list_of_rotations(&surface) {
            let message = "a mutable borrow of a list of rotations cannot be differentiated yet";
            errors.push(Error::new(&raw.ty, message).help("take it by `&`, and return the new one").plain_rust());
        }
        if is_mut && surface.has_matrices_of_run_time() {
            let message = "a mutable borrow of a matrix whose sizes run time tells cannot be differentiated yet";
            errors.push(Error::new(&raw.ty, message).help("take it by `&`, and return the new one").plain_rust());
        }
        if active && surface.has_lists_of_run_time() {
            let message = "a list of matrices whose sizes run time tells cannot be differentiated yet";
            let help = "take a `DMatrix` with a column for each, or write `#[no_diff]`, if no derivative is wanted";
            errors.push(Error::new(&raw.ty, message).help(help).plain_rust());
        }
        if is_mut && surface.has_enum() && !has_numbers_in_enums(&surface, false) {
            errors.push(
                Error::new(
                    &raw.ty,
                    "a mutable borrow of an enum with arrays, or of a slice of enums, cannot be differentiated yet",
                )
                .help("take the value by `&`, and return the new one")
                .plain_rust(),
            );
        }
        let mutable = raw.mutable || is_mut;
        Param { name: raw.name.clone(), mutable, ty: raw.ty.clone(), surface, is_ref, is_mut, active }
    }
}

/// Whether rotations are in a slice, whose elements are not put together one by one.
fn has_list_of_rotations(surface: &Surface) -> bool {
    match surface {
        Surface::Seq(inner, _) => inner.has_rotation(),
        Surface::Array(inner, _) => has_list_of_rotations(inner),
        Surface::Tuple(parts) => parts.iter().any(has_list_of_rotations),
        Surface::Struct(ty) => ty.fields.iter().any(|field| has_list_of_rotations(&field.ty)),
        _ => false,
    }
}

/// What to say of a parameter whose type has no derivative.
fn without_derivative(raw: &RawParam, mixed: bool) -> Error {
    let no_diff = format!("write `#[no_diff] {}` if no derivative is wanted", raw.name);
    let inner = element(&raw.ty);
    let is_nested = inner.is_some_and(|inner| element(inner).is_some());
    let innermost = std::iter::successors(inner, |inner| element(inner)).last();
    let is_text = innermost.is_some_and(|ty| ["String", "str", "char"].iter().any(|name| is_named(ty, name)));
    let help = match (contents(referent(&raw.ty)), &raw.ty) {
        (Some(inner), Type::Reference(reference)) => {
            let (inner, mutable) = (spelled(inner), if reference.mutability.is_some() { "mut " } else { "" });
            format!("take `&{mutable}{inner}`, as which a `Box` can be passed; or {no_diff}")
        }
        (Some(inner), _) => format!("take `{}`, and pass what is in the box; or {no_diff}", spelled(inner)),
        (None, _) if mixed => format!("take the numbers in a list of their own, or {no_diff}"),
        (None, ty) if is_named(ty, "VecDeque") => format!("take a `Vec`, or {no_diff}"),
        // A slice of slices.
        (None, _) if is_nested && !is_text => {
            format!("take an array, whose length is in its type, or {no_diff}")
        }
        (None, _) => no_diff,
    };
    let what = match inner.filter(|_| !is_nested && !mixed) {
        Some(inner) => format!(": it is a list of `{}`", spelled(inner)),
        None => String::new(),
    };
    Error::new(&raw.ty, format!("`{}` has a type without a derivative{what}", raw.name))
        .note("differentiable are floats, arrays, tensors, tuples of these, structs and enums that derive `Differentiable`")
        .help(help)
        .plain_rust()
}

/// `&[(usize, f64)]`
fn is_list_of_tuples(surface: &Surface) -> bool {
    match surface {
        Surface::Array(inner, _) | Surface::Seq(inner, _) => {
            matches!(**inner, Surface::Tuple(_)) || is_list_of_tuples(inner)
        }
        _ => false,
    }
}

/// Whether the enums in a type have numbers only, and are in no slice: then they can be put together again.
fn has_numbers_in_enums(surface: &Surface, in_enum: bool) -> bool {
    match surface {
        Surface::Scalar(_) => true,
        Surface::Struct(ty) if ty.errors.is_some() => false,
        Surface::Struct(ty) => ty.fields.iter().all(|field| has_numbers_in_enums(&field.ty, in_enum || ty.is_enum())),
        Surface::Tuple(parts) => parts.iter().all(|part| has_numbers_in_enums(part, in_enum)),
        Surface::Array(inner, _) | Surface::Seq(inner, _) => !in_enum && !inner.has_enum(),
        Surface::Tensor(..) | Surface::Matrix(..) | Surface::Other(_) => !in_enum,
    }
}

/// `T` of `&[T]` and `Vec<T>`.
fn element(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) => element(&reference.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Path(path) if is_named(ty, "Vec") => match &path.path.segments.last()?.arguments {
            syn::PathArguments::AngleBracketed(args) => args.args.iter().find_map(|arg| match arg {
                GenericArgument::Type(inner) => Some(inner),
                _ => None,
            }),
            _ => None,
        },
        _ => None,
    }
}

/// Whether it is a type of that name, or a reference to one.
fn is_named(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Reference(reference) => is_named(&reference.elem, name),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == name),
        _ => false,
    }
}

fn integers_only(surface: &Surface) -> bool {
    match surface {
        Surface::Scalar(elem) | Surface::Tensor(elem, _) | Surface::Matrix(elem, ..) => !elem.is_float(),
        Surface::Array(inner, _) | Surface::Seq(inner, _) => integers_only(inner),
        Surface::Tuple(parts) => parts.iter().all(integers_only),
        _ => false,
    }
}
