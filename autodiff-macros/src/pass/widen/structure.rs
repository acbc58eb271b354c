//! The structure of tangents: what they may depend on, whatever the numbers are that a function is differentiated by.
//!
//! Note [Decisions]. The tangents of a body may be sets in the place of numbers, sets of what they depend on (Note [Patterns] in
//! `sparse.rs` of `autodiff-core`). The equations give the union of what they read. Where a number decides what is computed, the
//! set has to be that of all that may be: a pattern is used again with other numbers. So
//!
//! ```text
//! y: wide f64 = select c a b               y: wide f64 = choose(c, a, b)
//!
//! y: wide f64 = if c {                     z: wide f64 = if c {
//!     p: wide f64 = mul a s                    p: wide f64 = mul a s
//!     yield p                                  yield p
//! } else { yield b }                       } else { yield b }
//!                                          y: wide f64 = joined(z, [a, b])
//! ```
//!
//! where `c` depends on a number. `choose` and `joined` are methods of the wide number: with lanes they give what stands on the
//! left. Where an integer decides, which is given again as it is, nothing has to be added. An array that is computed in
//! a branch is joined at the elements that are written, if these are the same in both, else as a whole; a size that depends on a
//! number leaves no structure.

mod inside;

use crate::ir::dim::Dim;
use crate::ir::operator::Algebra;
use crate::ir::var::VarSet;
use crate::ir::{Block, Body, CallKind, Elem, Eqn, IntOp, Op, Opaque, Ty, Var, VarData, hole, wide};
use inside::{Inside, Writes, begin};
use proc_macro2::{Span, TokenStream};
use quote::quote;

/// Of more elements that a branch writes, the array is joined as a whole.
const MOST_PLACES: usize = 16;

/// Adds what decisions on `numbers` leave open, whose tangents are the wide `inputs`. Says whether the body has a structure.
pub fn run(body: &mut Body, inputs: &[Var], numbers: &[Var]) -> bool {
    let mut pass = Structure::of(body, numbers);
    if !pass.is_known {
        pass.depend_on_all(&mut body.block, inputs);
        pass.is_known =
            body.block.results.iter().all(|result| !pass.is_wide(*result) || !pass.ty(*result).is_dynamic());
    }
    body.vars = pass.vars;
    pass.is_known
}

/// The same of a body that adds to arrays of its caller: none of them is replaced by one that depends on all.
pub fn run_in_place(body: &mut Body, numbers: &[Var]) -> bool {
    let pass = Structure::of(body, numbers);
    body.vars = pass.vars;
    pass.is_known
}

struct Structure {
    vars: Vec<VarData>,
    /// What depends on a number.
    decided: VarSet,
    is_known: bool,
}

/// A wide variable that is read: an element of an array, or all of it.
struct Read {
    var: Var,
    at: Option<Var>,
}

impl Structure {
    /// With what decisions on `numbers` leave open in the block of the body, as far as that is known. It has the variables.
    fn of(body: &mut Body, numbers: &[Var]) -> Structure {
        let mut pass = Structure { vars: std::mem::take(&mut body.vars), decided: VarSet::default(), is_known: true };
        for number in numbers {
            pass.decided.insert(*number);
        }
        let own = body.block.params.clone();
        while pass.decide(&body.block, &own) {}
        if pass.decides(&body.block) {
            body.block = pass.block(std::mem::take(&mut body.block));
        }
        pass
    }

    fn ty(&self, var: Var) -> &Ty {
        &self.vars[var.0 as usize].ty
    }

    fn is_wide(&self, var: Var) -> bool {
        matches!(self.ty(var).elem, Elem::Wide(_))
    }

    fn is_decided(&self, vars: &[Var]) -> bool {
        vars.iter().any(|var| self.decided.contains(*var))
    }

    // --- what depends on a number ---------------------------------------------------------------------------

    /// One round of finding it; says whether something was found.
    fn decide(&mut self, block: &Block, own: &[Var]) -> bool {
        let mut found = false;
        for eqn in &block.eqns {
            for region in &eqn.regions {
                found |= self.decide(region, own);
            }
            let follows: Vec<(Var, bool)> = match &eqn.op {
                Op::For { .. } | Op::While { .. } => {
                    let all = self.is_repeated_as_decided(eqn);
                    let first = eqn.first_carried();
                    let mut follows = Vec::new();
                    if first == 1 && all {
                        follows.push((eqn.regions[0].params[0], true));
                    }
                    for (k, out) in eqn.outs.iter().enumerate() {
                        let is = all || self.is_decided(&[eqn.args[k], eqn.step().results[k]]);
                        follows.push((*out, is));
                        follows.extend(eqn.regions.iter().map(|region| {
                            let first = region.params.len() - eqn.args.len();
                            (region.params[first + k], is)
                        }));
                    }
                    follows
                }
                Op::If => {
                    let all = self.is_decided(&eqn.args[..1]);
                    let is = |k: usize| all || eqn.regions.iter().any(|region| self.is_decided(&[region.results[k]]));
                    eqn.outs.iter().enumerate().map(|(k, out)| (*out, is(k))).collect()
                }
                // The length of what has one in its type depends on that; so does that of a parameter on nothing.
                Op::Len => {
                    let dim = self.ty(eqn.args[0]).dims.get(eqn.args.len() - 1);
                    let is = match dim {
                        Some(dim) if dim.is_ragged() => !own.contains(&eqn.args[0]) && self.is_decided(&eqn.args),
                        _ => self.is_decided(&eqn.args[1..]),
                    };
                    vec![(eqn.outs[0], is)]
                }
                _ => {
                    let is = self.is_decided(&eqn.own_uses());
                    eqn.outs.iter().map(|out| (*out, is)).collect()
                }
            };
            for (var, is) in follows {
                // A tangent decides nothing.
                found |= is && !self.is_wide(var) && self.decided.insert(var);
            }
        }
        found
    }

    /// Whether a number decides how often a loop runs.
    fn is_repeated_as_decided(&self, eqn: &Eqn) -> bool {
        let mut is = false;
        eqn.op.for_each_size(&mut |var| is |= self.decided.contains(var));
        is || matches!(eqn.op, Op::While { .. }) && self.is_decided(&eqn.regions[0].results)
    }

    /// Whether a number decides what an equation does to tangents.
    fn is_open(&self, eqn: &Eqn) -> bool {
        let tangents = eqn.outs.iter().any(|out| self.is_wide(*out));
        tangents
            && match &eqn.op {
                Op::Map(row) => row.algebra == Algebra::Choice && self.is_decided(&eqn.args[..1]),
                Op::If => self.is_decided(&eqn.args[..1]),
                Op::For { .. } | Op::While { .. } => self.is_repeated_as_decided(eqn),
                Op::Get => self.is_decided(&eqn.args[1..]),
                Op::Set | Op::Acc | Op::Push => self.is_decided(&eqn.args[2..]),
                Op::Call(call) => {
                    let active: Vec<usize> = match call.kind {
                        CallKind::Tangent(_) | CallKind::JointTangent(_) => call.callee.active_operands().collect(),
                        _ => Vec::new(),
                    };
                    let passive = (0..call.callee.operands()).filter(|k| !active.contains(k));
                    passive.into_iter().any(|k| self.is_decided(&[eqn.args[k]]))
                }
                _ => false,
            }
    }

    fn decides(&self, block: &Block) -> bool {
        block.eqns.iter().any(|eqn| self.is_open(eqn) || eqn.regions.iter().any(|region| self.decides(region)))
    }

    /// Makes every result depend on every input.
    fn depend_on_all(&mut self, block: &mut Block, inputs: &[Var]) {
        let wide: Vec<usize> = (0..block.results.len()).filter(|k| self.is_wide(block.results[*k])).collect();
        let reads: Vec<Read> = inputs.iter().map(|input| Read { var: *input, at: None }).collect();
        let (span, mut eqns) = (Span::call_site(), Vec::new());
        let with = self.values(&reads, &Inside::of(&[]), span, &mut eqns);
        eqns.append(&mut block.eqns);
        for k in wide {
            let mut result = block.results[k];
            if !self.ty(result).is_scalar() {
                // It may be an input as it stands.
                result = self.made(result, Op::Copy, vec![result], span, &mut eqns);
            }
            let name = self.like(result);
            self.join_axes((result, name), &mut Vec::new(), &with, span, &mut eqns);
            block.results[k] = name;
        }
        block.eqns = eqns;
    }

    // --- what is added ----------------------------------------------------------------------------------------

    fn block(&mut self, block: Block) -> Block {
        let mut eqns = Vec::with_capacity(block.eqns.len());
        for eqn in block.eqns {
            self.eqn(eqn, &mut eqns);
        }
        Block { eqns, ..block }
    }

    fn eqn(&mut self, mut eqn: Eqn, out: &mut Vec<Eqn>) {
        let is_open = self.is_open(&eqn);
        if is_open && matches!(eqn.op, Op::Map(_)) {
            eqn.op = Op::Opaque(method("choose"));
            out.push(eqn);
            return;
        }
        let joins = if is_open { self.joins(&eqn, out) } else { Vec::new() };
        let regions = std::mem::take(&mut eqn.regions);
        eqn.regions = regions.into_iter().map(|region| self.block(region)).collect();
        // What is joined gets the name, and what it is joined to another one.
        let span = eqn.span;
        let raw: Vec<Var> = joins.iter().map(|join| self.like(eqn.outs[join.out])).collect();
        let names: Vec<Var> =
            joins.iter().zip(&raw).map(|(join, raw)| std::mem::replace(&mut eqn.outs[join.out], *raw)).collect();
        out.push(eqn);
        for ((join, raw), name) in joins.into_iter().zip(raw).zip(names) {
            let (mut before, last) = (raw, join.parts.len().saturating_sub(1));
            for (k, (place, with)) in join.parts.into_iter().enumerate() {
                let after = if k == last { name } else { self.like(raw) };
                match place {
                    None => self.join_axes((before, after), &mut Vec::new(), &with, span, out),
                    Some(place) => self.join_place((before, after), &place, 0, &with, span, out),
                }
                before = after;
            }
        }
    }

    /// What has to be joined to each result. What is read is written before the equation.
    fn joins(&mut self, eqn: &Eqn, out: &mut Vec<Eqn>) -> Vec<Join> {
        let inside = Inside::of(&eqn.regions);
        let mut joins = Vec::new();
        for k in 0..eqn.outs.len() {
            let ty = self.ty(eqn.outs[k]).clone();
            if !self.is_wide(eqn.outs[k]) {
                continue;
            }
            if matches!(eqn.op, Op::If) && !ty.is_scalar() {
                if let Some(parts) = self.written(eqn, k, &inside, out) {
                    joins.extend((!parts.is_empty()).then_some(Join { out: k, parts }));
                    continue;
                }
            }
            let mut reads = Vec::new();
            match &eqn.op {
                Op::If if ty.is_scalar() => {
                    let results: Vec<Var> = eqn.regions.iter().map(|region| region.results[k]).collect();
                    self.slice(&results, None, &inside, &mut reads);
                }
                _ if ty.is_dynamic() => {
                    self.is_known = false;
                    continue;
                }
                _ => self.uses(eqn, None, &inside, &mut |_| {}, &mut reads),
            }
            let with = self.values(&reads, &inside, eqn.span, out);
            joins.extend((!with.is_empty()).then(|| Join { out: k, parts: vec![(None, with)] }));
        }
        joins
    }

    /// What some variables of regions are computed of, as far as it is wide and defined outside.
    fn slice(&self, of: &[Var], base: Option<Var>, inside: &Inside, reads: &mut Vec<Read>) {
        let (mut seen, mut needed) = (VarSet::default(), Vec::new());
        of.iter().for_each(|var| self.read(*var, None, inside, &mut |var| needed.push(var), reads));
        while let Some(var) = needed.pop() {
            let eqn = inside.by.get(&var).filter(|eqn| eqn.outs.iter().all(|out| seen.insert(*out)));
            if let Some(eqn) = eqn {
                self.uses(eqn, base, inside, &mut |var| needed.push(var), reads);
            }
        }
    }

    fn read(&self, var: Var, at: Option<Var>, inside: &Inside, needed: &mut dyn FnMut(Var), reads: &mut Vec<Read>) {
        // An index that a number decides may be any.
        let at = at.filter(|at| !self.decided.contains(*at));
        if inside.has(var) {
            needed(var);
        } else if self.is_wide(var) && !reads.iter().any(|read| read.var == var && read.at == at) {
            reads.push(Read { var, at });
        }
    }

    /// What an equation and its regions read. Of `base` only elements are written.
    fn uses(&self, eqn: &Eqn, base: Option<Var>, inside: &Inside, needed: &mut dyn FnMut(Var), reads: &mut Vec<Read>) {
        let begins = |array: Var| base.filter(|base| begin(array, inside, &mut Writes::default()) == Some(*base));
        match &eqn.op {
            Op::Get => {
                let (array, at) = (eqn.args[0], eqn.args.get(1).copied());
                if let Some(base) = begins(array) {
                    self.read(base, at, inside, needed, reads);
                }
                self.read(array, at, inside, needed, reads);
            }
            Op::Set | Op::Acc if base == Some(eqn.args[0]) => self.read(eqn.args[1], None, inside, needed, reads),
            _ => eqn.args.iter().for_each(|arg| self.read(*arg, None, inside, needed, reads)),
        }
        for region in &eqn.regions {
            region.eqns.iter().for_each(|eqn| self.uses(eqn, base, inside, needed, reads));
            let results = region.results.iter().filter(|result| base != Some(**result));
            results.for_each(|result| self.read(*result, None, inside, needed, reads));
        }
    }

    /// The elements of an array that the branches write, with what is joined to each, if both begin with the same array and all have
    /// places that are known before.
    fn written(&mut self, eqn: &Eqn, k: usize, inside: &Inside, out: &mut Vec<Eqn>) -> Option<Vec<Part>> {
        let mut writes = Writes::default();
        let mut base = None;
        for region in &eqn.regions {
            let begins = begin(region.results[k], inside, &mut writes)?;
            if *base.get_or_insert(begins) != begins {
                return None;
            }
        }
        let writes = writes.places;
        let base = base.filter(|_| writes.len() <= MOST_PLACES && !self.ty(eqn.outs[k]).is_ragged())?;
        if writes.iter().any(|(place, _)| self.is_decided(place)) {
            return None;
        }
        let mut before = Vec::new();
        let places = writes.iter().map(|(place, _)| {
            place.iter().map(|index| self.before(*index, inside, eqn.span, &mut before)).collect::<Option<Vec<Var>>>()
        });
        let places = places.collect::<Option<Vec<Vec<Var>>>>()?;
        out.extend(before);
        let parts = places.into_iter().zip(writes).map(|(place, (_, values))| {
            // The other branch may leave what there was.
            let mut reads = vec![Read { var: base, at: place.first().copied() }];
            self.slice(&values, Some(base), inside, &mut reads);
            let with = self.values(&reads, inside, eqn.span, out);
            (Some(place), with)
        });
        Some(parts.collect())
    }

    /// An index as it is before the branches, if it can be computed there. In a branch that is not taken it may be none of the array.
    fn before(&mut self, index: Var, inside: &Inside, span: Span, out: &mut Vec<Eqn>) -> Option<Var> {
        if !inside.has(index) {
            return Some(index);
        }
        let eqn = *inside.by.get(&index)?;
        if let Elem::Int(integer) = &self.ty(index).elem {
            let integer: TokenStream = integer.parse().ok()?;
            let mut args = Vec::new();
            for arg in &eqn.args {
                // An array of integers is there before.
                let is_given = matches!(eqn.op, Op::Get) && args.is_empty() && !inside.has(*arg);
                args.push(if is_given { *arg } else { self.before(*arg, inside, span, out)? });
            }
            let [a, b] = [hole(0), hole(1)];
            let op = match &eqn.op {
                Op::Const(_) | Op::Cast | Op::Int(IntOp::Min | IntOp::Max | IntOp::And | IntOp::Or | IntOp::Xor) => {
                    eqn.op.clone()
                }
                Op::Dim(dim) if dim.vars().all(|var| !inside.has(var)) => eqn.op.clone(),
                Op::Int(IntOp::Add) => Op::Opaque(call(quote!(<#integer>::wrapping_add))),
                Op::Int(IntOp::Sub) => Op::Opaque(call(quote!(<#integer>::wrapping_sub))),
                Op::Int(IntOp::Mul) => Op::Opaque(call(quote!(<#integer>::wrapping_mul))),
                Op::Int(IntOp::Div) => quoted(quote!(<#integer>::checked_div(#a, #b).unwrap_or(<#integer>::MAX))),
                Op::Int(IntOp::Rem) => quoted(quote!(<#integer>::checked_rem(#a, #b).unwrap_or(<#integer>::MAX))),
                Op::Get if args.len() == self.ty(args[0]).rank() + 1 && !self.ty(args[0]).is_ragged() => {
                    let none = quoted(quote!(<#integer>::MAX));
                    return Some(self.element(&args, 0, &none, span, out));
                }
                _ => return None,
            };
            return Some(self.made(index, op, args, span, out));
        }
        None
    }

    fn made(&mut self, like: Var, op: Op, args: Vec<Var>, span: Span, out: &mut Vec<Eqn>) -> Var {
        let made = self.var(self.ty(like).clone());
        out.push(Eqn { outs: vec![made], op, args, regions: Vec::new(), span });
        made
    }

    /// An element of an array of integers, or what stands for none.
    fn element(&mut self, get: &[Var], axis: usize, none: &Op, span: Span, out: &mut Vec<Eqn>) -> Var {
        let element = Ty::scalar(self.ty(get[0]).elem.clone());
        let made = self.var(element);
        if axis + 1 == get.len() {
            out.push(Eqn { outs: vec![made], op: Op::Get, args: get.to_vec(), regions: Vec::new(), span });
            return made;
        }
        let holds = self.is_within(get[axis + 1], get[0], axis, span, out);
        let (mut eqns, mut other) = (Vec::new(), Vec::new());
        let inner = self.element(get, axis + 1, none, span, &mut eqns);
        let nothing = self.made(made, none.clone(), Vec::new(), span, &mut other);
        let then = Block { params: Vec::new(), eqns, results: vec![inner] };
        let other = Block { params: Vec::new(), eqns: other, results: vec![nothing] };
        out.push(Eqn { outs: vec![made], op: Op::If, args: vec![holds], regions: vec![then, other], span });
        made
    }

    /// Whether an array has such an index along an axis.
    fn is_within(&mut self, index: Var, array: Var, axis: usize, span: Span, out: &mut Vec<Eqn>) -> Var {
        let (len, holds) = (self.var(Ty::index()), self.var(Ty::scalar(Elem::Bool)));
        let dim = self.ty(array).dims[axis].clone();
        out.push(Eqn { outs: vec![len], op: Op::Dim(dim), args: Vec::new(), regions: Vec::new(), span });
        let [a, b] = [hole(0), hole(1)];
        let (op, args) = (quoted(quote!(#a < #b)), vec![index, len]);
        out.push(Eqn { outs: vec![holds], op, args, regions: Vec::new(), span });
        holds
    }

    /// The sets of what is read, as numbers.
    fn values(&mut self, reads: &[Read], inside: &Inside, span: Span, out: &mut Vec<Eqn>) -> Vec<Var> {
        let mut values = Vec::new();
        for read in reads {
            let ty = self.ty(read.var).clone();
            if ty.is_scalar() {
                values.push(read.var);
                continue;
            }
            let at = read.at.and_then(|at| self.before(at, inside, span, out));
            let (name, args) = match at {
                Some(at) => ("reach_at", vec![read.var, at]),
                None => ("reach", vec![read.var]),
            };
            let number = self.var(Ty::scalar(ty.elem));
            out.push(Eqn { outs: vec![number], op: Op::Opaque(method(name)), args, regions: Vec::new(), span });
            values.push(number);
        }
        values
    }

    fn var(&mut self, ty: Ty) -> Var {
        self.vars.push(VarData { ty, hint: None });
        Var(u32::try_from(self.vars.len() - 1).unwrap_or(u32::MAX))
    }

    fn like(&mut self, var: Var) -> Var {
        let made = self.var(self.ty(var).clone());
        let hint = self.vars[var.0 as usize].hint.clone();
        self.vars[made.0 as usize].hint = hint;
        made
    }

    /// `joined(number, [with…])`
    fn joined(&mut self, (number, name): (Var, Var), with: &[Var], span: Span, out: &mut Vec<Eqn>) {
        let (own, wide) = (hole(0), wide());
        let others = (1..=with.len()).map(hole);
        let op = quoted(quote!(#wide::joined(#own, &[#(#others),*])));
        let args = [&[number], with].concat();
        out.push(Eqn { outs: vec![name], op, args, regions: Vec::new(), span });
    }

    /// The same of every element of an array whose size is known before.
    fn join_axes(&mut self, (raw, name): (Var, Var), at: &mut Vec<Var>, with: &[Var], span: Span, out: &mut Vec<Eqn>) {
        let ty = self.ty(raw).clone();
        if ty.is_scalar() {
            return self.joined((raw, name), with, span, out);
        }
        if at.len() == ty.rank() {
            return self.join_element((raw, name), at, with, span, out);
        }
        let (index, carried, last) = (self.var(Ty::index()), self.like(raw), self.like(raw));
        let mut hi = ty.dims[at.len()].clone();
        if hi.is_ragged() {
            let len = self.var(Ty::index());
            out.push(Eqn { outs: vec![len], op: Op::Len, args: [&[raw], &at[..]].concat(), regions: Vec::new(), span });
            hi = Dim::of(len);
        }
        let mut eqns = Vec::new();
        at.push(index);
        self.join_axes((carried, last), at, with, span, &mut eqns);
        at.pop();
        let region = Block { params: vec![index, carried], eqns, results: vec![last] };
        let op = Op::range(Dim::literal(0), hi, false);
        out.push(Eqn { outs: vec![name], op, args: vec![raw], regions: vec![region], span });
    }

    fn join_element(&mut self, (raw, name): (Var, Var), at: &[Var], with: &[Var], span: Span, out: &mut Vec<Eqn>) {
        let element = Ty::scalar(self.ty(raw).elem.clone());
        let [before, after] = [(); 2].map(|()| self.var(element.clone()));
        let args = [&[raw], at].concat();
        out.push(Eqn { outs: vec![before], op: Op::Get, args, regions: Vec::new(), span });
        self.joined((before, after), with, span, out);
        let args = [&[raw, after], at].concat();
        out.push(Eqn { outs: vec![name], op: Op::Set, args, regions: Vec::new(), span });
    }

    /// The same of the element at a place, if the array has it.
    fn join_place(
        &mut self,
        (raw, name): (Var, Var),
        place: &[Var],
        axis: usize,
        with: &[Var],
        span: Span,
        out: &mut Vec<Eqn>,
    ) {
        if axis == place.len() {
            return match self.ty(raw).rank() == place.len() {
                true => self.join_element((raw, name), place, with, span, out),
                // A row is written.
                false => self.join_axes((raw, name), &mut place.to_vec(), with, span, out),
            };
        }
        let holds = self.is_within(place[axis], raw, axis, span, out);
        let inner = self.like(raw);
        let mut eqns = Vec::new();
        self.join_place((raw, inner), place, axis + 1, with, span, &mut eqns);
        let then = Block { params: Vec::new(), eqns, results: vec![inner] };
        let other = Block { params: Vec::new(), eqns: Vec::new(), results: vec![raw] };
        out.push(Eqn { outs: vec![name], op: Op::If, args: vec![holds], regions: vec![then, other], span });
    }
}

/// What is joined at a place of an array, or to all of it.
type Part = (Option<Vec<Var>>, Vec<Var>);

/// What is joined to a result.
struct Join {
    out: usize,
    parts: Vec<Part>,
}

fn quoted(tokens: TokenStream) -> Op {
    Op::Opaque(Opaque::pure(tokens).into())
}

fn call(tokens: TokenStream) -> std::rc::Rc<Opaque> {
    Opaque { is_call: true, ..Opaque::pure(tokens) }.into()
}

/// A method of the wide number.
fn method(name: &str) -> std::rc::Rc<Opaque> {
    let (wide, name) = (wide(), quote::format_ident!("{name}"));
    call(quote!(#wide::#name))
}
