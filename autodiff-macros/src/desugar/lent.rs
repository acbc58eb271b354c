//! What borrows mutably: `for p in particles { p.step(dt) }` changes the elements, if `particles` is a `&mut [Particle]`.

use super::names;
use std::collections::HashSet;
use syn::visit::Visit;
use syn::{Block, Expr, ItemFn, Pat, Type};

/// The names of parameters that are mutable borrows, and of variables that are made as such, which mean nothing else in the body.
pub fn names(function: &ItemFn, body: &Block) -> HashSet<String> {
    let defined = names::defined_in(body);
    let params = function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => match (&*typed.pat, &*typed.ty) {
            (Pat::Ident(name), Type::Reference(reference)) if reference.mutability.is_some() => {
                Some(name.ident.to_string())
            }
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    });
    let params = params.filter(|name| !defined.contains(name)).collect();
    let mut found = Found { lent: HashSet::new(), bound: Vec::new() };
    found.visit_block(body);
    let Found { mut lent, bound } = found;
    lent.retain(|name| bound.iter().filter(|other| *other == name).count() == 1);
    lent.extend::<HashSet<String>>(params);
    lent
}

/// Whether a name is an argument, or has a method called.
pub fn is_handed_on(body: &Block, name: &str) -> bool {
    struct HandedOn<'n>(&'n str, bool);
    impl HandedOn<'_> {
        fn note(&mut self, expr: &Expr) {
            self.1 |= matches!(expr, Expr::Path(path) if path.path.is_ident(self.0));
        }
    }
    impl<'a> Visit<'a> for HandedOn<'_> {
        fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
            call.args.iter().for_each(|arg| self.note(arg));
            syn::visit::visit_expr_call(self, call);
        }

        fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
            self.note(&call.receiver);
            call.args.iter().for_each(|arg| self.note(arg));
            syn::visit::visit_expr_method_call(self, call);
        }
    }
    let mut found = HandedOn(name, false);
    found.visit_block(body);
    found.1
}

struct Found {
    lent: HashSet<String>,
    /// Every name that a pattern binds, as often as it does.
    bound: Vec<String>,
}

impl<'a> Visit<'a> for Found {
    fn visit_local(&mut self, local: &'a syn::Local) {
        let is_lent = |init: &syn::LocalInit| match &*init.expr {
            Expr::MethodCall(call) => matches!(&call.method.to_string()[..], "split_at_mut" | "as_mut_slice"),
            Expr::Reference(reference) => reference.mutability.is_some(),
            _ => false,
        };
        if local.init.as_ref().is_some_and(is_lent) {
            self.lent.extend(names::bound(&local.pat).iter().map(ToString::to_string));
        }
        syn::visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
        self.bound.push(pat.ident.to_string());
        syn::visit::visit_pat_ident(self, pat);
    }
}
