//! Arrays of a body: where they are made, on the stack or on the heap, and the kernels that write whole ones.

use super::body::{Emitter, Place};
use super::types::{array_type, filled, filled_rows, number, zero};
use crate::ir::dim::Dim;
use crate::ir::{Block, Elem, Eqn, Op, Ty, Var};
use crate::op::batched::Batch;
use crate::parse::tokens::dim_tokens;
use crate::plan::{Hoisted, Part, Storage, on_stack};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

impl Emitter<'_> {
    pub(super) fn buffer(&mut self, eqn: &Eqn, out: &mut TokenStream) {
        let var = eqn.outs[0];
        match self.plan.storage(var) {
            Some(Storage::Destination(k)) => {
                let storage = self.storage();
                let mut name = self.destinations[*k].clone();
                if self.ty(var).is_dynamic() {
                    let (krate, row) = (self.krate.clone(), self.ty(var).row());
                    let zeros = filled(&row, &zero(&row.elem, &krate), &krate, &mut dim_tokens);
                    let length = self.size(&eqn.shape(&self.body().vars)[0]);
                    let place = std::mem::replace(&mut name, self.local(var));
                    out.extend(quote!(let #name = #krate::__private::zeros_in(#place, #zeros, #length);));
                }
                self.places.insert(var, Place { is_ref: true, ..Place::own(quote!(#name), storage) });
            }
            Some(Storage::Large) => drop(self.large_array(var, out)),
            Some(Storage::Part) => self.split(self.plan.parts(var), out),
            _ => {
                let name = self.new_array(var, eqn.shape(&self.body().vars), out);
                self.keep(var, &name);
            }
        }
    }

    /// Makes a `Vec` and the arrays that are parts of it.
    fn split(&mut self, parts: &[Part], out: &mut TokenStream) {
        let Some(Part { var: first, .. }) = parts.first() else { return };
        let (krate, row) = (self.krate.clone(), self.ty(*first).row());
        let zeros = filled(&row, &zero(&row.elem, &krate), &krate, &mut dim_tokens);
        let lengths: Vec<TokenStream> = parts.iter().map(|part| self.size(&part.length)).collect();
        let workspace = self.names.local("workspace");
        out.extend(match on_stack(&row) {
            Some(few) => {
                let few = few.dims.iter().map(dim_tokens);
                quote! {
                    let mut #workspace = #krate::__private::Scratch::<_, #(#few)*>::new(#zeros);
                    let #workspace = #workspace.zeros(#(#lengths)+*);
                }
            }
            None => {
                let made = filled_rows(&row.elem, &zeros, &quote!(#(#lengths)+*), &krate);
                quote! {
                    let mut #workspace = #made;
                    let #workspace = &mut #workspace[..];
                }
            }
        });
        let mut rest = parts.iter().zip(&lengths).peekable();
        while let Some((Part { var, .. }, length)) = rest.next() {
            let name = self.local(*var);
            out.extend(match rest.peek() {
                Some(_) => quote!(let (#name, #workspace) = #workspace.split_at_mut(#length);),
                None => quote!(let #name = #workspace;),
            });
            let storage = self.storage();
            self.places.insert(*var, Place { is_ref: true, ..Place::own(quote!(#name), storage) });
        }
    }

    /// Zeros in several directions for each element of an array whose length is known at run time, of rows of known sizes.
    pub(super) fn wide_zeros_like(&self, var: Var, wide: Var) -> TokenStream {
        let (place, ty, krate) = (self.place(var), self.var_ty(wide), &self.krate);
        let (rows, zero) = (place.tokens, number(&ty.elem, 0.0, true, krate));
        let row = ty.dims[1..].iter().rev().map(dim_tokens).fold(zero, |zeros, len| quote!([#zeros; #len]));
        filled_rows(&ty.elem, &row, &quote!(#rows.len()), krate)
    }

    /// Makes the arrays that are made before a loop.
    pub(super) fn hoist(&mut self, region: &Block, out: &mut TokenStream) {
        for Hoisted { var, shape, .. } in self.plan.before(region) {
            let name = self.new_array(*var, shape.clone(), out);
            self.hoisted.insert(*var, name);
        }
    }

    /// Makes an array again in the place where it has been made before the loop.
    pub(super) fn remake(&mut self, eqn: &Eqn, out: &mut TokenStream) {
        let var = eqn.outs[0];
        let name = self.hoisted[&var].clone();
        match eqn.op {
            Op::Zero(_) if self.plan.is_covered(var) => {}
            Op::Zero(_) => {
                let ty = self.var_ty(var);
                let row = ty.row();
                let zeros = filled(&row, &zero(&ty.elem, &self.krate), &self.krate, &mut dim_tokens);
                out.extend(quote!(#name.fill(#zeros);));
            }
            Op::Get => {
                let (row, _) = self.element(eqn.args[0], &eqn.args[1..]);
                out.extend(quote!(#name.copy_from_slice(&#row);));
            }
            _ => {
                let place = self.place(eqn.args[0]);
                let source = &place.tokens;
                out.extend(match place.after.is_empty() {
                    true => quote!(#name.copy_from_slice(&#source);),
                    false => self.copy_over(&name, eqn.args[0]),
                });
            }
        }
        self.keep_fixed(var, &name);
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
        let zeros = filled(ty, &zero(&ty.elem, &krate), &krate, &mut dim_tokens);
        out.extend(quote!(#krate::__array!(#name: #array = #zeros #content);));
        self.keep(var, &name);
        if let Some(place) = self.places.get_mut(&var) {
            place.is_ref = true;
        }
        name
    }

    /// Copies an array into another of its size without a third one on the stack.
    pub(super) fn copy_over(&self, to: &impl ToTokens, from: Var) -> TokenStream {
        let place = self.place(from);
        let source = &place.tokens;
        if place.after.is_empty() {
            return quote!(#to.copy_from_slice(&#source[..]););
        }
        let part = place.of(quote!(item));
        quote! {
            for (to, item) in ::core::iter::Iterator::zip(#to.iter_mut(), #source.iter()) {
                *to = ::core::clone::Clone::clone(&#part);
            }
        }
    }

    /// Whether nothing reads an array after an equation of a block, also not in the next iteration.
    pub(super) fn dies(&self, var: Var, at: &Eqn, block: &Block) -> bool {
        let storage = self.place(var).storage;
        let carried = block.params.iter().any(|param| self.places.get(param).is_some_and(|own| own.storage == storage));
        let made_here = block.eqns.iter().any(|other| other.outs.contains(&var));
        let mut later = block.eqns.iter().skip_while(|eqn| eqn.outs != at.outs).skip(1);
        made_here && !carried && !block.results.contains(&var) && !later.any(|eqn| eqn.uses(var))
    }

    /// Declares an array of zeros, of a shape in variables that are known here.
    fn new_array(&mut self, var: Var, shape: Vec<Dim>, out: &mut TokenStream) -> Ident {
        let ty = Ty::tensor(self.ty(var).elem.clone(), shape);
        let zero = zero(&ty.elem, &self.krate);
        let (krate, name) = (self.krate.clone(), self.local(var));
        let array = filled(&ty, &zero, &krate, &mut |dim| self.size(dim));
        out.extend(quote!(let mut #name = #array;));
        name
    }

    /// A kernel for each element of a batch. `args`: the result, then the operands.
    pub(super) fn batched(&mut self, batch: &Batch, kernel: &TokenStream, args: &[Var]) -> TokenStream {
        let indices: Vec<Ident> = batch.dims.iter().map(|_| self.names.index(None)).collect();
        let mut parts = Vec::new();
        for (k, (axes, arg)) in batch.axes.iter().zip([args[1], args[2], args[0]]).enumerate() {
            let Place { tokens: mut place, after, .. } = self.place(arg);
            let mut at: Vec<_> =
                axes.iter().map(|axis| axis.map_or(quote!(0), |axis| indices[axis].to_token_stream())).collect();
            // The first index chooses the struct that the array is in.
            if !after.is_empty() && !at.is_empty() {
                let first = at.remove(0);
                let element = crate::ir::fill_holes(after, &[quote!(#place[#first])]);
                place = quote!((#element));
                parts.push(if k == 2 { quote!(&mut #place #([#at])*) } else { quote!(&#place #([#at])*) });
                continue;
            }
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
