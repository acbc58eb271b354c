//! The statements of a body: buffers, loops, and expressions put back together.
//!
//! Arrays live in *places*; an operation that updates one in place gives its result the place of its operand,
//! which [`crate::pass::inplace`] has made safe. Numbers that are used once become part of the expression that
//! uses them; a pending expression is written down before anything it reads changes.

use super::expression::{Expression, Prec};
use super::names::Names;
use super::types::{array_type, dim_tokens, filled, number};
use crate::ir::{Block, Body, Elem, Eqn, Op, Ty, Var};
use crate::op::Class;
use crate::op::batched::Batch;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::{BTreeSet, HashMap};

/// Where an array (or a number that changes) is.
#[derive(Clone, Debug)]
pub struct Place {
    /// The place as an expression: `h`, `p.w1.0`, `x`.
    pub tokens: TokenStream,
    /// Whether that expression is a reference already.
    pub is_ref: bool,
    pub storage: usize,
}

/// Who has what a callee's reverse sweep reads of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Own {
    /// The caller passes the arguments again.
    Borrowed,
    /// The callee's residuals.
    Owned,
}

pub struct Emitter<'b> {
    body: &'b Body,
    pub krate: TokenStream,
    pub names: Names,
    pub roots: super::call::Roots,
    pub own: Own,
    pub(super) places: HashMap<Var, Place>,
    pub(super) values: HashMap<Var, Expression>,
    pub(super) uses: HashMap<Var, usize>,
    /// Expressions not written down yet, oldest first.
    pub(super) pending: Vec<Var>,
    storages: usize,
    /// The types of the arrays that live in the function.
    pub buffers: Vec<Ty>,
    /// Numbers kept in a variable that changes.
    mutable: HashMap<Var, Ident>,
    scopes: usize,
    hints: HashMap<Var, std::rc::Rc<str>>,
    consts: HashMap<Var, f64>,
}

/// A buffer is named after what becomes of it.
fn collect_hints(body: &Body, block: &Block, hints: &mut HashMap<Var, std::rc::Rc<str>>) {
    for eqn in block.eqns.iter().rev() {
        let pairs: Vec<(Var, Var)> = match &eqn.op {
            Op::For { .. } => eqn.args.iter().copied().zip(eqn.outs.iter().copied()).collect(),
            Op::Set | Op::Acc | Op::Into(_) => vec![(eqn.args[0], eqn.outs[0])],
            _ => Vec::new(),
        };
        for (before, after) in pairs {
            let hint = body.data(after).hint.clone().or_else(|| hints.get(&after).cloned());
            if let (None, Some(hint)) = (&body.data(before).hint, hint) {
                hints.insert(before, hint);
            }
        }
        for region in &eqn.regions {
            collect_hints(body, region, hints);
        }
        // What has no name of the user's is called after what it is.
        let described = match &eqn.op {
            Op::Get => {
                let array = body.data(eqn.args[0]).hint.as_ref().or_else(|| hints.get(&eqn.args[0]));
                array.map(|array| format!("{array}_at"))
            }
            Op::Into(_) => Some("product".to_owned()),
            Op::Call(call) => Some(format!("{}_out", call.target.name())),
            _ => None,
        };
        if let Some(described) = described {
            let updated = if matches!(eqn.op, Op::Into(_)) { &eqn.args[..1] } else { &[] };
            for var in eqn.outs.iter().chain(updated) {
                if body.data(*var).hint.is_none() {
                    hints.entry(*var).or_insert_with(|| described.clone().into());
                }
            }
        }
    }
}

fn collect_consts(block: &Block, consts: &mut HashMap<Var, f64>) {
    for eqn in &block.eqns {
        match &eqn.op {
            Op::Const(value) => consts.insert(eqn.outs[0], *value),
            Op::Zero => consts.insert(eqn.outs[0], 0.0),
            _ => None,
        };
        eqn.regions.iter().for_each(|region| collect_consts(region, consts));
    }
}

impl<'b> Emitter<'b> {
    pub fn new(body: &'b Body, krate: TokenStream, names: Names) -> Emitter<'b> {
        let mut uses = HashMap::new();
        body.block.for_each_use(&mut |var| *uses.entry(var).or_insert(0) += 1);
        let mut hints = HashMap::new();
        collect_hints(body, &body.block, &mut hints);
        let mut consts = HashMap::new();
        collect_consts(&body.block, &mut consts);
        Emitter {
            body,
            krate,
            names,
            roots: super::call::Roots::default(),
            own: Own::Borrowed,
            places: HashMap::new(),
            values: HashMap::new(),
            uses,
            pending: Vec::new(),
            storages: 0,
            buffers: Vec::new(),
            mutable: HashMap::new(),
            scopes: 0,
            hints,
            consts,
        }
    }

    pub(super) fn ty(&self, var: Var) -> &'b Ty {
        self.body.ty(var)
    }

    pub(super) fn hint(&self, var: Var) -> String {
        let hint = self.body.data(var).hint.as_deref().or_else(|| self.hints.get(&var).map(|hint| &**hint));
        hint.unwrap_or("t").to_owned()
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
            self.places.insert(var, Place { tokens, is_ref, storage });
        }
    }

    /// Says where the data of a callee's forward sweep is.
    pub fn param_data(&mut self, var: Var, tokens: TokenStream) {
        let storage = self.storage();
        self.values.insert(var, Expression::atom(tokens.clone()));
        self.places.insert(var, Place { tokens, is_ref: true, storage });
    }

    pub fn body(&self) -> &'b Body {
        self.body
    }

    /// The statements of the body.
    pub fn statements(&mut self) -> TokenStream {
        let mut out = TokenStream::new();
        self.block(&self.body.block.eqns, &self.body.block, &mut out);
        out
    }

    /// A number or an array as an expression that can be moved.
    pub fn value(&mut self, var: Var, out: &mut TokenStream) -> TokenStream {
        if self.ty(var).is_scalar() {
            let typed = self.take(var);
            return self.typed(var, typed).tokens;
        }
        let _ = out;
        let place = self.place(var);
        let tokens = &place.tokens;
        if place.is_ref { quote!(*#tokens) } else { tokens.clone() }
    }

    pub fn place(&self, var: Var) -> Place {
        self.places.get(&var).cloned().unwrap_or_else(|| Place {
            tokens: {
                let name = format_ident!("unplaced_{}", var.0);
                quote!(#name)
            },
            is_ref: false,
            storage: 0,
        })
    }

    /// `&place`
    pub fn borrow(&self, var: Var) -> TokenStream {
        let Place { tokens, is_ref, .. } = self.place(var);
        if is_ref { tokens } else { quote!(&#tokens) }
    }

    pub(super) fn borrow_mut(&self, var: Var) -> TokenStream {
        let Place { tokens, is_ref, .. } = self.place(var);
        if is_ref { tokens } else { quote!(&mut #tokens) }
    }

    // --- blocks ---------------------------------------------------------------------------------------

    pub(super) fn block(&mut self, eqns: &[Eqn], block: &Block, out: &mut TokenStream) {
        let outer = std::mem::take(&mut self.pending);
        self.scopes += 1;
        for eqn in eqns {
            self.eqn(eqn, block, out);
        }
        self.scopes -= 1;
        // What is left is used by the results, which the caller writes.
        let left = std::mem::replace(&mut self.pending, outer);
        self.pending.extend(left);
    }

    /// The expression of a number, no longer pending.
    pub(super) fn take(&mut self, var: Var) -> Expression {
        self.pending.retain(|pending| *pending != var);
        match self.values.get(&var) {
            Some(value) => value.clone(),
            None => {
                let name = format_ident!("undefined_{}", var.0);
                Expression::atom(quote!(#name))
            }
        }
    }

    /// The same with a suffix, where it is a literal on its own.
    pub(super) fn typed(&self, var: Var, expression: Expression) -> Expression {
        match self.body_const(var) {
            Some(value) if expression.literal => {
                Expression { tokens: number(&self.ty(var).elem, value, true, &self.krate), ..expression }
            }
            _ => expression,
        }
    }

    fn body_const(&self, var: Var) -> Option<f64> {
        self.consts.get(&var).copied()
    }

    /// Writes a pending expression down under a name.
    pub(super) fn write(&mut self, var: Var, out: &mut TokenStream) {
        let expression = self.take(var);
        let expression = self.typed(var, expression);
        let name = self.local(var);
        let tokens = &expression.tokens;
        out.extend(quote!(let #name = #tokens;));
        self.values.insert(var, Expression::atom(quote!(#name)));
    }

    /// Writes down what reads a place that is about to change.
    pub(super) fn flush(&mut self, storages: &BTreeSet<usize>, out: &mut TokenStream) {
        for var in self.pending.clone() {
            if self.values.get(&var).is_some_and(|value| !value.reads.is_disjoint(storages)) {
                self.write(var, out);
            }
        }
    }

    pub(super) fn eqn(&mut self, eqn: &Eqn, block: &Block, out: &mut TokenStream) {
        match &eqn.op {
            Op::Zero if !self.ty(eqn.outs[0]).is_scalar() => self.buffer(eqn.outs[0], out),
            Op::Copy => {
                let place = self.place(eqn.args[0]);
                let (name, tokens) = (self.local(eqn.outs[0]), &place.tokens);
                let source = if place.is_ref { quote!(*#tokens) } else { quote!(#tokens) };
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
            Op::Set => self.store(eqn, out, |target, value| quote!(#target = #value;)),
            Op::Acc => self.store(eqn, out, |target, value| quote!(#target += #value;)),
            Op::Into(op) => {
                let place = self.place(eqn.args[0]);
                self.flush(&BTreeSet::from([place.storage]), out);
                let Class::Kernel(name) = op.class() else { return };
                let (krate, kernel) = (&self.krate, format_ident!("{name}"));
                if let Some(batch) = op.batch() {
                    out.extend(self.batched(batch, &kernel, &eqn.args));
                } else {
                    let args: Vec<_> = eqn.args[1..].iter().map(|arg| self.borrow(*arg)).collect();
                    let target = self.borrow_mut(eqn.args[0]);
                    out.extend(quote!(#krate::kernel::#kernel(#(#args,)* #target);));
                }
                self.places.insert(eqn.outs[0], place);
            }
            Op::For { .. } => self.for_loop(eqn, out),
            Op::If => self.branch(eqn, out),
            Op::While => out.extend(quote!(::core::compile_error!("internal error: a `while` loop was emitted");)),
            Op::Call(call) => self.call(eqn, call, out),
            _ => self.number(eqn, block, out),
        }
    }

    pub(super) fn keep(&mut self, var: Var, name: &Ident) {
        let storage = self.storage();
        self.buffers.push(self.ty(var).clone());
        self.places.insert(var, Place { tokens: quote!(#name), is_ref: false, storage });
    }

    pub(super) fn buffer(&mut self, var: Var, out: &mut TokenStream) {
        let ty = self.ty(var);
        let zero = match ty.elem {
            Elem::Bool => quote!(false),
            _ => number(&ty.elem, 0.0, true, &self.krate),
        };
        let (name, array) = (self.local(var), filled(ty, &zero));
        out.extend(quote!(let mut #name = #array;));
        self.keep(var, &name);
    }

    pub(super) fn element(&mut self, array: Var, at: &[Var]) -> (TokenStream, BTreeSet<usize>) {
        let place = self.place(array);
        let mut reads = BTreeSet::from([place.storage]);
        let indices: Vec<_> = at
            .iter()
            .map(|index| {
                let index = self.take(*index);
                reads.extend(&index.reads);
                index.tokens
            })
            .collect();
        let tokens = &place.tokens;
        (quote!(#tokens #([#indices])*), reads)
    }

    pub(super) fn store(
        &mut self,
        eqn: &Eqn,
        out: &mut TokenStream,
        statement: impl Fn(&TokenStream, &TokenStream) -> TokenStream,
    ) {
        let place = self.place(eqn.args[0]);
        let value = self.take(eqn.args[1]);
        let (target, _) = self.element(eqn.args[0], &eqn.args[2..]);
        self.flush(&BTreeSet::from([place.storage]), out);
        out.extend(statement(&target, &value.tokens));
        self.places.insert(eqn.outs[0], place);
    }

    // --- loops ----------------------------------------------------------------------------------------

    /// A kernel for each element of a batch. `args`: the result, then the operands.
    fn batched(&mut self, batch: &Batch, kernel: &Ident, args: &[Var]) -> TokenStream {
        let indices: Vec<Ident> = batch.dims.iter().map(|_| self.names.index(None)).collect();
        let mut parts = Vec::new();
        for (axes, arg) in batch.axes.iter().zip([args[1], args[2], args[0]]) {
            let place = self.place(arg).tokens;
            let at = axes.iter().map(|axis| axis.map_or(quote!(0), |axis| indices[axis].to_token_stream()));
            parts.push(quote!(#place #([#at])*));
        }
        let krate = &self.krate;
        let (a, b, y) = (&parts[0], &parts[1], &parts[2]);
        let call = quote!(#krate::kernel::#kernel(&#a, &#b, &mut #y););
        let loops = batch.dims.iter().zip(&indices).rev().fold(call, |inner, (dim, index)| {
            let dim = dim_tokens(dim);
            quote!(for #index in 0..#dim { #inner })
        });
        for index in indices.iter().rev() {
            self.names.release(index);
        }
        loops
    }

    pub(super) fn for_loop(&mut self, eqn: &Eqn, out: &mut TokenStream) {
        let Op::For { lo, hi, reverse } = &eqn.op else { return };
        let region = &eqn.regions[0];
        // Numbers that the loop reads are computed before it.
        for var in self.pending.clone() {
            let mut inside = false;
            region.for_each_use(&mut |used| inside |= used == var);
            if inside {
                self.write(var, out);
            }
        }
        let mut carried = Vec::new();
        for (k, init) in eqn.args.iter().enumerate() {
            let (param, result) = (region.params[k + 1], eqn.outs[k]);
            if self.ty(*init).is_scalar() {
                let name = self.carry_number(*init, param, out);
                self.mutable.insert(result, name.clone());
                carried.push(Some(name));
            } else {
                let place = self.place(*init);
                self.places.insert(param, place.clone());
                self.places.insert(result, place);
                carried.push(None);
            }
        }
        let mut written: BTreeSet<usize> = BTreeSet::new();
        for param in &region.params[1..] {
            written.extend(self.places.get(param).map(|place| place.storage));
            written.extend(self.values.get(param).into_iter().flat_map(|value| value.reads.iter().copied()));
        }
        self.flush(&written, out);
        let own: Vec<Option<Expression>> =
            region.params[1..].iter().map(|param| self.values.get(param).cloned()).collect();

        let index = self.names.index(self.body.data(region.params[0]).hint.as_deref());
        self.values.insert(region.params[0], Expression::atom(quote!(#index)));
        let mut inner = TokenStream::new();
        self.block(&region.eqns, region, &mut inner);
        self.advance(region, &carried, &own, &mut inner);
        self.names.release(&index);

        let (lo, hi) = (dim_tokens(lo), dim_tokens(hi));
        let range = if *reverse { quote!((#lo..#hi).rev()) } else { quote!(#lo..#hi) };
        let mut used = false;
        region.for_each_use(&mut |var| used |= var == region.params[0]);
        let pattern = if used { quote!(#index) } else { quote!(_) };
        out.extend(quote!(for #pattern in #range { #inner }));
        for (out, own) in eqn.outs.iter().zip(own) {
            if let Some(own) = own {
                self.values.insert(*out, own);
            }
        }
    }

    /// The variable of a carried number: that of its initial value, if nothing else needs it.
    pub(super) fn carry_number(&mut self, init: Var, param: Var, out: &mut TokenStream) -> Ident {
        if let (Some(name), Some(1)) = (self.mutable.get(&init).cloned(), self.uses.get(&init)) {
            let value = self.take(init);
            self.values.insert(param, value);
            self.mutable.insert(param, name.clone());
            return name;
        }
        let value = self.take(init);
        let value = self.typed(init, value).tokens;
        let name = self.local(param);
        out.extend(quote!(let mut #name = #value;));
        let storage = self.storage();
        let expression = Expression { reads: BTreeSet::from([storage]), ..Expression::atom(quote!(#name)) };
        self.values.insert(param, expression);
        self.mutable.insert(param, name.clone());
        name
    }

    /// The end of an iteration: carried numbers take their next values.
    pub(super) fn advance(
        &mut self,
        region: &Block,
        carried: &[Option<Ident>],
        own: &[Option<Expression>],
        out: &mut TokenStream,
    ) {
        // A result that is another carried number as it was is saved before that one changes.
        for (k, result) in region.results.iter().enumerate() {
            let other = region.params[1..].iter().position(|param| param == result);
            if carried[k].is_some() && other.is_some_and(|other| other != k) {
                self.write(*result, out);
            }
        }
        for (k, name) in carried.iter().enumerate() {
            let (Some(name), Some(own)) = (name, &own[k]) else { continue };
            let (param, result) = (region.params[k + 1], region.results[k]);
            let storage = own.reads.clone();
            let increment = self.increment(region, param, result);
            let value = self.take(result);
            self.flush(&storage, out);
            match increment {
                Some((op, term)) => {
                    let term = self.take(term).tokens;
                    out.extend(quote!(#name #op #term;));
                }
                None if *name == value.tokens.to_string() => {}
                None => {
                    let value = self.typed(result, value).tokens;
                    out.extend(quote!(#name = #value;));
                }
            }
        }
        // Pending numbers of the iteration end with it.
        let mut defined = std::collections::HashSet::new();
        crate::pass::adjoint::collect_defined(region, &mut defined);
        self.pending.retain(|var| !defined.contains(var));
    }

    /// `s = s + term`, if the sum is nowhere else.
    pub(super) fn increment(&self, region: &Block, param: Var, result: Var) -> Option<(TokenStream, Var)> {
        let eqn = region.eqns.iter().find(|eqn| eqn.outs == [result])?;
        let Op::Map(row) = &eqn.op else { return None };
        let alone = self.uses.get(&result) == Some(&1) && self.pending.contains(&result);
        match (row.name, &eqn.args[..]) {
            ("add", [s, term]) | ("add", [term, s]) if *s == param && *term != param && alone => {
                Some((quote!(+=), *term))
            }
            ("sub", [s, term]) if *s == param && *term != param && alone => Some((quote!(-=), *term)),
            _ => None,
        }
    }

    pub(super) fn branch(&mut self, eqn: &Eqn, out: &mut TokenStream) {
        for var in self.pending.clone() {
            if var != eqn.args[0] {
                self.write(var, out);
            }
        }
        let cond = self.take(eqn.args[0]).tokens;
        let mut arms: Vec<TokenStream> = Vec::new();
        let mut results: Vec<Vec<TokenStream>> = Vec::new();
        for region in &eqn.regions {
            let mut inner = TokenStream::new();
            self.block(&region.eqns, region, &mut inner);
            results.push(region.results.iter().map(|result| self.value(*result, &mut inner)).collect());
            arms.push(inner);
        }
        // An array that both branches leave in one place has been updated there; the rest comes out by value.
        let (mut names, mut values) = (Vec::new(), [Vec::new(), Vec::new()]);
        for (k, var) in eqn.outs.iter().enumerate() {
            let same = results[0][k].to_string() == results[1][k].to_string();
            if same && !self.ty(*var).is_scalar() {
                self.share_place(*var, eqn.regions[0].results[k]);
                continue;
            }
            names.push((*var, self.local(*var)));
            for (values, results) in values.iter_mut().zip(&results) {
                values.push(results[k].clone());
            }
        }
        let idents: Vec<&Ident> = names.iter().map(|(_, name)| name).collect();
        let (yes, no) = (&arms[0], &arms[1]);
        let [yes_values, no_values] = &values;
        out.extend(match &idents[..] {
            [] => quote!(if #cond { #yes } else { #no }),
            [name] => quote!(let mut #name = if #cond { #yes #(#yes_values)* } else { #no #(#no_values)* };),
            _ => quote!(let (#(mut #idents),*) = if #cond { #yes (#(#yes_values),*) } else { #no (#(#no_values),*) };),
        });
        for (var, name) in names {
            if self.ty(var).is_scalar() {
                self.values.insert(var, Expression::atom(quote!(#name)));
            } else {
                self.keep(var, &name);
            }
        }
    }

    // --- calls ----------------------------------------------------------------------------------------

    /// The expression of a number for a call.
    pub(super) fn number_argument(&mut self, var: Var) -> TokenStream {
        let value = self.take(var);
        self.typed(var, value).tokens
    }

    /// Makes everything pending visible as a variable, before something opaque happens.
    pub(super) fn settle(&mut self, out: &mut TokenStream) {
        for var in self.pending.clone() {
            self.write(var, out);
        }
    }

    pub(super) fn define_number(&mut self, var: Var, tokens: TokenStream) {
        self.values.insert(var, Expression::atom(tokens));
    }

    pub(super) fn define_place(&mut self, var: Var, tokens: TokenStream) {
        let storage = self.storage();
        self.places.insert(var, Place { tokens, is_ref: false, storage });
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

/// The type of a variable as a plain array.
pub fn raw_type(ty: &Ty, krate: &TokenStream) -> TokenStream {
    if let Elem::Data(target) = &ty.elem {
        let target: TokenStream = syn::parse_str(target).unwrap_or_default();
        return quote!(<#target as #krate::__private::Sweeps>::Saved);
    }
    array_type(ty)
}

/// The same, where the residuals own what they need.
pub fn owned_type(ty: &Ty, krate: &TokenStream) -> TokenStream {
    if let Elem::Data(target) = &ty.elem {
        let target: TokenStream = syn::parse_str(target).unwrap_or_default();
        return quote!(<#target as #krate::DifferentiableFn>::Residuals);
    }
    array_type(ty)
}
