//! Types and signatures as they are written.

use super::Inference;
use super::types::{Id, Shape, last};
use crate::parse::ty::INTEGERS;
use std::collections::HashMap;
use std::rc::Rc;
use syn::{
    FnArg, GenericArgument, Generics, PathArguments, ReturnType, Signature, Type, TypeParamBound, WherePredicate,
};

/// What type parameters and `Self` stand for.
pub type Names = HashMap<String, Id>;

/// The types of a function's parameters, with `self` if it has one, and of its result.
pub struct Callee {
    pub params: Vec<Id>,
    pub result: Id,
}

impl Inference<'_> {
    pub fn declared(&mut self, ty: &Type, names: &Names) -> Id {
        match ty {
            Type::Reference(reference) => self.declared(&reference.elem, names),
            Type::Paren(paren) => self.declared(&paren.elem, names),
            Type::Group(group) => self.declared(&group.elem, names),
            Type::Array(array) => self.seq_of(&array.elem, names),
            Type::Slice(slice) => self.seq_of(&slice.elem, names),
            Type::Tuple(tuple) if tuple.elems.is_empty() => self.types.plain(),
            Type::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|part| self.declared(part, names)).collect();
                self.types.of(Shape::Tuple(parts))
            }
            Type::Infer(_) => self.types.open(),
            Type::Never(_) => self.types.open(),
            Type::ImplTrait(ty) => self.bounded(ty.bounds.iter(), names),
            Type::TraitObject(ty) => self.bounded(ty.bounds.iter(), names),
            Type::BareFn(ty) => {
                let params = ty.inputs.iter().map(|input| self.declared(&input.ty, names)).collect();
                let result = self.output(&ty.output, names);
                self.types.of(Shape::Callable(params, result))
            }
            Type::Path(path) if path.qself.is_none() => self.named_type(&path.path, names),
            _ => self.types.unknown(),
        }
    }

    fn seq_of(&mut self, elem: &Type, names: &Names) -> Id {
        let elem = self.declared(elem, names);
        self.types.of(Shape::Seq(elem))
    }

    fn output(&mut self, output: &ReturnType, names: &Names) -> Id {
        match output {
            ReturnType::Default => self.types.plain(),
            ReturnType::Type(_, ty) => self.declared(ty, names),
        }
    }

    fn named_type(&mut self, path: &syn::Path, names: &Names) -> Id {
        let Some(segment) = path.segments.last() else { return self.types.unknown() };
        let name = segment.ident.to_string();
        if let Some(ident) = path.get_ident() {
            if let Some(known) = names.get(&ident.to_string()).or_else(|| self.names.get(&ident.to_string())) {
                return *known;
            }
            if let Some(target) = self.alias(ident) {
                return self.declared(&target, names);
            }
        }
        // `Self::Output` and the like.
        if path.segments.len() > 1 && names.contains_key(&path.segments[0].ident.to_string()) {
            return self.types.unknown();
        }
        let given: Vec<&Type> = match &segment.arguments {
            PathArguments::AngleBracketed(args) => {
                let types = args.args.iter().filter_map(|arg| match arg {
                    GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                });
                types.collect()
            }
            _ => Vec::new(),
        };
        let arg = |this: &mut Self, k: usize| match given.get(k) {
            Some(ty) => this.declared(ty, names),
            None => this.types.open(),
        };
        match &name[..] {
            "f32" | "f64" => self.types.float(),
            "bool" | "str" | "String" | "char" | "Ordering" => self.types.plain(),
            name if INTEGERS.contains(&name) => self.types.integer(name),
            "Vec" | "VecDeque" => {
                let elem = arg(self, 0);
                self.types.of(Shape::Seq(elem))
            }
            "Option" => {
                let inner = arg(self, 0);
                self.types.of(Shape::Option(inner))
            }
            "Result" => {
                let (value, error) = (arg(self, 0), arg(self, 1));
                self.types.of(Shape::Result(value, error))
            }
            "Range" | "RangeInclusive" => {
                let elem = arg(self, 0);
                self.types.of(Shape::Iter(elem))
            }
            "Box" | "Rc" | "Arc" | "Ref" | "RefMut" | "Cow" => arg(self, 0),
            _ => {
                let args = (0..given.len()).map(|k| arg(self, k)).collect();
                self.types.of(Shape::Named(Rc::new(crate::relay::without_arguments(path)), args))
            }
        }
    }

    /// What is known by what it implements.
    fn bounded<'b>(&mut self, bounds: impl Iterator<Item = &'b TypeParamBound>, names: &Names) -> Id {
        let mut of_trait = None;
        for bound in bounds {
            let TypeParamBound::Trait(bound) = bound else { continue };
            let Some(segment) = bound.path.segments.last() else { continue };
            let name = segment.ident.to_string();
            match (&name[..], &segment.arguments) {
                (_, PathArguments::Parenthesized(args)) => {
                    let params = args.inputs.iter().map(|input| self.declared(input, names)).collect();
                    let result = self.output(&args.output, names);
                    return self.types.of(Shape::Callable(params, result));
                }
                ("Iterator" | "IntoIterator" | "DoubleEndedIterator" | "ExactSizeIterator", args) => {
                    let item = match args {
                        PathArguments::AngleBracketed(args) => args.args.iter().find_map(|arg| match arg {
                            GenericArgument::AssocType(item) => Some(item.ty.clone()),
                            _ => None,
                        }),
                        _ => None,
                    };
                    let item = match item {
                        Some(item) => self.declared(&item, names),
                        None => self.types.unknown(),
                    };
                    return self.types.of(Shape::Iter(item));
                }
                ("Real", _) => return self.types.float(),
                ("Copy" | "Clone" | "Debug" | "Display" | "Default" | "Sized" | "Send" | "Sync", _) => {}
                _ => of_trait = of_trait.or(Some(bound.path.clone())),
            }
        }
        match of_trait {
            Some(path) if !matches!(&last(&path)[..], "Into" | "From" | "AsRef" | "Fn") => {
                self.types.of(Shape::Named(Rc::new(crate::relay::without_arguments(&path)), Vec::new()))
            }
            _ => self.types.open(),
        }
    }

    /// A type for each type parameter, by its bounds; `Self` stays what it is.
    pub fn generic_names(&mut self, generics: &Generics, mut names: Names) -> Names {
        // A bound may name parameters that come later.
        for param in generics.type_params() {
            let open = self.types.open();
            names.insert(param.ident.to_string(), open);
        }
        let clause = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let clause: Vec<_> = clause
            .filter_map(|predicate| match predicate {
                WherePredicate::Type(predicate) => Some((&predicate.bounded_ty, &predicate.bounds)),
                _ => None,
            })
            .collect();
        for param in generics.type_params() {
            let required =
                clause.iter().filter(|(ty, _)| matches!(ty, Type::Path(path) if path.path.is_ident(&param.ident)));
            let bounds: Vec<&TypeParamBound> =
                param.bounds.iter().chain(required.flat_map(|(_, bounds)| bounds.iter())).collect();
            let ty = self.bounded(bounds.into_iter(), &names);
            self.types.unify(names[&param.ident.to_string()], ty);
        }
        names
    }

    /// A signature, with new variables for what it is generic over.
    pub fn signature(&mut self, sig: &Signature, this: Option<Id>) -> Callee {
        let mut names = Names::new();
        names.extend(this.map(|this| ("Self".to_owned(), this)));
        let names = self.generic_names(&sig.generics, names);
        let params = sig.inputs.iter().map(|input| match input {
            FnArg::Receiver(_) => this.unwrap_or_else(|| self.types.unknown()),
            FnArg::Typed(typed) => self.declared(&typed.ty, &names),
        });
        let params = params.collect();
        let result = self.output(&sig.output, &names);
        Callee { params, result }
    }

    /// The type of a field of a struct.
    pub fn field(&mut self, of: Id, member: &syn::Member) -> Option<Id> {
        let (path, args) = match self.types.shape(of) {
            Shape::Tuple(parts) => {
                let syn::Member::Unnamed(index) = member else { return None };
                return parts.get(index.index as usize).copied();
            }
            Shape::Named(path, args) => (path, args),
            _ => return None,
        };
        self.field_of(&path, &args, member, Some(of))
    }

    pub fn field_of(&mut self, path: &syn::Path, args: &[Id], member: &syn::Member, this: Option<Id>) -> Option<Id> {
        let (params, ty, nested): (Vec<String>, Type, bool) = match self.knowledge.find_struct(path) {
            Some(info) => {
                let field = info.fields.iter().find(|field| field.member == *member)?;
                let types = info.generics.iter().filter(|param| param.kind != crate::relay::GenericKind::Size);
                (types.map(|param| param.name.clone()).collect(), field.ty.clone(), !field.projected)
            }
            None => {
                let source = self.source.clone()?;
                let (params, ty) = source.field(&last(path), &quote::ToTokens::to_token_stream(member).to_string())?;
                (params, ty, true)
            }
        };
        if !nested {
            return Some(self.types.unknown());
        }
        let mut names: Names = params.into_iter().zip(args.iter().copied()).collect();
        names.extend(this.map(|this| ("Self".to_owned(), this)));
        Some(self.declared(&ty, &names))
    }
}
