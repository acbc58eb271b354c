//! In which order the iterations of a loop may run, as a fact of the loop: see Note [Order of iterations] in
//! [`crate::analysis::accesses`].

use super::simplify::simplify;
use crate::analysis::accesses::Scanner;
use crate::ir::{Block, Body, Op, Order, Var, VarMap};

/// Gives every loop of a block the order that its iterations need.
fn annotate(scanner: &mut Scanner, block: &mut Block) {
    for eqn in &mut block.eqns {
        for region in &mut eqn.regions {
            annotate(scanner, region);
        }
        let known = eqn.as_for().map(|(_, _, _, region)| scanner.facts(region).order());
        if let (Op::For { order, .. }, Some(known)) = (&mut eqn.op, known) {
            *order = known;
        }
    }
}

/// Checks that the order which loops claim is one that the analysis finds.
pub fn verify(body: &Body) -> Result<(), String> {
    verify_block(&mut Scanner::new(&body.vars), &body.block)
}

fn verify_block(scanner: &mut Scanner, block: &Block) -> Result<(), String> {
    for eqn in &block.eqns {
        if let (Op::For { order, .. }, Some((_, _, _, region))) = (&eqn.op, eqn.as_for()) {
            if *order != Order::Ordered {
                let known = scanner.facts(region).order();
                if *order > known {
                    return Err(format!("the loop over %{} is {known:?}, not {order:?}", region.params[0].0));
                }
            }
        }
        eqn.regions.iter().try_for_each(|region| verify_block(scanner, region))?;
    }
    Ok(())
}

/// In which direction loops run, by their indices.
pub struct Directions(VarMap<bool>);

impl Directions {
    pub fn of(body: &Body) -> Directions {
        let mut directions = VarMap::default();
        for_each_loop(&body.block, &mut |index, _, reverse| directions.insert(index, reverse));
        Directions(directions)
    }

    /// The first loop that runs in another direction now.
    fn turned(&self, after: &Body) -> Option<Var> {
        let mut turned = None;
        for_each_loop(&after.block, &mut |index, _, reverse| {
            if turned.is_none() && self.0.get(index).is_some_and(|before| *before != reverse) {
                turned = Some(index);
            }
        });
        turned
    }

    /// Checks that no loop has been turned around.
    pub fn verify(&self, after: &Body) -> Result<(), String> {
        self.turned(after).map_or(Ok(()), |index| Err(format!("the loop over %{} has been turned around", index.0)))
    }
}

/// Checks that loops which are ordered run in the direction in which they ran before. A loop is known by its index. One
/// that was not ordered may have been turned around before it became one with a loop that is.
pub fn verify_directions(before: &Body, after: &Body) -> Result<(), String> {
    if Directions::of(before).turned(after).is_none() {
        return Ok(());
    }
    let mut directions = VarMap::default();
    let mut block = before.block.clone();
    simplify(&before.vars, &mut block);
    annotate(&mut Scanner::new(&before.vars), &mut block);
    for_each_loop(&block, &mut |index, order, reverse| {
        if order == Order::Ordered {
            directions.insert(index, reverse);
        }
    });
    let mut turned = None;
    for_each_loop(&after.block, &mut |index, order, reverse| {
        if order == Order::Ordered && directions.get(index).is_some_and(|before| *before != reverse) {
            turned = Some(index);
        }
    });
    turned.map_or(Ok(()), |index| Err(format!("the loop over %{} is ordered and has been turned around", index.0)))
}

fn for_each_loop(block: &Block, f: &mut impl FnMut(Var, Order, bool)) {
    for eqn in &block.eqns {
        if let (Op::For { order, reverse, .. }, Some((_, _, _, region))) = (&eqn.op, eqn.as_for()) {
            f(region.params[0], *order, *reverse);
        }
        eqn.regions.iter().for_each(|region| for_each_loop(region, f));
    }
}
