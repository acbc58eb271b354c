//! Calls in forward mode: each of a callee's functions has its tangent among them, up to the highest order.

use super::{Beside, Tangent, Unsupported};
use crate::ir::call::Origin;
use crate::ir::interface::{Of, Role};
use crate::ir::{Call, CallKind, Callee, Eqn, Op, Var};

impl Unsupported {
    /// Says so if a derivative of a callee is needed that it does not have.
    pub fn check_order(span: proc_macro2::Span, callee: &Callee, kind: CallKind) -> Result<(), Unsupported> {
        let Some(order) = kind.order() else { return Err(Unsupported::highest_order(span)) };
        if order <= callee.order {
            return Ok(());
        }
        Err(Unsupported {
            span,
            message: format!("`{}` has no {} derivative, which is needed here", callee.name, order.word()),
            order: Some(order.number()),
            help: match callee.origin {
                Origin::Implicit => format!(
                    "an implicit function has first derivatives: differentiate the iterations of `{}` instead",
                    callee.name
                ),
                Origin::Hidden => format!(
                    "write `order = {}` in the `#[derivative]` of `{}`, whose rule is differentiated then",
                    order.number(),
                    callee.name
                ),
                _ => format!("write `#[differentiable(order = {})]` on `{}`", order.number(), callee.name),
            },
        })
    }
}

impl Tangent<'_> {
    /// The tangent of a call has the operands and results of the call, and their tangents along one more direction.
    pub(super) fn black_box(&mut self, eqn: &Eqn) -> Result<(), Unsupported> {
        let Some(call) = eqn.op.as_call() else { return Ok(()) };
        let (kind, direction) = match self.beside {
            Beside::Tangent => call.kind.tangent().ok_or_else(|| Unsupported::highest_order(eqn.span))?,
            Beside::Tail => (Tangent::taylor_of(call, eqn.span)?, 0),
        };
        Unsupported::check_order(eqn.span, &call.callee, kind)?;
        let own = call.interface(eqn);
        let mut args = Vec::new();
        for role in call.callee.operand_roles(kind) {
            args.push(match role.primal(direction) {
                Some(primal) => match own.input(primal) {
                    Some(var) => self.dot_or_zero(var),
                    None => self.seed(call, role, 0.0),
                },
                None => own.input(role).unwrap_or_else(|| self.seed(call, role, 1.0)),
            });
        }
        let mut outs = Vec::new();
        for role in call.callee.result_roles(kind) {
            let primal = role.primal(direction).unwrap_or(role);
            let Some(out) = own.output(&eqn.outs, primal) else { continue };
            if primal == role {
                outs.push(out);
                continue;
            }
            let dot = self.b.var_like(out, self.b.ty(out).clone(), "_dot");
            self.dots.insert(out, dot);
            outs.push(dot);
        }
        let op = Op::Call(Call { kind, ..call.clone() });
        self.b.push_eqn(Eqn { outs, op, args, regions: Vec::new(), span: eqn.span });
        Ok(())
    }

    /// The cotangent of the result of a gradient, which is not given, or its tangent.
    fn seed(&mut self, call: &Call, role: Role, value: f64) -> Var {
        let elem = match role.of {
            Of::Result(k) => &call.callee.results[k].elem,
            _ => &call.callee.results[0].elem,
        };
        self.b.constant(elem, value)
    }
}
