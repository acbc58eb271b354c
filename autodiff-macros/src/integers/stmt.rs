//! Blocks and their statements.

use super::Inference;
use super::declared::Names;
use super::types::{Id, Shape};
use syn::{Block, Expr, Item, Local, Pat, Stmt};

impl Inference<'_> {
    pub fn block(&mut self, block: &Block) -> Id {
        self.scoped(|this| {
            for stmt in &block.stmts {
                if let Stmt::Item(item) = stmt {
                    this.declare_item(item);
                }
            }
            let mut value = None;
            for stmt in &block.stmts {
                value = this.statement(stmt);
                this.settle_pending(false);
            }
            value.unwrap_or_else(|| this.types.plain())
        })
    }

    fn declare_item(&mut self, item: &Item) {
        match item {
            Item::Fn(function) => {
                let callee = self.signature(&function.sig, None);
                let ty = self.types.of(Shape::Callable(callee.params, callee.result));
                self.bind(&function.sig.ident.to_string(), ty);
            }
            Item::Const(item) => {
                let ty = self.declared(&item.ty, &Names::new());
                self.bind(&item.ident.to_string(), ty);
            }
            Item::Static(item) => {
                let ty = self.declared(&item.ty, &Names::new());
                self.bind(&item.ident.to_string(), ty);
            }
            _ => {}
        }
    }

    /// The value of the statement, if it is that of a block which ends with it.
    fn statement(&mut self, stmt: &Stmt) -> Option<Id> {
        match stmt {
            Stmt::Local(local) => {
                self.local(local);
                None
            }
            Stmt::Expr(expr, semicolon) => {
                let value = self.expr(expr);
                let leaves = matches!(expr, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_));
                if semicolon.is_none() {
                    Some(value)
                } else if leaves {
                    Some(self.types.open())
                } else {
                    None
                }
            }
            Stmt::Item(Item::Fn(function)) => {
                self.inner_function(function);
                None
            }
            Stmt::Item(_) => None,
            Stmt::Macro(mac) => Some(self.macro_call(&mac.mac)),
        }
    }

    fn inner_function(&mut self, function: &syn::ItemFn) {
        let Some(ty) = self.lookup(&function.sig.ident.to_string()) else { return };
        let Shape::Callable(params, result) = self.types.shape(ty) else { return };
        let (scopes, around) = (self.scopes.clone(), std::mem::replace(&mut self.result, result));
        self.scopes.push(Default::default());
        for (input, ty) in function.sig.inputs.iter().zip(params) {
            if let syn::FnArg::Typed(typed) = input {
                self.pattern(&typed.pat, ty);
            }
        }
        let breaks = std::mem::take(&mut self.breaks);
        let value = self.block(&function.block);
        self.types.unify(value, result);
        (self.breaks, self.scopes, self.result) = (breaks, scopes, around);
    }

    fn local(&mut self, local: &Local) {
        let declared = match &local.pat {
            Pat::Type(typed) => Some(self.declared(&typed.ty, &Names::new())),
            _ => None,
        };
        let Some(init) = &local.init else {
            let ty = declared.unwrap_or_else(|| self.types.open());
            return self.pattern(inner(&local.pat), ty);
        };
        let value = self.expr(&init.expr);
        if let Some(declared) = declared {
            self.types.unify(value, declared);
        }
        self.settle_pending(false);
        if let Some((_, diverge)) = &init.diverge {
            self.expr(diverge);
        }
        self.pattern(inner(&local.pat), declared.unwrap_or(value));
    }
}

fn inner(pat: &Pat) -> &Pat {
    match pat {
        Pat::Type(typed) => &typed.pat,
        other => other,
    }
}
