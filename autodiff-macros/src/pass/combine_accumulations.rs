//! Additions that can be one.
//!
//! Reverse code has an addition for each use of a value. Those to the same element in a block become one,
//! where nothing reads the array in between:
//!
//! ```text
//! x_bar[i] += p;
//! x_bar[i + 1] += q;                        x_bar[i + 1] += q;
//! x_bar[i] += r;                            x_bar[i] += p + r;
//! ```
//!
//! A loop that adds the same whole number in every iteration only counts them: what a broadcast operand of a
//! sum gets is `N as f32`.

use super::simplify;
use crate::analysis::uses::{Uses, makers};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::var::HashMap;
use crate::ir::{Block, Body, Elem, Eqn, Op, Var, VarMap};
use crate::op::elementwise as rows;
use crate::op::{Accumulation, Algebra};

pub fn run(body: Body) -> Body {
    let Body { name, vars, block, owned } = body;
    let uses = Uses::of(&block);
    let (names, whole) = Default::default();
    let mut pass = Combine { b: Builder::with_vars(vars), uses, names, whole, changed: false };
    let mut block = pass.block(block);
    let vars = pass.b.vars;
    if pass.changed {
        simplify::simplify(&vars, &mut block);
    }
    Body { name, vars, block, owned }
}

struct Combine {
    b: Builder,
    uses: Uses,
    names: VarMap<Var>,
    /// Numbers known to be whole, and dimensions.
    whole: VarMap<Whole>,
    changed: bool,
}

#[derive(Clone)]
struct Whole {
    negative: bool,
    magnitude: Dim,
}

impl Combine {
    fn block(&mut self, block: Block) -> Block {
        let Block { params, eqns, mut results } = block;
        let mut later = self.same_elements(&eqns);
        let mut sums: HashMap<usize, Vec<Var>> = HashMap::default();
        self.b.open_block();
        for (k, mut eqn) in eqns.into_iter().enumerate() {
            self.b.span = Some(eqn.span);
            if self.changed {
                eqn.rename_own(&|var| self.names.last(var));
            }
            eqn.regions = std::mem::take(&mut eqn.regions).into_iter().map(|region| self.block(region)).collect();
            if let Some(later) = later.remove(&k) {
                let mut values = sums.remove(&k).unwrap_or_default();
                values.push(eqn.args[1]);
                sums.insert(later, values);
                self.rename(eqn.outs[0], eqn.args[0]);
                continue;
            }
            if let Some(values) = sums.remove(&k) {
                eqn.args[1] = [&values[1..], &eqn.args[1..2]]
                    .concat()
                    .iter()
                    .fold(values[0], |sum, value| self.b.add(sum, *value));
            }
            self.count(&mut eqn);
            self.note(&eqn);
            self.b.push_eqn(eqn);
        }
        for result in &mut results {
            *result = self.names.last(*result);
        }
        self.b.close_block(params, results)
    }

    fn rename(&mut self, var: Var, by: Var) {
        self.names.insert(var, by);
        self.changed = true;
    }

    fn note(&mut self, eqn: &Eqn) {
        let [out] = eqn.outs[..] else { return };
        let whole = match &eqn.op {
            Op::Const(value) if value.fract() == 0.0 && value.abs() < 1e6 => {
                Some(Whole { negative: *value < 0.0, magnitude: Dim::literal(value.abs() as i64) })
            }
            Op::Dim(dim) => Some(Whole { negative: false, magnitude: dim.clone() }),
            Op::Cast => self.whole.get(eqn.args[0]).cloned(),
            Op::Map(row) if row.algebra == Algebra::Negation => {
                self.whole.get(eqn.args[0]).map(|whole| Whole { negative: !whole.negative, ..whole.clone() })
            }
            _ => None,
        };
        if let Some(whole) = whole {
            self.whole.insert(out, whole);
        }
    }

    /// Carried numbers that every iteration adds the same whole number to are computed at once.
    fn count(&mut self, eqn: &mut Eqn) {
        let Some((lo, hi, _, region)) = eqn.as_for() else { return };
        if !lo.is(0) {
            return;
        }
        let hi = hi.clone();
        let candidates: Vec<usize> = (0..eqn.outs.len()).filter(|k| self.may_count(region, *k)).collect();
        if candidates.is_empty() {
            return;
        }
        let makers = makers(region);
        let increment = |k: usize| {
            let maker = &region.eqns[*makers.get(&region.results[k])?];
            Some((k, self.increment(maker, region.params[k + 1])?))
        };
        let counted: Vec<(usize, Whole)> = candidates.into_iter().filter_map(increment).collect();
        let keep: Vec<bool> = (0..eqn.outs.len()).map(|k| counted.iter().all(|(counted, _)| *counted != k)).collect();
        for (k, Whole { negative, magnitude }) in counted {
            let elem = self.b.ty(eqn.outs[k]).elem.clone();
            let total = self.number(&elem, Whole { negative, magnitude: magnitude.times(&hi) });
            let sum = self.b.add(eqn.args[k], total);
            self.uses.stands_for(sum, eqn.outs[k]);
            self.rename(eqn.outs[k], sum);
        }
        // The additions themselves are dead now.
        simplify::prune(eqn, &keep);
    }

    fn number(&mut self, elem: &Elem, whole: Whole) -> Var {
        let mut number = match whole.magnitude.as_literal() {
            Some(value) => self.b.constant(elem, value as f64),
            None => {
                let dim = self.b.dim(whole.magnitude.clone());
                self.b.cast(dim, elem)
            }
        };
        if whole.negative {
            number = self.b.map(&rows::neg, &[number]);
        }
        self.whole.insert(number, whole);
        number
    }

    /// Whether a carried number is read once, and so is what it becomes.
    fn may_count(&self, region: &Block, k: usize) -> bool {
        let (param, result) = (region.params[k + 1], region.results[k]);
        let ty = self.b.ty(param);
        ty.is_scalar() && ty.is_float() && self.uses.count(param) == 1 && self.uses.count(result) == 1
    }

    /// What an equation adds to a carried number.
    fn increment(&self, eqn: &Eqn, param: Var) -> Option<Whole> {
        let step = match (&eqn.op, &eqn.args[..]) {
            (Op::Map(row), [a, b]) if *a == param && row.accumulation(0) == Some(Accumulation::Plus) => b,
            (Op::Map(row), [a, b]) if *b == param && row.accumulation(1) == Some(Accumulation::Plus) => a,
            _ => return None,
        };
        // A size that is known at run time only may be another one in the next iteration.
        self.whole.get(*step).filter(|whole| !whole.magnitude.is_dynamic()).cloned()
    }

    /// For each addition to an element the next one to the same, along a chain of additions to one array of which nothing else
    /// reads what is between.
    fn same_elements(&self, eqns: &[Eqn]) -> HashMap<usize, usize> {
        let is_element =
            |eqn: &Eqn| matches!(eqn.op, Op::Acc) && eqn.args.len() > 2 && self.b.ty(eqn.args[1]).is_scalar();
        let mut later = HashMap::default();
        // The array that a chain began with, by its last version, and the last additions to elements of it.
        let mut chains: HashMap<Var, usize> = HashMap::default();
        let mut last: HashMap<(usize, &[Var]), usize> = HashMap::default();
        for (k, eqn) in eqns.iter().enumerate().filter(|(_, eqn)| is_element(eqn)) {
            let chain = chains.remove(&eqn.args[0]).unwrap_or(k);
            if let Some(earlier) = last.insert((chain, &eqn.args[2..]), k) {
                later.insert(earlier, k);
            }
            if self.uses.count(eqn.outs[0]) == 1 {
                chains.insert(eqn.outs[0], chain);
            }
        }
        later
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::{canonical, parse};

    #[track_caller]
    fn gathers(before: &str, after: &str) {
        let body = |text: &str| parse(text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        assert_eq!(canonical(&run(body(before))), canonical(&body(after)));
    }

    #[test]
    fn additions_to_one_element() {
        gathers(
            "fn f(mut %x_bar: f64[N], %i: usize, %j: usize, %p: f64, %q: f64, %r: f64) {
                %a: f64[N] = acc %x_bar %p %i
                %b: f64[N] = acc %a %q %j
                %c: f64[N] = acc %b %r %i
                return %c
            }",
            "fn f(mut %x_bar: f64[N], %i: usize, %j: usize, %p: f64, %q: f64, %r: f64) {
                %b: f64[N] = acc %x_bar %q %j
                %s: f64 = add %p %r
                %c: f64[N] = acc %b %s %i
                return %c
            }",
        );
    }

    #[test]
    fn not_across_a_read() {
        let text = "fn f(mut %x_bar: f64[N], %i: usize, %p: f64) {
            %a: f64[N] = acc %x_bar %p %i
            %q: f64 = get %a %i
            %c: f64[N] = acc %a %q %i
            return %c
        }";
        gathers(text, text);
    }

    #[test]
    fn counting() {
        gathers(
            "fn f(%one: f64) {
                %zero: f64 = const 0.0
                %minus: f64 = const -1.0
                %s: f64 = for 0..M %zero |%i: usize, %t: f64| {
                    %u: f64 = for 0..N %t |%j: usize, %v: f64| {
                        %w: f64 = add %v %minus
                        yield %w
                    }
                    yield %u
                }
                return %s
            }",
            "fn f(%one: f64) {
                %d: usize = dim[M * N]
                %n: f64 = cast %d
                %s: f64 = neg %n
                return %s
            }",
        );
    }

    /// What is added is not known to be whole: the order of the additions decides the bits.
    #[test]
    fn no_counting_of_fractions() {
        let text = "fn f(%x: f64) {
            %zero: f64 = const 0.0
            %s: f64 = for 0..N %zero |%i: usize, %t: f64| {
                %u: f64 = add %t %x
                yield %u
            }
            return %s
        }";
        gathers(text, text);
    }
}
