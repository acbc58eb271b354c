//! Runs a call: the operands are sorted into those of the callee's bodies, and the results back.

use super::callee::{Given, machine};
use super::{Frame, Value};
use crate::ir::{Call, CallKind, Eqn, Layout, Var};
use crate::lower::target::{Pass, Target};
use proc_macro2::TokenStream;
use std::rc::Rc;

/// What generated code asserts not to do.
pub const AGAIN: &str = "a function with effects runs again";

impl Frame<'_> {
    pub(super) fn call(&mut self, eqn: &Eqn, call: &Call) -> Result<Vec<Value>, String> {
        let (target, program) = (call.target.clone(), self.machine.program.clone());
        let callee = program.find(target.name())?;
        let both_sweeps = matches!(call.kind, CallKind::Joint | CallKind::JointJvp);
        if (both_sweeps || call.repeats.is_some()) && !target.is_self && callee.has_effects(&program) {
            return Err(AGAIN.to_owned());
        }
        let bodies = callee.bodies(call.kind, target.is_self, self.machine.in_place)?;
        let machine = machine(self.machine, &callee, &target.generics);
        let layout = Layout::of(call);
        let own = own_operands(&target, call.kind, eqn.given(&layout.args.own));
        let given = self.given(&target, &callee.primal.leaves, &own)?;
        let active: Vec<usize> = target.active_args().collect();
        let slot = |leaf: usize| given[leaf].at().and_then(|at| active.iter().position(|active| *active == at));

        // What each differentiable leaf has in a group of operands.
        let group = |frame: &Self, part: &[Var]| -> Result<Vec<Value>, String> {
            let read = |leaf: usize| match slot(leaf) {
                Some(slot) => given[leaf].read(frame.get(part[slot])?),
                // The caller is not differentiated by it.
                None => match given[leaf].at().and_then(|at| own[at]) {
                    Some(var) => Ok(given[leaf].read(frame.get(var)?)?.zero()),
                    None => Ok(Value::Number(0.0)),
                },
            };
            callee.active().map(read).collect()
        };
        let values = |frame: &Self, part: &[Var]| -> Result<Vec<Value>, String> {
            part.iter().map(|var| frame.get(*var).cloned()).collect()
        };
        let mut dots = Vec::new();
        for part in &layout.args.dots {
            dots.push(group(self, eqn.given(part))?);
        }
        let mut seeds = Vec::new();
        for part in &layout.args.seeds {
            seeds.push(values(self, eqn.given(part))?);
        }
        let mut bars = Vec::new();
        for part in &layout.args.bars {
            bars.push(group(self, eqn.given(part))?);
        }
        let mut args = Vec::new();
        for (leaf, given) in given.iter().enumerate() {
            let whole = match given.at() {
                Some(at) => match own[at] {
                    Some(var) => self.get(var)?.clone(),
                    // The reverse sweep does not see it.
                    None => continue,
                },
                None => Value::Number(0.0),
            };
            args.push((leaf, given.read(&whole)?));
        }
        let changed_leaf = |leaf: &usize| callee.primal.inout.contains(leaf);
        let plain = |args: &[(usize, Value)]| args.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>();
        let unchanged = || {
            let kept = args.iter().filter(|(leaf, _)| !changed_leaf(leaf));
            kept.map(|(_, value)| value.clone()).collect::<Vec<_>>()
        };
        // Those that a body adds into itself.
        let added = |bars: &[Value]| {
            let pairs = bars.iter().zip(&bodies.adds);
            pairs.filter(|(_, adds)| **adds).map(|(bar, _)| bar.clone()).collect::<Vec<_>>()
        };
        let after = |bars: &[Value], results: &[Value]| -> Vec<Value> {
            let pairs = bars.iter().zip(results).zip(&bodies.adds);
            pairs.map(|((bar, result), adds)| if *adds { result.clone() } else { bar.plus(result) }).collect()
        };

        let (all, floats, count) = (callee.primal.body.block.results.len(), callee.floats(), callee.active().count());
        let (mut results, mut data) = (Vec::new(), None);
        // Of tangents for each of the float results; of cotangents for each differentiable leaf.
        let (mut result_dots, mut new_bars) = (Vec::new(), Vec::new());
        match call.kind {
            CallKind::Value => results = machine.run_values(&bodies.first, plain(&args))?,
            CallKind::Forward => {
                results = machine.run_values(&bodies.first, plain(&args))?;
                data = Some(program.keep(results.split_off(results.len() - bodies.residuals)));
            }
            CallKind::Reverse | CallKind::Joint if bodies.reverse.is_some() => {
                let saved = match layout.args.data {
                    Some(at) => program.kept(self.number(eqn.args[at])?)?,
                    None => {
                        results = machine.run_values(&bodies.first, plain(&args))?;
                        results.split_off(results.len() - bodies.residuals)
                    }
                };
                let operands = [unchanged(), saved, seeds[0].clone(), added(&bars[0])].concat();
                let reverse = bodies.reverse.as_ref().ok_or("no reverse sweep")?;
                new_bars.push(after(&bars[0], &machine.run_values(reverse, operands)?));
            }
            CallKind::Reverse | CallKind::Joint | CallKind::Gradient => {
                let seeds = seeds.first().cloned().unwrap_or_default();
                results = machine.run_values(&bodies.first, [plain(&args), seeds, added(&bars[0])].concat())?;
                new_bars.push(after(&bars[0], &results.split_off(all)));
            }
            CallKind::Jvp | CallKind::JvpJvp => {
                results = machine.run_values(&bodies.first, [plain(&args), dots.concat()].concat())?;
                let tangents = results.split_off(all);
                result_dots = tangents.chunks(floats.len().max(1)).map(<[Value]>::to_vec).collect();
            }
            CallKind::JointJvp => {
                let first = [plain(&args), seeds[0].clone(), added(&bars[0])].concat();
                let second = [dots[0].clone(), seeds[1].clone(), added(&bars[1])].concat();
                results = machine.run_values(&bodies.first, [first, second].concat())?;
                let mut rest = results.split_off(all);
                let mut rest_dots = rest.split_off(count);
                let bar_dots = rest_dots.split_off(floats.len());
                result_dots.push(rest_dots);
                new_bars = vec![after(&bars[0], &rest), after(&bars[1], &bar_dots)];
            }
        }

        // The results of the equation, in its order.
        let changed = if call.kind == CallKind::Reverse { Vec::new() } else { results.split_off(callee.returned()) };
        let mut outs = results;
        let whole_after = |frame: &Self, leaf: usize, var: Var, new: &Value| {
            let whole = frame.get(var)?;
            given[leaf].write(whole, new.clone())
        };
        for (leaf, new) in callee.primal.inout.iter().zip(&changed) {
            let var = given[*leaf].at().and_then(|at| own[at]).ok_or("a change of a literal")?;
            outs.push(whole_after(self, *leaf, var, new)?);
        }
        outs.extend(data);
        for (part, tangents) in layout.args.dots.iter().zip(&result_dots) {
            let dots = eqn.given(part);
            for (float, tangent) in floats.iter().zip(tangents) {
                let Some(k) = float.checked_sub(callee.returned()) else {
                    outs.push(tangent.clone());
                    continue;
                };
                let leaf = callee.primal.inout[k];
                if let Some(slot) = slot(leaf) {
                    outs.push(whole_after(self, leaf, dots[slot], tangent)?);
                }
            }
        }
        let leaves: Vec<usize> = callee.active().collect();
        for (part, bars) in layout.args.bars.iter().zip(&new_bars) {
            for (k, var) in eqn.given(part).iter().enumerate() {
                let mut whole = self.get(*var)?.clone();
                for (leaf, bar) in leaves.iter().zip(bars).filter(|(leaf, _)| slot(**leaf) == Some(k)) {
                    whole = given[*leaf].write(&whole, bar.clone())?;
                }
                outs.push(whole);
            }
        }
        if outs.len() != eqn.outs.len() {
            return Err(format!("{} results of a call of `{}` for {}", outs.len(), target.name(), eqn.outs.len()));
        }
        if self.machine.in_place {
            for (at, _) in layout.updates(&target) {
                let at = if call.kind == CallKind::Reverse && at < layout.args.own.end { continue } else { at };
                let value = &mut self.values[eqn.args[at].0 as usize];
                if matches!(value, Value::Array(_)) {
                    *value = Value::Gone;
                }
            }
        }
        Ok(outs)
    }

    /// Where the callee's leaves are.
    fn given(
        &self,
        target: &Target,
        leaves: &[crate::layout::ParamLeaf],
        own: &[Option<Var>],
    ) -> Result<Vec<Given>, String> {
        let mut given = Vec::new();
        let mut start = 0;
        for (k, arg) in target.args.iter().enumerate() {
            let count = leaves.iter().filter(|leaf| leaf.access.root == k).count();
            let index = |at: usize| -> Result<usize, String> {
                let var = own[at].ok_or("an index is missing")?;
                Ok(self.number(var)? as usize)
            };
            match &arg.pass {
                Pass::View { indices, start: starts, ranged } if count == 1 => {
                    let at = (start + 1..=start + indices).map(index).collect::<Result<Vec<_>, _>>()?;
                    let range = match (*ranged, *starts) {
                        (false, _) => None,
                        (true, false) => Some((0, index(start + 1 + indices)?)),
                        (true, true) => Some((index(start + 1 + indices)?, index(start + 2 + indices)?)),
                    };
                    given.push(Given::Part { at: start, indices: at, range });
                }
                Pass::Tokens(tokens) => {
                    let operands = &own[start..start + arg.leaves];
                    given.extend(self.without_derivative(tokens, operands, count)?.into_iter().map(Given::Constant));
                }
                _ if arg.leaves == count => given.extend((start..start + count).map(Given::Whole)),
                pass => return Err(format!("{} operands for {count} leaves, passed as {pass:?}", arg.leaves)),
            }
            start += arg.leaves;
        }
        Ok(given)
    }
}

/// A call's own operands; of the reverse sweep, those that the callee has changed are missing.
fn own_operands(target: &Rc<Target>, kind: CallKind, given: &[Var]) -> Vec<Option<Var>> {
    let changed = if kind == CallKind::Reverse { target.changed_args() } else { Vec::new() };
    let mut given = given.iter().copied();
    (0..target.own_args()).map(|at| if changed.contains(&at) { None } else { given.next() }).collect()
}

fn literal(text: &str) -> Option<f64> {
    let bare = text.replace(' ', "");
    match &bare[..] {
        "true" => return Some(1.0),
        "false" => return Some(0.0),
        _ => {}
    }
    let end = bare.find(|c: char| c.is_ascii_alphabetic() && c != 'e').unwrap_or(bare.len());
    bare[..end].trim_end_matches('_').parse().ok()
}

impl Frame<'_> {
    /// The leaves of an argument that carries no derivative.
    fn without_derivative(
        &self,
        tokens: &TokenStream,
        operands: &[Option<Var>],
        count: usize,
    ) -> Result<Vec<Value>, String> {
        let text = tokens.to_string();
        if let (1, Some(number)) = (count, literal(&text)) {
            return Ok(vec![Value::Number(number)]);
        }
        let mut args = Vec::new();
        for var in operands {
            let var = var.ok_or("an operand is missing")?;
            args.push((self.number(var)?, self.body.ty(var).clone()));
        }
        let leaves = self.machine.program.host.as_ref().and_then(|host| host.leaves(tokens, &args));
        match leaves {
            Some(leaves) if leaves.len() == count => Ok(leaves.into_iter().map(Value::of).collect()),
            _ => Err(format!("only rustc knows what `{text}` is")),
        }
    }
}

impl Value {
    fn zero(&self) -> Value {
        match self {
            Value::Array(array) => Value::Array(array.map(|_| 0.0)),
            _ => Value::Number(0.0),
        }
    }

    fn plus(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => Value::Number(a + b),
            (a, b) => Value::of(a.clone().into_array().zip(&b.clone().into_array(), |a, b| a + b)),
        }
    }
}
