//! Loops.

use super::Lower;
use super::assign::{Assigned, unparen};
use super::branch::is_passive;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::Error;
use crate::fault::{self, Fault};
use crate::ir::dim::Dim;
use crate::ir::{Block, Elem, IntOp, Op, Opaque, Order, SavePolicy, Ty, Var};
use crate::layout::{Form, Kind};
use crate::parse::function::LOOP_ATTRIBUTES;
use crate::parse::ty::Surface;
use proc_macro2::Span;
use quote::{ToTokens, quote};
use syn::visit::Visit;
use syn::{Attribute, ExprForLoop, ExprWhile, Pat};

/// What decides how often a loop runs.
enum Repeat<'e> {
    For {
        lo: Dim,
        hi: Dim,
        reverse: bool,
        index: Option<String>,
        /// What the user's index is, if it is of another type than the loop's.
        from: Option<From>,
        keep: SavePolicy,
    },
    While {
        cond: &'e syn::Expr,
        keep: SavePolicy,
    },
}

/// A range of integers.
struct Counted {
    lo: Var,
    hi: Var,
    /// Both ends, if they are numbers.
    constants: Option<(i64, i64)>,
    closed: bool,
    reverse: bool,
}

/// An index of another type than `usize`, from the loop's, and where it begins.
enum From {
    /// The same number.
    Cast(Var),
    /// So many from the beginning.
    Plus(Var),
}

/// What is said of a loop in attributes of ours.
fn said(attrs: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attrs.iter().filter(|attr| LOOP_ATTRIBUTES.iter().any(|name| attr.path().is_ident(name)))
}

impl Lower<'_> {
    pub(super) fn for_loop(&mut self, expr: &ExprForLoop) -> Lowered<Value> {
        if let Some(label) = &expr.label {
            return self.unsupported(label, "a labelled loop", "leave the label out, if nothing jumps to it");
        }
        let index = match &*expr.pat {
            Pat::Ident(ident) => Some(ident.ident.to_string()),
            Pat::Wild(_) => None,
            other => {
                return self.unsupported(
                    other,
                    "this loop pattern",
                    "loop over a range, `for i in 0..N`, and index with `i`",
                );
            }
        };
        let keep = self.keep(&expr.attrs)?;
        if let Some(counted) = self.counted(expr)? {
            return self.counted_loop(expr, index, &counted, keep);
        }
        let (lo, mut hi, reverse) = self.range(&expr.expr)?;
        if lo.as_literal().zip(hi.as_literal()).is_some_and(|(lo, hi)| hi < lo) {
            hi = lo.clone();
        }
        if let (Some(index), Some(lo), Some(hi)) = (&index, lo.as_literal(), hi.as_literal()) {
            if self.chooses_parts(&expr.body, index) {
                if let Some(attr) = said(&expr.attrs).next() {
                    return self.unsupported(
                        attr,
                        "a loop over structs or tensors with this attribute",
                        "take it off: each iteration has code of its own, and there are as many as in the type",
                    );
                }
                return self.unrolled(&expr.body, index, lo..hi, reverse);
            }
        }
        let carried = self.assigned(|assigned| assigned.visit_block(&expr.body))?;
        let kind = Repeat::For { lo, hi, reverse, index, from: None, keep };
        self.looped(expr.for_token.span, carried, &kind, &expr.body)
    }

    /// A range of integers of another type than `usize`.
    fn counted(&mut self, repeat: &ExprForLoop) -> Lowered<Option<Counted>> {
        let (mut expr, mut reverse) = (unparen(&repeat.expr), false);
        while let syn::Expr::MethodCall(call) = expr {
            if call.method != "rev" || !call.args.is_empty() {
                return Ok(None);
            }
            (expr, reverse) = (unparen(&call.receiver), !reverse);
        }
        let syn::Expr::Range(range) = expr else { return Ok(None) };
        let (Some(lo), Some(hi)) = (&range.start, &range.end) else { return Ok(None) };
        let elem = match self.integer_type(lo).or_else(|| self.integer_type(hi)) {
            Some(elem) => elem,
            None => match &*repeat.pat {
                Pat::Ident(name) => self.counted_type(name).unwrap_or_else(Elem::usize),
                _ => Elem::usize(),
            },
        };
        if elem == Elem::usize() {
            return Ok(None);
        }
        let surface = Surface::Scalar(elem.clone());
        let (lo_value, hi_value) = (self.expr_expecting(lo, Some(&surface))?, self.expr_expecting(hi, Some(&surface))?);
        let constants = self.literal_integer(&lo_value).zip(self.literal_integer(&hi_value));
        let ty = Ty::scalar(elem);
        let (lo, hi) = (self.leaf_like(lo_value, &ty, lo)?, self.leaf_like(hi_value, &ty, hi)?);
        let closed = matches!(range.limits, syn::RangeLimits::Closed(_));
        Ok(Some(Counted { lo, hi, constants, closed, reverse }))
    }

    /// The loop counts in `usize`, and its index is computed from that.
    fn counted_loop(
        &mut self,
        expr: &ExprForLoop,
        index: Option<String>,
        counted: &Counted,
        keep: SavePolicy,
    ) -> Lowered<Value> {
        let (lo, hi, from) = match counted.constants {
            Some((lo, hi)) => {
                let hi = (hi + i64::from(counted.closed)).max(lo);
                match lo >= 0 {
                    true => (Dim::literal(lo), Dim::literal(hi), From::Cast(counted.lo)),
                    false => (Dim::literal(0), Dim::literal(hi - lo), From::Plus(counted.lo)),
                }
            }
            None => (Dim::literal(0), Dim::of(self.trip_count(counted)), From::Plus(counted.lo)),
        };
        let carried = self.assigned(|assigned| assigned.visit_block(&expr.body))?;
        let kind = Repeat::For { lo, hi, reverse: counted.reverse, index, from: Some(from), keep };
        self.looped(expr.for_token.span, carried, &kind, &expr.body)
    }

    /// How many numbers a range has. The difference of two may be too large for their type.
    fn trip_count(&mut self, counted: &Counted) -> Var {
        let (lo, hi) = (crate::ir::hole(0), crate::ir::hole(1));
        let compare = if counted.closed { quote!(>=) } else { quote!(>) };
        let more = if counted.closed { quote!(+ 1) } else { quote!() };
        let unsigned = match &self.b.ty(counted.lo).elem {
            Elem::Int(name) => name.replace('i', "u").replace("usuze", "usize"),
            _ => "usize".to_owned(),
        };
        let unsigned = quote::format_ident!("{unsigned}");
        let tokens = quote!(if #hi #compare #lo { #hi.wrapping_sub(#lo) as #unsigned as usize #more } else { 0 });
        self.b.opaque(Opaque::pure(tokens), vec![counted.lo, counted.hi], Ty::index())
    }

    /// The user's index in an iteration.
    fn counted_index(&mut self, i: Var, from: &From) -> Var {
        let (From::Cast(lo) | From::Plus(lo)) = from;
        let elem = self.b.ty(*lo).elem.clone();
        let offset = self.b.cast(i, &elem);
        match from {
            From::Cast(_) => offset,
            // More than half of the numbers that there are: the offset may be too large for the type, the sum is not.
            From::Plus(lo) if matches!(&elem, Elem::Int(name) if matches!(&**name, "i8" | "i16")) => {
                let (lo_hole, offset_hole) = (crate::ir::hole(0), crate::ir::hole(1));
                let tokens = quote!(#lo_hole.wrapping_add(#offset_hole));
                self.b.opaque(Opaque::pure(tokens), vec![*lo, offset], Ty::scalar(elem))
            }
            From::Plus(lo) => self.b.int(IntOp::Add, *lo, offset),
        }
    }

    /// Whether the loop's index chooses between structs or tensors, each of which has variables of its own.
    fn chooses_parts(&self, body: &syn::Block, index: &str) -> bool {
        struct Find<'l, 'f> {
            lower: &'l Lower<'f>,
            index: &'l str,
            found: bool,
        }
        impl<'a> Visit<'a> for Find<'_, '_> {
            fn visit_expr_index(&mut self, expr: &'a syn::ExprIndex) {
                let by_index = matches!(unparen(&expr.index), syn::Expr::Path(path) if path.path.is_ident(self.index));
                self.found |= by_index && matches!(self.lower.named(&expr.expr), Some(Value::Parts(Kind::Array, _)));
                syn::visit::visit_expr_index(self, expr);
            }
        }
        let mut find = Find { lower: self, index, found: false };
        find.visit_block(body);
        find.found
    }

    /// One copy of the body for each value of the index.
    fn unrolled(
        &mut self,
        body: &syn::Block,
        index: &str,
        range: std::ops::Range<i64>,
        reverse: bool,
    ) -> Lowered<Value> {
        let mut indices: Vec<i64> = range.collect();
        if reverse {
            indices.reverse();
        }
        for k in indices {
            let tokens = proc_macro2::Literal::i64_unsuffixed(k).to_token_stream();
            let value = Value::Untyped(Untyped { tokens, number: Some(k as f64), integer: true });
            self.scoped(|lower| {
                lower.define(index, Some(value), false);
                lower.block_value(body, None)
            })?;
        }
        Ok(Value::unit())
    }

    pub(super) fn while_loop(&mut self, expr: &ExprWhile) -> Lowered<Value> {
        if let Some(label) = &expr.label {
            return self.unsupported(label, "a labelled loop", "leave the label out, if nothing jumps to it");
        }
        let keep = self.keep(&expr.attrs)?;
        let carried = self.assigned(|assigned: &mut Assigned| {
            assigned.visit_expr(&expr.cond);
            assigned.visit_block(&expr.body);
        })?;
        self.looped(expr.while_token.span, carried, &Repeat::While { cond: &expr.cond, keep }, &expr.body)
    }

    /// What the user says of a loop.
    fn keep(&mut self, attrs: &[Attribute]) -> Lowered<SavePolicy> {
        let mut keep = SavePolicy::All;
        for attr in said(attrs) {
            let snapshots = attr.path().is_ident("checkpoint");
            let (name, example) = if snapshots { ("checkpoint", 8) } else { ("max_iters", 100) };
            if keep != SavePolicy::All {
                return self.fail(
                    Error::new(attr, "this loop has two attributes that say what it keeps")
                        .note("`#[max_iters(N)]` keeps every iteration, `#[checkpoint(K)]` no more than `K` of them")
                        .help("choose one of the two")
                        .plain_rust(),
                );
            }
            let is_number = |lit: &syn::ExprLit| matches!(lit.lit, syn::Lit::Int(_));
            let size = match attr.parse_args::<syn::Expr>() {
                Ok(syn::Expr::Lit(lit)) if !is_number(&lit) => Dim::literal(0),
                Ok(size) => self.size(&size)?,
                Err(_) => Dim::literal(0),
            };
            if size.as_literal().is_some_and(|size| size < 1) || size.is_dynamic() {
                let what =
                    if snapshots { "how many snapshots there are" } else { "how many iterations there are at most" };
                return self.fail(
                    Error::new(attr, format!("`#[{name}]` on a loop says {what}: a constant, at least 1"))
                        .help(format!("write `#[{name}({example})]`"))
                        .plain_rust(),
                );
            }
            if !size.is_simple() && self.is_generic(&size) {
                return self.fail(
                    Error::new(attr, format!("the size `{size}` is computed from a generic parameter"))
                        .note("on stable Rust an array length may not be; a condition that changes something counts as one more iteration")
                        .help("make it a const parameter of its own, and let the body change what the condition changes")
                        .plain_rust(),
                );
            }
            keep = if snapshots { SavePolicy::Snapshots(size) } else { SavePolicy::AtMost(size) };
        }
        Ok(keep)
    }

    /// A loop that carries variables. What is known of them may come round from the end of the body: whether they are
    /// active, which type they have if they got no value before, whether their lengths change. The body is lowered
    /// again until that is settled. A call of which the arguments turn out to be active later on may have no type before:
    /// a body that does not go through is tried once more with all numbers active.
    fn looped(&mut self, span: Span, carried: Vec<(usize, Value)>, kind: &Repeat, body: &syn::Block) -> Lowered<Value> {
        let (mut slots, values): (Vec<usize>, Vec<Value>) = carried.into_iter().unzip();
        let mut values: Vec<Value> = values
            .into_iter()
            .map(|value| self.settle(value, &syn::Ident::new("value", span)))
            .collect::<Lowered<_>>()?;
        let mut active: Vec<bool> = Vec::new();
        let mut tys: Vec<Ty> = Vec::new();
        let mut failed = None;
        loop {
            let inits = self.across(&values)?;
            if tys.len() != inits.len() {
                tys = inits.iter().map(|init| self.b.ty(*init).clone()).collect();
                active = inits.iter().map(|init| self.active.contains(init)).collect();
            }
            let saved = (self.errors.clone(), self.env.clone());
            let mut regions = Vec::new();
            if let Repeat::While { cond, .. } = kind {
                let params = self.enter(&slots, &values, &inits, &tys, &active)?;
                let value = self.scoped(|lower| lower.pure_condition(cond));
                let mut region = self.b.close_block(params, Vec::new());
                region.results = vec![value?];
                regions.push(region);
                self.env = saved.1.clone();
            }
            let index = match kind {
                Repeat::For { index, .. } => Some((self.b.var(Ty::index(), index.as_deref()), index)),
                Repeat::While { .. } => None,
            };
            let params = self.enter(&slots, &values, &inits, &tys, &active)?;
            let lowered = self.scoped(|lower| {
                if let Some((i, Some(index))) = &index {
                    let mut i = *i;
                    if let Repeat::For { from: Some(from), .. } = kind {
                        i = lower.counted_index(i, from);
                    }
                    lower.define(index, Some(Value::Leaf(i, Form::Plain)), false);
                }
                lower.block_value(body, None).map(|_| ())
            });
            let after: Vec<Value> = slots.iter().filter_map(|slot| self.env.get(*slot).value.clone()).collect();
            let results = self.across(&after);
            let params = index.iter().map(|(i, _)| *i).chain(params).collect();
            let mut region = self.b.close_block(params, Vec::new());
            if lowered.is_err() {
                // What the text of the body reads before it gives it the first value: an earlier iteration has.
                let first = (0..slots.len()).find_map(|k| match (&values[k], self.first_values.get(&slots[k])) {
                    (Value::Undefined, Some(value)) if !is_passive(value) => Some((k, value.clone())),
                    _ => None,
                });
                if let Some((k, value)) = first {
                    (self.errors, self.env) = saved;
                    values[k] = self.zeros_of(&value);
                    continue;
                }
                let unsure =
                    (0..inits.len()).any(|k| tys[k].is_float() && !active[k]) && self.errors.len() > saved.0.len();
                if let Some(errors) = failed {
                    self.errors = errors;
                } else if unsure {
                    failed = Some(std::mem::replace(&mut self.errors, saved.0));
                    self.env = saved.1;
                    active = tys.iter().map(Ty::is_float).collect();
                    continue;
                }
                return Err(Reported);
            }
            if after.len() != slots.len() {
                return Err(Reported);
            }
            // What the body changes is carried, whether or not its text shows that it does.
            let missed = self.env.changed_since(&saved.1).into_iter().filter(|slot| !slots.contains(slot));
            let missed: Vec<usize> = missed.collect();
            if !missed.is_empty() && !fault::is(Fault::MethodsChangeNothing) {
                (self.errors, self.env) = saved;
                for slot in missed {
                    let Some(value) = self.env.get(slot).value.clone() else { return Err(Reported) };
                    values.push(self.settle(value, &syn::Ident::new("value", span))?);
                    slots.push(slot);
                }
                continue;
            }
            // A variable that the body gives its first value starts as zeros, which nothing reads.
            let first = (0..slots.len())
                .find(|k| matches!(values[*k], Value::Undefined) && !matches!(after[*k], Value::Undefined));
            if let Some(k) = first {
                (self.errors, self.env) = saved;
                values[k] = self.zeros_of(&after[k]);
                continue;
            }
            // A `Vec` of which the body makes one of another length may be of any length from the start.
            let grows = (0..slots.len()).find(|k| super::sequence::grows(&values[*k], &after[*k]));
            if let Some(k) = grows {
                (self.errors, self.env) = saved;
                values[k] = self.grown_like(values[k].clone(), &after[k]);
                continue;
            }
            if values.iter().zip(&after).any(|(before, after)| self.is_other_function(before, after)) {
                let message = "a function that changes from one iteration to the next cannot be differentiated yet";
                let help = "keep a number, and choose by it where the function is called: `match kind { 0 => f(x), _ => g(x) }`";
                return self.fail(Error::at(span, message).help(help).plain_rust());
            }
            region.results = results?;
            if region.results.len() != inits.len() {
                return self.fail(Error::at(span, "a variable is of another kind after the loop than before"));
            }
            let (mut next_active, mut next_tys) = (active.clone(), tys.clone());
            for (k, result) in region.results.iter().enumerate() {
                next_active[k] |= self.active.contains(result);
                for (dim, now) in next_tys[k].dims.iter_mut().zip(&self.b.ty(*result).dims) {
                    if dim != now && (dim.is_dynamic() || now.is_dynamic()) {
                        *dim = Dim::ragged();
                    }
                }
            }
            if next_active != active || next_tys != tys {
                (active, tys) = (next_active, next_tys);
                (self.errors, self.env) = saved;
                continue;
            }
            self.env = saved.1;
            regions.push(region);
            self.finish_loop(span, kind, (&slots, &values), regions, inits, tys, &active)?;
            return Ok(Value::unit());
        }
    }

    /// Opens the block of an iteration, in which the carried variables have values of their own.
    fn enter(
        &mut self,
        slots: &[usize],
        values: &[Value],
        inits: &[Var],
        tys: &[Ty],
        active: &[bool],
    ) -> Lowered<Vec<Var>> {
        let params: Vec<Var> = inits.iter().zip(tys).map(|(init, ty)| self.b.var_like(*init, ty.clone(), "")).collect();
        self.active.extend(params.iter().zip(active).filter(|(_, active)| **active).map(|(param, _)| *param));
        self.b.open_block();
        let mut rest = params.iter().copied();
        for (slot, value) in slots.iter().zip(values) {
            let inside = self.arrived(value, &mut rest)?;
            self.rebind(*slot, inside);
        }
        Ok(params)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one equation")]
    fn finish_loop(
        &mut self,
        span: Span,
        kind: &Repeat,
        (slots, values): (&[usize], &[Value]),
        regions: Vec<Block>,
        inits: Vec<Var>,
        tys: Vec<Ty>,
        active: &[bool],
    ) -> Lowered<()> {
        self.b.span = Some(span);
        let op = match kind {
            Repeat::For { lo, hi, reverse, keep, .. } => {
                Op::For { lo: lo.clone(), hi: hi.clone(), reverse: *reverse, keep: keep.clone(), order: Order::Ordered }
            }
            Repeat::While { keep, .. } => Op::While { keep: keep.clone() },
        };
        let outs = self.b.push_multi(op, inits, regions, tys);
        self.active.extend(outs.iter().zip(active).filter(|(_, active)| **active).map(|(out, _)| *out));
        let mut rest = outs.into_iter();
        for (slot, value) in slots.iter().zip(values) {
            let after = self.arrived(value, &mut rest)?;
            self.rebind(*slot, after);
        }
        Ok(())
    }

    /// Zeros of the types of a value, for a variable that has none yet.
    pub(super) fn zeros_of(&mut self, value: &Value) -> Value {
        let zeros: Vec<Var> = value
            .leaves()
            .into_iter()
            .map(|leaf| {
                let mut ty = self.b.ty(leaf).clone();
                // Sizes of the place where the value was made mean nothing here.
                ty.dims.iter_mut().filter(|dim| dim.is_dynamic()).for_each(|dim| *dim = Dim::ragged());
                self.b.zero(ty)
            })
            .collect();
        value.rebuild(&mut zeros.into_iter())
    }
}
