//! An array of arrays whose sizes are known at run time only is one array.
//!
//! ```text
//! kept = zero[%n, %m]                    kept = zero[%n·%m]
//! … = get kept i j               ->      … = get kept (i·%m + j)
//! ```
//!
//! That is one place in memory rather than one for each row. It may be done to arrays that only the body sees, and of
//! which only elements and rows are read and written, at places that are seen to be in their rows. A row, such as what a loop keeps of
//! an array in every iteration, is copied number by number. Rows that are read and not used
//! do not count, and are not read any more: `compose_indices` leaves them behind where it reads their elements.

use crate::analysis::bounds::Bounds;
use crate::analysis::uses::Uses;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Eqn, IntOp, Op, Ty, Var, VarData};

pub fn run(body: Body) -> Body {
    if !body.vars.iter().any(|data| merged(&data.ty.dims) > 1) {
        return body;
    }
    let (bounds, uses) = (Bounds::of(&body.block), Uses::of(&body.block));
    let (parents, seen_whole, made) = Default::default();
    let mut groups = Groups { body: &body, bounds, uses, parents, seen_whole, made };
    groups.block(&body.block);
    for var in body.block.params.iter().chain(&body.block.results) {
        groups.seen_whole.insert(*var);
    }
    let whole: HashSet<Var> = groups.seen_whole.iter().map(|var| groups.group(*var)).collect();
    let made: HashSet<Var> = groups.made.iter().map(|var| groups.group(*var)).collect();
    let all = groups.parents.iter().flat_map(|(var, parent)| [*var, *parent]).chain(groups.made.iter().copied());
    let flat: HashSet<Var> =
        all.filter(|var| made.contains(&groups.group(*var)) && !whole.contains(&groups.group(*var))).collect();
    if flat.is_empty() {
        return body;
    }
    let uses = groups.uses;
    let Body { name, vars, block, owned } = body;
    let dims = flat.iter().map(|var| (*var, vars[var.0 as usize].ty.dims.clone())).collect();
    let mut pass = Linearize { b: Builder::with_vars(vars), dims, uses };
    for var in &flat {
        let ty = pass.b.ty(*var).clone();
        let count = merged(&ty.dims);
        let dims = [vec![Dim::product(&ty.dims[..count])], ty.dims[count..].to_vec()].concat();
        pass.b.vars[var.0 as usize].ty = Ty::tensor(ty.elem, dims);
    }
    let block = pass.block(block);
    Body { name, vars: pass.b.vars, block, owned }
}

/// How many axes become one: up to the last whose size is not a constant. What follows is one after the other anyway.
pub fn merged(dims: &[Dim]) -> usize {
    dims.iter().rposition(Dim::is_dynamic).map_or(0, |last| last + 1)
}

/// Variables that are one array at different times.
struct Groups<'b> {
    body: &'b Body,
    bounds: Bounds,
    uses: Uses,
    parents: HashMap<Var, Var>,
    /// Arrays that are used in other ways than by elements.
    seen_whole: HashSet<Var>,
    /// Arrays that begin as zeros here.
    made: HashSet<Var>,
}

impl Groups<'_> {
    fn group(&self, mut var: Var) -> Var {
        while let Some(parent) = self.parents.get(&var) {
            var = *parent;
        }
        var
    }

    fn join(&mut self, a: Var, b: Var) {
        let (a, b) = (self.group(a), self.group(b));
        if a != b {
            self.parents.insert(a, b);
        }
    }

    /// Whether it is an array that could be flat.
    fn candidate(&self, var: Var) -> bool {
        let ty = self.body.ty(var);
        merged(&ty.dims) > 1 && !ty.is_ragged()
    }

    fn block(&mut self, block: &Block) {
        for eqn in &block.eqns {
            self.eqn(eqn);
            eqn.regions.iter().for_each(|region| self.block(region));
        }
    }

    fn eqn(&mut self, eqn: &Eqn) {
        let enough = |at: &[Var], array: Var| {
            let dims = &self.body.ty(array).dims;
            let count = merged(dims);
            // What is behind the end of a row would be in the next one, and of a row without numbers none would be missed.
            let first = usize::from(at.len() >= count);
            at.len() + 1 >= count
                && (first..count.min(at.len())).all(|axis| self.bounds.is_below(at[axis], &dims[axis]))
        };
        match &eqn.op {
            Op::Zero(_) if self.candidate(eqn.outs[0]) => drop(self.made.insert(eqn.outs[0])),
            Op::Get if enough(&eqn.args[1..], eqn.args[0]) || is_unused_row(eqn, &self.body.vars, &self.uses) => {}
            Op::Set | Op::Acc if eqn.args.len() > 2 && enough(&eqn.args[2..], eqn.args[0]) => {
                if self.candidate(eqn.args[0]) {
                    self.join(eqn.args[0], eqn.outs[0]);
                }
                self.seen_whole.insert(eqn.args[1]);
            }
            Op::For { .. } | Op::While { .. } => {
                for (k, arg) in eqn.args.iter().enumerate().filter(|(_, arg)| self.body.ty(**arg).rank() > 0) {
                    let first = eqn.first_carried();
                    self.join(*arg, eqn.outs[k]);
                    self.join(*arg, eqn.step().results[k]);
                    for region in &eqn.regions {
                        self.join(*arg, region.params[first + k]);
                    }
                }
            }
            _ => self.seen_whole.extend(eqn.args.iter().chain(&eqn.outs).filter(|var| self.body.ty(**var).rank() > 0)),
        }
        // A branch hands its results on, the condition of a loop has none that is an array.
        if let Op::If = eqn.op {
            self.seen_whole.extend(eqn.regions.iter().flat_map(|region| &region.results));
        }
    }
}

/// Whether a row is read and not used.
fn is_unused_row(eqn: &Eqn, vars: &[VarData], uses: &Uses) -> bool {
    let row = eqn.outs.first().filter(|_| matches!(eqn.op, Op::Get));
    row.is_some_and(|row| vars[row.0 as usize].ty.rank() > 0 && uses.count(*row) == 0)
}

struct Linearize {
    b: Builder,
    uses: Uses,
    /// The sizes of the arrays that become flat, as they were.
    dims: HashMap<Var, Vec<Dim>>,
}

impl Linearize {
    fn block(&mut self, block: Block) -> Block {
        let Block { params, eqns, results } = block;
        self.b.open_block();
        for mut eqn in eqns {
            if is_unused_row(&eqn, &self.b.vars, &self.uses) {
                continue;
            }
            let first = match eqn.op {
                Op::Get => 1,
                Op::Set | Op::Acc => 2,
                _ => 0,
            };
            let array = eqn.args.first().copied().filter(|_| first > 0);
            if let Some(dims) = array.and_then(|array| self.dims.get(&array)).cloned() {
                self.b.span = Some(eqn.span);
                let count = merged(&dims);
                if eqn.args.len() - first < count {
                    self.row(eqn, &dims);
                    continue;
                }
                let at = self.at(&eqn.args[first..first + count], &dims);
                eqn.args.splice(first..first + count, [at]);
            }
            if let (Op::Zero(_), [out]) = (&eqn.op, &eqn.outs[..]) {
                if self.dims.contains_key(out) {
                    (eqn.op, eqn.args) = Op::zeros(self.b.ty(*out));
                }
            }
            eqn.regions = std::mem::take(&mut eqn.regions).into_iter().map(|region| self.block(region)).collect();
            self.b.push_eqn(eqn);
        }
        self.b.close_block(params, results)
    }

    /// Reads, writes or adds to a row, number by number.
    fn row(&mut self, eqn: Eqn, dims: &[Dim]) {
        let Eqn { op, args, outs, .. } = eqn;
        let axis = merged(dims) - 1;
        let indices = match op {
            Op::Get => &args[1..],
            _ => &args[2..],
        };
        let (size, start) = (self.b.dim(dims[axis].clone()), self.at(indices, dims));
        let start = self.b.int(IntOp::Mul, start, size);
        let changed = match op {
            Op::Get => self.b.zero(self.b.ty(outs[0]).clone()),
            _ => args[0],
        };
        self.b.open_block();
        let (index, carried) =
            (self.b.var(Ty::index(), None), self.b.var_like(changed, self.b.ty(changed).clone(), ""));
        let at = self.b.int(IntOp::Add, start, index);
        let result = match op {
            Op::Get => {
                let number = self.b.get(args[0], &[at]);
                self.b.set(carried, number, &[index])
            }
            _ => {
                let number = self.b.get(args[1], &[index]);
                let ty = self.b.ty(carried).clone();
                self.b.push(op, vec![carried, number, at], ty)
            }
        };
        let region = self.b.close_block(vec![index, carried], vec![result]);
        let op = Op::range(Dim::literal(0), dims[axis].clone(), false);
        let span = self.b.current_span();
        self.b.push_eqn(Eqn { outs, op, args: vec![changed], regions: vec![region], span });
    }

    /// (i·m + j)·n + k
    fn at(&mut self, indices: &[Var], dims: &[Dim]) -> Var {
        let mut at = indices[0];
        for (index, dim) in indices.iter().zip(dims).skip(1) {
            let size = self.b.dim(dim.clone());
            let row = self.b.int(IntOp::Mul, at, size);
            at = self.b.int(IntOp::Add, row, *index);
        }
        at
    }
}
