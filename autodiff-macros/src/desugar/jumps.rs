//! Where control can go from an expression, other than to what follows it.

use super::build::bare;
use std::collections::BTreeSet;
use syn::visit::Visit;
use syn::{Block, Expr, Lifetime, Stmt};

/// A way out of an expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Jump {
    Return,
    Break(Option<String>),
    Continue(Option<String>),
}

/// The jumps that leave what is visited.
#[derive(Default)]
struct Leaving {
    found: BTreeSet<Jump>,
    /// Labels of what is around within the visited.
    labels: Vec<Option<String>>,
    loops: usize,
    /// Whether a `break` with a value leaves.
    values: bool,
}

pub fn of_stmt(stmt: &Stmt) -> BTreeSet<Jump> {
    let mut leaving = Leaving::default();
    leaving.visit_stmt(stmt);
    leaving.found
}

pub fn of_expr(expr: &Expr) -> BTreeSet<Jump> {
    let mut leaving = Leaving::default();
    leaving.visit_expr(expr);
    leaving.found
}

pub fn of_block(block: &Block) -> BTreeSet<Jump> {
    let mut leaving = Leaving::default();
    leaving.visit_block(block);
    leaving.found
}

/// Whether a `?` leaves what is visited.
pub fn has_question(expr: &Expr) -> bool {
    struct Questions(bool);
    impl<'a> Visit<'a> for Questions {
        fn visit_expr_try(&mut self, _: &'a syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut questions = Questions(false);
    questions.visit_expr(expr);
    questions.0
}

pub fn label_of(label: Option<&syn::Label>) -> Option<String> {
    label.map(|label| label.name.ident.to_string())
}

fn name_of(label: Option<&Lifetime>) -> Option<String> {
    label.map(|label| label.ident.to_string())
}

impl Leaving {
    fn around(&mut self, label: Option<&syn::Label>, is_loop: bool, visit: impl FnOnce(&mut Self)) {
        self.labels.push(label_of(label));
        self.loops += usize::from(is_loop);
        visit(self);
        self.loops -= usize::from(is_loop);
        self.labels.pop();
    }

    fn leaves(&self, label: Option<&String>) -> bool {
        match label {
            Some(label) => !self.labels.iter().flatten().any(|known| known == label),
            None => self.loops == 0,
        }
    }
}

impl<'a> Visit<'a> for Leaving {
    fn visit_expr_return(&mut self, expr: &'a syn::ExprReturn) {
        self.found.insert(Jump::Return);
        syn::visit::visit_expr_return(self, expr);
    }

    fn visit_expr_break(&mut self, expr: &'a syn::ExprBreak) {
        let label = name_of(expr.label.as_ref());
        if self.leaves(label.as_ref()) {
            self.values |= expr.expr.is_some();
            self.found.insert(Jump::Break(label));
        }
        syn::visit::visit_expr_break(self, expr);
    }

    fn visit_expr_continue(&mut self, expr: &'a syn::ExprContinue) {
        let label = name_of(expr.label.as_ref());
        if self.leaves(label.as_ref()) {
            self.found.insert(Jump::Continue(label));
        }
    }

    fn visit_expr_for_loop(&mut self, expr: &'a syn::ExprForLoop) {
        self.visit_expr(&expr.expr);
        self.around(expr.label.as_ref(), true, |leaving| leaving.visit_block(&expr.body));
    }

    fn visit_expr_while(&mut self, expr: &'a syn::ExprWhile) {
        self.around(expr.label.as_ref(), true, |leaving| {
            leaving.visit_expr(&expr.cond);
            leaving.visit_block(&expr.body);
        });
    }

    fn visit_expr_loop(&mut self, expr: &'a syn::ExprLoop) {
        self.around(expr.label.as_ref(), true, |leaving| leaving.visit_block(&expr.body));
    }

    fn visit_expr_block(&mut self, expr: &'a syn::ExprBlock) {
        self.around(expr.label.as_ref(), false, |leaving| leaving.visit_block(&expr.block));
    }

    // What these jump to is their own.
    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    fn visit_expr_async(&mut self, _: &'a syn::ExprAsync) {}
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

fn breaks_itself(label: Option<&syn::Label>, body: &Block, is_loop: bool) -> bool {
    let mut leaving = Leaving::default();
    leaving.visit_block(body);
    let own = label_of(label);
    leaving.found.iter().any(|jump| match jump {
        Jump::Break(None) => is_loop,
        Jump::Break(label) => *label == own,
        _ => false,
    })
}

/// Whether a `break` of this loop has a value.
pub fn has_value(body: &Block, label: Option<&syn::Label>) -> bool {
    let mut leaving = Leaving::default();
    leaving.visit_block(body);
    leaving.values && breaks_itself(label, body, true)
}

/// Whether what follows is never reached.
pub fn diverges(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Block(block) => {
            let label = block.label.as_ref();
            block_diverges(&block.block) && !(label.is_some() && breaks_itself(label, &block.block, false))
        }
        Expr::If(choice) => {
            let other = choice.else_branch.as_ref().is_some_and(|(_, other)| diverges(other));
            diverges(&choice.cond) || (other && block_diverges(&choice.then_branch))
        }
        Expr::Match(choice) => {
            diverges(&choice.expr) || (!choice.arms.is_empty() && choice.arms.iter().all(|arm| diverges(&arm.body)))
        }
        Expr::Loop(repeat) => !breaks_itself(repeat.label.as_ref(), &repeat.body, true),
        Expr::Macro(call) => never_returns(&call.mac),
        other => operands(&mut other.clone()).is_some_and(|parts| parts.iter().any(|part| diverges(part))),
    }
}

fn never_returns(mac: &syn::Macro) -> bool {
    const PANICS: [&str; 4] = ["panic", "unreachable", "todo", "unimplemented"];
    mac.path.segments.last().is_some_and(|last| PANICS.contains(&&*last.ident.to_string()))
}

pub fn block_diverges(block: &Block) -> bool {
    stmts_diverge(&block.stmts)
}

pub fn stmts_diverge(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::Local(local) => local.init.as_ref().is_some_and(|init| diverges(&init.expr)),
        Stmt::Expr(expr, _) => diverges(expr),
        Stmt::Macro(call) => never_returns(&call.mac),
        Stmt::Item(_) => false,
    })
}

/// What is always evaluated before an expression, in this order; nothing for what chooses or repeats.
pub fn operands(expr: &mut Expr) -> Option<Vec<&mut Expr>> {
    Some(match expr {
        Expr::Paren(e) => vec![&mut e.expr],
        Expr::Group(e) => vec![&mut e.expr],
        Expr::Unary(e) => vec![&mut e.expr],
        Expr::Reference(e) => vec![&mut e.expr],
        Expr::Cast(e) => vec![&mut e.expr],
        Expr::Field(e) => vec![&mut e.base],
        Expr::Index(e) => vec![&mut e.expr, &mut e.index],
        Expr::Binary(e) => match e.op {
            syn::BinOp::And(_) | syn::BinOp::Or(_) => vec![&mut e.left],
            // The place is last: what is assigned is computed before.
            op if super::build::is_assignment(&op) => vec![&mut e.right],
            _ => vec![&mut e.left, &mut e.right],
        },
        Expr::Assign(e) => vec![&mut e.right],
        Expr::Call(e) => e.args.iter_mut().collect(),
        Expr::MethodCall(e) => std::iter::once(&mut *e.receiver).chain(e.args.iter_mut()).collect(),
        Expr::Tuple(e) => e.elems.iter_mut().collect(),
        Expr::Array(e) => e.elems.iter_mut().collect(),
        Expr::Repeat(e) => vec![&mut e.expr],
        Expr::Struct(e) => e.fields.iter_mut().map(|field| &mut field.expr).collect(),
        Expr::Range(e) => [&mut e.start, &mut e.end].into_iter().flatten().map(|part| &mut **part).collect(),
        Expr::If(e) => vec![&mut e.cond],
        Expr::Match(e) => vec![&mut e.expr],
        Expr::ForLoop(e) => vec![&mut e.expr],
        Expr::Return(e) => e.expr.iter_mut().map(|part| &mut **part).collect(),
        Expr::Break(e) => e.expr.iter_mut().map(|part| &mut **part).collect(),
        _ => return None,
    })
}

/// Whether it names a place, so that reading it does nothing.
pub fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && is_place(&unary.expr),
        Expr::Paren(paren) => is_place(&paren.expr),
        Expr::Group(group) => is_place(&group.expr),
        Expr::Index(index) => is_place(&index.expr) && is_simple(&index.index),
        _ => false,
    }
}

/// A place, a literal, or arithmetic on these: as cheap to have again as to keep.
pub fn is_simple(expr: &Expr) -> bool {
    match bare(expr.clone()) {
        Expr::Lit(_) => true,
        Expr::Binary(e) => !super::build::is_assignment(&e.op) && is_simple(&e.left) && is_simple(&e.right),
        Expr::Reference(e) => is_simple(&e.expr),
        Expr::Cast(e) => is_simple(&e.expr),
        Expr::MethodCall(e) => {
            const CHEAP: [&str; 3] = ["len", "min", "saturating_sub"];
            CHEAP.contains(&&*e.method.to_string()) && is_simple(&e.receiver) && e.args.iter().all(is_simple)
        }
        other => is_place(&other),
    }
}
