//! What only rustc can decide: sizes that involve constants and generic parameters.

use super::item::Item;
use crate::diag::{Error, Errors};
use crate::ir::dim::Dim;
use crate::ir::ty::LARGEST_ON_STACK;
use crate::ir::{Elem, Ty};
use crate::pass::lengths::Lengths;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

impl Item<'_> {
    /// Comparisons of sizes that involve generic parameters: decided when the function is instantiated.
    pub(super) fn assertions(&self) -> TokenStream {
        self.obligations(true).map(|(span, assert)| quote_spanned!(span=> const { #assert };)).collect()
    }

    /// Comparisons of constants: decided at once.
    pub(super) fn constant_assertions(&self) -> TokenStream {
        self.obligations(false).map(|(span, assert)| quote_spanned!(span=> const _: () = #assert;)).collect()
    }

    pub(super) fn obligations(&self, generic: bool) -> impl Iterator<Item = (Span, TokenStream)> {
        let own = self.own_names();
        self.primal.obligations.iter().filter_map(move |obligation| {
            let depends = obligation
                .left
                .atoms()
                .chain(obligation.right.atoms())
                .any(|atom| own.iter().any(|name| mentions(atom, name)));
            if depends != generic {
                return None;
            }
            let (left, right) = (
                crate::parse::tokens::dim_tokens(&obligation.left),
                crate::parse::tokens::dim_tokens(&obligation.right),
            );
            let message = crate::diag::readable(&obligation.message);
            let krate = self.krate;
            let names = names([&obligation.left, &obligation.right]);
            let named = names.iter().map(|name| {
                let size = crate::parse::tokens::dim_tokens(&Dim::atom(name));
                quote!(.name(#name, #size))
            });
            let message = quote!("{}", #krate::__private::Message::new(#message)#(#named)*.text());
            // rustc underlines from the first token of the macro call to its last.
            let head = quote_spanned!(obligation.span=> ::core::assert!);
            let condition = quote_spanned!(obligation.span=> #left == #right);
            let body = quote_spanned!(obligation.end=> (#condition, #message));
            Some((obligation.span, quote!(#head #body)))
        })
    }

    /// Whether a gradient may be returned by value: only rustc knows how large some are.
    pub(super) fn returned(&self) -> TokenStream {
        let (krate, g) = (self.krate, self.gradient_type());
        match may_be_large(self.active_leaves().map(|leaf| self.primal.body.ty(leaf.var))) {
            true => quote!(#krate::__private::returned::<#g>();),
            false => TokenStream::new(),
        }
    }

    /// The same of residuals.
    pub(super) fn saved<'t>(&self, parts: impl Iterator<Item = &'t Ty>, all: &TokenStream) -> TokenStream {
        let krate = self.krate;
        match may_be_large(parts) {
            true => quote!(#krate::__private::saved::<#all>();),
            false => TokenStream::new(),
        }
    }

    pub(super) fn own_names(&self) -> Vec<String> {
        let params = self.function.item.sig.generics.params.iter();
        params
            .filter_map(|param| match param {
                syn::GenericParam::Const(param) => Some(param.ident.to_string()),
                syn::GenericParam::Type(param) => Some(param.ident.to_string()),
                syn::GenericParam::Lifetime(_) => None,
            })
            .collect()
    }

    /// The names of computed sizes, from what is checked to be equal.
    pub(super) fn lengths(&self) -> Lengths {
        Lengths::new(self.primal.obligations.iter().map(|obligation| (&obligation.left, &obligation.right)))
    }

    /// On stable Rust a length may not be computed from a generic parameter.
    pub(super) fn check_lengths(&self) -> Result<(), Errors> {
        let own = self.own_names();
        let lengths = self.lengths();
        let computed = |dim: &Dim| {
            if lengths.name(dim).is_some() {
                return false;
            }
            !dim.is_simple() && dim.atoms().any(|atom| own.iter().any(|name| mentions(atom, name)))
        };
        let mut errors = Errors::default();
        for eqn in &self.primal.body.block.eqns {
            for out in &eqn.outs {
                if let Some(dim) = self.primal.body.ty(*out).dims.iter().find(|dim| computed(dim)) {
                    errors.push(
                        Error::at(eqn.span, format!("the size `{dim}` is computed from a generic parameter"))
                            .note("on stable Rust an array length may not be")
                            .help("make it a const parameter of its own: the equality is checked when the function is used"),
                    );
                }
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

/// Whether values of these types together may be more than the stack has room for. Data of calls may be, in an array.
fn may_be_large<'t>(types: impl Iterator<Item = &'t Ty>) -> bool {
    let on_stack = |ty: &&Ty| !ty.is_dynamic() && !ty.is_scalar();
    let sized = |ty: &Ty| if let Elem::Data(_) = ty.elem { None } else { ty.bytes() };
    let total = types.filter(on_stack).try_fold(0, |sum: i64, ty| sum.checked_add(sized(ty)?));
    total.is_none_or(|bytes| bytes > LARGEST_ON_STACK)
}

/// The names in sizes, each once: those that users wrote, not what the macro calls the constants of other crates, nor what is
/// computed in other ways than by arithmetic of sizes.
fn names(dims: [&Dim; 2]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for atom in dims.into_iter().flat_map(Dim::atoms).filter(|atom| is_of_sizes(atom)) {
        let words = atom.split(|c: char| !c.is_alphanumeric() && c != '_');
        let is_name = |word: &&str| syn::parse_str::<syn::Ident>(word).is_ok() && *word != "usize";
        for name in words.filter(is_name) {
            if !found.iter().any(|known| known == name) {
                found.push(name.to_owned());
            }
        }
    }
    found
}

/// Whether all names in it are of sizes, and not of methods, fields or of integers of another type: `(SIDE as usize)`,
/// `(WIDTH.div_ceil(4))`, `SAME.stride[0]`.
fn is_of_sizes(atom: &str) -> bool {
    let words: Vec<&str> = atom.split_whitespace().collect();
    let converts_name = words.windows(2).any(|pair| pair[1] == "as" && !pair[0].ends_with(')'));
    !atom.contains("::") && !atom.contains('.') && !atom.contains("<<") && !atom.contains(">>") && !converts_name
}

fn mentions(atom: &str, name: &str) -> bool {
    atom.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}
