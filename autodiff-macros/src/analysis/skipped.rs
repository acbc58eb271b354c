//! Loops that look for an extreme, most of whose iterations change nothing.
//!
//! Note [Skipped elements]. Each iteration of a loop for the largest of many numbers waits for the one before it. As soon as a large one
//! is found, though, few elements change anything, and whether a block of elements has one that does is a comparison of
//! each with the same number:
//!
//! ```text
//! for i in 0..n {                      for block of 0..n {
//!     largest = max(largest, x[i])         if !(all of x[block] < largest) {
//! }                                            for i in block { largest = max(largest, x[i]) }
//!                                          }
//!                                      }
//! ```
//!
//! An iteration changes nothing if all that is carried stays what it is, supposing that the element is less than a carried number. If that
//! holds, neither of them is NaN. So values and derivatives keep their bits.

use crate::ir::operator::Algebra;
use crate::ir::var::HashMap;
use crate::ir::{Block, Elem, Eqn, IntOp, Op, Ty, Var};
use std::cmp::Ordering;

/// Shorter loops are left alone.
const SHORTEST: i64 = 128;

/// What decides whether an iteration changes something.
pub struct Skipped {
    /// The array whose elements the loop goes through.
    pub array: Var,
    /// Which carried number they are compared with.
    pub carried: usize,
    /// Elements of this order change nothing.
    pub order: Ordering,
}

/// Of a loop over the elements of an array most of which change nothing.
pub fn skipped<'t>(eqn: &Eqn, ty: &dyn Fn(Var) -> &'t Ty) -> Option<Skipped> {
    let (lo, hi, reverse, region) = eqn.as_for()?;
    let length = hi.as_literal().zip(lo.as_literal()).map(|(hi, lo)| hi - lo);
    let are_numbers = region.params.iter().all(|param| ty(*param).is_scalar());
    if reverse || !are_numbers || length.is_some_and(|length| length < SHORTEST) {
        return None;
    }
    let index = region.params[0];
    let read = region.eqns.iter().filter(|eqn| matches!(eqn.op, Op::Get) && eqn.args[1..] == [index]);
    for (element, array) in read.map(|eqn| (eqn.outs[0], eqn.args[0])) {
        let (elem, dims) = (&ty(array).elem, &ty(array).dims);
        if dims.len() != 1 || !matches!(elem, Elem::F32 | Elem::F64) {
            continue;
        }
        // An index out of range is not passed over.
        let is_as_long = |eqn: &Eqn| eqn.args[1..] == [index] && ty(eqn.args[0]).dims[0] == dims[0];
        for (carried, number) in region.params[1..].iter().enumerate().filter(|(_, var)| ty(**var).elem == *elem) {
            for order in [Ordering::Less, Ordering::Greater] {
                let mut iteration = Iteration { element, number: *number, order, names: HashMap::default() };
                if iteration.run(region, &is_as_long).is_some() && iteration.keeps(region) {
                    return Some(Skipped { array, carried, order });
                }
            }
        }
    }
    None
}

/// An iteration, supposing how an element compares with a carried number.
struct Iteration {
    element: Var,
    number: Var,
    order: Ordering,
    /// What variables are, as far as that is known.
    names: HashMap<Var, Known>,
}

#[derive(Clone, Copy)]
enum Known {
    As(Var),
    Truth(bool),
}

impl Iteration {
    fn name(&self, var: Var) -> Var {
        match self.names.get(&var) {
            Some(Known::As(name)) => *name,
            _ => var,
        }
    }

    fn truth(&self, var: Var) -> Option<bool> {
        match self.names.get(&var) {
            Some(Known::Truth(holds)) => Some(*holds),
            _ => None,
        }
    }

    /// How two numbers compare, each of which is the element or the carried number.
    fn compared(&self, vars: &[Var]) -> Option<Ordering> {
        let [a, b] = *vars else { return None };
        let (a, b) = (self.name(a), self.name(b));
        let are_known = [a, b].iter().all(|var| [self.element, self.number].contains(var));
        are_known.then_some(match (a == b, a == self.element) {
            (true, _) => Ordering::Equal,
            (false, true) => self.order,
            (false, false) => self.order.reverse(),
        })
    }

    /// None, if there is something in the block that may have an effect.
    fn run(&mut self, block: &Block, is_as_long: &dyn Fn(&Eqn) -> bool) -> Option<()> {
        for eqn in &block.eqns {
            match &eqn.op {
                Op::Const(_) | Op::Zero(_) | Op::Dim(_) | Op::Int(IntOp::Add) => {}
                Op::Get if is_as_long(eqn) => {}
                Op::Map(row) => {
                    let known = match (row.algebra, self.compared(&eqn.args)) {
                        (Algebra::Comparison | Algebra::AtMost, Some(order)) => {
                            let holds = (row.eval)(&Iteration::example(order));
                            Some(Known::Truth(holds != 0.0))
                        }
                        (Algebra::Larger | Algebra::Smaller | Algebra::Maximum, Some(order)) => {
                            let [a, b] = Iteration::example(order);
                            let is_first = (row.eval)(&[a, b]) == a;
                            Some(Known::As(self.name(eqn.args[usize::from(!is_first)])))
                        }
                        (Algebra::Choice, _) => self.truth(eqn.args[0]).map(|holds| {
                            let taken = eqn.args[if holds { 1 } else { 2 }];
                            self.truth(taken).map_or(Known::As(self.name(taken)), Known::Truth)
                        }),
                        _ => None,
                    };
                    self.names.extend(known.map(|known| (eqn.outs[0], known)));
                }
                Op::If => {
                    let taken = &eqn.regions[usize::from(!self.truth(eqn.args[0])?)];
                    self.run(taken, is_as_long)?;
                    for (out, result) in eqn.outs.iter().zip(&taken.results) {
                        let known = self.truth(*result).map_or(Known::As(self.name(*result)), Known::Truth);
                        self.names.insert(*out, known);
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Two numbers of an order.
    fn example(order: Ordering) -> [f64; 2] {
        match order {
            Ordering::Less => [0.0, 1.0],
            Ordering::Equal => [0.0, 0.0],
            Ordering::Greater => [1.0, 0.0],
        }
    }

    /// Whether all that is carried is what it was.
    fn keeps(&self, region: &Block) -> bool {
        region.params[1..].iter().zip(&region.results).all(|(param, result)| self.name(*result) == *param)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    /// What is skipped in the one loop of a body.
    fn of(text: &str) -> Option<(usize, Ordering)> {
        let body = parse(text).unwrap();
        let eqn = body.block.eqns.iter().find(|eqn| matches!(eqn.op, Op::For { .. })).unwrap();
        skipped(eqn, &|var| body.ty(var)).map(|skipped| (skipped.carried, skipped.order))
    }

    fn of_loop(carried: &str, step: &str) -> Option<(usize, Ordering)> {
        of(&format!(
            "fn f(%0: f64[%1], %20: f64, %21: usize, %22: f64[%23]) {{\n %1: usize = len %0\n %23: usize = len %22\n {carried} {{\n %6: f64 = get %0 %4\n {step}\n }}\n return %8\n}}"
        ))
    }

    #[test]
    fn loops_for_an_extreme() {
        let one = "%8: f64 = for 0..%1 %20 |%4: usize, %5: f64|";
        assert_eq!(of_loop(one, "%7: f64 = larger_of %5 %6\n yield %7"), Some((0, Ordering::Less)));
        assert_eq!(of_loop(one, "%7: f64 = smaller_of %6 %5\n yield %7"), Some((0, Ordering::Greater)));
        let short = "%8: f64 = for 0..64 %20 |%4: usize, %5: f64|";
        assert_eq!(of_loop(short, "%7: f64 = larger_of %5 %6\n yield %7"), None);
        let back = "%8: f64 = for 0..%1 rev %20 |%4: usize, %5: f64|";
        assert_eq!(of_loop(back, "%7: f64 = larger_of %5 %6\n yield %7"), None);
        assert_eq!(of_loop(one, "%7: f64 = add %5 %6\n yield %7"), None);
    }

    #[test]
    fn loops_for_the_place_of_one() {
        let two = "%8: f64, %9: usize = for 0..%1 %20 %21 |%4: usize, %5: f64, %10: usize|";
        let branch = |condition: &str| {
            format!(
                "%7: bool = {condition}\n %11: f64, %12: usize = if %7 || {{\n yield %6 %4\n }} || {{\n yield %5 %10\n }}\n yield %11 %12"
            )
        };
        assert_eq!(of_loop(two, &branch("gt %6 %5")), Some((0, Ordering::Less)));
        assert_eq!(of_loop(two, &branch("ge %6 %5")), Some((0, Ordering::Less)));
        assert_eq!(of_loop(two, &branch("gt %5 %6")), Some((0, Ordering::Greater)));
        // Equal elements change it as well.
        assert_eq!(of_loop(two, &branch("ne %6 %5")), None);
        // What is counted changes.
        let counted = "%13: usize = dim[1]\n %14: usize = iadd %10 %13\n %7: f64 = larger_of %5 %6\n yield %7 %14";
        assert_eq!(of_loop(two, counted), None);
        // An array of another length may be too short.
        let other = "%15: f64 = get %22 %4\n %7: f64 = larger_of %5 %6\n yield %7 %10";
        assert_eq!(of_loop(two, other), None);
    }
}
