//! What a callee is given: arguments, their tangents, and the places that it adds cotangents into.

use super::body::{Emitter, Moved};
use super::call::Written;
use super::leaves::{leaf_tokens, split_tokens};
use super::types::{array_type, zero, zero_of};
use super::variant::{self, Take};
use crate::ir::call::{CallArg, Part};
use crate::ir::dim::Dim;
use crate::ir::interface::{Along, Of, Role};
use crate::ir::{CallKind, Elem, Ty, Var};
use crate::layout::{Access, Form, Kind, Layout, Leaf};
use crate::lower::call_site::ArgPassing;
use crate::parse::tokens::dim_tokens;
use crate::plan::on_stack;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::rc::Rc;

/// An argument: what the IR knows of it, and how it is written.
#[derive(Clone, Copy)]
pub(super) struct Arg<'c> {
    pub(super) ir: &'c CallArg,
    pub(super) passing: &'c ArgPassing,
    pub(super) by_ref: bool,
}

impl Arg<'_> {
    /// Which of its leaves have a tangent.
    fn are_active(self) -> Vec<bool> {
        match self.passing {
            ArgPassing::Place(_, layout) | ArgPassing::Built(layout) => {
                layout.leaves(&Access::root(0)).iter().map(Leaf::is_differentiable).collect()
            }
            _ => vec![true],
        }
    }

    /// The roles of its numbers and arrays, or of their tangents.
    fn roles(self, along: Along) -> impl Iterator<Item = Role> {
        self.ir.values().map(move |k| Role::value(Of::Input(k)).towards(along))
    }
}

impl Emitter<'_> {
    /// The arguments that are still what they were before the call.
    pub(super) fn unchanged_arguments(&mut self, written: &Written, out: &mut TokenStream) -> Vec<TokenStream> {
        let unchanged = written.args().filter(|arg| !arg.ir.mutable);
        unchanged.map(|arg| self.argument(arg, &written.operands(arg), out)).collect()
    }

    /// A number that a callee may change gets a variable.
    fn borrow_scalar_mut(&mut self, arg: Arg, along: Along, var: Var, out: &mut TokenStream) -> TokenStream {
        let (value, name) = (self.number_argument(var), self.local(var));
        out.extend(quote!(let mut #name = #value;));
        self.moved.extend(arg.roles(along).map(|role| (role, Moved::Number(quote!(#name)))));
        quote!(&mut #name)
    }

    /// What a callee may change. A struct that is not the function's own parameter as it stands is put together in a
    /// variable, from which its parts are taken afterwards.
    fn mutable_argument(&mut self, arg: Arg, along: Along, leaves: &[Var], out: &mut TokenStream) -> TokenStream {
        match arg.passing {
            ArgPassing::Leaf(_) if self.var_ty(leaves[0]).is_scalar() => {
                self.borrow_scalar_mut(arg, along, leaves[0], out)
            }
            ArgPassing::Leaf(form) => self.mutable_leaf(leaves[0], *form),
            ArgPassing::View(part) => {
                let view = self.view(*part, &leaves[1..], leaves[0]);
                quote!(&mut #view)
            }
            ArgPassing::Place(access, layout) if self.is_in_place(access, layout, leaves, Side::Changed) => {
                self.root_argument(access, true, Side::Changed)
            }
            ArgPassing::Place(_, layout) | ArgPassing::Built(layout) => {
                let tokens = self.assemble_copy(layout, &mut leaves.iter().copied());
                let name = self.names.local("changed");
                out.extend(quote!(let mut #name = #tokens;));
                let parts = layout.leaves(&Access::root(0)).into_iter().zip(leaves);
                for (role, (part, leaf)) in arg.roles(along).zip(parts) {
                    let moved = match self.var_ty(*leaf).is_scalar() {
                        true if part.access.is_in_enum() => {
                            let (ty, krate) = (self.var_ty(*leaf).clone(), self.krate.clone());
                            let (path, none) = (&part.access.path, variant::none(&ty, &krate));
                            let number =
                                variant::taken(&quote!(#name), path, (part.form, &ty, Take::Copy), &none, &krate);
                            Moved::Number(quote!((#number)))
                        }
                        true => Moved::Number(leaf_tokens(&quote!(#name), &part.access, part.form)),
                        false => Moved::Array(self.part_place(&name, &part.access, part.form)),
                    };
                    self.moved.push((role, moved));
                }
                quote!(&mut #name)
            }
            ArgPassing::Tokens(tokens) => self.passed_on(tokens, leaves),
        }
    }

    /// An expression without a derivative, with the numbers and objects in it, and with borrows of the arrays.
    fn passed_on(&mut self, tokens: &TokenStream, leaves: &[Var]) -> TokenStream {
        let given = leaves.iter().map(|leaf| match self.var_ty(*leaf).is_scalar() {
            true => self.number_argument(*leaf),
            false => self.borrow(*leaf),
        });
        let given: Vec<_> = given.collect();
        crate::ir::fill_holes(tokens.clone(), &given)
    }

    /// Whether a struct is an array or several of them, all of which are where the function's parameter has them.
    fn is_in_place(&self, access: &Access, layout: &Layout, leaves: &[Var], side: Side) -> bool {
        let (root, _) = self.root(access, side);
        let of_side = |access: &Access| if side.is_tangent() { access.of_tangent() } else { access.clone() };
        layout.leaves(access).iter().zip(leaves).all(|(part, leaf)| {
            let ignored = side != Side::Changed && (!part.active || !self.var_ty(*leaf).is_float());
            ignored
                || !self.var_ty(*leaf).is_scalar()
                    && self.is_part(*leaf, &quote!(#root), &of_side(&part.access), part.form)
        })
    }

    /// Whether an array is in a part of something.
    pub(super) fn is_part(&self, array: Var, root: &TokenStream, access: &Access, form: Form) -> bool {
        let Some(place) = self.places.get(&array) else { return false };
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

    /// What a callee adds into, for each of its differentiable parameters.
    pub(super) fn cotangents(&mut self, written: &Written, along: Along, out: &mut TokenStream) -> Vec<TokenStream> {
        // Whether these are not the cotangents of the function's own parameters.
        let local = match written.call.kind {
            CallKind::Reverse => !self.has_cotangents,
            CallKind::Joint => written.call.repeats.is_none(),
            _ => true,
        };
        let mut targets = Vec::new();
        for arg in written.args().filter(|arg| arg.ir.active) {
            let bars = written.bars(arg, along);
            let is_local = match arg.passing {
                _ if arg.ir.constant => {
                    targets.push(self.discarded_cotangent(&written.operands(arg), arg));
                    continue;
                }
                ArgPassing::Built(layout) => Some(layout),
                ArgPassing::Place(_, layout) if local => Some(layout),
                ArgPassing::Place(access, layout) if arg.ir.mutable => {
                    let before: Vec<Var> = bars.iter().map(|(before, _)| *before).collect();
                    (!self.is_in_place(access, layout, &before, Side::Bar)).then_some(layout)
                }
                _ => None,
            };
            targets.push(match is_local {
                Some(layout) => self.local_cotangent(layout, &bars, out),
                None => self.cotangent(arg, &written.places(arg), &bars, out),
            });
        }
        targets
    }

    /// A place for a cotangent that nobody wants.
    fn discarded_cotangent(&mut self, own: &[Var], arg: Arg) -> TokenStream {
        let zero = self.no_tangent(own, arg);
        quote!(&mut #zero)
    }

    /// Zeros for an argument that the caller is not differentiated by.
    fn no_tangent(&mut self, own: &[Var], arg: Arg) -> TokenStream {
        let krate = self.krate.clone();
        match (arg.passing, own) {
            (ArgPassing::View(part), own) => {
                let view = self.view(*part, &own[1..], own[0]);
                let ty = self.var_ty(own[0]);
                let row = Ty::tensor(ty.elem.clone(), ty.dims[part.indices + 1..].to_vec());
                match on_stack(&row).filter(|_| part.ranged) {
                    Some(few) => {
                        let (few, zero) = (few.dims.iter().map(dim_tokens), zero(&row.elem, &krate));
                        quote!(#krate::__private::Scratch::<_, #(#few)*>::new(#zero).zeros((#view).len())[..])
                    }
                    None => quote!(#krate::__private::zeros(&#view)[..]),
                }
            }
            (ArgPassing::Place(_, layout) | ArgPassing::Built(layout), own) if layout.has_slices() => {
                let mut out = TokenStream::new();
                let (name, _) = self.zero_tangent(layout, own, &mut out);
                quote!({ #out #name })
            }
            (ArgPassing::Built(layout), own) if own.iter().any(|var| self.var_ty(*var).is_dynamic()) => {
                let mut out = TokenStream::new();
                let (name, places) = self.zero_tangent(layout, own, &mut out);
                for (place, var) in places.iter().zip(own) {
                    let Some(place) = place.as_ref().filter(|_| self.var_ty(*var).is_dynamic()) else { continue };
                    let (place, zeros) = (&place.tokens, self.zeros_like(*var));
                    out.extend(quote!(#place = #zeros;));
                }
                quote!({ #out #name })
            }
            (_, [one]) if self.var_ty(*one).is_dynamic() => {
                let zeros = self.zeros_like(*one);
                quote!(#zeros[..])
            }
            (ArgPassing::Place(access, Layout::Parts(Kind::Struct(_), _)), own)
                if own.iter().any(|var| self.var_ty(*var).is_dynamic()) =>
            {
                let place = self.root_argument(access, true, Side::Primal);
                quote!(#krate::Differentiable::zero_tangent(#place))
            }
            (ArgPassing::Leaf(form), [one]) => {
                let ty = self.tangent_type(&Layout::Leaf(*form, self.var_ty(*one).clone()));
                quote!(<#ty as #krate::__private::Zero>::ZERO)
            }
            (ArgPassing::Place(_, layout) | ArgPassing::Built(layout), _) => {
                zero_of(&self.tangent_type(layout), layout, &krate)
            }
            // Only rustc knows its type. That of `None` follows from the parameter alone.
            (ArgPassing::Tokens(tokens), own) if !tokens.to_string().ends_with("None") => {
                let tokens = self.argument(arg, own, &mut TokenStream::new());
                quote!({
                    use #krate::{Differentiable as _, __private::ZeroTangents as _};
                    (#tokens).zero_tangent()
                })
            }
            _ => quote!(#krate::__private::Zero::ZERO),
        }
    }

    /// The tangents of a callee's arguments, for each of its differentiable parameters.
    pub(super) fn tangents(&mut self, written: &Written, along: Along, out: &mut TokenStream) -> Vec<TokenStream> {
        let mut tangents = Vec::new();
        for arg in written.args().filter(|arg| arg.ir.active) {
            let own = written.operands(arg);
            tangents.push(match arg.ir.constant {
                true if self.is_number(arg, &own) => self.no_tangent(&own, arg),
                true => {
                    let zero = self.no_tangent(&own, arg);
                    quote!(&#zero)
                }
                false => self.tangent(arg, along, (&written.places(arg), &written.dots(arg, along)), out),
            });
        }
        tangents
    }

    /// The tangents of an argument in several directions, a leaf each. Where the caller is not differentiated by it, they
    /// are zero.
    pub(super) fn wide_tangents(
        &mut self,
        written: &Written,
        arg: Arg,
        along: Along,
        out: &mut TokenStream,
    ) -> Vec<TokenStream> {
        let (operands, dots) = (written.operands(arg), written.dots(arg, along));
        if let (ArgPassing::View(part), Some(dot)) = (arg.passing, dots.first()) {
            let view = self.view(*part, &written.places(arg), *dot);
            return vec![if arg.ir.mutable { quote!(&mut #view) } else { quote!(&#view) }];
        }
        let krate = self.krate.clone();
        let mut tangents = Vec::new();
        let (is_active, roles) = (arg.are_active(), arg.roles(along).collect::<Vec<Role>>());
        for (k, own) in operands.iter().enumerate().filter(|(k, _)| is_active.get(*k) == Some(&true)) {
            tangents.push(match dots.get(k) {
                Some(dot) if arg.ir.mutable && self.var_ty(*dot).is_scalar() => {
                    let (value, name) = (self.number_argument(*dot), self.local(*dot));
                    out.extend(quote!(let mut #name = #value;));
                    self.moved.push((roles[k], Moved::Number(quote!(#name))));
                    quote!(&mut #name)
                }
                Some(dot) if arg.ir.mutable => self.borrow_mut(*dot),
                Some(dot) => self.given(*dot),
                None if self.var_ty(*own).is_scalar() => quote!(#krate::__private::lanes::Zeros::ZEROS),
                None => {
                    let zeros = self.wide_zeros(arg, &operands, k);
                    quote!(&#zeros)
                }
            });
        }
        tangents
    }

    /// Zeros in several directions for a leaf that the caller is not differentiated by.
    fn wide_zeros(&mut self, arg: Arg, own: &[Var], k: usize) -> TokenStream {
        let krate = self.krate.clone();
        let (place, ty) = match arg.passing {
            ArgPassing::View(part) => {
                let mut ty = self.var_ty(own[0]).clone();
                ty.dims.drain(..part.indices);
                let place = (part.ranged || ty.is_dynamic()).then(|| self.view(*part, &own[1..], own[0]));
                (place, ty)
            }
            _ => {
                let ty = self.var_ty(own[k]).clone();
                (ty.is_dynamic().then(|| self.place(own[k]).tokens), ty)
            }
        };
        // The callee may take a slice.
        let zeros = |dims: &[Dim]| {
            let array = array_type(&Ty::tensor(Elem::Wide(Rc::new(ty.elem.clone())), dims.to_vec()), &krate);
            quote!(<#array as #krate::__private::lanes::Zeros<_, _>>::ZEROS)
        };
        match place {
            None => zeros(&ty.dims),
            Some(place) => {
                let zeros = zeros(&ty.dims[1..]);
                quote!(#krate::__private::lanes::filled(#zeros, #place.len()))
            }
        }
    }

    /// The tangents of the cotangents of an argument in several directions, a place for each leaf. What is added where the caller is
    /// not differentiated by it is lost.
    pub(super) fn wide_cotangents(
        &mut self,
        written: &Written,
        arg: Arg,
        along: Along,
        out: &mut TokenStream,
    ) -> Vec<TokenStream> {
        let (own, bars) = (written.operands(arg), written.bars(arg, along));
        if let (ArgPassing::View(part), Some((bar, result))) = (arg.passing, bars.first().copied()) {
            self.share_place(result, bar);
            let view = self.view(*part, &written.places(arg), bar);
            return vec![quote!(&mut #view)];
        }
        let is_active = arg.are_active();
        let mut places = Vec::new();
        for k in 0..own.len() {
            let is_active = is_active.get(k) == Some(&true);
            places.extend(match bars.get(k) {
                Some(bar) if is_active => Some(self.leaf_cotangent(Form::Plain, *bar, out)),
                Some((before, after)) => {
                    match self.var_ty(*after).is_scalar() {
                        true => {
                            let value = self.number_argument(*before);
                            self.define_number(*after, value);
                        }
                        false => self.share_place(*after, *before),
                    }
                    None
                }
                None if !is_active => None,
                None => {
                    let zeros = self.wide_zeros(arg, &own, k);
                    Some(quote!(&mut #zeros))
                }
            });
        }
        places
    }

    fn is_number(&self, arg: Arg, own: &[Var]) -> bool {
        let is_struct =
            matches!(arg.passing, ArgPassing::Place(_, Layout::Parts(..)) | ArgPassing::Built(Layout::Parts(..)));
        let has_numbers = !matches!(arg.passing, ArgPassing::Tokens(_)) && !is_struct;
        has_numbers && matches!(own, [one] if self.var_ty(*one).is_scalar())
    }

    /// `x[i][a..a + n]`, of the argument itself or of what belongs to it.
    fn view(&mut self, part: Part, places: &[Var], array: Var) -> TokenStream {
        let place = self.place(array);
        let (indices, range) = places.split_at(part.indices);
        let mut at: Vec<TokenStream> = indices.iter().map(|index| self.number_argument(*index)).collect();
        // The first index chooses the struct that the array is in.
        let place = match (&place.tokens, at.first()) {
            (slice, Some(first)) if !place.after.is_empty() => {
                let of_element = place.of(quote!(#slice[#first]));
                at.remove(0);
                of_element
            }
            (tokens, _) => tokens.clone(),
        };
        match *range {
            [start, len] => {
                let (len, start) = (self.number_argument(len), self.number_argument(start));
                quote!(#place #([#at])* [#start..#start + #len])
            }
            [len] => {
                let len = self.number_argument(len);
                quote!(#place #([#at])* [..#len])
            }
            _ => quote!(#place #([#at])*),
        }
    }

    pub(super) fn argument(&mut self, arg: Arg, leaves: &[Var], out: &mut TokenStream) -> TokenStream {
        match arg.passing {
            _ if arg.ir.mutable => self.mutable_argument(arg, Along::NONE, leaves, out),
            ArgPassing::Tokens(tokens) => self.passed_on(tokens, leaves),
            ArgPassing::Built(layout) => {
                let (leaves, numbers) = leaves.split_at(layout.types().len());
                let tokens = self.assemble_copy(layout, &mut leaves.iter().copied());
                let tokens = self.passed_on(&tokens, numbers);
                if arg.by_ref { quote!(&#tokens) } else { tokens }
            }
            // The callee's residuals do not have the caller's parameters, only what is read of them.
            ArgPassing::Place(_, layout) if !self.roots.args_available => {
                let tokens = self.assemble(layout, &mut leaves.iter().copied());
                if arg.by_ref { quote!(&#tokens) } else { tokens }
            }
            ArgPassing::Place(access, Layout::Parts(Kind::Struct(_), _)) if !arg.by_ref => {
                let place = self.root_argument(access, true, Side::Primal);
                quote!(::core::clone::Clone::clone(#place))
            }
            // The other sweep takes it as well.
            ArgPassing::Place(access, Layout::Leaf(_, ty)) if !arg.by_ref && ty.is_dynamic() => {
                let place = self.root_argument(access, false, Side::Primal);
                quote!((#place).to_vec())
            }
            ArgPassing::Place(access, layout) if !arg.by_ref && layout.has_slices() => {
                let place = self.root_argument(access, true, Side::Primal);
                quote!(::core::clone::Clone::clone(#place))
            }
            ArgPassing::Place(access, _) => self.root_argument(access, arg.by_ref, Side::Primal),
            ArgPassing::Leaf(form) => self.leaf_argument(leaves[0], *form, arg.by_ref),
            ArgPassing::View(part) => {
                let view = self.view(*part, &leaves[1..], leaves[0]);
                if arg.by_ref { quote!(&#view) } else { quote!(#view.to_vec()) }
            }
        }
    }

    fn mutable_leaf(&mut self, var: Var, form: Form) -> TokenStream {
        let borrow = self.borrow_mut(var);
        form.mutable_borrow_of(borrow, &self.krate)
    }

    fn leaf_argument(&mut self, var: Var, form: Form, by_ref: bool) -> TokenStream {
        let krate = self.krate.clone();
        if self.var_ty(var).is_scalar() {
            let value = self.number_argument(var);
            return if by_ref { quote!(&(#value)) } else { value };
        }
        let borrow = self.borrow(var);
        match (form, by_ref) {
            (Form::Plain, false) if self.var_ty(var).is_dynamic() => {
                let place = self.place(var).tokens;
                quote!(#place.to_vec())
            }
            (form, true) => form.borrow_of(borrow, &krate),
            (form, false) => {
                let borrow = form.borrow_of(borrow, &krate);
                quote!(*#borrow)
            }
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
        let place = match side.is_tangent() {
            true => access.of_tangent().apply(quote!(#root)),
            false => access.apply(quote!(#root)),
        };
        match (access.path.is_empty() && root_is_ref, by_ref, side) {
            (true, true, _) => place,
            (true, false, _) => quote!(*#place),
            (false, true, Side::Bar | Side::Changed) => quote!(&mut #place),
            (false, true, _) => quote!(&#place),
            (false, false, _) => place,
        }
    }

    /// The place of a cotangent that is where the caller has it, before and after the call.
    pub(super) fn cotangent(
        &mut self,
        arg: Arg,
        places: &[Var],
        bars: &[(Var, Var)],
        out: &mut TokenStream,
    ) -> TokenStream {
        if let (ArgPassing::View(part), Some((bar, result))) = (arg.passing, bars.first().copied()) {
            self.share_place(result, bar);
            let view = self.view(*part, places, bar);
            return quote!(&mut #view);
        }
        if let ArgPassing::Place(access, _) = arg.passing {
            // The callee adds into the caller's own accumulator; what was gathered before stays to be added.
            for (bar, result) in bars.iter().copied() {
                if self.var_ty(bar).is_scalar() {
                    let before = self.number_argument(bar);
                    self.define_number(result, before);
                } else {
                    self.share_place(result, bar);
                }
            }
            return self.root_argument(access, true, Side::Bar);
        }
        let form = if let ArgPassing::Leaf(form) = arg.passing { *form } else { Form::Plain };
        bars.first().map_or_else(TokenStream::new, |bar| self.leaf_cotangent(form, *bar, out))
    }

    /// The same of one leaf.
    pub(super) fn leaf_cotangent(
        &mut self,
        form: Form,
        (bar, result): (Var, Var),
        out: &mut TokenStream,
    ) -> TokenStream {
        if self.var_ty(bar).is_scalar() {
            let value = self.number_argument(bar);
            let name = self.local(result);
            out.extend(quote!(let mut #name = #value;));
            self.define_number(result, quote!(#name));
            return quote!(&mut #name);
        }
        self.share_place(result, bar);
        self.mutable_leaf(bar, form)
    }

    fn tangent(
        &mut self,
        arg: Arg,
        along: Along,
        (places, leaves): (&[Var], &[Var]),
        out: &mut TokenStream,
    ) -> TokenStream {
        if let ArgPassing::View(part) = arg.passing {
            let [dot, ..] = leaves else { unreachable!("a part of an array without a tangent") };
            let view = self.view(*part, places, *dot);
            return if arg.ir.mutable { quote!(&mut #view) } else { quote!(&#view) };
        }
        if arg.ir.mutable {
            return self.mutable_tangent(arg, along, leaves, out);
        }
        match arg.passing {
            ArgPassing::Place(access, layout) if self.is_own_tangent(access, layout, leaves) => {
                let number = matches!(layout, Layout::Leaf(_, ty) if ty.is_scalar());
                self.root_argument(access, !number, Side::Dot)
            }
            ArgPassing::Place(_, Layout::Leaf(form, _)) | ArgPassing::Leaf(form) => {
                let scalar = self.var_ty(leaves[0]).is_scalar();
                self.leaf_argument(leaves[0], *form, !scalar)
            }
            ArgPassing::Place(_, layout) | ArgPassing::Built(layout) => {
                let (name, _) = self.local_tangent(layout, leaves, out);
                quote!(&#name)
            }
            ArgPassing::Tokens(_) | ArgPassing::View(_) => unreachable!("the tangent of what has none"),
        }
    }
}

impl Emitter<'_> {
    /// The tangent of what a callee may change.
    fn mutable_tangent(&mut self, arg: Arg, along: Along, leaves: &[Var], out: &mut TokenStream) -> TokenStream {
        match arg.passing {
            ArgPassing::Leaf(_) | ArgPassing::View(_) => self.mutable_argument(arg, along, leaves, out),
            ArgPassing::Place(access, layout) if self.is_in_place(access, layout, leaves, Side::Dot) => {
                self.root_argument(access, true, Side::Dot)
            }
            ArgPassing::Place(_, layout) | ArgPassing::Built(layout) => {
                let (name, parts) = self.local_tangent(layout, leaves, out);
                for (role, (part, leaf)) in arg.roles(along).zip(parts.into_iter().zip(leaves)) {
                    let moved = match part {
                        None if self.var_ty(*leaf).is_scalar() => Moved::Number(self.number_argument(*leaf)),
                        None => continue,
                        Some(place) if self.var_ty(*leaf).is_scalar() => Moved::Number(place.tokens),
                        Some(place) => Moved::Array(place),
                    };
                    self.moved.push((role, moved));
                }
                quote!(&mut #name)
            }
            ArgPassing::Tokens(_) => unreachable!("the tangent of what has none"),
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

impl Side {
    fn is_tangent(self) -> bool {
        matches!(self, Side::Bar | Side::Dot)
    }
}
