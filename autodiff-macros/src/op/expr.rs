//! Derivative rules are written as formulas: `1.0 - y * y` on [`E`] builds equations.

use super::elementwise as rows;
pub use crate::ir::formula::{E, FLAT, IntoPartial, Operand, Scope};
use std::ops::{Add, Div, Mul, Neg, Sub};

impl<'s> E<'s> {
    pub fn powi(self, n: E<'s>) -> E<'s> {
        self.apply(&rows::powi, &[n])
    }

    /// `yes` where `self` holds, `no` elsewhere; numbers are of the type of `like`.
    pub fn choose(self, like: E<'s>, yes: impl Operand<'s>, no: impl Operand<'s>) -> E<'s> {
        let (yes, no) = (yes.expr(like), no.expr(like));
        self.apply(&rows::select, &[yes, no])
    }
}

macro_rules! functions {
    ($($name:ident)*; $($binary:ident)*) => {
        impl<'s> E<'s> {
            $(pub fn $name(self) -> E<'s> {
                self.apply(&rows::$name, &[])
            })*
            $(pub fn $binary(self, other: impl Operand<'s>) -> E<'s> {
                let other = other.expr(self);
                self.apply(&rows::$binary, &[other])
            })*
        }
    };
}

functions! {
    exp exp_m1 ln sin cos sinh cosh tanh sqrt square abs signum trunc erf sigmoid softplus;
    powf length over_square div_euclid gt ge lt le eq
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
