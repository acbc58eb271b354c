//! Calls of small functions whose bodies are taken over: see Note [Inlined functions] in `ir/inline.rs`.

use super::Lower;
use crate::ir::call::Passed;
use crate::ir::{Callee, Op, Opaque, Ty, Var, inline};
use crate::op::elementwise;
use crate::parse::tokens::referent;
use crate::relay::FnInfo;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{ExprCall, Type};

/// What a parameter of the function is here.
enum Given {
    Value(Var),
    /// An array and indices of it.
    Element(Var, Vec<Var>),
    /// An expression without a derivative, with holes for variables.
    Expression(TokenStream, Vec<Var>, Ty),
}

impl Lower<'_> {
    /// The results of a small function, computed here.
    pub(super) fn inlined(
        &mut self,
        call: &ExprCall,
        info: &FnInfo,
        callee: &Callee,
        vars: &[Var],
    ) -> Option<Vec<Var>> {
        let body = info.inline.as_ref()?.body(|row| elementwise::find(row).map(Op::Map))?;
        let mut params = body.block.params.iter().map(|param| body.ty(*param));
        let mut given = Vec::new();
        for (arg, param) in callee.args.iter().zip(&info.params) {
            let vars = &vars[arg.operands.clone()];
            match &arg.passed {
                Passed::Whole => {
                    for var in vars {
                        params.next().filter(|ty| *ty == self.b.ty(*var))?;
                        given.push(Given::Value(*var));
                    }
                }
                // A part of the right length that starts at the beginning is all there is.
                Passed::Part(part) if !part.start => {
                    let (array, at) = (vars.first()?, &vars[1..=part.indices]);
                    let (ty, expected) = (self.b.ty(*array), params.next()?);
                    if ty.elem != expected.elem || ty.dims.get(at.len()..) != Some(&expected.dims[..]) {
                        return None;
                    }
                    given.push(Given::Element(*array, at.to_vec()));
                }
                Passed::Opaque(tokens) if is_of_numbers(referent(&param.ty)) && !self.b.may_change(tokens) => {
                    let is_borrowed = matches!(param.ty, Type::Reference(_));
                    let tokens = if is_borrowed { behind(tokens.clone()) } else { tokens.clone() };
                    given.push(Given::Expression(tokens, vars.to_vec(), params.next()?.clone()));
                }
                Passed::Part(_) | Passed::Opaque(_) => return None,
            }
        }
        if params.next().is_some() {
            return None;
        }
        self.may_inline = self.may_inline.checked_sub(inline::operations(&body.block))?;
        self.at(call);
        let mut args = Vec::new();
        for given in given {
            args.push(match given {
                Given::Value(var) => var,
                Given::Element(array, at) => {
                    let element = self.b.get(array, &at);
                    self.track(element, &[array])
                }
                Given::Expression(tokens, vars, ty) => self.b.opaque(Opaque::pure(tokens), vars, ty),
            });
        }
        let outs = inline::take_in(&mut self.b, &body, &args);
        Some(outs.into_iter().map(|out| self.track(out, &args)).collect())
    }
}

/// Whether a type is that of a number, or of arrays of them.
fn is_of_numbers(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_of_numbers(&array.elem),
        Type::Path(path) => path.path.is_ident("f64") || path.path.is_ident("f32"),
        _ => false,
    }
}

/// What an expression borrows.
fn behind(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match trees.next() {
        Some(TokenTree::Punct(borrow)) if borrow.as_char() == '&' => trees.collect(),
        _ => quote!((*#tokens)),
    }
}
