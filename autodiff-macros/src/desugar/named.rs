//! Iterators that have a name: `let pairs = x.iter().zip(y);` stands where `pairs` is used.
//!
//! An iterator does nothing until somebody takes its elements, so it may as well be written there, if nothing that it
//! mentions is defined anew or changed in between.

use super::build::{At, bare};
use super::iter::Iter;
use super::names;
use std::collections::HashSet;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Ident, Pat, Stmt};

pub fn inline(block: &mut Block) {
    let mut k = 0;
    while k < block.stmts.len() {
        let Some((name, iter)) = named(&block.stmts[k]) else {
            k += 1;
            continue;
        };
        let text = name.to_string();
        let uses: Vec<usize> =
            (k + 1..block.stmts.len()).filter(|at| names::idents(&block.stmts[*at]).contains(&text)).collect();
        let Some(last) = uses.last() else {
            k += 1;
            continue;
        };
        let between = At(name.span()).stmts(block.stmts[k + 1..=*last].to_vec());
        let mut touched: HashSet<String> = names::defined_in(&between);
        touched.extend(names::assigned_by(&between));
        if touched.contains(&text) || !names::idents(&iter).is_disjoint(&touched) || takes_some(&between, &text) {
            k += 1;
            continue;
        }
        let mut replace = Replace { name: &text, iter: &iter };
        for stmt in &mut block.stmts[k + 1..=*last] {
            replace.visit_stmt_mut(stmt);
        }
        block.stmts.remove(k);
    }
}

/// `let name = iterator;`
fn named(stmt: &Stmt) -> Option<(Ident, Expr)> {
    let Stmt::Local(local) = stmt else { return None };
    let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else { return None };
    let iter = Iter::parse(&init.expr)?;
    let is_iterator = match (&iter, bare((*init.expr).clone())) {
        (Iter::Elements { .. }, Expr::MethodCall(call)) => call.method != "clone",
        (Iter::Range { end, .. }, _) => end.is_some(),
        (_, Expr::MethodCall(_) | Expr::Call(_)) => true,
        _ => false,
    };
    (is_iterator && init.diverge.is_none() && name.subpat.is_none()).then(|| (name.ident.clone(), (*init.expr).clone()))
}

/// Whether an iterator is used up in parts.
fn takes_some(block: &Block, name: &str) -> bool {
    struct Parts<'n> {
        name: &'n str,
        found: bool,
    }
    impl<'a> syn::visit::Visit<'a> for Parts<'_> {
        fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
            let is_it = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident(self.name));
            self.found |=
                is_it && matches!(&call.method.to_string()[..], "next" | "next_back" | "by_ref" | "nth" | "peek");
            syn::visit::visit_expr_method_call(self, call);
        }
    }
    let mut parts = Parts { name, found: false };
    syn::visit::Visit::visit_block(&mut parts, block);
    parts.found
}

struct Replace<'n> {
    name: &'n str,
    iter: &'n Expr,
}

impl VisitMut for Replace<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(path) if path.path.is_ident(self.name) => {
                *expr = Expr::Paren(syn::ExprParen {
                    attrs: Vec::new(),
                    paren_token: syn::token::Paren(path.path.segments[0].ident.span()),
                    expr: Box::new(self.iter.clone()),
                });
            }
            _ => syn::visit_mut::visit_expr_mut(self, expr),
        }
    }
}
