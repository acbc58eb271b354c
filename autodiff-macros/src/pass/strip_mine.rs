//! Sums of tensors in partial sums, so that the loop around them vectorises.
//!
//! Note [Sums in lanes]. Additions of floating-point numbers keep their order, and so a loop with a sum is not vectorised, however much else it
//! computes. The sum of a tensor along its last axis has an order of its own, in [`LANES`] partial sums:
//!
//! ```text
//!                                       let mut lanes = [0.0; 16];
//! for i in 0..40 {                      for j in 0..2 {
//!     sum += f(i);                          for k in 0..16 {
//! }                                             lanes[k] += f(16 * j + k);
//!                                           }
//!                                       }
//!                                       sum += (lanes by halves);
//!                                       for i in 32..40 {
//!                                           sum += f(i);
//!                                       }
//! ```
//!
//! The partial sums are added by halves: the first eight to the last eight, and so on. What is left over is added one after the
//! other, and so a sum of fewer than sixteen keeps its order. All of this depends on nothing but the size, so that every machine
//! computes the same bits.
//!
//! Such an addition is marked by its row, [`add_in_lanes`](crate::op::elementwise::add_in_lanes). A loop that the user wrote has
//! none, and neither has a loop with others inside, where there is nothing to vectorise: they add in the order of their
//! iterations.

use super::clone_eqns;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::var::HashMap;
use crate::ir::{Block, Body, Elem, Eqn, IntOp, Op, Ty, Var, VarMap};
use crate::op::elementwise::add_in_lanes;
use crate::op::reduce::{LANES, LaneTotal};
use std::rc::Rc;

pub fn run(body: Body) -> Body {
    let Body { name, vars, block, owned } = body;
    let mut pass = StripMine { b: Builder::with_vars(vars), names: VarMap::default(), changed: false };
    let block = pass.block(block);
    Body { name, vars: pass.b.vars, block, owned }
}

struct StripMine {
    b: Builder,
    /// What the results of loops are called now.
    names: VarMap<Var>,
    changed: bool,
}

/// A carried value that is a sum in lanes: its place, and the equation in the region that adds to it.
struct Sum {
    carried: usize,
    eqn: usize,
}

impl StripMine {
    fn block(&mut self, block: Block) -> Block {
        let Block { params, eqns, mut results } = block;
        self.b.open_block();
        for mut eqn in eqns {
            if self.changed {
                eqn.rename_own(&|var| self.names.last(var));
            }
            eqn.regions = std::mem::take(&mut eqn.regions).into_iter().map(|region| self.block(region)).collect();
            self.b.span = Some(eqn.span);
            match self.sums(&eqn) {
                Some((size, sums)) => {
                    let outs = self.strip_mine(&eqn, &size, &sums);
                    self.names.extend(eqn.outs.iter().copied().zip(outs));
                    self.changed = true;
                }
                None => self.b.push_eqn(eqn),
            }
        }
        for result in &mut results {
            *result = self.names.last(*result);
        }
        self.b.close_block(params, results)
    }

    /// How often a loop runs, and which of its carried values are added up in lanes. Numbers that are wide have lanes of their own.
    fn sums(&self, eqn: &Eqn) -> Option<(Dim, Vec<Sum>)> {
        let (size, mut sums) = sums(eqn)?;
        sums.retain(|sum| !matches!(self.b.ty(eqn.args[sum.carried]).elem, Elem::Wide(_)));
        (!sums.is_empty()).then_some((size, sums))
    }

    /// Writes the loops in place of a loop, and returns its results.
    fn strip_mine(&mut self, eqn: &Eqn, size: &Dim, sums: &[Sum]) -> Vec<Var> {
        let region = &eqn.regions[0];
        let (zero, lanes) = (Dim::literal(0), Dim::literal(LANES));
        let mut inits = eqn.args.clone();
        for sum in sums {
            let ty = Ty::tensor(self.b.ty(inits[sum.carried]).elem.clone(), vec![lanes.clone()]);
            inits[sum.carried] = self.b.zero(ty);
            self.b.name(inits[sum.carried], "lanes");
        }
        let chunks = size.over(&lanes);
        let whole = chunks.times(&lanes);
        let mut outs = self.b.for_loop((zero.clone(), chunks), &inits, |b, chunk, carried| {
            b.for_loop((zero, lanes.clone()), carried, |b, lane, carried| {
                let first = b.dim(lanes);
                let first = b.int(IntOp::Mul, chunk, first);
                let index = b.int(IntOp::Add, first, lane);
                iteration(b, region, index, carried, &mut |b, at, sum, value| {
                    sums.iter().any(|other| other.eqn == at).then(|| b.acc(sum, value, &[lane]))
                })
            })
        });
        for sum in sums {
            let ty = Ty::tensor(self.b.ty(eqn.outs[sum.carried]).elem.clone(), vec![Dim::literal(1)]);
            let place = self.b.zero(ty.clone());
            let total = self.b.push(Op::Put(Rc::new(LaneTotal)), vec![place, outs[sum.carried]], ty);
            let at = self.b.dim(Dim::literal(0));
            let total = self.b.get(total, &[at]);
            let start = eqn.args[sum.carried];
            outs[sum.carried] = if self.b.is_zero(start) { total } else { self.b.add(start, total) };
        }
        if whole == *size {
            return outs;
        }
        self.b.for_loop((whole, size.clone()), &outs, |b, index, carried| {
            iteration(b, region, index, carried, &mut |_, _, _, _| None)
        })
    }
}

/// Copies an iteration into the builder's block. `add` may replace an addition: it is told which equation that is, and the operands.
fn iteration(
    b: &mut Builder,
    region: &Block,
    index: Var,
    carried: &[Var],
    add: &mut dyn FnMut(&mut Builder, usize, Var, Var) -> Option<Var>,
) -> Vec<Var> {
    let mut names: HashMap<Var, Var> = region.params.iter().copied().zip([&[index], carried].concat()).collect();
    let name = |names: &HashMap<Var, Var>, var: Var| *names.get(&var).unwrap_or(&var);
    for (at, eqn) in region.eqns.iter().enumerate() {
        let added = match (&eqn.op, &eqn.args[..]) {
            (Op::Map(_), [sum, value]) => add(b, at, name(&names, *sum), name(&names, *value)),
            _ => None,
        };
        match added {
            Some(sum) => {
                names.insert(eqn.outs[0], sum);
            }
            None => clone_eqns(b, std::slice::from_ref(eqn), &mut names),
        }
    }
    region.results.iter().map(|result| name(&names, *result)).collect()
}

/// How often the loop runs, and which of its carried values are sums in lanes: of a loop without others inside.
fn sums(eqn: &Eqn) -> Option<(Dim, Vec<Sum>)> {
    let (lo, hi, reverse, region) = eqn.as_for()?;
    let is_long = hi.as_literal().map_or(!hi.is_dynamic(), |size| size >= LANES);
    if !is_long || !lo.is(0) || reverse {
        return None;
    }
    if region.eqns.iter().any(|inner| !inner.regions.is_empty()) {
        return None;
    }
    let sum = |carried: usize| {
        let param = region.params[carried + 1];
        let is_sum = |inner: &Eqn| {
            matches!(inner.op, Op::Map(row) if std::ptr::eq(row, &add_in_lanes))
                && inner.args[0] == param
                && inner.args[1] != param
                && inner.outs[0] == region.results[carried]
        };
        let at = region.eqns.iter().position(is_sum)?;
        let (out, mut others) = (region.eqns[at].outs[0], region.eqns.iter().enumerate().filter(|(k, _)| *k != at));
        let results = region.results.iter().filter(|result| **result == out || **result == param).count();
        (results == 1 && others.all(|(_, inner)| !inner.uses(param) && !inner.uses(out)))
            .then_some(Sum { carried, eqn: at })
    };
    let sums: Vec<Sum> = (0..eqn.args.len()).filter_map(sum).collect();
    (!sums.is_empty()).then(|| (hi.clone(), sums))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::{canonical, parse};

    fn body(text: &str) -> Body {
        parse(text).unwrap_or_else(|problem| panic!("{problem}\n{text}"))
    }

    fn sum(size: usize, add: &str) -> String {
        format!(
            "fn f(%x: f64[{size}], %start: f64) {{
                %y: f64 = for 0..{size} %start |%i: usize, %sum: f64| {{
                    %v: f64 = get %x %i
                    %w: f64 = mul %v %v
                    %next: f64 = {add} %sum %w
                    yield %next
                }}
                return %y
            }}"
        )
    }

    #[test]
    fn chunks_and_what_is_left_over() {
        let after = "fn f(%x: f64[40], %start: f64) {
            %zero: f64[16] = zero
            %lanes: f64[16] = for 0..2 %zero |%chunk: usize, %a: f64[16]| {
                %c: f64[16] = for 0..16 %a |%lane: usize, %b: f64[16]| {
                    %size: usize = dim[16]
                    %first: usize = imul %chunk %size
                    %i: usize = iadd %first %lane
                    %v: f64 = get %x %i
                    %w: f64 = mul %v %v
                    %d: f64[16] = acc %b %w %lane
                    yield %d
                }
                yield %c
            }
            %place: f64[1] = zero
            %total: f64[1] = put lane_total %place %lanes
            %at: usize = dim[0]
            %all: f64 = get %total %at
            %so_far: f64 = add %start %all
            %y: f64 = for 32..40 %so_far |%j: usize, %sum: f64| {
                %u: f64 = get %x %j
                %z: f64 = mul %u %u
                %next: f64 = add_in_lanes %sum %z
                yield %next
            }
            return %y
        }";
        assert_eq!(canonical(&run(body(&sum(40, "add_in_lanes")))), canonical(&body(after)));
    }

    /// What the user adds up keeps its order, and so does what is shorter than the lanes.
    #[test]
    fn other_sums_stay() {
        for text in [sum(40, "add"), sum(15, "add_in_lanes")] {
            assert_eq!(canonical(&run(body(&text))), canonical(&body(&text)));
        }
    }

    /// A size with a name is rounded down by rustc.
    #[test]
    fn a_size_with_a_name() {
        let given = sum(40, "add_in_lanes").replace("40", "N");
        let result = canonical(&run(body(&given)));
        assert!(result.contains("for 0..((N) / (16))") && result.contains("for 16 * ((N) / (16))..N"), "{result}");
    }

    /// The prefix sums are needed one by one.
    #[test]
    fn a_sum_that_is_read_stays() {
        let text = "fn f(%x: f64[40], mut %z: f64[40], %start: f64) {
            %y: f64, %u: f64[40] = for 0..40 %start %z |%i: usize, %sum: f64, %t: f64[40]| {
                %v: f64 = get %x %i
                %next: f64 = add_in_lanes %sum %v
                %s: f64[40] = set %t %next %i
                yield %next %s
            }
            return %y %u
        }";
        assert_eq!(canonical(&run(body(text))), canonical(&body(text)));
    }
}
