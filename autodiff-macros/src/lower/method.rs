//! Methods: rows of the element-wise table, and the table of [`crate::op::method`].

use super::Lower;
use super::assign::unparen;
use super::value::{Form, Lowered, Untyped, Value};
use crate::diag::{Error, are, counted};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
use crate::ir::{Elem, Var};
use crate::op::method::{Arg, Build, Function, Method, ParamKind, Several};
use crate::op::{Mismatch, RowKind, elementwise, method};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprMethodCall, Ident};

/// What an argument is typed and measured by.
pub(super) struct Like<'a> {
    /// The operator's name.
    pub(super) name: &'a Ident,
    /// The first tensor.
    pub(super) receiver: Option<(&'a Expr, Var)>,
}

impl Lower<'_> {
    pub(super) fn method_call(&mut self, call: &ExprMethodCall) -> Lowered<Value> {
        if super::sequence::is_mutating(&call.method) {
            return self.mutating_method(call);
        }
        let receiver = self.expr(&call.receiver)?;
        if let Some(value) = self.owned_method(call, &receiver) {
            return value;
        }
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
            ("clone" | "to_owned", Value::View(_) | Value::Grown(..)) => {}
            ("clone" | "to_owned" | "as_ref", _) if args.is_empty() => return Ok(receiver),
            ("len", Value::List(parts)) => {
                let dim = Dim::literal(i64::try_from(parts.len()).unwrap_or(i64::MAX));
                return Ok(Value::Leaf(self.b.dim(dim), Form::Plain));
            }
            _ => {}
        }
        if let Some(value) = self.view_method(name, &receiver, args) {
            return value;
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
        if let (Elem::Int(_), true) = (&self.b.ty(var).elem, self.b.ty(var).is_scalar()) {
            return self.integer_method(name, var, args);
        }
        if !self.b.ty(var).is_float() {
            return self.unsupported(
                name,
                &format!("`{text}` on `{}`", self.b.ty(var).elem),
                "compute it outside and pass it in with `#[no_diff]`",
            );
        }
        let of_number = self.b.ty(var).is_scalar();
        if text == "sin_cos" && args.is_empty() && (of_number || form == Form::Tensor) {
            let parts =
                [&elementwise::sin, &elementwise::cos].map(|row| self.checked_map(at, row, &[(receiver_expr, var)]));
            let parts: Vec<Var> = parts.into_iter().collect::<Lowered<_>>()?;
            return Ok(Value::Tuple(parts.into_iter().map(|part| Value::leaf(&self.b, part)).collect()));
        }
        if let Some(row) = elementwise::find_method(&text, of_number) {
            if !self.b.ty(var).is_scalar() && form == Form::Plain {
                return self.arrays_have_no_methods(name, receiver_expr, var);
            }
            return self.row_method(at, name, row, (receiver_expr, var), args);
        }
        match method::find(&text) {
            Some(_) if self.b.ty(var).is_scalar() => self.fail(Error::new(
                name,
                format!("`{text}` is a method of tensors, `{}` is a number", crate::parse::ty::spelled(receiver_expr)),
            )),
            Some(_) if form == Form::Plain => self.arrays_have_no_methods(name, receiver_expr, var),
            Some(method) => self.table_method(at, name, method, (receiver_expr, var), args),
            None => self.unknown_method(name, var),
        }
    }

    /// A method of an integer stays as it is.
    fn integer_method(&mut self, name: &Ident, var: Var, args: &[&Expr]) -> Lowered<Value> {
        let own = self.b.ty(var).clone();
        let result = match &name.to_string()[..] {
            "trailing_zeros" | "leading_zeros" | "count_ones" | "count_zeros" | "ilog2" | "ilog10" | "ilog" => {
                Elem::Int("u32".into())
            }
            "is_power_of_two" | "is_multiple_of" | "is_positive" | "is_negative" => Elem::Bool,
            "min" | "max" | "clamp" | "pow" | "abs" | "signum" | "isqrt" | "div_ceil" | "rem_euclid" | "div_euclid"
            | "next_power_of_two" | "next_multiple_of" | "saturating_sub" | "saturating_add" | "saturating_mul"
            | "wrapping_sub" | "wrapping_add" | "wrapping_mul" | "abs_diff" | "rotate_left" | "rotate_right"
            | "swap_bytes" | "reverse_bits" => own.elem.clone(),
            _ => {
                let what = format!("`{name}` on `{}`", own.elem);
                return self.unsupported(name, &what, "compute it outside and pass it in with `#[no_diff]`");
            }
        };
        let exponent = matches!(&name.to_string()[..], "pow" | "ilog" | "rotate_left" | "rotate_right");
        let mut vars = vec![var];
        for arg in args {
            let elem = if exponent { Elem::Int("u32".into()) } else { own.elem.clone() };
            let value = self.expr_expecting(arg, Some(&crate::parse::ty::Surface::Scalar(elem.clone())))?;
            vars.push(self.leaf_like(value, &crate::ir::Ty::scalar(elem), arg)?);
        }
        if let [a, b] = vars[..] {
            if let Some(dim) = self.constant_method(&name.to_string(), a, b) {
                return Ok(Value::Leaf(self.b.dim(dim), Form::Plain));
            }
        }
        let (receiver, holes) = (crate::ir::hole(0), (1..vars.len()).map(crate::ir::hole));
        // With the type: a literal has none of its own.
        let of = crate::emit::elem_tokens(&own.elem);
        let opaque = crate::ir::Opaque { tokens: quote!(#of::#name(#receiver #(, #holes)*)), is_call: false };
        Ok(Value::Leaf(self.b.opaque(opaque, vars, crate::ir::Ty::scalar(result)), Form::Plain))
    }

    fn unknown_method<T>(&mut self, name: &Ident, var: Var) -> Lowered<T> {
        let what = if self.b.ty(var).is_scalar() { "numbers" } else { "tensors" };
        let mut error = Error::new(name, format!("no derivative is known for the method `{name}` of {what}"));
        let text = name.to_string();
        let close = method::names()
            .chain(elementwise::all().filter(|row| row.is_method()).map(|row| row.name))
            .min_by_key(|known| distance(known, &text));
        error = match close.filter(|known| distance(known, &text) <= 2) {
            Some(known) => error.help(format!("there is `{known}`")),
            None if self.active.contains(&var) => {
                error.help("write it with methods that have one, or as a function with `#[differentiable]`")
            }
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
        self.fail(Error::new(name, format!("`{text}` takes {}, {} given", counted(wanted, "argument"), are(given))))
    }

    fn row_method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        row: &'static crate::op::Row,
        (receiver_expr, receiver): (&Expr, Var),
        args: &[&Expr],
    ) -> Lowered<Value> {
        self.count(name, row.arity() - 1, args.len())?;
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
                let wanted = match ranks {
                    [least, _, .., 6] => format!("at least {least}"),
                    _ => ranks.iter().map(usize::to_string).collect::<Vec<_>>().join(" or "),
                };
                let axes = if wanted == "1" { "axis" } else { "axes" };
                let message = format!("`{name}` takes a tensor with {wanted} {axes}, this has {rank}");
                let shape = format!(
                    "`{}` is {}",
                    crate::parse::ty::spelled(receiver_expr),
                    dim::show(&self.b.ty(receiver).dims)
                );
                return self.fail(Error::new(at, message).note(shape).help("bring it into shape with `reshape`"));
            }
        }
        let mut operands: Vec<(TokenStream, Var)> = vec![(receiver_expr.to_token_stream(), receiver)];
        let mut lowered = vec![Arg::Operand(receiver)];
        let like = Like { name, receiver: Some((receiver_expr, receiver)) };
        for (kind, arg) in method.params.iter().zip(args) {
            lowered.push(self.argument(*kind, arg, &like, &mut operands)?);
        }
        self.build(at, method.build, &lowered, &operands)
    }

    /// `concat([x, y], 0)` and its like, where a tensor is among the arguments.
    pub(super) fn table_function(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        function: &Function,
        args: &[&Expr],
    ) -> Lowered<Value> {
        let (lowered, operands) = self.function_arguments(name, function.params, args)?;
        self.build(at, function.build, &lowered, &operands)
    }

    /// `lstm_cell(x, h, …)`: the results as a tuple, unless there is only one.
    pub(super) fn table_several(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        function: &Several,
        args: &[&Expr],
    ) -> Lowered<Value> {
        let (lowered, operands) = self.function_arguments(name, function.params, args)?;
        let mut values = self.build_several(at, &operands, |b| (function.build)(b, &lowered))?;
        Ok(if values.len() == 1 { values.remove(0) } else { Value::Tuple(values) })
    }

    fn function_arguments(
        &mut self,
        name: &Ident,
        params: &[ParamKind],
        args: &[&Expr],
    ) -> Lowered<(Vec<Arg>, Vec<(TokenStream, Var)>)> {
        self.count(name, params.len(), args.len())?;
        let (mut operands, mut lowered) = (Vec::new(), Vec::new());
        // The first tensor says what the literals are and where axes are counted.
        let mut first: Option<(&Expr, Var)> = None;
        for (kind, arg) in params.iter().zip(args) {
            lowered.push(self.argument(*kind, arg, &Like { name, receiver: first }, &mut operands)?);
            first = first.or_else(|| {
                let float = operands.iter().find(|(_, var)| self.b.ty(*var).is_float());
                float.map(|(_, var)| (*arg, *var))
            });
        }
        Ok((lowered, operands))
    }

    fn build(
        &mut self,
        at: &impl ToTokens,
        build: Build,
        args: &[Arg],
        operands: &[(TokenStream, Var)],
    ) -> Lowered<Value> {
        let mut values = self.build_several(at, operands, |b| build(b, args).map(|out| vec![out]))?;
        Ok(values.remove(0))
    }

    fn build_several(
        &mut self,
        at: &impl ToTokens,
        operands: &[(TokenStream, Var)],
        build: impl FnOnce(&mut Builder) -> Result<Vec<Var>, Mismatch>,
    ) -> Lowered<Vec<Value>> {
        self.at(at);
        let vars: Vec<Var> = operands.iter().map(|(_, var)| *var).collect();
        match build(&mut self.b) {
            Ok(outs) => {
                let outs = outs.into_iter().map(|out| {
                    let out = self.track(out, &vars);
                    Value::leaf(&self.b, out)
                });
                Ok(outs.collect())
            }
            Err(mismatch) => {
                let operands: Vec<(&dyn ToTokens, Var)> =
                    operands.iter().map(|(tokens, var)| (tokens as &dyn ToTokens, *var)).collect();
                self.mismatch(at, mismatch, &operands)
            }
        }
    }

    fn argument(
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

    /// `Conv2d { stride: [1, 1], … }`: every field is a size or a list of sizes.
    fn options(&mut self, arg: &Expr, name: &str, fields: &[&str]) -> Lowered<Vec<Vec<Dim>>> {
        let example =
            format!("write `{name} {{ {}: … }}`, or some of them and `..Default::default()`", fields.join(": …, "));
        if is_default(arg) {
            return Ok(vec![Vec::new(); fields.len()]);
        }
        let Expr::Struct(literal) = unparen(arg) else {
            return self.fail(Error::new(arg, format!("`{name}` is written out here")).help(example));
        };
        if literal.path.segments.last().is_none_or(|last| last.ident != name) {
            return self.fail(Error::new(&literal.path, format!("`{name}` is expected here")).help(example));
        }
        if let Some(unknown) =
            literal.fields.iter().find(|given| !fields.contains(&&given.member.to_token_stream().to_string()[..]))
        {
            return self.fail(
                Error::new(&unknown.member, format!("`{name}` has no field `{}`", unknown.member.to_token_stream()))
                    .help(example),
            );
        }
        if let Some(rest) = literal.rest.as_ref().filter(|rest| !is_default(rest)) {
            return self.fail(
                Error::new(rest, "the sizes are needed here, written out")
                    .help("write the fields that differ from the default, and `..Default::default()`"),
            );
        }
        let mut values = Vec::new();
        for field in fields {
            let Some(given) = literal.fields.iter().find(|given| given.member.to_token_stream().to_string() == *field)
            else {
                if literal.rest.is_some() {
                    // The operator knows its defaults.
                    values.push(Vec::new());
                    continue;
                }
                return self.fail(Error::new(&literal.path, format!("field `{field}` is missing")).help(example));
            };
            values.push(match unparen(&given.expr) {
                Expr::Array(array) => array.elems.iter().map(|elem| self.size(elem)).collect::<Lowered<_>>()?,
                single => vec![self.size(single)?],
            });
        }
        Ok(values)
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
            Value::Untyped(untyped) => Ok(self.typed(&untyped, &elem).leaves()[0]),
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

    /// A method of a literal or constant: `2.0.sqrt()`.
    fn untyped_method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        untyped: &Untyped,
        args: &[&Expr],
    ) -> Lowered<Value> {
        if untyped.number.is_none() {
            return self.passive_method(at, name, &untyped.tokens, args);
        }
        let value = self.settle(Value::Untyped(untyped.clone()), at)?;
        let [var] = value.leaves()[..] else { return Err(super::value::Reported) };
        let literal: Expr = syn::parse2(untyped.tokens.clone()).unwrap_or_else(|_| syn::parse_quote!(x));
        self.method(at, name, (&literal, Value::Leaf(var, Form::Plain)), args)
    }

    /// A method of something inactive stays as it is, if only constants go into it.
    fn passive_method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        receiver: &proc_macro2::TokenStream,
        args: &[&Expr],
    ) -> Lowered<Value> {
        let mut tokens = Vec::new();
        for arg in args {
            let value = self.expr(arg)?;
            if self.is_active(&value) {
                return self.fail(
                    Error::new(arg, format!("the derivative ends here: `{name}` is not differentiable"))
                        .note("the value depends on a differentiable input")
                        .help("if that is meant, write `stop_gradient(…)` around it")
                        .plain_rust(),
                );
            }
            match self.passive_tokens(&value) {
                Some(passive) => tokens.push(passive),
                None => {
                    return self.unsupported(at, "this call", "compute it outside and pass it in with `#[no_diff]`");
                }
            }
        }
        Ok(Value::Untyped(Untyped { tokens: quote!(#receiver.#name(#(#tokens),*)), number: None, integer: false }))
    }
}

/// `Default::default()`, `Conv2d::default()`
fn is_default(expr: &Expr) -> bool {
    match unparen(expr) {
        Expr::Call(call) if call.args.is_empty() => {
            matches!(unparen(&call.func), Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "default"))
        }
        _ => false,
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
