//! What a [`Builder`] makes of the rows of the table: arithmetic, and the algebra that simplifies it.

use super::elementwise as rows;
use super::{Algebra, Row};
use crate::ir::builder::Builder;
use crate::ir::{Op, Ty, Var};

impl Builder {
    /// Applies a row of the element-wise table; the operands' shapes are known to fit.
    pub fn map(&mut self, row: &'static Row, args: &[Var]) -> Var {
        let tys: Vec<Ty> = args.iter().map(|arg| self.ty(*arg).clone()).collect();
        let ty = match row.result(&tys) {
            Ok(typed) => typed.ty,
            // Only reached through a derivative rule that is wrong; the verifier names the pass.
            Err(_) => tys[0].clone(),
        };
        if let Some(simpler) = self.fold(row, args, &ty) {
            return simpler;
        }
        self.push(Op::Map(row), args.to_vec(), ty)
    }

    /// Exact algebra only: `x · 1`, `x + 0`; and, in derivative code, `x · 0` for a structural zero.
    fn fold(&mut self, row: &'static Row, args: &[Var], ty: &Ty) -> Option<Var> {
        let value = |b: &Builder, k: usize| args.get(k).and_then(|arg| b.as_const(*arg));
        let fits = |b: &Builder, k: usize| b.ty(args[k]) == ty;
        let is = |b: &Builder, k: usize, x: f64| value(b, k).is_some_and(|v| v == x);
        if !self.folding {
            return None;
        }
        if let &[a, b] = args {
            for (k, other, operand) in [(0, 1, b), (1, 0, a)] {
                if row.neutral(k).is_some_and(|number| is(self, k, number)) && fits(self, other) {
                    return Some(operand);
                }
            }
            if (0..2).any(|k| row.vanishes_with(k) && is(self, k, 0.0)) {
                return Some(self.zero(ty.clone()));
            }
            for (k, other, operand) in [(0, 1, b), (1, 0, a)] {
                if row.negates(k).is_some_and(|number| is(self, k, number)) && fits(self, other) {
                    return Some(self.map(&rows::neg, &[operand]));
                }
            }
        }
        match row.algebra {
            Algebra::Negation if self.is_zero(args[0]) => Some(args[0]),
            Algebra::Negation if ty.is_scalar() && value(self, 0).is_some() => {
                value(self, 0).map(|v| self.constant(&ty.elem, -v))
            }
            Algebra::Negation => {
                let [cond, yes, no] = self.selection(args[0])?;
                self.as_const(yes).or(self.as_const(no))?;
                let arms = [yes, no].map(|arm| self.map(&rows::neg, &[arm]));
                Some(self.map(&rows::select, &[cond, arms[0], arms[1]]))
            }
            Algebra::Sum => self.add_selections(args),
            // A product with a selection moves inside, so that an infinite cotangent times 0 is 0.
            Algebra::Product => {
                let (k, [cond, yes, no]) = (0..2).find_map(|k| Some((k, self.selection(args[k])?)))?;
                let other = args[1 - k];
                self.as_const(yes).or(self.as_const(no))?;
                let yes = self.map(&rows::mul, &[other, yes]);
                let no = self.map(&rows::mul, &[other, no]);
                Some(self.map(&rows::select, &[cond, yes, no]))
            }
            _ => None,
        }
    }

    /// The sum of two selections by one condition is a selection, as far as each arm has a zero in it: what is
    /// infinite in an arm that is not taken stays there.
    fn add_selections(&mut self, args: &[Var]) -> Option<Var> {
        let ([cond, yes, no], [other, yes2, no2]) = (self.selection(args[0])?, self.selection(args[1])?);
        let is_zero = |var: &Var| self.as_const(*var) == Some(0.0);
        if cond != other || !(is_zero(&yes) || is_zero(&yes2)) || !(is_zero(&no) || is_zero(&no2)) {
            return None;
        }
        let (yes, no) = (self.add(yes, yes2), self.add(no, no2));
        Some(self.map(&rows::select, &[cond, yes, no]))
    }

    pub fn add(&mut self, a: Var, b: Var) -> Var {
        self.map(&rows::add, &[a, b])
    }

    pub fn mul(&mut self, a: Var, b: Var) -> Var {
        self.map(&rows::mul, &[a, b])
    }

    pub fn acc(&mut self, t: Var, v: Var, at: &[Var]) -> Var {
        let ty = self.ty(t).clone();
        if ty.is_scalar() && at.is_empty() {
            return self.add(t, v);
        }
        self.push(Op::Acc, [&[t, v], at].concat(), ty)
    }
}
