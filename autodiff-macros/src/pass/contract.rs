//! Arrays of which every iteration of a loop has a part of its own.
//!
//! ```text
//! t = zero[B, N]
//! for i in 0..B {                                  for i in 0..B {
//!     for j in 0..N { t[i][j] = p[i] * q[j]; }         t = zero[N]
//!     for j in 0..N { s += t[i][j] * t[i][0]; }        for j in 0..N { t[j] = p[i] * q[j]; }
//! }                                                    for j in 0..N { s += t[j] * t[0]; }
//!                                                  }
//! ```
//!
//! The part is made in the iteration: a batch needs the memory of one of its elements, which stays in cache, and a sum
//! that was an array is a number. Fusion is what brings all uses of an array into one loop.
//!
//! The array must be zeros before the loop and not be used after it, and one of the indices of every access must be
//! that of the loop, always on the same axis.

use super::simplify;
use crate::analysis::uses::{Uses, made_by};
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Eqn, Op, Var, VarData, VarSet};
use crate::op::elementwise as rows;

pub fn run(mut body: Body) -> Body {
    // What has a size that is known at run time only takes it as an argument.
    let zeros = made_by(&body.block, &|eqn| matches!(eqn.op, Op::Zero(_)) && eqn.args.is_empty());
    let mut pass = Contract { vars: body.vars, zeros, uses: Uses::of(&body.block), changed: false };
    pass.block(&mut body.block);
    body.vars = pass.vars;
    if pass.changed {
        simplify::simplify(&body.vars, &mut body.block);
    }
    body
}

struct Contract {
    vars: Vec<VarData>,
    zeros: VarSet,
    uses: Uses,
    changed: bool,
}

impl Contract {
    fn block(&mut self, block: &mut Block) {
        for k in 0..block.eqns.len() {
            if block.eqns[k].as_for().is_some() {
                let mut carried = 0;
                while carried < block.eqns[k].outs.len() {
                    if !self.contract(block, k, carried) {
                        carried += 1;
                    }
                }
            }
            for region in &mut block.eqns[k].regions {
                self.block(region);
            }
        }
    }

    /// Moves the `carried` array of the loop at `k` into the loop, if that may be.
    fn contract(&mut self, block: &mut Block, k: usize, carried: usize) -> bool {
        let eqn = &block.eqns[k];
        let out = eqn.outs[carried];
        let Some((_, _, _, region)) = eqn.as_for() else { return false };
        if self.uses.count(out) > 0 || self.rank(out) == 0 || !self.zeros.contains(eqn.args[carried]) {
            return false;
        }
        let (index, array) = (region.params[0], region.params[carried + 1]);
        let rank = self.rank(out);
        let mut uses = Usage { versions: HashSet::from_iter([array]), axes: (0..rank).collect(), rank };
        if !uses.collect(region, index) || !uses.versions.contains(&region.results[carried]) {
            return false;
        }
        // The array must not be carried on in the place of another.
        let elsewhere =
            (0..eqn.outs.len()).any(|other| other != carried && uses.versions.contains(&region.results[other]));
        let Some(axis) = uses.axes.first().copied().filter(|_| !elsewhere) else { return false };
        // Its zeros would need sizes.
        let dims = &self.vars[array.0 as usize].ty.dims;
        if dims.iter().enumerate().any(|(at, dim)| at != axis && dim.is_dynamic()) {
            return false;
        }

        self.changed = true;
        let eqn = &mut block.eqns[k];
        let keep: Vec<bool> = (0..eqn.outs.len()).map(|other| other != carried).collect();
        let span = eqn.span;
        self.uses.drop_one(eqn.args[carried]);
        self.uses.drop_one(eqn.regions[0].results[carried]);
        simplify::prune(eqn, &keep);
        for version in &uses.versions {
            self.vars[version.0 as usize].ty.dims.remove(axis);
        }
        self.zeros.insert(array);
        // What is left of it is called as it was.
        if self.vars[array.0 as usize].hint.is_none() {
            self.vars[array.0 as usize].hint = self.vars[out.0 as usize].hint.clone();
        }
        let region = &mut eqn.regions[0];
        let mut names = HashMap::default();
        self.rewrite(region, &uses.versions, axis, &mut names);
        let zero = Eqn { outs: vec![array], op: Op::Zero(None), args: Vec::new(), regions: Vec::new(), span };
        region.eqns.insert(0, zero);
        region.rename_uses(&|var| {
            let mut var = var;
            while let Some(other) = names.get(&var) {
                var = *other;
            }
            var
        });
        true
    }

    fn rank(&self, var: Var) -> usize {
        self.vars[var.0 as usize].ty.rank()
    }

    /// Takes the index off all accesses. `names`: what has become the same as something else.
    fn rewrite(&self, block: &mut Block, versions: &HashSet<Var>, axis: usize, names: &mut HashMap<Var, Var>) {
        block.eqns.retain_mut(|eqn| {
            for region in &mut eqn.regions {
                self.rewrite(region, versions, axis, names);
            }
            if !eqn.args.first().is_some_and(|array| versions.contains(array)) {
                return true;
            }
            let first = match eqn.op {
                Op::Get => 1,
                Op::Set | Op::Acc => 2,
                _ => return true,
            };
            eqn.args.remove(first + axis);
            if eqn.args.len() > first {
                return true;
            }
            // No index is left: the array has become a number, or all of it is meant.
            match eqn.op {
                Op::Get => names.insert(eqn.outs[0], eqn.args[0]),
                Op::Set => names.insert(eqn.outs[0], eqn.args[1]),
                _ => {
                    eqn.op = Op::Map(&rows::add);
                    return true;
                }
            };
            false
        });
    }
}

/// How a region uses an array.
struct Usage {
    /// The array and what it becomes.
    versions: HashSet<Var>,
    /// The axes on which every access so far has the index of the loop.
    axes: Vec<usize>,
    rank: usize,
}

impl Usage {
    /// Goes through a region; `false` if the array is used in any way that has no index.
    fn collect(&mut self, region: &Block, index: Var) -> bool {
        for eqn in &region.eqns {
            let mut used = false;
            eqn.for_each_use(&mut |var| used |= self.versions.contains(&var));
            if !used {
                continue;
            }
            let first = eqn.args.first().is_some_and(|arg| self.versions.contains(arg));
            let others = eqn.args.iter().skip(1).any(|arg| self.versions.contains(arg));
            let fits = match &eqn.op {
                Op::Get if first && !others => self.access(&eqn.args[1..], index),
                // What is added is a number, here and afterwards.
                Op::Acc if first && !others && eqn.args.len() < 2 + self.rank => false,
                Op::Set | Op::Acc if first && !others => {
                    self.versions.insert(eqn.outs[0]);
                    self.access(&eqn.args[2..], index)
                }
                Op::For { .. } => {
                    let inner = &eqn.regions[0];
                    for (k, arg) in eqn.args.iter().enumerate() {
                        if self.versions.contains(arg) {
                            self.versions.insert(inner.params[k + 1]);
                            self.versions.insert(eqn.outs[k]);
                        }
                    }
                    self.collect(inner, index) && self.carried_on(eqn)
                }
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        true
    }

    fn access(&mut self, at: &[Var], index: Var) -> bool {
        self.axes.retain(|axis| at.get(*axis) == Some(&index));
        !self.axes.is_empty()
    }

    /// Whether an inner loop carries on a version where it got one, and nowhere else.
    fn carried_on(&self, eqn: &Eqn) -> bool {
        let region = &eqn.regions[0];
        let mut pairs = region.results.iter().zip(&region.params[1..]);
        pairs.all(|(result, param)| self.versions.contains(result) == self.versions.contains(param))
    }
}
