//! Which small arrays are nothing but their elements.

use crate::ir::dim::Dim;
use crate::ir::{Block, Eqn, IntOp, Op, Ty, Var, VarData, VarMap, VarSet};

/// The most elements of a small array.
const MOST: usize = 16;

/// How many numbers a small array has.
pub fn size(ty: &Ty) -> Option<usize> {
    if ty.is_scalar() || !ty.is_float() {
        return None;
    }
    let size = ty.dims.iter().try_fold(1, |size: usize, dim| size.checked_mul(dim.written_out()?))?;
    (1..=MOST).contains(&size).then_some(size)
}

/// Which small arrays are needed as a whole. Of all others only elements at constant indices are read and changed.
pub struct Elements<'v> {
    vars: &'v [VarData],
    /// The smallest and the largest value of an index that is a constant.
    constants: VarMap<(usize, usize)>,
    whole: VarSet,
    /// See [`Elements::is_whole_itself`].
    whole_itself: VarSet,
}

impl<'v> Elements<'v> {
    /// The index of a loop that will be `unrolled` is a constant in each of its iterations.
    pub fn of(vars: &'v [VarData], block: &Block, unrolled: &dyn Fn(&Eqn) -> bool) -> Elements<'v> {
        let (constants, whole, whole_itself) = Default::default();
        let mut elements = Elements { vars, constants, whole, whole_itself };
        elements.find_constants(block, unrolled);
        block.params.iter().for_each(|param| elements.need(*param, true));
        elements.block(block);
        elements
    }

    /// Whether the array is needed as a whole, now or after changes.
    pub fn is_whole(&self, var: Var) -> bool {
        self.whole.contains(var) || size(self.ty(var)).is_none()
    }

    /// Whether it is, by something other than what changes an element of it.
    pub fn is_whole_itself(&self, var: Var) -> bool {
        self.whole_itself.contains(var)
    }

    fn ty(&self, var: Var) -> &Ty {
        &self.vars[var.0 as usize].ty
    }

    fn find_constants(&mut self, block: &Block, unrolled: &dyn Fn(&Eqn) -> bool) {
        for eqn in &block.eqns {
            let size = |number: i64| usize::try_from(number).ok();
            let constant = match (&eqn.op, eqn.as_for()) {
                (Op::Dim(dim), _) => dim.as_literal().and_then(size).map(|number| (eqn.outs[0], (number, number))),
                (Op::Int(op), _) => self.computed(*op, &eqn.args).map(|range| (eqn.outs[0], range)),
                (_, Some((lo, hi, _, region))) if unrolled(eqn) => {
                    let range = lo.as_literal().and_then(size).zip(hi.as_literal().and_then(|hi| size(hi - 1)));
                    range.map(|range| (region.params[0], range))
                }
                _ => None,
            };
            if let Some((var, range)) = constant {
                self.constants.insert(var, range);
            }
            eqn.regions.iter().for_each(|region| self.find_constants(region, unrolled));
        }
    }

    /// The smallest and the largest value of a sum, a difference or a product of constants.
    fn computed(&self, op: IntOp, args: &[Var]) -> Option<(usize, usize)> {
        let [a, b] = args else { return None };
        let (a, b) = (self.constants.get(*a)?, self.constants.get(*b)?);
        match op {
            IntOp::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
            IntOp::Sub => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
            IntOp::Mul => Some((a.0.checked_mul(b.0)?, a.1.checked_mul(b.1)?)),
            _ => None,
        }
    }

    /// What returns from a block is needed as a whole.
    fn block(&mut self, block: &Block) {
        block.results.iter().for_each(|result| self.need(*result, true));
        self.eqns(block);
    }

    /// From the last equation to the first, so that what becomes of an array is known already.
    fn eqns(&mut self, block: &Block) {
        for eqn in block.eqns.iter().rev() {
            match &eqn.op {
                Op::Get if self.is_element(eqn.args[0], eqn.outs[0], &eqn.args[1..]) => {}
                Op::Set | Op::Acc if self.is_element(eqn.args[0], eqn.args[1], &eqn.args[2..]) => {
                    if self.is_whole(eqn.outs[0]) {
                        self.whole.insert(eqn.args[0]);
                    }
                }
                Op::Copy => self.need(eqn.args[0], self.is_whole(eqn.outs[0])),
                Op::If => {
                    for region in &eqn.regions {
                        for (out, result) in eqn.outs.iter().zip(&region.results) {
                            self.need(*result, self.is_whole(*out));
                        }
                        self.eqns(region);
                    }
                }
                Op::For { .. } => self.repeated(eqn),
                Op::While { .. } => {
                    let carried = eqn.regions.iter().flat_map(|region| &region.params);
                    carried.chain(&eqn.args).chain(&eqn.outs).for_each(|var| self.need(*var, true));
                    eqn.regions.iter().for_each(|region| self.block(region));
                }
                _ => {
                    eqn.for_each_own_use(&mut |var| self.need(var, true));
                    eqn.regions.iter().for_each(|region| self.block(region));
                }
            }
        }
    }

    /// What a loop carries is needed as a whole before, in and after it, or nowhere.
    fn repeated(&mut self, eqn: &Eqn) {
        let results = &eqn.step().results;
        for (out, result) in eqn.outs.iter().zip(results) {
            self.need(*result, self.is_whole(*out));
        }
        // Each round but the last finds one of them: an array may be made of another one that the loop carries.
        let mut again = true;
        while again {
            self.eqns(eqn.step());
            again = false;
            for ((out, param), result) in eqn.outs.iter().zip(eqn.carried()).zip(results) {
                let all = [*out, *param, *result];
                if all.iter().any(|var| self.is_whole(*var)) {
                    for var in all {
                        again |= self.whole.insert(var);
                        self.whole_itself.insert(var);
                    }
                }
            }
        }
        for (out, arg) in eqn.outs.iter().zip(&eqn.args) {
            self.need(*arg, self.is_whole(*out));
        }
    }

    fn need(&mut self, var: Var, whole: bool) {
        if whole {
            self.whole.insert(var);
            self.whole_itself.insert(var);
        }
    }

    /// Whether a number is an element of a small array at constant indices.
    fn is_element(&self, array: Var, number: Var, at: &[Var]) -> bool {
        let dims = &self.ty(array).dims;
        let is_in_range = |(dim, at): (&Dim, &Var)| {
            let (len, at) = (dim.written_out(), self.constants.get(*at));
            len.zip(at).is_some_and(|(len, at)| at.1 < len)
        };
        size(self.ty(array)).is_some()
            && self.ty(number).is_scalar()
            && at.len() == dims.len()
            && dims.iter().zip(at).all(is_in_range)
    }
}
