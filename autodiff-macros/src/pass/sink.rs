//! Rows are filled where they are kept.
//!
//! ```text
//! for i in 0..N {                               for i in 0..N {
//!     row = zero[M]
//!     for j in 0..M { row[j] = v; }      ->         for j in 0..M { kept[i][j] = v; }
//!     kept[i] = row;
//! }                                             }
//! ```
//!
//! A loop inside another keeps what its reverse iterations read in an array of its own, of which the outer loop keeps
//! one per iteration. The outer array must be zeros before the loop, and have its row, which is not otherwise looked at.

use crate::analysis::uses::made_by;
use crate::ir::{Block, Body, Eqn, IntOp, Op, Ty, Var, VarData, VarSet};

/// Only what is inside loops changes.
pub fn run(mut body: Body) -> Body {
    let zeros = made_by(&body.block, &|eqn| matches!(eqn.op, Op::Zero(_)));
    let mut pass = Sink { vars: body.vars, zeros };
    body.block.eqns.iter_mut().for_each(|eqn| pass.eqn(eqn));
    body.vars = pass.vars;
    body
}

struct Sink {
    vars: Vec<VarData>,
    zeros: VarSet,
}

/// Where in the region of a loop a row is made, filled and kept.
struct Row {
    zero: usize,
    filling: usize,
    /// Which of the filling loop's carried values it is.
    carried: usize,
    keeping: usize,
    at: Var,
}

impl Sink {
    /// Inner loops first: what they keep may be a row in turn.
    fn eqn(&mut self, eqn: &mut Eqn) {
        for region in &mut eqn.regions {
            region.eqns.iter_mut().for_each(|inner| self.eqn(inner));
        }
        if eqn.as_for().is_some() {
            for k in 0..eqn.outs.len() {
                if let Some(row) = self.find(eqn, k) {
                    self.sink(&mut eqn.regions[0], k, &row);
                }
            }
        }
    }

    fn find(&self, eqn: &Eqn, k: usize) -> Option<Row> {
        let region = &eqn.regions[0];
        let kept = region.params[k + 1];
        let ty = self.ty(kept);
        if !self.zeros.contains(eqn.args[k]) || ty.rank() < 2 || ty.is_ragged() || region.count_uses(kept) != 1 {
            return None;
        }
        let keeping = region.eqns.iter().position(|eqn| eqn.outs == [region.results[k]])?;
        let set = &region.eqns[keeping];
        let (Op::Set, &[array, row, at]) = (&set.op, &set.args[..]) else { return None };
        if array != kept || region.count_uses(row) != 1 || region.count_uses(set.outs[0]) != 1 {
            return None;
        }
        let filling = region.eqns.iter().position(|eqn| eqn.outs.contains(&row))?;
        let filler = &region.eqns[filling];
        let carried = filler.outs.iter().position(|out| *out == row)?;
        filler.as_for()?;
        let start = filler.args[carried];
        let zero = region.eqns.iter().position(|eqn| eqn.outs == [start])?;
        let row = Row { zero, filling, carried, keeping, at };
        let fits = matches!(region.eqns[zero].op, Op::Zero(_))
            && region.count_uses(start) == 1
            && self.own_place(region, at)
            && self.only_elements(filler, carried);
        fits.then_some(row)
    }

    /// Whether every iteration has an index of its own: that of the loop, or at a fixed distance from it.
    fn own_place(&self, region: &Block, at: Var) -> bool {
        at == region.params[0]
            || region.eqns.iter().any(|eqn| {
                eqn.outs == [at]
                    && matches!(eqn.op, Op::Int(IntOp::Sub))
                    && eqn.args[0] == region.params[0]
                    && distance(region, eqn.args[1])
            })
    }

    /// Whether a loop only reads and writes elements of a carried array, always of its newest version.
    fn only_elements(&self, eqn: &Eqn, carried: usize) -> bool {
        let Some((_, _, _, region)) = eqn.as_for() else { return false };
        let mut version = region.params[carried + 1];
        let mut old: Vec<Var> = Vec::new();
        for inner in &region.eqns {
            if old.iter().any(|old| inner.uses(*old)) {
                return false;
            }
            let newer = match (&inner.op, inner.count_uses(version)) {
                (_, 0) => continue,
                (Op::Get, 1) if inner.args[0] == version => continue,
                (Op::Set | Op::Acc, 1) if inner.args[0] == version && inner.args.len() > 2 => inner.outs[0],
                (Op::For { .. }, 1) => match inner.args.iter().position(|arg| *arg == version) {
                    Some(k) if self.only_elements(inner, k) => inner.outs[k],
                    _ => return false,
                },
                _ => return false,
            };
            old.push(std::mem::replace(&mut version, newer));
        }
        let ends = |var: &Var| *var == version || old.contains(var);
        region.results[carried] == version && region.results.iter().filter(|result| ends(result)).count() == 1
    }

    fn sink(&mut self, region: &mut Block, k: usize, row: &Row) {
        let kept = region.params[k + 1];
        let ty = self.ty(kept).clone();
        let result = region.eqns[row.filling].outs[row.carried];
        region.eqns[row.filling].args[row.carried] = kept;
        self.vars[result.0 as usize].ty = ty.clone();
        self.retype(&mut region.eqns[row.filling], row.carried, row.at, &ty);
        region.results[k] = result;
        let mut gone = [row.zero, row.keeping];
        gone.sort_unstable();
        for place in gone.into_iter().rev() {
            region.eqns.remove(place);
        }
        // The index is needed earlier now.
        let (mut first, rest): (Vec<Eqn>, Vec<Eqn>) = std::mem::take(&mut region.eqns)
            .into_iter()
            .partition(|eqn| eqn.outs == [row.at] || matches!(eqn.op, Op::Dim(ref dim) if !dim.is_dynamic()));
        first.extend(rest);
        region.eqns = first;
    }

    /// Makes the array that a loop carries the whole of which it was a row.
    fn retype(&mut self, eqn: &mut Eqn, carried: usize, at: Var, ty: &Ty) {
        let region = &mut eqn.regions[0];
        let mut version = region.params[carried + 1];
        self.vars[version.0 as usize].ty = ty.clone();
        for inner in &mut region.eqns {
            if inner.count_uses(version) == 0 {
                continue;
            }
            match inner.op {
                Op::Get => inner.args.insert(1, at),
                Op::Set | Op::Acc => {
                    inner.args.insert(2, at);
                    version = inner.outs[0];
                }
                _ => {
                    let k = inner.args.iter().position(|arg| *arg == version).unwrap_or(0);
                    self.retype(inner, k, at, ty);
                    version = inner.outs[k];
                }
            }
            self.vars[version.0 as usize].ty = ty.clone();
        }
    }

    fn ty(&self, var: Var) -> &Ty {
        &self.vars[var.0 as usize].ty
    }
}

/// Whether a number is the same in every iteration: it is made of constants, or outside.
fn distance(region: &Block, var: Var) -> bool {
    !region.params.contains(&var)
        && region
            .eqns
            .iter()
            .find(|eqn| eqn.outs.contains(&var))
            .is_none_or(|eqn| matches!(&eqn.op, Op::Dim(dim) if !dim.is_dynamic()))
}
