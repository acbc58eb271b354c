//! Derivative rules are written as formulas: `1.0 - y * y` on [`E`] builds equations.

use super::elementwise as rows;
use super::Row;
use crate::ir::builder::Builder;
use crate::ir::{Elem, Var};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Gives formulas access to the builder.
pub struct Scope<'b>(RefCell<&'b mut Builder>);

impl<'b> Scope<'b> {
    pub fn new(builder: &'b mut Builder) -> Scope<'b> {
        Scope(RefCell::new(builder))
    }

    pub fn var<'s>(&'s self, var: Var) -> E<'s>
    where
        'b: 's,
    {
        // The two lifetimes are one for the user of a formula.
        E { scope: self.erased(), var }
    }

    fn erased(&self) -> &dyn Build {
        self
    }
}

/// What a formula needs of the builder.
trait Build {
    fn map(&self, row: &'static Row, args: &[Var]) -> Var;
    fn constant(&self, like: Var, value: f64) -> Var;
    fn as_const(&self, var: Var) -> Option<f64>;
    fn cast_like(&self, x: Var, like: Var) -> Var;
    fn offset(&self, n: Var, by: i64) -> Var;
}

impl Build for Scope<'_> {
    fn map(&self, row: &'static Row, args: &[Var]) -> Var {
        self.0.borrow_mut().map(row, args)
    }

    fn constant(&self, like: Var, value: f64) -> Var {
        let mut b = self.0.borrow_mut();
        let elem = b.ty(like).elem.clone();
        b.constant(&elem, value)
    }

    fn as_const(&self, var: Var) -> Option<f64> {
        self.0.borrow().as_const(var)
    }

    fn cast_like(&self, x: Var, like: Var) -> Var {
        let mut b = self.0.borrow_mut();
        let elem = b.ty(like).elem.clone();
        b.cast(x, &elem)
    }

    fn offset(&self, n: Var, by: i64) -> Var {
        let mut b = self.0.borrow_mut();
        if let Some(value) = b.as_const(n) {
            let elem = Elem::Int("i32".into());
            return b.constant(&elem, value + by as f64);
        }
        let elem = b.ty(n).elem.clone();
        let by = b.constant(&elem, by as f64);
        b.int(crate::ir::IntOp::Add, n, by)
    }
}

/// A value in a formula.
#[derive(Clone, Copy)]
pub struct E<'s> {
    scope: &'s dyn Build,
    pub var: Var,
}

impl<'s> E<'s> {
    pub fn apply(self, row: &'static Row, others: &[E<'s>]) -> E<'s> {
        let args: Vec<Var> = std::iter::once(self.var).chain(others.iter().map(|e| e.var)).collect();
        E { scope: self.scope, var: self.scope.map(row, &args) }
    }

    /// A number of the same element type.
    pub fn number(self, value: f64) -> E<'s> {
        E { scope: self.scope, var: self.scope.constant(self.var, value) }
    }

    pub fn as_const(self) -> Option<f64> {
        self.scope.as_const(self.var)
    }

    pub fn cast_like(self, like: E<'s>) -> E<'s> {
        E { scope: self.scope, var: self.scope.cast_like(self.var, like.var) }
    }

    /// An integer plus a number.
    pub fn offset(self, by: i64) -> E<'s> {
        E { scope: self.scope, var: self.scope.offset(self.var, by) }
    }

    /// A row of one argument.
    pub fn of(self, row: &'static Row) -> E<'s> {
        self.apply(row, &[])
    }

    /// `yes` where `self` holds, `no` elsewhere.
    pub fn pick(self, yes: E<'s>, no: E<'s>) -> E<'s> {
        self.apply(&rows::select, &[yes, no])
    }

    /// `slope` strictly between two numbers, 0 elsewhere.
    pub fn within(self, low: f64, high: f64, slope: f64) -> E<'s> {
        let (one, zero) = (self.number(slope), self.number(0.0));
        let below = self.apply(&rows::lt, &[self.number(high)]).pick(one, zero);
        self.gt(low).pick(below, zero)
    }

    /// `inside` where `self > low`, 0 elsewhere.
    pub fn above(self, low: E<'s>, inside: E<'s>) -> E<'s> {
        self.apply(&rows::gt, &[low]).pick(inside, self.number(0.0))
    }

    /// `inside` where `self < high`, 0 elsewhere.
    pub fn below(self, high: E<'s>, inside: E<'s>) -> E<'s> {
        self.apply(&rows::lt, &[high]).pick(inside, self.number(0.0))
    }

    /// 1 where `self <= low`, 0 elsewhere.
    pub fn not_above(self, low: E<'s>) -> E<'s> {
        self.apply(&rows::le, &[low]).choose(self, 1.0, 0.0)
    }

    /// 1 where `self >= high`, and not `<= low`, 0 elsewhere.
    pub fn not_below(self, high: E<'s>, low: E<'s>) -> E<'s> {
        let at_high = self.apply(&rows::ge, &[high]).choose(self, 1.0, 0.0);
        self.above(low, at_high)
    }

    pub fn exp(self) -> E<'s> {
        self.apply(&rows::exp, &[])
    }

    pub fn sin(self) -> E<'s> {
        self.apply(&rows::sin, &[])
    }

    pub fn cos(self) -> E<'s> {
        self.apply(&rows::cos, &[])
    }

    pub fn powi(self, n: E<'s>) -> E<'s> {
        self.apply(&rows::powi, &[n])
    }

    pub fn gt(self, other: f64) -> E<'s> {
        let other = self.number(other);
        self.apply(&rows::gt, &[other])
    }

    /// `yes` where `self` holds, `no` elsewhere; both numbers.
    pub fn choose(self, like: E<'s>, yes: f64, no: f64) -> E<'s> {
        let (yes, no) = (like.number(yes), like.number(no));
        self.apply(&rows::select, &[yes, no])
    }
}

impl<'s> Neg for E<'s> {
    type Output = E<'s>;
    fn neg(self) -> E<'s> {
        self.apply(&rows::neg, &[])
    }
}

macro_rules! arithmetic {
    ($($trait:ident $method:ident $row:ident;)*) => {$(
        impl<'s> $trait for E<'s> {
            type Output = E<'s>;
            fn $method(self, other: E<'s>) -> E<'s> {
                self.apply(&rows::$row, &[other])
            }
        }
        impl<'s> $trait<f64> for E<'s> {
            type Output = E<'s>;
            fn $method(self, other: f64) -> E<'s> {
                let other = self.number(other);
                self.apply(&rows::$row, &[other])
            }
        }
        impl<'s> $trait<E<'s>> for f64 {
            type Output = E<'s>;
            fn $method(self, other: E<'s>) -> E<'s> {
                other.number(self).apply(&rows::$row, &[other])
            }
        }
    )*};
}

arithmetic! { Add add add; Sub sub sub; Mul mul mul; Div div div; }
