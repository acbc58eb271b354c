//! Expensive values wait where their cotangent is going to be.
//!
//! ```text
//! for i in 0..n {                           for i in 0..n {
//!     sum += exp(x[i]);                         let e = exp(x[i]);
//! }                                             x_bar[i] = e;
//! let s = 1 / sum;                              sum += e;
//! for i in 0..n {                           }
//!     x_bar[i] = s * exp(x[i]);        ->   let s = 1 / sum;
//! }                                         for i in 0..n {
//!                                               x_bar[i] = s * x_bar[i];
//!                                           }
//! ```
//!
//! This is for bodies that set a cotangent of which nobody reads what was there before: see `overwrite.rs`. It takes no
//! memory, and no pass that comes before can do it, since an accumulator has a value that is added to.

use super::simplify::remove_dead;
use crate::ir::key::OpKey;
use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Eqn, Op, Var, VarData};
use crate::op::Cost;

/// `covered` are the parameters that are set before anything else happens to them.
pub fn run(mut body: Body, covered: &[Var]) -> Body {
    let mut changed = false;
    for target in covered {
        if let Some(deposit) = Deposit::of(&body, *target) {
            deposit.put(&mut body, *target);
            changed = true;
        }
    }
    if changed {
        remove_dead(&mut body.block);
        super::check("deposit", &body);
    }
    body
}

/// How far definitions are followed.
const MAX_DEPTH: usize = 8;

/// A value that one loop computes and another one computes again.
struct Deposit {
    /// The loops, by their places in the body.
    first: usize,
    second: usize,
    /// Which of the values that the second one carries is the target.
    carried: usize,
    /// The equations, by their places in the regions of the loops.
    made: usize,
    again: usize,
}

impl Deposit {
    fn of(body: &Body, target: Var) -> Option<Deposit> {
        let (block, ty) = (&body.block, body.ty(target));
        if ty.rank() != 1 || block.count_uses(target) != 1 {
            return None;
        }
        let second = block.eqns.iter().position(|eqn| eqn.args.contains(&target))?;
        let eqn = &block.eqns[second];
        let carried = eqn.args.iter().position(|arg| *arg == target)?;
        let (lo, hi, _, region) = eqn.as_for()?;
        let param = region.params[carried + 1];
        let set = region.eqns.iter().position(|eqn| eqn.args.first() == Some(&param))?;
        let is_set = matches!(region.eqns[set].op, Op::Set) && region.eqns[set].args[2..] == region.params[..1];
        if !is_set || region.count_uses(param) != 1 || region.results[carried] != region.eqns[set].outs[0] {
            return None;
        }
        for (first, other) in block.eqns[..second].iter().enumerate().rev() {
            let Some((_, _, _, before)) = other.as_for().filter(|range| (range.0, range.1) == (lo, hi)) else {
                continue;
            };
            let same = Same { makers: [makers(before), makers(region)], indices: [before.params[0], region.params[0]] };
            for again in (0..set).rev() {
                let expensive = &region.eqns[again];
                let is_element =
                    expensive.outs.iter().all(|out| body.ty(*out).is_scalar() && body.ty(*out).elem == ty.elem);
                if !matches!(expensive.op, Op::Map(row) if row.cost == Cost::Function) || !is_element {
                    continue;
                }
                let out = expensive.outs[0];
                let made = before.eqns.iter().position(|eqn| eqn.outs.len() == 1 && same.holds(eqn.outs[0], out, 0));
                if let Some(made) = made {
                    return Some(Deposit { first, second, carried, made, again });
                }
            }
        }
        None
    }

    fn put(self, body: &mut Body, target: Var) {
        let Deposit { first, second, carried, made, again } = self;
        let mut like_target = || {
            let var = Var(u32::try_from(body.vars.len()).unwrap_or(u32::MAX));
            let VarData { ty, hint } = body.vars[target.0 as usize].clone();
            body.vars.push(VarData { ty, hint });
            var
        };
        let (param, set, after) = (like_target(), like_target(), like_target());
        let eqn = &mut body.block.eqns[first];
        eqn.args.push(target);
        eqn.outs.push(after);
        let region = &mut eqn.regions[0];
        let (value, span) = (region.eqns[made].outs[0], region.eqns[made].span);
        let args = vec![param, value, region.params[0]];
        region.params.push(param);
        region.eqns.insert(made + 1, Eqn { outs: vec![set], op: Op::Set, args, regions: Vec::new(), span });
        region.results.push(set);
        let eqn = &mut body.block.eqns[second];
        eqn.args[carried] = after;
        let region = &mut eqn.regions[0];
        let args = vec![region.params[carried + 1], region.params[0]];
        region.eqns[again] = Eqn { op: Op::Get, args, ..region.eqns[again].clone() };
    }
}

/// Whether numbers in the regions of two loops are the same in the same iteration.
struct Same<'b> {
    makers: [VarTable<&'b Eqn>; 2],
    indices: [Var; 2],
}

fn makers(block: &Block) -> VarTable<&Eqn> {
    block.eqns.iter().flat_map(|eqn| eqn.outs.iter().map(move |out| (*out, eqn))).collect()
}

impl Same<'_> {
    fn holds(&self, one: Var, other: Var, depth: usize) -> bool {
        match (self.makers[0].get(&one), self.makers[1].get(&other)) {
            (Some(a), Some(b)) if depth < MAX_DEPTH => {
                let key = OpKey::of(&a.op);
                key.is_some()
                    && key == OpKey::of(&b.op)
                    && a.outs.len() == 1
                    && a.args.len() == b.args.len()
                    && a.args.iter().zip(&b.args).all(|(a, b)| self.holds(*a, *b, depth + 1))
            }
            (None, None) => one == other || [one, other] == self.indices,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::ir::text::{parse, print};

    fn gives(before: &str, after: &str) {
        let parsed = |text: &str| parse(text).unwrap_or_else(|problem| panic!("{problem}"));
        let body = parsed(before);
        let target = *body.block.params.last().unwrap_or_else(|| panic!("no target"));
        assert_eq!(print(&run(body, &[target])), print(&parsed(after)));
    }

    #[test]
    fn an_exponential() {
        gives(
            "
            fn f(%0.x: f64[%1], mut %2.x_bar: f64[%1]) {
                %1: usize = len %0.x
                %3: f64 = zero
                %4: f64 = for 0..%1 reduce %3 |%5: usize, %6: f64| {
                    %7: f64 = get %0.x %5
                    %8: f64 = exp %7
                    %9: f64 = add %6 %8
                    yield %9
                }
                %10: f64[%1] = for 0..%1 independent %2.x_bar |%11: usize, %12: f64[%1]| {
                    %13: f64 = get %0.x %11
                    %14: f64 = exp %13
                    %15: f64 = div %14 %4
                    %16: f64[%1] = set %12 %15 %11
                    yield %16
                }
                return %4 %10
            }",
            "
            fn f(%0.x: f64[%1], mut %2.x_bar: f64[%1]) {
                %1: usize = len %0.x
                %3: f64 = zero
                %4: f64, %19.x_bar: f64[%1] = for 0..%1 reduce %3 %2.x_bar |%5: usize, %6: f64, %17.x_bar: f64[%1]| {
                    %7: f64 = get %0.x %5
                    %8: f64 = exp %7
                    %18.x_bar: f64[%1] = set %17.x_bar %8 %5
                    %9: f64 = add %6 %8
                    yield %9 %18.x_bar
                }
                %10: f64[%1] = for 0..%1 independent %19.x_bar |%11: usize, %12: f64[%1]| {
                    %14: f64 = get %12 %11
                    %15: f64 = div %14 %4
                    %16: f64[%1] = set %12 %15 %11
                    yield %16
                }
                return %4 %10
            }",
        );
    }

    /// The second loop has another range, or computes something else.
    #[test]
    fn what_is_not_the_same() {
        for (hi, second) in [("%3", "exp"), ("%1", "sin")] {
            let text = format!(
                "
                fn f(%0.x: f64[%1], %2.y: f64[%3], mut %4.x_bar: f64[%1]) {{
                    %1: usize = len %0.x
                    %3: usize = len %2.y
                    %5: f64 = zero
                    %6: f64 = for 0..{hi} reduce %5 |%7: usize, %8: f64| {{
                        %9: f64 = get %0.x %7
                        %10: f64 = exp %9
                        %11: f64 = add %8 %10
                        yield %11
                    }}
                    %12: f64[%1] = for 0..%1 independent %4.x_bar |%13: usize, %14: f64[%1]| {{
                        %15: f64 = get %0.x %13
                        %16: f64 = {second} %15
                        %17: f64 = div %16 %6
                        %18: f64[%1] = set %14 %17 %13
                        yield %18
                    }}
                    return %6 %12
                }}"
            );
            gives(&text, &text);
        }
    }
}
