//! Patterns that borrow what is in an enum mutably, where something is written through what they bind: the fields are
//! variables of their own, and the variant is put together again after each assignment.
//!
//! ```text
//! match o { Some(v) => *v *= x, … }      match o { Some(mut v) => { v *= x; *o = Some(v); } … }
//! if let Some(v) = &mut self.last { … }  the same with `self.last = Some(v)`
//! ```

use super::build::{At, bare};
use super::effects;
use super::{Desugar, names};
use proc_macro2::Ident;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMatch, FieldPat, Pat, parse_quote};

impl Desugar<'_> {
    /// A `match` whose arms write through what their patterns bind.
    pub(super) fn written_variants(&mut self, choice: &ExprMatch) -> Option<Expr> {
        let at = At(choice.match_token.span);
        let by_ref = choice.arms.iter().any(|arm| has_ref_mut(&arm.pat));
        let place = borrowed_place(&choice.expr, by_ref)?;
        let mut changed = choice.clone();
        let (mut found, mut is_changed_otherwise) = (false, false);
        for arm in &mut changed.arms {
            let bound: Vec<Ident> = names::bound(&arm.pat);
            let mut writes = Writes { bound: &bound, written: Vec::new(), shadowed: false };
            writes.visit_expr(&arm.body);
            if writes.written.is_empty() {
                // What is changed in other ways would be changed in a copy.
                let mut otherwise = Otherwise { written: &bound, found: false };
                otherwise.visit_expr(&arm.body);
                is_changed_otherwise |= otherwise.found;
                continue;
            }
            if writes.shadowed || arm.guard.is_some() {
                return None;
            }
            found = true;
            let written = writes.written;
            // A copy would not see what is changed in other ways.
            let mut otherwise = Otherwise { written: &written, found: false };
            otherwise.visit_expr(&arm.body);
            if otherwise.found {
                return None;
            }
            let whole = self.variant_of(&mut arm.pat, &written, at)?;
            let target = &place.target;
            let store: Expr = parse_quote!(#target = #whole);
            WriteBack { written: &written, store: &store }.visit_expr_mut(&mut arm.body);
        }
        if !found || is_changed_otherwise {
            return None;
        }
        *changed.expr = place.read;
        Some(Expr::Match(changed))
    }

    /// The value that a pattern is of, of the names that it binds. Those that are written become variables.
    fn variant_of(&mut self, pat: &mut Pat, written: &[Ident], at: At) -> Option<Expr> {
        let mut field = |pat: &mut Pat| match pat {
            Pat::Ident(name) if name.subpat.is_none() => {
                if name.by_ref.take().is_none() && name.mutability.is_some() {
                    return None;
                }
                name.mutability = written.contains(&name.ident).then(|| syn::Token![mut](at.0));
                Some(name.ident.clone())
            }
            Pat::Wild(_) => {
                let name = self.names.fresh("field", at.0);
                *pat = at.name(&name, false);
                Some(name)
            }
            _ => None,
        };
        match pat {
            Pat::TupleStruct(tuple) => {
                let path = &tuple.path;
                let fields = tuple.elems.iter_mut().map(&mut field).collect::<Option<Vec<_>>>()?;
                Some(parse_quote!(#path(#(#fields),*)))
            }
            Pat::Struct(fields) if fields.rest.is_none() => {
                let path = &fields.path;
                let mut values = Vec::new();
                for FieldPat { member, pat, colon_token, .. } in &mut fields.fields {
                    let name = field(pat)?;
                    colon_token.get_or_insert(syn::Token![:](at.0));
                    values.push(quote::quote!(#member: #name));
                }
                Some(parse_quote!(#path { #(#values),* }))
            }
            _ => None,
        }
    }
}

/// What is matched: how it is read, and how it is written.
struct Matched {
    read: Expr,
    target: Expr,
}

fn borrowed_place(expr: &Expr, by_ref: bool) -> Option<Matched> {
    let is_place = |expr: &Expr| {
        let mut expr = expr;
        while let Expr::Field(field) = expr {
            expr = &field.base;
        }
        matches!(expr, Expr::Path(path) if path.path.get_ident().is_some())
    };
    let same = |place: Expr| is_place(&place).then(|| Matched { read: place.clone(), target: place });
    match bare(expr.clone()) {
        Expr::Reference(reference) if reference.mutability.is_some() => same(bare(*reference.expr)),
        Expr::MethodCall(call) if call.method == "as_mut" && call.args.is_empty() => {
            let place = bare(*call.receiver);
            // A borrow that is a parameter is written through.
            match &place {
                Expr::Field(_) => same(place),
                _ => None,
            }
        }
        place if by_ref => same(place),
        Expr::Path(path) if path.path.get_ident().is_some() => {
            let target = parse_quote!(*#path);
            Some(Matched { read: Expr::Path(path), target })
        }
        _ => None,
    }
}

fn has_ref_mut(pat: &Pat) -> bool {
    struct RefMut(bool);
    impl<'a> Visit<'a> for RefMut {
        fn visit_pat_ident(&mut self, name: &'a syn::PatIdent) {
            self.0 |= name.by_ref.is_some() && name.mutability.is_some();
        }
    }
    let mut found = RefMut(false);
    found.visit_pat(pat);
    found.0
}

/// The name whose content is written to: `v` of `*v = …` and of `v.x += …`.
fn written_name(place: &Expr) -> Option<Ident> {
    match place {
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => root(&unary.expr),
        Expr::Field(_) => root(place),
        Expr::Paren(inner) => written_name(&inner.expr),
        _ => None,
    }
}

fn root(place: &Expr) -> Option<Ident> {
    match place {
        Expr::Path(path) => path.path.get_ident().cloned(),
        Expr::Field(field) => root(&field.base),
        Expr::Paren(inner) => root(&inner.expr),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => root(&unary.expr),
        _ => None,
    }
}

struct Writes<'b> {
    bound: &'b [Ident],
    written: Vec<Ident>,
    /// Whether one of the names means something else inside.
    shadowed: bool,
}

impl<'a> Visit<'a> for Writes<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        let place = match expr {
            Expr::Assign(assign) => Some(&*assign.left),
            Expr::Binary(binary) if super::build::is_assignment(&binary.op) => Some(&*binary.left),
            _ => None,
        };
        let name = place.and_then(written_name).filter(|name| self.bound.contains(name));
        self.written.extend(name);
        syn::visit::visit_expr(self, expr);
    }

    fn visit_pat_ident(&mut self, name: &'a syn::PatIdent) {
        self.shadowed |= self.bound.contains(&name.ident);
    }
}

/// Finds uses of names through which something may be changed, other than assignments to what they point to: they are handed
/// on, borrowed again, or changed by a method.
struct Otherwise<'w> {
    written: &'w [Ident],
    found: bool,
}

impl Otherwise<'_> {
    fn is_written(&self, name: Option<&Ident>) -> bool {
        name.is_some_and(|name| self.written.contains(name))
    }

    /// What is looked at or assigned to.
    fn place(&mut self, place: &Expr) {
        match place {
            Expr::Path(_) => {}
            Expr::Paren(inner) => self.place(&inner.expr),
            Expr::Field(field) => self.place(&field.base),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.place(&unary.expr),
            Expr::Index(index) => {
                self.place(&index.expr);
                self.visit_expr(&index.index);
            }
            other => self.visit_expr(other),
        }
    }
}

impl<'a> Visit<'a> for Otherwise<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Path(path) => self.found |= self.is_written(path.path.get_ident()),
            Expr::Field(_) | Expr::Index(_) => self.place(expr),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.place(expr),
            Expr::Reference(reference) => {
                self.found |= reference.mutability.is_some() && self.is_written(effects::root(&reference.expr));
                self.place(&reference.expr);
            }
            Expr::Assign(assign) => {
                let is_one = written_name(&assign.left).is_some();
                self.found |=
                    !is_one && names::idents(&assign.left).iter().any(|name| self.written.iter().any(|of| of == name));
                self.place(&assign.left);
                self.visit_expr(&assign.right);
            }
            Expr::Binary(binary) if super::build::is_assignment(&binary.op) => {
                let is_one = written_name(&binary.left).is_some();
                self.found |= !is_one && self.is_written(effects::root(&binary.left));
                self.place(&binary.left);
                self.visit_expr(&binary.right);
            }
            Expr::MethodCall(call) => {
                // Whether a method of the user's changes its receiver is not known here.
                self.found |= self.is_written(effects::root(&call.receiver));
                self.place(&call.receiver);
                call.args.iter().for_each(|arg| self.visit_expr(arg));
            }
            other => syn::visit::visit_expr(self, other),
        }
    }

    /// Nothing is written back in a macro.
    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        let Some(parts) = super::macros::parts(mac) else {
            let names = names::idents(&mac.tokens);
            self.found |= self.written.iter().any(|name| names.contains(&name.to_string()));
            return;
        };
        for part in &parts {
            let mut writes = Writes { bound: self.written, written: Vec::new(), shadowed: false };
            writes.visit_expr(part);
            self.found |= !writes.written.is_empty() || writes.shadowed;
            let mut inside = Otherwise { written: self.written, found: false };
            inside.visit_expr(part);
            self.found |= inside.found;
        }
    }
}

struct WriteBack<'w> {
    written: &'w [Ident],
    store: &'w Expr,
}

impl VisitMut for WriteBack<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        syn::visit_mut::visit_expr_mut(self, expr);
        let place = match expr {
            Expr::Assign(assign) => &mut *assign.left,
            Expr::Binary(binary) if super::build::is_assignment(&binary.op) => &mut *binary.left,
            _ => return,
        };
        let Some(name) = written_name(place).filter(|name| self.written.contains(name)) else { return };
        // The variable itself, in place of what it pointed to.
        if let Expr::Unary(unary) = bare(place.clone()) {
            if matches!(&*unary.expr, Expr::Path(_)) {
                *place = parse_quote!(#name);
            }
        }
        let (write, store) = (expr.clone(), self.store);
        *expr = parse_quote!({ #write; #store; });
    }
}
