//! Calls in reverse mode. The cotangents of a callee's arguments are added into by the callee itself.
//!
//! Note [Derivatives of derivatives]. The gradient of a function is the reverse sweep with cotangent 1, and its own
//! cotangents are products with the Hessian: since that is symmetric, the tangent of the reverse sweep in the direction
//! of the cotangents computes them. With a cotangent `w` that changes, too, it is given the tangent that is the cotangent
//! of the result, and the tangent of the result is the cotangent of `w`. The cotangents of a `jvp` are found in the same way: with
//! `ẏ = J v`, those of `v` are what the reverse sweep gives for the cotangent of `ẏ`, and those of the arguments are the
//! tangent of that in the direction of `v`, where the cotangent of `y` is the tangent of the seed.
//!
//! Along several directions all of this holds for numbers `a + b ε₁ + c ε₂ + d ε₁ε₂` with `ε₁² = ε₂² = 0` in the place of
//! numbers. The cotangent of a part is the part of the others: that of `b` stands at `ε₂`, that of `a` at `ε₁ε₂`.

use super::Sweep;
use crate::ir::interface::{Along, Interface, Of, Role};
use crate::ir::var::HashSet;
use crate::ir::{Block, Call, CallKind, Eqn, Op, Ty, Var, VarData};
use crate::pass::tangent::{CALLS, Unsupported};
use std::rc::Rc;

/// Calls whose result is differentiated also hand out what their own reverse sweep needs.
pub(super) fn save_residuals(vars: &mut Vec<VarData>, block: &mut Block, active: &HashSet<Var>) {
    for eqn in &mut block.eqns {
        for region in &mut eqn.regions {
            save_residuals(vars, region, active);
        }
        if let Op::Call(call) = &mut eqn.op {
            let is_active = eqn.outs.iter().any(|out| active.contains(out));
            if call.kind == CallKind::Value && !call.callee.recursive && is_active {
                call.kind = CallKind::Forward;
                let hint = Some(Rc::from(format!("{}_saved", call.callee.name)));
                vars.push(VarData { ty: call.callee.residuals(), hint });
                eqn.outs.push(Var(u32::try_from(vars.len() - 1).unwrap_or(u32::MAX)));
            }
        }
    }
}

/// What the reverse sweep cannot have: it would call that function again.
pub const RECURSION: &str = "a recursive function that calls a function without a derivative";

impl Sweep {
    pub(super) fn black_box(&mut self, eqn: &Eqn) -> Result<(), Unsupported> {
        let Some(call) = eqn.op.as_call() else { return Ok(()) };
        let changes = call.callee.changed_operands().next().is_some();
        match call.kind {
            CallKind::Value if call.callee.is_self && self.effects => {
                return Err(Unsupported::new(
                    eqn.span,
                    RECURSION,
                    "its reverse sweep runs the recursion again: say `#[differentiable(pure(f))]` if the function has no \
                     effect and depends on its arguments only, or compute its values outside",
                ));
            }
            CallKind::Value => self.reverse_call(eqn, call, CallKind::Joint),
            CallKind::Forward => self.reverse_call(eqn, call, CallKind::Reverse),
            _ if changes => {
                let what = "a derivative of a derivative of a function that changes its arguments";
                return Err(Unsupported::new(eqn.span, what, CALLS));
            }
            kind => {
                let Some((adjoint, added)) = kind.adjoint() else { return Err(Unsupported::highest_order(eqn.span)) };
                Unsupported::check_order(eqn.span, &call.callee, adjoint)?;
                self.reverse_derivative(eqn, call, (adjoint, added));
            }
        }
        Ok(())
    }

    /// The reverse sweep of the callee, by itself or with a forward sweep of its own.
    fn reverse_call(&mut self, eqn: &Eqn, call: &Call, kind: CallKind) {
        let (own, callee) = (call.interface(eqn), &call.callee);
        let (mut args, mut seen) = (Vec::new(), Vec::new());
        for role in callee.operand_roles(kind) {
            let result = |of| own.output(&eqn.outs, Role::value(of));
            args.extend(match role.of {
                Of::Residuals => own.output(&eqn.outs, role),
                Of::Result(_) => result(role.of).map(|result| self.take_bar(result)),
                Of::Input(_) if !role.is_cotangent() => own.input(role),
                // The cotangent of what the callee changes is in-out: what comes in is that of what it is afterwards.
                Of::Input(k) => own.input(Role::value(role.of)).map(|target| {
                    let after = callee.result_of(k).and_then(|after| result(Of::Result(after)));
                    self.accumulator(target, &mut seen, after)
                }),
            });
        }
        seen.clear();
        for (role, bar) in self.run(eqn, call, &own, kind, args) {
            if let (true, Of::Input(k)) = (role.is_cotangent(), role.of) {
                if let Some(target) = own.input(Role::value(role.of)) {
                    self.take_over(target, bar, &mut seen, callee.result_of(k).is_some());
                }
            }
        }
    }

    /// The tangent of the callee's reverse sweep, along one more direction if there are cotangents to differentiate: see
    /// Note [Derivatives of derivatives].
    fn reverse_derivative(&mut self, eqn: &Eqn, call: &Call, (kind, added): (CallKind, Option<usize>)) {
        let own = call.interface(eqn);
        let made = |role: Role| own.output(&eqn.outs, role);
        // Along which directions something has been differentiated whose cotangent is along these.
        let count = call.kind.directions();
        let paired = |along: Along| match added {
            Some(direction) => along.without(direction).map(|along| along.others(count)),
            None => Some(along.others(count)),
        };
        // The directions in which cotangents are differentiated are the cotangents of these.
        let mut directions = Vec::new();
        for role in call.callee.result_roles(call.kind).into_iter().filter(|role| role.is_cotangent()) {
            directions.extend(made(role).map(|out| (role, self.bar_or_zero(out))));
        }
        for (role, _) in &directions {
            let (Some(before), Some(after)) = (own.input(*role), made(*role)) else { continue };
            if let (Some(given), true) = (self.bars.remove(&after), self.active.contains(&before)) {
                self.contribute(before, given);
            }
        }
        let (mut args, mut seen) = (Vec::new(), Vec::new());
        for role in call.callee.operand_roles(kind) {
            let value = Role::value(role.of);
            args.extend(match (role.of, paired(role.along)) {
                (Of::Input(_), Some(along)) if !role.is_cotangent() && added.is_some() => {
                    let direction = Role::cotangent(role.of).towards(along);
                    directions.iter().find(|(given, _)| *given == direction).map(|(_, bar)| *bar)
                }
                (Of::Input(_), _) if !role.is_cotangent() => own.input(role),
                (Of::Input(_), Some(along)) => {
                    own.input(value.towards(along)).map(|target| self.accumulator(target, &mut seen, None))
                }
                (Of::Input(_), None) => own.input(value).map(|target| self.b.zero_like(target)),
                (_, Some(along)) => made(value.towards(along)).map(|result| self.take_bar(result)),
                // The cotangent of what a gradient is of is 1, and does not change.
                (_, None) => own.input(role).or_else(|| {
                    let elem = self.b.ty(made(value)?).elem.clone();
                    Some(self.b.constant(&elem, if role.along == Along::NONE { 1.0 } else { 0.0 }))
                }),
            });
        }
        seen.clear();
        for (role, bar) in self.run(eqn, call, &own, kind, args) {
            let Some(along) = paired(role.along) else { continue };
            match role.of {
                Of::Input(_) if role.is_cotangent() => {
                    if let Some(target) = own.input(Role::value(role.of).towards(along)) {
                        self.take_over(target, bar, &mut seen, false);
                    }
                }
                // How the results change with the arguments is how the cotangents change with theirs.
                Of::Result(_) if added.is_some() => {
                    let target = own.input(Role::cotangent(role.of).towards(along));
                    if let Some(target) = target.filter(|target| self.active.contains(target)) {
                        self.contribute(target, bar);
                    }
                }
                _ => {}
            }
        }
    }

    /// The cotangent of a result, which ends here.
    fn take_bar(&mut self, result: Var) -> Var {
        let bar = self.bar_or_zero(result);
        self.bars.remove(&result);
        bar
    }

    /// What the callee adds into. Of an argument that is given twice, the second cotangent starts at zero and is added
    /// afterwards. `seen` are the arguments before; `after` is what the argument is after the call, if the callee changes it.
    fn accumulator(&mut self, target: Var, seen: &mut Vec<Var>, after: Option<Var>) -> Var {
        let again = seen.contains(&target) || !self.active.contains(&target);
        seen.push(target);
        match after {
            Some(after) => self.take_bar(after),
            None if again => self.b.zero_like(target),
            None => self.bar_or_zero(target),
        }
    }

    /// Calls, and gives the results with their roles.
    fn run(&mut self, eqn: &Eqn, call: &Call, own: &Interface, kind: CallKind, args: Vec<Var>) -> Vec<(Role, Var)> {
        let roles = call.callee.result_roles(kind);
        let like = |role: &Role| match role.of {
            Of::Input(_) => own.input(Role::value(role.of)),
            _ => own.output(&eqn.outs, Role::value(role.of)),
        };
        let tys: Vec<Ty> = roles.iter().filter_map(like).map(|var| self.b.ty(var).clone()).collect();
        let repeats = call.repeats.or(eqn.outs.first().copied());
        let outs = self.b.push_multi(Op::Call(Call { kind, repeats, ..call.clone() }), args, Vec::new(), tys);
        roles.into_iter().zip(outs).collect()
    }

    fn take_over(&mut self, target: Var, bar: Var, seen: &mut Vec<Var>, is_changed: bool) {
        let again = seen.contains(&target);
        seen.push(target);
        if !self.active.contains(&target) {
            return;
        }
        if again || is_changed {
            self.contribute(target, bar);
        } else {
            let before = self.reach_of(target);
            self.add_to(target, bar, before);
        }
    }
}
