//! The sizes of arrays that a function of the index makes, where the type that is declared around them tells: that of a result,
//! of a `let`, of what a closure returns.
//!
//! `Some(std::array::from_fn(|i| …))` at the end of a function with the result `Option<[f64; 3]>` becomes
//! `Some(std::array::from_fn::<f64, 3, _>(|i| …))`. This comes before jumps become conditions, since the places where a function
//! returns are visible until then.

use super::bare;
use crate::parse::ty::generic_args;
use crate::source::may_be_of_library;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprCall, ExprClosure, GenericArgument, ItemFn, Local, Pat, Path, PathArguments, ReturnType};
use syn::{Stmt, Type, TypeArray, parse_quote};

/// Writes sizes into the body of a function with this result.
pub(super) fn write_in(body: &mut Block, result: Option<&Type>) {
    if let Some(result) = result {
        tell_block(body, result);
    }
    Declared { result: result.cloned() }.visit_block_mut(body);
}

/// Goes to where types are declared.
struct Declared {
    /// What `return` gives.
    result: Option<Type>,
}

impl VisitMut for Declared {
    fn visit_local_mut(&mut self, local: &mut Local) {
        if let (Pat::Type(typed), Some(init)) = (&local.pat, &mut local.init) {
            tell(&mut init.expr, &typed.ty);
        }
        syn::visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_return_mut(&mut self, jump: &mut syn::ExprReturn) {
        if let (Some(value), Some(result)) = (&mut jump.expr, &self.result) {
            tell(value, result);
        }
        syn::visit_mut::visit_expr_return_mut(self, jump);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let result = declared(&closure.output);
        if let Some(result) = &result {
            tell(&mut closure.body, result);
        }
        Declared { result }.visit_expr_mut(&mut closure.body);
    }

    fn visit_item_fn_mut(&mut self, item: &mut ItemFn) {
        write_in(&mut item.block, declared(&item.sig.output).as_ref());
    }
}

fn declared(output: &ReturnType) -> Option<Type> {
    match output {
        ReturnType::Type(_, ty) => Some((**ty).clone()),
        ReturnType::Default => None,
    }
}

fn tell_block(block: &mut Block, ty: &Type) {
    if let Some(Stmt::Expr(tail, None)) = block.stmts.last_mut() {
        tell(tail, ty);
    }
}

/// The types of an `Option`, a `Result`, a `Box`.
fn contents(ty: &Type, owner: &str) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    match (path.path.segments.last()?.ident == owner, generic_args(&path.path).first()) {
        (true, Some(GenericArgument::Type(inner))) => Some(inner.clone()),
        _ => None,
    }
}

/// Of what type an expression is.
fn tell(expr: &mut Expr, ty: &Type) {
    match (expr, ty) {
        (expr, Type::Paren(inner)) => tell(expr, &inner.elem),
        (expr, Type::Group(inner)) => tell(expr, &inner.elem),
        (Expr::Paren(inner), ty) => tell(&mut inner.expr, ty),
        (Expr::Group(inner), ty) => tell(&mut inner.expr, ty),
        (Expr::Block(block), ty) => tell_block(&mut block.block, ty),
        (Expr::If(branch), ty) => {
            tell_block(&mut branch.then_branch, ty);
            if let Some((_, other)) = &mut branch.else_branch {
                tell(other, ty);
            }
        }
        (Expr::Match(choice), ty) => choice.arms.iter_mut().for_each(|arm| tell(&mut arm.body, ty)),
        (Expr::Reference(borrow), Type::Reference(of)) => tell(&mut borrow.expr, &of.elem),
        (Expr::Tuple(tuple), Type::Tuple(types)) if tuple.elems.len() == types.elems.len() => {
            tuple.elems.iter_mut().zip(&types.elems).for_each(|(part, ty)| tell(part, ty));
        }
        (Expr::Array(array), Type::Array(ty)) => array.elems.iter_mut().for_each(|part| tell(part, &ty.elem)),
        (Expr::Repeat(repeat), Type::Array(ty)) => tell(&mut repeat.expr, &ty.elem),
        (Expr::Call(call), ty) => tell_call(call, ty),
        (Expr::MethodCall(call), ty) => {
            let name = call.method.to_string();
            let some = contents(ty, "Option");
            match (&name[..], some.or_else(|| contents(ty, "Result")), call.args.last_mut()) {
                ("then_some", Some(inner), Some(value)) => tell(value, &inner),
                ("then" | "map", Some(inner), Some(Expr::Closure(closure))) => tell_closure(closure, &inner),
                ("and_then" | "or_else", Some(_), Some(Expr::Closure(closure))) => tell_closure(closure, ty),
                ("unwrap_or_else", _, Some(Expr::Closure(closure))) => tell_closure(closure, ty),
                ("unwrap_or" | "or", _, Some(value)) => tell(value, ty),
                ("map", None, Some(Expr::Closure(closure))) => {
                    if let Type::Array(array) = ty {
                        tell_closure(closure, &array.elem);
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
}

fn tell_closure(closure: &mut ExprClosure, ty: &Type) {
    if matches!(closure.output, ReturnType::Default) {
        tell(&mut closure.body, ty);
        // What it returns early is of that type, too.
        Declared { result: Some(ty.clone()) }.visit_expr_mut(&mut closure.body);
    }
}

fn tell_call(call: &mut ExprCall, ty: &Type) {
    let Expr::Path(function) = bare((*call.func).clone()) else { return };
    let Some(last) = function.path.segments.last().map(|last| last.ident.to_string()) else { return };
    let inner = match &last[..] {
        "Some" => contents(ty, "Option"),
        "Ok" => contents(ty, "Result"),
        "new" => contents(ty, "Box"),
        _ => None,
    };
    match (ty, inner, call.args.first_mut()) {
        (_, Some(inner), Some(arg)) => return tell(arg, &inner),
        (Type::Array(array), None, Some(Expr::Closure(closure))) if last == "from_fn" => {
            tell_closure(closure, &array.elem);
        }
        _ => {}
    }
    let makes = ["from_fn", "zeros", "ones", "eye", "full"].contains(&&last[..]);
    if makes && may_be_of_library(&function.path) && generic_args(&function.path).is_empty() {
        if let Some(path) = with_size(&function.path, call.args.first(), ty) {
            *call.func = Expr::Path(syn::ExprPath { path, ..function });
        }
    }
}

/// `std::array::from_fn::<f64, 3, _>` or `Tensor1::<f64, 3>::from_fn`.
fn with_size(function: &Path, maker: Option<&Expr>, ty: &Type) -> Option<Path> {
    let mut path = function.clone();
    let mut words = path.segments.iter_mut().rev();
    let (last, owner) = (words.next()?, words.next());
    match (ty, owner) {
        (Type::Array(TypeArray { elem, len, .. }), owner)
            if last.ident == "from_fn"
                && matches!(maker, Some(Expr::Closure(_)))
                && owner.as_ref().is_none_or(|owner| owner.ident == "array") =>
        {
            last.arguments = PathArguments::AngleBracketed(parse_quote!(::<#elem, { #len }, _>));
        }
        (Type::Path(tensor), Some(owner)) if owner.ident.to_string().starts_with("Tensor") => {
            let told = tensor.path.segments.last().filter(|told| told.ident == owner.ident)?;
            if !owner.arguments.is_none() {
                return None;
            }
            owner.arguments = told.arguments.clone();
        }
        _ => return None,
    }
    Some(path)
}
