//! Rotations that come into a block of equations, or out of one.
//!
//! Note [Rotations across blocks]. A loop carries the numbers of a rotation of space and its change on the left, and a choice
//! results in them: see Note [Changes on the left] in `left.rs`. Of other rotations it carries the numbers with their derivative.
//! On the other side of the border a rotation is made of these. Its change is computed only if something reads it, which is
//! where the rotation leaves the function or is passed to another one. So an iteration does not go through the logarithm and the
//! exponential of a change. A [`Value`] always has both, its numbers without a derivative and its change, and no place that is
//! handed one has to know how it was made: a derivative cannot be lost.

use super::super::Lower;
use super::super::value::{Lowered, Reported, Value};
use crate::ir::Var;
use crate::layout::Kind;
use crate::parse::geometry::Geometry;

impl Lower<'_> {
    /// The variables of values that cross the border of a block, in the block that is open on this side.
    pub(in crate::lower) fn across<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) -> Lowered<Vec<Var>> {
        let mut vars = Vec::new();
        for value in values {
            self.part_across(value, &mut vars)?;
        }
        Ok(vars)
    }

    fn part_across(&mut self, value: &Value, vars: &mut Vec<Var>) -> Lowered<()> {
        match (value, curved(value)) {
            (value, Some(_)) if self.has_left(value) => vars.extend(self.passed_on(value)?),
            (_, Some(_)) => {
                let numbers = self.computed_numbers(value).ok_or(Reported)?;
                vars.extend(numbers.iter().flat_map(Value::leaves));
            }
            (Value::Parts(_, parts), None) => parts.iter().try_for_each(|part| self.part_across(part, vars))?,
            (value, None) => vars.extend(value.leaves()),
        }
        Ok(())
    }

    /// The value of such a structure that has these variables, in the block that is open on the other side.
    pub(in crate::lower) fn arrived(&mut self, like: &Value, vars: &mut impl Iterator<Item = Var>) -> Lowered<Value> {
        match (like, curved(like)) {
            (like, Some(_)) if self.has_left(like) => self.taken_over(like, vars),
            (Value::Parts(kind, parts), Some(of)) => {
                let Some((_change, held)) = parts.split_last() else { return Err(Reported) };
                let numbers = held.iter().map(|part| part.rebuild(vars)).collect();
                match self.held(of, numbers)? {
                    // Called as it was before.
                    Value::Parts(_, parts) => Ok(Value::Parts(kind.clone(), parts)),
                    _ => Err(Reported),
                }
            }
            (Value::Parts(kind, parts), None) => {
                let parts = parts.iter().map(|part| self.arrived(part, vars)).collect::<Lowered<_>>()?;
                Ok(Value::Parts(kind.clone(), parts))
            }
            (like, _) => Ok(like.rebuild(vars)),
        }
    }
}

/// Which rotation it is.
fn curved(value: &Value) -> Option<Geometry> {
    match value {
        Value::Parts(Kind::Struct(ty), _) => ty.geometry.filter(|of| of.is_curved()),
        _ => None,
    }
}
