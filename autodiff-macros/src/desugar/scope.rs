//! Where a name is still the one that is meant: what stands in its place is put only there.

use super::{macros, names};
use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, Block, Expr, ExprClosure, ExprForLoop, ExprPath, Item, Macro, Pat, Stmt};

/// Puts an expression in the place of a variable, wherever the variable has not been shadowed.
pub struct Substitute<'s> {
    name: String,
    /// Nothing, if the uses are only counted.
    with: Option<&'s dyn Fn(&Ident) -> Expr>,
    pub uses: usize,
    /// Whether it is mentioned where no expression can be put: in a macro that is not known.
    pub opaque: bool,
    /// Whether it is called as a function.
    pub called: bool,
    /// Whether the variable is assigned to as a whole.
    pub assigned: bool,
}

impl<'s> Substitute<'s> {
    pub fn new(name: &Ident, with: &'s dyn Fn(&Ident) -> Expr) -> Substitute<'s> {
        Substitute { with: Some(with), ..Substitute::count(&name.to_string()) }
    }

    fn count(name: &str) -> Substitute<'s> {
        Substitute { name: name.to_owned(), with: None, uses: 0, opaque: false, called: false, assigned: false }
    }

    /// The uses of a name in statements, without changing them.
    pub fn uses_in(name: &str, stmts: &[Stmt]) -> Substitute<'s> {
        let mut count = Substitute::count(name);
        count.stmts(&mut stmts.to_vec());
        count
    }

    /// Whether an expression mentions a variable of this name that is not its own.
    pub fn is_free_in(name: &str, expr: &Expr) -> bool {
        let mut count = Substitute::count(name);
        count.visit_expr_mut(&mut expr.clone());
        count.uses > 0 || count.opaque
    }

    pub fn stmts(&mut self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            self.visit_stmt_mut(stmt);
            if matches!(stmt, Stmt::Local(local) if self.binds(&local.pat)) {
                return;
            }
        }
    }

    fn binds(&self, pat: &Pat) -> bool {
        names::bound(pat).iter().any(|name| *name == self.name)
    }

    /// Whether the `let`s in a condition give the name to something else from there on.
    fn condition(&mut self, cond: &mut Expr) -> bool {
        match cond {
            Expr::Let(fits) => {
                self.visit_expr_mut(&mut fits.expr);
                self.binds(&fits.pat)
            }
            Expr::Binary(both) if matches!(both.op, syn::BinOp::And(_)) => {
                self.condition(&mut both.left) || self.condition(&mut both.right)
            }
            other => {
                self.visit_expr_mut(other);
                false
            }
        }
    }
}

impl VisitMut for Substitute<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(ExprPath { qself: None, path, .. }) if path.is_ident(&self.name) => {
                self.uses += 1;
                if let (Some(with), Some(ident)) = (self.with, path.get_ident()) {
                    *expr = with(ident);
                }
                return;
            }
            Expr::Call(call) => {
                self.called |= matches!(&*call.func, Expr::Path(path) if path.path.is_ident(&self.name));
            }
            Expr::Assign(assign) => {
                if let Expr::Path(path) = &*assign.left {
                    if let Some(ident) = path.path.get_ident().filter(|ident| **ident == self.name) {
                        self.assigned = true;
                        // It is no value, and what stands in its place no place.
                        if let Some(with) = self.with {
                            *expr = with(ident);
                            return;
                        }
                    }
                }
            }
            Expr::If(choice) => {
                if !self.condition(&mut choice.cond) {
                    self.visit_block_mut(&mut choice.then_branch);
                }
                if let Some((_, other)) = &mut choice.else_branch {
                    self.visit_expr_mut(other);
                }
                return;
            }
            Expr::While(repeat) => {
                if !self.condition(&mut repeat.cond) {
                    self.visit_block_mut(&mut repeat.body);
                }
                return;
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.stmts(&mut block.stmts);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        if !closure.inputs.iter().any(|pat| self.binds(pat)) {
            self.visit_expr_mut(&mut closure.body);
        }
    }

    fn visit_expr_for_loop_mut(&mut self, repeat: &mut ExprForLoop) {
        self.visit_expr_mut(&mut repeat.expr);
        if !self.binds(&repeat.pat) {
            self.visit_block_mut(&mut repeat.body);
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        if !self.binds(&arm.pat) {
            visit_mut::visit_arm_mut(self, arm);
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let mentions = |tokens: &Macro| names::idents(&tokens.tokens).contains(&self.name);
        if !mentions(mac) {
            return;
        }
        if macros::parts(mac).is_none() || mac.path.is_ident("matches") {
            self.opaque = true;
            return;
        }
        macros::rewrite(mac, |parts| parts.into_iter().for_each(|part| self.visit_expr_mut(part)));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}
