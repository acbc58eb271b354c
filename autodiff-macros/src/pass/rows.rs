//! The rows of a Jacobian in one body: one forward sweep, and the reverse sweep once for each number of the result.
//!
//! ```text
//! y: [f64; 2] = pack u v            y: [f64; 2] = pack u v
//! …                                 …
//! v_bar: f64 = get y_bar 1          x_bar: f64 = mul p 1          the row of u
//! u_bar: f64 = get y_bar 0          x_bar_2: f64 = mul q 1        the row of v
//! q̄: f64 = mul q v_bar
//! p̄: f64 = mul p u_bar
//! x_bar: f64 = add p̄ q̄
//! ```
//!
//! The cotangent of a row is 1 in one place and 0 in the others. So all that a row has nothing to do with folds away here, and
//! what the sweeps compute of values alone is computed once, as `gvn` sees to it.

use super::adjoint::Joint;
use super::{activity, clone_eqns};
use crate::analysis::uses::collect_inside;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Eqn, Op, Ty, Var};
use std::ops::RangeInclusive;

/// How many rows are computed in one body, and how many equations the reverse sweep has at most that is written for each.
pub struct Limits {
    pub rows: RangeInclusive<usize>,
    pub equations: usize,
}

/// Those of the rows of a function.
pub const LIMITS: Limits = Limits { rows: 2..=4, equations: 500 };

/// How many numbers an array has, if that is known and there are few of them.
pub fn few_numbers(ty: &Ty, limits: &Limits) -> Option<usize> {
    let count = usize::try_from(Dim::product(&ty.dims).as_literal()?).ok()?;
    (count <= *limits.rows.end()).then_some(count)
}

/// The body with its results and, for each number of them, a cotangent of each input; none, if there is nothing to gain. Returns
/// what the cotangents of each row are added to, too, as far as `joint` adds them to what its caller has.
pub fn run(joint: &Joint, primal: &Body, limits: &Limits) -> Option<(Body, Vec<Vec<Option<Var>>>)> {
    let Joint { body, forward, seeds, accumulators } = joint;
    let counts: Vec<usize> = seeds.iter().map(|seed| few_numbers(body.ty(*seed), limits)).collect::<Option<_>>()?;
    let rows: usize = counts.iter().sum();
    let (forward, reverse) = body.block.eqns.split_at(*forward);
    if !limits.rows.contains(&rows) || equations(reverse) > limits.equations {
        return None;
    }
    let (values, bars) = body.block.results.split_at(primal.block.results.len());
    let mut params = body.block.params[..primal.block.params.len()].to_vec();
    let (mut owned, mut places) = (Vec::new(), Vec::new());
    let start = Block { params: params.clone(), eqns: forward.to_vec(), results: Vec::new() };
    let (mut b, _) =
        Builder::resume(Body { name: String::new(), vars: body.vars.clone(), block: start, owned: Vec::new() });
    let literal = |eqn: &Eqn| match &eqn.op {
        Op::Dim(dim) => Some((eqn.outs[0], dim.as_literal()?)),
        _ => None,
    };
    let literals: HashMap<Var, i64> = body.block.eqns.iter().filter_map(literal).collect();
    let cotangents = activity::varied(body, seeds);
    let mut results = values.to_vec();
    let numbers = counts.iter().enumerate().flat_map(|(seed, count)| (0..*count).map(move |at| (seed, at)));
    for (seed, at) in numbers {
        let mut row =
            Row { indices: &literals, cotangents: &cotangents, names: HashMap::default(), seeds: HashMap::default() };
        for (k, var) in seeds.iter().enumerate() {
            row.seed(&mut b, *var, (k == seed).then_some(at));
        }
        let own = accumulators.iter().map(|accumulator| {
            let own = b.var_like((*accumulator)?, b.ty((*accumulator)?).clone(), "");
            row.names.insert((*accumulator)?, own);
            Some(own)
        });
        let own: Vec<Option<Var>> = own.collect();
        owned.extend(own.iter().flatten());
        places.push(own);
        reverse.iter().for_each(|eqn| row.eqn(&mut b, eqn));
        results.extend(bars.iter().map(|bar| *row.names.get(bar).unwrap_or(bar)));
    }
    params.extend(&owned);
    let mut body = b.finish(format!("{}_rows", primal.name), params, results);
    body.owned = owned;
    Some((body, places))
}

fn equations(eqns: &[Eqn]) -> usize {
    eqns.iter().map(|eqn| 1 + eqn.regions.iter().map(|region| equations(&region.eqns)).sum::<usize>()).sum()
}

/// One of the reverse sweeps.
struct Row<'r> {
    /// The integers that are literals.
    indices: &'r HashMap<Var, i64>,
    /// What depends on the cotangents that are given, and is linear in them.
    cotangents: &'r HashSet<Var>,
    /// What its variables are called.
    names: HashMap<Var, Var>,
    /// The numbers of the cotangents that are given, and of what is made of them element by element, in row-major order.
    seeds: HashMap<Var, Vec<Var>>,
}

impl Row<'_> {
    /// A cotangent that is 1 in one place, if it has this one.
    fn seed(&mut self, b: &mut Builder, seed: Var, place: Option<usize>) {
        let ty = b.ty(seed).clone();
        let count = Dim::product(&ty.dims).as_literal().unwrap_or_default();
        let numbers: Vec<Var> = (0..usize::try_from(count).unwrap_or_default())
            .map(|k| match Some(k) == place {
                true => b.constant(&ty.elem, 1.0),
                false => b.zero(Ty::scalar(ty.elem.clone())),
            })
            .collect();
        self.know(b, seed, &ty, numbers);
    }

    /// A cotangent of which each number is known.
    fn know(&mut self, b: &mut Builder, cotangent: Var, ty: &Ty, numbers: Vec<Var>) {
        if ty.is_scalar() {
            self.names.insert(cotangent, numbers[0]);
            return;
        }
        let mut array = b.zero(ty.clone());
        for (place, number) in numbers.iter().enumerate().filter(|(_, number)| !b.is_zero(**number)).collect::<Vec<_>>()
        {
            let at: Vec<Var> = indices(ty, place).into_iter().map(|index| b.dim(Dim::literal(index))).collect();
            array = b.set(array, *number, &at);
        }
        self.names.insert(cotangent, array);
        self.seeds.insert(cotangent, numbers);
    }

    /// The numbers of an element-wise operation on cotangents of which each number is known. Where these are zero, so is it.
    fn element_wise(&self, b: &mut Builder, eqn: &Eqn) -> Option<Vec<Var>> {
        let Op::Map(row) = &eqn.op else { return None };
        let out = *eqn.outs.first().filter(|out| self.cotangents.contains(out))?;
        let ty = b.ty(out).clone();
        let is_fit = |arg: &Var| match self.cotangents.contains(arg) {
            true => self.seeds.contains_key(arg) && b.ty(*arg).dims == ty.dims,
            false => b.ty(*arg).is_scalar() || b.ty(*arg).dims == ty.dims,
        };
        if ty.is_scalar() || !eqn.args.iter().all(is_fit) {
            return None;
        }
        let count = usize::try_from(Dim::product(&ty.dims).as_literal()?).ok()?;
        let numbers = (0..count).map(|place| {
            let is_zero = |arg: &Var| self.seeds.get(arg).is_none_or(|numbers| b.is_zero(numbers[place]));
            if eqn.args.iter().all(is_zero) {
                return b.zero(Ty::scalar(ty.elem.clone()));
            }
            let args: Vec<Var> = eqn
                .args
                .iter()
                .map(|arg| match self.seeds.get(arg) {
                    Some(numbers) => numbers[place],
                    None if b.ty(*arg).is_scalar() => *self.names.get(arg).unwrap_or(arg),
                    None => {
                        let at: Vec<Var> =
                            indices(&ty, place).into_iter().map(|index| b.dim(Dim::literal(index))).collect();
                        b.get(*self.names.get(arg).unwrap_or(arg), &at)
                    }
                })
                .collect();
            b.map(row, &args)
        });
        Some(numbers.collect())
    }

    fn eqn(&mut self, b: &mut Builder, eqn: &Eqn) {
        if let Some(numbers) = self.element_wise(b, eqn) {
            let ty = b.ty(eqn.outs[0]).clone();
            self.know(b, eqn.outs[0], &ty, numbers);
            return;
        }
        let named = |var: &Var| *self.names.get(var).unwrap_or(var);
        let made = match (&eqn.op, &eqn.args[..]) {
            (Op::Get, [seed, at @ ..]) => self.number(b, *seed, at),
            (Op::Acc, [array, number, ..]) if b.is_zero(named(number)) => Some(named(array)),
            _ if self.vanishes(b, eqn) => {
                for out in &eqn.outs {
                    let ty = b.ty(*out).clone();
                    self.names.insert(*out, b.zero(ty));
                }
                return;
            }
            // What is multiplied by 0 goes here.
            (Op::Map(row), args) if eqn.outs.iter().chain(args).all(|var| b.ty(*var).is_scalar()) => {
                let args: Vec<Var> = args.iter().map(named).collect();
                Some(b.map(row, &args))
            }
            _ => None,
        };
        match made {
            Some(var) => drop(self.names.insert(eqn.outs[0], var)),
            None => clone_eqns(b, std::slice::from_ref(eqn), &mut self.names),
        }
    }

    /// Whether all cotangents that an equation reads are zero in this row, so that those are that it gives.
    fn vanishes(&self, b: &Builder, eqn: &Eqn) -> bool {
        let is_cotangent = |out: &Var| self.cotangents.contains(out) && !b.ty(*out).is_dynamic();
        if eqn.outs.is_empty() || !eqn.outs.iter().all(is_cotangent) {
            return false;
        }
        let mut inside = HashSet::default();
        collect_inside(eqn, &mut inside);
        let mut is_zero = true;
        eqn.for_each_use(&mut |var| {
            let is_read = self.cotangents.contains(&var) && !inside.contains(&var);
            is_zero &= !is_read || b.is_zero(*self.names.get(&var).unwrap_or(&var));
        });
        is_zero
    }

    /// A number of a cotangent that is given.
    fn number(&self, b: &Builder, seed: Var, at: &[Var]) -> Option<Var> {
        let numbers = self.seeds.get(&seed)?;
        let ty = b.ty(seed);
        let at: Option<Vec<i64>> = at.iter().map(|index| self.indices.get(index).copied()).collect();
        let at = at.filter(|at| at.len() == ty.rank())?;
        (0..numbers.len()).find(|place| indices(ty, *place) == at).map(|place| numbers[place])
    }
}

/// The indices of a number of an array with literal sizes, by its place in row-major order.
pub fn indices(ty: &Ty, place: usize) -> Vec<i64> {
    let mut rest = i64::try_from(place).unwrap_or(i64::MAX);
    let mut at: Vec<i64> = Vec::new();
    for dim in ty.dims.iter().rev() {
        let size = dim.as_literal().unwrap_or(1).max(1);
        at.push(rest % size);
        rest /= size;
    }
    at.reverse();
    at
}
