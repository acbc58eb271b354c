//! The plan: where the arrays of a body live, decided before code is written.
//!
//! Passes have made updates in place safe, and so an array is *made* by few equations; all others give their result the place
//! of an operand. The plan says for each array that is made where that is: in a variable on the stack or on the heap, in
//! a place that the caller has for it, before a loop for all of its iterations, or as a reference to a part of another.
//! `emit` takes the plan as an argument and writes down what it says.

mod destination;
mod hoist;
mod parts;
mod places;
mod rows;
mod stored;
#[cfg(test)]
mod tests;
mod verify;

pub use destination::Destination;
pub use hoist::Hoisted;
pub use parts::{Part, on_stack};
use places::Places;
pub use rows::Row;

use crate::analysis::updates::changed;
use crate::analysis::uses::Reads;
use crate::ir::var::{HashSet, VarTable};
use crate::ir::{Block, Body, Elem, Eqn, Op, Ty, Var, VarSet};

/// Where an array is that an equation makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Storage {
    /// In a variable of constant size.
    Stack,
    /// The same, of a size that the stack may have no room for: rustc decides.
    Large,
    /// In a `Vec`.
    Heap,
    /// In a `Vec` that is made before a loop, for all of its iterations.
    Hoisted,
    /// In a part of a `Vec` that one or several arrays are in.
    Part,
    /// In the place that the caller of a forward sweep has for a residual, by the number of the residual.
    Destination(usize),
    /// Residuals of a call in the array that they are stored in, at these indices.
    Element { array: Var, at: Vec<Var> },
    /// In a variable that takes what a function returns.
    Returned,
    /// It is a part of another array, which is only looked at there.
    Borrowed,
}

/// What is decided of a body before its code is written.
pub struct Plan {
    /// Where the arrays are that equations make, and the data of calls.
    storage: VarTable<Storage>,
    /// These in the order of the equations.
    made: Vec<Var>,
    /// The places of arrays, each called after the first array in it.
    places: VarTable<Var>,
    /// What is on the stack without a variable of its own: the residuals of functions whose two sweeps run at once, and
    /// a few numbers of arrays whose sizes are known at run time.
    passing: Vec<Ty>,
    /// The arrays that are made before a loop, by the first parameter of the region that it repeats.
    hoisted: VarTable<Vec<Hoisted>>,
    /// What a `Vec` is split into that several arrays are in, by the last of these, which is where it is made.
    parts: VarTable<Vec<Part>>,
    /// The rows that are found before a loop, by its index.
    rows: VarTable<Vec<Row>>,
    /// The calls that set the gradient that they would add to zeros, by their first results.
    setting: VarSet,
    /// Where the residuals are that the caller has places for.
    pub destinations: Vec<Destination>,
    /// Where and how often variables are read.
    pub reads: Reads,
    /// What the value of the function depends on, which is computed in the order that is written; if there is none, everything.
    pub exact: Option<VarSet>,
}

impl Plan {
    /// The plan of a body that has been through all passes.
    pub fn of(body: &Body) -> Plan {
        Plan::with_destinations(body, &[])
    }

    /// The same, where the caller has places for some of the results.
    pub fn with_destinations(body: &Body, results: &[Var]) -> Plan {
        let plan = Plan::decide(body, results);
        if cfg!(debug_assertions)
            && let Err(problem) = verify::verify(body, &plan)
        {
            panic!("the plan is wrong: {problem}\n{}", crate::ir::text::print(body));
        }
        plan
    }

    fn decide(body: &Body, results: &[Var]) -> Plan {
        let (destinations, mut storage) = destination::destinations(body, results);
        let hoisted = hoist::hoisted(body);
        let arrays = hoisted.values().flatten().map(|hoisted| (hoisted.var, Storage::Hoisted));
        storage.extend(arrays);
        let parts = parts::parts(body, &storage);
        storage.extend(parts.values().flatten().map(|part| (part.var, Storage::Part)));
        let first = |group: &Vec<Part>| group.first().map(|part| body.ty(part.var).row());
        let passing = parts.values().filter_map(first).filter_map(|row| parts::on_stack(&row)).collect();
        let (reads, made) = (Reads::of(&body.block), Vec::new());
        stored::stored(&body.vars, &body.block, &reads, &mut storage);
        let (places, rows, setting) = Default::default();
        let mut plan =
            Plan { storage, made, places, passing, hoisted, parts, rows, setting, destinations, reads, exact: None };
        plan.block(body, &body.block);
        plan.places = Places::of(body, &plan.storage);
        plan.results(body, &body.block);
        plan.rows = rows::rows(body, &plan.places);
        plan
    }

    /// Whether a sum may be added up in another order: the value of the function does not depend on it.
    pub fn may_reorder(&self, sum: Var) -> bool {
        self.exact.as_ref().is_some_and(|exact| !exact.contains(sum))
    }

    /// Where an array is, if an equation makes it.
    pub fn storage(&self, var: Var) -> Option<&Storage> {
        self.storage.get(&var)
    }

    /// The arrays that are made before a loop with this region.
    pub fn before(&self, region: &Block) -> &[Hoisted] {
        region.params.first().and_then(|first| self.hoisted.get(first)).map_or(&[], |hoisted| hoisted)
    }

    /// The arrays that are parts of a `Vec` which is made where the last of them is.
    pub fn parts(&self, last: Var) -> &[Part] {
        self.parts.get(&last).map_or(&[], |parts| parts)
    }

    /// Whether a call sets the gradient that it would add to zeros.
    pub fn sets_gradient(&self, call: &Eqn) -> bool {
        self.setting.contains(call.outs[0])
    }

    /// The rows that are found before a `for` loop with this region.
    pub fn rows(&self, region: &Block) -> &[Row] {
        self.rows.get(&region.params[0]).map_or(&[], |rows| rows)
    }

    /// Whether every element of an array that is made before a loop is written before it is read.
    pub fn is_covered(&self, var: Var) -> bool {
        self.hoisted.values().flatten().any(|hoisted| hoisted.var == var && hoisted.covered)
    }

    /// The place of an array, called after the first array in it. An array that is assembled with others for a call is in
    /// another place for so long.
    fn place(&self, var: Var) -> Var {
        self.places.get(&var).copied().unwrap_or(var)
    }

    /// The types of what the function has on the stack besides what it is given, and whether rustc may put it on the heap.
    pub fn workspace<'p>(&'p self, body: &'p Body) -> impl Iterator<Item = (&'p Ty, bool)> {
        let made = self.made.iter().filter_map(|var| match self.storage[var] {
            Storage::Stack | Storage::Returned => Some((body.ty(*var), false)),
            Storage::Large => Some((body.ty(*var), true)),
            Storage::Heap
            | Storage::Hoisted
            | Storage::Part
            | Storage::Destination(_)
            | Storage::Element { .. }
            | Storage::Borrowed => None,
        });
        made.chain(self.passing.iter().map(|ty| (ty, false)))
    }

    fn block(&mut self, body: &Body, block: &Block) {
        let changed = changed(block);
        for eqn in &block.eqns {
            for out in &eqn.outs {
                if let Some(own) = made(body, block, &changed, eqn, *out) {
                    self.storage.entry(*out).or_insert(own);
                    self.made.push(*out);
                }
            }
            self.passing.extend(eqn.passing_residuals());
            let target = eqn.gradient_of_a_slice().filter(|target| self.reads.count(*target) == 1);
            let is_zero = |eqn: &Eqn| matches!(eqn.op, Op::Zero(_)) && Some(eqn.outs[0]) == target;
            if block.eqns.iter().any(is_zero) {
                self.setting.insert(eqn.outs[0]);
            }
            eqn.regions.iter().for_each(|region| self.block(body, region));
        }
    }

    /// What calls return, and what branches give in a place of its own.
    fn results(&mut self, body: &Body, block: &Block) {
        for eqn in &block.eqns {
            for out in eqn.outs.iter().filter(|out| self.places.get(out) == Some(*out)) {
                let storage = match own(body.ty(*out)) {
                    own if matches!(eqn.op, Op::If) => own,
                    own @ Storage::Heap if eqn.op.is_black_box() => own,
                    _ if eqn.op.is_black_box() => Storage::Returned,
                    _ => continue,
                };
                self.storage.insert(*out, storage);
                self.made.push(*out);
            }
            eqn.regions.iter().for_each(|region| self.results(body, region));
        }
    }
}

/// Where an equation makes a result of its own, if nothing else has been decided. `changed` are the arrays that its block
/// changes.
fn made(body: &Body, block: &Block, changed: &HashSet<Var>, eqn: &Eqn, out: Var) -> Option<Storage> {
    let ty = body.ty(out);
    match &eqn.op {
        _ if eqn.op.is_black_box() && matches!(ty.elem, Elem::Data(_)) => Some(Storage::Stack),
        // Data of a call that a loop saves is moved there, and looked at there.
        Op::Get if matches!(ty.elem, Elem::Data(_)) && ty.is_scalar() => Some(Storage::Borrowed),
        _ if ty.is_scalar() => None,
        // A row of an array is only looked at: it need not be copied.
        Op::Get if !changed.contains(&out) && !changed.contains(&eqn.args[0]) && !block.results.contains(&out) => {
            Some(Storage::Borrowed)
        }
        Op::Get => Some(own(ty)),
        Op::ZeroLike => Some(Storage::Heap),
        // What an expression of the user's makes is on the stack already.
        Op::Opaque(_) if ty.bytes().is_none() && own(ty) == Storage::Large => Some(Storage::Stack),
        Op::Zero(_) | Op::Copy | Op::Opaque(_) => Some(own(ty)),
        Op::Pack => Some(Storage::Stack),
        _ => None,
    }
}

/// Where an array of a type is that has a place of its own.
fn own(ty: &Ty) -> Storage {
    match ty.is_dynamic() {
        true => Storage::Heap,
        // What calls hand over is not copied out of the heap.
        false if ty.may_be_large() && !matches!(ty.elem, Elem::Data(_)) => Storage::Large,
        false => Storage::Stack,
    }
}
