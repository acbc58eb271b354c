//! The values of constants that are sizes: `const HEADS: usize = 2;`, `const WIDTH: usize = HEADS * 4;`.
//!
//! What the names in them mean is the same only in the module of the constant. Who uses a value states it, so that rustc checks it.

use super::Source;
use super::home::Place;
use crate::tokens::INTEGERS;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, GenericParam, Item, ItemConst, ItemFn, Type, TypeArray, TypePath, TypeSlice};

/// Constants of constants.
const MOST_STEPS: usize = 8;

/// Their modules and texts, by their names. None, if there are several, or if there may be others.
#[derive(Default)]
pub struct Sizes(HashMap<String, Option<(Place, String)>>);

impl Sizes {
    pub fn collect(&mut self, item: &ItemConst, place: &Place) {
        let is_size = matches!(&*item.ty, Type::Path(path) if path.path.is_ident("usize"))
            && item.attrs.iter().all(|attr| attr.path().is_ident("doc"));
        let found = is_size.then(|| (place.clone(), item.expr.to_token_stream().to_string()));
        let is_first = !self.0.contains_key(&item.ident.to_string());
        self.0.insert(item.ident.to_string(), found.filter(|_| is_first));
    }
}

impl Source {
    /// The size that an expression is, in the module of a type.
    pub fn size(&self, expr: &Expr, owner: &str) -> Option<i64> {
        let place = self.places.get(owner)?.as_ref()?;
        self.size_at(expr, place, MOST_STEPS)
    }

    fn size_at(&self, expr: &Expr, place: &Place, steps: usize) -> Option<i64> {
        match expr {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => number.base10_parse().ok(),
            Expr::Paren(paren) => self.size_at(&paren.expr, place, steps),
            Expr::Group(group) => self.size_at(&group.expr, place, steps),
            Expr::Binary(binary) => {
                let [left, right] = [&binary.left, &binary.right].map(|side| self.size_at(side, place, steps));
                let (left, right) = (left?, right?);
                match binary.op {
                    BinOp::Add(_) => left.checked_add(right),
                    BinOp::Sub(_) => left.checked_sub(right),
                    BinOp::Mul(_) => left.checked_mul(right),
                    BinOp::Div(_) => left.checked_div(right),
                    _ => None,
                }
            }
            Expr::Path(path) => {
                let (known, text) = self.sizes.0.get(&path.path.get_ident()?.to_string())?.as_ref()?;
                let expr = syn::parse_str(text).ok()?;
                self.size_at(&expr, place, steps.checked_sub(1)?).filter(|_| known.path == place.path)
            }
            _ => None,
        }
    }
}

/// A function with values in the places of the names of constants, where these are sizes of arrays of what are no numbers in lists:
/// `Vec<[Point; 3]>` for `Vec<[Point; N]>`, whose elements are written out (Note [Values of sizes] in `relay/export.rs`). Also what
/// states the values.
pub fn with_sizes_of_elements(item: TokenStream, source: Option<&Source>) -> (TokenStream, TokenStream) {
    let (Some(source), Ok(mut function)) = (source, syn::parse2::<ItemFn>(item.clone())) else {
        return (item, TokenStream::new());
    };
    let mut places = source.mentioning.iter().filter(|known| known.is_called(&function.sig.ident));
    let (Some(place), None) = (places.next().map(|known| known.place()), places.next()) else {
        return (item, TokenStream::new());
    };
    let own = function.sig.generics.params.iter().filter_map(|param| match param {
        GenericParam::Const(param) => Some(param.ident.to_string()),
        GenericParam::Type(param) => Some(param.ident.to_string()),
        GenericParam::Lifetime(_) => None,
    });
    let mut elements = Elements { source, place, own: own.collect(), in_list: false, found: Vec::new() };
    elements.visit_item_fn_mut(&mut function);
    if elements.found.is_empty() {
        return (item, TokenStream::new());
    }
    let stated = elements.found.iter().map(|(expr, value)| {
        let value = Literal::i64_unsuffixed(*value);
        quote!(
            const _: () = ::core::assert!(#expr == #value, "the value of a constant is not what the file says");
        )
    });
    (function.to_token_stream(), stated.collect())
}

struct Elements<'s> {
    source: &'s Source,
    /// Where the function is.
    place: &'s Place,
    /// Its parameters.
    own: Vec<String>,
    in_list: bool,
    found: Vec<(Expr, i64)>,
}

impl Elements<'_> {
    fn is_number(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(array) => self.is_number(&array.elem),
            Type::Path(path) => path.path.get_ident().is_some_and(|name| {
                let name = name.to_string();
                matches!(&name[..], "f32" | "f64" | "bool") || INTEGERS.contains(&&name[..]) || self.own.contains(&name)
            }),
            _ => false,
        }
    }

    fn in_list(&mut self, visit: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.in_list, true);
        visit(self);
        self.in_list = around;
    }
}

impl VisitMut for Elements<'_> {
    fn visit_type_slice_mut(&mut self, slice: &mut TypeSlice) {
        self.in_list(|this| this.visit_type_mut(&mut slice.elem));
    }

    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        match path.path.segments.last() {
            Some(last) if last.ident == "Vec" => self.in_list(|this| visit_mut::visit_type_path_mut(this, path)),
            _ => visit_mut::visit_type_path_mut(self, path),
        }
    }

    fn visit_type_array_mut(&mut self, array: &mut TypeArray) {
        self.visit_type_mut(&mut array.elem);
        let Expr::Path(path) = &array.len else { return };
        let Some(name) = path.path.get_ident().map(ToString::to_string) else { return };
        if !self.in_list || self.is_number(&array.elem) || self.own.contains(&name) {
            return;
        }
        let Some(value) = self.source.size_at(&array.len, self.place, MOST_STEPS) else { return };
        let literal = syn::LitInt::new(&value.to_string(), path.span());
        let size: Expr = syn::parse_quote!(#literal);
        if crate::tokens::dim(&size).written_out().is_none() {
            return;
        }
        let named = std::mem::replace(&mut array.len, size);
        if !self.found.iter().any(|(known, _)| *known == named) {
            self.found.push((named, value));
        }
    }

    /// What is in the function may have names of its own.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_sizes() {
        let text = "const A: usize = 2; const B: usize = (A + 1) * 4 / 2; const C: u8 = 3; const D: usize = D;
            #[cfg(x)] const E: usize = 2; struct S; mod m { const F: usize = 1; } const G: usize = 1; mod n { const G: usize = 2; }";
        let source = Source::read(text);
        let size = |name: &str| source.size(&syn::parse_str(name).unwrap(), "S");
        assert_eq!((size("A"), size("B"), size("A * B")), (Some(2), Some(6), Some(12)));
        assert!(["C", "D", "E", "F", "G", "H", "m::F", "A as usize"].iter().all(|name| size(name).is_none()));
    }

    #[test]
    fn sizes_of_elements() {
        let source = Source::read(
            "const N: usize = 3; const M: usize = 100; fn f() {} fn g<const N: usize>() {} mod m { fn h() {} }",
        );
        let written = |item: &str| with_sizes_of_elements(item.parse().unwrap(), Some(&source));
        let (item, stated) =
            written("fn f(a: &[[P; N]], b: [P; N], c: Vec<[(P, [f64; N]); N]>, d: &[[f64; N]], e: &[[P; M]]) {}");
        let expected = "fn f(a: &[[P; 3]], b: [P; N], c: Vec<[(P, [f64; N]); 3]>, d: &[[f64; N]], e: &[[P; M]]) {}";
        assert_eq!(syn::parse2::<ItemFn>(item).unwrap(), syn::parse_str(expected).unwrap());
        assert!(stated.to_string().contains("N == 3") && !stated.to_string().contains("M =="));
        for other in ["fn g<const N: usize>(a: &[[P; N]]) {}", "fn h(a: &[[P; N]]) {}", "fn unknown(a: &[[P; N]]) {}"] {
            assert_eq!(written(other).0.to_string(), other.parse::<TokenStream>().unwrap().to_string());
        }
    }
}
