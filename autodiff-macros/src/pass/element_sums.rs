//! What a loop does to one element of an array, it does to a number.
//!
//! ```text
//!                                           let x_at = if i + 1 < n { x[i] } else { 0.0 };
//!                                           let mut sum = 0.0;
//! for j in i + 1..n {                       for j in i + 1..n {
//!     x_bar[i] += l[at] * y_bar[j];             sum += l[at] * y_bar[j];
//!     l_bar[at] += x[i] * y_bar[j];  ->         l_bar[at] += x_at * y_bar[j];
//!     at += 1;                                  at += 1;
//! }                                         }
//!                                           if i + 1 < n { x_bar[i] += sum; }
//! ```
//!
//! So every array is seen element by element, and the loop goes through windows, without tests and in lanes: see
//! `analysis/windows.rs` and Note [Sums in lanes] in `emit/windows.rs`. Other loops stay. The order of a sum changes, so that this is done to
//! cotangents only. A loop that does not run looks at no element, and has no sum.

use crate::analysis::windows::{Counting, lanes, windows};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Elem, Eqn, IntOp, Op, Order, Ty, Var, VarSet};
use crate::op::elementwise as rows;
use crate::pass::simplify::prune;

/// The values of `exact` keep their order.
pub fn run(body: Body, exact: &VarSet) -> Body {
    transform(body, exact, false)
}

/// All loops, whether they go through windows afterwards or not.
#[cfg(test)]
pub fn everywhere(body: Body) -> Body {
    transform(body, &VarSet::default(), true)
}

fn transform(body: Body, exact: &VarSet, everywhere: bool) -> Body {
    let counting = Counting::of(&body.block);
    let Body { name, vars, block, owned } = body;
    let mut pass = ElementSums { b: Builder::with_vars(vars), exact, counting, everywhere };
    let block = pass.block(block);
    Body { name, vars: pass.b.vars, block, owned }
}

struct ElementSums<'e> {
    b: Builder,
    exact: &'e VarSet,
    counting: Counting,
    everywhere: bool,
}

/// What a loop has become.
struct Loop {
    /// What is before it.
    before: Vec<Eqn>,
    eqn: Eqn,
    /// What is added to elements behind it, the last one first.
    sums: Vec<Sum>,
}

struct Sum {
    /// The array before and after the addition.
    array: (Var, Var),
    total: Var,
    at: Vec<Var>,
}

impl ElementSums<'_> {
    fn block(&mut self, block: Block) -> Block {
        self.b.open_block();
        for mut eqn in block.eqns {
            self.b.span = Some(eqn.span);
            eqn.regions = std::mem::take(&mut eqn.regions).into_iter().map(|region| self.block(region)).collect();
            match self.with_numbers(&eqn) {
                None => self.b.push_eqn(eqn),
                Some(Loop { before, eqn, sums }) => {
                    before.into_iter().for_each(|eqn| self.b.push_eqn(eqn));
                    let Op::For { lo, hi, .. } = &eqn.op else { unreachable!("a sum of no loop") };
                    let range = (lo.clone(), hi.clone());
                    self.b.push_eqn(eqn);
                    for sum in sums.into_iter().rev() {
                        self.add(sum, &range);
                    }
                }
            }
        }
        self.b.close_block(block.params, block.results)
    }

    /// A loop without others inside, if it goes through windows afterwards, and did not before.
    fn with_numbers(&mut self, eqn: &Eqn) -> Option<Loop> {
        let (lo, hi, reverse, region) = eqn.as_for()?;
        if reverse
            || region.eqns.iter().any(|inner| !inner.regions.is_empty())
            || !self.everywhere && self.is_in_lanes(eqn)
        {
            return None;
        }
        let range = (lo.clone(), hi.clone());
        let mut new = Loop { before: Vec::new(), eqn: eqn.clone(), sums: Vec::new() };
        let mut outside = HashMap::default();
        while let Some(at) = self.read(&new.eqn) {
            self.hoist(&mut new, at, &range, &mut outside);
        }
        while let Some((carried, at)) = self.addition(&new.eqn) {
            self.sum(&mut new, (carried, at), &mut outside);
        }
        let changed = !new.before.is_empty() || !new.sums.is_empty();
        (changed && (self.everywhere || self.is_in_lanes(&new.eqn))).then_some(new)
    }

    /// Whether a loop sees nothing but numbers and windows, of which one takes more than the loop's index.
    fn is_in_lanes(&self, eqn: &Eqn) -> bool {
        let Some((lo, .., region)) = eqn.as_for() else { return false };
        let seen = windows(&self.b.vars, &self.counting, eqn);
        let is_free = |sum: Var| !self.exact.contains(sum);
        let Some(lanes) = lanes(&self.b.vars, &self.counting, eqn, &seen, &is_free) else { return false };
        !lanes.parts.is_empty() || seen.iter().any(|window| window.at != region.params[0] || !lo.is(0))
    }

    /// Where an element is read that is the same in all iterations.
    fn read(&self, eqn: &Eqn) -> Option<usize> {
        let region = eqn.step();
        let inside = defined(region);
        region.eqns.iter().position(|inner| {
            matches!(inner.op, Op::Get)
                && self.b.ty(inner.outs[0]).is_scalar()
                && matches!(self.b.ty(inner.outs[0]).elem, Elem::F32 | Elem::F64)
                && !inside.contains(&inner.args[0])
                && inner.args[1..].iter().all(|index| stays(region, &inside, *index))
        })
    }

    /// The carried array that a loop adds to, and where it adds to an element that is the same in all iterations, if it does nothing else
    /// to that array than adding to elements.
    fn addition(&self, eqn: &Eqn) -> Option<(usize, usize)> {
        let region = eqn.step();
        let inside = defined(region);
        eqn.carried().iter().enumerate().find_map(|(carried, array)| {
            let ty = self.b.ty(*array);
            let is_free = !self.exact.contains(*array) && !self.exact.contains(eqn.outs[carried]);
            if ty.is_scalar() || !matches!(ty.elem, Elem::F32 | Elem::F64) || !is_free {
                return None;
            }
            let additions = additions(region, carried)?;
            let stays = |at: &usize| {
                let addition = &region.eqns[*at];
                let is_number = self.b.ty(addition.args[1]).is_scalar();
                is_number && addition.args[2..].iter().all(|index| stays(region, &inside, *index))
            };
            Some((carried, additions.into_iter().find(stays)?))
        })
    }

    /// Reads an element before the loop.
    fn hoist(&mut self, new: &mut Loop, at: usize, range: &(Dim, Dim), outside: &mut HashMap<Var, Var>) {
        let region = &mut new.eqn.regions[0];
        let read = region.eqns[at].clone();
        self.b.open_block();
        let args: Vec<Var> = read.args.iter().map(|arg| self.outside(region, outside, *arg)).collect();
        let ty = self.b.ty(read.outs[0]).clone();
        let condition = self.runs(range);
        self.b.open_block();
        let element = self.b.get(args[0], &args[1..]);
        let yes = self.b.close_block(Vec::new(), vec![element]);
        self.b.open_block();
        let zero = self.b.constant(&ty.elem, 0.0);
        let no = self.b.close_block(Vec::new(), vec![zero]);
        let (op, regions) = (Op::If, vec![yes, no]);
        self.b.push_eqn(Eqn { outs: read.outs, op, args: vec![condition], regions, span: read.span });
        new.before.extend(self.b.close_block(Vec::new(), Vec::new()).eqns);
        region.eqns.remove(at);
    }

    /// Adds to a number in the loop.
    fn sum(&mut self, new: &mut Loop, (carried, at): (usize, usize), outside: &mut HashMap<Var, Var>) {
        let eqn = &mut new.eqn;
        let region = &mut eqn.regions[0];
        let addition = region.eqns.remove(at);
        let (value, ty) = (addition.args[1], self.b.ty(addition.args[1]).clone());
        let rename = |var: Var| if var == addition.outs[0] { addition.args[0] } else { var };
        region.eqns.iter_mut().for_each(|inner| inner.rename_own(&rename));
        region.results.iter_mut().for_each(|result| *result = rename(*result));
        self.b.open_block();
        let places = addition.args[2..].iter().map(|index| self.outside(region, outside, *index)).collect();
        let start = self.b.constant(&ty.elem, 0.0);
        new.before.extend(self.b.close_block(Vec::new(), Vec::new()).eqns);
        let [param, total] = [(); 2].map(|()| self.b.var(ty.clone(), Some("sum")));
        self.b.open_block();
        let next = self.b.add(param, value);
        region.eqns.extend(self.b.close_block(Vec::new(), Vec::new()).eqns);
        region.params.push(param);
        region.results.push(next);
        eqn.args.push(start);
        eqn.outs.push(total);
        if let Op::For { order, .. } = &mut eqn.op {
            *order = Order::Ordered;
        }
        // An array to which nothing else is added is not carried any more.
        let array = eqn.outs[carried];
        let before = if eqn.regions[0].results[carried] == eqn.regions[0].params[carried + 1] {
            let keep: Vec<bool> = (0..eqn.outs.len()).map(|k| k != carried).collect();
            let before = eqn.args[carried];
            prune(eqn, &keep);
            before
        } else {
            let hint = self.b.data(array).hint.clone();
            eqn.outs[carried] = self.b.var(self.b.ty(array).clone(), hint.as_deref());
            eqn.outs[carried]
        };
        new.sums.push(Sum { array: (before, array), total, at: places });
    }

    /// Adds the sum to the element, if the loop has run.
    fn add(&mut self, sum: Sum, range: &(Dim, Dim)) {
        let (before, after) = sum.array;
        let condition = self.runs(range);
        self.b.open_block();
        let added = self.b.acc(before, sum.total, &sum.at);
        let yes = self.b.close_block(Vec::new(), vec![added]);
        let no = Block { params: Vec::new(), eqns: Vec::new(), results: vec![before] };
        let span = self.b.current_span();
        self.b.push_eqn(Eqn { outs: vec![after], op: Op::If, args: vec![condition], regions: vec![yes, no], span });
    }

    fn runs(&mut self, (lo, hi): &(Dim, Dim)) -> Var {
        let (lo, hi) = (self.b.dim(lo.clone()), self.b.dim(hi.clone()));
        self.b.push(Op::Map(&rows::lt), vec![lo, hi], Ty::scalar(Elem::Bool))
    }

    /// The same number as an index in a loop, in the block that is open.
    fn outside(&mut self, region: &Block, known: &mut HashMap<Var, Var>, var: Var) -> Var {
        if let Some(known) = known.get(&var) {
            return *known;
        }
        let Some(maker) = region.eqns.iter().find(|eqn| eqn.outs == [var]) else { return var };
        let args = maker.args.iter().map(|arg| self.outside(region, known, *arg)).collect();
        let copy = self.b.push(maker.op.clone(), args, self.b.ty(var).clone());
        known.insert(var, copy);
        copy
    }
}

fn defined(region: &Block) -> HashSet<Var> {
    region.params.iter().chain(region.eqns.iter().flat_map(|inner| &inner.outs)).copied().collect()
}

/// Where a loop adds to elements of a carried array, if it does nothing else to it.
fn additions(region: &Block, carried: usize) -> Option<Vec<usize>> {
    let mut array = region.params[carried + 1];
    let mut additions = Vec::new();
    for (at, inner) in region.eqns.iter().enumerate() {
        match inner.count_uses(array) {
            0 => {}
            1 if matches!(inner.op, Op::Acc) && inner.args[0] == array => {
                additions.push(at);
                array = inner.outs[0];
            }
            _ => return None,
        }
    }
    let ends = region.results.iter().filter(|result| **result == array).count();
    (region.results[carried] == array && ends == 1).then_some(additions)
}

/// Whether an index is the same in all iterations.
fn stays(region: &Block, inside: &HashSet<Var>, index: Var) -> bool {
    !inside.contains(&index)
        || region.eqns.iter().any(|maker| {
            maker.outs == [index]
                && match &maker.op {
                    Op::Dim(dim) => dim.vars().all(|size| !inside.contains(&size)),
                    Op::Int(IntOp::Add | IntOp::Sub | IntOp::Mul) => {
                        maker.args.iter().all(|arg| stays(region, inside, *arg))
                    }
                    _ => false,
                }
        })
}
