//! Loops and branches.

use super::body::Emitter;
use super::expression::{Expression, Prec};
use super::windows::range;
use crate::analysis::skipped::{Skipped, skipped};
use crate::analysis::uses::collect_defined;
use crate::ir::var::HashSet;
use crate::ir::var::VarTable;
use crate::ir::{Block, Elem, Eqn, Op, Var, wide};
use crate::op::Accumulation;
use crate::plan::Row;
use crate::tokens::mentions;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeSet;

impl Emitter<'_> {
    pub(super) fn for_loop(&mut self, eqn: &Eqn, out: &mut TokenStream) {
        let Op::For { lo, hi, order, .. } = &eqn.op else { return };
        let region = &eqn.regions[0];
        // Numbers that the loop reads are computed before it.
        self.write_what_is_read_in(std::slice::from_ref(region), out);
        let (lo, hi) = (self.size(lo), self.size(hi));
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

        self.hoist(region, out);
        let rows = self.look_at_rows(region, out);
        let within = self.within(eqn, &lo, &hi);
        let index = self.names.index(self.body().data(region.params[0]).hint.as_deref());
        let through = self.look_through_windows(eqn, (&lo, &hi), &index);
        self.values.insert(region.params[0], Expression::atom(quote!(#index)));
        let mut inner = TokenStream::new();
        if super::apart::has_lanes(self.body(), region) {
            let wide = wide();
            inner.extend(quote!(#wide::apart();));
        } else if super::apart::keeps_apart(*order, region) {
            let krate = &self.krate;
            inner.extend(quote!(#krate::__private::apart();));
        }
        let outer = self.repeated(&region.params);
        self.block(&region.eqns, region, &mut inner);
        self.advance(&region.params[1..], region, &carried, &own, &mut inner);
        self.mutable = outer;
        self.names.release(&index);
        self.rows.retain(|row, _| !rows.contains(row));
        self.forget(&through);

        out.extend(within);
        let range = range(lo.clone(), &hi, eqn);
        let pattern = if region.uses(region.params[0]) { quote!(#index) } else { quote!(_) };
        let each = |range: TokenStream| quote!(for #pattern in #range { #inner });
        let plain = self.in_blocks(eqn, &carried, (&lo, &hi), &each).unwrap_or_else(|| each(range));
        out.extend(self.through_windows(eqn, through, (&lo, &index), &carried, (plain, &inner)));
        for (out, own) in eqn.outs.iter().zip(own) {
            if let Some(own) = own {
                self.values.insert(*out, own);
            }
        }
    }

    /// A loop that passes over blocks of elements that change nothing, if it has such: see Note [Skipped elements] in
    /// `analysis/skipped.rs`.
    fn in_blocks(
        &mut self,
        eqn: &Eqn,
        carried: &[Option<Ident>],
        (lo, hi): (&TokenStream, &TokenStream),
        each: &dyn Fn(TokenStream) -> TokenStream,
    ) -> Option<TokenStream> {
        let Skipped { array, carried: k, order } = skipped(eqn, &|var| self.ty(var)).filter(|_| !self.is_constant)?;
        let (place, number) = (self.places.get(&array)?, carried[k].as_ref()?);
        let array = place.after.is_empty().then(|| place.tokens.clone())?;
        let order = if order.is_lt() { quote!(are_less) } else { quote!(are_greater) };
        let [first, end, is_short] = ["first", "end", "is_short"].map(|name| self.names.local(name));
        let (krate, each) = (&self.krate, each(quote!(#first..#end)));
        Some(quote! {
            let mut #first = #lo;
            while #first < #hi {
                let (#end, #is_short) = #krate::__private::block(#first, #lo, #hi);
                if #is_short || !#krate::__private::#order(&#array[#first..#end], #number) { #each }
                #first = #end;
            }
        })
    }

    /// Names the rows that are found before a loop. Returns which.
    fn look_at_rows(&mut self, region: &Block, out: &mut TokenStream) -> Vec<(Var, Var)> {
        let mut named = Vec::new();
        for Row { array, at, length } in self.plan.rows(region) {
            let place = self.place(*array);
            if !place.after.is_empty() {
                continue;
            }
            let (tokens, index, length) = (&place.tokens, self.take(*at).tokens, self.size(length));
            let name = self.names.local(&format!("{}_row", self.hint(*array)));
            out.extend(quote!(let #name = &#tokens[#index][..#length];));
            self.rows.insert((*array, *at), quote!(#name));
            named.push((*array, *at));
        }
        named
    }

    /// States before a loop how long the slices are that every iteration indexes with its index: what is tested once
    /// rustc need not test in every iteration, which it can then run several of at a time.
    fn within(&self, eqn: &Eqn, lo: &TokenStream, hi: &TokenStream) -> TokenStream {
        let (Op::For { hi: end, .. }, region) = (&eqn.op, &eqn.regions[0]) else { return TokenStream::new() };
        let mut arrays: Vec<Var> = Vec::new();
        for inner in &region.eqns {
            let at = match inner.op {
                Op::Get => inner.args.get(1),
                Op::Set | Op::Acc => inner.args.get(2),
                _ => None,
            };
            let array = inner.args.first().copied();
            if let (Some(at), Some(array)) = (at, array) {
                let known = self.places.contains_key(&array) && !self.ty(array).is_ragged();
                let size = &self.ty(array).dims[0];
                if known && *at == region.params[0] && size.is_dynamic() && size != end && !arrays.contains(&array) {
                    arrays.push(array);
                }
            }
        }
        let mut lengths: Vec<String> = Vec::new();
        let mut asserts = TokenStream::new();
        for array in arrays {
            let place = self.place(array).tokens;
            if !lengths.contains(&place.to_string()) {
                lengths.push(place.to_string());
                asserts.extend(quote!(::core::assert!(#hi <= #place.len());));
            }
        }
        if asserts.is_empty() { asserts } else { quote!(if #lo < #hi { #asserts }) }
    }

    /// Writes down what is pending and read in some regions.
    fn write_what_is_read_in(&mut self, regions: &[Block], out: &mut TokenStream) {
        let pending = self.pending.list();
        if pending.is_empty() {
            return;
        }
        let mut read: VarTable<()> = VarTable::default();
        for region in regions {
            region.for_each_use(&mut |var| {
                read.insert(var, ());
            });
        }
        for var in pending.into_iter().filter(|var| read.contains_key(var)) {
            self.write(var, out);
        }
    }

    /// `while`, with its condition computed at the start of every iteration.
    pub(super) fn while_loop(&mut self, eqn: &Eqn, out: &mut TokenStream) {
        let [cond, step] = &eqn.regions[..] else { return };
        self.write_what_is_read_in(&eqn.regions, out);
        let mut carried = Vec::new();
        for (k, init) in eqn.args.iter().enumerate() {
            let (param, result) = (step.params[k], eqn.outs[k]);
            if self.ty(*init).is_scalar() {
                let name = self.carry_number(*init, param, out);
                let value = self.values[&param].clone();
                self.values.insert(cond.params[k], value);
                self.mutable.insert(result, name.clone());
                carried.push(Some(name));
            } else {
                let place = self.place(*init);
                for var in [param, cond.params[k], result] {
                    self.places.insert(var, place.clone());
                }
                carried.push(None);
            }
        }
        let mut written: BTreeSet<usize> = BTreeSet::new();
        for param in &step.params {
            written.extend(self.places.get(param).map(|place| place.storage));
            written.extend(self.values.get(param).into_iter().flat_map(|value| value.reads.iter().copied()));
        }
        self.flush(&written, out);
        let own: Vec<Option<Expression>> = step.params.iter().map(|param| self.values.get(param).cloned()).collect();

        self.hoist(step, out);
        let mut before = TokenStream::new();
        let outer = self.repeated(&step.params);
        self.block(&cond.eqns, cond, &mut before);
        let condition = self.take(cond.results[0]);
        let mut inner = TokenStream::new();
        self.block(&step.eqns, step, &mut inner);
        self.advance(&step.params, step, &carried, &own, &mut inner);
        self.mutable = outer;
        let test = &condition.tokens;
        out.extend(match before.is_empty() {
            true => quote!(while #test { #inner }),
            false => {
                let stop = condition.at_least(Prec::Unary);
                quote!(loop { #before if !#stop { break; } #inner })
            }
        });
        for (out, own) in eqn.outs.iter().zip(own) {
            if let Some(own) = own {
                self.values.insert(*out, own);
            }
        }
    }

    /// Within a loop, a variable of outside is needed again in the next iteration: only what the loop carries may become
    /// the variable of a loop within. Gives what there was before.
    fn repeated(&mut self, carried: &[Var]) -> VarTable<Ident> {
        let own = carried.iter().filter_map(|var| Some((*var, self.mutable.get(var)?.clone()))).collect();
        std::mem::replace(&mut self.mutable, own)
    }

    /// The variable of a carried number: that of its initial value, if nothing else needs it.
    pub(super) fn carry_number(&mut self, init: Var, param: Var, out: &mut TokenStream) -> Ident {
        if let (Some(name), 1) = (self.mutable.get(&init).cloned(), self.plan.reads.count(init)) {
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
        params: &[Var],
        region: &Block,
        carried: &[Option<Ident>],
        own: &[Option<Expression>],
        out: &mut TokenStream,
    ) {
        // A result that is another carried number as it was is saved before that one changes.
        for (k, result) in region.results.iter().enumerate() {
            let other = params.iter().position(|param| param == result);
            if carried[k].is_some() && other.is_some_and(|other| other != k) {
                self.write(*result, out);
            }
        }
        for (k, name) in carried.iter().enumerate() {
            let (Some(name), Some(own)) = (name, &own[k]) else { continue };
            let (param, result) = (params[k], region.results[k]);
            let storage = own.reads.clone();
            let increment = self.increment(region, param, result);
            let value = self.take(result);
            self.flush(&storage, out);
            match increment {
                Some((op, term)) => {
                    let term = self.take(term).tokens;
                    out.extend(quote!(#name #op #term;));
                }
                None if value.tokens.is(name) => {}
                None => {
                    let value = self.typed(result, value).tokens;
                    out.extend(quote!(#name = #value;));
                }
            }
        }
        // An array that the iteration made anew takes the place of the old one.
        for (param, result) in params.iter().zip(&region.results) {
            if self.ty(*param).is_scalar() {
                continue;
            }
            let (place, made) = (self.place(*param), self.place(*result));
            if place.storage != made.storage && self.is_large(*param) && place.after.is_empty() {
                out.extend(self.copy_over(&place.tokens, *result));
            } else if place.storage != made.storage {
                let (value, dynamic) = (self.value(*result), self.ty(*result).is_dynamic());
                out.extend(self.assign(&place, &value, dynamic));
            }
        }
        // Pending numbers of the iteration end with it.
        let pending = self.pending.list();
        if !pending.is_empty() {
            let mut defined = HashSet::default();
            collect_defined(region, &mut defined);
            pending.into_iter().filter(|var| defined.contains(var)).for_each(|var| self.pending.remove(var));
        }
    }

    /// `s = s + term`, if the sum is nowhere else.
    pub(super) fn increment(&self, region: &Block, param: Var, result: Var) -> Option<(TokenStream, Var)> {
        let eqn = region.eqns.iter().find(|eqn| eqn.outs == [result])?;
        let Op::Map(row) = &eqn.op else { return None };
        let alone = self.plan.reads.count(result) == 1 && self.pending.contains(result);
        let k = eqn.args.iter().position(|arg| *arg == param)?;
        let [term] = eqn.args.iter().copied().filter(|arg| *arg != param).collect::<Vec<_>>()[..] else { return None };
        let operator = match row.accumulation(k)? {
            Accumulation::Plus => quote!(+=),
            Accumulation::Minus => quote!(-=),
            Accumulation::Maximum => return None,
        };
        alone.then_some((operator, term))
    }

    /// The length of an array is read before the array is moved out of the branch: `(items, items.len())`. What it is a part of is
    /// found by its first name.
    fn before_moves(&mut self, region: &Block, results: &mut [TokenStream], out: &mut TokenStream) {
        let is_array = |emitter: &Self, var: Var| !emitter.ty(var).is_scalar();
        let arrays: Vec<String> = region
            .results
            .iter()
            .zip(&*results)
            .filter(|(var, _)| is_array(self, **var))
            .filter_map(|(_, tokens)| tokens.clone().into_iter().next())
            .map(|first| first.to_string())
            .collect();
        for (var, tokens) in region.results.iter().zip(results) {
            if !is_array(self, *var) && arrays.iter().any(|array| mentions(tokens, array)) {
                let name = self.local(*var);
                out.extend(quote!(let #name = #tokens;));
                *tokens = quote!(#name);
            }
        }
    }

    pub(super) fn branch(&mut self, eqn: &Eqn, out: &mut TokenStream) {
        for var in self.pending.list() {
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
            let mut tokens: Vec<TokenStream> = region.results.iter().map(|result| self.value(*result)).collect();
            self.before_moves(region, &mut tokens, &mut inner);
            results.push(tokens);
            arms.push(inner);
        }
        // An array that both branches leave in one place has been updated there; the rest comes out by value, unless it
        // is large.
        let (mut names, mut values) = (Vec::new(), [Vec::new(), Vec::new()]);
        for (k, var) in eqn.outs.iter().enumerate() {
            let same = results[0][k].to_string() == results[1][k].to_string();
            if same && !self.ty(*var).is_scalar() {
                self.share_place(*var, eqn.regions[0].results[k]);
                continue;
            }
            if self.is_large(*var) {
                let name = self.large_array(*var, out);
                for (arm, region) in arms.iter_mut().zip(&eqn.regions) {
                    arm.extend(self.copy_over(&name, region.results[k]));
                }
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
            [] if no.is_empty() => quote!(if #cond { #yes }),
            [] => quote!(if #cond { #yes } else { #no }),
            [name] => quote!(let mut #name = if #cond { #yes #(#yes_values)* } else { #no #(#no_values)* };),
            _ => quote!(let (#(mut #idents),*) = if #cond { #yes (#(#yes_values),*) } else { #no (#(#no_values),*) };),
        });
        for (var, name) in names {
            if !self.ty(var).is_scalar() {
                self.keep(var, &name);
                continue;
            }
            // Residuals are lent to the reverse sweep of a call.
            if matches!(self.ty(var).elem, Elem::Data(_)) {
                self.define_place(var, quote!(#name));
            }
            self.define_number(var, quote!(#name));
        }
    }
}
