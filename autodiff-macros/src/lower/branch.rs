//! `if`, and the conditions it takes.

use super::Lower;
use super::choice::{chosen_passive, same_passive};
use super::env::Env;
use super::slice::Slice;
use super::value::{Lowered, Value};
use crate::diag::Error;
use crate::fault::{self, Fault};
use crate::ir::dim::Dim;
use crate::ir::{Block, Elem, Op, Opaque, Ty, Var};
use crate::layout::{Form, Kind};
use crate::op::elementwise as rows;
use crate::parse::ty::Surface;
use quote::{ToTokens, quote};
use syn::visit::Visit;
use syn::{BinOp, Expr, ExprIf};

impl Lower<'_> {
    /// `if c { … } else { … }`, as a value or for its assignments.
    pub(super) fn if_expr(&mut self, expr: &ExprIf, expected: Option<&Surface>) -> Lowered<Value> {
        if let Expr::Let(pattern) = super::assign::unparen(&expr.cond) {
            return self.unsupported(
                &pattern.let_token,
                "`if let`",
                "compare with `==`, or choose outside the function",
            );
        }
        let cond = self.condition(&expr.cond)?;
        // What a branch assigns and was there before comes out of the `if` beside its value.
        let assigned = self.assigned(|assigned| {
            assigned.visit_block(&expr.then_branch);
            if let Some((_, other)) = &expr.else_branch {
                assigned.visit_expr(other);
            }
        })?;
        let slots: Vec<usize> = assigned.into_iter().map(|(slot, _)| slot).collect();
        self.with_all_changes(slots, |lower, slots| {
            let before = lower.env.clone();
            let yes = lower.arm(slots, |lower| lower.block_value(&expr.then_branch, expected));
            lower.leave_arm(&before, slots);
            let no = lower.arm(slots, |lower| match &expr.else_branch {
                Some((_, other)) => lower.root(other, expected),
                None => Ok(Value::unit()),
            });
            lower.leave_arm(&before, slots);
            let (yes, no) = (yes?, no?);
            lower.join((&expr.if_token, "branches of this `if`"), cond, slots, yes, no)
        })
    }

    /// Lowers a choice, and once more if a branch has changed a variable that is not among `slots`: what a branch changes
    /// comes out of the choice, whether or not its text shows that it does.
    pub(super) fn with_all_changes(
        &mut self,
        mut slots: Vec<usize>,
        mut choice: impl FnMut(&mut Self, &[usize]) -> Lowered<Value>,
    ) -> Lowered<Value> {
        loop {
            let (errors, env) = (self.errors.clone(), self.env.clone());
            let outer = std::mem::take(&mut self.missed);
            self.b.open_block();
            let value = choice(self, &slots);
            let missed = std::mem::replace(&mut self.missed, outer);
            if missed.is_empty() {
                self.b.merge_block();
                return value;
            }
            self.b.close_block(Vec::new(), Vec::new());
            (self.errors, self.env) = (errors, env);
            slots.extend(missed);
        }
    }

    /// After a branch: variables are again what they were before it.
    pub(super) fn leave_arm(&mut self, before: &Env, slots: &[usize]) {
        let mut changed = self.env.changed_since(before);
        changed.retain(|slot| !slots.contains(slot) && !fault::is(Fault::MethodsChangeNothing));
        self.missed.extend(changed);
        self.env = before.clone();
    }

    /// A branch: its value, what the assigned variables are after it, and its equations.
    pub(super) fn arm(&mut self, slots: &[usize], body: impl FnOnce(&mut Self) -> Lowered<Value>) -> Lowered<Arm> {
        let (before, vars) = (self.env.len(), self.b.vars.len());
        self.b.open_block();
        let value = body(self).and_then(|value| self.leaving(value, before, vars));
        for slot in slots {
            if let Some(value @ Value::Closure(_)) = self.env.get(*slot).value.clone() {
                if let Ok(value) = self.leaving(value, before, vars) {
                    self.env.set(*slot, Some(value));
                }
            }
        }
        let after = slots.iter().filter_map(|slot| self.env.get(*slot).value.clone()).collect();
        let id = self.b.innermost();
        let block = self.b.close_block(Vec::new(), Vec::new());
        Ok(Arm { value: value?, after, block, id })
    }

    /// The choice between two branches, which are `what` for messages.
    pub(super) fn join<T: ToTokens>(
        &mut self,
        (at, what): (&T, &str),
        cond: Var,
        slots: &[usize],
        mut yes: Arm,
        mut no: Arm,
    ) -> Lowered<Value> {
        self.agree(cond, &mut yes, &mut no, at)?;
        let shapes: Vec<Value> = std::iter::once(yes.value.clone()).chain(yes.after.iter().cloned()).collect();
        for arm in [&mut yes, &mut no] {
            let values: Vec<Value> = arm.values().cloned().collect();
            arm.block.results = self.within(arm, |lower| lower.across(&values))?;
        }
        self.rename_sizes(&yes.block.results, &mut no.block, at);
        let pairs: Vec<(Var, Var)> = yes.block.results.iter().copied().zip(no.block.results.iter().copied()).collect();
        if yes.block.results.len() != no.block.results.len()
            || pairs.iter().any(|(a, b)| !self.b.ty(*a).fits(self.b.ty(*b)))
        {
            return self
                .fail(Error::new(at, format!("the {what} have different types")).help("give both the same type"));
        }
        let tys: Vec<Ty> = pairs.iter().map(|(a, b)| self.common_ty(*a, *b)).collect();
        self.b.span = at.to_token_stream().into_iter().next().map(|token| token.span());
        let outs = self.b.push_multi(Op::If, vec![cond], vec![yes.block, no.block], tys);
        for (out, (a, b)) in outs.iter().zip(&pairs) {
            self.track(*out, &[*a, *b]);
        }
        let mut rest = outs.into_iter();
        let values = shapes.iter().map(|shape| self.arrived(shape, &mut rest)).collect::<Lowered<Vec<Value>>>()?;
        let values: Vec<Value> = values.into_iter().map(|value| self.measured(value)).collect();
        let mut values = values.into_iter();
        let value = values.next().unwrap_or_else(Value::unit);
        for (slot, value) in slots.iter().zip(values) {
            self.rebind(*slot, value);
        }
        Ok(value)
    }

    /// Gives the results of a branch the sizes that the other branch has by other names.
    fn rename_sizes(&mut self, wanted: &[Var], block: &mut Block, at: &impl ToTokens) {
        self.b.open_block();
        self.b.current().append(&mut block.eqns);
        for (result, wanted) in block.results.iter_mut().zip(wanted) {
            let (have, want) = (self.b.ty(*result).clone(), self.b.ty(*wanted).clone());
            if have.elem == want.elem && have.rank() == want.rank() && !have.fits(&want) {
                *result = self.retyped(*result, &want, at);
            }
        }
        block.eqns = self.b.close_block(Vec::new(), Vec::new()).eqns;
    }

    /// The type of what is one or the other: lengths that differ are known of the value only.
    fn common_ty(&self, a: Var, b: Var) -> Ty {
        let mut ty = self.b.ty(a).clone();
        for (dim, other) in ty.dims.iter_mut().zip(&self.b.ty(b).dims) {
            if dim != other {
                *dim = Dim::ragged();
            }
        }
        ty
    }

    /// Gives literals the type of the other branch; their equations belong into their own branch.
    fn agree(&mut self, cond: Var, yes: &mut Arm, no: &mut Arm, at: &impl ToTokens) -> Lowered<()> {
        let count = yes.after.len();
        for k in 0..=count {
            let (a, b) = (yes.part(k).clone(), no.part(k).clone());
            // A branch that panics has no value that anything reads, whatever the other one's is.
            let panics = match (&a, &b) {
                (Value::Never, Value::Never) => continue,
                (Value::Never, known) => Some((&mut *yes, &mut *no, known)),
                (known, Value::Never) => Some((&mut *no, &mut *yes, known)),
                _ => None,
            };
            if let Some((arm, other, known)) = panics {
                if is_passive(known) {
                    *arm.part_mut(k) = known.clone();
                    continue;
                }
                // Where a part of an array begins is known in its own branch.
                let known = self.within(other, |lower| Ok(lower.with_parts_of_its_own(known)))?;
                *other.part_mut(k) = known.clone();
                *arm.part_mut(k) = self.within(arm, |lower| {
                    let known = lower.settle(known, at)?;
                    Ok(lower.zeros_of(&known))
                })?;
            }
            let (a, b) = (yes.part(k).clone(), no.part(k).clone());
            // Nothing reads it where it has no value: what is only passed on is the same for both then.
            let passive = match (&a, &b) {
                (Value::Undefined, known) | (known, Value::Undefined) if is_passive(known) => Some(known.clone()),
                _ => None,
            };
            if let Some(known) = passive {
                *yes.part_mut(k) = known.clone();
                *no.part_mut(k) = known;
                continue;
            }
            let option = match (&a, &b) {
                (Value::Untyped(untyped), Value::Parts(Kind::Struct(ty), _)) if ty.is_option => {
                    Some((&mut *yes, untyped, ty))
                }
                (Value::Parts(Kind::Struct(ty), _), Value::Untyped(untyped)) if ty.is_option => {
                    Some((&mut *no, untyped, ty))
                }
                _ => None,
            };
            if let Some((arm, untyped, ty)) = option {
                let known = self.within(arm, |lower| match lower.known_option(untyped, ty) {
                    Some(known) => known,
                    None => lower.unsupported(at, "one of these values", "use `Some` or `None`"),
                })?;
                *arm.part_mut(k) = known;
                continue;
            }
            if let (Value::Parts(Kind::Struct(to), _), Value::Parts(Kind::Struct(from), parts)) = (&a, &b) {
                if to.errors != from.errors {
                    let moved = self.within(no, |lower| {
                        let mut parts = parts.clone();
                        if let Some(error) = parts.last_mut() {
                            *error = lower.moved_error(error.clone(), from, to);
                        }
                        Ok(Value::Parts(Kind::Struct(to.clone()), parts))
                    })?;
                    *no.part_mut(k) = moved;
                }
            }
            let (a, b) = (yes.part(k).clone(), no.part(k).clone());
            if !same_borrows(&a, &b) {
                return self.unsupported(
                    at,
                    "a choice between mutable borrows",
                    "choose where it is written to: `if c { *a = v } else { *b = v }`",
                );
            }
            if let Some(chosen) = chosen_passive(cond, &a, &b) {
                *yes.part_mut(k) = chosen.clone();
                *no.part_mut(k) = chosen;
                continue;
            }
            let (a, b) = match self.chosen_parts(cond, (&mut *yes, &mut *no), &a, &b)? {
                Some((a, b)) => {
                    *yes.part_mut(k) = a.clone();
                    *no.part_mut(k) = b.clone();
                    (a, b)
                }
                None => (a, b),
            };
            if let Some(ty) = self.plain_choice(&a, &b) {
                for arm in [&mut *yes, &mut *no] {
                    let value = arm.part(k).clone();
                    let parts = self.within(arm, |lower| lower.coerce(value, &Surface::Struct(ty.clone()), at, "this"));
                    *arm.part_mut(k) = parts?;
                }
                continue;
            }
            // Beside a number it is one.
            let (a, b) = match (&a, &b) {
                (Value::Other(_), Value::Leaf(..) | Value::Untyped(_)) => (a.expected_number(), b),
                (Value::Leaf(..) | Value::Untyped(_), Value::Other(_)) => (a, b.expected_number()),
                _ => (a, b),
            };
            if let Some([one, other]) = self.joined_functions(&a, &b) {
                *yes.part_mut(k) = self.within(yes, |lower| Ok(lower.function_at(one)))?;
                *no.part_mut(k) = self.within(no, |lower| Ok(lower.function_at(other)))?;
                continue;
            }
            let (a, b) = match self.written_alike((&mut *yes, &mut *no), &a, &b, at)? {
                Some((a, b)) => {
                    *yes.part_mut(k) = a.clone();
                    *no.part_mut(k) = b.clone();
                    (a, b)
                }
                None => (a, b),
            };
            if !same_passive(&a, &b) {
                let what = format!("a choice between {} and {}", a.describe(&self.b), b.describe(&self.b));
                return self.unsupported(at, &what, "choose where it is used, or outside the function");
            }
            if let (Value::Parts(Kind::Struct(_) | Kind::Array, _), Value::Parts(..)) = (&a, &b) {
                if has_other_parts(&a, &b) {
                    let (own_a, own_b) = (
                        self.within(yes, |lower| Ok(lower.with_own_parts(&a, &b))),
                        self.within(no, |lower| Ok(lower.with_own_parts(&b, &a))),
                    );
                    *yes.part_mut(k) = own_a?;
                    *no.part_mut(k) = own_b?;
                }
                continue;
            }
            let elem = |value: &Value, lower: &Self| match value {
                Value::Leaf(var, _) => Some(lower.b.ty(*var).elem.clone()),
                _ => None,
            };
            if let (Value::Parts(Kind::Tuple, _), Value::Parts(Kind::Tuple, _)) = (&a, &b) {
                let (typed_a, typed_b) = (
                    self.within(yes, |lower| lower.like_parts(a.clone(), &b, at)),
                    self.within(no, |lower| lower.like_parts(b.clone(), &a, at)),
                );
                *yes.part_mut(k) = typed_a?;
                *no.part_mut(k) = typed_b?;
                continue;
            }
            let known = elem(&a, self).or_else(|| elem(&b, self));
            for (arm, value, other) in [(&mut *yes, &a, &b), (&mut *no, &b, &a)] {
                let array = match other {
                    Value::Leaf(var, _) if !self.b.ty(*var).is_scalar() => Some(other.surface(&self.b)),
                    _ => None,
                };
                let typed = match value {
                    // Without a derivative, but of the type of the other branch.
                    Value::Untyped(untyped) if untyped.number.is_none() && array.is_some() => {
                        self.within(arm, |lower| {
                            let array = array.and_then(|array| lower.passive_struct(&untyped.tokens, &array));
                            array.map_or_else(|| lower.settle(value.clone(), at), Ok)
                        })
                    }
                    Value::Untyped(untyped) => self.within(arm, |lower| match &known {
                        Some(elem) => Ok(lower.typed(untyped, elem)),
                        None => lower.settle(Value::Untyped(untyped.clone()), at),
                    }),
                    // No value yet on this path: nothing reads what stands in for it.
                    Value::Undefined if !matches!(other, Value::Undefined) => self.within(arm, |lower| {
                        let other = lower.settle(other.clone(), at)?;
                        Ok(lower.zeros_of(&other))
                    }),
                    // Both are arrays of their own afterwards.
                    Value::Slice(slice) if !same_part(slice, other) => self.within(arm, |lower| {
                        let mut slice = (**slice).clone();
                        if !matches!(other, Value::Slice(other) if other.len == slice.len) {
                            slice.len = Dim::of(lower.b.dim(slice.len));
                        }
                        Ok(lower.owned(&slice))
                    }),
                    _ => continue,
                };
                *arm.part_mut(k) = typed?;
            }
        }
        Ok(())
    }

    /// A value in which parts of arrays are arrays of their own.
    fn with_parts_of_its_own(&mut self, value: &Value) -> Value {
        match value {
            Value::Parts(kind, parts) => {
                let parts = parts.iter().map(|part| self.with_parts_of_its_own(part));
                Value::Parts(kind.clone(), parts.collect())
            }
            Value::Slice(slice) => {
                let mut slice = (**slice).clone();
                if slice.constant_length(&self.b).is_none() {
                    slice.len = Dim::of(self.b.dim(slice.len));
                }
                self.owned(&slice)
            }
            _ => value.clone(),
        }
    }

    /// A struct of slices that are arrays of their own where the other branch has other parts of arrays.
    fn with_own_parts(&mut self, value: &Value, other: &Value) -> Value {
        match (value, other) {
            (Value::Parts(kind, parts), Value::Parts(_, others)) => {
                let parts = parts.iter().zip(others).map(|(part, other)| self.with_own_parts(part, other));
                Value::Parts(kind.clone(), parts.collect())
            }
            (Value::Slice(slice), other) if !same_part(slice, other) => {
                let mut slice = (**slice).clone();
                if !matches!(other, Value::Slice(other) if other.len == slice.len) {
                    slice.len = Dim::of(self.b.dim(slice.len));
                }
                self.owned(&slice)
            }
            _ => value.clone(),
        }
    }

    /// A tuple whose literals have the types that stand at their places in another.
    fn like_parts(&mut self, value: Value, other: &Value, at: &impl ToTokens) -> Lowered<Value> {
        match (value, other) {
            (Value::Parts(Kind::Tuple, parts), Value::Parts(Kind::Tuple, others)) if parts.len() == others.len() => {
                let parts = parts.into_iter().zip(others).map(|(part, other)| self.like_parts(part, other, at));
                Ok(Value::Parts(Kind::Tuple, parts.collect::<Lowered<_>>()?))
            }
            (Value::Untyped(untyped), Value::Leaf(var, _)) => {
                let elem = self.b.ty(*var).elem.clone();
                Ok(self.typed(&untyped, &elem))
            }
            // Of what type they are, another branch may tell.
            (Value::Untyped(untyped), Value::Untyped(other))
                if untyped.tokens.to_string() == "None" && other.tokens.to_string() == "None" =>
            {
                Ok(Value::Untyped(untyped))
            }
            (Value::Untyped(untyped), Value::Parts(Kind::Struct(ty), _)) if ty.is_option => {
                match self.known_option(&untyped, ty) {
                    Some(known) => known,
                    None => self.unsupported(at, "one of these values", "use `Some` or `None`"),
                }
            }
            (Value::Untyped(untyped), _) => self.settle(Value::Untyped(untyped), at),
            (Value::Slice(slice), _) => Ok(self.owned(&slice)),
            (value @ Value::Parts(..), other) if has_other_parts(&value, other) => {
                Ok(self.with_own_parts(&value, other))
            }
            (value, _) => Ok(value),
        }
    }

    /// Goes on building an arm.
    pub(super) fn within<T>(&mut self, arm: &mut Arm, build: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        self.b.reopen_block(arm.id, std::mem::take(&mut arm.block.eqns));
        let built = build(self);
        arm.block.eqns = self.b.close_block(Vec::new(), Vec::new()).eqns;
        built
    }

    /// A truth value.
    pub(super) fn condition(&mut self, expr: &Expr) -> Lowered<Var> {
        match self.expr(expr)?.expected_number() {
            Value::Leaf(var, _) if self.b.ty(var) == &Ty::scalar(Elem::Bool) => Ok(var),
            Value::Untyped(untyped) => Ok(self.typed(&untyped, &Elem::Bool).leaves()[0]),
            other => {
                self.fail(Error::new(expr, format!("a condition is expected, this is {}", other.describe(&self.b))))
            }
        }
    }

    /// A condition that is not evaluated once and for all where it stands: it may not change a variable.
    pub(super) fn pure_condition(&mut self, expr: &Expr) -> Lowered<Var> {
        let before = self.env.clone();
        let value = self.condition(expr)?;
        match self.env.changed_since(&before)[..] {
            [] => Ok(value),
            _ if fault::is(Fault::ConditionsChangeNothing) => Ok(value),
            _ => self.unsupported(
                expr,
                "a condition that changes a variable and may not be evaluated, or more than once",
                "change the variable in a statement of its own",
            ),
        }
    }

    /// `a < b` of two numbers of one type.
    pub(super) fn comparison(&mut self, at: &impl ToTokens, op: &BinOp, x: Var, y: Var) -> Lowered<Value> {
        let name = match op {
            BinOp::Lt(_) => "lt",
            BinOp::Le(_) => "le",
            BinOp::Gt(_) => "gt",
            BinOp::Ge(_) => "ge",
            BinOp::Eq(_) => "eq",
            _ => "ne",
        };
        if self.b.ty(x) != self.b.ty(y) || !self.b.ty(x).is_scalar() {
            let message = format!("cannot compare `{}` and `{}`", self.b.ty(x), self.b.ty(y));
            return self.fail(
                Error::new(at, message)
                    .help("compare numbers of one type; of tensors, `x.gt(y)` compares the elements"),
            );
        }
        let Some(row) = rows::find(name) else { return self.unsupported(at, "this comparison", "write it with `>`") };
        let out = self.b.map(row, &[x, y]);
        Ok(Value::Leaf(out, Form::Plain))
    }

    /// `a && b` is `if a { b } else { false }`: the right side is evaluated only if it decides.
    pub(super) fn connective(&mut self, binary: &syn::ExprBinary) -> Lowered<Value> {
        let left = self.condition(&binary.left)?;
        let known = matches!(binary.op, BinOp::Or(_));
        let out = self.short_circuit(left, known, |lower| lower.pure_condition(&binary.right))?;
        Ok(Value::Leaf(out, Form::Plain))
    }

    /// A condition that is decided by its left side if that is `known`.
    pub(super) fn short_circuit(
        &mut self,
        left: Var,
        known: bool,
        right: impl FnOnce(&mut Self) -> Lowered<Var>,
    ) -> Lowered<Var> {
        let right = self.arm(&[], |lower| right(lower).map(|var| Value::Leaf(var, Form::Plain)))?;
        let short = self.arm(&[], |lower| {
            let tokens = if known { quote!(true) } else { quote!(false) };
            let opaque = Opaque::pure(tokens);
            Ok(Value::Leaf(lower.b.opaque(opaque, Vec::new(), Ty::scalar(Elem::Bool)), Form::Plain))
        })?;
        let (yes, no) = if known { (short, right) } else { (right, short) };
        let mut regions = Vec::new();
        for mut arm in [yes, no] {
            arm.block.results = arm.values().flat_map(Value::leaves).collect();
            regions.push(arm.block);
        }
        let outs = self.b.push_multi(Op::If, vec![left], regions, vec![Ty::scalar(Elem::Bool)]);
        Ok(outs[0])
    }
}

/// Whether it has no structure here.
pub(super) fn is_passed_on(value: &Value) -> bool {
    match value {
        Value::Other(_) => true,
        Value::Untyped(untyped) => untyped.number.is_none(),
        _ => false,
    }
}

pub(super) fn is_passive(value: &Value) -> bool {
    match value {
        Value::Other(_) | Value::Closure(_) => true,
        Value::Untyped(untyped) => untyped.number.is_none() && super::passive_pattern::is_total(&untyped.tokens),
        _ => false,
    }
}

/// Whether mutable borrows are of the same places on both sides. Nothing reads one where it has no value yet.
fn same_borrows(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Borrow(a), Value::Borrow(b)) => a == b || fault::is(Fault::FirstBorrow),
        (Value::Undefined, _) | (_, Value::Undefined) => true,
        (Value::Borrow(_), _) | (_, Value::Borrow(_)) => false,
        (Value::Parts(_, a), Value::Parts(_, b)) => a.iter().zip(b).all(|(a, b)| same_borrows(a, b)),
        _ => true,
    }
}

/// Whether another value is the same part of a slice, so that the choice is one between arrays.
fn same_part(slice: &Slice, other: &Value) -> bool {
    matches!(other, Value::Slice(other) if slice.same_part(other))
}

/// Whether two structs have slices that are not the same parts of arrays.
fn has_other_parts(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Parts(_, a), Value::Parts(_, b)) => a.iter().zip(b).any(|(a, b)| has_other_parts(a, b)),
        (Value::Slice(slice), other) | (other, Value::Slice(slice)) => !same_part(slice, other),
        _ => false,
    }
}

/// See [`Lower::arm`].
pub(super) struct Arm {
    value: Value,
    after: Vec<Value>,
    block: Block,
    /// Which block of the builder it is.
    id: u32,
}

impl Arm {
    fn part(&self, k: usize) -> &Value {
        if k == 0 { &self.value } else { &self.after[k - 1] }
    }

    fn part_mut(&mut self, k: usize) -> &mut Value {
        if k == 0 { &mut self.value } else { &mut self.after[k - 1] }
    }

    fn values(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(&self.value).chain(&self.after)
    }
}
