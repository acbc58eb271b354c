//! Arrays of which the iterations of a loop see one element after another.
//!
//! ```text
//! for j in i + 1..n {                       let window = &l[at..][..n - (i + 1)];
//!     … l[at] …                             for j in i + 1..n {
//!     at += 1;                         ->       … window[j - (i + 1)] …
//! }                                             at += 1;
//!                                           }
//! ```
//!
//! Such an index is the index of the loop and what does not change in the loop, or a number that grows by one with every
//! iteration. Where the window ends is tested once before the loop. A loop that only reads an array may have several
//! windows of it; of an array that it changes it has one, through which all accesses go.

use crate::analysis::updates::updates;
use crate::analysis::uses::collect_defined;
use crate::ir::var::{HashSet, VarTable};
use crate::ir::{Block, Body, Eqn, IntOp, Op, Var};
use crate::op::{Accumulation, Cost};

/// A part of an array that a loop sees element by element.
#[derive(PartialEq, Eq, Debug)]
pub struct Window {
    /// The names of the array in the loop; the first one is what it is before.
    pub names: Vec<Var>,
    /// The index.
    pub at: Var,
    pub changes: bool,
}

/// The variables of a block that are the literal 1.
pub fn ones(block: &Block) -> HashSet<Var> {
    fn collect(block: &Block, found: &mut HashSet<Var>) {
        for eqn in &block.eqns {
            if matches!(&eqn.op, Op::Dim(dim) if dim.as_literal() == Some(1)) {
                found.extend(&eqn.outs);
            }
            eqn.regions.iter().for_each(|region| collect(region, found));
        }
    }
    let mut found = HashSet::default();
    collect(block, &mut found);
    found
}

/// The windows of a `for` loop without loops in it. `ones` are those of the body.
pub fn windows(body: &Body, ones: &HashSet<Var>, eqn: &Eqn) -> Vec<Window> {
    let Some((.., reverse, region)) = eqn.as_for() else { return Vec::new() };
    if region.eqns.iter().any(|eqn| matches!(eqn.op, Op::For { .. } | Op::While { .. } | Op::Call(_))) {
        return Vec::new();
    }
    let mut inside: HashSet<Var> = region.params.iter().copied().collect();
    collect_defined(region, &mut inside);
    let makers = region.eqns.iter().flat_map(|eqn| eqn.outs.iter().map(move |out| (*out, eqn))).collect();
    let indices = Indices { eqn, reverse, ones, inside: &inside, makers };
    let mut found: Vec<Window> = Vec::new();
    for access in &region.eqns {
        let (array, at) = match (&access.op, &access.args[..]) {
            (Op::Get, [array, at]) | (Op::Set | Op::Acc, [array, _, at]) => (*array, *at),
            _ => continue,
        };
        let ty = body.ty(array);
        let is_new = found.iter().all(|window| window.at != at || !window.names.contains(&array));
        if !is_new || ty.rank() != 1 || !ty.is_dynamic() || !indices.follows(at) {
            continue;
        }
        if !inside.contains(&array) {
            found.push(Window { names: vec![array], at, changes: false });
        } else if let Some(names) = indices.all_at(array, at) {
            found.push(Window { names, at, changes: true });
        }
    }
    found
}

/// The carried numbers to which every iteration of a loop adds, and which `may_reorder`, if there is nothing else in the loop
/// than numbers and elements of these windows: the iterations may be run in several lanes. If there is more, or a sum that
/// may not be reordered, `None`.
pub fn adds_in_lanes(
    body: &Body,
    ones: &HashSet<Var>,
    eqn: &Eqn,
    windows: &[Window],
    may_reorder: &dyn Fn(Var) -> bool,
) -> Option<Vec<usize>> {
    let (.., reverse, region) = eqn.as_for()?;
    let is_seen = |array: Var, at: Var| windows.iter().any(|window| window.at == at && window.names.contains(&array));
    let fits = region.eqns.iter().all(|eqn| match (&eqn.op, &eqn.args[..]) {
        (Op::Get, [array, at]) | (Op::Set | Op::Acc, [array, _, at]) => is_seen(*array, *at),
        (Op::Map(row), _) => row.cost < Cost::Function && eqn.outs.iter().all(|out| body.ty(*out).is_scalar()),
        (op, _) => matches!(op, Op::Int(_) | Op::Dim(_) | Op::Const(_)),
    });
    if !fits || reverse {
        return None;
    }
    let inside = HashSet::default();
    let makers = region.eqns.iter().flat_map(|eqn| eqn.outs.iter().map(move |out| (*out, eqn))).collect();
    let indices = Indices { eqn, reverse, ones, inside: &inside, makers };
    let mut sums = Vec::new();
    for (k, param) in eqn.carried().iter().enumerate() {
        let ty = body.ty(*param);
        let next = indices.makers.get(&region.results[k]);
        let is_sum = || {
            let Some(next) = next else { return false };
            let place = next.args.iter().position(|arg| arg == param);
            let added = match (&next.op, place) {
                (Op::Map(row), Some(place)) => row.accumulation(place),
                _ => None,
            };
            // What the sum is so far, nothing else in the loop may see: a lane knows its own part only.
            matches!(added, Some(Accumulation::Plus | Accumulation::Minus))
                && region.count_uses(*param) == 1
                && next.outs.iter().map(|out| region.count_uses(*out)).sum::<usize>() == 1
        };
        if !ty.is_scalar() {
            continue;
        } else if ty.is_float() && may_reorder(eqn.outs[k]) && may_reorder(*param) && is_sum() {
            sums.push(k);
        } else if !indices.follows(*param) {
            return None;
        }
    }
    Some(sums)
}

struct Indices<'b> {
    eqn: &'b Eqn,
    reverse: bool,
    ones: &'b HashSet<Var>,
    inside: &'b HashSet<Var>,
    makers: VarTable<&'b Eqn>,
}

impl Indices<'_> {
    /// Whether a number is one more in every iteration than in the one before, in the order of the index.
    fn follows(&self, at: Var) -> bool {
        let region = self.eqn.step();
        if at == region.params[0] {
            return true;
        }
        if let Some(k) = self.eqn.carried().iter().position(|param| *param == at) {
            let next = self.makers.get(&region.results[k]);
            return !self.reverse && next.is_some_and(|next| self.is_successor(next, at));
        }
        let Some(Eqn { op: Op::Int(op), args, .. }) = self.makers.get(&at) else { return false };
        match op {
            IntOp::Add => self.follows(args[0]) && self.stays(args[1]) || self.stays(args[0]) && self.follows(args[1]),
            IntOp::Sub => self.follows(args[0]) && self.stays(args[1]),
            _ => false,
        }
    }

    fn is_successor(&self, next: &Eqn, of: Var) -> bool {
        let is_one = |var: Var| self.ones.contains(&var);
        matches!(next.op, Op::Int(IntOp::Add))
            && (next.args[0] == of && is_one(next.args[1]) || next.args[1] == of && is_one(next.args[0]))
    }

    /// Whether a number is the same in every iteration, and can be computed before the loop.
    fn stays(&self, var: Var) -> bool {
        match self.makers.get(&var) {
            _ if !self.inside.contains(&var) => true,
            Some(Eqn { op: Op::Dim(dim), .. }) => dim.vars().all(|size| !self.inside.contains(&size)),
            Some(Eqn { op: Op::Int(IntOp::Add | IntOp::Sub | IntOp::Mul), args, .. }) => {
                args.iter().all(|arg| self.stays(*arg))
            }
            _ => false,
        }
    }

    /// The names that an array has in the loop, if this index is the only place where the loop sees it.
    fn all_at(&self, array: Var, at: Var) -> Option<Vec<Var>> {
        let region = self.eqn.step();
        let k = self.eqn.carried().iter().position(|param| *param == array)?;
        let mut names = vec![self.eqn.args[k], array];
        for eqn in &region.eqns {
            let reads = names.iter().any(|name| eqn.uses(*name));
            let place = match (&eqn.op, &eqn.args[..]) {
                _ if !reads => continue,
                (Op::Get, [array, place]) | (Op::Set | Op::Acc, [array, _, place]) if names.contains(array) => *place,
                _ => return None,
            };
            if place != at {
                return None;
            }
            names.extend(updates(eqn).iter().map(|(_, out)| eqn.outs[*out]));
        }
        let last = names.last() == region.results.get(k);
        let elsewhere = region.results.iter().enumerate().any(|(other, result)| other != k && names.contains(result));
        (last && !elsewhere).then_some(names)
    }
}

#[cfg(test)]
mod tests {
    use super::{Window, adds_in_lanes, ones, windows};
    use crate::ir::text::parse;
    use crate::ir::{Body, Eqn, Var};

    fn body(text: &str) -> Body {
        parse(text).unwrap_or_else(|problem| panic!("{problem}"))
    }

    fn found(body: &Body, eqn: &Eqn) -> (Vec<Window>, Option<Vec<usize>>) {
        let ones = ones(&body.block);
        let seen = windows(body, &ones, eqn);
        let sums = adds_in_lanes(body, &ones, eqn, &seen, &|_| true);
        (seen, sums)
    }

    /// A triangle, row after row: what a counter finds, and what an index with an offset finds.
    #[test]
    fn counters_and_offsets() {
        let body = body(
            "
            fn f(%0.l: f64[%1], %2.x: f64[%3], %4: f64, %5: usize, mut %6.y: f64[%3]) {
                %1: usize = len %0.l
                %3: usize = len %2.x
                %7: usize = dim[1]
                %8: usize = iadd %5 %7
                %9: usize, %10: f64[%3], %11: f64 = for %8..%3 %5 %6.y %4 |%12: usize, %13: usize, %14: f64[%3], %15: f64| {
                    %16: f64 = get %0.l %13
                    %17: usize = iadd %12 %5
                    %18: f64 = get %2.x %17
                    %19: f64 = mul %16 %18
                    %20: f64[%3] = acc %14 %19 %12
                    %21: f64 = add %15 %16
                    %22: usize = iadd %13 %7
                    yield %22 %20 %21
                }
                return %10 %11
            }",
        );
        let (seen, sums) = found(&body, &body.block.eqns[4]);
        let names = |names: &[u32]| names.iter().map(|name| Var(*name)).collect::<Vec<_>>();
        let window = |array: &[u32], at, changes| Window { names: names(array), at: Var(at), changes };
        assert_eq!(seen, [window(&[0], 13, false), window(&[2], 17, false), window(&[6, 14, 20], 12, true)],);
        assert_eq!(sums, Some(vec![2]));
    }

    /// An array that is changed where it is also read elsewhere, and an index that skips elements.
    #[test]
    fn what_has_no_window() {
        let body = body(
            "
            fn f(%0.x: f64[%1], %2: usize, mut %3.y: f64[%4]) {
                %1: usize = len %0.x
                %4: usize = len %3.y
                %5: usize = dim[2]
                %6: f64[%4] = for 0..%1 %3.y |%7: usize, %8: f64[%4]| {
                    %9: usize = imul %7 %5
                    %10: f64 = get %0.x %9
                    %11: usize = iadd %7 %2
                    %12: f64 = get %8 %11
                    %13: f64 = mul %10 %12
                    %14: f64[%4] = set %8 %13 %7
                    yield %14
                }
                return %6
            }",
        );
        assert_eq!(found(&body, &body.block.eqns[3]), (Vec::new(), None));
    }

    /// A counter in a loop that runs backwards finds elements in the other order than the index.
    #[test]
    fn backwards() {
        let body = body(
            "
            fn f(%0.x: f64[%1], %2: usize, %3: f64) {
                %1: usize = len %0.x
                %4: usize = dim[1]
                %5: usize, %6: f64 = for 0..%1 rev %2 %3 |%7: usize, %8: usize, %9: f64| {
                    %10: f64 = get %0.x %8
                    %11: f64 = add %9 %10
                    %12: usize = iadd %8 %4
                    yield %12 %11
                }
                return %6
            }",
        );
        assert_eq!(found(&body, &body.block.eqns[2]), (Vec::new(), None));
    }
}
