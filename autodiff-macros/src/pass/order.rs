//! In which order the iterations of a loop may run: an analysis of what they read and write.
//!
//! Note [Order of iterations]. A loop is [`Order::Independent`] if no iteration reads or writes what another one writes:
//! at some axis, every access to an array that the loop changes has the loop's index. It is [`Order::Reduce`] if what
//! iterations share is only accumulated: added to, or compared with for a maximum. All else is [`Order::Ordered`]:
//! a state that an iteration hands to the next, an effect, and whatever the analysis does not know. A loop carries the
//! result as a fact. Passes read it there, and it is checked after each pass that relies on it.
//!
//! A callee adds to the cotangents of the arguments that it reads. The cotangent of an argument that it *changes* is
//! in-out: it is replaced, and so the calls run in reverse order.

use super::effect::is_ordered;
use super::simplify::simplify;
use crate::ir::{Block, Body, Layout, Op, Order, Var, VarData};
use crate::op::Step;
use std::collections::HashSet;

/// Gives every loop of a block the order that its iterations need.
pub fn annotate(vars: &[VarData], block: &mut Block) {
    for eqn in &mut block.eqns {
        for region in &mut eqn.regions {
            annotate(vars, region);
        }
        let known = eqn.as_for().map(|(_, _, _, region)| order_of(vars, region));
        if let (Op::For { order, .. }, Some(known)) = (&mut eqn.op, known) {
            *order = known;
        }
    }
}

/// Checks that the order which loops claim is one that the analysis finds.
pub fn verify(body: &Body) -> Result<(), String> {
    verify_block(&body.vars, &body.block)
}

fn verify_block(vars: &[VarData], block: &Block) -> Result<(), String> {
    for eqn in &block.eqns {
        if let (Op::For { order, .. }, Some((_, _, _, region))) = (&eqn.op, eqn.as_for()) {
            let known = order_of(vars, region);
            if *order > known {
                return Err(format!("the loop over %{} is {known:?}, not {order:?}", region.params[0].0));
            }
        }
        eqn.regions.iter().try_for_each(|region| verify_block(vars, region))?;
    }
    Ok(())
}

/// Checks that loops which are ordered run in the direction in which they ran before. A loop is known by its index. One
/// that was not ordered may have been turned around before it became one with a loop that is.
pub fn verify_directions(before: &Body, after: &Body) -> Result<(), String> {
    let mut directions = std::collections::HashMap::new();
    let mut block = before.block.clone();
    simplify(&before.vars, &mut block);
    annotate(&before.vars, &mut block);
    for_each_loop(&block, &mut |index, order, reverse| {
        if order == Order::Ordered {
            directions.insert(index, reverse);
        }
    });
    let mut turned = None;
    for_each_loop(&after.block, &mut |index, order, reverse| {
        if order == Order::Ordered && directions.get(&index).is_some_and(|before| *before != reverse) {
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

/// See Note [Order of iterations].
pub fn order_of(vars: &[VarData], region: &Block) -> Order {
    order_of_first(vars, region, region.results.len())
}

/// The same for the first carried values only.
pub fn order_of_first(vars: &[VarData], region: &Block, count: usize) -> Order {
    if region.eqns.iter().any(is_ordered) {
        return Order::Ordered;
    }
    (0..count).map(|k| order_of_carried(vars, region, k)).min().unwrap_or(Order::Independent)
}

fn order_of_carried(vars: &[VarData], region: &Block, k: usize) -> Order {
    let param = region.params[k + 1];
    if region.results[k] == param {
        return Order::Independent;
    }
    if vars[param.0 as usize].ty.is_scalar() {
        return if accumulates(region, k).is_some() { Order::Reduce } else { Order::Ordered };
    }
    match accesses(region, param) {
        Some(accesses) if aligned(&accesses, region.params[0], &[], region.params[0]) => Order::Independent,
        Some(accesses) if accesses.iter().all(|access| access.kind == Kind::Acc) => Order::Reduce,
        _ => Order::Ordered,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Get,
    Set,
    Acc,
}

/// Two sums may be added to in any order, and so may two maxima; a sum and a maximum may not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Combining {
    Sum,
    Max,
}

/// An element of an array that a region reads or writes.
pub struct Access {
    pub kind: Kind,
    pub at: Vec<Var>,
}

/// Every access to an array and its later versions; `None` if it is used in any other way. What the region
/// carries on in the array's place, and nothing else, has to be its last version.
pub fn accesses(region: &Block, array: Var) -> Option<Vec<Access>> {
    let mut found = Vec::new();
    collect(region, &mut HashSet::from([array]), &mut found).then_some(found)
}

fn collect(region: &Block, versions: &mut HashSet<Var>, found: &mut Vec<Access>) -> bool {
    for eqn in &region.eqns {
        let mut used = false;
        eqn.for_each_use(&mut |var| used |= versions.contains(&var));
        if !used {
            continue;
        }
        let first = eqn.args.first().is_some_and(|arg| versions.contains(arg));
        let others = eqn.args.iter().skip(1).any(|arg| versions.contains(arg));
        match &eqn.op {
            Op::Get if first && !others => found.push(Access { kind: Kind::Get, at: eqn.args[1..].to_vec() }),
            Op::Set | Op::Acc if first && !others && eqn.args.len() > 2 => {
                let kind = if matches!(eqn.op, Op::Set) { Kind::Set } else { Kind::Acc };
                found.push(Access { kind, at: eqn.args[2..].to_vec() });
                versions.insert(eqn.outs[0]);
            }
            // A callee adds to the cotangents of what it reads; what it changes is in-out.
            Op::Call(call) => {
                let mut added = Layout::of(call).accumulations(&call.target);
                added.retain(|(arg, _)| versions.contains(&eqn.args[*arg]));
                let uses = eqn.args.iter().filter(|arg| versions.contains(arg)).count();
                let ([(_, out)], 1) = (&added[..], uses) else { return false };
                found.push(Access { kind: Kind::Acc, at: Vec::new() });
                versions.insert(eqn.outs[*out]);
            }
            // A kernel adds to all elements.
            Op::Into(_) if first && !others => {
                found.push(Access { kind: Kind::Acc, at: Vec::new() });
                versions.insert(eqn.outs[0]);
            }
            Op::For { .. } => {
                let inner = &eqn.regions[0];
                for (k, arg) in eqn.args.iter().enumerate() {
                    if versions.contains(arg) {
                        versions.insert(inner.params[k + 1]);
                        versions.insert(eqn.outs[k]);
                    }
                }
                if !collect(inner, versions, found) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    let mut places = region.results.iter().zip(&region.params[1..]);
    places.all(|(result, param)| versions.contains(result) == versions.contains(param))
}

/// Whether there is an axis at which all of the first have `i` and all of the second have `j`.
pub fn aligned(first: &[Access], i: Var, second: &[Access], j: Var) -> bool {
    let rank = first.iter().chain(second).map(|access| access.at.len()).min().unwrap_or(0);
    let axis = |k: usize| first.iter().all(|access| access.at[k] == i) && second.iter().all(|access| access.at[k] == j);
    (0..rank).any(axis)
}

/// How a carried scalar changes, if it is only ever added to, or only ever compared with for a maximum.
pub fn accumulates(region: &Block, k: usize) -> Option<Combining> {
    let mut version = region.params[k + 1];
    let mut earlier = HashSet::new();
    let mut combining = None;
    for eqn in &region.eqns {
        let (mut count, mut stale) = (0, false);
        eqn.for_each_use(&mut |var| {
            count += usize::from(var == version);
            stale |= earlier.contains(&var);
        });
        if count > 1 || stale {
            return None;
        }
        if count == 0 {
            continue;
        }
        let (how, next) = match &eqn.op {
            Op::Map(row) => {
                let k = eqn.args.iter().position(|arg| *arg == version)?;
                let how = match row.step(k)? {
                    Step::Plus | Step::Minus => Combining::Sum,
                    Step::Maximum => Combining::Max,
                };
                (how, eqn.outs[0])
            }
            Op::For { .. } => {
                let n = eqn.args.iter().position(|arg| *arg == version)?;
                (accumulates(&eqn.regions[0], n)?, eqn.outs[n])
            }
            _ => return None,
        };
        if combining.is_some_and(|before| before != how) {
            return None;
        }
        combining = Some(how);
        earlier.insert(version);
        version = next;
    }
    let results = region.results.iter().filter(|result| **result == version || earlier.contains(result)).count();
    combining.filter(|_| results == 1 && region.results[k] == version)
}
