//! Runs a body on numbers, so that passes and rules are tested without rustc.
//!
//! Every value is a number or an [`Array`] of `f64`, integers and truth values too. With [`Machine::single`] each
//! result is rounded to `f32`; with [`Machine::in_place`] an update takes its operand away, so that a body that reads
//! an array after it was overwritten fails instead of giving the old value.
//!
//! Most tests wait for the evaluator, in debug builds: scalars are not on the heap, and shapes are computed once.

mod array;
mod call;
mod callee;
mod ragged;
pub mod snapshots;
#[cfg(test)]
mod tests;

use super::dim::Dim;
use super::{Block, Body, Elem, Eqn, IntOp, Op, Ty, Var};
use crate::op::{Operator, Row};
pub use array::{Array, indices};
pub use call::AGAIN;
pub use callee::{Host, Program};
pub use ragged::RAGGED;
use std::collections::HashMap;
use std::rc::Rc;

/// How a body is run.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// What the names in dimensions stand for.
    pub sizes: HashMap<String, usize>,
    /// Round every float to `f32`, whatever its type. (Values of type `f32` always are.)
    pub single: bool,
    /// An update in place leaves nothing behind.
    pub in_place: bool,
    /// What is called.
    pub program: Rc<Program>,
}

/// More iterations than any test needs: the condition of a `while` loop never fails.
const FOREVER: usize = 10_000;

impl Machine {
    pub fn new(sizes: &[(&str, usize)]) -> Machine {
        Machine { sizes: sizes.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect(), ..Machine::default() }
    }

    pub fn run(&self, body: &Body, args: &[Array]) -> Result<Vec<Array>, String> {
        let args = args.iter().map(|arg| Value::of(arg.clone())).collect();
        Ok(self.run_values(body, args)?.into_iter().map(Value::into_array).collect())
    }

    fn run_values(&self, body: &Body, args: Vec<Value>) -> Result<Vec<Value>, String> {
        if args.len() != body.block.params.len() {
            let (given, params) = (args.len(), body.block.params.len());
            return Err(format!("{given} arguments for {params} parameters of `{}`", body.name));
        }
        let mut frame = Frame::new(self, body);
        for (param, arg) in body.block.params.iter().zip(args) {
            frame.define(*param, arg)?;
        }
        frame.block(&body.block)
    }

    pub fn size(&self, dim: &Dim) -> i64 {
        dim.as_literal().unwrap_or_else(|| {
            dim.eval(&|name| {
                let size = self.sizes.get(name).unwrap_or_else(|| panic!("no size for `{name}`"));
                i64::try_from(*size).expect("a small size")
            })
        })
    }

    pub fn dims(&self, ty: &Ty) -> Vec<usize> {
        let size = |dim: &Dim| match dim.is_dynamic() {
            true => ANY,
            false => usize::try_from(self.size(dim)).expect("a size is not negative"),
        };
        ty.dims.iter().map(size).collect()
    }
}

#[derive(Clone, Debug)]
enum Value {
    /// Not defined yet, or updated in place.
    Gone,
    Number(f64),
    Array(Array),
}

impl Value {
    fn of(array: Array) -> Value {
        if array.dims.is_empty() { Value::Number(array.data[0]) } else { Value::Array(array) }
    }

    fn into_array(self) -> Array {
        match self {
            Value::Gone => unreachable!("what is read is there"),
            Value::Number(x) => Array::scalar(x),
            Value::Array(array) => array,
        }
    }
}

struct Frame<'m> {
    machine: &'m Machine,
    body: &'m Body,
    values: Vec<Value>,
    /// The shape of each variable, and whether it is rounded.
    dims: Vec<Vec<usize>>,
    single: Vec<bool>,
    /// Values that the next read may take along.
    movable: Vec<bool>,
}

/// The variables whose only use is in the block that defines them: nothing reads them again, and a loop defines
/// them anew. (Copying an array for each element that is written would take forever.)
fn used_once(body: &Body) -> Vec<bool> {
    let mut uses = vec![0; body.vars.len()];
    body.block.for_each_use(&mut |var| uses[var.0 as usize] += 1);
    let mut marks = Marks { uses, home: vec![0; body.vars.len()], blocks: 0, once: vec![false; body.vars.len()] };
    marks.block(&body.block);
    marks.once
}

struct Marks {
    uses: Vec<usize>,
    /// The number of the block that defines each variable.
    home: Vec<usize>,
    blocks: usize,
    once: Vec<bool>,
}

impl Marks {
    fn block(&mut self, block: &Block) {
        self.blocks += 1;
        let number = self.blocks;
        for var in block.params.iter().chain(block.eqns.iter().flat_map(|eqn| &eqn.outs)) {
            self.home[var.0 as usize] = number;
        }
        for var in block.eqns.iter().flat_map(|eqn| &eqn.args).chain(&block.results) {
            let index = var.0 as usize;
            self.once[index] |= self.home[index] == number && self.uses[index] == 1;
        }
        block.eqns.iter().flat_map(|eqn| &eqn.regions).for_each(|region| self.block(region));
    }
}

impl<'m> Frame<'m> {
    fn new(machine: &'m Machine, body: &'m Body) -> Frame<'m> {
        let mut frame = Frame {
            machine,
            body,
            values: vec![Value::Gone; body.vars.len()],
            dims: vec![Vec::new(); body.vars.len()],
            single: vec![false; body.vars.len()],
            movable: used_once(body),
        };
        frame.prepare(&body.block);
        frame
    }

    fn prepare(&mut self, block: &Block) {
        for var in block.params.iter().chain(block.eqns.iter().flat_map(|eqn| &eqn.outs)) {
            let ty = self.body.ty(*var);
            self.dims[var.0 as usize] = self.machine.dims(ty);
            self.single[var.0 as usize] = ty.elem == Elem::F32 || (self.machine.single && ty.is_float());
        }
        for region in block.eqns.iter().flat_map(|eqn| &eqn.regions) {
            self.prepare(region);
        }
    }

    fn define(&mut self, var: Var, value: Value) -> Result<(), String> {
        let (index, wrong) = (var.0 as usize, |dims: &[usize]| {
            format!("%{} of type {} gets a value of shape {dims:?}", var.0, self.body.ty(var))
        });
        let single = self.single[index];
        self.values[index] = match value {
            Value::Gone => return Err(format!("%{} gets no value", var.0)),
            Value::Number(_) if !self.dims[index].is_empty() => return Err(wrong(&[])),
            Value::Number(x) => Value::Number(if single { f64::from(x as f32) } else { x }),
            Value::Array(array) if !fits(&array.dims, &self.dims[index]) => return Err(wrong(&array.dims)),
            // An operator may give a scalar as an array.
            Value::Array(array) if array.dims.is_empty() => return self.define(var, Value::Number(array.data[0])),
            Value::Array(mut array) => {
                if single {
                    array.data.iter_mut().for_each(|x| *x = f64::from(*x as f32));
                }
                Value::Array(array)
            }
        };
        Ok(())
    }

    fn get(&self, var: Var) -> Result<&Value, String> {
        match &self.values[var.0 as usize] {
            Value::Gone => Err(gone(var)),
            value => Ok(value),
        }
    }

    fn array(&self, var: Var) -> Result<&Array, String> {
        match &self.values[var.0 as usize] {
            Value::Array(array) => Ok(array),
            Value::Number(_) => Err(format!("%{} is no array", var.0)),
            Value::Gone => Err(gone(var)),
        }
    }

    /// An operand that is updated in place.
    fn take(&mut self, var: Var) -> Result<Value, String> {
        let value = &mut self.values[var.0 as usize];
        let in_place = self.machine.in_place && matches!(value, Value::Array(_));
        let taken = if self.movable[var.0 as usize] || in_place {
            std::mem::replace(value, Value::Gone)
        } else {
            value.clone()
        };
        if let Value::Gone = taken { Err(gone(var)) } else { Ok(taken) }
    }

    fn take_all(&mut self, vars: &[Var]) -> Result<Vec<Value>, String> {
        let mut values = Vec::with_capacity(vars.len() + 1);
        for var in vars {
            values.push(self.take(*var)?);
        }
        Ok(values)
    }

    /// An index, a truth value, a number.
    fn number(&self, var: Var) -> Result<f64, String> {
        match &self.values[var.0 as usize] {
            Value::Number(x) => Ok(*x),
            Value::Array(_) => Err(format!("%{} is no scalar", var.0)),
            Value::Gone => Err(gone(var)),
        }
    }

    /// Where the part under these indices begins in an array of a shape, and how long it is.
    fn place(&self, dims: &[usize], at: &[Var]) -> Result<(usize, usize), String> {
        let (mut start, mut size) = (0, 1);
        for (axis, dim) in dims.iter().enumerate() {
            start *= dim;
            let Some(at) = at.get(axis) else {
                size *= dim;
                continue;
            };
            let index = self.number(*at)?;
            if index < 0.0 || index as usize >= *dim {
                return Err(format!("index {index} of axis {axis} into {dims:?}"));
            }
            start += index as usize;
        }
        if at.len() > dims.len() { Err(format!("{} indices into {dims:?}", at.len())) } else { Ok((start, size)) }
    }

    fn block(&mut self, block: &Block) -> Result<Vec<Value>, String> {
        for eqn in &block.eqns {
            self.eqn(eqn).map_err(|problem| format!("{problem}\n  in `{}`", super::text::op_text(&eqn.op)))?;
        }
        let mut results = Vec::with_capacity(block.results.len() + 1);
        for result in &block.results {
            let movable = self.movable[result.0 as usize];
            results.push(if movable { self.take(*result)? } else { self.get(*result)?.clone() });
        }
        Ok(results)
    }

    fn region(&mut self, region: &Block, args: impl IntoIterator<Item = Value>) -> Result<Vec<Value>, String> {
        for (param, arg) in region.params.iter().zip(args) {
            self.define(*param, arg)?;
        }
        self.block(region)
    }

    fn eqn(&mut self, eqn: &Eqn) -> Result<(), String> {
        match &eqn.op {
            Op::For { .. } | Op::While { .. } | Op::If | Op::Call(_) => {
                let values = match &eqn.op {
                    Op::Call(call) => self.call(eqn, call)?,
                    _ => self.control(eqn)?,
                };
                for (out, value) in eqn.outs.iter().zip(values) {
                    self.define(*out, value)?;
                }
                Ok(())
            }
            _ => {
                let value = self.value(eqn)?;
                self.define(eqn.outs[0], value)
            }
        }
    }

    fn control(&mut self, eqn: &Eqn) -> Result<Vec<Value>, String> {
        match &eqn.op {
            Op::For { lo, hi, reverse, .. } => {
                let (lo, hi) = (self.size(lo)?, self.size(hi)?);
                let mut carried = self.take_all(&eqn.args)?;
                for k in lo..hi {
                    let index = if *reverse { lo + hi - 1 - k } else { k };
                    let index = Value::Number(index as f64);
                    carried = self.region(&eqn.regions[0], std::iter::once(index).chain(carried))?;
                }
                Ok(carried)
            }
            Op::While { .. } => {
                let mut carried = self.take_all(&eqn.args)?;
                for _ in 0..FOREVER {
                    let more = self.region(&eqn.regions[0], carried.clone())?;
                    if matches!(more[..], [Value::Number(0.0)]) {
                        return Ok(carried);
                    }
                    carried = self.region(&eqn.regions[1], carried)?;
                }
                Err("the loop does not end".into())
            }
            _ => {
                let taken = if self.number(eqn.args[0])? == 0.0 { &eqn.regions[1] } else { &eqn.regions[0] };
                self.region(taken, [])
            }
        }
    }

    fn value(&mut self, eqn: &Eqn) -> Result<Value, String> {
        let (args, out) = (&eqn.args, eqn.outs[0]);
        let is_scalar = self.dims[out.0 as usize].is_empty();
        Ok(match &eqn.op {
            Op::Const(value) => Value::Number(*value),
            Op::Dim(dim) => Value::Number(self.size(dim)? as f64),
            Op::Len => match self.array(args[0])? {
                array if array.is_ragged() => Value::Number(self.length_of_ragged(array, &args[1..])?),
                array => Value::Number(array.dims[args.len() - 1] as f64),
            },
            Op::ZeroLike => Value::Array(self.array(args[0])?.zeros()),
            Op::Push => {
                let part = self.get(args[1])?.clone().into_array();
                let (mut array, at) = (self.take(args[0])?.into_array(), self.number(args[2])? as usize);
                let size = part.data.len();
                if array.dims.first().is_some_and(|len| *len > 0) && array.dims[1..] != part.dims {
                    return Ok(Value::Array(array.with_row(at, part)?));
                }
                // What came after the new element stays, as in generated code: nobody looks at it, but its place is there.
                let len = array.dims.first().copied().unwrap_or(0).max(at + 1);
                array.data.resize(len * size, 0.0);
                array.data.splice(at * size..(at + 1) * size, part.data);
                array.dims = [&[len], &part.dims[..]].concat();
                Value::Array(array)
            }
            Op::Opaque(opaque) => {
                let numbers: Option<Vec<f64>> = args.iter().map(|arg| self.number(*arg).ok()).collect();
                let known = numbers.and_then(|numbers| opaque_value(&opaque.tokens.to_string(), &numbers));
                let value = match (known, &self.machine.program.host) {
                    (Some(value), _) => Some(Array::scalar(value)),
                    (None, Some(host)) => {
                        let mut given = Vec::new();
                        for arg in args {
                            let value = match self.get(*arg)? {
                                Value::Number(x) => Array::scalar(*x),
                                array => array.clone().into_array(),
                            };
                            given.push((value, self.body.ty(*arg).clone()));
                        }
                        host.opaque(opaque, &given, self.body.ty(out))?
                    }
                    (None, None) => None,
                };
                let value = value.ok_or_else(|| format!("only rustc knows what `{}` is", opaque.tokens))?;
                if is_scalar { Value::Number(value.data[0]) } else { Value::Array(value) }
            }
            Op::Effect(effect) if effect.kind == super::EffectKind::Computes => Value::Number(0.0),
            Op::Effect(effect) => return Err(format!("reached `{}`", effect.tokens)),
            Op::For { .. } | Op::While { .. } | Op::If | Op::Call(_) => return Err("it has several results".into()),
            Op::Zero(_) if is_scalar => Value::Number(0.0),
            Op::Zero(_) => Value::Array(Array::filled(&self.sizes_of_zeros(eqn)?, 0.0)),
            Op::Map(row) if is_scalar => {
                let mut numbers = [0.0; 5];
                for (number, arg) in numbers.iter_mut().zip(args) {
                    *number = self.number(*arg)?;
                }
                Value::Number((row.eval)(&numbers[..args.len()]))
            }
            Op::Map(row) => Value::Array(self.map(row, args, &self.dims[out.0 as usize])?),
            Op::Cast => {
                let whole = matches!(self.body.ty(out).elem, Elem::Int(_));
                let cast = |x: f64| if whole { x.trunc() } else { x };
                match self.get(args[0])? {
                    Value::Number(x) => Value::Number(cast(*x)),
                    array => Value::Array(array.clone().into_array().map(cast)),
                }
            }
            Op::Int(op) => Value::Number(self.integer(*op, eqn)?),
            Op::Pack => {
                let mut data = Vec::new();
                for arg in args {
                    match self.get(*arg)? {
                        Value::Number(x) => data.push(*x),
                        array => data.extend(array.clone().into_array().data),
                    }
                }
                Value::Array(Array { dims: self.dims[out.0 as usize].clone(), data })
            }
            Op::Get => {
                let array = self.array(args[0])?;
                if array.is_ragged() {
                    return self.part_of_ragged(array, &args[1..]);
                }
                let (start, size) = self.place(&array.dims, &args[1..])?;
                if args.len() > array.dims.len() {
                    Value::Number(array.data[start])
                } else {
                    let dims = array.dims[args.len() - 1..].to_vec();
                    Value::Array(Array { dims, data: array.data[start..start + size].to_vec() })
                }
            }
            Op::Set | Op::Acc => self.update(eqn)?,
            Op::Tensor(op) => Value::Array(self.operator(&**op, args, &self.dims[out.0 as usize])?),
            Op::Into(op) => {
                let result = self.operator(&**op, &args[1..], &self.dims[out.0 as usize])?;
                let sum = self.take(args[0])?.into_array();
                Value::Array(sum.zip(&result, |acc, x| acc + x))
            }
            Op::Put(op) => {
                self.take(args[0])?;
                Value::Array(self.operator(&**op, &args[1..], &self.dims[out.0 as usize])?)
            }
            Op::Copy => self.get(args[0])?.clone(),
        })
    }

    /// A size, in which variables are those of the equation's scope.
    fn size(&self, dim: &Dim) -> Result<i64, String> {
        if !dim.is_dynamic() {
            return Ok(self.machine.size(dim));
        }
        let vars: Vec<Var> = dim.vars().collect();
        let mut values = HashMap::new();
        for var in vars {
            values.insert(format!("%{}", var.0), self.number(var)? as i64);
        }
        let literal = dim.substitute(&|atom| values.get(atom).map(|value| Dim::literal(*value)));
        Ok(self.machine.size(&literal).max(0))
    }

    /// An array that will grow is empty.
    fn sizes_of_zeros(&self, eqn: &Eqn) -> Result<Vec<usize>, String> {
        let size = |dim: &Dim| match dim {
            dim if dim.is_ragged() => Ok(0),
            dim => Ok(usize::try_from(self.size(dim)?).unwrap_or(0)),
        };
        eqn.shape(&self.body.vars).iter().map(size).collect()
    }

    /// An element-wise operator on arrays, with broadcasting.
    fn map(&self, row: &Row, args: &[Var], dims: &[usize]) -> Result<Array, String> {
        let args: Vec<Array> =
            args.iter().map(|arg| self.get(*arg).cloned().map(Value::into_array)).collect::<Result<_, _>>()?;
        if args.iter().any(Array::is_ragged) {
            return Err(RAGGED.to_owned());
        }
        // Of a size that is known at run time only, the operands tell.
        let given = |from_last: usize| {
            let sizes = args.iter().filter_map(|arg| arg.dims.iter().rev().nth(from_last).copied());
            sizes.reduce(|size, other| if size == 1 { other } else { size }).unwrap_or(1)
        };
        let sizes = dims.iter().enumerate();
        let sizes = sizes.map(|(k, size)| if *size == ANY { given(dims.len() - 1 - k) } else { *size });
        let dims = &sizes.collect::<Vec<usize>>()[..];
        let mut numbers = vec![0.0; args.len()];
        let mut data = Vec::with_capacity(dims.iter().product());
        for at in indices(dims) {
            for (number, arg) in numbers.iter_mut().zip(&args) {
                *number = arg.broadcast_at(&at);
            }
            data.push((row.eval)(&numbers));
        }
        Ok(Array { dims: dims.to_vec(), data })
    }

    /// `set` and `acc`.
    fn update(&mut self, eqn: &Eqn) -> Result<Value, String> {
        let (args, replace) = (&eqn.args, matches!(eqn.op, Op::Set));
        // The operand may be the part as well.
        let part = self.get(args[1])?.clone();
        let whole = self.take(args[0])?;
        // Without indices it may be a number.
        let mut array = whole.into_array();
        let rest = array.dims.get(args.len() - 2..);
        let grows = |part: &Array| rest.is_some_and(|rest| rest.len() == part.dims.len() && *rest != part.dims);
        let has_rows = self.dims[eqn.outs[0].0 as usize].contains(&ANY);
        if array.is_ragged() || has_rows && matches!(&part, Value::Array(part) if grows(part)) {
            return self.update_ragged(eqn, &array, &part);
        }
        let (start, size) = self.place(&array.dims, &args[2..])?;
        let old = &mut array.data[start..start + size];
        match &part {
            Value::Number(new) if args.len() - 2 == array.dims.len() => {
                old[0] = if replace { *new } else { old[0] + new };
            }
            Value::Array(part) if part.dims == array.dims[args.len() - 2..] => {
                for (old, new) in old.iter_mut().zip(&part.data) {
                    *old = if replace { *new } else { *old + new };
                }
            }
            Value::Array(part) if part.dims.len() == array.dims[args.len() - 2..].len() => {
                return Err(format!("{RAGGED}: {:?} into {:?}", part.dims, array.dims));
            }
            _ => return Err(format!("{part:?} into {:?} at {} indices", array.dims, args.len() - 2)),
        }
        Ok(Value::Array(array))
    }

    fn integer(&self, op: IntOp, eqn: &Eqn) -> Result<f64, String> {
        let (a, b) = (self.number(eqn.args[0])?, self.number(eqn.args[1])?);
        if b == 0.0 && matches!(op, IntOp::Div | IntOp::Rem) {
            return Err("division by zero".into());
        }
        let value = match op {
            IntOp::Add => a + b,
            IntOp::Sub => a - b,
            IntOp::Mul => a * b,
            IntOp::Div => (a / b).trunc(),
            IntOp::Rem => a % b,
            IntOp::Min => a.min(b),
            IntOp::Max => a.max(b),
            IntOp::And => ((a as i64) & (b as i64)) as f64,
            IntOp::Or => ((a as i64) | (b as i64)) as f64,
            IntOp::Xor => ((a as i64) ^ (b as i64)) as f64,
            IntOp::Shl => ((a as i64) << (b as i64)) as f64,
            IntOp::Shr => ((a as i64) >> (b as i64)) as f64,
            IntOp::NextSnapshot => snapshots::next(a as usize, b as usize) as f64,
        };
        if value < 0.0 && *self.body.ty(eqn.outs[0]) == Ty::index() {
            return Err(format!("{value} as usize"));
        }
        Ok(value)
    }

    /// An operator's own definition, else what its loops compute.
    fn operator(&self, op: &dyn Operator, args: &[Var], dims: &[usize]) -> Result<Array, String> {
        let values: Vec<Array> =
            args.iter().map(|arg| self.get(*arg).cloned().map(Value::into_array)).collect::<Result<_, _>>()?;
        if values.iter().any(Array::is_ragged) {
            return Err(RAGGED.to_owned());
        }
        if let Some(value) = op.eval(&values, dims) {
            return Ok(value);
        }
        let mut b = super::builder::Builder::new();
        let tys: Vec<Ty> = args.iter().map(|arg| self.body.ty(*arg).clone()).collect();
        let params: Vec<Var> = tys.iter().map(|ty| b.var(ty.clone(), None)).collect();
        let typed = op.result(&tys).map_err(|mismatch| mismatch.message)?;
        let result =
            op.loops(&mut b, &params, &typed.ty).ok_or_else(|| format!("`{}` cannot be evaluated", op.text()))?;
        let body = b.finish(op.text(), params, vec![result]);
        Ok(self.machine.run(&body, &values)?.remove(0))
    }
}

/// The few opaque expressions that iterators and conditions come to.
fn opaque_value(tokens: &str, args: &[f64]) -> Option<f64> {
    let of_sizes = tokens.strip_prefix("usize :: ").or_else(|| tokens.strip_prefix(":: core :: cmp :: Ord :: "));
    let method = of_sizes.and_then(|rest| rest.split_once(' ')).map(|(name, _)| name);
    Some(match (tokens, method, args) {
        ("true", ..) => 1.0,
        ("false", ..) => 0.0,
        (_, Some("div_ceil"), [a, b]) => (a / b).ceil(),
        (_, Some("saturating_sub"), [a, b]) => (a - b).max(0.0),
        (_, Some("min"), [a, b]) => a.min(*b),
        (_, Some("max"), [a, b]) => a.max(*b),
        // The length of a range of signed integers.
        (range, _, [lo, hi]) if range.starts_with("if __autodiff_1 > __autodiff_0 {") => (hi - lo).max(0.0),
        _ => return None,
    })
}

/// A size that is known at run time only.
const ANY: usize = usize::MAX;

/// An array with rows that differ says so of its dimensions, too.
fn fits(dims: &[usize], expected: &[usize]) -> bool {
    let fits = |(have, want): (&usize, &usize)| have == want || [*have, *want].contains(&ANY);
    dims.len() == expected.len() && dims.iter().zip(expected).all(fits)
}

fn gone(var: Var) -> String {
    format!("%{} is not defined, or was updated in place before", var.0)
}
