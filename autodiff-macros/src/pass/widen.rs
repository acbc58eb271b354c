//! Several directions at once: the tangents of a body become numbers with a lane for each direction.
//!
//! ```text
//! y: f64 = mul x x            y: f64 = mul x x
//! p: f64 = mul 2 x            p: f64 = mul 2 x
//! y_dot: f64 = mul p x_dot    y_dot: wide f64 = mul x_dot p
//! ```
//!
//! A body is linear in its tangents. So all that is ever done to a wide number is to add it to another one, to multiply or
//! divide it by a plain one, to choose and to move it; a plain number that meets a wide one elsewhere is the same in all
//! lanes. What is computed of plain numbers alone is computed once, whatever the number of directions.
//!
//! A call of a callee's tangent becomes a call of its tangent in several directions, if the callee's signature tells that
//! there is one: see Note [Wide by others] in `emit/wide.rs`.

mod structure;

use crate::ir::call::Passed;
use crate::ir::dim::Dim;
use crate::ir::interface::Along;
use crate::ir::operator::Linear;
use crate::ir::var::VarSet;
use crate::ir::{Block, Body, Call, CallKind, Elem, Eqn, Op, Ty, Var, VarData};
use std::rc::Rc;

/// A body in several directions.
pub struct Widened {
    pub body: Body,
    /// Whether its tangents may be sets of what they depend on: see Note [Decisions] in `structure.rs`.
    pub has_structure: bool,
}

/// A body in several directions, with what its tangents may be sets of: see Note [Decisions] in `structure.rs`. `inputs` are the
/// tangents of `numbers`.
pub fn run(body: &Body, inputs: &[Var], numbers: &[Var], is_tangent: &dyn Fn(usize) -> bool) -> Option<Widened> {
    if has_both_sweeps(&body.block) && !is_moderate(body) {
        return None;
    }
    let mut body = lanes(body, inputs, is_tangent)?;
    let has_structure = structure::run(&mut body, inputs, numbers);
    Some(Widened { body, has_structure })
}

/// The structure of a body with more branches than that is not looked for where both sweeps of callees are in it: what each branch
/// leaves open grows with what is in the others.
const MOST_BRANCHES: usize = 12;

/// Of how many equations such a body may consist.
const MOST_EQUATIONS: usize = 600;

/// Whether both sweeps of callees can be in a body that is to have directions.
fn is_moderate(body: &Body) -> bool {
    fn count(block: &Block, is: &dyn Fn(&Eqn) -> bool) -> usize {
        let own = |eqn: &Eqn| usize::from(is(eqn)) + eqn.regions.iter().map(|region| count(region, is)).sum::<usize>();
        block.eqns.iter().map(own).sum()
    }
    count(&body.block, &|_| true) <= MOST_EQUATIONS
        && count(&body.block, &|eqn| matches!(eqn.op, Op::If)) <= MOST_BRANCHES
}

fn has_both_sweeps(block: &Block) -> bool {
    let of_callee = |eqn: &Eqn| eqn.op.as_call().is_some_and(|call| matches!(call.kind, CallKind::JointTangent(_)));
    block.eqns.iter().any(|eqn| of_callee(eqn) || eqn.regions.iter().any(has_both_sweeps))
}

/// The same of a body that adds to arrays of its caller, if it has a structure.
pub fn run_in_place(body: &Body, inputs: &[Var], numbers: &[Var], is_tangent: &dyn Fn(usize) -> bool) -> Option<Body> {
    if !is_moderate(body) {
        return None;
    }
    let mut body = lanes(body, inputs, is_tangent)?;
    structure::run_in_place(&mut body, numbers).then_some(body)
}

/// The body with wide numbers for `inputs`, all that depends on them, and the results that `is_tangent` tells; none, if
/// something is done with them that is written for plain numbers only, as in a kernel.
pub fn lanes(body: &Body, inputs: &[Var], is_tangent: &dyn Fn(usize) -> bool) -> Option<Body> {
    let mut pass = Widen { body: body.clone(), wide: VarSet::default(), fits: true, changed: true };
    for input in inputs {
        pass.widen(*input);
    }
    let block = std::mem::take(&mut pass.body.block);
    let tangents: Vec<usize> = (0..block.results.len()).filter(|k| is_tangent(*k)).collect();
    for k in &tangents {
        // An array that is zero is one of wide zeros.
        if !pass.ty(block.results[*k]).is_scalar() {
            pass.widen(block.results[*k]);
        }
    }
    while std::mem::take(&mut pass.changed) && pass.fits {
        pass.spread(&block);
    }
    // A plain parameter stays plain, and so does a value.
    let is_plain = |(k, result): (usize, &Var)| is_tangent(k) || !pass.is_wide(*result);
    let values_are_plain = block.results.iter().enumerate().all(is_plain);
    let params_are_plain = block.params.iter().all(|param| !pass.is_wide(*param) || inputs.contains(param));
    if !pass.fits || !values_are_plain || !params_are_plain {
        return None;
    }
    for k in 0..pass.body.vars.len() {
        let (var, data) = (Var(u32::try_from(k).ok()?), &mut pass.body.vars[k]);
        if pass.wide.contains(var) {
            data.ty.elem = Elem::Wide(Rc::new(data.ty.elem.clone()));
        }
    }
    let mut block = pass.block(block)?;
    for k in tangents {
        block.results[k] = pass.in_all_lanes(block.results[k], proc_macro2::Span::call_site(), &mut block.eqns);
    }
    pass.body.block = block;
    Some(pass.body)
}

/// Whether the tangents of a result with these leaves can be put together from plain ones: all sizes are known when it is
/// compiled, or it is one array of which only the length is not.
pub fn has_shape<'t>(mut leaves: impl Iterator<Item = &'t Ty>) -> bool {
    let Some(first) = leaves.next() else { return true };
    let is_even = !first.dims.iter().skip(1).any(Dim::is_dynamic);
    let mut rest = leaves.map(Ty::is_dynamic);
    match rest.next() {
        None => is_even,
        Some(second) => !first.is_dynamic() && !second && !rest.any(|dynamic| dynamic),
    }
}

struct Widen {
    body: Body,
    wide: VarSet,
    fits: bool,
    /// Whether there are more wide variables than at the beginning of a round.
    changed: bool,
}

impl Widen {
    fn is_wide(&self, var: Var) -> bool {
        self.wide.contains(var)
    }

    fn widen(&mut self, var: Var) {
        if !self.body.vars[var.0 as usize].ty.is_float() {
            self.fits = false;
        } else if self.wide.insert(var) {
            self.changed = true;
        }
    }

    /// All are wide if one is. A number may stay plain where it is only read: it is the same in all lanes then.
    fn together(&mut self, places: &[Var], values: &[Var]) {
        if !places.iter().chain(values).any(|var| self.is_wide(*var)) {
            return;
        }
        for var in places {
            self.widen(*var);
        }
        for var in values {
            if !self.ty(*var).is_scalar() {
                self.widen(*var);
            }
        }
    }

    /// One round of finding what is wide.
    fn spread(&mut self, block: &Block) {
        for eqn in &block.eqns {
            self.spread_eqn(eqn);
            for region in &eqn.regions {
                self.spread(region);
            }
        }
    }

    fn spread_eqn(&mut self, eqn: &Eqn) {
        let (outs, args) = (&eqn.outs[..], &eqn.args[..]);
        match &eqn.op {
            Op::Map(_) if args.iter().any(|arg| self.is_wide(*arg)) => self.widen(outs[0]),
            Op::Copy => self.together(&[outs[0], args[0]], &[]),
            // An element is not an array, but as wide as one.
            Op::Get | Op::ZeroLike if self.is_wide(args[0]) => self.widen(outs[0]),
            Op::Get if self.is_wide(outs[0]) => self.widen(args[0]),
            Op::Set | Op::Acc | Op::Push => self.together(&[outs[0], args[0]], &args[1..2]),
            Op::Pack => self.together(&outs[..1], args),
            Op::For { .. } => {
                let region = &eqn.regions[0];
                for (k, init) in args.iter().enumerate() {
                    self.together(&[outs[k], region.params[k + 1]], &[*init, region.results[k]]);
                }
            }
            Op::While { .. } => {
                let [cond, step] = &eqn.regions[..] else { return };
                for (k, init) in args.iter().enumerate() {
                    self.together(&[outs[k], step.params[k], cond.params[k]], &[*init, step.results[k]]);
                }
            }
            Op::If => {
                for (k, out) in outs.iter().enumerate() {
                    let results: Vec<Var> = eqn.regions.iter().map(|region| region.results[k]).collect();
                    self.together(&[*out], &results);
                }
            }
            Op::Call(call) if call.kind.is_in_lanes() => self.spread_call(call, eqn),
            _ => {}
        }
    }

    /// The tangents of the arguments of a call, and those of its results.
    fn call_tangents(call: &Call, eqn: &Eqn) -> (Vec<Var>, Vec<Var>) {
        let interface = call.interface(eqn);
        let dots = interface.inputs_of(|role| role.along != Along::NONE);
        (dots, interface.outputs_of(&eqn.outs, |role| role.along != Along::NONE))
    }

    fn spread_call(&mut self, call: &Call, eqn: &Eqn) {
        let (dots, results) = Widen::call_tangents(call, eqn);
        if !dots.iter().chain(&results).any(|var| self.is_wide(*var)) {
            return;
        }
        let arrays = dots.into_iter().filter(|dot| self.ty(*dot).is_float() && !self.ty(*dot).is_scalar());
        let arrays: Vec<Var> = arrays.collect();
        for var in arrays.into_iter().chain(results) {
            if self.ty(var).is_float() {
                self.widen(var);
            }
        }
    }

    /// Whether the callee has a tangent in several directions, and its arguments can be given.
    fn is_widened(&self, call: &Call, eqn: &Eqn) -> bool {
        let callee = &call.callee;
        let interface = call.interface(eqn);
        let floats = interface.inputs.iter().map(|(var, _)| *var).chain(eqn.outs.iter().copied());
        let elem = |var: Var| match &self.ty(var).elem {
            Elem::Wide(elem) => (**elem).clone(),
            elem => elem.clone(),
        };
        let mut elems: Vec<Elem> = floats.filter(|var| self.ty(*var).is_float()).map(elem).collect();
        elems.dedup();
        call.kind.order().is_some_and(|order| order <= callee.order)
            && elems.len() == 1
            && callee.results.iter().all(Ty::is_float)
            && has_shape(callee.results.iter())
            && callee.args.iter().all(|arg| {
                let has_zeros = |own: usize| {
                    let mut own = arg.values().map(|k| self.ty(eqn.args[k]).dims.iter().skip(own + 1));
                    own.all(|mut inner| !inner.any(Dim::is_dynamic))
                };
                let is_given = !arg.constant
                    || match &arg.passed {
                        Passed::Whole => has_zeros(0),
                        Passed::Part(part) => has_zeros(part.indices),
                        Passed::Opaque(_) => false,
                    };
                let is_changed = arg.mutable && call.kind != CallKind::Tangent(1);
                arg.in_lanes && !is_changed && is_given
            })
    }

    fn block(&mut self, block: Block) -> Option<Block> {
        let mut eqns = Vec::with_capacity(block.eqns.len());
        for eqn in block.eqns {
            self.eqn(eqn, &mut eqns)?;
        }
        Some(Block { eqns, ..block })
    }

    fn eqn(&mut self, mut eqn: Eqn, out: &mut Vec<Eqn>) -> Option<()> {
        let wide: Vec<bool> = eqn.args.iter().map(|arg| self.is_wide(*arg)).collect();
        let makes_wide = eqn.outs.iter().any(|var| self.is_wide(*var));
        if !makes_wide && !wide.contains(&true) {
            let regions = std::mem::take(&mut eqn.regions);
            eqn.regions = regions.into_iter().map(|region| self.block(region)).collect::<Option<_>>()?;
            out.push(eqn);
            return Some(());
        }
        match &eqn.op {
            Op::Map(row) => {
                // Plain arrays and wide numbers have no loop around them here.
                if eqn.args.iter().chain(&eqn.outs).any(|var| !self.ty(*var).is_scalar()) {
                    return None;
                }
                match row.linear(&wide)? {
                    Linear::Alike(args) => self.same_in_all_lanes(&mut eqn, args, out),
                    Linear::Scaled => {}
                    // A wide number stands first.
                    Linear::ScaledBy => eqn.args.swap(0, 1),
                    Linear::Series(first) => {
                        let tails: Vec<usize> = (first..eqn.args.len()).collect();
                        self.same_in_all_lanes(&mut eqn, &tails, out);
                    }
                }
            }
            Op::Const(_) | Op::Zero(_) | Op::Copy | Op::Get | Op::Len => {}
            Op::ZeroLike if self.ty(eqn.outs[0]).dims.iter().skip(1).all(|dim| !dim.is_dynamic()) => {}
            Op::Set | Op::Acc | Op::Push => self.same_in_all_lanes(&mut eqn, &[1], out),
            Op::Pack => {
                let all: Vec<usize> = (0..eqn.args.len()).collect();
                self.same_in_all_lanes(&mut eqn, &all, out);
            }
            Op::For { .. } | Op::While { .. } => {
                let carried: Vec<usize> = (0..eqn.args.len()).filter(|k| self.is_wide(eqn.outs[*k])).collect();
                self.same_in_all_lanes(&mut eqn, &carried, out);
            }
            Op::If => {}
            Op::Call(call) if call.kind.is_in_lanes() && self.is_widened(call, &eqn) => {
                let roles = call.callee.operand_roles(call.kind);
                let is_float = |k: &usize| self.ty(eqn.args[*k]).is_float();
                let (tangents, others): (Vec<usize>, Vec<usize>) =
                    (0..roles.len()).filter(is_float).partition(|k| roles[*k].along != Along::NONE);
                self.same_in_all_lanes(&mut eqn, &tangents, out);
                for k in others {
                    eqn.args[k] = self.in_one_lane(eqn.args[k], out)?;
                }
            }
            _ => return None,
        }
        // What a region yields to a wide result.
        let is_if = matches!(eqn.op, Op::If);
        let outs: Vec<bool> = eqn.outs.iter().map(|var| self.is_wide(*var)).collect();
        let regions = std::mem::take(&mut eqn.regions);
        let last = regions.len().saturating_sub(1);
        for (k, region) in regions.into_iter().enumerate() {
            let mut region = self.block(region)?;
            // The condition of a `while` loop yields a `bool`.
            if is_if || k == last {
                let results = std::mem::take(&mut region.results);
                let results = results.into_iter().zip(&outs).map(|(result, wide)| match wide {
                    true => self.in_all_lanes(result, eqn.span, &mut region.eqns),
                    false => result,
                });
                region.results = results.collect();
            }
            eqn.regions.push(region);
        }
        out.push(eqn);
        Some(())
    }

    fn ty(&self, var: Var) -> &Ty {
        &self.body.vars[var.0 as usize].ty
    }

    fn same_in_all_lanes(&mut self, eqn: &mut Eqn, args: &[usize], out: &mut Vec<Eqn>) {
        for k in args {
            eqn.args[*k] = self.in_all_lanes(eqn.args[*k], eqn.span, out);
        }
    }

    /// Plain zeros, of wide ones if need be: what is added to zeros may share them with what its tangent is added to.
    fn in_one_lane(&mut self, var: Var, out: &mut Vec<Eqn>) -> Option<Var> {
        if !matches!(self.ty(var).elem, Elem::Wide(_)) {
            return Some(var);
        }
        let zeros = out.iter().rev().find(|eqn| eqn.outs == [var])?;
        let mut zeros = matches!(zeros.op, Op::Zero(_) | Op::ZeroLike).then(|| zeros.clone())?;
        let ty = self.ty(var).in_one_lane();
        let made = Var(u32::try_from(self.body.vars.len()).unwrap_or(u32::MAX));
        self.body.vars.push(VarData { ty, ..self.body.vars[var.0 as usize].clone() });
        zeros.outs = vec![made];
        out.push(zeros);
        Some(made)
    }

    /// A wide number, of a plain one if need be.
    fn in_all_lanes(&mut self, var: Var, span: proc_macro2::Span, out: &mut Vec<Eqn>) -> Var {
        if matches!(self.ty(var).elem, Elem::Wide(_)) {
            return var;
        }
        let made = Var(u32::try_from(self.body.vars.len()).unwrap_or(u32::MAX));
        let mut data = self.body.vars[var.0 as usize].clone();
        data.ty.elem = Elem::Wide(Rc::new(data.ty.elem));
        self.body.vars.push(data);
        let maker = out.iter().rev().find(|eqn| eqn.outs == [var]);
        let (op, args) = match maker {
            Some(Eqn { op: op @ (Op::Const(_) | Op::Zero(_)), args, .. }) => (op.clone(), args.clone()),
            _ => (Op::Cast, vec![var]),
        };
        out.push(Eqn { outs: vec![made], op, args, regions: Vec::new(), span });
        made
    }
}
