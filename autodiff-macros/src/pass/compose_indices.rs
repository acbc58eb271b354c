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
//!
//! A row of a size of run time that a loop reads by its index is left as it is where an index may be behind its end, as far as can be
//! seen: `linearize` would have to leave all rows apart. It copies the row instead, at most as often as one is made.

use super::linearize;
use crate::analysis::bounds::Bounds;
use crate::analysis::updates::updated;
use crate::analysis::uses::Uses;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{Block, Body, Eqn, Op, Var, VarMap, VarSet};
use std::rc::Rc;

pub fn run(body: Body) -> Body {
    let Body { name, vars, block, owned } = body;
    let uses = Uses::of(&block);
    let bounds = vars.iter().any(|data| linearize::merged(&data.ty.dims) > 1).then(|| Bounds::of(&block));
    let (parts, rows, sparse, updated) = Default::default();
    let (b, order, loops, params) = (Builder::with_vars(vars), Vec::new(), Vec::new(), block.params.clone());
    let mut chain = ComposeIndices { b, uses, bounds, params, parts, rows, sparse, updated, order, loops };
    let block = chain.block(block);
    Body { name, vars: chain.b.vars, block, owned }
}

struct ComposeIndices {
    b: Builder,
    uses: Uses,
    /// What is known of indices, if there are rows of a size of run time.
    bounds: Option<Bounds>,
    params: Vec<Var>,
    /// What a sub-array was read from, and where.
    parts: VarMap<(Var, Vec<Var>)>,
    /// Those that `linearize` can copy.
    rows: VarSet,
    /// Arrays that are zero but for what was added to some elements.
    sparse: VarMap<Sparse>,
    /// Arrays that have been updated since: to read them again would cost a copy.
    updated: VarSet,
    /// These, those of the innermost block last.
    order: Vec<Var>,
    /// The indices of the loops around; of one without, nothing.
    loops: Vec<Option<Var>>,
}

/// What was added to elements of zeros, the last addition first.
type Sparse = Option<Rc<Added>>;

struct Added {
    value: Var,
    at: Vec<Var>,
    before: Sparse,
}

/// Long lists are taken apart one by one, not in each other.
impl Drop for Added {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut added) = before.and_then(Rc::into_inner) {
            before = added.before.take();
        }
    }
}

/// The additions, in order.
fn elements(sparse: &Sparse) -> Vec<(Var, &[Var])> {
    let mut elements = Vec::new();
    let mut last = sparse.as_ref();
    while let Some(added) = last {
        elements.push((added.value, &added.at[..]));
        last = added.before.as_ref();
    }
    elements.reverse();
    elements
}

impl ComposeIndices {
    fn block(&mut self, block: Block) -> Block {
        let outside = self.order.len();
        self.b.open_block();
        let Block { params, eqns, results } = block;
        for mut eqn in eqns {
            match eqn.op {
                Op::Zero(_) => self.sparse.insert(eqn.outs[0], None),
                Op::Get => self.get(&mut eqn),
                Op::Acc if self.add_elements(&eqn) => continue,
                _ => {}
            }
            if !matches!(eqn.op, Op::Get | Op::Map(_) | Op::Const(_)) {
                for at in updated(&eqn) {
                    self.update(eqn.args[at]);
                }
            }
            let around = self.loops.len();
            match eqn.op {
                Op::For { .. } => self.loops.push(Some(eqn.regions[0].params[0])),
                Op::While { .. } => self.loops.push(None),
                _ => {}
            }
            eqn.regions = std::mem::take(&mut eqn.regions).into_iter().map(|region| self.block(region)).collect();
            self.loops.truncate(around);
            self.b.push_eqn(eqn);
        }
        for var in self.order.drain(outside..) {
            self.updated.remove(var);
        }
        self.b.close_block(params, results)
    }

    fn update(&mut self, var: Var) {
        if self.updated.insert(var) {
            self.order.push(var);
        }
    }

    fn get(&mut self, eqn: &mut Eqn) {
        if let Some((whole, at)) = self.parts.get(eqn.args[0]) {
            if !self.updated.contains(*whole) && self.is_in_row(eqn.args[0], *whole, at.len(), eqn.args[1]) {
                eqn.args = [&[*whole], &at[..], &eqn.args[1..]].concat();
            }
        }
        if !self.b.ty(eqn.outs[0]).is_scalar() {
            // Each row is read once.
            if self.loops.iter().copied().eq(eqn.args[1..].iter().map(|index| Some(*index))) {
                self.rows.insert(eqn.outs[0]);
            }
            self.parts.insert(eqn.outs[0], (eqn.args[0], eqn.args[1..].to_vec()));
        }
    }

    /// Whether an index of a row is seen to be in it, or that does not matter.
    fn is_in_row(&self, row: Var, whole: Var, axis: usize, index: Var) -> bool {
        let dims = &self.b.ty(whole).dims;
        let is_made = !self.params.contains(&whole) && !dims.iter().any(Dim::is_ragged);
        let matters = linearize::merged(dims) > axis && self.rows.contains(row) && is_made;
        !matters || self.bounds.as_ref().is_none_or(|bounds| bounds.is_below(index, &dims[axis]))
    }

    /// Adds the elements of a sparse array one by one, if it is used for nothing else.
    fn add_elements(&mut self, eqn: &Eqn) -> bool {
        let (to, value, at) = (eqn.args[0], eqn.args[1], &eqn.args[2..]);
        let sparse = match self.sparse.get(value) {
            Some(sparse @ Some(_)) if self.uses.count(value) == 1 => sparse.clone(),
            _ => None,
        };
        let added: Vec<(Var, Vec<Var>)> = match sparse.is_some() {
            true => elements(&sparse).into_iter().map(|(value, inner)| (value, [at, inner].concat())).collect(),
            false => vec![(value, at.to_vec())],
        };
        if let Some(before) = self.sparse.get(to).cloned() {
            if self.b.ty(eqn.outs[0]).rank() == added[0].1.len() {
                let all = added
                    .iter()
                    .fold(before, |before, (value, at)| Some(Rc::new(Added { value: *value, at: at.clone(), before })));
                self.sparse.insert(eqn.outs[0], all);
            }
        }
        if added[0].0 == value {
            return false;
        }
        let mut sum = to;
        let last = added.len() - 1;
        for (k, (value, at)) in added.into_iter().enumerate() {
            let out = match k {
                k if k == last => eqn.outs[0],
                _ => self.b.var_like(eqn.outs[0], self.b.ty(eqn.outs[0]).clone(), ""),
            };
            self.update(sum);
            let args = [&[sum, value], &at[..]].concat();
            self.b.push_eqn(Eqn { outs: vec![out], op: Op::Acc, args, regions: Vec::new(), span: eqn.span });
            sum = out;
        }
        true
    }
}
