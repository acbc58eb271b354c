//! Places: what can be assigned to, and what a mutable borrow is of.

use super::Lower;
use super::assign::unparen;
use super::slice::Slice;
use super::value::{Lowered, Reported, Value};
use crate::diag::Error;
use crate::fault::{self, Fault};
use crate::ir::dim::Dim;
use crate::ir::{IntOp, Ty, Var};
use crate::layout::{Form, Kind};
use crate::parse::geometry::Geometry;
use crate::tokens::spelled;
use quote::ToTokens;
use std::rc::Rc;
use syn::{Expr, Member};

/// A variable, and the way from it to one of its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub slot: usize,
    pub path: Vec<Projection>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Projection {
    /// A field; of an array of structs an element whose index is a constant.
    Field(Member),
    /// An element of an array, a slice or a `Vec`.
    Index(Var),
    /// Beginning and length of a part of one. Nothing comes after it: an element of a part is an element of the whole.
    Range(Dim, Dim),
}

/// What an assignment changes.
pub(super) enum Stored {
    /// A value that is replaced.
    Whole(Value),
    /// An element of an array.
    /// With the form of a matrix that is one.
    Element(Var, Vec<Var>, Form),
    /// A part of a row of an array: the array, the row's indices, beginning and length.
    Range(Var, Vec<Var>, Dim, Dim),
}

/// Makes the new value, or the new array, of what is stored to. It is called once for each array, leaf by leaf.
pub(super) type Change<'c, 'f> = &'c mut dyn FnMut(&mut Lower<'f>, Stored) -> Lowered<Value>;

impl Place {
    pub fn of(slot: usize) -> Place {
        Place { slot, path: Vec::new() }
    }

    pub fn field(&self, member: Member) -> Place {
        self.then(Projection::Field(member))
    }

    pub(super) fn then(&self, projection: Projection) -> Place {
        let mut path = self.path.clone();
        path.push(projection);
        Place { slot: self.slot, path }
    }

    /// Whether it is a variable, or a field of one.
    pub fn is_named(&self) -> bool {
        self.path.iter().all(|step| matches!(step, Projection::Field(_)))
    }

    /// The variable or the field that it is an element or a part of.
    pub fn named(&self) -> Place {
        let path = self.path.iter().take_while(|step| matches!(step, Projection::Field(_))).cloned();
        Place { slot: self.slot, path: path.collect() }
    }

    /// The indices that follow, if they are all that does, and the range after them.
    pub fn indices(&self) -> Option<(Vec<Var>, Option<(Dim, Dim)>)> {
        let (mut indices, mut range) = (Vec::new(), None);
        for step in &self.path[self.named().path.len()..] {
            match step {
                Projection::Index(index) => indices.push(*index),
                Projection::Range(start, len) => range = Some((start.clone(), len.clone())),
                Projection::Field(_) => return None,
            }
        }
        Some((indices, range))
    }
}

impl<'f> Lower<'f> {
    /// `&mut place`
    pub(super) fn borrow_mut(&mut self, place: &Expr) -> Lowered<Value> {
        let place = self.place(place)?;
        Ok(Value::Borrow(Rc::new(place)))
    }

    fn no_place<T>(&mut self, at: &impl ToTokens) -> Lowered<T> {
        self.unsupported(at, "this place", "read or assign to a variable, its fields or its elements")
    }

    /// The variable, field or element that an expression names.
    pub(super) fn place(&mut self, expr: &Expr) -> Lowered<Place> {
        match unparen(expr) {
            Expr::Path(path) if path.path.get_ident().is_some() => {
                let name = path.path.segments[0].ident.to_string();
                let Some(slot) = self.env.slot(&name) else {
                    return self.fail(Error::new(expr, format!("`{name}` is not a variable of this function")));
                };
                let binding = self.env.get(slot);
                match &binding.value {
                    None => Err(Reported),
                    Some(Value::Borrow(place)) => Ok((**place).clone()),
                    Some(Value::Undefined) => Ok(Place::of(slot)),
                    Some(_) if !binding.mutable => {
                        let message = format!("`{name}` is not mutable");
                        self.fail(Error::new(expr, message).help(format!("declare it with `let mut {name}`")))
                    }
                    Some(_) => Ok(Place::of(slot)),
                }
            }
            Expr::Field(field) => {
                let place = self.place(&field.base)?;
                let whole = self.structure(&place);
                let component = whole.and_then(|whole| {
                    let of_matrix = self.component_place(&place, &whole, &field.member);
                    of_matrix.or_else(|| self.geometry_place(&place, &whole, &field.member))
                });
                Ok(component.unwrap_or_else(|| place.field(field.member.clone())))
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.place(&unary.expr),
            Expr::Reference(reference) => self.place(&reference.expr),
            Expr::Index(index) => {
                let place = self.place(&index.expr)?;
                if let Some(place) = self.run_time_place(&place, &index.index)? {
                    return Ok(place);
                }
                if let Some((ty, Value::Leaf(array, form))) =
                    self.structure(&place).as_ref().and_then(super::geometry::coordinates)
                {
                    let place = place.field(ty.fields[0].member.clone());
                    return self.matrix_element_place(place, array, form, &index.index);
                }
                if let Some(Value::Parts(Kind::Struct(ty), _)) = self.structure(&place) {
                    return self.indexed_place(index, &ty, place);
                }
                if let Some(Value::Parts(Kind::Array, parts)) = self.structure(&place) {
                    return self.part_of_array(&place, parts.len(), &index.index);
                }
                if let Some(Value::Leaf(array, form @ (Form::Vector | Form::Matrix))) = self.structure(&place) {
                    return self.matrix_element_place(place, array, form, &index.index);
                }
                if let Expr::Range(range) = unparen(&index.index) {
                    let whole = self.read(&place, range)?;
                    let Some(slice) = self.as_slice(&whole) else { return self.no_place(range) };
                    let (lo, len) = self.sub_range(range, &slice.len)?;
                    return Ok(self.sub_place(&place, &lo, len));
                }
                let indices: Vec<&Expr> = match unparen(&index.index) {
                    Expr::Array(array) => array.elems.iter().collect(),
                    single => vec![single],
                };
                let mut place = place;
                for index in indices {
                    let at = self.index(index)?;
                    place = self.element_place(&place, at);
                }
                Ok(place)
            }
            other if self.gives_place(other) => match self.root(other, None)? {
                Value::Borrow(place) => Ok((*place).clone()),
                _ => self.no_place(other),
            },
            Expr::MethodCall(call) if self.unknown_place(call).is_some() => match self.unknown_place(call) {
                Some(path) => self.ask_for(path),
                None => Err(Reported),
            },
            other => self.unsupported(
                other,
                "an assignment to this place",
                "assign to a local variable, its fields or its elements",
            ),
        }
    }

    /// An element of an array of structs.
    fn part_of_array(&mut self, place: &Place, count: usize, index: &Expr) -> Lowered<Place> {
        if let Expr::Range(range) = unparen(index) {
            return self.unsupported(range, "a sub-slice of an array of structs", "loop over its elements");
        }
        let at = self.index(index)?;
        match self.constant_dim(at).and_then(|at| at.as_literal()).map(usize::try_from) {
            Some(Ok(at)) if at < count => Ok(place.field(Member::Unnamed(at.into()))),
            Some(_) => {
                let message = format!("index out of range: the array has {count} elements");
                self.fail(Error::new(index, message))
            }
            None => Ok(place.then(Projection::Index(at))),
        }
    }

    /// An element of what is at a place.
    pub(super) fn element_place(&mut self, place: &Place, index: Var) -> Place {
        let mut place = place.clone();
        match place.path.pop() {
            Some(Projection::Range(start, len)) => {
                self.check_below(index, &len);
                if start.is(0) {
                    return place.then(Projection::Index(index));
                }
                let start = self.b.dim(start);
                place.then(Projection::Index(self.b.int(IntOp::Add, start, index)))
            }
            last => {
                place.path.extend(last);
                place.then(Projection::Index(index))
            }
        }
    }

    /// A part of what is at a place.
    pub(super) fn sub_place(&self, place: &Place, lo: &Dim, len: Dim) -> Place {
        let mut place = place.clone();
        match place.path.pop() {
            Some(Projection::Range(start, _)) => place.then(Projection::Range(start.plus(lo), len)),
            last => {
                place.path.extend(last);
                place.then(Projection::Range(lo.clone(), len))
            }
        }
    }

    /// What is at a place now.
    pub(super) fn read(&mut self, place: &Place, at: &impl ToTokens) -> Lowered<Value> {
        let Some(mut value) = self.env.get(place.slot).value.clone() else { return Err(Reported) };
        for step in &place.path {
            value = match step {
                Projection::Field(member) => match self.part_of_curved(&value, member).or_else(|| value.member(member))
                {
                    Some(part) => part,
                    None => return self.fail(Error::new(at, "there is no such field")),
                },
                Projection::Index(index) => match &value {
                    Value::Parts(Kind::Array, parts) => self.one_of(parts, *index, at)?,
                    value => match self.as_slice(value) {
                        Some(slice) => self.element(&slice, *index),
                        None => return self.no_place(at),
                    },
                },
                Projection::Range(start, len) => {
                    let Some(slice) = self.as_slice(&value) else { return self.no_place(at) };
                    Value::Slice(Rc::new(self.narrowed(&slice, start, len.clone())))
                }
            };
        }
        Ok(value)
    }

    /// What is at a place as far as its structure goes: of several elements one of them, whose leaves mean nothing.
    pub(super) fn structure(&self, place: &Place) -> Option<Value> {
        let mut value = self.env.get(place.slot).value.clone()?;
        for step in &place.path {
            value = match step {
                Projection::Field(member) => {
                    super::geometry::structure_of_part(&value, member).or_else(|| value.member(member))?
                }
                Projection::Index(_) => value.some_element()?,
                Projection::Range(..) => value,
            };
        }
        Some(value)
    }

    // --- stores -----------------------------------------------------------------------------------------

    /// Changes what a place expression names.
    pub(super) fn store(&mut self, place: &Expr, change: Change<'_, 'f>) -> Lowered<Value> {
        let at = place;
        let place = self.place(place)?;
        self.store_at(at, &place, change)
    }

    /// Changes a variable, a field of it, an element or a part.
    pub(super) fn store_at(&mut self, at: &impl ToTokens, place: &Place, change: Change<'_, 'f>) -> Lowered<Value> {
        let by_fault = fault::is(Fault::ConditionsChangeNothing) || fault::is(Fault::FieldsAsDeclared);
        if place.slot < self.frozen && !by_fault {
            // Desugaring has said why it could not be ordered.
            if !self.errors.is_empty() {
                return Err(Reported);
            }
            return self.unsupported(at, "an effect in this place", "name the value with `let` before the statement");
        }
        let Some(old) = self.env.get(place.slot).value.clone() else { return Err(Reported) };
        let new = self.store_in(&at.to_token_stream(), old, &place.path, change)?;
        self.rebind(place.slot, new);
        Ok(Value::unit())
    }

    /// The new value of what has a part that is changed.
    fn store_in(
        &mut self,
        at: &proc_macro2::TokenStream,
        mut old: Value,
        path: &[Projection],
        change: Change<'_, 'f>,
    ) -> Lowered<Value> {
        match (&mut old, path) {
            (_, []) => change(self, Stored::Whole(old)),
            (Value::Parts(Kind::Struct(ty), _), [Projection::Field(member), rest @ ..])
                if ty.geometry.is_some_and(Geometry::is_curved) =>
            {
                let Some(inner) = self.part_of_curved(&old, member) else {
                    return self.fail(Error::new(at, "there is no such field"));
                };
                let new = self.store_in(at, inner, rest, change)?;
                self.with_part_of_isometry(old, member, new)
            }
            (old_parts, [Projection::Field(member), rest @ ..]) => {
                let Some(part) = old_parts.member_mut(member) else {
                    let error = match old {
                        Value::Leaf(var, _) if self.b.ty(var).is_scalar() => {
                            let name = spelled(at).split('.').next().unwrap_or_default().to_owned();
                            Error::new(at, format!("the type of `{name}` is not visible"))
                                .note("it is taken for a number, and has no fields then")
                                .help(format!(
                                    "write it: `let mut {name}: … = …`, with a type that derives `Differentiable`"
                                ))
                        }
                        _ => Error::new(at, "there is no such field"),
                    };
                    return self.fail(error);
                };
                let inner = std::mem::replace(part, Value::Undefined);
                let new = self.store_in(at, inner, rest, change)?;
                if let Some(part) = old.member_mut(member) {
                    *part = new;
                }
                Ok(old)
            }
            (Value::Parts(Kind::Array, parts), [Projection::Index(index), rest @ ..]) => {
                let parts = std::mem::take(parts);
                self.store_choice(at, &parts, *index, rest, change)
            }
            (Value::Leaf(..), path) => self.store_each(at, &old, Vec::new(), path, change),
            (Value::Slice(slice), [Projection::Index(index), rest @ ..]) => {
                let slice = slice.clone();
                let indices = self.place_in(&slice, *index);
                let of = self.store_each(at, &slice.of, indices, rest, change)?;
                Ok(Value::Slice(Rc::new(Slice { of, ..(*slice).clone() })))
            }
            (Value::Slice(slice), [range @ Projection::Range(..)]) => {
                let slice = slice.clone();
                let range = match (range, slice.start) {
                    (Projection::Range(from, len), Some(start)) => {
                        Projection::Range(Dim::of(start).plus(from), len.clone())
                    }
                    (range, _) => range.clone(),
                };
                let of = self.store_each(at, &slice.of, slice.at.clone(), &[range], change)?;
                Ok(Value::Slice(Rc::new(Slice { of, ..(*slice).clone() })))
            }
            _ => self.unsupported(at, "an assignment to this element", "assign to the elements of an array of numbers"),
        }
    }

    /// The same of arrays, at some indices.
    fn store_each(
        &mut self,
        at: &proc_macro2::TokenStream,
        of: &Value,
        mut indices: Vec<Var>,
        path: &[Projection],
        change: Change<'_, 'f>,
    ) -> Lowered<Value> {
        match (of, path) {
            (Value::Leaf(array, form), []) => {
                let rank = self.b.ty(*array).rank();
                if indices.len() > rank {
                    let message = format!("{} indices into an array with {rank} axes", indices.len());
                    return self.fail(Error::new(at, message));
                }
                let is_number = indices.len() == rank;
                let form_of_element = if form.is_matrix() && !is_number { *form } else { Form::Plain };
                let new = change(self, Stored::Element(*array, indices, form_of_element))?;
                Ok(Value::Leaf(new.leaves()[0], *form))
            }
            (Value::Leaf(..), [Projection::Index(index), rest @ ..]) => {
                indices.push(*index);
                self.store_each(at, of, indices, rest, change)
            }
            (Value::Leaf(array, form), [Projection::Range(start, len)]) => {
                let new = change(self, Stored::Range(*array, indices, start.clone(), len.clone()))?;
                Ok(Value::Leaf(new.leaves()[0], *form))
            }
            (Value::Parts(kind, parts), [Projection::Field(member), rest @ ..]) => {
                let part = kind.position(member).filter(|part| *part < parts.len());
                let Some(part) = part else { return self.fail(Error::new(at, "there is no such field")) };
                let mut parts = parts.clone();
                parts[part] = self.store_each(at, &parts[part], indices, rest, change)?;
                Ok(Value::Parts(kind.clone(), parts))
            }
            (Value::Parts(kind, parts), [Projection::Range(..)]) => {
                let parts = parts.iter().map(|part| self.store_each(at, part, indices.clone(), path, change));
                Ok(Value::Parts(kind.clone(), parts.collect::<Lowered<_>>()?))
            }
            // A whole element: one array for each of its numbers.
            (Value::Parts(..), path) => {
                let old = self.element_of(of, &indices);
                let new = self.store_in(at, old.clone(), path, change)?;
                self.keeps_passive(at, &old, &new)?;
                let mut arrays = Vec::new();
                for (array, leaf) in of.leaves().into_iter().zip(new.leaves()) {
                    arrays.push(self.replaced_element(array, leaf, &indices, at)?);
                }
                Ok(of.rebuild(&mut arrays.into_iter()))
            }
            (Value::Other(_), [Projection::Range(..)]) => Ok(of.clone()),
            _ => self.unsupported(at, "an assignment to this element", "assign to its fields one by one"),
        }
    }

    /// An element of an array of structs that an index chooses at run time, or a part of it: the element is taken out,
    /// changed and put back, each of its numbers by way of an array of that number of all elements.
    fn store_choice(
        &mut self,
        at: &proc_macro2::TokenStream,
        parts: &[Value],
        index: Var,
        path: &[Projection],
        change: Change<'_, 'f>,
    ) -> Lowered<Value> {
        let old = self.one_of(parts, index, at)?;
        let item = self.store_in(at, old.clone(), path, change)?;
        self.keeps_passive(at, &old, &item)?;
        let mut columns = Vec::new();
        for (k, leaf) in item.leaves().into_iter().enumerate() {
            let column: Vec<Var> = parts.iter().filter_map(|part| part.leaves().get(k).copied()).collect();
            let Some(array) = self.stacked(&column) else {
                return self.unsupported(at, "an assignment to an element of such structs", "write out the elements");
            };
            let set = self.b.set(array, leaf, &[index]);
            columns.push(self.track(set, &[array, leaf]));
        }
        let mut all = Vec::new();
        for (k, part) in parts.iter().enumerate() {
            let place = self.b.dim(Dim::literal(i64::try_from(k).unwrap_or(i64::MAX)));
            let mut leaves = Vec::new();
            for column in &columns {
                let leaf = self.b.get(*column, &[place]);
                leaves.push(self.track(leaf, &[*column]));
            }
            all.push(part.rebuild(&mut leaves.into_iter()));
        }
        Ok(Value::Parts(Kind::Array, all))
    }

    /// What carries no derivative in an element stays as it is: it is no part of the arrays that change.
    fn keeps_passive(&mut self, at: &proc_macro2::TokenStream, old: &Value, new: &Value) -> Lowered<()> {
        if old.passive() == new.passive() {
            return Ok(());
        }
        let what = "a change of an element that has a part without a derivative, such as a text,";
        self.unsupported(at, what, "assign to its other fields, and keep that part in an array of its own")
    }

    /// An array with another element. A row of another length would take the place of one whose cotangent is as long as it
    /// was.
    pub(super) fn replaced_element(
        &mut self,
        array: Var,
        element: Var,
        indices: &[Var],
        at: &impl ToTokens,
    ) -> Lowered<Var> {
        let (of, row) = (self.b.ty(array).dims[indices.len()..].to_vec(), self.b.ty(element).dims.clone());
        let is_static = |dim: &Dim, len: &Dim| !dim.is_dynamic() && !len.is_dynamic();
        if !of.iter().zip(&row).all(|(dim, len)| is_static(dim, len) || self.is_same_size(dim, len)) {
            return self.unsupported(
                at,
                "replacing a row by one that may be longer or shorter",
                "assign the elements of the row, or build another `Vec` with `push`",
            );
        }
        let set = self.b.set(array, element, indices);
        Ok(self.track(set, &[array, element]))
    }

    /// An array with the elements of another in a part of it.
    pub(super) fn put_range(&mut self, array: Var, at: &[Var], start: Dim, len: Dim, part: Var) -> Var {
        let start = self.b.dim(start);
        let out = self.b.for_loop((Dim::literal(0), len), &[array], |b, i, t| {
            let value = b.get(part, &[i]);
            let place = b.int(IntOp::Add, start, i);
            vec![b.set(t[0], value, &[at, &[place]].concat())]
        })[0];
        self.track(out, &[array, part])
    }

    pub(super) fn element_ty(&self, array: Var, at: &[Var]) -> Ty {
        let ty = self.b.ty(array);
        Ty::tensor(ty.elem.clone(), ty.dims[at.len().min(ty.rank())..].to_vec())
    }

    // --- mutable borrows --------------------------------------------------------------------------------

    /// Whether an expression names a mutable borrow, and not what it is of.
    pub(super) fn names_borrow(&self, place: &Expr) -> bool {
        let Expr::Path(path) = unparen(place) else { return false };
        let Some(name) = path.path.get_ident().map(ToString::to_string) else { return false };
        let Some(slot) = self.env.slot(&name) else { return false };
        let is_param = self.borrowed_params.contains(&name) && self.env.is_first(&name, slot);
        is_param || matches!(self.env.get(slot).value, Some(Value::Borrow(_)))
    }

    /// The value of a variable, of a field of one, or of some element, as far as its structure goes.
    pub(super) fn named(&self, expr: &Expr) -> Option<Value> {
        match unparen(expr) {
            Expr::Path(path) => {
                let value = self.lookup(&path.path.get_ident()?.to_string())?.value.clone()?;
                if let Value::Borrow(place) = &value { self.structure(place) } else { Some(value) }
            }
            Expr::Field(field) => self.named(&field.base)?.member(&field.member),
            // A part of it is of the same structure.
            Expr::Index(index) if matches!(unparen(&index.index), Expr::Range(_)) => self.named(&index.expr),
            Expr::Index(index) => self.named(&index.expr)?.some_element(),
            Expr::Reference(reference) => self.named(&reference.expr),
            Expr::Unary(unary) => self.named(&unary.expr),
            _ => None,
        }
    }
}
