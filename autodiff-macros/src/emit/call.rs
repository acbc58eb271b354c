//! Calls of other differentiable functions and of their derivatives.

use super::body::{Emitter, Own};
use crate::ir::{Call, CallKind, Eqn, Var};
use crate::lower::call::{CallArg, Pass};
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
        format_ident!("{}_bar", self.params[root], span = proc_macro2::Span::mixed_site())
    }

    pub fn dot(&self, root: usize) -> Ident {
        format_ident!("{}_dot", self.params[root], span = proc_macro2::Span::mixed_site())
    }
}

impl Emitter<'_> {
    pub(super) fn call(&mut self, eqn: &Eqn, call: &Call, out: &mut TokenStream) {
        // A callee may do anything: what is pending is written down first.
        self.settle(out);
        let target = &call.target;
        let (path, generics) = (&target.path, &target.generics);
        let own: usize = target.args.iter().map(|arg| arg.leaves).sum();
        let mut vars = eqn.args[..own].iter().copied();
        // What the callee's residuals own is not passed again.
        let again = call.kind == CallKind::Reverse && self.own == Own::Owned;
        let args: Vec<TokenStream> =
            if again { Vec::new() } else { target.args.iter().map(|arg| self.argument(arg, &mut vars, out)).collect() };
        match call.kind {
            CallKind::Value => {
                let result = self.result_name(&eqn.outs);
                out.extend(quote!(let #result = #path #generics(#(#args),*);));
                self.results(&target.results, &quote!(#result), &eqn.outs);
            }
            CallKind::Forward => {
                let Some((data, results)) = eqn.outs.split_last() else { return };
                let (result, saved) = (self.result_name(results), self.local(*data));
                let forward = match self.own {
                    Own::Borrowed => format_ident!("__forward"),
                    Own::Owned => format_ident!("forward"),
                };
                out.extend(quote!(let (#result, #saved) = #path #generics::#forward(#(#args),*);));
                self.results(&target.results, &quote!(#result), results);
                self.define_place(*data, quote!(#saved));
                self.define_number(*data, quote!(#saved));
            }
            CallKind::Reverse => {
                let data = self.data_reference(eqn.args[own]);
                let results =
                    surface_leaves(&target.results, &Access::root(0)).into_iter().filter(|leaf| leaf.2).count();
                let bars: Vec<_> = eqn.args[own + 1..own + 1 + results]
                    .iter()
                    .map(
                        |bar| {
                            if self.var_ty(*bar).is_scalar() { self.number_argument(*bar) } else { self.borrow(*bar) }
                        },
                    )
                    .collect();
                let mut accumulators = eqn.args[own + 1 + results..].iter().copied();
                let mut outs = eqn.outs.iter().copied();
                let targets: Vec<_> = target
                    .args
                    .iter()
                    .filter(|arg| arg.active)
                    .map(|arg| self.cotangent(arg, &mut accumulators, &mut outs, out))
                    .collect();
                out.extend(match self.own {
                    Own::Borrowed => quote!(#path #generics::__reverse(#(#args,)* #data, #(#bars,)* #(#targets),*);),
                    Own::Owned => quote!(#path #generics::__pullback(#data, #(#bars,)* #(#targets),*);),
                });
            }
            CallKind::Jvp => {
                let mut dots = eqn.args[own..].iter().copied();
                let dots: Vec<_> =
                    target.args.iter().filter(|arg| arg.active).map(|arg| self.tangent(arg, &mut dots)).collect();
                let floats = eqn.outs.len() - eqn.outs.len() / 2;
                let (results, result_dots) = eqn.outs.split_at(floats);
                let (result, dot) = (self.result_name(results), self.result_name(result_dots));
                out.extend(quote!(let (#result, #dot) = #path #generics::jvp(#(#args,)* #(#dots),*);));
                self.results(&target.results, &quote!(#result), results);
                self.results(&target.results, &quote!(#dot), result_dots);
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
            Pass::Tokens(tokens) => tokens.clone(),
            // The callee's residuals do not have the caller's parameters, only what is read of them.
            Pass::Place(_, value) if self.roots.gone => {
                let tokens = self.assemble(value, &mut leaves.into_iter(), out);
                if arg.by_ref { quote!(&#tokens) } else { tokens }
            }
            Pass::Place(access, Value::Struct(..)) if !arg.by_ref => {
                let place = self.root_argument(access, true, Side::Primal);
                quote!(::core::clone::Clone::clone(#place))
            }
            Pass::Place(access, _) => self.root_argument(access, arg.by_ref, Side::Primal),
            Pass::Leaf(form) => self.leaf_argument(leaves[0], *form, arg.by_ref),
        }
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
            (Form::Plain, false) => quote!(*#borrow),
            (Form::Tensor, true) => quote!(#krate::Tensor::from_ref(#borrow)),
            (Form::Tensor, false) => quote!(*#krate::Tensor::from_ref(#borrow)),
        }
    }

    /// A parameter of the caller's or a part of it, or its cotangent or tangent.
    fn root_argument(&self, access: &Access, by_ref: bool, side: Side) -> TokenStream {
        let roots = &self.roots;
        let (root, root_is_ref) = match side {
            Side::Primal => (roots.params[access.root].clone(), roots.by_ref[access.root]),
            Side::Bar => (roots.bar(access.root), true),
            Side::Dot => (roots.dot(access.root), !roots.scalar[access.root]),
        };
        let place = access.apply(quote!(#root));
        match (access.path.is_empty() && root_is_ref, by_ref, side) {
            (true, true, _) => place,
            (true, false, _) => quote!(*#place),
            (false, true, Side::Bar) => quote!(&mut #place),
            (false, true, _) => quote!(&#place),
            (false, false, _) => place,
        }
    }

    fn cotangent(
        &mut self,
        arg: &CallArg,
        accumulators: &mut impl Iterator<Item = Var>,
        outs: &mut impl Iterator<Item = Var>,
        out: &mut TokenStream,
    ) -> TokenStream {
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
            if arg.constant {
                let krate = &self.krate;
                return quote!(&mut #krate::__private::Zero::ZERO);
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

    fn tangent(&mut self, arg: &CallArg, dots: &mut impl Iterator<Item = Var>) -> TokenStream {
        let leaves: Vec<Var> = dots.take(arg.leaves).collect();
        match &arg.pass {
            Pass::Place(..) if arg.constant => {
                let krate = &self.krate;
                quote!(&#krate::__private::Zero::ZERO)
            }
            Pass::Place(access, value) => {
                let number = matches!(value, Value::Leaf(var, _) if self.var_ty(*var).is_scalar());
                self.root_argument(access, !number, Side::Dot)
            }
            Pass::Leaf(form) => {
                let scalar = self.var_ty(leaves[0]).is_scalar();
                self.leaf_argument(leaves[0], *form, !scalar)
            }
            Pass::Tokens(_) => TokenStream::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Primal,
    Bar,
    Dot,
}
