//! nalgebra's points, rotations and isometries: operators, methods and what makes them. See Note [Geometry] in
//! [`crate::parse::geometry`].

mod change;
mod crossing;
mod left;
mod run_time;
mod run_time_methods;
mod side;
mod written;

use super::Lower;
use super::call::strip_borrow;
use super::place::Place;
use super::value::{Lowered, Reported, Value};
use crate::diag::Error;
use crate::ir::Elem;
use crate::layout::{Form, Kind};
use crate::parse::geometry::{self, Geometry};
use crate::parse::ty::{StructType, Surface, generic_args};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident, quote};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprCall, ExprMethodCall, GenericArgument, Member, Path};
use written::{Function, MAKERS, METHODS, OPERATIONS, Side};

impl Lower<'_> {
    /// Lowers an expression in which some names are values, in place of a call.
    pub(super) fn written(&mut self, span: Span, given: Vec<(&str, Value)>, body: &str) -> Lowered<Value> {
        let Ok(body) = syn::parse_str::<Expr>(body) else { unreachable!("the table is Rust: `{body}`") };
        let body = crate::tokens::placed(body.to_token_stream(), span);
        let body: Expr = syn::parse2(body).unwrap_or_else(|_| syn::parse_quote!(()));
        self.scoped(|lower| {
            for (name, value) in given {
                lower.define(name, Some(value), false);
            }
            lower.expr(&body)
        })
    }

    fn side_of_geometry(&self, value: &Value) -> Option<Side> {
        match value {
            Value::Parts(Kind::Struct(ty), _) => ty.geometry.map(Side::Of),
            Value::Leaf(var, _) if self.b.ty(*var).is_scalar() => Some(Side::Number),
            Value::Leaf(_, Form::Vector) => Some(Side::Vector),
            Value::Leaf(_, Form::Matrix) => Some(Side::Matrix),
            Value::Untyped(_) | Value::Other(_) => Some(Side::Number),
            _ => None,
        }
    }

    /// An operator of which one side is a point, a rotation or an isometry.
    pub(super) fn geometry_arithmetic(
        &mut self,
        at: &impl ToTokens,
        op: &BinOp,
        left: &Value,
        right: &Value,
    ) -> Option<Lowered<Value>> {
        let (first, second) = (self.side_of_geometry(left)?, self.side_of_geometry(right)?);
        if !matches!((first, second), (Side::Of(_), _) | (_, Side::Of(_))) {
            return None;
        }
        let sign = op.to_token_stream().to_string();
        let sign = sign.trim_end_matches('=');
        if [first, second].iter().any(|side| matches!(side, Side::Of(of) if of.is_of_run_time())) {
            return Some(self.run_time_arithmetic(at, sign, (first, left), (second, right)));
        }
        let known = OPERATIONS.iter().find(|known| (known.left, known.op, known.right) == (first, sign, second));
        Some(match known {
            Some(known) => {
                let span = at.to_token_stream().span();
                let by_changes = match (sign, second) {
                    ("*", Side::Vector | Side::Of(Geometry::Point)) => {
                        self.moved_by_changes(span, left, (right, second), known.body)
                    }
                    ("*", Side::Of(_)) => self.product_of_changes(span, (left, right), known.body),
                    _ => None,
                };
                if by_changes.is_some() {
                    return by_changes;
                }
                let given = vec![("this", left.clone()), ("other", right.clone())];
                self.written(at.to_token_stream().span(), given, known.body)
            }
            None => {
                let (left, right) = (left.describe(&self.b), right.describe(&self.b));
                let message = format!("no derivative is known for `{sign}` of {left} and {right}");
                self.fail(Error::new(at, message).help("write it with vectors and matrices"))
            }
        })
    }

    /// `-p`
    pub(super) fn geometry_negation(&mut self, value: &Value) -> Option<Value> {
        match value {
            Value::Parts(Kind::Struct(ty), _) if ty.geometry.is_some_and(Geometry::is_of_run_time) => {
                self.written(Span::call_site(), vec![("this", value.clone())], "this.__like(|k| -this[k])").ok()
            }
            Value::Parts(kind @ Kind::Struct(ty), parts) if ty.geometry.is_some_and(Geometry::is_flat) => {
                let Value::Leaf(array, form) = parts.first()? else { return None };
                let out = self.map(&crate::op::elementwise::neg, &[*array]);
                Some(Value::Parts(kind.clone(), vec![Value::Leaf(out, *form)]))
            }
            _ => None,
        }
    }

    pub(super) fn geometry_method(&mut self, call: &ExprMethodCall, receiver: &Value) -> Option<Lowered<Value>> {
        let Value::Parts(Kind::Struct(ty), parts) = receiver else { return None };
        let of = ty.geometry?;
        let name = call.method.to_string();
        if matches!(&name[..], "clone" | "to_owned" | "as_ref") && call.args.is_empty() {
            return None;
        }
        if of.is_of_run_time() {
            return Some(self.run_time_method(call, receiver));
        }
        let size = self.space(of, parts);
        let found = METHODS.iter().find(|known| known.of == of && known.name == name && is_for(known, size));
        let Some(known) = found else {
            // What a point or a translation has of its coordinates.
            let is_of_coordinates = matches!(&name[..], "iter" | "len" | "as_slice");
            if let (true, [coordinates]) = (of.is_flat() && is_of_coordinates, &parts[..]) {
                let args: Vec<&Expr> = call.args.iter().collect();
                return Some(self.method(call, &call.method, (&call.receiver, coordinates.clone()), &args));
            }
            let message = format!("no derivative is known for the method `{name}` of {}", receiver.describe(&self.b));
            let help = "write it with its vectors and matrices, or as a function with `#[differentiable]`";
            return Some(self.fail(Error::new(&call.method, message).help(help)));
        };
        let args: Vec<&Expr> = call.args.iter().collect();
        Some(self.written_function(known, Some(receiver.clone()), &call.method, &args))
    }

    fn written_function(
        &mut self,
        known: &Function,
        this: Option<Value>,
        name: &Ident,
        args: &[&Expr],
    ) -> Lowered<Value> {
        self.count(name, known.params.len(), args.len())?;
        let mut given: Vec<(&str, Value)> = this.map(|this| ("this", this)).into_iter().collect();
        for (param, arg) in known.params.iter().zip(args) {
            let value = self.expr(strip_borrow(arg))?;
            given.push((param, self.settle(value, arg)?));
        }
        self.has_matrices = true;
        let by_changes = match (known.name, &given[..]) {
            ("inverse", [(_, this)]) => self.inverse_of_changes(name.span(), this, known.body),
            ("scaled_axis", [(_, this)]) if known.of == Geometry::UnitQuaternion => {
                self.logarithm_of_changes(name.span(), this)
            }
            ("from_scaled_axis", [(_, log)]) if known.of == Geometry::UnitQuaternion => {
                self.exponential(name.span(), log, known.body)
            }
            ("from_axis_angle", [(_, axis), (_, angle)]) if known.of == Geometry::UnitQuaternion => {
                self.turn_about(name.span(), axis, angle, known.body)
            }
            _ => None,
        };
        by_changes.unwrap_or_else(|| self.written(name.span(), given, known.body))
    }

    /// The dimension of the space.
    fn space(&self, of: Geometry, parts: &[Value]) -> i64 {
        match (of, parts) {
            (
                Geometry::Point | Geometry::Translation | Geometry::Rotation | Geometry::UnitVector,
                [Value::Leaf(array, _), ..],
            ) => self.b.ty(*array).dims.first().and_then(crate::ir::dim::Dim::as_literal).unwrap_or(3),
            (Geometry::UnitComplex, _) => 2,
            // With a cosine and a sine, not with a quaternion.
            (Geometry::Similarity, [_, _, _, _, _]) => 2,
            // With its change.
            (Geometry::Isometry, [.., Value::Leaf(translation, _), _]) => {
                self.b.ty(*translation).dims.first().and_then(crate::ir::dim::Dim::as_literal).unwrap_or(3)
            }
            _ => 3,
        }
    }

    /// `Point3::new(…)`, `UnitQuaternion::from_axis_angle(…)`, `nalgebra::distance(&p, &q)`
    pub(super) fn geometry_constructor(&mut self, call: &ExprCall, path: &Path) -> Option<Lowered<Value>> {
        let name = path.segments.last()?.ident.clone();
        let args: Vec<&Expr> = call.args.iter().collect();
        let owner = super::matrix::owner(path)?;
        if owner.segments.len() == 1 && (owner.is_ident("nalgebra") || owner.is_ident("na")) {
            return self.free_function(&name, &args);
        }
        if !crate::parse::matrix::is_of_nalgebra(&owner) || self.is_own_type(&owner) {
            return None;
        }
        let last = owner.segments.last()?.ident.to_string();
        if last == "Unit" || last.starts_with("UnitVector") {
            let unit = self.unit(&name, &args)?;
            self.state(&owner);
            return Some(unit);
        }
        let (of, size) = geometry::named(&owner)?;
        self.state(&owner);
        let elem = generic_args(&owner).first().and_then(|arg| match arg {
            GenericArgument::Type(ty) => self.resolve(ty).ok(),
            _ => None,
        });
        let elem = match elem {
            Some(Surface::Scalar(elem)) => Some(elem),
            _ => None,
        };
        self.has_matrices = true;
        if of.is_of_run_time() {
            return Some(self.made_at_run_time(call, of, elem, &name, &args));
        }
        Some(self.made_geometry(call, (of, size), elem, &name, &args))
    }

    fn made_geometry(
        &mut self,
        call: &ExprCall,
        (of, size): (Geometry, i64),
        elem: Option<Elem>,
        name: &Ident,
        args: &[&Expr],
    ) -> Lowered<Value> {
        let text = name.to_string();
        if text == "__of" {
            let parts = args.iter().map(|arg| self.expr(arg)).collect::<Lowered<Vec<Value>>>()?;
            return self.assembled_geometry(call, of, parts);
        }
        if let Some(known) = MAKERS.iter().find(|known| known.of == of && known.name == text && is_for(known, size)) {
            return self.written_function(known, None, name, args);
        }
        let number = elem.or_else(|| self.default_elem());
        let body: Option<Expr> = match (of, &text[..], &number) {
            (Geometry::Point | Geometry::Translation, "new", _) => {
                let vector = format_ident!("Vector{size}");
                Some(syn::parse_quote!(nalgebra::#vector::new(#(#args),*)))
            }
            (Geometry::Point, "from", _) if args.len() == 1 => {
                let arg = args[0];
                match self.expr(arg)? {
                    Value::Leaf(_, Form::Vector) => Some(arg.clone()),
                    _ => Some(syn::parse_quote!(nalgebra::SVector::from(#arg))),
                }
            }
            (Geometry::Point, "origin", Some(elem)) | (Geometry::Translation, "identity", Some(elem)) => {
                let (vector, elem) = (format_ident!("Vector{size}"), crate::parse::tokens::elem_tokens(elem));
                Some(syn::parse_quote!(nalgebra::#vector::<#elem>::zeros()))
            }
            (Geometry::Rotation, "identity", Some(elem)) => {
                let (matrix, elem) = (format_ident!("Matrix{size}"), crate::parse::tokens::elem_tokens(elem));
                Some(syn::parse_quote!(nalgebra::#matrix::<#elem>::identity()))
            }
            (Geometry::UnitQuaternion | Geometry::Quaternion, "identity", Some(elem)) => {
                let elem = crate::parse::tokens::elem_tokens(elem);
                Some(syn::parse_quote!(nalgebra::Vector4::<#elem>::new(0.0, 0.0, 0.0, 1.0)))
            }
            _ => None,
        };
        if let Some(body) = body {
            let part = self.expr(&body)?;
            return self.assembled_geometry(call, of, vec![part]);
        }
        let made = number.and_then(|elem| made_of_identities(of, size, &text, &elem, args));
        match made {
            Some(made) => self.expr(&made),
            None => {
                let text = crate::parse::ty::spelled(&call.func);
                self.unsupported(call, &format!("`{text}`"), "make it from vectors or angles")
            }
        }
    }

    /// A value of its parts, which tell of which numbers and of which space it is.
    fn assembled_geometry(&mut self, call: &ExprCall, of: Geometry, parts: Vec<Value>) -> Lowered<Value> {
        if of.is_curved() {
            return self.held(of, parts);
        }
        let first = parts.iter().flat_map(Value::leaves).next();
        let Some(array) = first else { return Err(Reported) };
        let (elem, size) = (self.b.ty(array).elem.clone(), self.space(of, &parts));
        let name = of.name(size);
        let number = crate::parse::tokens::elem_tokens(&elem);
        let mut ty = of.ty(&elem, size, syn::parse_quote!(nalgebra::#name<#number>));
        if of.is_factorisation() {
            ty.fields.iter_mut().zip(&parts).for_each(|(field, part)| field.ty = part.surface(&self.b));
        }
        if parts.len() != ty.fields.len() {
            return self.fail(Error::new(call, "this is not made of so many parts"));
        }
        let mut own = Vec::new();
        for (part, field) in parts.into_iter().zip(&ty.fields) {
            own.push(self.coerce(part, &field.ty, call, "the part")?);
        }
        Ok(Value::Parts(Kind::Struct(Rc::new(ty)), own))
    }

    /// A unit vector is a vector here: only how it is made differs.
    fn unit(&mut self, name: &Ident, args: &[&Expr]) -> Option<Lowered<Value>> {
        let body = match (&name.to_string()[..], args) {
            ("new_normalize", [_]) => "vector.normalize()",
            ("new_unchecked", [_]) => "vector",
            _ => return None,
        };
        let value = match self.expr(strip_borrow(args[0])) {
            Ok(value) => value,
            Err(reported) => return Some(Err(reported)),
        };
        match &value {
            // `Unit::new_normalize(Quaternion::new(…))`
            Value::Parts(Kind::Struct(ty), _) if ty.geometry == Some(Geometry::Quaternion) => {
                let body = match body {
                    "vector" => "nalgebra::UnitQuaternion::__of(vector.coords)",
                    _ => "nalgebra::UnitQuaternion::__of(vector.coords / vector.coords.norm())",
                };
                Some(self.written(name.span(), vec![("vector", value)], body))
            }
            Value::Leaf(_, Form::Vector) => Some(self.written(name.span(), vec![("vector", value)], body)),
            _ => None,
        }
    }

    /// Functions of the crate itself.
    fn free_function(&mut self, name: &Ident, args: &[&Expr]) -> Option<Lowered<Value>> {
        let body = match (&name.to_string()[..], args.len()) {
            ("distance", 2) => "(a - b).norm()",
            ("distance_squared", 2) => "(a - b).norm_squared()",
            ("center", 2) => "nalgebra::Point3::__of((a.coords + b.coords) * 0.5)",
            _ => return None,
        };
        let values = args.iter().map(|arg| self.expr(strip_borrow(arg))).collect::<Lowered<Vec<Value>>>();
        Some(values.and_then(|values| {
            self.has_matrices = true;
            self.written(name.span(), ["a", "b"].into_iter().zip(values).collect(), body)
        }))
    }

    /// `p.x` and `q.w`, what a point or a quaternion has of its coordinates; `t.rotation`, what is computed of a rotation.
    pub(super) fn geometry_component(&mut self, value: &Value, member: &Member) -> Option<Value> {
        if let Some(part) = self.part_of_curved(value, member) {
            return Some(part);
        }
        let (ty, coordinates) = self.coordinates_now(value)?;
        let member = quaternion_member(&ty, member);
        let Value::Leaf(array, form) = coordinates else { return None };
        self.matrix_component(array, form, &member)
    }

    /// The coordinates of what has nothing else, and the numbers of a rotation.
    pub(super) fn coordinates_now(&mut self, value: &Value) -> Option<(Rc<StructType>, Value)> {
        match value {
            Value::Parts(Kind::Struct(ty), _) if ty.geometry.is_some_and(Geometry::is_curved) => {
                let numbers = self.computed_numbers(value)?;
                Some((ty.clone(), numbers.into_iter().next()?))
            }
            value => coordinates(value),
        }
    }

    /// The same as a place.
    pub(super) fn geometry_place(&mut self, place: &Place, whole: &Value, member: &Member) -> Option<Place> {
        let (ty, inner) = coordinates(whole)?;
        let (name, member) = (ty.fields[0].member.clone(), quaternion_member(&ty, member));
        self.component_place(&place.field(name), &inner, &member)
    }
}

/// Isometries with a part that does nothing, and what does nothing.
fn made_of_identities(of: Geometry, size: i64, name: &str, elem: &Elem, args: &[&Expr]) -> Option<Expr> {
    let number = crate::parse::tokens::elem_tokens(elem);
    let [isometry, translation] = ["Isometry", "Translation"].map(|name| format_ident!("{name}{size}"));
    let (rotation, turn) = if size == 2 { ("UnitComplex", "new") } else { ("UnitQuaternion", "from_scaled_axis") };
    let [rotation, turn] = [rotation, turn].map(|name| format_ident!("{name}"));
    let none = quote!(nalgebra::#rotation::<#number>::identity());
    let here = quote!(nalgebra::#translation::<#number>::identity());
    match (of, name) {
        (Geometry::UnitComplex, "identity") => {
            Some(syn::parse_quote!(nalgebra::UnitComplex::__of(1.0 as #number, 0.0 as #number)))
        }
        (Geometry::Isometry, "identity") => Some(syn::parse_quote!(nalgebra::#isometry::__of(#none, #here))),
        (Geometry::Isometry, "translation") => {
            Some(syn::parse_quote!(nalgebra::#isometry::__of(#none, nalgebra::#translation::new(#(#args),*))))
        }
        (Geometry::Isometry, "rotation") => {
            Some(syn::parse_quote!(nalgebra::#isometry::__of(nalgebra::#rotation::#turn(#(#args),*), #here)))
        }
        _ => None,
    }
}

fn is_for(known: &Function, size: i64) -> bool {
    known.sizes.is_empty() || known.sizes.contains(&size)
}

pub(super) use change::structure_of_part;
pub(super) use left::Left;

/// The coordinates of what has nothing else.
pub(super) fn coordinates(value: &Value) -> Option<(Rc<StructType>, Value)> {
    match value {
        Value::Parts(Kind::Struct(ty), parts)
            if ty.geometry.is_some_and(|of| !of.is_of_run_time()) && parts.len() == 1 =>
        {
            Some((ty.clone(), parts[0].clone()))
        }
        _ => None,
    }
}

/// A quaternion's numbers are called `i`, `j`, `k` and `w`.
fn quaternion_member(ty: &StructType, member: &Member) -> Member {
    let is_quaternion = matches!(ty.geometry, Some(Geometry::Quaternion | Geometry::UnitQuaternion));
    let name = match member {
        Member::Named(name) if is_quaternion => name.to_string(),
        _ => return member.clone(),
    };
    let axis = match &name[..] {
        "i" => "x",
        "j" => "y",
        "k" => "z",
        "w" => "w",
        _ => return member.clone(),
    };
    Member::Named(Ident::new(axis, member.span()))
}

/// The operators, the methods and what makes values.
#[cfg(test)]
pub(super) fn rows() -> Vec<super::rows_test::Row> {
    use run_time_methods as at_run_time;

    let of = |side: Side| match side {
        Side::Of(of) => format!("{of:?}"),
        side => format!("{side:?}"),
    };
    let operator = |left, op: &str, right| {
        let op = match op {
            "+" => "add",
            "-" => "sub",
            "*" => "mul",
            "/" => "div",
            named => named,
        };
        let right = of(right).chars().fold(String::new(), |mut text, letter| {
            text.extend((letter.is_uppercase() && !text.is_empty()).then_some('_'));
            text.extend(letter.to_lowercase());
            text
        });
        vec![format!("{}.{op} {right}", of(left))]
    };
    let mut rows: Vec<_> = OPERATIONS.iter().map(|known| operator(known.left, known.op, known.right)).collect();
    rows.extend(at_run_time::OPERATIONS.iter().map(|known| operator(known.left, known.op, known.right)));
    for known in MAKERS.iter().chain(METHODS) {
        let plain = format!("{:?}.{}", known.of, known.name);
        match known.sizes {
            [] => rows.push(vec![plain]),
            [size] => rows.push(vec![format!("{:?}{size}.{}", known.of, known.name), plain]),
            sizes => rows.extend(sizes.iter().map(|size| vec![format!("{:?}{size}.{}", known.of, known.name)])),
        }
    }
    for known in at_run_time::MAKERS.iter().chain(at_run_time::METHODS) {
        rows.push(known.of.iter().map(|of| format!("{of:?}.{}", known.name)).collect());
    }
    let of_both = |name: String| ["RunMatrix", "RunVector"].map(|of| format!("{of}.{name}")).to_vec();
    rows.extend(super::rows_test::names_in(include_str!("geometry/run_time.rs")).into_iter().map(of_both));
    rows
}
