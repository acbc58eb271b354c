//! Where the jumps of a block go that becomes part of another one.

use super::build::At;
use syn::visit_mut::VisitMut;
use syn::{Expr, Lifetime};

/// `return` of a closure that has become a block.
pub(super) struct Returns {
    pub(super) label: Lifetime,
}

impl VisitMut for Returns {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Return(jump) = expr {
            let at = At(jump.return_token.span);
            let value = jump.expr.take().map(|value| *value);
            *expr = at.break_to(Some(self.label.clone()), value);
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Names the jumps of a loop's body that mean this loop.
pub(super) struct Named {
    pub(super) own: Option<String>,
    pub(super) out: Lifetime,
    pub(super) each: Lifetime,
    /// Loops around, within the body.
    pub(super) inner: usize,
}

impl Named {
    fn means_it(&self, label: Option<&Lifetime>) -> bool {
        match label {
            Some(label) => self.own.as_ref().is_some_and(|own| label.ident == own),
            None => self.inner == 0,
        }
    }
}

impl VisitMut for Named {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let is_loop = matches!(expr, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_));
        match expr {
            Expr::Break(jump) if self.means_it(jump.label.as_ref()) => jump.label = Some(self.out.clone()),
            Expr::Continue(jump) if self.means_it(jump.label.as_ref()) => {
                *expr = At(jump.continue_token.span).break_to(Some(self.each.clone()), None);
            }
            _ => {}
        }
        self.inner += usize::from(is_loop);
        syn::visit_mut::visit_expr_mut(self, expr);
        self.inner -= usize::from(is_loop);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
