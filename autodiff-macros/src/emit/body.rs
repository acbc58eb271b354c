//! The statements of a body: buffers, loops, and expressions put back together.
//!
//! Arrays live in *places*; an operation that updates one in place gives its result the place of its operand,
//! which [`crate::pass::inplace`] has made safe. Numbers that are used once become part of the expression that
//! uses them; a pending expression is written down before anything it reads changes.

use super::expression::{Expression, Prec};
use super::names::Names;
use super::pending::Pending;
use super::types::{array_type, number, of_rows};
use crate::analysis::windows::Counting;
use crate::ir::interface::Role;
use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Elem, Eqn, Op, Ty, Var};
use crate::lower::call_site::CallSites;
use crate::op::Class;
use crate::plan::{Plan, Storage};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Where an array (or a number that changes) is.
#[derive(Clone, Debug)]
pub struct Place {
    /// The place as an expression: `h`, `p.w1.0`, `x`.
    pub tokens: TokenStream,
    /// Whether that expression is a reference already.
    pub is_ref: bool,
    pub storage: usize,
    pub owner: Owner,
    /// The field of an element of a slice of structs, as an expression with a hole for the element.
    pub after: TokenStream,
}

impl Place {
    /// A place of the function's own.
    pub(super) fn own(tokens: TokenStream, storage: usize) -> Place {
        Place { tokens, is_ref: false, storage, owner: Owner::Function, after: TokenStream::new() }
    }

    /// Whether it must stay as it is.
    fn is_given(&self) -> bool {
        self.owner != Owner::Function
    }

    /// What is meant of an element.
    pub(super) fn of(&self, element: TokenStream) -> TokenStream {
        if self.after.is_empty() { element } else { crate::ir::fill_holes(self.after.clone(), &[element]) }
    }

    /// The same of all elements, in an array of its own.
    pub(super) fn of_all(&self, ty: &Ty, krate: &TokenStream) -> TokenStream {
        let part = self.of(quote!(item));
        of_rows(&self.tokens, &quote!(::core::clone::Clone::clone(&#part)), ty, krate)
    }
}

/// Who has the right to a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The function: what is there may be moved away.
    Function,
    /// The caller of the function.
    Caller,
    /// A loop, whose next iteration needs the place.
    Loop,
}

/// Where a number or an array is that has been put somewhere else for a call that may change it.
#[derive(Clone, Debug)]
pub(super) enum Moved {
    Number(TokenStream),
    Array(Place),
}

/// Who has what a reverse sweep reads of the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResidualOwner {
    /// The caller, who passes them again.
    Caller,
    /// The residuals, which have a copy.
    Residuals,
}

pub struct Emitter<'b> {
    body: &'b Body,
    pub(super) plan: &'b Plan,
    pub krate: TokenStream,
    pub names: Names,
    pub roots: super::leaves::Roots,
    pub residual_owner: ResidualOwner,
    /// Whether parameters are at hand that the function changes.
    pub(super) has_changed: bool,
    /// Whether the function is `const`: see Note [Constant derivatives] in `constant.rs`.
    pub(super) is_constant: bool,
    /// Whether the caller has places for the cotangents of the parameters.
    pub(super) has_cotangents: bool,
    pub sites: CallSites,
    pub(super) places: VarTable<Place>,
    pub(super) values: VarTable<Expression>,
    /// Expressions not written down yet, oldest first.
    pub(super) pending: Pending,
    storages: usize,
    /// Arrays that are never moved.
    pub(super) copied: HashSet<Var>,
    /// Numbers kept in a variable that changes.
    pub(super) mutable: VarTable<Ident>,
    /// Of the call that is being written, by role.
    pub(super) moved: Vec<(Role, Moved)>,
    /// What is to be done when the call has returned.
    pub(super) after_call: TokenStream,
    /// The places that the caller has for residuals.
    pub(super) destinations: Vec<Ident>,
    /// What is done before the first statement.
    pub(super) prologue: TokenStream,
    /// Rows that a loop reads, by array and index.
    pub(super) rows: HashMap<(Var, Var), TokenStream>,
    /// Elements that a loop sees through a window, by array and index.
    pub(super) windows: HashMap<(Var, Var), TokenStream>,
    /// How the integers are computed.
    pub(super) counting: Counting,
    /// The arrays that have been made before a loop.
    pub(super) hoisted: VarTable<Ident>,
}

impl<'b> Emitter<'b> {
    pub fn new(body: &'b Body, plan: &'b Plan, krate: TokenStream, mut names: Names) -> Emitter<'b> {
        names.learn(body);
        Emitter {
            body,
            plan,
            krate,
            names,
            roots: super::leaves::Roots::default(),
            residual_owner: ResidualOwner::Caller,
            has_changed: true,
            is_constant: false,
            has_cotangents: true,
            sites: CallSites::new(),
            places: VarTable::default(),
            values: VarTable::default(),
            pending: Pending::default(),
            storages: 0,
            copied: HashSet::new(),
            mutable: VarTable::default(),
            moved: Vec::new(),
            after_call: TokenStream::new(),
            destinations: Vec::new(),
            prologue: TokenStream::new(),
            rows: HashMap::new(),
            windows: HashMap::new(),
            counting: Counting::of(&body.block),
            hoisted: VarTable::default(),
        }
    }

    pub(super) fn ty(&self, var: Var) -> &'b Ty {
        self.body.ty(var)
    }

    pub(super) fn hint(&self, var: Var) -> String {
        self.names.hint(self.body, var).unwrap_or("t").to_owned()
    }

    pub(super) fn storage(&mut self) -> usize {
        self.storages += 1;
        self.storages
    }

    /// Says where a parameter of the body is.
    pub fn param(&mut self, var: Var, tokens: TokenStream, is_ref: bool) {
        let storage = self.storage();
        if self.ty(var).is_scalar() {
            let tokens = if is_ref { quote!(*#tokens) } else { tokens };
            let prec = if is_ref { Prec::Unary } else { Prec::Atom };
            self.values.insert(var, Expression { prec, ..Expression::atom(tokens) });
        } else {
            self.places.insert(var, Place { is_ref, owner: Owner::Caller, ..Place::own(tokens, storage) });
        }
    }

    /// Says where a leaf of a parameter is, if it is a field of the elements of a slice.
    pub fn param_rows(&mut self, var: Var, (tokens, after): (TokenStream, TokenStream)) {
        let storage = self.storage();
        self.places.insert(var, Place { is_ref: true, owner: Owner::Caller, after, ..Place::own(tokens, storage) });
    }

    /// Says where residuals are that another function has made.
    pub fn param_data(&mut self, var: Var, tokens: TokenStream) {
        let storage = self.storage();
        self.values.insert(var, Expression::atom(tokens.clone()));
        self.places.insert(var, Place { is_ref: true, ..Place::own(tokens, storage) });
    }

    pub(super) fn is_used(&self, var: Var) -> bool {
        self.plan.reads.count(var) > 0
    }

    pub fn body(&self) -> &'b Body {
        self.body
    }

    /// The statements of the body.
    pub fn statements(&mut self) -> TokenStream {
        let mut out = std::mem::take(&mut self.prologue);
        self.block(&self.body.block.eqns, &self.body.block, &mut out);
        out
    }

    /// A number or an array as an expression that can be moved.
    pub fn value(&mut self, var: Var) -> TokenStream {
        if self.ty(var).is_scalar() {
            let typed = self.take(var);
            return self.typed(var, typed).tokens.into();
        }
        let place = self.place(var);
        let tokens = &place.tokens;
        if !place.after.is_empty() {
            return place.of_all(self.ty(var), &self.krate);
        }
        let borrowed = place.is_ref || place.is_given() || self.copied.contains(&var);
        match (place.is_ref, self.ty(var).is_dynamic()) {
            (_, true) if borrowed => quote!(#tokens.to_vec()),
            (true, _) => quote!(*#tokens),
            (false, _) => tokens.clone(),
        }
    }

    /// Where an array is.
    pub fn place(&self, var: Var) -> Place {
        match self.places.get(&var) {
            Some(place) => place.clone(),
            None => unreachable!("%{} has no place\n{}", var.0, crate::ir::text::print(self.body)),
        }
    }

    /// `&place`, or a borrow of what is gathered there.
    pub fn borrow(&self, var: Var) -> TokenStream {
        let place = self.place(var);
        if !place.after.is_empty() {
            let all = place.of_all(self.ty(var), &self.krate);
            return quote!(&#all);
        }
        let Place { tokens, is_ref, owner, .. } = place;
        match is_ref {
            true if owner != Owner::Function => tokens,
            // A mutable reference of ours: it is used again.
            true => quote!(&*#tokens),
            false => quote!(&#tokens),
        }
    }

    /// Zeros for each element of an array whose length is known at run time.
    pub(super) fn zeros_like(&self, var: Var) -> TokenStream {
        let (place, krate) = (self.place(var), &self.krate);
        let elements = if place.after.is_empty() { place.tokens } else { place.of_all(self.ty(var), krate) };
        quote!(#krate::__private::zeros(&#elements[..]))
    }

    pub(super) fn borrow_mut(&self, var: Var) -> TokenStream {
        let Place { tokens, is_ref, owner, .. } = self.place(var);
        match is_ref {
            true if owner != Owner::Function => tokens,
            true => quote!(&mut *#tokens),
            false => quote!(&mut #tokens),
        }
    }

    /// Whether an array is a parameter's or a part of one.
    pub(super) fn is_given(&self, var: Var) -> bool {
        self.place(var).is_given()
    }

    /// Puts an array of the same size into a place.
    pub(super) fn assign(&self, place: &Place, value: &TokenStream, dynamic: bool) -> TokenStream {
        let target = &place.tokens;
        if !place.after.is_empty() {
            let part = place.of(quote!(row));
            return quote!(for (row, value) in ::core::iter::Iterator::zip(#target.iter_mut(), #value) { #part = value; });
        }
        match (place.is_ref, dynamic && place.is_given()) {
            (_, true) => quote!(#target.copy_from_slice(&#value);),
            (true, false) => quote!(*#target = #value;),
            (false, false) => quote!(#target = #value;),
        }
    }

    // --- blocks ---------------------------------------------------------------------------------------

    pub(super) fn block(&mut self, eqns: &[Eqn], block: &Block, out: &mut TokenStream) {
        let outer = std::mem::take(&mut self.pending);
        for eqn in eqns {
            self.eqn(eqn, block, out);
        }
        // What is left is used by the results, which the caller writes.
        let left = std::mem::replace(&mut self.pending, outer);
        self.pending.append(left);
    }

    /// The expression of a number, no longer pending.
    pub(super) fn take(&mut self, var: Var) -> Expression {
        self.pending.remove(var);
        match self.values.get(&var) {
            Some(value) => value.clone(),
            None => unreachable!("%{} has no value\n{}", var.0, crate::ir::text::print(self.body)),
        }
    }

    /// The same with a suffix, where it is a literal on its own.
    pub(super) fn typed(&self, var: Var, expression: Expression) -> Expression {
        match expression.literal {
            Some(value) => {
                Expression { tokens: number(&self.ty(var).elem, value, true, &self.krate).into(), ..expression }
            }
            None => expression,
        }
    }

    /// Writes a pending expression down under a name.
    pub(super) fn write(&mut self, var: Var, out: &mut TokenStream) {
        let expression = self.take(var);
        let expression = self.typed(var, expression);
        let name = self.local(var);
        expression.tokens.bind(&name, out);
        self.values.insert(var, Expression::atom(name));
    }

    /// Writes down what reads a place that is about to change.
    pub(super) fn flush(&mut self, storages: &BTreeSet<usize>, out: &mut TokenStream) {
        for var in self.pending.list() {
            if self.values.get(&var).is_some_and(|value| !value.reads.is_disjoint(storages)) {
                self.write(var, out);
            }
        }
    }

    pub(super) fn eqn(&mut self, eqn: &Eqn, block: &Block, out: &mut TokenStream) {
        #[cfg(test)]
        crate::ir::work::visited();
        match &eqn.op {
            Op::Zero(_) | Op::Copy | Op::Get if self.plan.storage(eqn.outs[0]) == Some(&Storage::Hoisted) => {
                self.remake(eqn, out);
            }
            Op::Zero(_) if !self.ty(eqn.outs[0]).is_scalar() => self.buffer(eqn, out),
            Op::Opaque(_) if !self.ty(eqn.outs[0]).is_scalar() => {
                let var = eqn.outs[0];
                let tokens = self.expression(eqn).tokens;
                if self.plan.storage(var) == Some(&Storage::Large) {
                    let place = self.large_array(var, out);
                    out.extend(quote!(*#place = #tokens;));
                } else {
                    let (ty, name) = (array_type(self.ty(var), &self.krate), self.local(var));
                    out.extend(quote!(let mut #name: #ty = #tokens;));
                    self.keep(var, &name);
                }
            }
            Op::Effect(effect) => {
                let args: Vec<TokenStream> = eqn.args.iter().map(|arg| self.given(*arg)).collect();
                let tokens = crate::ir::fill_holes(effect.tokens.clone(), &args);
                out.extend(quote!(#tokens;));
            }
            // Integers have no cotangents, and nothing is added to these.
            Op::ZeroLike if !self.var_ty(eqn.outs[0]).is_float() => {
                let (ty, name, krate) =
                    (array_type(self.var_ty(eqn.outs[0]), &self.krate), self.local(eqn.outs[0]), &self.krate);
                out.extend(quote!(let #name: #ty = #krate::__private::Vec::new();));
                self.keep(eqn.outs[0], &name);
            }
            Op::ZeroLike if matches!(self.var_ty(eqn.outs[0]).elem, Elem::Wide(_)) => {
                let (zeros, name) = (self.wide_zeros_like(eqn.args[0], eqn.outs[0]), self.local(eqn.outs[0]));
                out.extend(quote!(let mut #name = #zeros;));
                self.keep(eqn.outs[0], &name);
            }
            Op::ZeroLike => {
                let (zeros, name) = (self.zeros_like(eqn.args[0]), self.local(eqn.outs[0]));
                out.extend(quote!(let mut #name = #zeros;));
                self.keep(eqn.outs[0], &name);
            }
            Op::Push => {
                let place = self.place(eqn.args[0]);
                // Also what is pushed may be read from there.
                self.flush(&BTreeSet::from([place.storage]), out);
                let mut value = self.value(eqn.args[1]);
                if !self.ty(eqn.args[1]).is_scalar() && !self.dies(eqn.args[1], eqn, block) {
                    value = crate::parse::tokens::cloned(&quote!((#value)));
                }
                let (krate, at) = (self.krate.clone(), self.take(eqn.args[2]).tokens);
                let target = self.borrow_mut(eqn.args[0]);
                out.extend(quote!(#krate::__private::put(#target, #at, #value);));
                self.places.insert(eqn.outs[0], place);
            }
            Op::Copy => {
                let place = self.place(eqn.args[0]);
                if self.plan.storage(eqn.outs[0]) == Some(&Storage::Large) {
                    let value = self.value(eqn.args[0]);
                    self.declare_large(eqn.outs[0], quote!(, a copy of (#value)), out);
                    return;
                }
                let (name, tokens) = (self.local(eqn.outs[0]), &place.tokens);
                let source = match place.is_ref {
                    _ if !place.after.is_empty() => place.of_all(self.ty(eqn.outs[0]), &self.krate),
                    _ if self.ty(eqn.outs[0]).is_dynamic() => quote!(#tokens.to_vec()),
                    true => quote!(*#tokens),
                    false => quote!(#tokens),
                };
                out.extend(quote!(let mut #name = #source;));
                self.keep(eqn.outs[0], &name);
            }
            Op::Pack => {
                let parts: Vec<_> = eqn
                    .args
                    .iter()
                    .map(|arg| {
                        let part = self.take(*arg);
                        self.typed(*arg, part).tokens
                    })
                    .collect();
                let name = self.local(eqn.outs[0]);
                out.extend(quote!(let mut #name = [#(#parts),*];));
                self.keep(eqn.outs[0], &name);
            }
            // It has been made there.
            Op::Set if matches!(self.plan.storage(eqn.args[1]), Some(Storage::Element { .. })) => {
                self.share_place(eqn.outs[0], eqn.args[0]);
            }
            Op::Set if !self.ty(eqn.args[1]).is_scalar() => {
                let (place, value) = (self.place(eqn.args[0]), self.value(eqn.args[1]));
                let (target, _) = self.element(eqn.args[0], &eqn.args[2..]);
                self.flush(&BTreeSet::from([place.storage]), out);
                // The value may be read again: here, or in the next iteration of a loop around this.
                let made_here = block.eqns.iter().any(|other| other.outs.contains(&eqn.args[1]));
                let last = made_here && self.plan.reads.count(eqn.args[1]) == 1;
                // What is the caller's has been copied already.
                let from = self.place(eqn.args[1]);
                let stays = from.owner == Owner::Loop;
                let value = if stays { from.tokens } else { value };
                let copied = from.owner == Owner::Caller;
                let moved = last && !stays || copied || !self.ty(eqn.args[1]).is_dynamic();
                out.extend(if moved {
                    quote!(#target = #value;)
                } else {
                    quote!(::core::clone::Clone::clone_from(&mut #target, &#value);)
                });
                self.places.insert(eqn.outs[0], place);
            }
            Op::Get if self.plan.storage(eqn.outs[0]) == Some(&Storage::Borrowed) => {
                let (part, _) = self.element(eqn.args[0], &eqn.args[1..]);
                let (name, whole) = (self.local(eqn.outs[0]), self.place(eqn.args[0]));
                out.extend(quote!(let #name = &#part;));
                let place = Place { tokens: quote!(#name), is_ref: true, after: TokenStream::new(), ..whole };
                self.places.insert(eqn.outs[0], place);
            }
            Op::Get if !self.ty(eqn.outs[0]).is_scalar() => {
                let (row, _) = self.element(eqn.args[0], &eqn.args[1..]);
                if self.plan.storage(eqn.outs[0]) == Some(&Storage::Large) {
                    self.declare_large(eqn.outs[0], quote!(, a copy of (#row)), out);
                    return;
                }
                let name = self.local(eqn.outs[0]);
                let row = if self.ty(eqn.outs[0]).is_dynamic() { quote!(#row.to_vec()) } else { row };
                out.extend(quote!(let mut #name = #row;));
                self.keep(eqn.outs[0], &name);
            }
            Op::Set => self.store(eqn, out, |target, Expression { tokens, .. }, _| quote!(#target = #tokens;)),
            Op::Acc => self.store(eqn, out, |target, value, is_read| match &value.negated {
                Some(value) if is_read => quote!(#target = #target - #value;),
                Some(value) => quote!(#target -= #value;),
                None => {
                    let (tokens, factor) = (&value.tokens, value.at_least(Prec::Mul));
                    if is_read { quote!(#target = #target + #factor;) } else { quote!(#target += #tokens;) }
                }
            }),
            Op::Into(op) | Op::Put(op) => {
                let place = self.place(eqn.args[0]);
                self.flush(&BTreeSet::from([place.storage]), out);
                let Class::Kernel(name) = op.class() else { unreachable!("`into` of what is no kernel") };
                let (krate, kernel) = (&self.krate, format_ident!("{name}"));
                let kernel = if matches!(eqn.op, Op::Put(_)) { quote!(set::#kernel) } else { quote!(#kernel) };
                if let Some(batch) = op.batch() {
                    out.extend(self.batched(batch, &kernel, &eqn.args));
                } else {
                    let args: Vec<_> = eqn.args[1..].iter().map(|arg| self.borrow(*arg)).collect();
                    let target = self.borrow_mut(eqn.args[0]);
                    let sizes = super::size::of_kernel(&**op);
                    out.extend(quote!(#krate::kernel::#kernel(#sizes #(#args,)* #target);));
                }
                self.places.insert(eqn.outs[0], place);
            }
            Op::For { .. } => self.for_loop(eqn, out),
            Op::If => self.branch(eqn, out),
            Op::While { .. } => self.while_loop(eqn, out),
            Op::Call(call) => self.call(eqn, call, out),
            _ => self.number(eqn, out),
        }
    }

    pub(super) fn keep(&mut self, var: Var, name: &Ident) {
        self.define_place(var, quote!(#name));
    }

    /// Says where an array is that must not be moved from there, since the next iteration needs the place.
    pub(super) fn keep_fixed(&mut self, var: Var, name: &Ident) {
        let storage = self.storage();
        self.places.insert(var, Place { owner: Owner::Loop, ..Place::own(quote!(#name), storage) });
    }

    pub(super) fn element(&mut self, array: Var, at: &[Var]) -> (TokenStream, BTreeSet<usize>) {
        let place = self.place(array);
        let mut reads = BTreeSet::from([place.storage]);
        if let [at] = at
            && let Some(element) = self.windows.get(&(array, *at))
        {
            return (element.clone(), reads);
        }
        let row = at.first().and_then(|first| self.rows.get(&(array, *first)).cloned());
        let at = if row.is_some() { &at[1..] } else { at };
        let indices: Vec<_> = at
            .iter()
            .map(|index| {
                let index = self.take(*index);
                reads.extend(&index.reads);
                index.tokens
            })
            .collect();
        if let Some(row) = row {
            return (quote!(#row #([#indices])*), reads);
        }
        let tokens = &place.tokens;
        match indices.split_first() {
            Some((first, rest)) => {
                let element = place.of(quote!(#tokens [#first]));
                (quote!(#element #([#rest])*), reads)
            }
            None => (tokens.clone(), reads),
        }
    }

    /// Writes to an element. `statement` is told the element, the value, and whether the value reads the array where `+=`
    /// is a function: that is given the element before the value is computed.
    pub(super) fn store(
        &mut self,
        eqn: &Eqn,
        out: &mut TokenStream,
        statement: impl Fn(&TokenStream, &Expression, bool) -> TokenStream,
    ) {
        let place = self.place(eqn.args[0]);
        let value = self.take(eqn.args[1]);
        let (target, _) = self.element(eqn.args[0], &eqn.args[2..]);
        self.flush(&BTreeSet::from([place.storage]), out);
        let is_overloaded = matches!(self.ty(eqn.args[1]).elem, Elem::Wide(_) | Elem::Real(_));
        out.extend(statement(&target, &value, is_overloaded && value.reads.contains(&place.storage)));
        self.places.insert(eqn.outs[0], place);
    }

    // --- loops ----------------------------------------------------------------------------------------

    /// The expression of a number for a call.
    pub(super) fn number_argument(&mut self, var: Var) -> TokenStream {
        let value = self.take(var);
        self.typed(var, value).tokens.into()
    }

    /// Makes everything pending visible as a variable, before something opaque happens.
    pub(super) fn settle(&mut self, out: &mut TokenStream) {
        for var in self.pending.list() {
            self.write(var, out);
        }
    }

    pub(super) fn define_number(&mut self, var: Var, tokens: TokenStream) {
        self.values.insert(var, Expression::atom(tokens));
    }

    pub(super) fn define_place(&mut self, var: Var, tokens: TokenStream) {
        let storage = self.storage();
        self.places.insert(var, Place::own(tokens, storage));
    }

    /// The place of an array that is in a new variable, or in a part of it.
    pub(super) fn new_place(&mut self, tokens: TokenStream, after: TokenStream) -> Place {
        Place { after, ..Place::own(tokens, self.storage()) }
    }

    pub(super) fn share_place(&mut self, var: Var, with: Var) {
        let place = self.place(with);
        self.places.insert(var, place);
    }

    pub(super) fn var_ty(&self, var: Var) -> &'b Ty {
        self.ty(var)
    }

    pub(super) fn local(&mut self, var: Var) -> Ident {
        let hint = self.hint(var);
        self.names.local(&hint)
    }
}
