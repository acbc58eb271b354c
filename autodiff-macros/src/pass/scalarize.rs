//! Writes operators on arrays as loop nests over their elements.
//!
//! ```text
//! y: f32[4, 3] = add a b        y0: f32[4, 3] = zero
//!                               y: f32[4, 3] = for i in 0..4 carry (y1: f32[4, 3] = y0) {
//!                                   y2: f32[4, 3] = for j in 0..3 carry (y3: f32[4, 3] = y1) {
//!                                       p: f32 = get a i j   q: f32 = get b j
//!                                       r: f32 = add p q
//!                                       y4: f32[4, 3] = set y3 r i j
//!                                       yield y4 }
//!                                   yield y2 }
//! ```

use crate::analysis::uses::Uses;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{Block, Body, Eqn, IntOp, Op, Ty, Var, VarData, VarMap};
use crate::op::view::broadcast_get;
use crate::op::{Class, Operator};
use std::collections::HashSet;
use std::rc::Rc;

pub fn run(body: Body) -> Body {
    let Body { name, vars, block, owned } = body;
    let uses = Uses::of(&block);
    let (names, originals, operators, mut by_kernels) = Default::default();
    count_operands_of_kernels(&vars, &block, &mut by_kernels);
    let b = Builder::with_vars(vars);
    let mut pass = Scalarize { b, names, originals, operators, uses, by_kernels, sized: HashSet::new() };
    let Block { params, eqns, results } = block;
    pass.eqns(eqns);
    let results = results.iter().map(|result| pass.name(*result)).collect();
    let mut body = pass.b.finish(name, params, results);
    body.owned = owned;
    body
}

struct Scalarize {
    b: Builder,
    names: VarMap<Var>,
    /// What the loops of an operator are there for.
    originals: VarMap<Var>,
    /// How an array is made, for consumers that can do it themselves.
    operators: VarMap<(Rc<dyn Operator>, Vec<Var>)>,
    uses: Uses,
    /// How often kernels read an array.
    by_kernels: VarMap<usize>,
    /// Zeros that are as long as something else.
    sized: HashSet<Var>,
}

impl Scalarize {
    fn name(&self, var: Var) -> Var {
        *self.names.get(var).unwrap_or(&var)
    }

    fn eqns(&mut self, eqns: Vec<Eqn>) {
        for mut eqn in eqns {
            self.b.span = Some(eqn.span);
            let args: Vec<Var> = eqn.args.iter().map(|arg| self.name(*arg)).collect();
            match self.eqn(&eqn, &args) {
                Some(value) => {
                    let out = eqn.outs[0];
                    if let Some(hint) = self.b.data(out).hint.clone() {
                        self.b.name(value, &hint);
                    }
                    self.names.insert(out, value);
                    if !self.originals.contains(value) {
                        self.originals.insert(value, out);
                    }
                }
                None => {
                    eqn.args = args;
                    eqn.op.rename(&|var| self.name(var));
                    eqn.regions =
                        std::mem::take(&mut eqn.regions).into_iter().map(|region| self.region(region)).collect();
                    self.b.push_eqn(eqn);
                }
            }
        }
    }

    fn region(&mut self, region: Block) -> Block {
        self.b.open_block();
        self.eqns(region.eqns);
        let results = region.results.iter().map(|result| self.name(*result)).collect();
        self.b.close_block(region.params, results)
    }

    /// The equation as loops, or `None` to keep it.
    fn eqn(&mut self, eqn: &Eqn, args: &[Var]) -> Option<Var> {
        if let Op::Const(_) | Op::Dim(_) | Op::Int(_) | Op::For { .. } | Op::While { .. } | Op::If = eqn.op {
            return None;
        }
        let ty = self.b.ty(*eqn.outs.first()?).clone();
        if let Op::ZeroLike = eqn.op {
            self.sized.insert(eqn.outs[0]);
        }
        match &eqn.op {
            Op::Map(row) if !ty.is_scalar() => {
                Some(self.elementwise(&ty, args, &mut |b, elements| b.map(row, elements)))
            }
            Op::Cast if !ty.is_scalar() => {
                let elem = ty.elem.clone();
                Some(self.elementwise(&ty, args, &mut |b, elements| b.cast(elements[0], &elem)))
            }
            Op::Tensor(op) => {
                let (op, args) = self.of_transpose(eqn, op).unwrap_or_else(|| self.absorb(op, args));
                self.operators.insert(eqn.outs[0], (op.clone(), args.clone()));
                if is_kernel(&*op, &args, &self.b.vars) {
                    let zero = self.b.zero(ty);
                    return Some(self.b.kernel(op, zero, &args));
                }
                op.loops(&mut self.b, &args, &ty)
            }
            Op::Acc if args.len() == 2 => Some(self.accumulate(eqn, args)),
            // Rows of run-time length are copied and replaced as a whole.
            Op::Get | Op::Set if ty.is_dynamic() => None,
            // A kernel reads a part of an array where it is.
            Op::Get if !ty.is_scalar() && self.is_for_kernels(eqn.outs[0]) => None,
            Op::Acc if ty.is_dynamic() && !self.b.ty(args[1]).is_scalar() => Some(
                self.b.nest_like(args[1], &args[..1], &mut |b, at, t| {
                    let v = b.get(args[1], at);
                    vec![b.acc(t[0], v, &[&args[2..], at].concat())]
                })[0],
            ),
            Op::Get if !ty.is_scalar() => {
                let zero = self.b.zero(ty.clone());
                Some(
                    self.b.nest(&ty.dims, &[zero], &mut |b, at, t| {
                        let v = b.get(args[0], &[&args[1..], at].concat());
                        vec![b.set(t[0], v, at)]
                    })[0],
                )
            }
            Op::Set | Op::Acc if !self.b.ty(args[1]).is_scalar() => {
                let dims = self.b.ty(args[1]).dims.clone();
                let set = matches!(eqn.op, Op::Set);
                Some(
                    self.b.nest(&dims, &args[..1], &mut |b, at, t| {
                        let v = b.get(args[1], at);
                        let at = [&args[2..], at].concat();
                        vec![if set { b.set(t[0], v, &at) } else { b.acc(t[0], v, &at) }]
                    })[0],
                )
            }
            Op::Pack if ty.rank() > 1 => {
                let zero = self.b.zero(ty.clone());
                let mut t = zero;
                for (k, part) in args.iter().enumerate() {
                    let k = self.b.dim(crate::ir::dim::Dim::literal(i64::try_from(k).ok()?));
                    t = self.b.nest(&ty.dims[1..], &[t], &mut |b, at, t| {
                        let v = b.get(*part, at);
                        vec![b.set(t[0], v, &[&[k], at].concat())]
                    })[0];
                }
                Some(t)
            }
            _ => None,
        }
    }

    /// Whether nothing but kernels reads an array.
    fn is_for_kernels(&self, array: Var) -> bool {
        self.by_kernels.get(array).is_some_and(|count| *count == self.uses.count(array))
    }

    fn elementwise(&mut self, ty: &Ty, args: &[Var], value: &mut dyn FnMut(&mut Builder, &[Var]) -> Var) -> Var {
        let zero = self.b.zero(ty.clone());
        self.b.nest(&ty.dims, &[zero], &mut |b, at, t| {
            let elements: Vec<Var> = args.iter().map(|arg| broadcast_get(b, *arg, &ty.dims, at)).collect();
            let v = value(b, &elements);
            vec![b.set(t[0], v, at)]
        })[0]
    }

    /// `acc + v` for a whole array, without making `v` first where nothing else needs it.
    fn accumulate(&mut self, eqn: &Eqn, args: &[Var]) -> Var {
        let alone = self.uses.count(eqn.args[1]) == 1;
        if let Some((op, inputs)) = self.operators.get(eqn.args[1]).cloned().filter(|_| alone) {
            if is_kernel(&*op, &inputs, &self.b.vars) {
                return self.b.kernel(op, args[0], &inputs);
            }
            if let Some(sum) = op.loops_into(&mut self.b, args[0], &inputs) {
                return sum;
            }
        }
        let add = &mut |b: &mut Builder, at: &[Var], t: &[Var]| {
            let v = b.get(args[1], at);
            vec![b.acc(t[0], v, at)]
        };
        let ty = self.b.ty(args[0]).clone();
        // A `Vec` that has been longer has a cotangent that is as long: what stands behind the end of a shorter one is nobody's.
        if self.sized.contains(&eqn.args[0]) && ty.rank() == 1 && ty.is_ragged() {
            let (own, most) = (self.b.len(args[1], &[]), self.b.len(args[0], &[]));
            let len = Dim::of(self.b.int(IntOp::Min, own, most));
            return self.b.for_loop((Dim::literal(0), len), &args[..1], |b, i, t| add(b, &[i], t))[0];
        }
        match ty.is_dynamic() {
            true => self.b.nest_like(args[1], &args[..1], add)[0],
            false => self.b.nest(&ty.dims, &args[..1], add)[0],
        }
    }

    /// The transpose of a product that nothing else needs is a product: the gradient of `w` in `x.matmul(w.t())`.
    fn of_transpose(&self, eqn: &Eqn, op: &Rc<dyn Operator>) -> Option<(Rc<dyn Operator>, Vec<Var>)> {
        let [product] = eqn.args[..] else { return None };
        let (product, inputs) =
            self.operators.get(product).filter(|_| op.text() == "permute[1, 0]" && self.uses.count(product) == 1)?;
        Some((product.transpose()?, inputs.iter().rev().copied().collect()))
    }

    /// Lets an operator take over views of its operands: the transpose before a product.
    fn absorb(&self, op: &Rc<dyn Operator>, args: &[Var]) -> (Rc<dyn Operator>, Vec<Var>) {
        let sources: Vec<Option<(&dyn Operator, Var)>> = args
            .iter()
            .map(|arg| {
                let original = self.originals.get(*arg).unwrap_or(arg);
                let (op, inputs) = self.operators.get(*original)?;
                Some((&**op, *inputs.first()?))
            })
            .collect();
        match op.absorb(&sources) {
            Some((op, replaced)) => {
                let args = args.iter().zip(replaced).map(|(arg, new)| new.unwrap_or(*arg)).collect();
                (op, args)
            }
            None => (op.clone(), args.to_vec()),
        }
    }
}

/// Whether an operator is a call of a kernel.
fn is_kernel(op: &dyn Operator, args: &[Var], vars: &[VarData]) -> bool {
    let operands: Vec<&Ty> = args.iter().map(|arg| &vars[arg.0 as usize].ty).collect();
    matches!(op.class(), Class::Kernel(_)) && !op.is_written_out(&operands)
}

/// How often kernels read each array.
fn count_operands_of_kernels(vars: &[VarData], block: &Block, counts: &mut VarMap<usize>) {
    for eqn in &block.eqns {
        if matches!(&eqn.op, Op::Tensor(op) if op.batch().is_none() && is_kernel(&**op, &eqn.args, vars)) {
            eqn.args.iter().for_each(|arg| *counts.entry(*arg) += 1);
        }
        eqn.regions.iter().for_each(|region| count_operands_of_kernels(vars, region, counts));
    }
}
