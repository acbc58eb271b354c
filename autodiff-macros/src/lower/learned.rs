//! Types that a `let` does not say and its value does not tell.
//!
//! Note [Types by later use]. `let mut path = Vec::new();` and `let mut sum = Vec3::default();` are of the type that a later use gives
//! them. Until then they are taken for numbers. Where such a variable turns out to be of another type, since something else
//! is pushed, added or assigned, that is noted, and the body is lowered again with that type in the `let`. Each `let` learns
//! at most once, so that this comes to an end; what still does not fit then is the error.

use super::Lower;
use super::assign::unparen;
use super::place::Place;
use super::value::Value;
use crate::ir::dim::Dim;
use crate::layout::Kind;
use crate::parse::ty::{Seq, StructArg, Surface};
use std::collections::HashMap;
use syn::{Expr, PatIdent};

/// A `let`, by its name and where it is written: the tree may have been copied.
pub(super) type Origin = String;

/// The types of variables by their `let`.
pub(super) type Learned = HashMap<Origin, Surface>;

pub(super) fn origin(pattern: &PatIdent) -> Origin {
    format!("{} {:?}", pattern.ident, pattern.ident.span())
}

impl Lower<'_> {
    /// The type that a `Vec` turns out to have, by what is pushed to it.
    pub(super) fn learn_element(&mut self, place: &Place, value: &Value) {
        if place.path.is_empty() {
            self.learn_slot(place.slot, Surface::Seq(Box::new(value.surface(&self.b)), Seq::Vec));
        }
    }

    /// The type that a variable turns out to have.
    pub(super) fn learn_named(&mut self, name: &Expr, surface: Surface) {
        let Expr::Path(path) = unparen(name) else { return };
        let slot = path.path.get_ident().and_then(|ident| self.env.slot(&ident.to_string()));
        if let Some(slot) = slot {
            self.learn_slot(slot, surface);
        }
    }

    fn learn_slot(&mut self, slot: usize, surface: Surface) {
        let Some(origin) = self.env.get(slot).origin.clone() else { return };
        if let (false, Some(surface)) = (self.learned.contains_key(&origin), anywhere(surface)) {
            self.news.entry(origin).or_insert(surface);
        }
    }

    /// Whether a named variable is taken for a number until something else is known.
    pub(super) fn is_guess(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = unparen(expr) else { return false };
        let binding = path.path.get_ident().and_then(|ident| self.lookup(&ident.to_string()));
        binding.and_then(|binding| binding.origin.as_ref()).is_some_and(|origin| !self.learned.contains_key(origin))
    }
}

/// Whether a value says nothing of its type.
pub(super) fn is_untold(value: &Value) -> bool {
    match value {
        Value::Untyped(untyped) => untyped.number.is_none(),
        Value::Other(_) => true,
        _ => false,
    }
}

/// A type without the variables of this body, if it is known as a whole.
fn anywhere(surface: Surface) -> Option<Surface> {
    let boxed = |inner: Box<Surface>| anywhere(*inner).map(Box::new);
    Some(match surface {
        Surface::Array(inner, len) if len.is_dynamic() => Surface::Seq(boxed(inner)?, Seq::Vec),
        Surface::Array(inner, len) => Surface::Array(boxed(inner)?, len),
        Surface::Seq(inner, _) => Surface::Seq(boxed(inner)?, Seq::Vec),
        Surface::Tuple(parts) => Surface::Tuple(parts.into_iter().map(anywhere).collect::<Option<_>>()?),
        Surface::Tensor(_, dims) if dims.iter().any(Dim::is_dynamic) => return None,
        Surface::Struct(ty) => {
            let is_fixed = |arg: &StructArg| !matches!(arg, StructArg::Size(size) if size.is_dynamic());
            return ty.args.iter().all(is_fixed).then_some(Surface::Struct(ty));
        }
        Surface::Other(_) => return None,
        other => other,
    })
}

/// Whether a value is a struct.
pub(super) fn is_struct(value: &Value) -> bool {
    matches!(value, Value::Parts(Kind::Struct(_), _))
}
