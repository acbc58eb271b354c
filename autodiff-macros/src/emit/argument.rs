//! What a callee is given: arguments, their tangents, and the places that it adds cotangents into.

use super::body::{Emitter, Lent};
use super::leaves::{leaf_tokens, split_tokens};
use crate::ir::Var;
use crate::layout::{Access, Form, Kind, Layout};
use crate::lower::target::{CallArg, Pass, Target};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Emitter<'_> {
    pub(super) fn unchanged_arguments(
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

    /// A number that a callee may change gets a variable.
    fn lend(&mut self, var: Var, out: &mut TokenStream) -> TokenStream {
        let (value, name) = (self.number_argument(var), self.local(var));
        out.extend(quote!(let mut #name = #value;));
        self.lent.push_back(Lent::Number(quote!(#name)));
        quote!(&mut #name)
    }

    /// What a callee may change. A struct that is not the function's own parameter as it stands is put together in a
    /// variable, from which its parts are taken afterwards.
    fn mutable_argument(&mut self, arg: &CallArg, leaves: &[Var], out: &mut TokenStream) -> TokenStream {
        match &arg.pass {
            Pass::Leaf(_) if self.var_ty(leaves[0]).is_scalar() => self.lend(leaves[0], out),
            Pass::Leaf(form) => {
                self.lent.push_back(Lent::There);
                self.mutable_leaf(leaves[0], *form)
            }
            Pass::View { .. } => {
                self.lent.push_back(Lent::There);
                let view = self.view(arg, leaves, leaves[0]);
                quote!(&mut #view)
            }
            Pass::Place(access, layout) if self.is_in_place(access, layout, leaves, Side::Changed) => {
                self.lent.extend(leaves.iter().map(|_| Lent::There));
                self.root_argument(access, true, Side::Changed)
            }
            Pass::Place(_, layout) | Pass::Built(layout) => {
                let tokens = self.assemble_copy(layout, &mut leaves.iter().copied());
                let name = self.names.local("changed");
                out.extend(quote!(let mut #name = #tokens;));
                for (part, leaf) in layout.leaves(&Access::root(0)).into_iter().zip(leaves) {
                    let lent = match self.var_ty(*leaf).is_scalar() {
                        true => Lent::Number(leaf_tokens(&quote!(#name), &part.access, part.form)),
                        false => Lent::Array(self.part_place(&name, &part.access, part.form)),
                    };
                    self.lent.push_back(lent);
                }
                quote!(&mut #name)
            }
            Pass::Tokens(tokens) => tokens.clone(),
        }
    }

    /// Whether a struct is an array or several of them, all of which are where the function's parameter has them.
    fn is_in_place(&self, access: &Access, layout: &Layout, leaves: &[Var], side: Side) -> bool {
        let (root, _) = self.root(access, side);
        layout.leaves(access).iter().zip(leaves).all(|(part, leaf)| {
            let ignored = side != Side::Changed && (!part.active || !self.var_ty(*leaf).is_float());
            ignored || !self.var_ty(*leaf).is_scalar() && self.is_part(*leaf, &quote!(#root), &part.access, part.form)
        })
    }

    /// Whether an array is in a part of something.
    pub(super) fn is_part(&self, array: Var, root: &TokenStream, access: &Access, form: Form) -> bool {
        let place = self.place(array);
        let (tokens, after) = match split_tokens(root, access, form) {
            Some(split) => split,
            None => (leaf_tokens(root, access, form), TokenStream::new()),
        };
        place.tokens.to_string() == tokens.to_string() && place.after.to_string() == after.to_string()
    }

    /// A cotangent of a result.
    pub(super) fn given(&mut self, bar: Var) -> TokenStream {
        if self.var_ty(bar).is_scalar() { self.number_argument(bar) } else { self.borrow(bar) }
    }

    /// What a callee adds into, for each of its differentiable parameters. `local` tells that these are not the
    /// cotangents of the function's own parameters.
    pub(super) fn cotangents(
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
                    (false, Pass::Built(layout)) => {
                        self.local_cotangent(arg, layout, &mut accumulators, &mut outs, out)
                    }
                    (false, Pass::Place(_, layout)) if local => {
                        self.local_cotangent(arg, layout, &mut accumulators, &mut outs, out)
                    }
                    (false, Pass::Place(access, layout)) if arg.mutable => {
                        let bars: Vec<Var> = accumulators.clone().take(arg.leaves).collect();
                        match self.is_in_place(access, layout, &bars, Side::Bar) {
                            true => self.cotangent(arg, own, &mut accumulators, &mut outs, out),
                            false => self.local_cotangent(arg, layout, &mut accumulators, &mut outs, out),
                        }
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
            (Pass::Place(_, layout) | Pass::Built(layout), own) if layout.has_slices() => {
                let mut out = TokenStream::new();
                let (name, _) = self.zero_tangent(layout, own, &mut out);
                quote!({ #out #name })
            }
            (_, [one]) if self.var_ty(*one).is_dynamic() => {
                let place = self.place(*one).tokens;
                quote!(#krate::__private::zeros(&#place[..])[..])
            }
            (Pass::Place(access, Layout::Parts(Kind::Struct(_), _)), own)
                if own.iter().any(|var| self.var_ty(*var).is_dynamic()) =>
            {
                let place = self.root_argument(access, true, Side::Primal);
                quote!(#krate::Differentiable::zero_tangent(#place))
            }
            (Pass::Leaf(form), [one]) => {
                let ty = self.tangent_type(&Layout::Leaf(*form, self.var_ty(*one).clone()));
                quote!(<#ty as #krate::__private::Zero>::ZERO)
            }
            (Pass::Place(_, layout) | Pass::Built(layout), _) => {
                let ty = self.tangent_type(layout);
                quote!(<#ty as #krate::__private::Zero>::ZERO)
            }
            _ => quote!(#krate::__private::Zero::ZERO),
        }
    }

    /// The tangents of a callee's arguments, for each of its differentiable parameters.
    pub(super) fn tangents(
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
                    true if self.is_number(arg, own) => self.no_tangent(own, arg),
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

    fn is_number(&self, arg: &CallArg, own: &[Var]) -> bool {
        !matches!(arg.pass, Pass::Tokens(_)) && matches!(own, [one] if self.var_ty(*one).is_scalar())
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

    pub(super) fn argument(
        &mut self,
        arg: &CallArg,
        vars: &mut impl Iterator<Item = Var>,
        out: &mut TokenStream,
    ) -> TokenStream {
        let leaves: Vec<Var> = vars.take(arg.leaves).collect();
        match &arg.pass {
            _ if arg.mutable => self.mutable_argument(arg, &leaves, out),
            Pass::Tokens(tokens) => {
                let numbers: Vec<_> = leaves.into_iter().map(|leaf| self.number_argument(leaf)).collect();
                crate::ir::fill_holes(tokens.clone(), &numbers)
            }
            Pass::Built(layout) => {
                let tokens = self.assemble_copy(layout, &mut leaves.into_iter());
                if arg.by_ref { quote!(&#tokens) } else { tokens }
            }
            // The callee's residuals do not have the caller's parameters, only what is read of them.
            Pass::Place(_, layout) if self.roots.gone => {
                let tokens = self.assemble(layout, &mut leaves.into_iter());
                if arg.by_ref { quote!(&#tokens) } else { tokens }
            }
            Pass::Place(access, Layout::Parts(Kind::Struct(_), _)) if !arg.by_ref => {
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
            (Form::Plain, false) if self.var_ty(var).is_dynamic() => {
                let place = self.place(var).tokens;
                quote!(#place.to_vec())
            }
            (Form::Plain, false) => quote!(*#borrow),
            (Form::Tensor, true) => quote!(#krate::Tensor::from_ref(#borrow)),
            (Form::Tensor, false) => quote!(*#krate::Tensor::from_ref(#borrow)),
        }
    }

    /// A parameter, or its cotangent or tangent, and whether it is a reference.
    fn root(&self, access: &Access, side: Side) -> (Ident, bool) {
        let roots = &self.roots;
        match side {
            Side::Primal | Side::Changed => (roots.params[access.root].clone(), roots.by_ref[access.root]),
            Side::Bar => (roots.bar(access.root), true),
            Side::Dot => (roots.dot(access.root), !roots.scalar[access.root]),
        }
    }

    /// A parameter of the caller's or a part of it, or its cotangent or tangent.
    fn root_argument(&self, access: &Access, by_ref: bool, side: Side) -> TokenStream {
        let (root, root_is_ref) = self.root(access, side);
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
        let borrow = self.borrow_mut(bar);
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
            if arg.mutable {
                self.lent.push_back(Lent::There);
                return quote!(&mut #view);
            }
            return quote!(&#view);
        }
        let leaves: Vec<Var> = dots.take(arg.leaves).collect();
        if arg.mutable {
            return self.mutable_tangent(arg, &leaves, out);
        }
        match &arg.pass {
            Pass::Place(access, layout) if self.is_own_tangent(access, layout, &leaves) => {
                let number = matches!(layout, Layout::Leaf(_, ty) if ty.is_scalar());
                self.root_argument(access, !number, Side::Dot)
            }
            Pass::Place(_, Layout::Leaf(form, _)) | Pass::Leaf(form) => {
                let scalar = self.var_ty(leaves[0]).is_scalar();
                self.leaf_argument(leaves[0], *form, !scalar)
            }
            Pass::Place(_, layout) | Pass::Built(layout) => {
                let (name, _) = self.local_tangent(layout, &leaves, out);
                quote!(&#name)
            }
            Pass::Tokens(_) | Pass::View { .. } => TokenStream::new(),
        }
    }
}

impl Emitter<'_> {
    /// The tangent of what a callee may change.
    fn mutable_tangent(&mut self, arg: &CallArg, leaves: &[Var], out: &mut TokenStream) -> TokenStream {
        match &arg.pass {
            Pass::Leaf(_) | Pass::View { .. } => self.mutable_argument(arg, leaves, out),
            Pass::Place(access, layout) if self.is_in_place(access, layout, leaves, Side::Dot) => {
                self.lent.extend(leaves.iter().map(|_| Lent::There));
                self.root_argument(access, true, Side::Dot)
            }
            Pass::Place(_, layout) | Pass::Built(layout) => {
                let (name, parts) = self.local_tangent(layout, leaves, out);
                for (part, leaf) in parts.into_iter().zip(leaves) {
                    let lent = match part {
                        None if self.var_ty(*leaf).is_scalar() => Lent::Number(self.number_argument(*leaf)),
                        None => Lent::There,
                        Some(place) if self.var_ty(*leaf).is_scalar() => Lent::Number(place.tokens),
                        Some(place) => Lent::Array(place),
                    };
                    self.lent.push_back(lent);
                }
                quote!(&mut #name)
            }
            Pass::Tokens(_) => TokenStream::new(),
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
