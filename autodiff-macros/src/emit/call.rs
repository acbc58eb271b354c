//! Calls of other differentiable functions and of their derivatives.

use super::argument::Arg;
use super::body::{Emitter, Moved, ResidualOwner};
use crate::ir::call::{CallArg, Origin, Passed};
use crate::ir::dim::Dim;
use crate::ir::interface::{Along, Interface, Of, Role};
use crate::ir::{Block, Body, Call, CallKind, Callee, Elem, Eqn, Op, Var};
use crate::layout::{Access, Layout, Leaf};
use crate::lower::call_site::{ArgPassing, Argument, CallSite, CallSites};
use crate::parse::tokens::dim_tokens;
use crate::plan::Storage;
use crate::tokens::placed;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::collections::HashSet;
use std::rc::Rc;

/// A call that is being written: what goes in and comes out, by role.
pub(super) struct Written<'c> {
    pub(super) call: &'c Call,
    site: &'c CallSite,
    slots: Interface,
    outs: &'c [Var],
}

impl<'c> Written<'c> {
    fn new(eqn: &'c Eqn, call: &'c Call, site: &'c CallSite) -> Written<'c> {
        Written { call, site, slots: call.interface(eqn), outs: &eqn.outs }
    }

    pub(super) fn args(&self) -> impl Iterator<Item = Arg<'c>> + use<'c> {
        let args = self.call.callee.args.iter().zip(&self.site.args);
        args.map(|(ir, Argument { passing, by_ref })| Arg { ir, passing, by_ref: *by_ref })
    }

    pub(super) fn operand(&self, role: Role) -> Option<Var> {
        self.slots.input(role)
    }

    fn result(&self, role: Role) -> Option<Var> {
        self.slots.output(self.outs, role)
    }

    /// The operands of an argument. The reverse sweep is not given what the callee has changed.
    pub(super) fn operands(&self, arg: Arg) -> Vec<Var> {
        arg.ir.operands.clone().filter_map(|k| self.operand(Role::value(Of::Input(k)))).collect()
    }

    /// The places in an array that belong to an argument.
    pub(super) fn places(&self, arg: Arg) -> Vec<Var> {
        let places = arg.ir.values().end..arg.ir.operands.end;
        places.filter_map(|k| self.operand(Role::value(Of::Input(k)))).collect()
    }

    /// The tangents of an argument.
    pub(super) fn dots(&self, arg: Arg, along: Along) -> Vec<Var> {
        let roles = arg.ir.active_operands().map(|k| Role::value(Of::Input(k)).towards(along));
        roles.filter_map(|role| self.operand(role)).collect()
    }

    /// The cotangents of an argument, before and after the call.
    pub(super) fn bars(&self, arg: Arg, along: Along) -> Vec<(Var, Var)> {
        let roles = arg.ir.active_operands().map(|k| Role::cotangent(Of::Input(k)).towards(along));
        roles.filter_map(|role| Some((self.operand(role)?, self.result(role)?))).collect()
    }

    /// What the callee returns, or the tangents of it.
    fn returned(&self, along: Along) -> Vec<Var> {
        let roles = (0..self.call.callee.results.len()).map(|k| Role::value(Of::Result(k)).towards(along));
        roles.filter_map(|role| self.result(role)).collect()
    }

    /// What the callee changes, or the tangents of it, with what it is afterwards.
    fn changed(&self, along: Along) -> Vec<(Role, Var, Var)> {
        let callee = &self.call.callee;
        let pairs = callee.changed_operands().filter_map(|k| {
            let before = Role::value(Of::Input(k)).towards(along);
            let after = Role::value(Of::Result(callee.result_of(k)?)).towards(along);
            Some((before, self.operand(before)?, self.result(after)?))
        });
        pairs.collect()
    }
}

impl Emitter<'_> {
    pub(super) fn call(&mut self, eqn: &Eqn, call: &Call, out: &mut TokenStream) {
        // A callee may do anything: what is pending is written down first.
        self.settle(out);
        let site = self.sites[call.callee.site].clone();
        let (path, generics) = (&site.path, &site.generics);
        let written = Written::new(eqn, call, &site);
        let kind = call.kind;
        let args: Vec<TokenStream> = match kind {
            // What the callee's residuals own is not passed again.
            CallKind::Reverse if self.residual_owner == ResidualOwner::Residuals => Vec::new(),
            // What has been changed is not there any more.
            CallKind::Reverse => self.unchanged_arguments(&written, out),
            _ => written.args().map(|arg| self.argument(arg, &written.operands(arg), out)).collect(),
        };
        if kind.is_in_lanes() && self.is_wide_call(&written) {
            self.note_repetition(&written, out);
            return self.wide_call(&written, &args, out);
        }
        let mut dots = Vec::new();
        for along in kind.tangents() {
            dots.extend(self.tangents(&written, *along, out));
        }
        let data = written.operand(Role::RESIDUALS).map(|data| self.borrow(data));
        let mut seeds = Vec::new();
        for along in kind.seeds() {
            let roles = (0..call.callee.results.len()).map(|k| Role::cotangent(Of::Result(k)).towards(*along));
            seeds.extend(roles.filter_map(|role| written.operand(role)).map(|seed| self.given(seed)));
        }
        let mut bars = Vec::new();
        for along in kind.cotangents() {
            bars.extend(self.cotangents(&written, *along, out));
        }
        if kind == CallKind::Reverse {
            out.extend(match self.residual_owner {
                ResidualOwner::Caller => quote!(#path #generics::__reverse(#(#args,)* #data, #(#seeds,)* #(#bars),*);),
                ResidualOwner::Residuals => quote!(#path #generics::__pullback(#data, #(#seeds,)* #(#bars),*);),
            });
            out.extend(std::mem::take(&mut self.after_call));
            return;
        }

        self.note_repetition(&written, out);
        let result = self.result_name(&written.returned(Along::NONE));
        let result_dots: Vec<(Along, Ident)> =
            kind.tangents().iter().map(|along| (*along, self.result_name(&written.returned(*along)))).collect();
        match kind {
            // A rule needs nothing of the function itself.
            CallKind::Joint if call.callee.origin == Origin::Rule && !self.is_read(&written.returned(Along::NONE)) => {
                let krate = &self.krate;
                let empty = quote!(<#path #generics as #krate::__private::Sweeps>::EMPTY);
                out.extend(quote!(#path #generics::__reverse(#(#args,)* &#empty, #(#seeds,)* #(#bars),*);));
                out.extend(std::mem::take(&mut self.after_call));
                return;
            }
            // A function that calls itself has both sweeps as one.
            CallKind::Joint if !call.callee.is_self => {
                let again = self.unchanged_arguments(&written, out);
                let (krate, saved) = (&self.krate.clone(), self.names.local("saved"));
                let empty = quote!(<#path #generics as #krate::__private::Sweeps>::EMPTY);
                out.extend(quote! {
                    let mut #saved = #empty;
                    let mut #result = #path #generics::__forward(#(#args,)* &mut #saved);
                    #path #generics::__reverse(#(#again,)* &#saved, #(#seeds,)* #(#bars),*);
                });
            }
            CallKind::Jacobian => {
                let blocks = self.blocks(&written, out);
                out.extend(quote!(let mut #result = #path #generics::__jacobian(#(#args,)* #(#blocks),*);));
            }
            CallKind::Forward => {
                let Some(data) = written.result(Role::RESIDUALS) else { unreachable!("a sweep without residuals") };
                match (self.residual_owner, self.plan.storage(data)) {
                    (ResidualOwner::Caller, Some(Storage::Destination(k))) => {
                        let destination = &self.destinations[*k];
                        out.extend(quote!(let mut #result = #path #generics::__forward(#(#args,)* #destination);));
                    }
                    (ResidualOwner::Caller, Some(Storage::Element { array, at })) => {
                        let (krate, (element, _)) = (self.krate.clone(), self.element(*array, at));
                        let place = quote!(<#path #generics as #krate::__private::Sweeps>::renew(&mut #element));
                        out.extend(quote!(let mut #result = #path #generics::__forward(#(#args,)* #place);));
                    }
                    (ResidualOwner::Caller, _) => {
                        let (krate, saved) = (&self.krate.clone(), self.local(data));
                        let empty = quote!(<#path #generics as #krate::__private::Sweeps>::EMPTY);
                        out.extend(quote! {
                            let mut #saved = #empty;
                            let mut #result = #path #generics::__forward(#(#args,)* &mut #saved);
                        });
                        self.define_place(data, quote!(#saved));
                        self.define_number(data, quote!(#saved));
                    }
                    (ResidualOwner::Residuals, _) => {
                        let saved = self.local(data);
                        // Note [Pullbacks that borrow].
                        let forward = if site.passes_on() { quote!(__keep) } else { quote!(forward) };
                        out.extend(quote!(let (mut #result, #saved) = #path #generics::#forward(#(#args),*);));
                        self.define_place(data, quote!(#saved));
                        self.define_number(data, quote!(#saved));
                    }
                }
            }
            kind => {
                let function = match kind {
                    CallKind::Joint => Some("__joint".to_owned()),
                    CallKind::Gradient if self.plan.sets_gradient(eqn) => Some("value_and_grad_into".to_owned()),
                    CallKind::Gradient => Some("__accumulate".to_owned()),
                    CallKind::Value if site.by_value => Some("__value".to_owned()),
                    _ => kind.row(),
                };
                let function = function.map(|name| format_ident!("{name}"));
                let function = function.map(|name| quote!(:: #name));
                let call = quote!(#path #generics #function(#(#args,)* #(#dots,)* #(#seeds,)* #(#bars),*));
                let dots = result_dots.iter().map(|(_, dot)| dot);
                // An array may be updated in place.
                let changes = written.returned(Along::NONE).iter().any(|out| !self.var_ty(*out).is_scalar());
                out.extend(match kind {
                    CallKind::Value if !changes => quote!(let #result = #call;),
                    _ if result_dots.is_empty() => quote!(let mut #result = #call;),
                    _ => quote!(let (mut #result, #(mut #dots),*) = #call;),
                });
            }
        }
        out.extend(std::mem::take(&mut self.after_call));
        self.results(&site.results, &quote!(#result), &written.returned(Along::NONE), out);
        self.changed(&written, Along::NONE);
        for (along, dot) in &result_dots {
            let (values, dots) = (written.returned(Along::NONE), written.returned(*along));
            self.result_dots(&site.results, &quote!(#dot), (&values, &dots), out);
            self.changed(&written, *along);
        }
    }

    /// The assertion that a callee has no effect, where it runs again.
    fn note_repetition(&self, written: &Written, out: &mut TokenStream) {
        let Written { call, site, .. } = written;
        if (call.kind.is_both_sweeps() || call.repeats.is_some()) && !call.callee.is_self {
            let (krate, path, generics) = (&self.krate, &site.path, &site.generics);
            // Where that is an error, rustc shows the call.
            let span = path.clone().into_iter().next().map_or_else(Span::call_site, |first| first.span());
            out.extend(placed(quote!(#krate::__private::runs_again::<#path #generics>();), span));
        }
    }

    /// The places of a callee's Jacobian, as arguments. That by what is constant here goes nowhere.
    fn blocks(&mut self, written: &Written, out: &mut TokenStream) -> Vec<TokenStream> {
        let krate = self.krate.clone();
        let mut blocks = Vec::new();
        for arg in written.args().filter(|arg| arg.ir.active) {
            let matrix = arg.ir.active_operands().next();
            match matrix.and_then(|operand| written.result(Role::cotangent(Of::Input(operand)))) {
                Some(matrix) => {
                    let (zeros, name) = (super::variant::none(self.var_ty(matrix), &krate), self.local(matrix));
                    out.extend(quote!(let mut #name = #zeros;));
                    self.define_place(matrix, quote!(#name));
                    blocks.push(quote!(#name.as_flattened_mut()));
                }
                None => {
                    let sizes =
                        written.operands(arg).into_iter().map(|operand| Dim::product(&self.var_ty(operand).dims));
                    let count = sizes.fold(Dim::literal(0), |sum, size| sum.plus(&size));
                    let (name, count) = (self.names.local("unused"), dim_tokens(&count));
                    out.extend(quote!(let mut #name = #krate::__private::jacobian::Unused::<_, { #count }>::new();));
                    blocks.push(quote!(&mut #name));
                }
            }
        }
        blocks
    }

    /// Whether one of some variables is read anywhere.
    fn is_read(&self, vars: &[Var]) -> bool {
        fn reads(block: &Block, vars: &[Var]) -> bool {
            let reads_one = |eqn: &Eqn| {
                eqn.own_uses().iter().any(|var| vars.contains(var))
                    || eqn.regions.iter().any(|region| reads(region, vars))
            };
            block.eqns.iter().any(reads_one) || block.results.iter().any(|var| vars.contains(var))
        }
        reads(&self.body().block, vars)
    }

    fn is_wide_call(&self, written: &Written) -> bool {
        let dots = written.slots.inputs_of(|role| role.along != Along::NONE);
        dots.iter().any(|dot| matches!(self.var_ty(*dot).elem, Elem::Wide(_)))
    }

    /// A call of a callee's tangent in several directions, whose tangents are given and come out leaf by leaf.
    fn wide_call(&mut self, written: &Written, args: &[TokenStream], out: &mut TokenStream) {
        let along = Along::NONE.and(0);
        let site = written.site;
        let mut dots = Vec::new();
        for arg in written.args().filter(|arg| arg.ir.active) {
            dots.extend(self.wide_tangents(written, arg, along, out));
        }
        let mut cotangents = Vec::new();
        for along in written.call.kind.seeds() {
            let roles = (0..written.call.callee.results.len()).map(|k| Role::cotangent(Of::Result(k)).towards(*along));
            cotangents.extend(roles.filter_map(|role| written.operand(role)).map(|seed| self.given(seed)));
        }
        for along in written.call.kind.cotangents() {
            if *along == Along::NONE {
                cotangents.extend(self.cotangents(written, *along, out));
                continue;
            }
            for arg in written.args().filter(|arg| arg.ir.active) {
                cotangents.extend(self.wide_cotangents(written, arg, *along, out));
            }
        }
        let values = written.returned(Along::NONE);
        let result = self.result_name(&values);
        let active: Vec<bool> = site.results.float_leaves().map(|leaf| leaf.active).collect();
        let tangents = written.returned(along);
        let mut names = Vec::new();
        for (dot, _) in tangents.iter().zip(&active).filter(|(_, active)| **active) {
            let name = self.local(*dot);
            names.push(name.clone());
            self.define_leaf(*dot, quote!(#name));
        }
        let (path, generics) = (&site.path, &site.generics);
        let function = match written.call.kind {
            CallKind::Taylor => quote!(__taylor),
            CallKind::JointTangent(_) => quote!(__joint_jvp_wide),
            _ => quote!(__jvp_wide),
        };
        out.extend(quote! {
            let (mut #result, (#(mut #names,)*)) =
                #path #generics::#function(#(#args,)* #(#dots,)* #(#cotangents),*);
        });
        out.extend(std::mem::take(&mut self.after_call));
        self.results(&site.results, &quote!(#result), &values, out);
        self.changed(written, Along::NONE);
        self.changed(written, along);
        let floats = values.iter().filter(|value| self.var_ty(**value).is_float()).copied().collect::<Vec<_>>();
        for ((dot, value), active) in tangents.iter().zip(floats).zip(active) {
            if !active {
                self.no_tangent_of(*dot, value, out);
            }
        }
    }

    /// What a callee has changed is where it was, unless it has been put somewhere else for the call.
    fn changed(&mut self, written: &Written, along: Along) {
        for (role, before, after) in written.changed(along) {
            let moved = self.moved.iter().position(|(other, _)| *other == role);
            match moved.map(|at| self.moved.swap_remove(at).1) {
                Some(Moved::Number(value)) => self.define_number(after, value),
                Some(Moved::Array(place)) => drop(self.places.insert(after, place)),
                // The tangent of an integer, which there is none of.
                None if self.var_ty(before).is_scalar() => {
                    let zero = self.number_argument(before);
                    self.define_number(after, zero);
                }
                None => self.share_place(after, before),
            }
        }
    }

    /// The tangents of results.
    fn result_dots(
        &mut self,
        layout: &Layout,
        root: &TokenStream,
        (values, dots): (&[Var], &[Var]),
        out: &mut TokenStream,
    ) {
        let floats = values.iter().filter(|value| self.var_ty(**value).is_float()).copied().collect::<Vec<_>>();
        for ((leaf, dot), value) in layout.float_leaves().zip(dots).zip(floats) {
            match leaf.active {
                true => self.place_tangent(*dot, root, &leaf.access.of_tangent(), leaf.form, out),
                false => self.no_tangent_of(*dot, value, out),
            }
        }
    }

    /// Zeros for the tangent of a result that carries no derivative.
    fn no_tangent_of(&mut self, dot: Var, value: Var, out: &mut TokenStream) {
        let (ty, krate) = (self.var_ty(dot).clone(), self.krate.clone());
        let zeros = match ty.is_dynamic() && !ty.is_scalar() {
            true => self.zeros_like(value),
            false => super::variant::none(&ty, &krate),
        };
        let name = self.local(dot);
        out.extend(quote!(let mut #name = #zeros;));
        self.define_leaf(dot, quote!(#name));
    }

    fn result_name(&mut self, outs: &[Var]) -> Ident {
        match outs {
            [out] => self.local(*out),
            _ => self.names.local("result"),
        }
    }

    fn results(&mut self, layout: &Layout, root: &TokenStream, outs: &[Var], out: &mut TokenStream) {
        for (Leaf { access, form, .. }, var) in layout.leaves(&Access::root(0)).iter().zip(outs) {
            self.place_result(*var, root, access, *form, out);
        }
    }
}

/// What a reverse sweep reads that owns its residuals. A callee's residuals own the callee's arguments.
pub(super) fn note_owned_reads(body: &Body, block: &Block, used: &mut HashSet<Var>) {
    for eqn in &block.eqns {
        match &eqn.op {
            Op::Call(call) if call.kind == CallKind::Reverse => {
                // What tells how long a cotangent is that nobody wants.
                let measures = |arg: &CallArg, var: Var| {
                    arg.constant && (matches!(arg.passed, Passed::Part(_)) || body.ty(var).is_dynamic())
                };
                let is_owned = |k: usize, var: Var| {
                    call.callee.args.iter().any(|arg| arg.values().contains(&k) && !measures(arg, var))
                };
                let slots = call.interface(eqn).inputs.into_iter();
                let read = slots.filter(|(var, role)| match role.of {
                    // Places say where the parts are that cotangents are added to.
                    Of::Input(k) => role.is_cotangent() || !is_owned(k, *var),
                    _ => true,
                });
                used.extend(read.map(|(var, _)| var));
            }
            _ => used.extend(eqn.own_uses()),
        }
        eqn.regions.iter().for_each(|region| note_owned_reads(body, region, used));
    }
    used.extend(&block.results);
}

/// Whether a block calls a differentiable function.
pub(super) fn calls_any(block: &Block) -> bool {
    block.eqns.iter().any(|eqn| eqn.op.is_black_box() || eqn.regions.iter().any(calls_any))
}

/// Whether a block calls the function that it belongs to.
pub(super) fn calls_itself(block: &Block) -> bool {
    let own = |eqn: &Eqn| eqn.op.as_call().is_some_and(|call| call.callee.is_self);
    block.eqns.iter().any(|eqn| own(eqn) || eqn.regions.iter().any(calls_itself))
}

/// The functions that a block calls, each once, but for those that call it in turn.
pub(super) fn called(block: &Block, sites: &CallSites) -> Vec<Rc<CallSite>> {
    fn collect(block: &Block, found: &mut Vec<Rc<Callee>>) {
        for eqn in &block.eqns {
            if let Some(call) = eqn.op.as_call().filter(|call| !call.callee.recursive) {
                if found.iter().all(|other| other.ty != call.callee.ty) {
                    found.push(call.callee.clone());
                }
            }
            eqn.regions.iter().for_each(|region| collect(region, found));
        }
    }
    let mut found = Vec::new();
    collect(block, &mut found);
    found.iter().map(|callee| sites[callee.site].clone()).collect()
}

/// One of some names in tokens.
fn find(tokens: TokenStream, names: &[String]) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if names.contains(&ident.to_string()) => Some(ident.span()),
        TokenTree::Group(group) => find(group.stream(), names),
        _ => None,
    })
}

/// A call that is made again in a reverse sweep and takes a part of a parameter that carries no derivative.
pub(super) fn passed(block: &Block, sites: &CallSites, names: &[String]) -> Option<Span> {
    let is_passed = |arg: &Argument| match &arg.passing {
        ArgPassing::Tokens(tokens) => find(tokens.clone(), names).is_some(),
        ArgPassing::Place(_, layout) | ArgPassing::Built(layout) => {
            layout.passive().into_iter().any(|tokens| find(tokens.clone(), names).is_some())
        }
        ArgPassing::Leaf(_) | ArgPassing::View(_) => false,
    };
    block.eqns.iter().find_map(|eqn| match &eqn.op {
        Op::Call(call) => {
            // A reverse sweep has its arguments; how long a cotangent is that nobody wants, they tell.
            let mut args = sites[call.callee.site].args.iter().zip(&call.callee.args);
            let is_read = |arg: &CallArg| call.kind != CallKind::Reverse || arg.active && arg.constant;
            args.any(|(arg, ir)| is_read(ir) && is_passed(arg)).then_some(eqn.span)
        }
        _ => eqn.regions.iter().find_map(|region| passed(region, sites, names)),
    })
}

/// One of some names in an expression that is emitted as it is written.
pub(super) fn named(block: &Block, names: &[String]) -> Option<Span> {
    block.eqns.iter().find_map(|eqn| match &eqn.op {
        Op::Opaque(opaque) if !opaque.is_call => find(opaque.tokens.clone(), names),
        // What the callee keeps of its own call has its arguments.
        Op::Call(call) if call.kind != CallKind::Reverse => call.callee.args.iter().find_map(|arg| match &arg.passed {
            Passed::Opaque(tokens) => find(tokens.clone(), names),
            _ => None,
        }),
        _ => eqn.regions.iter().find_map(|region| named(region, names)),
    })
}
