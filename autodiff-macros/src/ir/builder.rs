//! The only way to make equations: every one is typed by its operator's own shape rule.

use super::dim::{Comparison, Dim};
use super::operator::{Algebra, Mismatch, Operator, Typed};
use super::{
    Block, Body, Effect, Elem, Eqn, Evaluation, IntOp, Op, Opaque, Ty, Var, VarData, VarMap, VarSet, mentions,
};
use proc_macro2::Span;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Two dimensions that must be equal, which only rustc can decide.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub left: Dim,
    pub right: Dim,
    pub message: String,
    pub span: Span,
    /// The last token of what `span` begins.
    pub end: Span,
}

/// Builds a [`Body`].
#[derive(Default)]
pub struct Builder {
    pub vars: Vec<VarData>,
    open: Vec<OpenBlock>,
    /// How many blocks have been opened.
    opened: u32,
    /// What is known of constants and zeros, for folding.
    consts: VarMap<f64>,
    zeros: VarSet,
    selects: VarMap<[Var; 3]>,
    /// Derivative code folds products with a structural zero; the user's own products are kept.
    pub folding: bool,
    /// Where new equations come from.
    pub span: Option<Span>,
    /// The last token there.
    pub end: Option<Span>,
    pub obligations: Vec<Obligation>,
    /// The blocks whose equations are those of the block around them by now.
    merged: HashMap<u32, u32>,
    /// The names of data without a derivative that change: what is read of them is read once, in its place.
    pub changing: HashSet<String>,
}

/// A block that equations are added to.
#[derive(Default)]
struct OpenBlock {
    id: u32,
    eqns: Vec<Eqn>,
}

/// Open blocks that are set aside for a while.
pub struct InnerBlocks(Vec<OpenBlock>);

impl Builder {
    pub fn new() -> Builder {
        Builder { open: vec![OpenBlock::default()], ..Builder::default() }
    }

    /// A builder for a derived body: the variables are there already.
    pub fn with_vars(vars: Vec<VarData>) -> Builder {
        Builder { vars, folding: true, ..Builder::new() }
    }

    /// A builder that goes on where a body ends: same variables, its equations already there.
    pub fn resume(body: Body) -> (Builder, Block) {
        let mut b = Builder::with_vars(body.vars);
        let Block { params, eqns, results } = body.block;
        for eqn in eqns {
            b.push_eqn(eqn);
        }
        (b, Block { params, eqns: Vec::new(), results })
    }

    pub fn finish(mut self, name: String, params: Vec<Var>, results: Vec<Var>) -> Body {
        let OpenBlock { eqns, .. } = self.open.pop().unwrap_or_default();
        Body { name, vars: self.vars, block: Block { params, eqns, results }, owned: Vec::new() }
    }

    pub fn var(&mut self, ty: Ty, hint: Option<&str>) -> Var {
        self.vars.push(VarData { ty, hint: hint.map(Rc::from) });
        Var(u32::try_from(self.vars.len() - 1).unwrap_or(u32::MAX))
    }

    /// A variable like another one, named after it: `h` gives `h_bar`.
    pub fn var_like(&mut self, like: Var, ty: Ty, suffix: &str) -> Var {
        let hint = self.data(like).hint.as_ref().map(|hint| format!("{hint}{suffix}"));
        self.var(ty, hint.as_deref())
    }

    pub fn name(&mut self, var: Var, hint: &str) {
        let data = &mut self.vars[var.0 as usize];
        if data.hint.is_none() {
            data.hint = Some(Rc::from(hint));
        }
    }

    pub fn data(&self, var: Var) -> &VarData {
        &self.vars[var.0 as usize]
    }

    pub fn ty(&self, var: Var) -> &Ty {
        &self.data(var).ty
    }

    pub fn current_span(&self) -> Span {
        self.span.unwrap_or_else(Span::call_site)
    }

    // --- blocks ---------------------------------------------------------------------------------------

    pub fn open_block(&mut self) {
        self.opened += 1;
        self.open.push(OpenBlock { id: self.opened, eqns: Vec::new() });
    }

    /// Goes on with a block that was closed.
    pub fn reopen_block(&mut self, id: u32, eqns: Vec<Eqn>) {
        self.open.push(OpenBlock { id, eqns });
    }

    /// Closes the innermost block: its equations are those of the block around it.
    pub fn merge_block(&mut self) {
        let Some(inner) = self.open.pop() else { return };
        self.current().extend(inner.eqns);
        self.merged.insert(inner.id, self.innermost());
    }

    /// Which block is the innermost open one.
    pub fn innermost(&self) -> u32 {
        self.open.last().map_or(0, |block| block.id)
    }

    /// Whether equations can read what is defined in a block.
    pub fn is_open(&self, mut block: u32) -> bool {
        while let Some(around) = self.merged.get(&block) {
            block = *around;
        }
        self.open.iter().any(|open| open.id == block)
    }

    /// From here on equations stand before the outermost statement that is being built, until [`Builder::resume_inner`].
    pub fn suspend_inner(&mut self) -> InnerBlocks {
        InnerBlocks(self.open.split_off(self.open.len().min(1)))
    }

    pub fn resume_inner(&mut self, inner: InnerBlocks) {
        self.open.extend(inner.0);
    }

    pub fn close_block(&mut self, params: Vec<Var>, results: Vec<Var>) -> Block {
        Block { params, eqns: self.open.pop().unwrap_or_default().eqns, results }
    }

    /// The equations of the innermost open block.
    pub fn current(&mut self) -> &mut Vec<Eqn> {
        if self.open.is_empty() {
            self.open.push(OpenBlock::default());
        }
        let last = self.open.len() - 1;
        &mut self.open[last].eqns
    }

    pub fn push_eqn(&mut self, eqn: Eqn) {
        #[cfg(test)]
        super::work::visited();
        match (&eqn.op, &eqn.outs[..]) {
            (Op::Const(value), [out]) => self.consts.insert(*out, *value),
            (Op::Zero(_) | Op::ZeroLike, [out]) => {
                self.zeros.insert(*out);
                self.consts.insert(*out, 0.0);
            }
            (Op::Map(row), [out]) if row.algebra == Algebra::Choice => {
                self.selects.insert(*out, [eqn.args[0], eqn.args[1], eqn.args[2]]);
            }
            _ => {}
        }
        self.current().push(eqn);
    }

    pub fn push(&mut self, op: Op, args: Vec<Var>, ty: Ty) -> Var {
        let out = self.var(ty, None);
        self.push_eqn(Eqn { outs: vec![out], op, args, regions: Vec::new(), span: self.current_span() });
        out
    }

    pub fn push_multi(&mut self, op: Op, args: Vec<Var>, regions: Vec<Block>, tys: Vec<Ty>) -> Vec<Var> {
        let outs: Vec<Var> = tys.into_iter().map(|ty| self.var(ty, None)).collect();
        self.push_eqn(Eqn { outs: outs.clone(), op, args, regions, span: self.current_span() });
        outs
    }

    // --- leaves ---------------------------------------------------------------------------------------

    pub fn constant(&mut self, elem: &Elem, value: f64) -> Var {
        self.push(Op::Const(value), Vec::new(), Ty::scalar(elem.clone()))
    }

    pub fn zero(&mut self, ty: Ty) -> Var {
        let (op, sizes) = Op::zeros(&ty);
        self.push(op, sizes, ty)
    }

    /// Zeros of the shape of an array.
    pub fn zero_like(&mut self, x: Var) -> Var {
        let ty = self.ty(x).clone();
        if ty.is_ragged() {
            return self.push(Op::ZeroLike, vec![x], ty);
        }
        self.zero(ty)
    }

    pub fn len(&mut self, t: Var, at: &[Var]) -> Var {
        let dim = self.ty(t).dims[at.len()].clone();
        if dim.is_ragged() {
            return self.push(Op::Len, [&[t], at].concat(), Ty::index());
        }
        self.dim(dim)
    }

    /// The length of a parameter, which nothing else tells.
    pub fn own_len(&mut self, t: Var) -> Var {
        self.push(Op::Len, vec![t], Ty::index())
    }

    /// `t` with `v` as its last element. How long it is then, `len` says; a row may be longer or shorter than the others.
    pub fn push_element(&mut self, t: Var, v: Var, len: Var) -> Var {
        let (mut ty, row) = (self.ty(t).clone(), self.ty(v).dims.clone());
        ty.dims[0] = Dim::ragged();
        for (dim, own) in ty.dims[1..].iter_mut().zip(row) {
            if *dim != own && (dim.is_dynamic() || own.is_dynamic()) {
                *dim = Dim::ragged();
            }
        }
        self.push(Op::Push, vec![t, v, len], ty)
    }

    pub fn dim(&mut self, dim: Dim) -> Var {
        if let Some(var) = dim.as_var() {
            return var;
        }
        self.dim_var(dim)
    }

    /// A variable for a size, also where it is a constant.
    pub fn dim_var(&mut self, dim: Dim) -> Var {
        self.push(Op::Dim(dim), Vec::new(), Ty::index())
    }

    pub fn opaque(&mut self, opaque: Opaque, mut args: Vec<Var>, ty: Ty) -> Var {
        let mut opaque = Opaque { tokens: crate::ir::placed(opaque.tokens, &mut args), ..opaque };
        // What has no type here cannot be saved; what is made of it can.
        if args.iter().any(|arg| self.ty(*arg).elem == Elem::Foreign) || self.may_change(&opaque.tokens) {
            opaque.evaluation = Evaluation::Once;
        }
        self.push(Op::Opaque(Rc::new(opaque)), args, ty)
    }

    pub fn effect(&mut self, effect: Effect, args: Vec<Var>) {
        self.push(Op::Effect(Rc::new(effect)), args, Ty::scalar(Elem::Bool));
    }

    /// Whether an expression reads data that change.
    pub fn may_change(&self, tokens: &proc_macro2::TokenStream) -> bool {
        self.changing.iter().any(|name| mentions(tokens, name))
    }

    /// As [`Builder::opaque`], but evaluated before the outermost statement that is being built.
    pub fn opaque_before(&mut self, opaque: Opaque, ty: Ty) -> Var {
        if self.may_change(&opaque.tokens) {
            return self.opaque(opaque, Vec::new(), ty);
        }
        let inner = self.suspend_inner();
        let out = self.opaque(opaque, Vec::new(), ty);
        self.resume_inner(inner);
        out
    }

    /// Whether a variable is zero by construction.
    pub fn is_zero(&self, var: Var) -> bool {
        self.zeros.contains(var)
    }

    pub fn as_const(&self, var: Var) -> Option<f64> {
        self.consts.get(var).copied()
    }

    /// The condition and the two values of a selection.
    pub fn selection(&self, var: Var) -> Option<[Var; 3]> {
        self.selects.get(var).copied()
    }

    /// Whether a variable is a constant, or chosen among constants.
    pub fn is_among_consts(&self, var: Var) -> bool {
        let chosen = |[_, yes, no]: &[Var; 3]| self.is_among_consts(*yes) && self.is_among_consts(*no);
        self.consts.contains(var) || self.selects.get(var).is_some_and(chosen)
    }

    /// Whether a variable is a selection that is zero unless a condition is `holds`.
    pub fn is_selected(&self, var: Var, condition: Var, holds: bool) -> bool {
        self.selects.get(var).is_some_and(|[cond, yes, no]| {
            *cond == condition && self.as_const(if holds { *no } else { *yes }) == Some(0.0)
        })
    }

    // --- numbers --------------------------------------------------------------------------------------

    pub fn int(&mut self, op: IntOp, a: Var, b: Var) -> Var {
        let ty = self.ty(a).clone();
        self.push(Op::Int(op), vec![a, b], ty)
    }

    pub fn cast(&mut self, x: Var, elem: &Elem) -> Var {
        let ty = self.ty(x).with_elem(elem.clone());
        if self.ty(x) == &ty { x } else { self.push(Op::Cast, vec![x], ty) }
    }

    // --- arrays ---------------------------------------------------------------------------------------

    pub fn tensor(&mut self, op: Rc<dyn Operator>, args: &[Var]) -> Result<Var, Mismatch> {
        let tys: Vec<Ty> = args.iter().map(|arg| self.ty(*arg).clone()).collect();
        let typed = op.result(&tys)?;
        self.oblige(&typed);
        Ok(self.push(Op::Tensor(op), args.to_vec(), typed.ty))
    }

    /// As [`Builder::tensor`], where the rules of the calculus guarantee that the shapes fit.
    pub fn apply(&mut self, op: impl Operator + 'static, args: &[Var]) -> Var {
        let fallback = self.ty(args[0]).clone();
        let op: Rc<dyn Operator> = Rc::new(op);
        match self.tensor(op.clone(), args) {
            Ok(out) => out,
            Err(_) => self.push(Op::Tensor(op), args.to_vec(), fallback),
        }
    }

    /// Records what rustc has to decide, once.
    pub fn oblige(&mut self, typed: &Typed) {
        let span = self.current_span();
        let end = self.end.unwrap_or(span);
        for (left, right, message) in &typed.equal {
            let known = self.obligations.iter().any(|o| o.left == *left && o.right == *right);
            if left.compare(right) == Comparison::Unknown && !known {
                let (left, right, message) = (left.clone(), right.clone(), message.clone());
                self.obligations.push(Obligation { left, right, message, span, end });
            }
        }
    }

    /// `acc` plus a kernel's result.
    pub fn kernel(&mut self, op: Rc<dyn Operator>, acc: Var, args: &[Var]) -> Var {
        let ty = self.ty(acc).clone();
        self.push(Op::Into(op), [&[acc], args].concat(), ty)
    }

    pub fn copy(&mut self, t: Var) -> Var {
        let ty = self.ty(t).clone();
        self.push(Op::Copy, vec![t], ty)
    }

    pub fn pack(&mut self, parts: &[Var]) -> Var {
        let first = self.ty(parts[0]).clone();
        let mut dims = vec![Dim::literal(i64::try_from(parts.len()).unwrap_or(i64::MAX))];
        dims.extend(first.dims);
        self.push(Op::Pack, parts.to_vec(), Ty::tensor(first.elem, dims))
    }

    pub fn get(&mut self, t: Var, at: &[Var]) -> Var {
        if at.is_empty() {
            return t;
        }
        let ty = self.ty(t);
        let ty = Ty::tensor(ty.elem.clone(), ty.dims[at.len().min(ty.rank())..].to_vec());
        self.push(Op::Get, [&[t], at].concat(), ty)
    }

    pub fn set(&mut self, t: Var, v: Var, at: &[Var]) -> Var {
        let ty = self.ty(t).clone();
        self.push(Op::Set, [&[t, v], at].concat(), ty)
    }

    // --- control --------------------------------------------------------------------------------------

    /// `for i in lo..hi`; the closure gets the index and the carried values and returns the next ones.
    pub fn for_loop(
        &mut self,
        (lo, hi): (Dim, Dim),
        inits: &[Var],
        body: impl FnOnce(&mut Builder, Var, &[Var]) -> Vec<Var>,
    ) -> Vec<Var> {
        let index = self.var(Ty::index(), None);
        let carried: Vec<Var> = inits.iter().map(|v| self.var_like(*v, self.ty(*v).clone(), "")).collect();
        self.open_block();
        let results = body(self, index, &carried);
        let region = self.close_block([vec![index], carried].concat(), results);
        let tys = inits.iter().map(|v| self.ty(*v).clone()).collect();
        let outs = self.push_multi(Op::range(lo, hi, false), inits.to_vec(), vec![region], tys);
        for (out, init) in outs.iter().zip(inits) {
            if let Some(hint) = self.data(*init).hint.clone() {
                self.name(*out, &hint);
            }
        }
        outs
    }

    /// A loop nest over the elements of an array, whose rows may differ in length.
    pub fn nest_like(
        &mut self,
        of: Var,
        inits: &[Var],
        body: &mut dyn FnMut(&mut Builder, &[Var], &[Var]) -> Vec<Var>,
    ) -> Vec<Var> {
        self.nest_along(of, Vec::new(), inits, body)
    }

    fn nest_along(
        &mut self,
        of: Var,
        mut at: Vec<Var>,
        inits: &[Var],
        body: &mut dyn FnMut(&mut Builder, &[Var], &[Var]) -> Vec<Var>,
    ) -> Vec<Var> {
        let Some(dim) = self.ty(of).dims.get(at.len()).cloned() else {
            return body(self, &at, inits);
        };
        let dim = if dim.is_ragged() { Dim::of(self.len(of, &at)) } else { dim };
        self.for_loop((Dim::literal(0), dim), inits, |b, i, carried| {
            at.push(i);
            b.nest_along(of, at, carried, body)
        })
    }

    /// Adds the elements that two arrays have in common, where neither length is known.
    pub fn acc_common(&mut self, t: Var, v: Var, at: &[Var]) -> Var {
        let dim = |b: &Builder, of: Var| b.ty(of).dims.get(at.len()).cloned();
        let (Some(own), Some(other)) = (dim(self, t), dim(self, v)) else {
            let element = self.get(v, at);
            return self.acc(t, element, at);
        };
        let length = if own == other && !own.is_ragged() {
            own
        } else {
            let (own, other) = (self.len(t, at), self.len(v, at));
            Dim::of(self.int(IntOp::Min, own, other))
        };
        self.for_loop((Dim::literal(0), length), &[t], |b, i, carried| {
            vec![b.acc_common(carried[0], v, &[at, &[i]].concat())]
        })[0]
    }

    /// One loop for each dimension, outermost first; dimensions of 1 need no loop.
    pub fn nest(
        &mut self,
        dims: &[Dim],
        inits: &[Var],
        body: &mut dyn FnMut(&mut Builder, &[Var], &[Var]) -> Vec<Var>,
    ) -> Vec<Var> {
        self.nest_from(dims, Vec::new(), inits, body)
    }

    fn nest_from(
        &mut self,
        dims: &[Dim],
        mut at: Vec<Var>,
        inits: &[Var],
        body: &mut dyn FnMut(&mut Builder, &[Var], &[Var]) -> Vec<Var>,
    ) -> Vec<Var> {
        let Some((first, rest)) = dims.split_first() else {
            return body(self, &at, inits);
        };
        if first.is(1) {
            at.push(self.dim(Dim::literal(0)));
            return self.nest_from(rest, at, inits, body);
        }
        self.for_loop((Dim::literal(0), first.clone()), inits, |b, i, carried| {
            at.push(i);
            b.nest_from(rest, at, carried, body)
        })
    }
}
