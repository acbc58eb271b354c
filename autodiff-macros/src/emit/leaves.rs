//! The numbers and arrays that a value consists of, and how they are named.

use crate::ir::interface::Along;
use crate::layout::{Access, Form};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// A leaf of an element of a slice: the slice, and the leaf as an expression with a hole for the element.
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
    /// Whether the parameters themselves can be read.
    pub args_available: bool,
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
