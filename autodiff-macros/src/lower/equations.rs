//! Equations, with what is known of the variables that they define.

use super::Lower;
use super::value::Lowered;
use crate::diag::Error;
use crate::ir::{Elem, Ty, Var};
use crate::op::Row;
use quote::ToTokens;

impl Lower<'_> {
    /// Notes that a new variable is active if one of what it is made of is.
    pub(super) fn track(&mut self, out: Var, args: &[Var]) -> Var {
        if self.b.ty(out).is_float() && args.iter().any(|arg| self.active.contains(arg)) {
            self.active.insert(out);
        }
        out
    }

    /// What is constant between its jumps, such as `x.floor()`, does not depend on anything as far as derivatives go.
    pub(super) fn map(&mut self, row: &'static Row, args: &[Var]) -> Var {
        let out = self.b.map(row, args);
        if row.is_flat() { out } else { self.track(out, args) }
    }

    /// A row with its shape rule checked.
    pub(super) fn checked_map(
        &mut self,
        at: &impl ToTokens,
        row: &'static Row,
        operands: &[(&dyn ToTokens, Var)],
    ) -> Lowered<Var> {
        let args: Vec<Var> = operands.iter().map(|(_, var)| *var).collect();
        let tys: Vec<Ty> = args.iter().map(|arg| self.b.ty(*arg).clone()).collect();
        let elems: Vec<&Elem> = tys.iter().map(|ty| &ty.elem).filter(|elem| elem.is_float()).collect();
        if let [first, second, ..] = elems[..] {
            if first != second {
                let message = format!("cannot combine `{first}` and `{second}`");
                return self.fail(Error::new(at, message).help(format!("convert one of them: `… as {first}`")));
            }
        }
        match row.result(&tys) {
            Ok(typed) => {
                self.at(at);
                self.b.oblige(&typed);
                Ok(self.map(row, &args))
            }
            Err(mismatch) => self.mismatch(at, mismatch, operands),
        }
    }
}
