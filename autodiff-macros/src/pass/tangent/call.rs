//! Calls in forward mode: each of a callee's functions has its tangent among them, up to second order.

use super::{Tangent, Unsupported};
use crate::ir::{Call, CallKind, Eqn, Layout, Op, Var};

impl Tangent<'_> {
    pub(super) fn call(&mut self, eqn: &Eqn, call: &Call) -> Result<(), Unsupported> {
        let Layout { args, outs } = Layout::of(call);
        let arguments = eqn.given(&args.own);
        let dots: Vec<Var> = call.target.active_args().map(|at| self.dot_or_zero(arguments[at])).collect();
        let results = call.target.with_tangents(eqn.made(&outs.returned), eqn.made(&outs.changed), self.b);
        match call.kind {
            CallKind::Value => {
                let args = [arguments, &dots].concat();
                let outs = self.with_dots(&eqn.outs, &results);
                self.push(eqn, call, CallKind::Jvp, outs, args)?;
            }
            CallKind::Jvp => {
                let (own_dots, (value_dots, changed_dots)) = (eqn.given(&args.dots[0]), &outs.dots[0]);
                let again = self.dots_of(own_dots);
                let args = [arguments, own_dots, &dots, &again].concat();
                let floats = [&results[..], eqn.made(value_dots), eqn.made(changed_dots)].concat();
                let outs = self.with_dots(&eqn.outs, &floats);
                self.push(eqn, call, CallKind::JvpJvp, outs, args)?;
            }
            CallKind::Gradient | CallKind::Joint => {
                let bars = eqn.given(&args.bars[0]);
                let (seeds, seed_dots) = match args.seeds.first() {
                    Some(seeds) => (eqn.given(seeds).to_vec(), self.dots_of(eqn.given(seeds))),
                    None => {
                        let elem = self.b.ty(results[0]).elem.clone();
                        (vec![self.b.constant(&elem, 1.0)], vec![self.b.constant(&elem, 0.0)])
                    }
                };
                let bar_dots = self.dots_of(bars);
                let args = [arguments, &dots, &seeds, &seed_dots, bars, &bar_dots].concat();
                let (values, bars) = eqn.outs.split_at(outs.bars[0].start);
                let values = self.with_dots(values, &results);
                let bars = self.with_dots(bars, bars);
                self.push(eqn, call, CallKind::JointJvp, [values, bars].concat(), args)?;
            }
            _ => return Err(Unsupported::third_order(eqn.span)),
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

    fn push(
        &mut self,
        eqn: &Eqn,
        call: &Call,
        kind: CallKind,
        outs: Vec<Var>,
        args: Vec<Var>,
    ) -> Result<(), Unsupported> {
        Unsupported::check_order(eqn.span, &call.target, kind)?;
        let op = Op::Call(Call { kind, ..call.clone() });
        self.b.push_eqn(Eqn { outs, op, args, regions: Vec::new(), span: eqn.span });
        Ok(())
    }
}
