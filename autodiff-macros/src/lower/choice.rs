//! Choices between what carries no derivative.

use super::Lower;
use super::branch::Arm;
use super::value::{Lowered, Value};
use crate::ir::Var;
use crate::layout::Kind;
use crate::parse::ty::Surface;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

impl Lower<'_> {
    /// Two values with the one of each part that a condition chooses, where that carries no derivative. What is known in one branch
    /// only is a number, if the file tells that.
    pub(super) fn chosen_parts(
        &mut self,
        cond: Var,
        (yes, no): (&mut Arm, &mut Arm),
        a: &Value,
        b: &Value,
    ) -> Lowered<Option<(Value, Value)>> {
        match (a, b) {
            (Value::Parts(Kind::Tuple, all), Value::Parts(Kind::Tuple, others)) if all.len() == others.len() => {
                let (mut chosen, mut other) = (Vec::new(), Vec::new());
                for (a, b) in all.iter().zip(others) {
                    let (a, b) = match (a, b) {
                        // Beside a number it is one.
                        (Value::Other(_), Value::Leaf(..) | Value::Untyped(_)) => {
                            (a.clone().expected_number(), b.clone())
                        }
                        (Value::Leaf(..) | Value::Untyped(_), Value::Other(_)) => {
                            (a.clone(), b.clone().expected_number())
                        }
                        _ => {
                            let parts = self.chosen_parts(cond, (&mut *yes, &mut *no), a, b)?;
                            parts.unwrap_or_else(|| (a.clone(), b.clone()))
                        }
                    };
                    chosen.push(a);
                    other.push(b);
                }
                Ok(Some((Value::tuple(chosen), Value::tuple(other))))
            }
            (Value::Other(_), Value::Other(_)) if !same_passive(a, b) => {
                if let Some(chosen) = chosen_passive(cond, a, b) {
                    return Ok(Some((chosen.clone(), chosen)));
                }
                let Some(elem) = self.number_of_data(a).or_else(|| self.number_of_data(b)) else { return Ok(None) };
                let elem = Surface::Scalar(elem);
                let a = self.within(yes, |lower| lower.coerce(a.clone(), &elem, &TokenStream::new(), "this"))?;
                let b = self.within(no, |lower| lower.coerce(b.clone(), &elem, &TokenStream::new(), "this"))?;
                Ok(Some((a, b)))
            }
            _ => Ok(None),
        }
    }

    /// Two values in which the same arrays of structs are written out, if one has an array for each leaf where the other has not.
    pub(super) fn written_alike(
        &mut self,
        (yes, no): (&mut Arm, &mut Arm),
        a: &Value,
        b: &Value,
        at: &impl ToTokens,
    ) -> Lowered<Option<(Value, Value)>> {
        if !is_written_otherwise(a, b) {
            return Ok(None);
        }
        let surface = match (a, b) {
            (_, Value::Slice(_)) => b.surface(&self.b),
            (Value::Slice(_), _) => a.surface(&self.b),
            _ => a.surface(&self.b).written_out(),
        };
        let a = self.within(yes, |lower| lower.coerce(a.clone(), &surface, at, "this branch"))?;
        let b = self.within(no, |lower| lower.coerce(b.clone(), &surface, at, "this branch"))?;
        Ok(Some((a, b)))
    }
}

/// The one of two expressions without a derivative that a condition chooses. What is computed in a branch has no name
/// outside of it.
pub(super) fn chosen_passive(cond: Var, yes: &Value, no: &Value) -> Option<Value> {
    let (Value::Other(yes), Value::Other(no)) = (yes, no) else { return None };
    let is_outside = |tokens: &TokenStream| !crate::ir::mentions_late(tokens);
    let differ = yes.to_string() != no.to_string() && is_outside(yes) && is_outside(no);
    let cond = crate::ir::late(cond);
    differ.then(|| Value::Other(quote!((if #cond { #yes } else { #no }))))
}

/// Whether what carries no derivative and is only passed on, is the same on both sides.
pub(super) fn same_passive(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Parts(_, a), Value::Parts(_, b)) => a.iter().zip(b).all(|(a, b)| same_passive(a, b)),
        (Value::Other(a), Value::Other(b)) => a.to_string() == b.to_string(),
        (Value::Closure(a), Value::Closure(b)) => a.is_same(b),
        (Value::Other(_) | Value::Closure(_), _) | (_, Value::Other(_) | Value::Closure(_)) => false,
        _ => true,
    }
}

/// Whether an array of structs is written out in one of two values only.
pub(super) fn is_written_otherwise(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Parts(Kind::Array, _), Value::Slice(_)) | (Value::Slice(_), Value::Parts(Kind::Array, _)) => true,
        (Value::Parts(_, a), Value::Parts(_, b)) => a.iter().zip(b).any(|(a, b)| is_written_otherwise(a, b)),
        _ => false,
    }
}
