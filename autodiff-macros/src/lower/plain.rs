//! Enums without a derivative that a variable holds and changes.
//!
//! Note [Enums that change]. `let mut mode = Mode::Heat;` holds what has no number in it, but what the reverse sweep may have to
//! know for every iteration of a loop. If the file defines the enum, and it has integers only, then such a variable is what
//! one with a derivative would be: the kind, and the fields of all variants (Note [Enums] in [`crate::parse::ty`]). It is
//! taken apart by a `match` over the variants that the file says, so that rustc refuses it if the name means another type, and put
//! together again where it is passed on. An enum of another file is an object: Note [Data that change] in `object.rs`. So is one
//! whose methods change it, where the file does not show them. A field of a struct with a derivative is the same: the derive reads the
//! definition, and the relay of the struct tells it (`__autodiff_plain` in `source/plain.rs`), so that all who see the struct agree.

use super::Lower;
use super::assign::unparen;
use super::passive_pattern::where_it_fits;
use super::value::{Lowered, Reported, Untyped, Value, dereferenced};
use super::variant::Named;
use crate::ir::Elem;
use crate::layout::{Form, Kind};
use crate::parse::tokens::{crate_path, struct_path};
use crate::parse::ty::{StructType, Surface, TypeScope, generic_args};
use crate::relay::{Info, Knowledge, StructInfo};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use std::rc::Rc;
use syn::{Expr, ExprMethodCall, Path, ReturnType, Signature, Type};

impl Lower<'_> {
    /// The enum without a derivative that a path means, if the file defines it.
    pub(super) fn plain_type(&self, path: &Path) -> Option<Rc<StructType>> {
        let item = self.source.as_ref()?.plain_enum(path)?;
        let mut knowledge = Knowledge::default();
        knowledge.insert(crate::relay::key(path), Info::Struct(Rc::new(StructInfo::plain(&item))));
        let scope = TypeScope { knowledge: &knowledge, reals: &[], substitution: None };
        match scope.resolve(&syn::parse_quote!(#path)).ok()? {
            Surface::Struct(ty) => Some(ty),
            _ => None,
        }
    }

    /// How it is named here: the path of the type of a field may mean nothing.
    pub(super) fn struct_path(&self, ty: &StructType) -> TokenStream {
        struct_path(ty, &crate_path(&self.function.attr))
    }

    pub(super) fn plain_surface(&self, ty: &Type) -> Option<Surface> {
        match ty {
            Type::Path(path) if path.qself.is_none() && is_option(&path.path) => {
                let [syn::GenericArgument::Type(inner)] = &generic_args(&path.path)[..] else { return None };
                let inner =
                    self.plain_surface(inner).filter(|inner| matches!(inner, Surface::Struct(ty) if ty.is_plain()));
                Some(Surface::Struct(Rc::new(StructType::option(inner?, path.path.clone()))))
            }
            Type::Path(path) if path.qself.is_none() => self.plain_type(&path.path).map(Surface::Struct),
            _ => None,
        }
    }

    /// The type of what is only passed on, if it is such an enum as far as is written.
    pub(super) fn plain_type_of(&self, value: &Value) -> Option<Rc<StructType>> {
        match value {
            Value::Parts(Kind::Struct(ty), _) if is_plain(ty) => Some(ty.clone()),
            Value::Untyped(Untyped { tokens, number: None, .. }) | Value::Other(tokens) => {
                self.plain_type_of_expr(&syn::parse2(dereferenced(tokens.clone())).ok()?)
            }
            _ => None,
        }
    }

    fn plain_type_of_expr(&self, expr: &Expr) -> Option<Rc<StructType>> {
        let of_variant = |path: &Path| {
            let mut owner = path.clone();
            let name = owner.segments.pop()?.into_value().ident;
            owner.segments.pop_punct();
            let ty = self.plain_type(&owner)?;
            ty.variants.iter().any(|variant| variant.name == name).then_some(ty)
        };
        match unparen(expr) {
            Expr::Path(path) if path.qself.is_none() && path.path.segments.len() > 1 => of_variant(&path.path),
            Expr::Struct(literal) => of_variant(&literal.path),
            Expr::Call(call) => match (&*call.func, call.args.first()) {
                (Expr::Path(path), Some(arg)) if path.path.segments.last().is_some_and(|last| last.ident == "Some") => {
                    let inner = self.plain_type_of_expr(arg).filter(|ty| ty.is_plain())?;
                    Some(Rc::new(StructType::option(Surface::Struct(inner), syn::parse_quote!(Option))))
                }
                (Expr::Path(path), _) if path.qself.is_none() => of_variant(&path.path),
                _ => None,
            },
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.plain_type_of_expr(&unary.expr),
            expr @ (Expr::Path(_) | Expr::Field(_)) => {
                let mut ty = self.data_type(self.source.as_ref()?, expr)?;
                while let Type::Reference(reference) = ty {
                    ty = *reference.elem;
                }
                match self.plain_surface(&ty)? {
                    Surface::Struct(ty) => Some(ty),
                    _ => None,
                }
            }
            Expr::If(choice) => {
                let [syn::Stmt::Expr(first, None)] = &choice.then_branch.stmts[..] else { return None };
                self.plain_type_of_expr(first)
            }
            _ => None,
        }
    }

    /// What is only passed on, taken apart.
    pub(super) fn plain_parts(&mut self, tokens: &TokenStream, ty: &Rc<StructType>) -> Option<Value> {
        let tokens = dereferenced(tokens.clone());
        if ty.is_option {
            return self.plain_option(&tokens, ty);
        }
        let path = self.struct_path(ty);
        let arms = ty.variants.iter().enumerate().map(|(k, variant)| {
            let (k, name) = (Literal::usize_suffixed(k), &variant.name);
            quote!(#path::#name { .. } => #k)
        });
        let kind = quote!((match &(#tokens) { #(#arms),* }));
        let mut parts = vec![Value::Leaf(self.passive_number(&kind, &Elem::usize(), &Clone::clone), Form::Plain)];
        for (k, field) in ty.fields.iter().enumerate().skip(1) {
            let (variant, member) = (&ty.variant_of(k)?.name, &field.member);
            let none = default_of(&field.ty)?;
            let part = quote! {
                (match &(#tokens) {
                    #path::#variant { #member: __autodiff_part, .. } => *__autodiff_part,
                    #[allow(unreachable_patterns)]
                    _ => #none,
                })
            };
            parts.push(self.passive_struct(&part, &field.ty)?);
        }
        Some(Value::Parts(Kind::Struct(ty.clone()), parts))
    }

    /// The same of an `Option`.
    fn plain_option(&mut self, tokens: &TokenStream, ty: &Rc<StructType>) -> Option<Value> {
        let untyped = Untyped { tokens: tokens.clone(), number: None, integer: false };
        if let Some(known) = self.known_option(&untyped, ty) {
            return known.ok();
        }
        let Surface::Struct(inner) = &ty.fields[1].ty else { return None };
        let kind = quote!((match &(#tokens) { ::core::option::Option::Some(_) => 1usize, _ => 0usize }));
        let kind = Value::Leaf(self.passive_number(&kind, &Elem::usize(), &Clone::clone), Form::Plain);
        let (path, first) = (self.struct_path(inner), inner.variants.first()?);
        let (name, fields) = (&first.name, &inner.fields[first.fields.clone()]);
        let members = fields.iter().map(|field| &field.member);
        let values = fields.iter().map(|field| default_of(&field.ty)).collect::<Option<Vec<_>>>()?;
        let part = quote! {
            (*match &(#tokens) {
                ::core::option::Option::Some(__autodiff_plain) => __autodiff_plain,
                _ => &#path::#name { #(#members: #values),* },
            })
        };
        let part = self.plain_parts(&part, inner)?;
        Some(Value::Parts(Kind::Struct(ty.clone()), vec![kind, part]))
    }

    /// What a variable begins with that changes: taken apart, if it is such an enum.
    pub(super) fn plain_variable(&mut self, value: &Value, is_object: bool) -> Option<Value> {
        let (Value::Untyped(Untyped { tokens, .. }) | Value::Other(tokens)) = value else { return None };
        let ty = self.plain_type_of(value).filter(|_| !is_object)?;
        self.plain_parts(tokens, &ty)
    }

    /// The type of a choice between two values of such an enum, if it has to be taken apart.
    pub(super) fn plain_choice(&self, a: &Value, b: &Value) -> Option<Rc<StructType>> {
        let is_apart = |value: &Value| matches!(value, Value::Parts(..));
        let is_told = |value: &Value| is_apart(value) || super::learned::is_untold(value);
        let same = || Some(self.passive_tokens(a)?.to_string() == self.passive_tokens(b)?.to_string());
        if !is_told(a) || !is_told(b) || is_apart(a) && is_apart(b) || same() == Some(true) {
            return None;
        }
        self.plain_type_of(a).or_else(|| self.plain_type_of(b))
    }

    /// The signature of a method, as far as the file tells.
    pub(super) fn method_of_enum(&self, ty: &StructType, method: &Ident) -> Option<Signature> {
        let own = self.plain_type(&ty.path)?;
        let names = |ty: &StructType| ty.variants.iter().map(|variant| variant.name.to_string()).collect::<Vec<_>>();
        let owner = ty.path.segments.last().filter(|_| names(&own) == names(ty))?.ident.to_string();
        self.source.as_ref()?.signature(&format!("{owner}::{method}")).filter(|sig| sig.receiver().is_some())
    }

    /// `mode.advance(n)`, which changes its receiver: it is put together, changed, and taken apart again.
    pub(super) fn changed_plain(&mut self, call: &ExprMethodCall, receiver: &Value, sig: &Signature) -> Lowered<Value> {
        let Value::Parts(Kind::Struct(ty), _) = receiver else { return Err(Reported) };
        let mut args = Vec::new();
        for arg in &call.args {
            let value = self.expr(arg)?;
            match self.inactive_argument(&value, arg).filter(|_| !self.is_active(&value)) {
                Some(tokens) => args.push(where_it_fits(tokens, true)),
                None => return self.unsupported(arg, "this argument of a method without a derivative", "pass numbers"),
            }
        }
        let (of, method, place) = (self.passive_tokens(receiver), &call.method, self.place(&call.receiver)?);
        let result = match &sig.output {
            ReturnType::Type(_, ty) => self.plain_surface(ty).map_or_else(|| self.resolve(ty), Ok)?,
            ReturnType::Default => Surface::Tuple(Vec::new()),
        };
        let path = self.struct_path(ty);
        let both = quote!({
            let mut __autodiff_object: #path = #of;
            let __autodiff_result = #path::#method(&mut __autodiff_object, #(#args),*);
            (__autodiff_object, __autodiff_result)
        });
        let owner = ty.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let is_pure = self.source.as_ref().is_some_and(|source| source.changes_only_self(&owner, &method.to_string()));
        let both = match is_pure {
            true => Value::Untyped(Untyped { tokens: both, number: None, integer: false }),
            false => self.once(both),
        };
        let Some(both) = self.passive_tokens(&both) else { return Err(Reported) };
        let Some(new) = self.plain_parts(&quote!(#both.0), ty) else { return Err(Reported) };
        self.put(call, &place, &new)?;
        match &result {
            Surface::Tuple(parts) if parts.is_empty() => Ok(Value::unit()),
            result => match self.passive_struct(&quote!(#both.1), result) {
                Some(value) => Ok(value),
                None => self.unsupported(method, "what this method gives", "give a number or a truth value"),
            },
        }
    }

    /// `Mode::Set { level }`: what names nothing of the function is passed on as it is written.
    pub(super) fn plain_literal(&mut self, literal: &syn::ExprStruct) -> Option<Lowered<Value>> {
        let ty = self.plain_type_of_expr(&Expr::Struct(literal.clone())).filter(|_| literal.rest.is_none())?;
        if crate::desugar::idents(&Expr::Struct(literal.clone())).iter().all(|name| self.lookup(name).is_none()) {
            let tokens = quote!((#literal));
            return Some(Ok(Value::Untyped(Untyped { tokens, number: None, integer: false })));
        }
        let name = literal.path.segments.last()?.ident.clone();
        let named = Named { owner: ty.path.clone(), info: ty.info.clone(), name };
        Some(self.variant_literal(literal, &named, Some(&Surface::Struct(ty))))
    }

    /// The type of a variant that a call makes: `Mode::Wait(n)`.
    pub(super) fn plain_variant(&self, function: &Expr) -> Option<Surface> {
        let Expr::Path(path) = function else { return None };
        let call = Expr::Call(syn::parse_quote!(#path()));
        self.plain_type_of_expr(&call).map(Surface::Struct)
    }

    /// The expression of an enum without a derivative, of its kind and its fields.
    pub(super) fn plain_tokens(&self, ty: &StructType, parts: &[Value]) -> Option<TokenStream> {
        let (kind, parts) = (self.inactive_tokens(&parts[0])?, parts);
        if let (true, Some(Value::Parts(Kind::Struct(inner), inner_parts))) = (ty.is_option, parts.get(1)) {
            let inner = self.plain_tokens(inner, inner_parts)?;
            return Some(quote!((match #kind {
                0 => ::core::option::Option::None,
                _ => ::core::option::Option::Some(#inner),
            })));
        }
        let path = self.struct_path(ty);
        let variants = ty.variants.iter().map(|variant| {
            let (name, fields) = (&variant.name, variant.fields.clone());
            let members = ty.fields[fields.clone()].iter().map(|field| &field.member);
            let values = parts[fields].iter().map(|part| self.inactive_tokens(part)).collect::<Option<Vec<_>>>()?;
            Some(quote!(#path::#name { #(#members: #values),* }))
        });
        let variants = variants.collect::<Option<Vec<_>>>()?;
        let (last, others) = variants.split_last()?;
        let numbers = (0..others.len()).map(Literal::usize_unsuffixed);
        Some(quote!((match #kind { #(#numbers => #others,)* _ => #last })))
    }
}

/// Whether it is such an enum, or an `Option` of one.
pub(super) fn is_plain(ty: &StructType) -> bool {
    let is_inside = |ty: &StructType| matches!(&ty.fields[1].ty, Surface::Struct(inner) if inner.is_plain());
    ty.is_plain() || ty.is_option && is_inside(ty)
}

fn is_option(path: &Path) -> bool {
    path.segments.last().is_some_and(|last| last.ident == "Option")
}

/// Whether a method takes `&mut self`.
pub(super) fn changes(sig: &Signature) -> bool {
    let this = sig.receiver().map(|this| &*this.ty);
    matches!(this, Some(Type::Reference(borrow)) if borrow.mutability.is_some())
}

/// What a field is in a value of another variant.
fn default_of(surface: &Surface) -> Option<TokenStream> {
    match surface {
        Surface::Scalar(Elem::Bool) => Some(quote!(false)),
        Surface::Scalar(_) => Some(quote!(0)),
        _ => None,
    }
}
