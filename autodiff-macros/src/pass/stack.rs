//! Lists that a loop fills, one number in every iteration, are parts of one array.
//!
//! ```text
//! a = zero[%n]; b = zero[%n]                 ab = zero[2·%n]
//! for i in 0..%n {                           for i in 0..%n {
//!     a[i] = v;                                  ab[i] = v;
//!     b[i] = w;                      ->          ab[%n + i] = w;
//! }                                          }
//! … = get a j, get b j                       … = get ab j, get ab (%n + j)
//! ```
//!
//! It is what a loop keeps for its reverse iterations, of a length that is known at run time: one place in memory is made for all of it.
//! Lists of the user's are joined, too, but only where every read is seen to be in range: behind the end of a list is the next one.

use crate::analysis::bounds::Bounds;
use crate::analysis::uses::Uses;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::var::HashMap;
use crate::ir::{Block, Body, Elem, Eqn, IntOp, Op, Ty, Var};
use crate::pass::simplify::prune;

pub fn run(body: Body) -> Body {
    let elements = Elements::of(&body);
    let groups = groups(&body, &elements);
    if groups.is_empty() {
        return body;
    }
    let Body { name, vars, block, owned } = body;
    let mut pass = Stack { b: Builder::with_vars(vars), groups, places: HashMap::default() };
    let block = pass.block(block);
    Body { name, vars: pass.b.vars, block, owned }
}

/// The arrays of which nothing but elements is read, at places that are seen to be in range.
struct Elements {
    uses: Uses,
    reads: HashMap<Var, usize>,
}

impl Elements {
    fn of(body: &Body) -> Elements {
        fn note(body: &Body, bounds: &Bounds, block: &Block, reads: &mut HashMap<Var, usize>) {
            for eqn in &block.eqns {
                if let (Op::Get, &[array, at]) = (&eqn.op, &eqn.args[..]) {
                    let in_range = bounds.is_below(at, &body.ty(array).dims[0]);
                    *reads.entry(array).or_default() += usize::from(in_range);
                }
                eqn.regions.iter().for_each(|region| note(body, bounds, region, reads));
            }
        }
        let mut reads = HashMap::default();
        note(body, &Bounds::of(&body.block), &body.block, &mut reads);
        Elements { uses: Uses::of(&body.block), reads }
    }

    fn are_all(&self, array: Var) -> bool {
        self.reads.get(&array).copied().unwrap_or(0) == self.uses.count(array)
    }
}

/// Arrays that become one, by the first result of the loop that fills them: which of its carried values they are.
type Groups = HashMap<Var, Vec<usize>>;

fn groups(body: &Body, elements: &Elements) -> Groups {
    let mut groups = Groups::default();
    let zeros: Vec<Var> =
        body.block.eqns.iter().filter(|eqn| matches!(eqn.op, Op::Zero(_))).map(|eqn| eqn.outs[0]).collect();
    for eqn in &body.block.eqns {
        let Some((lo, hi, _, region)) = eqn.as_for() else { continue };
        if !lo.is(0) || !hi.is_dynamic() {
            continue;
        }
        let is_filled = |k: &usize| {
            let (array, param) = (eqn.args[*k], region.params[k + 1]);
            let ty = body.ty(param);
            let sets = |inner: &Eqn| {
                matches!(inner.op, Op::Set)
                    && inner.outs == [region.results[*k]]
                    && inner.args[0] == param
                    && inner.args[2..] == [region.params[0]]
            };
            matches!(ty.elem, Elem::F32 | Elem::F64)
                && ty.dims[..] == [hi.clone()]
                && zeros.contains(&array)
                && elements.uses.count(array) == 1
                && region.count_uses(param) == 1
                && region.count_uses(region.results[*k]) == 1
                && region.eqns.iter().any(sets)
                && elements.are_all(eqn.outs[*k])
        };
        let filled: Vec<usize> = (0..eqn.outs.len()).filter(is_filled).collect();
        let Some(first) = filled.first() else { continue };
        let elem = &body.ty(eqn.args[*first]).elem;
        let alike: Vec<usize> = filled.iter().copied().filter(|k| body.ty(eqn.args[*k]).elem == *elem).collect();
        if alike.len() > 1 {
            groups.insert(eqn.outs[0], alike);
        }
    }
    groups
}

struct Stack {
    b: Builder,
    groups: Groups,
    /// The array that a list is a part of, and where it begins, if not at the beginning.
    places: HashMap<Var, (Var, Option<Var>)>,
}

impl Stack {
    fn block(&mut self, block: Block) -> Block {
        self.b.open_block();
        for mut eqn in block.eqns {
            self.b.span = Some(eqn.span);
            let group = eqn.outs.first().and_then(|out| self.groups.remove(out));
            if let Some(group) = group {
                self.fill(&mut eqn, &group);
            }
            let place = eqn.args.first().and_then(|array| self.places.get(array)).copied();
            if let (Op::Get, Some((array, start))) = (&eqn.op, place) {
                eqn.args = vec![array, self.behind(start, eqn.args[1])];
            }
            eqn.regions = std::mem::take(&mut eqn.regions).into_iter().map(|region| self.block(region)).collect();
            self.b.push_eqn(eqn);
        }
        self.b.close_block(block.params, block.results)
    }

    fn behind(&mut self, start: Option<Var>, index: Var) -> Var {
        start.map_or(index, |start| self.b.int(IntOp::Add, start, index))
    }

    /// The loop fills one array in the place of several.
    fn fill(&mut self, eqn: &mut Eqn, group: &[usize]) {
        let Op::For { hi, .. } = &eqn.op else { return };
        let length = hi.clone();
        let elem = self.b.ty(eqn.args[group[0]]).elem.clone();
        let count = i64::try_from(group.len()).unwrap_or(i64::MAX);
        let ty = Ty::tensor(elem, vec![length.times(&Dim::literal(count))]);
        let zeros = self.b.zero(ty.clone());
        self.b.name(zeros, "history");
        let hint = self.b.data(zeros).hint.clone();
        let [param, out] = [(); 2].map(|()| self.b.var(ty.clone(), hint.as_deref()));
        let mut starts = Vec::new();
        for (number, k) in (0..).zip(group) {
            let start = (number > 0).then(|| self.b.dim(length.times(&Dim::literal(number))));
            self.places.insert(eqn.outs[*k], (out, start));
            starts.push(start);
        }
        let mut region = std::mem::take(&mut eqn.regions[0]);
        let mut array = param;
        self.b.open_block();
        for mut inner in std::mem::take(&mut region.eqns) {
            let part = group.iter().position(|k| inner.outs == [region.results[*k]]);
            if let Some(part) = part {
                let at = self.behind(starts[part], region.params[0]);
                let next = self.b.var(ty.clone(), hint.as_deref());
                inner.args = vec![array, inner.args[1], at];
                inner.outs = vec![next];
                array = next;
            }
            self.b.push_eqn(inner);
        }
        region.eqns = self.b.close_block(Vec::new(), Vec::new()).eqns;
        eqn.regions = vec![region];
        let keep: Vec<bool> = (0..eqn.outs.len()).map(|k| !group.contains(&k)).collect();
        prune(eqn, &keep);
        eqn.args.push(zeros);
        eqn.outs.push(out);
        eqn.regions[0].params.push(param);
        eqn.regions[0].results.push(array);
    }
}
