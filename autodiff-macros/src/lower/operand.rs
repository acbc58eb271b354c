//! Arguments of operators: tensors, axes, sizes, options.

use super::Lower;
use super::assign::unparen;
use super::method::Like;
use super::value::{Lowered, Untyped, Value};
use crate::desugar::idents;
use crate::diag::Error;
use crate::ir::dim::{self, Dim};
use crate::ir::{Elem, Var};
use crate::layout::Form;
use crate::op::method;
use crate::op::method::{Arg, ParamKind};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, Ident};

impl Lower<'_> {
    pub(super) fn argument(
        &mut self,
        kind: ParamKind,
        arg: &Expr,
        like: &Like,
        operands: &mut Vec<(TokenStream, Var)>,
    ) -> Lowered<Arg> {
        let mut operand = |var| {
            operands.push((arg.to_token_stream(), var));
            Arg::Operand(var)
        };
        match kind {
            ParamKind::Operand => self.operand(like, arg).map(&mut operand),
            ParamKind::Number => self.number(like, arg).map(&mut operand),
            ParamKind::Mask => self.mask(like.name, arg).map(&mut operand),
            ParamKind::Labels => self.labels(like.name, arg).map(&mut operand),
            ParamKind::Operands => {
                let Expr::Array(array) = unparen(arg) else {
                    let message = format!("`{}` takes a list of tensors here", like.name);
                    return self.fail(Error::new(arg, message).help("for example `[x, y]`"));
                };
                let mut vars = Vec::new();
                for elem in &array.elems {
                    let like =
                        Like { name: like.name, receiver: like.receiver.or(vars.first().map(|var| (elem, *var))) };
                    let var = self.operand(&like, elem)?;
                    operands.push((elem.to_token_stream(), var));
                    vars.push(var);
                }
                if vars.is_empty() {
                    return self.fail(Error::new(arg, format!("`{}` takes at least one tensor", like.name)));
                }
                Ok(Arg::Operands(vars))
            }
            ParamKind::Axis | ParamKind::Axes | ParamKind::NewAxis => match like.receiver {
                Some(receiver) => self.axes(kind, arg, receiver),
                None => self.fail(Error::new(arg, "an axis of nothing")),
            },
            ParamKind::Size => Ok(Arg::Dims(vec![self.size(arg)?])),
            ParamKind::Place => {
                let is_constant = idents(arg).iter().all(|name| self.lookup(name).is_none());
                Ok(Arg::Dims(vec![if is_constant { self.size(arg)? } else { self.bound(arg)? }]))
            }
            ParamKind::Dims => Ok(Arg::Dims(self.dims(arg)?)),
            ParamKind::Ranges => Ok(Arg::Pairs(self.ranges(arg)?)),
            ParamKind::Pairs => Ok(Arg::Pairs(self.pairs(arg)?)),
            ParamKind::Options(name, fields) => Ok(Arg::Options(self.options(arg, name, fields)?)),
        }
    }

    /// `[1..3, 0..2]`
    fn ranges(&mut self, arg: &Expr) -> Lowered<Vec<(Dim, Dim)>> {
        let Expr::Array(array) = unparen(arg) else {
            return self.fail(
                Error::new(arg, "ranges are written as a list, one for each axis").help("for example `[1..3, 0..2]`"),
            );
        };
        let mut ranges = Vec::new();
        for elem in &array.elems {
            let Expr::Range(range) = unparen(elem) else {
                return self.fail(Error::new(elem, "a range is expected here").help("for example `1..3`"));
            };
            let (Some(lo), Some(hi)) = (&range.start, &range.end) else {
                return self.fail(Error::new(elem, "both ends of the range are needed").help("for example `1..3`"));
            };
            let (lo, mut hi) = (self.size(lo)?, self.size(hi)?);
            if matches!(range.limits, syn::RangeLimits::Closed(_)) {
                hi = hi.plus(&Dim::literal(1));
            }
            ranges.push((lo, hi));
        }
        Ok(ranges)
    }

    /// `[(1, 2), (0, 1)]`
    fn pairs(&mut self, arg: &Expr) -> Lowered<Vec<(Dim, Dim)>> {
        let help = "for example `[(1, 2), (0, 1)]`";
        let Expr::Array(array) = unparen(arg) else {
            return self.fail(Error::new(arg, "pairs are written as a list, one for each axis").help(help));
        };
        let mut pairs = Vec::new();
        for elem in &array.elems {
            match unparen(elem) {
                Expr::Tuple(tuple) if tuple.elems.len() == 2 => {
                    pairs.push((self.size(&tuple.elems[0])?, self.size(&tuple.elems[1])?));
                }
                other => return self.fail(Error::new(other, "a pair of sizes is expected here").help(help)),
            }
        }
        Ok(pairs)
    }

    /// A number: a literal, a constant or a scalar.
    fn number(&mut self, like: &Like, arg: &Expr) -> Lowered<Var> {
        let var = self.operand(like, arg)?;
        if self.b.ty(var).is_scalar() {
            return Ok(var);
        }
        let shape = dim::show(&self.b.ty(var).dims);
        self.fail(Error::new(arg, format!("`{}` takes a number here, this is a tensor {shape}", like.name)))
    }

    /// A tensor of truth values.
    fn mask(&mut self, name: &Ident, arg: &Expr) -> Lowered<Var> {
        match self.expr(arg)? {
            Value::Leaf(var, _) if self.b.ty(var).elem == Elem::Bool => Ok(var),
            other => {
                let message = format!("`{name}` takes a comparison here, this is {}", other.describe(&self.b));
                self.fail(Error::new(arg, message).help("for example `x.gt(0.0)`"))
            }
        }
    }

    /// A literal as an argument: `1` is no float, and `1.0` no exponent of `powi`.
    pub(super) fn typed_argument(&mut self, name: &Ident, untyped: &Untyped, elem: &Elem, at: &Expr) -> Lowered<Value> {
        let Some(number) = untyped.number.filter(|_| untyped.integer == elem.is_float() && *elem != Elem::Bool) else {
            return Ok(self.typed(untyped, elem));
        };
        let (text, what) = (crate::parse::ty::spelled(at), if untyped.integer { "an integer" } else { "a float" });
        let error = Error::new(at, format!("`{name}` takes {} here, `{text}` is {what}", article(elem)));
        self.fail(match (untyped.integer, number.fract() == 0.0) {
            (true, _) => error.help(format!("write `{number:?}`")),
            (false, true) => error.help(format!("write `{number:.0}`")),
            (false, false) => error.help(format!("`powf` takes `{text}`")),
        })
    }

    /// A tensor (or number) argument of a method.
    pub(super) fn operand(&mut self, like: &Like, arg: &Expr) -> Lowered<Var> {
        let name = like.name;
        let elem = like.receiver.map(|(_, var)| self.b.ty(var).elem.clone()).or_else(|| self.default_elem());
        let value = self.expr(arg)?;
        let elem = match (elem, &value) {
            (Some(elem), _) => elem,
            (None, Value::Leaf(var, _)) => self.b.ty(*var).elem.clone(),
            (None, _) => {
                return self.fail(
                    Error::new(arg, "the type of this is not visible").help("name it with a `let` and write its type"),
                );
            }
        };
        match value {
            Value::Untyped(untyped) => Ok(self.typed_argument(name, &untyped, &elem, arg)?.leaves()[0]),
            Value::Leaf(var, form)
                if self.b.ty(var).elem == elem && (form == Form::Tensor || self.b.ty(var).is_scalar()) =>
            {
                Ok(var)
            }
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

    /// An axis, a list of axes, or the place of a new one.
    fn axes(&mut self, kind: ParamKind, arg: &Expr, receiver: (&Expr, Var)) -> Lowered<Arg> {
        let rank = self.b.ty(receiver.1).rank();
        match (kind, unparen(arg)) {
            (ParamKind::Axes, _) => Ok(Arg::Axes(self.axis_list(arg, receiver, rank)?)),
            (ParamKind::NewAxis, _) => Ok(Arg::Axis(self.axis(arg, receiver, rank + 1)?)),
            _ => Ok(Arg::Axis(self.axis(arg, receiver, rank)?)),
        }
    }

    /// A literal axis below `rank`; negative ones count from the end.
    fn axis(&mut self, arg: &Expr, (receiver_expr, receiver): (&Expr, Var), rank: usize) -> Lowered<usize> {
        let dims = self.b.ty(receiver).dims.clone();
        let axis = match unparen(arg) {
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
                crate::parse::ty::dim(&unary.expr).as_literal().map(|axis| -axis)
            }
            other => crate::parse::ty::dim(other).as_literal(),
        };
        let Some(given) = axis else {
            return self.fail(
                Error::new(arg, "an axis is written as a literal")
                    .help(format!("write a number from 0 to {}", rank.saturating_sub(1))),
            );
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
                        .note(format!("`{text}` has {}", method::counted(dims.len(), "axis")))
                        .help(format!("write an axis from 0 to {last}, or from -{rank} to -1 counting from the end")),
                )
            }
        }
    }

    /// `[0, 2]`: different axes, at least one.
    fn axis_list(&mut self, arg: &Expr, receiver: (&Expr, Var), rank: usize) -> Lowered<Vec<usize>> {
        let Expr::Array(array) = unparen(arg) else {
            return self.fail(Error::new(arg, "axes are written as a list of literals").help("for example `[1, 0]`"));
        };
        let mut axes = Vec::new();
        for elem in &array.elems {
            let axis = self.axis(elem, receiver, rank)?;
            if axes.contains(&axis) {
                return self
                    .fail(Error::new(elem, format!("axis {axis} is in the list already")).help("name each axis once"));
            }
            axes.push(axis);
        }
        if axes.is_empty() {
            return self
                .fail(Error::new(arg, "this list of axes is empty").help("name at least one axis, for example `[0]`"));
        }
        Ok(axes)
    }

    /// `[3, N]`
    fn dims(&mut self, arg: &Expr) -> Lowered<Vec<Dim>> {
        let Expr::Array(array) = unparen(arg) else {
            return self.fail(Error::new(arg, "a shape is written as a list of sizes").help("for example `[3, 4]`"));
        };
        array.elems.iter().map(|elem| self.size(elem)).collect()
    }
}

/// "an `f32`", "an `i32`", "a `T`"
fn article(elem: &Elem) -> String {
    match elem {
        Elem::F32 | Elem::F64 | Elem::Int(_) => format!("an `{elem}`"),
        _ => format!("a `{elem}`"),
    }
}
