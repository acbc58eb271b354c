//! Methods: rows of the element-wise table, and the table of [`crate::op::method`].

use super::Lower;
use super::loops::unparen;
use super::value::{Form, Lowered, Untyped, Value};
use crate::diag::Error;
use crate::ir::dim::{self, Dim};
use crate::ir::{Elem, Var};
use crate::op::method::{Arg, Method, ParamKind};
use crate::op::{RowKind, Spelling, elementwise, method};
use quote::{ToTokens, quote};
use syn::{Expr, ExprMethodCall, Ident};

impl Lower<'_> {
    pub(super) fn method_call(&mut self, call: &ExprMethodCall) -> Lowered<Value> {
        let receiver = self.expr(&call.receiver)?;
        let args: Vec<&Expr> = call.args.iter().collect();
        self.method(call, &call.method, (&call.receiver, receiver), &args)
    }

    /// `receiver.name(args)`, or the same written as `f64::name(receiver, args)`.
    pub(super) fn method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        (receiver_expr, receiver): (&Expr, Value),
        args: &[&Expr],
    ) -> Lowered<Value> {
        let text = name.to_string();
        match (&text[..], &receiver) {
            ("clone" | "to_owned" | "as_ref", _) if args.is_empty() => return Ok(receiver),
            ("len", Value::Leaf(var, _)) if !self.b.ty(*var).is_scalar() => {
                let dim = self.b.ty(*var).dims[0].clone();
                return Ok(Value::Leaf(self.b.dim(dim), Form::Plain));
            }
            ("len", Value::List(parts)) => {
                let dim = Dim::literal(i64::try_from(parts.len()).unwrap_or(i64::MAX));
                return Ok(Value::Leaf(self.b.dim(dim), Form::Plain));
            }
            _ => {}
        }
        let (var, form) = match receiver {
            Value::Leaf(var, form) => (var, form),
            Value::Untyped(untyped) if untyped.number.is_none() || !untyped.integer => {
                return self.untyped_method(at, name, &untyped, args);
            }
            other => {
                if let Some(tokens) = self.passive_tokens(&other) {
                    return self.passive_method(at, name, &tokens, args);
                }
                let message = format!("{} has no method `{text}` that can be differentiated", other.describe(&self.b));
                return self.fail(Error::new(name, message).help("call it on its parts"));
            }
        };
        if !self.b.ty(var).is_float() {
            return self.unsupported(name, &format!("`{text}` on `{}`", self.b.ty(var).elem), "compute it outside and pass it in with `#[no_diff]`");
        }
        if let Some(row) = elementwise::find(&text).filter(|row| row.spelling == Spelling::Method && row.name != "larger") {
            if !self.b.ty(var).is_scalar() && form == Form::Plain {
                return self.arrays_have_no_methods(name, receiver_expr, var);
            }
            return self.row_method(at, name, row, (receiver_expr, var), args);
        }
        match method::find(&text) {
            Some(_) if self.b.ty(var).is_scalar() => {
                self.fail(Error::new(name, format!("`{text}` is a method of tensors, `{}` is a number", crate::parse::ty::spelled(receiver_expr))))
            }
            Some(_) if form == Form::Plain => self.arrays_have_no_methods(name, receiver_expr, var),
            Some(method) => self.table_method(at, name, method, (receiver_expr, var), args),
            None => self.unknown_method(name, var),
        }
    }

    fn unknown_method<T>(&mut self, name: &Ident, var: Var) -> Lowered<T> {
        let what = if self.b.ty(var).is_scalar() { "numbers" } else { "tensors" };
        let mut error = Error::new(name, format!("no derivative is known for the method `{name}` of {what}"));
        let text = name.to_string();
        let close = method::names().chain(elementwise::ROWS.iter().map(|row| row.name)).min_by_key(|known| distance(known, &text));
        error = match close.filter(|known| distance(known, &text) <= 2) {
            Some(known) => error.help(format!("there is `{known}`")),
            None if self.active.contains(&var) => error.help("if no derivative is wanted here, write `stop_gradient(…)` around the operand and compute outside"),
            None => error.help("compute it outside and pass it in with `#[no_diff]`"),
        };
        self.fail(error)
    }

    fn arrays_have_no_methods<T>(&mut self, name: &Ident, receiver: &Expr, var: Var) -> Lowered<T> {
        let message = format!(
            "arrays have no method `{name}`: `{}` is an array {}",
            crate::parse::ty::spelled(receiver),
            dim::show(&self.b.ty(var).dims)
        );
        self.fail(Error::new(name, message).help("use a `Tensor` instead of the array, or loop over its elements"))
    }

    fn count<T: ToTokens>(&mut self, name: &T, wanted: usize, given: usize) -> Lowered<()> {
        if wanted == given {
            return Ok(());
        }
        let text = name.to_token_stream();
        let plural = if wanted == 1 { "argument" } else { "arguments" };
        self.fail(Error::new(name, format!("`{text}` takes {wanted} {plural}, {given} are given")))
    }

    fn row_method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        row: &'static crate::op::Row,
        (receiver_expr, receiver): (&Expr, Var),
        args: &[&Expr],
    ) -> Lowered<Value> {
        self.count(name, row.arity - 1, args.len())?;
        let mut operands: Vec<(&dyn ToTokens, Var)> = vec![(receiver_expr, receiver)];
        let elem = self.b.ty(receiver).elem.clone();
        for arg in args {
            let value = self.expr(arg)?;
            let ty = if row.kind == RowKind::IntExponent { Elem::Int("i32".into()) } else { elem.clone() };
            let var = match value {
                Value::Untyped(untyped) => {
                    let value = self.typed(&untyped, &ty);
                    value.leaves()[0]
                }
                Value::Leaf(var, _) if self.b.ty(var).elem == ty => var,
                other => {
                    let message = format!("`{name}` takes a `{ty}` here, this is {}", other.describe(&self.b));
                    return self.fail(Error::new(arg, message));
                }
            };
            operands.push((arg, var));
        }
        let out = self.checked_map(at, row, &operands)?;
        Ok(Value::leaf(&self.b, out))
    }

    fn table_method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        method: &Method,
        (receiver_expr, receiver): (&Expr, Var),
        args: &[&Expr],
    ) -> Lowered<Value> {
        self.count(name, method.params.len(), args.len())?;
        if let Some(ranks) = method.ranks {
            let rank = self.b.ty(receiver).rank();
            if !ranks.contains(&rank) {
                let wanted = ranks.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
                let message = format!("`{name}` takes a tensor with {wanted} axes, this has {rank}");
                let shape = format!("`{}` is {}", crate::parse::ty::spelled(receiver_expr), dim::show(&self.b.ty(receiver).dims));
                return self.fail(Error::new(at, message).note(shape).help("bring it into shape with `reshape`"));
            }
        }
        let mut operands: Vec<(&dyn ToTokens, Var)> = vec![(receiver_expr, receiver)];
        let mut lowered = vec![Arg::Operand(receiver)];
        for (kind, arg) in method.params.iter().zip(args) {
            lowered.push(match kind {
                ParamKind::Operand => {
                    let var = self.operand(name, arg, receiver)?;
                    operands.push((*arg, var));
                    Arg::Operand(var)
                }
                ParamKind::Labels => {
                    let var = self.labels(name, arg)?;
                    operands.push((*arg, var));
                    Arg::Operand(var)
                }
                ParamKind::Axis => Arg::Axis(self.axis(arg, (receiver_expr, receiver))?),
                ParamKind::Dims => Arg::Dims(self.dims(arg)?),
            });
        }
        self.b.span = Some(super::span_of(at));
        let vars: Vec<Var> = operands.iter().map(|(_, var)| *var).collect();
        match (method.build)(&mut self.b, &lowered) {
            Ok(out) => {
                let out = self.track(out, &vars);
                Ok(Value::leaf(&self.b, out))
            }
            Err(mismatch) => self.mismatch(at, mismatch, &operands),
        }
    }

    /// A tensor (or number) argument of a method.
    fn operand(&mut self, name: &Ident, arg: &Expr, receiver: Var) -> Lowered<Var> {
        let elem = self.b.ty(receiver).elem.clone();
        match self.expr(arg)? {
            Value::Untyped(untyped) => Ok(self.typed(&untyped, &elem).leaves()[0]),
            Value::Leaf(var, form) if self.b.ty(var).elem == elem && (form == Form::Tensor || self.b.ty(var).is_scalar()) => Ok(var),
            other => {
                let message = format!("`{name}` takes a tensor of `{elem}` here, this is {}", other.describe(&self.b));
                self.fail(Error::new(arg, message))
            }
        }
    }

    /// An array of `usize`.
    fn labels(&mut self, name: &Ident, arg: &Expr) -> Lowered<Var> {
        match self.expr(arg)? {
            Value::Leaf(var, _) if self.b.ty(var).elem == Elem::usize() && !self.b.ty(var).is_scalar() => Ok(var),
            other => {
                let message = format!("`{name}` takes an array of `usize` here, this is {}", other.describe(&self.b));
                self.fail(Error::new(arg, message).help("declare it as `&[usize; N]`"))
            }
        }
    }

    /// A literal axis; negative ones count from the end.
    fn axis(&mut self, arg: &Expr, (receiver_expr, receiver): (&Expr, Var)) -> Lowered<usize> {
        let rank = self.b.ty(receiver).rank();
        let dims = self.b.ty(receiver).dims.clone();
        let axis = match unparen(arg) {
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
                crate::parse::ty::dim(&unary.expr).as_literal().map(|axis| -axis)
            }
            other => crate::parse::ty::dim(other).as_literal(),
        };
        let Some(given) = axis else {
            return self.fail(Error::new(arg, "an axis is written as a literal").help(format!("write a number from 0 to {}", rank.saturating_sub(1))));
        };
        let signed_rank = i64::try_from(rank).unwrap_or(i64::MAX);
        let axis = if given < 0 { given + signed_rank } else { given };
        match usize::try_from(axis) {
            Ok(axis) if axis < rank => Ok(axis),
            _ => {
                let text = crate::parse::ty::spelled(receiver_expr);
                let message = format!("axis {given} is out of range for {}", dim::show(&dims));
                let last = rank.saturating_sub(1);
                self.fail(
                    Error::new(arg, message)
                        .note(format!("`{text}` has {rank} axes"))
                        .help(format!("write an axis from 0 to {last}, or from -{rank} to -1 counting from the end")),
                )
            }
        }
    }

    /// `[3, N]`
    fn dims(&mut self, arg: &Expr) -> Lowered<Vec<Dim>> {
        let Expr::Array(array) = unparen(arg) else {
            return self.fail(Error::new(arg, "a shape is written as a list of sizes").help("for example `[3, 4]`"));
        };
        array.elems.iter().map(|elem| self.size(elem)).collect()
    }

    /// A method of a literal or constant: `2.0.sqrt()`.
    fn untyped_method(&mut self, at: &impl ToTokens, name: &Ident, untyped: &Untyped, args: &[&Expr]) -> Lowered<Value> {
        if untyped.number.is_none() {
            return self.passive_method(at, name, &untyped.tokens, args);
        }
        let value = self.settle(Value::Untyped(untyped.clone()), at)?;
        let [var] = value.leaves()[..] else { return Err(super::value::Reported) };
        let literal: Expr = syn::parse2(untyped.tokens.clone()).unwrap_or_else(|_| syn::parse_quote!(x));
        self.method(at, name, (&literal, Value::Leaf(var, Form::Plain)), args)
    }

    /// A method of something inactive stays as it is, if only constants go into it.
    fn passive_method(&mut self, at: &impl ToTokens, name: &Ident, receiver: &proc_macro2::TokenStream, args: &[&Expr]) -> Lowered<Value> {
        let mut tokens = Vec::new();
        for arg in args {
            let value = self.expr(arg)?;
            if self.is_active(&value) {
                return self.fail(
                    Error::new(arg, format!("the derivative ends here: `{name}` is not differentiable"))
                        .note("the value depends on a differentiable input")
                        .help("if that is meant, write `stop_gradient(…)` around it"),
                );
            }
            match self.passive_tokens(&value) {
                Some(passive) => tokens.push(passive),
                None => return self.unsupported(at, "this call", "compute it outside and pass it in with `#[no_diff]`"),
            }
        }
        Ok(Value::Untyped(Untyped { tokens: quote!(#receiver.#name(#(#tokens),*)), number: None, integer: false }))
    }
}

/// How many letters two names differ by.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
