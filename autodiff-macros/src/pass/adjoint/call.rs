//! Calls in reverse mode. The cotangents of a callee's arguments are added into by the callee itself.
//!
//! Note [Derivatives of derivatives]. The gradient of a function is the reverse sweep with cotangent 1, and its own
//! cotangents are products with the Hessian: since that is symmetric, the tangent of the reverse sweep in the direction
//! of the cotangents computes them. The cotangents of a `jvp` are found in the same way: with `ẏ = J v`, those of `v`
//! are what the reverse sweep gives for the cotangent of `ẏ`, and those of the arguments are the tangent of that in the
//! direction of `v`, where the cotangent of `y` is the tangent of the seed.

use super::Sweep;
use crate::ir::{Call, CallKind, Eqn, Layout, Op, Ty, Var};
use crate::pass::tangent::{CALLS, Unsupported};

impl Sweep {
    pub(super) fn call(&mut self, eqn: &Eqn, call: &Call) -> Result<(), Unsupported> {
        let Layout { args, outs } = Layout::of(call);
        let arguments = eqn.given(&args.own);
        let active: Vec<usize> = call.target.active_args().collect();
        if !call.target.changed_args().is_empty() && !matches!(call.kind, CallKind::Value | CallKind::Forward) {
            let what = "a derivative of a derivative of a function that changes its arguments";
            return Err(Unsupported::new(eqn.span, what, CALLS));
        }
        let targets: Vec<Var> = active.iter().map(|at| arguments[*at]).collect();
        let results = call.target.with_tangents(eqn.made(&outs.returned), &[], &self.b);
        let changed: Vec<Var> = call.target.moved(eqn.made(&outs.changed)).collect();
        match call.kind {
            CallKind::Value if call.target.is_self && self.effects => {
                return Err(Unsupported::new(
                    eqn.span,
                    "a recursive function that calls a function without a derivative",
                    "its reverse sweep runs the recursion again: say `#[differentiable(pure(f))]` if the function has no \
                     effect and depends on its arguments only, or compute its values outside",
                ));
            }
            CallKind::Value => {
                let seeds = self.seeds(&results);
                let moved = self.moved(call, &active, &targets, &changed);
                let (args, outs) = self.accumulators(&targets, &moved);
                let values: Vec<Ty> = eqn.outs.iter().map(|out| self.b.ty(*out).clone()).collect();
                let bars = self.run((eqn, call), CallKind::Joint, [arguments, &seeds, &args].concat(), values, outs);
                self.take_over(&targets, &bars, &moved);
            }
            CallKind::Forward => {
                let Some(data) = outs.data else { return Ok(()) };
                let seeds = self.seeds(&results);
                let moved = self.moved(call, &active, &targets, &changed);
                let (args, rest) = self.accumulators(&targets, &moved);
                let arguments = call.target.unchanged_args(arguments);
                let args = [&arguments, &eqn.outs[data..=data], &seeds, &args].concat();
                let bars = self.run((eqn, call), CallKind::Reverse, args, Vec::new(), rest);
                self.take_over(&targets, &bars, &moved);
            }
            // See Note [Derivatives of derivatives].
            CallKind::Gradient => {
                let gradients = eqn.made(&outs.bars[0]);
                let directions: Vec<Var> = gradients.iter().map(|out| self.bar_or_zero(*out)).collect();
                for (bar, out) in eqn.given(&args.bars[0]).iter().zip(gradients) {
                    if let (Some(given), true) = (self.bars.remove(out), self.active.contains(bar)) {
                        self.contribute(*bar, given);
                    }
                }
                let elem = self.b.ty(results[0]).elem.clone();
                let one = self.b.constant(&elem, 1.0);
                let seed_dots = self.seeds(&results);
                Unsupported::check_order(eqn.span, &call.target, CallKind::JointJvp)?;
                self.second(call, eqn, arguments, &directions, &[one], &seed_dots, &targets, None);
            }
            CallKind::Jvp => {
                let seeds = self.seeds(eqn.made(&outs.dots[0].0));
                let seed_dots = self.seeds(&results);
                let dots = eqn.given(&args.dots[0]);
                Unsupported::check_order(eqn.span, &call.target, CallKind::JointJvp)?;
                self.second(call, eqn, arguments, dots, &seeds, &seed_dots, &targets, Some(dots));
            }
            _ => return Err(Unsupported::third_order(eqn.span)),
        }
        Ok(())
    }

    /// The tangent of the callee's reverse sweep. What the sweep itself gives are the cotangents of `tangents`.
    #[expect(clippy::too_many_arguments, reason = "the operands of one equation")]
    fn second(
        &mut self,
        call: &Call,
        eqn: &Eqn,
        arguments: &[Var],
        directions: &[Var],
        seeds: &[Var],
        seed_dots: &[Var],
        targets: &[Var],
        tangents: Option<&[Var]>,
    ) {
        let (bars, mut outs) = match tangents {
            Some(tangents) => self.accumulators(tangents, &vec![None; tangents.len()]),
            None => {
                let tys: Vec<Ty> = targets.iter().map(|target| self.b.ty(*target).clone()).collect();
                (targets.iter().map(|target| self.b.zero_like(*target)).collect(), tys)
            }
        };
        let (bar_dots, dot_outs) = self.accumulators(targets, &vec![None; targets.len()]);
        outs.extend(dot_outs);
        let own = eqn.made(&Layout::of(call).outs.returned);
        let results = call.target.with_tangents(own, &[], &self.b);
        let values = own.iter().chain(&results).map(|out| self.b.ty(*out).clone()).collect();
        let args = [arguments, directions, seeds, seed_dots, &bars, &bar_dots].concat();
        let outs = self.run((eqn, call), CallKind::JointJvp, args, values, outs);
        let (bars, bar_dots) = outs.split_at(targets.len());
        if let Some(tangents) = tangents {
            self.take_over(tangents, bars, &vec![None; tangents.len()]);
        }
        self.take_over(targets, bar_dots, &vec![None; targets.len()]);
    }

    /// The cotangents of results, which end here.
    fn seeds(&mut self, results: &[Var]) -> Vec<Var> {
        results
            .iter()
            .map(|result| {
                let bar = self.bar_or_zero(*result);
                self.bars.remove(result);
                bar
            })
            .collect()
    }

    /// For each differentiable argument that the callee changes: the cotangent of what it is afterwards. It comes in, and
    /// what goes out is the cotangent of what it was before.
    fn moved(&mut self, call: &Call, active: &[usize], targets: &[Var], changed: &[Var]) -> Vec<Option<Var>> {
        let places = call.target.changed_args();
        let mut after = changed.iter().copied();
        active
            .iter()
            .zip(targets)
            .map(|(at, _)| {
                let out = if places.contains(at) { after.next()? } else { return None };
                let bar = self.bar_or_zero(out);
                self.bars.remove(&out);
                Some(bar)
            })
            .collect()
    }

    /// What the callee adds into. Of an argument that is given twice, the second cotangent starts at zero and is added
    /// afterwards.
    fn accumulators(&mut self, targets: &[Var], moved: &[Option<Var>]) -> (Vec<Var>, Vec<Ty>) {
        let mut args = Vec::new();
        for (k, target) in targets.iter().enumerate() {
            if let Some(bar) = moved[k] {
                args.push(bar);
                continue;
            }
            let again = targets[..k].contains(target) || !self.active.contains(target);
            args.push(if again { self.b.zero_like(*target) } else { self.bar_or_zero(*target) });
        }
        (args, targets.iter().map(|target| self.b.ty(*target).clone()).collect())
    }

    /// Calls, and gives the results after the first ones.
    fn run(
        &mut self,
        (eqn, call): (&Eqn, &Call),
        kind: CallKind,
        args: Vec<Var>,
        first: Vec<Ty>,
        rest: Vec<Ty>,
    ) -> Vec<Var> {
        let repeats = call.repeats.or(eqn.outs.first().copied());
        let (op, count) = (Op::Call(Call { kind, repeats, ..call.clone() }), first.len());
        let mut outs = self.b.push_multi(op, args, Vec::new(), [first, rest].concat());
        outs.split_off(count)
    }

    fn take_over(&mut self, targets: &[Var], bars: &[Var], moved: &[Option<Var>]) {
        for (k, (target, bar)) in targets.iter().zip(bars).enumerate() {
            if !self.active.contains(target) {
                continue;
            }
            if targets[..k].contains(target) || moved[k].is_some() {
                self.contribute(*target, *bar);
            } else {
                let before = self.reach_of(*target);
                self.add_to(*target, *bar, before);
            }
        }
    }
}
