//! Calls of small functions whose bodies are taken over: see Note [Inlined functions] in `ir/inline.rs`.

use super::Lower;
use super::slice::check_below;
use crate::analysis::integers::Integers;
use crate::ir::call::{CallArg, Part, Passed};
use crate::ir::dim::Dim;
use crate::ir::inline::{self, Given, TakeIn, View};
use crate::ir::{Callee, Op, Opaque, Ty, Var, hole};
use crate::op::elementwise;
use crate::parse::tokens::referent;
use crate::relay::FnInfo;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{ExprCall, LitInt, Type};

/// How far back the computation of a length is looked for.
const MOST_LOOKED_AT: usize = 64;

/// What a parameter of the function is here.
enum Arg {
    Value(Var),
    /// An array and indices of it.
    Element(Var, Vec<Var>),
    View(View),
    /// An expression without a derivative, with holes for variables.
    Expression(TokenStream, Vec<Var>, Ty),
}

impl Lower<'_> {
    /// The results of a small function, and what it changes, computed here.
    pub(super) fn inlined(
        &mut self,
        call: &ExprCall,
        info: &FnInfo,
        callee: &Callee,
        vars: &[Var],
    ) -> Option<Vec<Var>> {
        let body = info.inline.as_ref()?.body(|row| elementwise::find(row).map(Op::Map))?;
        let changed = callee.changed_operands().count();
        if body.block.results.len() != callee.results.len() + changed {
            return None;
        }
        let mut params = body.block.params.iter().map(|param| body.ty(*param));
        let mut args: Vec<Vec<Arg>> = Vec::new();
        for (arg, param) in callee.args.iter().zip(&info.params) {
            // What it changes and has no derivative by is data, which may be anything.
            if arg.mutable && (!arg.active || matches!(arg.passed, Passed::Opaque(_))) {
                return None;
            }
            let vars = &vars[arg.operands.clone()];
            match &arg.passed {
                Passed::Whole => {
                    for var in vars {
                        params.next().filter(|ty| are_of_one_shape(ty, self.b.ty(*var)))?;
                    }
                    args.push(vars.iter().copied().map(Arg::Value).collect());
                }
                Passed::Part(part) => args.push(vec![self.part(*part, vars, params.next()?)?]),
                Passed::Opaque(tokens) if is_named(referent(&param.ty), &["usize"]) => {
                    params.next().filter(|ty| **ty == Ty::index())?;
                    args.push(vec![Arg::Value(self.plain_index(tokens, vars)?)]);
                }
                Passed::Opaque(tokens) if is_of_numbers(referent(&param.ty)) && !self.b.may_change(tokens) => {
                    let is_borrowed = matches!(param.ty, Type::Reference(_));
                    let tokens = if is_borrowed { behind(tokens.clone()) } else { tokens.clone() };
                    args.push(vec![Arg::Expression(tokens, vars.to_vec(), params.next()?.clone())]);
                }
                Passed::Opaque(_) => return None,
            }
        }
        if params.next().is_some() || is_lent_twice(callee, vars) {
            return None;
        }
        let left = self.may_inline.checked_sub(inline::operations(&body.block))?;
        self.at(call);
        let first = self.b.current().len();
        let given = args.iter().flatten().map(|arg| self.given_for(arg)).collect();
        let Some(taken) = TakeIn::new(&self.b, &body, given) else {
            self.b.current().truncate(first);
            return None;
        };
        self.may_inline = left;
        let mut outs = taken.run(&mut self.b, &check_below);
        for out in &mut outs {
            self.track(*out, vars);
        }
        // A row that was given as an array is put back.
        let mut changed = callee.results.len();
        for (arg, given) in callee.args.iter().zip(&args).filter(|(arg, _)| arg.mutable) {
            if let [Arg::Element(array, at)] = &given[..] {
                outs[changed] = self.b.set(*array, outs[changed], at);
                self.track(outs[changed], vars);
            }
            changed += arg.values().len();
        }
        Some(outs)
    }

    /// A part of an array: of the right length, if it is taken as an array.
    fn part(&mut self, part: Part, vars: &[Var], expected: &Ty) -> Option<Arg> {
        let (array, indices) = vars.split_first()?;
        let (at, rest) = indices.split_at_checked(part.indices)?;
        let (start, rest) = rest.split_at_checked(usize::from(part.start))?;
        let ty = self.b.ty(*array).clone();
        let is_slice = expected.dims.first().is_some_and(Dim::is_dynamic);
        if ty.elem != expected.elem {
            return None;
        }
        if !is_slice {
            // A part that starts at the beginning is all there is.
            let is_whole = !part.start && ty.dims.get(at.len()..) == Some(&expected.dims[..]);
            return is_whole.then(|| Arg::Element(*array, at.to_vec()));
        }
        let start = start.first().copied();
        let own = ty.dims.get(at.len())?.clone();
        let len = match rest.first() {
            Some(len) => self.size_of(*len),
            None => own.clone(),
        };
        let has_rows = ty.dims.get(at.len() + 1..) == expected.dims.get(1..);
        let is_ragged = ty.dims.iter().any(Dim::is_ragged);
        (has_rows && !is_ragged).then(|| Arg::View(View { array: *array, at: at.to_vec(), start, len }))
    }

    /// A size that has just been computed: `3` for the length of `x[3 * i..3 * i + 3]`.
    fn size_of(&mut self, var: Var) -> Dim {
        let last = self.b.current().iter().rev().take(MOST_LOOKED_AT).filter(|eqn| eqn.regions.is_empty());
        let size = Integers::of_equations(last).expanded(var);
        size.as_literal().filter(|size| *size >= 0).map_or_else(|| Dim::of(var), Dim::literal)
    }

    /// Whether all loops of a function that is taken over have a length that is known wherever it is called.
    pub(super) fn has_constant_loops(info: &FnInfo) -> bool {
        let body = info.inline.as_ref().and_then(|inline| inline.body(|row| elementwise::find(row).map(Op::Map)));
        body.is_some_and(|body| inline::has_constant_loops(&body.block))
    }

    /// An index that is a variable or a literal.
    fn plain_index(&mut self, tokens: &TokenStream, vars: &[Var]) -> Option<Var> {
        match vars {
            [var] => (hole(0) == tokens.to_string() && *self.b.ty(*var) == Ty::index()).then_some(*var),
            _ => {
                let literal: LitInt = syn::parse2(tokens.clone()).ok()?;
                Some(self.b.dim(Dim::literal(literal.base10_parse().ok()?)))
            }
        }
    }

    fn given_for(&mut self, arg: &Arg) -> Given {
        match arg {
            Arg::Value(var) => Given::Value(*var),
            Arg::View(view) => Given::View(view.clone()),
            Arg::Element(array, at) => {
                let element = self.b.get(*array, at);
                Given::Value(self.track(element, &[*array]))
            }
            Arg::Expression(tokens, vars, ty) => {
                Given::Value(self.b.opaque(Opaque::pure(tokens.clone()), vars.clone(), ty.clone()))
            }
        }
    }
}

/// Whether what is given is what is taken, where a slice may have any length.
fn are_of_one_shape(taken: &Ty, given: &Ty) -> bool {
    let rows = |ty: &Ty| ty.dims.get(1..).unwrap_or_default().to_vec();
    let is_slice = taken.dims.first().is_some_and(Dim::is_dynamic);
    let has_length = given.dims.first().is_some_and(|len| !len.is_ragged());
    taken == given || is_slice && has_length && taken.elem == given.elem && rows(taken) == rows(given)
}

/// Whether an array that is changed is given a second time, of which other parts are read.
fn is_lent_twice(callee: &Callee, vars: &[Var]) -> bool {
    let array = |arg: &CallArg| vars.get(arg.operands.start).copied().filter(|_| !arg.operands.is_empty());
    let changed = callee.args.iter().filter(|arg| arg.mutable);
    changed.filter_map(array).any(|lent| callee.args.iter().filter(|arg| array(arg) == Some(lent)).count() > 1)
}

/// Whether a type is that of a number, or of arrays of them.
fn is_of_numbers(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_of_numbers(&array.elem),
        ty => is_named(ty, &["f64", "f32"]),
    }
}

fn is_named(ty: &Type, names: &[&str]) -> bool {
    matches!(ty, Type::Path(path) if names.iter().any(|name| path.path.is_ident(name)))
}

/// What an expression borrows.
fn behind(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match trees.next() {
        Some(TokenTree::Punct(borrow)) if borrow.as_char() == '&' => trees.collect(),
        _ => quote!((*#tokens)),
    }
}
