//! `match`: a chain of `if`s, whose conditions say whether a pattern fits.

use super::Lower;
use super::assign::{Assigned, unparen};
use super::ordering::{Order, is_order};
use super::passive_pattern::{Nameless, Only, bound_choice};
use super::place::Place;
use super::slice_pattern::names_rest;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::ir::{Elem, Var};
use crate::layout::Kind;
use crate::op::elementwise as rows;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Arm, BinOp, Expr, ExprMatch, Pat, PatIdent, PatOr, RangeLimits, Token};

/// What is matched.
#[derive(Clone)]
pub(super) enum Subject {
    Value(Value),
    /// An `Option` that is borrowed mutably, and what it is.
    Lent(Rc<Place>, Value),
    /// `a.cmp(&b)`
    Order(Order),
}

impl Lower<'_> {
    pub(super) fn match_expr(&mut self, expr: &ExprMatch) -> Lowered<Value> {
        if is_order(&expr.expr) {
            return self.scoped(|lower| {
                let compared = lower.compared_once(&expr.expr)?;
                let subject = match lower.order(&compared)? {
                    Some(order) => Subject::Order(order),
                    None => Subject::Value(lower.expr(&compared)?),
                };
                lower.select(expr, &subject)
            });
        }
        let value = match self.borrowed_subject(expr) {
            Some(borrow) => borrow,
            None => self.root(&expr.expr, None)?,
        };
        let subject = match self.lent_option(&value) {
            Some(option) => {
                let now = self.read(&option, &expr.expr)?;
                Subject::Lent(option, now)
            }
            None => Subject::Value(value),
        };
        self.select(expr, &subject)
    }

    /// What is matched by its name, if that is a mutable borrow, and an arm may change what its pattern takes from it.
    fn borrowed_subject(&self, expr: &ExprMatch) -> Option<Value> {
        let Expr::Path(path) = unparen(&expr.expr) else { return None };
        let name = path.path.get_ident()?.to_string();
        let slot = self.env.slot(&name)?;
        let borrow = match self.env.get(slot).value.as_ref()? {
            borrow @ Value::Borrow(_) => borrow.clone(),
            _ if self.borrowed_params.contains(&name) && self.env.is_first(&name, slot) => {
                Value::Borrow(Rc::new(Place::of(slot)))
            }
            _ => return None,
        };
        let bound: Vec<String> =
            expr.arms.iter().flat_map(|arm| crate::desugar::bound(&arm.pat)).map(|name| name.to_string()).collect();
        let mut assigned = Assigned::default();
        expr.arms.iter().for_each(|arm| assigned.visit_arm(arm));
        let changes = assigned.may_change().iter().any(|name| bound.contains(name));
        // A name with `mut` is a copy.
        let copies = expr.arms.iter().any(|arm| has_mut(&arm.pat));
        (changes && !copies).then_some(borrow)
    }

    fn select(&mut self, expr: &ExprMatch, subject: &Subject) -> Lowered<Value> {
        let assigned = self.assigned(|assigned: &mut Assigned| {
            for arm in &expr.arms {
                assigned.visit_arm(arm);
            }
        })?;
        let mut slots: Vec<usize> = assigned.into_iter().map(|(slot, _)| slot).collect();
        if let Subject::Lent(option, _) = subject {
            slots.extend(Some(option.slot).filter(|slot| !slots.contains(slot)));
        }
        let mut arms: Vec<&Arm> = expr.arms.iter().collect();
        if let Subject::Value(value) | Subject::Lent(_, value) = subject {
            arms.retain(|arm| !self.never_fits(&arm.pat, value));
        }
        self.with_all_changes(slots, |lower, slots| lower.arms(expr, subject, slots, &arms))
    }

    /// The first arm whose pattern fits. That the last one does is known.
    fn arms(&mut self, at: &ExprMatch, subject: &Subject, slots: &[usize], arms: &[&Arm]) -> Lowered<Value> {
        let Some((first, rest)) = arms.split_first() else {
            return self.unsupported(&at.match_token, "a `match` without arms", "leave it out");
        };
        let cond = match rest {
            [] => None,
            _ => self.arm_fits(first, subject)?,
        };
        let body = |lower: &mut Self| {
            lower.scoped(|lower| {
                lower.bind_subject(&first.pat, subject)?;
                lower.root(&first.body, None)
            })
        };
        let Some(cond) = cond else { return body(self) };
        let before = self.env.clone();
        let yes = self.arm(slots, body);
        self.leave_arm(&before, slots);
        let no = self.arm(slots, |lower| lower.arms(at, subject, slots, rest));
        self.leave_arm(&before, slots);
        let (yes, no) = (yes?, no?);
        self.join((&at.match_token, "arms of this `match`"), cond, slots, yes, no)
    }

    /// Whether an arm is taken: its pattern fits, and so does its guard.
    fn arm_fits(&mut self, arm: &Arm, subject: &Subject) -> Lowered<Option<Var>> {
        let fits = self.fits(&arm.pat, subject)?;
        let Some((_, guard)) = &arm.guard else { return Ok(fits) };
        let guarded = |lower: &mut Self| {
            lower.scoped(|lower| {
                lower.bind_subject(&arm.pat, subject)?;
                lower.pure_condition(guard)
            })
        };
        match fits {
            None => guarded(self).map(Some),
            Some(fits) => self.short_circuit(fits, false, guarded).map(Some),
        }
    }

    // --- whether it fits --------------------------------------------------------------------------------

    /// `None`, if it always does.
    pub(super) fn fits(&mut self, pat: &Pat, subject: &Subject) -> Lowered<Option<Var>> {
        let value = match (strip(pat), subject) {
            (Pat::Wild(_) | Pat::Rest(_), _) => return Ok(None),
            (Pat::Ident(ident), _) if ident.subpat.is_none() && !is_constant(ident) => return Ok(None),
            (Pat::Ident(ident), _) if ident.subpat.is_some() => {
                let Some((_, inner)) = &ident.subpat else { return Ok(None) };
                self.is_no_rest(ident, inner)?;
                return self.fits(inner, subject);
            }
            (Pat::Or(or), _) => {
                let mut any: Option<Var> = None;
                for case in &or.cases {
                    match (self.fits(case, subject)?, any) {
                        (None, _) => return Ok(None),
                        (Some(one), None) => any = Some(one),
                        (Some(one), Some(known)) => any = Some(self.either(known, one)?),
                    }
                }
                return Ok(any);
            }
            (pat, Subject::Order(order)) => return self.is_order(pat, *order).map(Some),
            (_, Subject::Value(value) | Subject::Lent(_, value)) => value,
        };
        match (strip(pat), value) {
            (Pat::Slice(slice), value) if self.never_fits(pat, value) => self.slice_fits(slice, value),
            (pat, Value::Other(tokens)) => Ok(Some(self.asked(pat, tokens))),
            (pat, Value::Untyped(untyped)) if untyped.number.is_none() => Ok(Some(self.asked(pat, &untyped.tokens))),
            (pat, Value::Untyped(_)) => {
                let settled = self.settle(value.clone(), pat)?;
                self.fits(pat, &Subject::Value(settled))
            }
            (pat, Value::Parts(Kind::Struct(ty), parts)) if ty.is_enum() => self.variant_fits(pat, ty, parts),
            (pat, Value::Borrow(place)) => {
                let value = self.read(place, pat)?;
                self.fits(pat, &Subject::Value(value))
            }
            (Pat::Tuple(tuple), value) => self.parts_fit(pat, &tuple.elems.iter().collect::<Vec<_>>(), value),
            (Pat::TupleStruct(tuple), value) => self.parts_fit(pat, &tuple.elems.iter().collect::<Vec<_>>(), value),
            (Pat::Slice(slice), Value::Leaf(var, form)) if self.has_rows(*var) && !names_rest(slice) => {
                let rows = Value::Parts(Kind::Tuple, self.rows(*var, *form, slice.elems.len()));
                self.parts_fit(pat, &slice.elems.iter().collect::<Vec<_>>(), &rows)
            }
            (Pat::Slice(slice), Value::Parts(Kind::Array, _)) if !names_rest(slice) => {
                self.parts_fit(pat, &slice.elems.iter().collect::<Vec<_>>(), value)
            }
            (Pat::Slice(slice), Value::Leaf(..) | Value::Slice(_) | Value::Parts(Kind::Array, _)) => {
                self.slice_fits(slice, value)
            }
            (Pat::Struct(fields), value) => {
                let mut all = None;
                for field in &fields.fields {
                    let Some(part) = value.member(&field.member) else { continue };
                    let fits = self.fits(&field.pat, &Subject::Value(part))?;
                    all = self.all(all, fits)?;
                }
                Ok(all)
            }
            (pat, Value::Leaf(var, _)) if self.b.ty(*var).is_scalar() => self.number_fits(pat, *var).map(Some),
            (pat, value) => {
                let what = format!("this pattern for {}", value.describe(&self.b));
                self.unsupported(pat, &what, "match numbers, tuples, or what carries no derivative")
            }
        }
    }

    pub(super) fn fits_value(&mut self, pat: &Pat, value: Value) -> Lowered<Option<Var>> {
        self.fits(pat, &Subject::Value(value))
    }

    pub(super) fn all(&mut self, known: Option<Var>, more: Option<Var>) -> Lowered<Option<Var>> {
        match (known, more) {
            (Some(a), Some(b)) => self.short_circuit(a, false, |_| Ok(b)).map(Some),
            (a, b) => Ok(a.or(b)),
        }
    }

    pub(super) fn either(&mut self, a: Var, b: Var) -> Lowered<Var> {
        self.short_circuit(a, true, |_| Ok(b))
    }

    /// Neither of them is NaN.
    pub(super) fn ordered(&mut self, x: Var, y: Var) -> Lowered<Var> {
        let (least, most) = (self.b.map(&rows::le, &[x, y]), self.b.map(&rows::gt, &[x, y]));
        self.either(least, most)
    }

    /// Whether it is an array with a known number of rows.
    fn has_rows(&self, var: Var) -> bool {
        self.b.ty(var).dims.first().is_some_and(|dim| dim.as_literal().is_some())
    }

    fn parts_fit(&mut self, pat: &Pat, pats: &[&Pat], value: &Value) -> Lowered<Option<Var>> {
        let Value::Parts(_, parts) = value else {
            let what = format!("this pattern for {}", value.describe(&self.b));
            return self.unsupported(pat, &what, "match numbers, tuples, or what carries no derivative");
        };
        let mut all = None;
        for (pat, part) in aligned(pats, parts) {
            let fits = self.fits(pat, &Subject::Value(part.clone()))?;
            all = self.all(all, fits)?;
        }
        Ok(all)
    }

    /// `rest @ ..` stands for several elements, which only rustc counts.
    fn is_no_rest(&mut self, ident: &PatIdent, inner: &Pat) -> Lowered<()> {
        match inner {
            Pat::Rest(_) => {
                self.unsupported(ident, "a name for the rest of an array", "write `..`, and index the array")
            }
            _ => Ok(()),
        }
    }

    /// Literals, ranges and constants are compared with.
    fn number_fits(&mut self, pat: &Pat, var: Var) -> Lowered<Var> {
        match pat {
            Pat::Lit(lit) => match &lit.lit {
                syn::Lit::Bool(truth) if truth.value => Ok(var),
                syn::Lit::Bool(_) => Ok(self.b.map(&rows::not, &[var])),
                _ => self.compared(pat, var, BinOp::Eq(Token![==](span_of(pat))), &lit.to_token_stream()),
            },
            Pat::Path(path) => self.compared(pat, var, BinOp::Eq(Token![==](span_of(pat))), &path.to_token_stream()),
            Pat::Ident(ident) => self.compared(pat, var, BinOp::Eq(Token![==](span_of(pat))), &ident.to_token_stream()),
            Pat::Range(range) => {
                let span = span_of(pat);
                let mut all = None;
                if let Some(start) = &range.start {
                    let above = self.compared(pat, var, BinOp::Ge(Token![>=](span)), &start.to_token_stream())?;
                    all = Some(above);
                }
                if let Some(end) = &range.end {
                    let op = match range.limits {
                        RangeLimits::HalfOpen(_) => BinOp::Lt(Token![<](span)),
                        RangeLimits::Closed(_) => BinOp::Le(Token![<=](span)),
                    };
                    let below = self.compared(pat, var, op, &end.to_token_stream())?;
                    all = self.all(all, Some(below))?;
                }
                match all {
                    Some(all) => Ok(all),
                    None => self.unsupported(pat, "this range", "write an end of it"),
                }
            }
            other => self.unsupported(other, "this pattern", "use literals, ranges and names in the pattern"),
        }
    }

    fn compared(&mut self, pat: &Pat, var: Var, op: BinOp, with: &TokenStream) -> Lowered<Var> {
        let text = with.to_string().replace([' ', '_'], "");
        let digits = text.trim_end_matches("f64").trim_end_matches("f32");
        let number = digits.parse::<f64>().ok().or_else(|| {
            let suffix = self.b.ty(var).elem.to_string();
            text.strip_suffix(&suffix).and_then(|digits| digits.parse().ok())
        });
        let integer = !self.b.ty(var).is_float();
        let untyped = Untyped { tokens: with.clone(), number, integer };
        let elem = self.b.ty(var).elem.clone();
        let other = self.typed(&untyped, &elem).leaves();
        match self.comparison(pat, &op, var, other[0])? {
            Value::Leaf(fits, _) => Ok(fits),
            _ => self.unsupported(pat, "this pattern", "compare with `==`"),
        }
    }

    /// Asks rustc; see Note [Patterns of what carries no derivative].
    fn asked(&mut self, pat: &Pat, tokens: &TokenStream) -> Var {
        let mut pat = pat.clone();
        Nameless.visit_pat_mut(&mut pat);
        if let Some(choice) = bound_choice(tokens) {
            let pat = quote!(::core::option::Option::Some(#pat));
            return self.passive_number(&choice, &Elem::Bool, &|choice| quote!(::core::matches!(#choice, #pat)));
        }
        self.passive_number(tokens, &Elem::Bool, &|tokens| quote!(::core::matches!(#tokens, #pat)))
    }

    // --- what it binds ----------------------------------------------------------------------------------

    fn bind_subject(&mut self, pat: &Pat, subject: &Subject) -> Lowered<()> {
        match subject {
            Subject::Order(..) => Ok(()),
            Subject::Lent(option, _) => self.bind_lent(pat, option),
            Subject::Value(value) => self.bind_fitting(pat, value.clone()),
        }
    }

    /// The names in a pattern that fits.
    pub(super) fn bind_fitting(&mut self, pat: &Pat, value: Value) -> Lowered<()> {
        if let Pat::Reference(reference) = pat {
            let value = self.behind(value);
            return self.bind_fitting(&reference.pat, value);
        }
        match (strip(pat), value) {
            (Pat::Ident(ident), _) if is_constant(ident) => Ok(()),
            (Pat::Ident(ident), _) if ident.by_ref.is_some() && ident.mutability.is_some() => {
                self.unsupported(ident, "`ref mut`", "take the value apart by value, and put it together again")
            }
            (Pat::Ident(ident), value) => {
                if let Some((_, inner)) = &ident.subpat {
                    self.is_no_rest(ident, inner)?;
                    self.bind_fitting(inner, value.clone())?;
                }
                let mutable = ident.mutability.is_some();
                let value = if mutable { self.settle(value, ident)? } else { value };
                self.define(&ident.ident.to_string(), Some(value), mutable);
                Ok(())
            }
            (Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Wild(_) | Pat::Rest(_), _) => Ok(()),
            (pat, Value::Borrow(place)) => self.bind_places(pat, &place),
            (pat, Value::Other(tokens) | Value::Untyped(Untyped { tokens, .. })) => {
                let choice = bound_choice(&tokens);
                for name in crate::desugar::bound(pat) {
                    let mut only = pat.clone();
                    Only { name: name.clone() }.visit_pat_mut(&mut only);
                    let (tokens, only) = match &choice {
                        Some(choice) => (choice, quote!(::core::option::Option::Some(#only))),
                        None => (&tokens, only.to_token_stream()),
                    };
                    let bound = crate::parse::tokens::cloned(&name.to_token_stream());
                    let tokens = quote! {
                        (match #tokens {
                            #only => ::core::option::Option::Some(#bound),
                            #[allow(unreachable_patterns)]
                            _ => ::core::option::Option::None,
                        }).unwrap_or_default()
                    };
                    let value = Value::Untyped(Untyped { tokens, number: None, integer: false });
                    self.define(&name.to_string(), Some(value), false);
                }
                Ok(())
            }
            (Pat::Or(or), value) => {
                let names = crate::desugar::bound(pat);
                if names.is_empty() {
                    return Ok(());
                }
                let cases: Vec<&Pat> = or.cases.iter().collect();
                let chosen = self.bound_by_cases(or, &cases, &names, &value)?;
                let Value::Parts(Kind::Tuple, parts) = chosen else { return Err(Reported) };
                for (name, part) in names.iter().zip(parts) {
                    self.define(&name.to_string(), Some(part), false);
                }
                Ok(())
            }
            (pat, Value::Parts(Kind::Struct(ty), parts)) if ty.is_enum() => self.bind_variant(pat, &ty, &parts),
            (Pat::Slice(slice), Value::Leaf(var, form)) if self.has_rows(var) && !names_rest(slice) => {
                let rows = Value::Parts(Kind::Tuple, self.rows(var, form, slice.elems.len()));
                self.bind_aligned(pat, &slice.elems.iter().collect::<Vec<_>>(), &rows)
            }
            (Pat::Slice(slice), value @ (Value::Leaf(..) | Value::Slice(_) | Value::Parts(Kind::Array, _))) => {
                self.bind_slice(slice, &value)
            }
            (Pat::Tuple(tuple), value) => self.bind_aligned(pat, &tuple.elems.iter().collect::<Vec<_>>(), &value),
            (Pat::TupleStruct(tuple), value) => self.bind_aligned(pat, &tuple.elems.iter().collect::<Vec<_>>(), &value),
            (Pat::Struct(fields), value) => {
                for field in &fields.fields {
                    if let Some(part) = value.member(&field.member) {
                        let part = self.taken_by_pattern(part, &field.pat);
                        self.bind_fitting(&field.pat, part)?;
                    }
                }
                Ok(())
            }
            (pat, value) => self.bind(pat, value),
        }
    }

    /// What the names in alternatives stand for: those of the first one that fits.
    fn bound_by_cases(&mut self, or: &PatOr, cases: &[&Pat], names: &[Ident], value: &Value) -> Lowered<Value> {
        let Some((first, rest)) = cases.split_first() else { return Err(Reported) };
        let cond = match rest {
            [] => None,
            _ => self.fits_value(first, value.clone())?,
        };
        let bound = |lower: &mut Self| {
            lower.scoped(|lower| {
                lower.bind_fitting(first, value.clone())?;
                let values = names.iter().map(|name| lower.lookup(&name.to_string())?.value.clone());
                values.collect::<Option<_>>().map(Value::tuple).ok_or(Reported)
            })
        };
        let Some(cond) = cond else { return bound(self) };
        let yes = self.arm(&[], bound)?;
        let no = self.arm(&[], |lower| lower.bound_by_cases(or, rest, names, value))?;
        self.join((or, "alternatives of this pattern"), cond, &[], yes, no)
    }

    fn bind_aligned(&mut self, pat: &Pat, pats: &[&Pat], value: &Value) -> Lowered<()> {
        let Value::Parts(_, parts) = value else {
            return self.bind(pat, value.clone());
        };
        for (pat, part) in aligned(pats, parts) {
            self.bind_fitting(pat, part.clone())?;
        }
        Ok(())
    }
}

/// Patterns beside parts; `..` stands for those in between.
pub(super) fn aligned<'p, 'v>(pats: &[&'p Pat], parts: &'v [Value]) -> Vec<(&'p Pat, &'v Value)> {
    let is_rest = |pat: &&Pat| matches!(pat, Pat::Rest(_));
    match pats.iter().position(is_rest) {
        Some(rest) => {
            let behind = pats.len() - rest - 1;
            let head = pats[..rest].iter().copied().zip(parts);
            let tail = pats[rest + 1..].iter().copied().zip(&parts[parts.len().saturating_sub(behind)..]);
            head.chain(tail).collect()
        }
        None => pats.iter().copied().zip(parts).collect(),
    }
}

fn has_mut(pat: &Pat) -> bool {
    struct Muts(bool);
    impl<'a> Visit<'a> for Muts {
        fn visit_pat_ident(&mut self, name: &'a PatIdent) {
            self.0 |= name.mutability.is_some();
            syn::visit::visit_pat_ident(self, name);
        }
    }
    let mut found = Muts(false);
    found.visit_pat(pat);
    found.0
}

/// Whether a pattern asks more than that there is a value.
pub(super) fn looks_inside(pat: &Pat) -> bool {
    match strip(pat) {
        Pat::Wild(_) | Pat::Rest(_) => false,
        Pat::Ident(ident) => ident.subpat.is_some() || is_constant(ident),
        _ => true,
    }
}

/// Without parentheses, references and types, which change nothing here.
pub(super) fn strip(pat: &Pat) -> &Pat {
    match pat {
        Pat::Paren(paren) => strip(&paren.pat),
        Pat::Reference(reference) => strip(&reference.pat),
        Pat::Type(typed) => strip(&typed.pat),
        other => other,
    }
}

/// A name that is a constant or a variant and no variable, as names are written.
pub(super) fn is_constant(ident: &syn::PatIdent) -> bool {
    ident.subpat.is_none()
        && ident.by_ref.is_none()
        && ident.mutability.is_none()
        && ident.ident.to_string().starts_with(char::is_uppercase)
}

pub(super) fn span_of(pat: &Pat) -> proc_macro2::Span {
    use syn::spanned::Spanned;
    pat.span()
}
