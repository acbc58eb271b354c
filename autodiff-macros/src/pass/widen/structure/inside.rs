//! What is defined in the regions of an equation, and where its arrays begin.

use crate::ir::var::{HashMap, VarSet};
use crate::ir::{Block, Eqn, Op, Var};

/// What is defined in some regions.
pub(super) struct Inside<'b> {
    defined: VarSet,
    pub(super) by: HashMap<Var, &'b Eqn>,
}

impl<'b> Inside<'b> {
    pub(super) fn of(regions: &'b [Block]) -> Inside<'b> {
        let mut inside = Inside { defined: VarSet::default(), by: HashMap::default() };
        regions.iter().for_each(|region| inside.note(region));
        inside
    }

    fn note(&mut self, block: &'b Block) {
        for param in &block.params {
            self.defined.insert(*param);
        }
        for eqn in &block.eqns {
            // What a loop carries is its own.
            for var in eqn.outs.iter().chain(eqn.regions.iter().flat_map(|region| &region.params)) {
                self.defined.insert(*var);
                self.by.insert(*var, eqn);
            }
            eqn.regions.iter().for_each(|region| self.note(region));
        }
    }

    pub(super) fn has(&self, var: Var) -> bool {
        self.defined.contains(var)
    }
}

/// The elements that are written on the way to an array, and where arrays begin that branches choose: a chain of branches is gone
/// through once.
#[derive(Default)]
pub(super) struct Writes {
    /// Places with what is written there.
    pub(super) places: Vec<(Vec<Var>, Vec<Var>)>,
    begins: HashMap<Var, Option<Var>>,
}

/// The array outside that an array of a region is made of by writing elements.
pub(super) fn begin(mut array: Var, inside: &Inside, writes: &mut Writes) -> Option<Var> {
    while inside.has(array) {
        let eqn = *inside.by.get(&array)?;
        match &eqn.op {
            Op::Set | Op::Acc if eqn.args.len() > 2 => {
                let (place, value) = (&eqn.args[2..], eqn.args[1]);
                match writes.places.iter_mut().find(|(other, _)| other == place) {
                    Some((_, values)) => values.push(value),
                    None => writes.places.push((place.to_vec(), vec![value])),
                }
                array = eqn.args[0];
            }
            Op::If => {
                if let Some(known) = writes.begins.get(&array) {
                    return *known;
                }
                let k = eqn.outs.iter().position(|out| *out == array)?;
                let mut begins = eqn.regions.iter().map(|region| begin(region.results[k], inside, writes));
                let first = begins.next()?;
                let found = first.filter(|_| begins.all(|other| other == first));
                writes.begins.insert(array, found);
                return found;
            }
            _ => return None,
        }
    }
    Some(array)
}
