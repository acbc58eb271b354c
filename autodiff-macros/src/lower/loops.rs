//! `for` loops over constant ranges, and assignments.

use super::Lower;
use super::value::{Form, Lowered, Reported, Value};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::ir::{Op, Ty, Var};
use crate::op::elementwise as rows;
use proc_macro2::TokenStream;
use std::collections::BTreeSet;
use syn::visit::Visit;
use syn::{BinOp, Expr, ExprForLoop, Pat, RangeLimits};

impl Lower<'_> {
    pub(super) fn for_loop(&mut self, expr: &ExprForLoop) -> Lowered<Value> {
        if let Some(label) = &expr.label {
            return self.unsupported(label, "a labelled loop", "leave the label out, if nothing jumps to it");
        }
        let index = match &*expr.pat {
            Pat::Ident(ident) => Some(ident.ident.to_string()),
            Pat::Wild(_) => None,
            other => {
                return self.unsupported(
                    other,
                    "this loop pattern",
                    "loop over a range, `for i in 0..N`, and index with `i`",
                );
            }
        };
        let (lo, hi, reverse) = self.range(&expr.expr)?;
        // What the body assigns and was there before is carried from one iteration to the next.
        let mut assigned = Assigned::default();
        assigned.visit_block(&expr.body);
        let mut carried: Vec<(String, Value)> = Vec::new();
        for name in assigned.names {
            if Some(&name) == index.as_ref() {
                continue;
            }
            match self.lookup(&name).map(|binding| binding.value.clone()) {
                Some(Some(value)) => {
                    let value = self.settle(value, &expr.pat)?;
                    carried.push((name, value));
                }
                Some(None) => return Err(Reported),
                None => {}
            }
        }
        let inits: Vec<Var> = carried.iter().flat_map(|(_, value)| value.leaves()).collect();
        let shapes: Vec<Value> = carried.iter().map(|(_, value)| value.clone()).collect();
        let names: Vec<String> = carried.into_iter().map(|(name, _)| name).collect();

        // Activity may come round from the end of the body: go through it until that is settled.
        let mut active: Vec<bool> = inits.iter().map(|init| self.active.contains(init)).collect();
        loop {
            let saved = (self.b.vars.len(), self.errors.clone(), self.scopes.clone());
            let i = self.b.var(Ty::index(), index.as_deref());
            let params: Vec<Var> =
                inits.iter().map(|init| self.b.var_like(*init, self.b.ty(*init).clone(), "")).collect();
            self.active.extend(params.iter().zip(&active).filter(|(_, active)| **active).map(|(param, _)| *param));
            self.b.open_block();
            let lowered = self.scoped(|lower| {
                if let Some(index) = &index {
                    lower.define(index, Some(Value::Leaf(i, Form::Plain)), false);
                }
                let mut rest = params.iter().copied();
                for (name, shape) in names.iter().zip(&shapes) {
                    let value = shape.rebuild(&mut rest);
                    if let Some(binding) = lower.lookup_mut(name) {
                        binding.value = Some(value);
                    }
                }
                lower.block_value(&expr.body).map(|_| ())
            });
            let results: Vec<Var> = names
                .iter()
                .filter_map(|name| self.lookup(name)?.value.clone())
                .flat_map(|value| value.leaves())
                .collect();
            let region = self.b.close_block([vec![i], params].concat(), results.clone());
            lowered?;
            if results.len() != inits.len() {
                return Err(Reported);
            }
            let now: Vec<bool> =
                results.iter().zip(&active).map(|(result, was)| *was || self.active.contains(result)).collect();
            if now != active {
                active = now;
                (_, self.errors, self.scopes) = saved;
                continue;
            }
            let tys = inits.iter().map(|init| self.b.ty(*init).clone()).collect();
            self.b.span = Some(expr.for_token.span);
            let outs = self.b.push_multi(Op::For { lo, hi, reverse }, inits, vec![region], tys);
            self.active.extend(outs.iter().zip(&active).filter(|(_, active)| **active).map(|(out, _)| *out));
            let mut rest = outs.into_iter();
            for (name, shape) in names.iter().zip(&shapes) {
                let value = shape.rebuild(&mut rest);
                if let Value::Leaf(var, _) = &value {
                    self.b.name(*var, name);
                }
                if let Some(binding) = self.lookup_mut(name) {
                    binding.value = Some(value);
                }
            }
            return Ok(Value::unit());
        }
    }

    /// The bounds of a constant range.
    fn range(&mut self, expr: &Expr) -> Lowered<(Dim, Dim, bool)> {
        let help = "loop over a range of constants: `for i in 0..N`";
        if let Expr::MethodCall(call) = unparen(expr) {
            if call.method == "rev" && call.args.is_empty() {
                let (lo, hi, reverse) = self.range(&call.receiver)?;
                return Ok((lo, hi, !reverse));
            }
        }
        let Expr::Range(range) = unparen(expr) else {
            return self.unsupported(expr, "a loop over anything but a range", help);
        };
        let (Some(lo), Some(hi)) = (&range.start, &range.end) else {
            return self.unsupported(expr, "a range without both ends", help);
        };
        let (lo, mut hi) = (self.size(lo)?, self.size(hi)?);
        if matches!(range.limits, RangeLimits::Closed(_)) {
            hi = hi.plus(&Dim::literal(1));
        }
        Ok((lo, hi, false))
    }

    /// A constant `usize`: `N`, `N - 1`, `x.len()`.
    pub(super) fn size(&mut self, expr: &Expr) -> Lowered<Dim> {
        match unparen(expr) {
            Expr::Binary(binary) if matches!(binary.op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_)) => {
                let (left, right) = (self.size(&binary.left)?, self.size(&binary.right)?);
                Ok(match binary.op {
                    BinOp::Add(_) => left.plus(&right),
                    BinOp::Sub(_) => left.minus(&right),
                    _ => left.times(&right),
                })
            }
            Expr::MethodCall(call) if call.method == "len" => {
                let value = self.expr(&call.receiver)?;
                match value {
                    Value::Leaf(var, _) if !self.b.ty(var).is_scalar() => Ok(self.b.ty(var).dims[0].clone()),
                    Value::List(parts) => Ok(Dim::literal(i64::try_from(parts.len()).unwrap_or(i64::MAX))),
                    _ => self.unsupported(
                        expr,
                        "a length that is not a constant",
                        "use an array, whose length is in its type",
                    ),
                }
            }
            Expr::Path(path) => {
                let local = path.path.get_ident().and_then(|ident| self.lookup(&ident.to_string()).cloned());
                match local {
                    None => Ok(crate::parse::ty::dim(expr)),
                    Some(binding) => match binding.value {
                        Some(Value::Untyped(untyped)) => match untyped.number {
                            Some(number) => Ok(Dim::literal(number as i64)),
                            None => Ok(Dim::atom(&untyped.tokens.to_string())),
                        },
                        Some(Value::Leaf(var, _)) => match self.constant_dim(var) {
                            Some(dim) => Ok(dim),
                            None => self.unsupported(
                                expr,
                                "a size that is not a constant",
                                "use a constant or a const parameter",
                            ),
                        },
                        Some(_) => self.unsupported(
                            expr,
                            "a size that is not a constant",
                            "use a constant or a const parameter",
                        ),
                        None => Err(Reported),
                    },
                }
            }
            Expr::Lit(_) | Expr::Block(_) => Ok(crate::parse::ty::dim(expr)),
            _ => self.unsupported(expr, "a size that is not a constant", "use a constant or a const parameter"),
        }
    }

    /// The symbolic value of an integer variable, where it is one.
    fn constant_dim(&mut self, var: Var) -> Option<Dim> {
        let eqn = self.b.current().iter().find(|eqn| eqn.outs == [var])?;
        match &eqn.op {
            Op::Dim(dim) => Some(dim.clone()),
            _ => None,
        }
    }

    /// `place = value`
    pub(super) fn assign(&mut self, place: &Expr, value: &Expr) -> Lowered<Value> {
        if matches!(place, Expr::Infer(_)) {
            return self.expr(value).map(|_| Value::unit());
        }
        let value = self.expr(value)?;
        self.store(place, &mut |lower, old| match (old, value.clone()) {
            (Place::Whole(old), value) => lower.like(value, old, place),
            (Place::Element(array, at), value) => {
                let ty = lower.element_ty(array, &at);
                let v = lower.leaf_like(value, &ty, place)?;
                let set = lower.b.set(array, v, &at);
                Ok(Value::Leaf(lower.track(set, &[array, v]), Form::Plain))
            }
        })
    }

    /// `place += value` and its like
    pub(super) fn assign_op(&mut self, place: &Expr, op: &BinOp, value: &Expr, whole: &TokenStream) -> Lowered<Value> {
        let value_expr = value;
        let value = self.expr(value)?;
        self.store(place, &mut |lower, old| match old {
            Place::Whole(old) => lower.binary_values(whole, op, (place, old.clone()), (value_expr, value.clone())),
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

    fn element_ty(&self, array: Var, at: &[Var]) -> Ty {
        let ty = self.b.ty(array);
        Ty::tensor(ty.elem.clone(), ty.dims[at.len().min(ty.rank())..].to_vec())
    }

    /// Changes what a place expression names.
    fn store(&mut self, place: &Expr, change: &mut dyn FnMut(&mut Self, Place) -> Lowered<Value>) -> Lowered<Value> {
        // `base.field[i][j]`: the base is a variable, indices come last.
        let mut indices: Vec<&Expr> = Vec::new();
        let mut rest = unparen(place);
        loop {
            match rest {
                Expr::Index(index) => {
                    match unparen(&index.index) {
                        Expr::Array(array) => indices.extend(array.elems.iter().rev()),
                        single => indices.push(single),
                    }
                    rest = unparen(&index.expr);
                }
                Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => rest = unparen(&unary.expr),
                _ => break,
            }
        }
        indices.reverse();
        let mut members = Vec::new();
        while let Expr::Field(field) = rest {
            members.push(field.member.clone());
            rest = unparen(&field.base);
        }
        members.reverse();
        let name = match rest {
            Expr::Path(path) if path.path.get_ident().is_some() => path.path.segments[0].ident.to_string(),
            other => {
                return self.unsupported(
                    other,
                    "an assignment to this place",
                    "assign to a local variable, its fields or its elements",
                );
            }
        };
        let Some(binding) = self.lookup(&name).cloned() else {
            return self.fail(Error::new(rest, format!("`{name}` is not a variable of this function")));
        };
        if !binding.mutable {
            let message = format!("`{name}` is not mutable");
            return self.fail(Error::new(rest, message).help(format!("declare it with `let mut {name}`")));
        }
        let Some(mut value) = binding.value else { return Err(Reported) };
        let slot = members.iter().try_fold(&mut value, |slot, member| slot.member_mut(member));
        let Some(old) = slot.as_deref().cloned() else {
            return self.fail(Error::new(place, "there is no such field"));
        };
        let new = if indices.is_empty() {
            change(self, Place::Whole(old))?
        } else {
            let Value::Leaf(array, form) = old else {
                return self.unsupported(
                    place,
                    "an assignment to this element",
                    "assign to the elements of an array of numbers",
                );
            };
            let at = indices.into_iter().map(|index| self.index(index)).collect::<Lowered<Vec<Var>>>()?;
            let rank = self.b.ty(array).rank();
            if at.len() > rank {
                return self.fail(Error::new(place, format!("{} indices into an array with {rank} axes", at.len())));
            }
            let new = change(self, Place::Element(array, at))?;
            Value::Leaf(new.leaves()[0], form)
        };
        if let Some(slot) = members.iter().try_fold(&mut value, |slot, member| slot.member_mut(member)) {
            *slot = new;
        }
        if let Value::Leaf(var, _) = &value {
            self.b.name(*var, &name);
        }
        if let Some(binding) = self.lookup_mut(&name) {
            binding.value = Some(value);
        }
        Ok(Value::unit())
    }
}

/// What an assignment changes.
pub(super) enum Place {
    Whole(Value),
    Element(Var, Vec<Var>),
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
}

impl Assigned {
    fn note(&mut self, place: &Expr) {
        match unparen(place) {
            Expr::Path(path) => {
                if let Some(ident) = path.path.get_ident() {
                    self.names.insert(ident.to_string());
                }
            }
            Expr::Index(index) => self.note(&index.expr),
            Expr::Field(field) => self.note(&field.base),
            Expr::Unary(unary) => self.note(&unary.expr),
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Assigned {
    fn visit_expr_assign(&mut self, assign: &'a syn::ExprAssign) {
        self.note(&assign.left);
        syn::visit::visit_expr_assign(self, assign);
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
