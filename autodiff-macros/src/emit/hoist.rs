//! Arrays that every iteration of a loop makes are made before the loop.
//!
//! ```text
//! for _ in 0..steps {                       let mut k = vec![0.0; n];
//!     let mut k = vec![0.0; n];             for _ in 0..steps {
//!     …                                         k.fill(0.0);
//! }                                             …
//!                                           }
//! ```
//!
//! What an iteration gives back, the next one asks for again, and large memory comes page by page from the system: that
//! takes longer than what is computed in it. The size must be known before the loop, and the array must stay where it is: what
//! is moved to another place, such as the next value of a carried array, is made anew.

use super::body::Emitter;
use super::types::{filled, zero};
use crate::analysis::updates::{changes, updates};
use crate::analysis::uses::collect_defined;
use crate::analysis::writes::only_write;
use crate::ir::{Block, Eqn, Op, Ty, Var};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::HashSet;

/// An array that is there already when it is made.
pub(super) struct Hoisted {
    pub(super) name: Ident,
    /// Whether every element is written before it is read.
    covered: bool,
}

impl Emitter<'_> {
    /// Makes the arrays of a loop before it.
    pub(super) fn hoist(&mut self, step: &Block, out: &mut TokenStream) {
        let mut found = Vec::new();
        self.made_in(step, &mut found);
        if found.is_empty() {
            return;
        }
        let mut inside: HashSet<Var> = step.params.iter().copied().collect();
        collect_defined(step, &mut inside);
        for (eqn, covered) in found {
            let var = eqn.outs[0];
            let ty = self.var_ty(var);
            // Those of a type that is not made with sizes may have other names by now.
            let sizes = if let Op::Zero = eqn.op { eqn.args.clone() } else { ty.size_vars() };
            if sizes.iter().any(|size| inside.contains(size) || !self.values.contains_key(size)) {
                continue;
            }
            let name = self.new_array(eqn, out);
            self.hoisted.insert(var, Hoisted { name, covered });
        }
    }

    /// The equations that make arrays which stay where they are, also those of the loops inside.
    fn made_in<'e>(&self, block: &'e Block, found: &mut Vec<(&'e Eqn, bool)>) {
        for (k, eqn) in block.eqns.iter().enumerate() {
            match &eqn.op {
                Op::Get if !one_piece(self.var_ty(eqn.outs[0])) => {}
                Op::Get if !changes(block, eqn.outs[0]) && !changes(block, eqn.args[0]) => {}
                Op::Zero | Op::Copy | Op::Get => {
                    let var = eqn.outs[0];
                    let own = !self.homes.contains_key(&var) && !self.hoisted.contains_key(&var);
                    if own && one_piece(self.var_ty(var)) && self.stays(block, vec![var], &[]) {
                        found.push((eqn, self.covered(&block.eqns[k + 1..], var)));
                    }
                }
                Op::For { .. } | Op::While { .. } => self.made_in(eqn.step(), found),
                _ => {}
            }
        }
    }

    /// Whether the first thing that happens to an array is that a loop writes all of it.
    fn covered(&self, later: &[Eqn], var: Var) -> bool {
        let Some(first) = later.iter().find(|eqn| eqn.uses(var)) else { return false };
        let places: Vec<usize> = (0..first.args.len()).filter(|k| first.args[*k] == var).collect();
        let [place] = places[..] else { return false };
        first.as_for().is_some_and(|(.., region)| !region.uses(var))
            && only_write(&self.body().vars, None, first, place).is_some()
    }

    /// Makes an array of zeros that has been made already.
    pub(super) fn clear(&mut self, var: Var, out: &mut TokenStream) {
        let Some(Hoisted { name, covered }) = self.hoisted.get(&var) else { return };
        let (name, covered) = (name.clone(), *covered);
        if !covered {
            let ty = self.var_ty(var);
            let row = Ty { dims: ty.dims[1..].to_vec(), ..ty.clone() };
            let krate = self.krate.clone();
            let zeros = filled(&row, &zero(&ty.elem, &krate), &krate, &mut crate::parse::tokens::dim_tokens);
            out.extend(quote!(#name.fill(#zeros);));
        }
        self.keep_fixed(var, &name);
    }

    /// Copies an array, or a row of one, into what has been made already.
    pub(super) fn copy_into(&mut self, eqn: &Eqn, out: &mut TokenStream) {
        let (var, from) = (eqn.outs[0], eqn.args[0]);
        let Some(name) = self.hoisted.get(&var).map(|hoisted| hoisted.name.clone()) else { return };
        if let Op::Get = eqn.op {
            let (row, _) = self.element(from, &eqn.args[1..]);
            out.extend(quote!(#name.copy_from_slice(&#row);));
            return self.keep_fixed(var, &name);
        }
        let place = self.place(from);
        let source = &place.tokens;
        out.extend(match place.after.is_empty() {
            true => quote!(#name.copy_from_slice(&#source);),
            false => {
                let part = place.of(quote!(item));
                quote! {
                    for (to, item) in ::core::iter::Iterator::zip(#name.iter_mut(), #source.iter()) {
                        *to = ::core::clone::Clone::clone(&#part);
                    }
                }
            }
        });
        self.keep_fixed(var, &name);
    }

    /// Whether nothing in a block takes away an array that is known under these names. It may be among the results at the
    /// places `kept`, where a loop carries it on.
    fn stays(&self, block: &Block, mut names: Vec<Var>, kept: &[usize]) -> bool {
        for eqn in &block.eqns {
            let moved = match eqn.op {
                // What is read again is copied.
                Op::Set if self.uses.get(&eqn.args[1]) == Some(&1) => &eqn.args[1..],
                Op::Push | Op::Pack => &eqn.args[..],
                _ => &[],
            };
            if moved.iter().any(|arg| names.contains(arg)) {
                return false;
            }
            let carried: Vec<usize> = match eqn.op {
                Op::For { .. } | Op::While { .. } => {
                    (0..eqn.args.len()).filter(|k| names.contains(&eqn.args[*k])).collect()
                }
                _ => Vec::new(),
            };
            for region in &eqn.regions {
                let params = carried.iter().map(|k| region.params[eqn.first_carried() + k]);
                if !self.stays(region, names.iter().copied().chain(params).collect(), &carried) {
                    return false;
                }
            }
            let after = updates(eqn).into_iter().filter(|(arg, _)| names.contains(&eqn.args[*arg]));
            let after: Vec<Var> = after.map(|(_, out)| eqn.outs[out]).collect();
            names.extend(after);
        }
        block.results.iter().enumerate().all(|(k, result)| kept.contains(&k) || !names.contains(result))
    }
}

/// Whether an array is on the heap, in one piece.
fn one_piece(ty: &Ty) -> bool {
    let [first, rest @ ..] = &ty.dims[..] else { return false };
    first.is_dynamic() && !ty.is_ragged() && !rest.iter().any(crate::ir::dim::Dim::is_dynamic)
}
