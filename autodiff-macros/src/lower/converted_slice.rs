//! Arrays made of slices: `x[..3].try_into().unwrap()`, `<[f64; 3]>::try_from(&x[..3]).unwrap()`.

use super::Lower;
use super::assign::unparen;
use super::call::strip_borrow;
use super::slice::Slice;
use super::value::{Lowered, Value};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::layout::{Form, Kind};
use crate::op::elementwise as rows;
use crate::parse::ty::Surface;
use syn::{Expr, ExprMethodCall, Lit, Type};

/// What is converted.
struct Conversion<'e> {
    of: &'e Expr,
    /// The type that is written at the function.
    to: Option<&'e Type>,
    /// What the panic shows if there are more or fewer elements.
    message: String,
}

impl Lower<'_> {
    /// `None`, if it is no such conversion. There is a panic where there are more or fewer elements.
    pub(super) fn array_of_slice(
        &mut self,
        call: &ExprMethodCall,
        expected: Option<&Surface>,
    ) -> Option<Lowered<Value>> {
        let conversion = conversion(call)?;
        let to = match conversion.to.map(|ty| self.resolve(ty)) {
            Some(Err(reported)) => return Some(Err(reported)),
            Some(Ok(surface)) => surface,
            None => match (expected, conversion.of) {
                (None, Expr::Index(index)) if matches!(unparen(&index.index), Expr::Range(_)) => {
                    let error = Error::new(&call.receiver, "the size of what this makes is not visible");
                    return Some(self.fail(error.help("write its type: `let a: [f64; 3] = …`")));
                }
                (expected, _) => expected.cloned()?,
            },
        };
        let Surface::Array(_, len) = to else { return None };
        Some(self.array_of(&conversion, &len))
    }

    fn array_of(&mut self, conversion: &Conversion<'_>, len: &Dim) -> Lowered<Value> {
        let value = self.expr(conversion.of)?;
        let Some(slice) = self.as_slice(&value) else {
            let what = format!("making an array of {}", value.describe(&self.b));
            return self.unsupported(conversion.of, &what, "make it of a slice or a `Vec`");
        };
        if slice.len != *len {
            let (own, wanted) = (self.b.dim(slice.len.clone()), self.b.dim(len.clone()));
            let fits = self.b.map(&rows::eq, &[own, wanted]);
            self.check_holds(fits, &conversion.message, &[]);
        }
        let slice = Slice { len: len.clone(), count: None, ..slice };
        if let Some((array, _)) = slice.array() {
            return Ok(Value::Leaf(self.copied(&slice, array), Form::Plain));
        }
        let Some(count) = len.as_literal() else {
            let error =
                Error::new(conversion.of, "an array of structs whose size has a name cannot be made of a slice");
            return self.fail(error.help("pass the slice itself"));
        };
        let parts = (0..count).map(|k| {
            let at = self.b.dim(Dim::literal(k));
            self.element(&slice, at)
        });
        let parts = parts.collect();
        Ok(Value::Parts(Kind::Array, parts))
    }
}

fn conversion(call: &ExprMethodCall) -> Option<Conversion<'_>> {
    let text = match (&call.method.to_string()[..], call.args.first()) {
        ("unwrap", None) => "called `Result::unwrap()` on an `Err` value".to_owned(),
        ("expect", Some(Expr::Lit(text))) => match &text.lit {
            Lit::Str(text) => text.value().replace('{', "{{").replace('}', "}}"),
            _ => return None,
        },
        _ => return None,
    };
    let message = format!("{text}: TryFromSliceError(())");
    match unparen(&call.receiver) {
        Expr::MethodCall(inner) if inner.method == "try_into" && inner.args.is_empty() => {
            Some(Conversion { of: &inner.receiver, to: None, message })
        }
        Expr::Call(inner) => {
            let (Expr::Path(path), Some(of), 1) = (unparen(&inner.func), inner.args.first(), inner.args.len()) else {
                return None;
            };
            let is_try_from = path.path.segments.last().is_some_and(|last| last.ident == "try_from");
            let to = path.qself.as_ref().filter(|_| is_try_from)?;
            matches!(&*to.ty, Type::Array(_)).then(|| Conversion { of: strip_borrow(of), to: Some(&to.ty), message })
        }
        _ => None,
    }
}

/// Whether an expression is such a conversion by `try_into`, which takes the type that is expected.
pub(super) fn takes_expected(expr: &Expr) -> bool {
    matches!(unparen(expr), Expr::MethodCall(call) if conversion(call).is_some_and(|conversion| conversion.to.is_none()))
}
