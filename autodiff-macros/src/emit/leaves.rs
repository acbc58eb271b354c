//! The numbers and arrays that a value consists of, and how they are named.

use crate::ad::interface::Along;
use crate::lower::value::{Access, Form};
use crate::parse::ty::Surface;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The leaves of a type in order of declaration, with where they are.
pub fn surface_leaves(surface: &Surface, at: &Access) -> Vec<(Access, Form, bool)> {
    use crate::lower::value::Step;
    match surface {
        Surface::Scalar(elem) => vec![(at.clone(), Form::Plain, elem.is_float())],
        Surface::Tensor(elem, _) => vec![(at.clone(), Form::Tensor, elem.is_float())],
        Surface::Seq(..) => match surface.leaf() {
            Some(ty) => vec![(at.clone(), Form::Plain, ty.is_float())],
            None => Vec::new(),
        },
        Surface::Array(inner, dim) => match surface.leaf() {
            Some(ty) => vec![(at.clone(), Form::Plain, ty.is_float())],
            None => (0..dim.as_literal().and_then(|n| usize::try_from(n).ok()).unwrap_or(0))
                .flat_map(|k| surface_leaves(inner, &at.then(Step::Index(k))))
                .collect(),
        },
        Surface::Tuple(parts) => {
            let parts = parts.iter().enumerate();
            parts.flat_map(|(k, part)| surface_leaves(part, &at.then(Step::Field(k.to_string())))).collect()
        }
        Surface::Struct(ty) => {
            let fields = ty.fields.iter().enumerate();
            fields
                .flat_map(|(k, field)| {
                    let leaves = surface_leaves(&field.ty, &at.then(ty.step(k)));
                    leaves.into_iter().map(|(access, form, float)| (access, form, float && field.active))
                })
                .collect()
        }
        Surface::Other(_) => Vec::new(),
    }
}

/// The same for what is an element of a slice: the slice, and the leaf as an expression with a hole for the element.
pub fn split_tokens(root: &TokenStream, access: &Access, form: Form) -> Option<(TokenStream, TokenStream)> {
    let (before, after) = access.around_each()?;
    let element = crate::ir::hole(0);
    Some((before.apply(root.clone()), leaf_tokens(&quote!(#element), &after, form)))
}

/// The expression of a leaf below a root; tensors are taken down to their array.
pub fn leaf_tokens(root: &TokenStream, access: &Access, form: Form) -> TokenStream {
    let tokens = access.apply(root.clone());
    if form == Form::Tensor { quote!(#tokens.0) } else { tokens }
}

/// The names of the caller's parameters and of their cotangents and tangents.
#[derive(Clone, Default)]
pub struct Roots {
    pub params: Vec<Ident>,
    pub by_ref: Vec<bool>,
    pub scalar: Vec<bool>,
    /// Whether the parameters themselves are out of reach.
    pub gone: bool,
}

impl Roots {
    pub fn bar(&self, root: usize) -> Ident {
        self.suffixed(root, "bar")
    }

    pub fn dot(&self, root: usize) -> Ident {
        self.suffixed(root, "dot")
    }

    /// The name of a parameter's tangent.
    pub fn tangent(&self, root: usize, along: Along) -> Ident {
        self.suffixed(root, along.suffix().trim_start_matches('_'))
    }

    /// The name of a parameter's cotangent, or of a tangent of that.
    pub fn cotangent(&self, root: usize, along: Along) -> Ident {
        self.suffixed(root, &format!("bar{}", along.suffix()))
    }

    pub fn suffixed(&self, root: usize, suffix: &str) -> Ident {
        format_ident!("{}_{suffix}", self.params[root], span = proc_macro2::Span::mixed_site())
    }
}
