//! What the receiver of a method is that carries no derivative.
//!
//! Note [Methods of the standard library]. `table.len()` has no effect if `table` is a slice. A type of the user's may have a
//! method of the same name with an effect, so that the type of the receiver decides, and not the name of the method. What rustc
//! knows is not known here: the type follows from the signature, from the structs of the file, and from literals. Where it
//! does not, the method is evaluated once and in its place, which is right for all of them.

use super::Lower;
use super::assign::unparen;
use crate::ir::{Elem, placed};
use crate::op::elementwise;
use crate::parse::ty::INTEGERS;
use crate::source::{COLLECTIONS, constant_of_std};
use crate::tokens::PRIMITIVES;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, GenericArgument, Lit, Member, Path, PathArguments, Type, UnOp};

/// Methods of texts and collections that only look at them.
const OF_COLLECTIONS: &[&str] = &["len", "is_empty", "as_ref", "as_slice"];
const OF_OPTIONS: &[&str] = &["is_some", "is_none", "as_ref"];
/// Methods of integers, besides those that floats have, too.
const OF_INTEGERS: &[&str] = &["pow"];

impl Lower<'_> {
    /// Whether a method of what some tokens stand for is one of the standard library without an effect.
    pub(super) fn is_method_of_std(&self, receiver: &TokenStream, method: &str) -> bool {
        let Ok(receiver) = syn::parse2::<Expr>(receiver.clone()) else { return false };
        if method == "unwrap" && taken_out(&receiver).is_some() {
            return true;
        }
        let Some(ty) = self.type_of(&receiver) else { return false };
        match behind(&ty) {
            Type::Slice(_) | Type::Array(_) => OF_COLLECTIONS.contains(&method),
            Type::Path(path) if self.is_number_path(&path.path) => {
                OF_INTEGERS.contains(&method) || elementwise::find_method(method, true).is_some()
            }
            Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option") => {
                self.is_collection(&path.path) && OF_OPTIONS.contains(&method)
            }
            Type::Path(path) => self.is_collection(&path.path) && OF_COLLECTIONS.contains(&method),
            _ => false,
        }
    }

    fn is_number_path(&self, path: &Path) -> bool {
        let Some(name) = path.get_ident().map(ToString::to_string) else { return false };
        (PRIMITIVES.contains(&&name[..]) || self.function.reals.contains(&name)) && !self.is_defined(&name)
    }

    fn is_collection(&self, path: &Path) -> bool {
        let Some(name) = path.segments.last().map(|last| last.ident.to_string()) else { return false };
        let is_known = COLLECTIONS.contains(&&name[..]) || ["str", "VecDeque"].contains(&&name[..]);
        is_known && name != "Box" && !self.is_defined(&name)
    }

    /// Whether the file defines a type of this name.
    fn is_defined(&self, name: &str) -> bool {
        self.source.as_ref().is_some_and(|source| source.defines_type(name))
    }

    /// The type of an expression over what carries no derivative, as far as it is written somewhere.
    fn type_of(&self, expr: &Expr) -> Option<Type> {
        match unparen(expr) {
            Expr::Path(path) => self.type_of_path(&path.path),
            Expr::Reference(reference) => self.type_of(&reference.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.type_of(&unary.expr),
            Expr::Unary(unary) => self.number_in(&unary.expr),
            Expr::Binary(binary) => self.number_in(&binary.left).or_else(|| self.number_in(&binary.right)),
            Expr::Cast(cast) => Some((*cast.ty).clone()),
            Expr::Lit(lit) => match &lit.lit {
                Lit::Float(_) => Some(syn::parse_quote!(f64)),
                Lit::Int(_) => Some(syn::parse_quote!(i32)),
                Lit::Str(_) => Some(syn::parse_quote!(str)),
                _ => None,
            },
            Expr::Field(field) => match (behind(&self.type_of(&field.base)?), &field.member) {
                (Type::Tuple(tuple), Member::Unnamed(index)) => tuple.elems.get(index.index as usize).cloned(),
                (Type::Path(path), Member::Named(name)) => {
                    let owner = path.path.get_ident()?.to_string();
                    self.source.as_ref()?.field_type(&owner, &name.to_string())
                }
                _ => None,
            },
            Expr::Index(index) if !matches!(unparen(&index.index), Expr::Range(_)) => {
                let of = self.type_of(&index.expr)?;
                match behind(&of) {
                    Type::Slice(slice) => Some((*slice.elem).clone()),
                    Type::Array(array) => Some((*array.elem).clone()),
                    Type::Path(path) if self.is_collection(&path.path) => argument(&path.path),
                    _ => None,
                }
            }
            // A part of a list is one, too.
            Expr::Index(index) => self.type_of(&index.expr),
            Expr::MethodCall(call) if call.method == "unwrap" && taken_out(&call.receiver).is_some() => {
                self.type_of(taken_out(&call.receiver)?)
            }
            Expr::MethodCall(call) => {
                let method = call.method.to_string();
                if !self.is_method_of_std(&call.receiver.to_token_stream(), &method) {
                    return None;
                }
                match &method[..] {
                    "len" => Some(syn::parse_quote!(usize)),
                    "is_empty" | "is_some" | "is_none" => Some(syn::parse_quote!(bool)),
                    _ => self.type_of(&call.receiver),
                }
            }
            _ => None,
        }
    }

    fn number_in(&self, expr: &Expr) -> Option<Type> {
        self.type_of(expr).filter(|ty| matches!(behind(ty), Type::Path(path) if self.is_number_path(&path.path)))
    }

    fn type_of_path(&self, path: &Path) -> Option<Type> {
        let mut vars = Vec::new();
        placed(path.to_token_stream(), &mut vars);
        if let [var] = vars[..] {
            return match &self.b.ty(var).elem {
                _ if !self.b.ty(var).is_scalar() => None,
                Elem::F32 => Some(syn::parse_quote!(f32)),
                Elem::Foreign => None,
                Elem::Int(name) if INTEGERS.contains(&&name[..]) => Some(syn::parse_quote!(i32)),
                _ => Some(syn::parse_quote!(f64)),
            };
        }
        let param = path.get_ident().and_then(|name| self.function.params.iter().find(|param| param.name == *name));
        match param {
            Some(param) => Some(param.ty.clone()),
            None => {
                let source = self.source.as_deref();
                let of_std = constant_of_std(path, self.function.name(), source);
                let constant = of_std.or_else(|| source.and_then(|source| source.constant_type(path)));
                constant.or_else(|| self.names.get(&path.get_ident()?.to_string()).cloned())
            }
        }
    }
}

/// What a pattern takes out of data: `name` of `match data { P { name } => Some(name), _ => None }`, as lowering writes it.
fn taken_out(expr: &Expr) -> Option<&Expr> {
    let Expr::Match(choice) = unparen(expr) else { return None };
    let [first, _] = &choice.arms[..] else { return None };
    let Expr::Call(some) = &*first.body else { return None };
    let is_written_here = some.func.to_token_stream().to_string().starts_with(":: core :: option");
    some.args.first().filter(|_| is_written_here)
}

/// What references are of.
fn behind(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => behind(&reference.elem),
        Type::Paren(paren) => behind(&paren.elem),
        Type::Group(group) => behind(&group.elem),
        ty => ty,
    }
}

/// `T` of `Vec<T>`.
fn argument(path: &Path) -> Option<Type> {
    let PathArguments::AngleBracketed(args) = &path.segments.last()?.arguments else { return None };
    match args.args.first()? {
        GenericArgument::Type(ty) if args.args.len() == 1 => Some(ty.clone()),
        _ => None,
    }
}
