//! Values in the formulas of derivative rules. What can be computed with them is in [`crate::op::expr`], which knows the table.

use super::builder::Builder;
use super::operator::Row;
use super::{Elem, IntOp, Var};
use std::cell::RefCell;

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
    fn constant_in_single(&self, x: Var) -> Option<Var>;
    fn before(&self, n: Var) -> Var;
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

    fn constant_in_single(&self, x: Var) -> Option<Var> {
        let mut b = self.0.borrow_mut();
        let elem = b.ty(x).elem.clone();
        b.as_const(x).map(|value| b.constant(&elem, f64::from(value as f32)))
    }

    fn before(&self, n: Var) -> Var {
        let mut b = self.0.borrow_mut();
        let elem = b.ty(n).elem.clone();
        if let Some(value) = b.as_const(n) {
            return b.constant(&Elem::Int("i32".into()), value - 1.0);
        }
        let one = b.constant(&elem, 1.0);
        let least = b.int(IntOp::Max, n, one);
        b.int(IntOp::Sub, least, one)
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

    /// The number rounded to single precision, if it is a constant.
    pub fn constant_in_single(self) -> Option<E<'s>> {
        self.scope.constant_in_single(self.var).map(|var| E { scope: self.scope, var })
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

    /// An integer less 1; of one that is not known, at least 0.
    pub fn before(self) -> E<'s> {
        E { scope: self.scope, var: self.scope.before(self.var) }
    }
}

/// What a formula may take beside a value: another one, or a number.
pub trait Operand<'s> {
    fn expr(self, like: E<'s>) -> E<'s>;
}

impl<'s> Operand<'s> for E<'s> {
    fn expr(self, _: E<'s>) -> E<'s> {
        self
    }
}

impl<'s> Operand<'s> for f64 {
    fn expr(self, like: E<'s>) -> E<'s> {
        like.number(self)
    }
}

/// A partial derivative that is 0 everywhere.
pub const FLAT: Flat = Flat;

/// See [`FLAT`].
pub struct Flat;

/// What a row may give as a partial derivative; `None` where no derivative flows.
pub trait IntoPartial<'s> {
    fn into_partial(self, like: E<'s>) -> Option<E<'s>>;
}

impl<'s, T: Operand<'s>> IntoPartial<'s> for T {
    fn into_partial(self, like: E<'s>) -> Option<E<'s>> {
        Some(self.expr(like))
    }
}

impl<'s> IntoPartial<'s> for Option<E<'s>> {
    fn into_partial(self, _: E<'s>) -> Option<E<'s>> {
        self
    }
}

impl<'s> IntoPartial<'s> for Flat {
    fn into_partial(self, _: E<'s>) -> Option<E<'s>> {
        None
    }
}
