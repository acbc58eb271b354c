//! Calls in forward mode: each of a callee's functions has its tangent among them, up to second order.

use super::{Tangent, Unsupported};
use crate::ir::{Call, CallKind, Eqn, Op, Var};

impl Tangent<'_> {
    pub(super) fn call(&mut self, eqn: &Eqn, call: &Call) -> Result<(), Unsupported> {
        let own = call.target.own_args();
        let active: Vec<usize> = call.target.active_args().collect();
        let (arguments, rest) = eqn.args.split_at(own);
        let dots: Vec<Var> = active.iter().map(|at| self.dot_or_zero(arguments[*at])).collect();
        let (floats, changed) = call.target.float_values(&eqn.outs, self.b);
        let count = floats.len();
        let results = [floats, changed].concat();
        match call.kind {
            CallKind::Value => {
                let args = [arguments, &dots].concat();
                let outs = self.with_dots(&eqn.outs, &results);
                self.push(eqn, call, CallKind::Jvp, outs, args);
            }
            CallKind::Jvp => {
                let rest_dots = self.dots_of(rest);
                let args = [arguments, rest, &dots, &rest_dots].concat();
                let floats = [&results[..], &eqn.outs[eqn.outs.len() - results.len()..]].concat();
                let outs = self.with_dots(&eqn.outs, &floats);
                self.push(eqn, call, CallKind::JvpJvp, outs, args);
            }
            CallKind::Gradient | CallKind::Joint => {
                let joint = call.kind == CallKind::Joint;
                let (seeds, bars) = rest.split_at(if joint { count } else { 0 });
                let (seeds, seed_dots) = match joint {
                    true => (seeds.to_vec(), self.dots_of(seeds)),
                    false => {
                        let elem = self.b.ty(results[0]).elem.clone();
                        (vec![self.b.constant(&elem, 1.0)], vec![self.b.constant(&elem, 0.0)])
                    }
                };
                let bar_dots = self.dots_of(bars);
                let args = [arguments, &dots, &seeds, &seed_dots, bars, &bar_dots].concat();
                let (values, bars) = eqn.outs.split_at(eqn.outs.len() - active.len());
                let values = self.with_dots(values, &results);
                let bars = self.with_dots(bars, bars);
                self.push(eqn, call, CallKind::JointJvp, [values, bars].concat(), args);
            }
            _ => return Err(Unsupported { span: eqn.span, what: "a third derivative of a call" }),
        }
        Ok(())
    }

    fn dots_of(&mut self, vars: &[Var]) -> Vec<Var> {
        vars.iter().map(|var| self.dot_or_zero(*var)).collect()
    }

    /// The results, followed by tangents of some of them.
    fn with_dots(&mut self, outs: &[Var], floats: &[Var]) -> Vec<Var> {
        let mut all = outs.to_vec();
        for out in floats {
            let dot = self.b.var_like(*out, self.b.ty(*out).clone(), "_dot");
            self.dots.insert(*out, dot);
            all.push(dot);
        }
        all
    }

    fn push(&mut self, eqn: &Eqn, call: &Call, kind: CallKind, outs: Vec<Var>, args: Vec<Var>) {
        let op = Op::Call(Call { kind, ..call.clone() });
        self.b.push_eqn(Eqn { outs, op, args, regions: Vec::new(), span: eqn.span });
    }
}
