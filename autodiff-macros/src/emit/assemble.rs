//! Values put together again from their numbers and arrays.

use super::body::Emitter;
use super::types::{collected, made_of};
use super::variant::assembled;
use crate::ir::Var;
use crate::ir::dim::Dim;
use crate::layout::{Kind, Layout};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// The same from copies: what the value is made of is needed again.
    pub(super) fn assemble_copy(&mut self, layout: &Layout, leaves: &mut impl Iterator<Item = Var>) -> TokenStream {
        let leaves: Vec<Var> = leaves.collect();
        for leaf in &leaves {
            if self.var_ty(*leaf).is_dynamic() && !self.var_ty(*leaf).is_scalar() {
                self.copied.insert(*leaf);
            }
        }
        self.assemble(layout, &mut leaves.into_iter())
    }

    /// Whether numbers may be read of `Vec`s that are moved into the same value.
    pub(super) fn moves_arrays(&self, leaves: &[Var]) -> bool {
        leaves.iter().any(|leaf| self.var_ty(*leaf).is_scalar())
            && leaves.iter().any(|leaf| !self.var_ty(*leaf).is_scalar() && self.var_ty(*leaf).is_dynamic())
    }

    /// A value whose leaves are the next of `leaves`.
    pub(super) fn assemble(&mut self, layout: &Layout, leaves: &mut impl Iterator<Item = Var>) -> TokenStream {
        match layout {
            Layout::Leaf(form, _) => {
                let Some(var) = leaves.next() else { unreachable!("a value has more leaves than there are") };
                let value = self.value(var);
                if self.var_ty(var).is_scalar() { value } else { form.value_of(value, &self.krate) }
            }
            Layout::Parts(kind, parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.assemble(part, leaves)).collect();
                whole(kind, &parts, &self.krate)
            }
            Layout::Each(item, count) => self.assemble_slice((item, count.as_ref()), leaves),
            Layout::Passive(tokens) => tokens.clone(),
        }
    }

    /// A `Vec` or an array of structs from an array for each of their numbers.
    fn assemble_slice(
        &mut self,
        (item, count): (&Layout, Option<&Dim>),
        leaves: &mut impl Iterator<Item = Var>,
    ) -> TokenStream {
        let row = quote!(row);
        let arrays: Vec<Var> = leaves.take(item.types().len()).collect();
        let mut rest = arrays.iter().map(|array| {
            let place = self.place(*array);
            let tokens = &place.tokens;
            let element = place.of(quote!(#tokens[#row]));
            quote!(::core::clone::Clone::clone(&#element))
        });
        let item = element(item, &mut rest, &self.krate);
        if let Some(count) = count {
            return made_of(count, &row, &item);
        }
        let first = arrays.first().map(|array| self.place(*array).tokens);
        collected(&quote!(0..#first.len()), &quote!(|#row| #item), &self.krate)
    }
}

/// A value whose leaves are expressions.
fn element(layout: &Layout, leaves: &mut impl Iterator<Item = TokenStream>, krate: &TokenStream) -> TokenStream {
    match layout {
        Layout::Leaf(form, _) => form.value_of(leaves.next().unwrap_or_default(), krate),
        Layout::Parts(kind, parts) => {
            let parts: Vec<_> = parts.iter().map(|part| element(part, leaves, krate)).collect();
            whole(kind, &parts, krate)
        }
        Layout::Each(..) | Layout::Passive(_) => leaves.next().unwrap_or_default(),
    }
}

/// A value from its parts.
fn whole(kind: &Kind, parts: &[TokenStream], krate: &TokenStream) -> TokenStream {
    match kind {
        Kind::Tuple => quote!((#(#parts,)*)),
        Kind::Array => quote!([#(#parts),*]),
        Kind::Struct(ty) => assembled(ty, parts, krate),
    }
}
