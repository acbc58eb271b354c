//! Makes updates in place safe: an array whose old value is read again, or that belongs to somebody else,
//! is copied before it is updated.

use crate::analysis::updates::{updated, updates};
use crate::ir::builder::Builder;
use crate::ir::var::HashMap;
use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Eqn, Op, Var};

pub fn run(body: Body) -> Body {
    let Body { name, vars, block, owned } = body;
    let mut pass = InPlace { b: Builder::with_vars(vars) };
    let mut own: Own = owned.iter().map(|var| (*var, ())).collect();
    let block = pass.block(block, &mut own);
    Body { name, vars: pass.b.vars, block, owned }
}

/// Arrays that may be updated where they are.
type Own = VarTable<()>;

struct InPlace {
    b: Builder,
}

impl InPlace {
    fn block(&mut self, block: Block, own: &mut Own) -> Block {
        self.b.open_block();
        let Block { params, eqns, mut results } = block;
        // Where arrays are read for the last time.
        let mut last: VarTable<usize> = VarTable::default();
        for (k, eqn) in eqns.iter().enumerate() {
            eqn.for_each_use(&mut |var| {
                if !self.b.ty(var).is_scalar() {
                    last.insert(var, k);
                }
            });
        }
        last.extend(results.iter().map(|result| (*result, eqns.len())));
        for (k, mut eqn) in eqns.into_iter().enumerate() {
            let is_read_later = |var: &Var| last.get(var).is_some_and(|last| *last > k);
            // What is read beside the update: as another argument, or inside.
            let mut given: VarTable<usize> = VarTable::default();
            eqn.args.iter().for_each(|arg| *given.entry(*arg).or_default() += 1);
            for region in &eqn.regions {
                region.for_each_use(&mut |var| {
                    if let Some(count) = given.get_mut(&var) {
                        *count += 1;
                    }
                });
            }
            for at in updated(&eqn) {
                let arg = eqn.args[at];
                if self.b.ty(arg).is_scalar() {
                    continue;
                }
                let again = is_read_later(&arg);
                let twice = given.get(&arg).is_some_and(|count| *count > 1);
                if again || twice || !own.contains_key(&arg) {
                    let copy = self.b.copy(arg);
                    if let Some(hint) = self.b.data(arg).hint.clone() {
                        self.b.name(copy, &hint);
                    }
                    own.insert(copy, ());
                    eqn.args[at] = copy;
                    *given.entry(arg).or_default() -= 1;
                }
            }
            // A branch may update what is not read after it; a loop owns what it carries.
            let lent: Vec<Var> = match eqn.op {
                Op::If => own.keys().copied().filter(|var| !is_read_later(var)).collect(),
                _ => Vec::new(),
            };
            eqn.regions =
                std::mem::take(&mut eqn.regions).into_iter().map(|region| self.region(region, &lent)).collect();
            if let Op::For { .. } | Op::While { .. } = eqn.op {
                self.step(&mut eqn);
            }
            for out in &eqn.outs {
                if !self.b.ty(*out).is_scalar() {
                    own.insert(*out, ());
                }
            }
            self.b.push_eqn(eqn);
        }
        // A result takes its array along; one that belongs to somebody else, or is a result already, is copied.
        for k in 0..results.len() {
            let result = results[k];
            if self.b.ty(result).is_scalar() {
                continue;
            }
            let foreign = !own.contains_key(&result) || results[..k].contains(&result);
            if foreign && !params.contains(&result) {
                results[k] = self.b.copy(result);
            }
        }
        self.b.close_block(params, results)
    }

    /// The places of carried arrays change hands only through copies: `(a, b) = (b, a)`.
    fn step(&mut self, eqn: &mut Eqn) {
        let first = eqn.first_carried();
        let Some(step) = eqn.regions.last_mut() else { return };
        if step.results.len() < 2 {
            return;
        }
        let mut origin: HashMap<Var, usize> = HashMap::default();
        for (k, param) in step.params[first..].iter().enumerate() {
            origin.insert(*param, k);
        }
        for eqn in &step.eqns {
            for (arg, out) in updates(eqn) {
                if let Some(k) = origin.get(&eqn.args[arg]).copied() {
                    origin.insert(eqn.outs[out], k);
                }
            }
        }
        for k in 0..step.results.len() {
            let result = step.results[k];
            if origin.get(&result).is_some_and(|origin| *origin != k) && !self.b.ty(result).is_scalar() {
                self.b.open_block();
                step.results[k] = self.b.copy(result);
                step.eqns.append(self.b.current());
                self.b.close_block(Vec::new(), Vec::new());
            }
        }
    }

    fn region(&mut self, region: Block, lent: &[Var]) -> Block {
        let mut own: Own = region.params.iter().chain(lent).map(|var| (*var, ())).collect();
        self.block(region, &mut own)
    }
}
