//! `filter.reset().set(x);`, of methods that change `self` and return it. As a statement it is evaluated where it stands, so that the
//! methods may have effects; as an operand they may not, see Note [Functions that give places] in `borrowing.rs`.

use super::Lower;
use super::assign::unparen;
use super::owned::function_path;
use super::place::Place;
use super::value::{Lowered, Reported, Value};
use crate::layout::Kind;
use std::rc::Rc;
use syn::visit::Visit;
use syn::{Expr, ExprMethodCall, FnArg, ItemFn, Pat, Stmt};

impl Lower<'_> {
    /// Whether a statement is such a chain.
    pub(super) fn is_changing_chain(&self, call: &ExprMethodCall) -> bool {
        let mut first = call;
        while let Expr::MethodCall(inner) = unparen(&first.receiver) {
            first = inner;
        }
        let Some(Value::Parts(Kind::Struct(ty), _)) = self.named(&first.receiver) else { return false };
        let mut call = Some(call);
        while let Some(outer) = call {
            let function = function_path(&ty.path, &outer.method).and_then(|path| self.place_function(&path));
            if !function.is_some_and(|function| function.is_mutable() && gives_itself(&function.item)) {
                return false;
            }
            call = match unparen(&outer.receiver) {
                Expr::MethodCall(inner) => Some(inner),
                _ => None,
            };
        }
        true
    }

    /// Evaluates it, and gives the place that it is about.
    pub(super) fn changing_chain(&mut self, call: &ExprMethodCall) -> Lowered<Place> {
        let (receiver, place) = match unparen(&call.receiver) {
            Expr::MethodCall(inner) => {
                let place = self.changing_chain(inner)?;
                (Value::Borrow(Rc::new(place.clone())), self.structure(&place))
            }
            _ => (self.borrow_mut(&call.receiver)?, self.named(&call.receiver)),
        };
        let Some(Value::Parts(Kind::Struct(ty), _)) = place else { return Err(Reported) };
        let path = function_path(&ty.path, &call.method);
        let Some(mut function) = path.and_then(|path| self.place_function(&path)) else { return Err(Reported) };
        function.refused = None;
        let args: Vec<&Expr> = std::iter::once(&*call.receiver).chain(&call.args).collect();
        let values = self.arguments(&function, &args, Some(receiver), call)?;
        self.taken_in(&function, values, call, |lower, body| lower.block_place(body, call))
    }
}

/// Whether a method gives its `self` back, at the end and nowhere before.
fn gives_itself(item: &ItemFn) -> bool {
    struct Returns(bool);
    impl<'a> Visit<'a> for Returns {
        fn visit_expr_return(&mut self, _: &'a syn::ExprReturn) {
            self.0 = true;
        }
    }
    let this = match item.sig.inputs.first() {
        Some(FnArg::Typed(typed)) => match &*typed.pat {
            Pat::Ident(name) => &name.ident,
            _ => return false,
        },
        _ => return false,
    };
    let mut returns = Returns(false);
    returns.visit_block(&item.block);
    let ends = matches!(item.block.stmts.last(), Some(Stmt::Expr(tail, None)) if matches!(unparen(tail), Expr::Path(path) if path.path.is_ident(this)));
    ends && !returns.0
}
