//! Assignments, and what a piece of the program assigns to.

use super::Lower;
use super::expr::is_shifted;
use super::learned::is_struct;
use super::place::{Place, Stored};
use super::slice::Slice;
use super::value::{Lowered, Reported, Value};
use crate::diag::Error;
use crate::fault::{self, Fault};
use crate::ir::dim::Dim;
use crate::ir::{Elem, Ty};
use crate::layout::{Form, Kind};
use crate::op::elementwise as rows;
use crate::parse::ty::Surface;
use quote::quote;
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::visit::Visit;
use syn::{BinOp, Expr, ExprBinary};

impl Lower<'_> {
    /// The variables that were there before and are assigned to, with their values.
    pub(super) fn assigned(&mut self, find: impl FnOnce(&mut Assigned)) -> Lowered<Vec<(usize, Value)>> {
        let mut assigned = Assigned::default();
        find(&mut assigned);
        // A parameter that is a mutable borrow may be handed on to a function that changes it.
        for arg in std::mem::take(&mut assigned.handed_on) {
            if let Expr::Path(path) = unparen(&arg) {
                let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
                let borrowed =
                    self.lookup(&name).is_some_and(|binding| matches!(binding.value, Some(Value::Borrow(_))));
                if borrowed || self.borrowed_params.contains(&name) {
                    assigned.names.insert(name);
                }
            }
        }
        for (receiver, method) in std::mem::take(&mut assigned.methods) {
            if self.changes_receiver(&receiver, &method) && !fault::is(Fault::MethodsChangeNothing) {
                assigned.note(&receiver);
            }
        }
        let mut slots: Vec<(usize, Value)> = Vec::new();
        for name in assigned.names {
            let Some(slot) = self.env.owner(&name) else { continue };
            match self.env.get(slot).value.clone() {
                Some(_) if slots.iter().any(|(known, _)| *known == slot) => {}
                Some(value) => slots.push((slot, value)),
                None => return Err(Reported),
            }
        }
        for slot in self.changed_by_calls(&assigned.called) {
            match self.env.get(slot).value.clone() {
                Some(_) if slots.iter().any(|(known, _)| *known == slot) => {}
                Some(value) => slots.push((slot, value)),
                None => return Err(Reported),
            }
        }
        Ok(slots)
    }

    /// `place = value`
    pub(super) fn assign(&mut self, place: &Expr, value: &Expr) -> Lowered<Value> {
        if matches!(place, Expr::Infer(_)) {
            return self.root(value, None).map(|_| Value::unit());
        }
        if self.names_borrow(place) {
            return self.unsupported(
                place,
                "a mutable borrow that becomes one of something else",
                "give the new borrow a name of its own",
            );
        }
        if let Some(done) = self.assign_to_data(place, &quote!(=), value) {
            return done;
        }
        let expected = self.type_of_place(place);
        // The lists in `Some(x)` may have other lengths than before.
        let tells = |surface: &Surface| {
            let is_option = matches!(surface, Surface::Struct(ty) if ty.is_option);
            is_option && has_lists(surface) && matches!(unparen(value), Expr::Call(_))
        };
        let expected = match is_shifted(value) {
            true => self.surface_of_place(place),
            false => expected.filter(|surface| !tells(surface)),
        };
        if let Some(call) = self.assigned_as_written(value)? {
            return self.root(&Expr::MethodCall(call), None);
        }
        let value = self.root(value, expected.as_ref())?;
        self.assign_value(place, value)
    }

    /// What is expected where something is assigned to, if that is an array or a struct, which the value may not tell.
    fn type_of_place(&self, place: &Expr) -> Option<Surface> {
        let whole = self.surface_of_place(place)?;
        // What is only a guess, the value may correct.
        let is_guess = matches!(&whole, Surface::Struct(ty) if ty.is_option) && self.is_guess(place);
        (matches!(whole, Surface::Array(..) | Surface::Struct(_)) && !is_guess).then_some(whole)
    }

    fn surface_of_place(&self, place: &Expr) -> Option<Surface> {
        match unparen(place) {
            Expr::Path(path) => {
                Some(self.lookup(&path.path.get_ident()?.to_string())?.value.as_ref()?.surface(&self.b))
            }
            Expr::Index(index) if !matches!(unparen(&index.index), Expr::Range(_)) => {
                match self.surface_of_place(&index.expr)? {
                    Surface::Array(inner, _) | Surface::Seq(inner, _) => Some(*inner),
                    _ => None,
                }
            }
            Expr::Field(field) => match self.surface_of_place(&field.base)? {
                Surface::Struct(ty) if !ty.is_enum() => {
                    ty.fields.iter().find(|known| known.member == field.member).map(|known| known.ty.clone())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Also to several places: `(a, b) = (b, a)`.
    fn assign_value(&mut self, place: &Expr, value: Value) -> Lowered<Value> {
        // After a panic nothing is assigned, and nothing reads the place.
        if let Value::Never = value {
            return Ok(Value::unit());
        }
        if let Expr::Tuple(places) = unparen(place) {
            let Value::Parts(Kind::Tuple, parts) = value else {
                let message = format!("cannot take {} apart", value.describe(&self.b));
                return self.fail(Error::new(place, message));
            };
            if places.elems.len() != parts.len() {
                let message = format!("{} places for {} values", places.elems.len(), parts.len());
                return self.fail(Error::new(place, message));
            }
            for (place, part) in places.elems.iter().zip(parts) {
                if !matches!(place, Expr::Infer(_)) {
                    self.assign_value(place, part)?;
                }
            }
            return Ok(Value::unit());
        }
        if let Some(stored) = self.store_in_chosen(place, None, &value) {
            return stored;
        }
        let stored = self.store(place, &mut |lower, old| match (old, value.clone()) {
            (Stored::Whole(old), value) => lower.like(value, old, place),
            (Stored::Range(..), _) => lower.unsupported(
                place,
                "an assignment to a sub-slice",
                "use `copy_from_slice`, or loop over its elements",
            ),
            (Stored::Element(array, at, _), value) => {
                let ty = lower.element_ty(array, &at);
                let v = lower.leaf_like(value, &ty, place)?;
                Ok(Value::Leaf(lower.replaced_element(array, v, &at, place)?, Form::Plain))
            }
        });
        stored.inspect_err(|Reported| {
            self.learn_named(place, value.surface(&self.b));
            self.learn_float(place, &value);
            self.learn_growing(place, &value);
            if super::learned::is_untold(&value) {
                self.learn_object(place);
            }
            if matches!(unparen(place), Expr::Field(_) | Expr::Index(_)) && !self.learn_makers(place) {
                self.learn_object(place);
            }
        })
    }

    /// `place += value` and its like
    pub(super) fn assign_op(&mut self, binary: &ExprBinary) -> Lowered<Value> {
        let (place, op, value_expr) = (&*binary.left, &binary.op, &*binary.right);
        let whole = &quote!(#place #op #value_expr);
        if let Some(done) = self.assign_to_data(place, &quote!(#op), value_expr) {
            return done;
        }
        let expected = self.surface_of_place(place).filter(|_| is_shifted(value_expr));
        let value = self.root(value_expr, expected.as_ref())?;
        if let Value::Never = value {
            return Ok(Value::unit());
        }
        if let Some(stored) = self.store_in_chosen(place, Some(op), &value) {
            return stored;
        }
        if let Some(done) = self.next_of_sum(binary, &value) {
            return done;
        }
        if let Some(done) = self.overloaded_assign(binary, &value) {
            return done;
        }
        if is_struct(&value) {
            self.learn_named(place, value.surface(&self.b));
        }
        // Only of numbers the value is computed before the place is found.
        let value_first = binary.attrs.iter().any(|attr| attr.path().is_ident("value_first"));
        let stored = self.store(place, &mut |lower, old| match old {
            Stored::Whole(_) | Stored::Element(..) if value_first && !lower.is_number(&old) => lower.unsupported(
                place,
                "a place whose index is changed by what is added to it",
                "name the index with `let` before",
            ),
            Stored::Whole(old) => lower.binary_values(whole, op, (place, old.clone()), (value_expr, value.clone())),
            Stored::Range(..) => lower.unsupported(place, "this assignment to a sub-slice", "loop over its elements"),
            Stored::Element(array, at, form) if form.is_matrix() && !is_sum(op) => {
                let old = lower.b.get(array, &at);
                let old = Value::Leaf(lower.track(old, &[array]), form);
                let new = lower.binary_values(whole, op, (place, old), (value_expr, value.clone()))?;
                let [new] = new.leaves()[..] else { return Err(Reported) };
                let set = lower.b.set(array, new, &at);
                Ok(Value::Leaf(lower.track(set, &[array, new]), Form::Plain))
            }
            Stored::Element(array, at, _) => {
                let ty = lower.element_ty(array, &at);
                let v = lower.leaf_like(value.clone(), &ty, value_expr)?;
                let new = match op {
                    // Additions stay additions: their order does not matter to the reverse sweep.
                    BinOp::AddAssign(_) if ty.is_float() => lower.b.acc(array, v, &at),
                    BinOp::SubAssign(_) if ty.is_float() => {
                        let v = lower.map(&rows::neg, &[v]);
                        let v = lower.track(v, &[v]);
                        lower.b.acc(array, v, &at)
                    }
                    _ => {
                        let old = lower.b.get(array, &at);
                        let old = lower.track(old, &[array]);
                        let new = lower.binary_values(
                            whole,
                            op,
                            (place, Value::Leaf(old, Form::Plain)),
                            (value_expr, Value::Leaf(v, Form::Plain)),
                        )?;
                        let [new] = new.leaves()[..] else { return Err(Reported) };
                        let set = lower.b.set(array, new, &at);
                        lower.track(set, &[new]);
                        set
                    }
                };
                Ok(Value::Leaf(lower.track(new, &[array, v]), Form::Plain))
            }
        });
        stored.inspect_err(|Reported| {
            self.learn_float(place, &value);
            if matches!(unparen(place), Expr::Field(_) | Expr::Index(_)) && !self.learn_makers(place) {
                self.learn_object(place);
            }
        })
    }

    /// Whether it is of a type that rustc has the operators of.
    fn is_number(&self, place: &Stored) -> bool {
        let ty = match place {
            Stored::Whole(Value::Leaf(var, _)) => self.b.ty(*var).clone(),
            Stored::Element(array, at, _) => self.element_ty(*array, at),
            _ => return false,
        };
        ty.is_scalar() && !matches!(ty.elem, Elem::Real(_))
    }

    /// `std::mem::swap(&mut a, &mut b)` and `std::mem::replace(&mut a, b)`.
    pub(super) fn exchange(&mut self, call: &syn::ExprCall, both: bool) -> Lowered<Value> {
        let [first, second] = &call.args.iter().collect::<Vec<_>>()[..] else {
            return self.fail(Error::new(call, "two arguments are expected here"));
        };
        if self.data_at(first).is_some() {
            let values = [self.expr(first)?, self.expr(second)?];
            return self.inactive_call(call, &values, None);
        }
        let place = self.place(first)?;
        let old = self.read(&place, first)?;
        let new = match both {
            true => {
                let other = self.place(second)?;
                let new = self.read(&other, second)?;
                self.put(call, &other, &old)?;
                new
            }
            false => self.expr(second)?,
        };
        self.put(call, &place, &new)?;
        Ok(if both { Value::unit() } else { old })
    }

    /// `mem::take(&mut a)`
    pub(super) fn take_out(&mut self, call: &syn::ExprCall) -> Lowered<Value> {
        let [place] = &call.args.iter().collect::<Vec<_>>()[..] else {
            return self.fail(Error::new(call, "one argument is expected here"));
        };
        if self.data_at(place).is_some() {
            let value = self.expr(place)?;
            return self.inactive_call(call, &[value], None);
        }
        let at = self.place(place)?;
        let old = self.read(&at, place)?;
        let new = self.default_like(&old, call)?;
        self.put(call, &at, &new)?;
        Ok(old)
    }

    /// The default of a type of which there is a value.
    pub(super) fn default_like(&mut self, value: &Value, call: &impl quote::ToTokens) -> Lowered<Value> {
        Ok(match value {
            // Arrays of its own: those of the value go where it goes.
            Value::Slice(slice) if slice.count.is_some() => {
                let tys = slice.of.leaves().into_iter().map(|array| self.b.ty(array).clone());
                let emptied = |ty: Ty| Ty::tensor(ty.elem, [&[Dim::ragged()], &ty.dims[1..]].concat());
                let tys: Vec<Ty> = tys.map(emptied).collect();
                let mut arrays = tys.into_iter().map(|ty| self.b.zero(ty)).collect::<Vec<_>>().into_iter();
                let none = self.b.dim(Dim::literal(0));
                Value::Slice(Rc::new(Slice::growing(slice.of.rebuild(&mut arrays), none)))
            }
            Value::Leaf(var, form) if !self.b.ty(*var).is_dynamic() || self.b.ty(*var).is_scalar() => {
                Value::Leaf(self.b.zero(self.b.ty(*var).clone()), *form)
            }
            Value::Parts(Kind::Tuple, parts) => {
                let parts = parts.iter().map(|part| self.default_like(part, call));
                Value::Parts(Kind::Tuple, parts.collect::<Lowered<_>>()?)
            }
            Value::Parts(Kind::Struct(ty), _) if ty.is_option => {
                let surface = value.surface(&self.b);
                self.root(&syn::parse_quote!(None), Some(&surface))?
            }
            Value::Parts(Kind::Struct(ty), _) => {
                let (path, surface) = (crate::relay::without_arguments(&ty.path), value.surface(&self.b));
                self.root(&syn::parse_quote!(#path::default()), Some(&surface))?
            }
            _ => return self.unsupported(call, "`take` of this", "use `replace` with the value that is to be there"),
        })
    }

    pub(super) fn put(&mut self, call: &impl quote::ToTokens, place: &Place, value: &Value) -> Lowered<Value> {
        let at: Expr = syn::parse_quote!(#call);
        self.store_at(call, place, &mut |lower, old| match old {
            Stored::Whole(old) => lower.like(value.clone(), old, &at),
            Stored::Element(array, indices, _) => {
                let ty = lower.element_ty(array, &indices);
                let v = lower.leaf_like(value.clone(), &ty, call)?;
                Ok(Value::Leaf(lower.replaced_element(array, v, &indices, call)?, Form::Plain))
            }
            Stored::Range(..) => lower.unsupported(
                call,
                "an exchange of sub-slices",
                "use `swap_with_slice` outside the function, or loop over the elements",
            ),
        })
    }
}

pub(super) fn unparen(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => unparen(&paren.expr),
        Expr::Group(group) => unparen(&group.expr),
        other => other,
    }
}

/// The variables that a block assigns to.
#[derive(Default)]
pub(super) struct Assigned {
    pub(super) names: BTreeSet<String>,
    /// Arguments of calls that may be mutable borrows.
    handed_on: Vec<Expr>,
    /// Functions that are called by a name alone, which may be closures.
    pub(super) called: Vec<String>,
    /// Receivers of methods that may be the user's, with their names.
    methods: Vec<(Expr, syn::Ident)>,
}

impl Assigned {
    /// What is assigned to, and what may be by being handed on.
    pub(super) fn all_names(&self) -> Vec<String> {
        let handed_on = self.handed_on.iter().filter_map(|arg| match unparen(arg) {
            Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
            _ => None,
        });
        self.names.iter().cloned().chain(handed_on).collect()
    }

    /// The same, and receivers of methods.
    pub(super) fn may_change(mut self) -> Vec<String> {
        for (receiver, _) in std::mem::take(&mut self.methods) {
            self.note(&receiver);
        }
        self.all_names()
    }

    /// What is borrowed already is handed on by its name.
    fn hand_on<'a>(&mut self, args: impl IntoIterator<Item = &'a Expr>) {
        self.handed_on.extend(args.into_iter().filter(|arg| matches!(unparen(arg), Expr::Path(_))).cloned());
    }

    fn renamed(&mut self, value: &Expr) {
        match unparen(value) {
            Expr::Tuple(parts) => parts.elems.iter().for_each(|part| self.renamed(part)),
            path @ Expr::Path(_) => self.handed_on.push(path.clone()),
            _ => {}
        }
    }

    fn note(&mut self, place: &Expr) {
        match unparen(place) {
            Expr::Path(path) => {
                if let Some(ident) = path.path.get_ident() {
                    self.names.insert(ident.to_string());
                }
            }
            Expr::Tuple(places) => places.elems.iter().for_each(|place| self.note(place)),
            Expr::Index(index) => self.note(&index.expr),
            Expr::Field(field) => self.note(&field.base),
            Expr::Unary(unary) => self.note(&unary.expr),
            Expr::Reference(reference) => self.note(&reference.expr),
            // `x.iter_mut()`, `x.split_at_mut(k)`
            Expr::MethodCall(call) => self.note(&call.receiver),
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Assigned {
    fn visit_expr_assign(&mut self, assign: &'a syn::ExprAssign) {
        self.note(&assign.left);
        syn::visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_reference(&mut self, reference: &'a syn::ExprReference) {
        if reference.mutability.is_some() {
            self.note(&reference.expr);
        }
        syn::visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        if changes_or_lends(&call.method) {
            self.note(&call.receiver);
        } else {
            self.methods.push(((*call.receiver).clone(), call.method.clone()));
        }
        self.hand_on(&call.args);
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        if let Expr::Path(path) = unparen(&call.func) {
            self.called.extend(path.path.get_ident().map(ToString::to_string));
        }
        self.hand_on(&call.args);
        syn::visit::visit_expr_call(self, call);
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        // A borrow that gets another name, under which something may be assigned.
        if let Some(init) = &local.init {
            self.renamed(&init.expr);
        }
        syn::visit::visit_local(self, local);
    }

    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        if is_assignment(&binary.op) {
            self.note(&binary.left);
        }
        syn::visit::visit_expr_binary(self, binary);
    }
}

fn changes_or_lends(method: &syn::Ident) -> bool {
    use crate::desugar::{is_borrowing, is_editing, is_mutating};
    is_mutating(method) || is_editing(method) || is_borrowing(method)
}

pub(super) fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

fn is_sum(op: &BinOp) -> bool {
    matches!(op, BinOp::AddAssign(_) | BinOp::SubAssign(_))
}

fn has_lists(surface: &Surface) -> bool {
    match surface {
        Surface::Seq(..) => true,
        Surface::Array(inner, _) => has_lists(inner),
        Surface::Tuple(parts) => parts.iter().any(has_lists),
        Surface::Struct(ty) => ty.fields.iter().any(|field| has_lists(&field.ty)),
        Surface::Scalar(_) | Surface::Tensor(..) | Surface::Matrix(..) | Surface::Other(_) => false,
    }
}
