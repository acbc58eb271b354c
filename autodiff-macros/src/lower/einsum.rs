//! `einsum!("ij,jk->ik", x, y)`

use super::Lower;
use super::method::Like;
use super::value::{Lowered, Value};
use crate::diag::Error;
use crate::ir::Var;
use crate::op::einsum::{Subscripts, build};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Ident, Lit, Token};

impl Lower<'_> {
    pub(super) fn einsum(&mut self, mac: &syn::Macro, name: &Ident) -> Lowered<Value> {
        let help = "for example `einsum!(\"ij,jk->ik\", x, y)`";
        let Ok(args) = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated) else {
            return self.fail(Error::new(mac, "`einsum!` takes subscripts and tensors").help(help));
        };
        let mut args = args.iter();
        let Some(Expr::Lit(ExprLit { lit: Lit::Str(literal), .. })) = args.next() else {
            return self.fail(Error::new(mac, "the subscripts are written as a string").help(help));
        };
        let exprs: Vec<&Expr> = args.collect();
        let subscripts = match Subscripts::parse(&literal.value(), exprs.len()) {
            Ok(subscripts) => subscripts,
            Err(mismatch) => return self.mismatch(literal, mismatch, &[]),
        };
        let mut operands: Vec<(TokenStream, Var)> = Vec::new();
        for expr in exprs {
            let receiver = operands.first().map(|(_, var)| (expr, *var));
            let var = self.operand(&Like { name, receiver }, expr)?;
            operands.push((expr.to_token_stream(), var));
        }
        let vars: Vec<Var> = operands.iter().map(|(_, var)| *var).collect();
        self.at(literal);
        match build(&mut self.b, &subscripts, &vars) {
            Ok(out) => {
                let out = self.track(out, &vars);
                Ok(Value::leaf(&self.b, out))
            }
            Err(mismatch) => {
                let operands: Vec<(&dyn ToTokens, Var)> =
                    operands.iter().map(|(tokens, var)| (tokens as &dyn ToTokens, *var)).collect();
                self.mismatch(literal, mismatch, &operands)
            }
        }
    }
}
