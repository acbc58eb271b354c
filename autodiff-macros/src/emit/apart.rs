//! Which loops keep their iterations apart: see Note [Loops of few iterations] in `vectors.rs` of `autodiff-core`.

use crate::ir::{Block, Body, Elem, Eqn, IntOp, Op, Order, Var};

/// LLVM unrolls a loop completely up to about so many instructions.
const UNROLLED: i64 = 300;

/// Fewer elements in a row than a vector of the oldest CPU has are no reason.
const LEAST: i64 = 4;

/// Whether LLVM may unroll all loops inside this one, although an inner one goes along a row. What iterations share stays in
/// registers where they are not kept apart.
pub(super) fn keeps_apart(order: Order, region: &Block) -> bool {
    order == Order::Independent && region.eqns.iter().any(has_rows) && cost(region).is_some_and(|cost| cost <= UNROLLED)
}

/// In loops with fewer operations on lanes, as in products of small matrices, it is worth more that their indices are constants.
const LEAST_LANES: usize = 6;

/// Whether an iteration computes so many lanes that LLVM should make vectors of those of one iteration.
pub(super) fn has_lanes(body: &Body, region: &Block) -> bool {
    let is_wide = |eqn: &&Eqn| {
        matches!(eqn.op, Op::Map(_)) && eqn.outs.iter().any(|out| matches!(body.ty(*out).elem, Elem::Wide(_)))
    };
    region.eqns.iter().filter(is_wide).count() >= LEAST_LANES
}

/// About how many instructions a block is when its loops are unrolled, if they can be.
fn cost(block: &Block) -> Option<i64> {
    block.eqns.iter().try_fold(0_i64, |sum, eqn| {
        let more = match &eqn.op {
            Op::Const(_) | Op::Dim(_) | Op::Int(_) => 0,
            Op::For { lo, hi, .. } => hi.minus(lo).as_literal()?.saturating_mul(cost(&eqn.regions[0])?),
            Op::Get | Op::Set | Op::Acc | Op::Map(_) | Op::Cast | Op::Zero(_) => 1,
            Op::If => eqn.regions.iter().try_fold(0_i64, |sum, region| Some(sum.saturating_add(cost(region)?)))?,
            _ => return None,
        };
        Some(sum.saturating_add(more))
    })
}

/// Whether an equation is a loop along a row that it writes, or has one inside.
fn has_rows(eqn: &Eqn) -> bool {
    let Op::For { lo, hi, .. } = &eqn.op else { return false };
    let region = &eqn.regions[0];
    let is_long = hi.minus(lo).as_literal().is_some_and(|count| count >= LEAST);
    let writes = |eqn: &Eqn| {
        matches!(eqn.op, Op::Set | Op::Acc)
            && eqn.args[2..].last().is_some_and(|at| goes_along(&region.eqns, *at, region.params[0]))
    };
    is_long && region.eqns.iter().any(writes) || region.eqns.iter().any(has_rows)
}

/// Whether a place is that of the index, or some places from there.
fn goes_along(eqns: &[Eqn], at: Var, index: Var) -> bool {
    let is_sum = |eqn: &Eqn| eqn.outs[0] == at && matches!(eqn.op, Op::Int(IntOp::Add)) && eqn.args.contains(&index);
    at == index || eqns.iter().any(|eqn| !eqn.outs.is_empty() && is_sum(eqn))
}

#[cfg(test)]
mod tests {
    use super::{cost, has_lanes, keeps_apart};
    use crate::ir::{Body, Elem, Op, Order};
    use std::rc::Rc;

    /// A loop over rows of `count` elements.
    fn rows(outer: &str, count: &str) -> Body {
        let text = format!(
            "fn f(%x: f64[{outer}, {count}], mut %y: f64[{outer}, {count}]) {{
                %z: f64[{outer}, {count}] = for 0..{outer} %y |%i: usize, %a: f64[{outer}, {count}]| {{
                    %b: f64[{outer}, {count}] = for 0..{count} %a |%j: usize, %c: f64[{outer}, {count}]| {{
                        %v: f64 = get %x %i %j
                        %d: f64[{outer}, {count}] = set %c %v %i %j
                        yield %d
                    }}
                    yield %b
                }}
                return %z
            }}"
        );
        crate::ir::text::parse(&text).unwrap_or_else(|problem| panic!("{problem}\n{text}"))
    }

    #[test]
    fn lanes_of_one_iteration() {
        let has = |count: usize| {
            let more: String = (0..count).map(|k| format!("%s{}: f64 = add %s{k} %g\n", k + 1)).collect();
            let text = format!(
                "fn f(%x: f64[N]) {{
                    %z: f64 = zero
                    %y: f64 = for 0..N %z |%i: usize, %s0: f64| {{
                        %g: f64 = get %x %i
                        {more}
                        yield %s{count}
                    }}
                    return %y
                }}"
            );
            let mut body = crate::ir::text::parse(&text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
            for var in body.vars.iter_mut().filter(|var| var.ty.elem == Elem::F64) {
                var.ty.elem = Elem::Wide(Rc::new(Elem::F64));
            }
            has_lanes(&body, &body.block.eqns[1].regions[0])
        };
        assert!(has(6));
        assert!(!has(5));
    }

    fn is_apart(body: &Body, order: Order) -> bool {
        let outer = body.block.eqns.iter().find(|eqn| matches!(eqn.op, Op::For { .. }));
        keeps_apart(order, &outer.expect("a loop").regions[0])
    }

    #[test]
    fn short_rows_of_independent_iterations() {
        assert!(is_apart(&rows("10", "8"), Order::Independent));
        assert!(!is_apart(&rows("10", "8"), Order::Ordered));
        assert!(!is_apart(&rows("10", "2"), Order::Independent), "shorter than a vector");
        assert!(!is_apart(&rows("10", "1000"), Order::Independent), "not unrolled");
    }

    /// Sizes whose product is beyond all integers.
    #[test]
    fn large_counts() {
        let body = rows("4000000000", "4000000000");
        assert_eq!(cost(&body.block), Some(i64::MAX));
        assert!(!is_apart(&body, Order::Independent));
    }
}
