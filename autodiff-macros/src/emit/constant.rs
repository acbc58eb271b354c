//! Derivatives that are `const`: `const SLOPE: f64 = f::grad(2.0);`
//!
//! Note [Constant derivatives]. A `const fn` of stable Rust calls no method of a trait, and has no `for` loop. So `grad`,
//! `value_and_grad`, `accumulate_grad` and `jvp` of a `const fn` are `const` where its result is a number, its parameters are
//! numbers and arrays, and the derivative consists of arithmetic, comparisons, branches, `while` loops and what `core` has
//! as `const` methods of numbers, which are called by their type. Any other derivative is a plain function: the same code
//! compiles, and rustc refuses it in a constant.

use super::expression::is_plain_path;
use super::item::Item;
use crate::ir::operator::{Row, Spelling};
use crate::ir::{Block, Body, Elem, Eqn, IntOp, Op, Ty, Var};
use crate::parse::ty::Surface;
use proc_macro2::TokenStream;
use quote::quote;

impl Item<'_> {
    /// `const`, if a derivative with this body can be: see Note [Constant derivatives].
    pub(super) fn constness(&self, body: &Body) -> Option<TokenStream> {
        self.is_constant(body).then(|| quote!(const))
    }

    pub(super) fn is_constant(&self, body: &Body) -> bool {
        let signature = &self.function.item.sig;
        signature.constness.is_some()
            && signature.generics.params.is_empty()
            && self.params.iter().all(|param| !param.is_mut && is_plain(&param.surface))
            && matches!(self.result, Surface::Scalar(Elem::F32 | Elem::F64))
            && self.returned().is_empty()
            && body.block.params.iter().all(|param| has_size(body.ty(*param)))
            && is_constant(body, &body.block)
    }
}

/// Numbers, and arrays of them.
fn is_plain(surface: &Surface) -> bool {
    match surface {
        Surface::Scalar(elem) => is_number(elem),
        Surface::Array(item, _) => is_plain(item),
        _ => false,
    }
}

fn is_number(elem: &Elem) -> bool {
    matches!(elem, Elem::F32 | Elem::F64 | Elem::Int(_) | Elem::Bool)
}

/// Whether it consists of numbers, as many as a literal says.
fn has_size(ty: &Ty) -> bool {
    is_number(&ty.elem) && ty.dims.iter().all(|dim| dim.as_literal().is_some())
}

fn is_constant(body: &Body, block: &Block) -> bool {
    block.eqns.iter().all(|eqn| {
        eqn.outs.iter().all(|out| has_size(body.ty(*out)))
            && is_constant_operation(body, eqn)
            && eqn.regions.iter().all(|region| is_constant(body, region))
    })
}

fn is_constant_operation(body: &Body, eqn: &Eqn) -> bool {
    let is_scalar = |var: &Var| body.ty(*var).is_scalar();
    let names_element = |indices: usize| indices == body.ty(eqn.args[0]).rank();
    match &eqn.op {
        Op::Const(_) | Op::Cast | Op::If | Op::While { .. } => true,
        Op::Dim(dim) => dim.as_literal().is_some(),
        Op::Zero(_) => eqn.outs.iter().all(is_scalar),
        Op::Int(op) => !matches!(op, IntOp::Min | IntOp::Max | IntOp::NextSnapshot),
        Op::Map(row) => eqn.args.iter().chain(&eqn.outs).all(is_scalar) && is_constant_row(row),
        Op::Get => names_element(eqn.args.len() - 1),
        Op::Acc => names_element(eqn.args.len() - 2),
        Op::Opaque(opaque) => is_plain_path(&eqn.op) || syn::parse2::<syn::Lit>(opaque.tokens.clone()).is_ok(),
        _ => false,
    }
}

fn is_constant_row(row: &Row) -> bool {
    row.is_const || matches!(row.spelling, Spelling::Infix(_) | Spelling::Prefix(_) | Spelling::Select)
}
