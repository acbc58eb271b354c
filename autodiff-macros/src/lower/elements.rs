//! What carries no derivative in the elements of a slice of structs: their names, texts and modes.
//!
//! Note [Data in elements]. `surfaces: &[Surface]` is an array for each number of a `Surface`; a field that is no number,
//! `name: String`, stays in the parameter. So the element `surfaces[i]` has `surfaces[i].name` for it, an expression that is only
//! passed on. The slice has `surfaces[each].name`, with a word in the place of the index. That holds as long as the arrays are
//! those of the parameter: a copy whose elements change places has arrays of its own, and there is no expression for the names in
//! it.

use super::Lower;
use super::value::Value;
use crate::ir::{Var, late};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

/// The index of an element that is not known yet.
const EACH: &str = "__autodiff_each";

/// An element of a parameter, whichever it is.
pub(super) fn any_element(slice: &TokenStream) -> TokenStream {
    let each = Ident::new(EACH, Span::mixed_site());
    quote!(#slice[#each])
}

/// What is only passed on of an element with an index.
pub(super) fn of_element(tokens: &TokenStream, index: Option<Var>) -> Value {
    match index.and_then(|index| with_index(tokens.clone(), &late(index))) {
        Some(tokens) => Value::Other(tokens),
        None => Value::Undefined,
    }
}

/// `None`, if it is no part of an element.
fn with_index(tokens: TokenStream, index: &Ident) -> Option<TokenStream> {
    let mut found = false;
    let replaced = replace(tokens, index, &mut found);
    found.then_some(replaced)
}

fn replace(tokens: TokenStream, index: &Ident, found: &mut bool) -> TokenStream {
    let each = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), replace(group.stream(), index, found));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        TokenTree::Ident(ident) if ident == EACH => {
            *found = true;
            TokenTree::Ident(index.clone())
        }
        other => other,
    };
    tokens.into_iter().map(each).collect()
}

impl Lower<'_> {
    /// The index of an element, if the arrays that it is in are those of a parameter that nobody changes.
    pub(super) fn index_of_param(&self, of: &Value, at: &[Var]) -> Option<Var> {
        let [index] = at else { return None };
        let is_own = |array: &Var| {
            let leaf = self.leaves.iter().find(|leaf| leaf.var == *array);
            let name = leaf.map(|leaf| self.function.params[leaf.access.root].name.to_string());
            name.is_some_and(|name| !self.borrowed_params.contains(&name))
        };
        let arrays = of.leaves();
        (!arrays.is_empty() && arrays.iter().all(is_own)).then_some(*index)
    }
}
