//! Arrays that every iteration of a loop makes are made before the loop.
//!
//! ```text
//! for _ in 0..steps {                       let mut k = vec![0.0; n];
//!     let mut k = vec![0.0; n];             for _ in 0..steps {
//!     …                                         k.fill(0.0);
//! }                                             …
//!                                           }
//! ```
//!
//! What an iteration gives back, the next one asks for again, and large memory comes page by page from the system: that
//! takes longer than what is computed in it. The size must be known before the loop, and the array must stay where it is: what
//! is moved to another place, such as the next value of a carried array, is made anew. An array of constant size is made before
//! the loop if a kernel sets it: then it is filled with zeros once.

use crate::analysis::updates::{changed, updates};
use crate::analysis::uses::{Uses, collect_defined};
use crate::analysis::writes::only_write;
use crate::ir::dim::Dim;
use crate::ir::var::HashSet;
use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Eqn, Op, Ty, Var, VarSet};

/// So many zeros take some time.
const LONG: i64 = 64;

/// An array that is made before a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hoisted {
    pub var: Var,
    /// Its shape, in variables that are known where it is made.
    pub shape: Vec<Dim>,
    /// Whether every element is written before it is read.
    pub covered: bool,
}

/// The arrays that are made before loops, by the first parameters of the regions that these repeat.
pub(super) fn hoisted(body: &Body) -> VarTable<Vec<Hoisted>> {
    let mut hoisting = Hoisting {
        body,
        uses: Uses::of(&body.block),
        known: VarSet::default(),
        done: VarSet::default(),
        hoisted: VarTable::default(),
    };
    hoisting.known.extend(&body.block.params);
    hoisting.block(&body.block);
    hoisting.hoisted
}

struct Hoisting<'b> {
    body: &'b Body,
    uses: Uses,
    /// The variables that are in scope.
    known: VarSet,
    done: VarSet,
    hoisted: VarTable<Vec<Hoisted>>,
}

impl<'b> Hoisting<'b> {
    fn block(&mut self, block: &'b Block) {
        for eqn in &block.eqns {
            if let Op::For { .. } | Op::While { .. } = eqn.op {
                self.before(eqn.step());
            }
            for region in &eqn.regions {
                self.known.extend(&region.params);
                self.block(region);
                region.params.iter().for_each(|param| self.known.remove(*param));
            }
            self.known.extend(&eqn.outs);
        }
        block.eqns.iter().flat_map(|eqn| &eqn.outs).for_each(|out| self.known.remove(*out));
    }

    /// The arrays that are made before a loop.
    fn before(&mut self, step: &'b Block) {
        let Some(first) = step.params.first() else { return };
        let mut found = Vec::new();
        self.made_in(step, &mut found);
        if found.is_empty() {
            return;
        }
        let mut inside: HashSet<Var> = step.params.iter().copied().collect();
        collect_defined(step, &mut inside);
        for (eqn, covered) in found {
            let (var, shape) = (eqn.outs[0], eqn.shape(&self.body.vars));
            // Those of a type that is not made with sizes may have other names by now.
            if shape.iter().flat_map(Dim::vars).all(|size| !inside.contains(&size) && self.known.contains(size)) {
                self.done.insert(var);
                self.hoisted.entry(*first).or_default().push(Hoisted { var, shape, covered });
            }
        }
    }

    /// The equations that make arrays which stay where they are, also those of the loops inside.
    fn made_in(&self, block: &'b Block, found: &mut Vec<(&'b Eqn, bool)>) {
        let changed = changed(block);
        for (k, eqn) in block.eqns.iter().enumerate() {
            match &eqn.op {
                Op::Get if !changed.contains(&eqn.outs[0]) && !changed.contains(&eqn.args[0]) => {}
                Op::Zero(_) | Op::Copy | Op::Get => {
                    let var = eqn.outs[0];
                    let (ty, later) = (self.body.ty(var), &block.eqns[k + 1..]);
                    let is_worth = || one_piece(ty) || is_long(ty) && is_put(later, var);
                    if !self.done.contains(var) && is_worth() && self.stays(block, vec![var], &[]) {
                        found.push((eqn, self.covered(later, var)));
                    }
                }
                Op::For { .. } | Op::While { .. } => self.made_in(eqn.step(), found),
                _ => {}
            }
        }
    }

    /// Whether the first thing that happens to an array is that a loop or a kernel writes all of it.
    fn covered(&self, later: &[Eqn], var: Var) -> bool {
        if is_put(later, var) {
            return true;
        }
        let Some(first) = later.iter().find(|eqn| eqn.uses(var)) else { return false };
        if first.gradient_of_a_slice() == Some(var) && self.uses.count(var) == 1 {
            return true;
        }
        let places: Vec<usize> = (0..first.args.len()).filter(|k| first.args[*k] == var).collect();
        let [place] = places[..] else { return false };
        first.as_for().is_some_and(|(.., region)| !region.uses(var))
            && only_write(&self.body.vars, Some(&self.uses), first, place).is_some()
    }

    /// Whether nothing in a block takes away an array that is known under these names. It may be among the results at the
    /// places `kept`, where a loop carries it on.
    fn stays(&self, block: &Block, mut names: Vec<Var>, kept: &[usize]) -> bool {
        for eqn in &block.eqns {
            let moved = match eqn.op {
                // What is read again is copied.
                Op::Set if self.uses.count(eqn.args[1]) == 1 => &eqn.args[1..],
                Op::Push | Op::Pack => &eqn.args[..],
                _ => &[],
            };
            if moved.iter().any(|arg| names.contains(arg)) {
                return false;
            }
            let carried: Vec<usize> = match eqn.op {
                Op::For { .. } | Op::While { .. } => {
                    (0..eqn.args.len()).filter(|k| names.contains(&eqn.args[*k])).collect()
                }
                _ => Vec::new(),
            };
            for region in &eqn.regions {
                let params = carried.iter().map(|k| region.params[eqn.first_carried() + k]);
                if !self.stays(region, names.iter().copied().chain(params).collect(), &carried) {
                    return false;
                }
            }
            let after = updates(eqn).into_iter().filter(|(arg, _)| names.contains(&eqn.args[*arg]));
            let after: Vec<Var> = after.map(|(_, out)| eqn.outs[out]).collect();
            names.extend(after);
        }
        block.results.iter().enumerate().all(|(k, result)| kept.contains(&k) || !names.contains(result))
    }
}

/// Whether the first thing that happens to an array is that a kernel sets it.
fn is_put(later: &[Eqn], var: Var) -> bool {
    let first = later.iter().find(|eqn| eqn.uses(var));
    first.is_some_and(|eqn| matches!(eqn.op, Op::Put(_)) && eqn.args[0] == var && !eqn.args[1..].contains(&var))
}

/// Whether an array of constant size takes some time to fill with zeros.
fn is_long(ty: &Ty) -> bool {
    ty.is_float() && Dim::product(&ty.dims).as_literal().is_some_and(|size| size >= LONG)
}

/// Whether an array is on the heap, in one piece.
pub(super) fn one_piece(ty: &Ty) -> bool {
    let [first, rest @ ..] = &ty.dims[..] else { return false };
    first.is_dynamic() && !ty.is_ragged() && !rest.iter().any(crate::ir::dim::Dim::is_dynamic)
}
