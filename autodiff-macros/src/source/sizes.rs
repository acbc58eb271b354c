//! The values of constants that are sizes: `const HEADS: usize = 2;`, `const WIDTH: usize = HEADS * 4;`.
//!
//! What the names in them mean is the same only in the module of the constant. Who uses a value states it, so that rustc checks it.

use super::Source;
use super::home::Place;
use quote::ToTokens;
use std::collections::HashMap;
use syn::{BinOp, Expr, ItemConst, Type};

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
}
