//! How a loop uses arrays, and how the numbers that it carries change. One scan of its region answers for all of them.
//!
//! Note [Order of iterations]. A loop is [`Order::Independent`] if no iteration reads or writes what another one writes:
//! at some axis, every access to an array that the loop changes has the loop's index, or its index less a number that is
//! the same in all of them, as where a loop that does not begin at 0 stores values. It is [`Order::Reduce`] if what
//! iterations share is only accumulated: added to, or compared with for a maximum. All else is [`Order::Ordered`]:
//! a state that an iteration hands to the next, an effect, and whatever the analysis does not know. A loop carries the
//! result as a fact. Passes read it there, and it is checked after each pass that relies on it.
//!
//! A callee adds to the cotangents of the arguments that it reads. The cotangent of an argument that it *changes* is
//! in-out: it is replaced, and so the calls run in reverse order.

use crate::ir::effect::is_ordered;
use crate::ir::var::VarTable;
use crate::ir::{Block, Eqn, IntOp, Op, Order, Var, VarData, VarMap};
use crate::op::Accumulation;

/// Two sums may be added to in any order, and so may two maxima; a sum and a maximum may not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combining {
    Sum,
    Max,
}

/// What is taken from the index of a loop where an array is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shift {
    Literal(i64),
    /// A variable from outside of the loop.
    By(Var),
}

/// All accesses to the elements of an array, in all of its versions.
#[derive(Clone, Copy, Debug)]
pub struct Accesses {
    /// The axes at which every access has the index of the loop, as bits.
    axes: u64,
    /// What is taken from it there.
    shift: Shift,
    any: bool,
    only_added: bool,
}

impl Accesses {
    pub const NONE: Accesses = Accesses { axes: u64::MAX, shift: Shift::Literal(0), any: false, only_added: true };

    /// An access to a whole array.
    fn whole(adds: bool) -> Accesses {
        Accesses { axes: 0, shift: Shift::Literal(0), any: true, only_added: adds }
    }

    pub fn and(self, other: Accesses) -> Accesses {
        let is_known = !self.any || !other.any || self.shift == other.shift;
        Accesses {
            axes: if is_known { self.axes & other.axes } else { 0 },
            shift: if self.any { self.shift } else { other.shift },
            any: self.any || other.any,
            only_added: self.only_added && other.only_added,
        }
    }

    /// Whether there is an axis at which all accesses have the index of the loop.
    pub fn is_aligned(self) -> bool {
        self.any && self.axes != 0
    }

    pub fn only_adds(self) -> bool {
        self.only_added
    }

    pub fn order(self) -> Order {
        match (self.is_aligned(), self.only_added) {
            (true, _) => Order::Independent,
            (false, true) => Order::Reduce,
            (false, false) => Order::Ordered,
        }
    }
}

/// The accesses of two loops, `None` if one of them uses the array in any other way.
pub fn both(a: Option<Accesses>, b: Option<Accesses>) -> Option<Accesses> {
    Some(a?.and(b?))
}

/// How the region of a loop uses arrays and changes what it carries.
pub struct Facts {
    /// By carried arrays, and by arrays from outside that it reads or writes: `None` if the array is used in another way than
    /// by its elements, or carried on in the place of another.
    pub arrays: VarTable<Option<Accesses>>,
    /// Of each carried value that is a number: how it changes, if it is only accumulated.
    pub numbers: Vec<Option<Combining>>,
    /// The order that each carried value needs.
    pub orders: Vec<Order>,
    /// Whether an iteration has an effect that others see the order of.
    pub has_order: bool,
}

impl Facts {
    /// The order that the iterations of the loop need.
    pub fn order(&self) -> Order {
        self.order_of_first(self.orders.len())
    }

    /// The same for the first carried values only.
    pub fn order_of_first(&self, count: usize) -> Order {
        match self.has_order {
            true => Order::Ordered,
            false => self.orders[..count].iter().copied().min().unwrap_or(Order::Independent),
        }
    }
}

/// Where a number is used.
#[derive(Clone, Copy, Default)]
struct Uses {
    count: u32,
    /// The block and the equation there that used it last.
    block: u32,
    eqn: u32,
}

#[derive(Clone, Copy)]
enum Defined {
    Literal(i64),
    Index(Shift),
}

/// Finds the facts of loops. It keeps its tables from one loop to the next.
pub struct Scanner<'v> {
    vars: &'v [VarData],
    /// The array that a variable is a later version of, in one of the scans.
    roots: VarMap<(u32, Var)>,
    uses: VarMap<(u32, Uses)>,
    /// The numbers that the region defines, with those of them that are constants, or the index of the loop less another number.
    defined: VarMap<(u32, Option<Defined>)>,
    /// The numbers of the regions of loops in a count of uses, by the index of the loop.
    regions: VarMap<u32>,
    scan: u32,
    blocks: u32,
}

impl<'v> Scanner<'v> {
    pub fn new(vars: &'v [VarData]) -> Scanner<'v> {
        let (roots, uses, defined, regions) = Default::default();
        Scanner { vars, roots, uses, defined, regions, scan: 0, blocks: 0 }
    }

    pub fn vars(&self) -> &'v [VarData] {
        self.vars
    }

    pub fn is_array(&self, var: Var) -> bool {
        !self.vars[var.0 as usize].ty.is_scalar()
    }

    /// The facts of a loop's region.
    pub fn facts(&mut self, region: &Block) -> Facts {
        self.scan += 1;
        let index = region.params[0];
        let mut arrays = VarTable::default();
        for param in &region.params[1..] {
            if self.is_array(*param) {
                self.roots.insert(*param, (self.scan, *param));
                arrays.insert(*param, Some(Accesses::NONE));
            }
        }
        self.defined.insert(index, (self.scan, Some(Defined::Index(Shift::Literal(0)))));
        for param in &region.params[1..] {
            self.defined.insert(*param, (self.scan, None));
        }
        self.block(region, &mut arrays);
        if region.params[1..].iter().any(|param| !self.is_array(*param)) {
            self.blocks = 0;
            self.count(region);
        }
        let mut numbers = Vec::with_capacity(region.results.len());
        let mut orders = Vec::with_capacity(region.results.len());
        for (k, (param, result)) in region.params[1..].iter().zip(&region.results).enumerate() {
            let array = self.is_array(*param);
            let number = if array { None } else { self.accumulates(region, 0, k) };
            numbers.push(number);
            orders.push(match (result == param, array) {
                (true, _) => Order::Independent,
                (_, true) => arrays[param].map_or(Order::Ordered, Accesses::order),
                (_, false) if number.is_some() => Order::Reduce,
                _ => Order::Ordered,
            });
        }
        let has_order = region.eqns.iter().any(is_ordered);
        Facts { arrays, numbers, orders, has_order }
    }

    // --- arrays -----------------------------------------------------------------------------------------

    fn root(&self, var: Var) -> Var {
        match self.roots.get(var) {
            Some((scan, root)) if *scan == self.scan => *root,
            _ => var,
        }
    }

    /// What is known of a number that is defined in the region.
    fn defined(&self, var: Var) -> Option<Option<Defined>> {
        self.defined.get(var).filter(|(scan, _)| *scan == self.scan).map(|(_, defined)| *defined)
    }

    /// Notes what an equation defines.
    fn define(&mut self, eqn: &Eqn) {
        let known = match (&eqn.op, &eqn.args[..]) {
            (Op::Dim(dim), _) => dim.as_literal().map(Defined::Literal),
            (Op::Int(IntOp::Sub), [index, by]) => match (self.defined(*index), self.defined(*by)) {
                (Some(Some(Defined::Index(Shift::Literal(0)))), None) => Some(Defined::Index(Shift::By(*by))),
                (Some(Some(Defined::Index(Shift::Literal(0)))), Some(Some(Defined::Literal(by)))) => {
                    Some(Defined::Index(Shift::Literal(by)))
                }
                _ => None,
            },
            _ => None,
        };
        for out in eqn.outs.iter().chain(eqn.regions.iter().flat_map(|region| &region.params)) {
            self.defined.insert(*out, (self.scan, known));
        }
    }

    /// An access to an element.
    fn access(&self, at: &[Var], adds: bool) -> Accesses {
        let mut access = Accesses::whole(adds);
        for (axis, var) in at.iter().enumerate().take(64) {
            if let Some(Some(Defined::Index(shift))) = self.defined(*var)
                && (access.axes == 0 || access.shift == shift)
            {
                access.axes |= 1 << axis;
                access.shift = shift;
            }
        }
        access
    }

    fn block(&mut self, block: &Block, arrays: &mut VarTable<Option<Accesses>>) {
        for eqn in &block.eqns {
            self.define(eqn);
            self.eqn(eqn, arrays);
        }
        // What a loop carries on in the place of an array, and nothing else, has to be its last version.
        for (result, param) in block.results.iter().zip(&block.params[1..]) {
            if self.is_array(*param) {
                let (given, taken) = (self.root(*result), self.root(*param));
                if given != taken {
                    arrays.insert(given, None);
                    arrays.insert(taken, None);
                }
            }
        }
    }

    fn eqn(&mut self, eqn: &Eqn, arrays: &mut VarTable<Option<Accesses>>) {
        match &eqn.op {
            Op::Get => {
                let root = self.root(eqn.args[0]);
                note(arrays, root, self.access(&eqn.args[1..], false));
            }
            Op::Set | Op::Acc if eqn.args.len() > 2 => {
                let root = self.root(eqn.args[0]);
                self.other_use(eqn.args[1], arrays);
                note(arrays, root, self.access(&eqn.args[2..], matches!(eqn.op, Op::Acc)));
                self.version(eqn.outs[0], root);
                return;
            }
            // A kernel adds to all elements, or sets them.
            Op::Into(_) | Op::Put(_) => {
                let root = self.root(eqn.args[0]);
                for arg in &eqn.args[1..] {
                    self.other_use(*arg, arrays);
                }
                note(arrays, root, Accesses::whole(matches!(eqn.op, Op::Into(_))));
                self.version(eqn.outs[0], root);
                return;
            }
            // A callee adds to the cotangents of what it reads; what it changes is in-out.
            op if op.is_black_box() => {
                let added = eqn.black_box_accumulations();
                let roots: Vec<Var> = eqn.args.iter().map(|arg| self.root(*arg)).collect();
                for out in &eqn.outs {
                    self.version(*out, *out);
                }
                for (k, root) in roots.iter().enumerate() {
                    if !self.is_array(eqn.args[k]) {
                        continue;
                    }
                    let uses = roots.iter().filter(|other| *other == root).count();
                    match added.iter().find(|(arg, _)| *arg == k) {
                        Some((_, out)) if uses == 1 => {
                            note(arrays, *root, Accesses::whole(true));
                            self.version(eqn.outs[*out], *root);
                        }
                        _ => drop(arrays.insert(*root, None)),
                    }
                }
                return;
            }
            Op::For { .. } => {
                let inner = &eqn.regions[0];
                for (k, arg) in eqn.args.iter().enumerate() {
                    if self.is_array(*arg) {
                        let root = self.root(*arg);
                        arrays.entry(root).or_insert(Some(Accesses::NONE));
                        self.version(inner.params[k + 1], root);
                        self.version(eqn.outs[k], root);
                    }
                }
                self.block(inner, arrays);
                return;
            }
            _ => eqn.for_each_use(&mut |var| self.other_use(var, arrays)),
        }
        for out in &eqn.outs {
            self.version(*out, *out);
        }
    }

    fn version(&mut self, var: Var, root: Var) {
        if self.is_array(var) {
            self.roots.insert(var, (self.scan, root));
        }
    }

    fn other_use(&self, var: Var, arrays: &mut VarTable<Option<Accesses>>) {
        if self.is_array(var) {
            arrays.insert(self.root(var), None);
        }
    }

    // --- numbers ----------------------------------------------------------------------------------------

    fn count(&mut self, block: &Block) {
        let id = self.blocks;
        self.blocks += 1;
        for (k, eqn) in block.eqns.iter().enumerate() {
            let at = u32::try_from(k).unwrap_or(u32::MAX);
            eqn.for_each_own_use(&mut |var| self.used(var, id, at));
            for region in &eqn.regions {
                if let (Op::For { .. }, Some(index)) = (&eqn.op, region.params.first()) {
                    self.regions.insert(*index, self.blocks);
                }
                self.count(region);
            }
        }
        block.results.iter().for_each(|result| self.used(*result, id, u32::MAX));
    }

    fn used(&mut self, var: Var, block: u32, eqn: u32) {
        let scan = self.scan;
        let entry = self.uses.entry(var);
        if entry.0 != scan {
            *entry = (scan, Uses::default());
        }
        entry.1 = Uses { count: entry.1.count + 1, block, eqn };
    }

    fn uses(&self, var: Var) -> Uses {
        match self.uses.get(var) {
            Some((scan, uses)) if *scan == self.scan => *uses,
            _ => Uses::default(),
        }
    }

    /// How a carried number changes, if it is only ever added to, or only ever compared with for a maximum. `id` is the number
    /// of the block in the count.
    fn accumulates(&self, region: &Block, id: u32, k: usize) -> Option<Combining> {
        let mut version = region.params[k + 1];
        let mut combining = None;
        loop {
            let uses = self.uses(version);
            if uses.count != 1 {
                return None;
            }
            if region.results[k] == version {
                return combining;
            }
            if uses.block != id {
                return None;
            }
            let eqn = region.eqns.get(uses.eqn as usize)?;
            let (how, next) = match &eqn.op {
                Op::Map(row) => {
                    let k = eqn.args.iter().position(|arg| *arg == version)?;
                    let how = match row.accumulation(k)? {
                        Accumulation::Plus | Accumulation::Minus => Combining::Sum,
                        Accumulation::Maximum => Combining::Max,
                    };
                    (how, eqn.outs[0])
                }
                Op::For { .. } => {
                    let n = eqn.args.iter().position(|arg| *arg == version)?;
                    let inner = &eqn.regions[0];
                    let id = *self.regions.get(inner.params[0])?;
                    (self.accumulates(inner, id, n)?, eqn.outs[n])
                }
                _ => return None,
            };
            if combining.is_some_and(|before| before != how) {
                return None;
            }
            combining = Some(how);
            version = next;
        }
    }
}

fn note(arrays: &mut VarTable<Option<Accesses>>, root: Var, access: Accesses) {
    let known = arrays.entry(root).or_insert(Some(Accesses::NONE));
    *known = known.map(|known| known.and(access));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    /// The order of a loop over `%0` whose iteration does that to the array `%5`.
    fn order(iteration: &str) -> Order {
        let text = format!(
            "fn f(%0: f64[%1], %2: usize) {{\n %1: usize = len %0\n %3: f64[%1] = for %2..%1 %0 |%4: usize, %5: f64[%1]| {{\n \
             %6: usize = dim[1]\n %7: usize = isub %4 %6\n %8: usize = isub %4 %2\n %9: usize = isub %8 %6\n {iteration}\n \
             yield %11\n }}\n return %3\n}}"
        );
        let body = parse(&text).unwrap();
        let eqn = body.block.eqns.iter().find(|eqn| eqn.as_for().is_some()).unwrap();
        Scanner::new(&body.vars).facts(&eqn.regions[0]).order()
    }

    #[test]
    fn indices_less_a_number() {
        let at = |read: &str, written: &str| {
            order(&format!("%10: f64 = get %5 {read}\n %11: f64[%1] = set %5 %10 {written}"))
        };
        for index in ["%4", "%7", "%8"] {
            assert_eq!(at(index, index), Order::Independent, "{index}");
        }
        // What one iteration writes, another one reads.
        for (read, written) in [("%4", "%7"), ("%7", "%4"), ("%8", "%4"), ("%7", "%8")] {
            assert_eq!(at(read, written), Order::Ordered, "{read} {written}");
        }
        // Nothing is known of a difference of a difference, and of what each iteration computes.
        assert_eq!(at("%9", "%9"), Order::Ordered);
        let computed =
            "%10: f64 = get %5 %4\n %12: usize = iadd %2 %4\n %13: usize = isub %4 %12\n %11: f64[%1] = set %5 %10 %13";
        assert_eq!(order(computed), Order::Ordered);
    }
}
