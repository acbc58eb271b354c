//! Forward mode: after every equation the equation of its tangent.
//!
//! ```text
//! y: f64 = tanh x        y: f64 = tanh x
//!                        q: f64 = mul y y
//!                        p: f64 = sub 1 q
//!                        y_dot: f64 = mul p x_dot
//! ```
//!
//! The same transformation makes the tails of Taylor series: see Note [Tails by the tangent pass] in `taylor.rs`.

mod call;
mod taylor;

use super::activity;
use crate::ir::builder::Builder;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Eqn, Op, Var};
use crate::op::Row;
use crate::op::expr::Scope;
use crate::op::view::BroadcastTo;

/// What has no tangent rule yet, with the token it comes from.
pub struct Unsupported {
    pub span: proc_macro2::Span,
    pub message: String,
    /// What to write instead.
    pub help: String,
    /// The order of the derivative of a callee that is missing.
    pub order: Option<u8>,
}

/// What there is not, where a call is differentiated too often, and what helps.
pub const HIGHEST: &str = "a fourth derivative of a call";
pub const CALLS: &str = "write the inner function out, or take fewer derivatives of each other";

impl Unsupported {
    pub fn new(span: proc_macro2::Span, what: &str, help: &str) -> Unsupported {
        let message = format!("{what} cannot be differentiated yet");
        Unsupported { span, message, help: help.to_owned(), order: None }
    }

    /// A call that is differentiated more often than there are orders.
    pub fn highest_order(span: proc_macro2::Span) -> Unsupported {
        Unsupported { order: Some(u8::MAX), ..Unsupported::new(span, HIGHEST, CALLS) }
    }
}

/// What is computed beside a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// Its tangent.
    Tangent,
    /// The tail of its Taylor series.
    Tail,
}

/// A body that computes the results and their tangents. Parameters: those of the primal, then a tangent for each
/// of `inputs`. Results: the primal's, then the tangents of the float results.
pub fn transform(primal: &Body, inputs: &[Var]) -> Result<Body, Unsupported> {
    run(primal, inputs, Beside::Tangent)
}

/// The same with the tails of Taylor series in the place of tangents. Each is one variable as yet: `pass/widen.rs` makes wide
/// numbers of them.
pub fn taylor(primal: &Body, inputs: &[Var]) -> Result<Body, Unsupported> {
    run(primal, inputs, Beside::Tail)
}

fn run(primal: &Body, inputs: &[Var], beside: Beside) -> Result<Body, Unsupported> {
    let active = activity::varied(primal, inputs);
    let mut b = Builder::with_vars(primal.vars.clone());
    let mut pass = Tangent { b: &mut b, active: &active, dots: HashMap::default(), beside };
    let mut params = primal.block.params.clone();
    for input in inputs {
        let dot = pass.b.var_like(*input, primal.ty(*input).clone(), "_dot");
        pass.dots.insert(*input, dot);
        params.push(dot);
    }
    pass.eqns(&primal.block)?;
    let mut results = primal.block.results.clone();
    for result in &primal.block.results {
        if primal.ty(*result).is_float() {
            results.push(pass.dot_or_zero(*result));
        }
    }
    let suffix = match beside {
        Beside::Tangent => "jvp",
        Beside::Tail => "taylor",
    };
    Ok(b.finish(format!("{}_{suffix}", primal.name), params, results))
}

struct Tangent<'p> {
    b: &'p mut Builder,
    active: &'p HashSet<Var>,
    /// The tangent of a variable; none where it is zero.
    dots: HashMap<Var, Var>,
    beside: Beside,
}

impl Tangent<'_> {
    fn dot(&self, var: Var) -> Option<Var> {
        self.dots.get(&var).copied()
    }

    fn dot_or_zero(&mut self, var: Var) -> Var {
        self.dot(var).unwrap_or_else(|| self.b.zero_like(var))
    }

    fn eqns(&mut self, block: &Block) -> Result<(), Unsupported> {
        for eqn in &block.eqns {
            self.b.span = Some(eqn.span);
            self.eqn(eqn)?;
        }
        Ok(())
    }

    fn eqn(&mut self, eqn: &Eqn) -> Result<(), Unsupported> {
        if !eqn.outs.iter().any(|out| self.active.contains(out)) {
            self.b.push_eqn(eqn.clone());
            return Ok(());
        }
        match &eqn.op {
            Op::For { .. } | Op::While { .. } => self.looped(eqn),
            Op::If => self.branch(eqn),
            op if op.is_black_box() => self.black_box(eqn),
            _ => self.straight(eqn),
        }
    }

    /// An equation without regions, and its tangent.
    fn straight(&mut self, eqn: &Eqn) -> Result<(), Unsupported> {
        self.b.push_eqn(eqn.clone());
        let (out, args) = (eqn.outs[0], &eqn.args);
        let dots: Vec<Option<Var>> = args.iter().map(|arg| self.dot(*arg)).collect();
        let dot = match &eqn.op {
            Op::Map(row) if self.beside == Beside::Tail => self.tail(row, args, out, &dots)?,
            Op::Map(row) => self.map(row, args, out, &dots),
            Op::Tensor(op) if self.beside == Beside::Tail => self.tail_of_tensor(&**op, args, out, &dots)?,
            Op::Tensor(op) => op.tangent(self.b, args, out, &dots),
            Op::Cast if self.beside == Beside::Tail && dots[0].is_some() => return Err(self.conversion(eqn.span)),
            Op::Cast => dots[0].map(|dot| {
                let elem = self.b.ty(out).elem.clone();
                self.b.cast(dot, &elem)
            }),
            Op::Pack => {
                let parts: Vec<Var> = args.iter().map(|arg| self.dot_or_zero(*arg)).collect();
                Some(self.b.pack(&parts))
            }
            Op::Push => {
                let (t, v) = (self.dot_or_zero(args[0]), self.dot_or_zero(args[1]));
                Some(self.b.push_element(t, v, args[2]))
            }
            Op::Copy => dots[0].map(|dot| self.b.copy(dot)),
            Op::Get => dots[0].map(|dot| self.b.get(dot, &args[1..])),
            Op::Set => {
                let (t, v) = (self.dot_or_zero(args[0]), self.dot_or_zero(args[1]));
                Some(self.b.set(t, v, &args[2..]))
            }
            Op::Acc => match (dots[0], dots[1]) {
                (t, None) => t,
                (t, Some(v)) => {
                    let t = t.unwrap_or_else(|| self.dot_or_zero(args[0]));
                    Some(self.b.acc(t, v, &args[2..]))
                }
            },
            _ => None,
        };
        if let Some(dot) = dot {
            if let Some(hint) = self.b.data(out).hint.clone() {
                self.b.name(dot, &format!("{hint}_dot"));
            }
            self.dots.insert(out, dot);
        }
        Ok(())
    }

    /// ẏ = Σ ∂ᵢ·ẋᵢ
    fn map(&mut self, row: &'static Row, args: &[Var], out: Var, dots: &[Option<Var>]) -> Option<Var> {
        let mut sum: Option<Var> = None;
        for (partial, dot) in partials(self.b, row, args, out).into_iter().zip(dots) {
            let (Some(partial), Some(dot)) = (partial, dot) else { continue };
            let term = self.b.mul(partial, *dot);
            sum = Some(sum.map_or(term, |sum| self.b.add(sum, term)));
        }
        sum.map(|sum| self.stretched(sum, out))
    }

    /// A tangent, in the shape of the result that it belongs to.
    fn stretched(&mut self, dot: Var, out: Var) -> Var {
        let dims = self.b.ty(out).dims.clone();
        if self.b.ty(dot).dims == dims {
            return dot;
        }
        self.b.apply(BroadcastTo { dims }, &[dot])
    }

    /// Carries a tangent beside every active carried value.
    fn looped(&mut self, eqn: &Eqn) -> Result<(), Unsupported> {
        let (step, carried) = (eqn.step(), eqn.carried());
        let active: Vec<usize> = (0..carried.len()).filter(|k| self.active.contains(&carried[*k])).collect();
        let mut args = eqn.args.clone();
        let mut params = step.params.clone();
        for k in &active {
            args.push(self.dot_or_zero(eqn.args[*k]));
            let dot = self.b.var_like(carried[*k], self.b.ty(carried[*k]).clone(), "_dot");
            self.dots.insert(carried[*k], dot);
            params.push(dot);
        }
        self.b.open_block();
        self.eqns(step)?;
        let mut results = step.results.clone();
        for k in &active {
            results.push(self.dot_or_zero(step.results[*k]));
        }
        let step = self.b.close_block(params, results);
        let mut regions = vec![step];
        // The condition of a `while` loop gets the tangents too, and has no use for them.
        if let [cond, _] = &eqn.regions[..] {
            let mut cond = cond.clone();
            for k in &active {
                cond.params.push(self.b.var_like(carried[*k], self.b.ty(carried[*k]).clone(), "_dot"));
            }
            regions.insert(0, cond);
        }
        let mut outs = eqn.outs.clone();
        for k in &active {
            let dot = self.b.var_like(eqn.outs[*k], self.b.ty(eqn.outs[*k]).clone(), "_dot");
            self.dots.insert(eqn.outs[*k], dot);
            outs.push(dot);
        }
        self.b.push_eqn(Eqn { outs, op: eqn.op.clone(), args, regions, span: eqn.span });
        Ok(())
    }

    fn branch(&mut self, eqn: &Eqn) -> Result<(), Unsupported> {
        let active: Vec<usize> = (0..eqn.outs.len()).filter(|k| self.active.contains(&eqn.outs[*k])).collect();
        let mut regions = Vec::new();
        for region in &eqn.regions {
            self.b.open_block();
            self.eqns(region)?;
            let mut results = region.results.clone();
            for k in &active {
                results.push(self.dot_or_zero(region.results[*k]));
            }
            regions.push(self.b.close_block(region.params.clone(), results));
        }
        let mut outs = eqn.outs.clone();
        for k in &active {
            let dot = self.b.var_like(eqn.outs[*k], self.b.ty(eqn.outs[*k]).clone(), "_dot");
            self.dots.insert(eqn.outs[*k], dot);
            outs.push(dot);
        }
        self.b.push_eqn(Eqn { outs, regions, ..eqn.clone() });
        Ok(())
    }
}

/// The partial derivatives of a row as equations.
pub fn partials(b: &mut Builder, row: &'static Row, args: &[Var], out: Var) -> Vec<Option<Var>> {
    let scope = Scope::new(b);
    let exprs: Vec<_> = args.iter().map(|arg| scope.var(*arg)).collect();
    (row.partials)(&exprs, scope.var(out)).into_iter().map(|e| e.map(|e| e.var)).collect()
}
