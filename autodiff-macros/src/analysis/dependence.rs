//! On what some variables depend.

use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Eqn, Op, Var, VarSet};

/// Some variables of a body, and all that their values are computed from.
pub fn dependencies(body: &Body, of: impl IntoIterator<Item = Var>) -> VarSet {
    let mut makers = VarTable::default();
    note(&body.block, &mut makers);
    let (mut found, mut open) = (VarSet::default(), of.into_iter().collect::<Vec<Var>>());
    while let Some(var) = open.pop() {
        if !found.insert(var) {
            continue;
        }
        let Some((eqn, at)) = makers.get(&var).copied() else { continue };
        match (&eqn.op, at) {
            (Op::For { .. } | Op::While { .. }, At::Out(k) | At::Carried(k)) => {
                open.extend([eqn.args[k], eqn.step().results[k]]);
                // A `while` loop ends when its condition says so.
                if let [cond, _] = &eqn.regions[..] {
                    open.extend(&cond.results);
                }
            }
            (Op::If, At::Out(k)) => {
                open.push(eqn.args[0]);
                open.extend(eqn.regions.iter().map(|region| region.results[k]));
            }
            _ => open.extend(eqn.own_uses()),
        }
    }
    found
}

/// Which result of an equation a variable is, or which value that a loop carries.
#[derive(Clone, Copy)]
enum At {
    Out(usize),
    Carried(usize),
}

fn note<'b>(block: &'b Block, makers: &mut VarTable<(&'b Eqn, At)>) {
    for eqn in &block.eqns {
        makers.extend(eqn.outs.iter().enumerate().map(|(k, out)| (*out, (eqn, At::Out(k)))));
        if let Op::For { .. } | Op::While { .. } = eqn.op {
            for region in &eqn.regions {
                let first = if region.params.len() > eqn.args.len() { 1 } else { 0 };
                let carried = region.params[first..].iter().enumerate();
                makers.extend(carried.map(|(k, param)| (*param, (eqn, At::Carried(k)))));
            }
        }
        eqn.regions.iter().for_each(|region| note(region, makers));
    }
}

#[cfg(test)]
mod tests {
    use super::dependencies;
    use crate::ir::text::parse;

    #[test]
    fn a_value_and_a_sum_beside_it() {
        let body = parse(
            "
            fn f(%x: f64[4], %i: usize) {
                %1: f64 = zero
                %2: f64, %3: f64 = for 0..4 %1 %1 |%4: usize, %5: f64, %6: f64| {
                    %7: f64 = get %x %4
                    %8: f64 = add %5 %7
                    %9: f64 = sin %7
                    %10: f64 = add %6 %9
                    yield %8 %10
                }
                return %2 %3
            }",
        );
        let body = body.unwrap_or_else(|problem| panic!("{problem}"));
        let [value, sum] = body.block.results[..] else { panic!("two results") };
        let found = dependencies(&body, [value]);
        let inside = body.block.eqns[1].step();
        assert!(found.contains(value) && found.contains(inside.params[1]) && found.contains(inside.eqns[0].outs[0]));
        assert!(!found.contains(sum) && !found.contains(inside.params[2]) && !found.contains(inside.eqns[2].outs[0]));
    }
}
