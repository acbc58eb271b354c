//! Loop fusion.
//!
//! Note [When two loops may be one]. `p` before `q`, over the same range. Merged, iteration `i` of `q` runs
//! right after iteration `i` of `p`, before the later iterations of `p`. That is the same if
//! - `q` reads an array that `p` writes only at places that iteration `i` of `p` wrote: there is one axis at
//!   which every write of `p` and every read of `q` has the loop's index;
//! - where `q` goes on with a value that `p` carried, both only accumulate into it, or write it as above;
//! - nothing between the two both depends on `p` and is needed by `q`.
//!
//! A loop that runs from the end may run from the start if it is not ordered: see Note [Order of iterations] in
//! [`super::order`]. What has an effect keeps its place among all that has one.

use super::effect::is_ordered;
use super::order::{self, Kind, accesses, accumulates, aligned, order_of};
use super::simplify::simplify;
use crate::ir::{Block, Body, Eqn, Op, Order, Var, VarData};
use std::collections::HashSet;

pub fn run(mut body: Body) -> Body {
    simplify(&body.vars, &mut body.block);
    order::annotate(&body.vars, &mut body.block);
    fuse_block(&body.vars, &mut body.block);
    simplify(&body.vars, &mut body.block);
    body
}

fn fuse_block(vars: &[VarData], block: &mut Block) {
    block.eqns.iter_mut().for_each(straighten);
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
fn straighten(eqn: &mut Eqn) {
    if let Op::For { reverse, order: Order::Reduce | Order::Independent, .. } = &mut eqn.op {
        *reverse = false;
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
            straighten(&mut block.eqns[at]);
            return Some(at);
        }
    }
    None
}

fn simplify_region(vars: &[VarData], eqn: &mut Eqn) {
    // Results stay: whether they are used outside is not known here.
    simplify(vars, &mut eqn.regions[0]);
    let found = order_of(vars, &eqn.regions[0]);
    if let Op::For { order, .. } = &mut eqn.op {
        *order = found;
    }
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
    // Effects stay in their order: none moves past another.
    let [first, second] = [p, q].map(|k| is_ordered(&block.eqns[k]));
    let moves = before.iter().any(|k| is_ordered(&block.eqns[*k]));
    let stays = (p + 1..q).any(|k| !before.contains(&k) && is_ordered(&block.eqns[k]));
    let passes = (first || stays) && (second || moves);
    (!passes).then_some(before)
}

/// See Note [When two loops may be one].
fn try_merge(vars: &[VarData], block: &Block, p: usize, q: usize) -> Option<Eqn> {
    let (first, second) = (&block.eqns[p], &block.eqns[q]);
    let (lo, hi, reverse, one) = first.as_for()?;
    let (lo2, hi2, reverse2, two) = second.as_for()?;
    if lo != lo2 || hi != hi2 {
        return None;
    }
    if reverse != reverse2 && (first.is_ordered() || second.is_ordered()) {
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
