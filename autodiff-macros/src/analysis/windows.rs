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
//! iteration. Where the window ends is tested once before the loop. There may be several windows of an array. If the loop changes
//! it, all accesses go through them, and no two of them overlap: one begins so many lengths of the loop after the other.

use crate::analysis::bounds::Bounds;
use crate::analysis::updates::updates;
use crate::analysis::uses::collect_defined;
use crate::ir::dim::Dim;
use crate::ir::var::{HashSet, VarTable};
use crate::ir::{Block, Elem, Eqn, IntOp, Op, Ty, Var, VarData};
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

/// What is known of the integers of a body.
pub struct Counting {
    /// The variables that are the literal 1.
    ones: HashSet<Var>,
    bounds: Bounds,
}

impl Counting {
    pub fn of(block: &Block) -> Counting {
        fn collect(block: &Block, found: &mut HashSet<Var>) {
            for eqn in &block.eqns {
                if matches!(&eqn.op, Op::Dim(dim) if dim.as_literal() == Some(1)) {
                    found.extend(&eqn.outs);
                }
                eqn.regions.iter().for_each(|region| collect(region, found));
            }
        }
        let mut ones = HashSet::default();
        collect(block, &mut ones);
        Counting { ones, bounds: Bounds::of(block) }
    }
}

/// The windows of a `for` loop without loops in it.
pub fn windows(vars: &[VarData], counting: &Counting, eqn: &Eqn) -> Vec<Window> {
    let Some((.., reverse, region)) = eqn.as_for() else { return Vec::new() };
    if region.eqns.iter().any(|eqn| matches!(eqn.op, Op::For { .. } | Op::While { .. } | Op::Call(_))) {
        return Vec::new();
    }
    let mut inside: HashSet<Var> = region.params.iter().copied().collect();
    collect_defined(region, &mut inside);
    let makers = region.eqns.iter().flat_map(|eqn| eqn.outs.iter().map(move |out| (*out, eqn))).collect();
    let indices = Indices { eqn, reverse, counting, inside: &inside, makers };
    let mut found: Vec<Window> = Vec::new();
    for access in &region.eqns {
        let Some((array, at)) = accessed(access) else { continue };
        let ty = ty(vars, array);
        let is_new = found.iter().all(|window| window.at != at || !window.names.contains(&array));
        if !is_new || ty.rank() != 1 || !ty.is_dynamic() || !indices.follows(at) {
            continue;
        }
        if !inside.contains(&array) {
            found.push(Window { names: vec![array], at, changes: false });
        } else if let Some((names, places)) = indices.all_of(array) {
            found.extend(places.into_iter().map(|at| Window { names: names.clone(), at, changes: true }));
        }
    }
    found
}

fn ty(vars: &[VarData], var: Var) -> &Ty {
    &vars[var.0 as usize].ty
}

/// The array and the index, if an equation reads or changes an element of an array with one axis.
fn accessed(eqn: &Eqn) -> Option<(Var, Var)> {
    match (&eqn.op, &eqn.args[..]) {
        (Op::Get, [array, at]) | (Op::Set | Op::Acc, [array, _, at]) => Some((*array, *at)),
        _ => None,
    }
}

/// What a loop adds up whose iterations may be run in several lanes, as positions among the carried values.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Lanes {
    /// Sums of which each lane has a part, since their order is free.
    pub parts: Vec<usize>,
    /// Sums in the order of the iterations: lanes compute the terms.
    pub in_order: Vec<usize>,
    /// Whether an iteration evaluates an elementary function.
    pub has_functions: bool,
}

/// The sums of a loop in which there is nothing else than numbers and elements of these windows, and sums: if there is more,
/// `None`. The sums that `may_reorder` have no order.
pub fn lanes(
    vars: &[VarData],
    counting: &Counting,
    eqn: &Eqn,
    windows: &[Window],
    may_reorder: &dyn Fn(Var) -> bool,
) -> Option<Lanes> {
    let (.., reverse, region) = eqn.as_for()?;
    let is_seen = |array: Var, at: Var| windows.iter().any(|window| window.at == at && window.names.contains(&array));
    let fits = region.eqns.iter().all(|eqn| match (&eqn.op, accessed(eqn)) {
        (_, Some((array, at))) => is_seen(array, at) && !matches!(ty(vars, array).elem, Elem::Data(_) | Elem::Foreign),
        (Op::Map(_), _) => eqn.outs.iter().all(|out| ty(vars, *out).is_scalar()),
        (op, _) => matches!(op, Op::Int(_) | Op::Dim(_) | Op::Const(_)),
    });
    let has_numbers = eqn.carried().iter().any(|param| ty(vars, *param).is_scalar());
    if !fits || reverse && has_numbers {
        return None;
    }
    let inside = HashSet::default();
    let makers = region.eqns.iter().flat_map(|eqn| eqn.outs.iter().map(move |out| (*out, eqn))).collect();
    let indices = Indices { eqn, reverse, counting, inside: &inside, makers };
    let is_function = |eqn: &Eqn| matches!(&eqn.op, Op::Map(row) if row.cost == Cost::Function);
    let mut lanes = Lanes { has_functions: region.eqns.iter().any(is_function), ..Lanes::default() };
    for (k, param) in eqn.carried().iter().enumerate() {
        let ty = ty(vars, *param);
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
        } else if ty.is_float() && is_sum() {
            let is_free = may_reorder(eqn.outs[k]) && may_reorder(*param);
            if is_free { lanes.parts.push(k) } else { lanes.in_order.push(k) }
        } else if !indices.follows(*param) {
            return None;
        }
    }
    Some(lanes)
}

struct Indices<'b> {
    eqn: &'b Eqn,
    reverse: bool,
    counting: &'b Counting,
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
        let is_one = |var: Var| self.counting.ones.contains(&var);
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

    /// The names that an array has in the loop, and the indices at which the loop sees it, if they are far enough apart.
    fn all_of(&self, array: Var) -> Option<(Vec<Var>, Vec<Var>)> {
        let region = self.eqn.step();
        let k = self.eqn.carried().iter().position(|param| *param == array)?;
        let (mut names, mut places) = (vec![self.eqn.args[k], array], Vec::new());
        for eqn in &region.eqns {
            if !names.iter().any(|name| eqn.uses(*name)) {
                continue;
            }
            let (_, at) = accessed(eqn).filter(|(array, _)| names.contains(array))?;
            if !places.contains(&at) {
                places.push(at);
            }
            names.extend(updates(eqn).iter().map(|(_, out)| eqn.outs[*out]));
        }
        let last = names.last() == region.results.get(k);
        let elsewhere = region.results.iter().enumerate().any(|(other, result)| other != k && names.contains(result));
        let pairs = || places.iter().enumerate().flat_map(|(n, at)| places[..n].iter().map(move |other| (*at, *other)));
        let apart = places.iter().all(|at| self.follows(*at)) && pairs().all(|(a, b)| self.are_apart(a, b));
        (last && !elsewhere && apart).then_some((names, places))
    }

    /// Whether two indices, each of which is one more in every iteration, differ by a multiple of the number of iterations.
    fn are_apart(&self, a: Var, b: Var) -> bool {
        let Op::For { lo, hi, .. } = &self.eqn.op else { return false };
        let bounds = &self.counting.bounds;
        let (count, difference) = (bounds.size(&hi.minus(lo)), bounds.value(a).minus(&bounds.value(b)));
        let Some((monomial, coefficient)) = count.terms().next() else { return false };
        let times =
            difference.terms().find(|(other, _)| *other == monomial).map_or(0, |(_, other)| other / coefficient);
        times != 0 && difference == count.times(&Dim::literal(times))
    }
}

#[cfg(test)]
mod tests {
    use super::{Counting, Lanes, Window, lanes, windows};
    use crate::ir::text::parse;
    use crate::ir::{Body, Eqn, Var};

    fn body(text: &str) -> Body {
        parse(text).unwrap_or_else(|problem| panic!("{problem}"))
    }

    fn found(body: &Body, eqn: &Eqn) -> (Vec<Window>, Option<Lanes>) {
        let counting = Counting::of(&body.block);
        let seen = windows(&body.vars, &counting, eqn);
        let sums = lanes(&body.vars, &counting, eqn, &seen, &|_| true);
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
        assert_eq!(sums, Some(Lanes { parts: vec![2], ..Lanes::default() }));
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

    /// Two parts of one array, the second a loop's length behind the first, and a sum of functions in order.
    const PARTS: &str = "
            fn f(mut %0.x: f64[%1], %2: usize, %3: f64) {
                %1: usize = len %0.x
                %4: f64[%1], %5: f64 = for 0..%2 %0.x %3 |%6: usize, %7: f64[%1], %8: f64| {
                    %9: f64 = get %7 %6
                    %10: usize = iadd %6 %SHIFT
                    %11: f64 = get %7 %10
                    %12: f64 = exp %9
                    %13: f64[%1] = set %7 %12 %10
                    %14: f64[%1] = acc %13 %11 %6
                    %15: f64 = add %8 %12
                    yield %14 %15
                }
                return %4 %5
            }";

    #[test]
    fn parts_of_an_array() {
        let body = body(&PARTS.replace("%SHIFT", "%2"));
        let eqn = &body.block.eqns[1];
        let counting = Counting::of(&body.block);
        let seen = windows(&body.vars, &counting, eqn);
        let names: Vec<Var> = [0, 7, 13, 14].map(Var).into();
        let window = |at| Window { names: names.clone(), at: Var(at), changes: true };
        assert_eq!(seen, [window(6), window(10)]);
        let in_order = Lanes { in_order: vec![1], has_functions: true, ..Lanes::default() };
        assert_eq!(lanes(&body.vars, &counting, eqn, &seen, &|_| false), Some(in_order));
        let in_parts = Lanes { parts: vec![1], has_functions: true, ..Lanes::default() };
        assert_eq!(lanes(&body.vars, &counting, eqn, &seen, &|_| true), Some(in_parts));
    }

    /// By how much another number moves a part, nobody knows.
    #[test]
    fn parts_that_may_overlap() {
        let text = PARTS.replace("%SHIFT", "%16").replace("%3: f64)", "%3: f64, %16: usize)");
        let body = body(&text);
        assert_eq!(found(&body, &body.block.eqns[1]), (Vec::new(), None));
    }
}
