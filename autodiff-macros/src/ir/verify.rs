//! Checks that a body is well formed: every variable is defined once and before its use, every equation has
//! the type that its operator gives, regions fit their loops.

use super::dim::Dim;
use super::{Block, Body, Elem, Eqn, IntOp, Op, Ty, Var, VarSet};

pub fn verify(body: &Body) -> Result<(), String> {
    let mut scope = Scope { body, seen: VarSet::default(), visible: VarSet::default(), order: Vec::new() };
    scope.block(&body.block)
}

struct Scope<'b> {
    body: &'b Body,
    /// Every variable defined so far, anywhere: none twice.
    seen: VarSet,
    visible: VarSet,
    /// The same in the order of their definition.
    order: Vec<Var>,
}

impl Scope<'_> {
    fn block(&mut self, block: &Block) -> Result<(), String> {
        let outside = self.order.len();
        for param in &block.params {
            self.define(*param)?;
        }
        for eqn in &block.eqns {
            for arg in &eqn.args {
                self.read(*arg, eqn)?;
            }
            let mut sizes = Ok(());
            eqn.op.for_each_size(&mut |size| {
                if sizes.is_ok() {
                    sizes = self.read(size, eqn);
                }
            });
            sizes?;
            for region in &eqn.regions {
                self.block(region)?;
            }
            self.typed(&eqn.outs)?;
            self.eqn(eqn).map_err(|problem| format!("`{}`: {problem}", super::text::op_text(&eqn.op)))?;
            for out in &eqn.outs {
                self.define(*out)?;
            }
        }
        for result in &block.results {
            if !self.visible.contains(*result) {
                return Err(format!("result %{} is not defined here", result.0));
            }
        }
        for var in self.order.drain(outside..) {
            self.visible.remove(var);
        }
        Ok(())
    }

    fn typed(&self, vars: &[Var]) -> Result<(), String> {
        match vars.iter().find(|var| var.0 as usize >= self.body.vars.len()) {
            Some(var) => Err(format!("%{} has no type", var.0)),
            None => Ok(()),
        }
    }

    fn define(&mut self, var: Var) -> Result<(), String> {
        self.typed(&[var])?;
        if !self.seen.insert(var) {
            return Err(format!("%{} is defined twice", var.0));
        }
        self.visible.insert(var);
        self.order.push(var);
        Ok(())
    }

    fn read(&self, var: Var, eqn: &Eqn) -> Result<(), String> {
        if self.visible.contains(var) {
            return Ok(());
        }
        Err(format!("`{}` reads %{}, which is not defined there", super::text::op_text(&eqn.op), var.0))
    }

    fn ty(&self, var: Var) -> &Ty {
        self.body.ty(var)
    }

    fn same(&self, a: Var, b: Var) -> Result<(), String> {
        if self.ty(a).fits(self.ty(b)) {
            return Ok(());
        }
        Err(format!("%{} is {} and %{} is {}", a.0, self.ty(a), b.0, self.ty(b)))
    }

    fn pairwise(&self, a: &[Var], b: &[Var]) -> Result<(), String> {
        if a.len() != b.len() {
            return Err(format!("{} values against {}", a.len(), b.len()));
        }
        a.iter().zip(b).try_for_each(|(a, b)| self.same(*a, *b))
    }

    fn indices(&self, array: Var, at: &[Var]) -> Result<(), String> {
        if at.len() > self.ty(array).rank() {
            return Err(format!("{} indices into {}", at.len(), self.ty(array)));
        }
        match at.iter().find(|index| !matches!(self.ty(**index).elem, Elem::Int(_))) {
            Some(index) => Err(format!("index %{} is {}", index.0, self.ty(*index))),
            None => Ok(()),
        }
    }

    /// Zeros whose size run time tells have a shape in terms of their arguments.
    fn zeros(&self, eqn: &Eqn, shape: Option<&[Dim]>, ty: &Ty) -> Result<(), String> {
        let Some(shape) = shape else {
            return if ty.is_dynamic() { Err("a size is missing".into()) } else { Ok(()) };
        };
        if shape.iter().flat_map(Dim::vars).any(|Var(k)| k as usize >= eqn.args.len()) {
            return Err("a size is missing".into());
        }
        let is_fit = shape.len() == ty.rank() && shape.iter().zip(&ty.dims).all(|(own, dim)| own.fits(dim));
        if is_fit { Ok(()) } else { Err(format!("zeros of {} are {ty}", crate::ir::dim::show(shape))) }
    }

    fn condition(&self, vars: &[Var]) -> Result<(), String> {
        match vars {
            [var] if *self.ty(*var) == Ty::scalar(Elem::Bool) => Ok(()),
            _ => Err("the condition is not one truth value".into()),
        }
    }

    fn eqn(&self, eqn: &Eqn) -> Result<(), String> {
        let expect = |ty: &Ty| {
            let [out] = eqn.outs[..] else { return Err("one result expected".to_owned()) };
            if self.ty(out).fits(ty) { Ok(()) } else { Err(format!("%{} is {}, not {ty}", out.0, self.ty(out))) }
        };
        let tys = || eqn.args.iter().map(|arg| self.ty(*arg).clone()).collect::<Vec<_>>();
        let element = |from: usize| {
            let ty = self.ty(eqn.args[0]);
            Ty::tensor(ty.elem.clone(), ty.dims[eqn.args.len() - from..].to_vec())
        };
        let least = match &eqn.op {
            Op::Map(row) => row.arity(),
            Op::Cast | Op::Copy | Op::Get | Op::Pack | Op::If | Op::Tensor(_) | Op::Len | Op::ZeroLike => 1,
            Op::Int(_) | Op::Set | Op::Acc | Op::Into(_) | Op::Put(_) => 2,
            Op::Push => 3,
            _ => 0,
        };
        if eqn.args.len() < least || (matches!(eqn.op, Op::Map(_)) && eqn.args.len() > least) {
            return Err(format!("{} operands instead of {least}", eqn.args.len()));
        }
        match &eqn.op {
            Op::Opaque(_) | Op::Effect(_) => Ok(()),
            Op::Call(call) => call.verify(eqn, self.body),
            Op::Zero(shape) => match eqn.outs[..] {
                [out] => self.zeros(eqn, shape.as_deref(), self.ty(out)),
                _ => Err("zeros are one array".into()),
            },
            Op::ZeroLike => match eqn.outs[..] {
                // Zeros in lanes are as long as an array of plain numbers.
                [out] if self.ty(out).in_one_lane().fits(self.ty(eqn.args[0])) => Ok(()),
                _ => expect(self.ty(eqn.args[0])),
            },
            Op::Len => {
                self.indices(eqn.args[0], &eqn.args[1..])?;
                expect(&Ty::index())
            }
            Op::Push => expect(self.ty(eqn.args[0])),
            Op::Const(_) => match eqn.outs[..] {
                [out] if self.ty(out).is_scalar() => Ok(()),
                _ => Err("not a scalar".into()),
            },
            Op::Cast => {
                let [out] = eqn.outs[..] else { return Err("one result expected".into()) };
                let as_before = self.ty(out).with_elem(self.ty(eqn.args[0]).elem.clone());
                let same = as_before.fits(self.ty(eqn.args[0]));
                if same { Ok(()) } else { Err(format!("shapes {} and {}", self.ty(eqn.args[0]), self.ty(out))) }
            }
            Op::Dim(_) => expect(&Ty::index()),
            Op::Map(row) => expect(&row.result(&tys()).map_err(|mismatch| mismatch.message)?.ty),
            Op::Tensor(op) => expect(&op.result(&tys()).map_err(|mismatch| mismatch.message)?.ty),
            Op::Into(op) | Op::Put(op) => {
                let ty = op.result(&tys()[1..]).map_err(|mismatch| mismatch.message)?.ty;
                if ty.rank() != self.ty(eqn.args[0]).rank() {
                    return Err(format!("%{} is {}, not {ty}", eqn.args[0].0, self.ty(eqn.args[0])));
                }
                expect(self.ty(eqn.args[0]))
            }
            // The types of a shift may differ.
            Op::Int(IntOp::Shl | IntOp::Shr) => expect(self.ty(eqn.args[0])),
            Op::Int(_) => {
                self.pairwise(&eqn.args[..1], &eqn.args[1..])?;
                expect(self.ty(eqn.args[0]))
            }
            Op::Copy => expect(self.ty(eqn.args[0])),
            Op::Pack => {
                eqn.args.iter().try_for_each(|arg| self.same(*arg, eqn.args[0]))?;
                let part = self.ty(eqn.args[0]);
                let count = Dim::literal(i64::try_from(eqn.args.len()).unwrap_or(i64::MAX));
                expect(&Ty::tensor(part.elem.clone(), [&[count], &part.dims[..]].concat()))
            }
            Op::Get => {
                self.indices(eqn.args[0], &eqn.args[1..])?;
                expect(&element(1))
            }
            Op::Set | Op::Acc => {
                self.indices(eqn.args[0], &eqn.args[2..])?;
                let (value, part) = (self.ty(eqn.args[1]), element(2));
                // Sizes that only rustc can compare are its business.
                if value.rank() != part.rank() || value.elem != part.elem {
                    return Err(format!("%{} is {value}, not {part}", eqn.args[1].0));
                }
                expect(self.ty(eqn.args[0]))
            }
            Op::For { .. } => {
                let [region] = &eqn.regions[..] else { return Err("one region expected".into()) };
                let Some((index, carried)) = region.params.split_first() else { return Err("no index".into()) };
                if self.ty(*index) != &Ty::index() {
                    return Err("the index is not a usize".into());
                }
                self.pairwise(&eqn.args, carried)?;
                self.pairwise(&region.results, carried)?;
                self.pairwise(&eqn.outs, carried)
            }
            Op::While { .. } => {
                let [cond, step] = &eqn.regions[..] else { return Err("two regions expected".into()) };
                self.condition(&cond.results)?;
                self.pairwise(&eqn.args, &cond.params)?;
                self.pairwise(&eqn.args, &step.params)?;
                self.pairwise(&eqn.args, &step.results)?;
                self.pairwise(&eqn.args, &eqn.outs)
            }
            Op::If => {
                let [yes, no] = &eqn.regions[..] else { return Err("two regions expected".into()) };
                self.condition(&eqn.args)?;
                self.pairwise(&yes.results, &eqn.outs)?;
                self.pairwise(&no.results, &eqn.outs)
            }
        }
    }
}
