//! Methods and functions of the table in [`crate::op::method`].

use super::Lower;
use super::method::{Like, wrong_count};
use super::value::{Lowered, Value};
use crate::diag::Error;
use crate::ir::Var;
use crate::ir::builder::Builder;
use crate::ir::dim;
use crate::layout::Kind;
use crate::op::Mismatch;
use crate::op::method::{Arg, Build, Function, Method, ParamKind, Several};
use crate::op::page::Page;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, Ident};

impl Lower<'_> {
    pub(super) fn table_method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        method: &Method,
        (receiver_expr, receiver): (&Expr, Var),
        args: &[&Expr],
    ) -> Lowered<Value> {
        self.count_of(&method.page, name, method.params.len(), args.len())?;
        if let Some(ranks) = method.ranks {
            let rank = self.b.ty(receiver).rank();
            if !ranks.contains(&rank) {
                let wanted = match ranks {
                    [least, _, .., 6] => format!("at least {least}"),
                    _ => ranks.iter().map(usize::to_string).collect::<Vec<_>>().join(" or "),
                };
                let axes = if wanted == "1" { "axis" } else { "axes" };
                let message = format!("`{name}` takes a tensor with {wanted} {axes}, this has {rank}");
                let shape = format!(
                    "`{}` is {}",
                    crate::parse::ty::spelled(receiver_expr),
                    dim::show(&self.b.ty(receiver).dims)
                );
                return self.fail(Error::new(at, message).note(shape).help(self.of_rank(
                    receiver_expr,
                    receiver,
                    ranks,
                )));
            }
        }
        let mut operands: Vec<(TokenStream, Var)> = vec![(receiver_expr.to_token_stream(), receiver)];
        let mut lowered = vec![Arg::Operand(receiver)];
        let like = Like { name, receiver: Some((receiver_expr, receiver)) };
        for (kind, arg) in method.params.iter().zip(args) {
            lowered.push(self.argument(*kind, arg, &like, &mut operands)?);
        }
        self.build(at, method.build, &lowered, &operands)
    }

    /// `concat([x, y], 0)` and its like, where a tensor is among the arguments.
    pub(super) fn table_function(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        function: &Function,
        args: &[&Expr],
    ) -> Lowered<Value> {
        let (lowered, operands) = self.function_arguments(name, &function.page, function.params, args)?;
        self.build(at, function.build, &lowered, &operands)
    }

    /// `lstm_cell(x, h, …)`: the results as a tuple, unless there is only one.
    pub(super) fn table_several(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        function: &Several,
        args: &[&Expr],
    ) -> Lowered<Value> {
        let (lowered, operands) = self.function_arguments(name, &function.page, function.params, args)?;
        let mut values = self.build_several(at, &operands, |b| (function.build)(b, &lowered))?;
        Ok(if values.len() == 1 { values.remove(0) } else { Value::Parts(Kind::Tuple, values) })
    }

    /// As [`Lower::count`], with the form in which the reference has the operator.
    fn count_of(&mut self, page: &Page, name: &Ident, wanted: usize, given: usize) -> Lowered<()> {
        let written = format!("{name}(");
        match page.calls.iter().find(|call| call.contains(&written)) {
            Some(call) if wanted != given => {
                let error = wrong_count(name, wanted, given);
                self.fail(error.help(format!("write `{call}`")))
            }
            _ => self.count(name, wanted, given),
        }
    }

    fn function_arguments(
        &mut self,
        name: &Ident,
        page: &Page,
        params: &[ParamKind],
        args: &[&Expr],
    ) -> Lowered<(Vec<Arg>, Vec<(TokenStream, Var)>)> {
        self.count_of(page, name, params.len(), args.len())?;
        let (mut operands, mut lowered) = (Vec::new(), Vec::new());
        // The first tensor says what the literals are and where axes are counted.
        let mut first: Option<(&Expr, Var)> = None;
        for (kind, arg) in params.iter().zip(args) {
            lowered.push(self.argument(*kind, arg, &Like { name, receiver: first }, &mut operands)?);
            first = first.or_else(|| {
                let float = operands.iter().find(|(_, var)| self.b.ty(*var).is_float());
                float.map(|(_, var)| (*arg, *var))
            });
        }
        Ok((lowered, operands))
    }

    fn build(
        &mut self,
        at: &impl ToTokens,
        build: Build,
        args: &[Arg],
        operands: &[(TokenStream, Var)],
    ) -> Lowered<Value> {
        let mut values = self.build_several(at, operands, |b| build(b, args).map(|out| vec![out]))?;
        Ok(values.remove(0))
    }

    fn build_several(
        &mut self,
        at: &impl ToTokens,
        operands: &[(TokenStream, Var)],
        build: impl FnOnce(&mut Builder) -> Result<Vec<Var>, Mismatch>,
    ) -> Lowered<Vec<Value>> {
        self.at(at);
        let vars: Vec<Var> = operands.iter().map(|(_, var)| *var).collect();
        match build(&mut self.b) {
            Ok(outs) => {
                let outs = outs.into_iter().map(|out| {
                    let out = self.track(out, &vars);
                    Value::leaf(&self.b, out)
                });
                Ok(outs.collect())
            }
            Err(mismatch) => {
                let operands: Vec<(&dyn ToTokens, Var)> =
                    operands.iter().map(|(tokens, var)| (tokens as &dyn ToTokens, *var)).collect();
                self.mismatch(at, mismatch, &operands)
            }
        }
    }
}
