//! Which arrays share a place: an array is in the place of the operand that it is an update of.

use super::Storage;
use crate::analysis::updates::updates;
use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Eqn, Op, Var};

/// The places of arrays, each called after the first array in it.
pub(super) struct Places<'p> {
    body: &'p Body,
    storage: &'p VarTable<Storage>,
    places: VarTable<Var>,
}

impl Places<'_> {
    /// The places of a body's arrays. A part that is only looked at is in the place of the whole.
    pub fn of(body: &Body, storage: &VarTable<Storage>) -> VarTable<Var> {
        let mut places = Places { body, storage, places: VarTable::default() };
        body.block.params.iter().for_each(|param| places.put(*param, *param));
        places.block(&body.block);
        places.places
    }

    fn place(&self, var: Var) -> Var {
        self.places.get(&var).copied().unwrap_or(var)
    }

    fn put(&mut self, var: Var, place: Var) {
        if !self.body.ty(var).is_scalar() && !self.places.contains_key(&var) {
            self.places.insert(var, place);
        }
    }

    fn block(&mut self, block: &Block) {
        block.eqns.iter().for_each(|eqn| self.eqn(eqn));
    }

    fn eqn(&mut self, eqn: &Eqn) {
        for region in &eqn.regions {
            if let Op::For { .. } | Op::While { .. } = eqn.op {
                let carried = &region.params[eqn.first_carried()..];
                eqn.args.iter().zip(carried).for_each(|(init, param)| self.put(*param, self.place(*init)));
            }
            self.block(region);
        }
        for (arg, out) in updates(eqn) {
            self.put(eqn.outs[out], self.place(eqn.args[arg]));
        }
        for (k, out) in eqn.outs.iter().enumerate() {
            let place = match eqn.op {
                _ if self.storage.get(out) == Some(&Storage::Borrowed) => self.place(eqn.args[0]),
                // What both branches leave in one place stays there.
                Op::If => {
                    let [yes, no] = [0, 1].map(|region: usize| self.place(eqn.regions[region].results[k]));
                    if yes == no { yes } else { *out }
                }
                _ => *out,
            };
            self.put(*out, place);
        }
    }
}
