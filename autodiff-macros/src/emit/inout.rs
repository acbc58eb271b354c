//! Parameters that are mutable borrows. What they hold at the end is a result of the body, and is written back unless
//! it has been computed in place; tangents and cotangents of theirs are in-out in the same way.

use super::body::Emitter;
use super::item::Item;
use crate::ir::Var;
use crate::ir::interface::{Along, Interface, Of, Role};
use crate::layout::{Access, Kind, Layout};
use crate::parse::ty::{Seq, Surface};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// What a parameter, its tangent or its cotangent becomes.
pub(super) struct Change {
    /// The variable for what it was.
    pub(super) first: Var,
    pub(super) last: Var,
    /// Whether it is behind a slice, whose length cannot change.
    pub(super) slice: bool,
}

impl Item<'_> {
    /// The changed parameters with the places of their last values among the body's results.
    pub(super) fn changed(&self) -> Vec<(Var, usize)> {
        let own = self.own_results();
        let leaves = self.primal.inout.iter().enumerate();
        leaves.map(|(k, leaf)| (self.primal.leaves[*leaf].var, own + k)).collect()
    }

    /// How many results the function itself has.
    pub(super) fn own_results(&self) -> usize {
        self.primal.body.block.results.len() - self.primal.inout.len()
    }

    /// What the function itself returns, or the tangents of it.
    pub(super) fn returned_values(&self, interface: &Interface, results: &[Var], along: Along) -> Vec<Var> {
        let is_own = |role: Role| matches!(role.of, Of::Result(k) if k < self.own_results());
        interface.outputs_of(results, |role| is_own(role) && !role.is_cotangent() && role.along == along)
    }

    fn is_slice(&self, leaf: usize) -> bool {
        let access = &self.primal.leaves[leaf].access;
        access.path.is_empty() && matches!(self.params[access.root].surface, Surface::Seq(_, Seq::Slice))
    }

    fn is_sequence(&self, leaf: usize) -> bool {
        let access = &self.primal.leaves[leaf].access;
        access.path.is_empty() && matches!(self.params[access.root].surface, Surface::Seq(..))
    }

    /// What becomes of the parameters, or of their tangents.
    pub(super) fn value_changes(&self, interface: &Interface, results: &[Var], along: Along) -> Vec<Change> {
        let own = self.own_results();
        let changes = self.primal.inout.iter().enumerate().filter_map(|(k, leaf)| {
            let last = interface.output(results, Role::value(Of::Result(own + k)).towards(along))?;
            let access = &self.primal.leaves[*leaf].access;
            if along == Along::NONE && (access.is_in_enum() || access.is_in_rotation()) {
                return None;
            }
            let (first, slice) = match along {
                Along::NONE => (self.primal.leaves[*leaf].var, self.is_slice(*leaf)),
                along => (interface.input(Role::value(self.input(*leaf)?).towards(along))?, self.is_sequence(*leaf)),
            };
            Some(Change { first, last, slice })
        });
        changes.collect()
    }

    /// The enums and rotations in what changes, as they are at the end: where they are, and what is put there.
    pub(super) fn whole_changes(
        &self,
        interface: &Interface,
        results: &[Var],
        emitter: &mut Emitter,
        out: &mut TokenStream,
    ) -> Vec<(TokenStream, TokenStream)> {
        let own = self.own_results();
        let mut written = Vec::new();
        for (root, param) in self.params.iter().enumerate().filter(|(_, param)| param.is_mut) {
            if !param.surface.has_enum() && !param.surface.has_rotation() {
                continue;
            }
            let of_root = self.primal.leaves.iter().enumerate().filter(|(_, leaf)| leaf.access.root == root);
            let mut last = of_root.map(|(k, leaf)| {
                let changed = self.primal.inout.iter().position(|inout| *inout == k);
                let changed = changed.and_then(|at| interface.output(results, Role::value(Of::Result(own + at))));
                (leaf.var, changed.unwrap_or(leaf.var))
            });
            wholes_of(&Layout::of(&param.surface), Access::root(root), &mut |layout, access| {
                let Some((access, layout)) = access.zip(layout) else {
                    last.next();
                    return;
                };
                let leaves: Vec<(Var, Var)> = last.by_ref().take(layout.types().len()).collect();
                if leaves.iter().all(|(first, last)| first == last) {
                    return;
                }
                let name = &param.name;
                // What has not been read yet is still there.
                for (first, last) in &leaves {
                    if first == last && !emitter.values.contains_key(first) {
                        let of_enum = self.primal.leaves.iter().find(|leaf| leaf.var == *first);
                        let of_enum = of_enum.map(|leaf| (leaf.access.clone(), leaf.form));
                        if let Some((access, form)) = of_enum {
                            emitter.take_result(*first, &quote!(#name), &access, form, out);
                        }
                    }
                }
                let place = if access.path.is_empty() { quote!(*#name) } else { access.apply(quote!(#name)) };
                let value = emitter.assemble_copy(layout, &mut leaves.into_iter().map(|(_, last)| last));
                written.push((place, value));
            });
        }
        written
    }

    /// The changes of cotangents: those that come in, and those that go out.
    pub(super) fn cotangent_changes(&self, interface: &Interface, results: &[Var], along: Along) -> Vec<Change> {
        let changes = self.primal.inout.iter().filter_map(|leaf| {
            let role = Role::cotangent(self.input(*leaf)?).towards(along);
            let (first, last) = (interface.input(role)?, interface.output(results, role)?);
            Some(Change { first, last, slice: self.is_sequence(*leaf) })
        });
        changes.collect()
    }

    /// Which input a leaf is, if the function is differentiated by it.
    fn input(&self, leaf: usize) -> Option<Of> {
        let leaves = &self.primal.leaves;
        leaves[leaf].active.then(|| Of::Input(leaves[..leaf].iter().filter(|leaf| leaf.active).count()))
    }

    /// Names a result, so that it does not change with what is written back after it.
    pub(super) fn hold(&self, emitter: &mut Emitter, value: TokenStream, out: &mut TokenStream) -> TokenStream {
        if self.primal.inout.is_empty() {
            return value;
        }
        let name: Ident = emitter.names.local("result");
        out.extend(quote!(let #name = #value;));
        quote!(#name)
    }
}

/// Walks through the leaves of a value that change by themselves, and through the outermost enums and rotations.
fn wholes_of(layout: &Layout, access: Access, visit: &mut dyn FnMut(Option<&Layout>, Option<Access>)) {
    match layout {
        Layout::Parts(Kind::Struct(ty), _) if ty.changes_as_a_whole() => visit(Some(layout), Some(access)),
        Layout::Parts(kind, parts) => {
            for (k, part) in parts.iter().enumerate() {
                wholes_of(part, access.then(kind.step(k)), visit);
            }
        }
        Layout::Leaf(..) => visit(None, None),
        Layout::Each(item, _) => item.types().iter().for_each(|_| visit(None, None)),
        Layout::Passive(_) => {}
    }
}

impl Emitter<'_> {
    /// Puts enums and rotations back that have changed, after everything else that reads what they were.
    pub(super) fn hold_wholes(
        &mut self,
        changes: Vec<(TokenStream, TokenStream)>,
        out: &mut TokenStream,
    ) -> TokenStream {
        let mut writes = TokenStream::new();
        for (place, value) in changes {
            let name = self.names.local("last");
            out.extend(quote!(let #name = #value;));
            writes.extend(quote!(#place = #name;));
        }
        writes
    }

    pub(super) fn write_back(&mut self, changes: &[Change], out: &mut TokenStream) {
        if changes.is_empty() {
            return;
        }
        self.settle(out);
        let (mut held, mut writes) = (TokenStream::new(), TokenStream::new());
        for Change { first, last, slice } in changes {
            if self.var_ty(*first).is_scalar() {
                let (target, value) = (self.take(*first).tokens, self.number_argument(*last));
                if target.to_string() != value.to_string() {
                    let name = self.names.local("last");
                    held.extend(quote!(let #name = #value;));
                    writes.extend(quote!(#target = #name;));
                }
                continue;
            }
            let (place, made) = (self.place(*first), self.place(*last));
            if place.storage == made.storage {
                continue;
            }
            let target = &place.tokens;
            let mut value = self.value(*last);
            // What is in the place of another parameter is taken from there before that one changes.
            let arrays = changes.iter().filter(|other| !self.var_ty(other.first).is_scalar());
            if arrays.map(|other| self.place(other.first)).any(|place| place.storage == made.storage) {
                let name = self.names.local("last");
                held.extend(if *slice { quote!(let #name = #value.to_vec();) } else { quote!(let #name = #value;) });
                value = quote!(#name);
            }
            if !place.after.is_empty() {
                let part = place.of(quote!(row));
                writes.extend(quote!(for (row, value) in ::core::iter::Iterator::zip(#target.iter_mut(), #value) { #part = value; }));
                continue;
            }
            writes.extend(match (slice, place.is_ref) {
                (true, _) => quote!(#target.copy_from_slice(&#value);),
                (false, true) => quote!(*#target = #value;),
                (false, false) => quote!(#target = #value;),
            });
        }
        out.extend(held);
        out.extend(writes);
    }
}
