//! Loop fusion.
//!
//! Note [When two loops may be one]. `p` before `q`, over the same range. Merged, iteration `i` of `q` runs
//! right after iteration `i` of `p`, before the later iterations of `p`. That is the same if
//! - `q` reads an array that `p` writes only at places that iteration `i` of `p` wrote: there is one axis at
//!   which every write of `p` and every read of `q` has the loop's index;
//! - where `q` goes on with a value that `p` carried, both only accumulate into it, or write it as above;
//! - nothing between the two both depends on `p` and is needed by `q`.
//!
//! A loop that runs from the end may run from the start if its iterations are independent or only accumulate.

use super::inplace::updates;
use super::simplify::simplify;
use crate::ir::{Block, Body, Eqn, Op, Var, VarData};
use crate::op::Step;
use std::collections::HashSet;

pub fn run(mut body: Body) -> Body {
    simplify(&body.vars, &mut body.block);
    fuse_block(&body.vars, &mut body.block);
    simplify(&body.vars, &mut body.block);
    body
}

fn fuse_block(vars: &[VarData], block: &mut Block) {
    for eqn in &mut block.eqns {
        straighten(vars, eqn);
    }
    // First what hands arrays on, from the end: a cheap value that is needed late joins the loop that needs it.
    let mut q = block.eqns.len();
    while let Some(at) = q.checked_sub(1) {
        q = fuse_into_earlier(vars, block, at, true).map_or(at, |merged| merged + 1);
    }
    // Then what merely runs over the same range.
    while q < block.eqns.len() {
        match fuse_into_earlier(vars, block, q, false) {
            // The merged loop may fit an earlier one in turn.
            Some(p) => q = p,
            None => q += 1,
        }
    }
    for eqn in &mut block.eqns {
        for region in &mut eqn.regions {
            fuse_block(vars, region);
        }
    }
}

/// Lets a loop run forwards where the order does not matter.
fn straighten(vars: &[VarData], eqn: &mut Eqn) {
    if let Some((_, _, true, region)) = eqn.as_for() {
        if order_free(vars, region) {
            if let Op::For { reverse, .. } = &mut eqn.op {
                *reverse = false;
            }
        }
    }
}

fn fuse_into_earlier(vars: &[VarData], block: &mut Block, q: usize, related: bool) -> Option<usize> {
    block.eqns[q].as_for()?;
    let mut read: HashSet<Var> = HashSet::new();
    block.eqns[q].for_each_use(&mut |var| {
        read.insert(var);
    });
    for p in (0..q).rev() {
        if related && !block.eqns[p].outs.iter().any(|out| read.contains(out)) {
            continue;
        }
        if let Some(merged) = try_merge(vars, block, p, q) {
            let before = needed_before(block, p, q)?;
            let mut eqns = std::mem::take(&mut block.eqns);
            let mut middle: Vec<Option<Eqn>> = eqns.splice(p..=q, []).map(Some).collect();
            let mut replaced: Vec<Eqn> = before.iter().filter_map(|k| middle[*k - p].take()).collect();
            let at = p + replaced.len();
            replaced.push(merged);
            let last = middle.len() - 1;
            replaced.extend(
                middle.into_iter().enumerate().filter(|(k, _)| *k != 0 && *k != last).filter_map(|(_, eqn)| eqn),
            );
            eqns.splice(p..p, replaced);
            block.eqns = eqns;
            simplify_region(vars, &mut block.eqns[at]);
            straighten(vars, &mut block.eqns[at]);
            return Some(at);
        }
    }
    None
}

fn simplify_region(vars: &[VarData], eqn: &mut Eqn) {
    // Results stay: whether they are used outside is not known here.
    simplify(vars, &mut eqn.regions[0]);
}

/// The equations between `p` and `q` that `q` needs, none of which may depend on `p`.
fn needed_before(block: &Block, p: usize, q: usize) -> Option<Vec<usize>> {
    let mut tainted: HashSet<Var> = block.eqns[p].outs.iter().copied().collect();
    for eqn in &block.eqns[p + 1..q] {
        let mut depends = false;
        eqn.for_each_use(&mut |var| depends |= tainted.contains(&var));
        if depends {
            tainted.extend(&eqn.outs);
        }
    }
    let mut needed: HashSet<Var> = HashSet::new();
    block.eqns[q].for_each_use(&mut |var| {
        needed.insert(var);
    });
    let mut before = Vec::new();
    for k in (p + 1..q).rev() {
        let eqn = &block.eqns[k];
        if eqn.outs.iter().any(|out| needed.contains(out)) {
            if eqn.outs.iter().any(|out| tainted.contains(out)) {
                return None;
            }
            eqn.for_each_use(&mut |var| {
                needed.insert(var);
            });
            before.push(k);
        }
    }
    before.reverse();
    Some(before)
}

/// See Note [When two loops may be one].
fn try_merge(vars: &[VarData], block: &Block, p: usize, q: usize) -> Option<Eqn> {
    let (first, second) = (&block.eqns[p], &block.eqns[q]);
    let (lo, hi, reverse, one) = first.as_for()?;
    let (lo2, hi2, reverse2, two) = second.as_for()?;
    if lo != lo2 || hi != hi2 {
        return None;
    }
    if reverse != reverse2 && !(order_free(vars, one) && order_free(vars, two)) {
        return None;
    }
    let (i, j) = (one.params[0], two.params[0]);
    let used_elsewhere = |var: Var| {
        let others = block.eqns.iter().enumerate().filter(|(k, _)| *k != p && *k != q);
        others.into_iter().any(|(_, eqn)| eqn.uses(var)) || block.results.contains(&var)
    };
    // An array that one loop updates in place must not be read as it was by the other.
    let clash = |inits: &[Var], region: &Block| {
        inits.iter().any(|init| !vars[init.0 as usize].ty.is_scalar() && reads(region, *init))
    };
    if clash(&second.args, one) || clash(&first.args, two) {
        return None;
    }

    // How each value that `p` carries enters `q`.
    let mut chained: Vec<Option<usize>> = vec![None; first.outs.len()];
    for (k, out) in first.outs.iter().enumerate() {
        let scalar = vars[out.0 as usize].ty.is_scalar();
        let init_of: Vec<usize> = (0..second.args.len()).filter(|n| second.args[*n] == *out).collect();
        let read = reads(two, *out);
        match (&init_of[..], read) {
            ([], false) => {}
            ([], true) if !scalar => {
                let writes = accesses(one, one.params[k + 1])?;
                let reads = accesses(two, *out)?;
                if !aligned(&writes, i, &reads, j) {
                    return None;
                }
            }
            ([n], false) if !used_elsewhere(*out) => {
                let continues = if scalar {
                    accumulates(one, k).is_some_and(|how| accumulates(two, *n) == Some(how))
                } else {
                    let (a, b) = (accesses(one, one.params[k + 1])?, accesses(two, two.params[*n + 1])?);
                    aligned(&a, i, &b, j) || a.iter().chain(&b).all(|access| access.kind == Kind::Acc)
                };
                if !continues {
                    return None;
                }
                chained[k] = Some(*n);
            }
            _ => return None,
        }
    }
    needed_before(block, p, q)?;
    Some(merge(first, second, &chained, reverse && reverse2))
}

fn merge(first: &Eqn, second: &Eqn, chained: &[Option<usize>], reverse: bool) -> Eqn {
    let (one, mut two) = (first.regions[0].clone(), second.regions[0].clone());
    let mut names: Vec<(Var, Var)> = vec![(two.params[0], one.params[0])];
    for (k, out) in first.outs.iter().enumerate() {
        names.push((*out, one.results[k]));
        if let Some(n) = chained[k] {
            names.push((two.params[n + 1], one.results[k]));
        }
    }
    two.rename_uses(&|var| names.iter().find(|(from, _)| *from == var).map_or(var, |(_, to)| *to));
    let mut outs = Vec::new();
    let mut args = Vec::new();
    let mut params = vec![one.params[0]];
    let mut results = Vec::new();
    for k in 0..first.outs.len() {
        args.push(first.args[k]);
        params.push(one.params[k + 1]);
        match chained[k] {
            Some(n) => {
                outs.push(second.outs[n]);
                results.push(two.results[n]);
            }
            None => {
                outs.push(first.outs[k]);
                results.push(one.results[k]);
            }
        }
    }
    for n in (0..second.outs.len()).filter(|n| !chained.contains(&Some(*n))) {
        outs.push(second.outs[n]);
        args.push(second.args[n]);
        params.push(two.params[n + 1]);
        results.push(two.results[n]);
    }
    let (lo, hi) = match &first.op {
        Op::For { lo, hi, .. } => (lo.clone(), hi.clone()),
        _ => unreachable!("only loops are merged"),
    };
    let eqns = [one.eqns, two.eqns].concat();
    let regions = vec![Block { params, eqns, results }];
    Eqn { outs, op: Op::range(lo, hi, reverse), args, regions, span: first.span }
}

fn reads(region: &Block, var: Var) -> bool {
    let mut found = false;
    region.for_each_use(&mut |used| found |= used == var);
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Get,
    Set,
    Acc,
}

/// Two sums may be added to in any order, and so may two maxima; a sum and a maximum may not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Combining {
    Sum,
    Max,
}

/// An element of an array that a region reads or writes.
struct Access {
    kind: Kind,
    at: Vec<Var>,
}

/// Every access to an array and its later versions; `None` if it is used in any other way. What the region
/// carries on in the array's place, and nothing else, has to be its last version.
fn accesses(region: &Block, array: Var) -> Option<Vec<Access>> {
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
            // A callee only adds to the cotangents that it is given.
            Op::Call(_) => {
                let updates: Vec<(usize, usize)> =
                    updates(eqn).into_iter().filter(|(arg, _)| versions.contains(&eqn.args[*arg])).collect();
                let uses = eqn.args.iter().filter(|arg| versions.contains(arg)).count();
                if updates.len() != 1 || uses != 1 {
                    return false;
                }
                found.push(Access { kind: Kind::Acc, at: Vec::new() });
                versions.insert(eqn.outs[updates[0].1]);
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
fn aligned(first: &[Access], i: Var, second: &[Access], j: Var) -> bool {
    let rank = first.iter().chain(second).map(|access| access.at.len()).min().unwrap_or(0);
    let axis = |k: usize| first.iter().all(|access| access.at[k] == i) && second.iter().all(|access| access.at[k] == j);
    (0..rank).any(axis)
}

/// Whether the iterations of a loop are independent or only accumulate.
fn order_free(vars: &[VarData], region: &Block) -> bool {
    order_free_in(vars, region, region.results.len())
}

/// The same for the first carried values only.
pub fn order_free_in(vars: &[VarData], region: &Block, count: usize) -> bool {
    (0..count).all(|k| {
        let param = region.params[k + 1];
        if region.results[k] == param {
            return true;
        }
        if vars[param.0 as usize].ty.is_scalar() {
            return accumulates(region, k).is_some();
        }
        accesses(region, param).is_some_and(|accesses| {
            accesses.iter().all(|access| access.kind == Kind::Acc)
                || aligned(&accesses, region.params[0], &[], region.params[0])
        })
    })
}

/// How a carried scalar changes, if it is only ever added to, or only ever compared with for a maximum.
fn accumulates(region: &Block, k: usize) -> Option<Combining> {
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
