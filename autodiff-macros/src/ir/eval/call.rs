//! Runs a call: the operands are sorted into those of the callee's bodies, and the results back.

use super::callee::{Given, machine};
use super::{Frame, Value};
use crate::ir::call::Passed;
use crate::ir::interface::{Of, Role};
use crate::ir::{Call, CallKind, Callee, Eqn, Var};
use proc_macro2::TokenStream;

/// What generated code asserts not to do.
pub const AGAIN: &str = "a function with effects runs again";

impl Frame<'_> {
    pub(super) fn call(&mut self, eqn: &Eqn, call: &Call) -> Result<Vec<Value>, String> {
        let (called, program) = (&call.callee, self.machine.program.clone());
        let callee = program.find(&called.name)?;
        let again = call.kind.is_both_sweeps() || call.repeats.is_some();
        if again && !called.is_self && callee.has_effects(&program) {
            return Err(AGAIN.to_owned());
        }
        let bodies = callee.bodies(call.kind, called.is_self, self.machine.in_place)?;
        let machine = machine(self.machine, &callee, &called.sizes);
        let slots = call.interface(eqn);
        let own: Vec<Option<Var>> = (0..called.operands()).map(|k| slots.input(Role::value(Of::Input(k)))).collect();
        let given = self.given(called, &callee.primal.leaves, &own)?;

        // What each differentiable leaf has of a kind: its tangent or its cotangent.
        let group = |frame: &Self, role: &dyn Fn(usize) -> Role| -> Result<Vec<Value>, String> {
            let read = |leaf: usize| {
                let Some(at) = given[leaf].at() else { return Ok(Value::Number(0.0)) };
                match (slots.input(role(at)), own[at]) {
                    (Some(var), _) => given[leaf].read(frame.get(var)?),
                    // The caller is not differentiated by it.
                    (None, Some(var)) => Ok(given[leaf].read(frame.get(var)?)?.zero()),
                    (None, None) => Ok(Value::Number(0.0)),
                }
            };
            callee.active().map(read).collect()
        };
        let (mut dots, mut seeds, mut bars) = (Vec::new(), Vec::new(), Vec::new());
        for along in call.kind.tangents() {
            dots.push(group(self, &|k| Role::value(Of::Input(k)).towards(*along))?);
        }
        for along in call.kind.seeds() {
            let roles = (0..called.results.len()).map(|k| Role::cotangent(Of::Result(k)).towards(*along));
            let vars = roles.filter_map(|role| slots.input(role));
            seeds.push(vars.map(|var| self.get(var).cloned()).collect::<Result<Vec<_>, _>>()?);
        }
        for along in call.kind.cotangents() {
            bars.push(group(self, &|k| Role::cotangent(Of::Input(k)).towards(*along))?);
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
            CallKind::Jacobian => return Err("no Jacobian of a callee here".to_owned()),
            CallKind::Value => results = machine.run_values(&bodies.first, plain(&args))?,
            CallKind::Forward => {
                results = machine.run_values(&bodies.first, plain(&args))?;
                data = Some(program.keep(results.split_off(results.len() - bodies.residuals)));
            }
            CallKind::Reverse | CallKind::Joint if bodies.reverse.is_some() => {
                let saved = match slots.input(Role::RESIDUALS) {
                    Some(var) => program.kept(self.number(var)?)?,
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
            CallKind::Tangent(_) | CallKind::Taylor => {
                results = machine.run_values(&bodies.first, [plain(&args), dots.concat()].concat())?;
                let tangents = results.split_off(all);
                result_dots = tangents.chunks(floats.len().max(1)).map(<[Value]>::to_vec).collect();
            }
            CallKind::JointTangent(_) => {
                let mut operands = [plain(&args), seeds[0].clone(), added(&bars[0])].concat();
                for ((dots, seeds), bars) in dots.iter().zip(&seeds[1..]).zip(&bars[1..]) {
                    operands.extend([dots.clone(), seeds.clone(), added(bars)].concat());
                }
                results = machine.run_values(&bodies.first, operands)?;
                let rest = results.split_off(all);
                let (first, tangents) = rest.split_at(count);
                new_bars.push(after(&bars[0], first));
                for (tangents, bars) in tangents.chunks(floats.len() + count).zip(&bars[1..]) {
                    let (dots, bar_dots) = tangents.split_at(floats.len());
                    result_dots.push(dots.to_vec());
                    new_bars.push(after(bars, bar_dots));
                }
            }
        }

        // The results of the equation, by role.
        let changed = if call.kind == CallKind::Reverse { Vec::new() } else { results.split_off(callee.returned()) };
        let returned = results;
        let inout = &callee.primal.inout;
        let leaves: Vec<usize> = callee.active().collect();
        let changed_leaf = |operand: usize| (0..inout.len()).find(|k| given[inout[*k]].at() == Some(operand));
        let mut outs = Vec::new();
        for role in &slots.outputs {
            let missing = || format!("no value for {role:?} of a call of `{}`", called.name);
            let direction = call.kind.tangents().iter().position(|along| *along == role.along);
            outs.push(match role.of {
                Of::Residuals => data.clone().ok_or_else(missing)?,
                Of::Input(k) => {
                    let at =
                        call.kind.cotangents().iter().position(|along| *along == role.along).ok_or_else(missing)?;
                    let mut whole = self.get(slots.input(*role).ok_or_else(missing)?)?.clone();
                    let own = leaves.iter().zip(&new_bars[at]).filter(|(leaf, _)| given[**leaf].at() == Some(k));
                    for (leaf, bar) in own {
                        whole = given[*leaf].write(&whole, bar.clone())?;
                    }
                    whole
                }
                Of::Result(k) => {
                    let value = |at: usize| match direction {
                        None if at < returned.len() => returned.get(at).cloned(),
                        None => changed.get(at - returned.len()).cloned(),
                        Some(direction) => {
                            let float = floats.iter().position(|float| *float == at);
                            float.and_then(|float| result_dots[direction].get(float).cloned())
                        }
                    };
                    match k.checked_sub(called.results.len()) {
                        None => value(k).ok_or_else(missing)?,
                        // What is changed may be a part of an operand.
                        Some(nth) => {
                            let operand = called.changed_operands().nth(nth).ok_or_else(missing)?;
                            let at = changed_leaf(operand).ok_or_else(missing)?;
                            let before = Role::value(Of::Input(operand)).towards(role.along);
                            let whole = self.get(slots.input(before).ok_or_else(missing)?)?;
                            match value(callee.returned() + at) {
                                Some(value) => given[inout[at]].write(whole, value)?,
                                // An integer in what is changed has no tangent.
                                None if direction.is_some() => whole.clone(),
                                None => return Err(missing()),
                            }
                        }
                    }
                }
            });
        }
        if self.machine.in_place {
            for (at, _) in eqn.call_updates() {
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
        called: &Callee,
        leaves: &[crate::layout::ParamLeaf],
        own: &[Option<Var>],
    ) -> Result<Vec<Given>, String> {
        let mut given = Vec::new();
        for (k, arg) in called.args.iter().enumerate() {
            let count = leaves.iter().filter(|leaf| leaf.access.root == k).count();
            let start = arg.operands.start;
            match &arg.passed {
                Passed::Part(part) if count == 1 => {
                    let places: Vec<usize> = (start + 1..arg.operands.end)
                        .map(|at| Ok(self.number(own[at].ok_or("an index is missing")?)? as usize))
                        .collect::<Result<_, String>>()?;
                    let (indices, range) = places.split_at(part.indices);
                    let range = match *range {
                        [] => None,
                        [len] => Some((0, len)),
                        [start, len, ..] => Some((start, len)),
                    };
                    given.push(Given::Part { at: start, indices: indices.to_vec(), range });
                }
                Passed::Opaque(tokens) => {
                    let values = self.without_derivative(tokens, &own[arg.operands.clone()], count)?;
                    given.extend(values.into_iter().map(Given::Constant));
                }
                Passed::Whole if arg.operands.len() == count => given.extend(arg.operands.clone().map(Given::Whole)),
                passed => {
                    return Err(format!("{} operands for {count} leaves, passed as {passed:?}", arg.operands.len()));
                }
            }
        }
        Ok(given)
    }
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
