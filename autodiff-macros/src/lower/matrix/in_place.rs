//! What changes a matrix, and other calls that desugaring has written in another way: see Note [Matrices in place] in
//! `desugar/matrices.rs`.

use crate::desugar::MATRIX_PREFIX;
use crate::diag::Error;
use crate::layout::{Form, Kind};
use crate::lower::Lower;
use crate::lower::assign::unparen;
use crate::lower::value::{Lowered, Reported, Value};
use crate::parse::geometry::Geometry;
use proc_macro2::Ident;
use syn::{Expr, ExprMethodCall};

impl Lower<'_> {
    /// The call as the user wrote it, where the receiver is no matrix.
    pub(in crate::lower) fn as_written(&mut self, call: &ExprMethodCall) -> Lowered<Option<ExprMethodCall>> {
        let name = call.method.to_string();
        let Some(written) = name.strip_prefix(MATRIX_PREFIX) else { return Ok(None) };
        let receiver = self.expr(&call.receiver)?;
        if let Value::Leaf(array, Form::Vector | Form::Matrix) = receiver {
            if !self.b.ty(array).is_scalar() {
                return Ok(None);
            }
        }
        if matches!(&receiver, Value::Parts(Kind::Struct(ty), _) if ty.geometry.is_some_and(Geometry::is_of_run_time)) {
            return Ok(None);
        }
        if written == "push" && !matches!(receiver, Value::Parts(Kind::Struct(_), _)) {
            if self.learns_of_own_method(&call.receiver, written) {
                return Err(Reported);
            }
            let error = Error::new(&call.method, format!("`push` of {} gives no value", receiver.describe(&self.b)));
            return self.fail(error.help("write it as a statement of its own"));
        }
        let method = Ident::new(written, call.method.span());
        Ok(Some(ExprMethodCall { method, ..call.clone() }))
    }

    /// The same of an assignment.
    pub(in crate::lower) fn assigned_as_written(&mut self, value: &Expr) -> Lowered<Option<ExprMethodCall>> {
        match unparen(value) {
            Expr::MethodCall(call) if call.method != format!("{MATRIX_PREFIX}push") => self.as_written(call),
            _ => Ok(None),
        }
    }
}
