//! What a call calls: the bodies of the callee that belong to each kind of call, made as emission makes them.

use super::{Array, Machine, Value};
use crate::ad::derivatives::{DERIVATIVES, Derived, GRADIENT, Source, Sweeps, TAYLOR};
use crate::ir::dim::Dim;
use crate::ir::interface::{Along, Role};
use crate::ir::text::print;
use crate::ir::{Block, Body, CallKind, Evaluation, Op, Opaque, Ty, Var, verify};
use crate::lower::Primal;
use crate::pass::adjoint::CallStrategy;
use crate::pass::lengths::Lengths;
use crate::pass::{PASSES, tangent};
use proc_macro2::TokenStream;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// The functions that a body may call, by name, and what runs Rust that has no derivative.
#[derive(Default)]
pub struct Program {
    callees: RefCell<HashMap<String, Rc<Callee>>>,
    pub host: Option<Rc<dyn Host>>,
    /// What forward sweeps have handed over; a number stands for it.
    data: RefCell<Vec<Vec<Value>>>,
}

/// Runs opaque expressions.
pub trait Host {
    /// The value, with the arguments and their types, and the type of the result; `None` if it is not known.
    fn opaque(&self, opaque: &Opaque, args: &[(Array, Ty)], ty: &Ty) -> Result<Option<Array>, String>;

    /// The leaves of an expression without a derivative, with the arguments and their types.
    fn leaves(&self, tokens: &TokenStream, args: &[(f64, Ty)]) -> Option<Vec<Array>>;
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.callees.borrow().keys()).finish()
    }
}

impl Program {
    pub fn new(host: Option<Rc<dyn Host>>) -> Program {
        Program { host, ..Program::default() }
    }

    /// `sizes` are the names of the function's const parameters, in order, and of others as empty.
    pub fn add(&self, primal: Primal, sizes: Vec<String>) {
        let callee = Callee { primal, sizes, bodies: RefCell::default() };
        self.callees.borrow_mut().insert(callee.primal.body.name.clone(), Rc::new(callee));
    }

    pub(super) fn find(&self, name: &str) -> Result<Rc<Callee>, String> {
        self.callees.borrow().get(name).cloned().ok_or_else(|| format!("`{name}` is not known here"))
    }

    pub(super) fn keep(&self, data: Vec<Value>) -> Value {
        let mut all = self.data.borrow_mut();
        all.push(data);
        Value::Number(all.len() as f64)
    }

    pub(super) fn kept(&self, handle: f64) -> Result<Vec<Value>, String> {
        let at = (handle as usize).checked_sub(1);
        at.and_then(|at| self.data.borrow().get(at).cloned()).ok_or_else(|| "no data of a forward sweep".into())
    }
}

pub struct Callee {
    pub primal: Primal,
    pub(super) sizes: Vec<String>,
    bodies: RefCell<HashMap<(Which, bool), Rc<Bodies>>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Which {
    Value,
    Halves,
    Gradient,
    /// A row of the table of derivatives.
    Row(&'static str),
    Taylor,
}

/// What belongs to a kind of call.
#[derive(Clone)]
pub(super) struct Bodies {
    /// Both sweeps, or the forward sweep.
    pub first: Body,
    pub reverse: Option<Body>,
    /// For each differentiable leaf, whether its cotangent is added to by the body itself.
    pub adds: Vec<bool>,
    /// How many results of the forward sweep are data.
    pub residuals: usize,
}

impl Callee {
    /// The differentiable leaves, as places among all.
    pub(super) fn active(&self) -> impl Iterator<Item = usize> + '_ {
        let leaves = self.primal.leaves.iter().enumerate();
        leaves.filter(|(_, leaf)| leaf.active).map(|(k, _)| k)
    }

    /// Whether it calls functions without a derivative, or others that do.
    pub(super) fn has_effects(&self, program: &Program) -> bool {
        self.calls_impure(program, &mut Vec::new())
    }

    fn calls_impure(&self, program: &Program, seen: &mut Vec<String>) -> bool {
        fn inside(block: &Block, program: &Program, seen: &mut Vec<String>) -> bool {
            block.eqns.iter().any(|eqn| {
                let own = match &eqn.op {
                    Op::Opaque(opaque) => opaque.evaluation == Evaluation::Once,
                    Op::Call(call) => {
                        program.find(&call.callee.name).is_ok_and(|callee| callee.calls_impure(program, seen))
                    }
                    _ => false,
                };
                own || eqn.regions.iter().any(|region| inside(region, program, seen))
            })
        }
        let name = &self.primal.body.name;
        if seen.contains(name) {
            return false;
        }
        seen.push(name.clone());
        inside(&self.primal.body.block, program, seen)
    }

    /// How many results are returned.
    pub(super) fn returned(&self) -> usize {
        self.primal.body.block.results.len() - self.primal.inout.len()
    }

    /// Of all results, returned and changed, those with a tangent.
    pub(super) fn floats(&self) -> Vec<usize> {
        let body = &self.primal.body;
        let results = body.block.results.iter().enumerate();
        results.filter(|(_, result)| body.ty(**result).is_float()).map(|(k, _)| k).collect()
    }

    fn inputs(&self) -> Vec<Var> {
        self.active().map(|k| self.primal.leaves[k].var).collect()
    }

    /// What is changed, with the places of its last values.
    fn changed(&self) -> Vec<(Var, usize)> {
        let (own, leaves) = (self.returned(), &self.primal.leaves);
        self.primal.inout.iter().enumerate().map(|(k, leaf)| (leaves[*leaf].var, own + k)).collect()
    }

    /// The bodies for a call, as they are built or as they are emitted.
    pub(super) fn bodies(&self, kind: CallKind, is_self: bool, emitted: bool) -> Result<Rc<Bodies>, String> {
        let which = match kind {
            CallKind::Value => Which::Value,
            CallKind::Forward | CallKind::Reverse => Which::Halves,
            CallKind::Joint if is_self => Which::Row("__joint"),
            CallKind::Joint => Which::Halves,
            CallKind::Gradient => Which::Gradient,
            CallKind::Tangent(_) | CallKind::JointTangent(_) => {
                let row = kind.row().and_then(|name| DERIVATIVES.iter().find(|row| row.name == name));
                Which::Row(row.ok_or("no such row")?.name)
            }
            CallKind::Taylor => Which::Taylor,
            CallKind::Jacobian => return Err("no Jacobian of a callee here".to_owned()),
        };
        if let Some(bodies) = self.bodies.borrow().get(&(which, emitted)) {
            return Ok(bodies.clone());
        }
        let name = &self.primal.body.name;
        let mut bodies = self.derive(which).map_err(|problem| format!("{which:?} of `{name}`: {problem}"))?;
        for body in std::iter::once(&mut bodies.first).chain(&mut bodies.reverse) {
            let passes = if emitted { PASSES } else { &[] };
            checked("the transformation", body)?;
            for pass in passes {
                *body = pass.run(std::mem::take(body), &Lengths::default());
                checked(pass.name, body)?;
            }
        }
        let bodies = Rc::new(bodies);
        self.bodies.borrow_mut().insert((which, emitted), bodies.clone());
        Ok(bodies)
    }

    fn derive(&self, which: Which) -> Result<Bodies, String> {
        let (primal, inputs, changed) = (&self.primal.body, self.inputs(), self.changed());
        let source = Source { body: primal, inputs: &inputs, changed: &changed };
        let steps = match which {
            Which::Value => &[],
            Which::Halves => {
                let Sweeps { forward, reverse } = source.sweeps(CallStrategy::Residuals).map_err(text)?;
                let accumulators = reverse.interface.accumulators(Along::NONE, inputs.len());
                let adds = accumulators.iter().map(Option::is_some).collect();
                let residuals = reverse.interface.inputs_of(|role| role == Role::RESIDUALS).len();
                return Ok(Bodies { first: forward.body, reverse: Some(reverse.body), adds, residuals });
            }
            Which::Gradient => GRADIENT,
            Which::Taylor => TAYLOR,
            Which::Row(name) => DERIVATIVES.iter().find(|row| row.name == name).ok_or("no such row")?.steps,
        };
        let Derived { body, interface } = source.derive(steps).map_err(text)?;
        let adds = match interface.cotangents().is_empty() {
            true => Vec::new(),
            false => interface.accumulators(Along::NONE, inputs.len()).iter().map(Option::is_some).collect(),
        };
        Ok(Bodies { first: body, reverse: None, adds, residuals: 0 })
    }
}

fn text(unsupported: tangent::Unsupported) -> String {
    unsupported.message
}

fn checked(by: &str, body: &Body) -> Result<(), String> {
    verify::verify(body).map_err(|problem| format!("`{by}` left an invalid body: {problem}\n{}", print(body)))
}

/// Where one of the callee's leaves is among the caller's operands.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// An operand.
    Whole(usize),
    /// A part of an operand: under some indices, from one place of the next axis to another.
    Part { at: usize, indices: Vec<usize>, range: Option<(usize, usize)> },
    /// A constant.
    Constant(Value),
}

impl Given {
    /// The operand.
    pub(super) fn at(&self) -> Option<usize> {
        match self {
            Given::Whole(at) | Given::Part { at, .. } => Some(*at),
            Given::Constant(_) => None,
        }
    }

    pub(super) fn read(&self, whole: &Value) -> Result<Value, String> {
        match self {
            Given::Whole(_) => Ok(whole.clone()),
            Given::Constant(value) => Ok(value.clone()),
            Given::Part { indices, range, .. } => {
                let array = whole.clone().into_array();
                let (start, dims) = part(&array, indices, *range)?;
                let size: usize = dims.iter().product();
                Ok(Value::of(Array { dims, data: array.data[start..start + size].to_vec() }))
            }
        }
    }

    /// The operand with this part of it replaced.
    pub(super) fn write(&self, whole: &Value, new: Value) -> Result<Value, String> {
        let Given::Part { indices, range, .. } = self else { return Ok(new) };
        let (mut array, new) = (whole.clone().into_array(), new.into_array());
        let (start, dims) = part(&array, indices, *range)?;
        if dims != new.dims {
            return Err(format!("{:?} into {dims:?}", new.dims));
        }
        array.data[start..start + new.data.len()].copy_from_slice(&new.data);
        Ok(Value::of(array))
    }
}

/// Where a part begins, and its shape.
fn part(array: &Array, indices: &[usize], range: Option<(usize, usize)>) -> Result<(usize, Vec<usize>), String> {
    let outside = || format!("{indices:?} {range:?} of {:?}", array.dims);
    if array.is_ragged() {
        return Err(super::RAGGED.to_owned());
    }
    if indices.len() > array.dims.len() || indices.iter().zip(&array.dims).any(|(at, dim)| at >= dim) {
        return Err(outside());
    }
    let mut dims = array.dims[indices.len()..].to_vec();
    let mut start = array.offset(indices);
    if let Some((from, len)) = range {
        let inner: usize = dims.iter().skip(1).product();
        match dims.first_mut() {
            Some(dim) if from + len <= *dim => *dim = len,
            _ => return Err(outside()),
        }
        start += from * inner;
    }
    Ok((start, dims))
}

/// The machine of a callee, in which its const parameters have the sizes of the call.
pub(super) fn machine(caller: &Machine, callee: &Callee, sizes: &[Option<Dim>]) -> Machine {
    let mut machine = caller.clone();
    for (name, size) in callee.sizes.iter().zip(sizes) {
        if let (false, Some(size)) = (name.is_empty(), size) {
            machine.sizes.insert(name.clone(), usize::try_from(caller.size(size)).unwrap_or(0));
        }
    }
    machine
}
