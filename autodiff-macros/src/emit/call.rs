//! Calls of other differentiable functions and of their derivatives.

use super::body::{Emitter, Lent, Own};
use super::leaves::leaf_tokens;
use crate::ir::{Call, CallKind, Eqn, Layout, Var};
use crate::layout::{self, Access, Leaf};
use crate::lower::target::Target;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Emitter<'_> {
    pub(super) fn call(&mut self, eqn: &Eqn, call: &Call, out: &mut TokenStream) {
        // A callee may do anything: what is pending is written down first.
        self.settle(out);
        let target = &call.target;
        let (path, generics) = (&target.path, &target.generics);
        let layout = Layout::of(call);
        let own_vars = self.own_vars(target, call.kind, &eqn.args);
        let mut vars = eqn.given(&layout.args.own).iter().copied();
        // What the callee's residuals own is not passed again.
        let again = call.kind == CallKind::Reverse && self.own == Own::Owned;
        let reverse = call.kind == CallKind::Reverse;
        let args: Vec<TokenStream> = match reverse {
            _ if again => Vec::new(),
            // What has been changed is not there any more.
            true => self.unchanged_arguments(target, &mut vars, out),
            false => target.args.iter().map(|arg| self.argument(arg, &mut vars, out)).collect(),
        };
        let unchanged = target.unchanged_args(&own_vars);
        let mut dots = Vec::new();
        for part in &layout.args.dots {
            dots.extend(self.tangents(target, &own_vars, eqn.given(part), out));
        }
        let data = layout.args.data.map(|at| self.borrow(eqn.args[at]));
        let seeds: Vec<Var> = layout.args.seeds.iter().flat_map(|part| eqn.given(part)).copied().collect();
        let seeds: Vec<TokenStream> = seeds.into_iter().map(|seed| self.given(seed)).collect();
        let local = match call.kind {
            CallKind::Reverse => false,
            CallKind::Joint => call.repeats.is_none(),
            _ => true,
        };
        let mut bars = Vec::new();
        for (part, after) in layout.args.bars.iter().zip(&layout.outs.bars) {
            bars.extend(self.cotangents(target, &own_vars, eqn.given(part), eqn.made(after), local, out));
        }
        if reverse {
            out.extend(match self.own {
                Own::Borrowed => quote!(#path #generics::__reverse(#(#args,)* #data, #(#seeds,)* #(#bars),*);),
                Own::Owned => quote!(#path #generics::__pullback(#data, #(#seeds,)* #(#bars),*);),
            });
            out.extend(std::mem::take(&mut self.after_call));
            return;
        }

        let both_sweeps = matches!(call.kind, CallKind::Joint | CallKind::JointJvp);
        if (both_sweeps || call.repeats.is_some()) && !target.is_self {
            let krate = &self.krate;
            out.extend(quote!(#krate::__private::runs_again::<#path #generics>();));
        }
        let result = self.result_name(eqn.made(&layout.outs.returned));
        let result_dots: Vec<Ident> =
            layout.outs.dots.iter().map(|(part, _)| self.result_name(eqn.made(part))).collect();
        match call.kind {
            // A function that calls itself has both sweeps as one.
            CallKind::Joint if !target.is_self => {
                let mut vars = unchanged.into_iter();
                let again = self.unchanged_arguments(target, &mut vars, out);
                let (krate, saved) = (&self.krate.clone(), self.names.local("saved"));
                let empty = quote!(<#path #generics as #krate::__private::Sweeps>::EMPTY);
                out.extend(quote! {
                    let mut #saved = #empty;
                    let mut #result = #path #generics::__forward(#(#args,)* &mut #saved);
                    #path #generics::__reverse(#(#again,)* &#saved, #(#seeds,)* #(#bars),*);
                });
            }
            CallKind::Forward => {
                let Some(data) = layout.outs.data.map(|at| eqn.outs[at]) else { return };
                match (self.own, self.homes.get(&data).cloned()) {
                    (Own::Borrowed, Some(home)) => {
                        out.extend(quote!(let mut #result = #path #generics::__forward(#(#args,)* #home);));
                    }
                    (Own::Borrowed, None) => {
                        let (krate, saved) = (&self.krate.clone(), self.local(data));
                        let empty = quote!(<#path #generics as #krate::__private::Sweeps>::EMPTY);
                        out.extend(quote! {
                            let mut #saved = #empty;
                            let mut #result = #path #generics::__forward(#(#args,)* &mut #saved);
                        });
                        self.define_place(data, quote!(#saved));
                        self.define_number(data, quote!(#saved));
                    }
                    (Own::Owned, _) => {
                        let saved = self.local(data);
                        out.extend(quote!(let (mut #result, #saved) = #path #generics::forward(#(#args),*);));
                        self.define_place(data, quote!(#saved));
                        self.define_number(data, quote!(#saved));
                    }
                }
            }
            kind => {
                let function = match kind {
                    CallKind::Joint => "::__joint",
                    CallKind::Gradient => "::__accumulate",
                    CallKind::Jvp => "::jvp",
                    CallKind::JointJvp => "::__joint_jvp",
                    CallKind::JvpJvp => "::__jvp_jvp",
                    CallKind::Value | CallKind::Forward | CallKind::Reverse => "",
                };
                let function: TokenStream = function.parse().unwrap_or_default();
                let call = quote!(#path #generics #function(#(#args,)* #(#dots,)* #(#seeds,)* #(#bars),*));
                out.extend(match &result_dots[..] {
                    [] if kind == CallKind::Value => quote!(let #result = #call;),
                    [] => quote!(let mut #result = #call;),
                    dots => quote!(let (mut #result, #(mut #dots),*) = #call;),
                });
            }
        }
        out.extend(std::mem::take(&mut self.after_call));
        self.results(&target.results, &quote!(#result), eqn.made(&layout.outs.returned), out);
        self.changed(target, &own_vars, eqn.made(&layout.outs.changed));
        let parts = layout.args.dots.iter().zip(&layout.outs.dots);
        for (dot, (given, (after, changed))) in result_dots.iter().zip(parts) {
            self.result_dots(target, &quote!(#dot), eqn.made(after));
            self.changed_dots(target, eqn.given(given), eqn.made(changed));
        }
    }

    /// The callee's own arguments; in place of what it has changed stands what follows it, which is not looked at.
    fn own_vars(&self, target: &Target, kind: CallKind, args: &[Var]) -> Vec<Var> {
        if kind != CallKind::Reverse {
            return args[..target.own_args()].to_vec();
        }
        let changed = target.changed_args();
        let mut left = args.iter().copied();
        let filler = args.first().copied().unwrap_or(Var(0));
        (0..target.own_args())
            .map(|k| if changed.contains(&k) { filler } else { left.next().unwrap_or(filler) })
            .collect()
    }

    /// What a callee has changed is where it was.
    fn changed(&mut self, target: &Target, own: &[Var], outs: &[Var]) {
        for (at, out) in target.changed_args().into_iter().zip(outs) {
            self.after(own[at], *out);
        }
    }

    fn changed_dots(&mut self, target: &Target, dots: &[Var], outs: &[Var]) {
        let (active, changed) = (target.active_args(), target.changed_args());
        let dots = active.zip(dots).filter(|(at, _)| changed.contains(at)).map(|(_, dot)| *dot).collect::<Vec<_>>();
        for (dot, out) in dots.into_iter().zip(outs) {
            self.after(dot, *out);
        }
    }

    fn after(&mut self, before: Var, after: Var) {
        match self.lent.pop_front() {
            Some(Lent::Number(value)) => self.define_number(after, value),
            Some(Lent::Array(place)) => drop(self.places.insert(after, place)),
            Some(Lent::There) | None => self.share_place(after, before),
        }
    }

    /// The tangents of results.
    fn result_dots(&mut self, target: &Target, root: &TokenStream, dots: &[Var]) {
        for (leaf, dot) in target.results.differentiable_leaves().zip(dots) {
            let tokens = leaf_tokens(root, &leaf.access, leaf.form);
            if self.var_ty(*dot).is_scalar() {
                self.define_number(*dot, tokens);
            } else {
                self.define_place(*dot, tokens);
            }
        }
    }

    fn result_name(&mut self, outs: &[Var]) -> Ident {
        match outs {
            [out] => self.local(*out),
            _ => self.names.local("result"),
        }
    }

    fn results(&mut self, layout: &layout::Layout, root: &TokenStream, outs: &[Var], out: &mut TokenStream) {
        for (Leaf { access, form, .. }, var) in layout.leaves(&Access::root(0)).iter().zip(outs) {
            if access.is_in_enum() {
                self.take_result(*var, root, access, *form, out);
                continue;
            }
            let tokens = leaf_tokens(root, access, *form);
            if self.var_ty(*var).is_scalar() {
                self.define_number(*var, tokens);
            } else {
                self.define_place(*var, tokens);
            }
        }
    }
}
