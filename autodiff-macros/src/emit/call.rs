//! Calls of other differentiable functions and of their derivatives.

use super::body::{Emitter, Own};
use crate::ir::{Call, CallKind, Eqn, Var};
use crate::lower::target::{CallArg, Pass, Target};
use crate::lower::value::{Access, Form, Value};
use crate::parse::ty::Surface;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// The leaves of a type in order of declaration, with where they are.
pub fn surface_leaves(surface: &Surface, at: &Access) -> Vec<(Access, Form, bool)> {
    use crate::lower::value::Step;
    match surface {
        Surface::Scalar(elem) => vec![(at.clone(), Form::Plain, elem.is_float())],
        Surface::Tensor(elem, _) => vec![(at.clone(), Form::Tensor, elem.is_float())],
        Surface::Seq(..) => match surface.leaf() {
            Some(ty) => vec![(at.clone(), Form::Plain, ty.is_float())],
            None => Vec::new(),
        },
        Surface::Array(inner, dim) => match surface.leaf() {
            Some(ty) => vec![(at.clone(), Form::Plain, ty.is_float())],
            None => (0..dim.as_literal().and_then(|n| usize::try_from(n).ok()).unwrap_or(0))
                .flat_map(|k| surface_leaves(inner, &at.then(Step::Index(k))))
                .collect(),
        },
        Surface::Tuple(parts) => {
            let parts = parts.iter().enumerate();
            parts.flat_map(|(k, part)| surface_leaves(part, &at.then(Step::Field(k.to_string())))).collect()
        }
        Surface::Struct(ty) => {
            let fields = ty.fields.iter();
            fields
                .flat_map(|field| {
                    let leaves =
                        surface_leaves(&field.ty, &at.then(Step::Field(field.member.to_token_stream().to_string())));
                    leaves.into_iter().map(|(access, form, float)| (access, form, float && field.active))
                })
                .collect()
        }
        Surface::Other(_) => Vec::new(),
    }
}

/// The same for what is an element of a slice: what stands before the index, and what stands after it.
pub fn split_tokens(root: &TokenStream, access: &Access, form: Form) -> Option<(TokenStream, TokenStream)> {
    let (before, after) = access.around_each()?;
    let after = after.apply(TokenStream::new());
    let after = if form == Form::Tensor { quote!(#after.0) } else { after };
    Some((before.apply(root.clone()), after))
}

/// The expression of a leaf below a root; tensors are taken down to their array.
pub fn leaf_tokens(root: &TokenStream, access: &Access, form: Form) -> TokenStream {
    let tokens = access.apply(root.clone());
    if form == Form::Tensor { quote!(#tokens.0) } else { tokens }
}

/// The names of the caller's parameters and of their cotangents and tangents.
#[derive(Clone, Default)]
pub struct Roots {
    pub params: Vec<Ident>,
    pub by_ref: Vec<bool>,
    pub scalar: Vec<bool>,
    /// Whether the parameters themselves are out of reach.
    pub gone: bool,
}

impl Roots {
    pub fn bar(&self, root: usize) -> Ident {
        self.suffixed(root, "bar")
    }

    pub fn dot(&self, root: usize) -> Ident {
        self.suffixed(root, "dot")
    }

    pub fn bar_dot(&self, root: usize) -> Ident {
        self.suffixed(root, "bar_dot")
    }

    pub fn suffixed(&self, root: usize, suffix: &str) -> Ident {
        format_ident!("{}_{suffix}", self.params[root], span = proc_macro2::Span::mixed_site())
    }
}

impl Emitter<'_> {
    pub(super) fn call(&mut self, eqn: &Eqn, call: &Call, out: &mut TokenStream) {
        // A callee may do anything: what is pending is written down first.
        self.settle(out);
        let target = &call.target;
        let (path, generics) = (&target.path, &target.generics);
        let own = match call.kind {
            CallKind::Reverse => target.unchanged_args(&eqn.args[..target.own_args().min(eqn.args.len())]).len(),
            _ => target.own_args(),
        };
        let own_vars = self.own_vars(target, call.kind, &eqn.args);
        let mut vars = eqn.args[..own].iter().copied();
        // What the callee's residuals own is not passed again.
        let again = call.kind == CallKind::Reverse && self.own == Own::Owned;
        let reverse = call.kind == CallKind::Reverse;
        let args: Vec<TokenStream> = match reverse {
            _ if again => Vec::new(),
            // What has been changed is not there any more.
            true => self.unchanged_arguments(target, &mut vars, out),
            false => target.args.iter().map(|arg| self.argument(arg, &mut vars, out)).collect(),
        };
        match call.kind {
            CallKind::Value => {
                let result = self.result_name(&eqn.outs);
                out.extend(quote!(let #result = #path #generics(#(#args),*);));
                self.results(&target.results, &quote!(#result), &eqn.outs);
            }
            CallKind::Forward => {
                let Some((data, values)) = eqn.outs.split_last() else { return };
                let (results, changed) = values.split_at(target.count_results());
                let result = self.result_name(results);
                match (self.own, self.homes.get(data).cloned()) {
                    (Own::Borrowed, Some(home)) => {
                        out.extend(quote!(let mut #result = #path #generics::__forward(#(#args,)* #home);));
                    }
                    (Own::Borrowed, None) => {
                        let (krate, saved) = (&self.krate.clone(), self.local(*data));
                        let empty = quote!(<#path #generics as #krate::__private::Sweeps>::EMPTY);
                        out.extend(quote! {
                            let mut #saved = #empty;
                            let mut #result = #path #generics::__forward(#(#args,)* &mut #saved);
                        });
                        self.define_place(*data, quote!(#saved));
                        self.define_number(*data, quote!(#saved));
                    }
                    (Own::Owned, _) => {
                        let saved = self.local(*data);
                        out.extend(quote!(let (mut #result, #saved) = #path #generics::forward(#(#args),*);));
                        self.define_place(*data, quote!(#saved));
                        self.define_number(*data, quote!(#saved));
                    }
                }
                self.results(&target.results, &quote!(#result), results);
                self.changed(target, &own_vars, changed);
            }
            CallKind::Reverse => {
                let data = self.data_reference(eqn.args[own]);
                let count = target.float_count();
                let bars: Vec<_> = eqn.args[own + 1..own + 1 + count].iter().map(|bar| self.given(*bar)).collect();
                let targets = self.cotangents(target, &own_vars, &eqn.args[own + 1 + count..], &eqn.outs, false, out);
                out.extend(match self.own {
                    Own::Borrowed => quote!(#path #generics::__reverse(#(#args,)* #data, #(#bars,)* #(#targets),*);),
                    Own::Owned => quote!(#path #generics::__pullback(#data, #(#bars,)* #(#targets),*);),
                });
            }
            CallKind::Joint | CallKind::Gradient => {
                let joint = call.kind == CallKind::Joint;
                let (seeds, accumulators) = eqn.args[own..].split_at(if joint { target.float_count() } else { 0 });
                let seeds: Vec<_> = seeds.iter().map(|seed| self.given(*seed)).collect();
                let (values, bars) = eqn.outs.split_at(target.count_values());
                let (results, changed) = values.split_at(target.count_results());
                let result = self.result_name(results);
                let targets = self.cotangents(target, &own_vars, accumulators, bars, !joint, out);
                let function = format_ident!("{}", if joint { "__joint" } else { "__accumulate" });
                out.extend(quote!(let mut #result = #path #generics::#function(#(#args,)* #(#seeds,)* #(#targets),*);));
                self.results(&target.results, &quote!(#result), results);
                self.changed(target, &own_vars, changed);
            }
            CallKind::Jvp => {
                let dots = self.tangents(target, &own_vars, &eqn.args[own..], out);
                let (values, value_dots) = eqn.outs.split_at(target.count_values());
                let (results, changed) = values.split_at(target.count_results());
                let (result_dots, changed_dots) = value_dots.split_at(target.float_count());
                let (result, dot) = (self.result_name(results), self.result_name(result_dots));
                out.extend(quote!(let (mut #result, mut #dot) = #path #generics::jvp(#(#args,)* #(#dots),*);));
                self.results(&target.results, &quote!(#result), results);
                self.changed(target, &own_vars, changed);
                self.result_dots(target, &quote!(#dot), result_dots);
                self.changed_dots(target, &eqn.args[own..], changed_dots);
            }
            CallKind::JvpJvp => {
                let active = target.active_args().count();
                let groups: Vec<_> = eqn.args[own..]
                    .chunks(active.max(1))
                    .flat_map(|group| self.tangents(target, &own_vars, group, out))
                    .collect();
                let (values, rest) = eqn.outs.split_at(target.count_values());
                let (results, changed) = values.split_at(target.count_results());
                let result = self.result_name(results);
                let names: Vec<Ident> = (0..3).map(|_| self.names.local("result_dot")).collect();
                out.extend(quote! {
                    let (mut #result, #(mut #names),*) = #path #generics::__jvp_jvp(#(#args,)* #(#groups),*);
                });
                self.results(&target.results, &quote!(#result), results);
                self.changed(target, &own_vars, changed);
                let (floats, groups) = (target.float_count(), eqn.args[own..].chunks(active.max(1)));
                for ((name, dots), given) in names.iter().zip(rest.chunks((rest.len() / 3).max(1))).zip(groups) {
                    self.result_dots(target, &quote!(#name), &dots[..floats]);
                    self.changed_dots(target, given, &dots[floats..]);
                }
            }
            CallKind::JointJvp => {
                let (active, count) = (target.active_args().count(), target.float_count());
                let (dots, rest) = eqn.args[own..].split_at(active);
                let dots = self.tangents(target, &own_vars, dots, out);
                let (seeds, accumulators) = rest.split_at(2 * count);
                let seeds: Vec<_> = seeds.iter().map(|seed| self.given(*seed)).collect();
                let (values, bars) = eqn.outs.split_at(eqn.outs.len() - 2 * active);
                let (values, value_dots) = values.split_at(target.count_values());
                let (results, changed) = values.split_at(target.count_results());
                let (result_dots, changed_dots) = value_dots.split_at(count);
                let given_dots = &eqn.args[own..own + active];
                let (result, dot) = (self.result_name(results), self.result_name(result_dots));
                let mut targets = Vec::new();
                for (accumulators, bars) in accumulators.chunks(active.max(1)).zip(bars.chunks(active.max(1))) {
                    targets.extend(self.cotangents(target, &own_vars, accumulators, bars, true, out));
                }
                out.extend(quote! {
                    let (mut #result, mut #dot) =
                        #path #generics::__joint_jvp(#(#args,)* #(#dots,)* #(#seeds,)* #(#targets),*);
                });
                self.results(&target.results, &quote!(#result), results);
                self.changed(target, &own_vars, changed);
                self.result_dots(target, &quote!(#dot), result_dots);
                self.changed_dots(target, given_dots, changed_dots);
            }
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

    fn unchanged_arguments(
        &mut self,
        target: &Target,
        vars: &mut impl Iterator<Item = Var>,
        out: &mut TokenStream,
    ) -> Vec<TokenStream> {
        let mut arguments = Vec::new();
        for arg in &target.args {
            match (arg.mutable, &arg.pass) {
                (false, _) => arguments.push(self.argument(arg, vars, out)),
                // The indices of a part are still needed, for its cotangent.
                (true, Pass::View { .. }) => drop(vars.take(arg.leaves - 1).collect::<Vec<_>>()),
                (true, _) => {}
            }
        }
        arguments
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
        if self.var_ty(before).is_scalar() {
            let value = self.lent.remove(&before).unwrap_or_default();
            self.define_number(after, value);
        } else {
            self.share_place(after, before);
        }
    }

    /// A number that a callee may change gets a variable.
    fn lend(&mut self, var: Var, out: &mut TokenStream) -> TokenStream {
        let (value, name) = (self.number_argument(var), self.local(var));
        out.extend(quote!(let mut #name = #value;));
        self.lent.insert(var, quote!(#name));
        quote!(&mut #name)
    }

    /// A cotangent of a result.
    fn given(&mut self, bar: Var) -> TokenStream {
        if self.var_ty(bar).is_scalar() { self.number_argument(bar) } else { self.borrow(bar) }
    }

    /// What a callee adds into, for each of its differentiable parameters. `local` tells that these are not the
    /// cotangents of the function's own parameters.
    fn cotangents(
        &mut self,
        target: &Target,
        arguments: &[Var],
        accumulators: &[Var],
        outs: &[Var],
        local: bool,
        out: &mut TokenStream,
    ) -> Vec<TokenStream> {
        let (mut accumulators, mut outs, mut start) = (accumulators.iter().copied(), outs.iter().copied(), 0);
        let mut targets = Vec::new();
        for arg in &target.args {
            let own = &arguments[start..start + arg.leaves];
            start += arg.leaves;
            if arg.active {
                targets.push(match (arg.constant, &arg.pass) {
                    (true, _) => self.thrown_away(own, arg),
                    (false, Pass::Built(value)) => self.local_cotangent(arg, value, &mut accumulators, &mut outs, out),
                    (false, Pass::Place(_, value)) if local => {
                        self.local_cotangent(arg, value, &mut accumulators, &mut outs, out)
                    }
                    (false, _) => self.cotangent(arg, own, &mut accumulators, &mut outs, out),
                });
            }
        }
        targets
    }

    /// A place for a cotangent that nobody wants.
    fn thrown_away(&mut self, own: &[Var], arg: &CallArg) -> TokenStream {
        let zero = self.no_tangent(own, arg);
        quote!(&mut #zero)
    }

    /// Zeros for an argument that the caller is not differentiated by.
    fn no_tangent(&mut self, own: &[Var], arg: &CallArg) -> TokenStream {
        let krate = self.krate.clone();
        match (&arg.pass, own) {
            (Pass::View { .. }, own) => {
                let view = self.view(arg, own, own[0]);
                quote!(#krate::__private::zeros(&#view)[..])
            }
            (_, [one]) if self.var_ty(*one).is_dynamic() => {
                let place = self.place(*one).tokens;
                quote!(#krate::__private::zeros(&#place[..])[..])
            }
            (Pass::Place(access, Value::Struct(..)), own) if own.iter().any(|var| self.var_ty(*var).is_dynamic()) => {
                let place = self.root_argument(access, true, Side::Primal);
                quote!(#krate::Differentiable::zero_tangent(#place))
            }
            (Pass::Leaf(form), [one]) => {
                let ty = self.tangent_type(&Value::Leaf(*one, *form));
                quote!(<#ty as #krate::__private::Zero>::ZERO)
            }
            (Pass::Place(_, value) | Pass::Built(value), _) => {
                let ty = self.tangent_type(value);
                quote!(<#ty as #krate::__private::Zero>::ZERO)
            }
            _ => quote!(#krate::__private::Zero::ZERO),
        }
    }

    /// The tangents of a callee's arguments, for each of its differentiable parameters.
    fn tangents(
        &mut self,
        target: &Target,
        arguments: &[Var],
        dots: &[Var],
        out: &mut TokenStream,
    ) -> Vec<TokenStream> {
        let (mut dots, mut start) = (dots.iter().copied(), 0);
        let mut tangents = Vec::new();
        for arg in &target.args {
            let own = &arguments[start..start + arg.leaves];
            start += arg.leaves;
            if arg.active {
                tangents.push(match arg.constant {
                    true if matches!(own, [one] if self.var_ty(*one).is_scalar()) => self.no_tangent(own, arg),
                    true => {
                        let zero = self.no_tangent(own, arg);
                        quote!(&#zero)
                    }
                    false => self.tangent(arg, own, &mut dots, out),
                });
            }
        }
        tangents
    }

    /// `x[i][a..a + n]`, of the argument itself or of what belongs to it.
    fn view(&mut self, arg: &CallArg, own: &[Var], array: Var) -> TokenStream {
        let Pass::View { indices, start, ranged } = arg.pass else { return TokenStream::new() };
        let place = self.place(array).tokens;
        let at: Vec<TokenStream> = own[1..=indices].iter().map(|index| self.number_argument(*index)).collect();
        if !ranged {
            return quote!(#place #([#at])*);
        }
        let len = self.number_argument(own[own.len() - 1]);
        let range = match start {
            true => {
                let start = self.number_argument(own[1 + indices]);
                quote!(#start..#start + #len)
            }
            false => quote!(..#len),
        };
        quote!(#place #([#at])* [#range])
    }

    /// The tangents of results.
    fn result_dots(&mut self, target: &Target, root: &TokenStream, dots: &[Var]) {
        let leaves = surface_leaves(&target.results, &Access::root(0)).into_iter().filter(|leaf| leaf.2);
        for ((access, form, _), dot) in leaves.zip(dots) {
            let tokens = leaf_tokens(root, &access, form);
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

    fn results(&mut self, surface: &Surface, root: &TokenStream, outs: &[Var]) {
        for ((access, form, _), out) in surface_leaves(surface, &Access::root(0)).iter().zip(outs) {
            let tokens = leaf_tokens(root, access, *form);
            if self.var_ty(*out).is_scalar() {
                self.define_number(*out, tokens);
            } else {
                self.define_place(*out, tokens);
            }
        }
    }

    fn data_reference(&mut self, data: Var) -> TokenStream {
        self.borrow(data)
    }

    fn argument(&mut self, arg: &CallArg, vars: &mut impl Iterator<Item = Var>, out: &mut TokenStream) -> TokenStream {
        let leaves: Vec<Var> = vars.take(arg.leaves).collect();
        match &arg.pass {
            Pass::Leaf(_) if arg.mutable && self.var_ty(leaves[0]).is_scalar() => self.lend(leaves[0], out),
            Pass::Leaf(form) if arg.mutable => self.mutable_leaf(leaves[0], *form),
            Pass::View { .. } if arg.mutable => {
                let view = self.view(arg, &leaves, leaves[0]);
                quote!(&mut #view)
            }
            Pass::Place(access, _) if arg.mutable => self.root_argument(access, true, Side::Changed),
            Pass::Tokens(tokens) => tokens.clone(),
            Pass::Built(value) => {
                let tokens = self.assemble_copy(value, &mut leaves.into_iter());
                if arg.by_ref { quote!(&#tokens) } else { tokens }
            }
            // The callee's residuals do not have the caller's parameters, only what is read of them.
            Pass::Place(_, value) if self.roots.gone => {
                let tokens = self.assemble(value, &mut leaves.into_iter());
                if arg.by_ref { quote!(&#tokens) } else { tokens }
            }
            Pass::Place(access, Value::Struct(..)) if !arg.by_ref => {
                let place = self.root_argument(access, true, Side::Primal);
                quote!(::core::clone::Clone::clone(#place))
            }
            Pass::Place(access, _) => self.root_argument(access, arg.by_ref, Side::Primal),
            Pass::Leaf(form) => self.leaf_argument(leaves[0], *form, arg.by_ref),
            Pass::View { .. } => {
                let view = self.view(arg, &leaves, leaves[0]);
                if arg.by_ref { quote!(&#view) } else { quote!(#view.to_vec()) }
            }
        }
    }

    fn mutable_leaf(&mut self, var: Var, form: Form) -> TokenStream {
        let (borrow, krate) = (self.borrow_mut(var), &self.krate);
        if form == Form::Tensor { quote!(#krate::Tensor::from_mut(#borrow)) } else { borrow }
    }

    fn leaf_argument(&mut self, var: Var, form: Form, by_ref: bool) -> TokenStream {
        let krate = self.krate.clone();
        if self.var_ty(var).is_scalar() {
            let value = self.number_argument(var);
            return if by_ref { quote!(&(#value)) } else { value };
        }
        let borrow = self.borrow(var);
        match (form, by_ref) {
            (Form::Plain, true) => borrow,
            (Form::Plain, false) if self.var_ty(var).is_dynamic() => quote!(#borrow.to_vec()),
            (Form::Plain, false) => quote!(*#borrow),
            (Form::Tensor, true) => quote!(#krate::Tensor::from_ref(#borrow)),
            (Form::Tensor, false) => quote!(*#krate::Tensor::from_ref(#borrow)),
        }
    }

    /// A parameter of the caller's or a part of it, or its cotangent or tangent.
    fn root_argument(&self, access: &Access, by_ref: bool, side: Side) -> TokenStream {
        let roots = &self.roots;
        let (root, root_is_ref) = match side {
            Side::Primal | Side::Changed => (roots.params[access.root].clone(), roots.by_ref[access.root]),
            Side::Bar => (roots.bar(access.root), true),
            Side::Dot => (roots.dot(access.root), !roots.scalar[access.root]),
        };
        let place = access.apply(quote!(#root));
        match (access.path.is_empty() && root_is_ref, by_ref, side) {
            (true, true, _) => place,
            (true, false, _) => quote!(*#place),
            (false, true, Side::Bar | Side::Changed) => quote!(&mut #place),
            (false, true, _) => quote!(&#place),
            (false, false, _) => place,
        }
    }

    pub(super) fn cotangent(
        &mut self,
        arg: &CallArg,
        own: &[Var],
        accumulators: &mut impl Iterator<Item = Var>,
        outs: &mut impl Iterator<Item = Var>,
        out: &mut TokenStream,
    ) -> TokenStream {
        if let Pass::View { .. } = arg.pass {
            let (Some(bar), Some(result)) = (accumulators.next(), outs.next()) else { return TokenStream::new() };
            self.share_place(result, bar);
            let view = self.view(arg, own, bar);
            return quote!(&mut #view);
        }
        let leaves: Vec<(Var, Var)> = accumulators.zip(outs).take(arg.leaves).collect();
        if let Pass::Place(access, _) = &arg.pass {
            // The callee adds into the caller's own accumulator; what was gathered before stays to be added.
            for (bar, result) in leaves {
                if self.var_ty(bar).is_scalar() {
                    let before = self.number_argument(bar);
                    self.define_number(result, before);
                } else {
                    self.share_place(result, bar);
                }
            }
            return self.root_argument(access, true, Side::Bar);
        }
        let Some((bar, result)) = leaves.first().copied() else { return TokenStream::new() };
        if self.var_ty(bar).is_scalar() {
            let value = self.number_argument(bar);
            let name = self.local(result);
            out.extend(quote!(let mut #name = #value;));
            self.define_number(result, quote!(#name));
            return quote!(&mut #name);
        }
        self.share_place(result, bar);
        let place = self.place(bar);
        let tokens = &place.tokens;
        let borrow = if place.is_ref { quote!(#tokens) } else { quote!(&mut #tokens) };
        let krate = &self.krate;
        match arg.pass {
            Pass::Leaf(Form::Tensor) => quote!(#krate::Tensor::from_mut(#borrow)),
            _ => borrow,
        }
    }

    fn tangent(
        &mut self,
        arg: &CallArg,
        own: &[Var],
        dots: &mut impl Iterator<Item = Var>,
        out: &mut TokenStream,
    ) -> TokenStream {
        if let Pass::View { .. } = arg.pass {
            let Some(dot) = dots.next() else { return TokenStream::new() };
            let view = self.view(arg, own, dot);
            return if arg.mutable { quote!(&mut #view) } else { quote!(&#view) };
        }
        let leaves: Vec<Var> = dots.take(arg.leaves).collect();
        if arg.mutable {
            return match &arg.pass {
                Pass::Leaf(_) if self.var_ty(leaves[0]).is_scalar() => self.lend(leaves[0], out),
                Pass::Leaf(form) => self.mutable_leaf(leaves[0], *form),
                Pass::Place(access, _) => self.root_argument(access, true, Side::Dot),
                _ => TokenStream::new(),
            };
        }
        match &arg.pass {
            Pass::Place(access, value) if self.is_own_tangent(access, value, &leaves) => {
                let number = matches!(value, Value::Leaf(var, _) if self.var_ty(*var).is_scalar());
                self.root_argument(access, !number, Side::Dot)
            }
            Pass::Place(_, Value::Leaf(_, form)) | Pass::Leaf(form) => {
                let scalar = self.var_ty(leaves[0]).is_scalar();
                self.leaf_argument(leaves[0], *form, !scalar)
            }
            Pass::Place(_, value) | Pass::Built(value) => {
                let (name, _) = self.local_tangent(value, &leaves, out);
                quote!(&#name)
            }
            Pass::Tokens(_) | Pass::View { .. } => TokenStream::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Primal,
    /// What the callee changes.
    Changed,
    Bar,
    Dot,
}
