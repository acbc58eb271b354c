//! The types of data without a derivative, as far as the file tells: of parameters, of their fields and elements, of constants, and of
//! what the file's functions give. What the file does not show has no type here, though rustc knows it.

use super::Lower;
use super::assign::unparen;
use super::passive_pattern::subject_and_pattern;
use super::value::{Lowered, Untyped, Value};
use crate::diag::Error;
use crate::ir::{Elem, placed};
use crate::parse::ty::{Surface, TypeScope, generic_args, spelled};
use crate::relay::Knowledge;
use crate::source::Source;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprCall, ExprMethodCall, GenericArgument, Ident, Member, Pat, Path, Type, UnOp};

/// What collections of the standard library are given numbers by.
const KEEPING: &[&str] = &["append", "entry", "extend", "insert", "push", "push_back", "push_front"];

impl Lower<'_> {
    /// The type of an expression over what carries no derivative.
    pub(super) fn data_type(&self, source: &Source, expr: &Expr) -> Option<Type> {
        match unparen(expr) {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.data_type(source, &unary.expr),
            Expr::Reference(reference) => self.data_type(source, &reference.expr),
            Expr::Path(path) if path.qself.is_none() => {
                let mut vars = Vec::new();
                placed(path.to_token_stream(), &mut vars);
                if let [var] = vars[..] {
                    return self.called.get(&var)?.clone();
                }
                let of_param = |name: &syn::Ident| self.function.params.iter().find(|param| param.name == *name);
                match path.path.get_ident().and_then(of_param) {
                    Some(param) => Some(param.ty.clone()),
                    // A struct without fields is its own value.
                    None if source.is_unit_struct(&path.path) => {
                        Some(Type::Path(syn::TypePath { qself: None, path: path.path.clone() }))
                    }
                    None => source.constant_type(&path.path),
                }
            }
            Expr::Field(field) => {
                let base = self.data_type(source, &field.base)?;
                match (behind(&base), &field.member) {
                    (Type::Tuple(tuple), Member::Unnamed(index)) => tuple.elems.get(index.index as usize).cloned(),
                    (base, member) => source.type_of_field(base, member),
                }
            }
            Expr::Index(index) => {
                let of = self.data_type(source, &index.expr)?;
                match unparen(&index.index) {
                    Expr::Range(_) => Some(of),
                    _ => element(source, behind(&of)),
                }
            }
            Expr::Struct(literal) if literal.qself.is_none() => {
                let path = &literal.path;
                source.defines_one_type(path).then(|| syn::parse_quote!(#path))
            }
            Expr::Array(array) => {
                let (of, len) = (self.data_type(source, array.elems.first()?)?, array.elems.len());
                Some(syn::parse_quote!([#of; #len]))
            }
            Expr::If(choice) => match &choice.then_branch.stmts[..] {
                [syn::Stmt::Expr(first, None)] => self.data_type(source, first),
                _ => None,
            },
            Expr::MethodCall(call) => self.type_of_method(source, call),
            Expr::Call(call) => type_of_call(source, call),
            _ => None,
        }
    }

    /// The same of tokens.
    pub(super) fn type_of_tokens(&self, tokens: &TokenStream) -> Option<Type> {
        let (source, expr) = (self.source.clone()?, syn::parse2::<Expr>(tokens.clone()).ok()?);
        self.data_type(&source, &expr)
    }

    /// Whether tokens are an `Option`, as far as the file tells.
    pub(super) fn is_option_of_data(&self, tokens: &TokenStream) -> bool {
        matches!(self.type_of_tokens(tokens), Some(Type::Path(path))
            if path.path.segments.last().is_some_and(|last| last.ident == "Option"))
    }

    /// An `Option` as a list of one element or none, which `flatten` goes over.
    pub(super) fn as_list(&self, data: TokenStream) -> TokenStream {
        match self.is_option_of_data(&data) {
            true => quote!(#data.as_slice()),
            false => data,
        }
    }

    /// A field that a pattern gives a name to: texts and lists are not moved out of the struct.
    pub(super) fn taken_by_pattern(&self, field: Value, pat: &syn::Pat) -> Value {
        let is_name = matches!(pat, syn::Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none());
        match &field {
            Value::Other(tokens) if is_name => match self.type_of_tokens(tokens) {
                Some(Type::Path(ty))
                    if ty.path.segments.last().is_some_and(|last| last.ident == "String" || last.ident == "Vec") =>
                {
                    field.borrowed()
                }
                _ => field,
            },
            _ => field,
        }
    }

    /// What a pattern that always fits takes from data that are borrowed, where their type is visible: names stand for borrows of
    /// the parts, and for numbers.
    pub(super) fn parts_of_data<'p>(&self, pattern: &'p Pat, data: &Value) -> Option<Vec<(&'p Pat, Value)>> {
        let (Value::Other(tokens) | Value::Untyped(Untyped { tokens, number: None, .. })) = data else { return None };
        let is_borrow = matches!(unparen(&syn::parse2::<Expr>(tokens.clone()).ok()?), Expr::Reference(_));
        let members: Vec<(Member, &Pat)> = match pattern {
            Pat::Tuple(tuple) => tuple.elems.iter().enumerate().map(|(k, pat)| (Member::from(k), pat)).collect(),
            Pat::Struct(fields) => fields.fields.iter().map(|field| (field.member.clone(), &*field.pat)).collect(),
            _ => return None,
        };
        let named = members.into_iter().filter(|(_, pat)| !matches!(pat, Pat::Wild(_)));
        let part = |(member, pat): (Member, &'p Pat)| {
            let part = data.member(&member)?;
            let (Value::Other(tokens) | Value::Untyped(Untyped { tokens, .. })) = &part else { return None };
            let is_plain = matches!(pat, Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none());
            self.type_of_tokens(tokens).filter(|_| is_plain)?;
            Some((pat, if self.number_of_tokens(tokens).is_some() { part } else { part.borrowed() }))
        };
        if is_borrow { named.map(part).collect() } else { None }
    }

    /// Data of a visible type: a struct taken apart, or a number of the type that the file says.
    pub(super) fn typed_data(&mut self, data: &Untyped) -> Lowered<Option<Value>> {
        if let Some(surface) = self.data_struct(&Value::Untyped(data.clone()))? {
            return Ok(self.passive_struct(&data.tokens, &surface));
        }
        let elem = self.number_of_tokens(&data.tokens).filter(|_| data.number.is_none());
        Ok(elem.map(|elem| self.typed(data, &elem)))
    }

    /// Data of a type of nalgebra, if the file says so, as a value to compute with; all else as it is.
    pub(super) fn data_of_nalgebra(&mut self, value: Value) -> Lowered<Value> {
        let (Value::Other(tokens) | Value::Untyped(Untyped { tokens, number: None, .. })) = &value else {
            return Ok(value);
        };
        let ty = self.type_of_tokens(tokens).map(|ty| behind(&ty).clone());
        let Some(Type::Path(path)) = ty.filter(|ty| matches!(ty, Type::Path(_))) else { return Ok(value) };
        let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let is_named =
            crate::source::is_name_of_nalgebra(&name) || crate::parse::geometry::of_unit(&path.path).is_some();
        if !is_named || !crate::parse::matrix::is_of_nalgebra(&path.path) || self.is_own_type(&path.path) {
            return Ok(value);
        }
        let (tokens, surface) = (tokens.clone(), self.resolve(&Type::Path(path))?);
        let value = self.passive_struct(&tokens, &surface).unwrap_or(value);
        Ok(self.unit_as_vector(value))
    }

    /// Of which type a number is that is passed on, if the file says that it is one.
    pub(super) fn number_of_data(&self, value: &Value) -> Option<Elem> {
        match value {
            Value::Other(tokens) => self.number_of_tokens(tokens),
            _ => None,
        }
    }

    fn number_of_tokens(&self, tokens: &TokenStream) -> Option<Elem> {
        let scope = TypeScope { knowledge: &Knowledge::default(), reals: &[], substitution: None };
        let ty = self.type_of_tokens(tokens).filter(|ty| matches!(ty, Type::Path(_)))?;
        match scope.resolve(&ty).ok()? {
            Surface::Scalar(elem) => Some(elem),
            _ => None,
        }
    }

    /// What a call of data gives, as a `let` declares it: nothing but the declaration may tell what it collects or parses. A number or a
    /// struct is looked into elsewhere.
    pub(super) fn declared_data(&mut self, value: Value, ty: &Type, surface: &Surface) -> Value {
        let is_called = |lower: &Self| matches!(&value, Value::Untyped(untyped) if lower.is_called(&untyped.tokens));
        let (false, true, Value::Untyped(Untyped { tokens, .. })) =
            (matches!(surface, Surface::Scalar(_) | Surface::Struct(_)), is_called(self), &value)
        else {
            return value;
        };
        let typed = self.once(quote!(::core::convert::identity::<#ty>(#tokens)));
        let Value::Untyped(Untyped { tokens, .. }) = &typed else { return typed };
        let mut vars = Vec::new();
        placed(tokens.clone(), &mut vars);
        self.called.extend(vars.first().map(|var| (*var, Some(ty.clone()))));
        let is_of_numbers = matches!(surface, Surface::Array(..) | Surface::Tuple(_) | Surface::Seq(..));
        let parts = if is_of_numbers { self.passive_struct(tokens, surface) } else { None };
        parts.unwrap_or(typed)
    }

    /// Whether tokens are data of a type of the user's.
    pub(super) fn is_of_users(&self, tokens: &TokenStream) -> bool {
        let ty = self.type_of_tokens(tokens);
        ty.zip(self.source.as_ref()).is_some_and(|(ty, source)| user_type(source, behind(&ty)).is_some())
    }

    /// That the type of what has a method is not visible, so that nobody can say whether the method has a derivative.
    pub(super) fn invisible_receiver(
        &self,
        at: &impl ToTokens,
        method: &Ident,
        receiver: &TokenStream,
    ) -> Option<Error> {
        let Ok(call) = syn::parse2::<ExprMethodCall>(at.to_token_stream()) else { return None };
        if self.type_of_tokens(receiver).is_some() {
            return None;
        }
        let of = Some(spelled(&call.receiver)).filter(|text| text.len() <= 40 && !text.contains("__autodiff"));
        let (what, declared) = match (of, unparen(&call.receiver)) {
            (Some(name), Expr::Path(_)) => (format!("`{name}`"), format!("let {name}: Type = …;")),
            (Some(text), Expr::Call(_) | Expr::MethodCall(_)) => {
                (format!("`{text}`"), format!("let value: Type = {text};"))
            }
            (Some(text), _) => (format!("`{text}`"), format!("let value: &Type = &{text};")),
            (None, _) => (format!("what has the method `{method}`"), "let value: Type = …;".to_owned()),
        };
        let note = "an argument depends on a differentiable input";
        if KEEPING.contains(&&method.to_string()[..]) {
            let message = format!("the derivative ends here: {what} is not known to be an array or a `Vec`");
            let help = format!(
                "keep numbers in an array or a `Vec`, which have derivatives, and write its type: `{}`; if none is wanted, write `stop_gradient(…)` around the argument",
                declared.replace("Type", "Vec<f64>")
            );
            return Some(Error::new(method, message).note(note).help(help).plain_rust());
        }
        let message =
            format!("the derivative ends here: the type of {what} is not visible, so that `{method}` is not known");
        let help = format!(
            "write the type: `{declared}`; if no derivative is wanted, write `stop_gradient(…)` around the argument"
        );
        Some(Error::new(method, message).note(note).help(help).plain_rust())
    }

    fn type_of_method(&self, source: &Source, call: &ExprMethodCall) -> Option<Type> {
        if let Some((subject, pat, name)) = subject_and_pattern(call) {
            return type_of_bound(source, &pat, &name, self.data_type(source, &subject).as_ref());
        }
        let of = self.data_type(source, &call.receiver)?;
        let of = behind(&of);
        if let Some(owner) = user_type(source, of) {
            let result = result_of(source, &owner, &call.method.to_string());
            let is_copy = matches!(&call.method.to_string()[..], "clone" | "to_owned");
            return result.or_else(|| is_copy.then(|| of.clone()));
        }
        match &call.method.to_string()[..] {
            "clone" | "to_owned" | "as_ref" | "copied" | "cloned" => Some(of.clone()),
            "unwrap" | "expect" | "unwrap_or" if is_named(of, "Option") => argument(of, 0),
            _ => None,
        }
    }

    /// The struct of the user's that data are of, if that has a derivative, so that a call may look into them.
    pub(super) fn data_struct(&mut self, value: &Value) -> Lowered<Option<Surface>> {
        let tokens = match value {
            Value::Other(tokens) | Value::Untyped(Untyped { tokens, number: None, .. }) => tokens,
            _ => return Ok(None),
        };
        let Some(ty) = self.type_of_tokens(tokens).map(|ty| behind(&ty).clone()) else { return Ok(None) };
        let is_of_users = self.source.as_ref().is_some_and(|source| user_type(source, &ty).is_some());
        if !is_of_users || self.is_foreign(&ty) || self.plain_surface(&ty).is_some() {
            return Ok(None);
        }
        let surface = self.resolve(&ty)?;
        Ok(Some(surface).filter(|surface| matches!(surface, Surface::Struct(ty) if ty.variants.is_empty())))
    }
}

/// The type of what a pattern gives a name to: the fields of variants are in the file.
fn type_of_bound(source: &Source, pat: &Pat, name: &Ident, of: Option<&Type>) -> Option<Type> {
    let field = |path: &Path, member: String| {
        let mut words = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let last = words.next()?;
        let owner = words.next().map_or(last.clone(), |of| format!("{of}::{last}"));
        source.field(&owner, &member).filter(|(params, _)| params.is_empty()).map(|(_, ty)| ty)
    };
    match pat {
        Pat::Ident(ident) if ident.ident == *name && ident.subpat.is_none() => of.cloned(),
        Pat::Reference(inner) => type_of_bound(source, &inner.pat, name, of.map(behind)),
        Pat::Paren(inner) => type_of_bound(source, &inner.pat, name, of),
        Pat::Struct(whole) => whole.fields.iter().find_map(|part| {
            let ty = field(&whole.path, part.member.to_token_stream().to_string());
            type_of_bound(source, &part.pat, name, ty.as_ref())
        }),
        Pat::TupleStruct(whole) if whole.path.segments.last().is_some_and(|last| last.ident == "Some") => {
            let inner = of.map(behind).and_then(|of| argument(of, 0));
            type_of_bound(source, whole.elems.first()?, name, inner.as_ref())
        }
        Pat::TupleStruct(whole) if !whole.elems.iter().any(|part| matches!(part, Pat::Rest(_))) => whole
            .elems
            .iter()
            .enumerate()
            .find_map(|(k, part)| type_of_bound(source, part, name, field(&whole.path, k.to_string()).as_ref())),
        Pat::Tuple(whole) if !whole.elems.iter().any(|part| matches!(part, Pat::Rest(_))) => {
            let parts = match of.map(behind) {
                Some(Type::Tuple(tuple)) => tuple.elems.iter().cloned().collect(),
                _ => Vec::new(),
            };
            whole.elems.iter().enumerate().find_map(|(k, part)| type_of_bound(source, part, name, parts.get(k)))
        }
        _ => None,
    }
}

/// What `M::identity()` and `load(t)` give, if the file has the one function of that name.
fn type_of_call(source: &Source, call: &ExprCall) -> Option<Type> {
    let Expr::Path(function) = &*call.func else { return None };
    let path = &function.path;
    let name = path.segments.last()?.ident.to_string();
    match path.segments.len() {
        _ if function.qself.is_some() => None,
        1 => source.result_of_function(&name).filter(|_| source.names_function(&name)),
        _ => {
            let mut owner = path.clone();
            owner.segments.pop();
            owner.segments.pop_punct();
            source.defines_one_type(&owner).then(|| result_of(source, &owner, &name))?
        }
    }
}

/// What a method gives; `Self` is its owner.
fn result_of(source: &Source, owner: &Path, method: &str) -> Option<Type> {
    let mut ty = source.result_of_method(owner, method)?;
    struct This<'o>(&'o Path);
    impl VisitMut for This<'_> {
        fn visit_path_mut(&mut self, path: &mut Path) {
            syn::visit_mut::visit_path_mut(self, path);
            if path.is_ident("Self") {
                *path = self.0.clone();
            }
        }
    }
    This(owner).visit_type_mut(&mut ty);
    Some(ty)
}

/// A type that the file defines, and no other of its name.
fn user_type(source: &Source, ty: &Type) -> Option<Path> {
    match ty {
        Type::Path(path) if path.qself.is_none() && source.defines_one_type(&path.path) => Some(path.path.clone()),
        _ => None,
    }
}

/// What an index gives.
fn element(source: &Source, of: &Type) -> Option<Type> {
    match of {
        Type::Slice(slice) => Some((*slice.elem).clone()),
        Type::Array(array) => Some((*array.elem).clone()),
        _ if user_type(source, of).is_some() => None,
        _ if is_named(of, "Vec") || is_named(of, "VecDeque") => argument(of, 0),
        _ if is_named(of, "HashMap") || is_named(of, "BTreeMap") => argument(of, 1),
        _ => None,
    }
}

fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

fn argument(ty: &Type, k: usize) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    match generic_args(&path.path).get(k)? {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    }
}

/// What references are of.
pub(super) fn behind(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => behind(&reference.elem),
        Type::Paren(paren) => behind(&paren.elem),
        Type::Group(group) => behind(&group.elem),
        ty if is_named(ty, "Box") || is_named(ty, "Rc") || is_named(ty, "Arc") => match ty {
            Type::Path(path) => match path.path.segments.last().map(|last| &last.arguments) {
                Some(syn::PathArguments::AngleBracketed(args)) => match args.args.first() {
                    Some(GenericArgument::Type(inner)) => behind(inner),
                    _ => ty,
                },
                _ => ty,
            },
            _ => ty,
        },
        ty => ty,
    }
}
