//! On which side the rotations of a function's interface change.
//!
//! Note [Sides of changes]. With `#[differentiable(left)]` a change `c` of a parameter or a result leads from `r` to `exp(c)·r`. In
//! the function itself all is as Note [Changes of rotations] in `parse/geometry.rs` says: since `exp(c)·r = r·exp(Ad(r⁻¹)·c)`, a change of
//! a parameter becomes one on the right by a linear map, and one of the result becomes one on the left by `Ad(r)`, where `r` has no
//! derivative. Both hold to any order. What others may call or change has its changes on the right only.

use super::super::Lower;
use super::super::value::{Lowered, Reported, Value};
use crate::layout::Kind;
use crate::parse::function::Param;
use crate::parse::geometry::Geometry;
use proc_macro2::Span;

impl Lower<'_> {
    /// Changes of the parameters, which are on the left where `left` says so, as changes on the right.
    pub(in crate::lower) fn in_changes_on_right(&mut self, params: &[Param]) -> Lowered<()> {
        if !self.function.attr.left {
            return Ok(());
        }
        for param in params.iter().filter(|param| param.surface.has_rotation()) {
            if param.is_mut {
                let what = "a rotation that changes, with changes on the left,";
                return self.unsupported(&param.name, what, "return the new one, or leave `left` out");
            }
            let Some(slot) = self.env.slot(&param.name.to_string()) else { continue };
            if let Some(value) = self.env.get(slot).value.clone() {
                let value = self.with_changes(&value, INWARD)?;
                self.env.set(slot, Some(value));
            }
        }
        Ok(())
    }

    /// A result with changes on the side that the function's interface has.
    pub(in crate::lower) fn in_changes_of_interface(&mut self, value: Value) -> Lowered<Value> {
        if self.function.attr.left { self.with_changes(&value, OUTWARD) } else { Ok(value) }
    }

    fn with_changes(&mut self, value: &Value, map: Map) -> Lowered<Value> {
        let (kind, parts) = match value {
            Value::Parts(kind, parts) => (kind, parts),
            Value::Slice(slice) if is_curved(&slice.of) => {
                let (at, what) = (self.function.name().clone(), "a list of rotations with changes on the left");
                return self.unsupported(&at, what, "take or return the rotations one by one, or leave `left` out");
            }
            value => return Ok(value.clone()),
        };
        let curved = match kind {
            Kind::Struct(ty) => ty.geometry.filter(|of| of.is_curved()),
            _ => None,
        };
        let mut parts = parts.clone();
        match curved {
            None => {
                for part in &mut parts {
                    *part = self.with_changes(part, map)?;
                }
            }
            Some(of) => {
                let space = self.space(of, &parts);
                let change = parts.pop().ok_or(Reported)?;
                let given = vec![("this", self.still(value)), ("by", change)];
                parts.push(self.written(Span::call_site(), given, map(of, space))?);
            }
        }
        Ok(Value::Parts(kind.clone(), parts))
    }
}

/// Whether there is a rotation in it.
fn is_curved(value: &Value) -> bool {
    match value {
        Value::Parts(Kind::Struct(ty), _) if ty.geometry.is_some_and(Geometry::is_curved) => true,
        Value::Parts(_, parts) => parts.iter().any(is_curved),
        Value::Slice(slice) => is_curved(&slice.of),
        _ => false,
    }
}

/// The map of the changes of what is in a space.
type Map = fn(Geometry, i64) -> &'static str;

/// `Ad(r⁻¹)·by`
const INWARD: Map = |of, space| match (of, space) {
    (Geometry::UnitVector, _) => "by",
    (Geometry::Isometry, 2) => {
        "{ let (t, r) = (this.translation.vector, this.rotation.inverse()); \
            let v = r * nalgebra::Vector2::new(by[0] - by[2] * t[1], by[1] + by[2] * t[0]); \
            nalgebra::Vector3::new(v[0], v[1], by[2]) }"
    }
    (Geometry::Isometry, _) => {
        "{ let (t, r) = (this.translation.vector, this.rotation.inverse()); \
            let w = nalgebra::Vector3::new(by[3], by[4], by[5]); \
            let (v, w) = (r * (nalgebra::Vector3::new(by[0], by[1], by[2]) - t.cross(w)), r * w); \
            nalgebra::Vector6::new(v[0], v[1], v[2], w[0], w[1], w[2]) }"
    }
    (Geometry::Similarity, 2) => {
        "{ let (t, r) = (this.isometry.translation.vector, this.isometry.rotation.inverse()); \
            let v = r * nalgebra::Vector2::new(by[0] - by[2] * t[1], by[1] + by[2] * t[0]); \
            nalgebra::Vector4::new(v[0], v[1], by[2], by[3]) }"
    }
    (Geometry::Similarity, _) => {
        "{ let (t, r) = (this.isometry.translation.vector, this.isometry.rotation.inverse()); \
            let w = nalgebra::Vector3::new(by[3], by[4], by[5]); \
            let (v, w) = (r * (nalgebra::Vector3::new(by[0], by[1], by[2]) - t.cross(w)), r * w); \
            nalgebra::SVector::from([v[0], v[1], v[2], w[0], w[1], w[2], by[6]]) }"
    }
    // In the plane all rotations commute.
    (_, 2) => "by",
    _ => "this.inverse() * by",
};

/// `Ad(r)·by`
const OUTWARD: Map = |of, space| match (of, space) {
    (Geometry::UnitVector, _) => "by",
    (Geometry::Isometry, 2) => {
        "{ let (t, v) = (this.translation.vector, this.rotation * nalgebra::Vector2::new(by[0], by[1])); \
            nalgebra::Vector3::new(v[0] + by[2] * t[1], v[1] - by[2] * t[0], by[2]) }"
    }
    (Geometry::Isometry, _) => {
        "{ let (t, r) = (this.translation.vector, this.rotation); \
            let w = r * nalgebra::Vector3::new(by[3], by[4], by[5]); \
            let v = r * nalgebra::Vector3::new(by[0], by[1], by[2]) + t.cross(w); \
            nalgebra::Vector6::new(v[0], v[1], v[2], w[0], w[1], w[2]) }"
    }
    (Geometry::Similarity, 2) => {
        "{ let (t, r) = (this.isometry.translation.vector, this.isometry.rotation); \
            let v = r * nalgebra::Vector2::new(by[0], by[1]); \
            nalgebra::Vector4::new(v[0] + by[2] * t[1], v[1] - by[2] * t[0], by[2], by[3]) }"
    }
    (Geometry::Similarity, _) => {
        "{ let (t, r) = (this.isometry.translation.vector, this.isometry.rotation); \
            let w = r * nalgebra::Vector3::new(by[3], by[4], by[5]); \
            let v = r * nalgebra::Vector3::new(by[0], by[1], by[2]) + t.cross(w); \
            nalgebra::SVector::from([v[0], v[1], v[2], w[0], w[1], w[2], by[6]]) }"
    }
    (_, 2) => "by",
    _ => "this * by",
};
