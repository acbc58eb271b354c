//! Rotations and isometries of space by changes on the left.
//!
//! Note [Changes on the left]. What is meant by a rotation is `r·exp(c)`, and also `exp(l)·r` with `l = Ad(r)·c`: a change as it is
//! seen from outside. A product has `l = l_a ∘ Ad(a)·l_b`, where `∘` is the product of the exponentials. To the first order that is
//! a sum. So a factor without a derivative costs nothing, and in a chain of joints each adds the axis that it turns about, which is
//! how kinematics are differentiated by hand. The numbers of a product with their derivatives would go through every factor.
//!
//! A [`Value`] consists of numbers without a derivative and of `c`, however it was made. Beside it is known of which `l` it is
//! made ([`Left`]). What else is asked for is computed of the one or the other: `c` of `l` and `l` of `c`, the numbers with their
//! derivatives, a vector that is rotated. What nothing reads is removed with all dead code. Loops and choices pass `l` on.
//!
//! Formulas have the terms that a function needs: those of the second degree are there for its second derivatives.

mod text;

use super::super::Lower;
use super::super::value::{Lowered, Reported, Value};
use super::written::Side;
use crate::ir::Var;
use crate::layout::{Form, Kind};
use crate::op::elementwise as rows;
use crate::parse::geometry::Geometry;
use proc_macro2::Span;

/// A change on the left, with the block in which it is computed.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Left {
    block: u32,
    change: Value,
    /// The axis and the angle of a turn about an axis without a derivative: the change is their product.
    turn: Option<(Value, Value)>,
}

/// A factor of a product: a rotation, a translation or both.
struct Factor {
    numbers: Option<Value>,
    moved: Option<Value>,
    /// The change on the right, which has the value zero. That of a translation is of the translation alone.
    change: Value,
    /// What it is in the value.
    own: Value,
    left: Option<Left>,
    is_active: bool,
}

impl Factor {
    fn names(&self, mut names: Vec<(&'static str, Value)>) -> Vec<(&'static str, Value)> {
        names.extend(self.numbers.iter().map(|numbers| ("held", numbers.clone())));
        names.extend(self.moved.iter().map(|moved| ("moved", moved.clone())));
        names
    }

    /// The change that is known, and whether it is that on the left.
    fn known(&self) -> (Value, bool) {
        match &self.left {
            Some(left) => (left.change.clone(), true),
            None => (self.change.clone(), false),
        }
    }

    fn shape(&self) -> text::Shape {
        text::Shape { turns: self.numbers.is_some(), moves: self.moved.is_some() }
    }
}

impl Lower<'_> {
    /// Up to which degree formulas need their terms.
    fn degree(&self) -> u8 {
        self.function.order().number().clamp(1, 4)
    }

    /// A number or an array without its derivative.
    pub(in crate::lower) fn without_derivative(&mut self, value: &Value) -> Value {
        match value {
            Value::Leaf(var, form) if self.active.contains(var) => {
                Value::Leaf(self.b.map(&rows::stop_gradient, &[*var]), *form)
            }
            value => value.clone(),
        }
    }

    /// Zero, with the derivative.
    fn vanishing(&mut self, value: &Value) -> Lowered<Value> {
        let Value::Leaf(var, form) = value else { return Err(Reported) };
        Ok(Value::Leaf(self.map(&rows::vanishing, &[*var]), *form))
    }

    /// Rotations and isometries of space, and translations.
    fn factor(&mut self, value: &Value) -> Option<Factor> {
        let Value::Parts(Kind::Struct(ty), parts) = value else { return None };
        let of = ty.geometry?;
        if self.space(of, parts) != 3 {
            return None;
        }
        let own = parts.last()?.clone();
        let is_active = self.is_active(&own);
        let change = if is_active { self.vanishing(&own).ok()? } else { self.zeros_of(&own) };
        let left = self.known_left(value);
        let (numbers, moved) = match (of, &parts[..]) {
            (Geometry::UnitQuaternion, [numbers, _]) => (Some(numbers.clone()), None),
            (Geometry::Isometry, [numbers, moved, _]) => (Some(numbers.clone()), Some(moved.clone())),
            (Geometry::Translation, [vector]) => (None, Some(self.without_derivative(vector))),
            _ => return None,
        };
        // A translation is one on both sides.
        let own_left = Left { block: self.b.innermost(), change: change.clone(), turn: None };
        let left = if numbers.is_none() { Some(own_left) } else { left };
        Some(Factor { numbers, moved, change, own, left, is_active })
    }

    /// Whether changes on the left are known of it.
    pub(super) fn has_left(&self, value: &Value) -> bool {
        match value {
            Value::Parts(Kind::Struct(ty), parts) => {
                matches!(ty.geometry, Some(Geometry::UnitQuaternion | Geometry::Isometry))
                    && ty.geometry.is_some_and(|of| self.space(of, parts) == 3)
            }
            _ => false,
        }
    }

    fn known_left(&self, value: &Value) -> Option<Left> {
        let Value::Parts(_, parts) = value else { return None };
        let Value::Leaf(change, _) = parts.last()? else { return None };
        self.left_of.get(change).filter(|left| self.b.is_open(left.block)).cloned()
    }

    /// The change on the left of a rotation or an isometry.
    pub(super) fn left_change(&mut self, value: &Value) -> Lowered<Value> {
        let Some(factor) = self.factor(value) else { return Err(Reported) };
        let Value::Leaf(change, _) = factor.own else { return Err(Reported) };
        let is_given = factor.left.is_none() && self.leaves.iter().any(|leaf| leaf.var == change);
        // That of a parameter is computed once, not in every iteration of a loop.
        let inner = is_given.then(|| self.b.suspend_inner());
        let left = self.factor(value).ok_or(Reported).and_then(|factor| self.left_of_factor(&factor));
        if let (Ok(left), true) = (&left, factor.is_active) {
            self.left_of.insert(change, left.clone());
        }
        inner.into_iter().for_each(|inner| self.b.resume_inner(inner));
        Ok(left?.change)
    }

    fn left_of_factor(&mut self, factor: &Factor) -> Lowered<Left> {
        if let Some(left) = &factor.left {
            return Ok(left.clone());
        }
        let block = self.b.innermost();
        let change = match factor.is_active {
            true => self.formula(factor.names(vec![("by", factor.change.clone())]), &text::outward(factor.shape()))?,
            false => self.zeros_of(&factor.change),
        };
        Ok(Left { block, change, turn: None })
    }

    fn formula(&mut self, given: Vec<(&str, Value)>, text: &str) -> Lowered<Value> {
        self.written(Span::call_site(), given, text)
    }

    /// Numbers without a derivative, as a rotation or an isometry that does not change.
    pub(super) fn still(&mut self, value: &Value) -> Value {
        match value {
            Value::Parts(kind @ Kind::Struct(ty), parts) if ty.geometry.is_some_and(Geometry::is_curved) => {
                let mut parts = parts.clone();
                if let Some(change) = parts.pop() {
                    parts.push(self.zeros_of(&change));
                }
                Value::Parts(kind.clone(), parts)
            }
            Value::Parts(kind, parts) => {
                let parts = parts.iter().map(|part| self.without_derivative(part)).collect();
                Value::Parts(kind.clone(), parts)
            }
            value => value.clone(),
        }
    }

    /// What has such numbers, with a change on the left. `made` is the same without a change.
    pub(super) fn changed_on_left(&mut self, made: &Value, change: Value) -> Lowered<Value> {
        let Some(still) = self.factor(made) else { return Err(Reported) };
        let inward = self.formula(still.names(vec![("by", change.clone())]), &text::inward(still.shape()))?;
        let left = Left { block: self.b.innermost(), change, turn: None };
        self.changed_on_both(made, inward, Some(left))
    }

    /// The same with the change itself, and that on the left if it is known.
    fn changed_on_both(&mut self, made: &Value, change: Value, left: Option<Left>) -> Lowered<Value> {
        let Value::Parts(kind, parts) = made else { return Err(Reported) };
        let mut parts = parts.clone();
        parts.pop();
        if let (Value::Leaf(change, _), Some(left)) = (&change, left) {
            self.left_of.insert(*change, left);
        }
        parts.push(change);
        Ok(Value::Parts(kind.clone(), parts))
    }

    /// A product of rotations, isometries and translations of which one has a derivative; `body` computes its numbers.
    pub(super) fn product_of_changes(
        &mut self,
        span: Span,
        (left, right): (&Value, &Value),
        body: &str,
    ) -> Option<Lowered<Value>> {
        let (a, b) = (self.factor(left)?, self.factor(right)?);
        let of_translations = a.numbers.is_none() && b.numbers.is_none();
        if of_translations || !a.is_active && !b.is_active {
            return None;
        }
        let given = vec![("this", self.still(left)), ("other", self.still(right))];
        Some(self.written(span, given, body).and_then(|made| self.changed_product(&made, &a, &b)))
    }

    fn changed_product(&mut self, made: &Value, a: &Factor, b: &Factor) -> Lowered<Value> {
        let shape = text::Shape { turns: true, moves: a.moved.is_some() || b.moved.is_some() };
        let carried = match &b.left {
            Some(left) if !a.is_active => Some(self.carried(a, left, b.shape(), shape)?),
            _ => None,
        };
        match carried {
            // The change of a translation is one on the left.
            Some(change) if b.numbers.is_none() => return self.changed_on_left(made, change),
            // `a·b·exp(c)`
            carried if !a.is_active => {
                let change = self.formula(vec![("by", b.change.clone())], &text::lifted(b.shape(), shape))?;
                let left = carried.map(|change| Left { block: self.b.innermost(), change, turn: None });
                return self.changed_on_both(made, change, left);
            }
            _ => {}
        }
        let first = self.left_of_factor(a)?;
        let change = match b.is_active {
            false => self.formula(vec![("by", first.change)], &text::lifted(a.shape(), shape))?,
            true => {
                let second = self.left_of_factor(b)?;
                let second = self.carried(a, &second, b.shape(), shape)?;
                let given = vec![("left", first.change), ("by", second)];
                self.formula(given, &text::composed(a.shape(), shape, self.degree()))?
            }
        };
        self.changed_on_left(made, change)
    }

    /// `Ad(a)·l`
    fn carried(&mut self, a: &Factor, left: &Left, of: text::Shape, into: text::Shape) -> Lowered<Value> {
        let text = text::carried(a.shape(), of, into);
        match &left.turn {
            // The axis is turned, and not the change.
            Some((axis, angle)) => {
                let axis = self.formula(a.names(vec![("by", axis.clone())]), &text)?;
                self.formula(vec![("axis", axis), ("angle", angle.clone())], "axis * angle")
            }
            None => self.formula(a.names(vec![("by", left.change.clone())]), &text),
        }
    }

    /// A vector that is rotated, or a point that is moved.
    pub(super) fn moved_by_changes(
        &mut self,
        span: Span,
        motion: &Value,
        (other, side): (&Value, Side),
        body: &str,
    ) -> Option<Lowered<Value>> {
        let factor = self.factor(motion)?;
        let is_whole = matches!(side, Side::Of(Geometry::Point)) || factor.moved.is_none();
        // A translation alone has no change but that of its vector.
        if !factor.is_active || factor.numbers.is_none() || !is_whole {
            return None;
        }
        let given = vec![("this", self.still(motion)), ("other", other.clone())];
        Some(self.written(span, given, body).and_then(|made| {
            let (change, is_left) = factor.known();
            let (from, to) = match (&made, other) {
                (Value::Parts(_, made), Value::Parts(_, other)) => (other.first().cloned(), made.first().cloned()),
                _ => (Some(other.clone()), Some(made.clone())),
            };
            let (Some(from), Some(to)) = (from, to) else { return Err(Reported) };
            let given = factor.names(vec![("by", change), ("from", from), ("to", to)]);
            let vector = self.formula(given, &text::moved_point(factor.shape(), is_left, self.degree()))?;
            Ok(match made {
                Value::Parts(kind, _) => Value::Parts(kind, vec![vector]),
                _ => vector,
            })
        }))
    }

    /// The inverse: what is its change on the left is the negative of the change on the right, and the other way round.
    pub(super) fn inverse_of_changes(&mut self, span: Span, value: &Value, body: &str) -> Option<Lowered<Value>> {
        let factor = self.factor(value)?;
        if !factor.is_active || factor.numbers.is_none() {
            return None;
        }
        let given = vec![("this", self.still(value))];
        Some(self.written(span, given, body).and_then(|made| {
            let left = self.formula(vec![("by", factor.change.clone())], "-by")?;
            match &factor.left {
                Some(known) => {
                    let change = self.formula(vec![("by", known.change.clone())], "-by")?;
                    let left = Left { block: self.b.innermost(), change: left, turn: None };
                    self.changed_on_both(&made, change, Some(left))
                }
                None => self.changed_on_left(&made, left),
            }
        }))
    }

    /// A turn about an axis without a derivative.
    pub(super) fn turn_about(&mut self, span: Span, axis: &Value, angle: &Value, body: &str) -> Option<Lowered<Value>> {
        if self.is_active(axis) || !self.is_active(angle) {
            return None;
        }
        let given = vec![("axis", axis.clone()), ("angle", self.without_derivative(angle))];
        Some(self.written(span, given, body).and_then(|made| {
            let by = self.vanishing(angle)?;
            let change = self.formula(vec![("axis", axis.clone()), ("angle", by.clone())], "axis * angle")?;
            let turn = Some((axis.clone(), by));
            let left = Left { block: self.b.innermost(), change: change.clone(), turn };
            self.changed_on_both(&made, change, Some(left))
        }))
    }

    /// An axis times an angle, of a function that has first derivatives only.
    pub(super) fn logarithm_of_changes(&mut self, span: Span, value: &Value) -> Option<Lowered<Value>> {
        let factor = self.factor(value)?;
        if !factor.is_active || self.degree() > 1 {
            return None;
        }
        let ((change, is_left), still) = (factor.known(), self.still(value));
        Some(self.written(span, vec![("this", still), ("by", change)], &text::logarithm(is_left)))
    }

    /// The rotation by an axis times an angle, in such a function.
    pub(super) fn exponential(&mut self, span: Span, log: &Value, body: &str) -> Option<Lowered<Value>> {
        if !self.is_active(log) || self.degree() > 1 {
            return None;
        }
        let still = self.without_derivative(log);
        let given = vec![("axis_angle", still.clone())];
        Some(self.written(span, given, body).and_then(|made| {
            let by = self.vanishing(log)?;
            let Some(factor) = self.factor(&made) else { return Err(Reported) };
            let change = self.formula(factor.names(vec![("by", by), ("log", still)]), &text::exponential())?;
            self.changed_on_left(&made, change)
        }))
    }

    /// An isometry of a rotation and a translation.
    pub(super) fn isometry_of_changes(&mut self, made: &Value, rotation: &Value, moved: &Value) -> Lowered<Value> {
        let Some(turn) = self.factor(rotation) else { return Err(Reported) };
        let degree = self.degree();
        let still = self.without_derivative(moved);
        let is_left = !turn.is_active || turn.left.is_some();
        if is_left {
            let left = self.left_of_factor(&turn)?;
            let given = vec![("left", left.change), ("there", moved.clone()), ("moved", still)];
            let change = self.formula(given, &text::assembled(degree))?;
            return self.changed_on_left(made, change);
        }
        let given = turn.names(vec![("by", turn.change.clone()), ("there", moved.clone())]);
        let change = self.formula(given, &text::assembled_on_right(degree))?;
        self.changed_on_both(made, change, None)
    }

    /// The rotation of an isometry.
    pub(super) fn rotation_of_changes(&mut self, isometry: &Value, made: &Value) -> Lowered<Value> {
        let Some(factor) = self.factor(isometry) else { return Err(Reported) };
        let change = self.formula(vec![("by", factor.change.clone())], text::TURN_OF_BOTH)?;
        let left = match factor.left {
            Some(left) => {
                let change = self.formula(vec![("by", left.change)], text::TURN_OF_BOTH)?;
                Some(Left { block: self.b.innermost(), change, turn: None })
            }
            None => None,
        };
        self.changed_on_both(made, change, left)
    }

    /// The numbers of what has a change on the left.
    pub(super) fn numbers_on_left(&mut self, value: &Value) -> Option<Lowered<Vec<Value>>> {
        let factor = self.factor(value)?;
        let left = factor.left.clone()?;
        let given = factor.names(vec![("by", left.change)]);
        let numbers = self.formula(given, &text::numbers(factor.shape(), self.degree()));
        Some(numbers.map(|numbers| match numbers {
            Value::Parts(Kind::Tuple, parts) => parts,
            numbers => vec![numbers],
        }))
    }

    /// The variables that pass a rotation on: its numbers and the change on the left.
    pub(super) fn passed_on(&mut self, value: &Value) -> Lowered<Vec<Var>> {
        let change = self.left_change(value)?;
        let Value::Parts(_, parts) = value else { return Err(Reported) };
        let Some((_, held)) = parts.split_last() else { return Err(Reported) };
        let mut vars: Vec<Var> = held.iter().flat_map(Value::leaves).collect();
        for var in &mut vars {
            // What changes is in a place of its own: the numbers of a parameter are where only nalgebra writes to.
            if self.leaves.iter().any(|leaf| leaf.var == *var) {
                *var = self.b.map(&rows::stop_gradient, &[*var]);
            }
        }
        vars.extend(change.leaves());
        Ok(vars)
    }

    /// The rotation that has been passed on as these.
    pub(super) fn taken_over(&mut self, like: &Value, vars: &mut impl Iterator<Item = Var>) -> Lowered<Value> {
        let Value::Parts(kind, parts) = like else { return Err(Reported) };
        let mut parts: Vec<Value> = parts.iter().map(|part| part.rebuild(vars)).collect();
        let Some(Value::Leaf(change, form)) = parts.pop() else { return Err(Reported) };
        let mut held: Vec<Value> = parts.iter().map(|part| self.without_derivative(part)).collect();
        let left = Value::Leaf(change, form);
        held.push(self.zeros_of(&left));
        let made = Value::Parts(kind.clone(), held);
        if !self.active.contains(&change) {
            return Ok(made);
        }
        let left = self.vanishing(&Value::Leaf(change, Form::Vector))?;
        self.changed_on_left(&made, left)
    }
}
