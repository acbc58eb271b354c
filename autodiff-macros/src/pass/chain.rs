//! Elements of arrays of arrays, read and added to with all of their indices at once.
//!
//! ```text
//! %r: f64[D] = get %x %i                 %e: f64 = get %x %i %j
//! %e: f64 = get %r %j           ->
//! %z: f64[D] = zero                      %b: f64[K, D] = acc %x_bar %v %i %j
//! %u: f64[D] = acc %z %v %j
//! %b: f64[K, D] = acc %x_bar %u %i
//! ```
//!
//! The second of them is what differentiation makes of the first: without this, the cotangent of an element passes
//! through an array that is zero elsewhere.

use super::inplace::updated;
use crate::ir::builder::Builder;
use crate::ir::{Block, Body, Eqn, Op, Var};
use std::collections::{HashMap, HashSet};

pub fn run(body: Body) -> Body {
    let Body { name, vars, block, owned } = body;
    let mut uses = HashMap::new();
    block.for_each_use(&mut |var| *uses.entry(var).or_insert(0) += 1);
    let mut chain = Chain { b: Builder::with_vars(vars), uses };
    let block = chain.block(block, &Scope::default());
    Body { name, vars: chain.b.vars, block, owned }
}

struct Chain {
    b: Builder,
    /// How often each variable is used.
    uses: HashMap<Var, usize>,
}

#[derive(Clone, Default)]
struct Scope {
    /// What a sub-array was read from, and where.
    parts: HashMap<Var, (Var, Vec<Var>)>,
    /// Arrays that are zero but for what was added to some elements: values and their indices.
    sparse: HashMap<Var, Vec<(Var, Vec<Var>)>>,
    /// Arrays that have been updated since: to read them again would cost a copy.
    updated: HashSet<Var>,
}

impl Chain {
    fn block(&mut self, block: Block, outer: &Scope) -> Block {
        let mut scope = outer.clone();
        self.b.open_block();
        let Block { params, eqns, results } = block;
        for mut eqn in eqns {
            match eqn.op {
                Op::Zero => drop(scope.sparse.insert(eqn.outs[0], Vec::new())),
                Op::Get => self.get(&mut eqn, &mut scope),
                Op::Acc if self.add_elements(&eqn, &mut scope) => continue,
                _ => {}
            }
            scope.updated.extend(updated(&eqn).into_iter().map(|at| eqn.args[at]));
            eqn.regions =
                std::mem::take(&mut eqn.regions).into_iter().map(|region| self.block(region, &scope)).collect();
            self.b.push_eqn(eqn);
        }
        self.b.close_block(params, results)
    }

    fn get(&mut self, eqn: &mut Eqn, scope: &mut Scope) {
        if let Some((whole, at)) = scope.parts.get(&eqn.args[0]) {
            if !scope.updated.contains(whole) {
                eqn.args = [&[*whole], &at[..], &eqn.args[1..]].concat();
            }
        }
        if !self.b.ty(eqn.outs[0]).is_scalar() {
            scope.parts.insert(eqn.outs[0], (eqn.args[0], eqn.args[1..].to_vec()));
        }
    }

    /// Adds the elements of a sparse array one by one, if it is used for nothing else.
    fn add_elements(&mut self, eqn: &Eqn, scope: &mut Scope) -> bool {
        let (to, value, at) = (eqn.args[0], eqn.args[1], &eqn.args[2..]);
        let elements = match scope.sparse.get(&value) {
            Some(elements) if !elements.is_empty() && self.uses[&value] == 1 => elements.clone(),
            _ => vec![(value, Vec::new())],
        };
        let elements: Vec<(Var, Vec<Var>)> =
            elements.into_iter().map(|(value, inner)| (value, [at, &inner].concat())).collect();
        if let Some(before) = scope.sparse.get(&to) {
            if self.b.ty(eqn.outs[0]).rank() == elements[0].1.len() {
                let all = before.iter().chain(&elements).cloned().collect();
                scope.sparse.insert(eqn.outs[0], all);
            }
        }
        if elements[0].0 == value {
            return false;
        }
        let mut sum = to;
        let last = elements.len() - 1;
        for (k, (value, at)) in elements.into_iter().enumerate() {
            let out = match k {
                k if k == last => eqn.outs[0],
                _ => self.b.var_like(eqn.outs[0], self.b.ty(eqn.outs[0]).clone(), ""),
            };
            scope.updated.insert(sum);
            let args = [&[sum, value], &at[..]].concat();
            self.b.push_eqn(Eqn { outs: vec![out], op: Op::Acc, args, regions: Vec::new(), span: eqn.span });
            sum = out;
        }
        true
    }
}
