//! Functions marked `inline` that call each other: each would wait for the others, see Note [Inlined functions] in `ir/inline.rs`.

use super::Source;
use crate::parse::cycle;
use crate::tokens::mentions;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::ItemFn;

/// The marked functions of a file, with the names of what they call.
#[derive(Default)]
pub struct Marked(Vec<(String, Vec<String>)>);

impl Marked {
    pub fn note(&mut self, item: &ItemFn) {
        let says_it = |attr: &syn::Attribute| {
            let tokens = attr.to_token_stream();
            mentions(&tokens, "differentiable") && mentions(&tokens, "inline")
        };
        if item.attrs.iter().any(says_it) {
            self.0.push((item.sig.ident.to_string(), cycle::calls(&item.block)));
        }
    }
}

/// Whether a function that is marked `inline` calls itself by way of others that are. Where its file is not known, it might.
pub fn may_be_in_circle(function: &Ident) -> bool {
    let source = crate::file_of(function.span()).and_then(|file| Source::of(&file));
    let Some(Marked(marked)) = source.as_ref().map(|source| &source.marked) else { return true };
    let circles = cycle::in_cycles(marked);
    marked.iter().zip(circles).any(|((name, _), in_circle)| in_circle && *function == name[..])
}
