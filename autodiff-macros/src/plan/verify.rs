//! Checks a plan, in debug builds of the macro: no place is read for a value that another one has replaced there.

use super::{Hoisted, Plan, Storage};
use crate::ir::dim::Dim;
use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Eqn, Op, Var, VarSet};

/// Checks that every array is read while it is in its place, that a destination has its residual at the end, and that what
/// is made before a loop is not taken away from there.
pub(super) fn verify(body: &Body, plan: &Plan) -> Result<(), String> {
    let (now, parts, known) = Default::default();
    let mut check = Check { body, plan, now, parts, known };
    body.block.params.iter().for_each(|param| check.define(*param));
    check.block(&body.block)?;
    for (k, destination) in plan.destinations.iter().enumerate() {
        let start =
            plan.storage.iter().find(|(_, storage)| **storage == Storage::Destination(k)).map(|(start, _)| *start);
        let ends = start.is_some_and(|start| check.place(destination.result) == check.place(start));
        if destination.in_place != ends {
            return Err(format!("%{} does not end in its destination", destination.result.0));
        }
        check.read(destination.result)?;
    }
    Ok(())
}

struct Check<'b> {
    body: &'b Body,
    plan: &'b Plan,
    /// What is in a place now; nothing, if only one branch has changed it.
    now: VarTable<Option<Var>>,
    /// What borrowed parts belong to.
    parts: VarTable<Var>,
    /// What has been defined.
    known: VarSet,
}

impl Check<'_> {
    fn is_array(&self, var: Var) -> bool {
        !self.body.ty(var).is_scalar()
    }

    fn place(&self, var: Var) -> Var {
        self.plan.place(var)
    }

    fn define(&mut self, var: Var) {
        self.known.insert(var);
        if self.is_array(var) && !self.parts.contains_key(&var) {
            self.now.insert(self.place(var), Some(var));
        }
    }

    fn read(&self, var: Var) -> Result<(), String> {
        let var = self.parts.get(&var).copied().unwrap_or(var);
        match self.now.get(&self.place(var)) {
            _ if !self.is_array(var) => Ok(()),
            Some(Some(now)) if *now == var => Ok(()),
            Some(Some(now)) => Err(format!("%{} is read where %{} is in its place", var.0, now.0)),
            Some(None) => Err(format!("%{} is read after a branch has changed it", var.0)),
            None => Err(format!("%{} is read and was not made", var.0)),
        }
    }

    fn block(&mut self, block: &Block) -> Result<(), String> {
        block.eqns.iter().try_for_each(|eqn| self.eqn(eqn))?;
        block.results.iter().try_for_each(|result| self.read(*result))
    }

    fn eqn(&mut self, eqn: &Eqn) -> Result<(), String> {
        eqn.args.iter().try_for_each(|arg| self.read(*arg))?;
        match &eqn.op {
            Op::For { .. } | Op::While { .. } => self.repeat(eqn)?,
            Op::If => self.choose(eqn)?,
            _ => {}
        }
        for out in &eqn.outs {
            if self.plan.storage(*out) == Some(&Storage::Borrowed) {
                let whole = eqn.args[0];
                self.parts.insert(*out, self.parts.get(&whole).copied().unwrap_or(whole));
            }
            self.define(*out);
        }
        Ok(())
    }

    fn repeat(&mut self, eqn: &Eqn) -> Result<(), String> {
        for Hoisted { var, shape, .. } in self.plan.before(eqn.step()) {
            if let Some(size) = shape.iter().flat_map(Dim::vars).find(|size| !self.known.contains(*size)) {
                return Err(format!("%{} is made before a loop, where %{} is not known", var.0, size.0));
            }
        }
        let before = self.now.clone();
        let carried = |region: &Block| region.params[eqn.first_carried()..].to_vec();
        for region in &eqn.regions {
            self.known.extend(&region.params);
            for (init, param) in eqn.args.iter().zip(carried(region)) {
                if self.is_array(param) && self.place(*init) != self.place(param) {
                    return Err(format!("%{} is carried in another place than %{}", init.0, param.0));
                }
                self.define(param);
            }
            self.block(region)?;
        }
        let places: Vec<Var> = carried(eqn.step()).into_iter().map(|param| self.place(param)).collect();
        for (k, result) in eqn.step().results.iter().enumerate().filter(|(_, result)| self.is_array(**result)) {
            let place = self.place(*result);
            if places.iter().enumerate().any(|(other, taken)| other != k && *taken == place) {
                return Err(format!("%{} changes places with another carried array", result.0));
            }
            if self.plan.before(eqn.step()).iter().any(|hoisted| self.place(hoisted.var) == place) {
                return Err(format!("%{} is made before the loop and taken away in it", result.0));
            }
        }
        let changed = before.iter().find(|(place, now)| !places.contains(place) && self.now.get(place) != Some(now));
        changed.map_or(Ok(()), |(place, _)| Err(format!("a loop changes %{} and does not carry it", place.0)))
    }

    fn choose(&mut self, eqn: &Eqn) -> Result<(), String> {
        let before = self.now.clone();
        self.block(&eqn.regions[0])?;
        let after = std::mem::replace(&mut self.now, before.clone());
        self.block(&eqn.regions[1])?;
        for (place, now) in &mut self.now {
            if before.contains_key(place) && after.get(place) != Some(now) {
                *now = None;
            }
        }
        Ok(())
    }
}
