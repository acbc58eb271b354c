//! What may panic and gives nothing that is read: it is kept.
//!
//! Note [Checks]. `let _ = 10 / n;` and `let _ = x[n];` panic in Rust, and so they have to in a derivative. No pass keeps what is
//! not read, and passes that forward a stored element to where it is loaded lose the index of both. So the lowered body
//! says what else has to happen: an effect that reads the number, or a comparison of the index with the size.
//! Such an effect has no order among others, and nothing is said of an index that is seen to be in range.

use super::simplify;
use crate::analysis::bounds::Bounds;
use crate::ir::dim::Dim;
use crate::ir::effect;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Effect, EffectKind, Elem, Eqn, IntOp, Op, Ty, Var, VarData, VarSet, hole};
use crate::op::{Algebra, elementwise as rows};
use quote::quote;
use std::rc::Rc;
use syn::visit::Visit;
use syn::{BinOp, Expr, UnOp};

/// Adds the checks that a body from the front end needs.
pub fn run(body: &mut Body) {
    let mut checks = Checks::of(body);
    checks.block(&mut body.block, false);
    body.vars = checks.vars;
}

/// Takes away the checks that always pass: where numbers that are the same have one name, more of them are seen to.
pub fn drop_passed(mut body: Body) -> Body {
    let checks = Checks::of(&mut body);
    checks.drop_passed(&mut body.block);
    body.vars = checks.vars;
    body
}

struct Checks {
    live: VarSet,
    params: HashSet<Var>,
    vars: Vec<VarData>,
    bounds: Bounds,
    /// Whether one number is at most another.
    compared: HashMap<Var, (Var, Var)>,
    /// By arrays that are stored into: the indices they are read at, `None` if they are used in any other way.
    uses: HashMap<Var, Vec<Option<Vec<Var>>>>,
}

impl Checks {
    fn of(body: &mut Body) -> Checks {
        let mut checks = Checks {
            live: simplify::live(&body.block),
            params: body.block.params.iter().copied().collect(),
            vars: std::mem::take(&mut body.vars),
            bounds: Bounds::of(&body.block),
            compared: HashMap::default(),
            uses: HashMap::default(),
        };
        checks.note(&body.block);
        checks
    }

    fn drop_passed(&self, block: &mut Block) {
        block.eqns.retain(|eqn| !self.always_passes(eqn));
        for eqn in &mut block.eqns {
            eqn.regions.iter_mut().for_each(|region| self.drop_passed(region));
        }
    }

    fn note(&mut self, block: &Block) {
        for eqn in &block.eqns {
            match &eqn.op {
                // Of a float it is not known to be at most itself.
                Op::Map(row) if row.algebra == Algebra::AtMost && !self.ty(eqn.args[0]).is_float() => {
                    self.compared.insert(eqn.outs[0], (eqn.args[0], eqn.args[1]));
                }
                _ => {}
            }
            for (k, arg) in eqn.args.iter().enumerate() {
                let read = (k == 0 && matches!(eqn.op, Op::Get)).then(|| eqn.args[1..].to_vec());
                self.uses.entry(*arg).or_default().push(read);
            }
            eqn.regions.iter().for_each(|region| self.note(region));
        }
        for result in &block.results {
            self.uses.entry(*result).or_default().push(None);
        }
    }

    fn block(&mut self, block: &mut Block, in_loop: bool) {
        for mut eqn in std::mem::take(&mut block.eqns) {
            let is_loop = matches!(eqn.op, Op::For { .. } | Op::While { .. });
            for region in &mut eqn.regions {
                self.block(region, in_loop || is_loop);
            }
            if self.always_passes(&eqn) {
                continue;
            }
            let dead = !eqn.outs.is_empty() && !eqn.outs.iter().any(|out| self.live.contains(*out));
            match &eqn.op {
                Op::Get if dead || !in_loop && !self.params.contains(&eqn.args[0]) => {
                    self.in_range(&eqn, 1, &mut block.eqns);
                }
                Op::Set if dead || !in_loop || self.only_read_there(&eqn) => {
                    self.in_range(&eqn, 2, &mut block.eqns);
                }
                Op::Acc if dead || self.only_read_there(&eqn) => self.in_range(&eqn, 2, &mut block.eqns),
                _ => {}
            }
            let computed = dead && self.may_panic(&eqn);
            let value = eqn.outs.first().copied();
            block.eqns.push(eqn);
            if let (true, Some(value)) = (computed, value) {
                let hole = hole(0);
                let tokens = quote!(let _ = ::core::convert::identity(#hole));
                let effect = self.effect(tokens, EffectKind::Computes, vec![value]);
                block.eqns.push(effect);
            }
        }
    }

    /// Whether an equation is a check that what is known makes superfluous.
    fn always_passes(&self, eqn: &Eqn) -> bool {
        let is_check = |eqn: &Eqn| matches!(&eqn.op, Op::Effect(effect) if effect.kind == EffectKind::Checks);
        let alone = matches!(eqn.op, Op::If) && eqn.outs.is_empty() && eqn.regions[0].eqns.is_empty();
        let compared = eqn.args.first().and_then(|fits| self.compared.get(fits));
        let Some((number, limit)) = compared.filter(|_| alone && eqn.regions[1].eqns.iter().all(is_check)) else {
            return false;
        };
        self.bounds.is_below(*number, &Dim::of(*limit).plus(&Dim::literal(1)))
    }

    /// Whether what is stored is forgotten but for reads at the same place, which get it from elsewhere.
    fn only_read_there(&self, set: &Eqn) -> bool {
        let uses = self.uses.get(&set.outs[0]);
        uses.into_iter().flatten().all(|read| read.as_deref() == Some(&set.args[2..]))
    }

    /// Compares the indices of an access with the sizes of the array.
    fn in_range(&mut self, eqn: &Eqn, first: usize, out: &mut Vec<Eqn>) {
        let array = eqn.args[0];
        for (axis, index) in eqn.args[first..].iter().enumerate() {
            let dim = self.ty(array).dims[axis].clone();
            if self.bounds.is_below(*index, &dim) {
                continue;
            }
            let len = match dim.as_var() {
                Some(len) => len,
                None => {
                    let (op, args) = match dim.is_ragged() {
                        true => (Op::Len, [&[array], &eqn.args[first..first + axis]].concat()),
                        false => (Op::Dim(dim), Vec::new()),
                    };
                    self.push(op, args, Ty::index(), eqn, out)
                }
            };
            let fits = self.push(Op::Map(&rows::lt), vec![*index, len], Ty::scalar(Elem::Bool), eqn, out);
            let (index_hole, len_hole) = (hole(0), hole(1));
            let message = "index out of bounds: the len is {} but the index is {}";
            let tokens = quote!(::core::panic!(#message, #len_hole, #index_hole));
            let panic = self.effect(tokens, EffectKind::Checks, vec![*index, len]);
            let otherwise = Block { eqns: vec![panic], ..Block::default() };
            let regions = vec![Block::default(), otherwise];
            out.push(Eqn { outs: Vec::new(), op: Op::If, args: vec![fits], regions, span: eqn.span });
        }
    }

    fn push(&mut self, op: Op, args: Vec<Var>, ty: Ty, at: &Eqn, out: &mut Vec<Eqn>) -> Var {
        let var = self.var(ty);
        out.push(Eqn { outs: vec![var], op, args, regions: Vec::new(), span: at.span });
        var
    }

    fn effect(&mut self, tokens: proc_macro2::TokenStream, kind: EffectKind, args: Vec<Var>) -> Eqn {
        let out = self.var(Ty::scalar(Elem::Bool));
        let op = Op::Effect(Rc::new(Effect { tokens, kind }));
        Eqn { outs: vec![out], op, args, regions: Vec::new(), span: proc_macro2::Span::call_site() }
    }

    fn var(&mut self, ty: Ty) -> Var {
        self.vars.push(VarData { ty, hint: None });
        Var(u32::try_from(self.vars.len() - 1).unwrap_or(u32::MAX))
    }

    fn ty(&self, var: Var) -> &Ty {
        &self.vars[var.0 as usize].ty
    }

    // --- what is known ----------------------------------------------------------------------------------

    /// Whether computing a value may panic, but for indices of its own.
    fn may_panic(&self, eqn: &Eqn) -> bool {
        match &eqn.op {
            Op::Int(op) => self.may_overflow(*op, eqn),
            Op::Opaque(opaque) => !effect::is_effect(&eqn.op) && tokens_may_panic(&opaque.tokens),
            _ => false,
        }
    }

    fn may_overflow(&self, op: IntOp, eqn: &Eqn) -> bool {
        let (a, b) = (eqn.args[0], eqn.args[1]);
        let is_index = |var: Var| self.bounds.is_index(var);
        match op {
            IntOp::Min | IntOp::Max | IntOp::And | IntOp::Or | IntOp::Xor | IntOp::NextSnapshot => false,
            // A loop does not come that far.
            IntOp::Add if is_index(a) || is_index(b) => {
                let other = if is_index(a) { b } else { a };
                !is_index(other) && !self.bounds.is_size(other)
            }
            IntOp::Sub if *self.ty(a) == Ty::index() => !self.bounds.is_below(b, &self.bounds.value(a)) && a != b,
            _ => true,
        }
    }
}

/// Whether an expression that is emitted as it is written may panic.
pub fn tokens_may_panic(tokens: &proc_macro2::TokenStream) -> bool {
    struct Find(bool);
    impl<'a> Visit<'a> for Find {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0 |= match expr {
                Expr::Index(_) | Expr::Call(_) => true,
                Expr::MethodCall(call) => {
                    let name = call.method.to_string();
                    let safe = ["wrapping_", "saturating_", "is_", "checked_", "unwrap_or"];
                    !safe.iter().any(|safe| name.starts_with(safe)) && !SAFE_METHODS.contains(&&name[..])
                }
                Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && !matches!(&*unary.expr, Expr::Lit(_)),
                Expr::Binary(binary) => matches!(
                    binary.op,
                    BinOp::Add(_)
                        | BinOp::Sub(_)
                        | BinOp::Mul(_)
                        | BinOp::Div(_)
                        | BinOp::Rem(_)
                        | BinOp::Shl(_)
                        | BinOp::Shr(_)
                ),
                _ => false,
            };
            syn::visit::visit_expr(self, expr);
        }
    }
    let mut find = Find(false);
    if let Ok(expr) = syn::parse2::<Expr>(tokens.clone()) {
        find.visit_expr(&expr);
    }
    find.0
}

/// Methods that cannot panic.
const SAFE_METHODS: &[&str] =
    &["len", "clone", "min", "max", "iter", "map", "collect", "as_ref", "into", "count_ones", "to_owned", "rev"];
