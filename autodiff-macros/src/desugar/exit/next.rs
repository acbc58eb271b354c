//! What is still to be done after a statement.

use super::super::build::At;
use super::super::names;
use super::{Dest, Way};
use std::collections::{BTreeSet, VecDeque};
use syn::spanned::Spanned;
use syn::{Expr, Local, Stmt, Type};

/// How a statement uses its expression.
pub enum Use {
    Tail,
    Statement,
    Bind(Box<Local>),
}

/// What is to be done with the value of a statement, and after it.
pub struct Next<'d> {
    pub used: Use,
    pub rest: VecDeque<Stmt>,
    pub(super) dest: &'d Dest,
    pub tail: Option<usize>,
    /// Where the statement may jump to.
    pub(super) ways: BTreeSet<Way>,
    pub at: At,
}

impl Next<'_> {
    /// The names from outside that occur in what follows.
    pub fn idents(&self) -> BTreeSet<String> {
        let mut found: BTreeSet<String> = self.rest.iter().flat_map(names::idents).collect();
        if let Use::Bind(local) = &self.used {
            for name in names::bound(&local.pat) {
                found.remove(&name.to_string());
            }
            // The types in the pattern are from outside, too.
            found.extend(declared(local).iter().flat_map(names::idents));
        }
        found
    }

    /// The statements that follow, the first of them using the value.
    pub fn consume(&mut self, value: Option<Expr>) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        match std::mem::replace(&mut self.used, Use::Statement) {
            Use::Bind(local) => {
                let at = At(local.let_token.span);
                let value = value.unwrap_or_else(|| at.unit());
                let Stmt::Local(bound) = at.bind(local.pat.clone(), Some(value)) else { return stmts };
                stmts.push(Stmt::Local(Local { init: bound.init, ..*local }));
            }
            Use::Tail | Use::Statement => {
                stmts.extend(value.map(|value| self.at.statement(value)));
            }
        }
        stmts.extend(std::mem::take(&mut self.rest));
        stmts
    }

    /// The statement with another expression, after others.
    pub fn again(&mut self, expr: Expr, before: Vec<Stmt>) -> VecDeque<Stmt> {
        let is_tail = matches!(self.used, Use::Tail);
        let mut stmts: VecDeque<Stmt> = before.into();
        if is_tail {
            stmts.push_back(Stmt::Expr(expr, None));
        } else {
            stmts.extend(self.consume(Some(expr)));
        }
        stmts
    }
}

/// The type that a `let` declares.
pub fn declared(local: &Local) -> Option<Type> {
    match &local.pat {
        syn::Pat::Type(typed) => Some((*typed.ty).clone()),
        _ => None,
    }
}

/// The statements of a branch.
pub fn branch_of(expr: Expr) -> Vec<Stmt> {
    match expr {
        Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => block.block.stmts,
        other => vec![Stmt::Expr(other, None)],
    }
}

/// The names that a list of statements defines.
pub fn definitions(stmts: &[Stmt]) -> BTreeSet<String> {
    let locals = stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Local(local) => Some(names::bound(&local.pat)),
        _ => None,
    });
    locals.flatten().map(|ident| ident.to_string()).collect()
}

pub fn split_tail(mut stmts: Vec<Stmt>) -> (Vec<Stmt>, Option<Expr>) {
    match stmts.pop() {
        Some(Stmt::Expr(value, None)) => (stmts, Some(value)),
        Some(other) => {
            stmts.push(other);
            (stmts, None)
        }
        None => (stmts, None),
    }
}

pub fn first_span(tokens: &impl Spanned) -> proc_macro2::Span {
    tokens.span()
}
