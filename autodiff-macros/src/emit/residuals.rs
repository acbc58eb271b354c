//! What a forward sweep hands to the reverse sweep: how it is laid out, and the traits that name it.

use super::bodies::{Planned, Sweeps};
use super::body::ResidualOwner;
use super::call::called;
use super::item::Item;
use super::names;
use super::types::{array_type, owned_type, target, zero, zero_of};
use crate::ir::effect;
use crate::ir::interface::Role;
use crate::ir::{Block, Body, Elem, Op, Ty, Var};
use crate::layout::{Layout, ParamLeaf};
use crate::parse::tokens::dim_tokens;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

impl Sweeps {
    /// Whether a loop keeps what calls hand over, or a branch hands it out. Residuals that own their arguments have no state
    /// before there are any, and so there are no arrays of them, and nothing that stands for them in the other branch.
    pub(super) fn keep_calls(&self) -> bool {
        fn starts_empty(body: &Body, block: &Block) -> bool {
            block.eqns.iter().any(|eqn| {
                let is_data = |out: &Var| matches!(body.ty(*out).elem, Elem::Data(_));
                matches!(eqn.op, Op::Zero(_)) && is_data(&eqn.outs[0])
                    || eqn.regions.iter().any(|region| starts_empty(body, region))
            })
        }
        [&self.forward.body, &self.reverse.body].into_iter().any(|body| starts_empty(body, &body.block))
    }

    /// The results of the forward sweep that are residuals.
    pub(super) fn handed_over(&self) -> Vec<Var> {
        let Planned { body, interface, .. } = &self.forward;
        interface.outputs_of(&body.block.results, |role| role == Role::RESIDUALS)
    }

    pub(super) fn saved_type(&self, owner: ResidualOwner, krate: &TokenStream) -> TokenStream {
        let types = self.saved.iter().map(|(_, ty)| match owner {
            ResidualOwner::Caller => array_type(ty, krate),
            ResidualOwner::Residuals => owned_type(ty, krate),
        });
        self.packed(&types.collect::<Vec<_>>(), &repeated)
    }

    /// The tuple of what is saved, be it types, values or names: numbers of one type are an array in it.
    pub(super) fn packed(&self, parts: &[TokenStream], array: &dyn Fn(&[TokenStream]) -> TokenStream) -> TokenStream {
        let mut groups: Vec<(Option<&Elem>, Vec<TokenStream>)> = Vec::new();
        for ((_, ty), part) in self.saved.iter().zip(parts) {
            let number = (ty.is_scalar() && !matches!(ty.elem, Elem::Data(_))).then_some(&ty.elem);
            match groups.iter_mut().find(|(of, _)| number.is_some() && *of == number) {
                Some((_, group)) => group.push(part.clone()),
                None => groups.push((number, vec![part.clone()])),
            }
        }
        let items = groups.iter().map(|(_, group)| if let [one] = &group[..] { one.clone() } else { array(group) });
        quote!((#(#items,)*))
    }

    /// What is saved as variables.
    pub(super) fn taken_apart(&self, names: &[Ident], tuple: &TokenStream) -> TokenStream {
        if names.is_empty() {
            return TokenStream::new();
        }
        let names: Vec<TokenStream> = names.iter().map(ToTokens::to_token_stream).collect();
        let pattern = self.packed(&names, &listed);
        quote!(let #pattern = #tuple;)
    }

    pub(super) fn inputs_type(&self, krate: &TokenStream) -> TokenStream {
        let inputs = self.read.iter().map(|leaf| array_type(self.reverse.body.ty(leaf.var), krate));
        quote!((#(#inputs,)*))
    }
}

impl Item<'_> {
    pub(super) fn residuals_type(&self, sweeps: &Sweeps) -> TokenStream {
        let (saved, inputs) = (sweeps.saved_type(ResidualOwner::Residuals, self.krate), sweeps.inputs_type(self.krate));
        let templates = self.dynamic_leaves().map(|leaf| self.template_type(leaf));
        match self.is_dynamic() {
            true => quote!((#saved, #inputs, (#(#templates,)*))),
            false => quote!((#saved, #inputs)),
        }
    }

    /// The differentiable leaves that are as long as run time tells.
    pub(super) fn dynamic_leaves(&self) -> impl Iterator<Item = &ParamLeaf> {
        self.active_leaves().filter(|leaf| self.primal.body.ty(leaf.var).is_dynamic())
    }

    /// What tells a pullback how long a gradient is: zeros in the residuals, for others to start from. Also the gradient
    /// that it starts with, and what is done to it before.
    pub(super) fn templates(&self) -> (TokenStream, TokenStream, TokenStream) {
        let krate = self.krate;
        if !self.is_dynamic() {
            let g = self.gradient_type();
            return (TokenStream::new(), quote!(<#g as #krate::__private::Zero>::ZERO), TokenStream::new());
        }
        let (roots, mut zeros) = (self.roots(), Vec::new());
        let (mut sized, mut rows) = (TokenStream::new(), TokenStream::new());
        let mut whole = std::collections::HashMap::new();
        for (k, leaf) in self.dynamic_leaves().enumerate() {
            let bar = roots.bar(leaf.access.root);
            let (kept, made, place) = self.template(leaf, k, &bar);
            rows.extend(self.sized_rows(leaf, k, &bar));
            zeros.push(kept);
            match place {
                None => drop(whole.insert(leaf.access.root, made)),
                // In a field of a parameter.
                Some(place) => sized.extend(quote!(#place = #made;)),
            }
        }
        let has_rows = !rows.is_empty();
        sized.extend(rows);
        let slots = self.params.iter().enumerate().filter(|(_, param)| param.active).map(|(k, _)| k);
        let start: Vec<TokenStream> = slots
            .zip(self.slots())
            .map(|(k, (param, slot))| {
                let ty = &slot.tangent;
                match whole.remove(&k) {
                    // The type of what is given its lengths later.
                    Some(made) if has_rows => quote!({ let zeros: #ty = #made; zeros }),
                    Some(made) => made,
                    None => zero_of(ty, &Layout::of(&param.surface), krate),
                }
            })
            .collect();
        let start = match &start[..] {
            [one] => one.clone(),
            all => quote!((#(#all),*)),
        };
        (quote!((#(#zeros,)*)), start, sized)
    }

    /// The trait that names what callers keep between the sweeps.
    pub(super) fn sweeps_trait(&self, sweeps: &Sweeps, workspace: &TokenStream) -> TokenStream {
        let krate = self.krate;
        let saved = sweeps.saved_type(ResidualOwner::Caller, krate);
        let empty: Vec<TokenStream> = sweeps.saved.iter().map(|(_, ty)| empty(ty, krate)).collect();
        let empty = sweeps.packed(&empty, &repeated);
        let mut effects = match effect::evaluates(&self.primal.body.block.eqns) {
            true => quote!(true),
            false => quote!(false),
        };
        for site in called(&self.primal.body.block, &self.primal.sites) {
            let (path, generics) = (&site.path, &site.generics);
            effects.extend(quote!(|| <#path #generics as #krate::__private::Sweeps>::EFFECTS));
        }
        let renew = self.renew(sweeps);
        let (impl_generics, self_ty, where_clause) = self.generics();
        quote! {
            #[automatically_derived]
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #impl_generics #krate::__private::Sweeps for #self_ty #where_clause {
                type Saved = #saved;
                const EMPTY: Self::Saved = #empty;
                #renew
                const EFFECTS: bool = #effects;
                const WORKSPACE_BYTES: usize = #workspace;
            }
        }
    }

    /// How residuals with arrays on the heap are made such that a forward sweep can write to them once more: it writes all
    /// numbers, and it makes arrays of a size that is known at run time.
    fn renew(&self, sweeps: &Sweeps) -> TokenStream {
        let krate = self.krate;
        let is_data = |ty: &Ty| ty.is_scalar() && matches!(ty.elem, Elem::Data(_));
        if !sweeps.saved.iter().any(|(_, ty)| ty.is_dynamic() || is_data(ty)) {
            return TokenStream::new();
        }
        let names: Vec<Ident> = (0..sweeps.saved.len()).map(|k| names::ours(&format!("saved_{k}"))).collect();
        let places = sweeps.taken_apart(&names, &quote!(&mut *saved));
        let renewed = sweeps.saved.iter().zip(&names).map(|((_, ty), name)| match &ty.elem {
            _ if ty.is_dynamic() => quote!(#name.clear();),
            Elem::Data(_) if ty.is_scalar() => {
                let callee = target(ty);
                quote!(<#callee as #krate::__private::Sweeps>::renew(#name);)
            }
            _ if ty.is_scalar() => TokenStream::new(),
            _ => {
                let empty = empty(ty, krate);
                quote!(*#name = #empty;)
            }
        });
        quote! {
            #[inline]
            fn renew(saved: &mut Self::Saved) -> &mut Self::Saved {
                #places
                #(#renewed)*
                saved
            }
        }
    }

    /// The trait that names residuals and sizes.
    pub(super) fn function_trait(&self, sweeps: &Sweeps) -> TokenStream {
        let krate = self.krate;
        let residuals = self.residuals_type(sweeps);
        let residuals = quote!(#krate::__private::Opaque<Self, #residuals>);
        let (impl_generics, self_ty, where_clause) = self.generics();
        quote! {
            #[automatically_derived]
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #impl_generics #krate::DifferentiableFn for #self_ty #where_clause {
                type Residuals = #residuals;
                const RESIDUAL_BYTES: usize = ::core::mem::size_of::<Self::Residuals>();
                const WORKSPACE_BYTES: usize = <Self as #krate::__private::Sweeps>::WORKSPACE_BYTES;
            }
        }
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

pub(super) fn listed(parts: &[TokenStream]) -> TokenStream {
    quote!([#(#parts),*])
}

/// An array whose elements are all the same.
pub(super) fn repeated(parts: &[TokenStream]) -> TokenStream {
    let (part, count) = (&parts[0], Literal::usize_unsuffixed(parts.len()));
    quote!([#part; #count])
}
