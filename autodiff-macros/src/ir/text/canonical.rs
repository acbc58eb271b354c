//! What tests want of the text form: operators by the table, and bodies that differ in the names of their variables only.

use super::parser::parse_with;
use super::print;
use crate::ir::{Block, Body, Op, Var, VarData};
use std::collections::HashMap;

/// Parses what [`print`] prints.
pub fn parse(text: &str) -> Result<Body, String> {
    parse_with(text, |name| {
        let row = crate::op::elementwise::find(name).map(Op::Map);
        row.or_else(|| crate::op::parse(name).map(Op::Tensor))
    })
}

/// The same body with variables numbered in the order of their definition and without names, so that bodies
/// that differ in these only have the same text.
pub fn canonical(body: &Body) -> String {
    let mut order = HashMap::new();
    let mut vars = Vec::new();
    let mut block = body.block.clone();
    number(body, &block, &mut order, &mut vars);
    let name = |var: Var| order.get(&var).copied().unwrap_or(var);
    redefine(&mut block, &name);
    block.rename_uses(&name);
    vars.iter_mut().for_each(|data| data.ty.rename(&name));
    let owned = body.owned.iter().map(|var| name(*var)).collect();
    print(&Body { name: body.name.clone(), vars, block, owned })
}

fn number(body: &Body, block: &Block, order: &mut HashMap<Var, Var>, vars: &mut Vec<VarData>) {
    fn define(body: &Body, defined: &[Var], order: &mut HashMap<Var, Var>, vars: &mut Vec<VarData>) {
        for var in defined {
            order.insert(*var, Var(u32::try_from(vars.len()).expect("few variables")));
            vars.push(VarData { hint: None, ..body.data(*var).clone() });
        }
    }
    define(body, &block.params, order, vars);
    for eqn in &block.eqns {
        for region in &eqn.regions {
            number(body, region, order, vars);
        }
        define(body, &eqn.outs, order, vars);
    }
}

fn redefine(block: &mut Block, name: &impl Fn(Var) -> Var) {
    block.params.iter_mut().for_each(|param| *param = name(*param));
    for eqn in &mut block.eqns {
        eqn.regions.iter_mut().for_each(|region| redefine(region, name));
        eqn.outs.iter_mut().for_each(|out| *out = name(*out));
    }
}
