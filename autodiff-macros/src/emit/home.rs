//! Residuals that are made where they are to be: the caller of `__forward` has a place for them.
//!
//! An array that is returned is copied, once for each function that hands it on. So the forward sweep of a callee
//! gets a place that is all zeros, and what starts as zeros there starts in that place.

use super::body::Emitter;
use super::types::zero;
use crate::analysis::uses::makers;
use crate::ir::var::VarTable;
use crate::ir::{Block, Elem, Op, Ty, Var};
use crate::parse::tokens::dim_tokens;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::HashSet;

/// The place of a residual.
pub(super) struct Home {
    pub(super) name: Ident,
    /// Whether the residual is made in it. Otherwise it is put there in the end.
    pub(super) found: bool,
}

impl Emitter<'_> {
    /// Names the places of the residuals, and lets arrays be made in them.
    pub(super) fn homes(&mut self, saved: &[Var]) -> Vec<Home> {
        let mut taken = HashSet::new();
        let makers = makers(&self.body().block);
        let mut homes = Vec::new();
        for var in saved {
            let hint = self.hint(*var);
            let name = self.names.local(if hint == "t" { "saved" } else { &hint });
            // A number is a variable of its own, which is put there in the end.
            let ty = self.body().ty(*var);
            let in_place = !ty.is_dynamic() && (!ty.is_scalar() || matches!(ty.elem, Elem::Data(_)));
            let beginning = beginning(&self.body().block, &makers, *var);
            let beginning = beginning.filter(|beginning| in_place && taken.insert(*beginning));
            if let Some(beginning) = beginning {
                self.homes.insert(beginning, name.clone());
            }
            homes.push(Home { name, found: beginning.is_some() });
        }
        homes
    }
}

/// The zeros that become this array, or the call that makes this data. `makers` are those of the block.
pub(super) fn beginning(block: &Block, makers: &VarTable<usize>, mut var: Var) -> Option<Var> {
    loop {
        let eqn = &block.eqns[*makers.get(&var)?];
        let k = eqn.outs.iter().position(|out| *out == var)?;
        var = match &eqn.op {
            Op::Zero => return Some(var),
            Op::For { .. } => eqn.args[k],
            Op::Set | Op::Acc | Op::Into(_) => eqn.args[0],
            _ => return eqn.is_made_in_place(k).then_some(var),
        };
    }
}

/// What a place for a residual has in it before. What has a size that is known at run time only is made and put there.
pub(super) fn empty(ty: &Ty, krate: &TokenStream) -> TokenStream {
    let element = zero(&ty.elem, krate);
    let copied = !matches!(ty.elem, Elem::Data(_));
    let mut dynamic = false;
    ty.dims.iter().rev().fold(element, |inner, dim| {
        dynamic |= dim.is_dynamic();
        let len = dim_tokens(dim);
        match (dynamic, copied) {
            (true, _) => quote!(#krate::__private::Vec::new()),
            (_, true) => quote!([#inner; #len]),
            (_, false) => quote!([const { #inner }; #len]),
        }
    })
}
