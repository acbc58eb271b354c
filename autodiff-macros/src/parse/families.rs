//! Which derivatives that are made of others a function has.
//!
//! Note [Derivatives that are named]. Jacobians, Hessians, patterns and derivatives in several directions are made of `jvp`, `vjp`
//! and `hvp`, and of bodies for several directions; all of them together are as much code as the rest. Most functions are
//! called for a gradient. So a function `f` that other crates do not see has those of these families that its crate names, as
//! `f::jacobian`. Where such a name stands behind something that is not followed, all functions of the crate have its family. What
//! other crates see has all of them, and so has a function whose crate is not known, as in an editor. `source/families.rs` finds
//! out.

use proc_macro2::{Literal, TokenStream, TokenTree};
use syn::Lit;

/// Derivatives that are there together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Family {
    Jacobian,
    GaussNewton,
    /// `jvp_many` and `vjp_many`.
    Many,
    /// Patterns, and the values of sparse Jacobians and Hessians.
    Sparse,
    Hessian,
    /// The bodies for several directions, which the others use, and callers.
    Directions,
}

/// The names of what users call.
const NAMES: [(&str, Family); 17] = [
    ("jacobian", Family::Jacobian),
    ("value_and_jacobian", Family::Jacobian),
    ("jacobian_into", Family::Jacobian),
    ("value_and_jacobian_into", Family::Jacobian),
    ("gauss_newton", Family::GaussNewton),
    ("jvp_many", Family::Many),
    ("vjp_many", Family::Many),
    ("sparsity", Family::Sparse),
    ("jacobian_sparse", Family::Sparse),
    ("value_and_jacobian_sparse", Family::Sparse),
    ("gauss_newton_sparse", Family::Sparse),
    ("hessian_sparsity", Family::Sparse),
    ("hessian_sparse", Family::Sparse),
    ("hessian", Family::Hessian),
    ("hessian_into", Family::Hessian),
    ("value_grad_hessian", Family::Hessian),
    ("hessian_diagonal", Family::Hessian),
];

/// A set of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Families(u8);

impl Default for Families {
    fn default() -> Families {
        Families::ALL
    }
}

impl Families {
    pub const ALL: Families = Families(0b11_1111);
    pub const NONE: Families = Families(0);

    pub fn of(family: Family) -> Families {
        Families(1 << family as u8)
    }

    /// That of a name: `jacobian`, or `energy_jacobian` of a method.
    pub fn named(word: &str) -> Families {
        let is_last = |name: &str| word.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'));
        let families = NAMES.iter().filter(|(name, _)| is_last(name)).map(|(_, family)| Families::of(*family));
        let families = families.fold(Families::NONE, Families::and);
        if families == Families::NONE { families } else { families.and(Families::of(Family::Directions)) }
    }

    /// Those that are named by words which are no ends of paths and no methods.
    pub fn named_alone(tokens: TokenStream) -> Families {
        let (mut named, mut is_alone) = (Families::NONE, true);
        for token in tokens {
            match &token {
                TokenTree::Ident(word) if is_alone => named = named.and(Families::named(&word.to_string())),
                TokenTree::Group(group) => named = named.and(Families::named_alone(group.stream())),
                _ => {}
            }
            is_alone = !matches!(&token, TokenTree::Punct(punct) if ":.".contains(punct.as_char()));
        }
        named
    }

    pub fn and(self, other: Families) -> Families {
        Families(self.0 | other.0)
    }

    pub fn has(self, family: Family) -> bool {
        self.0 & Families::of(family).0 != 0
    }

    /// As an argument of an attribute.
    pub fn literal(self) -> Literal {
        Literal::u8_unsuffixed(self.0)
    }

    pub fn parse(literal: &Lit) -> Option<Families> {
        match literal {
            Lit::Int(bits) => bits.base10_parse().ok().map(Families),
            _ => None,
        }
    }
}

/// The names of what users call, which a function may have.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_asks_for_its_family() {
        let names = |word: &str, families: &[Family]| {
            let all = families.iter().map(|family| Families::of(*family)).fold(Families::NONE, Families::and);
            assert_eq!(Families::named(word), all, "{word}");
        };
        names("grad", &[]);
        names("jacobians", &[]);
        names("value_and_jacobian_into", &[Family::Jacobian, Family::Directions]);
        names("energy_hessian_diagonal", &[Family::Hessian, Family::Directions]);
        names("vjp_many", &[Family::Many, Family::Directions]);
        names("jacobian_sparse", &[Family::Sparse, Family::Directions]);
        names("gauss_newton", &[Family::GaussNewton, Family::Directions]);
    }
}
