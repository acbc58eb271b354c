//! Calls in iterations: the callee's own Jacobian is a part of the rows.
//!
//! A callee that computes a few numbers from elements of parameters, all of them read by the iteration, has its Jacobian computed where
//! it is called. What the iteration makes of these numbers is differentiated by them, and the rows are products of the two.

use super::gather::Gather;
use crate::ir::call::{CallArg, Origin, Passed};
use crate::ir::dim::Dim;
use crate::ir::{Call, CallKind, Eqn, Op, Ty, Var};
use std::rc::Rc;

/// How many numbers a callee computes, and how many its Jacobian has.
const MOST_NUMBERS: i64 = 16;
const MOST_OF_JACOBIAN: i64 = 512;

/// A call, and its Jacobian.
pub struct Local {
    /// The numbers of each of its results.
    results: Vec<(Var, Vec<Var>)>,
    pub parts: Vec<Part>,
}

impl Local {
    /// All numbers that it computes.
    pub fn numbers(&self) -> impl Iterator<Item = Var> {
        self.results.iter().flat_map(|(_, numbers)| numbers.iter().copied())
    }
}

/// The Jacobian by one argument, whose numbers are some of an input that follow each other.
pub struct Part {
    pub input: usize,
    pub place: Dim,
    pub matrix: Var,
    pub columns: i64,
}

impl Gather<'_, '_> {
    /// Calls the Jacobians of callees, and puts the numbers that these compute in the place of the calls.
    pub(super) fn locals(&mut self, slice: Vec<Eqn>) -> (Vec<Eqn>, Vec<Local>) {
        let (mut left, mut locals): (Vec<Eqn>, Vec<Local>) = Default::default();
        for mut eqn in slice {
            if let Some(element) = self.element(&eqn, &locals) {
                self.names.insert(eqn.outs[0], element);
                continue;
            }
            let Some((local, results)) = self.local(&eqn) else {
                left.push(eqn);
                continue;
            };
            for (out, numbers) in eqn.outs.drain(..).zip(results) {
                match &numbers[..] {
                    [number] if self.walk.b.ty(out).is_scalar() => drop(self.names.insert(out, *number)),
                    _ => left.push(Eqn {
                        outs: vec![out],
                        op: Op::Pack,
                        args: numbers,
                        regions: Vec::new(),
                        span: eqn.span,
                    }),
                }
            }
            locals.push(local);
        }
        (left, locals)
    }

    /// A number of a result that is read by its index.
    fn element(&self, eqn: &Eqn, locals: &[Local]) -> Option<Var> {
        let (Op::Get, [array, index]) = (&eqn.op, &eqn.args[..]) else { return None };
        let at = usize::try_from(self.walk.integers.affine(*index).filter(|at| at.index.is_none())?.offset).ok()?;
        let local = locals.iter().find_map(|local| local.results.iter().find(|(out, _)| out == array))?;
        local.1.get(at).copied()
    }

    fn local(&mut self, eqn: &Eqn) -> Option<(Local, Vec<Vec<Var>>)> {
        let call = eqn.op.as_call().filter(|call| call.kind == CallKind::Value)?;
        let callee = call.callee.clone();
        let is_plain = callee.origin == Origin::Body && !callee.recursive && !callee.is_self;
        let elem = callee.results.first()?.elem.clone();
        let is_even = callee.results.iter().all(|ty| ty.elem == elem && ty.is_float() && ty.rank() <= 1);
        if !is_plain || !is_even || callee.args.iter().any(|arg| arg.mutable) {
            return None;
        }
        let counts = callee.results.iter().map(|ty| Dim::product(&ty.dims).as_literal());
        let counts: Vec<i64> = counts.collect::<Option<_>>()?;
        let rows: i64 = counts.iter().sum();
        let args: Vec<Var> = eqn.args.iter().map(|arg| *self.names.get(arg).unwrap_or(arg)).collect();
        let mut parts: Vec<(usize, Dim, i64)> = Vec::new();
        for arg in callee.args.iter().filter(|arg| arg.active) {
            match arg.constant {
                true => self.is_constant(arg, &args).then_some(())?,
                false => parts.push(self.argument(arg, &args)?),
            }
            // A Jacobian is of one type of number.
            let has_elem = |operand: &Var| self.walk.b.ty(*operand).elem == elem;
            args[arg.values()].iter().all(has_elem).then_some(())?;
        }
        let columns: i64 = parts.iter().map(|(.., columns)| columns).sum();
        if parts.is_empty() || rows > MOST_NUMBERS || rows * columns > MOST_OF_JACOBIAN {
            return None;
        }
        let matrices = parts
            .iter()
            .map(|(.., columns)| Ty::tensor(elem.clone(), vec![Dim::literal(rows), Dim::literal(*columns)]));
        let tys: Vec<Ty> = callee.results.iter().cloned().chain(matrices).collect();
        let b = &mut self.walk.b;
        let mut values =
            b.push_multi(Op::Call(Call::new(Rc::clone(&callee), CallKind::Jacobian)), args, Vec::new(), tys);
        let matrices = values.split_off(callee.results.len());
        let mut results: Vec<(Var, Vec<Var>)> = Vec::new();
        for ((value, out), count) in values.into_iter().zip(&eqn.outs).zip(counts) {
            let numbers = match b.ty(value).is_scalar() {
                true => vec![value],
                false => (0..count)
                    .map(|k| {
                        let index = b.dim(Dim::literal(k));
                        b.get(value, &[index])
                    })
                    .collect(),
            };
            results.push((*out, numbers));
        }
        let parts = parts.into_iter().zip(matrices);
        let parts = parts.map(|((input, place, columns), matrix)| Part { input, place, matrix, columns }).collect();
        let numbers = results.iter().map(|(_, numbers)| numbers.clone()).collect();
        Some((Local { results, parts }, numbers))
    }

    /// An argument whose numbers are some of a parameter that follow each other: of which input, where, and how many.
    fn argument(&self, arg: &CallArg, args: &[Var]) -> Option<(usize, Dim, i64)> {
        let is_whole = matches!(arg.passed, Passed::Whole) && !arg.slice;
        let (mut first, mut count) = (None, 0);
        for operand in is_whole.then(|| &args[arg.values()])? {
            let read = self.reads.iter().find(|read| read.var == *operand && read.guarded.is_none())?;
            let (_, place) = first.get_or_insert_with(|| (read.input, read.place.clone()));
            let is_next = read.place == place.plus(&Dim::literal(count));
            count += is_next.then(|| self.walk.count(read.var)?.as_literal()).flatten()?;
        }
        first.map(|(input, place)| (input, place, count))
    }

    /// Whether an argument that is constant here is of numbers only, and how many these are is known.
    fn is_constant(&self, arg: &CallArg, args: &[Var]) -> bool {
        let is_fixed = |operand: &Var| {
            let ty = self.walk.b.ty(*operand);
            let is_literal = Dim::product(&ty.dims).as_literal().is_some();
            ty.is_float() && is_literal && !self.walk.active.contains(operand)
        };
        matches!(arg.passed, Passed::Whole) && !arg.slice && args[arg.values()].iter().all(is_fixed)
    }
}
