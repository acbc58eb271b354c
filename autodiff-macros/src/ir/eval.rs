//! Runs a body on numbers, so that passes and rules are tested without rustc.
//!
//! Every value is an [`Array`] of `f64`, integers and truth values too. With [`Machine::single`] each result is
//! rounded to `f32`; with [`Machine::in_place`] an update takes its operand away, so that a body that reads an
//! array after it was overwritten fails instead of giving the old value.

use super::dim::Dim;
use super::{Block, Body, Elem, Eqn, IntOp, Op, Ty, Var};
use crate::op::Operator;
use std::collections::{HashMap, HashSet};

/// A row-major array; a scalar has no dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub dims: Vec<usize>,
    pub data: Vec<f64>,
}

impl Array {
    pub fn scalar(value: f64) -> Array {
        Array { dims: Vec::new(), data: vec![value] }
    }

    pub fn from_fn(dims: &[usize], f: impl Fn(&[usize]) -> f64) -> Array {
        Array { dims: dims.to_vec(), data: indices(dims).map(|at| f(&at)).collect() }
    }

    pub fn at(&self, at: &[usize]) -> f64 {
        assert_eq!(at.len(), self.dims.len(), "rank");
        self.data[self.offset(at)]
    }

    pub fn at_mut(&mut self, at: &[usize]) -> &mut f64 {
        let offset = self.offset(at);
        &mut self.data[offset]
    }

    /// The element under `at`, where this array is stretched as NumPy does.
    pub fn broadcast_at(&self, at: &[usize]) -> f64 {
        let skipped = at.len() - self.dims.len();
        let own: Vec<usize> =
            self.dims.iter().zip(&at[skipped..]).map(|(dim, at)| if *dim == 1 { 0 } else { *at }).collect();
        self.at(&own)
    }

    /// Where the sub-array under the first indices begins.
    fn offset(&self, at: &[usize]) -> usize {
        let mut offset = 0;
        for (axis, dim) in self.dims.iter().enumerate() {
            // What has no elements begins where it would, had it any.
            if let Some(at) = at.get(axis) {
                assert!(at < dim, "index {at} of axis {axis}, which has {dim}");
            }
            offset = offset * dim + at.get(axis).unwrap_or(&0);
        }
        offset
    }

    pub fn map(&self, f: impl Fn(f64) -> f64) -> Array {
        Array { dims: self.dims.clone(), data: self.data.iter().map(|x| f(*x)).collect() }
    }

    /// Element by element; the shapes are the same.
    pub fn zip(&self, other: &Array, f: impl Fn(f64, f64) -> f64) -> Array {
        assert_eq!(self.dims, other.dims, "shapes");
        Array { dims: self.dims.clone(), data: self.data.iter().zip(&other.data).map(|(x, y)| f(*x, *y)).collect() }
    }

    /// Σ xᵢ·yᵢ
    pub fn dot(&self, other: &Array) -> f64 {
        self.zip(other, |x, y| x * y).data.iter().sum()
    }
}

/// Every index of a shape, in row-major order.
pub fn indices(dims: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let dims = dims.to_vec();
    (0..dims.iter().product()).map(move |position| {
        let mut rest: usize = position;
        let mut at: Vec<usize> = dims
            .iter()
            .rev()
            .map(|dim| {
                let k = rest % dim;
                rest /= dim;
                k
            })
            .collect();
        at.reverse();
        at
    })
}

/// How a body is run.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// What the names in dimensions stand for.
    pub sizes: HashMap<String, usize>,
    /// Round every float to `f32`, whatever its type. (Values of type `f32` always are.)
    pub single: bool,
    /// An update in place leaves nothing behind.
    pub in_place: bool,
}

/// More iterations than any test needs: the condition of a `while` loop never fails.
const FOREVER: usize = 10_000;

impl Machine {
    pub fn new(sizes: &[(&str, usize)]) -> Machine {
        Machine { sizes: sizes.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect(), ..Machine::default() }
    }

    pub fn run(&self, body: &Body, args: &[Array]) -> Result<Vec<Array>, String> {
        if args.len() != body.block.params.len() {
            return Err(format!("{} arguments for {} parameters", args.len(), body.block.params.len()));
        }
        let mut movable = HashSet::new();
        used_once(&body.block, &mut movable);
        let mut frame = Frame { machine: self, body, values: vec![None; body.vars.len()], movable };
        for (param, arg) in body.block.params.iter().zip(args) {
            frame.define(*param, arg.clone())?;
        }
        frame.block(&body.block)
    }

    pub fn size(&self, dim: &Dim) -> i64 {
        dim.eval(&|name| {
            let size = self.sizes.get(name).unwrap_or_else(|| panic!("no size for `{name}`"));
            i64::try_from(*size).expect("a small size")
        })
    }

    pub fn dims(&self, ty: &Ty) -> Vec<usize> {
        ty.dims.iter().map(|dim| usize::try_from(self.size(dim)).expect("a size is not negative")).collect()
    }

    fn round(&self, ty: &Ty, value: Array) -> Array {
        let single = ty.elem == Elem::F32 || (self.single && ty.is_float());
        if single { value.map(|x| f64::from(x as f32)) } else { value }
    }
}

struct Frame<'m> {
    machine: &'m Machine,
    body: &'m Body,
    values: Vec<Option<Array>>,
    /// Values that the next read may take along.
    movable: HashSet<Var>,
}

/// Collects the variables whose only use is in the block that defines them: nothing reads them again, and a
/// loop defines them anew. (Copying an array for each element that is written would take forever.)
fn used_once(block: &Block, movable: &mut HashSet<Var>) {
    let mut uses: HashMap<Var, usize> = HashMap::new();
    block.for_each_use(&mut |var| *uses.entry(var).or_default() += 1);
    let defined: HashSet<Var> =
        block.params.iter().chain(block.eqns.iter().flat_map(|eqn| &eqn.outs)).copied().collect();
    let here = block.eqns.iter().flat_map(|eqn| &eqn.args).chain(&block.results);
    movable.extend(here.filter(|var| defined.contains(var) && uses.get(var) == Some(&1)));
    for region in block.eqns.iter().flat_map(|eqn| &eqn.regions) {
        used_once(region, movable);
    }
}

impl Frame<'_> {
    fn define(&mut self, var: Var, value: Array) -> Result<(), String> {
        let ty = self.body.ty(var);
        if value.dims != self.machine.dims(ty) {
            return Err(format!("%{} of type {ty} gets a value of shape {:?}", var.0, value.dims));
        }
        self.values[var.0 as usize] = Some(self.machine.round(ty, value));
        Ok(())
    }

    fn get(&self, var: Var) -> Result<&Array, String> {
        let value = self.values[var.0 as usize].as_ref();
        value.ok_or_else(|| format!("%{} is not defined, or was updated in place before", var.0))
    }

    /// An operand that is updated in place.
    fn take(&mut self, var: Var) -> Result<Array, String> {
        if self.movable.contains(&var) {
            let value = self.values[var.0 as usize].take();
            return value.ok_or_else(|| format!("%{} is not defined", var.0));
        }
        let value = self.get(var)?.clone();
        if self.machine.in_place && !value.dims.is_empty() {
            self.values[var.0 as usize] = None;
        }
        Ok(value)
    }

    /// An index, a truth value, a number.
    fn scalar(&self, var: Var) -> Result<f64, String> {
        self.get(var).and_then(|value| {
            if value.dims.is_empty() { Ok(value.data[0]) } else { Err(format!("%{} is no scalar", var.0)) }
        })
    }

    fn place(&self, array: &Array, at: &[Var]) -> Result<Vec<usize>, String> {
        let at: Vec<f64> = at.iter().map(|at| self.scalar(*at)).collect::<Result<_, _>>()?;
        let fits = |(at, dim): (&f64, &usize)| *at >= 0.0 && (*at as usize) < *dim;
        if at.len() > array.dims.len() || !at.iter().zip(&array.dims).all(fits) {
            return Err(format!("index {at:?} into {:?}", array.dims));
        }
        Ok(at.iter().map(|at| *at as usize).collect())
    }

    fn block(&mut self, block: &Block) -> Result<Vec<Array>, String> {
        for eqn in &block.eqns {
            let values =
                self.eqn(eqn).map_err(|problem| format!("{problem}\n  in `{}`", super::text::op_text(&eqn.op)))?;
            for (out, value) in eqn.outs.iter().zip(values) {
                self.define(*out, value)?;
            }
        }
        block
            .results
            .iter()
            .map(|result| if self.movable.contains(result) { self.take(*result) } else { self.get(*result).cloned() })
            .collect()
    }

    fn region(&mut self, region: &Block, args: impl IntoIterator<Item = Array>) -> Result<Vec<Array>, String> {
        for (param, arg) in region.params.iter().zip(args) {
            self.define(*param, arg)?;
        }
        self.block(region)
    }

    fn eqn(&mut self, eqn: &Eqn) -> Result<Vec<Array>, String> {
        let args = &eqn.args;
        let dims = || self.machine.dims(self.body.ty(eqn.outs[0]));
        let one = |value: Array| Ok(vec![value]);
        match &eqn.op {
            Op::Const(value) => one(Array::scalar(*value)),
            Op::Dim(dim) => one(Array::scalar(self.machine.size(dim) as f64)),
            Op::Opaque(_) => Err("only rustc knows what an opaque expression is".into()),
            Op::Call(_) => Err("the callee is compiled apart".into()),
            Op::Zero => one(Array::from_fn(&dims(), |_| 0.0)),
            Op::Map(row) => {
                let args: Vec<&Array> = args.iter().map(|arg| self.get(*arg)).collect::<Result<_, _>>()?;
                one(Array::from_fn(&dims(), |at| {
                    let elements: Vec<f64> = args.iter().map(|arg| arg.broadcast_at(at)).collect();
                    (row.eval)(&elements)
                }))
            }
            Op::Cast => {
                let whole = matches!(self.body.ty(eqn.outs[0]).elem, Elem::Int(_));
                one(self.get(args[0])?.map(|x| if whole { x.trunc() } else { x }))
            }
            Op::Int(op) => one(Array::scalar(self.integer(*op, eqn)?)),
            Op::Pack => {
                let parts: Vec<&Array> = args.iter().map(|arg| self.get(*arg)).collect::<Result<_, _>>()?;
                let dims = [&[parts.len()], &parts[0].dims[..]].concat();
                one(Array { dims, data: parts.iter().flat_map(|part| part.data.iter().copied()).collect() })
            }
            Op::Get => {
                let array = self.get(args[0])?;
                let at = self.place(array, &args[1..])?;
                let (start, dims) = (array.offset(&at), array.dims[at.len()..].to_vec());
                let size: usize = dims.iter().product();
                one(Array { dims, data: array.data[start..start + size].to_vec() })
            }
            Op::Set | Op::Acc => {
                let part = self.get(args[1])?.clone();
                let mut array = self.take(args[0])?;
                let at = self.place(&array, &args[2..])?;
                if part.dims != array.dims[at.len()..] {
                    return Err(format!("{:?} into {:?} at {at:?}", part.dims, array.dims));
                }
                let start = array.offset(&at);
                for (old, new) in array.data[start..].iter_mut().zip(&part.data) {
                    *old = if matches!(eqn.op, Op::Set) { *new } else { *old + new };
                }
                one(array)
            }
            Op::Tensor(op) => one(self.operator(&**op, args, &dims())?),
            Op::Into(op) => {
                let result = self.operator(&**op, &args[1..], &dims())?;
                one(self.take(args[0])?.zip(&result, |acc, x| acc + x))
            }
            Op::Copy => one(self.get(args[0])?.clone()),
            Op::For { lo, hi, reverse } => {
                let range = self.machine.size(lo)..self.machine.size(hi);
                let order: Vec<i64> = if *reverse { range.rev().collect() } else { range.collect() };
                let mut carried: Vec<Array> = args.iter().map(|arg| self.take(*arg)).collect::<Result<_, _>>()?;
                for index in order {
                    let index = Array::scalar(index as f64);
                    carried = self.region(&eqn.regions[0], std::iter::once(index).chain(carried))?;
                }
                Ok(carried)
            }
            Op::While => {
                let mut carried: Vec<Array> = args.iter().map(|arg| self.take(*arg)).collect::<Result<_, _>>()?;
                for _ in 0..FOREVER {
                    if self.region(&eqn.regions[0], carried.clone())?[0].data == [0.0] {
                        return Ok(carried);
                    }
                    carried = self.region(&eqn.regions[1], carried)?;
                }
                Err("the loop does not end".into())
            }
            Op::If => {
                let taken = if self.scalar(args[0])? == 0.0 { &eqn.regions[1] } else { &eqn.regions[0] };
                self.region(taken, [])
            }
        }
    }

    fn integer(&self, op: IntOp, eqn: &Eqn) -> Result<f64, String> {
        let (a, b) = (self.scalar(eqn.args[0])?, self.scalar(eqn.args[1])?);
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
        };
        if value < 0.0 && *self.body.ty(eqn.outs[0]) == Ty::index() {
            return Err(format!("{value} as usize"));
        }
        Ok(value)
    }

    /// An operator's own definition, else what its loops compute.
    fn operator(&self, op: &dyn Operator, args: &[Var], dims: &[usize]) -> Result<Array, String> {
        let values: Vec<Array> = args.iter().map(|arg| self.get(*arg).cloned()).collect::<Result<_, _>>()?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    fn run(text: &str, args: &[Array]) -> Result<Vec<Array>, String> {
        let body = parse(text).expect(text);
        crate::ir::verify::verify(&body).expect(text);
        Machine::new(&[("N", 3)]).run(&body, args)
    }

    fn vector(data: &[f64]) -> Array {
        Array { dims: vec![data.len()], data: data.to_vec() }
    }

    #[test]
    fn a_loop_carries_a_sum() {
        let text = "
            fn sum_of_squares(%x: f64[N]) {
                %s: f64 = const 0
                %t: f64 = for 0..N %s |%i: usize, %c: f64| {
                    %e: f64 = get %x %i
                    %q: f64 = mul %e %e
                    %n: f64 = add %c %q
                    yield %n
                }
                return %t
            }";
        assert_eq!(run(text, &[vector(&[1.0, 2.0, 3.0])]).unwrap(), [Array::scalar(14.0)]);
    }

    #[test]
    fn loops_with_a_condition_and_branches() {
        let text = "
            fn halve(%x: f64) {
                %one: f64 = const 1
                %half: f64 = const 0.5
                %y: f64 = while %x |%a: f64| {
                    %more: bool = gt %a %one
                    yield %more
                } |%b: f64| {
                    %c: f64 = mul %b %half
                    yield %c
                }
                %big: bool = gt %y %half
                %z: f64 = if %big || {
                    yield %y
                } || {
                    %m: f64 = neg %y
                    yield %m
                }
                return %z %y
            }";
        assert_eq!(run(text, &[Array::scalar(6.0)]).unwrap(), [Array::scalar(0.75), Array::scalar(0.75)]);
        assert_eq!(run(text, &[Array::scalar(8.0)]).unwrap(), [Array::scalar(1.0), Array::scalar(1.0)]);
        assert_eq!(run(text, &[Array::scalar(0.5)]).unwrap(), [Array::scalar(-0.5), Array::scalar(0.5)]);
    }

    #[test]
    fn elements_rows_and_arrays_are_read_and_replaced() {
        let text = "
            fn f(%t: f64[2, 3], %v: f64[3], %x: f64) {
                %zero: usize = const 0
                %one: usize = const 1
                %a: f64[2, 3] = set %t %v %one
                %b: f64[2, 3] = acc %a %x %zero %one
                %r: f64[3] = get %b %zero
                %p: f64[2, 3] = pack %r %v
                %s: f64[2, 3] = acc %p %b
                return %b %s
            }";
        let t = Array { dims: vec![2, 3], data: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0] };
        let [b, s] = &run(text, &[t, vector(&[7.0, 8.0, 9.0]), Array::scalar(0.5)]).unwrap()[..] else { panic!() };
        assert_eq!(b.data, [1.0, 2.5, 3.0, 7.0, 8.0, 9.0]);
        assert_eq!(s.data, [2.0, 5.0, 6.0, 14.0, 16.0, 18.0]);
    }

    #[test]
    fn what_would_panic_is_an_error() {
        let text = "
            fn f(%t: f64[3]) {
                %k: usize = const 3
                %x: f64 = get %t %k
                return %x
            }";
        assert!(run(text, &[vector(&[1.0; 3])]).unwrap_err().contains("index"));
        assert!(run(text, &[vector(&[1.0; 4])]).unwrap_err().contains("shape"));
        let text = "
            fn f(%i: usize) {
                %one: usize = const 1
                %j: usize = isub %i %one
                return %j
            }";
        assert!(run(text, &[Array::scalar(0.0)]).unwrap_err().contains("usize"));
    }

    #[test]
    fn single_precision_rounds_every_result() {
        let body = parse("fn f(%x: f64) {\n%y: f64 = add %x %x\nreturn %y\n}").unwrap();
        let single = Machine { single: true, ..Machine::default() };
        assert_eq!(single.run(&body, &[Array::scalar(0.1)]).unwrap()[0].data, [f64::from(0.1_f32 + 0.1_f32)]);
        assert_eq!(Machine::default().run(&body, &[Array::scalar(0.1)]).unwrap()[0].data, [0.2]);
    }

    #[test]
    fn a_value_is_gone_after_its_update_in_place() {
        let text = "fn f(%t: f64[2], %x: f64) {\n%k: usize = const 0\n%u: f64[2] = set %t %x %k\nreturn %u %t\n}";
        let body = parse(text).unwrap();
        let args = [vector(&[1.0, 2.0]), Array::scalar(5.0)];
        assert!(Machine::default().run(&body, &args).is_ok());
        let in_place = Machine { in_place: true, ..Machine::default() };
        assert!(in_place.run(&body, &args).unwrap_err().contains("updated in place"));
    }
}
