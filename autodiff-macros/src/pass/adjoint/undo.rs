//! Arrays that a loop updates element by element are restored by its reverse: see Note [Undo logs].

use super::Sweep;
use crate::analysis::updates::updated;
use crate::analysis::versions::versions;
use crate::ir::dim::Dim;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Eqn, Op, Var};
use crate::pass::{clone_eqns, fresh};

/// Note [Undo logs]. The reverse of an iteration reads an array as it was at that time. If each iteration overwrites only
/// some elements, no copy of the array is stored for each iteration. The forward loop logs the old values, and the reverse
/// loop carries the array from its last state to its first and restores them:
///
/// ```text
/// for i in 0..N {                         for i in (0..N).rev() {
///     … x[i - 1] …                            x[i] = old[i];
///     old[i] = x[i];                          … x[i - 1] …
///     x[i] = …;                           }
/// }
/// ```
///
/// The log has one number for each element that is overwritten. What the forward equations of the iteration read from the
/// array is stored, so that none of them has to run on an earlier state. A loop inside restores the array in its own reverse,
/// and the loops around it store its log.
pub(super) struct Restored {
    /// Which of the carried values.
    pub carried: usize,
    /// The array in the reverse iteration, and what it is at its end.
    pub param: Var,
    pub result: Var,
}

/// How one update of an array is undone.
enum Undo {
    Set {
        at: Vec<Var>,
        /// The old value.
        old: Var,
    },
    Loop {
        eqn: Eqn,
        undos: Vec<Undo>,
        /// The old values of one iteration, and of all of them.
        olds: Vec<(Var, Var)>,
    },
    /// The loop's own reverse has undone it.
    Reversed,
}

/// A carried array and its states in an iteration, from the first to the last.
pub(super) struct Chain {
    carried: usize,
    /// In the forward loop.
    versions: Vec<Var>,
    /// In the reverse iteration.
    pub copies: Vec<Var>,
}

impl Sweep {
    /// The arrays of a loop that can be restored. `block` is the reverse iteration, where the equations of `forward` come first.
    pub(super) fn chains(
        &self,
        block: &Block,
        eqn: &Eqn,
        forward: &HashSet<Var>,
        needed: &[Var],
        names: &HashMap<Var, Var>,
    ) -> Vec<Chain> {
        let chains = (0..needed.len()).filter_map(|k| {
            let versions = versions(&self.b.vars, eqn, k)?;
            let mut copies: Vec<Var> = versions.iter().map(|version| *names.get(version).unwrap_or(version)).collect();
            copies[0] = needed[k];
            Some(Chain { carried: k, versions, copies })
        });
        let is_forward = |eqn: &&Eqn| eqn.outs.iter().any(|out| forward.contains(out));
        let fits = |chain: &Chain| {
            let reads = |eqn: &&Eqn| chain.copies.iter().any(|copy| eqn.uses(*copy));
            let mut readers = block.eqns.iter().filter(is_forward).filter(reads);
            let reverse = block.eqns.iter().filter(|eqn| !is_forward(eqn));
            let data = |eqn: &Eqn| eqn.outs.iter().any(|out| !self.can_be_saved(*out));
            block.eqns.iter().any(|eqn| reads(&eqn))
                && !readers.any(data)
                && self.steps(reverse, &chain.copies).is_some()
        };
        chains.filter(fits).collect()
    }

    /// Restores arrays in the reverse iterations of a loop, instead of storing copies. The logs are added to `saved`.
    pub(super) fn restore(
        &mut self,
        block: &mut Block,
        eqn: &Eqn,
        index: Var,
        chains: &[Chain],
        saved: &mut Vec<(Var, Var)>,
    ) -> Vec<Restored> {
        let mut restored = Vec::new();
        for chain in chains {
            let copies = &chain.copies;
            let Some(steps) = self.steps(block.eqns.iter(), copies) else { continue };
            if !copies.iter().any(|copy| block.uses(*copy)) {
                continue;
            }
            let mut map = HashMap::default();
            if eqn.as_for().is_some() {
                map.insert(eqn.step().params[0], index);
            }
            let undos = self.log(eqn, chain, &steps, &mut map, saved);
            let param = self.b.var_like(copies[0], self.b.ty(copies[0]).clone(), "");
            let result = self.walk(block, eqn, (copies, param), &undos, &map);
            restored.push(Restored { carried: chain.carried, param, result });
        }
        restored
    }

    /// For each update of an array, whether the reverse of a loop undoes it; `None` if the reverse iteration does not read
    /// the states of the array from the last to the first, or an equation updates one of them.
    fn steps<'e>(&self, eqns: impl Iterator<Item = &'e Eqn>, copies: &[Var]) -> Option<Vec<bool>> {
        let mut steps = vec![false; copies.len() - 1];
        let mut state = copies.len() - 1;
        for eqn in eqns {
            let own = self.back(eqn, copies);
            let mut read = (0..copies.len()).filter(|k| eqn.uses(copies[*k]));
            let Some(at) = read.next() else { continue };
            let changes = updated(eqn).into_iter().any(|arg| copies.contains(&eqn.args[arg]));
            if read.next().is_some() || at > state || changes && own.is_none() {
                return None;
            }
            state = at;
            if let Some((after, _)) = own {
                // The array is passed once, as what the loop restores.
                let elsewhere = eqn.args.iter().filter(|arg| **arg == copies[at]).count() > 1
                    || eqn.regions.iter().any(|region| region.uses(copies[at]));
                if after + 1 != at || elsewhere {
                    return None;
                }
                steps[after] = true;
                state = after;
            }
        }
        Some(steps)
    }

    /// If an equation is the reverse of a loop that restores an array: which state it restores, and its result for that.
    fn back(&self, eqn: &Eqn, copies: &[Var]) -> Option<(usize, Var)> {
        eqn.outs.iter().find_map(|out| {
            let (start, end) = self.restored.get(out)?;
            let state = copies.iter().position(|copy| copy == start)?;
            (copies.get(state + 1) == Some(end)).then_some((state, *out))
        })
    }

    /// Makes the forward loop log the values that it overwrites.
    fn log(
        &mut self,
        eqn: &Eqn,
        chain: &Chain,
        steps: &[bool],
        map: &mut HashMap<Var, Var>,
        saved: &mut Vec<(Var, Var)>,
    ) -> Vec<Undo> {
        let place = self.forward_eqn(eqn);
        let step = self.b.current()[place].step().clone();
        let (eqns, undos, olds) = self.logged(&step, chain.versions[0], Some(steps));
        if let Some(step) = self.b.current()[place].regions.last_mut() {
            step.eqns = eqns;
        }
        for old in olds {
            let copy = self.b.var_like(old, self.b.ty(old).clone(), "");
            map.insert(old, copy);
            saved.push((old, copy));
        }
        undos
    }

    /// The equations of a region, which also return the values that they overwrite in an array.
    fn logged(&mut self, region: &Block, array: Var, steps: Option<&[bool]>) -> (Vec<Eqn>, Vec<Undo>, Vec<Var>) {
        let (mut version, mut undos, mut olds) = (array, Vec::new(), Vec::new());
        self.b.open_block();
        for eqn in &region.eqns {
            if !updated(eqn).into_iter().any(|at| eqn.args[at] == version) {
                self.b.push_eqn(eqn.clone());
                continue;
            }
            if steps.is_some_and(|steps| steps[undos.len()]) {
                let k = eqn.args.iter().position(|arg| *arg == version).unwrap_or(0);
                version = eqn.outs[k];
                undos.push(Undo::Reversed);
                self.b.push_eqn(eqn.clone());
                continue;
            }
            let Op::For { lo, hi, .. } = &eqn.op else {
                let at = eqn.args[2..].to_vec();
                self.b.span = Some(eqn.span);
                let old = self.b.get(version, &at);
                self.b.push_eqn(eqn.clone());
                undos.push(Undo::Set { at, old });
                olds.push(old);
                version = eqn.outs[0];
                continue;
            };
            let k = eqn.args.iter().position(|arg| *arg == version).unwrap_or(0);
            let (eqns, inner, each) = self.logged(&eqn.regions[0], eqn.regions[0].params[k + 1], None);
            let mut copy = eqn.clone();
            copy.regions[0].eqns = eqns;
            self.b.push_eqn(copy);
            let all: Vec<(Var, Var)> = each.into_iter().map(|old| (old, self.save_history(eqn, old, lo, hi))).collect();
            olds.extend(all.iter().map(|(_, all)| *all));
            undos.push(Undo::Loop { eqn: eqn.clone(), undos: inner, olds: all });
            version = eqn.outs[k];
        }
        let eqns = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        (eqns, undos, olds)
    }

    /// Makes the equations of the reverse iteration read the restored array. Returns its state at the end.
    fn walk(
        &mut self,
        block: &mut Block,
        eqn: &Eqn,
        (copies, param): (&[Var], Var),
        undos: &[Undo],
        map: &HashMap<Var, Var>,
    ) -> Var {
        let (mut state, mut array) = (copies.len() - 1, param);
        self.b.open_block();
        for mut other in std::mem::take(&mut block.eqns) {
            if let Some(at) = (0..copies.len()).find(|k| other.uses(copies[*k])) {
                array = self.undo(&undos[at..state], &[eqn.step()], &mut map.clone(), array);
                other.rename_uses(&|var| if var == copies[at] { array } else { var });
                state = at;
            }
            if let Some((after, out)) = self.back(&other, copies) {
                (state, array) = (after, out);
            }
            self.b.push_eqn(other);
        }
        let array = self.undo(&undos[..state], &[eqn.step()], &mut map.clone(), array);
        block.eqns = std::mem::take(self.b.current());
        self.b.close_block(Vec::new(), Vec::new());
        array
    }

    /// Undoes updates, the last one first.
    fn undo(&mut self, undos: &[Undo], regions: &[&Block], map: &mut HashMap<Var, Var>, mut array: Var) -> Var {
        for undo in undos.iter().rev() {
            match undo {
                Undo::Reversed => {}
                Undo::Set { at, old } => {
                    let at: Vec<Var> = at.iter().map(|at| self.recompute_index(regions, map, *at)).collect();
                    array = self.b.set(array, map[old], &at);
                }
                Undo::Loop { eqn, undos, olds } => {
                    let Op::For { lo, hi, reverse, .. } = &eqn.op else { continue };
                    for var in lo.vars().chain(hi.vars()) {
                        self.recompute_index(regions, map, var);
                    }
                    let bound = |dim: &Dim| dim.rename(&|var| *map.get(&var).unwrap_or(&var));
                    let (lo, hi) = (bound(lo), bound(hi));
                    let mut inner = map.clone();
                    let index = fresh(&mut self.b, eqn.regions[0].params[0], &mut inner);
                    let ty = self.b.ty(array).clone();
                    let param = self.b.var_like(array, ty.clone(), "");
                    self.b.open_block();
                    let at = self.offset(index, &lo);
                    for (old, all) in olds {
                        let value = self.b.get(map[all], &[at]);
                        inner.insert(*old, value);
                    }
                    let region = eqn.regions[0].clone();
                    let inside: Vec<&Block> = regions.iter().copied().chain([&region]).collect();
                    let result = self.undo(undos, &inside, &mut inner, param);
                    let step = self.b.close_block(vec![index, param], vec![result]);
                    array = self.b.push_multi(Op::range(lo, hi, !reverse), vec![array], vec![step], vec![ty])[0];
                }
            }
        }
        array
    }

    /// Recomputes an index.
    fn recompute_index(&mut self, regions: &[&Block], map: &mut HashMap<Var, Var>, var: Var) -> Var {
        if let Some(known) = map.get(&var) {
            return *known;
        }
        let defined = regions.iter().find_map(|region| region.eqns.iter().find(|eqn| eqn.outs.contains(&var)));
        let Some(eqn) = defined else { return var };
        for used in eqn.own_uses() {
            self.recompute_index(regions, map, used);
        }
        clone_eqns(&mut self.b, std::slice::from_ref(eqn), map);
        map[&var]
    }
}
