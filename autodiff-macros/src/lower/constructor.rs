//! Calls that make a number, a tensor or a struct.

use super::Lower;
use super::infer::Inference;
use super::value::{Lowered, Untyped, Value};
use crate::diag::{Error, are, counted};
use crate::ir::dim::Dim;
use crate::ir::{Elem, Opaque, Ty};
use crate::layout::{Form, Kind};
use crate::parse::marker::is_marker;
use crate::parse::ty::{Field, INTEGERS, Surface, generic_args, spelled};
use crate::relay::{FieldInfo, GenericKind, StructInfo};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::{Expr, ExprCall, Type};

impl Lower<'_> {
    /// `f64::sin(x)`, `T::from_f64(2.0)`
    pub(super) fn number_function(&mut self, call: &ExprCall, ty: &str, path: &syn::Path) -> Lowered<Value> {
        let Some(last) = path.segments.last() else { return self.unsupported(call, "this call", "call a method") };
        let args: Vec<&Expr> = call.args.iter().collect();
        let elem = match ty {
            "f32" => Some(Elem::F32),
            "f64" => Some(Elem::F64),
            _ if self.function.reals.iter().any(|real| real == ty) => Some(Elem::Real(Rc::from(ty))),
            // Of integers only the conversion.
            _ if last.ident == "from" && INTEGERS.contains(&ty) => Some(Elem::Int(Rc::from(ty))),
            _ => None,
        };
        if let ("from_f64" | "from_usize" | "from", Some(elem), [arg]) = (&last.ident.to_string()[..], &elem, &args[..])
        {
            return match self.expr(arg)? {
                Value::Untyped(untyped) if untyped.number.is_some() => Ok(self.typed(&untyped, elem)),
                value @ Value::Parts(Kind::Struct(_), _) => {
                    match self.conversion_into(&value, arg, &Surface::Scalar(elem.clone())) {
                        Some(converted) => converted,
                        None => self.unsupported(call, "this conversion", "convert a number"),
                    }
                }
                value if self.is_active(&value) => {
                    let [var] = value.leaves()[..] else {
                        return self.unsupported(call, "this conversion", "convert a number");
                    };
                    let out = self.b.cast(var, elem);
                    Ok(Value::Leaf(self.track(out, &[var]), Form::Plain))
                }
                Value::Leaf(var, Form::Plain) if self.b.ty(var).is_scalar() => {
                    let (function, hole) = (&call.func, crate::ir::hole(0));
                    let opaque = Opaque::pure(quote!(#function(#hole)));
                    Ok(Value::Leaf(self.b.opaque(opaque, vec![var], Ty::scalar(elem.clone())), Form::Plain))
                }
                value => match self.passive_tokens(&value) {
                    Some(arg) => {
                        let function = &call.func;
                        Ok(self.typed(&Untyped { tokens: quote!(#function(#arg)), number: None, integer: false }, elem))
                    }
                    None => self.unsupported(call, "this conversion", "convert a number"),
                },
            };
        }
        let Some((receiver, rest)) = args.split_first() else {
            let tokens = call.to_token_stream();
            return match elem {
                Some(elem) => Ok(self.typed(&Untyped { tokens, number: None, integer: false }, &elem)),
                None => Ok(Value::Untyped(Untyped { tokens, number: None, integer: false })),
            };
        };
        let value = match (self.expr(receiver)?, &elem) {
            (Value::Untyped(untyped), Some(elem)) => self.typed(&untyped, elem),
            (value, _) => value,
        };
        self.method(call, &last.ident, (receiver, value), rest)
    }

    /// `Tensor2::zeros()`, `Tensor1::full(v)`, `Tensor1::from([a, b])`
    pub(super) fn tensor_constructor(
        &mut self,
        call: &ExprCall,
        path: &syn::Path,
        expected: Option<&Surface>,
    ) -> Lowered<Value> {
        let name = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let mut owner = path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        let surface = match expected {
            Some(surface @ Surface::Tensor(..)) => Some(surface.clone()),
            _ if !generic_args(&owner).is_empty() => {
                Some(self.resolve(&Type::Path(syn::TypePath { qself: None, path: owner }))?)
            }
            _ => None,
        };
        let args: Vec<&Expr> = call.args.iter().collect();
        if let ("from", [arg]) = (&name[..], &args[..]) {
            return match self.expr(arg)? {
                Value::Leaf(var, _) if !self.b.ty(var).is_scalar() => Ok(Value::Leaf(var, Form::Tensor)),
                other => self.fail(Error::new(
                    arg,
                    format!("a tensor is made from an array of numbers, this is {}", other.describe(&self.b)),
                )),
            };
        }
        let Some(ty) = surface.as_ref().and_then(Surface::leaf) else {
            let message = "the shape of this tensor is not visible";
            return self.fail(Error::new(call, message).help("write its type: `let t: Tensor2<f32, 4, 3> = …`"));
        };
        match (&name[..], &args[..]) {
            ("zeros", []) => Ok(Value::Leaf(self.b.zero(ty), Form::Tensor)),
            ("ones", []) => {
                let one = self.b.constant(&ty.elem, 1.0);
                let out = self.b.apply(crate::op::view::BroadcastTo { dims: ty.dims }, &[one]);
                Ok(Value::Leaf(out, Form::Tensor))
            }
            ("eye", []) if ty.rank() == 2 => {
                let (zero, one) = (self.b.zero(ty.clone()), self.b.constant(&ty.elem, 1.0));
                let size = (Dim::literal(0), ty.dims[0].clone());
                let diagonal = self.b.for_loop(size, &[zero], |b, k, t| vec![b.set(t[0], one, &[k, k])]);
                Ok(Value::Leaf(diagonal[0], Form::Tensor))
            }
            ("full", [arg]) => {
                let value = self.expr(arg)?;
                let v = self.leaf_like(value, &Ty::scalar(ty.elem.clone()), arg)?;
                let out = self.b.apply(crate::op::view::BroadcastTo { dims: ty.dims }, &[v]);
                Ok(Value::Leaf(self.track(out, &[v]), Form::Tensor))
            }
            _ => self.unsupported(
                call,
                &format!("`{}`", spelled(path)),
                "make it from an array with `from`, or outside the function",
            ),
        }
    }

    /// `Pair(x, y)`
    pub(super) fn tuple_struct(
        &mut self,
        call: &ExprCall,
        path: &syn::Path,
        info: &StructInfo,
        values: Vec<Value>,
    ) -> Lowered<Value> {
        let path = self.with_generics(path, info, &values.iter().collect::<Vec<_>>())?;
        let ty = self.resolve(&Type::Path(syn::TypePath { qself: None, path: path.clone() }))?;
        let Surface::Struct(ty) = ty else {
            return self.unsupported(call, "this call", "derive `Differentiable` for the type");
        };
        if ty.fields.len() != values.len() {
            let message =
                format!("`{}` has {}, {} given", spelled(&path), counted(ty.fields.len(), "field"), are(values.len()));
            return self.fail(Error::new(call, message));
        }
        let mut parts = Vec::new();
        for ((value, field), arg) in values.into_iter().zip(&ty.fields).zip(&call.args) {
            parts.push(self.field_value(value, field, arg)?);
        }
        Ok(Value::Parts(Kind::Struct(ty.clone()), parts))
    }

    /// A value that a struct is made of.
    pub(super) fn field_value(&mut self, value: Value, field: &Field, at: &Expr) -> Lowered<Value> {
        if !field.active && self.is_active(&value) {
            return self.fail(
                Error::new(
                    at,
                    format!("the derivative ends here: field `{}` has none", field.member.to_token_stream()),
                )
                .note("the value depends on a differentiable input")
                .help("if that is meant, write `stop_gradient(…)` around it")
                .plain_rust(),
            );
        }
        self.coerce_part(value, &field.ty, at, "the field")
    }

    /// The path of a struct in an expression, with its generic arguments as its fields tell them.
    pub(super) fn with_generics(
        &mut self,
        path: &syn::Path,
        info: &StructInfo,
        values: &[&Value],
    ) -> Lowered<syn::Path> {
        if info.generics.is_empty() || !generic_args(path).is_empty() {
            return Ok(path.clone());
        }
        let args = match self.inferred_generics(info, &info.fields, values) {
            Ok(args) => args,
            Err(generic) => {
                let name = spelled(path);
                let message = format!("`{generic}` of `{name}` cannot be told from these fields");
                return self.fail(Error::new(path, message).help(format!("write it: `{name}::<…>`")));
            }
        };
        let bare = crate::relay::without_arguments(path);
        Ok(syn::parse_quote!(#bare<#(#args),*>))
    }

    /// The generic arguments that some fields with their values tell, or the name of one that they do not.
    pub(super) fn inferred_generics(
        &self,
        info: &StructInfo,
        fields: &[FieldInfo],
        values: &[&Value],
    ) -> Result<Vec<TokenStream>, String> {
        let mut known = Inference::new(&info.generics);
        for (field, value) in fields.iter().zip(values) {
            known.unify(&field.ty, &value.surface(&self.b));
        }
        let known = known.known;
        let args =
            info.generics.iter().map(|generic| match (known.dims.get(&generic.name), known.elems.get(&generic.name)) {
                (Some(dim), _) => Ok(crate::parse::tokens::dim_argument(dim)),
                (_, Some(elem)) => Ok(crate::parse::tokens::elem_tokens(elem)),
                // rustc infers it.
                _ if is_marker(&generic.name, info) => Ok(quote!(_)),
                // Of literals alone; rustc checks it.
                _ if generic.kind == GenericKind::Number => match self.default_elem() {
                    Some(elem) => Ok(crate::parse::tokens::elem_tokens(&elem)),
                    None => Err(generic.name.clone()),
                },
                _ => Err(generic.name.clone()),
            });
        args.collect()
    }
}
