//! What is emitted for a function that makes a `Vec` longer which it is lent: the function as it stands, and the one that takes and
//! returns the `Vec`, of which all the rest is made. See Note [Vecs that a callee makes longer] in `source/grown.rs`.

use crate::diag::{Error, Errors};
use crate::emit::stub;
use crate::parse::attr::{Attr, joined};
use crate::parse::function::{Function, without_our_attributes};
use crate::source::Source;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, FnArg, ItemFn, Pat, ReturnType, Stmt, Token, Type, UnOp};

/// The function with its type, and the attribute and the source of the other one.
pub fn grown(attr: &TokenStream, item: &ItemFn, errors: &mut Errors) -> Option<(TokenStream, TokenStream, ItemFn)> {
    let file = crate::file_of(item.sig.ident.span()).and_then(|file| Source::of(&file));
    let file = file.unwrap_or_default();
    let grown = file.grown_by(&item.sig, &item.block, None);
    let is_grown = |k: usize| grown.contains(&k);
    if grown.is_empty() || !errors.is_empty() {
        return None;
    }
    let mut by_value = item.clone();
    let mut names: Vec<Ident> = Vec::new();
    for (_, input) in by_value.sig.inputs.iter_mut().enumerate().filter(|(k, _)| is_grown(*k)) {
        let FnArg::Typed(input) = input else { return None };
        let Pat::Ident(name) = &mut *input.pat else { return None };
        name.mutability = Some(<Token![mut]>::default());
        names.push(name.ident.clone());
        if let Type::Reference(to) = &*input.ty {
            *input.ty = (*to.elem).clone();
        }
    }
    let result = match &item.sig.output {
        ReturnType::Type(_, ty) if !matches!(&**ty, Type::Tuple(parts) if parts.elems.is_empty()) => Some(ty),
        _ => None,
    };
    let types =
        by_value.sig.inputs.iter().enumerate().filter(|(k, _)| is_grown(*k)).filter_map(|(_, input)| match input {
            FnArg::Typed(input) => Some((*input.ty).clone()),
            FnArg::Receiver(_) => None,
        });
    let types: Vec<Type> = types.chain(result.map(|ty| (**ty).clone())).collect();
    by_value.sig.output = match &types[..] {
        [only] => syn::parse_quote!(-> #only),
        all => syn::parse_quote!(-> (#(#all),*)),
    };
    let mut body = ByValue { names: &names, result: result.map(|ty| &**ty), errors, in_closure: false };
    body.visit_block_mut(&mut by_value.block);
    body.given_back(&mut by_value.block);
    let attr = joined(attr.clone(), quote!(__grown(#(#names),*)));
    let (function, _) = Function::parse(Attr::parse(attr.clone()).unwrap_or_default(), by_value.clone());
    let (own, marker) = (without_our_attributes(item.clone()), stub::marker(&function));
    Some((quote!(#[allow(dead_code)] #own #marker), attr, by_value))
}

/// Writes a body for variables in the place of mutable borrows.
struct ByValue<'g> {
    names: &'g [Ident],
    result: Option<&'g Type>,
    errors: &'g mut Errors,
    in_closure: bool,
}

impl ByValue<'_> {
    fn is_one(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Path(path) if self.names.iter().any(|name| path.path.is_ident(name)))
    }

    /// `(out, value)`
    fn with(&self, value: Option<Expr>) -> Expr {
        let names = self.names;
        match (names, value) {
            ([only], None) => syn::parse_quote!(#only),
            (names, None) => syn::parse_quote!((#(#names),*)),
            (names, Some(value)) => {
                let (ty, given) = (self.result, Ident::new("__autodiff_given", Span::mixed_site()));
                syn::parse_quote!({ let #given: #ty = #value; (#(#names,)* #given) })
            }
        }
    }

    /// What a body gives at its end.
    fn given_back(&self, block: &mut Block) {
        let last = block.stmts.pop();
        match last {
            Some(Stmt::Expr(tail @ Expr::Return(_), None)) => block.stmts.push(Stmt::Expr(tail, None)),
            Some(Stmt::Expr(tail, None)) if self.result.is_some() => {
                let (ty, given, names) = (self.result, Ident::new("__autodiff_given", Span::mixed_site()), self.names);
                block.stmts.push(syn::parse_quote!(let #given: #ty = #tail;));
                block.stmts.push(Stmt::Expr(syn::parse_quote!((#(#names,)* #given)), None));
            }
            // It does not come to its end.
            last if self.result.is_some() => block.stmts.extend(last),
            last => {
                block.stmts.extend(last.map(|last| match last {
                    Stmt::Expr(tail, None) => Stmt::Expr(tail, Some(<Token![;]>::default())),
                    other => other,
                }));
                block.stmts.push(Stmt::Expr(self.with(None), None));
            }
        }
    }

    fn parts(&mut self, expr: &mut Expr) {
        if !self.is_one(expr) {
            self.visit_expr_mut(expr);
        }
    }
}

impl VisitMut for ByValue<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            // `*out`, `&mut *out`, `&*out`
            Expr::Unary(deref) if matches!(deref.op, UnOp::Deref(_)) && self.is_one(&deref.expr) => {
                *expr = (*deref.expr).clone();
            }
            Expr::Reference(borrow) if self.is_one(&borrow.expr) => {}
            Expr::MethodCall(call) => {
                self.parts(&mut call.receiver);
                call.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            Expr::Index(index) => {
                self.parts(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
            }
            Expr::Field(field) => self.parts(&mut field.base),
            // The borrow itself is handed on.
            expr if self.is_one(expr) => *expr = syn::parse_quote!(&mut #expr),
            Expr::Return(jump) if !self.in_closure => {
                if let Some(value) = &mut jump.expr {
                    self.visit_expr_mut(value);
                }
                jump.expr = Some(Box::new(self.with(jump.expr.take().map(|value| *value))));
            }
            Expr::Try(question) if !self.in_closure => {
                let what =
                    format!("a `?` in a function that makes `{}` longer cannot be differentiated yet", self.names[0]);
                self.errors.push(
                    Error::new(&question.question_token, what)
                        .help("write a `match`, or `let Some(x) = … else { return None; };`"),
                );
            }
            Expr::Closure(closure) => {
                // What it returns, it returns to where it is called.
                let before = std::mem::replace(&mut self.in_closure, true);
                self.visit_expr_mut(&mut closure.body);
                self.in_closure = before;
            }
            expr => syn::visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
