//! Between a rotation as it is held, numbers and a change of them, and the numbers that are computed with. See Note [Changes of
//! rotations] in [`crate::parse::geometry`].

use super::super::Lower;
use super::super::value::{Lowered, Reported, Value};
use crate::ir::Var;
use crate::ir::dim::Dim;
use crate::layout::{Form, Kind};
use crate::parse::geometry::Geometry;
use crate::parse::ty::Surface;
use proc_macro2::Span;
use std::rc::Rc;
use syn::Member;

impl Lower<'_> {
    /// The value of a change.
    pub(in crate::lower) fn no_change(&mut self, surface: &Surface) -> Option<Value> {
        let ty = surface.leaf().filter(|ty| !ty.is_dynamic())?;
        Some(Value::Leaf(self.b.zero(ty), Form::of(surface)))
    }

    /// The numbers of a rotation, and the translation of an isometry, as they depend on its change.
    pub(super) fn computed_numbers(&mut self, value: &Value) -> Option<Vec<Value>> {
        let Value::Parts(Kind::Struct(ty), parts) = value else { return None };
        let of = ty.geometry.filter(|of| of.is_curved())?;
        let (Value::Leaf(change, _), held) = parts.split_last()? else { return None };
        if let Some((block, known)) = self.numbers_of.get(change) {
            if self.b.is_open(*block) {
                return Some(known.clone());
            }
        }
        if !self.active.contains(change) {
            return Some(held.to_vec());
        }
        let is_given = self.leaves.iter().any(|leaf| leaf.var == *change);
        let numbers = match is_given {
            // Those of a parameter are computed once, not in every iteration of a loop.
            true => {
                let inner = self.b.suspend_inner();
                let numbers = self.changed_numbers(of, parts);
                self.remember(*change, numbers.as_deref().ok());
                self.b.resume_inner(inner);
                numbers.ok()?
            }
            false => {
                let numbers = match self.numbers_on_left(value) {
                    Some(numbers) => numbers.ok()?,
                    None => self.changed_numbers(of, parts).ok()?,
                };
                self.remember(*change, Some(&numbers));
                numbers
            }
        };
        Some(numbers)
    }

    fn remember(&mut self, change: Var, numbers: Option<&[Value]>) {
        if let Some(numbers) = numbers {
            self.numbers_of.insert(change, (self.b.innermost(), numbers.to_vec()));
        }
    }

    /// `r·exp(c)`
    fn changed_numbers(&mut self, of: Geometry, parts: &[Value]) -> Lowered<Vec<Value>> {
        let Some((change, held)) = parts.split_last() else { return Err(Reported) };
        let space = self.space(of, parts);
        let names = names_of_numbers(of, space).iter().map(|(held, _)| *held);
        let given = names.zip(held.iter().cloned()).chain([("change", change.clone())]).collect();
        let body = match (of, space) {
            (Geometry::UnitQuaternion, _) => exp::quaternion(),
            (Geometry::UnitComplex, _) => exp::complex(),
            (Geometry::Isometry, 2) => exp::isometry_of_plane(),
            (Geometry::Isometry, _) => exp::isometry(),
            (Geometry::Similarity, space) => exp::similarity(space),
            (Geometry::UnitVector, _) => exp::unit(),
            (_, 2) => exp::plane(),
            _ => exp::rotation(),
        };
        match self.written(Span::call_site(), given, &body)? {
            Value::Parts(Kind::Tuple, parts) => Ok(parts),
            numbers => Ok(vec![numbers]),
        }
    }

    /// A rotation of its numbers.
    pub(in crate::lower) fn held(&mut self, of: Geometry, parts: Vec<Value>) -> Lowered<Value> {
        if let [rotation, Value::Parts(_, moved)] = &parts[..] {
            if self.has_left(rotation) && parts.iter().any(|part| self.is_active(part)) {
                let still = parts.iter().map(|part| self.still(part)).collect();
                let made = self.held(of, still)?;
                return self.isometry_of_changes(&made, rotation, moved.first().ok_or(Reported)?);
            }
        }
        let mut numbers = Vec::new();
        for part in parts {
            match self.computed_numbers(&part) {
                Some(own) => numbers.extend(own),
                None => match part {
                    Value::Parts(Kind::Struct(_), inner) => numbers.extend(inner),
                    part => numbers.push(part),
                },
            }
        }
        let (Some(Value::Leaf(first, _)), Some(last)) = (numbers.first(), numbers.last()) else {
            return Err(Reported);
        };
        let elem = self.b.ty(*first).elem.clone();
        let size = match (of, last) {
            (Geometry::UnitComplex, _) => 2,
            (Geometry::Similarity, _) => {
                if numbers.len() == 4 {
                    2
                } else {
                    3
                }
            }
            (Geometry::UnitQuaternion, _) => 3,
            (_, Value::Leaf(last, _)) => self.b.ty(*last).dims.first().and_then(Dim::as_literal).unwrap_or(3),
            _ => return Err(Reported),
        };
        let name = of.name(size);
        let number = crate::parse::tokens::elem_tokens(&elem);
        let ty = of.ty(&elem, size, syn::parse_quote!(nalgebra::#name<#number>));
        let mut parts = Vec::new();
        for (number, field) in numbers.iter_mut().zip(&ty.fields) {
            *number = self.coerce(number.clone(), &field.ty, &self.function.name().clone(), "the part")?;
            parts.push(self.without_derivative(number));
        }
        if !numbers.iter().any(|number| self.is_active(number)) {
            let change = ty.fields.last().and_then(|field| self.no_change(&field.ty)).ok_or(Reported)?;
            parts.push(change);
            return Ok(Value::Parts(Kind::Struct(Rc::new(ty)), parts));
        }
        let body = match (of, size) {
            (Geometry::UnitQuaternion, _) => log::quaternion(),
            (Geometry::UnitComplex, _) => log::complex(),
            (Geometry::Isometry, 2) => log::isometry_of_plane(),
            (Geometry::Isometry, _) => log::isometry(),
            (Geometry::Similarity, space) => log::similarity(space),
            (Geometry::UnitVector, _) => log::unit(),
            (_, 2) => log::plane(),
            _ => log::rotation(),
        };
        let names = names_of_numbers(of, size);
        let given = names.iter().zip(parts.iter().zip(&numbers));
        let given =
            given.flat_map(|((held, now), (part, number))| [(*held, part.clone()), (*now, number.clone())]).collect();
        let change = self.written(Span::call_site(), given, &body)?;
        if let Value::Leaf(change, _) = change {
            self.remember(change, Some(&numbers));
        }
        parts.push(change);
        Ok(Value::Parts(Kind::Struct(Rc::new(ty)), parts))
    }

    /// What the tables, and sources, call a part of a rotation or an isometry.
    pub(in crate::lower) fn part_of_curved(&mut self, value: &Value, member: &Member) -> Option<Value> {
        let Value::Parts(Kind::Struct(ty), _) = value else { return None };
        let of = ty.geometry.filter(|of| of.is_curved())?;
        let Member::Named(name) = member else { return None };
        let name = name.to_string();
        match (of, &name[..]) {
            (Geometry::UnitQuaternion, "coords") | (Geometry::Rotation, "matrix") => {
                self.computed_numbers(value)?.into_iter().next()
            }
            (Geometry::UnitComplex, "re") => self.computed_numbers(value)?.into_iter().next(),
            (Geometry::UnitComplex, "im") => self.computed_numbers(value)?.into_iter().nth(1),
            (Geometry::Isometry, "rotation") if self.has_left(value) && self.is_active(value) => {
                let Value::Parts(_, parts) = self.still(value) else { return None };
                let made = self.held(Geometry::UnitQuaternion, vec![parts.first()?.clone()]).ok()?;
                self.rotation_of_changes(value, &made).ok()
            }
            (Geometry::Isometry, "rotation") => {
                let mut numbers = self.computed_numbers(value)?;
                numbers.pop();
                self.held(rotation_of(&numbers), numbers).ok()
            }
            (Geometry::Isometry, "translation") => {
                let vector = self.computed_numbers(value)?.pop()?;
                self.flat(Geometry::Translation, vector)
            }
            (Geometry::Similarity, "isometry") => {
                let mut numbers = self.computed_numbers(value)?;
                numbers.pop();
                self.held(Geometry::Isometry, numbers).ok()
            }
            (Geometry::Similarity, "__scaling") => self.computed_numbers(value)?.pop(),
            _ => None,
        }
    }

    /// A unit vector as the vector that it is. See Note [Unit vectors] in [`crate::parse::geometry`].
    pub(in crate::lower) fn unit_as_vector(&mut self, value: Value) -> Value {
        match &value {
            Value::Parts(Kind::Struct(ty), _) if ty.geometry == Some(Geometry::UnitVector) => {
                let vector = self.computed_numbers(&value).and_then(|mut numbers| numbers.pop());
                vector.unwrap_or(value)
            }
            _ => value,
        }
    }

    /// An isometry with another rotation or another translation, and a similarity with another isometry.
    pub(in crate::lower) fn with_part_of_isometry(
        &mut self,
        old: Value,
        member: &Member,
        part: Value,
    ) -> Lowered<Value> {
        if let Member::Named(name) = member {
            if name == "isometry" {
                let scaling = Member::Named(proc_macro2::Ident::new("__scaling", Span::call_site()));
                let scaling = self.part_of_curved(&old, &scaling).ok_or(Reported)?;
                return self.held(Geometry::Similarity, vec![part, scaling]);
            }
        }
        if self.has_left(&old) {
            let other =
                if matches!(member, Member::Named(name) if name == "rotation") { "translation" } else { "rotation" };
            let other = Member::Named(proc_macro2::Ident::new(other, Span::call_site()));
            let other = self.part_of_curved(&old, &other).ok_or(Reported)?;
            let parts = if self.has_left(&other) { vec![other, part] } else { vec![part, other] };
            return self.held(Geometry::Isometry, parts);
        }
        let Some(mut numbers) = self.computed_numbers(&old) else { return Err(Reported) };
        let is_rotation = matches!(member, Member::Named(name) if name == "rotation");
        let new = match &part {
            Value::Parts(_, parts) if !is_rotation => Some(parts.clone()),
            part => self.computed_numbers(part),
        };
        let (Some(new), Value::Parts(Kind::Struct(ty), _)) = (new, &old) else { return Err(Reported) };
        let (Some(of), Some(translation)) = (ty.geometry, numbers.pop()) else { return Err(Reported) };
        if is_rotation {
            numbers = new;
            numbers.push(translation);
        } else {
            numbers.extend(new);
        }
        self.held(of, numbers)
    }

    /// What consists of a vector.
    fn flat(&mut self, of: Geometry, vector: Value) -> Option<Value> {
        let Value::Leaf(var, _) = &vector else { return None };
        let (elem, size) = (self.b.ty(*var).elem.clone(), self.b.ty(*var).dims.first().and_then(Dim::as_literal)?);
        let (name, number) = (of.name(size), crate::parse::tokens::elem_tokens(&elem));
        let ty = of.ty(&elem, size, syn::parse_quote!(nalgebra::#name<#number>));
        Some(Value::Parts(Kind::Struct(Rc::new(ty)), vec![vector]))
    }
}

/// The same as [`Lower::part_of_curved`] as far as its structure goes: its leaves mean nothing.
pub(in crate::lower) fn structure_of_part(value: &Value, member: &Member) -> Option<Value> {
    let Value::Parts(Kind::Struct(ty), parts) = value else { return None };
    let (Geometry::Isometry, [numbers @ .., moved, change]) = (ty.geometry?, &parts[..]) else { return None };
    let Member::Named(name) = member else { return None };
    let (of, parts) = match &name.to_string()[..] {
        "rotation" => (rotation_of(numbers), [numbers, std::slice::from_ref(change)].concat()),
        "translation" => (Geometry::Translation, vec![moved.clone()]),
        _ => return None,
    };
    let (Surface::Matrix(elem, ..) | Surface::Scalar(elem)) = &ty.fields[0].ty else { return None };
    let size = if numbers.len() == 2 { 2 } else { 3 };
    let (name, number) = (of.name(size), crate::parse::tokens::elem_tokens(elem));
    let ty = of.ty(elem, size, syn::parse_quote!(nalgebra::#name<#number>));
    Some(Value::Parts(Kind::Struct(Rc::new(ty)), parts))
}

/// Of what an isometry with such numbers has its rotation.
fn rotation_of(numbers: &[Value]) -> Geometry {
    if numbers.len() == 2 { Geometry::UnitComplex } else { Geometry::UnitQuaternion }
}

/// What `exp` and `log` call the numbers that are held, and those that are computed.
fn names_of_numbers(of: Geometry, space: i64) -> &'static [(&'static str, &'static str)] {
    match (of, space) {
        (Geometry::UnitComplex, _) => &[("re", "re_now"), ("im", "im_now")],
        (Geometry::Isometry, 2) => &[("re", "re_now"), ("im", "im_now"), ("moved", "there")],
        (Geometry::Similarity, 2) => {
            &[("re", "re_now"), ("im", "im_now"), ("moved", "there"), ("factor", "factor_now")]
        }
        (Geometry::Similarity, _) => &[("held", "now"), ("moved", "there"), ("factor", "factor_now")],
        _ => &[("held", "now"), ("moved", "there")],
    }
}

/// The numbers of `r·exp(c)`, to the fourth order in `c`: `held` are those of `r`, `moved` is its translation.
mod exp {
    /// `w`, `i`, `j`, `k` of the exponential of `(x, y, z)`, whose square is `s`.
    const HALF_ANGLE: &str = "let f = 0.5 - s / 48.0; \
        let (i, j, k, w) = (x * f, y * f, z * f, 1.0 - s / 8.0 + s * s / 384.0);";

    /// Hamilton's product of `held` and that.
    const PRODUCT: &str = "nalgebra::Vector4::new(\
        c[3] * i + c[0] * w + c[1] * k - c[2] * j, \
        c[3] * j - c[0] * k + c[1] * w + c[2] * i, \
        c[3] * k + c[0] * j - c[1] * i + c[2] * w, \
        c[3] * w - c[0] * i - c[1] * j - c[2] * k)";

    pub(super) fn quaternion() -> String {
        format!(
            "{{ let (c, d) = (held, change.__vanishing()); let (x, y, z) = (d[0], d[1], d[2]); \
             let s = x * x + y * y + z * z; {HALF_ANGLE} {PRODUCT} }}"
        )
    }

    /// The translation is moved by `r·V·ρ`, where `V` is the left Jacobian of the rotation's part of the change.
    pub(super) fn isometry() -> String {
        format!(
            "{{ let (c, d) = (held, change.__vanishing()); let (x, y, z) = (d[3], d[4], d[5]); \
             let s = x * x + y * y + z * z; {HALF_ANGLE} \
             let (u, v, n) = (d[0], d[1], d[2]); \
             let (a, b) = (0.5 - s / 24.0, 1.0 / 6.0 - s / 120.0); \
             let (p, q, r) = (y * n - z * v, z * u - x * n, x * v - y * u); \
             let (g, h, m) = (\
                 u + a * p + b * (y * r - z * q), \
                 v + a * q + b * (z * p - x * r), \
                 n + a * r + b * (x * q - y * p)); \
             let (e, o, t) = (c[1] * m - c[2] * h, c[2] * g - c[0] * m, c[0] * h - c[1] * g); \
             ({PRODUCT}, nalgebra::Vector3::new(\
                 moved[0] + (g + 2.0 * (c[3] * e + c[1] * t - c[2] * o)), \
                 moved[1] + (h + 2.0 * (c[3] * o + c[2] * e - c[0] * t)), \
                 moved[2] + (m + 2.0 * (c[3] * t + c[0] * o - c[1] * e)))) }}"
        )
    }

    pub(super) fn complex() -> String {
        "{ let d = change.__vanishing(); let a = d[0]; let s = a * a; \
         let (sin, cos) = (a - a * s / 6.0, 1.0 - s / 2.0 + s * s / 24.0); \
         (re * cos - im * sin, re * sin + im * cos) }"
            .to_owned()
    }

    pub(super) fn isometry_of_plane() -> String {
        "{ let d = change.__vanishing(); let (u, v, a) = (d[0], d[1], d[2]); let s = a * a; \
         let (sin, cos) = (a - a * s / 6.0, 1.0 - s / 2.0 + s * s / 24.0); \
         let (p, q) = (1.0 - s / 6.0, a * (0.5 - s / 24.0)); \
         let (g, h) = (p * u - q * v, q * u + p * v); \
         (re * cos - im * sin, re * sin + im * cos, \
             nalgebra::Vector2::new(moved[0] + (re * g - im * h), moved[1] + (im * g + re * h))) }"
            .to_owned()
    }

    /// The factor changes by that of which the last number is the logarithm.
    pub(super) fn similarity(space: i64) -> String {
        let (isometry, numbers, last) = match space {
            2 => (isometry_of_plane(), "re_next, im_next, moved_next", 3),
            _ => (isometry(), "next, moved_next", 6),
        };
        format!(
            "{{ let ({numbers}) = {isometry}; let d = change.__vanishing(); let s = d[{last}]; \
             ({numbers}, factor * (1.0 + s + s * s / 2.0 + s * s * s / 6.0 + s * s * s * s / 24.0)) }}"
        )
    }

    /// `(u + d)/|u + d|`, where `d` is what of the change is orthogonal to `u`.
    pub(super) fn unit() -> String {
        "{ let c = change.__vanishing(); let d = c - held * held.dot(c); let s = d.dot(d); \
         (held + d) * (1.0 - s / 2.0 + 0.375 * s * s) }"
            .to_owned()
    }

    pub(super) fn plane() -> String {
        "{ let (c, d) = (held, change.__vanishing()); let a = d[0]; let s = a * a; \
         let (sin, cos) = (a - a * s / 6.0, 1.0 - s / 2.0 + s * s / 24.0); \
         nalgebra::Matrix2::new(\
             c[(0, 0)] * cos + c[(0, 1)] * sin, c[(0, 1)] * cos - c[(0, 0)] * sin, \
             c[(1, 0)] * cos + c[(1, 1)] * sin, c[(1, 1)] * cos - c[(1, 0)] * sin) }"
            .to_owned()
    }

    pub(super) fn rotation() -> String {
        let entries = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
        let entries = entries.map(|(i, j)| {
            let terms: Vec<String> = (0..3).map(|k| format!("c[({i}, {k})] * e{k}{j}")).collect();
            terms.join(" + ")
        });
        let entries: Vec<String> = entries.collect();
        format!(
            "{{ let (c, d) = (held, change.__vanishing()); let (x, y, z) = (d[0], d[1], d[2]); \
             let s = x * x + y * y + z * z; let (a, b) = (1.0 - s / 6.0, 0.5 - s / 24.0); \
             let (e00, e01, e02) = (1.0 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y); \
             let (e10, e11, e12) = (b * x * y + a * z, 1.0 - b * (x * x + z * z), b * y * z - a * x); \
             let (e20, e21, e22) = (b * x * z - a * y, b * y * z + a * x, 1.0 - b * (x * x + y * y)); \
             nalgebra::Matrix3::new({}) }}",
            entries.join(", ")
        )
    }
}

/// The change `log(r⁻¹·m)` that leads from `held` to `now`, which are the same numbers, to the fourth order; for isometries from
/// `moved` to `there`, too.
mod log {
    /// The vector of the quaternion `held⁻¹·now`.
    const HALF_SINE: &str = "nalgebra::Vector3::new(\
        a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1], \
        a[3] * b[1] + a[0] * b[2] - a[1] * b[3] - a[2] * b[0], \
        a[3] * b[2] - a[0] * b[1] + a[1] * b[0] - a[2] * b[3]).__vanishing()";

    pub(super) fn quaternion() -> String {
        format!(
            "{{ let (a, b) = (held, now); let z = {HALF_SINE}; \
             let s = z[0] * z[0] + z[1] * z[1] + z[2] * z[2]; z * (2.0 + s / 3.0) }}"
        )
    }

    pub(super) fn isometry() -> String {
        format!(
            "{{ let (a, b) = (held, now); let h = {HALF_SINE}; \
             let f = 2.0 + (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]) / 3.0; \
             let (x, y, z) = (h[0] * f, h[1] * f, h[2] * f); \
             let d = (there - moved).__vanishing(); let (g, m, n) = (d[0], d[1], d[2]); \
             let (e, o, t) = (a[2] * m - a[1] * n, a[0] * n - a[2] * g, a[1] * g - a[0] * m); \
             let (u, v, w) = (\
                 g + 2.0 * (a[3] * e - a[1] * t + a[2] * o), \
                 m + 2.0 * (a[3] * o - a[2] * e + a[0] * t), \
                 n + 2.0 * (a[3] * t - a[0] * o + a[1] * e)); \
             let (p, q, r) = (y * w - z * v, z * u - x * w, x * v - y * u); \
             nalgebra::Vector6::new(\
                 u - 0.5 * p + (y * r - z * q) / 12.0, \
                 v - 0.5 * q + (z * p - x * r) / 12.0, \
                 w - 0.5 * r + (x * q - y * p) / 12.0, x, y, z) }}"
        )
    }

    pub(super) fn complex() -> String {
        "{ let z = nalgebra::Vector1::new(re * im_now - im * re_now).__vanishing(); z * (1.0 + z[0] * z[0] / 6.0) }"
            .to_owned()
    }

    pub(super) fn isometry_of_plane() -> String {
        "{ let z = nalgebra::Vector1::new(re * im_now - im * re_now).__vanishing(); \
         let a = z[0] * (1.0 + z[0] * z[0] / 6.0); \
         let d = (there - moved).__vanishing(); \
         let (x, y) = (re * d[0] + im * d[1], re * d[1] - im * d[0]); \
         let (p, q) = (1.0 - a * a / 12.0, 0.5 * a); \
         nalgebra::Vector3::new(p * x + q * y, p * y - q * x, a) }"
            .to_owned()
    }

    pub(super) fn similarity(space: i64) -> String {
        let (isometry, count) = if space == 2 { (isometry_of_plane(), 3) } else { (isometry(), 6) };
        let numbers: Vec<String> = (0..count).map(|k| format!("of_isometry[{k}]")).collect();
        format!(
            "{{ let of_isometry = {isometry}; \
             let s = nalgebra::Vector1::new((factor_now - factor) / factor).__vanishing()[0]; \
             nalgebra::SVector::from([{}, s - s * s / 2.0 + s * s * s / 3.0 - s * s * s * s / 4.0]) }}",
            numbers.join(", ")
        )
    }

    /// What of the change is orthogonal to the vector.
    pub(super) fn unit() -> String {
        "{ let d = (now - held).__vanishing(); let s = held.dot(d); (d - held * s) / (1.0 + s) }".to_owned()
    }

    pub(super) fn plane() -> String {
        "{ let z = nalgebra::Vector1::new(held[(0, 1)] * now[(0, 0)] + held[(1, 1)] * now[(1, 0)]).__vanishing(); \
         z * (1.0 + z[0] * z[0] / 6.0) }"
            .to_owned()
    }

    pub(super) fn rotation() -> String {
        let entry = |i: usize, j: usize| {
            let terms: Vec<String> = (0..3).map(|k| format!("held[({k}, {i})] * now[({k}, {j})]")).collect();
            terms.join(" + ")
        };
        let half = |i, j| format!("0.5 * ({} - ({}))", entry(i, j), entry(j, i));
        format!(
            "{{ let z = nalgebra::Vector3::new({}, {}, {}).__vanishing(); \
             let s = z[0] * z[0] + z[1] * z[1] + z[2] * z[2]; z * (1.0 + s / 6.0) }}",
            half(2, 1),
            half(0, 2),
            half(1, 0)
        )
    }
}
