//! Rows of arrays of arrays that every iteration of a loop reads are found before it, with their lengths.
//!
//! ```text
//! for i in 0..n {                           for i in 0..n {
//!     for j in 0..m { … x[i][j] … }             let row = &x[i][..m];
//! }                                             for j in 0..m { … row[j] … }
//!                                           }
//! ```
//!
//! The row must exist even if the loop does not run, have a length that is known before it, and not change in it.

use crate::analysis::uses::collect_defined;
use crate::ir::dim::Dim;
use crate::ir::var::{HashSet, VarTable};
use crate::ir::{Block, Body, Eqn, Op, Var, VarSet};

/// The row of an array at an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub array: Var,
    pub at: Var,
    pub length: Dim,
}

/// The rows that are found before loops, by the indices of these.
pub(super) fn rows(body: &Body, places: &VarTable<Var>) -> VarTable<Vec<Row>> {
    let (known, ends, found, rows) = Default::default();
    let mut finding = Finding { body, places, known, ends, found, rows };
    finding.known.extend(&body.block.params);
    finding.block(&body.block);
    finding.rows
}

struct Finding<'b> {
    body: &'b Body,
    places: &'b VarTable<Var>,
    /// The variables that are in scope.
    known: VarSet,
    /// The ends of the loops around, by their indices.
    ends: VarTable<Dim>,
    /// The rows that have been found before the loops around.
    found: HashSet<(Var, Var)>,
    rows: VarTable<Vec<Row>>,
}

impl Finding<'_> {
    fn block(&mut self, block: &Block) {
        for eqn in &block.eqns {
            let rows = self.before(eqn);
            self.found.extend(rows.iter().map(|row| (row.array, row.at)));
            if let Some((_, hi, _, region)) = eqn.as_for() {
                self.ends.insert(region.params[0], hi.clone());
            }
            for region in &eqn.regions {
                self.known.extend(&region.params);
                self.block(region);
                region.params.iter().for_each(|param| self.known.remove(*param));
            }
            for row in &rows {
                self.found.remove(&(row.array, row.at));
            }
            if let (Some((.., region)), false) = (eqn.as_for(), rows.is_empty()) {
                self.rows.insert(region.params[0], rows);
            }
            self.known.extend(&eqn.outs);
        }
        block.eqns.iter().flat_map(|eqn| &eqn.outs).for_each(|out| self.known.remove(*out));
    }

    /// The rows that are found before a loop.
    fn before(&self, eqn: &Eqn) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        let Some((.., region)) = eqn.as_for() else { return rows };
        let reads: Vec<&Eqn> = region.eqns.iter().filter(|eqn| self.is_element_of_row(eqn)).collect();
        if reads.is_empty() {
            return rows;
        }
        let mut inside: HashSet<Var> = region.params.iter().copied().collect();
        collect_defined(region, &mut inside);
        let before = |var: Var| self.known.contains(var) && !inside.contains(&var);
        let written: Vec<Option<&Var>> = eqn.args.iter().map(|arg| self.places.get(arg)).collect();
        for read in reads {
            let (array, at) = (read.args[0], read.args[1]);
            let [count, length, ..] = &self.body.ty(array).dims[..] else { continue };
            let exists = self.ends.get(&at) == Some(count);
            let is_new =
                !self.found.contains(&(array, at)) && rows.iter().all(|row| (row.array, row.at) != (array, at));
            let stays = !written.contains(&self.places.get(&array));
            if exists && is_new && stays && before(array) && before(at) && length.vars().all(before) {
                rows.push(Row { array, at, length: length.clone() });
            }
        }
        rows
    }

    fn is_element_of_row(&self, eqn: &Eqn) -> bool {
        matches!(eqn.op, Op::Get)
            && eqn.args.len() > 2
            && matches!(&self.body.ty(eqn.args[0]).dims[..], [_, length, ..] if length.is_dynamic() && !length.is_ragged())
    }
}
