//! Taylor series: after every equation the equations of the tail of its result.
//!
//! Note [Tails by the tangent pass]. A tail (Note [Tails] in `series.rs` of `autodiff-core`) is to its value what a tangent is:
//! it goes in and out beside it, loops carry it, branches yield it, arrays of values have arrays of tails, and what is linear in
//! tangents is linear in tails. So the pass is the one that makes tangents. Another rule have only rows that are not linear, products of
//! tensors, and calls, which are of the callee's own tails.
//!
//! ```text
//! y: f64 = tanh x        y: f64 = tanh x
//!                        y_dot: f64 = series_riccati y 1 0 -1 x_dot
//! ```
//!
//! A body with tails of one coefficient is the tangent. The evaluator runs it as such, and tests compare the two.

use super::{Tangent, Unsupported, partials};
use crate::ir::builder::Builder;
use crate::ir::call::Origin;
use crate::ir::{Call, CallKind, Var};
use crate::op::elementwise::{self as rows, series};
use crate::op::expr::Scope;
use crate::op::{Algebra, NoTaylorRule, Operator, Row, Taylor};
use proc_macro2::{Ident, Span};

/// What helps where there is no Taylor rule.
const NESTING: &str =
    "take the derivatives one of the other: a function that returns `f::jvp(x, direction).1` has `jvp`, too";

impl Unsupported {
    /// A function that has something in it that is written for plain numbers only.
    pub fn series_of(function: &Ident) -> Unsupported {
        Unsupported::series(function.span(), &format!("`{function}`"), NESTING)
    }

    /// What cannot be expanded in a Taylor series.
    fn series(span: Span, what: &str, help: &str) -> Unsupported {
        let message = format!("{what} cannot be expanded in a Taylor series yet");
        Unsupported { span, message, help: help.to_owned(), order: None }
    }
}

impl Tangent<'_> {
    /// The tail of a row.
    pub(super) fn tail(
        &mut self,
        row: &'static Row,
        args: &[Var],
        out: Var,
        tails: &[Option<Var>],
    ) -> Result<Option<Var>, Unsupported> {
        if tails.iter().all(Option::is_none) {
            return Ok(None);
        }
        let tail = match (row.taylor, args, tails) {
            (Taylor::Integral, ..) => self.integral(row, args, out, tails)?,
            (Taylor::As(formula), ..) => {
                let values = self.formula(|b| {
                    let scope = Scope::new(b);
                    let exprs: Vec<_> = args.iter().map(|arg| scope.var(*arg)).collect();
                    vec![Some(formula(&exprs).var)]
                })?;
                values[0].and_then(|value| self.dot(value))
            }
            (Taylor::Choice, [condition, yes, no], _) => {
                let [yes, no] = [(*yes, tails[1]), (*no, tails[2])].map(|(arg, tail)| self.or_zero(arg, tail));
                Some(self.b.map(&rows::select, &[*condition, yes, no]))
            }
            (Taylor::Product, [a, b], [a_tail, b_tail]) => series::product(self.b, [*a, *b], [*a_tail, *b_tail]),
            (Taylor::Quotient, [_, b], [Some(a_tail), None]) => Some(self.b.map(&rows::div, &[*a_tail, *b])),
            (Taylor::Quotient, [a, b], [a_tail, Some(b_tail)]) => {
                let a_tail = self.or_zero(*a, *a_tail);
                Some(self.b.map(&series::series_quotient, &[out, *b, a_tail, *b_tail]))
            }
            (Taylor::Exponential { rate, offset }, _, [Some(x_tail)]) => {
                let exponential = self.shifted(out, offset);
                let x_tail = self.scaled(*x_tail, rate);
                Some(self.b.map(&series::series_exponential, &[exponential, x_tail]))
            }
            (Taylor::Riccati(a, b, c), _, [Some(x_tail)]) => {
                let [a, b, c] = [a, b, c].map(|number| self.number(out, number));
                Some(self.b.map(&series::series_riccati, &[out, a, b, c, *x_tail]))
            }
            (Taylor::Wave(sign), _, [Some(x_tail)]) => {
                let (slope, sign) = (partials(self.b, row, args, out)[0], self.number(out, sign));
                slope.map(|slope| self.b.map(&series::series_wave, &[out, slope, sign, *x_tail]))
            }
            (Taylor::Root(exponent), [x], [Some(x_tail)]) => {
                let exponent = self.number(out, exponent);
                Some(self.b.map(&series::series_power, &[*x, exponent, out, *x_tail]))
            }
            (Taylor::Power, [x, exponent], [x_tail, exponent_tail]) => {
                self.power([*x, *exponent], out, *x_tail, *exponent_tail)?
            }
            (Taylor::Hypot, [a, b], [a_tail, b_tail]) => {
                let [a_tail, b_tail] = [(*a, *a_tail), (*b, *b_tail)].map(|(arg, tail)| self.or_zero(arg, tail));
                Some(self.b.map(&series::series_hypot, &[*a, *b, out, a_tail, b_tail]))
            }
            // A rotation is known up to the fourth order of its change.
            _ if row.algebra == Algebra::Vanishing => {
                return Err(Unsupported::series(self.b.current_span(), "a rotation or an isometry", NESTING));
            }
            _ => return Err(Unsupported::series(self.b.current_span(), &format!("`{}`", row.name), NESTING)),
        };
        Ok(tail.map(|tail| self.stretched(tail, out)))
    }

    /// y′ = Σ ∂ᵢ·xᵢ′, a sum of integrals.
    fn integral(
        &mut self,
        row: &'static Row,
        args: &[Var],
        out: Var,
        tails: &[Option<Var>],
    ) -> Result<Option<Var>, Unsupported> {
        let slopes = self.formula(|b| partials(b, row, args, out))?;
        let mut sum: Option<Var> = None;
        for (slope, tail) in slopes.into_iter().zip(tails) {
            let (Some(slope), Some(tail)) = (slope, *tail) else { continue };
            let term = match self.dot(slope) {
                Some(slope_tail) => self.b.map(&series::series_integral, &[slope, slope_tail, tail]),
                None => self.b.mul(slope, tail),
            };
            sum = Some(sum.map_or(term, |sum| self.b.add(sum, term)));
        }
        Ok(sum)
    }

    /// The tail of y = xᵖ. Where the exponent has one, y = exp(p·ln x), and like the tangent it does not depend on the exponent
    /// where x is not positive.
    fn power(
        &mut self,
        [x, exponent]: [Var; 2],
        y: Var,
        x_tail: Option<Var>,
        exponent_tail: Option<Var>,
    ) -> Result<Option<Var>, Unsupported> {
        let elem = self.b.ty(y).elem.clone();
        let fixed = x_tail.map(|x_tail| {
            let exponent = if self.b.ty(exponent).elem == elem { exponent } else { self.b.cast(exponent, &elem) };
            self.b.map(&series::series_power, &[x, exponent, y, x_tail])
        });
        let Some(exponent_tail) = exponent_tail else { return Ok(fixed) };
        let zero = self.number(y, 0.0);
        let is_positive = self.b.map(&rows::gt, &[x, zero]);
        let logarithms = self.formula(|b| vec![Some(b.map(&rows::ln, &[x]))])?;
        let inner = logarithms[0].and_then(|ln| {
            let ln_tail = self.dot(ln);
            series::product(self.b, [exponent, ln], [Some(exponent_tail), ln_tail])
        });
        let Some(inner) = inner else { return Ok(fixed) };
        let moving = self.b.map(&series::series_exponential, &[y, inner]);
        let fixed = self.or_zero(x, fixed);
        Ok(Some(self.b.map(&rows::select, &[is_positive, moving, fixed])))
    }

    /// The equations of a formula, with their tails.
    fn formula(
        &mut self,
        build: impl FnOnce(&mut Builder) -> Vec<Option<Var>>,
    ) -> Result<Vec<Option<Var>>, Unsupported> {
        self.b.open_block();
        let values = build(self.b);
        let block = self.b.close_block(Vec::new(), Vec::new());
        for eqn in &block.eqns {
            self.straight(eqn)?;
        }
        Ok(values)
    }

    fn number(&mut self, like: Var, value: f64) -> Var {
        let elem = self.b.ty(like).elem.clone();
        self.b.constant(&elem, value)
    }

    fn or_zero(&mut self, arg: Var, tail: Option<Var>) -> Var {
        tail.unwrap_or_else(|| self.number(arg, 0.0))
    }

    fn shifted(&mut self, x: Var, by: f64) -> Var {
        if by == 0.0 {
            return x;
        }
        let by = self.number(x, by);
        self.b.add(x, by)
    }

    fn scaled(&mut self, x: Var, by: f64) -> Var {
        if by == 1.0 {
            return x;
        }
        let by = self.number(x, by);
        self.b.mul(by, x)
    }

    /// The tail of an operator on whole arrays.
    pub(super) fn tail_of_tensor(
        &mut self,
        op: &dyn Operator,
        args: &[Var],
        out: Var,
        tails: &[Option<Var>],
    ) -> Result<Option<Var>, Unsupported> {
        op.taylor(self.b, args, out, tails).map_err(|NoTaylorRule| {
            let text = op.text();
            let name = text.split(['[', '(']).next().unwrap_or(&text);
            Unsupported::series(self.b.current_span(), &format!("`{name}`"), NESTING)
        })
    }

    /// Wide numbers are of one precision.
    pub(super) fn conversion(&self, span: Span) -> Unsupported {
        Unsupported::series(span, "a conversion between `f32` and `f64`", "compute in one precision, or nest `jvp`")
    }

    /// The call of the tails of a callee.
    pub(super) fn taylor_of(call: &Call, span: Span) -> Result<CallKind, Unsupported> {
        let callee = &call.callee;
        let name = format!("`{}`", callee.name);
        if call.kind != CallKind::Value {
            return Err(Unsupported::series(span, &format!("a derivative of {name}"), NESTING));
        }
        if callee.origin != Origin::Body {
            return Err(Unsupported::series(
                span,
                &format!("{name}, whose derivative is given and not found,"),
                NESTING,
            ));
        }
        if callee.args.iter().any(|arg| arg.mutable) {
            let help = "let the function take the value and return the new one";
            return Err(Unsupported::series(span, &format!("{name}, which changes its arguments,"), help));
        }
        if !callee.has_taylor {
            return Err(Unsupported {
                span,
                message: format!("{name} has no Taylor mode, which is needed here"),
                help: format!("write `#[differentiable(taylor)]` on {name}"),
                order: None,
            });
        }
        Ok(CallKind::Taylor)
    }
}
