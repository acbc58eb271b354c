//! Assignments, and what a piece of the program assigns to.

use super::Lower;
use super::value::{Alias, Lowered, Reported, Rows, Value};
use crate::diag::Error;
use crate::fault::{self, Fault};
use crate::ir::dim::Dim;
use crate::ir::{Elem, IntOp, Ty, Var};
use crate::layout::{Form, Kind};
use crate::op::elementwise as rows;
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
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
                let borrowed = self.lookup(&name).is_some_and(|binding| matches!(binding.value, Some(Value::Alias(_))));
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
            return self.expr(value).map(|_| Value::unit());
        }
        if self.names_borrow(place) {
            return self.unsupported(
                place,
                "a mutable borrow that becomes one of something else",
                "give the new borrow a name of its own",
            );
        }
        let value = self.expr(value)?;
        self.assign_value(place, value)
    }

    /// Whether an expression names a mutable borrow, and not what it is of.
    pub(super) fn names_borrow(&self, place: &Expr) -> bool {
        let Expr::Path(path) = unparen(place) else { return false };
        let Some(name) = path.path.get_ident().map(ToString::to_string) else { return false };
        let Some(slot) = self.env.slot(&name) else { return false };
        let is_param = self.borrowed_params.contains(&name) && self.env.is_first(&name, slot);
        is_param || matches!(self.env.get(slot).value, Some(Value::Alias(_)))
    }

    /// Also to several places: `(a, b) = (b, a)`.
    fn assign_value(&mut self, place: &Expr, value: Value) -> Lowered<Value> {
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
        self.store(place, &mut |lower, old| match (old, value.clone()) {
            (Place::Whole(old), value) => lower.like(value, old, place),
            (Place::Range, _) => lower.unsupported(
                place,
                "an assignment to a sub-slice",
                "use `copy_from_slice`, or loop over its elements",
            ),
            (Place::Element(array, at), value) => {
                let ty = lower.element_ty(array, &at);
                let v = lower.leaf_like(value, &ty, place)?;
                let set = lower.b.set(array, v, &at);
                Ok(Value::Leaf(lower.track(set, &[array, v]), Form::Plain))
            }
        })
    }

    /// `place += value` and its like
    pub(super) fn assign_op(&mut self, binary: &ExprBinary) -> Lowered<Value> {
        let (place, op, value_expr) = (&*binary.left, &binary.op, &*binary.right);
        let whole = &quote!(#place #op #value_expr);
        let value = self.expr(value_expr)?;
        // Only of numbers the value is computed before the place is found.
        let value_first = binary.attrs.iter().any(|attr| attr.path().is_ident("value_first"));
        self.store(place, &mut |lower, old| match old {
            Place::Whole(_) | Place::Element(..) if value_first && !lower.is_number(&old) => lower.unsupported(
                place,
                "a place whose index is changed by what is added to it",
                "name the index with `let` before",
            ),
            Place::Whole(old) => lower.binary_values(whole, op, (place, old.clone()), (value_expr, value.clone())),
            Place::Range => lower.unsupported(place, "this assignment to a sub-slice", "loop over its elements"),
            Place::Element(array, at) => {
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
        })
    }

    /// Whether it is of a type that rustc has the operators of.
    fn is_number(&self, place: &Place) -> bool {
        let ty = match place {
            Place::Whole(Value::Leaf(var, _)) => self.b.ty(*var).clone(),
            Place::Element(array, at) => self.element_ty(*array, at),
            _ => return false,
        };
        ty.is_scalar() && !matches!(ty.elem, Elem::Real(_))
    }

    /// `std::mem::swap(&mut a, &mut b)` and `std::mem::replace(&mut a, b)`.
    pub(super) fn exchange(&mut self, call: &syn::ExprCall, both: bool) -> Lowered<Value> {
        let [first, second] = &call.args.iter().collect::<Vec<_>>()[..] else {
            return self.fail(Error::new(call, "two arguments are expected here"));
        };
        let place = self.place(first)?;
        let old = self.read_alias(&place, first)?;
        let new = match both {
            true => {
                let other = self.place(second)?;
                let new = self.read_alias(&other, second)?;
                self.put(call, &other, &old)?;
                new
            }
            false => self.expr(second)?,
        };
        self.put(call, &place, &new)?;
        Ok(if both { Value::unit() } else { old })
    }

    fn put(&mut self, call: &syn::ExprCall, place: &Alias, value: &Value) -> Lowered<Value> {
        let at: Expr = syn::parse_quote!(#call);
        self.store_at(call, place, &mut |lower, old| match old {
            Place::Whole(old) => lower.like(value.clone(), old, &at),
            Place::Element(array, indices) => {
                let ty = lower.element_ty(array, &indices);
                let v = lower.leaf_like(value.clone(), &ty, call)?;
                let set = lower.b.set(array, v, &indices);
                Ok(Value::Leaf(lower.track(set, &[array, v]), Form::Plain))
            }
            Place::Range => lower.unsupported(
                call,
                "an exchange of sub-slices",
                "use `swap_with_slice` outside the function, or loop over the elements",
            ),
        })
    }

    pub(super) fn element_ty(&self, array: Var, at: &[Var]) -> Ty {
        let ty = self.b.ty(array);
        Ty::tensor(ty.elem.clone(), ty.dims[at.len().min(ty.rank())..].to_vec())
    }

    /// Changes what a place expression names.
    fn store(&mut self, place: &Expr, change: &mut dyn FnMut(&mut Self, Place) -> Lowered<Value>) -> Lowered<Value> {
        let alias = self.place(place)?;
        self.store_at(place, &alias, change)
    }

    /// Changes a variable, a field of it, an element or a row.
    pub(super) fn store_at(
        &mut self,
        at: &impl ToTokens,
        alias: &Alias,
        change: &mut dyn FnMut(&mut Self, Place) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let Some(old) = self.alias_root(alias) else {
            return self.fail(Error::new(at, "there is no such field"));
        };
        let new = if alias.at.is_empty() && alias.range.is_none() {
            change(self, Place::Whole(old))?
        } else {
            // A field of an element is an element of the array of that field.
            if let Value::Rows(item, rows) = &old {
                return self.store_field(at, alias, (item, rows), change);
            }
            if let Value::Parts(Kind::Array, parts) = &old {
                let new = self.store_choice(at, alias, parts, change)?;
                return self.put_root(alias, new);
            }
            let (Value::Leaf(array, _) | Value::Grown(array, _)) = old else {
                return self.unsupported(
                    at,
                    "an assignment to this element",
                    "assign to the elements of an array of numbers",
                );
            };
            let rank = self.b.ty(array).rank();
            if alias.at.len() > rank {
                return self.fail(Error::new(at, format!("{} indices into an array with {rank} axes", alias.at.len())));
            }
            let new = match &alias.range {
                Some(_) => change(self, Place::Range)?,
                None => change(self, Place::Element(array, alias.at.clone()))?,
            };
            old.rebuild(&mut new.leaves().into_iter().chain(old.leaves().into_iter().skip(1)))
        };
        self.put_root(alias, new)
    }

    /// Gives the variable or field that an alias is a part of its new value.
    pub(super) fn put_root(&mut self, alias: &Alias, new: Value) -> Lowered<Value> {
        let Some(mut value) = self.env.get(alias.slot).value.clone() else { return Err(Reported) };
        if let Some(slot) = alias.members.iter().try_fold(&mut value, |slot, member| slot.member_mut(member)) {
            *slot = new;
        }
        self.rebind(alias.slot, value);
        Ok(Value::unit())
    }
}

impl Lower<'_> {
    /// Changes an element of an array of structs that an index chooses at run time, or a part of it: the element is taken
    /// out, changed and put back, each of its numbers by way of an array of that number of all elements.
    fn store_choice(
        &mut self,
        at: &impl ToTokens,
        alias: &Alias,
        parts: &[Value],
        change: &mut dyn FnMut(&mut Self, Place) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let [index, rest @ ..] = &alias.at[..] else {
            return self.unsupported(at, "an assignment to this sub-slice", "loop over its elements");
        };
        let mut item = self.one_of(parts, *index, at)?;
        let field = alias.inner.iter().try_fold(&mut item, |slot, member| slot.member_mut(member));
        let Some(field) = field else { return self.fail(Error::new(at, "there is no such field")) };
        *field = match (&*field, rest, &alias.range) {
            (old, [], None) => change(self, Place::Whole(old.clone()))?,
            (Value::Leaf(array, form), rest, None) => {
                let new = change(self, Place::Element(*array, rest.to_vec()))?;
                Value::Leaf(new.leaves()[0], *form)
            }
            _ => return self.unsupported(at, "an assignment to this element", "assign to its fields one by one"),
        };
        let mut columns = Vec::new();
        for (k, leaf) in item.leaves().into_iter().enumerate() {
            let column: Vec<Var> = parts.iter().filter_map(|part| part.leaves().get(k).copied()).collect();
            let Some(array) = self.stacked(&column) else {
                return self.unsupported(at, "an assignment to an element of such structs", "write out the elements");
            };
            let set = self.b.set(array, leaf, &[*index]);
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

    /// Changes a field of an element of a slice of structs.
    fn store_field(
        &mut self,
        at: &impl ToTokens,
        alias: &Alias,
        (item, rows): (&Value, &Rows),
        change: &mut dyn FnMut(&mut Self, Place) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let mut item = item.clone();
        let field = alias.inner.iter().try_fold(&mut item, |slot, member| slot.member_mut(member));
        let mut indices = alias.at.clone();
        if let Some(start) = rows.start {
            indices[0] = self.b.int(IntOp::Add, start, indices[0]);
        }
        let new = match (field.as_deref().cloned(), &alias.at[..]) {
            (Some(Value::Leaf(array, form)), _) => {
                let new = change(self, Place::Element(array, indices))?;
                Value::Leaf(new.leaves()[0], form)
            }
            // A whole element, or a struct in it: one array for each of its numbers.
            (Some(part @ Value::Parts(..)), [index]) => {
                let old = self.row(&part, rows, *index);
                let new = change(self, Place::Whole(old))?;
                let mut arrays = Vec::new();
                for (array, leaf) in part.leaves().into_iter().zip(new.leaves()) {
                    let set = self.b.set(array, leaf, &indices);
                    arrays.push(self.track(set, &[array, leaf]));
                }
                part.rebuild(&mut arrays.into_iter())
            }
            _ => return self.unsupported(at, "an assignment to this element", "assign to its fields one by one"),
        };
        if let Some(slot) = field {
            *slot = new;
        }
        self.put_root(alias, Value::Rows(Box::new(item), rows.clone()))
    }
}

/// What an assignment changes.
pub(super) enum Place {
    Whole(Value),
    Element(Var, Vec<Var>),
    /// Part of a row.
    Range,
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
        if super::sequence::is_mutating(&call.method) {
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
