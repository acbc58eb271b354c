//! Loops and labelled blocks without jumps.

use super::super::build::{At, bare};
use super::super::jumps;
use super::{Dest, Exits, Kind, Region};
use proc_macro2::Ident;
use syn::visit_mut::VisitMut;
use syn::{Expr, Stmt, Type};

impl Exits<'_> {
    /// The variable for what a loop breaks with, if it does.
    pub(super) fn loop_value(&mut self, expr: &Expr, ty: Option<Type>, at: At, out: &mut Vec<Stmt>) -> Option<Ident> {
        let Expr::Loop(repeat) = expr else { return None };
        if !jumps::has_value(&repeat.body, repeat.label.as_ref()) {
            return None;
        }
        let name = self.names.fresh("value", at.0);
        out.push(at.bind(at.typed(at.name(&name, false), ty), None));
        Some(name)
    }

    pub(super) fn repeat(&mut self, expr: Expr, value: Option<Ident>, at: At, out: &mut Vec<Stmt>) {
        let beyond = self.ways(&jumps::of_expr(&expr));
        let (label, body) = match &expr {
            Expr::ForLoop(e) => (&e.label, &e.body),
            Expr::While(e) => (&e.label, &e.body),
            Expr::Loop(e) => (&e.label, &e.body),
            _ => return,
        };
        if let Expr::While(e) = &expr {
            if !jumps::of_expr(&e.cond).is_empty() {
                // The condition is part of what is repeated.
                return self.repeat(super::super::conditional_loop(e.clone()), None, at, out);
            }
        }
        let region = self.regions.len();
        self.regions.push(Region { value, ..Region::new(Kind::Loop, jumps::label_of(label.as_ref())) });
        let mut body = self.list(body.stmts.clone(), &Dest::Nothing, Some(region));
        let Some(own) = self.regions.pop() else { return };
        if own.skipped.is_some() {
            let mut list = Vec::new();
            Self::clear(&mut list, own.skipped, at);
            list.append(&mut body);
            body = list;
        }
        let mut goes_on = own.left.as_ref().map(|flag| at.not(at.path(flag)));
        if let Some(beyond) = self.none_of(&beyond, at) {
            goes_on = Some(match goes_on {
                Some(own) => at.and(own, beyond),
                None => beyond,
            });
        }
        Self::clear(out, own.left, at);
        match expr {
            Expr::ForLoop(mut e) => {
                self.visit_expr_mut(&mut e.expr);
                e.label = None;
                e.body.stmts = match goes_on {
                    Some(cond) => vec![Stmt::Expr(at.choose(cond, body, None), None)],
                    None => body,
                };
                out.push(Stmt::Expr(Expr::ForLoop(e), None));
            }
            Expr::While(mut e) => {
                self.visit_expr_mut(&mut e.cond);
                e.label = None;
                if let Some(cond) = goes_on {
                    e.cond = Box::new(at.and(cond, bare(*e.cond)));
                }
                e.body.stmts = body;
                out.push(Stmt::Expr(Expr::While(e), None));
            }
            other => {
                let cond = goes_on.unwrap_or_else(|| at.truth(true));
                let mut repeat = at.while_loop(cond, body);
                // What is said of the loop stays with it.
                if let (Expr::While(repeat), Expr::Loop(e)) = (&mut repeat, other) {
                    repeat.attrs = e.attrs;
                }
                out.push(Stmt::Expr(repeat, None));
            }
        }
    }

    /// A labelled block that jumps leave, for its own end and beyond.
    pub(super) fn labelled(&mut self, block: syn::ExprBlock, value: Option<Ident>, at: At, out: &mut Vec<Stmt>) {
        let region = self.regions.len();
        let label = jumps::label_of(block.label.as_ref());
        self.regions.push(Region { value: value.clone(), ..Region::new(Kind::Block, label) });
        let dest = value.map_or(Dest::Nothing, Dest::Var);
        let body = self.list(block.block.stmts, &dest, Some(region));
        let Some(own) = self.regions.pop() else { return };
        Self::clear(out, own.left, at);
        out.push(Stmt::Expr(at.block(None, body), None));
    }
}
