//! `#[checkpoint] { … }`: the values of a block are computed again in the reverse sweep.
//!
//! That is what a loop does: it keeps of an iteration no more than what it began with. So the block becomes a loop that
//! runs once, and what it assigns is what the loop carries.

use super::Desugar;
use super::build::At;
use super::jumps::{self, Jump};
use crate::diag::Error;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Expr, ExprBlock, Meta, Stmt, Type};

pub fn is_checkpoint(attr: &Attribute) -> bool {
    attr.path().is_ident("checkpoint")
}

impl Desugar<'_> {
    /// A block with the attribute as a loop.
    pub(super) fn checkpointed(&mut self, mut block: ExprBlock, expected: Option<&Type>) -> Expr {
        let Some(k) = block.attrs.iter().position(is_checkpoint) else { return Expr::Block(block) };
        let attr = block.attrs.remove(k);
        let at = At(attr.path().span());
        if !matches!(attr.meta, Meta::Path(_)) {
            self.errors.push(
                Error::new(&attr, "`#[checkpoint]` on a block takes no number: all of it is computed again")
                    .note("`#[checkpoint(K)]` keeps `K` snapshots of what a loop carries")
                    .help("write `#[checkpoint]`, or move it to a loop")
                    .plain_rust(),
            );
        }
        let out = |jump: &Jump| matches!(jump, Jump::Break(None) | Jump::Continue(None));
        if jumps::of_block(&block.block).iter().any(out) {
            self.unsupported(
                at.0,
                "a block under `#[checkpoint]` that a `break` or `continue` leaves",
                "give the loop around it a label, and jump to that",
            );
        }
        self.visit_block_mut(&mut block.block);
        let once = |stmts: Vec<Stmt>| {
            let mut once = at.for_loop(None, at.wild(), at.range(at.count(0), at.count(1)), stmts);
            if let Expr::ForLoop(once) = &mut once {
                once.attrs.push(syn::parse_quote!(#[checkpoint(1)]));
            }
            once
        };
        if !has_value(&block) {
            return once(vec![at.statement(Expr::Block(block))]);
        }
        let value = self.names.fresh("value", at.0);
        let declared = at.bind(at.typed(at.name(&value, false), expected.cloned()), None);
        let run = at.statement(once(vec![at.assign(at.path(&value), Expr::Block(block))]));
        at.block(None, vec![declared, run, Stmt::Expr(at.path(&value), None)])
    }
}

/// Whether a block is more than a statement.
fn has_value(block: &ExprBlock) -> bool {
    let Some(Stmt::Expr(tail, None)) = block.block.stmts.last() else { return block.label.is_some() };
    match tail {
        Expr::ForLoop(_) | Expr::While(_) | Expr::Assign(_) | Expr::Macro(_) => false,
        Expr::Binary(binary) => !super::build::is_assignment(&binary.op),
        Expr::If(choice) => choice.else_branch.as_ref().is_some_and(|(_, other)| match &**other {
            Expr::Block(other) => has_value(other),
            _ => true,
        }),
        Expr::Block(inner) => has_value(inner),
        _ => true,
    }
}
