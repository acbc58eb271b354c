//! The effects that hand on rows, and how they are written.

use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::operator::Algebra;
use crate::ir::var::HashSet;
use crate::ir::{Block, Body, Effect, EffectKind, Op, Var, hole};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use std::rc::Rc;

/// A number of a row.
pub struct Entry {
    pub root: usize,
    /// Its column.
    pub place: Dim,
    /// Which number it is of what is read together.
    pub number: i64,
    /// The column of the first of these, or nowhere.
    pub guarded: Option<Var>,
    pub value: Var,
}

/// What a row is made of: for each part, which argument of the effect is its first column, and for each of its numbers how far its
/// column is behind that and which argument it is.
pub struct Row(Vec<Part>);

struct Part {
    base: usize,
    numbers: Vec<(i64, usize)>,
}

/// The effect that hands on a row, with its arguments.
pub fn effect(rows: &mut Vec<Row>, b: &mut Builder, row: Dim, mut entries: Vec<Entry>) -> (Effect, Vec<Var>) {
    let literal = |place: &Dim| place.terms().find(|(atoms, _)| atoms.is_empty()).map_or(0, |(_, literal)| literal);
    let mut bases: Vec<Dim> = Vec::new();
    let mut based = |place: &Dim| {
        let base = place.minus(&Dim::literal(literal(place)));
        let known = bases.iter().position(|other| *other == base);
        known.unwrap_or_else(|| {
            bases.push(base);
            bases.len() - 1
        })
    };
    let keys: Vec<(usize, usize, i64)> =
        entries.iter().map(|entry| (entry.root, based(&entry.place), literal(&entry.place))).collect();
    let mut keyed: Vec<((usize, usize, i64), Entry)> = keys.into_iter().zip(entries.drain(..)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    let mut args = vec![b.dim(row)];
    let mut parts: Vec<Part> = Vec::new();
    let mut last: Option<((usize, usize), Option<Var>)> = None;
    for ((root, base, offset), entry) in keyed {
        let group = ((root, base), entry.guarded);
        if last != Some(group) {
            args.push(entry.guarded.unwrap_or_else(|| b.dim(bases[base].clone())));
            parts.push(Part { base: args.len() - 1, numbers: Vec::new() });
        }
        last = Some(group);
        let offset = if entry.guarded.is_some() { entry.number } else { offset };
        let Some(part) = parts.last_mut() else { continue };
        match part.numbers.last() {
            // The same element, read in two ways.
            Some((before, arg)) if *before == offset => args[*arg] = b.add(args[*arg], entry.value),
            _ => {
                args.push(entry.value);
                part.numbers.push((offset, args.len() - 1));
            }
        }
    }
    rows.push(Row(parts));
    let number = Literal::usize_unsuffixed(rows.len() - 1);
    (Effect { tokens: quote!(#number), kind: EffectKind::Writes }, args)
}

/// The effect behind all rows: its arguments are how many rows and columns there are.
pub fn finish() -> Effect {
    Effect { tokens: TokenStream::new(), kind: EffectKind::Writes }
}

/// Writes the effects as calls of what `sink` names. What is zero by now is handed on only to a pattern that has it.
pub fn write(body: &mut Body, rows: &[Row], sink: &Ident) {
    let mut zeros = HashSet::default();
    note_zeros(&body.block, &mut zeros);
    write_block(&mut body.block, rows, sink, &zeros);
}

fn note_zeros(block: &Block, zeros: &mut HashSet<Var>) {
    for eqn in &block.eqns {
        let is_zero = match &eqn.op {
            Op::Zero(_) => true,
            Op::Const(value) => *value == 0.0,
            Op::Map(row) => row.algebra == Algebra::Negation && zeros.contains(&eqn.args[0]),
            _ => false,
        };
        if is_zero {
            zeros.extend(&eqn.outs);
        }
        eqn.regions.iter().for_each(|region| note_zeros(region, zeros));
    }
}

fn write_block(block: &mut Block, rows: &[Row], sink: &Ident, zeros: &HashSet<Var>) {
    for eqn in &mut block.eqns {
        if let Op::Effect(effect) = &eqn.op
            && effect.kind == EffectKind::Writes
        {
            let number: Option<usize> = effect.tokens.to_string().parse().ok();
            let tokens = match number.and_then(|number| rows.get(number)) {
                Some(row) => row.tokens(sink, &|arg| zeros.contains(&eqn.args[arg])),
                None => {
                    let [rows, columns] = [hole(0), hole(1)];
                    quote!(#sink.finish(#rows, #columns))
                }
            };
            eqn.op = Op::Effect(Rc::new(Effect { tokens, kind: EffectKind::Writes }));
        }
        eqn.regions.iter_mut().for_each(|region| write_block(region, rows, sink, zeros));
    }
}

impl Row {
    fn tokens(&self, sink: &Ident, is_zero: &dyn Fn(usize) -> bool) -> TokenStream {
        let row = hole(0);
        let (all, numbers) = self.runs(&|_| false);
        let (some, others) = self.runs(is_zero);
        match others.len() == numbers.len() {
            true => quote!(#sink.put(#row, || [#(#all),*], || [#(#numbers),*])),
            false => {
                quote!(#sink.put_either(#row, (|| [#(#some),*], || [#(#others),*]), (|| [#(#all),*], || [#(#numbers),*])))
            }
        }
    }

    /// Columns that follow each other, as the first and how many there are, and the numbers of all.
    fn runs(&self, leave: &dyn Fn(usize) -> bool) -> (Vec<TokenStream>, Vec<Ident>) {
        let (mut runs, mut numbers) = (Vec::new(), Vec::new());
        for Part { base, numbers: own } in &self.0 {
            let mut run: Option<(i64, i64)> = None;
            let base = hole(*base);
            let mut end = |run: Option<(i64, i64)>| {
                if let Some((first, last)) = run {
                    let (first, len) = (Literal::i64_unsuffixed(first), Literal::i64_unsuffixed(last - first + 1));
                    runs.push(quote!((#base, #first, #len)));
                }
            };
            for (offset, arg) in own.iter().filter(|(_, arg)| !leave(*arg)) {
                numbers.push(hole(*arg));
                run = match run {
                    Some((first, last)) if last + 1 == *offset => Some((first, *offset)),
                    before => {
                        end(before);
                        Some((*offset, *offset))
                    }
                };
            }
            end(run);
        }
        (runs, numbers)
    }
}
