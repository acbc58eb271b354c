//! `sum` and `product` of structs: see Note [Sums of structs] in `source/sums.rs`.

use super::Lower;
use super::value::{Lowered, Reported, Value};
use crate::diag::Error;
use crate::layout::{Form, Kind};
use crate::parse::ty::{StructType, Surface, spelled};
use syn::{Attribute, Expr, ExprBinary, Ident, Local};

impl Lower<'_> {
    /// What a `sum` of structs begins with.
    pub(super) fn first_of_sum(&mut self, local: &Local, surface: Option<&Surface>) -> Lowered<Option<Expr>> {
        if let (Some(_), Some(Surface::Matrix(elem, rows, columns))) = (method(&local.attrs), surface) {
            let elem = crate::parse::tokens::elem_tokens(elem);
            let [rows, columns] = [rows, columns].map(crate::parse::tokens::dim_argument);
            return Ok(Some(syn::parse_quote!(nalgebra::SMatrix::<#elem, #rows, #columns>::zeros())));
        }
        let (Some(method), Some(Surface::Struct(ty))) = (method(&local.attrs), surface) else { return Ok(None) };
        if ty.is_option || ty.errors.is_some() {
            return Ok(None);
        }
        self.fold_of(&ty.clone(), method).map(|(first, _)| Some(first))
    }

    /// The next item of a `sum` of structs.
    pub(super) fn next_of_sum(&mut self, binary: &ExprBinary, item: &Value) -> Option<Lowered<Value>> {
        let method = method(&binary.attrs)?;
        if let Value::Leaf(array, Form::Vector | Form::Matrix) = item {
            let is_number = self.b.ty(*array).is_scalar();
            if is_number || matches!(self.named(&binary.left), Some(Value::Leaf(_, form)) if form.is_matrix()) {
                return None;
            }
            self.learn_named(&binary.left, item.surface(&self.b));
            return if self.news.is_empty() { None } else { Some(Err(Reported)) };
        }
        let Value::Parts(Kind::Struct(ty), _) = item else { return None };
        if ty.is_option || ty.errors.is_some() {
            return None;
        }
        if !matches!(self.named(&binary.left), Some(Value::Parts(Kind::Struct(_), _))) {
            self.learn_named(&binary.left, item.surface(&self.b));
            return match self.news.is_empty() {
                true => None,
                false => Some(Err(Reported)),
            };
        }
        let (_, next) = match self.fold_of(&ty.clone(), method) {
            Ok(fold) => fold,
            Err(reported) => return Some(Err(reported)),
        };
        Some(self.scoped(|lower| {
            lower.define("__autodiff_item", Some(item.clone()), false);
            let (place, item) = (&binary.left, Ident::new("__autodiff_item", method.span()));
            lower.assign(place, &syn::parse_quote!((#next)(#place, #item)))
        }))
    }

    fn fold_of(&mut self, ty: &StructType, method: &Ident) -> Lowered<(Expr, Expr)> {
        let name = ty.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let source = self.source.clone();
        let fold = source.and_then(|source| source.fold(&name, &method.to_string(), method.span()));
        fold.map_or_else(
            || {
                let (owner, of) = (spelled(&ty.path), if method == "sum" { "Sum" } else { "Product" });
                let operator = if method == "sum" { '+' } else { '*' };
                self.fail(
                    Error::new(method, format!("what `{method}` of `{owner}` does is not visible"))
                        .note(format!("an `impl {of} for {owner}` in this file is read, if it is a `fold`"))
                        .help(format!("write it here: `.fold({owner}::default(), |a, b| a {operator} b)`")),
                )
            },
            Ok,
        )
    }
}

pub(super) fn method(attrs: &[Attribute]) -> Option<&Ident> {
    attrs.iter().find_map(|attr| attr.path().get_ident().filter(|name| *name == "sum" || *name == "product"))
}
