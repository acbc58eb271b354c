//! Numbers as expressions, put back together from the equations.

use super::body::Emitter;
use super::text::Text;
use super::types::number;
use crate::ir::{Elem, Eqn, Evaluation, IntOp, Op, Var};
use crate::op::{Row, Spelling};
use crate::parse::tokens::{dim_tokens, elem_tokens};
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Prec {
    /// `if … {} else {}`, as an operand
    Lowest,
    Compare,
    Add,
    Mul,
    Cast,
    Unary,
    Atom,
}

/// An expression with what it reads.
#[derive(Clone)]
pub(super) struct Expression {
    pub(super) tokens: Text,
    pub(super) prec: Prec,
    pub(super) reads: BTreeSet<usize>,
    /// The value of a bare literal, which takes its type from what is beside it.
    pub(super) literal: Option<f64>,
    /// Of `-x`, what is subtracted where this is added.
    pub(super) negated: Option<Text>,
    pub(super) weight: usize,
}

impl Expression {
    pub(super) fn atom(tokens: impl Into<Text>) -> Expression {
        Expression {
            tokens: tokens.into(),
            prec: Prec::Atom,
            reads: BTreeSet::new(),
            literal: None,
            negated: None,
            weight: 1,
        }
    }

    pub(super) fn at_least(&self, prec: Prec) -> Text {
        if self.prec >= prec { self.tokens.clone() } else { self.tokens.in_parentheses() }
    }
}

/// Expressions longer than this get a name.
const MAX_WEIGHT: usize = 14;

/// Choices up to this length are computed whether chosen or not.
const MAX_CHEAP: usize = 3;

impl Emitter<'_> {
    pub(super) fn number(&mut self, eqn: &Eqn, out: &mut TokenStream) {
        let var = eqn.outs[0];
        if matches!(&eqn.op, Op::Map(row) if row.spelling == Spelling::Select) {
            self.read_before_choosing(&eqn.args[1..], out);
        }
        let expression = self.expression(eqn);
        let reads = &self.plan.reads;
        let (uses, here, loops) = (reads.count(var), reads.is_here(var), reads.is_by_region(var));
        // `i + 1` is read more easily where it is used.
        let index = matches!(&eqn.op, Op::Int(_)) && expression.weight <= 3 && expression.reads.is_empty();
        let free = index
            || (matches!(&eqn.op, Op::Const(_) | Op::Zero(_)) || matches!(&eqn.op, Op::Dim(dim) if !dim.is_dynamic()))
            || is_plain_path(&eqn.op);
        let call = matches!(&eqn.op, Op::Opaque(opaque) if opaque.is_call || opaque.evaluation != Evaluation::Pure);
        if free {
            self.values.insert(var, expression);
        } else if uses == 1 && here && !call && expression.weight <= MAX_WEIGHT && (!loops || eqn.regions.is_empty()) {
            self.values.insert(var, expression);
            self.pending.push(var);
        } else {
            let tokens = &expression.tokens;
            if self.ty(var).elem == Elem::Foreign && uses == 0 {
                out.extend(quote!(let _ = #tokens;));
                return;
            }
            let name = self.local(var);
            match &eqn.op {
                // A method may want it mutable.
                Op::Opaque(_) if self.ty(var).elem == Elem::Foreign => {
                    out.extend(quote!(let mut #name = #tokens;));
                    self.values.insert(var, Expression::atom(name));
                    return;
                }
                Op::Opaque(_) => {
                    let ty = elem_tokens(&self.ty(var).elem);
                    out.extend(quote!(let #name: #ty = #tokens;));
                }
                _ => tokens.bind(&name, out),
            }
            self.values.insert(var, Expression::atom(name));
        }
    }

    /// Names the elements that a selection is between. A load in one branch only has to stay there, which
    /// costs a jump in every iteration; a choice between numbers at hand is a vector instruction.
    fn read_before_choosing(&mut self, choices: &[Var], out: &mut TokenStream) {
        for var in choices {
            let cheap = self.values.get(var).is_some_and(|value| !value.reads.is_empty() && value.weight <= MAX_CHEAP);
            if cheap && self.pending.contains(*var) {
                self.write(*var, out);
            }
        }
    }

    pub(super) fn expression(&mut self, eqn: &Eqn) -> Expression {
        let var = eqn.outs[0];
        let elem = &self.ty(var).elem;
        match &eqn.op {
            Op::Const(value) if *elem == Elem::Bool => {
                let truth = *value != 0.0;
                Expression::atom(quote!(#truth))
            }
            Op::Const(value) => {
                let tokens = number(elem, *value, !elem.is_float(), &self.krate);
                let prec = if *value < 0.0 && !matches!(elem, Elem::Real(_) | Elem::Wide(_)) {
                    Prec::Unary
                } else {
                    Prec::Atom
                };
                Expression { prec, literal: elem.is_float().then_some(*value), ..Expression::atom(tokens) }
            }
            Op::Zero(_) => {
                let tokens = match elem {
                    Elem::Bool => quote!(false),
                    Elem::Data(_) => super::residuals::empty(self.ty(var), &self.krate),
                    elem => number(elem, 0.0, !elem.is_float(), &self.krate),
                };
                Expression { literal: elem.is_float().then_some(0.0), ..Expression::atom(tokens) }
            }
            Op::Dim(dim) if dim.is_dynamic() => {
                let reads = dim.vars().flat_map(|var| self.reads_of(var)).collect();
                Expression { prec: Prec::Add, reads, ..Expression::atom(self.size(dim)) }
            }
            Op::Len => {
                let (tokens, reads) = self.element(eqn.args[0], &eqn.args[1..]);
                Expression { reads, ..Expression::atom(quote!(#tokens.len())) }
            }
            Op::Dim(dim) => {
                let prec = if dim.as_literal().is_some() || dim.as_atom().is_some() { Prec::Atom } else { Prec::Add };
                Expression { prec, ..Expression::atom(dim_tokens(dim)) }
            }
            Op::Opaque(opaque) => {
                let tokens = &opaque.tokens;
                // It is to be written down before what it reads changes.
                let known = eqn.args.iter().filter_map(|arg| self.values.get(arg));
                let reads: BTreeSet<usize> = known.flat_map(|value| value.reads.iter().copied()).collect();
                if opaque.is_call {
                    let args: Vec<_> = eqn.args.iter().map(|arg| self.argument_of_opaque(*arg)).collect();
                    return Expression { reads, ..Expression::atom(quote!(#tokens(#(#args),*))) };
                }
                if !eqn.args.is_empty() {
                    let reads = eqn.args.iter().flat_map(|arg| self.reads_of(*arg)).collect();
                    let args: Vec<_> = eqn
                        .args
                        .iter()
                        .map(|arg| {
                            let value = self.argument_of_opaque(*arg);
                            let is_name = self.ty(*arg).elem == Elem::Foreign;
                            if is_name { value } else { quote!((#value)) }
                        })
                        .collect();
                    let tokens = crate::ir::fill_holes(tokens.clone(), &args);
                    return Expression { prec: Prec::Lowest, reads, ..Expression::atom(tokens) };
                }
                let prec = if is_plain_path(&eqn.op) { Prec::Atom } else { Prec::Lowest };
                Expression { prec, ..Expression::atom(tokens.clone()) }
            }
            Op::Get => {
                let (tokens, reads) = self.element(eqn.args[0], &eqn.args[1..]);
                Expression { reads, ..Expression::atom(tokens) }
            }
            Op::Cast => self.cast(eqn.args[0], elem),
            Op::Int(op) => {
                let (sign, prec) = match op {
                    IntOp::Add => ("+", Prec::Add),
                    IntOp::Sub => ("-", Prec::Add),
                    IntOp::Mul => ("*", Prec::Mul),
                    IntOp::Div => ("/", Prec::Mul),
                    IntOp::Rem => ("%", Prec::Mul),
                    IntOp::And => return self.bits(&eqn.args, "&"),
                    IntOp::Or => return self.bits(&eqn.args, "|"),
                    IntOp::Xor => return self.bits(&eqn.args, "^"),
                    IntOp::Shl => return self.bits(&eqn.args, "<<"),
                    IntOp::Shr => return self.bits(&eqn.args, ">>"),
                    IntOp::Min => return self.applied(&quote!(::core::cmp::Ord::min), &eqn.args),
                    IntOp::Max => return self.applied(&quote!(::core::cmp::Ord::max), &eqn.args),
                    IntOp::NextSnapshot => {
                        let krate = &self.krate;
                        return self.applied(&quote!(#krate::__private::next_snapshot), &eqn.args);
                    }
                };
                self.infix(&eqn.args, sign, prec)
            }
            Op::Map(row) => self.row(row, &eqn.args),
            other => unreachable!("`{}` is not a number", crate::ir::text::op_text(other)),
        }
    }

    /// The places that the text of a number, or of a borrow of an array, reads.
    fn reads_of(&self, var: Var) -> Vec<usize> {
        match self.values.get(&var) {
            Some(value) => value.reads.iter().copied().collect(),
            None => self.places.get(&var).map(|place| place.storage).into_iter().collect(),
        }
    }

    /// An argument of tokens that are not looked into: a number, or an array by reference.
    fn argument_of_opaque(&mut self, var: Var) -> TokenStream {
        if self.ty(var).is_scalar() {
            return self.take(var).tokens.into();
        }
        self.borrow(var)
    }

    pub(super) fn cast(&mut self, arg: Var, to: &Elem) -> Expression {
        let from = self.ty(arg).elem.clone();
        let x = self.take(arg);
        let x = self.typed(arg, x);
        let (krate, target) = (&self.krate, elem_tokens(to));
        let (tokens, prec) = match (&from, to) {
            (_, Elem::Wide(one)) => {
                let (x, one) = (x.at_least(Prec::Lowest), elem_tokens(one));
                (quote!(<#target as #krate::__private::Wide<#one>>::splat(#x)), Prec::Atom)
            }
            (_, Elem::Real(_)) if from.is_float() => {
                let x = x.at_least(Prec::Lowest);
                (quote!(<#target as #krate::Real>::from_f64(#krate::Real::to_f64(#x))), Prec::Atom)
            }
            (_, Elem::Real(_)) => {
                let x = x.at_least(Prec::Cast);
                (quote!(<#target as #krate::Real>::from_f64(#x as f64)), Prec::Atom)
            }
            (Elem::Real(_), _) => {
                let x = x.at_least(Prec::Lowest);
                (quote!(#krate::Real::to_f64(#x) as #target), Prec::Cast)
            }
            _ => {
                let x = x.at_least(Prec::Cast);
                (quote!(#x as #target), Prec::Cast)
            }
        };
        Expression { prec, reads: x.reads, weight: x.weight + 1, ..Expression::atom(tokens) }
    }

    pub(super) fn infix(&mut self, args: &[Var], sign: &str, prec: Prec) -> Expression {
        let (a, b) = (self.take(args[0]), self.take(args[1]));
        let (a, b) = if a.literal.is_some() && b.literal.is_some() {
            (self.typed(args[0], a), self.typed(args[1], b))
        } else {
            (a, b)
        };
        // `a - (b - c)` keeps its parentheses, and so does `a + (b + c)`: sums of floats are not associative.
        let next = if prec == Prec::Mul { Prec::Cast } else { Prec::Mul };
        // `a as T < b` and `c + a as T < b` would open generic arguments.
        let left = if prec == Prec::Compare && has_cast(&a.tokens) {
            a.at_least(Prec::Atom)
        } else {
            a.at_least(if prec == Prec::Compare { Prec::Add } else { prec })
        };
        let right = b.at_least(if prec == Prec::Compare { Prec::Add } else { next });
        let reads = a.reads.union(&b.reads).copied().collect();
        let tokens = Text::of(&[&left, &Text::sign(sign), &right]);
        Expression { prec, reads, weight: a.weight + b.weight, ..Expression::atom(tokens) }
    }

    /// A sum of floats. `a + -b` is `a - b`, and `t + t` is `2.0 * t`, to the last bit.
    fn float_sum(&mut self, args: &[Var]) -> Expression {
        let (a, b) = (self.take(args[0]), self.take(args[1]));
        let reads = || a.reads.union(&b.reads).copied().collect();
        let weight = a.weight + b.weight;
        let elem = &self.ty(args[0]).elem;
        if args[0] == args[1]
            && a.prec == Prec::Atom
            && a.literal.is_none()
            && !matches!(elem, Elem::Real(_) | Elem::Wide(_))
        {
            let (two, t) = (number(&self.ty(args[0]).elem, 2.0, false, &self.krate), &a.tokens);
            let tokens = quote!(#two * #t);
            return Expression { prec: Prec::Mul, reads: a.reads, weight, ..Expression::atom(tokens) };
        }
        let (first, second) = match (&a.negated, &b.negated) {
            (_, Some(second)) => (&a, second),
            (Some(second), None) => (&b, second),
            (None, None) => return self.infix(args, "+", Prec::Add),
        };
        let first = first.at_least(Prec::Add);
        let tokens = Text::of(&[&first, &Text::sign("-"), second]);
        Expression { prec: Prec::Add, reads: reads(), weight, ..Expression::atom(tokens) }
    }

    /// Bits combined. Few know these operators' precedence by heart, so that all operands get parentheses.
    fn bits(&mut self, args: &[Var], sign: &str) -> Expression {
        let (a, b) = (self.take(args[0]), self.take(args[1]));
        // `a as T << b` would open generic arguments.
        let left = if has_cast(&a.tokens) { Prec::Atom } else { Prec::Unary };
        let (left, right) = (a.at_least(left), b.at_least(Prec::Unary));
        let reads = a.reads.union(&b.reads).copied().collect();
        let tokens = Text::of(&[&left, &Text::sign(sign), &right]);
        Expression { prec: Prec::Lowest, reads, weight: a.weight + b.weight, ..Expression::atom(tokens) }
    }

    /// A function of two indices.
    fn applied(&mut self, function: &TokenStream, args: &[Var]) -> Expression {
        let (a, b) = (self.take(args[0]), self.take(args[1]));
        let reads = a.reads.union(&b.reads).copied().collect();
        let weight = a.weight + b.weight + 1;
        let (a, b) = (a.tokens, b.tokens);
        Expression { reads, weight, ..Expression::atom(quote!(#function(#a, #b))) }
    }

    pub(super) fn row(&mut self, row: &'static Row, args: &[Var]) -> Expression {
        match row.spelling {
            Spelling::Infix(sign) => {
                let prec = match sign {
                    "+" | "-" => Prec::Add,
                    "*" | "/" | "%" => Prec::Mul,
                    _ => Prec::Compare,
                };
                let float = self.ty(args[0]).is_float();
                match sign {
                    "+" if float => self.float_sum(args),
                    _ => self.infix(args, sign, prec),
                }
            }
            Spelling::Prefix("") => self.take(args[0]),
            Spelling::Prefix(sign) => {
                let x = self.take(args[0]);
                let x = self.typed(args[0], x);
                let operand = x.at_least(Prec::Unary);
                let prec = if row.arity() == 1 && row.kind == crate::op::RowKind::Predicate {
                    Prec::Compare
                } else {
                    Prec::Unary
                };
                let negated = (sign == "-").then(|| x.at_least(Prec::Mul));
                let literal = x.literal.filter(|_| sign == "-").map(|value| -value);
                let tokens = Text::of(&[&Text::sign(sign), &operand]);
                Expression { tokens, prec, weight: x.weight + 1, negated, literal, ..x }
            }
            Spelling::Select => {
                let (c, a, b) = (self.take(args[0]), self.take(args[1]), self.take(args[2]));
                let (a, b) = (self.typed(args[1], a), self.typed(args[2], b));
                let reads = c.reads.iter().chain(&a.reads).chain(&b.reads).copied().collect();
                let weight = c.weight + a.weight + b.weight;
                let (c, a, b) = (c.tokens, a.tokens, b.tokens);
                let tokens = quote!(if #c { #a } else { #b });
                Expression { prec: Prec::Lowest, reads, weight, ..Expression::atom(tokens) }
            }
            Spelling::Method | Spelling::Named(_) | Spelling::Series(_) => {
                let (mut tokens, mut reads, mut weight) = (Vec::new(), BTreeSet::new(), 1);
                for arg in args {
                    let x = self.take(*arg);
                    let x = self.typed(*arg, x);
                    reads.extend(x.reads);
                    weight += x.weight;
                    tokens.push(x.tokens);
                }
                let (krate, name) = (
                    &self.krate,
                    match row.spelling {
                        Spelling::Named(name) | Spelling::Series(name) => format_ident!("{name}"),
                        _ => format_ident!("{}", row.name),
                    },
                );
                let owner = match row.spelling {
                    Spelling::Series(_) => quote!(#krate::__private::series),
                    _ if self.is_constant => elem_tokens(&self.ty(args[0]).elem),
                    _ => quote!(#krate::Real),
                };
                let tokens = quote!(#owner::#name(#(#tokens),*));
                Expression { reads, weight, ..Expression::atom(tokens) }
            }
        }
    }
}

/// Whether there is a conversion that no parentheses are around.
fn has_cast(tokens: &Text) -> bool {
    tokens.trees().iter().any(|token| matches!(token, TokenTree::Ident(ident) if ident == "as"))
}

pub(super) fn is_plain_path(op: &Op) -> bool {
    match op {
        Op::Opaque(opaque) if !opaque.is_call && opaque.evaluation == Evaluation::Pure => {
            syn::parse2::<syn::ExprPath>(opaque.tokens.clone()).is_ok()
        }
        _ => false,
    }
}
