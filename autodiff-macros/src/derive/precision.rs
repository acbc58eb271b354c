//! Fields of `f32` beside fields of `f64`: see Note [Leaves of two precisions] in `autodiff_core::mixed`.

use super::FieldDef;
use crate::diag::{Error, Errors};
use crate::ir::Elem;
use crate::parse::ty::{Surface, spelled};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeSet;

/// Marks the fields of `f32` of a type that has others of `f64`. `surfaces` are the types of the active fields, with their places.
pub(super) fn mark(fields: &mut [FieldDef], surfaces: &[(usize, Surface)], errors: &mut Errors) {
    let of = |surface: &Surface| {
        let mut elems = BTreeSet::new();
        floats(surface, &mut elems);
        elems
    };
    let all: BTreeSet<String> = surfaces.iter().flat_map(|(_, surface)| of(surface)).collect();
    if all.len() < 2 {
        return;
    }
    let parameter = all.iter().find(|elem| !matches!(&elem[..], "f32" | "f64"));
    for (k, surface) in surfaces {
        let field = &mut fields[*k];
        let elems = of(surface);
        let error = match (parameter, elems.contains("f32"), elems.contains("f64")) {
            (Some(_), false, false) | (None, false, true) => continue,
            (Some(parameter), ..) => {
                let (elem, ty) = (elems.into_iter().next().unwrap_or_default(), spelled(&field.ty));
                Error::new(
                    &field.ty,
                    format!("fields of `{parameter}` and of `{elem}` in one type cannot be differentiated"),
                )
                .note(format!("`{parameter}` may be another type than `{elem}`"))
                .help(format!("write `{}`, or `#[no_diff]` on the field", ty.replace(&elem, parameter)))
            }
            (None, true, false) if surface.leaf().is_some() => {
                field.single = true;
                continue;
            }
            (None, ..) if is_mixed_struct(surface) => continue,
            (None, _, has_double) => {
                let what = if has_double { "`f32` and of `f64`" } else { "`f32`" };
                Error::new(&field.ty, format!("`{}` has numbers of {what}, beside fields of `f64`", spelled(&field.ty)))
                    .note("beside numbers of `f64`, those of `f32` are fields of their own: numbers, arrays, tensors, `Vec`s")
                    .help("write its parts as fields, or with `f64`; or `#[no_diff]` on the field, if no derivative is wanted")
            }
        };
        field.active = false;
        errors.push(error);
    }
}

/// The floats that a type consists of.
fn floats(surface: &Surface, elems: &mut BTreeSet<String>) {
    match surface {
        Surface::Scalar(elem) | Surface::Tensor(elem, _) | Surface::Matrix(elem, ..) if elem.is_float() => {
            elems.insert(match elem {
                Elem::F32 => "f32".into(),
                Elem::F64 => "f64".into(),
                other => other.to_string(),
            });
        }
        Surface::Array(inner, _) | Surface::Seq(inner, _) => floats(inner, elems),
        Surface::Tuple(parts) => parts.iter().for_each(|part| floats(part, elems)),
        Surface::Struct(ty) => {
            ty.fields.iter().filter(|field| field.active).for_each(|field| floats(&field.ty, elems));
        }
        Surface::Scalar(_) | Surface::Tensor(..) | Surface::Matrix(..) | Surface::Other(_) => {}
    }
}

/// Whether it is a struct that has marked its own fields, or an array of such.
fn is_mixed_struct(surface: &Surface) -> bool {
    match surface {
        Surface::Array(inner, _) | Surface::Seq(inner, _) => is_mixed_struct(inner),
        Surface::Struct(ty) if ty.has_optional_value() => is_mixed_struct(&ty.fields[1].ty),
        Surface::Struct(ty) => {
            let mut elems = BTreeSet::new();
            ty.fields.iter().filter(|field| field.active).for_each(|field| floats(&field.ty, &mut elems));
            elems.len() > 1
        }
        _ => false,
    }
}

/// The functions that hand the calls of a node on to a field.
pub(super) struct Calls {
    pub(super) visit: TokenStream,
    pub(super) visit_mut: TokenStream,
    pub(super) zip: TokenStream,
    pub(super) update: TokenStream,
}

impl FieldDef {
    pub(super) fn calls(&self, krate: &TokenStream) -> Calls {
        let of = quote!(#krate::Differentiable);
        match self.single {
            true => Calls {
                visit: quote!(#krate::__private::visit_double),
                visit_mut: quote!(#krate::__private::visit_double_mut),
                zip: quote!(#krate::__private::zip_double),
                update: quote!(#krate::__private::update_double),
            },
            false => Calls {
                visit: quote!(#of::visit_leaves),
                visit_mut: quote!(#of::visit_leaves_mut),
                zip: quote!(#of::zip_leaves),
                update: quote!(#of::update_leaves),
            },
        }
    }

    /// The type of the numbers of what it is a field of, if this field comes first.
    pub(super) fn scalar(&self, krate: &TokenStream) -> TokenStream {
        let ty = &self.ty;
        if self.single { quote!(f64) } else { quote!(<#ty as #krate::Differentiable>::Scalar) }
    }
}
