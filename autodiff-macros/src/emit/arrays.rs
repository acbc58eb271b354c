//! Arrays of a body: where they are made, on the stack or on the heap, and the kernels that write whole ones.

use super::body::{Emitter, Place};
use super::types::{array_type, filled};
use crate::ir::{Block, Elem, Eqn, Op, Var};
use crate::op::batched::Batch;
use crate::parse::tokens::dim_tokens;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

impl Emitter<'_> {
    pub(super) fn buffer(&mut self, eqn: &Eqn, out: &mut TokenStream) {
        let var = eqn.outs[0];
        if let Some(home) = self.homes.get(&var) {
            let (tokens, storage) = (quote!(#home), self.storage());
            self.places.insert(var, Place { tokens, is_ref: true, storage, after: TokenStream::new() });
            return;
        }
        if self.is_large(var) {
            self.large_array(var, out);
            return;
        }
        let name = self.new_array(eqn, out);
        self.keep(var, &name);
    }

    /// Whether an array of constant size may have to be on the heap. What calls hand over is not copied out of there.
    pub(super) fn is_large(&self, var: Var) -> bool {
        self.ty(var).may_be_large() && !matches!(self.ty(var).elem, Elem::Data(_))
    }

    /// Declares an array of zeros that is where there is room for it, as a reference.
    pub(super) fn large_array(&mut self, var: Var, out: &mut TokenStream) -> Ident {
        self.declare_large(var, TokenStream::new(), out)
    }

    pub(super) fn declare_large(&mut self, var: Var, content: TokenStream, out: &mut TokenStream) -> Ident {
        let (krate, ty) = (self.krate.clone(), self.ty(var));
        let (name, array) = (self.local(var), array_type(ty, &krate));
        let zeros = filled(ty, &super::types::zero(&ty.elem, &krate), &krate, &mut dim_tokens);
        out.extend(quote!(#krate::__array!(#name: #array = #zeros #content);));
        self.keep(var, &name);
        if let Some(place) = self.places.get_mut(&var) {
            place.is_ref = true;
        }
        name
    }

    /// Copies an array into another of its size without a third one on the stack.
    pub(super) fn copy_over(&self, to: &impl ToTokens, from: Var) -> TokenStream {
        let source = self.place(from).tokens;
        quote!(#to.copy_from_slice(&#source[..]);)
    }

    /// Whether nothing reads an array after an equation of a block, also not in the next iteration.
    pub(super) fn dies(&self, var: Var, at: &Eqn, block: &Block) -> bool {
        let storage = self.place(var).storage;
        let carried = block.params.iter().any(|param| self.places.get(param).is_some_and(|own| own.storage == storage));
        let made_here = block.eqns.iter().any(|other| other.outs.contains(&var));
        let mut later = block.eqns.iter().skip_while(|eqn| eqn.outs != at.outs).skip(1);
        made_here && !carried && !block.results.contains(&var) && !later.any(|eqn| eqn.uses(var))
    }

    /// Declares an array of zeros.
    pub(super) fn new_array(&mut self, eqn: &Eqn, out: &mut TokenStream) -> Ident {
        let var = eqn.outs[0];
        let ty = self.ty(var);
        // The sizes of zeros are the arguments: the type says how they are put together.
        let sizes = if let Op::Zero = eqn.op { ty.size_vars() } else { Vec::new() };
        let size = |var: Var| sizes.iter().position(|size| *size == var).map_or(var, |k| eqn.args[k]);
        let krate = self.krate.clone();
        let zero = super::types::zero(&ty.elem, &krate);
        let (name, array) = (self.local(var), filled(ty, &zero, &krate, &mut |dim| self.size(&dim.rename(&size))));
        out.extend(quote!(let mut #name = #array;));
        name
    }

    /// A kernel for each element of a batch. `args`: the result, then the operands.
    pub(super) fn batched(&mut self, batch: &Batch, kernel: &Ident, args: &[Var]) -> TokenStream {
        let indices: Vec<Ident> = batch.dims.iter().map(|_| self.names.index(None)).collect();
        let mut parts = Vec::new();
        for (k, (axes, arg)) in batch.axes.iter().zip([args[1], args[2], args[0]]).enumerate() {
            let place = self.place(arg).tokens;
            let at: Vec<_> =
                axes.iter().map(|axis| axis.map_or(quote!(0), |axis| indices[axis].to_token_stream())).collect();
            parts.push(match (&at[..], k) {
                ([], 2) => self.borrow_mut(arg),
                ([], _) => self.borrow(arg),
                (_, 2) => quote!(&mut #place #([#at])*),
                (..) => quote!(&#place #([#at])*),
            });
        }
        let krate = &self.krate;
        let (a, b, y) = (&parts[0], &parts[1], &parts[2]);
        let call = quote!(#krate::kernel::#kernel(#a, #b, #y););
        let loops = batch.dims.iter().zip(&indices).rev().fold(call, |inner, (dim, index)| {
            let dim = dim_tokens(dim);
            quote!(for #index in 0..#dim { #inner })
        });
        for index in indices.iter().rev() {
            self.names.release(index);
        }
        loops
    }
}
