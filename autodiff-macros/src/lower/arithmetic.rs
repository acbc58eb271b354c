//! Arithmetic: operators on numbers, tensors and integers, and conversions.

use super::Lower;
use super::expr::EXACT;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::Error;
use crate::ir::{Elem, IntOp, Opaque, Var};
use crate::layout::{Form, Kind};
use crate::op::Row;
use crate::op::elementwise as rows;
use crate::parse::ty::Surface;
use quote::{ToTokens, quote};
use syn::{BinOp, Expr, UnOp};

/// Whether an operator shifts a number.
fn is_shift(op: &BinOp) -> bool {
    matches!(op, BinOp::Shl(_) | BinOp::Shr(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_))
}

impl Lower<'_> {
    pub(super) fn unary(&mut self, unary: &syn::ExprUnary, expected: Option<&Surface>) -> Lowered<Value> {
        if let UnOp::Deref(_) = unary.op {
            let value = self.expr_as_held(&unary.expr, expected)?;
            return Ok(self.behind(value));
        }
        let value = self.expr_expecting(&unary.expr, expected)?.expected_number();
        match (&unary.op, value) {
            (UnOp::Not(op), Value::Untyped(untyped)) => {
                let tokens = &untyped.tokens;
                Ok(Value::Untyped(Untyped { tokens: quote!((#op #tokens)), number: None, ..untyped }))
            }
            (UnOp::Neg(op), Value::Untyped(untyped)) => Ok(Value::Untyped(Untyped {
                tokens: match (&untyped.number, &untyped.tokens) {
                    (Some(_), _) => unary.to_token_stream(),
                    (None, tokens) => quote!((#op #tokens)),
                },
                number: untyped.number.map(|number| -number),
                integer: untyped.integer,
            })),
            (UnOp::Neg(_), Value::Leaf(var, form)) if self.b.ty(var).is_float() && self.has_arithmetic(var, form) => {
                let out = self.map(&rows::neg, &[var]);
                Ok(Value::Leaf(out, form))
            }
            (UnOp::Not(_) | UnOp::Neg(_), Value::Leaf(var, form)) if matches!(self.b.ty(var).elem, Elem::Int(_)) => {
                let (op, hole, ty) = (&unary.op, crate::ir::hole(0), self.b.ty(var).clone());
                let opaque = Opaque::pure(quote!(#op #hole));
                Ok(Value::Leaf(self.b.opaque(opaque, vec![var], ty), form))
            }
            (UnOp::Not(_), Value::Leaf(var, form)) if self.b.ty(var).elem == Elem::Bool => {
                Ok(Value::Leaf(self.b.map(&rows::not, &[var]), form))
            }
            (UnOp::Neg(_), value @ Value::Parts(Kind::Struct(_), _)) => {
                match self.geometry_negation(&value).map(Ok).or_else(|| self.overloaded_negation(unary, &value)) {
                    Some(negated) => negated,
                    None => self.unsupported(unary, "`-` on an `Option`", "match on it"),
                }
            }
            (_, value) => {
                let what = format!("`{}` on {}", unary.op.to_token_stream(), value.describe(&self.b));
                self.unsupported(unary, &what, "use it on numbers and tensors")
            }
        }
    }

    fn has_arithmetic(&self, var: Var, form: Form) -> bool {
        self.b.ty(var).is_scalar() || form != Form::Plain
    }

    pub(super) fn binary_values(
        &mut self,
        at: &impl ToTokens,
        op: &BinOp,
        (left_expr, left): (&Expr, Value),
        (right_expr, right): (&Expr, Value),
    ) -> Lowered<Value> {
        let (left, right) = (self.data_of_nalgebra(left)?, self.data_of_nalgebra(right)?);
        if let Some(value) = self.geometry_arithmetic(at, op, &left, &right) {
            return value;
        }
        if let Some(value) = self.overloaded(op, (left_expr, &left), (right_expr, &right)) {
            return value;
        }
        if let Some(truth) = self.equality(op, &left, &right) {
            return truth;
        }
        // A number out of what is only passed on has the type of the other.
        let (left, right) = (left.expected_number(), right.expected_number());
        match (&left, &right) {
            (Value::Untyped(a), Value::Untyped(b)) => {
                let number = a.number.zip(b.number).and_then(|(x, y)| fold_numbers(op, x, y, a.integer));
                let (x, y) = (&a.tokens, &b.tokens);
                let tokens = quote!((#x #op #y));
                return Ok(Value::Untyped(Untyped { tokens, number, integer: a.integer && b.integer }));
            }
            // By how much is shifted, is of a type of its own.
            (Value::Leaf(..), Value::Untyped(untyped)) if is_shift(op) && untyped.number.is_none() => {
                let tokens = &untyped.tokens;
                let by = Untyped { tokens: quote!((#tokens as u32)), number: None, integer: true };
                let right = self.typed(&by, &Elem::Int("u32".into()));
                return self.binary_leaves(at, op, (left_expr, left), (right_expr, right));
            }
            (Value::Leaf(var, _), Value::Untyped(untyped)) => {
                let elem = self.b.ty(*var).elem.clone();
                let right = self.typed_operand(untyped, &elem, right_expr)?;
                return self.binary_leaves(at, op, (left_expr, left), (right_expr, right));
            }
            (Value::Untyped(untyped), Value::Leaf(var, _)) => {
                let own = if is_shift(op) { self.number_of_data(&Value::Other(untyped.tokens.clone())) } else { None };
                let elem = own.unwrap_or_else(|| self.b.ty(*var).elem.clone());
                let left = self.typed_operand(untyped, &elem, left_expr)?;
                return self.binary_leaves(at, op, (left_expr, left), (right_expr, right));
            }
            _ => {}
        }
        self.binary_leaves(at, op, (left_expr, left), (right_expr, right))
    }

    fn typed_operand(&mut self, untyped: &Untyped, elem: &Elem, at: &Expr) -> Lowered<Value> {
        if untyped.integer && elem.is_float() {
            let text = untyped.tokens.to_string();
            return self.fail(
                Error::new(at, format!("`{text}` is an integer, the other operand is `{elem}`"))
                    .help(format!("write `{text}.0`")),
            );
        }
        Ok(self.typed(untyped, elem))
    }

    fn binary_leaves(
        &mut self,
        at: &impl ToTokens,
        op: &BinOp,
        (left_expr, left): (&Expr, Value),
        (right_expr, right): (&Expr, Value),
    ) -> Lowered<Value> {
        let (Value::Leaf(x, form), Value::Leaf(y, form2)) = (&left, &right) else {
            let message = format!("cannot combine {} and {}", left.describe(&self.b), right.describe(&self.b));
            return self.fail(Error::new(at, message).help("combine their numbers"));
        };
        let (x, y, form, form2) = (*x, *y, *form, *form2);
        if self.learn_precision((left_expr, x), (right_expr, y)) {
            return Err(Reported);
        }
        if is_comparison(op) {
            return self.comparison(at, op, x, y);
        }
        if !self.b.ty(x).is_float() || !self.b.ty(y).is_float() {
            return self.integers(at, op, x, y);
        }
        if let Some(value) = self.matrix_arithmetic(at, op, (left_expr, x, form), (right_expr, y, form2)) {
            return value;
        }
        for (var, form, expr) in [(x, form, left_expr), (y, form2, right_expr)] {
            if !self.has_arithmetic(var, form) {
                let text = crate::parse::ty::spelled(expr);
                return self.fail(
                    Error::new(
                        expr,
                        format!("arrays have no arithmetic: `{text}` is {}", Value::Leaf(var, form).describe(&self.b)),
                    )
                    .help("use a `Tensor` instead of the array, or loop over its elements"),
                );
            }
        }
        let row: &'static Row = match op {
            BinOp::Add(_) | BinOp::AddAssign(_) => &rows::add,
            BinOp::Sub(_) | BinOp::SubAssign(_) => &rows::sub,
            BinOp::Mul(_) | BinOp::MulAssign(_) => &rows::mul,
            BinOp::Div(_) | BinOp::DivAssign(_) => &rows::div,
            BinOp::Rem(_) | BinOp::RemAssign(_) => &rows::rem,
            other => {
                let what = format!("`{}` on floats", other.to_token_stream());
                return self.unsupported(other, &what, "use `+`, `-`, `*`, `/` and `%`");
            }
        };
        let out = self.checked_map(at, row, &[(left_expr, x), (right_expr, y)])?;
        Ok(Value::leaf(&self.b, out))
    }

    fn integers(&mut self, at: &impl ToTokens, op: &BinOp, x: Var, y: Var) -> Lowered<Value> {
        let shift = is_shift(op);
        if !self.b.ty(x).is_scalar() || !self.b.ty(y).is_scalar() || (!shift && self.b.ty(x) != self.b.ty(y)) {
            let message = format!("cannot combine `{}` and `{}`", self.b.ty(x), self.b.ty(y));
            return self.fail(Error::new(at, message).help("convert one of them with `as`"));
        }
        if let Some(dim) = self.constant_sum(op, x, y) {
            return Ok(Value::Leaf(self.b.dim(dim), Form::Plain));
        }
        let op = match op {
            BinOp::Add(_) | BinOp::AddAssign(_) => IntOp::Add,
            BinOp::Sub(_) | BinOp::SubAssign(_) => IntOp::Sub,
            BinOp::Mul(_) | BinOp::MulAssign(_) => IntOp::Mul,
            BinOp::Div(_) | BinOp::DivAssign(_) => IntOp::Div,
            BinOp::Rem(_) | BinOp::RemAssign(_) => IntOp::Rem,
            BinOp::BitAnd(_) | BinOp::BitAndAssign(_) => IntOp::And,
            BinOp::BitOr(_) | BinOp::BitOrAssign(_) => IntOp::Or,
            BinOp::BitXor(_) | BinOp::BitXorAssign(_) => IntOp::Xor,
            BinOp::Shl(_) | BinOp::ShlAssign(_) => IntOp::Shl,
            BinOp::Shr(_) | BinOp::ShrAssign(_) => IntOp::Shr,
            other => {
                let what = format!("`{}` on integers", other.to_token_stream());
                return self.unsupported(other, &what, "compute it outside and pass it in with `#[no_diff]`");
            }
        };
        Ok(Value::Leaf(self.b.int(op, x, y), Form::Plain))
    }

    pub(super) fn cast(&mut self, cast: &syn::ExprCast) -> Lowered<Value> {
        let value = match self.expr(&cast.expr)? {
            Value::Parts(Kind::Struct(ty), parts) if super::plain::is_plain(&ty) => {
                match self.plain_tokens(&ty, &parts) {
                    Some(tokens) => Value::Untyped(Untyped { tokens, number: None, integer: false }),
                    None => return Err(Reported),
                }
            }
            value => value.expected_number(),
        };
        let surface = self.resolve(&cast.ty)?;
        let Surface::Scalar(elem) = surface else {
            return self.unsupported(cast, "this conversion", "convert numbers to numbers");
        };
        match value {
            Value::Untyped(untyped) => {
                if untyped.integer && elem.is_float() {
                    // Nothing else tells its type.
                    self.claim(&untyped.tokens, &Elem::Int("i32".into()));
                }
                if untyped.number.is_some() && (elem.is_float() || untyped.integer) {
                    return Ok(self.typed(&untyped, &elem));
                }
                let (inner, ty) = (&untyped.tokens, &cast.ty);
                let tokens = quote!(((#inner) as #ty));
                Ok(self.typed(&Untyped { tokens, number: None, integer: false }, &elem))
            }
            Value::Leaf(var, form) if self.b.ty(var).is_scalar() => {
                if self.active.contains(&var) && !elem.is_float() && !self.is_discrete {
                    return self.fail(
                        Error::new(cast, format!("the derivative ends here: `{elem}` has none"))
                            .note("what is converted depends on a differentiable input")
                            .help(
                                "say how it is rounded, `x.floor() as usize`, which has no derivative; or write \
                                 `stop_gradient(…)` around the operand",
                            )
                            .plain_rust(),
                    );
                }
                self.at(cast);
                let out = self.b.cast(var, &elem);
                Ok(Value::Leaf(self.track(out, &[var]), form))
            }
            other => {
                let message = format!("cannot convert {} with `as`", other.describe(&self.b));
                self.fail(Error::new(cast, message))
            }
        }
    }
}

fn fold_numbers(op: &BinOp, x: f64, y: f64, integer: bool) -> Option<f64> {
    let number = match op {
        BinOp::Add(_) => Some(x + y),
        BinOp::Sub(_) => Some(x - y),
        BinOp::Mul(_) => Some(x * y),
        BinOp::Div(_) if !integer => Some(x / y),
        _ => None,
    };
    number.filter(|number| !integer || number.abs() < EXACT)
}

pub(super) fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_))
}
