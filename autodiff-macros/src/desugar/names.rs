//! Names for what the user has not named, and questions about names.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::Visit;
use syn::{Expr, Pat};

/// Gives out names that occur nowhere in the function, so that they can neither capture nor be captured.
pub struct Names {
    taken: HashSet<String>,
}

impl Names {
    pub fn new(function: &impl ToTokens) -> Names {
        let mut taken = HashSet::new();
        collect(function.to_token_stream(), true, &mut taken);
        Names { taken }
    }

    /// More source that names may not occur in.
    pub fn avoid(&mut self, source: TokenStream) {
        collect(source, true, &mut self.taken);
    }

    pub fn fresh(&mut self, hint: &str, span: Span) -> Ident {
        let mut name = hint.to_owned();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{hint}_{count}");
        }
        Ident::new(&name, span)
    }
}

/// Every identifier in these tokens, those in macros too.
pub fn idents(tokens: &impl ToTokens) -> HashSet<String> {
    let mut found = HashSet::new();
    collect(tokens.to_token_stream(), false, &mut found);
    found
}

/// Fields and methods, which no variable is confused with, may be left out.
fn collect(tokens: TokenStream, variables_only: bool, found: &mut HashSet<String>) {
    let mut dots = 0;
    for token in tokens {
        let is_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
        match token {
            TokenTree::Ident(ident) if !(variables_only && dots == 1) => {
                found.insert(ident.to_string());
            }
            TokenTree::Group(group) => collect(group.stream(), variables_only, found),
            _ => {}
        }
        dots = if is_dot { dots + 1 } else { 0 };
    }
}

/// The names that a pattern binds, in the order in which they occur.
pub fn bound(pat: &Pat) -> Vec<Ident> {
    struct Bound(Vec<Ident>);
    impl<'a> Visit<'a> for Bound {
        fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
            // `None` is a constant and no name; so is everything else that starts like one.
            let is_constant = pat.by_ref.is_none()
                && pat.mutability.is_none()
                && pat.subpat.is_none()
                && pat.ident.to_string().starts_with(char::is_uppercase);
            if !is_constant && !self.0.contains(&pat.ident) {
                self.0.push(pat.ident.clone());
            }
            syn::visit::visit_pat_ident(self, pat);
        }
        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut found = Bound(Vec::new());
    found.visit_pat(pat);
    found.0
}

/// The names that are changed: assigned to, borrowed mutably, or the receiver of a method, which may do either.
pub fn changed(expr: &Expr) -> HashSet<String> {
    let mut found = Changed::default();
    found.visit_expr(expr);
    found.names
}

pub fn changed_by(block: &syn::Block) -> HashSet<String> {
    let mut found = Changed::default();
    found.visit_block(block);
    found.names
}

/// The names that are assigned to or borrowed mutably.
pub fn assigned_by(block: &syn::Block) -> HashSet<String> {
    let mut found = Changed { only_assignments: true, ..Changed::default() };
    found.visit_block(block);
    found.names
}

#[derive(Default)]
struct Changed {
    names: HashSet<String>,
    only_assignments: bool,
}

impl Changed {
    fn note(&mut self, place: &Expr) {
        match place {
            Expr::Path(path) => {
                if let Some(ident) = path.path.get_ident() {
                    self.names.insert(ident.to_string());
                }
            }
            Expr::Index(index) => self.note(&index.expr),
            Expr::Field(field) => self.note(&field.base),
            Expr::Unary(unary) => self.note(&unary.expr),
            Expr::Paren(paren) => self.note(&paren.expr),
            Expr::Group(group) => self.note(&group.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|part| self.note(part)),
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Changed {
    fn visit_expr_assign(&mut self, assign: &'a syn::ExprAssign) {
        self.note(&assign.left);
        syn::visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        if super::build::is_assignment(&binary.op) {
            self.note(&binary.left);
        }
        syn::visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_reference(&mut self, reference: &'a syn::ExprReference) {
        if reference.mutability.is_some() {
            self.note(&reference.expr);
        }
        syn::visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        self.names.extend(super::marks::marked(&call.attrs));
        syn::visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        self.names.extend(super::marks::marked(&call.attrs));
        if let Some(taken) = super::iter::taken_of(call) {
            self.note(taken);
        }
        const HARMLESS: [&str; 6] = ["len", "iter", "into_iter", "clone", "windows", "chunks"];
        if !self.only_assignments && !HARMLESS.contains(&&*call.method.to_string()) {
            self.note(&call.receiver);
        }
        syn::visit::visit_expr_method_call(self, call);
    }
}

/// Whether evaluating it changes something that is still there afterwards.
pub fn has_effects(expr: &Expr) -> bool {
    let mut found = Changed { only_assignments: true, ..Changed::default() };
    found.visit_expr(expr);
    let mut own = Defined(HashSet::new());
    own.visit_expr(expr);
    !found.names.is_subset(&own.0)
}

/// The names that are defined anywhere within.
pub fn defined_in(block: &syn::Block) -> HashSet<String> {
    let mut own = Defined(HashSet::new());
    own.visit_block(block);
    own.0
}

struct Defined(HashSet<String>);

impl<'a> Visit<'a> for Defined {
    fn visit_pat(&mut self, pat: &'a Pat) {
        self.0.extend(bound(pat).iter().map(ToString::to_string));
    }
}
