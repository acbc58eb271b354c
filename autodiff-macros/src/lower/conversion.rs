//! Conversions: `V::from(x)`, `x.into()`. A type may be made from several others; which function it is, the type of the argument
//! says: see Note [Conversions] in [`crate::methods`].

use super::Lower;
use super::assign::unparen;
use super::call::strip_borrow;
use super::owned::function_path;
use super::value::{Lowered, Value};
use crate::diag::Error;
use crate::ir::{Elem, Opaque, Ty};
use crate::layout::{Form, Kind};
use crate::methods::NUMBER;
use crate::parse::tokens::referent;
use crate::parse::ty::{StructType, Surface, TypeScope, spelled};
use crate::relay::{FnInfo, ParamInfo};
use crate::source::Source;
use proc_macro2::Ident;
use quote::quote;
use syn::{Expr, ExprCall, ExprMethodCall, Pat, Path, Type};

/// The name that is given to what is converted.
const CONVERTED: &str = "__autodiff_converted";

impl Lower<'_> {
    /// `n.into()`, as far as the number or the struct that it becomes is known.
    pub(super) fn converted(&mut self, call: &ExprMethodCall, expected: Option<&Surface>) -> Lowered<Value> {
        let receiver = &call.receiver;
        match expected {
            Some(Surface::Struct(ty)) if !ty.is_option => {
                let mut path = ty.path.clone();
                path.segments.push(syn::PathSegment::from(Ident::new("from", call.method.span())));
                self.call(&syn::parse_quote!(#path(#receiver)), expected)
            }
            Some(to @ (Surface::Scalar(_) | Surface::Array(..) | Surface::Tuple(_))) => self.scoped(|lower| {
                let mut call = call.clone();
                *call.receiver = lower.named_once(receiver, CONVERTED)?;
                let value = lower.expr(&call.receiver)?;
                match (lower.conversion_into(&value, &call.receiver, to), to) {
                    (Some(converted), _) => converted,
                    (None, Surface::Scalar(elem)) => lower.number_into(&call, value, elem),
                    (None, _) => lower.method_call(&call),
                }
            }),
            _ => self.scoped(|lower| {
                let mut call = call.clone();
                *call.receiver = lower.named_once(receiver, CONVERTED)?;
                match lower.expr(&call.receiver)? {
                    Value::Parts(Kind::Struct(ty), _) if lower.is_converted(&ty) => {
                        let from = spelled(receiver);
                        let error = Error::new(&call.method, "what this is converted into is not visible");
                        lower.fail(
                            error
                                .help(format!("write it: `let value: Type = {from}.into();`, or `Type::from({from})`")),
                        )
                    }
                    _ => lower.method_call(&call),
                }
            }),
        }
    }

    /// Whether `into` of a struct is that of `Into`: the type is here, and has no method of that name.
    fn is_converted(&self, ty: &StructType) -> bool {
        let path = function_path(&ty.path, &Ident::new("into", proc_macro2::Span::call_site()));
        let relay = path.as_ref().and_then(|path| Some(path.segments.last()?.ident.to_string())).unwrap_or_default();
        let has_method = path.is_some_and(|path| self.knowledge.find_fn(&path).is_some());
        let is_ours = |source: &Source| source.defines_one_type(&ty.path) && !source.has_function(&relay);
        !has_method
            && !ty.is_option
            && ty.errors.is_none()
            && self.source.as_ref().is_some_and(|source| is_ours(source))
    }

    /// The type that an argument becomes by `into()`, or whose size it has: the parameter's, as it is named here.
    pub(super) fn type_of_argument(
        &mut self,
        arg: &Expr,
        param: &ParamInfo,
        info: &FnInfo,
    ) -> Lowered<Option<Surface>> {
        let ty = referent(&param.ty);
        let is_generic =
            |ty: &Type| matches!(ty, Type::Path(path) if info.generics.iter().any(|own| path.path.is_ident(&own.name)));
        if !is_into(strip_borrow(arg)) {
            return self.size_told_by(arg, param, info);
        }
        if is_generic(ty) || self.is_foreign(ty) {
            return Ok(None);
        }
        let surface = self.type_of_parameter(ty, info)?;
        Ok(Some(surface).filter(|surface| !matches!(surface, Surface::Other(_) | Surface::Seq(..))))
    }

    /// The type of a parameter of another function, as it is named here.
    pub(super) fn type_of_parameter(&mut self, ty: &Type, info: &FnInfo) -> Lowered<Surface> {
        let scope = TypeScope { knowledge: &info.nested, reals: &[], substitution: None };
        match scope.resolve(ty) {
            Ok(surface) => Ok(surface),
            Err(_) => self.resolve(ty),
        }
    }

    /// The type that a `let` tells with its pattern: `let Rad(r) = deg.into();`
    pub(super) fn type_of_pattern(&mut self, pattern: &Pat, init: &Expr) -> Lowered<Option<Surface>> {
        let path = match pattern {
            Pat::TupleStruct(pattern) => &pattern.path,
            Pat::Struct(pattern) => &pattern.path,
            _ => return Ok(None),
        };
        match is_into(init) {
            true => self.resolve(&syn::parse_quote!(#path)).map(Some),
            false => Ok(None),
        }
    }

    fn number_into(&mut self, call: &ExprMethodCall, value: Value, elem: &Elem) -> Lowered<Value> {
        match value {
            Value::Leaf(var, form) if self.b.ty(var).is_scalar() => {
                let out = match self.b.ty(var).elem {
                    Elem::Bool => {
                        let hole = crate::ir::hole(0);
                        let opaque = Opaque::pure(quote!(#hole.into()));
                        self.b.opaque(opaque, vec![var], Ty::scalar(elem.clone()))
                    }
                    _ => self.b.cast(var, elem),
                };
                Ok(Value::Leaf(self.track(out, &[var]), form))
            }
            other => {
                let message = format!("cannot convert {} with `into`", other.describe(&self.b));
                self.fail(Error::new(&call.method, message).help("write the conversion with `as`"))
            }
        }
    }

    /// What a struct becomes by `impl From<V> for [f64; 3]`; nothing, if it is no struct, or has a method `into`.
    pub(super) fn conversion_into(&mut self, value: &Value, arg: &Expr, to: &Surface) -> Option<Lowered<Value>> {
        let Value::Parts(Kind::Struct(ty), _) = value else { return None };
        let to = match to {
            Surface::Scalar(_) => format!("_{NUMBER}"),
            Surface::Array(..) => "_array".to_owned(),
            Surface::Tuple(parts) => format!("_{}", parts.len()),
            _ => return None,
        };
        let function = |name: &str| function_path(&ty.path, &Ident::new(name, syn::spanned::Spanned::span(arg)));
        let (path, method) = (function(&format!("into{to}"))?, function("into")?);
        let here = |path: &Path| {
            let relay = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            self.source.as_ref().is_some_and(|source| source.has_function(&relay))
        };
        let has_method = self.knowledge.find_fn(&method).is_some() || here(&method) && !here(&path);
        if has_method || ty.is_option || ty.errors.is_some() {
            return None;
        }
        Some(self.scoped(|lower| {
            let name = Ident::new(CONVERTED, syn::spanned::Spanned::span(arg));
            lower.define(CONVERTED, Some(value.clone()), false);
            let call: ExprCall = syn::parse_quote!(#path(#name));
            lower.call(&call, None)
        }))
    }

    /// The function of `V::from`, where its argument is this. It may have its name by the argument's path.
    pub(super) fn conversion_of(&self, path: &Path, value: &Value) -> Path {
        let suffix = match value {
            Value::Parts(Kind::Tuple, parts) => format!("_{}", parts.len()),
            Value::Parts(Kind::Array, _) => "_array".to_owned(),
            Value::Parts(Kind::Struct(ty), _) => {
                ty.path.segments.last().map_or_else(String::new, |last| format!("_{}", last.ident))
            }
            Value::Slice(_) => "_slice".to_owned(),
            Value::Leaf(var, form) => {
                let ty = self.b.ty(*var);
                match (form, &ty.elem) {
                    (Form::Tensor, _) => format!("_Tensor{}", ty.rank()),
                    (Form::Vector | Form::Matrix, _) => "_SMatrix".to_owned(),
                    (Form::Plain, _) if !ty.is_scalar() && ty.is_dynamic() => "_slice".to_owned(),
                    (Form::Plain, _) if !ty.is_scalar() => "_array".to_owned(),
                    (Form::Plain, Elem::Int(int)) => format!("_{int}"),
                    (Form::Plain, Elem::Bool) => "_bool".to_owned(),
                    _ => String::new(),
                }
            }
            _ => String::new(),
        };
        let mut path = path.clone();
        if path.segments.last().is_some_and(|last| last.ident.to_string().ends_with("_from")) {
            append(&mut path, &suffix);
        }
        path
    }
}

/// `x.into()`, and `x.try_into().unwrap()`
pub(super) fn is_into(expr: &Expr) -> bool {
    matches!(unparen(expr), Expr::MethodCall(call) if call.method == "into" && call.args.is_empty())
        || super::converted_slice::takes_expected(expr)
}

/// The function of `V::from(Unit::Metres)`, whose argument says by its path what it is.
pub(super) fn name_after_path(function: &mut Path, arg: &Expr) {
    let path = match unparen(arg) {
        Expr::Path(path) => &path.path,
        Expr::Struct(literal) => &literal.path,
        Expr::Call(call) => match unparen(&call.func) {
            Expr::Path(path) => &path.path,
            _ => return,
        },
        _ => return,
    };
    if let Some(owner) = Lower::enum_to_ask(path) {
        let name = owner.segments.last().map(|owner| owner.ident.to_string()).unwrap_or_default();
        append(function, &format!("_{name}"));
    }
}

fn append(path: &mut Path, suffix: &str) {
    if let Some(last) = path.segments.last_mut() {
        last.ident = Ident::new(&format!("{}{suffix}", last.ident), last.ident.span());
    }
}
